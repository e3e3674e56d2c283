// This is a generated file! Please edit schema/gguf.ksy and run `make generate`.

/**
 * An index of gguf data: a class for each layout, chosen by `layout(bytes)`.
 *
 * `index_…` reads the data once and returns positions. Lengths and counts are checked against the bytes that are left
 * before anything is skipped or repeated. `Refused` has the position and the reason if data is not valid.
 *
 * @module
 */

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

const MAX_LENGTH = 1073741824;

/** The layout of gguf where version is 1. */
export class Layout1 extends Data {
  /**
   * The positions of `body.metadata`, the positions of `body.tensors`, the end. Throws `Refused`.
   *
   * @param {number} pos
   * @returns {[Float64Array, Float64Array, number]}
   */
  index_gguf(pos) {
    const metadata_ = new Positions();
    const tensors_ = new Positions();
    try {
      this.need(pos, 4, "magic");
      if (!this.matches(pos, [71, 71, 85, 70])) {
        this.refuse(pos, "magic", `is ${this.shown(pos, 4)}, expected "GGUF"`);
      }
      pos += 4;
      try {
        pos = this.check_gguf_body(pos, 0, metadata_, tensors_);
      } catch (error) {
        throw within(error, "body");
      }
    } catch (error) {
      throw after(error, [metadata_.taken(), tensors_.taken()]);
    }
    return [metadata_.taken(), tensors_.taken(), pos];
  }

  /**
   * The positions of `items`, the end. Throws `Refused`.
   *
   * @param {number} pos
   * @param {number} num_elements_
   * @returns {[Float64Array, number]}
   */
  index_string_elements(pos, num_elements_) {
    let item_ = 0;
    const items_ = new Positions();
    try {
      this.need(pos, num_elements_ * 4, "items");
      items_.reserve(num_elements_);
      item_ = this.sound(4, pos, num_elements_, MAX_LENGTH, this.little, items_);
      pos = this.next;
      for (; item_ < num_elements_; item_++) {
        items_.push(pos);
        try {
          pos = this.check_gguf_string(pos);
        } catch (error) {
          throw within(error, `items/${item_}`);
        }
      }
    } catch (error) {
      throw after(error, [items_.taken()]);
    }
    return [items_.taken(), pos];
  }

  /**
   * The positions of `items`, the end. Throws `Refused`.
   *
   * @param {number} pos
   * @param {number} num_elements_
   * @returns {[Float64Array, number]}
   */
  index_array_elements(pos, num_elements_) {
    let item_ = 0;
    const items_ = new Positions();
    try {
      this.need(pos, num_elements_ * 8, "items");
      items_.reserve(num_elements_);
      for (item_ = 0; item_ < num_elements_; item_++) {
        items_.push(pos);
        try {
          pos = this.check_gguf_array(pos, 1);
        } catch (error) {
          throw within(error, `items/${item_}`);
        }
      }
    } catch (error) {
      throw after(error, [items_.taken()]);
    }
    return [items_.taken(), pos];
  }

  /**
   * @param {number} pos
   * @returns {number}
   */
  check_gguf_string(pos) {
    let len_data_ = 0;
    this.need(pos, 4, "len_data");
    len_data_ = this.u4(pos, this.little);
    if (len_data_ > MAX_LENGTH) {
      this.refuse(pos, "len_data", `is ${this.u4(pos, this.little)}, expected at most ${MAX_LENGTH}`);
    }
    pos += 4;
    this.need(pos, len_data_, "data");
    pos += len_data_;
    return pos;
  }

  /**
   * @param {number} pos
   * @param {number} depth
   * @returns {number}
   */
  check_key_value(pos, depth) {
    let value_type_ = 0;
    try {
      pos = this.check_gguf_string(pos);
    } catch (error) {
      throw within(error, "key");
    }
    this.need(pos, 4, "value_type");
    value_type_ = this.u4(pos, this.little);
    if (value_type_ > 12) {
      this.refuse(pos, "value_type", `is ${this.u4(pos, this.little)}, expected a value_type`);
    }
    pos += 4;
    switch (value_type_) {
      case 0:
      case 1:
      case 7:
        this.need(pos, 1, "value");
        pos += 1;
        break;
      case 2:
      case 3:
        this.need(pos, 2, "value");
        pos += 2;
        break;
      case 4:
      case 5:
      case 6:
        this.need(pos, 4, "value");
        pos += 4;
        break;
      case 8:
        try {
          pos = this.check_gguf_string(pos);
        } catch (error) {
          throw within(error, "value");
        }
        break;
      case 9:
        try {
          pos = this.check_gguf_array(pos, depth + 1);
        } catch (error) {
          throw within(error, "value");
        }
        break;
      case 10:
      case 11:
      case 12:
        this.need(pos, 8, "value");
        pos += 8;
        break;
      default:
        break;
    }
    return pos;
  }

  /**
   * @param {number} pos
   * @returns {number}
   */
  check_tensor_info(pos) {
    let num_dims_ = 0;
    try {
      pos = this.check_gguf_string(pos);
    } catch (error) {
      throw within(error, "name");
    }
    this.need(pos, 4, "num_dims");
    num_dims_ = this.u4(pos, this.little);
    if (num_dims_ > 4) {
      this.refuse(pos, "num_dims", `is ${this.u4(pos, this.little)}, expected at most 4`);
    }
    pos += 4;
    this.need(pos, num_dims_ * 4, "dims");
    pos += num_dims_ * 4;
    this.need(pos, 4, "type_id");
    pos += 4;
    this.need(pos, 8, "ofs_data");
    pos += 8;
    return pos;
  }

  /**
   * @param {number} pos
   * @param {number} depth
   * @param {Positions} metadata_
   * @param {Positions} tensors_
   * @returns {number}
   */
  check_gguf_body(pos, depth, metadata_, tensors_) {
    let num_tensors_ = 0, num_metadata_ = 0, item_ = 0;
    this.need(pos, 4, "version");
    pos += 4;
    this.need(pos, 4, "num_tensors");
    num_tensors_ = this.u4(pos, this.little);
    if (num_tensors_ > MAX_LENGTH) {
      this.refuse(pos, "num_tensors", `is ${this.u4(pos, this.little)}, expected at most ${MAX_LENGTH}`);
    }
    pos += 4;
    this.need(pos, 4, "num_metadata");
    num_metadata_ = this.u4(pos, this.little);
    if (num_metadata_ > MAX_LENGTH) {
      this.refuse(pos, "num_metadata", `is ${this.u4(pos, this.little)}, expected at most ${MAX_LENGTH}`);
    }
    pos += 4;
    this.need(pos, num_metadata_ * 8, "metadata");
    metadata_.reserve(num_metadata_);
    for (item_ = 0; item_ < num_metadata_; item_++) {
      metadata_.push(pos);
      try {
        pos = this.check_key_value(pos, depth);
      } catch (error) {
        throw within(error, `metadata/${item_}`);
      }
    }
    this.need(pos, num_tensors_ * 20, "tensors");
    tensors_.reserve(num_tensors_);
    for (item_ = 0; item_ < num_tensors_; item_++) {
      tensors_.push(pos);
      try {
        pos = this.check_tensor_info(pos);
      } catch (error) {
        throw within(error, `tensors/${item_}`);
      }
    }
    return pos;
  }

