// Forms that change a key or the name of a tensor.

import { standardKey, VALUE_TYPES } from "../../index.js";
import { range } from "../../src/values.js";
import { el, labelled, replace } from "./dom.js";
import { grouped, problem, visible } from "./text.js";

const MOST_ELEMENTS = 1000; // of an array that is edited as text
const MOST_LINES = 100; // of a preview
const TYPES = VALUE_TYPES.filter((type) => type !== "array").flatMap((type) => [type, `${type}[]`]);

/**
 * Return a form with fields and an error. `submit` throws an error that is then shown.
 *
 * @param {string} title
 * @param {import("./dom.js").Child[]} children
 * @param {() => void} submit
 * @param {() => void} cancel
 */
export function form(title, children, submit, cancel) {
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
  return el(
    "form",
    { class: "stack", novalidate: true, "aria-label": title, submit: submitted },
    ...children,
    error,
    el(
      "div",
      { class: "controls" },
      el("button", { type: "submit", class: "primary" }, title),
      el("button", { type: "button", click: cancel }, "Cancel"),
    ),
  );
}

/**
 * Return a form that renames something.
 *
 * @param {string} name
 * @param {(name: string) => void} rename
 * @param {() => void} cancel
 */
export function renameForm(name, rename, cancel) {
  const input = el("input", { type: "text", value: name, autocomplete: "off", spellcheck: "false" });
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
  const key = el("input", { type: "text", autocomplete: "off", spellcheck: "false", change: () => suggest() });
  const type = el("select", { change: () => show() }, TYPES.map((each) => el("option", { value: each }, each)));
  const holder = el("div", { class: "stack" });
  /** @type {() => any} */
  let read = () => "";
  const suggest = () => {
    type.value = standardKey(key.value)?.types[0] ?? type.value;
    show();
  };
  const show = () => {
    const isOld = given !== null && given.type === type.value;
    const made = control(type.value, isOld ? given.value : undefined, given?.key.startsWith("tokenizer.chat_template") === true);
    read = made.read;
    replace(holder, labelled("Value", made.element, "field"), ...made.more);
  };
  type.value = given?.type ?? "string";
  show();
  return form(
    given === null ? "Add key" : "Change value",
    [given === null && labelled("Key", key, "field"), labelled("Type", type, "field"), holder],
    () => set(given?.key ?? key.value, type.value, read()),
    cancel,
  );
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
 * Return the control for a type, and a function that reads it.
 *
 * @param {string} type
 * @param {any} value undefined for a new one
 * @param {boolean} isTemplate
 * @returns {{element: HTMLElement, read: () => any, more: HTMLElement[]}}
 */
function control(type, value, isTemplate) {
  const isInteger = type.includes("int");
  if (type === "bool") {
    const box = el("input", { type: "checkbox", checked: value === true });
    return { element: box, read: () => box.checked, more: [] };
  }
  if (type === "string" || type.endsWith("[]")) {
    const text = value === undefined ? "" : type === "string" ? value : arrayText(value);
    const old = text.replaceAll("\r\n", "\n"); // which the control makes of it
    const area = el("textarea", { rows: Math.min(Math.max(old.split("\n").length + 1, 3), 18), spellcheck: "false" }, old);
    const preview = el("pre", { class: "preview", tabindex: 0, role: "region", "aria-label": "What changes" });
    const show = () => replace(preview, differences(old, area.value));
    area.addEventListener("input", show);
    show();
    const written = () => (text === old ? area.value : area.value.replaceAll("\n", "\r\n"));
    const read = () => (type === "string" ? written() : arrayOf(area.value, isInteger));
    const hint = el("p", { class: "quiet" }, "As JSON, such as [1, 2].");
    return { element: area, read, more: isTemplate ? [preview] : type === "string" ? [] : [hint] };
  }
  const [min, max] = isInteger ? range(type).map(String) : [null, null];
  const input = el("input", { type: "number", step: isInteger ? 1 : "any", min, max, value: value === undefined ? "" : shortest(value, type) });
  const read = () => {
    if (input.value === "" || (isInteger && !/^-?\d+$/.test(input.value))) {
      throw new Error(isInteger ? `expected a whole number from ${min} to ${max}` : "expected a number");
    }
    return isInteger ? BigInt(input.value) : Number(input.value);
  };
  const words = isInteger ? `From ${grouped(BigInt(min ?? 0))} to ${grouped(BigInt(max ?? 0))}.` : "";
  return { element: input, read, more: [el("p", { class: "quiet" }, words)] };
}

/** @param {any} value a number @param {string} type @returns {string} the fewest digits that stand for the number */
function shortest(value, type) {
  const digits = [1, 2, 3, 4, 5, 6, 7, 8].find((count) => Math.fround(Number(Number(value).toPrecision(count))) === value);
  return String(type === "float32" && digits ? Number(value.toPrecision(digits)) : value);
}

/** @param {any} value an array of the package */
function arrayText(value) {
  const items = Array.from(value, (each) => (typeof each === "bigint" ? String(each) : JSON.stringify(each)));
  return `[${items.join(", ")}]`;
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
  let start = 0;
  while (start < Math.min(old.length, now.length) && old[start] === now[start]) {
    start += 1;
  }
  let end = 0;
  while (end < Math.min(old.length, now.length) - start && old[old.length - 1 - end] === now[now.length - 1 - end]) {
    end += 1;
  }
  /** @param {string[]} lines @param {string} sign @param {"del" | "ins"} tag */
  const shown = (lines, sign, tag) =>
    lines
      .slice(start, lines.length - end)
      .slice(0, MOST_LINES)
      .map((line) => el(tag, {}, `${sign} ${visible(line)}\n`));
  const rows = [...shown(old, "−", "del"), ...shown(now, "+", "ins")];
  return rows.length ? [el("span", { class: "quiet" }, `line ${grouped(start + 1)}\n`), ...rows] : ["No changes yet"];
}
