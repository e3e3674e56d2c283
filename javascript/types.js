// This is a generated file! Please edit schema/*.ksy and run `make generate`.

/** The first bytes of every file. */
export const MAGIC = "GGUF";

/** The names of metadata value types, by number. */
export const VALUE_TYPES = /** @type {const} */ (["uint8", "int8", "uint16", "int16", "uint32", "int32", "float32", "bool", "string", "array", "uint64", "int64", "float64"]);

/** The tensor types by number. A block of `numElements` elements takes `size` bytes. */
export const TENSOR_TYPES = new Map([
  [0, { name: "F32", numElements: 1, size: 4 }],
  [1, { name: "F16", numElements: 1, size: 2 }],
  [2, { name: "Q4_0", numElements: 32, size: 18 }],
  [3, { name: "Q4_1", numElements: 32, size: 20 }],
  [6, { name: "Q5_0", numElements: 32, size: 22 }],
  [7, { name: "Q5_1", numElements: 32, size: 24 }],
  [8, { name: "Q8_0", numElements: 32, size: 34 }],
  [9, { name: "Q8_1", numElements: 32, size: 36 }],
  [10, { name: "Q2_K", numElements: 256, size: 84 }],
  [11, { name: "Q3_K", numElements: 256, size: 110 }],
  [12, { name: "Q4_K", numElements: 256, size: 144 }],
  [13, { name: "Q5_K", numElements: 256, size: 176 }],
  [14, { name: "Q6_K", numElements: 256, size: 210 }],
  [15, { name: "Q8_K", numElements: 256, size: 292 }],
  [16, { name: "IQ2_XXS", numElements: 256, size: 66 }],
  [17, { name: "IQ2_XS", numElements: 256, size: 74 }],
  [18, { name: "IQ3_XXS", numElements: 256, size: 98 }],
  [19, { name: "IQ1_S", numElements: 256, size: 50 }],
  [20, { name: "IQ4_NL", numElements: 32, size: 18 }],
  [21, { name: "IQ3_S", numElements: 256, size: 110 }],
  [22, { name: "IQ2_S", numElements: 256, size: 82 }],
  [23, { name: "IQ4_XS", numElements: 256, size: 136 }],
  [24, { name: "I8", numElements: 1, size: 1 }],
  [25, { name: "I16", numElements: 1, size: 2 }],
  [26, { name: "I32", numElements: 1, size: 4 }],
  [27, { name: "I64", numElements: 1, size: 8 }],
  [28, { name: "F64", numElements: 1, size: 8 }],
  [29, { name: "IQ1_M", numElements: 256, size: 56 }],
  [30, { name: "BF16", numElements: 1, size: 2 }],
  [34, { name: "TQ1_0", numElements: 256, size: 54 }],
  [35, { name: "TQ2_0", numElements: 256, size: 66 }],
  [39, { name: "MXFP4", numElements: 32, size: 17 }],
  [40, { name: "NVFP4", numElements: 64, size: 36 }],
  [41, { name: "Q1_0", numElements: 128, size: 18 }],
  [42, { name: "Q2_0", numElements: 64, size: 18 }],
]);

/** The names of types that ggml has removed, but that old files still use. */
export const REMOVED_TYPES = new Map([
  [4, "Q4_2"],
  [5, "Q4_3"],
  [31, "Q4_0_4_4"],
  [32, "Q4_0_4_8"],
  [33, "Q4_0_8_8"],
  [36, "IQ4_NL_4_4"],
  [37, "IQ4_NL_4_8"],
  [38, "IQ4_NL_8_8"],
]);
