import assert from "node:assert/strict";
import { test } from "node:test";
import { FormatError, Metadata, NestedArray, NotGGUFError, StringArray, TruncatedError, open } from "../index.js";
import { readTensors } from "../src/tensors.js";
import { array, build } from "./support.js";

const EXTREMES = {
  uint8: [0, 255], int8: [-128, 127], uint16: [0, 65535], int16: [-32768, 32767], uint32: [0, 2 ** 32 - 1],
  int32: [-(2 ** 31), 2 ** 31 - 1], float32: [0.5, -Infinity], float64: [0.1, Number.MAX_VALUE],
  uint64: [0n, 2n ** 64n - 1n], int64: [-(2n ** 63n), 2n ** 63n - 1n],
};
const ARRAYS = {
  uint8: Uint8Array, int8: Int8Array, uint16: Uint16Array, int16: Int16Array, uint32: Uint32Array, int32: Int32Array,
  float32: Float32Array, float64: Float64Array, uint64: BigUint64Array, int64: BigInt64Array,
};

for (const [version, little] of [[1, true], [2, true], [3, true], [3, false]]) {
  test(`values of version ${version}, ${little ? "little" : "big"}-endian`, async () => {
    const metadata = Object.entries(EXTREMES).flatMap(([type, items]) => [
      [`one.${type}`, type, items[1]],
      [`odd.${"x".repeat(type.length % 4)}${type}`, "array", array(type, items)],
    ]);
    const model = await open(build({ metadata, version, little }));
    assert.equal(model.version, version);
    assert.equal(model.byteOrder, little ? "little" : "big");
    for (const [key, type, value] of metadata) {
      const found = model.metadata.get(key);
      if (type !== "array") {
        assert.equal(found, value, key);
        continue;
      }
      assert.ok(found instanceof ARRAYS[value.type], key);
      assert.deepEqual([...found], value.items, key);
    }
  });
}

test("metadata has the interface of a Map, in the order of the file", async () => {
  const model = await open(build({ metadata: [["b", "string", "two"], ["a", "bool", 1], ["c", "bool", 0]] }));
  const { metadata } = model;
  assert.equal(metadata.size, 3);
  assert.deepEqual([...metadata], [["b", "two"], ["a", true], ["c", false]]);
  assert.deepEqual([...metadata.entries()], [...metadata]);
  assert.deepEqual([...metadata.keys()], ["b", "a", "c"]);
  assert.deepEqual([...metadata.values()], ["two", true, false]);
  assert.ok(metadata.has("a"));
  assert.ok(!metadata.has("toString"));
  assert.equal(metadata.get("none"), undefined);
  const seen = [];
  metadata.forEach((value, key, map) => seen.push([key, value, map === metadata]));
  assert.deepEqual(seen[0], ["b", "two", true]);
  assert.deepEqual(new Map(metadata), new Map([...metadata]));
});

test("an entry has the type, count and position", async () => {
  const bytes = build({ metadata: [["one", "uint8", 1], ["two", "array", array("int16", [1, 2, 3])]] });
  const { metadata } = await open(bytes);
  assert.deepEqual(metadata.entry("one"), { key: "one", type: "uint8", elementType: null, count: null, position: 24, nbytes: 16 });
  const { elementType, count, position, nbytes } = metadata.entry("two");
  assert.deepEqual([elementType, count, position, position + nbytes], ["int16", 3, 40, 40 + 8 + 3 + 4 + 12 + 6]);
  assert.equal(metadata.entry("three"), undefined);
});

test("an array of strings is lazy, and has the methods of an array", async () => {
  const items = ["", "a", "☃", "x".repeat(100), "é".repeat(20)];
  const strings = (await open(build({ metadata: [["k", "array", array("string", items)]] }))).metadata.get("k");
  assert.ok(strings instanceof StringArray);
  assert.equal(strings.length, 5);
  assert.deepEqual([...strings], items);
  assert.deepEqual(strings.toArray(), items);
  assert.deepEqual([strings.at(2), strings.at(-1), strings.at(5), strings.at(-6)], [items[2], items[4], undefined, undefined]);
  assert.deepEqual(strings.slice(1, -1).toArray(), items.slice(1, -1));
  assert.deepEqual(strings.slice(1).slice(1).at(0), "☃");
  assert.deepEqual(strings.slice(4, 2).toArray(), []);
  assert.deepEqual([...strings.bytesAt(2)], [0xe2, 0x98, 0x83]);
  assert.equal(strings.bytesAt(9), undefined);
});

