/**
 * The keys that ggml and llama.cpp document.
 *
 * @module
 */

import { KEYS } from "../keys.js";

/**
 * What is documented about a key.
 *
 * @typedef {object} StandardKey
 * @property {string} key with `[arch]` for the architecture, and `{id}` for a number or a name
 * @property {string[]} types of its value, such as "uint32" or "float32[]", the one that llama.cpp reads first
 * @property {string} description what the value means
 * @property {(string | number)[]} values the documented values; empty if any value will do
 */

const IDS = /(?<=^general\.(?:base_model|dataset)\.)\d+|(?<=^tokenizer\.chat_template\.)[^]+/u;
const LONGEST = 1000; // characters: no longer hyperparameter is documented

/** @type {Map<string, StandardKey>} */
const KNOWN = new Map();
for (const [keys, [types, description, values = []]] of Object.entries(KEYS)) {
  for (const key of keys.split(" ")) KNOWN.set(key, { key, types: types.split("|"), description, values });
}
const OWN = new Set([...KNOWN.keys()].map((key) => key.split(".")[0]));

/**
 * Return what is documented about a key, such as `llama.block_count`; undefined if the key is not documented. The key
 * alone decides: any text before a hyperparameter may be the architecture.
 *
 * @param {string} key
 * @returns {StandardKey | undefined}
 */
export function standardKey(key) {
  if (key.includes("[arch]") || key.includes("{id}")) return undefined;
  const [first = "", ...rest] = key.split(".");
  const ofModels = (key.length < LONGEST ? rest : []).map((_, number) => `[arch].${rest.slice(number).join(".")}`);
  const names = [key, ...(OWN.has(first) ? [key.replace(IDS, "{id}")] : first === "" ? [] : ofModels)];
  return KNOWN.get(names.find((name) => KNOWN.has(name)) ?? "");
}
