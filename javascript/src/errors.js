/**
 * The errors of this package.
 *
 *     GGUFError
 *     ├── FormatError         the bytes are not a valid GGUF file: has .offset and .path
 *     │   ├── NotGGUFError    they are something else
 *     │   └── TruncatedError  they end too early: has .needed
 *     ├── FileError           the file can't be read, or was replaced: has .status if a web server answered
 *     ├── TensorDataError     the data of one tensor is not available
 *     │   ├── UnknownTypeError
 *     │   └── MissingDataError
 *     ├── WriteError          GGUF can't store a value or a name, or a change is not possible
 *     └── ClosedError         the model was closed
 *
 * Wrong arguments throw a TypeError or a RangeError. An aborted read rejects with the reason of its signal.
 */

/** The root of all errors of this package. */
export class GGUFError extends Error {
  // A literal, because bundlers shorten class names.
  /** @override */
  name = "GGUFError";

  /**
   * @param {string} message
   * @param {{ cause?: unknown }} [options]
   */
  constructor(message, options) {
    super(message, options);
    /**
     * The byte, from the start of the file, where the offending field starts. Only a FormatError has one.
     * @type {number | undefined}
     */
    this.offset = undefined;
    /**
     * The offending field, e.g. `/metadata/12/value/elements/3`. Only a FormatError has one.
     * @type {string | undefined}
     */
    this.path = undefined;
  }
}

/** The bytes break a rule of the format, or contain a position, count or dimension beyond 2^53. */
export class FormatError extends GGUFError {
  /** @override */
  name = "FormatError";

  /**
   * @param {string} message
   * @param {{ offset: number, path: string }} place
   */
  constructor(message, { offset, path }) {
    super(`${message} (at byte 0x${offset.toString(16)})`);
    this.offset = offset;
    this.path = path;
  }
}

/** The bytes are not GGUF at all; the message says what they look like. */
export class NotGGUFError extends FormatError {
  /** @override */
  name = "NotGGUFError";
}

/** The bytes end before the header does. */
export class TruncatedError extends FormatError {
  /** @override */
  name = "TruncatedError";

  /**
   * @param {string} message
   * @param {{ offset: number, path: string, needed: number, expected?: number }} place
   */
  constructor(message, { offset, path, needed, expected = 0 }) {
    super(message, { offset, path });
    /** The smallest size in bytes that the file must have. */
    this.needed = needed;
    /** An estimate of the size of the header in bytes, from the part that was read. */
    this.expected = Math.max(expected, needed);
  }
}

/** A file can't be read, or was replaced while it was read. */
export class FileError extends GGUFError {
  /** @override */
  name = "FileError";

  /**
   * @param {string} message
   * @param {{ status?: number, cause?: unknown }} [details]
   */
  constructor(message, { status, cause } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    /** The status of the web server's response, if it caused the error. */
    this.status = status;
  }
}

/** The data of one tensor is not available; the rest of the file is. */
export class TensorDataError extends GGUFError {
  /** @override */
  name = "TensorDataError";
}

/** This version does not know the tensor's type, or ggml has removed it. */
export class UnknownTypeError extends TensorDataError {
  /** @override */
  name = "UnknownTypeError";
}

/** The file ends before the data of the tensor does. */
export class MissingDataError extends TensorDataError {
  /** @override */
  name = "MissingDataError";
}

/** GGUF can't store a value or a name, or a change is not possible. The message names the key or the tensor. */
export class WriteError extends GGUFError {
  /** @override */
  name = "WriteError";
}

/** The model was closed. */
export class ClosedError extends GGUFError {
  /** @override */
  name = "ClosedError";
}