test("different bytes that are not UTF-8 become different strings", async () => {
  const bytes = [Uint8Array.of(0x61, 0xff), Uint8Array.of(0x61, 0xfe), Uint8Array.of(0xe2, 0x98)];
  const metadata = [["k", "array", array("string", bytes)], [Uint8Array.of(0xff), "string", Uint8Array.of(0xc3)]];
  const model = await open(build({ metadata }));
  const strings = model.metadata.get("k");
  assert.deepEqual(strings.toArray(), ["a\udcff", "a\udcfe", "\udce2\udc98"]);
  assert.deepEqual(strings.bytesAt(2), bytes[2]);
  assert.equal(model.metadata.get("\udcff"), "\udcc3");
  assert.match(model.canonicalJSON(), /\{"base64":"Yf8="\}/);
});

test("a long string that is not UTF-8 is base64 in canonical JSON", async () => {
  const bytes = new Uint8Array(300_000).fill(0x61, 1).fill(0xff, 0, 1);
  const model = await open(build({ metadata: [["k", "string", bytes]] }));
  assert.equal(JSON.parse(model.canonicalJSON()).metadata[0].value.base64, Buffer.from(bytes).toString("base64"));
});

test("a float32 in canonical JSON has as few digits as possible; of two equally near decimals, the even one is used", async () => {
  const floats = {
    0.1: "0.1", 1196056.25: "1196056.2", 1196056.75: "1196056.8", "-320124.125": "-320124.12", 0.000244140625: "0.00024414062",
    1.262177448353619e-29: "1.2621775e-29", 1.2379400392853803e27: "1.2379401e+27", 1.401298464324817e-45: "1e-45",
    16777216: "16777216.0", 3.4028234663852886e38: "3.4028235e+38", "-0": "-0.0",
  };
  const values = Object.keys(floats).map(Number);
  const model = await open(build({ metadata: [["k", "array", array("float32", values)]] }));
  assert.ok(model.canonicalJSON().includes(`"value":[${Object.values(floats)}]`), model.canonicalJSON());
});

test("more items than a Map can hold are a GGUFError", () => {
  const items = { length: 2 ** 24 + 1 };
  const expected = { name: "GGUFError", message: /^the file has 16777217 (key-values|tensors): / };
  assert.throws(() => new Metadata({ metadata: items }), expected);
  assert.throws(() => readTensors({ tensors: items }, 32), expected);
});

test("nested arrays", async () => {
  const nested = array("array", [array("int8", [1, -1]), array("string", ["a"]), array("bool", [1, 0]), array("array", [])]);
  const value = (await open(build({ metadata: [["k", "array", nested]] }))).metadata.get("k");
  assert.ok(value instanceof NestedArray);
  assert.deepEqual(value.at(0), Int8Array.of(1, -1));
  assert.deepEqual(value.at(1).toArray(), ["a"]);
  assert.deepEqual(value.at(2), [true, false]);
  assert.equal(value.at(-1).length, 0);
  assert.equal(value.at(4), undefined);
  const { elementType, count } = value.entryAt(1);
  assert.deepEqual([elementType, count], ["string", 1]);
  assert.equal(value.entryAt(4), undefined);
  assert.equal([...value].length, 4);
});

test("numbers that are unaligned or in the other byte order are copied, others are not", async () => {
  const items = Array.from({ length: 4 }, (_, index) => index);
  for (let pad = 0; pad < 4; pad++) {
    const bytes = build({ metadata: [["k".repeat(pad + 1), "array", array("uint32", items)]] });
    const { metadata } = await open(bytes);
    const found = [...metadata.values()][0];
    assert.deepEqual([...found], items);
    assert.equal(found.buffer === bytes.buffer, (24 + 8 + pad + 1 + 4 + 12) % 4 === 0, `padding of ${pad}`);
  }
});

test("tensors", async () => {
  const data = Uint8Array.from({ length: 96 }, (_, index) => index);
  const tensors = [
    { name: "a", dims: [3, 2] },
    { name: "b", dims: [32], typeId: 8, offset: 32 },
    { name: "new", dims: [1], typeId: 99, offset: 96 },
    { name: "scalar", dims: [], offset: 64 + 32 },
  ];
  const bytes = build({ tensors: tensors.slice(0, 3), data });
  const model = await open(bytes);
  const [a, b, unknown] = model.tensors.values();
  assert.deepEqual([a.name, a.type, a.typeId, a.dims, a.shape], ["a", "F32", 0, [3, 2], [2, 3]]);
  assert.deepEqual([a.offset, a.position, a.nbytes, a.numElements], [0, model.dataOffset, 24, 6]);
  assert.deepEqual([b.type, b.nbytes], ["Q8_0", 34]);
  assert.deepEqual([unknown.type, unknown.nbytes], [null, null]);
  assert.deepEqual(await a.data(), data.subarray(0, 24));
  assert.deepEqual(await b.data(), data.subarray(32, 66));
  assert.deepEqual(await b.read(2, 5), data.subarray(34, 37));
  assert.deepEqual(await a.values(), new Float32Array(data.slice(0, 24).buffer));
  assert.equal(model.tensors.get("a"), a);
  await assert.rejects(unknown.data(), { name: "UnknownTypeError", message: /99 is unknown/ });
  await assert.rejects(unknown.values(), { name: "UnknownTypeError" });
  await assert.rejects(b.values(), { name: "TensorDataError", message: /Q8_0 has no typed array/ });
  for (const [start, end] of [[0, 35], [-1, 2], [3, 2], [0.5, 1], ["0", 1]]) {
    await assert.rejects(b.read(start, end), RangeError);
  }
});

