/**
 * Changes of metadata and tensor names: a new header, joined with the unchanged data of the open file.
 *
 * @module
 */

import { TENSOR_TYPES, VALUE_TYPES } from "../types.js";
import { ClosedError, FormatError, WriteError } from "./errors.js";
import { Header } from "./header.js";
import { align, alignmentOf } from "./layout_rules.js";
import { Metadata } from "./metadata.js";
import { standardKey } from "./standard_keys.js";
import { readTensors } from "./tensors.js";
import { encode, quoted } from "./text.js";
import { checkedName, encoded, joined, typed } from "./values.js";

/** @typedef {import("./model.js").Model} Model */
/** @typedef {string | number | bigint | boolean | import("./arrays.js").ArrayValue | readonly NewValue[]} NewValue */
/** @typedef {{ type: string, value: NewValue }} TypedValue a type such as `uint8`, or `float32[]` for an array */

/**
 * Changes of a file. All names are those of the open file, except the new ones. Give a Map for keys that are whole
 * numbers, which an object would sort.
 *
 * @typedef {object} Changes
 * @property {Record<string, NewValue | TypedValue> | ReadonlyMap<string, NewValue | TypedValue>} [set] values by key
 * @property {Iterable<string>} [remove] keys
 * @property {Record<string, string> | ReadonlyMap<string, string>} [renameKeys] new keys by the old ones
 * @property {Record<string, string> | ReadonlyMap<string, string>} [renameTensors] new names by the old ones
 */

/** @typedef {{ type: number, value: Uint8Array, raw: Uint8Array | null }} KeyValue `raw` has the bytes in the open file */

const PARTS = new Set(["set", "remove", "renameKeys", "renameTensors"]);
const QUANTIZATION_VERSION = "general.quantization_version";
const CURRENT_QUANTIZATION = 2; // ggml's version for as long as GGUF has existed
const MUCH_PADDING = 64 << 20; // bytes
const CHUNK = 4 << 20; // bytes read at once

/**
 * Return the file with changes, as a Blob: a new header, and the data of the open file by reference. Data is read when
 * the result is. The result is also an async iterable of chunks of at most 4 MiB.
 *
 * The bytes are those that `kaitai-gguf set`, `unset`, `rename-key` and `rename-tensor` of the Python package write. A
 * key keeps its type; a new key gets its documented type, or the one that its value looks like; `{ type, value }` has
 * its own. New keys come last. If tensors are quantized, `general.quantization_version` is added if it is missing.
 *
 * For a model that was opened from a path, a URL or an object with `slice`, the result has the properties and methods
 * of a Blob, but it is not one, so that nothing is held in memory; give its `stream()` to functions that need a Blob.
 *
 * Throws `WriteError`, which names the key or tensor, for a change that is not possible; TypeError for a value that GGUF
 * can't store; `ClosedError` if the model is closed. Reading the result rejects with `FileError` if the file changed.
 *
 * @param {Model} model
 * @param {Changes} changes
 * @returns {Blob & AsyncIterable<Uint8Array>}
 */
export function edited(model, changes) {
  if (model._source === null) throw new ClosedError("the model is closed");
  const { head, from } = plan(model, changes);
  const file = new EditedFile(model, head, from, 0, head.length + model.nbytes - from);
  const { bytes, blob } = model._source;
  if (!bytes && !blob) return /** @type {any} */ (file);
  const rest = bytes ? bytes.subarray(from) : /** @type {Blob} */ (blob).slice(from);
  const whole = new Blob([/** @type {BlobPart} */ (head), /** @type {BlobPart} */ (rest)]);
  return Object.assign(whole, { [Symbol.asyncIterator]: () => file[Symbol.asyncIterator]() });
}

/** The interface of a Blob, over the bytes of an open model. */
class EditedFile {
  type = "";

  /**
   * @param {Model} model
   * @param {Uint8Array} head the first bytes
   * @param {number} from where the other bytes start in the model's file
   * @param {number} start of this slice
   * @param {number} end
   */
  constructor(model, head, from, start, end) {
    this.size = end - start;
    this._model = model;
    this._head = head;
    this._from = from;
    this._start = start;
    this._end = end;
  }

  /** @returns {AsyncGenerator<Uint8Array, void, unknown>} */
  async *[Symbol.asyncIterator]() {
    const shift = this._from - this._head.length;
    const source = this._model._source;
    // Fails if the file has changed, even if no other byte has to be read.
    if (this._start === 0 && (source?.blob || source?.isLocal)) await source.read(0, 1);
    for (let start = this._start; start < this._end; ) {
      const isHead = start < this._head.length;
      const end = Math.min(start + CHUNK, this._end, isHead ? this._head.length : this._end);
      yield isHead ? this._head.subarray(start, end) : await this._model.read(start + shift, end + shift);
      start = end;
    }
  }

