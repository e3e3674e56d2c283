/**
 * The rules of the tensor layout: alignment, sizes, offsets, overlap. Opening a file throws the first violation.
 *
 * Sizes are in bytes, and offsets are in bytes from the start of the tensor data. Numbers beyond 2^53 are refused, because
 * a Number cannot store them exactly.
 *
 * @module
 */

import { Trace } from "../gguf_index.js";
import { TENSOR_TYPES } from "../types.js";
import { FormatError } from "./errors.js";
import { quoted } from "./text.js";

/** @typedef {import("./header.js").Header} Header */
/** @typedef {import("./metadata.js").Metadata} Metadata */

/**
 * The input of the rules, with one item for each tensor.
 *
 * @typedef {object} TensorTable
 * @property {string[]} names
 * @property {Map<string, number>} numbers the first tensor of each name
 * @property {number[][]} dims
 * @property {number[]} typeIds
 * @property {number[]} offsets
 * @property {number[]} nbytes 0 if the type is unknown
 */

const ALIGNMENT_KEY = "general.alignment";
const DEFAULT_ALIGNMENT = 32;
const FEW = 2 ** 40; // elements: fewer than 2^53 bytes in every type

/**
 * Return the alignment of tensors in bytes. Throws `FormatError` if the key is not a uint32 power of two.
 *
 * @param {Header} header
 * @param {Metadata} metadata
 */
export function alignmentOf(header, metadata) {
  const entry = metadata.entry(ALIGNMENT_KEY);
  if (entry === undefined) return DEFAULT_ALIGNMENT;
  const value = metadata.get(ALIGNMENT_KEY);
  if (entry.type !== "uint32") {
    throw at(header, entry.position, "value_type", `${ALIGNMENT_KEY} is of type ${entry.type}, expected uint32`);
  }
  const alignment = Number(value);
  if (!Number.isInteger(Math.log2(alignment))) {
    throw at(header, entry.position, "value", `${ALIGNMENT_KEY} is ${alignment}, expected a power of two below 2^32`);
  }
  return alignment;
}

/**
 * Return the first multiple of `alignment` that is not less than `position`.
 *
 * @param {number} position
 * @param {number} alignment
 */
export function align(position, alignment) {
  return Math.ceil(position / alignment) * alignment;
}

/**
 * Return the size of a tensor, however large; 0 if its type is unknown.
 *
 * @param {number[]} dims
 * @param {number} typeId
 */
export function countNbytes(dims, typeId) {
  const type = TENSOR_TYPES.get(typeId);
  if (type === undefined) return 0;
  const length = dims.length ? dims[0] : 1;
  let nbytes = Math.ceil(length / type.numElements) * type.size;
  for (let axis = 1; axis < dims.length; axis++) nbytes *= dims[axis];
  return nbytes;
}

/** @param {number[]} dims */
export function product(dims) {
  let result = 1;
  for (let axis = 0; axis < dims.length; axis++) result *= dims[axis];
  return result;
}

/**
 * Throw `FormatError` for the first tensor that breaks a rule.
 *
 * @param {Header} header
 * @param {TensorTable} table
 * @param {number} alignment
 * @param {number} dataOffset
 */
