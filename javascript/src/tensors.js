/**
 * Tensors: the facts from the header, and their data on demand.
 *
 * @module
 */

import { REMOVED_TYPES, TENSOR_TYPES } from "../types.js";
import { numbers } from "./arrays.js";
import { MissingDataError, TensorDataError, UnknownTypeError } from "./errors.js";
import { align, checkLayout, countNbytes, product } from "./layout_rules.js";
import { Mapping, checkCount } from "./mapping.js";
import { decode, quoted } from "./text.js";

/** @typedef {import("./header.js").Header} Header */
/** @typedef {import("./layout_rules.js").TensorTable} TensorTable */
/** @typedef {import("./sources.js").ReadOptions} ReadOptions */

/**
 * The properties of a model that its tensors need.
 *
 * @typedef {object} Owner
 * @property {number} nbytes the size of the file
 * @property {number} dataOffset
 * @property {"little" | "big"} byteOrder
 * @property {(start: number, end: number, options?: ReadOptions) => Promise<Uint8Array>} read
 */

/** The types whose elements a typed array can store. */
const PLAIN = /** @type {const} */ ({
  F32: "float32",
  F64: "float64",
  I8: "int8",
  I16: "int16",
  I32: "int32",
  I64: "int64",
});

/** One tensor of a file. */
export class Tensor {
  /**
   * @param {Owner} owner
   * @param {{ name: string, dims: number[], typeId: number, offset: number }} info
   */
  constructor(owner, { name, dims, typeId, offset }) {
    this._owner = owner;
    this.name = name;
    /** The dimensions in ggml order: `dims[0]` is the length of a row, and varies fastest. */
    this.dims = dims;
    /** The number of the type. */
    this.typeId = typeId;
    /** ggml's name of the type, e.g. "Q4_K"; null if the type is unknown. */
    this.type = TENSOR_TYPES.get(typeId)?.name ?? null;
    /** The start of the data, in bytes from the start of the tensor data. */
    this.offset = offset;
    /** The start of the data, in bytes from the start of the file. */
    this.position = owner.dataOffset + offset;
    /** The size of the data in bytes; null if the type is unknown. */
    this.nbytes = this.type === null ? null : countNbytes(dims, typeId);
  }

  /** The dimensions in the reverse order, which numpy and most other libraries use. */
  get shape() {
    return this.dims.toReversed();
  }

  get numElements() {
    return product(this.dims);
  }

  /**
   * Return the data as in the file, in the byte order of the file. For a model in memory it is a view.
   *
   * Rejects with `UnknownTypeError`, `MissingDataError`, or `FileError` if it can't be read.
   *
   * @param {ReadOptions} [options]
   */
  data(options) {
    return this.read(0, undefined, options);
  }

  /**
   * Return the bytes of the data from `start` up to, but not including, `end`. Rejects like `data`, and with RangeError
   * for bytes outside the data.
   *
   * @param {number} start
   * @param {number} [end]
   * @param {ReadOptions} [options]
   */
  async read(start, end, options) {
    if (this.nbytes === null) {
      throw new UnknownTypeError(`tensor ${quoted(this.name)}: its type ${whyUnknown(this.typeId)}`);
    }
    const last = end ?? this.nbytes;
    if (!(Number.isInteger(start) && Number.isInteger(last) && start >= 0 && start <= last && last <= this.nbytes)) {
      throw new RangeError(`expected a range of the ${this.nbytes} bytes of the data, not ${start} to ${last}`);
    }
    const { nbytes } = this._owner;
    if (this.nbytes > 0 && this.position + this.nbytes > nbytes) {
      const wanted = `bytes ${this.position} to ${this.position + this.nbytes} are wanted`;
      throw new MissingDataError(
        `tensor ${quoted(this.name)}: its data is not in the file: ${wanted}, and the file ends at ${nbytes}`,
      );
    }
    try {
      return await this._owner.read(this.position + start, this.position + last, options);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      const advice = "read(start, end) reads less at a time";
      throw new TensorDataError(`tensor ${quoted(this.name)}: ${last - start} bytes do not fit into one array: ${advice}`);
    }
  }

  /**
   * Return the elements as a typed array, in file order; it is a view if alignment and byte order permit that.
   *
   * The types F32, F64, I8, I16, I32 and I64 (BigInt64Array) are supported. Rejects with `TensorDataError` for any other
   * type, and like `data`.
   *
   * @param {ReadOptions} [options]
   */
  async values(options) {
    const type = PLAIN[/** @type {keyof typeof PLAIN} */ (this.type)];
    if (this.type !== null && !type) {
      const plain = Object.keys(PLAIN).join(", ");
      throw new TensorDataError(`tensor ${quoted(this.name)}: ${this.type} has no typed array; ${plain} have one`);
    }
    return numbers(type, await this.data(options), this._owner.byteOrder === "little");
  }
}

/** @param {number} typeId */
function whyUnknown(typeId) {
  const removed = REMOVED_TYPES.get(typeId);
  return removed ? `${typeId} is ${removed}, which ggml has removed` : `${typeId} is unknown to this version`;
}

/**
 * The tensors of a file by name, in file order.
 *
 * @extends {Mapping<Tensor>}
 */
export class Tensors extends Mapping {
  /**
   * @param {TensorTable} table
   * @param {Owner} owner
   */
  constructor({ numbers, dims, typeIds, offsets }, owner) {
    super(numbers, (row, name) => new Tensor(owner, { name, dims: dims[row], typeId: typeIds[row], offset: offsets[row] }));
  }
}

/**
 * Read all tensor infos. Throws `FormatError` if one breaks a rule, and `GGUFError` if there are too many.
 *
 * @param {Header} header
 * @param {number} alignment
 */
export function readTensors(header, alignment) {
  checkCount(header.tensors.length, "tensors");
  /** @type {TensorTable} */
  const table = { names: [], numbers: new Map(), dims: [], typeIds: [], offsets: [], nbytes: [] };
  header.read((layout) => {
    for (const position of header.tensors) {
      const [start, end, , dims, typeId, offset] = layout.row_tensor_info(position);
      const name = decode(header.bytes, start, end);
      if (!table.numbers.has(name)) table.numbers.set(name, table.names.length);
      table.names.push(name);
      table.dims.push(dims);
      table.typeIds.push(typeId);
      table.offsets.push(offset);
      table.nbytes.push(countNbytes(dims, typeId));
    }
  });
  checkLayout(header, table, alignment, align(header.end, alignment));
  return table;
}
