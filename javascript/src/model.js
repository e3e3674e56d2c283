import { canonicalJSON } from "./canonical.js";
import { ClosedError } from "./errors.js";
import { fieldsAt } from "./fields.js";
import { readHeader } from "./growth.js";
import { align, alignmentOf } from "./layout_rules.js";
import { Metadata } from "./metadata.js";
import { sourceOf } from "./sources.js";
import { Tensors, readTensors } from "./tensors.js";

/** @typedef {import("./sources.js").Openable} Openable */
/** @typedef {import("./sources.js").OpenOptions} OpenOptions */
/** @typedef {import("./sources.js").Source} Source */
/** @typedef {import("./header.js").Header} Header */

/** An open GGUF file. Its header is in memory; tensor data is read on demand. */
export class Model {
  /**
   * Use `open()` to create a model.
   *
   * @param {Source} source
   * @param {Header} header
   * @param {{ bytesRead: number }} counter
   */
  constructor(source, header, counter) {
    /** @type {Source | null} */
    this._source = source;
    this._header = header;
    this._counter = counter;
    /** The path, the URL without credentials, or the name of the File; null for anything else. */
    this.name = source.name;
    /** 1, 2 or 3. */
    this.version = header.version;
    /** @type {"little" | "big"} */
    this.byteOrder = header.isLittleEndian ? "little" : "big";
    /** The size of the file in bytes. */
    this.nbytes = source.nbytes;
    /** The end of the header in bytes; `dataOffset` is this number, rounded up to the alignment. */
    this.headerNbytes = header.end;
    this.metadata = new Metadata(header);
    /** The alignment of tensor data in bytes. */
    this.alignment = alignmentOf(header, this.metadata);
    /** Where the tensor data starts, in bytes from the start of the file. */
    this.dataOffset = align(header.end, this.alignment);
    this.tensors = new Tensors(readTensors(header, this.alignment), this);
  }

  /** The number of bytes read so far; 0 for a model in memory. */
  get bytesRead() {
    return this._counter.bytesRead;
  }

  /** The bytes of the header. */
  get header() {
    return this._header.bytes.subarray(0, this._header.end);
  }

  /**
   * Return the bytes of the file from `start` up to, but not including, `end`. Rejects with RangeError for positions
   * outside the file, with `ClosedError` if the model is closed, and with `FileError` if the bytes can't be read.
   *
   * @param {number} start
   * @param {number} end
   * @param {import("./sources.js").ReadOptions} [options]
   */
  async read(start, end, options) {
    const source = this._opened();
    if (!(Number.isInteger(start) && Number.isInteger(end) && start >= 0 && start <= end)) {
      throw new RangeError(`expected positions in the file, not ${start} to ${end}`);
    }
    if (start === end) return new Uint8Array(0);
    if (end > this.nbytes) throw new RangeError(`expected positions up to ${this.nbytes}, not ${end}`);
    const there = this._header.bytes;
    return end <= there.length ? there.subarray(start, end) : source.read(start, end, options);
  }

  /**
   * Return the fields of the header that contain the byte at a position, the outermost first. There are none if the
   * position is not in the header.
   *
   * @param {number} position
   */
  fieldsAt(position) {
    return fieldsAt(this._header, position);
  }

  /** Return the document that `kaitai-gguf dump --json --full` prints, as compact JSON. */
  canonicalJSON() {
    return canonicalJSON(this);
  }

  _opened() {
    if (this._source === null) throw new ClosedError("the model is closed");
    return this._source;
  }

  /** Release the file. Metadata stays readable; tensor data does not. */
  close() {
    this._source = null;
  }
}

/**
 * Open a GGUF file. Only its header is read; tensor data is read on demand.
 *
 * `source` is a path or file URL (Node.js), an http or https URL, a Blob or File, an ArrayBuffer or typed array, or any
 * object with `byteLength` and `slice(start, end)`, whose slices may be promises. In a browser a string is a URL.
 *
 * Files and URLs are read by ranges, and no byte of a header is read twice. If a file is replaced while it is open, reading
 * rejects with `FileError`. Arrays in memory are not copied, and must not be changed.
 *
 * Rejects with `FormatError`, which has `offset` and `path`, if the bytes are not a valid GGUF file; with `FileError` if
 * they can't be read; with TypeError if `source` is something else; with the reason of `signal` if it is aborted.
 *
 * @overload
 * @param {import("./sources.js").Sliceable} source its slices have parameters of known types
 * @param {OpenOptions} [options]
 * @returns {Promise<Model>}
 *
 * @overload
 * @param {Openable} source
 * @param {OpenOptions} [options]
 * @returns {Promise<Model>}
 *
 * @param {Openable} source
 * @param {OpenOptions} [options]
 * @returns {Promise<Model>}
 */
export async function open(source, options = {}) {
  options.signal?.throwIfAborted();
  const counter = { bytesRead: 0 };
  const opened = await sourceOf(source, options, (count) => {
    counter.bytesRead += count;
    options.onProgress?.(counter.bytesRead);
  });
  try {
    return new Model(opened, await readHeader(opened, options.signal), counter);
  } finally {
    await opened.settle?.();
  }
}
