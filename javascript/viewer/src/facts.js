// The facts that `kaitai-gguf info` shows, in the same words.

import { SEARCHED, shortened, suspiciousCode } from "./chat-templates.js";
import { FILE_TYPES } from "./tables.js";
import { bitsPerWeight, sizes } from "./tensors.js";
import { counted, grouped, humanBytes, humanCount, rounded, shorten, visible } from "./text.js";
import { describeNumber, describeValue } from "./values.js";

/** @typedef {import("./tensors.js").TensorRow} TensorRow */
/** @typedef {[name: string, words: string]} Fact */

const GENERAL = ["name", "basename", "size_label", "finetune", "version", "license", "type"];
const LENGTHS = ["context_length", "embedding_length", "feed_forward_length", "block_count"];
const EXPERTS = [
  ["expert_count", ""],
  ["expert_used_count", " used"],
  ["expert_shared_count", " shared"],
];
/** @type {[string, string, string][]} what comes before and after the value */
const ENCODER = [
  ["block_count", "", " blocks"],
  ["embedding_length", "embedding length ", ""],
  ["image_size", "images of ", " pixels"],
  ["patch_size", "patches of ", ""],
  ["num_mel_bins", "", " mel bins"],
  ["projector_type", "projector ", ""],
];
const TOKENS = "tokenizer.ggml.tokens";
export const TEMPLATE = "tokenizer.chat_template";
const LONGEST = 2000; // characters of a fact
const MOST_LAYERS = 4096; // longer arrays do not have one number per layer

/**
 * Return the facts about a model. Facts that the file does not contain are left out.
 *
 * @param {any} model
 * @param {TensorRow[]} tensors
 * @returns {Fact[]}
 */
export function facts(model, tensors) {
  const values = new Values(model);
  const named = values.get("general.architecture");
  const architecture = typeof named === "string" ? named : "";
  /** @type {Fact[]} */
  const found = [
    ["size", sizeOf(model, tensors)],
    ["format", `GGUF v${model.version}, ${model.byteOrder}-endian, alignment ${model.alignment}`],
    ["architecture", values.words("general.architecture")],
    ...GENERAL.map((key) => /** @type {Fact} */ ([spaced(key), values.words(`general.${key}`)])),
    [
      "parameters",
      tensors.length
        ? `${humanCount(sum(tensors, (row) => row.numElements))} in ${counted(tensors.length, "tensor")}`
        : "",
    ],
    ["file type", fileType(model, values, tensors)],
    ...hyperparameters(values, architecture),
    ...encoders(model, values, architecture, tensors),
    ...vocabulary(model, values),
    ...suspiciousTemplates(model, values),
    ["layout", layout(model, tensors)],
    ["missing", missing(model, tensors)],
    ["shard", shard(values)],
  ];
  return found.filter(([, words]) => words !== "").map(([name, words]) => [name, shorten(words, LONGEST)]);
}

/**
 * Return the hyperparameters of a model without its architecture, as far as they are scalars or have a number per layer.
 *
 * @param {any} model
 */
export function hyperparameterRows(model) {
  const values = new Values(model);
  const named = values.get("general.architecture");
  const architecture = typeof named === "string" ? named : "";
  const keys = [...model.metadata.keys()].filter((key) => key.startsWith(`${architecture}.`));
  const rows = keys.map((key) => [key.slice(architecture.length + 1), values.get(key)]);
  return { architecture, rows: Object.fromEntries(rows.filter(([, value]) => value !== null)) };
}

/** The values for the facts: a scalar, or the numbers of all layers. */
class Values {
  /** @param {any} model */
  constructor(model) {
    this.metadata = model.metadata;
  }

  /** @param {string} key @returns {any} null for missing keys and for other arrays */
  get(key) {
    if (!this.metadata.has(key)) {
      return null;
    }
    const entry = this.metadata.entry(key);
    if (entry.elementType === null || entry.elementType === undefined) {
      return this.metadata.get(key);
    }
    const isLayers = entry.count <= MOST_LAYERS && entry.elementType !== "string" && entry.elementType !== "array";
    return isLayers ? Array.from(this.metadata.get(key)) : null;
  }

  /** @param {string} key */
  words(key) {
    const value = this.get(key);
    if (value === null) {
      return "";
    }
    const { type, elementType } = this.metadata.entry(key);
    if (Array.isArray(value)) {
      return range(value, String(elementType));
    }
    return typeof value === "string" ? visible(shorten(value, LONGEST)) : describeValue(value, type, 200);
  }
}

/** @param {string} name */
const spaced = (name) => name.replaceAll("_", " ");

/** @param {TensorRow[]} rows @param {(row: TensorRow) => number} number */
const sum = (rows, number) => rows.reduce((total, row) => total + number(row), 0);

