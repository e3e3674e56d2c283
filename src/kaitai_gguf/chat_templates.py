"""Code in chat templates that no chat needs: attacks on programs that run them.

Many programs render `tokenizer.chat_template` with Jinja. Outside of Jinja's sandbox, a template reaches the objects of
Python through attributes such as `__init__` and `__globals__`, and can run any command (CVE-2024-34359). Templates are
searched here, never rendered. A template that builds such a name from parts may not be found.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

__all__ = ["TEMPLATE", "Suspicion", "suspicions", "suspicious_templates", "template_names"]

TEMPLATE = "tokenizer.chat_template"

_OPENING = re.compile(r"\{#.*?#\}|\{%[-+]?\s*raw\s*-?%\}.*?\{%[-+]?\s*endraw\s*[-+]?%\}|\{\{|\{%", re.DOTALL)
_TOKEN = re.compile(r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|\w+|%\}|\}\}|\S""", re.DOTALL)
_ENDS = {"{{": "}}", "{%": "%}"}
_ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|([0-7]{1,3}))")

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


def suspicious_templates(metadata: Mapping[str, Any]) -> dict[str, str]:
    """Return the first suspicious tag of each chat template that has one, by name."""
    templates = {name: metadata.get(key) for name, key in template_names(metadata).items()}
    tags = {name: next(suspicions(text), None) for name, text in templates.items() if isinstance(text, str)}
    return {name: tag.code for name, tag in tags.items() if tag is not None}


def suspicions(template: str) -> Iterator[Suspicion]:
    """Yield the suspicious tags of a Jinja template. Text outside of `{{ }}` and `{% %}` is never suspicious."""
    position = 0
    while opening := _OPENING.search(template, position):
        position = opening.end()
        if opening[0] in _ENDS:
            tokens, position = _tokens(template, position, _ENDS[opening[0]])
            for number, token in enumerate(tokens):
                if reason := _reason(opening[0], tokens[:number], token):
                    code = " ".join(template[opening.start() : position].split())
                    yield Suspicion(opening.start(), code if len(code) <= _SHOWN else code[:_SHOWN] + "…", reason)
                    break


def _tokens(template: str, position: int, end: str) -> tuple[list[str], int]:
    """Return the tokens of a tag, and where it ends. Brackets may contain what looks like the end."""
    tokens: list[str] = []
    depth = 0
    while match := _TOKEN.search(template, position):
        token = match[0] if not depth or match[0] not in _ENDS.values() else match[0][0]
        position = match.start() + len(token)
        if token == end:
            break
        depth += (token in "([{") - (token in ")]}")
        tokens.append(token)
    return tokens, position


def _reason(opening: str, before: list[str], token: str) -> str | None:
    """Return what is suspicious about a token, after others in the same tag."""
    words = [each for each in before if each not in "-+"]
    if token[0] in "'\"":
        text = _ESCAPE.sub(lambda match: chr(int(match[1] or match[2] or match[3], 8 if match[3] else 16)), token[1:-1])
        return f"has the name {text!r} in a string" if _PART_OF_NAME.fullmatch(text) else None
    if _SPECIAL_NAME.search(token):
        return f"uses {token}"
    if opening == "{%" and not words and token in _LOADING:
        return "loads another template"
    return "uses the filter attr" if token == "attr" and words and words[-1] == "|" else None