  /**
   * @param {number} pos
   * @param {number} depth
   * @returns {number}
   */
  check_gguf_array(pos, depth) {
    let element_type_ = 0, num_elements_ = 0, item_ = 0;
    if (depth > 128) {
      throw new Refused("depth", pos, "", "is nested more than 128 levels deep");
    }
    this.need(pos, 4, "element_type");
    element_type_ = this.u4(pos, this.little);
    if (element_type_ > 12) {
      this.refuse(pos, "element_type", `is ${this.u4(pos, this.little)}, expected a value_type`);
    }
    pos += 4;
    this.need(pos, 4, "num_elements");
    num_elements_ = this.u4(pos, this.little);
    if (num_elements_ > MAX_LENGTH) {
      this.refuse(pos, "num_elements", `is ${this.u4(pos, this.little)}, expected at most ${MAX_LENGTH}`);
    }
    pos += 4;
    switch (element_type_) {
      case 0:
      case 1:
      case 7:
        this.need(pos, num_elements_, "elements");
        pos += num_elements_;
        break;
      case 2:
      case 3:
        this.need(pos, num_elements_ * 2, "elements");
        pos += num_elements_ * 2;
        break;
      case 4:
      case 5:
      case 6:
        this.need(pos, num_elements_ * 4, "elements");
        pos += num_elements_ * 4;
        break;
      case 8:
        this.need(pos, num_elements_ * 4, "elements");
        item_ = this.sound(4, pos, num_elements_, MAX_LENGTH, this.little, null);
        pos = this.next;
        for (; item_ < num_elements_; item_++) {
          try {
            pos = this.check_gguf_string(pos);
          } catch (error) {
            throw within(error, `elements/${item_}`);
          }
        }
        break;
      case 9:
        this.need(pos, num_elements_ * 8, "elements");
        for (item_ = 0; item_ < num_elements_; item_++) {
          try {
            pos = this.check_gguf_array(pos, depth + 1);
          } catch (error) {
            throw within(error, `elements/${item_}`);
          }
        }
        break;
      case 10:
      case 11:
      case 12:
        this.need(pos, num_elements_ * 8, "elements");
        pos += num_elements_ * 8;
        break;
      default:
        break;
    }
    return pos;
  }

  /**
   * `key.data`, `value_type`, `value` of the key_value at a position; bytes as their start and end. Throws `Refused`.
   *
   * @param {number} pos
   * @returns {[number, number, number, number]}
   */
  row_key_value(pos) {
    let len_data_ = 0, key_data_start_ = 0, key_data_end_ = 0, value_type_ = 0;
    this.need(pos, 4, "value_u4");
    len_data_ = this.u4(pos, this.little);
    if (len_data_ > MAX_LENGTH) {
      this.refuse(pos, "value_u4", "has changed since it was indexed");
    }
    pos += 4;
    this.need(pos, len_data_, "data");
    key_data_start_ = pos;
    key_data_end_ = pos + len_data_;
    pos += len_data_;
    this.need(pos, 4, "value_type");
    value_type_ = this.u4(pos, this.little);
    if (value_type_ > 12) {
      this.refuse(pos, "value_type", "has changed since it was indexed");
    }
    pos += 4;
    return [key_data_start_, key_data_end_, value_type_, pos];
  }

  /**
   * `name.data`, `num_dims`, `dims`, `type_id`, `ofs_data` of the tensor_info at a position; bytes as their start and end. Throws `Refused`.
   *
   * @param {number} pos
   * @returns {[number, number, number, number[], number, number]}
   */
  row_tensor_info(pos) {
    let len_data_ = 0, name_data_start_ = 0, name_data_end_ = 0, num_dims_ = 0, type_id_ = 0, ofs_data_ = 0;
    this.need(pos, 4, "value_u4");
    len_data_ = this.u4(pos, this.little);
    if (len_data_ > MAX_LENGTH) {
      this.refuse(pos, "value_u4", "has changed since it was indexed");
    }
    pos += 4;
    this.need(pos, len_data_, "data");
    name_data_start_ = pos;
    name_data_end_ = pos + len_data_;
    pos += len_data_;
    this.need(pos, 4, "num_dims");
    num_dims_ = this.u4(pos, this.little);
    if (num_dims_ > 4) {
      this.refuse(pos, "num_dims", "has changed since it was indexed");
    }
    pos += 4;
    this.need(pos, num_dims_ * 4, "dims");
    const dims_ = new Array(num_dims_);
    for (let index = 0; index < num_dims_; index++) {
      dims_[index] = this.u4(pos + index * 4, this.little);
    }
    pos += num_dims_ * 4;
    this.need(pos, 4, "type_id");
    type_id_ = this.u4(pos, this.little);
    pos += 4;
    this.need(pos, 8, "ofs_data");
    ofs_data_ = this.u8(pos, this.little);
    pos += 8;
    return [name_data_start_, name_data_end_, num_dims_, dims_, type_id_, ofs_data_];
  }

  /**
   * `element_type`, `num_elements`, `elements` of the gguf_array at a position; bytes as their start and end. Throws `Refused`.
   *
   * @param {number} pos
   * @returns {[number, number, number]}
   */
  row_gguf_array(pos) {
    let element_type_ = 0, num_elements_ = 0;
    this.need(pos, 4, "element_type");
    element_type_ = this.u4(pos, this.little);
    if (element_type_ > 12) {
      this.refuse(pos, "element_type", "has changed since it was indexed");
    }
    pos += 4;
    this.need(pos, 4, "value_u4");
    num_elements_ = this.u4(pos, this.little);
    if (num_elements_ > MAX_LENGTH) {
      this.refuse(pos, "value_u4", "has changed since it was indexed");
    }
    pos += 4;
    return [element_type_, num_elements_, pos];
  }

  /**
   * `data` of the gguf_string at a position; bytes as their start and end. Throws `Refused`.
   *
   * @param {number} pos
   * @returns {[number, number]}
   */
  row_gguf_string(pos) {
    let len_data_ = 0, data_start_ = 0, data_end_ = 0;
    this.need(pos, 4, "value_u4");
    len_data_ = this.u4(pos, this.little);
    if (len_data_ > MAX_LENGTH) {
      this.refuse(pos, "value_u4", "has changed since it was indexed");
    }
    pos += 4;
    this.need(pos, len_data_, "data");
    data_start_ = pos;
    data_end_ = pos + len_data_;
    pos += len_data_;
    return [data_start_, data_end_];
  }

