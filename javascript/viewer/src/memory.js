// What llama.cpp keeps for a context, with its default settings: as in the Python package's memory/hparams.py and
// memory/caches.py, where the reasons are.

import { MEMORY } from "./tables.js";

const [ALIGNMENT, CELLS, UBATCH, F16, F32] = [32, 256, 512, 2, 4];
const [CSA_RATIO, HCA_RATIO] = [4, 128];

/** @typedef {{ layers: number, trunk: number, heads: number[], kvHeads: number[], ff: number[], k: number[],
 *   v: number[], swa: boolean[], window: number, recurrent: boolean[], isMla: boolean }} Shape */

/** @param {number} number @param {number} multiple */
const padded = (number, multiple) => Math.ceil(number / multiple) * multiple;

/**
 * Return how many bytes the KV cache and the states of a model take.
 *
 * @param {string} architecture
 * @param {Record<string, any>} rows the hyperparameters, without the architecture
 * @param {number} ctxSize in tokens
 * @returns {number | null} null if it is not known
 */
export function contextNbytes(architecture, rows, ctxSize) {
  const known = Object.entries(MEMORY).find(([names]) => names.split(" ").includes(architecture))?.[1];
  if (known === undefined || known.cache === "borrowed") {
    return null;
  }
  const read = new Set(known.keys);
  const values = new Map(Object.entries(rows).filter(([key]) => COMMON.has(key) || read.has(key)));
  /** @param {string} key @param {number} [instead] */
  const number = (key, instead = 0) => (values.has(key) ? Number(values.get(key)) : instead);
  if (known.cache === "none") {
    return 0;
  }
  const shape = shapeOf(known, rows, number);
  if (shape === null) {
    return null;
  }
  const cells = padded(ctxSize, CELLS);
  const windowCells = padded(Math.min(cells, shape.window + Math.min(UBATCH, ctxSize)), CELLS);
  if (known.cache === "compressed") {
    return compressed(shape, rows, number, cells, windowCells);
  }
  const state = stateNbytes(known, shape, number);
  const history =
    tensor(Math.max(0, number("ple.conv_kernel") - 1) * number("ple.ngram_size") * number("hyper_connection.count") * number("embedding_length"), F32);
  const withHistory = new Set(history ? rows["ple.layers"] : []);
  const indexers = indexersOf(known, shape, rows, number);
  const isHybrid = known.recurrent !== undefined;
  const kept =
    known.kv_layers === "shared" ? shape.layers - number("attention.shared_kv_layers") : (known.kv_layers ?? shape.layers);
  const width = number("attention.indexer.key_length") * (isHybrid && number("attention.indexer.kpool") ? 3 : 1);
  let total = 0;
  for (let il = 0; il < shape.layers; il++) {
    if (shape.recurrent[il]) {
      total += state + (withHistory.has(il) ? history : 0);
    }
    if (hasCache(known, shape, il) && il < kept) {
      const length = shape.swa[il] ? windowCells : cells;
      total += tensor(shape.k[il] * shape.kvHeads[il] * length, F16);
      total += shape.isMla ? 0 : tensor(shape.v[il] * shape.kvHeads[il] * length, F16);
    }
    if (indexers[il] && !(isHybrid && shape.recurrent[il])) {
      total += tensor(width * cells, F16);
      total += shape.isMla || isHybrid ? 0 : tensor(shape.v[il] * cells, F16);
    }
  }
  return total;
}

/** @param {number} elements @param {number} size */
const tensor = (elements, size) => padded(elements * size, ALIGNMENT);

const COMMON = new Set([
  "embedding_length", "block_count", "nextn_predict_layers", "attention.key_length", "attention.value_length",
  "attention.key_length_swa", "attention.value_length_swa", "context_length",
]); // prettier-ignore

