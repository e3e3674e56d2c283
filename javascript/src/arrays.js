/**
 * Array values: numbers as typed arrays, strings and nested arrays as sequences that decode on demand.
 *
 * @module
 */

import { VALUE_TYPES } from "../types.js";
import { decode } from "./text.js";

/** @typedef {import("./header.js").Header} Header */
/** @typedef {typeof VALUE_TYPES[number]} ValueType */
/**
 * @typedef {Uint8Array | Int8Array | Uint16Array | Int16Array | Uint32Array | Int32Array | Float32Array | Float64Array
 *   | BigUint64Array | BigInt64Array} Numbers
 */
/** @typedef {Numbers | boolean[] | StringArray | NestedArray} ArrayValue */

/** The number types: the typed array of each, and how a DataView reads one. */
export const NUMBERS = /** @type {const} */ ({
  uint8: { array: Uint8Array, get: "getUint8" },
  int8: { array: Int8Array, get: "getInt8" },
  uint16: { array: Uint16Array, get: "getUint16" },
  int16: { array: Int16Array, get: "getInt16" },
  uint32: { array: Uint32Array, get: "getUint32" },
  int32: { array: Int32Array, get: "getInt32" },
  float32: { array: Float32Array, get: "getFloat32" },
  uint64: { array: BigUint64Array, get: "getBigUint64" },
  int64: { array: BigInt64Array, get: "getBigInt64" },
  float64: { array: Float64Array, get: "getFloat64" },
});

/** @typedef {keyof typeof NUMBERS} NumberType */

const IS_LITTLE_ENDIAN_MACHINE = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/**
 * The base class of strings and nested arrays. The first access finds the positions of all items, in O(n). After that,
 * access is O(1).
 *
 * @template T
 */
class LazyArray {
  /**
   * @param {Header} header
   * @param {number} length
   * @param {() => Float64Array} find the positions of the items
   */
  constructor(header, length, find) {
    /** The number of items. */
    this.length = length;
    this._header = header;
    this._find = find;
    /** @type {Float64Array | undefined} */
    this._positions = undefined;
  }

  /**
   * Return the item at an index, or undefined if it does not exist. Negative indices count from the end.
   *
   * @param {number} index
   * @returns {T | undefined}
   */
  at(index) {
    const position = this._position(index);
    return position === undefined ? undefined : this._read(position);
  }

  /**
   * Return the items from `start` up to, but not including, `end`, like `Array.slice`. Nothing is copied.
   *
   * @param {number} [start]
   * @param {number} [end]
   * @returns {this}
   */
  slice(start, end) {
    const positions = this._all().subarray(start, end);
    return Reflect.construct(this.constructor, [this._header, positions.length, () => positions]);
  }

  /** Return all items. @returns {T[]} */
  toArray() {
    return Array.from(this._all(), (position) => this._read(position));
  }

  /** @returns {Generator<T, void, unknown>} */
  *[Symbol.iterator]() {
    for (const position of this._all()) yield this._read(position);
  }

  /** @returns {Float64Array} */
  _all() {
    this._positions ??= this._find();
    return this._positions;
  }

  /** @param {number} index */
  _position(index) {
    return this._all().at(index);
  }

  /**
   * @param {number} _position
   * @returns {T}
   */
  _read(_position) {
    throw new TypeError("not implemented");
  }
}

/**
 * An array of strings. Bytes that are not UTF-8 are decoded as lone surrogates; `bytesAt` returns the bytes.
 *
 * @extends {LazyArray<string>}
 */
export class StringArray extends LazyArray {
  /** @readonly */
  elementType = "string";

  /**
   * Return the bytes of one string as in the file, or undefined if the index is out of range.
   *
   * @param {number} index
   */
  bytesAt(index) {
    const position = this._position(index);
    if (position === undefined) return undefined;
    const [start, end] = this._header.read((layout) => layout.row_gguf_string(position));
    return this._header.bytes.subarray(start, end);
  }

  /**
   * @override
   * @param {number} position
   */
  _read(position) {
    const [start, end] = this._header.read((layout) => layout.row_gguf_string(position));
    return decode(this._header.bytes, start, end);
  }
}

/**
 * An array of arrays, each with its own element type.
 *
 * @extends {LazyArray<ArrayValue>}
 */
export class NestedArray extends LazyArray {
  /** @readonly */
  elementType = "array";

  /**
   * Return the element type and count of one array, or undefined if the index is out of range.
   *
   * @param {number} index
   */
  entryAt(index) {
    const position = this._position(index);
    if (position === undefined) return undefined;
    const { elementType, count } = arrayInfo(this._header, position);
    return { elementType, count, position };
  }

  /**
   * @override
   * @param {number} position
   * @returns {ArrayValue}
   */
  _read(position) {
    return readArray(this._header, position);
  }
}

/**
 * Return the element type and count of the array at a position. `elements` is the position of the first element.
 *
 * @param {Header} header
 * @param {number} position
 */
export function arrayInfo(header, position) {
  const [type, count, elements] = header.read((layout) => layout.row_gguf_array(position));
  return { elementType: VALUE_TYPES[type], count, elements };
}

/**
 * Return the array at a position.
 *
 * @param {Header} header
 * @param {number} position
 * @returns {ArrayValue}
 */
export function readArray(header, position) {
  const { elementType, count, elements } = arrayInfo(header, position);
  if (elementType === "string") {
    return new StringArray(header, count, () => header.read((layout) => layout.index_string_elements(elements, count)[0]));
  }
  if (elementType === "array") {
    return new NestedArray(header, count, () => header.read((layout) => layout.index_array_elements(elements, count)[0]));
  }
  if (elementType === "bool") return Array.from(header.bytes.subarray(elements, elements + count), Boolean);
  const size = count * NUMBERS[elementType].array.BYTES_PER_ELEMENT;
  return numbers(elementType, header.bytes.subarray(elements, elements + size), header.isLittleEndian);
}

/**
 * Return bytes as numbers: a view if alignment and byte order permit, otherwise a copy.
 *
 * @param {NumberType} type
 * @param {Uint8Array} bytes
 * @param {boolean} isLittleEndian
 * @returns {Numbers}
 */
export function numbers(type, bytes, isLittleEndian) {
  const { array } = NUMBERS[type];
  const size = array.BYTES_PER_ELEMENT;
  const isNative = size === 1 || isLittleEndian === IS_LITTLE_ENDIAN_MACHINE;
  const data = isNative && bytes.byteOffset % size === 0 ? bytes : bytes.slice();
  if (!isNative) for (let start = 0; start < data.length; start += size) data.subarray(start, start + size).reverse();
  const buffer = /** @type {ArrayBuffer} */ (data.buffer);
  return new array(buffer, data.byteOffset, data.length / size);
}

/**
 * Return the number at a position.
 *
 * @param {NumberType} type
 * @param {DataView} view
 * @param {number} position
 * @param {boolean} isLittleEndian
 */
export function number(type, view, position, isLittleEndian) {
  return view[NUMBERS[type].get](position, isLittleEndian);
}
