// Elements and text. Content of a file becomes only text nodes, and attributes that contain text: never markup.

/** @typedef {Node | string | number | null | undefined | false} Child */
/** @typedef {Record<string, string | number | boolean | null | undefined | ((event: any) => void)>} Properties */

/**
 * Create an element. `properties` are attributes; functions are listeners for the event of that name.
 *
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Properties} [properties]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function el(tag, properties, ...children) {
  return filled(document.createElement(tag), properties, children);
}

/**
 * Create an SVG element, like `el`.
 *
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Properties} [properties]
 * @param {...(Child | Child[])} children
 * @returns {SVGElementTagNameMap[Tag]}
 */
export function svg(tag, properties, ...children) {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", tag), properties, children);
}

/**
 * @template {Element} T
 * @param {T} element
 * @param {Properties | undefined} properties
 * @param {(Child | Child[])[]} children
 */
function filled(element, properties, children) {
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (typeof value === "function") {
      element.addEventListener(name, value);
    } else if (value !== null && value !== undefined && value !== false) {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
  append(element, ...children);
  return element;
}

/**
 * @param {Element} element
 * @param {...(Child | Child[])} children
 */
export function append(element, ...children) {
  for (const child of children.flat()) {
    if (child !== null && child !== undefined && child !== false) {
      element.append(child instanceof Node ? child : String(child));
    }
  }
}

/**
 * @param {Element} element
 * @param {...(Child | Child[])} children
 */
export function replace(element, ...children) {
  element.replaceChildren();
  append(element, ...children);
}

/**
 * @param {Child | Child[]} words
 * @param {(event: any) => void} click
 * @param {string | null} [kind] "primary", or "link" for one in a text
 * @param {Properties} [more]
 */
export function button(words, click, kind = null, more = {}) {
  return el("button", { type: "button", class: kind, click, ...more }, words);
}

/**
 * @param {"text" | "search"} type
 * @param {Properties} more
 */
export function textInput(type, more) {
  return el("input", { type, autocomplete: "off", spellcheck: "false", ...more });
}

/**
 * @param {readonly string[]} values
 * @param {() => void} change
 * @param {(value: string) => string} [words]
 */
export function select(values, change, words = (value) => value) {
  return el("select", { change }, values.map((value) => el("option", { value }, words(value))));
}

/** @param {() => void} action @returns {(event: KeyboardEvent) => void} */
export function onEnter(action) {
  return (event) => event.key === "Enter" && action();
}

/**
 * Return a part of the page that scrolls by itself, by keyboard as well.
 *
 * @param {string} title
 * @param {Child} child
 * @param {string} [kind]
 */
export function scrolling(title, child, kind = "scroll") {
  return el("div", { class: kind, tabindex: 0, role: "region", "aria-label": title }, child);
}

/**
 * Return a table with a head, in a part that scrolls.
 *
 * @param {string} kind
 * @param {string} title
 * @param {(string | HTMLElement)[]} heads words, or cells
 * @param {HTMLElement} body
 */
export function table(kind, title, heads, body) {
  const cells = heads.map((each) => (typeof each === "string" ? el("th", { scope: "col" }, each) : each));
  return scrolling(title, el("table", { class: kind }, el("thead", {}, el("tr", {}, cells)), body));
}

/**
 * Return a list of values with their names.
 *
 * @param {string} kind
 * @param {[string, ...Child[]][]} facts
 */
export function factList(kind, facts) {
  const rows = facts.map(([name, ...words]) => el("div", { class: "fact" }, el("dt", {}, name), el("dd", {}, ...words)));
  return el("dl", { class: kind }, rows);
}

let numIds = 0;

/**
 * Return a control with its label, which stay on one line.
 *
 * @param {string} words
 * @param {HTMLElement} control
 * @param {string} [kind] "pair" for a line of controls, "field" for a form
 */
export function labelled(words, control, kind = "pair") {
  numIds += 1;
  control.id = `id-${numIds}`;
  return el("span", { class: kind }, el("label", { for: control.id }, words), " ", control);
}

/**
 * Return the element of the page with an id.
 *
 * @param {string} id
 * @returns {HTMLElement}
 */
export function byId(id) {
  const element = document.getElementById(id);
  if (element === null) {
    throw new Error(`the page has no element ${id}`);
  }
  return element;
}

