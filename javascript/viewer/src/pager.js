// Long lists, a page at a time: lists of tens of thousands of rows stay fast, and usable with the keyboard.

import { button, el, labelled, replace } from "./dom.js";
import { grouped } from "./text.js";

/** The pages of a list, and the buttons that turn them. */
export class Pager {
  /**
   * @param {string} what the rows are, such as "tensors"
   * @param {number} size rows of a page
   * @param {(start: number, end: number) => void} show shows the rows from one number to another
   * @param {boolean} [isQuiet] whether a single page needs no words
   */
  constructor(what, size, show, isQuiet = false) {
    this.isQuiet = isQuiet;
    this.what = what;
    this.size = size;
    this.show = show;
    this.count = 0;
    this.page = 0;
    this.words = el("span", { class: "pager-words" });
    const change = () => this.go(this.input.valueAsNumber - 1);
    this.input = el("input", { type: "number", min: 1, inputmode: "numeric", change });
    this.last = el("span");
    /** @param {string} sign @param {string} words @param {number} by */
    const turn = (sign, words, by) =>
      button(sign, () => this.go(this.page + by), null, { "aria-label": `${words} page of ${what}` });
    this.previousButton = turn("‹", "Previous", -1);
    this.nextButton = turn("›", "Next", 1);
    const page = labelled("page", this.input);
    this.controls = el("span", { class: "pager-controls" }, this.previousButton, page, this.last, this.nextButton);
    const attributes = { class: "pager", role: "group", "aria-label": `Pages of ${what}` };
    this.element = el("div", attributes, this.words, this.controls);
  }

  get numPages() {
    return Math.max(1, Math.ceil(this.count / this.size));
  }

  /**
   * Show the first page of a list, or the one with a row.
   *
   * @param {number} count
   * @param {number} [row]
   */
  reset(count, row = 0) {
    this.count = count;
    this.input.max = String(this.numPages);
    this.go(Math.floor(row / this.size));
  }

  /** @param {number} page from 0 */
  go(page) {
    this.page = Math.min(Math.max(Number.isFinite(page) ? Math.trunc(page) : 0, 0), this.numPages - 1);
    const start = this.page * this.size;
    const end = Math.min(start + this.size, this.count);
    this.input.value = String(this.page + 1);
    this.previousButton.disabled = this.page === 0;
    this.nextButton.disabled = this.page + 1 === this.numPages;
    this.controls.hidden = this.numPages === 1;
    this.element.hidden = this.isQuiet && this.numPages === 1;
    const what = this.count === 1 ? this.what.slice(0, -1) : this.what; // "1 key"
    const range = this.numPages === 1 ? "" : `${grouped(start + 1)} to ${grouped(end)} of `;
    replace(this.words, `${range}${grouped(this.count)} ${what}`);
    replace(this.last, ` of ${grouped(this.numPages)}`);
    this.show(start, end);
  }
}
