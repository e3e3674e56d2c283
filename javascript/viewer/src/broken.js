// A file that is not valid: the items of its header before the error, and its bytes.

import { Refused, layout } from "../../gguf_index.js";
import { FormatError } from "../../src/errors.js";
import { fieldsAt } from "../../src/fields.js";
import { readHeader } from "../../src/growth.js";
import { Header } from "../../src/header.js";
import { alignmentOf } from "../../src/layout_rules.js";
import { Metadata } from "../../src/metadata.js";
import { sourceOf } from "../../src/sources.js";
import { Tensors, readTensors } from "../../src/tensors.js";

/**
 * Return what panels need of a model: what comes before an error. The data of its tensors can't be found.
 *
 * @param {any} given what `open` takes
 * @param {FormatError} error why `open` refused it
 */
export async function openBroken(given, error) {
  const source = await sourceOf(given, {}, () => {});
  const model = {
    error,
    nbytes: source.nbytes,
    byteOrder: "little",
    headerNbytes: 0,
    metadata: new Map(),
    tensors: new Map(),
    read: source.read.bind(source),
    /** @type {(position: number) => import("../../src/fields.js").HeaderField[]} */
    fieldsAt: () => [],
    close() {},
  };
  try {
    const complete = await readHeader(source, undefined, salvaged);
    return complete === null ? model : Object.assign(model, itemsBefore(error, complete));
  } finally {
    await source.settle?.();
  }
}

/**
 * Return a header with the items that were found before it was refused, or null if its version is not known.
 *
 * @param {Uint8Array} bytes
 */
function salvaged(bytes) {
  try {
    const found = layout(bytes);
    try {
      found.index_gguf(0);
    } catch (refused) {
      if (refused instanceof Refused) {
        return headerOf(found, refused.found[0], refused.found[1], refused.pos);
      }
    }
  } catch {
    // the magic or the version is wrong, or missing
  }
  return null;
}

/**
 * @param {import("../../src/header.js").Layout} layout
 * @param {Float64Array} metadata
 * @param {Float64Array} tensors
 * @param {number} end
 * @returns {Header}
 */
function headerOf(layout, metadata, tensors, end) {
  return Object.assign(Object.create(Header.prototype), { layout, metadata, tensors, end });
}

/**
 * @param {FormatError} error
 * @param {Header} complete
 */
function itemsBefore(error, complete) {
  const [, list, number] = /^\/(metadata|tensors)\/(\d+)/.exec(error.path ?? "") ?? [];
  const keys = complete.metadata.subarray(0, list === "tensors" ? undefined : list ? Number(number) : 0);
  const infos = complete.tensors.subarray(0, list === "tensors" ? Number(number) : 0);
  const next = list === "tensors" ? complete.tensors[infos.length] : complete.metadata[keys.length];
  const header = headerOf(complete.layout, keys, infos, (list ? next : undefined) ?? error.offset);
  try {
    const metadata = new Metadata(header);
    const byteOrder = header.isLittleEndian ? "little" : "big";
    const table = readTensors(header, alignmentOf(header, metadata));
    const owner = { nbytes: 0, dataOffset: 0, byteOrder, read: Promise.reject };
    const tensors = new Tensors(table, /** @type {any} */ (owner));
    const at = (/** @type {number} */ position) => fieldsAt(header, position);
    return { byteOrder, headerNbytes: header.end, metadata, tensors, fieldsAt: at };
  } catch (other) {
    if (other instanceof FormatError) {
      return itemsBefore(other, header); // an earlier item breaks a rule that is checked later
    }
    throw other;
  }
}
