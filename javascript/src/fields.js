/**
 * Finds the fields that a byte of a header belongs to.
 *
 * @module
 */

import { Refused, Trace } from "../gguf_index.js";
import { TENSOR_TYPES, VALUE_TYPES } from "../types.js";
import { NUMBERS, arrayInfo, number } from "./arrays.js";
import { decode } from "./text.js";

/** @typedef {import("./header.js").Header} Header */
/** @typedef {import("../gguf_index.js").TracedField} TracedField */

/**
 * A field of the header.
 *
 * @typedef {object} HeaderField
 * @property {string} path as in errors, e.g. `/metadata/12/value/elements/3`
 * @property {string} name the last part of the path
 * @property {number} start in bytes from the start of the file
 * @property {number} end
 * @property {string} type in the schema, e.g. "u4", "bytes" or "gguf_string"; for a repeated field, the type of its
 *   items
 * @property {number | bigint | string} [value] of a number, or the text of a short string
 * @property {string} [meaning] the name of the type that a number encodes
 */

const TEXT = 4096; // bytes: a longer text is not decoded

/**
 * Return the fields that contain the byte at a position, the outermost first; none if the position is not in the header.
 *
 * Only the item that contains the byte is parsed.
 *
 * @param {Header} header
 * @param {number} position
 * @returns {HeaderField[]}
 */
export function fieldsAt(header, position) {
  if (!(position >= 0 && position < header.end)) return [];
  const fields = traced(header, position).filter(({ name }) => name !== "body");
  let path = "";
  return fields.map((field) => {
    path += `/${field.name}`;
    const { name, type, start, end } = field;
    const described = { path, name, start, end, type };
    return { ...described, ...meaning(header, field) };
  });
}

/**
 * @param {Header} header
 * @param {number} position
 * @returns {TracedField[]}
 */
function traced(header, position) {
  const trace = new Trace(position);
  const tensors = { name: "tensors", type: "tensor_info", positions: header.tensors, end: header.end };
  const metadata = { name: "metadata", type: "key_value", positions: header.metadata, end: header.tensors[0] ?? header.end };
  for (const { name, type, positions, end } of [tensors, metadata]) {
    if (positions.length === 0 || position < positions[0]) continue;
    const index = lastWhere(0, positions.length, (i) => positions[i] <= position);
    const start = positions[index];
    trace.leaf(name, type, positions[0], end);
    trace.leaf(String(index), type, start, positions[index + 1] ?? end);
    header.read((layout) => {
      if (type === "tensor_info") layout.trace_tensor_info(trace, start);
      else layout.trace_key_value(trace, start);
    });
    return withElement(header, trace.fields, position);
  }
  try {
    // The trace ends with the first item; the rest is not parsed.
    const { layout } = header;
    const first = header.metadata[0] ?? header.tensors[0] ?? header.end;
    const Layout = /** @type {new (...given: any[]) => typeof layout} */ (layout.constructor);
    new Layout(layout.bytes.subarray(0, first), layout.little, layout.constants).trace_gguf(trace, 0);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
  }
  return trace.fields.filter(({ end }) => end !== Infinity);
}

/**
 * Return the last number, from `low` to before `high`, for which a condition is true. It is true up to that number.
 *
 * @param {number} low
 * @param {number} high
 * @param {(number: number) => boolean} condition
 */
export function lastWhere(low, high, condition) {
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (condition(middle)) low = middle;
    else high = middle;
  }
  return low;
}

/**
 * Return the fields, with the element of an array of numbers that contains the position.
 *
 * @param {Header} header
 * @param {TracedField[]} fields
 * @param {number} position
 */
function withElement(header, fields, position) {
  const last = fields.at(-1);
  if (last?.name !== "elements" || last.type !== "bytes") return fields;
  const { elementType } = arrayInfo(header, fields[fields.length - 2].start);
  const type = elementType === "bool" ? "uint8" : /** @type {keyof typeof NUMBERS} */ (elementType);
  const size = NUMBERS[type].array.BYTES_PER_ELEMENT;
  const index = Math.floor((position - last.start) / size);
  const start = last.start + index * size;
  const value = number(type, header.layout.view, start, header.isLittleEndian);
  return [...fields, { name: String(index), type: elementType, start, end: start + size, value }];
}

/**
 * @param {Header} header
 * @param {TracedField} field
 * @returns {{ value?: number | bigint | string, meaning?: string }}
 */
function meaning(header, { name, type, start, end, value }) {
  if (type === "bytes" && name !== "elements" && end - start <= TEXT) return { value: decode(header.bytes, start, end) };
  if (value === undefined) return {};
  if (name === "value_type" || name === "element_type") return { value, meaning: VALUE_TYPES[Number(value)] };
  if (name === "type_id") return { value, meaning: TENSOR_TYPES.get(Number(value))?.name ?? "unknown" };
  return { value };
}
