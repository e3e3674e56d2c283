// The changes of a file that are not saved yet, and the card that lists them.

import { standardKey } from "../../index.js";
import { changed, fileOf, typeOf } from "../../src/editing.js";
import { suspiciousCode } from "./chat-templates.js";
import { button, el, replace } from "./dom.js";
import { counted, grouped, label, percent, problem, visible } from "./text.js";
import { describeValue } from "./values.js";

const LONGEST_KEY = 65535; // bytes, by the documentation of the format
const LONGEST_TENSOR = 63; // bytes: llama.cpp refuses to load a longer name
const STEP = 4 << 20; // bytes written at once; the browser copies those of a File without giving them to the page
const WIDTH = 60; // characters of a value in the list
const ARCHITECTURE = "general.architecture";
const TOKENS = "tokenizer.ggml.tokens";

/** Each change makes a model of the one before it. Undo goes back to that. */
export class Edits {
  /**
   * @param {any} model
   * @param {string} name of the file
   */
  constructor(model, name) {
    this.model = model;
    this.name = name;
    /** @type {{model: any, what: string, words: string, changed: Set<string>}[]} the last one is the current state */
    this.states = [{ model, what: "", words: "", changed: new Set() }];
    /** @type {(() => void)[]} called after each change */
    this.listeners = [() => this.list()];
    this.status = el("p", { role: "status" });
    this.element = el("section", { class: "card changes", "aria-label": "Changes", hidden: true });
  }

  /** The model with the changes, and the keys that are not those of the file. */
  get now() {
    return this.states[this.states.length - 1];
  }

  /** @param {string} key @param {string} type @param {any} value */
  set(key, type, value) {
    checkLength(key, LONGEST_KEY);
    const words = `${label(key)} = ${describeValue(value, type.replace("[]", ""), WIDTH)}`;
    const what = this.now.model.metadata.has(key) ? "Set " : "Add ";
    this.change(what, words, { set: new Map([[key, { type, value }]]) }, key);
  }

  /** @param {string} key */
  remove(key) {
    this.change("Remove ", label(key), { remove: [key] });
  }

  /** @param {"renameKeys" | "renameTensors"} list @param {string} old @param {string} name */
  rename(list, old, name) {
    const isKey = list === "renameKeys";
    checkLength(name, isKey ? LONGEST_KEY : LONGEST_TENSOR);
    this.change("Rename ", `${label(old)} to ${label(name)}`, { [list]: new Map([[old, name]]) }, isKey ? name : null);
  }

  /**
   * Make a change. Throws an error, and changes nothing, if the file could not be written with it.
   *
   * @param {string} what
   * @param {string} words
   * @param {import("../../src/editing.js").Changes} changes
   * @param {string | null} [key] a key that is new, or has a new value
   */
  change(what, words, changes, key = null) {
    const model = changed(this.now.model, changes);
    if (model !== this.now.model) {
      const keys = key === null ? this.now.changed : new Set([...this.now.changed, key]);
      this.states.push({ model, what, words, changed: keys });
    }
    this.update();
  }

  /** Tell the panels. */
  update() {
    replace(this.status);
    for (const listener of this.listeners) {
      listener();
    }
  }

  /** Show the list of changes. */
  list() {
    const [{ model }, ...changes] = this.states;
    const undo = () => {
      this.states.pop();
      this.update();
    };
    const save = button("Save as…", () => this.save(), "primary");
    const items = changes.map(({ what, words }) => el("li", {}, el("span", { class: "quiet" }, what), words));
    const nbytes = [model, this.now.model].map((each) => grouped(each.headerNbytes));
    this.element.hidden = changes.length === 0;
    replace(
      this.element,
      el("h2", {}, counted(changes.length, "change")),
      el("ul", { class: "scroll", tabindex: 0, "aria-label": "List of changes" }, items),
      this.warnings().map((warning) => el("p", { class: "warning" }, warning)),
      el("p", { class: "quiet" }, `Header: ${nbytes[0]} bytes before, ${nbytes[1]} bytes after.`),
      el("div", { class: "controls" }, save, button("Undo", undo), this.status),
    );
  }

