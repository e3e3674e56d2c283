import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtemp, open as openFile, readdir, rename, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { runInNewContext } from "node:vm";
import { open } from "../index.js";
import { readHeader } from "../src/growth.js";
import { array, build, vocabulary } from "./support.js";

const bytes = vocabulary();
const data = Uint8Array.from({ length: 4096 }, (_, index) => index % 251);
let directory;
let path;

before(async () => {
  directory = await mkdtemp(join(tmpdir(), "kaitai-gguf-"));
  path = join(directory, "model ü.gguf");
  await writeFile(path, bytes);
});

after(() => rm(directory, { recursive: true }));

/** An object with `byteLength` and `slice`. `kind` is what `slice` returns. */
function sliceable(kind) {
  const spans = [];
  const slice = (start, end) => {
    spans.push([start, end]);
    const part = bytes.slice(start, end);
    return { buffer: part.buffer, promise: Promise.resolve(part), blob: new Blob([part]), view: new DataView(part.buffer) }[kind];
  };
  return { byteLength: bytes.length, slice, spans };
}

/** Returns an ArrayBuffer that is not an instance of the global class, like those in some test runners. */
function otherContext(part) {
  const buffer = runInNewContext("new ArrayBuffer(size)", { size: part.length });
  new Uint8Array(buffer).set(part);
  return buffer;
}

const shared = new SharedArrayBuffer(bytes.length + 3);
new Uint8Array(shared, 3).set(bytes);

const SOURCES = {
  "a path": () => path,
  "a file URL": () => pathToFileURL(path),
  "a file URL as a string": () => pathToFileURL(path).href,
  "a Blob": () => new Blob([bytes]),
  "a File": () => new File([bytes], "model.gguf"),
  "an ArrayBuffer": () => bytes.slice().buffer,
  "a typed array": () => new Uint16Array(bytes.slice().buffer),
  "a Buffer in a pool": () => Buffer.from(bytes),
  "a DataView": () => new DataView(bytes.slice().buffer),
  "an ArrayBuffer of another context": () => otherContext(bytes),
  "slices of another context": () => ({ byteLength: bytes.length, slice: (start, end) => otherContext(bytes.slice(start, end)) }),
  "shared memory": () => new Uint8Array(shared, 3),
  "slices that are ArrayBuffers": () => sliceable("buffer"),
  "slices that are promises": () => sliceable("promise"),
  "slices that are Blobs": () => sliceable("blob"),
  "slices that are DataViews": () => sliceable("view"),
};

for (const [name, make] of Object.entries(SOURCES)) {
  test(name, async () => {
    const model = await open(make());
    assert.equal(model.metadata.get("general.architecture"), "llama");
    assert.equal(model.metadata.get("tokenizer.ggml.tokens").at(-1), "token-199999");
    assert.equal(model.nbytes, bytes.length);
    assert.deepEqual(await model.tensors.get("weight").data(), data);
    assert.deepEqual(await model.tensors.get("weight").read(5, 9), data.subarray(5, 9));
  });
}

test("names", async () => {
  assert.equal((await open(path)).name, path);
  assert.equal((await open(new File([bytes], "model.gguf"))).name, "model.gguf");
  assert.equal((await open(bytes)).name, null);
});

test("only the header is read, each byte once, and counted", async () => {
  const source = sliceable("buffer");
  const progress = [];
  const model = await open({ ...source, byteLength: source.byteLength }, { onProgress: (count) => progress.push(count) });
  let end = 0;
  for (const [start, stop] of source.spans) {
    assert.equal(start, end);
    end = stop;
  }
  assert.ok(source.spans.length > 1 && source.spans.length < 5, String(source.spans));
  assert.deepEqual(source.spans[0], [0, 1 << 20]);
  assert.equal(model.bytesRead, end);
  assert.equal(progress.at(-1), end);
  assert.equal(progress.length, source.spans.length);
  await model.tensors.get("weight").read(4090, 4096);
  const last = model.tensors.get("weight").position + 4096;
  assert.ok(end >= last || source.spans.at(-1)[1] === last);
});

