/**
 * Changes of metadata and tensor names: a new header, joined with the unchanged data of the open file.
 *
 * @module
 */

import { TENSOR_TYPES, VALUE_TYPES } from "../types.js";
import { FormatError, WriteError } from "./errors.js";
import { fill } from "./growth.js";
import { Header } from "./header.js";
import { Model } from "./model.js";
import { standardKey } from "./standard_keys.js";
import { encode, quoted } from "./text.js";
import { checkedName, encoded, joined, typed } from "./values.js";

/** @typedef {import("./sources.js").Source} Source */
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

/** @typedef {import("./values.js").Encoded} Encoded */

const TYPES = /** @type {readonly string[]} */ (VALUE_TYPES);
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
  return fileOf(changed(model, changes));
}

/**
 * Return a model as a Blob that is also an async iterable, or as an object with the same interface.
 *
 * @param {Model} model
 * @returns {Blob & AsyncIterable<Uint8Array>}
 */
export function fileOf(model) {
  const file = /** @type {any} */ (new ModelFile(model, 0, model.nbytes));
  const blob = model._opened().blob;
  return blob ? Object.assign(blob.slice(), { [Symbol.asyncIterator]: () => file[Symbol.asyncIterator]() }) : file;
}

/** The interface of a Blob, over the bytes of a model. */
class ModelFile {
  type = "";

  /**
   * @param {Model} model
   * @param {number} start of this slice
   * @param {number} end
   */
  constructor(model, start, end) {
    this.size = end - start;
    this._model = model;
    this._start = start;
    this._end = end;
  }

  /** @returns {AsyncGenerator<Uint8Array, void, unknown>} */
  async *[Symbol.asyncIterator]() {
    for (let start = this._start; start < this._end; start += CHUNK) {
      yield this._model._opened().read(start, Math.min(start + CHUNK, this._end));
    }
  }

  /**
   * @param {number} [start]
   * @param {number} [end]
   */
  slice(start = 0, end = this.size) {
    /** @param {number} place */
    const within = (place) => this._start + Math.min(Math.max(place < 0 ? place + this.size : place, 0), this.size);
    return new ModelFile(this._model, within(start), Math.max(within(start), within(end)));
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
    return new Uint8Array(await this.arrayBuffer());
  }

  arrayBuffer() {
    return new Response(this.stream()).arrayBuffer();
  }

  text() {
    return new Response(this.stream()).text();
  }

  toString() {
    throw new TypeError("the bytes of an edited file are read from its stream(), or as an async iterable");
  }
}

/**
 * The bytes of an open model, the first of which are replaced.
 *
 * @implements {Source}
 */
class EditedSource {
  /**
   * @param {Model} model
   * @param {Uint8Array} head
   * @param {number} from where the other bytes start in the model
   */
  constructor(model, head, from) {
    this.name = model.name;
    this.nbytes = head.length + model.nbytes - from;
    this._model = model;
    this._head = head;
    this._from = from;
  }

  /** All bytes by reference, unless they are those of a path, a URL or an object with `slice`. */
  get blob() {
    const rest = this._model._opened().blob?.slice(this._from);
    return rest && new Blob([/** @type {BlobPart} */ (this._head), rest]);
  }

  /**
   * @param {number} start
   * @param {number} end
   * @param {import("./sources.js").ReadOptions} [options]
   */
  async read(start, end, options) {
    const shift = this._from - this._head.length;
    if (start >= this._head.length) return this._model._opened().read(start + shift, end + shift, options);
    const bytes = new Uint8Array(end - start);
    await this.fill(bytes, start, options);
    return bytes;
  }

  /**
   * @param {Uint8Array} target
   * @param {number} start
   * @param {import("./sources.js").ReadOptions} [options]
   */
  async fill(target, start, options) {
    const source = this._model._opened();
    if (start === 0) await source.read(0, 1, options); // fails if the file has changed, even if it has no data
    const head = this._head.subarray(start, start + target.length);
    target.set(head);
    if (head.length === target.length) return;
    await fill(source, target.subarray(head.length), start + head.length - this._head.length + this._from, options);
  }
}

/**
 * Return the model with changes. Throws like `edited`.
 *
 * @param {Model} model
 * @param {Changes} changes
 */
export function changed(model, changes) {
  model._opened();
  const unknown = Object.keys(changes).find((name) => !PARTS.has(name));
  if (typeof changes.remove === "string") throw new TypeError("expected remove as a list of keys, not as a string");
  if (unknown !== undefined) throw new TypeError(`expected changes ${[...PARTS].join(", ")}, not ${quoted(unknown)}`);
  const items = changedItems(model, changes);
  const infos = changedInfos(model, changes);
  const result = withHeader(model, items, infos);
  if (isEqual(result.header, model.header)) return model;
  if (!lacksQuantizationVersion(result)) return withAlignedData(result, model);
  const version = encodedFor(model, QUANTIZATION_VERSION, { type: "uint32", value: CURRENT_QUANTIZATION });
  return withAlignedData(withHeader(model, new Map([...items, [QUANTIZATION_VERSION, version]]), infos), model);
}

/**
 * Return the model with another header. Throws `WriteError` if that is not valid.
 *
 * @param {Model} model
 * @param {Map<string, Encoded>} items
 * @param {Uint8Array[]} infos of the tensors
 */
function withHeader(model, items, infos) {
  const { layout } = model._header;
  const bytes = joined([
    layout.pack_gguf(model.version, infos.length, items.size),
    ...[...items].flatMap(([key, { type, bytes }]) => [layout.pack_key_value(encode(key), TYPES.indexOf(type)), bytes]),
    ...infos,
  ]);
  try {
    const source = new EditedSource(model, bytes, model.headerNbytes);
    return new Model(source, new Header(bytes, bytes.length), model._counter);
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    throw new WriteError(error.message.replace(/ \(at byte 0x[0-9a-f]+\)$/, "")); // a byte of no file
  }
}

