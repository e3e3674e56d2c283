/**
 * The canonical JSON of a file: the same document as `kaitai-gguf dump --json --full` prints.
 *
 * It is a text, not an object: JSON.stringify would refuse integers of 64 bits, and drop the sign of -0.
 *
 * @module
 */

import { NestedArray, StringArray } from "./arrays.js";
import { encode } from "./text.js";

/** @typedef {import("./model.js").Model} Model */
/** @typedef {import("./metadata.js").Value} Value */
/** @typedef {import("./arrays.js").ValueType} ValueType */

/** @param {Model} model */
export function canonicalJSON(model) {
  const metadata = Array.from(model.metadata, ([key, value]) => {
    const entry = model.metadata.entry(key);
    if (entry === undefined) return "";
    const { type, elementType } = entry;
    const rest = elementType === null ? `"value":${scalar(value, type)}` : array(value, elementType);
    return `{"key":${text(key)},"type":"${type}",${rest}}`;
  });
  const tensors = Array.from(model.tensors.values(), ({ name, dims, type, typeId, offset, nbytes }) => {
    const named = `"type":${JSON.stringify(type)},"type_id":${typeId}`;
    return `{"name":${text(name)},"dims":[${dims}],${named},"offset":${offset},"nbytes":${nbytes}}`;
  });
  const { version, byteOrder, alignment, dataOffset } = model;
  const facts = `"version":${version},"byte_order":"${byteOrder}","alignment":${alignment},"data_offset":${dataOffset}`;
  return `{${facts},"metadata":[${metadata.join()}],"tensors":[${tensors.join()}]}`;
}

/**
 * @param {Value} value
 * @param {ValueType} elementType
 */
function array(value, elementType) {
  const items = /** @type {import("./arrays.js").ArrayValue} */ (value);
  return `"element_type":"${elementType}","count":${items.length},"value":[${elements(items, elementType).join()}]`;
}

/**
 * @param {import("./arrays.js").ArrayValue} items
 * @param {ValueType} elementType
 * @returns {string[]}
 */
function elements(items, elementType) {
  if (items instanceof StringArray) return Array.from(items, text);
  if (items instanceof NestedArray) {
    return Array.from(items, (item, index) => `{${array(item, items.entryAt(index)?.elementType ?? "uint8")}}`);
  }
  return Array.from(/** @type {Iterable<number | bigint | boolean>} */ (items), (item) => scalar(item, elementType));
}

/**
 * @param {Value} value
 * @param {ValueType} type
 */
function scalar(value, type) {
  if (typeof value === "string") return text(value);
  if (typeof value !== "number") return String(value);
  if (!Number.isFinite(value)) return `"${value}"`;
  if (type === "float32") return decimal(shortest(value));
  return type === "float64" ? decimal(value) : String(value);
}

/**
 * A float as Python writes it: never like an integer, so that what reads the JSON does not take it for one.
 *
 * @param {number} value
 */
function decimal(value) {
  const [digits, power] = value.toExponential().split("e");
  const exponent = Number(power);
  if (exponent < -4 || exponent >= 16) {
    return `${digits}e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
  }
  if (Object.is(value, -0)) return "-0.0";
  return Number.isInteger(value) ? value.toFixed(1) : String(value);
}

/**
 * The decimal with the fewest digits that is this value once rounded to a float32.
 *
 * @param {number} value
 */
function shortest(value) {
  if (value === 0) return value; // toPrecision drops the sign
  for (let digits = 1; digits < 9; digits++) {
    const decimal = Number(value.toPrecision(digits));
    if (Math.fround(decimal) === value) return decimal;
  }
  return Number(value.toPrecision(9));
}

/** @param {string} string */
function text(string) {
  if (string.isWellFormed()) return JSON.stringify(string);
  return `{"base64":"${btoa(String.fromCharCode(...encode(string)))}"}`;
}
