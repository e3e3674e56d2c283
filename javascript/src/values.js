/**
 * Converts JavaScript values to GGUF values: which type each value gets, and its bytes.
 *
 * A type is written as `uint32`, or `uint32[]` for an array of that type.
 *
 * @module
 */

import { VALUE_TYPES } from "../types.js";
import { NUMBERS, NestedArray, StringArray } from "./arrays.js";
import { WriteError } from "./errors.js";
import { decode, encode, quoted } from "./text.js";

/** @typedef {import("./arrays.js").ValueType} ValueType */
/** @typedef {import("./header.js").Layout} Layout */
/** @typedef {{ type: ValueType, elementType: ValueType | null, bytes: Uint8Array }} Encoded */
/** @typedef {"string" | "bool" | "integer" | "float" | "array"} Kind */

const MAX_DEPTH = 128; // of nested arrays, as in the schema
const INTEGERS = /** @type {const} */ (["uint32", "int32", "uint64", "int64"]); // in the order of preference
const UNPAIRED = /[\ud800-\udc7f\udd00-\udfff]/u; // the others are bytes that are not UTF-8

/**
 * Return a value as it is written in a layout. Throws `WriteError` for a value of another kind, or one that the type
 * can't hold, TypeError for a value that GGUF can't store.
 *
 * A typed array or an array of an open file has its own type if the key may have that. Any other value gets the first of
 * `types` that holds it; without types, an integer gets the first of uint32, int32, uint64 and int64 that holds it, and
 * another number float32.
 *
 * @param {Layout} layout
 * @param {any} value
 * @param {string | null} kept the type of the value that it replaces
 * @param {string[]} standard the documented types of the key; none if it is not documented
 * @returns {Encoded}
 */
export function encoded(layout, value, kept, standard) {
  const own = ownType(value);
  const types = kept === null ? standard : [kept];
  if (types.length === 0 || (own !== null && (standard.includes(own) || standard.length === 0))) {
    return typed(layout, value, own ?? naturalType(value));
  }
  const natural = Array.isArray(value) && value.length === 0 ? null : (own ?? naturalType(value));
  /** @type {WriteError | null} */
  let refused = null;
  for (const type of types.filter((each) => isOfKind(value, natural, each))) {
    try {
      return typed(layout, value, type);
    } catch (error) {
      if (!(error instanceof WriteError)) throw error;
      refused ??= error; // the next type may be wider
    }
  }
  if (refused) throw refused;
  const wanted = `the ${kept === null ? "documented " : ""}type is ${types.join(" or ")}`;
  throw new WriteError(`${described(value)}, but ${wanted}; { type, value } changes it`);
}

/**
 * Return a value of a type, such as `uint32` or `string[]`. For an array, "[]" may be left out.
 *
 * @param {Layout} layout
 * @param {any} value
 * @param {string} type
 * @returns {Encoded}
 */
export function typed(layout, value, type) {
  const elementary = /** @type {ValueType} */ (type.replace(/\[\]$/, ""));
  if (!VALUE_TYPES.includes(elementary)) throw new TypeError(`no value type ${quoted(type)}`);
  if (isArray(value)) return { type: "array", elementType: elementary, bytes: array(layout, value, elementary, 0) };
  if (elementary !== type || type === "array") throw new WriteError(`${shown(value)} is not an array`);
  const bytes = type === "string" ? string(layout, value) : numbers(layout, [value], elementary);
  return { type: elementary, elementType: null, bytes };
}

/**
 * @param {Layout} layout
 * @param {any} value
 * @param {ValueType} type of the elements, or of the innermost ones
 * @param {number} depth
 * @returns {Uint8Array}
 */
function array(layout, value, type, depth) {
  if (depth === MAX_DEPTH) throw new WriteError(`arrays are nested more than ${MAX_DEPTH} deep`);
  if (type !== "array" && !isArray(value instanceof StringArray ? "" : value[0] ?? value.at(0))) {
    const head = layout.pack_gguf_array(VALUE_TYPES.indexOf(type), value.length);
    if (type !== "string") return joined([head, numbers(layout, value, type)]);
    return joined([head, ...Array.from(value, (each) => string(layout, each))]);
  }
  const parts = Array.from(value, (each, index) => {
    if (!isArray(each)) throw new WriteError(`the element ${shown(each)} is not an array, expected only arrays`);
    const own = value instanceof NestedArray ? value.entryAt(index)?.elementType : undefined;
    return array(layout, each, type === "array" ? (own ?? elementOf(naturalType(each))) : type, depth + 1);
  });
  return joined([layout.pack_gguf_array(VALUE_TYPES.indexOf("array"), value.length), ...parts]);
}