export function checkLayout(header, table, alignment, dataOffset) {
  const { names, numbers, dims, typeIds, offsets, nbytes } = table;
  check("dims", (row) => {
    if (fits(dims[row], typeIds[row])) return undefined;
    return `${exact(header, row, "dims", dims[row]).join(" × ")} elements are beyond 2^53`;
  });
  check("dims", (row) => partialRow(dims[row], typeIds[row]));
  names.forEach((name, row) => {
    if (name === "") throw breach(header, row, "name", `the name of tensor ${row} is empty`);
    if (numbers.get(name) !== row) throw breach(header, row, "name", `the name ${quoted(name)} is duplicated`);
  });
  check("ofs_data", (row) => {
    if (dataOffset + offsets[row] + nbytes[row] <= Number.MAX_SAFE_INTEGER) return undefined;
    const [offset] = exact(header, row, "ofs_data", [offsets[row]]);
    return `its data ends at offset ${offset + BigInt(nbytes[row])}, beyond 2^53`;
  });
  check("ofs_data", (row) => misaligned(offsets[row], alignment));
  checkOverlaps();

  /**
   * @param {string} field
   * @param {(row: number) => string | undefined} rule
   */
  function check(field, rule) {
    for (let row = 0; row < names.length; row++) {
      const problem = rule(row);
      if (problem) throw breach(header, row, field, `tensor ${quoted(names[row])}: ${problem}`);
    }
  }

  function checkOverlaps() {
    let end = 0;
    const isInOrder = offsets.every((offset, row) => {
      const isAfter = nbytes[row] === 0 || offset >= end;
      end = Math.max(end, offset + nbytes[row]);
      return isAfter;
    });
    if (isInOrder) return;
    const order = [...offsets.keys()].filter((row) => nbytes[row] > 0).sort((a, b) => offsets[a] - offsets[b] || a - b);
    let owner = order[0];
    for (const row of order.slice(1)) {
      const ownerEnd = offsets[owner] + nbytes[owner];
      if (offsets[row] < ownerEnd) {
        const other = `the data of tensor ${quoted(names[owner])}, which ends at offset ${ownerEnd}`;
        throw breach(header, row, "ofs_data", `tensor ${quoted(names[row])}: its data overlaps ${other}`);
      }
      owner = row;
    }
  }
}

/**
 * @param {number[]} dims
 * @param {number} typeId
 */
function fits(dims, typeId) {
  const numElements = product(dims);
  if (numElements > 0 && numElements < FEW) return true;
  const positive = dims.map((dim) => Math.max(dim, 1)); // the others must be valid even if one dim is 0
  return Math.max(product(positive), countNbytes(positive, typeId)) <= Number.MAX_SAFE_INTEGER;
}

/**
 * Return the exact numbers of a field of a tensor info. Only fields of 8 bytes have numbers that were rounded.
 *
 * @param {Header} header
 * @param {number} row
 * @param {string} field
 * @param {number[]} rounded
 */
function exact(header, row, field, rounded) {
  const { view, little } = header.layout;
  const start = startOf(header, row, field);
  return rounded.map((number, i) => (Number.isSafeInteger(number) ? BigInt(number) : view.getBigUint64(start + 8 * i, little)));
}

/**
 * @param {number[]} dims
 * @param {number} typeId
 */
function partialRow(dims, typeId) {
  const length = dims.length ? dims[0] : 1;
  const type = TENSOR_TYPES.get(typeId);
  if (!type || length % type.numElements === 0) return undefined;
  return `row length ${length} is not a multiple of the ${type.name} block size ${type.numElements}`;
}

/**
 * @param {number} offset
 * @param {number} alignment
 */
function misaligned(offset, alignment) {
  return offset % alignment ? `offset ${offset} is not a multiple of the alignment ${alignment}` : undefined;
}

/**
 * @param {Header} header
 * @param {number} row
 * @param {string} field
 * @param {string} message
 */
function breach(header, row, field, message) {
  return new FormatError(message, { offset: startOf(header, row, field), path: `/tensors/${row}/${field}` });
}

/**
 * @param {Header} header
 * @param {number} row
 * @param {string} field
 */
function startOf(header, row, field) {
  const trace = new Trace(-1);
  header.read((layout) => layout.trace_tensor_info(trace, header.tensors[row]));
  return trace.starts.get(field) ?? header.tensors[row];
}

/**
 * @param {Header} header
 * @param {number} position of a key-value
 * @param {string} field
 * @param {string} message
 */
function at(header, position, field, message) {
  const trace = new Trace(-1);
  header.read((layout) => layout.trace_key_value(trace, position));
  const number = header.metadata.indexOf(position);
  return new FormatError(message, { offset: trace.starts.get(field) ?? position, path: `/metadata/${number}/${field}` });
}