/** @param {any} known @param {Record<string, any>} rows @param {(key: string, instead?: number) => number} number @returns {Shape | null} */
function shapeOf(known, rows, number) {
  const blocks = number("block_count");
  const loops = known.loops ? number("num_loops", 1) : 1;
  if (!(blocks > 0 && blocks * loops <= 512)) {
    return null;
  }
  const layers = blocks * loops + (known.router ? 1 : 0);
  const trunk = layers - number("nextn_predict_layers");
  /** @param {string} key @param {number[]} [instead] @returns {number[] | null} */
  const perLayer = (key, instead) => {
    const value = rows[key];
    if (Array.isArray(value)) {
      return value.length < blocks ? null : value.slice(0, blocks).map(Number);
    }
    return value === undefined && instead ? instead : Array(blocks).fill(Number(value ?? 0));
  };
  /** @param {number[]} each */
  const all = (each) => [...Array(loops).fill(each).flat(), ...(known.router ? [1] : [])];
  const counts = perLayer("attention.head_count");
  const kvCounts = counts && perLayer("attention.head_count_kv", counts);
  const ffs = perLayer("feed_forward_length");
  if (!counts || !kvCounts || !ffs) {
    return null;
  }
  const [heads, kvHeads, ff] = [counts, kvCounts, ffs].map(all);
  const head = heads[0] ? Math.floor(number("embedding_length") / heads[0]) : 0;
  const [k, v] = ["key", "value"].map((each) => (heads[0] ? number(`attention.${each}_length`, head) : 0));
  const [kSwa, vSwa] = [number("attention.key_length_swa", k), number("attention.value_length_swa", v)];
  const { window, swa } = windowsOf(known, rows, number, layers, trunk, kvHeads);
  const recurrent = recurrentOf(known, rows, number, layers, trunk, kvHeads, ff);
  return {
    layers, trunk, heads, kvHeads, ff, window, swa, recurrent,
    k: swa.map((each) => (each ? kSwa : k)),
    v: swa.map((each) => (each ? vSwa : v)),
    isMla: number("attention.key_length_mla") > 0 && number("attention.value_length_mla") > 0,
  }; // prettier-ignore
}

/** @param {any} known @param {any} rows @param {any} number @param {number} layers @param {number} trunk @param {number[]} kvHeads */
function windowsOf(known, rows, number, layers, trunk, kvHeads) {
  const none = Array(layers).fill(false);
  if (known.cache === "compressed") {
    return { window: number("attention.sliding_window"), swa: none.map(() => true) };
  }
  let window = number("attention.sliding_window", known.window ?? 0);
  if (known.swa === undefined || (known.swa_layers ?? trunk) !== trunk || !window) {
    return { window: 0, swa: none };
  }
  window = known.fixed_window ?? window;
  const pattern = rows["attention.sliding_window_pattern"];
  if (known.swa === "attention") {
    return { window, swa: none.map((_, il) => il < trunk && kvHeads[il] > 0) };
  }
  if (Array.isArray(pattern)) {
    return { window, swa: none.map((_, il) => Boolean(pattern[il])) };
  }
  const period = Number(pattern ?? known.swa);
  const dense = known.dense_first ? 0 : period - 1;
  return { window, swa: none.map((_, il) => il < trunk && (!period || il % period !== dense)) };
}

/** @param {any} known @param {any} rows @param {any} number @param {number} layers @param {number} trunk @param {number[]} kvHeads @param {number[]} ff @returns {boolean[]} */
function recurrentOf(known, rows, number, layers, trunk, kvHeads, ff) {
  const rule = known.recurrent;
  const interval = typeof rule === "number" ? number("full_attention_interval", rule) || 1 : 0;
  const listed = interval ? rows["attention.recurrent_layers"] : null;
  return Array.from({ length: layers }, (_, il) => {
    if (known.cache === "recurrent" || rule === "all") {
      return il < trunk;
    }
    if (rule === "no_kv_heads" || rule === "mixers") {
      return il < trunk && !kvHeads[il] && (rule === "no_kv_heads" || !ff[il]);
    }
    return il < trunk && interval > 0 && (Array.isArray(listed) ? Boolean(Number(listed[il])) : (il + 1) % interval !== 0);
  });
}

