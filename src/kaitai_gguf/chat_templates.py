"""Code in chat templates that no chat needs: attacks on programs that run them.

Many programs render `tokenizer.chat_template` with Jinja. Outside of Jinja's sandbox, a template reaches the objects of
Python through attributes such as `__init__` and `__globals__`, and can run any command (CVE-2024-34359). Templates are
searched here, never rendered, in time proportional to their length. A template that builds such a name from parts may
not be found.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

TEMPLATE = "tokenizer.chat_template"
LONGEST = 1 << 20  # characters of a model's templates that are searched; the longest of llama.cpp's has 17,000

_OPENING = re.compile(r"\{[#{%]")
_RAW = re.compile(r"[-+]?\s*raw\s*-?%\}")
_COMMENT_END = re.compile(r"#\}")
_RAW_END = re.compile(r"\{%[-+]?\s*endraw\s*[-+]?%\}")
_TOKEN = re.compile(r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|\w+|%\}|\}\}|\S""", re.DOTALL)
_ENDS = {"{{": "}}", "{%": "%}"}
_ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-7]{1,3})|N\{([^}]*)\})")

_SPECIAL_NAME = re.compile(r"__\w+__|^_TemplateReference")
_PART_OF_NAME = re.compile(r"[\w.]*(__[a-zA-Z]|[a-zA-Z]__)[\w.]*")  # a string, which may be joined to another one
_LOADING = ("import", "from", "include", "extends")
_SHOWN = 60  # characters


class Suspicion(NamedTuple):
    """Code in a template that no chat needs."""

    position: int
    """The character of the template where it starts."""
    code: str
    """The tag, or the start of a long one: `{{ cycler.__init__ }}`."""
    reason: str
    """What the code does: `uses __init__`."""


def template_names(keys: Iterable[str]) -> dict[str, str]:
    """Return the keys of chat templates by name, "default" first: that of `tokenizer.chat_template`."""
    prefix = f"{TEMPLATE}."
    names = {key.removeprefix(prefix): key for key in keys if key.startswith(prefix)}
    return {"default": TEMPLATE} | names if TEMPLATE in keys else names


def model_suspicions(keys: Iterable[str], get: Callable[[str], Any]) -> Iterator[tuple[str, str, Iterator[Suspicion]]]:
    """Yield name and text of each chat template of a model, and its suspicious tags.

    `get` returns the value of a key; values that are not text are left out. A template with which all of them are
    longer than `LONGEST` is suspicious itself.
    """
    length = 0
    for name, key in template_names(keys).items():
        text = get(key)
        if isinstance(text, str):
            length += len(text)
            too_long = Suspicion(0, _shown(text[: 2 * _SHOWN]), "is too long to be searched")
            yield name, text, iter([too_long]) if text and length > LONGEST else suspicions(text)


def suspicious_templates(metadata: Mapping[str, Any]) -> dict[str, str]:
    """Return the first suspicious tag of each chat template that has one, by name."""
    tags = {name: next(found, None) for name, _, found in model_suspicions(metadata, metadata.get)}
    return {name: tag.code for name, tag in tags.items() if tag is not None}


def suspicions(template: str) -> Iterator[Suspicion]:
    """Yield the suspicious tags of a Jinja template. Text outside of `{{ }}` and `{% %}` is never suspicious."""
    position = 0
    while opening := _OPENING.search(template, position):
        kind, position = opening[0], opening.end()
        raw = _RAW.match(template, position) if kind == "{%" else None
        if kind == "{#" or raw:
            end = (_RAW_END if raw else _COMMENT_END).search(template, position)
            if end is None:
                return  # Jinja refuses comments and raw text without an end
            position = end.end()
            continue
        reason, position = _searched(template, position, kind)
        if reason:
            yield Suspicion(opening.start(), _shown(template[opening.start() : position]), reason)


def _searched(template: str, position: int, kind: str) -> tuple[str | None, int]:
    """Return what is suspicious about a tag, and where it ends. Brackets may contain what looks like the end."""
    reason, before, depth = None, "", 0
    while match := _TOKEN.search(template, position):
        token = match[0] if not depth or match[0] not in _ENDS.values() else match[0][0]
        position = match.start() + len(token)
        if token == _ENDS[kind]:
            break
        if token in ("'", '"'):
            return reason, len(template)  # Jinja refuses strings without an end
        reason = reason or _reason(kind, before, token)
        depth += (token in "([{") - (token in ")]}")
        if token not in "-+":
            before = token
    return reason, position


def _reason(kind: str, before: str, token: str) -> str | None:
    """Return what is suspicious about a token. `before` is the one before it in the tag, or empty."""
    if token[0] in "'\"":
        text = _ESCAPE.sub(_unescaped, token[1:-1])
        return f"has the name {text!r} in a string" if _PART_OF_NAME.fullmatch(text) else None
    if _SPECIAL_NAME.search(token):
        return f"uses {token}"
    if kind == "{%" and not before and token in _LOADING:
        return "loads another template"
    return "uses the filter attr" if (before, token) == ("|", "attr") else None


def _unescaped(escape: re.Match[str]) -> str:
    *numbers, octal, name = escape.groups()
    if name is not None:
        return "_" if name.upper() == "LOW LINE" else "x"  # any other letter of a name
    number = int(octal, 8) if octal else int(next(filter(None, numbers)), 16)
    return chr(number) if number <= 0x10FFFF else escape[0]


def _shown(code: str) -> str:
    code = " ".join(code.split())
    return code if len(code) <= _SHOWN else code[:_SHOWN] + "…"
