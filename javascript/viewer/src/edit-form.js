// Forms that change a key or the name of a tensor.

import { standardKey, VALUE_TYPES } from "../../index.js";
import { shortest } from "../../src/canonical.js";
import { range } from "../../src/values.js";
import { button, el, labelled, replace, select, textInput } from "./dom.js";
import { grouped, problem, visible } from "./text.js";

const MOST_ELEMENTS = 1000; // of an array that is edited as text
const MOST_LINES = 100; // of a preview
const TYPES = VALUE_TYPES.filter((type) => type !== "array").flatMap((type) => [type, `${type}[]`]);

/** @typedef {(cancel: () => void) => HTMLElement} Maker makes a form that `cancel` closes */

/**
 * Return buttons that show forms below them, one at a time.
 *
 * @param {Record<string, Maker>} forms by the words of their buttons
 * @param {...HTMLElement} more buttons
 */
export function formButtons(forms, ...more) {
  const holder = el("div");
  /** @param {Maker} make */
  const show = (make) => {
    replace(holder, make(() => replace(holder)));
    /** @type {HTMLElement | null} */ (holder.querySelector("input, textarea"))?.focus();
  };
  const buttons = Object.entries(forms).map(([words, make]) => button(words, () => show(make)));
  return el("div", { class: "stack" }, el("div", { class: "controls" }, buttons, ...more), holder);
}

/**
 * Return a form with fields and an error. `submit` throws an error that is then shown.
 *
 * @param {string} title
 * @param {import("./dom.js").Child[]} children
 * @param {() => void} submit
 * @param {() => void} cancel
 */
function form(title, children, submit, cancel) {
  const error = el("p", { class: "problem", role: "alert" });
  /** @param {Event} event */
  const submitted = (event) => {
    event.preventDefault();
    try {
      submit();
    } catch (refusal) {
      replace(error, problem(refusal));
    }
  };
  const submitButton = el("button", { type: "submit", class: "primary" }, title);
  const buttons = el("div", { class: "controls" }, submitButton, button("Cancel", cancel));
  const attributes = { class: "stack", novalidate: true, "aria-label": title, submit: submitted };
  return el("form", attributes, ...children, error, buttons);
}

/**
 * Return a form that renames something.
 *
 * @param {string} name
 * @param {(name: string) => void} rename
 * @param {() => void} cancel
 */
export function renameForm(name, rename, cancel) {
  const input = textInput("text", { value: name });
  return form("Rename", [labelled("New name", input, "field")], () => rename(input.value), cancel);
}

/**
 * Return a form for the value of a key, or for a new key.
 *
 * @param {{key: string, type: string, value: any} | null} given null for a new key
 * @param {(key: string, type: string, value: any) => void} set
 * @param {() => void} cancel
 */
export function valueForm(given, set, cancel) {
  const key = textInput("text", {
    change: () => {
      type.value = standardKey(key.value)?.types[0] ?? type.value;
      show();
    },
  });
  const type = select(TYPES, () => show());
  const holder = el("div", { class: "stack" });
  /** @type {() => any} */
  let read = () => "";
  const show = () => {
    const value = given?.type === type.value ? given.value : undefined;
    const made = control(type.value, value, given?.key.startsWith("tokenizer.chat_template") === true);
    read = made.read;
    replace(holder, labelled("Value", made.element, "field"), made.more);
  };
  type.value = given?.type ?? "string";
  show();
  const fields = [given === null && labelled("Key", key, "field"), labelled("Type", type, "field"), holder];
  const title = given === null ? "Add key" : "Change value";
  return form(title, fields, () => set(given?.key ?? key.value, type.value, read()), cancel);
}

/**
 * Return whether a value can be edited: not an array that is long or nested.
 *
 * @param {any} value
 */
export function isEditable(value) {
  return typeof value !== "object" || (value.length <= MOST_ELEMENTS && value.elementType !== "array");
}

