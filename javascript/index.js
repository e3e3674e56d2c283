/**
 * Reads GGUF model files: metadata, tensors, and the position of each field.
 *
 * @module
 */

export { NestedArray, StringArray } from "./src/arrays.js";
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
} from "./src/errors.js";
export { Metadata } from "./src/metadata.js";
export { Model, open } from "./src/model.js";
export { Tensor, Tensors } from "./src/tensors.js";
export { decode, encode } from "./src/text.js";
export { TENSOR_TYPES, VALUE_TYPES } from "./types.js";
