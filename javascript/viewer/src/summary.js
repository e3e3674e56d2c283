// The first panel: a summary of the model.

import { el, svg } from "./dom.js";
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
  const rows = facts(model, tensors).map(([name, words]) => {
    const link = name === "chat template" && model.metadata.has(TEMPLATE);
    const more = link && el("button", { type: "button", class: "link", click: () => showKey(TEMPLATE) }, "show it");
    return el("div", { class: "fact" }, el("dt", {}, name), el("dd", {}, words, more && " ", more));
  });
  const needed = memoryFact(model, tensors);
  if (needed) {
    rows.push(needed);
  }
  const panel = el(
    "section",
    { class: "panel summary" },
    el("h2", {}, visible(titleOf(model))),
    el("dl", { class: "facts" }, rows),
  );
  if (tensors.length > 0) {
    panel.append(
      el(
        "div",
        { class: "shares" },
        shares(
          "Types",
          "type",
          sizes(tensors, (row) => row.typeName),
        ),
        shares(
          "Kinds of tensors",
          "kind",
          sizes(tensors, (row) => row.role.kind),
        ),
      ),
    );
  }
  return panel;
}

/** @param {any} model */
function titleOf(model) {
  const name = model.metadata.get("general.name");
  return typeof name === "string" && name.trim() ? name.slice(0, 200) : "Unnamed model";
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
    el(
      "div",
      { class: "scroll", tabindex: 0, role: "region", "aria-label": title },
      el(
        "table",
        { class: "plain" },
        el(
          "thead",
          { class: "visually-hidden" },
          el(
            "tr",
            {},
            [what, "share", "size", "tensors"].map((name) => el("th", { scope: "col" }, name)),
          ),
        ),
        el("tbody", {}, rows),
      ),
    ),
  );
}

/** @param {string | undefined} color */
export function swatch(color) {
  return svg(
    "svg",
    { class: "swatch", viewBox: "0 0 10 10", "aria-hidden": "true" },
    svg("rect", { width: 10, height: 10, rx: 2, fill: color }),
  );
}

/**
 * Return what llama.cpp needs for the weights and a context, whose size can be changed; null if it is not known.
 *
 * @param {any} model
 * @param {import("./tensors.js").TensorRow[]} tensors
 */
function memoryFact(model, tensors) {
  const { architecture, rows } = hyperparameterRows(model);
  const weights = tensors.reduce((total, row) => total + (row.nbytes ?? 0), 0);
  if (tensors.length === 0 || contextNbytes(architecture, rows, CONTEXT) === null) {
    return null;
  }
  const words = el("span", { "aria-live": "polite" });
  const input = el("input", {
    type: "number", min: 1, max: LONGEST_CONTEXT, value: CONTEXT, id: "context-size", input: () => show(),
  }); // prettier-ignore
  const show = () => {
    const size = Math.min(Math.max(1, Math.floor(Number(input.value) || 1)), LONGEST_CONTEXT);
    const context = contextNbytes(architecture, rows, size) ?? 0;
    words.textContent = `${humanBytes(weights + context)}: weights ${humanBytes(weights)}, context ${humanBytes(context)}`;
  };
  show();
  const label = el("label", { for: "context-size" }, " for a context of ");
  const context = el("span", { class: "pair" }, label, input);
  return el("div", { class: "fact" }, el("dt", {}, "memory"), el("dd", {}, words, " ", context, " tokens"));
}
