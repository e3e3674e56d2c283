// The whole page: the open file, its panels, and errors.

import { FormatError, open } from "../../index.js";
import { openBroken } from "./broken.js";
import { byId, el, factList, replace } from "./dom.js";
import { download } from "./edits.js";
import { modelView } from "./model-view.js";
import { tensorRows } from "./tensors.js";
import { counted, grouped, hex, humanBytes, problem, visible } from "./text.js";

/** Let the browser do its other work first. */
const nextTask = () => new Promise((resolve) => setTimeout(resolve));

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
   * @param {string} name
   * @param {any} source what the package's `open` takes
   */
  async open(name, source) {
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
        this.show(model, tensors);
      } else {
        model.close();
      }
    } catch (error) {
      const isFormatError = error instanceof FormatError && own === this.numOpened;
      const broken = isFormatError ? await openBroken(source, error).catch(() => null) : null;
      if (own === this.numOpened) {
        this.fail(error, broken);
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
   */
  show(model, tensors) {
    replace(byId("model"), modelView(model, tensors, this.name).elements);
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
    const words = `read ${humanBytes(this.numBytes)} of ${humanBytes(this.model.nbytes)}`;
    const read = el("span", { class: "quiet", id: "read", title }, words);
    replace(byId("file-facts"), el("span", { class: "file-name" }, visible(this.name)), " ", read);
  }

  /**
   * @param {unknown} error
   * @param {any} broken what could be read before the error, if it is about a byte of the file
   */
  fail(error, broken) {
    const { offset, path } = /** @type {any} */ (Object(error));
    const tensors = broken === null ? [] : tensorRows(broken);
    const view = broken?.nbytes ? modelView(broken, tensors, this.name) : null;
    this.model = broken;
    byId("model").hidden = byId("open").hidden = view === null;
    byId("welcome").hidden = view !== null;
    replace(byId("model"), view?.elements ?? []);
    view?.tabs.select("file");
    replace(byId("status"), "");
    document.title = "GGUF viewer";
    /** @type {[string, string][]} */
    const place = typeof offset === "number" ? [["byte", `${grouped(offset)} (${hex(offset)})`]] : [];
    if (path) {
      place.push(["field", visible(String(path))]);
    }
    const before = broken?.headerNbytes > 0;
    const counts = before && `${counted(broken.metadata.size, "key")} and ${counted(tensors.length, "tensor")}`;
    const failure = el(
      "div",
      { class: "card failure" },
      el("h2", {}, `${visible(this.name)} can't be shown${before ? " in full" : ""}`),
      counts && el("p", {}, `Read before the error: ${counts}.`),
      el("p", {}, problem(error)),
      factList("facts small", place),
    );
    replace(byId("error"), failure);
  }

  /** Offer the header as a file of canonical JSON. */
  export() {
    const json = new Blob([this.model.canonicalJSON()], { type: "application/json" });
    download(json, `${this.name.replace(/\.gguf$/i, "")}.json`);
  }
}