/**
 * Return the control for a type, a function that reads it, and what is shown below it.
 *
 * @param {string} type
 * @param {any} value undefined for a new one
 * @param {boolean} isTemplate
 * @returns {{element: HTMLElement, read: () => any, more?: import("./dom.js").Child}}
 */
function control(type, value, isTemplate) {
  const isInteger = type.includes("int");
  if (type === "bool") {
    const box = el("input", { type: "checkbox", checked: value === true });
    return { element: box, read: () => box.checked };
  }
  if (type.endsWith("[]")) {
    const items = Array.from(value ?? [], (each) => json(each, type));
    const area = textArea(`[${items.join(", ")}]`);
    const hint = el("p", { class: "quiet" }, "As JSON, such as [1, 2].");
    return { element: area, read: () => arrayOf(area.value, isInteger), more: hint };
  }
  if (type === "string") {
    const text = value ?? "";
    const old = text.replaceAll("\r\n", "\n"); // which the control makes of it
    const area = textArea(old);
    const read = () => (text === old ? area.value : area.value.replaceAll("\n", "\r\n"));
    const preview = el("pre", { class: "preview", tabindex: 0, role: "region", "aria-label": "What changes" });
    const show = () => replace(preview, differences(old, area.value));
    area.addEventListener("input", show);
    show();
    return { element: area, read, more: isTemplate ? preview : undefined };
  }
  const [min, max] = isInteger ? range(type) : [0n, 0n];
  const limits = isInteger ? { step: 1, min: String(min), max: String(max) } : { step: "any" };
  const input = el("input", { type: "number", value: value === undefined ? "" : json(value, type), ...limits });
  const read = () => {
    if (input.value === "" || (isInteger && !/^-?\d+$/.test(input.value))) {
      throw new Error(isInteger ? `expected a whole number from ${min} to ${max}` : "expected a number");
    }
    return isInteger ? BigInt(input.value) : Number(input.value);
  };
  const hint = isInteger && el("p", { class: "quiet" }, `From ${grouped(min)} to ${grouped(max)}.`);
  return { element: input, read, more: hint };
}

/** @param {string} text */
function textArea(text) {
  const rows = Math.min(Math.max(text.split("\n").length + 1, 3), 18);
  return el("textarea", { rows, spellcheck: "false" }, text);
}

/** @param {any} value @param {string} type @returns {string} with the fewest digits that stand for a float */
function json(value, type) {
  return typeof value === "bigint" ? String(value) : JSON.stringify(type.startsWith("float32") ? shortest(value) : value);
}

/** @param {string} text @param {boolean} isInteger */
function arrayOf(text, isInteger) {
  let items;
  try {
    items = JSON.parse(isInteger ? text.replace(/-?\d{16,}/g, '"$&"') : text); // those are BigInts
  } catch {
    items = null;
  }
  if (!Array.isArray(items)) {
    throw new Error("expected an array as JSON, such as [1, 2]");
  }
  return isInteger ? items.map((each) => (/^-?\d{16,}$/.test(each) ? BigInt(each) : each)) : items;
}

/**
 * Return the lines that differ between two texts.
 *
 * @param {string} before
 * @param {string} after
 */
function differences(before, after) {
  const [old, now] = [before.split("\n"), after.split("\n")];
  const least = Math.min(old.length, now.length);
  let start = 0;
  while (start < least && old[start] === now[start]) {
    start += 1;
  }
  let end = 0;
  while (end < least - start && old[old.length - 1 - end] === now[now.length - 1 - end]) {
    end += 1;
  }
  /** @param {string[]} lines @param {string} sign @param {"del" | "ins"} tag */
  const shown = (lines, sign, tag) => {
    const changed = lines.slice(start, lines.length - end).slice(0, MOST_LINES);
    return changed.map((line) => el(tag, {}, `${sign} ${visible(line)}\n`));
  };
  const rows = [...shown(old, "−", "del"), ...shown(now, "+", "ins")];
  return rows.length ? [el("span", { class: "quiet" }, `line ${grouped(start + 1)}\n`), ...rows] : ["No changes yet"];
}