test("a file of 20 GB is opened with its first MiB", async () => {
  const small = build({ metadata: [["k", "uint8", 1]], tensors: [{ name: "t", dims: [1 << 30] }, { name: "u", dims: [4], offset: 2 ** 32 }] });
  await writeFile(join(directory, "large.gguf"), small);
  await truncate(join(directory, "large.gguf"), 20e9);
  const model = await open(join(directory, "large.gguf"));
  assert.equal(model.nbytes, 20e9);
  assert.equal(model.bytesRead, 1 << 20);
  assert.deepEqual(await model.tensors.get("u").data(), new Uint8Array(16));
  await rm(join(directory, "large.gguf"));
});

test("tensors beyond 4 GiB are read through a path, and through an object around an open file", async () => {
  const header = build({ tensors: [{ name: "t", dims: [5 * 2 ** 28] }, { name: "u", dims: [2], offset: 5 * 2 ** 30 }] });
  const path = join(directory, "5gib.gguf");
  await writeFile(path, header);
  const file = await openFile(path, "r+");
  try {
    const byteLength = header.length + 5 * 2 ** 30 + 8;
    await file.write("12345678", byteLength - 8);
    const slice = async (start, end) => (await file.read(new Uint8Array(end - start), 0, end - start, start)).buffer;
    for (const source of [path, { byteLength, slice }]) {
      const data = await (await open(source)).tensors.get("u").data();
      assert.equal(new TextDecoder().decode(data), "12345678");
    }
  } finally {
    await file.close();
    await rm(path);
  }
});

test("no descriptor is left open", async () => {
  const count = async () => (await readdir("/proc/self/fd").catch(() => [])).length;
  const earlier = await count();
  const models = await Promise.all(Array.from({ length: 20 }, () => open(path)));
  await Promise.all(models.map((model) => model.tensors.get("weight").data()));
  await assert.rejects(open(join(directory, "none.gguf")));
  assert.ok((await count()) <= earlier + 1);
});

test("a file that is replaced or truncated is noticed", async () => {
  const own = join(directory, "own.gguf");
  await writeFile(own, bytes);
  const model = await open(own);
  await writeFile(join(directory, "other.gguf"), bytes);
  await rename(join(directory, "other.gguf"), own);
  const large = { name: "FileError", message: /own\.gguf: the file was changed since it was opened/ };
  const tensor = model.tensors.get("weight");
  // Tensor data that was read with the header is not read again.
  if (model.bytesRead < model.nbytes) await assert.rejects(tensor.data(), large);
  const again = await open(own);
  again._header.layout.bytes = again.header;
  await truncate(own, 100);
  await assert.rejects(again.tensors.get("weight").data(), large);
});

test("paths that can't be read", async () => {
  execFileSync("mkfifo", [join(directory, "pipe")]);
  await symlink(join(directory, "nowhere"), join(directory, "dangling"));
  for (const [given, words] of [
    [join(directory, "none.gguf"), /none\.gguf: no such file/],
    [directory, /is not a regular file|is a directory/],
    [join(directory, "dangling"), /dangling: no such file/],
    [join(directory, "pipe"), /is not a regular file/],
    ["/dev/null", /is not a regular file/],
    ["", /no such file/],
    ["a\0b", /null bytes/],
  ]) {
    await assert.rejects(open(given), (error) => {
      assert.equal(error.name, "FileError");
      assert.match(error.message, words);
      return true;
    });
  }
});

test("an empty file", async () => {
  await writeFile(join(directory, "empty.gguf"), "");
  await assert.rejects(open(join(directory, "empty.gguf")), { name: "TruncatedError", message: /the file is empty/ });
  await assert.rejects(open(new Blob([])), { name: "TruncatedError" });
});