  /** Return what is doubtful about the changes, as `kaitai-gguf check` would say. */
  warnings() {
    const { metadata } = this.now.model;
    const warnings = [...this.now.changed].flatMap((key) => warningsOf(key, metadata));
    if (this.model.metadata.has(ARCHITECTURE) && !metadata.has(ARCHITECTURE)) {
      warnings.push(`Without ${ARCHITECTURE}, no program can load the model.`);
    }
    if (Number(metadata.get("split.no") ?? 0) > 0 && Number(metadata.get("split.count") ?? 0) > 1) {
      warnings.push("This is not the first shard: programs read the metadata of the model from the first one.");
    }
    return warnings;
  }

  /** Write the file with the changes. Never rejects: errors are shown, and nothing is left of the new file. */
  async save() {
    const name = this.name.replace(/(\.gguf)?$/i, "-edited.gguf");
    /** @type {any} */
    let writable = null;
    try {
      await this.model._opened().read(0, 1); // fails if the file has changed
      /** @type {any} */
      const file = fileOf(this.now.model);
      const isBlob = file instanceof Blob;
      if (!("showSaveFilePicker" in window)) {
        download(isBlob ? file : await new Response(file.stream()).blob(), name);
        replace(this.status, `Downloading ${visible(name)}: ${grouped(file.size)} bytes.`);
        return;
      }
      const handle = await /** @type {any} */ (window).showSaveFilePicker({ suggestedName: name });
      const { name: chosen, size } = await handle.getFile();
      if (chosen === this.name && size === this.model.nbytes) {
        throw new Error("this may be the open file itself: choose another name");
      }
      writable = await handle.createWritable();
      const source = this.now.model._opened();
      const buffer = new Uint8Array(STEP); // one for all, since browsers free garbage late
      let isCancelled = false;
      const share = el("span");
      replace(this.status, share, " ", button("Cancel", () => (isCancelled = true)));
      for (let done = 0; done < file.size; done += STEP) {
        if (isCancelled) {
          throw new DOMException("the user cancelled", "AbortError");
        }
        replace(share, `Saving: ${percent(done / file.size)}`);
        const bytes = buffer.subarray(0, file.size - done);
        if (!isBlob) {
          await source.fill(bytes, done);
        }
        await writable.write(isBlob ? file.slice(done, done + STEP) : bytes);
      }
      await writable.close();
      replace(this.status, `Saved ${visible(handle.name)}: ${grouped(file.size)} bytes.`);
    } catch (error) {
      await writable?.abort().catch(() => null);
      const { name: kind } = /** @type {any} */ (Object(error));
      const words = kind === "NotReadableError" ? "the file was changed, moved or deleted" : problem(error);
      const failure = el("span", { class: "problem" }, `Nothing was saved: ${words}`);
      replace(this.status, kind === "AbortError" ? "Nothing was saved." : failure);
    }
  }
}

/**
 * Offer a Blob as a file.
 *
 * @param {Blob} blob
 * @param {string} name
 */
export function download(blob, name) {
  const url = URL.createObjectURL(blob);
  el("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** @param {string} name @param {number} most bytes */
function checkLength(name, most) {
  const nbytes = new TextEncoder().encode(name).length;
  if (nbytes > most) {
    throw new Error(`the name has ${grouped(nbytes)} bytes, and may have ${grouped(most)}`);
  }
}

/**
 * @param {string} key
 * @param {any} metadata
 * @returns {string[]}
 */
function warningsOf(key, metadata) {
  const type = typeOf(metadata, key);
  if (type === null) {
    return [];
  }
  const value = metadata.get(key);
  const known = standardKey(key);
  const tokens = metadata.get(TOKENS);
  const subject = label(key);
  const warnings = [];
  if (known === undefined) {
    warnings.push(`${subject} is not a documented key.`);
  } else if (!known.types.includes(type)) {
    warnings.push(`${subject} is ${type}, but its documented type is ${known.types.join(" or ")}.`);
  }
  if (known?.values.length && typeof value !== "object" && !known.values.includes(value)) {
    warnings.push(`${subject}: ${describeValue(value, type, WIDTH)} is not a documented value: ${known.values.join(", ")}.`);
  }
  if (key.endsWith("_token_id") && tokens && Number(value) >= tokens.length) {
    warnings.push(`${subject}: ${value} is beyond the vocabulary, which has ${grouped(tokens.length)} tokens.`);
  }
  const code = key.startsWith("tokenizer.chat_template") && typeof value === "string" && suspiciousCode(value);
  if (code) {
    warnings.push(`${subject}: its code may attack programs that run it: ${visible(code)}`);
  }
  return warnings;
}