  /**
   * The bytes of a gguf of `body.version`, `body.num_tensors`, `body.num_metadata`. Throws RangeError.
   *
   * @param {number} body_version
   * @param {number} body_num_tensors
   * @param {number} body_num_metadata
   * @returns {Uint8Array<ArrayBuffer>}
   */
  pack_gguf(body_version, body_num_tensors, body_num_metadata) {
    if (body_num_tensors > MAX_LENGTH) throw new RangeError(`num_tensors is ${body_num_tensors}, expected at most ${MAX_LENGTH}`);
    if (body_num_metadata > MAX_LENGTH) throw new RangeError(`num_metadata is ${body_num_metadata}, expected at most ${MAX_LENGTH}`);
    return packed([
      Uint8Array.of(71, 71, 85, 70),
      ["u4", body_version, this.little],
      ["u4", body_num_tensors, this.little],
      ["u4", body_num_metadata, this.little],
    ]);
  }

  /**
   * The bytes of a key_value of `key.data`, `value_type`. Throws RangeError.
   *
   * @param {Uint8Array} key_data
   * @param {number} value_type
   * @returns {Uint8Array<ArrayBuffer>}
   */
  pack_key_value(key_data, value_type) {
    if (key_data.length > MAX_LENGTH) throw new RangeError(`len_data is ${key_data.length}, expected at most ${MAX_LENGTH}`);
    if (value_type > 12) throw new RangeError(`value_type is ${value_type}, expected a value_type`);
    return packed([
      ["u4", key_data.length, this.little],
      key_data,
      ["u4", value_type, this.little],
    ]);
  }

  /**
   * The bytes of a tensor_info of `name.data`, `dims`, `type_id`, `ofs_data`. Throws RangeError.
   *
   * @param {Uint8Array} name_data
   * @param {number[]} dims
   * @param {number} type_id
   * @param {number} ofs_data
   * @returns {Uint8Array<ArrayBuffer>}
   */
  pack_tensor_info(name_data, dims, type_id, ofs_data) {
    if (name_data.length > MAX_LENGTH) throw new RangeError(`len_data is ${name_data.length}, expected at most ${MAX_LENGTH}`);
    if (dims.length > 4) throw new RangeError(`num_dims is ${dims.length}, expected at most 4`);
    return packed([
      ["u4", name_data.length, this.little],
      name_data,
      ["u4", dims.length, this.little],
      ...dims.map((each) => /** @type {NumberPart} */ (["u4", each, this.little])),
      ["u4", type_id, this.little],
      ["u8", ofs_data, this.little],
    ]);
  }

  /**
   * The bytes of a gguf_array of `element_type`, `num_elements`. Throws RangeError.
   *
   * @param {number} element_type
   * @param {number} num_elements
   * @returns {Uint8Array<ArrayBuffer>}
   */
  pack_gguf_array(element_type, num_elements) {
    if (element_type > 12) throw new RangeError(`element_type is ${element_type}, expected a value_type`);
    if (num_elements > MAX_LENGTH) throw new RangeError(`num_elements is ${num_elements}, expected at most ${MAX_LENGTH}`);
    return packed([
      ["u4", element_type, this.little],
      ["u4", num_elements, this.little],
    ]);
  }

  /**
   * The bytes of a gguf_string of `data`. Throws RangeError.
   *
   * @param {Uint8Array} data
   * @returns {Uint8Array<ArrayBuffer>}
   */
  pack_gguf_string(data) {
    if (data.length > MAX_LENGTH) throw new RangeError(`len_data is ${data.length}, expected at most ${MAX_LENGTH}`);
    return packed([
      ["u4", data.length, this.little],
      data,
    ]);
  }

  /**
   * Reports the position of each field of an indexed item. Returns the end.
   *
   * @param {Trace} trace
   * @param {number} pos
   * @returns {number}
   */
  trace_gguf(trace, pos) {
    let num_tensors_ = 0, num_metadata_ = 0, item_ = 0, end_ = 0;
    trace.leaf("magic", "bytes", pos, pos + 4);
    pos += 4;
    {
      const field = trace.open("body", "gguf_body", pos);
      this.need(pos, 4, "version");
      trace.leaf("version", "u4", pos, pos + 4, this.u4(pos, this.little));
      pos += 4;
      this.need(pos, 4, "num_tensors");
      num_tensors_ = this.u4(pos, this.little);
      trace.leaf("num_tensors", "u4", pos, pos + 4, this.u4(pos, this.little));
      pos += 4;
      this.need(pos, 4, "num_metadata");
      num_metadata_ = this.u4(pos, this.little);
      trace.leaf("num_metadata", "u4", pos, pos + 4, this.u4(pos, this.little));
      pos += 4;
      {
        const field = trace.open("metadata", "key_value", pos);
        for (item_ = 0; item_ < num_metadata_; item_++) {
          end_ = this.check_key_value(pos, 0);
          if (trace.has(pos, end_)) {
            {
              const field = trace.open(`${item_}`, "key_value", pos);
              pos = this.trace_key_value(trace, pos);
              trace.close(field, pos);
            }
          }
          pos = end_;
        }
        trace.close(field, pos);
      }
      {
        const field = trace.open("tensors", "tensor_info", pos);
        for (item_ = 0; item_ < num_tensors_; item_++) {
          end_ = this.check_tensor_info(pos);
          if (trace.has(pos, end_)) {
            {
              const field = trace.open(`${item_}`, "tensor_info", pos);
              pos = this.trace_tensor_info(trace, pos);
              trace.close(field, pos);
            }
          }
          pos = end_;
        }
        trace.close(field, pos);
      }
      trace.close(field, pos);
    }
    return pos;
  }

