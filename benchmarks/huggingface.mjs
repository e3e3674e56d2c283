// A worker for contest.py: reads a path a line, answers with the seconds that @huggingface/gguf takes to parse it.
import { gguf } from "@huggingface/gguf";
import { createInterface } from "node:readline";

for await (const line of createInterface({ input: process.stdin })) {
  const path = line.slice(line.indexOf(" ") + 1);
  const start = process.hrtime.bigint();
  await gguf(path, { allowLocalFile: true });
  console.log(Number(process.hrtime.bigint() - start) / 1e9);
}
