// Colors of types and of bits per weight, the same in light and dark mode, and a text color with enough contrast.

const COLORS = [
  "#4c78a8",
  "#f58518",
  "#54a24b",
  "#e45756",
  "#72b7b2",
  "#b279a2",
  "#eeca3b",
  "#9d755d",
  "#ff9da6",
  "#79706e",
  "#2f8f83",
  "#8a6fc1",
];
/** @type {[RegExp, number][]} families of types, and the hue of each */
const FAMILIES = [
  [/^B?F\d+$/, 215],
  [/^I\d+$/, 185],
  [/^Q\d+_K$/, 28],
  [/^Q\d+_\d$/, 140],
  [/^IQ\d/, 285],
  [/^TQ\d/, 55],
  [/FP4$/, 340],
];
/** From few bits to many: Q1 to F32 on a logarithmic scale. */
const SCALE = ["#fde725", "#7ad151", "#22a884", "#2a788e", "#414487", "#440154"];
const LEAST_BITS = 1.5;
const MOST_BITS = 32;

export const HEADER_COLORS = { start: "#374151", metadata: "#64748b", "tensor infos": "#9aa6b5" };
export const OTHER_COLORS = { padding: "#cdd2d9", gap: "#c79a1b", trailing: "#a05c8c", "not read": "#8b8f98", missing: "#d7434b" };

/**
 * Return a color for each type, or for each of other groups. Types of one family have shades of one color.
 *
 * @param {string[]} types
 */
export function typeColors(types) {
  const colors = new Map(types.map((type, i) => [type, COLORS[i % COLORS.length]]));
  for (const [family, hue] of FAMILIES) {
    const members = types.filter((type) => family.test(type)).sort();
    members.forEach((type, i) => colors.set(type, shade(hue, (i + 1) / (members.length + 1))));
  }
  return colors;
}

/** @param {number} hue in degrees @param {number} share from 0, which is dark, to 1 */
function shade(hue, share) {
  const [saturation, lightness] = [0.55, 0.3 + 0.5 * share];
  const byte = (/** @type {number} */ n) => {
    const k = (n + hue / 30) % 12;
    const value = lightness - saturation * Math.min(lightness, 1 - lightness) * Math.max(-1, Math.min(k - 3, 9 - k, 1));
    return Math.round(255 * value).toString(16).padStart(2, "0");
  };
  return `#${byte(0)}${byte(8)}${byte(4)}`;
}

/** @param {number} bits for each weight */
export function bitsColor(bits) {
  const share = Math.log(bits / LEAST_BITS) / Math.log(MOST_BITS / LEAST_BITS);
  const at = Math.min(Math.max(share, 0), 1) * (SCALE.length - 1);
  const i = Math.min(Math.floor(at), SCALE.length - 2);
  const [from, to] = [channels(SCALE[i]), channels(SCALE[i + 1])];
  return `#${from
    .map((value, k) =>
      Math.round(value + (to[k] - value) * (at - i))
        .toString(16)
        .padStart(2, "0"),
    )
    .join("")}`;
}

/**
 * Return black or white, whichever is easier to read on a color.
 *
 * @param {string} color
 */
export function textColor(color) {
  const [r, g, b] = channels(color).map((value) => {
    const share = value / 255;
    return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.179 ? "#000000" : "#ffffff";
}

/** @param {string} color */
function channels(color) {
  return [1, 3, 5].map((i) => Number.parseInt(color.slice(i, i + 2), 16));
}