/**
 * Return the range of the numbers of all layers.
 *
 * @param {any[]} values
 * @param {string} type
 */
function range(values, type) {
  const numbers = [...new Set(values)].sort((a, b) => (a < b ? -1 : 1));
  const [least, most] = [numbers[0], numbers[numbers.length - 1]].map((each) => describeNumber(each, type));
  return numbers.length < 2
    ? numbers.map((each) => describeNumber(each, type)).join("")
    : `${least} to ${most} by layer`;
}

/** @param {any} model @param {TensorRow[]} tensors */
function sizeOf(model, tensors) {
  const bits = bitsPerWeight(tensors);
  return humanBytes(model.nbytes) + (bits === null ? "" : `, ${rounded(bits, 2)} bits per weight`);
}

/** @param {any} model @param {Values} values @param {TensorRow[]} tensors */
function fileType(model, values, tensors) {
  const number = values.get("general.file_type");
  if (typeof number !== "number" && typeof number !== "bigint") {
    return "";
  }
  const [name, type] = FILE_TYPES[String(number)] ?? [null, null];
  const words = name ?? `unknown (${number})`;
  // Types in order of their bytes: if two types have equally many weights, the one with more bytes counts.
  /** @type {Map<string, number>} */
  const weights = new Map(sizes(tensors, (row) => row.typeName).map(({ group }) => [group, 0]));
  for (const row of tensors) {
    if (row.dims.length > 1) {
      weights.set(row.typeName, (weights.get(row.typeName) ?? 0) + row.numElements);
    }
  }
  if (type === null || weights.size === 0 || model.metadata.has("split.count")) {
    return words;
  }
  const [most, count] = [...weights].reduce((best, each) => (each[1] > best[1] ? each : best));
  return (weights.get(type) ?? 0) < count ? `${words}, but most weights are ${most}` : words;
}

/** @param {Values} values @param {string} architecture @returns {Fact[]} */
function hyperparameters(values, architecture) {
  /** @param {string} key */
  const words = (key) => values.words(`${architecture}.${key}`);
  const experts = EXPERTS.filter(([key]) => words(key)).map(([key, what]) => words(key) + what);
  return [
    ...LENGTHS.map((key) => /** @type {Fact} */ ([spaced(key), words(key)])),
    ["head count", heads(values, architecture)],
    ["sliding window", words("attention.sliding_window")],
    ["experts", experts.join(", ")],
    ["rope", rope(words)],
  ];
}

/** @param {Values} values @param {string} architecture */
function heads(values, architecture) {
  const keys = ["attention.head_count", "attention.head_count_kv"].map((key) => `${architecture}.${key}`);
  const [count, kvCount] = keys.map((key) => values.words(key));
  const ratio = ratioOf(values.get(keys[0]), values.get(keys[1]));
  if (!count || !kvCount || ratio === 1) {
    return count;
  }
  const ratios = Array.isArray(ratio) ? ratio.filter((each) => each !== null) : ratio;
  const words = Array.isArray(ratios)
    ? range(ratios, "float64")
    : ratios === null
      ? ""
      : describeNumber(ratios, "float64");
  return `${count}, ${kvCount} for keys and values${words && ` (GQA ratio ${words})`}`;
}

/**
 * Return how many heads share a key and a value: a number, or one number per layer; null if unknown.
 *
 * @param {any} count
 * @param {any} kvCount
 * @returns {any}
 */
function ratioOf(count, kvCount) {
  if (Array.isArray(count) || Array.isArray(kvCount)) {
    const length = (Array.isArray(count) ? count : kvCount).length;
    const [first, second] = [count, kvCount].map((each) => (Array.isArray(each) ? each : Array(length).fill(each)));
    return first.length === second.length
      ? first.map((/** @type {any} */ each, /** @type {number} */ i) => ratioOf(each, second[i]))
      : null;
  }
  return isCount(count) && isCount(kvCount) ? Number(count) / Number(kvCount) : null;
}

/** @param {any} value */
const isCount = (value) => (typeof value === "bigint" || Number.isInteger(value)) && value > 0;

/** @param {(key: string) => string} words */
function rope(words) {
  const base = words("rope.freq_base");
  const kind = words("rope.scaling.type");
  const factor = words("rope.scaling.factor");
  const context = words("rope.scaling.original_context_length");
  const found = base ? [`base ${base}`] : [];
  if ((kind !== "" && kind !== "none") || factor) {
    const by = factor && ` by ${factor}`;
    found.push(`${kind} scaling${by}`.trimStart() + (context && ` from a context of ${context}`));
  }
  return found.join(", ");
}

