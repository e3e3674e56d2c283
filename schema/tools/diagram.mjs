// Prints a Graphviz .dot file as SVG.
import { readFileSync } from "node:fs";
import { Graphviz } from "@hpcc-js/wasm-graphviz";

const graphviz = await Graphviz.load();
process.stdout.write(graphviz.dot(readFileSync(process.argv[2], "utf8")));