test("values of a big-endian file", async () => {
  const data = Uint8Array.of(0, 0, 0, 7, 0xff, 0xff, 0xff, 0xfe);
  const model = await open(build({ tensors: [{ name: "t", dims: [2], typeId: 26 }], data, little: false }));
  assert.deepEqual(await model.tensors.get("t").values(), Int32Array.of(7, -2));
});

test("data that is not in the file is missing; an empty tensor is not", async () => {
  const tensors = [{ name: "t", dims: [64] }, { name: "none", dims: [0], offset: 256 }];
  const model = await open(build({ tensors, data: new Uint8Array(16) }));
  await assert.rejects(model.tensors.get("t").data(), { name: "MissingDataError", message: /"t"/ });
  assert.equal((await model.tensors.get("none").data()).length, 0);
});

test("any bytes of the file", async () => {
  const bytes = build({ metadata: [["k", "uint8", 1]], data: Uint8Array.of(1, 2, 3) });
  const model = await open(bytes);
  assert.deepEqual(await model.read(0, 4), bytes.subarray(0, 4));
  assert.deepEqual(await model.read(bytes.length - 3, bytes.length), Uint8Array.of(1, 2, 3));
  assert.equal((await model.read(5, 5)).length, 0);
  for (const [start, end] of [[0, bytes.length + 1], [-1, 3], [3, 1], [0, undefined]]) {
    await assert.rejects(model.read(start, end), RangeError);
  }
});

test("the header is everything before the tensor data", async () => {
  const bytes = build({ metadata: [["k", "uint8", 1]], data: new Uint8Array(100) });
  const model = await open(bytes);
  assert.deepEqual(model.header, bytes.subarray(0, model.headerNbytes));
  assert.equal(model.dataOffset, 64);
  assert.equal(model.nbytes, bytes.length);
});

test("a closed model keeps its metadata, but not its tensor data", async () => {
  const model = await open(build({ metadata: [["k", "string", "v"]], tensors: [{ name: "t", dims: [1] }], data: new Uint8Array(4) }));
  model.close();
  model.close();
  assert.equal(model.metadata.get("k"), "v");
  await assert.rejects(model.tensors.get("t").data(), { name: "ClosedError" });
  await assert.rejects(model.read(0, 4), { name: "ClosedError" });
});

test("the fields that contain a byte, with their values", async () => {
  const metadata = [["k", "array", array("uint16", [5, 6, 7])], ["s", "string", "text"]];
  const model = await open(build({ metadata, tensors: [{ name: "t", dims: [2, 3], typeId: 1 }] }));
  const all = Array.from({ length: model.headerNbytes }, (_, position) => model.fieldsAt(position).at(-1));
  const said = new Map(all.map(({ path, value, meaning }) => [path, meaning ?? value]));
  assert.equal(said.get("/version"), 3);
  assert.equal(said.get("/metadata/0/value_type"), "array");
  assert.equal(said.get("/metadata/0/value/element_type"), "uint16");
  assert.equal(said.get("/metadata/0/value/elements/2"), 7);
  assert.equal(said.get("/metadata/1/value/data"), "text");
  assert.equal(said.get("/tensors/0/name/data"), "t");
  assert.equal(said.get("/tensors/0/dims/1"), 3n);
  assert.equal(said.get("/tensors/0/type_id"), "F16");
  for (const position of [-1, model.headerNbytes, NaN, Infinity]) assert.deepEqual(model.fieldsAt(position), []);
});

// Errors

test("files of other formats are named", async () => {
  const cases = [
    ["<!doctype html>", "it is an HTML page"],
    ["\n<!-- x --><HTML lang=en>", "it is an HTML page"],
    ['<?xml version="1.0"?><Error>', "it is an XML document"],
    ["<|endoftext|>", 'it starts with "<|en" instead of "GGUF"'],
    ["FUGG\x03\0\0\0", "the magic is reversed: FUGG instead of GGUF"],
  ];
  for (const [text, reason] of cases) {
    const refused = (error) => error instanceof NotGGUFError && error.message.includes(`not a GGUF file: ${reason}`);
    await assert.rejects(open(new Blob([text])), refused, text);
  }
});

