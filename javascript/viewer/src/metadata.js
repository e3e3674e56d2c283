// The metadata: keys with a search, and the whole value of one of them.

import { encode, standardKey } from "../../index.js";
import { typeOf } from "../../src/editing.js";
import { Detail } from "./detail.js";
import { button, el, labelled, onEnter, replace, scrolling, table, textInput } from "./dom.js";
import { formButtons, isEditable, renameForm, valueForm } from "./edit-form.js";
import { Pager } from "./pager.js";
import { Search } from "./search.js";
import { grouped, label, visibleLines } from "./text.js";
import { describeNumber, describeType, describeValue, elementTypeOf } from "./values.js";

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
    this.metadata = (edits?.now.model ?? model).metadata;
    this.showPosition = showPosition;
    /** @type {string[]} */
    this.keys = [...this.metadata.keys()];
    this.shown = this.keys;
    /** @type {Map<string, number>} the keys that were found, with the element of an array that was; -1 for none */
    this.found = new Map();
    this.running = new Search("");
    /** @type {string | null} */
    this.selected = null;
    this.search = textInput("search", { input: () => this.filter() });
    this.state = el("span", { class: "quiet", role: "status" });
    this.body = el("tbody");
    this.detail = new Detail("Value", this.body, () => (this.selected = null));
    this.pager = new Pager("keys", KEYS, (start, end) => this.list(start, end));
    const add = edits && button("Add a key", () => this.add());
    const list = table("keys", "Metadata", ["key", "type", "value"], this.body);
    const controls = [labelled("Search keys and values", this.search), add, this.state];
    this.element = this.detail.beside(controls, this.pager.element, list);
    edits?.listeners.push(() => this.refresh(edits.now.model.metadata));
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
    /** @param {string} key @param {string} type @param {any} value */
    const set = (key, type, value) => {
      if (this.metadata.has(key)) {
        throw new Error(`the key ${label(key)} already exists`);
      }
      this.selected = key;
      this.edits?.set(key, type, value);
    };
    this.detail.show("Add a key", valueForm(null, set, done));
    this.detail.element.querySelector("input")?.focus();
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
    const value = this.metadata.get(key);
    const given = { key, type: typeOf(this.metadata, key) ?? "", value };
    /** @param {string} name */
    const rename = (name) => {
      this.selected = name;
      edits.rename("renameKeys", key, name);
    };
    /** @param {string} _ @param {string} type @param {any} next */
    const set = (_, type, next) => edits.set(key, type, next);
    /** @type {Record<string, import("./edit-form.js").Maker>} */
    const forms = isEditable(value) ? { Edit: (cancel) => valueForm(given, set, cancel) } : {};
    forms.Rename = (cancel) => renameForm(key, rename, cancel);
    return formButtons(forms, button("Remove", () => edits.remove(key)));
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
          el("th", { scope: "row" }, button(label(key), () => this.select(key), "link key")),
          el("td", { class: "type" }, describeType(this.metadata.entry(key))),
          el(
            "td",
            { class: "value" },
            this.edits?.now.changed.has(key) && el("span", { class: "changed" }, "changed"),
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
    const element = this.metadata.get(key).at(index);
    const { elementType } = this.metadata.entry(key);
    const words = describeValue(element, elementTypeOf(element, elementType), WIDTH);
    return el("div", { class: "match" }, `element ${grouped(index)}: ${words}`);
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
    const position = this.edits?.now.changed.has(key) ? -1 : this.model.metadata.entry(key).position;
    const size = typeof value === "string" ? `, ${grouped(encode(value).length)} bytes` : "";
    this.detail.show(
      label(key),
      el(
        "p",
        { class: "quiet" },
        `${describeType(entry)}${size}; ${grouped(entry.nbytes)} bytes with its key `,
        position >= 0 && button(`at byte ${grouped(position)}`, () => this.showPosition(position), "link"),
      ),
      meaning && el("p", { class: "meaning" }, meaning),
      this.actions(key),
      typeof value === "string"
        ? wholeText(value)
        : typeof value === "object"
          ? wholeArray(value, entry.elementType, this.found.get(key) ?? -1, this.search.value)
          : el("p", { class: "scalar" }, describeNumber(value, entry.type)),
    );
    this.detail.element.querySelector(".marked")?.scrollIntoView({ block: "nearest" });
  }
}

/** @param {string} text */
function wholeText(text) {
  const shown = el("pre", { tabindex: 0, role: "region", "aria-label": "Text" });
  /** @param {number} start @param {number} end */
  const show = (start, end) => replace(shown, visibleLines(text.slice(start, end)));
  const pager = new Pager("characters", CHARACTERS, show, true);
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
      const element = values.at(i);
      const inner = elementTypeOf(element, type);
      const words = el("span", {}, describeValue(element, inner, 1000));
      items.push(el("li", { class: i === marked ? "marked" : null }, el("span", { class: "index" }, grouped(i)), words));
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
    scrolling("Elements", list, "scroll tall"),
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
  const input = textInput("search", { value: words, keydown: onEnter(() => find()) });
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
  return el("div", { class: "controls" }, labelled("Find in the elements", input), button("Find next", find), result);
}
