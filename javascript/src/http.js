/**
 * Files on web servers, read by ranges with `fetch`.
 *
 * Every response is checked: its range, and the size and ETag (or modification date) of the file, which must equal
 * those of the first response. This way, the bytes of a replaced file are never mixed with those of the old one. There
 * is no HEAD request: the first response has the size.
 *
 * @module
 */

import { FileError } from "./errors.js";
import { FIRST } from "./growth.js";
import { TemporaryError, Whole } from "./whole.js";

/** @typedef {import("./sources.js").OpenOptions} OpenOptions */
/** @typedef {import("./sources.js").Source} Source */

const RETRIES = 4; // retries of a request before an error is thrown
const BACK_OFF = 250; // milliseconds before the first retry; doubled each time
const PART = 1 << 16; // bytes read at once
const LONGEST_WAIT = 60_000; // milliseconds; if a server asks for more, that is an error

const TEMPORARY = new Set([408, 425, 429, 500, 502, 503, 504]);
const EXPIRED = new Set([400, 401, 403, 404, 410]); // from the target of a redirect that has expired
const CONTENT_RANGE = /^bytes (\d{1,16})-(\d{1,16})\/(\d{1,16})$/;

/**
 * A range of the file that is being read. Its first bytes may come from a response that ended early.
 *
 * @typedef {{ bytes: Uint8Array, done: number }} Target
 */

/** @implements {Source} */
export class HTTPSource {
  /**
   * @param {URL} url
   * @param {OpenOptions} options
   * @param {(count: number) => void} count
   */
  constructor(url, options, count) {
    this._url = withoutUser(url);
    this.name = withoutSecrets(url);
    this.nbytes = -1; // unknown
    /** @type {Uint8Array | undefined} */
    this.start = undefined;
    this._headers = new Headers(options.headers);
    if (url.username || url.password) {
      const user = `${unquoted(url.username)}:${unquoted(url.password)}`;
      const bytes = new TextEncoder().encode(user);
      if (!this._headers.has("authorization")) {
        this._headers.set("authorization", `Basic ${btoa(String.fromCharCode(...bytes))}`);
      }
    }
    this._fetch = options.fetch ?? globalThis.fetch;
    this._count = count;
    /** @type {string | null} */
    this._etag = null;
    /** @type {string | null} */
    this._modified = null;
    /** @type {URL | null} the target of the last redirect */
    this._location = null;
    /** @type {Whole | null} if the server does not send ranges */
    this._whole = null;
  }

  /**
   * @param {URL} url
   * @param {OpenOptions} options
   * @param {(count: number) => void} count
   */
  static async open(url, options, count) {
    if (typeof (options.fetch ?? globalThis.fetch) !== "function") throw new TypeError("expected fetch as a function");
    const source = new HTTPSource(url, options, count);
    try {
      source.start = await source._retried({ bytes: new Uint8Array(FIRST), done: 0 }, 0, options.signal);
    } catch (error) {
      await source.settle();
      throw error;
    }
    return source;
  }

  async settle() {
    this.start = undefined;
    await this._whole?.close();
  }

  /**
   * @param {number} start
   * @param {number} end
   * @param {import("./sources.js").ReadOptions} [options]
   */
  async read(start, end, options) {
    const bytes = new Uint8Array(end - start);
    await this.fill(bytes, start, options);
    return bytes;
  }

  /**
   * @param {Uint8Array} target
   * @param {number} start
   * @param {import("./sources.js").ReadOptions} [options]
   */
  async fill(target, start, { signal } = {}) {
    await this._retried({ bytes: target, done: 0 }, start, signal);
  }

  /**
   * @param {Target} target
   * @param {number} start
   * @param {AbortSignal | undefined} signal
   */
  async _retried(target, start, signal) {
    for (let attempt = 0; ; attempt++) {
      try {
        signal?.throwIfAborted();
        if (target.done < target.bytes.length) await this._fill(target, start, signal);
        return target.bytes;
      } catch (error) {
        signal?.throwIfAborted();
        if (!(error instanceof TemporaryError)) throw error;
        const { message, wait, cause } = error;
        if (attempt === RETRIES || wait > LONGEST_WAIT) this._fail(message, { cause });
        if (attempt) this._location = null; // the target of a redirect may be gone
        await sleep(Math.max(wait, BACK_OFF * 2 ** attempt * (0.5 + Math.random() / 2)), signal);
      }
    }
  }

