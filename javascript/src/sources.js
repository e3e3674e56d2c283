/**
 * Sources of bytes: memory, Blobs, files, web servers, and objects with `byteLength` and `slice(start, end)`.
 *
 * @module
 */

import { FileError } from "./errors.js";
import { HTTPSource } from "./http.js";

/**
 * A file whose ranges can be read.
 *
 * @typedef {object} Source
 * @property {string | null} name a path, a URL without credentials, or the name of a File
 * @property {number} nbytes the size of the file
 * @property {Uint8Array} [bytes] all of the file, if it is in memory
 * @property {Blob} [blob] all of the file, if it is in memory or a Blob
 * @property {Uint8Array} [start] the first bytes of the file, if they were read to find its size
 * @property {(start: number, end: number, options?: ReadOptions) => Promise<Uint8Array>} read returns exactly these bytes
 * @property {(target: Uint8Array, start: number, options?: ReadOptions) => Promise<void>} [fill] fills the
 *   target, if that saves a copy
 * @property {(nbytes: number) => Uint8Array} [allocate] creates an array to be filled, if there is a faster way
 * @property {boolean} [isLocal] whether reads are so fast that one larger read is better than two
 * @property {() => void | Promise<void>} [settle] called when the header has been read
 */

/**
 * @typedef {object} ReadOptions
 * @property {AbortSignal} [signal]
 */

/**
 * @typedef {object} OpenOptions
 * @property {AbortSignal} [signal] ends reading; `open` rejects with its reason
 * @property {ConstructorParameters<typeof Headers>[0]} [headers] sent to the web server. `fetch` drops Authorization, but no others, when the server
 *   redirects to another origin.
 * @property {typeof globalThis.fetch} [fetch] used instead of the global one
 * @property {(bytesRead: number) => void} [onProgress] called with the number of bytes read so far
 */

/** @typedef {ArrayBuffer | SharedArrayBuffer | ArrayBufferView | Blob} Part */

/**
 * An object that has a size, and returns its bytes by ranges.
 *
 * @typedef {object} Sliceable
 * @property {number} byteLength
 * @property {(start: number, end: number) => Part | Promise<Part>} slice
 */

/** @typedef {string | URL | Blob | ArrayBuffer | SharedArrayBuffer | ArrayBufferView | Sliceable} Openable */

const EXPECTED =
  "expected a path, a URL, a Blob, an ArrayBuffer, a typed array, or an object with byteLength and slice(start, end)";

const IS_NODE = typeof process === "object" && Boolean(process.versions?.node);

/**
 * Return the source for an argument of `open`. Throws `TypeError` if it is not a source.
 *
 * @param {Openable} given
 * @param {OpenOptions} options
 * @param {(count: number) => void} count called with the number of bytes that arrived
 * @returns {Promise<Source>}
 */
export async function sourceOf(given, options, count) {
  if (typeof given === "string" || given instanceof URL) return fromAddress(given, options, count);
  if (typeof Blob === "function" && given instanceof Blob) return new BlobSource(given, count);
  if (isArrayBuffer(given)) return new MemorySource(new Uint8Array(given));
  if (ArrayBuffer.isView(given) && isArrayBuffer(given.buffer)) {
    return new MemorySource(new Uint8Array(given.buffer, given.byteOffset, given.byteLength));
  }
  if (ArrayBuffer.isView(given)) {
    return new SlicedSource(new Uint8Array(given.buffer, given.byteOffset, given.byteLength), count);
  }
  if (typeof given === "object" && given !== null && typeof given.slice === "function" && "byteLength" in given) {
    return new SlicedSource(given, count);
  }
  throw new TypeError(`${EXPECTED}, not ${given === null ? "null" : typeof given}`);
}

/**
 * @param {string | URL} given
 * @param {OpenOptions} options
 * @param {(count: number) => void} count
 * @returns {Promise<Source>}
 */
async function fromAddress(given, options, count) {
  const address = String(given);
  if (given instanceof URL || /^(https?|file):/i.test(address) || !IS_NODE) {
    const url = parsed(address);
    if (url.protocol === "http:" || url.protocol === "https:") return HTTPSource.open(url, options, count);
    if (url.protocol !== "file:" || !IS_NODE) {
      throw new TypeError(`${IS_NODE ? "expected an http, https or file URL" : "expected an http or https URL"}, not ${url.protocol}`);
    }
    given = url;
  } else if (/^[a-z][a-z0-9+.-]+:\/\//i.test(address)) {
    throw new TypeError(`expected a path, or an http, https or file URL, not ${address.slice(0, address.indexOf(":") + 1)}`);
  }
  const { FileSource } = await import("#files"); // bundlers for browsers leave this out
  return FileSource.open(given, count);
}

