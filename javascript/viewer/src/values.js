// Values of metadata on one line of text, formatted like the command line.

import { formatNumber, shorten, visible } from "./text.js";

const SHOWN = 16; // elements of an array

/**
 * Return a value in at most `width` characters, arrays with their first elements.
 *
 * @param {any} value
 * @param {string} type of the value, or of the elements of an array
 * @param {number} width
 * @returns {string}
 */
export function describeValue(value, type, width) {
  if (typeof value === "string") {
    return shorten(visible(JSON.stringify(value.slice(0, width + 1))), width);
  }
  if (typeof value === "boolean") {
    return String(value);
  }
  if (typeof value === "number" || typeof value === "bigint") {
    return describeNumber(value, type);
  }
  const parts = [];
  let length = 0;
  for (let i = 0; i < Math.min(value.length, SHOWN) && length <= width; i += 1) {
    const part = describeValue(value.at(i), elementTypeOf(value, type), width);
    parts.push(part);
    length += part.length;
  }
  return shorten(`[${parts.join(", ")}${parts.length < value.length ? ", …" : ""}]`, width);
}

/**
 * @param {any} value a number, a bigint or a boolean
 * @param {string} type
 */
export function describeNumber(value, type) {
  return typeof value === "boolean" ? String(value) : formatNumber(value, type.startsWith("float"));
}

/**
 * Return the type of a value for people: `string[32000]`.
 *
 * @param {any} entry
 */
export function describeType(entry) {
  return entry.elementType ? `${entry.elementType}[${entry.count}]` : String(entry.type);
}

/**
 * Return the type of the elements of an array, which may be nested.
 *
 * @param {any} values
 * @param {string} type that of the outer array's elements
 */
export function elementTypeOf(values, type) {
  if (type !== "array") {
    return type;
  }
  return values.elementType ?? (values instanceof Float32Array || values instanceof Float64Array ? "float32" : "int64");
}
