// The details of one row of a list: beside the list, or below it on small screens.

import { el, replace } from "./dom.js";

/** The details of the row that is selected. */
export class Detail {
  /**
   * @param {string} label
   * @param {() => void} closed called when the user closes it, to restore the focus
   */
  constructor(label, closed) {
    this.closed = closed;
    this.element = el("section", { class: "card detail", "aria-label": label, hidden: true });
  }

  /**
   * Replace the details, and move the focus to their title.
   *
   * @param {string} title
   * @param {...import("./dom.js").Child} children
   */
  show(title, ...children) {
    const heading = el("h2", { tabindex: -1 }, title);
    const close = () => {
      this.element.hidden = true;
      this.closed();
    };
    const button = el("button", { type: "button", click: close }, "Close");
    replace(this.element, el("div", { class: "detail-head" }, heading, button), ...children);
    this.element.hidden = false;
    heading.focus({ preventScroll: true });
    const { top } = this.element.getBoundingClientRect();
    if (top < 0 || top > window.innerHeight / 2) {
      this.element.scrollIntoView();
    }
  }
}

/**
 * Deselect the selected row of a table, and give it the focus.
 *
 * @param {HTMLElement} body
 */
export function unselect(body) {
  const row = body.querySelector('tr[aria-selected="true"]');
  row?.removeAttribute("aria-selected");
  row?.querySelector("button")?.focus();
}
