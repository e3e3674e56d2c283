// Colors of types and of bits per weight, the same in light and dark mode, and a text color with enough contrast.

const HUES = [215, 28, 110, 0, 185, 310, 50, 20, 345, 260, 165, 240]; // of groups that are not types
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
  const colors = new Map(types.map((type, i) => [type, shade(HUES[i % HUES.length], 0.45)]));
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

/** @param {number} bits for each weight: few are light yellow, many are dark violet */
export function bitsColor(bits) {
  const share = Math.log(bits / LEAST_BITS) / Math.log(MOST_BITS / LEAST_BITS);
  const at = Math.min(Math.max(share, 0), 1);
  return shade(55 + 230 * at, 0.9 - 0.9 * at);
}

/**
 * Return black or white, whichever is easier to read on a color.
 *
 * @param {string} color
 */
export function textColor(color) {
  const [r, g, b] = [1, 3, 5].map((i) => {
    const share = Number.parseInt(color.slice(i, i + 2), 16) / 255;
    return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.179 ? "#000000" : "#ffffff";
}
