// Makes text from a file visible, and formats numbers for people, in the same words as the command line.

/** Characters that are invisible, or change the direction of text. A space is neither. */
const INVISIBLE = /(?! )[\p{C}\p{Z}]/gu;
const LONGEST = 500; // characters of a name: in real models, names have a few dozen
const NAMED = new Map([
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
]);

/**
 * Return text with control, format and separator characters escaped.
 *
 * @param {string} text
 */
export function visible(text) {
  return text.replace(INVISIBLE, escaped);
}

/**
 * Return text like `visible`, but keep line breaks and tabs.
 *
 * @param {string} text
 */
export function visibleLines(text) {
  return text.replace(INVISIBLE, (char) => (char === "\n" || char === "\t" ? char : escaped(char)));
}

/** @param {string} char */
function escaped(char) {
  const code = char.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  if (code < 0x100) {
    return NAMED.get(char) ?? `\\x${hex.padStart(2, "0")}`;
  }
  return code < 0x10000 ? `\\u${hex.padStart(4, "0")}` : `\\U${hex.padStart(8, "0")}`;
}

/**
 * Return at most `width` characters. The last one shows whether the text was truncated.
 *
 * @param {string} text
 * @param {number} width
 */
export function shorten(text, width) {
  return text.length <= width ? text : `${text.slice(0, width - 1)}…`;
}

/**
 * Return a name for lists: visible, and truncated if it is very long.
 *
 * @param {string} name
 */
export function label(name) {
  return visible(shorten(name, LONGEST));
}

/** @param {number} size */
export function humanBytes(size) {
  return scaled(size, 1024, [" B", " KiB", " MiB", " GiB", " TiB"]);
}

/** @param {number} number */
export function humanCount(number) {
  return scaled(number, 1000, ["", " K", " M", " B", " T"]);
}

/**
 * Return a number with three digits, or more if its integer part has more.
 *
 * @param {number} number
 * @param {number} step
 * @param {string[]} units
 */
function scaled(number, step, units) {
  let value = number;
  let power = 0;
  while (Math.round(value) >= step && power + 1 < units.length) {
    value /= step;
    power += 1;
  }
  const decimals = Math.max(3 - String(Math.trunc(value)).length, 0);
  const digits = value < 999.5 && power ? rounded(value, decimals) : rounded(value, 0);
  return grouped(Number(digits)) + units[power];
}

/**
 * Return a number with some decimals, rounded like Python: halfway cases round to the even number.
 *
 * @param {number} value
 * @param {number} decimals
 */
export function rounded(value, decimals) {
  return evened(value.toFixed(decimals), value.toFixed(60), decimals);
}

/**
 * JavaScript rounds halfway cases up. Return such digits rounded to the even number instead.
 *
 * @param {string} text
 * @param {string} exact the same with all digits
 * @param {number} decimals
 */
function evened(text, exact, decimals) {
  const last = Number(text.at(-1));
  const isHalf = /^50*$/.test(exact.slice(exact.indexOf(".") + 1 + decimals));
  return isHalf && last % 2 === 1 ? text.slice(0, -1) + String(last - 1) : text;
}

/** @param {number | bigint} number */
export function grouped(number) {
  return number.toLocaleString("en-US");
}

/**
 * @param {number} number
 * @param {string} thing
 */
export function counted(number, thing) {
  return `${number} ${thing}${number === 1 ? "" : "s"}`;
}

/** @param {number} share from 0 to 1 */
export function percent(share) {
  return `${rounded(share * 100, 1)}%`;
}

/**
 * Return the message of an error, without the address of the server that serves this page.
 *
 * @param {unknown} error
 */
export function problem(error) {
  const words = error instanceof Error ? error.message : String(error);
  return visible(words.replace(`${new URL("file", location.href).href}: `, ""));
}

/** @param {number} position */
export function hex(position) {
  return `0x${position.toString(16)}`;
}

/**
 * Return a number with at most seven digits if it is a float.
 *
 * @param {number | bigint} value
 * @param {boolean} isFloat
 */
export function formatNumber(value, isFloat) {
  if (typeof value === "bigint" || !isFloat) {
    return String(value);
  }
  if (!Number.isFinite(value)) {
    return Number.isNaN(value) ? "nan" : value > 0 ? "inf" : "-inf";
  }
  return shortFloat(value);
}

/** @param {number} value */
function shortFloat(value) {
  if (Number.isInteger(value) && value !== 0 && Math.abs(value) < 1e7) {
    return String(value); // most floats of vocabularies, and this is much faster
  }
  const exponent = value === 0 ? 0 : Number(value.toExponential(6).split("e")[1]);
  if (exponent < -4 || exponent >= 7) {
    const [text, power] = value.toExponential(6).split("e");
    const digits = evened(text, value.toExponential(100).split("e")[0], 6).replace(/\.?0+$/, "");
    return `${digits}e${power[0]}${power.slice(1).padStart(2, "0")}`;
  }
  return Object.is(value, -0) ? "-0" : String(Number(rounded(value, 6 - exponent)));
}
