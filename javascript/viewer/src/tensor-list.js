// The tensors: sorted, filtered, grouped by block, and the first values of one of them.

import { blockOf, dequantized, elementsOf, fieldsOf } from "./blocks.js";
import { Detail } from "./detail.js";
import { button, el, factList, labelled, replace, select, table, textInput } from "./dom.js";
import { formButtons, renameForm } from "./edit-form.js";
import { Pager } from "./pager.js";
import { append, bitsPerWeight, shapeOf } from "./tensors.js";
import { counted, grouped, humanBytes, label, problem, visible } from "./text.js";

/** @typedef {import("./tensors.js").TensorRow} TensorRow */
/** @typedef {{group: string, rows: TensorRow[]} | TensorRow} Line */

const LINES = 100; // rows of a page
const ELEMENTS = 256; // of a plain type that are shown at once
const BLOCKS = 4; // of a quantized type

/** @type {{id: string, title: string, value: (row: TensorRow) => any, words: (row: TensorRow) => string}[]} */
const COLUMNS = [
  { id: "name", title: "name", value: (row) => row.name, words: (row) => label(row.name) },
  { id: "type", title: "type", value: (row) => row.typeName, words: (row) => row.typeName },
  { id: "dims", title: "dims", value: (row) => row.numElements, words: shapeOf },
  { id: "nbytes", title: "size", value: (row) => row.nbytes ?? -1, words: sizeWords },
  { id: "bits", title: "bits", value: (row) => row.bits ?? -1, words: (row) => row.bits?.toFixed(2) ?? "" },
  { id: "offset", title: "offset", value: (row) => row.offset, words: (row) => grouped(row.offset) },
];
const WORDS = 2; // of the columns: the others are numbers

/** The panel of the tensors. */
export class TensorsPanel {
  /** @param {import("./model-view.js").Context} context */
  constructor({ model, tensors, edits, showPosition }) {
    this.model = model;
    this.edits = edits;
    this.tensors = tensors;
    this.names = tensors.map(({ name }) => name);
    this.showPosition = showPosition;
    /** @type {{id: string, isDescending: boolean} | null} */
    this.order = null;
    /** @type {Set<string>} */
    this.expanded = new Set();
    /** @type {Line[]} */
    this.lines = [];
    /** @type {TensorRow | null} */
    this.selected = null;
    const types = [...new Set(tensors.map((row) => row.typeName))].sort();
    const update = () => this.update();
    this.search = textInput("search", { input: update });
    this.type = select(["", ...types], update, (type) => visible(type) || "all");
    this.grouping = el("input", { type: "checkbox", change: update });
    this.body = el("tbody");
    this.heads = COLUMNS.map(({ id, title }, i) => {
      const attributes = { scope: "col", class: i < WORDS ? null : "number", "data-column": id };
      return el("th", attributes, button(title, () => this.sort(id), "sort"));
    });
    this.detail = new Detail("Tensor", this.body, () => (this.selected = null));
    this.pager = new Pager("rows", LINES, (start, end) => this.list(start, end));
    const grouping = el("label", { class: "check" }, this.grouping, " Group by block");
    const controls = [labelled("Filter by name", this.search), labelled("Type", this.type), grouping];
    const list = table("tensors", "Tensors", this.heads, this.body);
    this.element = this.detail.beside(controls, this.pager.element, list);
    edits?.listeners.push(() => this.refresh());
    this.update();
  }

  /** Show the names after a change. */
  refresh() {
    this.names = [...(this.edits?.now.model.tensors.keys() ?? [])];
    this.update();
    if (this.selected !== null) {
      this.select(this.selected);
    }
  }

  /** @param {TensorRow} row */
  nameOf(row) {
    return this.names[row.number];
  }

  /** @param {TensorRow} row */
  actions(row) {
    const name = this.nameOf(row);
    const rename = (/** @type {string} */ given) => this.edits?.rename("renameTensors", name, given);
    return this.edits && formButtons({ Rename: (cancel) => renameForm(name, rename, cancel) });
  }

