// The beginning of each generated index. `javascript.py` copies all but this comment.

/**
 * Data that is not valid.
 *
 * `kind` is "end" (the data is too short), "invalid" (a value is not allowed) or "depth". `pos` is the start of the
 * field at `path`. `reason` continues a sentence that begins with the field. `found` has the positions that the index
 * would have returned, up to the item that is refused. `needed` is the smallest size in bytes that the data must have
 * if it is too short.
 */
export class Refused extends Error {
  /**
   * @param {"end" | "invalid" | "depth"} kind
   * @param {number} pos
   * @param {string} path
   * @param {string} reason
   * @param {number} [needed]
   */
  constructor(kind, pos, path, reason, needed = 0) {
    super(`${path} ${reason}`);
    this.kind = kind;
    this.pos = pos;
    this.path = path;
    this.reason = reason;
    this.needed = needed;
    /** @type {Float64Array[]} */
    this.found = [];
  }
}

/**
 * Return the same error, with the path from the structure around it.
 *
 * @param {unknown} error
 * @param {string} field
 */
function within(error, field) {
  if (error instanceof Refused) error.path = `/${field}${error.path}`;
  return error;
}

/**
 * Return the same error, with the positions that were found before it.
 *
 * @param {unknown} error
 * @param {Float64Array[]} found
 */
function after(error, found) {
  if (error instanceof Refused) error.found = found;
  return error;
}

const MAX_INT = 0x7fffffff;
const TOGETHER = 1 << 10; // items

/** A list of positions. The caller of `reserve` has checked that the remaining bytes have room for the items. */
class Positions {
  constructor() {
    this.data = new Float64Array(0);
    this.size = 0;
  }

  /** @param {number} count */
  reserve(count) {
    if (this.size + count <= this.data.length) return;
    const data = new Float64Array(this.size + count);
    data.set(this.data.subarray(0, this.size));
    this.data = data;
  }

  /** @param {number} pos */
  push(pos) {
    this.data[this.size++] = pos;
  }

  taken() {
    return this.data.subarray(0, this.size);
  }
}

/**
 * A field and its span of bytes. Positions count from the start of the data.
 *
 * @typedef {object} TracedField
 * @property {string} name
 * @property {string} type its name in the schema, e.g. "u4", "bytes" or "gguf_string"; "" for an item of several types
 * @property {number} start
 * @property {number} end
 * @property {number | bigint} [value] of a number
 * @property {string} [repeated] "length" for a repeated field, which contains its items
 */

/**
 * The fields that a `trace_T` function reports. Keeps those that contain the byte at a position, the outermost first,
 * and the starts of the fields of the outermost structure.
 */
export class Trace {
  /** @param {number} target the position, or -1 */
  constructor(target) {
    this.target = target;
    /** @type {TracedField[]} */
    this.fields = [];
    /** @type {Map<string, number>} */
    this.starts = new Map();
    this.depth = 0;
  }

  /**
   * @param {number} start
   * @param {number} end
   */
  has(start, end) {
    return start <= this.target && this.target < end;
  }

  /**
   * @param {string} name
   * @param {string} type
   * @param {number} start
   * @param {number} end
   * @param {number | bigint} [value]
   */
  leaf(name, type, start, end, value) {
    if (this.depth === 0) this.starts.set(name, start);
    if (!this.has(start, end)) return;
    const field = { name, type, start, end };
    this.fields.push(value === undefined ? field : { ...field, value });
  }

  /**
   * Start a structure or a repeated field. `close` drops it if it does not contain the position.
   *
   * @param {string} name
   * @param {string} type
   * @param {number} start
   */
  open(name, type, start) {
    if (this.depth++ === 0) this.starts.set(name, start);
    const field = { name, type, start, end: Infinity };
    this.fields.push(field);
    return field;
  }

  /**
   * @param {TracedField} field returned by `open`
   * @param {number} end
   */
  close(field, end) {
    this.depth--;
    field.end = end;
    if (!this.has(field.start, end)) this.fields.splice(this.fields.indexOf(field), 1);
  }
}

/** @typedef {[type: string, value: number, little: boolean]} NumberPart an integer, e.g. of type u4 */

/**
 * Return integers and bytes, one after another. Throws RangeError for an integer that its type can't hold.
 *
 * @param {(Uint8Array | NumberPart)[]} parts
 */
function packed(parts) {
  const size = parts.reduce((sum, part) => sum + (part instanceof Uint8Array ? part.length : Number(part[0][1])), 0);
  const bytes = new Uint8Array(size);
  const view = new DataView(bytes.buffer);
  let pos = 0;
  for (const part of parts) {
    if (part instanceof Uint8Array) {
      bytes.set(part, pos);
      pos += part.length;
      continue;
    }
    const [type, value, little] = part;
    const size = Number(type[1]);
    const least = type[0] === "u" ? 0 : -(2 ** (8 * size - 1));
    if (!Number.isSafeInteger(value) || value < least || value >= least + 2 ** (8 * size)) {
      throw new RangeError(`${value} does not fit ${type}`);
    }
    if (size === 8) view.setBigUint64(pos, BigInt.asUintN(64, BigInt(value)), little);
    else if (size === 4) view.setUint32(pos, value, little);
    else if (size === 2) view.setUint16(pos, value, little);
    else view.setUint8(pos, value);
    pos += size;
  }
  return bytes;
}

