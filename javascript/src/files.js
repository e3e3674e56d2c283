/**
 * Files in Node.js. No other module imports anything of Node's, and this one is loaded when a path is opened.
 *
 * @module
 */

import { open } from "node:fs/promises";
import { FileError } from "./errors.js";

/** @typedef {import("node:fs/promises").FileHandle} FileHandle */
/** @typedef {import("./sources.js").Source} Source */

const MOST = 1 << 30; // bytes that are read at once: the system takes no more than 2 GiB

/**
 * A file that is open while its header is read, and again for each read after that: nothing is left open by a program
 * that forgets to close a model. What is opened then must be the same file, unchanged.
 *
 * @implements {Source}
 */
export class FileSource {
  isLocal = true;

  /**
   * @param {string | URL} path
   * @param {string} version
   * @param {number} nbytes
   * @param {FileHandle} handle
   * @param {(count: number) => void} count
   */
  constructor(path, version, nbytes, handle, count) {
    this.name = String(path);
    this.nbytes = nbytes;
    this._path = path;
    this._version = version;
    /** @type {FileHandle | null} */
    this._handle = handle;
    this._count = count;
  }

  /**
   * @param {string | URL} path
   * @param {(count: number) => void} count
   */
  static async open(path, count) {
    const { handle, version, nbytes } = await opened(path);
    return new FileSource(path, version, nbytes, handle, count);
  }

  /** @param {number} nbytes */
  allocate(nbytes) {
    return new Uint8Array(Buffer.allocUnsafeSlow(nbytes).buffer); // not filled with zeros first
  }

  async settle() {
    const handle = this._handle;
    this._handle = null;
    await handle?.close();
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
    if (this._handle) return this._fillFrom(this._handle, target, start, signal);
    const { handle, version } = await opened(this._path);
    try {
      if (version !== this._version) throw new FileError(`${this.name}: the file was changed since it was opened`);
      return await this._fillFrom(handle, target, start, signal);
    } finally {
      await handle.close();
    }
  }

  /**
   * @param {FileHandle} handle
   * @param {Uint8Array} target
   * @param {number} start
   * @param {AbortSignal | undefined} signal
   */
  async _fillFrom(handle, target, start, signal) {
    for (let done = 0; done < target.length; ) {
      signal?.throwIfAborted();
      const { bytesRead } = await failing(this._path, () =>
        handle.read(target, done, Math.min(target.length - done, MOST), start + done),
      );
      if (bytesRead === 0) throw new FileError(`${this.name}: the file was cut short while it was read`);
      done += bytesRead;
      this._count(bytesRead);
    }
  }
}

/** @param {string | URL} path */
async function opened(path) {
  const handle = await failing(path, () => open(path));
  try {
    const stat = await failing(path, () => handle.stat({ bigint: true }));
    if (!stat.isFile()) throw new FileError(`${path}: is not a regular file`);
    return { handle, version: `${stat.dev} ${stat.ino} ${stat.size} ${stat.mtimeNs}`, nbytes: Number(stat.size) };
  } catch (error) {
    await handle.close();
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