/** @param {any} model @param {Values} values @param {string} architecture @param {TensorRow[]} tensors @returns {Fact[]} */
function encoders(model, values, architecture, tensors) {
  /** @type {Fact[]} */
  const found = [];
  for (const kind of ["vision", "audio"]) {
    const prefixes = [`clip.${kind}.`, `${architecture}.${kind}.`];
    const isThere =
      tensors.some((row) => row.role.part === kind) ||
      values.get(`clip.has_${kind}_encoder`) === true ||
      [...model.metadata.keys()].some((key) => prefixes.some((prefix) => key.startsWith(prefix)));
    if (isThere) {
      const words = ENCODER.map(([key, before, after]) => {
        const keys = [...prefixes.map((prefix) => prefix + key), ...(key === "projector_type" ? [`clip.${key}`] : [])];
        const value = keys.map((each) => values.words(each)).find((each) => each !== "");
        return value === undefined ? "" : before + value + after;
      });
      found.push([kind, words.filter(Boolean).join(", ") || "yes"]);
    }
  }
  return found;
}

/** @param {any} model @param {Values} values @returns {Fact[]} */
function vocabulary(model, values) {
  if (!model.metadata.has(TOKENS)) {
    return [];
  }
  const names = ["model", "pre"]
    .map((key) => values.words(`tokenizer.ggml.${key}`))
    .filter(Boolean)
    .join(", ");
  const count = model.metadata.entry(TOKENS).count;
  const templates = [...model.metadata.keys()].filter((key) => key.startsWith(`${TEMPLATE}.`));
  const others = templates.map((key) => visible(key.slice(TEMPLATE.length + 1)));
  const hasTemplate = model.metadata.has(TEMPLATE) || others.length > 0;
  return [
    ["vocabulary", `${grouped(count)} tokens${names && ` (${names})`}`],
    ["special tokens", specialTokens(model, values).join(", ")],
    ["chat template", [hasTemplate ? "yes" : "no", ...others].join(", ")],
  ];
}

/** @param {any} model @param {Values} values @returns {Fact[]} */
function suspiciousTemplates(model, values) {
  /** @type {Fact[]} */
  const found = [];
  const keys = [...model.metadata.keys()].filter((key) => key.startsWith(`${TEMPLATE}.`));
  let length = 0;
  for (const key of model.metadata.has(TEMPLATE) ? [TEMPLATE, ...keys] : keys) {
    const text = values.get(key);
    if (typeof text !== "string") {
      continue;
    }
    length += text.length;
    const code = length > SEARCHED ? shortened(text.slice(0, 120)) : suspiciousCode(text);
    if (code) {
      found.push(["suspicious template", visible(`${key.slice(TEMPLATE.length + 1) || "default"}: ${code}`)]);
    }
  }
  return found;
}

/** @param {any} model @param {Values} values */
function specialTokens(model, values) {
  const isText = model.metadata.entry(TOKENS).elementType === "string";
  const tokens = isText ? model.metadata.get(TOKENS) : null;
  const found = [];
  for (const key of model.metadata.keys()) {
    const match = /^tokenizer\.ggml\.(.*)_token_id$/s.exec(key);
    const id = match && values.get(key);
    if (match !== null && (typeof id === "bigint" || Number.isInteger(id))) {
      const isThere = tokens !== null && id >= 0 && id < tokens.length;
      const text = isThere ? describeValue(tokens.at(Number(id)), "string", 30) : "";
      found.push(`${visible(spaced(match[1]))} ${id} ${text}`.trimEnd());
    }
  }
  return found;
}

/** @param {any} model @param {TensorRow[]} tensors */
function layout(model, tensors) {
  const header = `${humanBytes(model.headerNbytes)} header with ${counted(model.metadata.size, "key")}`;
  if (tensors.length === 0) {
    return header;
  }
  return `${header}, then ${humanBytes(dataNbytes(tensors))} of tensor data from byte ${grouped(model.dataOffset)}`;
}

/** @param {any} model @param {TensorRow[]} tensors */
function missing(model, tensors) {
  const nbytes = missingNbytes(model, tensors);
  return nbytes > 0 ? `the last ${humanBytes(nbytes)} of the data` : "";
}

/** @param {TensorRow[]} tensors */
const dataNbytes = (tensors) => tensors.reduce((end, row) => Math.max(end, row.offset + (row.nbytes ?? 0)), 0);

/**
 * Return the number of bytes of tensor data that are missing from the file.
 *
 * @param {any} model
 * @param {TensorRow[]} tensors
 */
export function missingNbytes(model, tensors) {
  const nbytes = dataNbytes(tensors);
  return nbytes ? Math.max(0, model.dataOffset + nbytes - model.nbytes) : 0;
}

/** @param {Values} values */
function shard(values) {
  const count = values.get("split.count");
  const number = values.get("split.no");
  if (count === null) {
    return "";
  }
  return `${typeof number === "number" || typeof number === "bigint" ? Number(number) + 1 : "?"} of ${count}`;
}