  /**
   * Reports the position of each field of an indexed item. Returns the end.
   *
   * @param {Trace} trace
   * @param {number} pos
   * @returns {number}
   */
  trace_key_value(trace, pos) {
    let len_data_ = 0, value_type_ = 0, len_data_2 = 0;
    {
      const field = trace.open("key", "gguf_string", pos);
      this.need(pos, 4, "len_data");
      len_data_ = this.u4(pos, this.little);
      trace.leaf("len_data", "u4", pos, pos + 4, this.u4(pos, this.little));
      pos += 4;
      trace.leaf("data", "bytes", pos, pos + len_data_);
      pos += len_data_;
      trace.close(field, pos);
    }
    this.need(pos, 4, "value_type");
    value_type_ = this.u4(pos, this.little);
    trace.leaf("value_type", "u4", pos, pos + 4, this.u4(pos, this.little));
    pos += 4;
    switch (value_type_) {
      case 0:
      case 7:
        this.need(pos, 1, "value");
        trace.leaf("value", "u1", pos, pos + 1, this.u1(pos));
        pos += 1;
        break;
      case 1:
        this.need(pos, 1, "value");
        trace.leaf("value", "s1", pos, pos + 1, this.s1(pos));
        pos += 1;
        break;
      case 2:
        this.need(pos, 2, "value");
        trace.leaf("value", "u2", pos, pos + 2, this.u2(pos, this.little));
        pos += 2;
        break;
      case 3:
        this.need(pos, 2, "value");
        trace.leaf("value", "s2", pos, pos + 2, this.s2(pos, this.little));
        pos += 2;
        break;
      case 4:
        this.need(pos, 4, "value");
        trace.leaf("value", "u4", pos, pos + 4, this.u4(pos, this.little));
        pos += 4;
        break;
      case 5:
        this.need(pos, 4, "value");
        trace.leaf("value", "s4", pos, pos + 4, this.s4(pos, this.little));
        pos += 4;
        break;
      case 6:
        this.need(pos, 4, "value");
        trace.leaf("value", "f4", pos, pos + 4, this.f4(pos, this.little));
        pos += 4;
        break;
      case 8:
        {
          const field = trace.open("value", "gguf_string", pos);
          this.need(pos, 4, "len_data");
          len_data_2 = this.u4(pos, this.little);
          trace.leaf("len_data", "u4", pos, pos + 4, this.u4(pos, this.little));
          pos += 4;
          trace.leaf("data", "bytes", pos, pos + len_data_2);
          pos += len_data_2;
          trace.close(field, pos);
        }
        break;
      case 9:
        {
          const field = trace.open("value", "gguf_array", pos);
          pos = this.trace_inner_gguf_array(trace, pos, 1);
          trace.close(field, pos);
        }
        break;
      case 10:
        this.need(pos, 8, "value");
        trace.leaf("value", "u8", pos, pos + 8, this.exact_u8(pos, this.little));
        pos += 8;
        break;
      case 11:
        this.need(pos, 8, "value");
        trace.leaf("value", "s8", pos, pos + 8, this.exact_s8(pos, this.little));
        pos += 8;
        break;
      case 12:
        this.need(pos, 8, "value");
        trace.leaf("value", "f8", pos, pos + 8, this.f8(pos, this.little));
        pos += 8;
        break;
      default:
        break;
    }
    return pos;
  }

  /**
   * Reports the position of each field of an indexed item. Returns the end.
   *
   * @param {Trace} trace
   * @param {number} pos
   * @returns {number}
   */
  trace_tensor_info(trace, pos) {
    let len_data_ = 0, num_dims_ = 0, item_ = 0;
    {
      const field = trace.open("name", "gguf_string", pos);
      this.need(pos, 4, "len_data");
      len_data_ = this.u4(pos, this.little);
      trace.leaf("len_data", "u4", pos, pos + 4, this.u4(pos, this.little));
      pos += 4;
      trace.leaf("data", "bytes", pos, pos + len_data_);
      pos += len_data_;
      trace.close(field, pos);
    }
    this.need(pos, 4, "num_dims");
    num_dims_ = this.u4(pos, this.little);
    trace.leaf("num_dims", "u4", pos, pos + 4, this.u4(pos, this.little));
    pos += 4;
    {
      const field = trace.open("dims", "u4", pos);
      for (item_ = 0; item_ < num_dims_; item_++) {
        trace.leaf(`${item_}`, "u4", pos, pos + 4, this.u4(pos, this.little));
        pos += 4;
      }
      trace.close(field, pos);
    }
    this.need(pos, 4, "type_id");
    trace.leaf("type_id", "u4", pos, pos + 4, this.u4(pos, this.little));
    pos += 4;
    this.need(pos, 8, "ofs_data");
    trace.leaf("ofs_data", "u8", pos, pos + 8, this.exact_u8(pos, this.little));
    pos += 8;
    return pos;
  }

  /**
   * @param {Trace} trace
   * @param {number} pos
   * @param {number} depth
   * @returns {number}
   */
  trace_inner_gguf_array(trace, pos, depth) {
    let element_type_ = 0, num_elements_ = 0, item_ = 0, end_ = 0, len_data_ = 0;
    this.need(pos, 4, "element_type");
    element_type_ = this.u4(pos, this.little);
    trace.leaf("element_type", "u4", pos, pos + 4, this.u4(pos, this.little));
    pos += 4;
    this.need(pos, 4, "num_elements");
    num_elements_ = this.u4(pos, this.little);
    trace.leaf("num_elements", "u4", pos, pos + 4, this.u4(pos, this.little));
    pos += 4;
    switch (element_type_) {
      case 0:
      case 1:
      case 7:
        trace.leaf("elements", "bytes", pos, pos + num_elements_);
        pos += num_elements_;
        break;
      case 2:
      case 3:
        trace.leaf("elements", "bytes", pos, pos + (num_elements_ * 2));
        pos += num_elements_ * 2;
        break;
      case 4:
      case 5:
      case 6:
        trace.leaf("elements", "bytes", pos, pos + (num_elements_ * 4));
        pos += num_elements_ * 4;
        break;
      case 8:
        {
          const field = trace.open("elements", "gguf_string", pos);
          for (item_ = 0; item_ < num_elements_; item_++) {
            end_ = this.check_gguf_string(pos);
            if (trace.has(pos, end_)) {
              {
                const field = trace.open(`${item_}`, "gguf_string", pos);
                this.need(pos, 4, "len_data");
                len_data_ = this.u4(pos, this.little);
                trace.leaf("len_data", "u4", pos, pos + 4, this.u4(pos, this.little));
                pos += 4;
                trace.leaf("data", "bytes", pos, pos + len_data_);
                pos += len_data_;
                trace.close(field, pos);
              }
            }
            pos = end_;
          }
          trace.close(field, pos);
        }
        break;
      case 9:
        {
          const field = trace.open("elements", "gguf_array", pos);
          for (item_ = 0; item_ < num_elements_; item_++) {
            end_ = this.check_gguf_array(pos, depth + 1);
            if (trace.has(pos, end_)) {
              {
                const field = trace.open(`${item_}`, "gguf_array", pos);
                pos = this.trace_inner_gguf_array(trace, pos, depth + 1);
                trace.close(field, pos);
              }
            }
            pos = end_;
          }
          trace.close(field, pos);
        }
        break;
      case 10:
      case 11:
      case 12:
        trace.leaf("elements", "bytes", pos, pos + (num_elements_ * 8));
        pos += num_elements_ * 8;
        break;
      default:
        break;
    }
    return pos;
  }
}