/** The data, and methods that read it. Layouts extend this class. */
class Data {
  /**
   * @param {Uint8Array} bytes
   * @param {boolean} little whether numbers are little-endian, if the data determines it
   * @param {Record<string, number>} constants
   */
  constructor(bytes, little, constants) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.little = little;
    this.constants = constants;
    this.next = 0; // the end of the items that `sound` has checked
  }

  /**
   * Refuses a field that needs more bytes than are left.
   *
   * @param {number} pos
   * @param {number} size
   * @param {string} field
   */
  need(pos, size, field) {
    if (size > this.bytes.length - pos) {
      const left = Math.max(this.bytes.length - pos, 0);
      throw new Refused("end", pos, `/${field}`, `needs ${size} bytes, and ${left} are left`, pos + size);
    }
  }

  /**
   * @param {number} pos
   * @param {string} field
   * @param {string} reason
   * @returns {never}
   */
  refuse(pos, field, reason) {
    throw new Refused("invalid", pos, `/${field}`, reason);
  }

  /**
   * @param {number} pos
   * @param {number[]} contents
   */
  matches(pos, contents) {
    return contents.every((byte, index) => this.bytes[pos + index] === byte);
  }

  /**
   * @param {number} pos
   * @param {number} size
   */
  shown(pos, size) {
    return JSON.stringify(String.fromCharCode(...this.bytes.subarray(pos, pos + size)));
  }

  // Numbers. Numbers of 8 bytes are inexact from 2^53 on; the rounded value is then never below 2^53.

  /** @param {number} pos */
  u1(pos) {
    return this.view.getUint8(pos);
  }

  /** @param {number} pos */
  s1(pos) {
    return this.view.getInt8(pos);
  }

  /**
   * @param {number} pos
   * @param {boolean} little
   */
  u2(pos, little) {
    return this.view.getUint16(pos, little);
  }

  /**
   * @param {number} pos
   * @param {boolean} little
   */
  s2(pos, little) {
    return this.view.getInt16(pos, little);
  }

  /**
   * @param {number} pos
   * @param {boolean} little
   */
  u4(pos, little) {
    return this.view.getUint32(pos, little);
  }

  /**
   * @param {number} pos
   * @param {boolean} little
   */
  s4(pos, little) {
    return this.view.getInt32(pos, little);
  }

  /**
   * @param {number} pos
   * @param {boolean} little
   */
  f4(pos, little) {
    return this.view.getFloat32(pos, little);
  }

  /**
   * @param {number} pos
   * @param {boolean} little
   */
  f8(pos, little) {
    return this.view.getFloat64(pos, little);
  }

  /**
   * @param {number} pos
   * @param {boolean} little
   */
  u8(pos, little) {
    const first = this.view.getUint32(pos, little);
    const second = this.view.getUint32(pos + 4, little);
    return little ? second * 0x100000000 + first : first * 0x100000000 + second;
  }

  /**
   * @param {number} pos
   * @param {boolean} little
   */
  s8(pos, little) {
    return little
      ? this.view.getInt32(pos + 4, true) * 0x100000000 + this.view.getUint32(pos, true)
      : this.view.getInt32(pos, false) * 0x100000000 + this.view.getUint32(pos + 4, false);
  }

  /**
   * @param {number} pos
   * @param {boolean} little
   */
  exact_u8(pos, little) {
    return this.view.getBigUint64(pos, little);
  }

  /**
   * @param {number} pos
   * @param {boolean} little
   */
  exact_s8(pos, little) {
    return this.view.getBigInt64(pos, little);
  }

  /**
   * Return how many items, each a length of `width` bytes and that many bytes, are known to be valid, and set `next` to
   * their end. More may be valid.
   *
   * @param {2 | 4 | 8} width
   * @param {number} pos
   * @param {number} count
   * @param {number} limit of a length
   * @param {boolean} little
   * @param {Positions | null} found
   */
  sound(width, pos, count, limit, little, found) {
    this.next = pos;
    let done = 0;
    // In steps, because engines optimize a function fully only after many calls that have returned.
    for (let step = TOGETHER; step === TOGETHER && done < count && this.next <= MAX_INT; done += step) {
      step = this.follow(width, Math.min(count - done, TOGETHER), limit, little, found);
    }
    return done;
  }

  /**
   * The same for a few items. All numbers in here are 32-bit integers, which makes this four times as fast. Beyond
   * 2 GiB, items are followed one by one.
   *
   * @param {2 | 4 | 8} width
   * @param {number} count
   * @param {number} limit
   * @param {boolean} little
   * @param {Positions | null} found
   */
  follow(width, count, limit, little, found) {
    const { view } = this;
    const last = (Math.min(view.byteLength, MAX_INT) - width) | 0; // the last position where a length can start
    const most = Math.min(limit, MAX_INT) | 0;
    const items = count | 0;
    const low = width === 8 && !little ? 4 : 0;
    const high = width === 8 ? 4 - low : 0;
    const data = found === null ? null : found.data;
    const start = found === null ? 0 : found.size | 0;
    let at = this.next | 0;
    let done = 0;
    for (; done < items && at <= last; done = (done + 1) | 0) {
      const length = width === 2 ? view.getUint16(at, little) : view.getInt32((at + low) | 0, little);
      if (width === 8 && view.getInt32((at + high) | 0, little) !== 0) break;
      if (length < 0 || length > most || length > ((last - at) | 0)) break;
      if (data !== null) data[start + done] = at;
      at = (at + width + length) | 0;
    }
    if (found !== null) found.size = start + done;
    this.next = at;
    return done;
  }
}
