// Bundles the viewer into one HTML file: node build.js OUTPUT. The page works from file://, without connections.

import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = fileURLToPath(new URL(".", import.meta.url));
const output = process.argv[2];
if (output === undefined) {
  throw new Error("usage: node build.js OUTPUT");
}

/** @param {string} entry */
async function bundled(entry) {
  const result = await build({
    absWorkingDir: here,
    entryPoints: [entry],
    bundle: true,
    write: false,
    minify: true,
    mangleProps: /^_[a-z]|^(check|index|pack|row|trace)_/, // private ones and those of the index: no string names them
    format: "iife",
    target: ["chrome109", "firefox115", "safari16.4"],
    legalComments: "none",
    external: ["node:*"], // never loaded in a browser
    logLevel: "warning",
  });
  return result.outputFiles[0].text.trim();
}

/** @param {string} text */
function hash(text) {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

const script = await bundled("src/main.js");
const style = await bundled("src/style.css");
const policy = [
  "default-src 'none'",
  `script-src ${hash(script)}`,
  `style-src ${hash(style)}`,
  "connect-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

let page = readFileSync(`${here}src/page.html`, "utf8");
for (const [slot, text] of [
  ["POLICY", policy],
  ["STYLE", style],
  ["SCRIPT", script],
]) {
  const parts = page.split(`{{${slot}}}`);
  if (parts.length !== 2) {
    throw new Error(`src/page.html must have {{${slot}}} once`);
  }
  page = parts.join(text);
}
writeFileSync(output, page);
