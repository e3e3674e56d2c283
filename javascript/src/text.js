/**
 * Text in files: bytes that are usually UTF-8.
 *
 * Bytes that are not UTF-8 are decoded as lone surrogates, byte 0x80 + n as U+DC80 + n, as Python's `surrogateescape`
 * does. Different bytes always become different strings, and `encode` restores the bytes. `isWellFormed()` of a string
 * is true if the bytes were UTF-8.
 */

import { GGUFError } from "./errors.js";

const SHORT = 16; // bytes: for shorter texts, a loop is faster than the decoder
const CHUNK = 1 << 13; // characters converted at once: the number of arguments that a function accepts
const LONGEST = 2 ** 29 - 24; // characters: the limit of a string in V8
const QUOTED = 100; // characters of a text that a message quotes

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

/**
 * Return the text between two positions.
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
 * Return the text of UTF-8 bytes, or undefined if they are not UTF-8.
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
  if (bytes.length > LONGEST) throw new GGUFError(`a text of ${bytes.length} bytes does not fit into one string`);
  const points = new Uint32Array(CHUNK);
  let text = "";
  let count = 0;
  for (let position = 0; position < bytes.length; ) {
    const size = characterSize(bytes, position);
    points[count++] = size ? codePoint(bytes, position, size) : 0xdc00 + bytes[position];
    position += size || 1;
    if (count === CHUNK || position === bytes.length) {
      text += String.fromCodePoint(...points.subarray(0, count));
      count = 0;
    }
  }
  return text;
}

/**
 * @param {Uint8Array} bytes
 * @param {number} position
 * @param {number} size
 */
function codePoint(bytes, position, size) {
  if (size === 1) return bytes[position];
  let point = bytes[position] & (0x7f >> size);
  for (let index = 1; index < size; index++) point = (point << 6) | (bytes[position + index] & 0x3f);
  return point;
}

/**
 * Return the number of bytes of the character at a position; 0 if there is no valid character.
 *
 * @param {Uint8Array} bytes
 * @param {number} position
 */
function characterSize(bytes, position) {
  const first = bytes[position];
  if (first < 0x80) return 1;
  const size = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
  // No overlong encodings, no surrogates, nothing beyond U+10FFFF.
  const least = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
  const most = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
  const second = bytes[position + 1];
  if (size === 0 || !(second >= least && second <= most)) return 0;
  for (let index = 2; index < size; index++) if ((bytes[position + index] & 0xc0) !== 0x80) return 0;
  return size;
}

/**
 * Return the bytes of a text from `decode`. Any other lone surrogate becomes U+FFFD.
 *
 * @param {string} text
 */
export function encode(text) {
  if (text.isWellFormed()) return encoder.encode(text);
  const bytes = new Uint8Array(3 * text.length);
  let size = 0;
  for (let start = 0; start < text.length; ) {
    let end = start;
    while (end < text.length && !isEscape(text, end)) end++;
    if (start < end) size += encoder.encodeInto(text.slice(start, end), bytes.subarray(size)).written;
    for (; end < text.length && isEscape(text, end); end++) bytes[size++] = text.charCodeAt(end) - 0xdc00;
    start = end;
  }
  return bytes.slice(0, size);
}

/**
 * Return whether the code unit at an index is a byte that was not UTF-8, and not the second half of a character.
 *
 * @param {string} text
 * @param {number} index
 */
function isEscape(text, index) {
  const unit = text.charCodeAt(index);
  return unit >= 0xdc80 && unit <= 0xdcff && (text.charCodeAt(index - 1) & 0xfc00) !== 0xd800;
}

/**
 * Return a text in quotes, escaped, and truncated if it is long.
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
