// Calls a function of the viewer or of search.mjs, and prints the results: node viewer_worker.mjs URL FUNCTION < arguments

import { readFileSync } from "node:fs";

const [url, name] = process.argv.slice(2);
const { [name]: call } = await import(new URL(url, import.meta.url));
const calls = JSON.parse(readFileSync(0, "utf8"));
console.log(JSON.stringify(await Promise.all(calls.map((given) => call(...given)))));