/**
 * @param {Layout} layout
 * @param {unknown} value
 */
function string(layout, value) {
  if (typeof value !== "string") throw new WriteError(`${shown(value)} can't be a string`);
  return layout.pack_gguf_string(textBytes(value, shown(value)));
}

/**
 * Return the bytes of a text. Throws `WriteError`, which begins with `subject`, if it has no bytes.
 *
 * @param {string} text
 * @param {string} subject
 */
export function textBytes(text, subject) {
  if (UNPAIRED.test(text)) throw new WriteError(`${subject} has an unpaired surrogate, which UTF-8 can't encode`);
  return encode(text);
}

/**
 * Return the bytes of numbers or bools that a type can hold. Floats are rounded to the type.
 *
 * @param {Layout} layout
 * @param {ArrayLike<any>} values
 * @param {ValueType} type
 */
function numbers(layout, values, type) {
  const number = NUMBERS[/** @type {keyof typeof NUMBERS} */ (type === "bool" ? "uint8" : type)];
  if (!number) throw new WriteError(`${values.length ? shown(values[0]) : "an array of numbers"} can't be ${type}`);
  const size = number.array.BYTES_PER_ELEMENT;
  const bytes = new Uint8Array(values.length * size);
  if (values.constructor === number.array) {
    const raw = /** @type {Uint8Array} */ (values);
    bytes.set(new Uint8Array(raw.buffer, raw.byteOffset, raw.byteLength)); // a NaN keeps its bits
    const isNative = new Uint8Array(Uint16Array.of(1).buffer)[0] === Number(layout.little);
    if (!isNative) for (let start = 0; start < bytes.length; start += size) bytes.subarray(start, start + size).reverse();
    return bytes;
  }
  const view = /** @type {any} */ (new DataView(bytes.buffer));
  const set = number.get.replace("get", "set");
  for (let index = 0; index < values.length; index++) {
    const value = checked(values[index], type);
    view[set](index * size, set.includes("Big") ? BigInt(value) : Number(value), layout.little);
  }
  return bytes;
}

/**
 * Return a number, or a bool, that a type can hold. Throws `WriteError`.
 *
 * @param {any} value
 * @param {ValueType} type
 * @returns {number | bigint | boolean}
 */
function checked(value, type) {
  const kind = kindOf(value);
  const wanted = kindOfType(type);
  if (wanted === "float" && (kind === "integer" || kind === "float")) {
    const number = Number(value);
    const isFinite = Number.isFinite(type === "float32" ? Math.fround(number) : number);
    if (!isFinite && (typeof value === "bigint" || Number.isFinite(number))) {
      throw new WriteError(`${shown(value)} is too large for ${type}`);
    }
    return number;
  }
  if (kind === "float" && wanted === "integer" && Number.isInteger(value)) {
    throw new WriteError(`${value} is beyond 2^53, where a number is not exact: give a BigInt`);
  }
  if (kind !== wanted) throw new WriteError(`${shown(value)} can't be ${type}`);
  if (wanted === "integer") {
    const [least, most] = range(type);
    if (value < least || value > most) {
      throw new WriteError(`${value} does not fit ${type}, whose range is ${least} to ${most}`);
    }
  }
  return value;
}

/**
 * Return the smallest and the largest number of an integer type.
 *
 * @param {string} type
 * @returns {[bigint, bigint]}
 */
export function range(type) {
  const bits = BigInt(type.replace(/\D/g, ""));
  return type.startsWith("u") ? [0n, (1n << bits) - 1n] : [-(1n << (bits - 1n)), (1n << (bits - 1n)) - 1n];
}

/** @param {any} value */
function isArray(value) {
  return (
    Array.isArray(value) ||
    value instanceof StringArray ||
    value instanceof NestedArray ||
    (ArrayBuffer.isView(value) && ownType(value) !== null)
  );
}

