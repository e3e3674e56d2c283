/**
 * What can go wrong, as one tree of errors.
 *
 *     GGUFError
 *     ├── FormatError         the bytes are not a valid GGUF file: has .offset and .path
 *     │   ├── NotGGUFError    they are something else
 *     │   └── TruncatedError  they end too early: has .needed
 *     ├── FileError           the file can't be read, or was replaced: has .status for an answer of a web server
 *     ├── TensorDataError     the data of one tensor is not available
 *     │   ├── UnknownTypeError
 *     │   └── MissingDataError
 *     └── ClosedError         the model was closed
 *
 * Wrong arguments are a TypeError or a RangeError. Reading that is aborted rejects with the reason of its signal.
 */

/** The root of all errors of this package. */
export class GGUFError extends Error {
  // Spelled out, since bundlers shorten the names of classes.
  /** @override */
  name = "GGUFError";

  /**
   * @param {string} message
   * @param {ErrorOptions} [options]
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

/** The bytes break a rule of the format, or hold a position, count or dimension beyond 2^53. */
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
    /** How many bytes the file must have at least. */
    this.needed = needed;
    /** How many bytes the header will take, judging by what is there of it. */
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
    /** The status of the web server's answer, if that is what was wrong. */
    this.status = status;
  }
}

/** The data of one tensor is not available; the rest of the file is. */
export class TensorDataError extends GGUFError {
  /** @override */
  name = "TensorDataError";
}

/** The number of the tensor's type is not known to this version, or ggml has removed the type. */
export class UnknownTypeError extends TensorDataError {
  /** @override */
  name = "UnknownTypeError";
}

/** The file ends before the data of the tensor does. */
export class MissingDataError extends TensorDataError {
  /** @override */
  name = "MissingDataError";
}

/** The model was closed. */
export class ClosedError extends GGUFError {
  /** @override */
  name = "ClosedError";
}