/** The layout of gguf where version is 2 or version is 3. */
export class Layout2 extends Data {
  /**
   * The positions of `body.metadata`, the positions of `body.tensors`, the end. Throws `Refused`.
   *
   * @param {number} pos
   * @returns {[Float64Array, Float64Array, number]}
   */
  index_gguf(pos) {
    const metadata_ = new Positions();
    const tensors_ = new Positions();
    try {
      this.need(pos, 4, "magic");
      if (!this.matches(pos, [71, 71, 85, 70])) {
        this.refuse(pos, "magic", `is ${this.shown(pos, 4)}, expected "GGUF"`);
      }
      pos += 4;
      try {
        pos = this.check_gguf_body(pos, 0, metadata_, tensors_);
      } catch (error) {
        throw within(error, "body");
      }
    } catch (error) {
      throw after(error, [metadata_.taken(), tensors_.taken()]);
    }
    return [metadata_.taken(), tensors_.taken(), pos];
  }

  /**
   * The positions of `items`, the end. Throws `Refused`.
   *
   * @param {number} pos
   * @param {number} num_elements_
   * @returns {[Float64Array, number]}
   */
  index_string_elements(pos, num_elements_) {
    let item_ = 0;
    const items_ = new Positions();
    try {
      this.need(pos, num_elements_ * 8, "items");
      items_.reserve(num_elements_);
      item_ = this.sound(8, pos, num_elements_, MAX_LENGTH, this.little, items_);
      pos = this.next;
      for (; item_ < num_elements_; item_++) {
        items_.push(pos);
        try {
          pos = this.check_gguf_string(pos);
        } catch (error) {
          throw within(error, `items/${item_}`);
        }
      }
    } catch (error) {
      throw after(error, [items_.taken()]);
    }
    return [items_.taken(), pos];
  }

  /**
   * The positions of `items`, the end. Throws `Refused`.
   *
   * @param {number} pos
   * @param {number} num_elements_
   * @returns {[Float64Array, number]}
   */
  index_array_elements(pos, num_elements_) {
    let item_ = 0;
    const items_ = new Positions();
    try {
      this.need(pos, num_elements_ * 12, "items");
      items_.reserve(num_elements_);
      for (item_ = 0; item_ < num_elements_; item_++) {
        items_.push(pos);
        try {
          pos = this.check_gguf_array(pos, 1);
        } catch (error) {
          throw within(error, `items/${item_}`);
        }
      }
    } catch (error) {
      throw after(error, [items_.taken()]);
    }
    return [items_.taken(), pos];
  }

  /**
   * @param {number} pos
   * @returns {number}
   */
  check_gguf_string(pos) {
    let len_data_ = 0;
    this.need(pos, 8, "len_data");
    len_data_ = this.u8(pos, this.little);
    if (len_data_ > MAX_LENGTH) {
      this.refuse(pos, "len_data", `is ${this.exact_u8(pos, this.little)}, expected at most ${MAX_LENGTH}`);
    }
    pos += 8;
    this.need(pos, len_data_, "data");
    pos += len_data_;
    return pos;
  }

  /**
   * @param {number} pos
   * @param {number} depth
   * @returns {number}
   */
  check_key_value(pos, depth) {
    let value_type_ = 0;
    try {
      pos = this.check_gguf_string(pos);
    } catch (error) {
      throw within(error, "key");
    }
    this.need(pos, 4, "value_type");
    value_type_ = this.u4(pos, this.little);
    if (value_type_ > 12) {
      this.refuse(pos, "value_type", `is ${this.u4(pos, this.little)}, expected a value_type`);
    }
    pos += 4;
    switch (value_type_) {
      case 0:
      case 1:
      case 7:
        this.need(pos, 1, "value");
        pos += 1;
        break;
      case 2:
      case 3:
        this.need(pos, 2, "value");
        pos += 2;
        break;
      case 4:
      case 5:
      case 6:
        this.need(pos, 4, "value");
        pos += 4;
        break;
      case 8:
        try {
          pos = this.check_gguf_string(pos);
        } catch (error) {
          throw within(error, "value");
        }
        break;
      case 9:
        try {
          pos = this.check_gguf_array(pos, depth + 1);
        } catch (error) {
          throw within(error, "value");
        }
        break;
      case 10:
      case 11:
      case 12:
        this.need(pos, 8, "value");
        pos += 8;
        break;
      default:
        break;
    }
    return pos;
  }

  /**
   * @param {number} pos
   * @returns {number}
   */
  check_tensor_info(pos) {
    let num_dims_ = 0;
    try {
      pos = this.check_gguf_string(pos);
    } catch (error) {
      throw within(error, "name");
    }
    this.need(pos, 4, "num_dims");
    num_dims_ = this.u4(pos, this.little);
    if (num_dims_ > 4) {
      this.refuse(pos, "num_dims", `is ${this.u4(pos, this.little)}, expected at most 4`);
    }
    pos += 4;
    this.need(pos, num_dims_ * 8, "dims");
    pos += num_dims_ * 8;
    this.need(pos, 4, "type_id");
    pos += 4;
    this.need(pos, 8, "ofs_data");
    pos += 8;
    return pos;
  }

  /**
   * @param {number} pos
   * @param {number} depth
   * @param {Positions} metadata_
   * @param {Positions} tensors_
   * @returns {number}
   */
  check_gguf_body(pos, depth, metadata_, tensors_) {
    let num_tensors_ = 0, num_metadata_ = 0, item_ = 0;
    this.need(pos, 4, "version");
    pos += 4;
    this.need(pos, 8, "num_tensors");
    num_tensors_ = this.u8(pos, this.little);
    if (num_tensors_ > MAX_LENGTH) {
      this.refuse(pos, "num_tensors", `is ${this.exact_u8(pos, this.little)}, expected at most ${MAX_LENGTH}`);
    }
    pos += 8;
    this.need(pos, 8, "num_metadata");
    num_metadata_ = this.u8(pos, this.little);
    if (num_metadata_ > MAX_LENGTH) {
      this.refuse(pos, "num_metadata", `is ${this.exact_u8(pos, this.little)}, expected at most ${MAX_LENGTH}`);
    }
    pos += 8;
    this.need(pos, num_metadata_ * 12, "metadata");
    metadata_.reserve(num_metadata_);
    for (item_ = 0; item_ < num_metadata_; item_++) {
      metadata_.push(pos);
      try {
        pos = this.check_key_value(pos, depth);
      } catch (error) {
        throw within(error, `metadata/${item_}`);
      }
    }
    this.need(pos, num_tensors_ * 24, "tensors");
    tensors_.reserve(num_tensors_);
    for (item_ = 0; item_ < num_tensors_; item_++) {
      tensors_.push(pos);
      try {
        pos = this.check_tensor_info(pos);
      } catch (error) {
        throw within(error, `tensors/${item_}`);
      }
    }
    return pos;
  }

