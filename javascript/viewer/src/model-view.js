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
    /** @type {Record<string, () => any>} */
    this.makers = {
      summary: () => ({ element: summaryPanel(context) }),
      metadata: () => new MetadataPanel(context),
      tensors: () => new TensorsPanel(context),
      layers: () => new LayersPanel(context),
      file: () => new FilePanel(context),
    };
    /** @type {Map<string, any>} */
    this.panels = new Map();
    /** @type {[id: string, title: string][]} */
    const titles = [
      ["summary", "Summary"],
      ["metadata", `Metadata (${grouped(model.metadata.size)})`],
      ["tensors", `Tensors (${grouped(tensors.length)})`],
      ["layers", "Layers"],
      ["file", "Bytes"],
    ];
    /** @type {Record<string, boolean>} */
    const isLeftOut = model.error
      ? { summary: true, metadata: model.metadata.size === 0, tensors: tensors.length === 0, layers: true }
      : { layers: tensors.length === 0 };
    this.tabs = new Tabs(
      "Parts of the model",
      titles.flatMap(([id, title]) => {
        if (isLeftOut[id]) {
          return [];
        }
        const holder = el("div");
        return [{ id, title, panel: holder, shown: () => this.make(id, holder) }];
      }),
    );
    this.elements = [this.tabs.list, ...(edits ? [edits.element] : []), ...this.tabs.tabs.map((tab) => tab.panel)];
  }

  /**
   * @param {string} id
   * @param {HTMLElement} holder
   */
  make(id, holder) {
    if (!this.panels.has(id)) {
      const panel = this.makers[id]();
      this.panels.set(id, panel);
      holder.append(panel.element);
    }
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
