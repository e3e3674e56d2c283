/**
 * The canonical JSON of a file: the document that `kaitai-gguf dump --json --full` prints.
 *
 * It is built as a string, because JSON.stringify refuses 64-bit integers and drops the sign of -0.
 *
 * @module
 */

import { NestedArray, StringArray } from "./arrays.js";
import { encode } from "./text.js";

/** @typedef {import("./model.js").Model} Model */
/** @typedef {import("./metadata.js").Value} Value */
/** @typedef {import("./arrays.js").ValueType} ValueType */

const EXACT = 60; // digits: decimals and values that agree in this many digits are equal
const CHUNK = 1 << 13; // arguments that a function accepts at once

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
 * Return a float the way Python writes it: never like an integer, so that JSON readers do not parse it as one.
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
 * Return the decimal with the fewest digits that rounds to this float32.
 *
 * @param {number} value
 */
export function shortest(value) {
  if (Number.isInteger(value) && Math.abs(value) < 2 ** 24) return value; // also -0, whose sign toExponential drops
  const isPowerOfTwo = Number.isInteger(Math.log2(Math.abs(value)));
  for (let digits = 0; digits < 8; digits++) {
    if (!isPowerOfTwo && Math.fround(Number(value.toExponential(digits))) !== value) continue;
    const decimal = nearest(value, digits).find((candidate) => Math.fround(candidate) === value);
    if (decimal !== undefined) return decimal;
  }
  return Number(value.toPrecision(9));
}

/**
 * Return the candidate decimals with this many digits after the first, the better one first.
 *
 * If two are equally near, Python chooses the even one, and toExponential the larger one. The next float32 above a
 * power of two is twice as far away as the one below, so a decimal above may round to it even if a nearer one below
 * does not.
 *
 * @param {number} value
 * @param {number} digits
 */
function nearest(value, digits) {
  const [mantissa, exponent] = value.toExponential(digits).split("e");
  const count = Number(mantissa.replace(".", ""));
  const isOddTie = count % 2 !== 0 && /^\.?50*e/.test(value.toExponential(EXACT).slice(mantissa.length));
  const away = Math.sign(value);
  const counts = isOddTie ? [count - away, count] : [count, count + away];
  return counts.map((units) => Number(`${units}e${Number(exponent) - digits}`));
}

/** @param {string} string */
function text(string) {
  if (string.isWellFormed()) return JSON.stringify(string);
  const bytes = encode(string);
  let binary = "";
  for (let start = 0; start < bytes.length; start += CHUNK) {
    binary += String.fromCharCode(...bytes.subarray(start, start + CHUNK));
  }
  return `{"base64":"${btoa(binary)}"}`;
}
