// The entry point: opens files that the user chooses or drops, and the file that `kaitai-gguf view` serves.

import { App } from "./app.js";
import { byId } from "./dom.js";

const app = new App();
const input = /** @type {HTMLInputElement} */ (byId("file"));

input.addEventListener("change", () => {
  const file = input.files?.[0];
  if (file) {
    app.open(file.name, file);
  }
  input.value = ""; // otherwise choosing the same file again would do nothing
});
for (const id of ["choose", "open"]) {
  byId(id).addEventListener("click", () => input.click());
}
byId("export").addEventListener("click", () => app.export());

let depth = 0; // of elements that a file was dragged into
addEventListener("dragenter", (event) => {
  event.preventDefault();
  depth += 1;
  document.body.classList.add("dragging");
});
addEventListener("dragleave", () => {
  depth -= 1;
  document.body.classList.toggle("dragging", depth > 0);
});
addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", (event) => {
  event.preventDefault();
  depth = 0;
  document.body.classList.remove("dragging");
  const file = event.dataTransfer?.files[0];
  if (file) {
    app.open(file.name, file);
  }
});

const served = document.querySelector('meta[name="served-file"]')?.getAttribute("content");
if (served) {
  app.open(served, new URL("file", location.href).href);
}
