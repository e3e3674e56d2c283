/**
 * Estimates the size of a header from its start, using the typical shape of vocabularies.
 *
 * @module
 */

import { VALUE_TYPES } from "../types.js";

/** @typedef {import("../gguf_index.js").Refused} Refused */
/** @typedef {ReturnType<typeof import("../gguf_index.js").layout>} Layout */

const ELEMENTS = /^\/body\/metadata\/\d+\/value\/elements/;
const SAMPLE = 100; // strings, whose mean length predicts that of the others
const NEXT = 1 << 16; // bytes: the keys and tensor infos that follow the last array
const MARGIN = 1.06; // merges get longer: the missing ones are 2 % to 6 % longer than the last
const NUMBERS = 8; // bytes for each token after the tokens: a score and a type

const STRING = VALUE_TYPES.indexOf("string");
const ARRAY = VALUE_TYPES.indexOf("array");

/**
 * Return an estimate of the end of the header, or 0 if nothing is known.
 *
 * Missing strings are assumed to be as long as the last existing ones. The tokens are assumed to be followed by two
 * numbers for each, and an array of numbers right after strings by another one.
 *
 * @param {Layout} layout
 * @param {Refused} refused
 */
export function expectedEnd(layout, refused) {
  const [metadata] = refused.found;
  if (refused.kind !== "end" || !ELEMENTS.test(refused.path) || !metadata?.length) return 0;
  const [elementType, count, elements] = layout.row_gguf_array(valueOf(layout, metadata[metadata.length - 1])[1]);
  const areStrings = Array.from(metadata.subarray(0, -1), (position) => isStrings(layout, position));
  const hasTokens = areStrings.some(Boolean);
  if (elementType !== STRING) {
    return hasTokens ? refused.needed + (areStrings.at(-1) ? refused.needed - elements : 0) + NEXT : 0;
  }
  const starts = stringsThere(layout, elements, count);
  if (starts.length <= SAMPLE) return 0;
  const last = starts.subarray(-Math.ceil(starts.length / 4)); // the strings of a vocabulary get longer
  const mean = (last[last.length - 1] - last[0]) / (last.length - 1);
  let missing = (count - starts.length) * mean * MARGIN;
  if (!hasTokens) missing += NUMBERS * count + NEXT;
  else if (starts.length < count / 8) missing /= 2; // the first merges are much shorter than the rest
  return Math.floor(last[last.length - 1] + missing);
}

/**
 * Return the positions of the existing strings of a truncated array.
 *
 * @param {Layout} layout
 * @param {number} elements the position of the first one
 * @param {number} count
 */
function stringsThere(layout, elements, count) {
  const refused = attempt(layout, elements, count);
  const [found] = refused?.found ?? [];
  if (!refused || found?.length) return found ?? new Float64Array(0);
  // Not even empty strings would fit, so look only at as many as could fit.
  const least = Math.floor((refused.needed - elements) / count);
  return attempt(layout, elements, Math.floor((layout.bytes.length - elements) / least))?.found[0] ?? new Float64Array(0);
}

/**
 * @param {Layout} layout
 * @param {number} elements
 * @param {number} count
 * @returns {Refused | undefined}
 */
function attempt(layout, elements, count) {
  try {
    layout.index_string_elements(elements, count);
    return undefined;
  } catch (error) {
    return /** @type {Refused} */ (error);
  }
}

/**
 * Return whether the value of a key-value is an array of many strings.
 *
 * @param {Layout} layout
 * @param {number} position
 */
function isStrings(layout, position) {
  const [type, value] = valueOf(layout, position);
  if (type !== ARRAY) return false;
  const [elementType, count] = layout.row_gguf_array(value);
  return elementType === STRING && count > SAMPLE;
}

/**
 * Return the type of the value of the key-value at a position, and the position of the value.
 *
 * @param {Layout} layout
 * @param {number} position
 */
function valueOf(layout, position) {
  const [, , type, value] = layout.row_key_value(position);
  return [type, value];
}
