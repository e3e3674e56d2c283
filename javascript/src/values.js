/**
 * Converts JavaScript values to GGUF values: which type each value gets, and its bytes.
 *
 * A type is written as `uint32`, or `uint32[]` for an array of that type.
 *
 * @module
 */

import { VALUE_TYPES } from "../types.js";
import { NUMBERS, NestedArray, StringArray, numbers } from "./arrays.js";
import { WriteError } from "./errors.js";
import { decode, encode, quoted } from "./text.js";

/** @typedef {import("./header.js").Layout} Layout */
/** @typedef {{ type: string, bytes: Uint8Array }} Encoded a type of the format, and the bytes after its number */

const TYPES = /** @type {readonly string[]} */ (VALUE_TYPES);
const MAX_DEPTH = 128; // of nested arrays, as in the schema
const INTEGERS = ["uint32", "int32", "uint64", "int64"]; // in the order of preference
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
  const natural = Array.isArray(value) && value.length === 0 ? null : naturalType(value);
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
  const kind = isArray(value) ? "array" : kindOf(value);
  const words = kind === "array" ? "the value is an array" : `${shown(value)} is ${kind === "integer" ? "an" : "a"} ${kind}`;
  const wanted = `the ${kept === null ? "documented " : ""}type is ${types.join(" or ")}`;
  throw new WriteError(`${words}, but ${wanted}; { type, value } changes it`);
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
  const element = elementOf(type);
  if (!TYPES.includes(element)) throw new TypeError(`no value type ${quoted(type)}`);
  if (isArray(value)) return { type: "array", bytes: array(layout, value, element, 0) };
  if (element !== type || type === "array") throw new WriteError(`${shown(value)} is not an array`);
  return { type, bytes: scalars(layout, [value], type) };
}

/**
 * @param {Layout} layout
 * @param {any} value
 * @param {string} type of the elements, or of the innermost ones
 * @param {number} depth
 * @returns {Uint8Array}
 */
function array(layout, value, type, depth) {
  if (depth === MAX_DEPTH) throw new WriteError(`arrays are nested more than ${MAX_DEPTH} deep`);
  const isInnermost = type !== "array" && !isArray(value.at(0));
  const head = layout.pack_gguf_array(TYPES.indexOf(isInnermost ? type : "array"), value.length);
  if (isInnermost) return joined([head, scalars(layout, value, type)]);
  const parts = Array.from(value, (each, index) => {
    if (!isArray(each)) throw new WriteError(`the element ${shown(each)} is not an array, expected only arrays`);
    const own = value instanceof NestedArray ? value.entryAt(index)?.elementType : undefined;
    return array(layout, each, type === "array" ? (own ?? elementOf(naturalType(each))) : type, depth + 1);
  });
  return joined([head, ...parts]);
}

/**
 * Return the bytes of strings, numbers or bools that a type can hold. Floats are rounded to the type.
 *
 * @param {Layout} layout
 * @param {ArrayLike<any>} values
 * @param {string} type
 */
function scalars(layout, values, type) {
  if (type === "string") {
    return joined(Array.from(values, (each) => layout.pack_gguf_string(textBytes(checked(each, type), shown(each)))));
  }
  const name = /** @type {import("./arrays.js").NumberType} */ (type === "bool" ? "uint8" : type);
  /** @type {{ array: any }} */
  const { array } = NUMBERS[name];
  const convert = array === BigInt64Array || array === BigUint64Array ? BigInt : Number;
  const isOwn = values instanceof array && type !== "bool"; // not converted, so that a NaN keeps its bits
  const own = isOwn ? values : new array(Array.from(values, (each) => convert(checked(each, type))));
  const written = numbers(name, new Uint8Array(own.buffer, own.byteOffset, own.byteLength), layout.little);
  return new Uint8Array(written.buffer, written.byteOffset, written.byteLength);
}

/**
 * Return a string, a number or a bool that a type can hold. Throws `WriteError`.
 *
 * @param {any} value
 * @param {string} type
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
  if (kind !== wanted) throw new WriteError(`${shown(value)} can't be ${type === "string" ? "a string" : type}`);
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
  return Array.isArray(value) || ownType(value) !== null;
}

/**
 * Return the type that a typed array, or an array of an open file, has by itself; null for other values.
 *
 * @param {any} value
 */
function ownType(value) {
  if (value instanceof StringArray || value instanceof NestedArray) return `${value.elementType}[]`;
  const type = ArrayBuffer.isView(value) && Object.entries(NUMBERS).find(([, number]) => value instanceof number.array);
  return type ? `${type[0]}[]` : null;
}

/**
 * Return the type for a value whose key says nothing about it: of an array, one type for all elements.
 *
 * @param {any} value
 */
function naturalType(value) {
  const own = ownType(value);
  if (own !== null) return own;
  const isList = Array.isArray(value);
  const values = isList ? value : [value];
  const kinds = new Set(values.map(kindOf));
  if (kinds.size === 0) throw new WriteError("an empty array has no element type: give { type, value }");
  if (kinds.has("float")) kinds.delete("integer");
  if (kinds.size > 1) throw new WriteError(`the elements of an array must have one type, not ${[...kinds].join(" and ")}`);
  const [kind] = kinds;
  const type = kind === "float" ? "float32" : kind === "integer" ? integerType(values) : kind;
  return isList ? `${type}[]` : type;
}

/** @param {(number | bigint)[]} values */
function integerType(values) {
  let [low, high] = [values[0], values[0]];
  for (const each of values) [low, high] = [each < low ? each : low, each > high ? each : high];
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
 */
function kindOf(value) {
  if (typeof value === "string") return "string";
  if (typeof value === "boolean") return "bool";
  if (typeof value === "bigint" || Number.isSafeInteger(value)) return "integer";
  if (typeof value === "number") return "float";
  if (isArray(value)) return "array";
  throw new TypeError(`GGUF cannot store ${shown(value)}`);
}

/** @param {string} type */
function kindOfType(type) {
  return /int/.test(type) ? "integer" : type.replace(/\d+$/, "");
}

/** @param {string} type */
function elementOf(type) {
  return type.replace(/\[\]$/, "");
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
 * Return the bytes of a text. Throws `WriteError`, which begins with `subject`, if it has no bytes.
 *
 * @param {string} text
 * @param {string} subject
 */
function textBytes(text, subject) {
  if (UNPAIRED.test(text)) throw new WriteError(`${subject} has an unpaired surrogate, which UTF-8 can't encode`);
  return encode(text);
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
