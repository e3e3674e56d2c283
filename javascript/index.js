/**
 * Reads GGUF model files: metadata, tensors, and the position of each field. Changes their metadata and tensor names.
 *
 * @module
 */

export { NestedArray, StringArray } from "./src/arrays.js";
export { edited } from "./src/editing.js";
export {
  ClosedError,
  FileError,
  FormatError,
  GGUFError,
  MissingDataError,
  NotGGUFError,
  TensorDataError,
  TruncatedError,
  UnknownTypeError,
  WriteError,
} from "./src/errors.js";
export { Metadata } from "./src/metadata.js";
export { Model, open } from "./src/model.js";
export { standardKey } from "./src/standard_keys.js";
export { Tensor, Tensors } from "./src/tensors.js";
export { decode, encode } from "./src/text.js";
export { TENSOR_TYPES, VALUE_TYPES } from "./types.js";
