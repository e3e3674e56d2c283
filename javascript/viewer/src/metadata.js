// The metadata: keys with a search, and the whole value of one of them.

import { encode, standardKey } from "../../index.js";
import { Detail, unselect } from "./detail.js";
import { el, labelled, replace } from "./dom.js";
import { isEditable, renameForm, valueForm } from "./edit-form.js";
import { Pager } from "./pager.js";
import { Search } from "./search.js";
import { grouped, label, visibleLines } from "./text.js";
import { describeNumber, describeType, describeValue, elementAt, elementTypeOf } from "./values.js";

const KEYS = 100; // rows of a page
const ELEMENTS = 100;
const CHARACTERS = 100_000; // of a text shown at once
const WIDTH = 120; // characters of a value in the table

/** The panel of the metadata. */
export class MetadataPanel {
  /** @param {import("./model-view.js").Context} context */
  constructor({ model, edits, showPosition }) {
    this.model = model;
    this.edits = edits;
    this.metadata = edits?.now.metadata ?? model.metadata;
    this.showPosition = showPosition;
    /** @type {string[]} */
    this.keys = [...this.metadata.keys()];
    this.shown = this.keys;
    /** @type {Map<string, number>} the keys that were found, with the element of an array that was; -1 for none */
    this.found = new Map();
    this.running = new Search("");
    /** @type {string | null} */
    this.selected = null;
    this.search = el("input", {
      type: "search",
      autocomplete: "off",
      spellcheck: "false",
      input: () => this.filter(),
    });
    this.state = el("span", { class: "quiet", role: "status" });
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
        el(
          "div",
          { class: "controls" },
          labelled("Search keys and values", this.search),
          edits && el("button", { type: "button", click: () => this.add() }, "Add a key"),
          this.state,
        ),
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
    edits?.listeners.push(() => this.refresh(edits.now.metadata));
    this.filter();
  }

  /**
   * Show the metadata after a change.
   *
   * @param {any} metadata
   */
  refresh(metadata) {
    this.metadata = metadata;
    this.keys = [...metadata.keys()];
    this.filter();
    if (!this.detail.element.hidden) {
      const isOverList = matchMedia("(max-width: 1099.9px)").matches; // as in style.css
      if (this.selected !== null && metadata.has(this.selected) && !isOverList) {
        this.select(this.selected);
      } else {
        this.detail.close();
      }
    }
  }

  /** Show a form for a new key. */
  add() {
    this.selected = null;
    const done = () => this.detail.close();
    this.detail.show("Add a key", valueForm(null, (key, type, value) => this.setNew(key, type, value), done));
  }

  /** @param {string} key @param {string} type @param {any} value */
  setNew(key, type, value) {
    if (this.metadata.has(key)) {
      throw new Error(`the key ${label(key)} already exists`);
    }
    this.selected = key;
    this.edits?.set(key, type, value);
  }

  /**
   * Return the buttons that change a key, and the place where their forms are shown.
   *
   * @param {string} key
   */
  actions(key) {
    const { edits } = this;
    if (edits === null) {
      return null;
    }
    const holder = el("div");
    const entry = this.metadata.entry(key);
    const value = this.metadata.get(key);
    const type = entry.elementType === null ? entry.type : `${entry.elementType}[]`;
    const cancel = () => replace(holder);
    /** @param {string} name */
    const rename = (name) => {
      this.selected = name;
      edits.rename("renameKeys", edits.origin(key), name);
    };
    /** @param {HTMLElement} form */
    const show = (form) => {
      replace(holder, form);
      /** @type {HTMLElement | null} */ (form.querySelector("input, textarea"))?.focus();
    };
    const edit = () => show(valueForm({ key, type, value }, (_, newType, given) => edits.set(key, newType, given), cancel));
    return el(
      "div",
      { class: "stack" },
      el(
        "div",
        { class: "controls" },
        isEditable(value) && el("button", { type: "button", click: edit }, "Edit"),
        el("button", { type: "button", click: () => show(renameForm(key, rename, cancel)) }, "Rename"),
        el("button", { type: "button", click: () => edits.remove(key) }, "Remove"),
      ),
      holder,
    );
  }

  /** Show the keys that contain the words in their name, value or elements. Arrays are searched last. */
  async filter() {
    this.running.isCancelled = true;
    this.found = new Map();
    const search = new Search(this.search.value, () => this.showFound("searching…"));
    this.running = search;
    for (const areArrays of [false, true]) {
      for (const key of search.words === "" ? [] : this.keys) {
        const { type, elementType } = this.metadata.entry(key);
        if (areArrays && elementType !== null) {
          const index = await search.find(this.metadata.get(key), elementType);
          if (index >= 0) {
            this.found.set(key, index);
          }
        } else if (!areArrays) {
          const isThere = key.toLowerCase().includes(search.words);
          if (isThere || (elementType === null && search.isIn(this.metadata.get(key), type))) {
            this.found.set(key, -1);
          }
        }
        await search.pause();
        if (search.isCancelled) {
          return;
        }
      }
    }
    this.showFound("");
  }