  /** @param {string} id of a column: by it, then in its reverse order, then as in the file */
  sort(id) {
    const isSame = this.order?.id === id;
    this.order = isSame && this.order?.isDescending ? null : { id, isDescending: isSame };
    this.update();
  }

  update() {
    const words = this.search.value.toLowerCase();
    const type = this.type.value;
    const rows = this.tensors.filter(
      (row) => (type === "" || row.typeName === type) && this.nameOf(row).toLowerCase().includes(words),
    );
    const column = COLUMNS.find((each) => each.id === this.order?.id);
    if (column !== undefined) {
      const sign = this.order?.isDescending ? -1 : 1;
      rows.sort((a, b) => sign * compare(column.value(a), column.value(b)) || a.number - b.number);
    }
    for (const head of this.heads) {
      const isSorted = head.dataset.column === this.order?.id;
      head.setAttribute("aria-sort", isSorted ? (this.order?.isDescending ? "descending" : "ascending") : "none");
    }
    this.lines = this.grouping.checked ? this.grouped(rows) : rows;
    this.pager.what = this.grouping.checked ? "rows" : "tensors";
    this.pager.reset(this.lines.length);
  }

  /**
   * @param {TensorRow[]} rows
   * @returns {Line[]}
   */
  grouped(rows) {
    /** @type {Map<string, TensorRow[]>} */
    const groups = new Map();
    for (const row of [...rows].sort((a, b) => (a.role.block ?? -1) - (b.role.block ?? -1))) {
      const part = row.role.part === "text" ? "" : `${row.role.part} `;
      const group = row.role.block === null ? "outside the blocks" : `${part}block ${row.role.block}`;
      append(groups, group, row);
    }
    return [...groups].flatMap(([group, members]) => [
      { group, rows: members },
      ...(this.expanded.has(group) ? members : []),
    ]);
  }

  /** @param {number} start @param {number} end */
  list(start, end) {
    const lines = this.lines
      .slice(start, end)
      .map((line) => ("group" in line ? this.groupLine(line) : this.tensorLine(line)));
    replace(
      this.body,
      lines.length ? lines : el("tr", {}, el("td", { colspan: COLUMNS.length, class: "quiet" }, "no tensor matches")),
    );
  }

  /** @param {{group: string, rows: TensorRow[]}} line */
  groupLine({ group, rows }) {
    const isExpanded = this.expanded.has(group);
    const bits = bitsPerWeight(rows);
    const toggle = () => {
      this.expanded[isExpanded ? "delete" : "add"](group);
      this.lines = this.grouped(this.lines.flatMap((line) => ("group" in line ? line.rows : [])));
      this.pager.count = this.lines.length;
      this.pager.go(this.pager.page);
      [...this.body.querySelectorAll("button")].find((button) => button.dataset.group === group)?.focus();
    };
    const attributes = { "aria-expanded": String(isExpanded), "data-group": group };
    return el(
      "tr",
      { class: "group" },
      el("th", { scope: "row" }, button(`${isExpanded ? "▾" : "▸"} ${group}`, toggle, "link", attributes)),
      el("td", { colspan: 2 }, counted(rows.length, "tensor")),
      el("td", { class: "number" }, humanBytes(rows.reduce((sum, row) => sum + (row.nbytes ?? 0), 0))),
      el("td", { class: "number" }, bits === null ? "" : bits.toFixed(2)),
      el("td"),
    );
  }

  /** @param {TensorRow} row */
  tensorLine(row) {
    const name = this.nameOf(row);
    const cells = COLUMNS.map(({ words }, i) => el("td", { class: i < WORDS ? "type" : "number" }, words(row)));
    const link = button(label(name), () => this.select(row), "link key");
    const head = el("th", { scope: "row" }, link, name !== row.name && el("span", { class: "changed" }, "renamed"));
    return el("tr", { "aria-selected": row === this.selected ? "true" : null }, head, cells.slice(1));
  }

