// The metadata: keys with a search, and the whole value of one of them.

import { Detail, unselect } from "./detail.js";
import { el, newId, replace } from "./dom.js";
import { Pager } from "./pager.js";
import { grouped, label, visibleLines } from "./text.js";
import { describeNumber, describeType, describeValue, elementAt, elementTypeOf } from "./values.js";

const KEYS = 100; // rows of a page
const ELEMENTS = 100;
const CHARACTERS = 100_000; // of a text shown at once
const WIDTH = 120; // characters of a value in the table
const MOST_SEARCHED = 20_000; // keys: if there are more, their values are not searched
const SEARCH_STEP = 20_000; // elements between pauses that let the page do other work

/** The panel of the metadata. */
export class MetadataPanel {
  /** @param {import("./model-view.js").Context} context */
  constructor({ model, showPosition }) {
    this.model = model;
    this.showPosition = showPosition;
    /** @type {string[]} */
    this.keys = [...model.metadata.keys()];
    this.shown = this.keys;
    /** @type {string | null} */
    this.selected = null;
    const id = newId();
    this.search = el("input", {
      type: "search",
      id,
      autocomplete: "off",
      spellcheck: "false",
      input: () => this.filter(),
    });
    this.body = el("tbody");
    this.detail = new Detail("Value", () => {
      this.selected = null;
      unselect(this.body);
    });
    this.pager = new Pager("keys", KEYS, (start, end) => this.list(start, end));
    this.element = el(
      "section",
      { class: "panel split" },
      el(
        "div",
        { class: "master" },
        el("div", { class: "controls" }, el("label", { for: id }, "Search keys and values"), this.search),
        this.pager.element,
        el(
          "div",
          { class: "scroll", tabindex: 0, role: "region", "aria-label": "Metadata" },
          el(
            "table",
            { class: "keys" },
            el(
              "thead",
              {},
              el(
                "tr",
                {},
                ["key", "type", "value"].map((name) => el("th", { scope: "col" }, name)),
              ),
            ),
            this.body,
          ),
        ),
      ),
      this.detail.element,
    );
    this.filter();
  }

  filter() {
    const words = this.search.value.toLowerCase();
    this.shown = words === "" ? this.keys : this.keys.filter((key) => this.matches(key, words));
    this.pager.reset(this.shown.length);
  }

  /** @param {string} key @param {string} words */
  matches(key, words) {
    if (key.toLowerCase().includes(words)) {
      return true;
    }
    return this.keys.length <= MOST_SEARCHED && this.described(key, 1000).toLowerCase().includes(words);
  }

  /** @param {string} key @param {number} width */
  described(key, width) {
    const entry = this.model.metadata.entry(key);
    return describeValue(this.model.metadata.get(key), entry.elementType || entry.type, width);
  }

  /** @param {number} start @param {number} end */
  list(start, end) {
    const rows = this.shown
      .slice(start, end)
      .map((key) =>
        el(
          "tr",
          { "aria-selected": key === this.selected ? "true" : null },
          el(
            "th",
            { scope: "row" },
            el("button", { type: "button", class: "link key", click: () => this.select(key) }, label(key)),
          ),
          el("td", { class: "type" }, describeType(this.model.metadata.entry(key))),
          el("td", { class: "value" }, this.described(key, WIDTH)),
        ),
      );
    replace(
      this.body,
      rows.length ? rows : el("tr", {}, el("td", { colspan: 3, class: "quiet" }, "no key or value contains this")),
    );
  }

  /**
   * Show the whole value of a key.
   *
   * @param {string} key
   */
  select(key) {
    this.selected = key;
    this.pager.go(this.pager.page);
    const entry = this.model.metadata.entry(key);
    const value = this.model.metadata.get(key);
    this.detail.show(
      label(key),
      el(
        "p",
        { class: "quiet" },
        `${describeType(entry)}, ${grouped(entry.nbytes)} bytes `,
        el(
          "button",
          { type: "button", class: "link", click: () => this.showPosition(entry.position) },
          `at byte ${grouped(entry.position)}`,
        ),
      ),
      wholeValue(value, entry.elementType || entry.type),
    );
  }
}

/**
 * @param {any} value
 * @param {string} type of the value, or of the elements of an array
 * @returns {Node}
 */
function wholeValue(value, type) {
  if (typeof value === "string") {
    return wholeText(value);
  }
  if (typeof value === "object") {
    return wholeArray(value, type);
  }
  return el("p", { class: "scalar" }, describeNumber(value, type));
}

/** @param {string} text */
function wholeText(text) {
  const shown = el("pre", { tabindex: 0, role: "region", "aria-label": "Text" });
  const pager = new Pager(
    "characters",
    CHARACTERS,
    (start, end) => replace(shown, visibleLines(text.slice(start, end))),
    true,
  );
  pager.reset(text.length);
  return el("div", { class: "stack" }, pager.element, shown);
}

/**
 * @param {any} values
 * @param {string} type of the elements
 */
function wholeArray(values, type) {
  const list = el("ol", { class: "elements" });
  let marked = -1;
  const pager = new Pager("elements", ELEMENTS, (start, end) => {
    const items = [];
    for (let i = start; i < end; i += 1) {
      const element = elementAt(values, i);
      const inner = elementTypeOf(element, type);
      items.push(
        el(
          "li",
          { class: i === marked ? "marked" : null },
          el("span", { class: "index" }, i),
          el("span", {}, describeValue(element, inner, 1000)),
        ),
      );
    }
    replace(list, items);
  });
  const search =
    type === "string"
      ? finder(
          values,
          () => marked,
          (index) => {
            marked = index;
            pager.reset(values.length, Math.max(index, 0));
          },
        )
      : null;
  pager.reset(values.length);
  return el(
    "div",
    { class: "stack" },
    search,
    pager.element,
    el("div", { class: "scroll tall", tabindex: 0, role: "region", "aria-label": "Elements" }, list),
  );
}

/**
 * Return a form that finds the next string of an array that contains a given text.
 *
 * @param {any} values
 * @param {() => number} current
 * @param {(index: number) => void} show
 */
function finder(values, current, show) {
  const id = newId();
  const input = el("input", {
    type: "search",
    id,
    autocomplete: "off",
    spellcheck: "false",
    keydown: (/** @type {KeyboardEvent} */ event) => event.key === "Enter" && find(),
  });
  const result = el("span", { class: "quiet", role: "status" });
  let search = 0;
  const find = async () => {
    const own = (search += 1);
    const words = input.value;
    const first = current() + 1;
    for (let i = 0; words !== "" && i < values.length; i += 1) {
      const index = (first + i) % values.length;
      const text = elementAt(values, index);
      if (typeof text === "string" && text.includes(words)) {
        replace(result, `element ${grouped(index)}`);
        show(index);
        return;
      }
      if (i % SEARCH_STEP === SEARCH_STEP - 1) {
        await new Promise((resolve) => setTimeout(resolve));
        if (own !== search) {
          return;
        }
      }
    }
    replace(result, words === "" ? "" : "no element contains this");
  };
  return el(
    "div",
    { class: "controls" },
    el("label", { for: id }, "Find in the elements"),
    input,
    el("button", { type: "button", click: find }, "Find next"),
    result,
  );
}
