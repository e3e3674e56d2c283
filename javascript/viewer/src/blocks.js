// The first values of a tensor: numbers of plain types, and the fields of quantized blocks.

import { BLOCKS } from "./tables.js";
import { formatNumber } from "./text.js";

/** @type {Record<string, [width: number, method: string]>} how to read numbers of a format; others are bytes */
const READING = {
  float16: [2, "getUint16"], bfloat16: [2, "getUint16"], uint16: [2, "getUint16"], int16: [2, "getInt16"],
  float32: [4, "getFloat32"], uint32: [4, "getUint32"], int32: [4, "getInt32"],
  float64: [8, "getFloat64"], int64: [8, "getBigInt64"], int8: [1, "getInt8"],
}; // prettier-ignore

/**
 * Return the numbers of elements and bytes in a block of a type.
 *
 * @param {string} type
 */
export function blockOf(type) {
  const [numElements, nbytes, fields] = BLOCKS[type];
  return { numElements, nbytes, isPlain: numElements === 1 && fields.length === 1, format: String(fields[0][1]) };
}

/**
 * Return the fields of one block, with numbers as text.
 *
 * @param {string} type
 * @param {Uint8Array} bytes of the block
 * @param {boolean} isBig whether the file is big-endian
 * @returns {{name: string, format: string, start: number, nbytes: number, values: string[]}[]}
 */
export function fieldsOf(type, bytes, isBig) {
  /** @type {any} */
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let start = 0;
  return BLOCKS[type][2].map((/** @type {[string, string, number | null]} */ [name, format, repeat]) => {
    const [width, method] = READING[format] ?? [1, "getUint8"];
    const numbers = Array.from({ length: repeat ?? 1 }, (_, i) => view[method](start + i * width, !isBig));
    const values = numbers.map((each) => numberOf(each, format));
    const field = { name, format, start, nbytes: numbers.length * width, values };
    start += field.nbytes;
    return field;
  });
}

/**
 * Return the numbers that a block stands for as text; null for a type whose formula this page does not have.
 *
 * @param {string} type
 * @param {Uint8Array} bytes of the block
 * @param {boolean} isBig
 */
export function dequantized(type, bytes, isBig) {
  const isNibbles = type === "Q4_0" || type === "Q4_1";
  if (!isNibbles && type !== "Q8_0") {
    return null;
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  /** @type {Record<string, number>} */
  const starts = Object.fromEntries(fieldsOf(type, bytes, isBig).map(({ name, start }) => [name, start]));
  /** @param {string} name */
  const half = (name) => smallFloat(view.getUint16(starts[name], !isBig), 5, 10);
  const [d, least] = [half("d"), type === "Q4_1" ? half("m") : 0];
  const { numElements } = blockOf(type);
  return Array.from({ length: numElements }, (_, i) => {
    const byte = view.getUint8(starts.qs + (isNibbles ? i % (numElements / 2) : i));
    const nibble = i < numElements / 2 ? byte & 15 : byte >> 4;
    const q = isNibbles ? nibble - (type === "Q4_0" ? 8 : 0) : (byte << 24) >> 24;
    return formatNumber(Math.fround(Math.fround(d * q) + least), true);
  });
}

/**
 * Return the elements of a plain type as text.
 *
 * @param {string} type
 * @param {Uint8Array} bytes
 * @param {boolean} isBig
 */
export function elementsOf(type, bytes, isBig) {
  const { nbytes } = blockOf(type);
  const found = [];
  for (let start = 0; start + nbytes <= bytes.length; start += nbytes) {
    found.push(fieldsOf(type, bytes.subarray(start, start + nbytes), isBig)[0].values[0]);
  }
  return found;
}

/**
 * Return a number of a block as text. Of small floats, it is the bits.
 *
 * @param {any} raw
 * @param {string} format
 */
function numberOf(raw, format) {
  switch (format) {
    case "float16":
      return formatNumber(smallFloat(raw, 5, 10), true);
    case "bfloat16":
      return formatNumber(smallFloat(raw, 8, 7), true);
    case "float8_e8m0fnu":
      return raw === 255 ? "nan" : formatNumber(2 ** (raw - 127), true);
    case "float8_e4m3fn":
      return (raw & 0x7f) === 0x7f ? "nan" : formatNumber(smallFloat(raw, 4, 3, false), true);
    default:
      return formatNumber(raw, format.startsWith("float"));
  }
}

/**
 * Return the number that the bits of a float encode.
 *
 * @param {number} bits
 * @param {number} exponentBits
 * @param {number} fractionBits
 * @param {boolean} hasInfinity whether the largest exponent is that of infinity and NaN
 */
function smallFloat(bits, exponentBits, fractionBits, hasInfinity = true) {
  const sign = bits >> (exponentBits + fractionBits) ? -1 : 1;
  const most = 2 ** exponentBits - 1;
  const exponent = (bits >> fractionBits) & most;
  const fraction = (bits & (2 ** fractionBits - 1)) / 2 ** fractionBits;
  const bias = 2 ** (exponentBits - 1) - 1;
  if (exponent === most && hasInfinity) {
    return fraction ? NaN : sign * Infinity;
  }
  return sign * (exponent ? (1 + fraction) * 2 ** (exponent - bias) : fraction * 2 ** (1 - bias));
}