/** @param {any} known @param {Shape} shape @param {number} il */
function hasCache(known, shape, il) {
  const rule = known.recurrent;
  const isOut =
    known.cache === "recurrent" ||
    (rule === "mixers" && (shape.recurrent[il] || shape.ff[il] > 0)) ||
    (rule !== undefined && rule !== "all" && rule !== "mixers" && shape.recurrent[il]);
  return !isOut && !((rule === undefined || known.trunk) && shape.trunk > 0 && il >= shape.trunk);
}

/** @param {any} known @param {Shape} shape @param {any} rows @param {any} number @returns {boolean[]} */
function indexersOf(known, shape, rows, number) {
  const listed = ["glm", "listed"].includes(known.indexer) ? rows["attention.indexer.types"] : null;
  const isSparse = known.indexer === "glm" && number("context_length") >= 1 << 20;
  return Array.from({ length: shape.layers }, (_, il) => {
    if (known.indexer === undefined || !number("attention.indexer.key_length")) {
      return false;
    }
    if (known.indexer === "moe") {
      return il >= number("leading_dense_block_count");
    }
    const isFull = Array.isArray(listed) ? Boolean(Number(listed[il])) : !isSparse || il < 2 || il % 4 === 2;
    return il < shape.trunk && isFull;
  });
}

/** @param {any} known @param {Shape} shape @param {any} number */
function stateNbytes(known, shape, number) {
  const ssm = ["ssm.conv_kernel", "ssm.inner_size", "ssm.state_size", "ssm.group_count"];
  const [dConv, dInner, dState, nGroup] = ssm.map((key) => number(key));
  const [wkv, kda, shortconv] = ["wkv.head_size", "kda.head_dim", "shortconv.l_cache"].map((key) => number(key));
  const width = number("embedding_length");
  let [conv, state] = [Math.max(0, dConv - 1) * (dInner + 2 * nGroup * dState), dState * dInner];
  if (wkv) {
    [conv, state] = [number("token_shift_count", 2) * width, width * wkv];
  } else if (shortconv) {
    conv = width * (shortconv - 1);
  } else if (kda) {
    [conv, state] = [3 * (dConv ? dConv - 1 : 3) * shape.heads[0] * kda, kda * kda * shape.heads[0]];
  } else if (known.linear) {
    state = number("attention.key_length", width / shape.heads[0]) ** 2 * shape.heads[0];
  }
  return tensor(conv, F32) + tensor(state, F32);
}

/** @param {Shape} shape @param {any} rows @param {any} number @param {number} cells @param {number} windowCells */
function compressed(shape, rows, number, cells, windowCells) {
  const [index, full] = [number("attention.indexer.key_length"), number("attention.key_length", shape.k[0])];
  let total = 0;
  for (let il = 0; il < shape.layers; il++) {
    const [head, heads, ratio] = [shape.k[il], shape.kvHeads[il], Number(rows["attention.compress_ratios"]?.[il])];
    total += tensor(head * heads * windowCells, F16);
    if (ratio === CSA_RATIO || ratio === HCA_RATIO) {
      const rowsKept = padded(Math.max(1, Math.ceil(cells / ratio)), CELLS);
      const [state, count] = ratio === CSA_RATIO ? [2 * head, 2 * CSA_RATIO] : [head, HCA_RATIO];
      total += tensor(full * heads * rowsKept, F16) + (il < shape.trunk ? 2 * tensor(state * count, F32) : 0);
      if (ratio === CSA_RATIO) {
        total += tensor(index * rowsKept, F16) + (il < shape.trunk ? 2 * tensor(2 * index * 2 * CSA_RATIO, F32) : 0);
      }
    }
  }
  return total;
}
