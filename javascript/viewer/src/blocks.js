// The first values of a tensor: numbers of plain types, and the fields of quantized blocks. The class that Kaitai Struct's
// own compiler generates reads the blocks.

import generated from "ggml-block"; // generated/javascript/GgmlBlock.js
import KaitaiStream from "kaitai-struct/KaitaiStream";
import { BLOCKS } from "./tables.js";
import { formatNumber } from "./text.js";

/** @type {Record<string, any>} */
const CLASSES = generated.GgmlBlock;
/** @type {Record<string, number>} bytes of a number that are in the byte order of the file */
const WIDTHS = { float16: 2, bfloat16: 2, uint16: 2, int16: 2, float32: 4, uint32: 4, int32: 4, float64: 8, int64: 8 };

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
  const [, , fields] = BLOCKS[type];
  const little = isBig ? swapped(bytes, fields) : bytes;
  const copy = little.slice();
  const block = new CLASSES[className(type)](new KaitaiStream(copy.buffer));
  let start = 0;
  return fields.map((/** @type {[string, string, number | null]} */ [name, format, repeat]) => {
    const count = repeat ?? 1;
    const nbytes = count * (WIDTHS[format] ?? 1);
    // The runtime returns 64-bit integers as numbers, which are not exact beyond 2^53.
    const raw = format === "int64" ? new DataView(copy.buffer).getBigInt64(start, true) : block[camelCase(name)];
    const values = (Array.isArray(raw) || ArrayBuffer.isView(raw) ? Array.from(/** @type {any} */ (raw)) : [raw]).map(
      (each) => numberOf(each, format),
    );
    const field = { name, format, start, nbytes, values };
    start += nbytes;
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
 * @param {Uint8Array} bytes
 * @param {[string, string, number | null][]} fields
 */
function swapped(bytes, fields) {
  const result = bytes.slice();
  let start = 0;
  for (const [, format, repeat] of fields) {
    const width = WIDTHS[format] ?? 1;
    for (let i = 0; i < (repeat ?? 1); i += 1, start += width) {
      result.subarray(start, start + width).reverse();
    }
  }
  return result;
}

/**
 * Return a number of a block as text; the generated classes return the bits of small floats.
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

/** @param {string} type */
function className(type) {
  const name = camelCase(type.toLowerCase());
  return name[0].toUpperCase() + name.slice(1);
}

/** @param {string} name */
function camelCase(name) {
  return name.replace(/_(.)/g, (_, char) => char.toUpperCase());
}
