/**
 * Files in Node.js. This is the only module that imports Node's modules, and it is loaded when a path is opened.
 *
 * @module
 */

import { closeSync, constants, fstatSync, open as openFile, read as readFile } from "node:fs";
import { promisify } from "node:util";
import { FileError } from "./errors.js";

/** @typedef {import("./sources.js").Source} Source */

// Calls that may wait for a disk run in another thread. Fast calls do not, because switching threads takes longer.
const open = promisify(openFile);
const read = promisify(readFile);

const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0); // a pipe is refused without waiting for it

const MOST = 1 << 30; // bytes read at once; the system reads at most 2 GiB

/**
 * A file that is open while its header is read, and is opened again for each later read, so that a model that is never
 * closed leaves no file open. A file that is opened again must be unchanged.
 *
 * @implements {Source}
 */
export class FileSource {
  isLocal = true;

  /**
   * @param {string | URL} path
   * @param {string} version
   * @param {number} nbytes
   * @param {number} descriptor
   * @param {(count: number) => void} count
   */
  constructor(path, version, nbytes, descriptor, count) {
    this.name = String(path);
    this.nbytes = nbytes;
    this._path = path;
    this._version = version;
    /** @type {number | null} */
    this._descriptor = descriptor;
    this._count = count;
  }

  /**
   * @param {string | URL} path
   * @param {(count: number) => void} count
   */
  static async open(path, count) {
    const { descriptor, version, nbytes } = await opened(path);
    return new FileSource(path, version, nbytes, descriptor, count);
  }

  /** @param {number} nbytes */
  allocate(nbytes) {
    return new Uint8Array(Buffer.allocUnsafeSlow(nbytes).buffer); // not filled with zeros first
  }

  settle() {
    if (this._descriptor !== null) closeSync(this._descriptor);
    this._descriptor = null;
  }

  /**
   * @param {number} start
   * @param {number} end
   * @param {import("./sources.js").ReadOptions} [options]
   */
  async read(start, end, options) {
    const bytes = this.allocate(end - start);
    await this.fill(bytes, start, options);
    return bytes;
  }

  /**
   * @param {Uint8Array} target
   * @param {number} start
   * @param {import("./sources.js").ReadOptions} [options]
   */
  async fill(target, start, { signal } = {}) {
    signal?.throwIfAborted();
    if (this._descriptor !== null) return this._fillFrom(this._descriptor, target, start, signal);
    const { descriptor, version } = await opened(this._path);
    try {
      if (version !== this._version) throw new FileError(`${this.name}: the file was changed since it was opened`);
      return await this._fillFrom(descriptor, target, start, signal);
    } finally {
      closeSync(descriptor);
    }
  }

  /**
   * @param {number} descriptor
   * @param {Uint8Array} target
   * @param {number} start
   * @param {AbortSignal | undefined} signal
   */
  async _fillFrom(descriptor, target, start, signal) {
    for (let done = 0; done < target.length; ) {
      signal?.throwIfAborted();
      const { bytesRead } = await failing(this._path, () =>
        read(descriptor, target, done, Math.min(target.length - done, MOST), start + done),
      );
      if (bytesRead === 0) throw new FileError(`${this.name}: the file was cut short while it was read`);
      done += bytesRead;
      this._count(bytesRead);
    }
    signal?.throwIfAborted();
  }
}

/** @param {string | URL} path */
async function opened(path) {
  const descriptor = await failing(path, () => open(path, FLAGS));
  try {
    const stat = fstatSync(descriptor, { bigint: true });
    if (!stat.isFile()) throw new FileError(`${path}: is not a regular file`);
    return { descriptor, version: `${stat.dev} ${stat.ino} ${stat.size} ${stat.mtimeNs}`, nbytes: Number(stat.size) };
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

/**
 * @template T
 * @param {string | URL} path
 * @param {() => Promise<T>} action
 */
async function failing(path, action) {
  try {
    return await action();
  } catch (error) {
    const { code, message } = /** @type {NodeJS.ErrnoException} */ (error);
    const words = { ENOENT: "no such file", EISDIR: "is a directory", EACCES: "may not be read" }[code ?? ""];
    throw new FileError(`${path}: ${words ?? message}`, { cause: error });
  }
}
