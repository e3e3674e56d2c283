// Calls a function of the viewer, and prints the results: node viewer_worker.mjs MODULE FUNCTION < arguments, as JSON

import { readFileSync } from "node:fs";

const [module, name] = process.argv.slice(2);
const { [name]: call } = await import(new URL(`../../javascript/viewer/src/${module}.js`, import.meta.url));
const calls = JSON.parse(readFileSync(0, "utf8"));
console.log(JSON.stringify(calls.map((given) => call(...given))));
