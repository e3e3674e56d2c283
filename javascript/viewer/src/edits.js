// The changes of a file that are not saved yet, and the card that lists them.

import { edited, standardKey } from "../../index.js";
import { plan, typeOf } from "../../src/editing.js";
import { suspiciousCode } from "./chat-templates.js";
import { el, replace } from "./dom.js";
import { counted, grouped, label, percent, problem, visible } from "./text.js";
import { describeValue } from "./values.js";

const LONGEST_KEY = 65535; // bytes, by the documentation of the format
const LONGEST_TENSOR = 63; // bytes: llama.cpp refuses to load a longer name
const STEP = 16 << 20; // bytes written at once; the browser copies those of a File without giving them to the page
const WIDTH = 60; // characters of a value in the list
const TOKENS = "tokenizer.ggml.tokens";

/** @typedef {{set: Map<string, any>, remove: Set<string>, renameKeys: Map<string, string>, renameTensors: Map<string, string>}} Changes */

/** Changes are kept as `edited` takes them, under the names in the open file, with all earlier states for undo. */
export class Edits {
  /**
   * @param {any} model
   * @param {string} name of the file
   * @param {any} source what was opened
   */
  constructor(model, name, source) {
    this.model = model;
    this.name = name;
    this.source = source;
    /** @type {{changes: Changes, metadata: any, headerNbytes: number}[]} the last one is the current state */
    this.states = [
      {
        changes: { set: new Map(), remove: new Set(), renameKeys: new Map(), renameTensors: new Map() },
        metadata: model.metadata,
        headerNbytes: model.headerNbytes,
      },
    ];
    /** @type {(() => void)[]} called after each change */
    this.listeners = [() => this.list()];
    this.isCancelled = false;
    this.status = el("p", { role: "status" });
    this.element = el("section", { class: "card changes", "aria-label": "Changes", hidden: true });
  }

  get now() {
    return this.states[this.states.length - 1];
  }

  /** @param {string} key a current name @returns {string} the name in the open file */
  origin(key) {
    return [...this.now.changes.renameKeys].find(([, name]) => name === key)?.[0] ?? key;
  }

  /** @param {string} key a current name */
  isChanged(key) {
    const { set, renameKeys } = this.now.changes;
    return set.has(this.origin(key)) || renameKeys.has(this.origin(key));
  }

  /** @param {string} name of a tensor in the open file */
  tensorName(name) {
    return this.now.changes.renameTensors.get(name) ?? name;
  }

  /** @param {string} key @param {string} type @param {any} value */
  set(key, type, value) {
    this.change(({ set, remove, renameKeys }) => {
      checkLength(key, LONGEST_KEY);
      const origin = this.origin(key);
      if (renameKeys.has(key) && origin === key) {
        throw new Error(`${label(key)} was renamed to ${label(String(renameKeys.get(key)))}: undo that first`);
      }
      remove.delete(key);
      set.set(origin, { type, value });
    });
  }

  /** @param {string} key */
  remove(key) {
    this.change(({ set, remove, renameKeys }) => {
      const origin = this.origin(key);
      set.delete(origin);
      renameKeys.delete(origin);
      if (this.model.metadata.has(origin)) {
        remove.add(origin);
      }
    });
  }

  /** @param {"renameKeys" | "renameTensors"} what @param {string} origin @param {string} name */
  rename(what, origin, name) {
    this.change((changes) => {
      checkLength(name, what === "renameKeys" ? LONGEST_KEY : LONGEST_TENSOR);
      changes[what].delete(origin);
      if (name !== origin) {
        changes[what].set(origin, name);
      }
    });
  }

  /**
   * Make a change. Throws an error, and changes nothing, if the file could not be written with it.
   *
   * @param {(changes: Changes) => void} apply
   */
  change(apply) {
    const { set, remove, renameKeys, renameTensors } = this.now.changes;
    const changes = {
      set: new Map(set),
      remove: new Set(remove),
      renameKeys: new Map(renameKeys),
      renameTensors: new Map(renameTensors),
    };
    apply(changes);
    const { metadata, headerNbytes } = plan(this.model, changes);
    this.states.push({ changes, metadata, headerNbytes });
    this.changed();
  }

  undo() {
    this.states.pop();
    this.changed();
  }

  changed() {
    replace(this.status);
    for (const listener of this.listeners) {
      listener();
    }
  }

