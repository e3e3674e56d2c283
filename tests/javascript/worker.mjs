// Reads one JSON object per line, and answers each with a JSON object: the result of the package for some bytes.

import { createInterface } from "node:readline";
import { edited, open } from "../../javascript/index.js";
import { Header } from "../../javascript/src/header.js";
import { compare } from "../../javascript/test/official.js";

const QUESTIONS = {
  // The result of the index.
  index(bytes) {
    const { version, isLittleEndian, metadata, tensors, end } = new Header(bytes, bytes.length);
    return { version, isLittleEndian, metadata: [...metadata], tensors: [...tensors], end };
  },

  // The canonical JSON as text.
  async canonical(bytes) {
    return (await open(bytes)).canonicalJSON();
  },

  // Every position explained: [position, path, start, end] of the innermost field.
  async fields(bytes) {
    const model = await open(bytes);
    return Array.from({ length: model.headerNbytes }, (_, position) => {
      const { path, start, end } = model.fieldsAt(position).at(-1);
      return [position, path, start, end];
    });
  },

  // How much of a file on a web server is fetched to open it.
  async remote(bytes) {
    return (await open(new TextDecoder().decode(bytes))).bytesRead;
  },

  // The file with changes, as base64. The chunks are compared with the Blob. JSON has no BigInt, NaN or infinity.
  async edited(bytes, { changes, isSliced }) {
    const given = JSON.parse(JSON.stringify(changes), (_, value) =>
      typeof value?.$big === "string" ? BigInt(value.$big) : typeof value?.$float === "string" ? Number(value.$float) : value,
    );
    for (const name of ["set", "renameKeys", "renameTensors"]) given[name] = new Map(given[name]);
    const source = isSliced ? { byteLength: bytes.length, slice: (start, end) => bytes.slice(start, end) } : bytes;
    const blob = edited(await open(source), given);
    const whole = Buffer.from(await blob.arrayBuffer());
    const chunks = [];
    for await (const chunk of blob) chunks.push(chunk);
    if (blob.size !== whole.length || !Buffer.concat(chunks).equals(whole)) throw new Error("the chunks differ");
    return whole.toString("base64");
  },

  official: compare,
};

for await (const line of createInterface({ input: process.stdin })) {
  const { question, data, ...options } = JSON.parse(line);
  let answer;
  try {
    answer = { result: await QUESTIONS[question](new Uint8Array(Buffer.from(data, "base64")), options) };
  } catch (error) {
    const { name, message, offset, path, needed } = error;
    answer = { error: { name, message, offset, path, needed, stack: offset === undefined ? error.stack : "" } };
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
