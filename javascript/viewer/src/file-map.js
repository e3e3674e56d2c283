// A map of the file to scale, and a list of its parts.

import { HEADER_COLORS, OTHER_COLORS, typeColors } from "./colors.js";
import { button, el, labelled, replace, select, svg, table } from "./dom.js";
import { HexView } from "./hex.js";
import { Pager } from "./pager.js";
import { partAt, partsOf } from "./parts.js";
import { swatch } from "./summary.js";
import { sizes } from "./tensors.js";
import { grouped, humanBytes, label, visible } from "./text.js";

/** @typedef {import("./parts.js").Part} Part */

const UNITS = 600; // of a line: narrower parts are merged with their neighbors
const LINES = 6; // of the map
const ROWS = 50; // of a page of the list

/** The panel of the file: map, bytes and parts. */
export class FilePanel {
  /** @param {import("./model-view.js").Context} context */
  constructor(context) {
    const { model, tensors } = context;
    this.parts = partsOf(model, tensors);
    const types = typeColors(sizes(tensors, (row) => row.typeName).map(({ group }) => group));
    this.colors = new Map([...Object.entries(HEADER_COLORS), ...types, ...Object.entries(OTHER_COLORS)]);
    this.hex = new HexView(context, this.parts);
    const hint = "Point at the map to see what is there. Click to see the bytes.";
    this.note = el("p", { class: "note", role: "status" }, hint);
    const end = this.parts[this.parts.length - 1].end;
    const isSmall = model.headerNbytes > 0 && model.headerNbytes < end / 2;
    const map = el(
      "section",
      { class: "card" },
      el("h2", {}, "Map of the file"),
      this.map("the file", this.parts, 0, end, LINES),
      isSmall && [el("h3", {}, "Header"), this.map("the header", this.parts, 0, model.headerNbytes, 1)],
      this.legend(),
      this.note,
    );
    const bytes = this.hex.element;
    this.element = el("section", { class: "panel" }, model.error ? [bytes, map] : [map, bytes], this.list());
    this.hex.select(model.error?.offset ?? 0);
  }

  /** @param {number} position */
  show(position) {
    this.hex.select(position);
    this.hex.element.scrollIntoView({ block: "nearest" });
  }

  /**
   * @param {string} what
   * @param {Part[]} parts
   * @param {number} start
   * @param {number} end
   * @param {number} lines
   */
  map(what, parts, start, end, lines) {
    const scale = (UNITS * lines) / Math.max(end - start, 1);
    const shapes = [];
    for (const group of drawn(parts, start, end, scale)) {
      let x = (group.start - start) * scale;
      const stop = (Math.min(group.end, end) - start) * scale;
      while (x < stop) {
        const line = Math.min(Math.floor(x / UNITS), lines - 1);
        const next = Math.min(stop, line === lines - 1 ? Infinity : (line + 1) * UNITS);
        shapes.push(
          svg("rect", {
            x: x - line * UNITS,
            y: line * 12,
            width: Math.max(next - x - (next - x > 4 ? 0.4 : 0), 0.1),
            height: 11,
            fill: this.colors.get(group.kind),
          }),
        );
        x = next;
      }
    }
    /** @param {MouseEvent} event @returns {number} */
    const positionOf = (event) => {
      const box = /** @type {Element} */ (event.currentTarget).getBoundingClientRect();
      const line = Math.min(Math.floor(((event.clientY - box.top) / box.height) * lines), lines - 1);
      const share = (line + (event.clientX - box.left) / box.width) / lines;
      return Math.min(start + Math.floor(share * (end - start)), end - 1);
    };
    return svg(
      "svg",
      {
        class: lines === 1 ? "map line" : "map",
        viewBox: `0 0 ${UNITS} ${lines * 12}`,
        preserveAspectRatio: "none",
        role: "img",
        "aria-label": `Map of ${what}, ${humanBytes(end - start)}; the list of parts has the same content as text`,
        mousemove: (event) => this.describe(positionOf(event)),
        click: (event) => this.show(positionOf(event)),
      },
      shapes,
    );
  }

  /** @param {number} position */
  describe(position) {
    const { title, kind, row, start, end } = partAt(this.parts, position);
    const type = row === null ? "" : `, ${kind}`;
    replace(this.note, `${label(title)}${type}: ${humanBytes(end - start)}, bytes ${grouped(start)} to ${grouped(end)}`);
  }

  legend() {
    /** @type {Map<string, number>} */
    const nbytes = new Map();
    for (const part of this.parts) {
      nbytes.set(part.kind, (nbytes.get(part.kind) ?? 0) + part.end - part.start);
    }
    const items = [...this.colors].map(([kind, color]) => {
      const size = nbytes.get(kind);
      return size && el("li", {}, swatch(color), `${visible(kind)} `, el("span", { class: "quiet" }, humanBytes(size)));
    });
    return el("ul", { class: "legend" }, items);
  }

  list() {
    const bySize = [...this.parts].sort((a, b) => b.end - b.start - (a.end - a.start));
    let shown = bySize;
    const body = el("tbody");
    const pager = new Pager("parts", ROWS, (start, end) => {
      const rows = shown.slice(start, end).map((part) => {
        const link = button(label(part.title), () => this.show(part.start), "link key");
        return el(
          "tr",
          {},
          el("th", { scope: "row" }, swatch(this.colors.get(part.kind)), link),
          el("td", { class: "type" }, visible(part.kind)),
          el("td", { class: "number" }, humanBytes(part.end - part.start)),
          el("td", { class: "number" }, grouped(part.start)),
        );
      });
      replace(body, rows);
    });
    const order = select(["size", "position"], () => {
      shown = order.value === "size" ? bySize : this.parts;
      pager.reset(shown.length);
    });
    pager.reset(shown.length);
    const numbers = ["size", "at byte"].map((name) => el("th", { scope: "col", class: "number" }, name));
    return el(
      "section",
      { class: "card" },
      el("h2", {}, "Parts"),
      el("div", { class: "controls" }, labelled("Sort by", order)),
      pager.element,
      table("parts", "Parts", ["part", "kind", ...numbers], body),
    );
  }
}

/**
 * Yield parts that are wide enough to be visible. Narrower neighbors are merged into one part, with their main kind.
 *
 * @param {Part[]} parts
 * @param {number} start
 * @param {number} end
 * @param {number} scale units for a byte
 * @returns {Generator<{start: number, end: number, kind: string}>}
 */
function* drawn(parts, start, end, scale) {
  /** @type {Part[]} */
  let group = [];
  for (const part of parts) {
    if (part.start >= end || part.end <= start) {
      continue;
    }
    if (group.length && (part.end - group[0].start) * scale >= 1) {
      yield together(group);
      group = [];
    }
    group.push(part);
  }
  if (group.length) {
    yield together(group);
  }
}

/** @param {Part[]} group */
function together(group) {
  const largest = group.reduce((most, part) => (part.end - part.start > most.end - most.start ? part : most));
  return { start: group[0].start, end: group[group.length - 1].end, kind: largest.kind };
}
