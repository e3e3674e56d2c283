// Readers in JavaScript, with the protocol of readers.py: node readers.mjs javascript|huggingface
import { createHash } from "node:crypto";
import { createInterface } from "node:readline";

const READERS = { javascript, huggingface };
const { read, part = "metadata", metadata, tensors } = await READERS[process.argv[2]]();

async function javascript() {
  const { open } = await import("../javascript/index.js");
  return {
    read: open,
    metadata: (model) => [...model.metadata],
    tensors: (model) => [...model.tensors.values()].map((t) => [t.name, t.dims, t.typeId, t.offset]),
  };
}

async function huggingface() {
  const { gguf } = await import("@huggingface/gguf");
  const own = new Set(["version", "tensor_count", "kv_count"]); // not keys of the file
  return {
    part: "metadata without marks", // U+FEFF at the start of a string is dropped
    read: (path) => gguf(path, { allowLocalFile: true }),
    metadata: (model) => Object.entries(model.metadata).filter(([key]) => !own.has(key)),
    tensors: (model) => model.tensorInfos.map((t) => [t.name, t.shape.map(Number), t.dtype, Number(t.offset)]),
  };
}

async function seconds(path) {
  const start = process.hrtime.bigint();
  const model = await read(path);
  const taken = Number(process.hrtime.bigint() - start) / 1e9;
  model.close?.();
  return taken;
}

/** Returns the best of five runs in a row, or fewer if they are slow. */
async function warm(path) {
  let best = Infinity;
  for (let i = 0; i < 5 && (i === 0 || best < 0.2); i++) best = Math.min(best, await seconds(path));
  return best;
}

/** Returns the same digests as readers.py. */
async function output(path) {
  const model = await read(path);
  const sha = createHash("sha256");
  for (const item of metadata(model)) item.forEach((part) => add(sha, part));
  const infos = createHash("sha256");
  for (const [name, dims, type, offset] of tensors(model)) {
    const four = [...dims, 1, 1, 1, 1].slice(0, 4).join(", ");
    infos.update(`('${name}', [${four}], ${type}, ${offset})`);
  }
  model.close?.();
  return { [part]: sha.digest("hex"), tensors: infos.digest("hex") };
}

function add(sha, value) {
  if (typeof value === "string") {
    const data = Buffer.from(value);
    sha.update(new Float64Array([data.length])).update(data);
  } else if (typeof value === "object") {
    const values = [...value];
    if (typeof values[0] === "string") values.forEach((text) => add(sha, text));
    else sha.update(Float64Array.from(values, Number));
  } else {
    sha.update(new Float64Array([Number(value)]));
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const [operation, path] = [line.slice(0, line.indexOf(" ")), line.slice(line.indexOf(" ") + 1)];
  console.log(JSON.stringify(await { open: warm, output }[operation](path)));
}
