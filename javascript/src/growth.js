/**
 * How much of a file is read until its header is whole.
 *
 * How much is asked for at once was chosen by counting requests and bytes: 1 MiB has all of a header without a
 * vocabulary; after that the index says how many bytes are missing at least, and how many strings of which length.
 *
 * @module
 */

import { FileError, TruncatedError } from "./errors.js";
import { Header } from "./header.js";

export const FIRST = 1 << 20; // bytes that are asked for first
const GROWTH = 4 << 20; // bytes that are asked for next at most, if an array is missing that others may follow
const LEAST = 1 << 18; // bytes that are asked for next at least
const MOST = 32 << 20; // bytes that are asked for next at most, whatever a header claims: the index looks at them first
const EAGER = 4; // times as much as is expected is read of a local file: the merges that follow tokens, in one go

/**
 * The header of a file. No byte is read twice.
 *
 * @param {import("./sources.js").Source} source
 * @param {AbortSignal} [signal]
 */
export async function readHeader(source, signal) {
  const { nbytes } = source;
  let bytes = source.bytes ?? source.start ?? (await source.read(0, Math.min(FIRST, nbytes), { signal }));
  for (;;) {
    try {
      return new Header(bytes, nbytes);
    } catch (error) {
      const end = error instanceof TruncatedError ? nextEnd(error, bytes.length, source) : null;
      if (end === null) throw error;
      bytes = await extended(source, bytes, end, { signal });
    }
  }
}

/**
 * The first bytes of a file, of which some are there.
 *
 * @param {import("./sources.js").Source} source
 * @param {Uint8Array} bytes
 * @param {number} end
 * @param {import("./sources.js").ReadOptions} options
 */
async function extended(source, bytes, end, options) {
  const longer = allocated(source, end);
  longer.set(bytes);
  const rest = longer.subarray(bytes.length);
  if (source.fill) await source.fill(rest, bytes.length, options);
  else rest.set(await source.read(bytes.length, end, options));
  return longer;
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
 * How far to read on; null if no more of the file would help.
 *
 * @param {TruncatedError} error
 * @param {number} had
 * @param {import("./sources.js").Source} source
 */
function nextEnd(error, had, { nbytes, isLocal }) {
  if (Math.max(error.needed, had + 1) > nbytes) return null;
  // What is not in an array is small.
  let step = Math.max(2 * LEAST, Math.floor(had / 16));
  if (error.expected > error.needed) step = LEAST;
  else if (error.path?.includes("/elements")) step = Math.min(had, GROWTH);
  const most = isLocal ? Math.max(MOST, had) : MOST; // each time all bytes are copied: a gigabyte takes five times, not 32
  return Math.min(Math.max(error.expected, had + step) * (isLocal ? EAGER : 1), had + most, nbytes);
}