  /**
   * @param {number} pos
   * @param {number} depth
   * @returns {number}
   */
  check_gguf_array(pos, depth) {
    let element_type_ = 0, num_elements_ = 0, item_ = 0;
    if (depth > 128) {
      throw new Refused("depth", pos, "", "is nested more than 128 levels deep");
    }
    this.need(pos, 4, "element_type");
    element_type_ = this.u4(pos, this.little);
    if (element_type_ > 12) {
      this.refuse(pos, "element_type", `is ${this.u4(pos, this.little)}, expected a value_type`);
    }
    pos += 4;
    this.need(pos, 8, "num_elements");
    num_elements_ = this.u8(pos, this.little);
    if (num_elements_ > MAX_LENGTH) {
      this.refuse(pos, "num_elements", `is ${this.exact_u8(pos, this.little)}, expected at most ${MAX_LENGTH}`);
    }
    pos += 8;
    switch (element_type_) {
      case 0:
      case 1:
      case 7:
        this.need(pos, num_elements_, "elements");
        pos += num_elements_;
        break;
      case 2:
      case 3:
        this.need(pos, num_elements_ * 2, "elements");
        pos += num_elements_ * 2;
        break;
      case 4:
      case 5:
      case 6:
        this.need(pos, num_elements_ * 4, "elements");
        pos += num_elements_ * 4;
        break;
      case 8:
        this.need(pos, num_elements_ * 8, "elements");
        item_ = this.sound(8, pos, num_elements_, MAX_LENGTH, this.little, null);
        pos = this.next;
        for (; item_ < num_elements_; item_++) {
          try {
            pos = this.check_gguf_string(pos);
          } catch (error) {
            throw within(error, `elements/${item_}`);
          }
        }
        break;
      case 9:
        this.need(pos, num_elements_ * 12, "elements");
        for (item_ = 0; item_ < num_elements_; item_++) {
          try {
            pos = this.check_gguf_array(pos, depth + 1);
          } catch (error) {
            throw within(error, `elements/${item_}`);
          }
        }
        break;
      case 10:
      case 11:
      case 12:
        this.need(pos, num_elements_ * 8, "elements");
        pos += num_elements_ * 8;
        break;
      default:
        break;
    }
    return pos;
  }

  /**
   * `key.data`, `value_type`, `value` of the key_value at a position; bytes as their start and end. Throws `Refused`.
   *
   * @param {number} pos
   * @returns {[number, number, number, number]}
   */
  row_key_value(pos) {
    let len_data_ = 0, key_data_start_ = 0, key_data_end_ = 0, value_type_ = 0;
    this.need(pos, 8, "value_u8");
    len_data_ = this.u8(pos, this.little);
    if (len_data_ > MAX_LENGTH) {
      this.refuse(pos, "value_u8", "has changed since it was indexed");
    }
    pos += 8;
    this.need(pos, len_data_, "data");
    key_data_start_ = pos;
    key_data_end_ = pos + len_data_;
    pos += len_data_;
    this.need(pos, 4, "value_type");
    value_type_ = this.u4(pos, this.little);
    if (value_type_ > 12) {
      this.refuse(pos, "value_type", "has changed since it was indexed");
    }
    pos += 4;
    return [key_data_start_, key_data_end_, value_type_, pos];
  }

  /**
   * `name.data`, `num_dims`, `dims`, `type_id`, `ofs_data` of the tensor_info at a position; bytes as their start and end. Throws `Refused`.
   *
   * @param {number} pos
   * @returns {[number, number, number, number[], number, number]}
   */
  row_tensor_info(pos) {
    let len_data_ = 0, name_data_start_ = 0, name_data_end_ = 0, num_dims_ = 0, type_id_ = 0, ofs_data_ = 0;
    this.need(pos, 8, "value_u8");
    len_data_ = this.u8(pos, this.little);
    if (len_data_ > MAX_LENGTH) {
      this.refuse(pos, "value_u8", "has changed since it was indexed");
    }
    pos += 8;
    this.need(pos, len_data_, "data");
    name_data_start_ = pos;
    name_data_end_ = pos + len_data_;
    pos += len_data_;
    this.need(pos, 4, "num_dims");
    num_dims_ = this.u4(pos, this.little);
    if (num_dims_ > 4) {
      this.refuse(pos, "num_dims", "has changed since it was indexed");
    }
    pos += 4;
    this.need(pos, num_dims_ * 8, "dims");
    const dims_ = new Array(num_dims_);
    for (let index = 0; index < num_dims_; index++) {
      dims_[index] = this.u8(pos + index * 8, this.little);
    }
    pos += num_dims_ * 8;
    this.need(pos, 4, "type_id");
    type_id_ = this.u4(pos, this.little);
    pos += 4;
    this.need(pos, 8, "ofs_data");
    ofs_data_ = this.u8(pos, this.little);
    pos += 8;
    return [name_data_start_, name_data_end_, num_dims_, dims_, type_id_, ofs_data_];
  }

  /**
   * `element_type`, `num_elements`, `elements` of the gguf_array at a position; bytes as their start and end. Throws `Refused`.
   *
   * @param {number} pos
   * @returns {[number, number, number]}
   */
  row_gguf_array(pos) {
    let element_type_ = 0, num_elements_ = 0;
    this.need(pos, 4, "element_type");
    element_type_ = this.u4(pos, this.little);
    if (element_type_ > 12) {
      this.refuse(pos, "element_type", "has changed since it was indexed");
    }
    pos += 4;
    this.need(pos, 8, "value_u8");
    num_elements_ = this.u8(pos, this.little);
    if (num_elements_ > MAX_LENGTH) {
      this.refuse(pos, "value_u8", "has changed since it was indexed");
    }
    pos += 8;
    return [element_type_, num_elements_, pos];
  }

  /**
   * `data` of the gguf_string at a position; bytes as their start and end. Throws `Refused`.
   *
   * @param {number} pos
   * @returns {[number, number]}
   */
  row_gguf_string(pos) {
    let len_data_ = 0, data_start_ = 0, data_end_ = 0;
    this.need(pos, 8, "value_u8");
    len_data_ = this.u8(pos, this.little);
    if (len_data_ > MAX_LENGTH) {
      this.refuse(pos, "value_u8", "has changed since it was indexed");
    }
    pos += 8;
    this.need(pos, len_data_, "data");
    data_start_ = pos;
    data_end_ = pos + len_data_;
    pos += len_data_;
    return [data_start_, data_end_];
  }

  /**
   * The bytes of a gguf of `body.version`, `body.num_tensors`, `body.num_metadata`. Throws RangeError.
   *
   * @param {number} body_version
   * @param {number} body_num_tensors
   * @param {number} body_num_metadata
   * @returns {Uint8Array<ArrayBuffer>}
   */
  pack_gguf(body_version, body_num_tensors, body_num_metadata) {
    if (body_num_tensors > MAX_LENGTH) throw new RangeError(`num_tensors is ${body_num_tensors}, expected at most ${MAX_LENGTH}`);
    if (body_num_metadata > MAX_LENGTH) throw new RangeError(`num_metadata is ${body_num_metadata}, expected at most ${MAX_LENGTH}`);
    return packed([
      Uint8Array.of(71, 71, 85, 70),
      ["u4", body_version, this.little],
      ["u8", body_num_tensors, this.little],
      ["u8", body_num_metadata, this.little],
    ]);
  }

