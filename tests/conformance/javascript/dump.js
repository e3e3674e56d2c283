// Prints GGUF files as canonical JSON, using only the generated parser: node dump.js FILE...
// The errors of files that cannot be read go to stderr.
"use strict";

const fs = require("node:fs");
const path = require("node:path");
const KaitaiStream = require("kaitai-struct/KaitaiStream");

const GENERATED = path.join(__dirname, "..", "..", "..", "generated");
const { Gguf } = require(path.join(GENERATED, "javascript", "Gguf"));

const { ValueType } = Gguf;
const GETTERS = {
  [ValueType.UINT8]: "getUint8",
  [ValueType.INT8]: "getInt8",
  [ValueType.UINT16]: "getUint16",
  [ValueType.INT16]: "getInt16",
  [ValueType.UINT32]: "getUint32",
  [ValueType.INT32]: "getInt32",
  [ValueType.FLOAT32]: "getFloat32",
  [ValueType.BOOL]: "getUint8",
  [ValueType.UINT64]: "getBigUint64",
  [ValueType.INT64]: "getBigInt64",
  [ValueType.FLOAT64]: "getFloat64",
};

// The runtime reads 64-bit integers as Numbers: inexact from 2^53 on, and some negative ones wrong (-2^32 becomes 0).
// This class returns BigInts for those. The runtime also takes lengths modulo 2^32, and accepts some that are too long.
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

function document(gguf) {
  const { metadata, tensors, alignment, ofsTensorData } = gguf.body;
  const types = JSON.parse(fs.readFileSync(path.join(GENERATED, "types.json"), "utf8"));
  const tensorTypes = new Map(types.map((type) => [type.id, type]));
  return {
    version: gguf.version,
    byte_order: gguf.isBe ? "big" : "little",
    alignment,
    data_offset: ofsTensorData,
    metadata: metadata.map((entry) => keyValue(entry, gguf.isBe)),
    tensors: tensors.map((info) => tensor(info, tensorTypes.get(info.typeId))),
  };
}

function keyValue({ key, valueType, value }, isBe) {
  const described = { key: text(key), type: typeName(valueType) };
  if (valueType === ValueType.ARRAY) return { ...described, ...array(value, isBe) };
  if (valueType === ValueType.STRING) return { ...described, value: text(value) };
  return { ...described, value: number(valueType, value.value) };
}

function array(parsed, isBe) {
  return {
    element_type: typeName(parsed.elementType),
    count: parsed.numElements.value,
    value: elements(parsed, isBe),
  };
}

function elements({ elementType, numElements, elements }, isBe) {
  if (elementType === ValueType.STRING) return elements.items.map(text);
  if (elementType === ValueType.ARRAY) return elements.items.map((nested) => array(nested, isBe));
  const count = numElements.value;
  const data = view(elements.data);
  const get = (index) => data[GETTERS[elementType]](index * (data.byteLength / count), !isBe);
  return Array.from({ length: count }, (_, index) => number(elementType, get(index)));
}

function tensor(info, type) {
  const dims = info.dims.map((dim) => dim.value);
  const numElements = dims.reduce((product, dim) => product * BigInt(dim), 1n);
  return {
    name: text(info.name),
    dims,
    type: type ? type.name : null,
    type_id: info.typeId,
    offset: info.ofsData,
    nbytes: type ? (numElements / BigInt(type.num_elements)) * BigInt(type.size) : null,
  };
}

const typeName = (valueType) => ValueType[valueType].toLowerCase();

function text({ data }) {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(data);
  } catch {
    return { base64: Buffer.from(data).toString("base64") };
  }
}

function number(valueType, value) {
  if (valueType === ValueType.BOOL) return value !== 0;
  if (typeof value === "number" && !Number.isFinite(value)) return String(value);
  return valueType === ValueType.FLOAT32 ? shortestFloat32(value) : value;
}

// Returns the decimal with the fewest digits that equals this value when rounded to a float32.
function shortestFloat32(value) {
  if (value === 0) return value; // toPrecision drops the sign
  for (let digits = 1; ; digits++) {
    const decimal = Number(value.toPrecision(digits));
    if (Math.fround(decimal) === value) return decimal;
  }
}

// JSON.stringify refuses BigInts, and drops the sign of -0.
function stringify(value) {
  if (typeof value === "bigint") return value.toString();
  if (Object.is(value, -0)) return "-0.0";
  if (Array.isArray(value)) return `[${value.map(stringify).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  return `{${Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}:${stringify(item)}`).join(",")}}`;
}

for (const path of process.argv.slice(2)) {
  try {
    console.log(stringify(document(new Gguf(new ExactStream(fs.readFileSync(path))))));
  } catch (error) {
    console.error(`${path}: ${error.name}: ${error.message}`);
    process.exitCode = 1;
  }
}
