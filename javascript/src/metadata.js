/**
 * The metadata of a file, read on demand.
 *
 * @module
 */

import { VALUE_TYPES } from "../types.js";
import { arrayInfo, number, readArray } from "./arrays.js";
import { FormatError } from "./errors.js";
import { Mapping, checkCount } from "./mapping.js";
import { decode, quoted } from "./text.js";

/** @typedef {import("./header.js").Header} Header */
/** @typedef {import("./arrays.js").ValueType} ValueType */
/** @typedef {string | number | bigint | boolean | import("./arrays.js").ArrayValue} Value */

/**
 * The position, type and size of a key-value.
 *
 * @typedef {object} Entry
 * @property {string} key
 * @property {ValueType} type
 * @property {ValueType | null} elementType the element type of an array
 * @property {number | null} count the number of elements of an array
 * @property {number} position the start of the key-value, in bytes from the start of the file
 * @property {number} nbytes the size of the key-value in bytes, including its key
 */

/**
 * The key-values of a file by key, in file order.
 *
 * A value is a string, number or boolean, and a BigInt if its type is uint64 or int64. An array of numbers is a typed
 * array, which may be a view of the header; an array of bools is an array of booleans, of strings a `StringArray`, of
 * arrays a `NestedArray`.
 *
 * @extends {Mapping<Value>}
 */
export class Metadata extends Mapping {
  /**
   * Throws `FormatError` for a key that is empty or duplicated, and `GGUFError` for more keys than a Map can hold.
   *
   * @param {Header} header
   */
  constructor(header) {
    super(keyNumbers(header), (number) => readValue(header, number));
    this._header = header;
  }

  /**
   * Return the type, count and position of a key-value, or undefined if the key does not exist.
   *
   * @param {string} key
   * @returns {Entry | undefined}
   */
  entry(key) {
    const number = this._numbers.get(key);
    if (number === undefined) return undefined;
    const header = this._header;
    const position = header.metadata[number];
    const end = header.metadata[number + 1] ?? header.tensors[0] ?? header.end;
    const [, , type, value] = header.read((layout) => layout.row_key_value(position));
    const array = VALUE_TYPES[type] === "array" ? arrayInfo(header, value) : null;
    return {
      key,
      type: VALUE_TYPES[type],
      elementType: array && array.elementType,
      count: array && array.count,
      position,
      nbytes: end - position,
    };
  }
}

/** @param {Header} header */
function keyNumbers(header) {
  /** @type {Map<string, number>} */
  const numbers = new Map();
  checkCount(header.metadata.length, "key-values");
  header.metadata.forEach((position, number) => {
    const [start, end] = header.read((layout) => layout.row_key_value(position));
    const key = decode(header.bytes, start, end);
    if (key === "" || numbers.has(key)) {
      const problem = key === "" ? `the key of key-value ${number} is empty` : `the key ${quoted(key)} is duplicated`;
      throw new FormatError(problem, { offset: position, path: `/metadata/${number}/key` });
    }
    numbers.set(key, number);
  });
  return numbers;
}

/**
 * @param {Header} header
 * @param {number} index
 * @returns {Value}
 */
function readValue(header, index) {
  const [, , typeNumber, value] = header.read((layout) => layout.row_key_value(header.metadata[index]));
  const type = VALUE_TYPES[typeNumber];
  if (type === "array") return readArray(header, value);
  if (type === "string") {
    const [start, end] = header.read((layout) => layout.row_gguf_string(value));
    return decode(header.bytes, start, end);
  }
  if (type === "bool") return header.bytes[value] !== 0;
  return number(type, header.layout.view, value, header.isLittleEndian);
}
