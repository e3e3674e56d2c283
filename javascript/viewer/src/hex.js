// The bytes of the file, and the meaning of each.

import { blockOf, fieldsOf } from "./blocks.js";
import { button, el, labelled, onEnter, replace, textInput } from "./dom.js";
import { partAt } from "./parts.js";
import { grouped, hex, label, problem, visible } from "./text.js";
import { describeValue } from "./values.js";

/** @typedef {{name: string, start: number, end: number, type?: string, value?: any, meaning?: string}} Field */

const WIDTH = 16; // bytes of a line
const LINES = 24;
const SIZE = WIDTH * LINES;

/** A page of bytes, one of which is selected, with the fields that contain it. */
export class HexView {
  /**
   * @param {import("./model-view.js").Context} context
   * @param {import("./parts.js").Part[]} parts
   */
  constructor({ model }, parts) {
    this.model = model;
    this.parts = parts;
    this.start = -1;
    this.selected = 0;
    /** @type {Uint8Array} */
    this.bytes = new Uint8Array(0);
    /** @type {HTMLTableCellElement[]} */
    this.cells = [];
    /** @type {HTMLTableCellElement[]} */
    this.letters = [];
    const last = Math.max(model.nbytes - 1, 0);
    this.input = textInput("text", { size: 14, value: "0", keydown: onEnter(() => this.goToInput()) });
    this.table = el("table", {
      class: "hex",
      role: "grid",
      "aria-label": "Bytes",
      keydown: (/** @type {KeyboardEvent} */ event) => this.move(event),
    });
    this.fields = el("ol", { class: "fields" });
    this.problem = el("p", { class: "problem", role: "alert" });
    /** @param {number} by */
    const turn = (by) => () => this.select(Math.min(Math.max(this.start + by, 0), last));
    this.element = el(
      "section",
      { class: "card bytes" },
      el("h2", {}, "Bytes"),
      el(
        "div",
        { class: "controls" },
        labelled("Go to byte", this.input),
        button("Go", () => this.goToInput()),
        button("‹", turn(-SIZE), null, { "aria-label": "Previous bytes" }),
        button("›", turn(SIZE), null, { "aria-label": "Next bytes" }),
      ),
      this.problem,
      el(
        "div",
        { class: "hex-and-fields" },
        el("div", { class: "scroll hex-scroll" }, this.table),
        el("section", { class: "explanation", "aria-live": "polite", "aria-label": "What the byte is" }, this.fields),
      ),
    );
  }

  goToInput() {
    const text = this.input.value.trim().replaceAll(",", "");
    const position = /^(0x[0-9a-f]{1,13}|[0-9]{1,16})$/i.test(text) ? Number(text) : NaN;
    if (position < this.model.nbytes) {
      this.select(position, true);
    } else {
      replace(this.problem, `Enter a position from 0 to ${grouped(this.model.nbytes - 1)}, such as 8122 or 0x1fba.`);
    }
  }

  /**
   * Show a byte and its meaning.
   *
   * @param {number} position
   * @param {boolean} [withFocus]
   */
  async select(position, withFocus = false) {
    if (this.model.nbytes === 0) {
      return;
    }
    this.selected = Math.min(position, this.model.nbytes - 1);
    this.input.value = String(this.selected);
    replace(this.problem);
    const start = Math.floor(this.selected / WIDTH) * WIDTH;
    if (this.start < 0 || this.selected < this.start || this.selected >= this.start + SIZE) {
      this.start = start;
      let [bytes, words] = [new Uint8Array(0), ""];
      try {
        bytes = await this.model.read(start, Math.min(start + SIZE, this.model.nbytes));
      } catch (error) {
        words = problem(error);
      }
      if (this.start !== start) {
        return; // another page was requested in the meantime
      }
      this.start = words ? -1 : start;
      this.bytes = bytes;
      replace(this.problem, words);
      this.draw();
    }
    this.explain(withFocus);
  }

