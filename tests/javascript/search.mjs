// Searches the strings of a file: find(FILE as Base64, WORD) returns where it finds the word from every seventh string on.

import { open } from "../../javascript/index.js";
import { Search } from "../../javascript/viewer/src/search.js";

export async function find(file, word) {
  const strings = (await open(new Uint8Array(Buffer.from(file, "base64")))).metadata.get("k");
  const found = [];
  for (let first = 0; first < strings.length; first += 7) {
    found.push(await new Search(word).find(strings, "string", first));
  }
  return found;
}
