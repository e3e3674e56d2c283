// Reads one JSON object per line: the module to load, what to index, and the bytes. Prints the result of the index.

import { createInterface } from "node:readline";

const positions = (found) => (Array.isArray(found) ? found.map((each) => (typeof each === "number" ? each : [...each])) : found);

for await (const line of createInterface({ input: process.stdin })) {
  const { question, type, pos, args, data } = JSON.parse(line);
  const module = await import(question);
  const bytes = new Uint8Array(Buffer.from(data, "base64"));
  let answer;
  try {
    const layout = module.layout(bytes);
    answer = { layout: layout.constructor.name, found: positions(layout[type](pos, ...args)) };
  } catch (error) {
    if (!(error instanceof module.Refused)) throw error;
    const { kind, path, reason, needed, found } = error;
    answer = { kind, pos: error.pos, path, reason, needed, lists: positions(found) };
  }
  process.stdout.write(`${JSON.stringify({ result: answer })}\n`);
}