  draw() {
    this.cells = [];
    this.letters = [];
    const rows = [];
    for (let line = 0; line < this.bytes.length; line += WIDTH) {
      const bytes = this.bytes.subarray(line, line + WIDTH);
      const cells = Array.from(bytes, (byte, i) => {
        const position = this.start + line + i;
        const attributes = { tabindex: -1, "data-position": position, click: () => this.select(position, true) };
        return el("td", attributes, byte.toString(16).padStart(2, "0"));
      });
      const letter = (/** @type {string} */ text) => el("td", { class: "letter", "aria-hidden": "true" }, text);
      const letters = Array.from(bytes, (byte) => letter(byte > 0x20 && byte < 0x7f ? String.fromCharCode(byte) : "·"));
      const blanks = Array.from({ length: WIDTH - bytes.length }, () => letter(""));
      this.cells.push(...cells);
      this.letters.push(...letters);
      const position = (this.start + line).toString(16).padStart(8, "0");
      rows.push(el("tr", {}, el("th", { scope: "row" }, position), cells, blanks, letters));
    }
    replace(this.table, el("tbody", {}, rows));
  }

  /** @param {boolean} withFocus */
  explain(withFocus) {
    const fields = this.fieldsAt(this.selected);
    const inner = fields[fields.length - 1];
    this.cells.forEach((cell, i) => {
      const position = this.start + i;
      const isSelected = position === this.selected;
      const isInner = inner !== undefined && position >= inner.start && position < inner.end;
      cell.className = isSelected ? "selected" : isInner ? "inner" : "";
      cell.setAttribute("aria-selected", String(isSelected));
      cell.tabIndex = isSelected ? 0 : -1;
      this.letters[i].className = isSelected || isInner ? "letter inner" : "letter";
      if (isSelected && withFocus) {
        cell.focus();
      }
    });
    const position = el("span", { class: "quiet" }, hex(this.selected));
    const items = fields.map((field) => {
      const { name, start, end, type = "", value, meaning } = field;
      const words = type && type !== "bytes" ? ` (${visible(type)})` : "";
      const shown = value !== undefined && describeValue(value, type, 300) + (meaning ? ` (${visible(meaning)})` : "");
      return el(
        "li",
        { class: field === inner ? "innermost" : null },
        el("span", { class: "field-name" }, label(name)),
        " ",
        el("span", { class: "quiet" }, `bytes ${grouped(start)} to ${grouped(end)}${words}`),
        shown && el("span", { class: "field-value" }, shown),
      );
    });
    replace(this.fields, el("li", { class: "position" }, `byte ${grouped(this.selected)} `, position), items);
  }

  /**
   * Return the fields that contain a byte, the outermost first.
   *
   * @param {number} position
   * @returns {Field[]}
   */
  fieldsAt(position) {
    if (position < this.model.headerNbytes) {
      return this.model.fieldsAt(position);
    }
    const { title: name, kind, start, end, row } = partAt(this.parts, position);
    if (row === null || row.type === null) {
      return [{ name, type: row === null ? "" : kind, start, end }];
    }
    const block = blockOf(row.type);
    const number = Math.floor((position - row.position) / block.nbytes);
    const first = row.position + number * block.nbytes;
    const what = `${block.isPlain ? "element" : "block"} ${grouped(number)}`;
    return [
      { name, type: kind, start, end },
      { name: what, type: "", start: first, end: first + block.nbytes },
      ...this.blockFields(row.type, first, position),
    ];
  }

  /**
   * Return the field of a block that contains a byte, if the whole block is shown.
   *
   * @param {string} type
   * @param {number} first byte of the block
   * @param {number} position
   * @returns {Field[]}
   */
  blockFields(type, first, position) {
    const { nbytes } = blockOf(type);
    const offset = first - this.start;
    if (offset < 0 || offset + nbytes > this.bytes.length) {
      return [];
    }
    const bytes = this.bytes.subarray(offset, offset + nbytes);
    const fields = fieldsOf(type, bytes, this.model.byteOrder === "big").map(({ values, ...field }) => ({
      name: `${field.name} = ${values.slice(0, 16).join(" ")}${values.length > 16 ? " …" : ""}`,
      type: field.format,
      start: first + field.start,
      end: first + field.start + field.nbytes,
    }));
    return fields.filter((field) => position >= field.start && position < field.end);
  }

  /** @param {KeyboardEvent} event */
  move(event) {
    /** @type {Record<string, number>} */
    const steps = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: WIDTH, ArrowUp: -WIDTH, PageDown: SIZE, PageUp: -SIZE };
    const step = steps[event.key];
    if (step !== undefined) {
      event.preventDefault();
      this.select(Math.min(Math.max(this.selected + step, 0), this.model.nbytes - 1), true);
    }
  }
}
