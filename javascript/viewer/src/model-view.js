// An open model: its tabs, whose panels are created when they are first selected.

import { el } from "./dom.js";
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

/** The tabs of a model, and ways from one panel to another. */
export class ModelView {
  /**
   * @param {any} model
   * @param {TensorRow[]} tensors
   * @param {string} name of the file
   */
  constructor(model, tensors, name) {
    const edits = model.error ? null : new Edits(model, name);
    /** @type {Context} */
    const context = {
      model,
      tensors,
      edits,
      showKey: (key) => this.go("metadata").select(key),
      showTensor: (row) => this.go("tensors").select(row),
      showPosition: (position) => this.go("file").show(position),
    };
    const [keys, rows] = [model.metadata.size, tensors.length];
    /** @type {[id: string, title: string, isShown: boolean, make: () => any][]} */
    const panels = [
      ["summary", "Summary", !model.error, () => ({ element: summaryPanel(context) })],
      ["metadata", `Metadata (${grouped(keys)})`, !model.error || keys > 0, () => new MetadataPanel(context)],
      ["tensors", `Tensors (${grouped(rows)})`, !model.error || rows > 0, () => new TensorsPanel(context)],
      ["layers", "Layers", !model.error && rows > 0, () => new LayersPanel(context)],
      ["file", "Bytes", true, () => new FilePanel(context)],
    ];
    /** @type {Map<string, any>} */
    this.panels = new Map();
    const shown = panels.filter(([, , isShown]) => isShown);
    const tabs = shown.map(([id, title, , make]) => {
      const panel = el("div");
      const create = () => {
        if (!this.panels.has(id)) {
          this.panels.set(id, make());
          panel.append(this.panels.get(id).element);
        }
      };
      return { id, title, panel, shown: create };
    });
    this.tabs = new Tabs("Parts of the model", tabs);
    this.elements = [this.tabs.list, ...(edits ? [edits.element] : []), ...tabs.map((tab) => tab.panel)];
  }

  /**
   * Select a tab and return its panel.
   *
   * @param {string} id
   */
  go(id) {
    this.tabs.select(id);
    return this.panels.get(id);
  }
}
