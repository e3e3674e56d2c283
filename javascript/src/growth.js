/**
 * Reads a file until its header is complete.
 *
 * The sizes were chosen by counting requests and bytes. 1 MiB contains a whole header without a vocabulary. For larger
 * headers, the index reports how many bytes are missing at least, and the number and lengths of the strings.
 *
 * @module
 */

import { FileError, TruncatedError } from "./errors.js";
import { Header } from "./header.js";

export const FIRST = 1 << 20; // bytes of the first request
const LEAST = 1 << 16; // minimum bytes of a later request
const UNKNOWN = 1 << 18; // minimum bytes of a later request if the index has no estimate
const MOST = 32 << 20; // maximum bytes of any later request, whatever a header claims
const EAGER = 4; // local files are read up to this many times the expected size, to include the merges after the tokens

/**
 * Read the header of a file. No byte is read twice.
 *
 * @template [T=never]
 * @param {import("./sources.js").Source} source
 * @param {AbortSignal} [signal]
 * @param {(bytes: Uint8Array) => T} [salvage] returns the result for a header that is refused
 * @returns {Promise<Header | T>}
 */
export async function readHeader(source, signal, salvage) {
  const { nbytes } = source;
  let bytes = source.bytes ?? source.start ?? (await source.read(0, Math.min(FIRST, nbytes), { signal }));
  for (;;) {
    try {
      return new Header(bytes, nbytes);
    } catch (error) {
      const end = error instanceof TruncatedError ? nextEnd(error, bytes.length, source) : null;
      if (end === null && salvage) return salvage(bytes);
      if (end === null) throw error;
      bytes = await extended(source, bytes, end, { signal });
    }
  }
}

/**
 * Return the first bytes of a file, some of which are already in memory.
 *
 * @param {import("./sources.js").Source} source
 * @param {Uint8Array} bytes
 * @param {number} end
 * @param {import("./sources.js").ReadOptions} options
 */
async function extended(source, bytes, end, options) {
  const longer = allocated(source, end);
  longer.set(bytes);
  await fill(source, longer.subarray(bytes.length), bytes.length, options);
  return longer;
}

/**
 * Fill an array with the bytes of a source from a position on.
 *
 * @param {import("./sources.js").Source} source
 * @param {Uint8Array} target
 * @param {number} start
 * @param {import("./sources.js").ReadOptions} [options]
 */
export async function fill(source, target, start, options) {
  if (source.fill) await source.fill(target, start, options);
  else target.set(await source.read(start, start + target.length, options));
}

/**
 * @param {import("./sources.js").Source} source
 * @param {number} nbytes
 */
function allocated(source, nbytes) {
  try {
    return source.allocate ? source.allocate(nbytes) : new Uint8Array(nbytes);
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    const subject = source.name === null ? "the header" : `${source.name}: the header`;
    throw new FileError(`${subject} does not fit into one array: it takes ${nbytes} bytes or more`, { cause });
  }
}

/**
 * Return the position to read up to, or null if more bytes would not help.
 *
 * @param {TruncatedError} error
 * @param {number} had
 * @param {import("./sources.js").Source} source
 */
function nextEnd(error, had, { nbytes, isLocal }) {
  if (Math.max(error.needed, had + 1) > nbytes) return null;
  const step = Math.max(error.expected > error.needed ? LEAST : UNKNOWN, Math.floor(had / 16));
  const most = isLocal ? Math.max(MOST, had) : MOST; // each step copies all bytes: 5 steps for a gigabyte, not 32
  return Math.min(Math.max(error.expected, had + step) * (isLocal ? EAGER : 1), had + most, nbytes);
}
