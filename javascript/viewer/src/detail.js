// The details of one row of a list: beside the list, or over it on small screens.

import { button, el, replace } from "./dom.js";

/** The details of the row that is selected. */
export class Detail {
  /**
   * @param {string} label
   * @param {HTMLElement} rows of the list: the selected one gets the focus when the details are closed
   * @param {() => void} closed called then
   */
  constructor(label, rows, closed) {
    this.rows = rows;
    this.closed = closed;
    this.element = el("section", {
      class: "card detail",
      "aria-label": label,
      hidden: true,
      keydown: (/** @type {KeyboardEvent} */ event) => event.key === "Escape" && this.close(),
    });
  }

  /**
   * Replace the details, and move the focus to their title.
   *
   * @param {string} title
   * @param {...import("./dom.js").Child} children
   */
  show(title, ...children) {
    const heading = el("h2", { tabindex: -1 }, title);
    replace(this.element, el("div", { class: "detail-head" }, heading, button("Close", () => this.close())), ...children);
    this.element.hidden = false;
    this.element.scrollTop = 0;
    heading.focus({ preventScroll: true });
  }

  /**
   * Return a panel with a list, and the details beside it or over it.
   *
   * @param {import("./dom.js").Child[]} controls above the list
   * @param {...HTMLElement} list
   */
  beside(controls, ...list) {
    const master = el("div", { class: "master" }, el("div", { class: "controls" }, controls), ...list);
    return el("section", { class: "panel split" }, master, this.element);
  }

  close() {
    this.element.hidden = true;
    this.closed();
    const row = this.rows.querySelector('tr[aria-selected="true"]');
    row?.removeAttribute("aria-selected");
    row?.querySelector("button")?.focus();
  }
}
