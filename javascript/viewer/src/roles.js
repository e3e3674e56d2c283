// Parses the names that llama.cpp gives tensors. Tests compare this with `tensor_role` of the Python package.

import { ROLES, SUFFIXES } from "./tables.js";

/**
 * @typedef {object} Role
 * @property {number | null} block the number of the block, or of the layer outside the blocks
 * @property {string} role the name without the prefix of the part, the block and the suffix
 * @property {string} suffix what follows the role, such as "weight"
 * @property {string} part "text", "encoder", "decoder", "vision", "audio" or "projector"
 * @property {string} kind the group of roles, such as "attention"; "other" if the role is not known
 * @property {string} description the role in words; empty if it is not known
 */

/** @type {Record<string, string>} */
const BY_PREFIX = { enc: "encoder", dec: "decoder", v: "vision", a: "audio", mm: "projector", resampler: "projector" };
const IN_ROLE = ["mm", "resampler"];
const NUMBER = /(?<![^.])(0|[1-9][0-9]{0,8})(?![^.])/;
const NUMBERS = new RegExp(NUMBER, "g");
const BLOCK = /(?<![^.])blk\.(?<![^.])(0|[1-9][0-9]{0,8})(?![^.])\.?/;
const PLACE = /(?<![^.])blk\.N\.|\.N(?![^.])/; // of the block number in a known name
/** @type {Map<string, [part: string, role: string, kind: string, description: string]>} by names with N for numbers */
const KNOWN = new Map();
for (const [kind, known] of Object.entries(ROLES)) {
  for (const [description, names] of Object.entries(known)) {
    for (const name of names.split(" ")) {
      const [part, role] = partAndRole(name.replace(PLACE, ""));
      KNOWN.set(name, [part, role, kind, description]);
    }
  }
}
const KNOWN_SUFFIXES = new Set(SUFFIXES);

/**
 * @param {string} name
 * @returns {Role}
 */
export function tensorRole(name) {
  let stem = name;
  let suffix = "";
  for ([stem, suffix] of stems(name)) {
    const numbers = stem.match(NUMBERS) ?? [];
    const pattern = stem.replace(NUMBERS, "N");
    const known = KNOWN.get(pattern);
    if (known !== undefined && pattern.split(".").filter((word) => word === "N").length === numbers.length) {
      const [part, template, kind, description] = known;
      const role = numbers.length < 2 ? template : template.replace(/(?<=\.)N(?![^.])/, numbers[1]);
      return { block: numbers.length === 0 ? null : Number(numbers[0]), role, suffix, part, kind, description };
    }
  }
  const block = BLOCK.exec(stem);
  const [part, role] = partAndRole(stem.replace(BLOCK, ""));
  return { block: block === null ? null : Number(block[1]), role, suffix, part, kind: "other", description: "" };
}

/**
 * @param {string} name without the number of a block
 * @returns {[part: string, role: string]}
 */
function partAndRole(name) {
  const point = name.indexOf(".");
  const prefix = point < 0 ? name : name.slice(0, point);
  const isNamed = (point >= 0 || IN_ROLE.includes(prefix)) && Object.hasOwn(BY_PREFIX, prefix);
  const part = isNamed ? BY_PREFIX[prefix] : "text";
  return [part, part === "text" || IN_ROLE.includes(prefix) ? name : name.slice(point + 1)];
}

/**
 * Yield the name and every shorter one that leaves a suffix, each with that suffix.
 *
 * @param {string} name
 * @returns {Generator<[string, string]>}
 */
function* stems(name) {
  yield [name, ""];
  const last = name.lastIndexOf(".");
  const lastButOne = last > 0 ? name.lastIndexOf(".", last - 1) : -1;
  for (const point of [last, lastButOne]) {
    if (point > 0 && KNOWN_SUFFIXES.has(name.slice(point + 1))) {
      yield [name.slice(0, point), name.slice(point + 1)];
    }
  }
}