  /**
   * @param {number} [start]
   * @param {number} [end]
   */
  slice(start = 0, end = this.size) {
    /** @param {number} place */
    const within = (place) => this._start + Math.min(Math.max(place < 0 ? place + this.size : place, 0), this.size);
    return new EditedFile(this._model, this._head, this._from, within(start), Math.max(within(start), within(end)));
  }

  stream() {
    const chunks = this[Symbol.asyncIterator]();
    return new ReadableStream({
      async pull(controller) {
        const { value, done } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
    });
  }

  async bytes() {
    const parts = [];
    for await (const part of this) parts.push(part);
    return joined(parts);
  }

  async arrayBuffer() {
    return (await this.bytes()).buffer;
  }

  async text() {
    return new TextDecoder().decode(await this.bytes());
  }

  toString() {
    throw new TypeError("the bytes of an edited file are read from its stream(), or as an async iterable");
  }
}

/**
 * Return the bytes before the data, padding included, the metadata in them, the size of the header, and where the data
 * starts in the open file. Throws `WriteError`.
 *
 * @param {Model} model
 * @param {Changes} changes
 */
export function plan(model, changes) {
  const unknown = Object.keys(changes).find((name) => !PARTS.has(name));
  if (typeof changes.remove === "string") throw new TypeError("expected remove as a list of keys, not as a string");
  if (unknown !== undefined) throw new TypeError(`expected changes ${[...PARTS].join(", ")}, not ${quoted(unknown)}`);
  const header = model._header;
  const items = keyValues(model, changes);
  const infos = tensorInfos(model, pairs(changes.renameTensors));
  const old = originals(header);
  const parts = [...items].map(([key, item]) => bytesOf(header, key, item));
  if (parts.length === old.length && parts.every((part, number) => isEqual(part, old[number])) && infos.length === 1) {
    return { head: model.header, metadata: model.metadata, headerNbytes: header.end, from: header.end };
  }
  let made = remade(model, parts, infos);
  if (lacksQuantizationVersion(model, made.metadata)) {
    const { bytes } = typed(header.layout, CURRENT_QUANTIZATION, "uint32");
    const added = { type: VALUE_TYPES.indexOf("uint32"), value: bytes, raw: null };
    made = remade(model, [...parts, bytesOf(header, QUANTIZATION_VERSION, added)], infos);
  }
  return { ...placed(model, made), metadata: made.metadata, headerNbytes: made.bytes.length };
}

/**
 * Return what comes before the data, and where that starts in the open file: padding of the same size is copied.
 *
 * @param {Model} model
 * @param {{ bytes: Uint8Array, alignment: number }} made
 */
function placed(model, { bytes, alignment }) {
  const { headerNbytes, dataOffset, nbytes } = model;
  const padding = align(bytes.length, alignment) - bytes.length;
  if (dataOffset - headerNbytes === padding || nbytes <= headerNbytes) return { head: bytes, from: headerNbytes };
  let data = Math.max(nbytes - dataOffset, 0);
  for (const tensor of model.tensors.values()) data = Math.max(data, tensor.offset + (tensor.nbytes ?? 0));
  if (padding > Math.max(MUCH_PADDING, bytes.length + data)) {
    throw new WriteError(`alignment ${alignment} would add ${padding} bytes of padding to ${bytes.length + data} bytes`);
  }
  return { head: joined([bytes, new Uint8Array(padding)]), from: Math.min(dataOffset, nbytes) };
}

/**
 * Return a header of key-values and tensor infos. Throws `WriteError` if it is not valid.
 *
 * @param {Model} model
 * @param {Uint8Array[]} parts
 * @param {Uint8Array[]} infos
 */
function remade(model, parts, infos) {
  const head = model._header.layout.pack_gguf(model.version, model.tensors.size, parts.length);
  const bytes = joined([head, ...parts, ...infos]);
  try {
    const header = new Header(bytes, bytes.length);
    const metadata = new Metadata(header);
    const alignment = alignmentOf(header, metadata);
    readTensors(header, alignment);
    return { bytes, metadata, alignment };
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    throw new WriteError(error.message.replace(/ \(at byte 0x[0-9a-f]+\)$/, "")); // a byte of no file
  }
}

/**
 * Return the changed key-values, in the order of the new file.
 *
 * @param {Model} model
 * @param {Changes} changes
 */
function keyValues(model, { set, remove = [], renameKeys }) {
  const header = model._header;
  /** @type {Map<string, KeyValue>} */
  const items = new Map();
  const old = originals(header);
  [...model.metadata.keys()].forEach((key, number) => {
    const [, , type, start] = header.read((layout) => layout.row_key_value(header.metadata[number]));
    const raw = old[number];
    items.set(key, { type, value: raw.subarray(start - header.metadata[number]), raw });
  });
  const given = new Map(pairs(set));
  for (const [name, value] of given) {
    const key = checkedName(name, "a key");
    const { type, bytes } = encodedFor(model, key, value);
    items.set(key, { type: VALUE_TYPES.indexOf(type), value: bytes, raw: null });
  }
  for (const key of remove) {
    if (given.has(key)) throw new WriteError(`key ${quoted(key)} is both set and removed`);
    if (!items.delete(key)) throw new WriteError(`no key ${quoted(key)} in the metadata`);
  }
  const names = renamed([...items.keys()], pairs(renameKeys), "key", "metadata");
  return new Map([...items.values()].map((item, number) => [names[number], item]));
}

/**
 * Return the value of a key as it would be written. Throws `WriteError` or TypeError, which name the key.
 *
 * @param {Model} model
 * @param {string} key
 * @param {any} value
 */
export function encodedFor(model, key, value) {
  const { layout } = model._header;
  try {
    if (Object.getPrototypeOf(value ?? 0) === Object.prototype && "type" in value && "value" in value) {
      return typed(layout, value.value, value.type);
    }
    return encoded(layout, value, typeOf(model, key), standardKey(key)?.types ?? []);
  } catch (error) {
    if (error instanceof WriteError) throw new WriteError(`key ${quoted(key)}: ${error.message}`);
    if (error instanceof TypeError) throw new TypeError(`key ${quoted(key)}: ${error.message}`);
    if (error instanceof RangeError) throw new WriteError(`key ${quoted(key)}: ${error.message}`);
    throw error;
  }
}

/**
 * Return the type of a value, such as `float32[]`; null if the key does not exist.
 *
 * @param {Model} model
 * @param {string} key
 */
export function typeOf(model, key) {
  const entry = model.metadata.entry(key);
  return entry === undefined ? null : entry.elementType === null ? entry.type : `${entry.elementType}[]`;
}

/**
 * Return the bytes of the tensor infos: one part if none is renamed.
 *
 * @param {Model} model
 * @param {[string, string][]} renames
 */
function tensorInfos(model, renames) {
  const header = model._header;
  const start = header.tensors[0] ?? header.end;
  const old = [...model.tensors.keys()];
  const names = renamed(old, renames, "tensor", "file");
  /** @type {Uint8Array[]} */
  const parts = [];
  let position = start;
  names.forEach((name, number) => {
    if (name === old[number]) return;
    parts.push(header.bytes.subarray(position, header.tensors[number]));
    const [, , , dims, type, offset] = header.read((layout) => layout.row_tensor_info(header.tensors[number]));
    parts.push(header.layout.pack_tensor_info(encode(name), dims, type, offset));
    position = header.tensors[number + 1] ?? header.end;
  });
  return [...parts, header.bytes.subarray(position, header.end)];
}

/**
 * Return names after renaming, one after another. Throws `WriteError` for a name that is missing or already exists.
 *
 * @param {string[]} names
 * @param {[string, string][]} renames
 * @param {"key" | "tensor"} what
 * @param {string} where
 */
function renamed(names, renames, what, where) {
  const places = new Map(renames.length ? names.map((name, number) => [name, number]) : []);
  const result = names.slice();
  for (const [old, given] of renames) {
    const place = places.get(old);
    if (place === undefined) throw new WriteError(`no ${what} ${quoted(old)} in the ${where}`);
    const name = checkedName(given, what === "key" ? "a key" : "the name of a tensor");
    if (name !== old && places.has(name)) throw new WriteError(`${what} ${quoted(old)}: ${what} ${quoted(name)} already exists`);
    places.delete(old);
    places.set(name, place);
    result[place] = name;
  }
  return result;
}

/** @param {Header} header */
function originals({ bytes, metadata, tensors, end }) {
  return Array.from(metadata, (start, number) => bytes.subarray(start, metadata[number + 1] ?? tensors[0] ?? end));
}

/**
 * @param {Header} header
 * @param {string} key
 * @param {KeyValue} item
 */
function bytesOf({ layout }, key, { type, value, raw }) {
  const head = layout.pack_key_value(encode(key), type);
  return raw !== null && isEqual(head, raw.subarray(0, raw.length - value.length)) ? raw : joined([head, value]);
}

/**
 * @param {Uint8Array} one
 * @param {Uint8Array} other
 */
function isEqual(one, other) {
  return one === other || (one.length === other.length && one.every((byte, index) => byte === other[index]));
}

/**
 * Return whether the file has quantized tensors without a version, and is not a later shard, which has few keys.
 *
 * @param {Model} model
 * @param {Metadata} metadata
 */
function lacksQuantizationVersion(model, metadata) {
  const [count, number] = ["split.count", "split.no"].map((key) => metadata.get(key));
  /** @param {unknown} value */
  const integer = (value) => (typeof value === "bigint" || Number.isInteger(value) ? Number(value) : 0);
  if (metadata.has(QUANTIZATION_VERSION) || (integer(count) > 1 && integer(number) !== 0)) return false;
  for (const tensor of model.tensors.values()) if ((TENSOR_TYPES.get(tensor.typeId)?.numElements ?? 1) > 1) return true;
  return false;
}

/**
 * @template T
 * @param {Record<string, T> | ReadonlyMap<string, T> | undefined} given
 * @returns {[string, T][]}
 */
function pairs(given = {}) {
  return given instanceof Map ? [...given] : Object.entries(given);
}
