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
 * Return a control with its label, which stay on one line.
 *
 * @param {string} words
 * @param {HTMLElement} control
 * @param {string} [kind] "pair" for a line of controls, "field" for a form
 */
export function labelled(words, control, kind = "pair") {
  control.id = newId();
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

let numIds = 0;

/** Return an id that no other element has. */
export function newId() {
  numIds += 1;
  return `id-${numIds}`;
}
