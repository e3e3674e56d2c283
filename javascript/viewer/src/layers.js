// A heat map: the types, or the bits per weight, of all layers by role.

import { bitsColor, textColor, typeColors } from "./colors.js";
import { el, onEnter, replace } from "./dom.js";
import { Pager } from "./pager.js";
import { swatch } from "./summary.js";
import { append, bitsPerWeight, shapeOf, sizes } from "./tensors.js";
import { grouped, humanBytes, shorten, visible } from "./text.js";

/** @typedef {import("./tensors.js").TensorRow} TensorRow */

const COLUMNS = 100; // of a page: the layers, and the tensors outside them
const MOST_ROLES = 100; // rows: most models have a few dozen
const LONGEST = 100; // characters of a role
const NONE = -1; // the column of tensors outside the layers

/** The panel of the layers. */
export class LayersPanel {
  /** @param {import("./model-view.js").Context} context */
  constructor({ tensors, showTensor }) {
    this.showTensor = showTensor;
    this.colors = typeColors(sizes(tensors, (row) => row.typeName).map(({ group }) => group));
    /** @type {Map<number, Map<string, TensorRow[]>>} tensors by layer and role */
    this.cells = new Map();
    /** @type {Map<string, number>} the roles in the order of the file */
    this.roles = new Map();
    for (const row of tensors) {
      const layer = row.role.block ?? NONE;
      const label = labelOf(row);
      const cells = this.cells.get(layer) ?? new Map();
      append(cells, label, row);
      this.cells.set(layer, cells);
      this.roles.set(label, this.roles.get(label) ?? this.roles.size);
    }
    this.layers = [...this.cells.keys()].sort((a, b) => a - b);
    this.mode = "type";
    this.table = el("table", {
      class: "heat",
      role: "grid",
      "aria-label": "Types by layer and role",
      keydown: (/** @type {KeyboardEvent} */ event) => this.move(event),
    });
    this.legend = el("ul", { class: "legend" });
    const hint = "Select a cell with the arrow keys or the pointer; Enter shows the tensor.";
    this.note = el("p", { class: "note", role: "status" }, hint);
    this.cut = el("p", { class: "quiet" });
    this.pager = new Pager("columns", COLUMNS, (start, end) => this.draw(start, end), true);
    this.element = el(
      "section",
      { class: "panel" },
      el("div", { class: "controls" }, this.choice("type", "Types"), this.choice("bits", "Bits per weight")),
      this.pager.element,
      this.legend,
      el("div", { class: "scroll" }, this.table),
      this.cut,
      this.note,
    );
    this.pager.reset(this.layers.length);
  }

  /** @param {string} mode @param {string} title */
  choice(mode, title) {
    const change = () => {
      this.mode = mode;
      this.pager.go(this.pager.page);
    };
    const input = el("input", { type: "radio", name: "heat", checked: mode === this.mode, change });
    return el("label", { class: "check" }, input, ` ${title}`);
  }

  /** @param {number} start @param {number} end */
  draw(start, end) {
    const layers = this.layers.slice(start, end);
    const labels = new Set(layers.flatMap((layer) => [...(this.cells.get(layer)?.keys() ?? [])]));
    const roles = [...labels].sort((a, b) => (this.roles.get(a) ?? 0) - (this.roles.get(b) ?? 0));
    const heads = ["role", ...layers.map((layer) => (layer === NONE ? "–" : layer))];
    const head = el("tr", {}, heads.map((each) => el("th", { scope: "col" }, each)));
    const body = roles.slice(0, MOST_ROLES).map((label) => {
      const cells = layers.map((layer) => this.cell(label, layer, this.cells.get(layer)?.get(label)));
      return el("tr", {}, el("th", { scope: "row" }, visible(label)), cells);
    });
    this.cut.hidden = roles.length <= MOST_ROLES;
    replace(this.cut, `The first ${MOST_ROLES} of ${grouped(roles.length)} roles.`);
    replace(this.table, el("thead", {}, head), el("tbody", {}, body));
    this.table.querySelector("td")?.setAttribute("tabindex", "0");
    this.drawLegend();
  }

  /** @param {string} label @param {number} layer @param {TensorRow[] | undefined} rows */
  cell(label, layer, rows) {
    const where = `${layer === NONE ? "outside the layers" : `layer ${layer}`}, ${visible(label)}`;
    if (rows === undefined) {
      const none = `${where}: none`;
      return el("td", { tabindex: -1, "aria-label": none, focus: () => replace(this.note, none) });
    }
    const bits = bitsPerWeight(rows);
    const color =
      this.mode === "type" ? this.colors.get(rows[0].typeName) : bits === null ? undefined : bitsColor(bits);
    const words = `${where}: ${describe(rows, bits)}`;
    const short = this.mode === "type" ? rows[0].typeName : bits === null ? "?" : bits.toFixed(2);
    const show = () => replace(this.note, words);
    const open = () => this.showTensor(rows[0]);
    const cell = el(
      "td",
      {
        tabindex: -1,
        "aria-label": words,
        class: "filled",
        title: words,
        focus: show,
        mouseenter: show,
        click: open,
        keydown: onEnter(open),
      },
      visible(short),
    );
    if (color !== undefined) {
      cell.style.backgroundColor = color;
      cell.style.color = textColor(color);
    }
    return cell;
  }

  drawLegend() {
    const items =
      this.mode === "type"
        ? [...this.colors].map(([type, color]) => el("li", {}, swatch(color), visible(type)))
        : [2, 3, 4, 5, 6, 8, 16, 32].map((bits) => el("li", {}, swatch(bitsColor(bits)), `${bits} bits`));
    replace(this.legend, items);
  }

  /** @param {KeyboardEvent} event */
  move(event) {
    const cell = event.target;
    if (!(cell instanceof HTMLTableCellElement)) {
      return;
    }
    const row = /** @type {HTMLTableRowElement} */ (cell.parentElement);
    /** @type {Record<string, [number, number]>} */
    const steps = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] };
    const step = steps[event.key];
    if (step !== undefined) {
      event.preventDefault();
      const target = this.table.rows[row.rowIndex + step[0]]?.cells[cell.cellIndex + step[1]];
      if (target instanceof HTMLTableCellElement && target.tagName === "TD") {
        cell.tabIndex = -1;
        target.tabIndex = 0;
        target.focus();
      }
    }
  }
}

/** @param {TensorRow} row the role, with the part of the model and the suffix if they are not the usual ones */
function labelOf({ role }) {
  const part = role.part === "text" ? "" : `${role.part} `;
  const suffix = role.suffix === "" || role.suffix === "weight" ? "" : `.${role.suffix}`;
  return shorten(part + role.role + suffix, LONGEST);
}

/** @param {TensorRow[]} rows @param {number | null} bits */
function describe(rows, bits) {
  const [first, ...others] = rows;
  const more = others.length ? ` and ${others.length} more` : "";
  const words = bits === null ? "size unknown" : `${bits.toFixed(2)} bits per weight`;
  return `${first.typeName}${more}, ${shapeOf(first)}, ${humanBytes(rows.reduce((sum, row) => sum + (row.nbytes ?? 0), 0))}, ${words}`;
}