/**
 * Put the data of a changed model where its header says. Padding of the same size is that of the open file.
 *
 * @param {Model} result
 * @param {Model} model
 */
function withAlignedData(result, model) {
  const { headerNbytes, dataOffset, nbytes, tensors } = model;
  const padding = result.dataOffset - result.headerNbytes;
  if (dataOffset - headerNbytes === padding || nbytes <= headerNbytes) return result;
  let data = Math.max(nbytes - dataOffset, 0);
  for (const tensor of tensors.values()) data = Math.max(data, tensor.offset + (tensor.nbytes ?? 0));
  const size = result.headerNbytes + data;
  if (padding > Math.max(MUCH_PADDING, size)) {
    throw new WriteError(`alignment ${result.alignment} would add ${padding} bytes of padding to ${size} bytes`);
  }
  const head = joined([result.header, new Uint8Array(padding)]);
  result._source = new EditedSource(model, head, Math.min(dataOffset, nbytes));
  result.nbytes = result._source.nbytes;
  return result;
}

/**
 * Return the changed key-values, in the order of the new file.
 *
 * @param {Model} model
 * @param {Changes} changes
 */
function changedItems(model, { set, remove = [], renameKeys }) {
  const { metadata, _header: header } = model;
  /** @type {Map<string, Encoded>} */
  const items = new Map();
  for (const key of metadata.keys()) {
    const { type, position, nbytes } = /** @type {import("./metadata.js").Entry} */ (metadata.entry(key));
    const [, , , start] = header.read((layout) => layout.row_key_value(position));
    items.set(key, { type, bytes: header.bytes.subarray(start, position + nbytes) });
  }
  const given = new Map(pairs(set).map(([name, value]) => [checkedName(name, "a key"), value]));
  for (const [key, value] of given) items.set(key, encodedFor(model, key, value));
  for (const key of remove) {
    if (given.has(key)) throw new WriteError(`key ${quoted(key)} is both set and removed`);
    if (!items.delete(key)) throw new WriteError(`no key ${quoted(key)} in the metadata`);
  }
  const names = renamed([...items.keys()], pairs(renameKeys), "key", "metadata");
  return new Map([...items.values()].map((item, number) => [names[number], item]));
}

/**
 * Return a new value of a key. Throws `WriteError` or TypeError, which name the key.
 *
 * @param {Model} model
 * @param {string} key
 * @param {any} value
 */
function encodedFor({ metadata, _header: { layout } }, key, value) {
  try {
    const isTyped = Object.getPrototypeOf(value ?? 0) === Object.prototype && "type" in value && "value" in value;
    if (isTyped) return typed(layout, value.value, value.type);
    return encoded(layout, value, typeOf(metadata, key), standardKey(key)?.types ?? []);
  } catch (error) {
    if (error instanceof WriteError || error instanceof TypeError) error.message = `key ${quoted(key)}: ${error.message}`;
    throw error;
  }
}

/**
 * Return the type of a value, such as `float32[]`; null if the key does not exist.
 *
 * @param {import("./metadata.js").Metadata} metadata
 * @param {string} key
 */
export function typeOf(metadata, key) {
  const { type, elementType } = metadata.entry(key) ?? { type: null, elementType: null };
  return elementType === null ? type : `${elementType}[]`;
}

/**
 * Return the bytes of the tensor infos.
 *
 * @param {Model} model
 * @param {Changes} changes
 */
function changedInfos({ tensors, _header: header }, { renameTensors }) {
  const names = renamed([...tensors.keys()], pairs(renameTensors), "tensor", "file");
  return names.map((name, number) => {
    const [, , , dims, type, offset] = header.read((layout) => layout.row_tensor_info(header.tensors[number]));
    return header.layout.pack_tensor_info(encode(name), dims, type, offset);
  });
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
  const places = new Map(names.map((name, number) => [name, number]));
  for (const [old, given] of renames) {
    const place = places.get(old);
    if (place === undefined) throw new WriteError(`no ${what} ${quoted(old)} in the ${where}`);
    const name = checkedName(given, what === "key" ? "a key" : "the name of a tensor");
    const isTaken = name !== old && places.has(name);
    if (isTaken) throw new WriteError(`${what} ${quoted(old)}: ${what} ${quoted(name)} already exists`);
    places.delete(old);
    places.set(name, place);
  }
  return [...places].sort(([, a], [, b]) => a - b).map(([name]) => name);
}

/**
 * @param {Uint8Array} one
 * @param {Uint8Array} other
 */
function isEqual(one, other) {
  return one.length === other.length && one.every((byte, index) => byte === other[index]);
}

/**
 * Return whether the file has quantized tensors without a version, and is not a later shard, which has few keys.
 *
 * @param {Model} model
 */
function lacksQuantizationVersion({ metadata, tensors }) {
  const [count, number] = ["split.count", "split.no"].map((key) => metadata.get(key));
  /** @param {unknown} value */
  const integer = (value) => (typeof value === "bigint" || Number.isInteger(value) ? Number(value) : 0);
  if (metadata.has(QUANTIZATION_VERSION) || (integer(count) > 1 && integer(number) !== 0)) return false;
  return [...tensors.values()].some(({ typeId }) => (TENSOR_TYPES.get(typeId)?.numElements ?? 1) > 1);
}

/**
 * @template T
 * @param {Record<string, T> | ReadonlyMap<string, T> | undefined} given
 * @returns {[string, T][]}
 */
function pairs(given = {}) {
  return given instanceof Map ? [...given] : Object.entries(given);
}