  /**
   * Show a tensor and its first values.
   *
   * @param {TensorRow} row
   */
  select(row) {
    this.selected = row;
    const line = this.lines.indexOf(row);
    this.pager.go(line < 0 ? this.pager.page : Math.floor(line / LINES));
    /** @type {[string, Node | string][]} */
    const facts = [
      ["type", row.typeName],
      ["dims", shapeOf(row)],
      ["elements", grouped(row.numElements)],
      ["bytes", row.nbytes === null ? "unknown" : grouped(row.nbytes)],
    ];
    if (!this.model.error) {
      facts.push(["at byte", button(grouped(row.position), () => this.showPosition(row.position), "link")]);
    }
    this.detail.show(
      label(this.nameOf(row)),
      row.role.description && el("p", { class: "quiet" }, row.role.description),
      factList("facts small", facts),
      this.actions(row),
      this.data(row),
    );
  }

  /** @param {TensorRow} row */
  data(row) {
    if (this.model.error) {
      return el("p", { class: "quiet" }, "The data can't be found, because the header is not valid.");
    }
    if (row.type === null || row.nbytes === null) {
      return el("p", { class: "quiet" }, "The blocks of this type are not known, so the data can't be shown.");
    }
    const block = blockOf(row.type);
    const shown = el("div", { class: "data" });
    const size = block.isPlain ? ELEMENTS : BLOCKS;
    let last = 0;
    const pager = new Pager(block.isPlain ? "elements" : "blocks", size, async (start, end) => {
      const own = (last += 1);
      const content = await this.values(row, start, end);
      if (own === last) {
        replace(shown, content);
      }
    });
    pager.reset(row.nbytes / block.nbytes);
    return el("div", { class: "stack" }, pager.element, shown);
  }

  /**
   * @param {TensorRow} row
   * @param {number} start number of a block
   * @param {number} end
   */
  async values(row, start, end) {
    const type = String(row.type);
    const { nbytes, numElements, isPlain } = blockOf(type);
    const isBig = this.model.byteOrder === "big";
    try {
      const bytes = await row.tensor.read(start * nbytes, end * nbytes);
      if (isPlain) {
        const items = elementsOf(type, bytes, isBig).map((value, i) =>
          el("li", {}, el("span", { class: "index" }, grouped(start + i)), el("span", { class: "element" }, value)),
        );
        return el("ol", { class: "grid-of-values" }, items);
      }
      const blocks = [];
      for (let i = start; i < end; i += 1) {
        const own = bytes.subarray((i - start) * nbytes, (i - start + 1) * nbytes);
        const fields = fieldsOf(type, own, isBig).flatMap(({ name, format, values }) => {
          const words = values.length > 1 ? `${format}[${values.length}]` : format;
          return [el("dt", {}, name, " ", el("span", { class: "quiet" }, words)), el("dd", {}, values.join(" "))];
        });
        const values = dequantized(type, own, isBig);
        const range = `Values ${grouped(i * numElements)} to ${grouped((i + 1) * numElements - 1)}`;
        const more = values && [el("h4", {}, range), el("p", { class: "dequantized" }, values.join(" "))];
        blocks.push(el("section", { class: "block" }, el("h3", {}, `Block ${grouped(i)}`), el("dl", {}, fields), more));
      }
      return el("div", {}, blocks);
    } catch (error) {
      return el("p", { class: "problem" }, problem(error));
    }
  }
}

/** @param {TensorRow} row */
function sizeWords({ nbytes }) {
  return nbytes === null ? "unknown" : humanBytes(nbytes);
}

/**
 * @param {any} a
 * @param {any} b
 */
function compare(a, b) {
  return a < b ? -1 : a > b ? 1 : 0;
}
