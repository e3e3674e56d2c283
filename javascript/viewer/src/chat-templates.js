// Code in chat templates that no chat needs, found as kaitai_gguf/chat_templates.py finds it.

const OPENING = /\{#[^]*?#\}|\{%[-+]?\s*raw\s*-?%\}[^]*?\{%[-+]?\s*endraw\s*[-+]?%\}|\{\{|\{%/gu;
const TOKEN = /'(?:[^'\\]|\\[^])*'|"(?:[^"\\]|\\[^])*"|[\p{L}\p{N}_]+|%\}|\}\}|\S/gu;
const ENDS = new Map([
  ["{{", "}}"],
  ["{%", "%}"],
]);
const ESCAPE = /\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|([0-7]{1,3}))/giu;
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
  const opening = new RegExp(OPENING);
  for (let match = opening.exec(template); match !== null; match = opening.exec(template)) {
    const end = ENDS.get(match[0]);
    if (end !== undefined) {
      const [tokens, position] = tokensOf(template, opening.lastIndex, end);
      opening.lastIndex = position;
      if (tokens.some((token, number) => isSuspicious(match[0], tokens.slice(0, number), token))) {
        const code = [...template.slice(match.index, position).split(/\s+/u).filter(Boolean).join(" ")];
        return code.length <= SHOWN ? code.join("") : `${code.slice(0, SHOWN).join("")}…`;
      }
    }
  }
  return "";
}

/**
 * @param {string} template
 * @param {number} start
 * @param {string} end
 * @returns {[string[], number]}
 */
function tokensOf(template, start, end) {
  const tokens = [];
  const next = new RegExp(TOKEN);
  next.lastIndex = start;
  let depth = 0;
  for (let match = next.exec(template); match !== null; match = next.exec(template)) {
    const isEnd = match[0] === "}}" || match[0] === "%}";
    const token = depth !== 0 && isEnd ? match[0].slice(0, 1) : match[0];
    next.lastIndex = match.index + token.length;
    start = next.lastIndex;
    if (token === end) {
      break;
    }
    depth += Number("([{".includes(token)) - Number(")]}".includes(token));
    tokens.push(token);
  }
  return [tokens, start];
}

/** @param {string} opening @param {string[]} before @param {string} token */
function isSuspicious(opening, before, token) {
  const words = before.filter((each) => each !== "-" && each !== "+");
  if (token.length > 1 && /^['"]/u.test(token)) {
    const text = token.slice(1, -1).replace(ESCAPE, (_, x, u, octal) => {
      return String.fromCodePoint(octal ? Number.parseInt(octal, 8) : Number.parseInt(x ?? u, 16));
    });
    return PART_OF_NAME.test(text);
  }
  return (
    SPECIAL_NAME.test(token) ||
    (opening === "{%" && words.length === 0 && LOADING.has(token)) ||
    (token === "attr" && words.at(-1) === "|")
  );
}