  /**
   * @param {Target} target
   * @param {number} start
   * @param {AbortSignal | undefined} signal
   */
  async _fill(target, start, signal) {
    if (this._whole) return this._fillFromWhole(this._whole, target, start, signal);
    const response = await this._send(start + target.done, start + target.bytes.length, signal);
    if (response.status === 206) return this._collect(response, target, start);
    if (response.status === 200 && this.nbytes < 0) {
      const length = response.headers.get("content-length");
      if (length === null || !/^\d{1,15}$/.test(length)) {
        await response.body?.cancel();
        this._fail("the server sends neither the size of the file nor a range");
      }
      this._note(response, Number(length));
      this._whole = new Whole(response);
      return this._fillFromWhole(this._whole, target, start, signal);
    }
    await response.body?.cancel();
    if (response.status === 416) {
      this.nbytes = 0; // there is no first byte
      target.bytes = target.bytes.subarray(0, 0);
      return undefined;
    }
    // With If-Range, this is another file, unless the server has stopped sending ranges.
    const length = Number(response.headers.get("content-length") ?? this.nbytes);
    this._note(response, length);
    return this._fail("the server answered 200 to a range request, but supported ranges before");
  }

  /**
   * @param {Response} response
   * @param {Target} target
   * @param {number} start
   */
  async _collect(response, target, start) {
    const from = start + target.done;
    const header = response.headers.get("content-range");
    const [, first, last, size] = (header?.match(CONTENT_RANGE) ?? []).map(Number);
    if (first !== from || !(last >= first && last < size)) {
      await response.body?.cancel();
      const hint = header === null ? ": a server of another origin has to expose this header to web pages" : "";
      this._fail(`the server answered a range from byte ${from} with Content-Range ${JSON.stringify(header)}${hint}`);
    }
    try {
      this._note(response, size);
    } catch (error) {
      await response.body?.cancel();
      throw error;
    }
    if (start + target.bytes.length > size) target.bytes = target.bytes.subarray(0, size - start);
    const most = Math.min(last + 1 - start, target.bytes.length);
    const reader = readerOf(response);
    let buffer = new ArrayBuffer(PART);
    try {
      while (reader && target.done < most) {
        const { value, done } = await interrupted(reader.read(new Uint8Array(buffer)));
        if (done) break;
        this._add(target, value, most);
        buffer = value.buffer;
      }
    } finally {
      await reader?.cancel().catch(() => undefined); // rejects if the connection is broken
    }
    if (target.done < target.bytes.length) throw new TemporaryError("the answer ended early");
  }

  /**
   * @param {Target} target
   * @param {Uint8Array} bytes
   * @param {number} most
   */
  _add(target, bytes, most) {
    const part = bytes.subarray(0, most - target.done); // no more than the response announced
    target.bytes.set(part, target.done);
    target.done += part.length;
    this._count(part.length);
  }

  /**
   * @param {Whole} whole
   * @param {Target} target
   * @param {number} start
   * @param {AbortSignal | undefined} signal
   */
  async _fillFromWhole(whole, target, start, signal) {
    if (whole.isClosed) this._fail("the server does not send ranges: download the file to read its tensors");
    if (whole.isBroken) this._fail("the connection broke, and the server does not send ranges");
    const end = Math.min(start + target.bytes.length, this.nbytes);
    target.bytes = target.bytes.subarray(0, end - start);
    while (target.done < target.bytes.length) {
      signal?.throwIfAborted();
      this._add(target, await whole.next(start + target.done), target.bytes.length);
    }
  }

  /**
   * Return the response to a range request, whose status is 200, 206, or 416 if the file is empty.
   *
   * @param {number} start
   * @param {number} end
   * @param {AbortSignal | undefined} signal
   * @returns {Promise<Response>}
   */
  async _send(start, end, signal) {
    const location = this._location;
    const response = await this._request(location ?? this._url, start, end, signal);
    const { status, headers } = response;
    const isEmpty = status === 416 && start === 0 && this.nbytes < 0;
    if (status === 200 || status === 206 || (isEmpty && (headers.get("content-range") ?? "bytes */0") === "bytes */0")) {
      const encoding = headers.get("content-encoding");
      if (encoding !== null) {
        await response.body?.cancel();
        this._fail(`the server encodes the file as ${JSON.stringify(encoding)}`);
      }
      if (response.redirected) this._location = new URL(response.url);
      return response;
    }
    await response.body?.cancel();
    if (location && EXPIRED.has(status)) {
      this._location = null;
      return this._send(start, end, signal);
    }
    const words = `the server answered ${status} ${response.statusText}`.trimEnd();
    if (TEMPORARY.has(status)) throw new TemporaryError(words, retryAfter(headers));
    if (status === 416 && this.nbytes >= 0) this._fail("the file was replaced by another one while it was read");
    const hint = status === 401 || status === 403 ? ": the URL has expired, or a token is needed" : "";
    const missing = status === 404 || status === 410 ? `no such file (${words})` : words + hint;
    return this._fail(missing, { status });
  }

