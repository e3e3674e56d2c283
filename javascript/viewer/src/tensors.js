// The tensors of a model with the roles that their names imply, for all panels.

import { tensorRole } from "./roles.js";
import { REMOVED_TYPES } from "./tables.js";

/**
 * @typedef {object} TensorRow
 * @property {number} number in the order of the file
 * @property {any} tensor that of the package
 * @property {string} name
 * @property {string | null} type null if it is not known
 * @property {string} typeName in words if the type is not known
 * @property {number[]} dims
 * @property {number} numElements
 * @property {number | null} nbytes null if the type is not known
 * @property {number} offset from the start of the tensor data
 * @property {number} position from the start of the file
 * @property {number | null} bits for each weight
 * @property {import("./roles.js").Role} role
 */

/**
 * @param {any} model
 * @returns {TensorRow[]}
 */
export function tensorRows(model) {
  return Array.from(model.tensors.values(), (tensor, number) => ({
    number,
    tensor,
    name: tensor.name,
    type: tensor.type,
    typeName: tensor.type ?? REMOVED_TYPES[tensor.typeId] ?? `type ${tensor.typeId}`,
    dims: Array.from(tensor.dims, Number),
    numElements: Number(tensor.numElements),
    nbytes: tensor.nbytes === null ? null : Number(tensor.nbytes),
    offset: Number(tensor.offset),
    position: Number(tensor.position),
    bits:
      tensor.nbytes === null || !tensor.numElements ? null : (8 * Number(tensor.nbytes)) / Number(tensor.numElements),
    role: tensorRole(tensor.name),
  }));
}

/**
 * Return how many tensors and bytes each group has, most bytes first.
 *
 * @param {TensorRow[]} rows
 * @param {(row: TensorRow) => string} groupOf
 */
export function sizes(rows, groupOf) {
  /** @type {Map<string, {group: string, tensors: number, nbytes: number}>} */
  const groups = new Map();
  for (const row of rows) {
    const group = groupOf(row);
    const sum = groups.get(group) ?? { group, tensors: 0, nbytes: 0 };
    sum.tensors += 1;
    sum.nbytes += row.nbytes ?? 0;
    groups.set(group, sum);
  }
  return [...groups.values()].sort((a, b) => b.nbytes - a.nbytes);
}

/**
 * Return the bits for each weight of several tensors; null if the size of any is not known.
 *
 * @param {TensorRow[]} rows
 */
export function bitsPerWeight(rows) {
  const count = rows.reduce((sum, row) => sum + row.numElements, 0);
  const isKnown = rows.every((row) => row.nbytes !== null);
  return count && isKnown ? (8 * rows.reduce((sum, row) => sum + (row.nbytes ?? 0), 0)) / count : null;
}

/** @param {TensorRow} row in the order of ggml, which is the reverse of numpy's */
export function shapeOf(row) {
  return row.dims.join(" × ") || "scalar";
}

/**
 * Add a row to the group that it belongs to.
 *
 * @template Key
 * @param {Map<Key, TensorRow[]>} groups
 * @param {Key} key
 * @param {TensorRow} row
 */
export function append(groups, key, row) {
  const rows = groups.get(key);
  if (rows === undefined) {
    groups.set(key, [row]);
  } else {
    rows.push(row);
  }
}
