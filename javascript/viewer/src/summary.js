// The first panel: a summary of the model.

import { button, el, factList, svg, table } from "./dom.js";
import { facts, hyperparameterRows, TEMPLATE } from "./facts.js";
import { contextNbytes } from "./memory.js";
import { typeColors } from "./colors.js";
import { sizes } from "./tensors.js";
import { counted, humanBytes, percent, visible } from "./text.js";

const CONTEXT = 4096; // tokens
const LONGEST_CONTEXT = 2 ** 24;

/**
 * @param {import("./model-view.js").Context} context
 * @returns {HTMLElement}
 */
export function summaryPanel({ model, tensors, showKey }) {
  const hasTemplate = model.metadata.has(TEMPLATE);
  const link = button("show it", () => showKey(TEMPLATE), "link");
  /** @type {[string, ...import("./dom.js").Child[]][]} */
  const rows = facts(model, tensors).map(([name, words]) =>
    name === "chat template" && hasTemplate ? [name, words, " ", link] : [name, words],
  );
  const name = model.metadata.get("general.name");
  const title = typeof name === "string" && name.trim() ? name.slice(0, 200) : "Unnamed model";
  const types = sizes(tensors, (row) => row.typeName);
  const kinds = sizes(tensors, (row) => row.role.kind);
  return el(
    "section",
    { class: "panel summary" },
    el("h2", {}, visible(title)),
    factList("facts", [...rows, ...memoryFact(model, tensors)]),
    types.length > 0 &&
      el("div", { class: "shares" }, shares("Types", "type", types), shares("Kinds of tensors", "kind", kinds)),
  );
}

/**
 * @param {string} title
 * @param {string} what
 * @param {{group: string, tensors: number, nbytes: number}[]} groups
 */
function shares(title, what, groups) {
  const total = groups.reduce((sum, group) => sum + group.nbytes, 0);
  const colors = typeColors(groups.map((group) => group.group));
  let x = 0;
  const bars = groups.map((group) => {
    const width = total ? (100 * group.nbytes) / total : 0;
    const bar = svg("rect", { x, y: 0, width, height: 10, fill: colors.get(group.group) });
    x += width;
    return bar;
  });
  const rows = groups.map((group) =>
    el(
      "tr",
      {},
      el("th", { scope: "row" }, swatch(colors.get(group.group)), visible(group.group)),
      el("td", { class: "number" }, total ? percent(group.nbytes / total) : "–"),
      el("td", { class: "number" }, humanBytes(group.nbytes)),
      el("td", { class: "number" }, counted(group.tensors, "tensor")),
    ),
  );
  return el(
    "section",
    { class: "card" },
    el("h3", {}, title),
    svg("svg", { class: "share-bar", viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" }, bars),
    table("plain", title, [what, "share", "size", "tensors"], el("tbody", {}, rows)),
  );
}

/** @param {string | undefined} color */
export function swatch(color) {
  const square = svg("rect", { width: 10, height: 10, rx: 2, fill: color });
  return svg("svg", { class: "swatch", viewBox: "0 0 10 10", "aria-hidden": "true" }, square);
}

/**
 * Return what llama.cpp needs for the weights and a context, whose size can be changed; nothing if it is not known.
 *
 * @param {any} model
 * @param {import("./tensors.js").TensorRow[]} tensors
 * @returns {[string, ...import("./dom.js").Child[]][]}
 */
function memoryFact(model, tensors) {
  const { architecture, rows } = hyperparameterRows(model);
  const weights = tensors.reduce((total, row) => total + (row.nbytes ?? 0), 0);
  if (tensors.length === 0 || contextNbytes(architecture, rows, CONTEXT) === null) {
    return [];
  }
  const words = el("span", { "aria-live": "polite" });
  const limits = { type: "number", min: 1, max: LONGEST_CONTEXT };
  const input = el("input", { ...limits, value: CONTEXT, id: "context-size", input: () => show() });
  const show = () => {
    const size = Math.min(Math.max(1, Math.floor(Number(input.value) || 1)), LONGEST_CONTEXT);
    const context = contextNbytes(architecture, rows, size) ?? 0;
    words.textContent = `${humanBytes(weights + context)}: weights ${humanBytes(weights)}, context ${humanBytes(context)}`;
  };
  show();
  const label = el("label", { for: "context-size" }, "for a context of");
  return [["memory", words, " ", el("span", { class: "pair" }, label, input, " tokens")]];
}