  /**
   * The bytes of a key_value of `key.data`, `value_type`. Throws RangeError.
   *
   * @param {Uint8Array} key_data
   * @param {number} value_type
   * @returns {Uint8Array<ArrayBuffer>}
   */
  pack_key_value(key_data, value_type) {
    if (key_data.length > MAX_LENGTH) throw new RangeError(`len_data is ${key_data.length}, expected at most ${MAX_LENGTH}`);
    if (value_type > 12) throw new RangeError(`value_type is ${value_type}, expected a value_type`);
    return packed([
      ["u8", key_data.length, this.little],
      key_data,
      ["u4", value_type, this.little],
    ]);
  }

  /**
   * The bytes of a tensor_info of `name.data`, `dims`, `type_id`, `ofs_data`. Throws RangeError.
   *
   * @param {Uint8Array} name_data
   * @param {number[]} dims
   * @param {number} type_id
   * @param {number} ofs_data
   * @returns {Uint8Array<ArrayBuffer>}
   */
  pack_tensor_info(name_data, dims, type_id, ofs_data) {
    if (name_data.length > MAX_LENGTH) throw new RangeError(`len_data is ${name_data.length}, expected at most ${MAX_LENGTH}`);
    if (dims.length > 4) throw new RangeError(`num_dims is ${dims.length}, expected at most 4`);
    return packed([
      ["u8", name_data.length, this.little],
      name_data,
      ["u4", dims.length, this.little],
      ...dims.map((each) => /** @type {NumberPart} */ (["u8", each, this.little])),
      ["u4", type_id, this.little],
      ["u8", ofs_data, this.little],
    ]);
  }

  /**
   * The bytes of a gguf_array of `element_type`, `num_elements`. Throws RangeError.
   *
   * @param {number} element_type
   * @param {number} num_elements
   * @returns {Uint8Array<ArrayBuffer>}
   */
  pack_gguf_array(element_type, num_elements) {
    if (element_type > 12) throw new RangeError(`element_type is ${element_type}, expected a value_type`);
    if (num_elements > MAX_LENGTH) throw new RangeError(`num_elements is ${num_elements}, expected at most ${MAX_LENGTH}`);
    return packed([
      ["u4", element_type, this.little],
      ["u8", num_elements, this.little],
    ]);
  }

  /**
   * The bytes of a gguf_string of `data`. Throws RangeError.
   *
   * @param {Uint8Array} data
   * @returns {Uint8Array<ArrayBuffer>}
   */
  pack_gguf_string(data) {
    if (data.length > MAX_LENGTH) throw new RangeError(`len_data is ${data.length}, expected at most ${MAX_LENGTH}`);
    return packed([
      ["u8", data.length, this.little],
      data,
    ]);
  }

  /**
   * Reports the position of each field of an indexed item. Returns the end.
   *
   * @param {Trace} trace
   * @param {number} pos
   * @returns {number}
   */
  trace_gguf(trace, pos) {
    let num_tensors_ = 0, num_metadata_ = 0, item_ = 0, end_ = 0;
    trace.leaf("magic", "bytes", pos, pos + 4);
    pos += 4;
    {
      const field = trace.open("body", "gguf_body", pos);
      this.need(pos, 4, "version");
      trace.leaf("version", "u4", pos, pos + 4, this.u4(pos, this.little));
      pos += 4;
      this.need(pos, 8, "num_tensors");
      num_tensors_ = this.u8(pos, this.little);
      trace.leaf("num_tensors", "u8", pos, pos + 8, this.exact_u8(pos, this.little));
      pos += 8;
      this.need(pos, 8, "num_metadata");
      num_metadata_ = this.u8(pos, this.little);
      trace.leaf("num_metadata", "u8", pos, pos + 8, this.exact_u8(pos, this.little));
      pos += 8;
      {
        const field = trace.open("metadata", "key_value", pos);
        for (item_ = 0; item_ < num_metadata_; item_++) {
          end_ = this.check_key_value(pos, 0);
          if (trace.has(pos, end_)) {
            {
              const field = trace.open(`${item_}`, "key_value", pos);
              pos = this.trace_key_value(trace, pos);
              trace.close(field, pos);
            }
          }
          pos = end_;
        }
        trace.close(field, pos);
      }
      {
        const field = trace.open("tensors", "tensor_info", pos);
        for (item_ = 0; item_ < num_tensors_; item_++) {
          end_ = this.check_tensor_info(pos);
          if (trace.has(pos, end_)) {
            {
              const field = trace.open(`${item_}`, "tensor_info", pos);
              pos = this.trace_tensor_info(trace, pos);
              trace.close(field, pos);
            }
          }
          pos = end_;
        }
        trace.close(field, pos);
      }
      trace.close(field, pos);
    }
    return pos;
  }

  /**
   * Reports the position of each field of an indexed item. Returns the end.
   *
   * @param {Trace} trace
   * @param {number} pos
   * @returns {number}
   */
  trace_key_value(trace, pos) {
    let len_data_ = 0, value_type_ = 0, len_data_2 = 0;
    {
      const field = trace.open("key", "gguf_string", pos);
      this.need(pos, 8, "len_data");
      len_data_ = this.u8(pos, this.little);
      trace.leaf("len_data", "u8", pos, pos + 8, this.exact_u8(pos, this.little));
      pos += 8;
      trace.leaf("data", "bytes", pos, pos + len_data_);
      pos += len_data_;
      trace.close(field, pos);
    }
    this.need(pos, 4, "value_type");
    value_type_ = this.u4(pos, this.little);
    trace.leaf("value_type", "u4", pos, pos + 4, this.u4(pos, this.little));
    pos += 4;
    switch (value_type_) {
      case 0:
      case 7:
        this.need(pos, 1, "value");
        trace.leaf("value", "u1", pos, pos + 1, this.u1(pos));
        pos += 1;
        break;
      case 1:
        this.need(pos, 1, "value");
        trace.leaf("value", "s1", pos, pos + 1, this.s1(pos));
        pos += 1;
        break;
      case 2:
        this.need(pos, 2, "value");
        trace.leaf("value", "u2", pos, pos + 2, this.u2(pos, this.little));
        pos += 2;
        break;
      case 3:
        this.need(pos, 2, "value");
        trace.leaf("value", "s2", pos, pos + 2, this.s2(pos, this.little));
        pos += 2;
        break;
      case 4:
        this.need(pos, 4, "value");
        trace.leaf("value", "u4", pos, pos + 4, this.u4(pos, this.little));
        pos += 4;
        break;
      case 5:
        this.need(pos, 4, "value");
        trace.leaf("value", "s4", pos, pos + 4, this.s4(pos, this.little));
        pos += 4;
        break;
      case 6:
        this.need(pos, 4, "value");
        trace.leaf("value", "f4", pos, pos + 4, this.f4(pos, this.little));
        pos += 4;
        break;
      case 8:
        {
          const field = trace.open("value", "gguf_string", pos);
          this.need(pos, 8, "len_data");
          len_data_2 = this.u8(pos, this.little);
          trace.leaf("len_data", "u8", pos, pos + 8, this.exact_u8(pos, this.little));
          pos += 8;
          trace.leaf("data", "bytes", pos, pos + len_data_2);
          pos += len_data_2;
          trace.close(field, pos);
        }
        break;
      case 9:
        {
          const field = trace.open("value", "gguf_array", pos);
          pos = this.trace_inner_gguf_array(trace, pos, 1);
          trace.close(field, pos);
        }
        break;
      case 10:
        this.need(pos, 8, "value");
        trace.leaf("value", "u8", pos, pos + 8, this.exact_u8(pos, this.little));
        pos += 8;
        break;
      case 11:
        this.need(pos, 8, "value");
        trace.leaf("value", "s8", pos, pos + 8, this.exact_s8(pos, this.little));
        pos += 8;
        break;
      case 12:
        this.need(pos, 8, "value");
        trace.leaf("value", "f8", pos, pos + 8, this.f8(pos, this.little));
        pos += 8;
        break;
      default:
        break;
    }
    return pos;
  }

