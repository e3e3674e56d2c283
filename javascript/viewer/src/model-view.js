// An open model: its tabs, whose panels are created when they are first selected.

import { el, replace } from "./dom.js";
import { Edits } from "./edits.js";
import { FilePanel } from "./file-map.js";
import { LayersPanel } from "./layers.js";
import { MetadataPanel } from "./metadata.js";
import { summaryPanel } from "./summary.js";
import { Tabs } from "./tabs.js";
import { TensorsPanel } from "./tensor-list.js";
import { grouped } from "./text.js";

/** @typedef {import("./tensors.js").TensorRow} TensorRow */

/**
 * What panels share.
 *
 * @typedef {object} Context
 * @property {any} model
 * @property {TensorRow[]} tensors
 * @property {Edits | null} edits null if the file is not valid
 * @property {(key: string) => void} showKey
 * @property {(row: TensorRow) => void} showTensor
 * @property {(position: number) => void} showPosition
 */

/**
 * Return the tabs of a model, and what is shown above and below them.
 *
 * @param {any} model
 * @param {TensorRow[]} tensors
 * @param {string} name of the file
 */
export function modelView(model, tensors, name) {
  const edits = model.error ? null : new Edits(model, name);
  /** @type {Context} */
  const context = {
    model,
    tensors,
    edits,
    showKey: (key) => tabs.select("metadata").select(key),
    showTensor: (row) => tabs.select("tensors").select(row),
    showPosition: (position) => tabs.select("file").show(position),
  };
  const words = (/** @type {number} */ count) => ` (${grouped(count)})`;
  const numKeys = el("span", { class: "count" }, words(model.metadata.size));
  const numTensors = el("span", { class: "count" }, words(tensors.length));
  edits?.listeners.push(() => replace(numKeys, words(edits.now.model.metadata.size)));
  /** @type {import("./tabs.js").Tab[]} */
  const all = [
    { id: "summary", title: ["Summary"], make: () => ({ element: summaryPanel(context) }) },
    { id: "metadata", title: ["Metadata", numKeys], make: () => new MetadataPanel(context) },
    { id: "tensors", title: ["Tensors", numTensors], make: () => new TensorsPanel(context) },
    { id: "layers", title: ["Layers"], make: () => new LayersPanel(context) },
    { id: "file", title: ["Bytes"], make: () => new FilePanel(context) },
  ];
  /** @type {Record<string, boolean>} */
  const isEmpty = model.error
    ? { summary: true, metadata: model.metadata.size === 0, tensors: tensors.length === 0, layers: true }
    : { layers: tensors.length === 0 };
  const tabs = new Tabs("Parts of the model", all.filter(({ id }) => !isEmpty[id]));
  return { tabs, elements: [tabs.list, ...(edits ? [edits.element] : []), ...tabs.holders] };
}