/**
 * Return the type that a typed array, or an array of an open file, has by itself; null for other values.
 *
 * @param {any} value
 */
function ownType(value) {
  if (value instanceof StringArray || value instanceof NestedArray) return `${value.elementType}[]`;
  const type = Object.entries(NUMBERS).find(([, number]) => value instanceof number.array)?.[0];
  return type === undefined ? null : `${type}[]`;
}

/**
 * Return the type for a value whose key says nothing about it.
 *
 * @param {any} value
 */
function naturalType(value) {
  return ownType(value) ?? (isArray(value) ? `${commonType(value)}[]` : commonType([value]));
}

/**
 * Return one type for all elements of an array.
 *
 * @param {any[]} values
 * @returns {ValueType}
 */
function commonType(values) {
  const kinds = new Set(values.map(kindOf));
  if (kinds.size === 0) throw new WriteError("an empty array has no element type: give { type, value }");
  if (kinds.has("float")) kinds.delete("integer");
  if (kinds.size > 1) throw new WriteError(`the elements of an array must have one type, not ${[...kinds].join(" and ")}`);
  const [kind] = kinds;
  if (kind === "float") return "float32";
  if (kind !== "integer") return kind;
  const [low, high] = values.reduce(([a, b], each) => [each < a ? each : a, each > b ? each : b], [values[0], values[0]]);
  const type = INTEGERS.find((each) => low >= range(each)[0] && high <= range(each)[1]);
  if (type) return type;
  throw new WriteError(low === high ? `${low} does not fit in 64 bits` : `no integer type holds both ${low} and ${high}`);
}

/**
 * Return whether a value is of the kind of a type. Floats without a fraction are integers.
 *
 * @param {any} value
 * @param {string | null} natural the type that the value would get by itself; null for an empty array
 * @param {string} type
 */
function isOfKind(value, natural, type) {
  if (isArray(value) !== type.endsWith("[]")) return false;
  if (natural === null) return true;
  const [kind, wanted] = [natural, type].map((each) => kindOfType(elementOf(each)));
  if (kind === "float" && wanted === "integer") {
    return Array.from(isArray(value) ? value : [value]).every((each) => typeof each === "bigint" || Number.isInteger(each));
  }
  return kind === wanted || (kind === "integer" && wanted === "float");
}

/**
 * Return the kind of a value. Throws TypeError if GGUF can't store it.
 *
 * @param {any} value
 * @returns {Kind}
 */
function kindOf(value) {
  if (typeof value === "string") return "string";
  if (typeof value === "boolean") return "bool";
  if (typeof value === "bigint" || Number.isSafeInteger(value)) return "integer";
  if (typeof value === "number") return "float";
  if (isArray(value)) return "array";
  throw new TypeError(`GGUF cannot store ${shown(value)}`);
}

/**
 * @param {string} type
 * @returns {Kind}
 */
function kindOfType(type) {
  if (type === "string" || type === "bool" || type === "array") return type;
  return type.startsWith("float") ? "float" : "integer";
}

/**
 * @param {string} type
 * @returns {ValueType}
 */
function elementOf(type) {
  return /** @type {ValueType} */ (type.replace(/\[\]$/, ""));
}

/** @param {any} value */
function described(value) {
  if (isArray(value)) return "the value is an array";
  const kind = kindOf(value);
  return `${shown(value)} is ${kind === "integer" ? "an" : "a"} ${kind}`;
}

/** @param {any} value */
function shown(value) {
  if (isArray(value)) return "an array";
  return typeof value === "string" ? quoted(value) : typeof value === "object" && value ? "an object" : String(value);
}

/** @param {Uint8Array[]} parts */
export function joined(parts) {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let position = 0;
  for (const part of parts) {
    bytes.set(part, position);
    position += part.length;
  }
  return bytes;
}

/**
 * Return a name as `decode` spells its bytes. Throws TypeError or `WriteError`, which call it `what`, if it is invalid.
 *
 * @param {unknown} name
 * @param {string} what
 */
export function checkedName(name, what) {
  if (typeof name !== "string") throw new TypeError(`${what} must be a string, not ${String(name)}`);
  if (name === "") throw new WriteError(`${what} must not be empty`);
  return decode(textBytes(name, `${what} ${quoted(name)}`));
}