const refusals = [
  ["an empty file", new Uint8Array(0), TruncatedError, 0, "/magic"],
  ["part of the magic", Uint8Array.of(0x47, 0x47), TruncatedError, 0, "/magic"],
  ["a web page", new TextEncoder().encode("<!doctype html>"), NotGGUFError, 0, "/magic"],
  ["another version", build({ version: 7 }), FormatError, 4, "/version"],
  ["a key twice", build({ metadata: [["k", "uint8", 1], ["k", "uint8", 1]] }), FormatError, 38, "/metadata/1/key"],
  ["an empty key", build({ metadata: [["", "uint8", 1]] }), FormatError, 24, "/metadata/0/key"],
  ["a tensor twice", build({ tensors: [{ name: "t", dims: [1] }, { name: "t", dims: [1], offset: 32 }] }), FormatError, 57, "/tensors/1/name"],
  ["a partial row", build({ tensors: [{ name: "t", dims: [33], typeId: 8 }] }), FormatError, 37, "/tensors/0/dims"],
  ["an odd offset", build({ tensors: [{ name: "t", dims: [1], offset: 4 }] }), FormatError, 49, "/tensors/0/ofs_data"],
  ["an overlap", build({ tensors: [{ name: "a", dims: [32] }, { name: "b", dims: [1], offset: 32 }] }), FormatError, 82, "/tensors/1/ofs_data"],
  ["an alignment of 0", build({ metadata: [["general.alignment", "uint32", 0]] }), FormatError, 53, "/metadata/0/value"],
  ["an alignment of uint64", build({ metadata: [["general.alignment", "uint64", 32n]] }), FormatError, 49, "/metadata/0/value_type"],
];

for (const [name, bytes, type, offset, path] of refusals) {
  test(`${name} is refused`, async () => {
    await assert.rejects(open(bytes), (error) => {
      assert.equal(error.constructor, type);
      assert.equal(error.name, type.name);
      assert.deepEqual([error.offset, error.path], [offset, path], error.message);
      assert.ok(error.message.endsWith(`(at byte 0x${offset.toString(16)})`));
      return true;
    });
  });
}

for (const [dims, offset, message] of [
  [[2n ** 53n + 1n, 3n], 0n, "9007199254740993 × 3 elements are beyond 2^53"],
  [[2n ** 64n - 1n, 0n], 0n, "18446744073709551615 × 0 elements are beyond 2^53"],
  [[33n], 2n ** 53n, "its data ends at offset 9007199254741124, beyond 2^53"],
  [[33n], 2n ** 64n - 32n, "its data ends at offset 18446744073709551716, beyond 2^53"],
]) {
  test(`numbers beyond 2^53 are exact in messages: ${message}`, async () => {
    for (const little of [true, false]) {
      const bytes = build({ tensors: [{ name: "t", dims, offset }], little });
      await assert.rejects(open(bytes), (error) => error.message.startsWith(`tensor "t": ${message} (at byte`));
    }
  });
}

test("overlaps are found whatever the order of the tensors", async () => {
  const tensors = [{ name: "c", dims: [8], offset: 96 }, { name: "a", dims: [16] }, { name: "b", dims: [8], offset: 64 }];
  assert.equal((await open(build({ tensors }))).tensors.size, 3);
  tensors[1].dims = [17];
  await assert.rejects(open(build({ tensors })), { path: "/tensors/2/ofs_data", message: /overlaps the data of tensor "a"/ });
});

test("names in messages are escaped and truncated", async () => {
  const name = `\u001b[2J\u202e${"x".repeat(500)}`;
  await assert.rejects(open(build({ tensors: [{ name, dims: [1], offset: 1 }] })), (error) => {
    assert.ok(error.message.includes("\\u001b[2J\\u202e"));
    assert.ok(error.message.length < 300);
    return true;
  });
});

test("bytes that change while the model is open are an error", async () => {
  const bytes = build({ metadata: [["k", "array", array("string", ["abc", "def"])]] });
  const strings = (await open(bytes)).metadata.get("k");
  const position = bytes.length - 32 + bytes.subarray(-32).findIndex((byte) => byte === 3);
  for (let index = 24; index < bytes.length; index++) if (bytes[index] === 3) bytes[index] = 0xff;
  assert.ok(position > 0);
  assert.throws(() => strings.toArray(), { name: "FormatError", message: /were changed/ });
});
