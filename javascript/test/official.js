// The oracle: compares the index with the parser that Kaitai Struct's compiler generates, which reads everything.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { isDeepStrictEqual } from "node:util";
import { Header } from "../src/header.js";
import { FormatError } from "../src/errors.js";

const require = createRequire(import.meta.url);
const KaitaiStream = require("kaitai-struct/KaitaiStream");
const { Gguf } = generated("Gguf.js");
const { ValueType } = Gguf;

// Passes the runtime, which is installed here, to the generated parser, which could not find it.
function generated(name) {
  const source = readFileSync(new URL(`../../generated/javascript/${name}`, import.meta.url), "utf8");
  const module = { exports: {} };
  new Function("module", "exports", "require", source)(module, module.exports, require);
  return module.exports;
}

const MAX_DEPTH = 128; // -max-depth in gguf.ksy, which the official compiler ignores

// The runtime reads 64-bit integers as inexact Numbers, and takes lengths modulo 2^32.
class ExactStream extends KaitaiStream {
  readU8le() { return narrow(view(this.readBytes(8)).getBigUint64(0, true)); }
  readU8be() { return narrow(view(this.readBytes(8)).getBigUint64(0, false)); }
  readS8le() { return narrow(view(this.readBytes(8)).getBigInt64(0, true)); }
  readS8be() { return narrow(view(this.readBytes(8)).getBigInt64(0, false)); }

  readBytes(length) {
    this.ensureBytesLeft(length);
    return super.readBytes(length);
  }
}

const view = (bytes) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
const narrow = (big) => (Number.isSafeInteger(Number(big)) ? Number(big) : big);
const hex = (bytes) => Buffer.from(bytes).toString("hex");

/** Returns everything in a header as the official parser reads it, or null if it refuses the header. */
function officially(bytes) {
  try {
    const stream = new ExactStream(bytes.slice().buffer);
    const root = new Gguf(stream);
    const metadata = root.body.metadata.map(({ key, valueType, value }) => [hex(key.data), valueType, item(valueType, value, 1)]);
    const tensors = root.body.tensors.map(({ name, dims, typeId, ofsData }) => [
      hex(name.data), dims.map(({ value }) => Number(value)), typeId, Number(ofsData),
    ]);
    return { version: root.version, isBe: root.isBe, metadata, tensors, end: stream.pos };
  } catch (error) {
    if (error instanceof TypeError || error instanceof ReferenceError) throw error;
    return null;
  }
}

function item(type, value, depth) {
  if (type === ValueType.STRING) return hex(value.data);
  if (type !== ValueType.ARRAY) return value.value;
  if (depth > MAX_DEPTH) throw new Error("too deep");
  const { elementType, elements } = value;
  if (elementType !== ValueType.STRING && elementType !== ValueType.ARRAY) return [elementType, hex(elements.data)];
  return [elementType, elements.items.map((each) => item(elementType, each, depth + 1))];
}

/** Returns the same as read with the index, or null if it refuses the header. */
function byIndex(bytes) {
  let header;
  try {
    header = new Header(bytes, bytes.length);
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    if (!(error.offset >= 0 && error.offset <= bytes.length && error.path.startsWith("/"))) throw error;
    return null;
  }
  const { layout } = header;
  const ends = [...header.metadata, header.tensors[0] ?? header.end].slice(1);
  const metadata = Array.from(header.metadata, (position, number) => {
    const [start, end, type, value] = layout.row_key_value(position);
    return [hex(bytes.subarray(start, end)), type, valueAt(layout, type, value, ends[number])];
  });
  const tensors = Array.from(header.tensors, (position) => {
    const [start, end, , dims, typeId, offset] = layout.row_tensor_info(position);
    return [hex(bytes.subarray(start, end)), dims, typeId, offset];
  });
  return { version: header.version, isBe: !header.isLittleEndian, metadata, tensors, end: header.end };
}

function valueAt(layout, type, position, end) {
  if (type === ValueType.STRING) return hex(layout.bytes.subarray(...layout.row_gguf_string(position)));
  if (type === ValueType.ARRAY) return arrayAt(layout, position, end);
  const read = {
    [ValueType.UINT8]: "u1", [ValueType.INT8]: "s1", [ValueType.UINT16]: "u2", [ValueType.INT16]: "s2",
    [ValueType.UINT32]: "u4", [ValueType.INT32]: "s4", [ValueType.FLOAT32]: "f4", [ValueType.BOOL]: "u1",
    [ValueType.UINT64]: "exact_u8", [ValueType.INT64]: "exact_s8", [ValueType.FLOAT64]: "f8",
  }[type];
  const value = layout[read](position, layout.little);
  return typeof value === "bigint" ? narrow(value) : value;
}

function arrayAt(layout, position, end) {
  const [elementType, count, elements] = layout.row_gguf_array(position);
  if (elementType === ValueType.STRING) {
    const [starts, last] = layout.index_string_elements(elements, count);
    if (last > end) throw new Error("an array that ends after its key-value");
    return [elementType, Array.from(starts, (start) => hex(layout.bytes.subarray(...layout.row_gguf_string(start))))];
  }
  if (elementType === ValueType.ARRAY) {
    const [starts, last] = layout.index_array_elements(elements, count);
    return [elementType, Array.from(starts, (start, index) => arrayAt(layout, start, starts[index + 1] ?? last))];
  }
  return [elementType, hex(layout.bytes.subarray(elements, end))];
}

/**
 * Returns "accepted" or "refused" if both agree, contents included; otherwise both results.
 *
 * @param {Uint8Array} bytes
 */
export function compare(bytes) {
  const expected = officially(bytes);
  const found = byIndex(bytes);
  if (isDeepStrictEqual(found, expected)) return found === null ? "refused" : "accepted";
  const show = (value) => JSON.stringify(value, (_, each) => (typeof each === "bigint" ? `${each}n` : each));
  return `official: ${show(expected)}\nindex: ${show(found)}`;
}
