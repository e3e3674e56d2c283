import assert from "node:assert/strict";
import { createReadStream, mkdtempSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { FileError, WriteError, ClosedError, edited, open, standardKey } from "../index.js";
import { array, build } from "./support.js";

const folder = mkdtempSync(join(tmpdir(), "editing-"));
after(() => rmSync(folder, { recursive: true }));

const DATA = Uint8Array.from({ length: 100 }, (_, index) => index);
const METADATA = [
  ["general.architecture", "string", "llama"],
  ["llama.block_count", "uint64", 4n],
  ["a.flags", "array", array("int8", [1, -2])],
];
const FILE = build({ metadata: METADATA, tensors: [{ name: "t", dims: [25] }], data: DATA });

const bytesOf = async (blob) => new Uint8Array(await blob.arrayBuffer());
const reopened = async (changes, source = FILE) => open(await bytesOf(edited(await open(source), changes)));

test("a model in memory or a Blob gives a Blob, joined by reference", async () => {
  for (const source of [FILE, new Blob([FILE]), new File([FILE], "x.gguf")]) {
    const blob = edited(await open(source), { set: { "general.name": "x".repeat(100) } });
    assert.ok(blob instanceof Blob);
    const model = await open(new Blob([blob]));
    assert.equal(model.metadata.get("general.name"), "x".repeat(100));
    assert.deepEqual(await model.tensors.get("t").data(), DATA);
  }
});

test("a path is written in chunks that are not held", async () => {
  const path = join(folder, "large.gguf");
  writeFileSync(path, build({ metadata: METADATA, tensors: [{ name: "t", dims: [1 << 28] }] }));
  truncateSync(path, statSync(path).size + 2 ** 30);
  const changed = edited(await open(path), { set: { "general.name": "x".repeat(100) } });
  let [size, most] = [0, 0];
  for await (const chunk of changed) {
    size += chunk.length;
    most = Math.max(most, process.memoryUsage().arrayBuffers);
  }
  assert.equal(size, changed.size);
  assert.ok(most < 64 << 20, `${most} bytes`);
  assert.equal((await open(await bytesOf(changed.slice(0, 1000)))).metadata.get("general.name"), "x".repeat(100));
});

test("the interface of a Blob for a path", async () => {
  const [path, output] = [join(folder, "a.gguf"), join(folder, "b.gguf")];
  const large = build({ metadata: METADATA, tensors: [{ name: "t", dims: [1 << 19] }], data: new Uint8Array(1 << 21).fill(7) });
  writeFileSync(path, large);
  const model = await open(path);
  const changes = { remove: ["a.flags"] };
  const expected = await bytesOf(edited(await open(large), changes));
  const file = edited(model, changes);
  assert.equal(file.size, expected.length);
  assert.deepEqual(await bytesOf(file), expected);
  assert.deepEqual(new Uint8Array(await new Response(file.stream()).arrayBuffer()), expected);
  for (const [start, end] of [[0, 10], [-40, -7], [90, 1e9], [50, 20], [undefined, undefined]]) {
    assert.deepEqual(await bytesOf(file.slice(start, end)), expected.slice(start, end));
  }
  assert.throws(() => new Blob([file]), TypeError);
  await writeFile(output, file);
  assert.deepEqual(new Uint8Array(await new Response(createReadStream(output)).arrayBuffer()), expected);
  writeFileSync(path, large);
  await assert.rejects(bytesOf(file), FileError);
  model.close();
  await assert.rejects(bytesOf(file), ClosedError);
  assert.throws(() => edited(model, {}), ClosedError);
});

test("types", async () => {
  const set = {
    "llama.block_count": 5, // keeps uint64
    "llama.context_length": 4096, // documented
    "my.small": 1,
    "my.negative": -1n,
    "my.large": 2n ** 63n,
    "my.float": 0.5,
    "my.typed": { type: "uint8", value: 7 },
    "my.numbers": Int16Array.of(1, -1),
    "my.empty": { type: "string[]", value: [] },
    "my.nested": [[1, 2], ["a"], []].slice(0, 2),
  };
  const { metadata } = await reopened({ set });
  const types = Object.keys(set).map((key) => [metadata.entry(key).type, metadata.entry(key).elementType].filter(Boolean).join(" "));
  assert.deepEqual(types, [
    "uint64", "uint32", "uint32", "int32", "uint64", "float32", "uint8", "array int16", "array string", "array array",
  ]);
  assert.equal(metadata.get("llama.block_count"), 5n);
  assert.deepEqual(metadata.get("my.nested").at(0), Uint32Array.of(1, 2));
  assert.equal(standardKey("llama.context_length").types[0], "uint32");
  const copied = await reopened({ set: new Map(metadata) });
  for (const key of metadata.keys()) assert.equal(copied.metadata.entry(key).elementType, metadata.entry(key).elementType);
});

for (const [title, changes, message] of [
  ["out of range", { set: { a: { type: "uint8", value: 256 } } }, /^key "a": 256 does not fit uint8, whose range is 0 to 255$/],
  ["inexact", { set: { a: { type: "uint64", value: 2 ** 60 } } }, /^key "a": 1152921504606847000 is beyond 2\^53.*BigInt$/],
  ["another kind", { set: { "general.architecture": 5 } }, /^key "general.architecture": 5 is an integer, but the type is string;/],
  ["a documented key", { set: { "general.name": [1] } }, /^key "general.name": the value is an array, but the documented type/],
  ["empty array", { set: { a: [] } }, /^key "a": an empty array has no element type/],
  ["mixed array", { set: { a: [1, "b"] } }, /^key "a": the elements of an array must have one type, not integer and string$/],
  ["surrogate", { set: { a: "\ud800" } }, /^key "a": .* has an unpaired surrogate/],
  ["alignment", { set: { "general.alignment": 33 } }, /^general.alignment is 33, expected a power of two below 2\^32$/],
  ["much padding", { set: { "general.alignment": 2 ** 31 } }, /^alignment 2147483648 would add \d+ bytes of padding/],
  ["empty key", { set: { "": 1 } }, /^a key must not be empty$/],
  ["missing key", { remove: ["x"] }, /^no key "x" in the metadata$/],
  ["set and removed", { set: { "a.flags": [1] }, remove: ["a.flags"] }, /^key "a.flags" is both set and removed$/],
  ["duplicate key", { renameKeys: { "a.flags": "llama.block_count" } }, /^key "a.flags": key "llama.block_count" already exists$/],
  ["missing tensor", { renameTensors: { x: "y" } }, /^no tensor "x" in the file$/],
]) {
  test(`refused: ${title}`, async () => {
    const model = await open(FILE);
    assert.throws(() => edited(model, changes), (error) => error instanceof WriteError && message.test(error.message));
  });
}

test("wrong arguments", async () => {
  const model = await open(FILE);
  for (const changes of [{ sets: {} }, { remove: "ab" }, { set: { a: null } }, { set: { a: {} } }, { set: { a: { type: "int", value: 1 } } }]) {
    assert.throws(() => edited(model, changes), TypeError);
  }
});
