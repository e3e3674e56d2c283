// What the values of documented keys mean, as kaitai_gguf.standard_key says.

import { KEYS } from "./tables.js";

const IDS = /(?<=^general\.(?:base_model|dataset)\.)\d+|(?<=^tokenizer\.chat_template\.)[^]+/u;
const LONGEST = 1000; // characters: no longer key is documented
const OWN = new Set(Object.keys(KEYS).map((key) => key.split(".")[0]));

/**
 * Return what the value of a key means; "" if the key is not documented.
 *
 * @param {string} key
 */
export function meaningOf(key) {
  if (key.includes("[arch]") || key.includes("{id}") || key.length >= LONGEST) {
    return "";
  }
  const [first = "", ...rest] = key.split(".");
  const ofModels = rest.map((_, number) => `[arch].${rest.slice(number).join(".")}`);
  const names = [key, ...(OWN.has(first) ? [key.replace(IDS, "{id}")] : first === "" ? [] : ofModels)];
  const name = names.find((each) => Object.hasOwn(KEYS, each));
  return name === undefined ? "" : (KEYS[name] ?? "");
}
