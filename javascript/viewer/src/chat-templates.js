// Code in chat templates that no chat needs, found as kaitai_gguf/chat_templates.py finds it.

export const SEARCHED = 1 << 20; // characters of a model's templates that are searched

const OPENING = /\{[#{%]/gu;
const RAW = /[-+]?\s*raw\s*-?%\}/uy;
const COMMENT_END = /#\}/gu;
const RAW_END = /\{%[-+]?\s*endraw\s*[-+]?%\}/gu;
const TOKEN = /'(?:[^'\\]|\\[^])*'|"(?:[^"\\]|\\[^])*"|[\p{L}\p{N}_]+|%\}|\}\}|\S/gu;
const ENDS = new Map([
  ["{{", "}}"],
  ["{%", "%}"],
]);
const ESCAPE = /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-7]{1,3})|N\{([^}]*)\})/gu;
const SPECIAL_NAME = /__[\p{L}\p{N}_]+__|^_TemplateReference/u;
const PART_OF_NAME = /^[\p{L}\p{N}_.]*(__[a-zA-Z]|[a-zA-Z]__)[\p{L}\p{N}_.]*$/u;
const LOADING = new Set(["import", "from", "include", "extends"]);
const SHOWN = 60; // characters

/**
 * Return the start of the first suspicious tag of a Jinja template; "" if there is none.
 *
 * @param {string} template
 */
export function suspiciousCode(template) {
  let position = 0;
  for (let opening = at(OPENING, template, 0); opening !== null; opening = at(OPENING, template, position)) {
    const kind = opening[0];
    position = opening.index + kind.length;
    const raw = kind === "{%" && at(RAW, template, position) !== null;
    if (kind === "{#" || raw) {
      const end = at(raw ? RAW_END : COMMENT_END, template, position);
      if (end === null) {
        return ""; // Jinja refuses comments and raw text without an end
      }
      position = end.index + end[0].length;
      continue;
    }
    const [isSuspicious, end] = searched(template, position, kind);
    position = end;
    if (isSuspicious) {
      return shortened(template.slice(opening.index, position));
    }
  }
  return "";
}

/**
 * Return the start of some code in one line.
 *
 * @param {string} code
 */
export function shortened(code) {
  const characters = [...code.split(/\s+/u).filter(Boolean).join(" ")];
  return characters.length <= SHOWN ? characters.join("") : `${characters.slice(0, SHOWN).join("")}…`;
}

/**
 * Return the first match at or after a position.
 *
 * @param {RegExp} pattern with the flag g or y
 * @param {string} text
 * @param {number} position
 */
function at(pattern, text, position) {
  pattern.lastIndex = position;
  return pattern.exec(text);
}

/**
 * Return whether a tag is suspicious, and where it ends.
 *
 * @param {string} template
 * @param {number} position
 * @param {string} kind
 * @returns {[boolean, number]}
 */
function searched(template, position, kind) {
  let isSuspicious = false;
  let before = "";
  let depth = 0;
  for (let match = at(TOKEN, template, position); match !== null; match = at(TOKEN, template, position)) {
    const isEnd = match[0] === "}}" || match[0] === "%}";
    const token = depth !== 0 && isEnd ? match[0].slice(0, 1) : match[0];
    position = match.index + token.length;
    if (token === ENDS.get(kind)) {
      break;
    }
    if (token === "'" || token === '"') {
      return [isSuspicious, template.length]; // Jinja refuses strings without an end
    }
    isSuspicious ||= isSuspiciousToken(kind, before, token);
    depth += Number("([{".includes(token)) - Number(")]}".includes(token));
    if (token !== "-" && token !== "+") {
      before = token;
    }
  }
  return [isSuspicious, position];
}

/** @param {string} kind @param {string} before @param {string} token */
function isSuspiciousToken(kind, before, token) {
  if (/^['"]/u.test(token)) {
    return PART_OF_NAME.test(token.slice(1, -1).replace(ESCAPE, unescaped));
  }
  return (
    SPECIAL_NAME.test(token) ||
    (kind === "{%" && before === "" && LOADING.has(token)) ||
    (token === "attr" && before === "|")
  );
}

/** @type {(escape: string, ...groups: string[]) => string} */
function unescaped(escape, x, u, long, octal, name) {
  if (name !== undefined) {
    return name.toUpperCase() === "LOW LINE" ? "_" : "x"; // any other letter of a name
  }
  const number = octal === undefined ? Number.parseInt(x ?? u ?? long ?? "", 16) : Number.parseInt(octal, 8);
  return number <= 0x10_ff_ff ? String.fromCodePoint(number) : escape;
}
