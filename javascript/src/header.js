/**
 * A header. It is indexed once, and items are then read at the positions in the index.
 *
 * @module
 */

import { Refused, layout } from "../gguf_index.js";
import { MAGIC } from "../types.js";
import { FormatError, NotGGUFError, TruncatedError } from "./errors.js";
import { expectedEnd } from "./expected.js";
import { identify } from "./identify.js";

/** @typedef {ReturnType<typeof layout>} Layout */

export class Header {
  /**
   * Throws `FormatError` if the header is not valid, and `TruncatedError` if more bytes are needed.
   *
   * @param {Uint8Array} bytes the start of the file, or all of it
   * @param {number} nbytes the size of the file
   */
  constructor(bytes, nbytes) {
    checkMagic(bytes);
    /** @type {Layout | undefined} */
    let found;
    try {
      found = layout(bytes);
      const [metadata, tensors, end] = found.index_gguf(0);
      this.layout = found;
      /** The positions of the key-values. */
      this.metadata = metadata;
      /** The positions of the tensor infos. */
      this.tensors = tensors;
      /** The end of the header. */
      this.end = end;
    } catch (error) {
      throw refusal(error, nbytes, nbytes > bytes.length ? found : undefined);
    }
  }

  get bytes() {
    return this.layout.bytes;
  }

  get isLittleEndian() {
    return this.layout.little;
  }

  get version() {
    return this.layout.constants.version;
  }

  /**
   * Return the result of a function of the layout. Throws `FormatError` if the bytes have changed since they were
   * indexed.
   *
   * @template T
   * @param {(layout: Layout) => T} read
   * @returns {T}
   */
  read(read) {
    try {
      return read(this.layout);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      throw new FormatError("the bytes were changed while the model was open", { offset: error.pos, path: error.path });
    }
  }
}

/** @param {Uint8Array} bytes */
function checkMagic(bytes) {
  const start = String.fromCharCode(...bytes.subarray(0, MAGIC.length));
  if (start === MAGIC) return;
  const place = { offset: 0, path: "/magic", needed: MAGIC.length };
  if (!start) throw new TruncatedError("the file is empty", place);
  if (MAGIC.startsWith(start)) {
    throw new TruncatedError(`the file ends after ${bytes.length} bytes, inside the magic`, place);
  }
  const reason = identify(bytes) ?? `it starts with ${JSON.stringify(start)} instead of "${MAGIC}"`;
  throw new NotGGUFError(`not a GGUF file: ${reason}`, place);
}

/**
 * Return a refusal as a `FormatError` with its position.
 *
 * @param {unknown} error
 * @param {number} nbytes the size of the file
 * @param {Layout | undefined} partial the layout, if there are more bytes to be read
 */
function refusal(error, nbytes, partial) {
  if (!(error instanceof Refused)) return error;
  const expected = partial ? expectedEnd(partial, error) : 0;
  // In the schema, the fields after the magic are in `body`, which users do not know.
  const path = error.path.replace(/^\/body/, "").replace("/version_le", "/version");
  const place = { offset: error.pos, path };
  if (error.kind !== "end") return new FormatError(`${subject(path)} ${error.reason}`, place);
  const reason = `needs ${error.needed - error.pos} bytes, and ${Math.max(nbytes - error.pos, 0)} are left`;
  const message = `the file is cut off: ${subject(path)} ${reason}`;
  return new TruncatedError(message, { ...place, needed: error.needed, expected });
}

/**
 * Return a path in words: `/metadata/12/value` is "value of key-value 12".
 *
 * @param {string} path
 */
function subject(path) {
  const [list, number, ...rest] = path.split("/").slice(1);
  const name = { metadata: "key-value", tensors: "tensor info" }[list];
  if (name === undefined || number === undefined) return path.slice(1);
  return `${rest.length ? `${rest.join("/")} of ` : ""}${name} ${number}`;
}
