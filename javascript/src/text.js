/**
 * Text of files: UTF-8 in most cases, and bytes in all.
 *
 * Bytes that are not UTF-8 are decoded as lone surrogates, byte 0x80 + n as U+DC80 + n, as Python's `surrogateescape`
 * does. No two texts of a file become the same string, and `encode` gives the bytes back. `isWellFormed()` of a string
 * tells whether it was UTF-8.
 */

const SHORT = 16; // bytes: up to here a loop is faster than the decoder
const QUOTED = 100; // characters of a text that a message quotes

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

/**
 * The text between two positions.
 *
 * @param {Uint8Array} bytes
 * @param {number} [start]
 * @param {number} [end]
 */
export function decode(bytes, start = 0, end = bytes.length) {
  if (end - start <= SHORT) {
    let text = "";
    let position = start;
    for (; position < end && bytes[position] < 0x80; position++) text += String.fromCharCode(bytes[position]);
    if (position === end) return text;
  }
  const part = bytes.subarray(start, end);
  return utf8(part) ?? escaped(part);
}

/**
 * The text of UTF-8 bytes, or undefined if they are something else.
 *
 * @param {Uint8Array} bytes
 */
export function utf8(bytes) {
  try {
    return strict.decode(bytes);
  } catch {
    return undefined;
  }
}

/** @param {Uint8Array} bytes */
function escaped(bytes) {
  const parts = [];
  let valid = 0; // where the valid part begins that is not in the text yet
  for (let position = 0; position < bytes.length; ) {
    const size = characterSize(bytes, position);
    if (size === 0) {
      if (valid < position) parts.push(strict.decode(bytes.subarray(valid, position)));
      parts.push(String.fromCharCode(0xdc00 + bytes[position]));
      valid = position + 1;
    }
    position += size || 1;
  }
  if (valid < bytes.length) parts.push(strict.decode(bytes.subarray(valid)));
  return parts.join("");
}

/**
 * How many bytes the character at a position has; 0 if there is none.
 *
 * @param {Uint8Array} bytes
 * @param {number} position
 */
function characterSize(bytes, position) {
  const first = bytes[position];
  if (first < 0x80) return 1;
  const size = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
  // No encoding that is longer than it has to be, no surrogates, nothing beyond U+10FFFF.
  const least = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
  const most = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
  const second = bytes[position + 1];
  if (size === 0 || !(second >= least && second <= most)) return 0;
  for (let index = 2; index < size; index++) if ((bytes[position + index] & 0xc0) !== 0x80) return 0;
  return size;
}

/**
 * The bytes of a text that `decode` made. Any other lone surrogate becomes U+FFFD.
 *
 * @param {string} text
 */
export function encode(text) {
  const parts = text.split(/([\udc80-\udcff])/u); // with `u` the second half of a pair does not match
  if (parts.length === 1) return encoder.encode(text);
  /** @type {number[]} */
  const bytes = [];
  parts.forEach((part, index) => {
    if (index % 2 === 1) bytes.push(part.charCodeAt(0) - 0xdc00);
    else for (const byte of encoder.encode(part)) bytes.push(byte);
  });
  return Uint8Array.from(bytes);
}

/**
 * A text in quotes and escaped, cut off if it is long.
 *
 * @param {string} text
 */
export function quoted(text) {
  const shown = JSON.stringify(text.slice(0, QUOTED)).replace(
    /[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return text.length > QUOTED ? `${shown}…` : shown;
}