/** @param {string} address */
function parsed(address) {
  try {
    return new URL(address, globalThis.location?.href);
  } catch {
    throw new TypeError("the URL is not valid");
  }
}

/** @implements {Source} */
class MemorySource {
  name = null;

  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    this.bytes = bytes;
    this.nbytes = bytes.length;
  }

  get blob() {
    return new Blob([/** @type {BlobPart} */ (this.bytes)]);
  }

  /**
   * @param {number} start
   * @param {number} end
   */
  async read(start, end) {
    return this.bytes.subarray(start, end);
  }
}

/** @implements {Source} */
class BlobSource {
  /**
   * @param {Blob} blob
   * @param {(count: number) => void} count
   */
  constructor(blob, count) {
    this.name = "name" in blob && typeof blob.name === "string" ? blob.name : null;
    this.nbytes = blob.size;
    this.blob = blob;
    this._count = count;
  }

  /**
   * @param {number} start
   * @param {number} end
   * @param {ReadOptions} [options]
   */
  async read(start, end, { signal } = {}) {
    signal?.throwIfAborted();
    /** @type {ArrayBuffer} */
    let buffer;
    try {
      buffer = await this.blob.slice(start, end).arrayBuffer();
    } catch (error) {
      throw new FileError("the file can't be read: it was changed, moved or deleted", { cause: error });
    }
    signal?.throwIfAborted();
    return checked(new Uint8Array(buffer), start, end, this._count);
  }
}

/** @implements {Source} */
class SlicedSource {
  name = null;

  /**
   * @param {Sliceable} given
   * @param {(count: number) => void} count
   */
  constructor(given, count) {
    const nbytes = given.byteLength;
    if (!Number.isSafeInteger(nbytes) || nbytes < 0) {
      throw new TypeError(`expected byteLength as a whole number from 0 on, not ${String(nbytes)}`);
    }
    this.nbytes = nbytes;
    this._given = given;
    this._count = count;
  }

  /**
   * @param {number} start
   * @param {number} end
   * @param {ReadOptions} [options]
   */
  async read(start, end, { signal } = {}) {
    signal?.throwIfAborted();
    const part = await this._given.slice(start, end);
    const bytes = await bytesOf(part);
    signal?.throwIfAborted();
    return checked(bytes, start, end, this._count);
  }
}

/** @param {Part} part */
async function bytesOf(part) {
  if (typeof Blob === "function" && part instanceof Blob) return new Uint8Array(await part.arrayBuffer());
  if (isArrayBuffer(part)) return new Uint8Array(part);
  if (ArrayBuffer.isView(part) && isArrayBuffer(part.buffer)) {
    return new Uint8Array(part.buffer, part.byteOffset, part.byteLength);
  }
  // Shared memory may change at any time, and decoders refuse it, so copy it.
  if (ArrayBuffer.isView(part)) return new Uint8Array(part.buffer, part.byteOffset, part.byteLength).slice();
  if (isSharedArrayBuffer(part)) return new Uint8Array(part).slice();
  throw new TypeError("slice(start, end) returned something that is not an ArrayBuffer, a typed array or a Blob");
}

/**
 * Return whether a value is an ArrayBuffer. `instanceof` is false for buffers from another frame or context.
 *
 * @param {unknown} value
 * @returns {value is ArrayBuffer}
 */
function isArrayBuffer(value) {
  return Object.prototype.toString.call(value) === "[object ArrayBuffer]";
}

/**
 * @param {unknown} value
 * @returns {value is SharedArrayBuffer}
 */
function isSharedArrayBuffer(value) {
  return Object.prototype.toString.call(value) === "[object SharedArrayBuffer]";
}

/**
 * @param {Uint8Array} bytes
 * @param {number} start
 * @param {number} end
 * @param {(count: number) => void} count
 */
function checked(bytes, start, end, count) {
  if (bytes.length !== end - start) {
    throw new FileError(`requested ${end - start} bytes from byte ${start}, but got ${bytes.length}`);
  }
  count(bytes.length);
  return bytes;
}
