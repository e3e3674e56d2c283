import { GGUFError } from "./errors.js";

/** A failure after which the request may be repeated. */
export class TemporaryError extends Error {
  /**
   * @param {string} message
   * @param {number} [wait] in milliseconds
   * @param {unknown} [cause]
   */
  constructor(message, wait = 0, cause = undefined) {
    super(message, { cause });
    this.wait = wait;
  }
}

/** The response of a server that sends the whole file, read as far as needed. */
export class Whole {
  /** @param {Response} response */
  constructor(response) {
    this._reader = response.body?.getReader();
    this._position = 0; // of the next chunk
    this._rest = new Uint8Array(0); // the rest of a chunk that was not needed yet
    this.isBroken = false;
    this.isClosed = false;
  }

  /**
   * Return the next bytes, which start where the previous ones ended.
   *
   * @param {number} position
   */
  async next(position) {
    const left = this._position - position;
    if (left < 0 || left > this._rest.length) throw new GGUFError("a whole response can only be read in order");
    const kept = this._rest.subarray(this._rest.length - left);
    if (kept.length) return kept;
    try {
      const { value, done } = (await this._reader?.read()) ?? { value: undefined, done: true };
      if (done || !value) throw new TemporaryError("the answer ended early");
      this._rest = value;
      this._position += value.length;
      return value;
    } catch (error) {
      this.isBroken = true;
      throw error instanceof TemporaryError ? error : new TemporaryError("the connection broke", 0, error);
    }
  }

  async close() {
    this.isClosed = true;
    this._rest = new Uint8Array(0);
    await this._reader?.cancel().catch(() => undefined); // rejects if the connection is broken
  }
}