  /** Show the list of changes. */
  list() {
    const { changes, headerNbytes } = this.now;
    /** @param {string} key @param {any} value @param {string} type */
    const words = (key, value, type) => `${label(key)} = ${describeValue(value, type.replace("[]", ""), WIDTH)}`;
    /** @param {[string, string][]} names */
    const renamed = (names) => names.map(([old, name]) => ["Rename ", `${label(old)} to ${label(name)}`]);
    const rows = [
      ...[...changes.set].map(([key, { value, type }]) => [typeOf(this.model, key) ? "Set " : "Add ", words(key, value, type)]),
      ...[...changes.remove].map((key) => ["Remove ", label(key)]),
      ...renamed([...changes.renameKeys]),
      ...renamed([...changes.renameTensors]),
    ];
    this.element.hidden = this.states.length === 1;
    replace(
      this.element,
      el("h2", {}, rows.length ? counted(rows.length, "change") : "No changes"),
      el("ul", { class: "scroll", tabindex: 0, "aria-label": "List of changes" }, rows.map(([what, text]) => el("li", {}, el("span", { class: "quiet" }, what), text))),
      this.warnings().map((warning) => el("p", { class: "warning" }, warning)),
      el("p", { class: "quiet" }, `Header: ${grouped(this.model.headerNbytes)} bytes before, ${grouped(headerNbytes)} bytes after.`),
      el(
        "div",
        { class: "controls" },
        el("button", { type: "button", class: "primary", click: () => this.save(), disabled: rows.length === 0 }, "Save as…"),
        el("button", { type: "button", click: () => this.undo() }, "Undo"),
        this.status,
      ),
    );
  }

  /** Return what is doubtful about the changes, as `kaitai-gguf check` would say. */
  warnings() {
    const { changes, metadata } = this.now;
    const keys = [...changes.set.keys(), ...changes.renameKeys.keys()].map((key) => changes.renameKeys.get(key) ?? key);
    const warnings = keys.flatMap((key) => warningsOf(key, metadata));
    if (changes.remove.has("general.architecture")) {
      warnings.push("Without general.architecture, no program can load the model.");
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
    this.isCancelled = false;
    try {
      /** @type {any} a Blob if the file was chosen, and otherwise its interface */
      const file = edited(this.model, this.now.changes);
      if ("showSaveFilePicker" in window) {
        const handle = await /** @type {any} */ (window).showSaveFilePicker({ suggestedName: name });
        await this.refuseSource(handle);
        writable = await handle.createWritable();
        const cancel = el("button", { type: "button", click: () => (this.isCancelled = true) }, "Cancel");
        const share = el("span");
        replace(this.status, share, " ", cancel);
        await file[Symbol.asyncIterator]().next(); // fails if the file has changed
        let done = 0;
        for await (const part of file instanceof Blob ? slices(file) : file) {
          if (this.isCancelled) {
            throw new DOMException("the user cancelled", "AbortError");
          }
          await writable.write(part);
          done += part.size ?? part.length;
          replace(share, `Saving: ${percent(done / file.size)}`);
        }
        await writable.close();
        replace(this.status, `Saved ${visible(handle.name)}: ${grouped(file.size)} bytes.`);
      } else {
        const blob = file instanceof Blob ? file : await new Response(file.stream()).blob();
        download(blob, name);
        replace(this.status, `Downloading ${visible(name)}: ${grouped(file.size)} bytes.`);
      }
    } catch (error) {
      await writable?.abort().catch(() => null);
      const { name: kind } = /** @type {any} */ (Object(error));
      const words = kind === "NotReadableError" ? "the file was changed, moved or deleted" : problem(error);
      replace(this.status, kind === "AbortError" ? "Nothing was saved." : el("span", { class: "problem" }, `Nothing was saved: ${words}`));
    }
  }

  /** @param {any} handle of the file that the user chose */
  async refuseSource(handle) {
    const { name, size, lastModified } = await handle.getFile();
    if (this.source instanceof File && this.source.name === name && this.source.size === size && this.source.lastModified === lastModified) {
      throw new Error("this is the open file itself: choose another name");
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

/** @param {Blob} blob */
function* slices(blob) {
  for (let start = 0; start < blob.size; start += STEP) {
    yield blob.slice(start, start + STEP);
  }
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
  const entry = metadata.entry(key);
  if (entry === undefined) {
    return [];
  }
  const value = metadata.get(key);
  const type = entry.elementType === null ? entry.type : `${entry.elementType}[]`;
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
