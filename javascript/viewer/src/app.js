// The whole page: the open file, its panels, and errors.

import { FormatError, open } from "../../index.js";
import { openBroken } from "./broken.js";
import { byId, el, replace } from "./dom.js";
import { download } from "./edits.js";
import { ModelView } from "./model-view.js";
import { tensorRows } from "./tensors.js";
import { counted, grouped, hex, humanBytes, problem, visible } from "./text.js";

/** Let the browser do its other work first. */
const nextTask = () => new Promise((resolve) => setTimeout(resolve));

/** @typedef {{name: string, source: any}} Given a file, and what `open` takes for it */

/** The application: one file at a time. */
export class App {
  constructor() {
    /** @type {any} */
    this.model = null;
    this.name = "";
    this.numOpened = 0;
    this.numBytes = -1;
  }

  /**
   * Open a file and show it instead of the previous one. Never rejects: errors are shown.
   *
   * @param {Given} given
   */
  async open({ name, source }) {
    const own = (this.numOpened += 1);
    this.model?.close();
    this.model = null;
    this.name = name;
    replace(byId("error"));
    byId("export").hidden = true;
    byId("file-facts").hidden = true;
    replace(byId("status"), `Reading ${visible(name)}`);
    document.body.classList.add("busy");
    try {
      const model = await open(source, { onProgress: () => this.showNumBytes() });
      await nextTask(); // keeps the page responsive if the model has very many tensors
      const tensors = own === this.numOpened ? tensorRows(model) : [];
      await nextTask();
      if (own === this.numOpened) {
        this.model = model;
        this.show(model, tensors, { name, source });
      } else {
        model.close();
      }
    } catch (error) {
      const isFormatError = error instanceof FormatError && own === this.numOpened;
      const broken = isFormatError ? await openBroken(source, error).catch(() => null) : null;
      if (own === this.numOpened) {
        this.fail(error, broken, { name, source });
      }
    } finally {
      if (own === this.numOpened) {
        document.body.classList.remove("busy");
      }
    }
  }

  /**
   * @param {any} model
   * @param {import("./tensors.js").TensorRow[]} tensors
   * @param {Given} given
   */
  show(model, tensors, given) {
    replace(byId("model"), new ModelView(model, tensors, given).elements);
    byId("model").hidden = false;
    byId("welcome").hidden = true;
    byId("export").hidden = byId("open").hidden = false;
    document.title = `${visible(this.name)} – GGUF viewer`;
    this.numBytes = -1;
    this.showNumBytes();
    replace(byId("status"), `${visible(this.name)} is open`);
  }

  /** Show how much of the file was read, if that has changed. */
  showNumBytes() {
    if (this.model === null || this.model.bytesRead === this.numBytes) {
      return;
    }
    this.numBytes = this.model.bytesRead;
    const title = `${grouped(this.numBytes)} of ${grouped(this.model.nbytes)} bytes`;
    byId("file-facts").hidden = false;
    replace(
      byId("file-facts"),
      el("span", { class: "file-name" }, visible(this.name)),
      " ",
      el(
        "span",
        { class: "quiet", id: "read", title },
        `read ${humanBytes(this.numBytes)} of ${humanBytes(this.model.nbytes)}`,
      ),
    );
  }

  /**
   * @param {unknown} error
   * @param {any} broken what could be read before the error, if it is about a byte of the file
   * @param {Given} given
   */
  fail(error, broken, given) {
    const { offset, path } = /** @type {any} */ (Object(error));
    const tensors = broken === null ? [] : tensorRows(broken);
    const view = broken?.nbytes ? new ModelView(broken, tensors, given) : null;
    this.model = broken;
    byId("model").hidden = byId("open").hidden = view === null;
    byId("welcome").hidden = view !== null;
    replace(byId("model"), view?.elements ?? []);
    view?.go("file");
    replace(byId("status"), "");
    document.title = "GGUF viewer";
    const place =
      typeof offset === "number" &&
      [
        el("dt", {}, "byte"),
        el("dd", {}, `${grouped(offset)} (${hex(offset)})`),
        path && [el("dt", {}, "field"), el("dd", {}, visible(String(path)))],
      ].flat();
    replace(
      byId("error"),
      el(
        "div",
        { class: "card failure" },
        el("h2", {}, `${visible(this.name)} can't be shown${broken?.headerNbytes ? " in full" : ""}`),
        broken?.headerNbytes > 0 &&
          el(
            "p",
            {},
            `Read before the error: ${counted(broken.metadata.size, "key")} and ${counted(tensors.length, "tensor")}.`,
          ),
        el("p", {}, problem(error)),
        place && el("dl", { class: "facts small" }, place),
      ),
    );
  }

  /** Offer the header as a file of canonical JSON. */
  export() {
    const json = new Blob([this.model.canonicalJSON()], { type: "application/json" });
    download(json, `${this.name.replace(/\.gguf$/i, "")}.json`);
  }
}
