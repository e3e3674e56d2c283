// Tabs with the keys of the ARIA practices: arrows, Home and End.

import { button, el } from "./dom.js";

/** @typedef {{id: string, title: import("./dom.js").Child[], make: () => {element: HTMLElement}}} Tab */

/** A list of tabs, one of which is selected. */
export class Tabs {
  /**
   * @param {string} label
   * @param {Tab[]} tabs whose panels are made when they are first selected
   */
  constructor(label, tabs) {
    this.tabs = tabs;
    const keydown = (/** @type {KeyboardEvent} */ event) => this.move(event);
    this.buttons = tabs.map(({ id, title }) => {
      const attributes = { role: "tab", id: `tab-${id}`, "aria-controls": `panel-${id}`, keydown };
      return button(title, () => this.select(id), null, attributes);
    });
    this.holders = tabs.map(({ id }) =>
      el("div", { id: `panel-${id}`, role: "tabpanel", "aria-labelledby": `tab-${id}`, tabindex: 0 }),
    );
    /** @type {Map<string, any>} */
    this.panels = new Map();
    this.list = el("div", { role: "tablist", "aria-label": label, class: "tabs" }, this.buttons);
    this.select(tabs[0].id);
  }

  /** @param {string} id @returns {any} the panel of the tab */
  select(id) {
    this.tabs.forEach((tab, i) => {
      const isSelected = tab.id === id;
      this.buttons[i].setAttribute("aria-selected", String(isSelected));
      this.buttons[i].tabIndex = isSelected ? 0 : -1;
      this.holders[i].hidden = !isSelected;
      if (isSelected && !this.panels.has(id)) {
        const panel = tab.make();
        this.panels.set(id, panel);
        this.holders[i].append(panel.element);
      }
    });
    return this.panels.get(id);
  }

  /** @param {KeyboardEvent} event */
  move(event) {
    const at = this.buttons.findIndex((button) => button === event.currentTarget);
    const last = this.buttons.length - 1;
    /** @type {Record<string, number>} */
    const targets = { ArrowRight: at === last ? 0 : at + 1, ArrowLeft: at === 0 ? last : at - 1, Home: 0, End: last };
    const target = targets[event.key];
    if (target !== undefined) {
      event.preventDefault();
      this.select(this.tabs[target].id);
      this.buttons[target].focus();
    }
  }
}