  /**
   * @param {URL} url
   * @param {number} start
   * @param {number} end
   * @param {AbortSignal | undefined} signal
   */
  async _request(url, start, end, signal) {
    const headers = new Headers(url.origin === this._url.origin ? this._headers : undefined);
    headers.set("range", `bytes=${start}-${end - 1}`);
    headers.delete("if-range");
    // A server of another origin would have to allow If-Range for web pages. The ETag is compared in any case.
    const isCrossOrigin = globalThis.location && globalThis.location.origin !== url.origin;
    if (isStrong(this._etag) && !isCrossOrigin) headers.set("if-range", this._etag);
    const { _fetch: fetch } = this;
    try {
      return await fetch(url, { headers, signal: signal ?? null, cache: "no-store" });
    } catch (error) {
      signal?.throwIfAborted();
      if (isCrossOrigin && this.nbytes < 0) {
        this._fail("there is no connection to the server, or it does not allow web pages of other origins", { cause: error });
      }
      throw new TemporaryError("there is no connection to the server", 0, error);
    }
  }

  /**
   * Keep the ETag, date and size of the first response, and compare those of later ones with them.
   *
   * @param {Response} response
   * @param {number} nbytes
   */
  _note({ headers }, nbytes) {
    const etag = headers.get("etag");
    const modified = isStrong(etag) ? null : headers.get("last-modified");
    if (this.nbytes < 0) {
      this.nbytes = nbytes;
      this._etag = etag;
      this._modified = modified;
    } else if (nbytes !== this.nbytes || etag !== this._etag || modified !== this._modified) {
      this._fail("the file was replaced by another one while it was read");
    }
  }

  /**
   * @param {string} words
   * @param {{ status?: number, cause?: unknown }} [details]
   * @returns {never}
   */
  _fail(words, details) {
    throw new FileError(`${this.name}: ${words}`, details);
  }
}

/**
 * Return a reader of a response, which reads into the same memory again and again if it can. Other chunks are garbage, of
 * which Chromium collects 100 to 400 MB before it frees them.
 *
 * @param {Response} response
 * @returns {any}
 */
function readerOf({ body }) {
  try {
    return body?.getReader({ mode: "byob" });
  } catch {
    return body?.getReader(); // a stream that a caller's `fetch` has made
  }
}

/**
 * @template T
 * @param {Promise<T>} reading
 */
async function interrupted(reading) {
  try {
    return await reading;
  } catch (error) {
    throw new TemporaryError("the connection broke", 0, error);
  }
}

/**
 * Return whether the response has a strong ETag, which changes with any byte of the file.
 *
 * @param {string | null} etag
 * @returns {etag is string}
 */
function isStrong(etag) {
  return etag !== null && etag !== "" && !etag.startsWith("W/");
}

/**
 * Return the number of milliseconds that a server asks clients to wait.
 *
 * @param {Headers} headers
 */
function retryAfter(headers) {
  const header = headers.get("retry-after") ?? "";
  const wait = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return wait > 0 ? wait : 0;
}

/**
 * @param {number} milliseconds
 * @param {AbortSignal | undefined} signal
 * @returns {Promise<void>}
 */
function sleep(milliseconds, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    const aborted = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    signal?.addEventListener("abort", aborted, { once: true });
  });
}

/**
 * Return the user or password of a URL. A "%" that does not start an escape is taken literally.
 *
 * @param {string} text
 */
function unquoted(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** @param {URL} url */
function withoutUser(url) {
  const copy = new URL(url);
  copy.username = copy.password = copy.hash = "";
  return copy;
}

/**
 * Return the URL for messages, without user, password and query, which may be secret.
 *
 * @param {URL} url
 */
function withoutSecrets(url) {
  const copy = withoutUser(url);
  copy.search = "";
  return copy.href;
}
