// The parts of a file, from the first byte to the last.

import { lastWhere } from "../../src/fields.js";
import { missingNbytes } from "./facts.js";

/** @typedef {import("./tensors.js").TensorRow} TensorRow */

/**
 * @typedef {object} Part
 * @property {number} start
 * @property {number} end
 * @property {string} kind of part, e.g. header or gap; the type for the data of a tensor
 * @property {string} title
 * @property {TensorRow | null} row the tensor whose data it is
 */

const MOST_KEYS = 4096; // if there are more, they are one part

/**
 * Return the parts in the order of the file: keys, tensor infos, the data of tensors, and the gaps between them.
 *
 * @param {any} model
 * @param {TensorRow[]} tensors
 * @returns {Part[]}
 */
export function partsOf(model, tensors) {
  const parts = headerParts(model);
  let end = model.headerNbytes;
  if (model.error) {
    const title = "not read, because of the error";
    const rest = { start: end, end: model.nbytes, kind: "not read", title, row: null };
    return [...parts, rest].filter((part) => part.start < part.end);
  }
  /** @param {number} start @param {string} gap @param {string} words about more bytes than padding has */
  const gapTo = (start, gap, words) => {
    if (start > end) {
      const [kind, title] = start - end < model.alignment ? ["padding", "padding"] : [gap, words];
      parts.push({ start: end, end: start, kind, title, row: null });
      end = start;
    }
  };
  const placed = tensors.filter((row) => row.nbytes).sort((a, b) => a.position - b.position);
  for (const row of placed) {
    gapTo(Math.min(row.position, model.nbytes), "gap", "unused bytes");
    const stop = row.position + (row.nbytes ?? 0);
    if (stop > end && end < model.nbytes) {
      parts.push({ start: end, end: Math.min(stop, model.nbytes), kind: row.typeName, title: row.name, row });
      end = Math.min(stop, model.nbytes);
    }
  }
  gapTo(model.nbytes, "trailing", "bytes after the last tensor");
  const missing = missingNbytes(model, tensors);
  if (missing > 0) {
    parts.push({ start: model.nbytes, end: model.nbytes + missing, kind: "missing", title: "missing data", row: null });
  }
  return parts;
}

/**
 * @param {any} model
 * @returns {Part[]}
 */
function headerParts(model) {
  const keys = model.metadata.size <= MOST_KEYS ? [...model.metadata.keys()] : [];
  const entries = keys.map((key) => model.metadata.entry(key));
  /** @type {Part[]} */
  const parts = entries.map(({ position: start, nbytes, key: title }) => {
    return { start, end: start + nbytes, kind: "metadata", title, row: null };
  });
  const start = parts.length ? parts[0].start : Math.min(24, model.headerNbytes);
  const end = parts.length ? parts[parts.length - 1].end : start;
  parts.unshift({ start: 0, end: start, kind: "start", title: "magic, version and counts", row: null });
  if (model.headerNbytes > end) {
    const title = keys.length === model.metadata.size ? "tensor infos" : "metadata and tensor infos";
    parts.push({ start: end, end: model.headerNbytes, kind: "tensor infos", title, row: null });
  }
  return parts;
}

/**
 * Return the part that contains a byte.
 *
 * @param {Part[]} parts
 * @param {number} position
 */
export function partAt(parts, position) {
  return parts[lastWhere(0, parts.length, (i) => parts[i].start <= position)];
}