  /**
   * Reports the position of each field of an indexed item. Returns the end.
   *
   * @param {Trace} trace
   * @param {number} pos
   * @returns {number}
   */
  trace_tensor_info(trace, pos) {
    let len_data_ = 0, num_dims_ = 0, item_ = 0;
    {
      const field = trace.open("name", "gguf_string", pos);
      this.need(pos, 8, "len_data");
      len_data_ = this.u8(pos, this.little);
      trace.leaf("len_data", "u8", pos, pos + 8, this.exact_u8(pos, this.little));
      pos += 8;
      trace.leaf("data", "bytes", pos, pos + len_data_);
      pos += len_data_;
      trace.close(field, pos);
    }
    this.need(pos, 4, "num_dims");
    num_dims_ = this.u4(pos, this.little);
    trace.leaf("num_dims", "u4", pos, pos + 4, this.u4(pos, this.little));
    pos += 4;
    {
      const field = trace.open("dims", "u8", pos);
      for (item_ = 0; item_ < num_dims_; item_++) {
        trace.leaf(`${item_}`, "u8", pos, pos + 8, this.exact_u8(pos, this.little));
        pos += 8;
      }
      trace.close(field, pos);
    }
    this.need(pos, 4, "type_id");
    trace.leaf("type_id", "u4", pos, pos + 4, this.u4(pos, this.little));
    pos += 4;
    this.need(pos, 8, "ofs_data");
    trace.leaf("ofs_data", "u8", pos, pos + 8, this.exact_u8(pos, this.little));
    pos += 8;
    return pos;
  }

  /**
   * @param {Trace} trace
   * @param {number} pos
   * @param {number} depth
   * @returns {number}
   */
  trace_inner_gguf_array(trace, pos, depth) {
    let element_type_ = 0, num_elements_ = 0, item_ = 0, end_ = 0, len_data_ = 0;
    this.need(pos, 4, "element_type");
    element_type_ = this.u4(pos, this.little);
    trace.leaf("element_type", "u4", pos, pos + 4, this.u4(pos, this.little));
    pos += 4;
    this.need(pos, 8, "num_elements");
    num_elements_ = this.u8(pos, this.little);
    trace.leaf("num_elements", "u8", pos, pos + 8, this.exact_u8(pos, this.little));
    pos += 8;
    switch (element_type_) {
      case 0:
      case 1:
      case 7:
        trace.leaf("elements", "bytes", pos, pos + num_elements_);
        pos += num_elements_;
        break;
      case 2:
      case 3:
        trace.leaf("elements", "bytes", pos, pos + (num_elements_ * 2));
        pos += num_elements_ * 2;
        break;
      case 4:
      case 5:
      case 6:
        trace.leaf("elements", "bytes", pos, pos + (num_elements_ * 4));
        pos += num_elements_ * 4;
        break;
      case 8:
        {
          const field = trace.open("elements", "gguf_string", pos);
          for (item_ = 0; item_ < num_elements_; item_++) {
            end_ = this.check_gguf_string(pos);
            if (trace.has(pos, end_)) {
              {
                const field = trace.open(`${item_}`, "gguf_string", pos);
                this.need(pos, 8, "len_data");
                len_data_ = this.u8(pos, this.little);
                trace.leaf("len_data", "u8", pos, pos + 8, this.exact_u8(pos, this.little));
                pos += 8;
                trace.leaf("data", "bytes", pos, pos + len_data_);
                pos += len_data_;
                trace.close(field, pos);
              }
            }
            pos = end_;
          }
          trace.close(field, pos);
        }
        break;
      case 9:
        {
          const field = trace.open("elements", "gguf_array", pos);
          for (item_ = 0; item_ < num_elements_; item_++) {
            end_ = this.check_gguf_array(pos, depth + 1);
            if (trace.has(pos, end_)) {
              {
                const field = trace.open(`${item_}`, "gguf_array", pos);
                pos = this.trace_inner_gguf_array(trace, pos, depth + 1);
                trace.close(field, pos);
              }
            }
            pos = end_;
          }
          trace.close(field, pos);
        }
        break;
      case 10:
      case 11:
      case 12:
        trace.leaf("elements", "bytes", pos, pos + (num_elements_ * 8));
        pos += num_elements_ * 8;
        break;
      default:
        break;
    }
    return pos;
  }
}

/**
 * The layout that the data has. Throws `Refused` if there is none.
 *
 * @param {Uint8Array} bytes
 */
export function layout(bytes) {
  const data = new Data(bytes, true, {});
  data.need(4, 4, "version_le");
  const version_le_ = data.u4(4, true);
  const is_be_ = ((version_le_ & 65535) >>> 0) === 0;
  data.need(4, 4, "version_be");
  const version_be_ = data.u4(4, false);
  const version_ = is_be_ ? version_be_ : version_le_;
  if (Number(version_) === 1) return new Layout1(bytes, !is_be_, { version: Number(version_) });
  if (Number(version_) === 2) return new Layout2(bytes, !is_be_, { version: Number(version_) });
  if (Number(version_) === 3) return new Layout2(bytes, !is_be_, { version: Number(version_) });
  return data.refuse(4, "version", `is ${version_}, expected 1 or 2 or 3`);
}