  /** @param {string} state of the search; empty at its end */
  showFound(state) {
    if (state !== "" && state === this.state.textContent && this.shown.length === this.found.size) {
      return;
    }
    const shown = this.running.words === "" ? this.keys : this.keys.filter((key) => this.found.has(key));
    replace(this.state, state);
    this.shown = shown;
    this.pager.reset(shown.length);
  }

  /** @param {string} key @param {number} width */
  described(key, width) {
    const entry = this.metadata.entry(key);
    return describeValue(this.metadata.get(key), entry.elementType || entry.type, width);
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
          el("td", { class: "type" }, describeType(this.metadata.entry(key))),
          el(
            "td",
            { class: "value" },
            this.edits?.isChanged(key) && el("span", { class: "changed" }, "changed"),
            this.described(key, WIDTH),
            this.match(key),
          ),
        ),
      );
    replace(
      this.body,
      rows.length || this.state.textContent
        ? rows
        : el("tr", {}, el("td", { colspan: 3, class: "quiet" }, "no key or value contains this")),
    );
  }

  /**
   * Return the element that the search found in an array.
   *
   * @param {string} key
   */
  match(key) {
    const index = this.found.get(key) ?? -1;
    if (index < 0) {
      return null;
    }
    const element = elementAt(this.metadata.get(key), index);
    const { elementType } = this.metadata.entry(key);
    return el(
      "div",
      { class: "match" },
      `element ${grouped(index)}: ${describeValue(element, elementTypeOf(element, elementType), WIDTH)}`,
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
    const entry = this.metadata.entry(key);
    const value = this.metadata.get(key);
    const meaning = standardKey(key)?.description;
    const position = this.edits?.isChanged(key) ? undefined : this.model.metadata.entry(key).position;
    const size = typeof value === "string" ? `, ${grouped(encode(value).length)} bytes` : "";
    this.detail.show(
      label(key),
      el(
        "p",
        { class: "quiet" },
        `${describeType(entry)}${size}; ${grouped(entry.nbytes)} bytes with its key `,
        position !== undefined &&
          el(
            "button",
            { type: "button", class: "link", click: () => this.showPosition(position) },
            `at byte ${grouped(position)}`,
          ),
      ),
      meaning && el("p", { class: "meaning" }, meaning),
      this.actions(key),
      wholeValue(value, entry.elementType || entry.type, this.found.get(key) ?? -1, this.search.value),
    );
    this.detail.element.querySelector(".marked")?.scrollIntoView({ block: "nearest" });
  }
}

/**
 * @param {any} value
 * @param {string} type of the value, or of the elements of an array
 * @param {number} found the element that a search for `words` found, or -1
 * @param {string} words
 * @returns {Node}
 */
function wholeValue(value, type, found, words) {
  if (typeof value === "string") {
    return wholeText(value);
  }
  if (typeof value === "object") {
    return wholeArray(value, type, found, words);
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
 * @param {number} found
 * @param {string} words
 */
function wholeArray(values, type, found, words) {
  const list = el("ol", { class: "elements" });
  let marked = found;
  const pager = new Pager("elements", ELEMENTS, (start, end) => {
    const items = [];
    for (let i = start; i < end; i += 1) {
      const element = elementAt(values, i);
      const inner = elementTypeOf(element, type);
      items.push(
        el(
          "li",
          { class: i === marked ? "marked" : null },
          el("span", { class: "index" }, grouped(i)),
          el("span", {}, describeValue(element, inner, 1000)),
        ),
      );
    }
    replace(list, items);
    list.querySelector(".marked")?.scrollIntoView({ block: "nearest" });
  });
  const search = finder(values, type, marked < 0 ? "" : words, marked, (index) => {
    marked = index;
    pager.reset(values.length, index);
  });
  pager.reset(values.length, Math.max(marked, 0));
  return el(
    "div",
    { class: "stack" },
    search,
    pager.element,
    el("div", { class: "scroll tall", tabindex: 0, role: "region", "aria-label": "Elements" }, list),
  );
}

/**
 * Return a form that finds the next element of an array that contains a given text.
 *
 * @param {any} values
 * @param {string} type of the elements
 * @param {string} words to start with
 * @param {number} current the element that was found before, or -1
 * @param {(index: number) => void} show
 */
function finder(values, type, words, current, show) {
  const input = el("input", {
    type: "search",
    value: words,
    autocomplete: "off",
    spellcheck: "false",
    keydown: (/** @type {KeyboardEvent} */ event) => event.key === "Enter" && find(),
  });
  const result = el("span", { class: "quiet", role: "status" });
  let running = new Search("");
  const find = async () => {
    running.isCancelled = true;
    const search = new Search(input.value, () => replace(result, "searching…"));
    running = search;
    const index = search.words === "" ? -1 : await search.find(values, type, current + 1);
    if (search.isCancelled) {
      return;
    }
    if (index >= 0) {
      current = index;
      show(index);
    }
    replace(result, index >= 0 ? `element ${grouped(index)}` : search.words && "no element contains this");
  };
  return el(
    "div",
    { class: "controls" },
    labelled("Find in the elements", input),
    el("button", { type: "button", click: find }, "Find next"),
    result,
  );
}