test("a truncated header is refused after all of it was read", async () => {
  for (const end of [1 << 20, bytes.length >> 1]) {
    await assert.rejects(open(new Blob([bytes.subarray(0, end)])), (error) => {
      assert.equal(error.name, "TruncatedError");
      assert.match(error.message, new RegExp(`and ${end - error.offset} are left`));
      assert.ok(error.needed > end);
      return true;
    });
  }
});

for (const [name, given] of Object.entries({
  "a number": 7,
  null: null,
  undefined,
  "an array": [1, 2],
  "a plain object": {},
  "an object without slice": { byteLength: 4 },
  "another scheme": "s3://bucket/model.gguf",
  "another URL": new URL("ftp://host/model.gguf"),
})) {
  test(`${name} is a TypeError`, async () => {
    await assert.rejects(open(given), (error) => {
      assert.equal(error.constructor, TypeError);
      assert.match(error.message, /^expected /);
      return true;
    });
  });
}

for (const byteLength of [-1, 0.5, NaN, "7", 2 ** 60, undefined, 7n]) {
  test(`a byteLength of ${byteLength} is a TypeError`, async () => {
    await assert.rejects(open({ byteLength, slice: () => new ArrayBuffer(0) }), { name: "TypeError", message: /byteLength/ });
  });
}

test("slices of another size, or that are not bytes", async () => {
  const slice = (start, end) => bytes.slice(start, end - 1);
  await assert.rejects(open({ byteLength: 100, slice }), { name: "FileError", message: /requested 100 bytes .* got 99/ });
  await assert.rejects(open({ byteLength: 100, slice: () => "text" }), { name: "TypeError", message: /slice\(start, end\)/ });
  await assert.rejects(open({ byteLength: 100, slice: () => Promise.reject(new Error("mine")) }), { message: "mine" });
});

test("an aborted signal ends reading", async () => {
  const reason = new Error("enough");
  await assert.rejects(open(bytes, { signal: AbortSignal.abort(reason) }), reason);
  await assert.rejects(open(path, { signal: AbortSignal.abort(reason) }), reason);
  const controller = new AbortController();
  const source = sliceable("buffer");
  const slice = (start, end) => {
    if (start > 0) controller.abort(reason);
    return source.slice(start, end);
  };
  await assert.rejects(open({ byteLength: source.byteLength, slice }, { signal: controller.signal }), reason);
  assert.equal(source.spans.length, 2);
});

test("a signal that is aborted during the last read of a file ends it", async () => {
  const controller = new AbortController();
  let isOpen = false;
  const onProgress = () => isOpen && controller.abort(new Error("enough"));
  const model = await open(path, { onProgress });
  isOpen = true;
  model._header.layout.bytes = model.header; // otherwise the data would already be in memory
  await assert.rejects(model.tensors.get("weight").data({ signal: controller.signal }), { message: "enough" });
});

test("a header that does not fit into memory is a FileError", async () => {
  const allocate = () => new Uint8Array(2 ** 60);
  const source = { name: "model.gguf", nbytes: bytes.length, allocate, read: async (start, end) => bytes.subarray(start, end) };
  await assert.rejects(readHeader(source), { name: "FileError", message: /^model\.gguf: the header does not fit into one array/ });
});

test("a long header of a local file is not copied again for every 32 MiB", async () => {
  const size = 1 << 28;
  const file = new Uint8Array(64 + size);
  file.set(build({ metadata: [["k", "array", array("uint8", [])]] }));
  new DataView(file.buffer).setUint32(41, size, true); // the number of elements
  const ends = [];
  const allocate = (nbytes) => {
    ends.push(nbytes);
    return new Uint8Array(nbytes);
  };
  const source = { name: null, nbytes: file.length, isLocal: true, allocate, read: async (start, end) => file.subarray(start, end) };
  const header = await readHeader(source);
  assert.equal(header.end, 49 + size);
  assert.ok(ends.length <= 4, String(ends));
});

test("many at once", async () => {
  const models = await Promise.all(Object.values(SOURCES).map((make) => open(make())));
  for (const model of models) assert.equal(model.metadata.get("tokenizer.ggml.scores").at(-1), 199_999);
});
