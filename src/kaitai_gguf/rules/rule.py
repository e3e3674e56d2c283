"""`Rule` and `Finding`, the decorator that makes a rule of a function, and what several rules use."""

import inspect
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice
from typing import Any, NamedTuple

from kaitai_gguf.llama_cpp import facts
from kaitai_gguf.reading.header import Header

LISTED = 5  # findings of one rule; if there are more, the first represents all

LLAMA_CPP = "llama.cpp"
HEADER = ("ggml", LLAMA_CPP)
"""The readers that refuse a bad header; ggml refuses it with or without the data."""

_COMMITS = {"ggml": "d99724f2", "llama.cpp": facts()["source"]["commit"]}

# Fixes of several rules.
SET, SET_TYPED = "set FILE KEY=VALUE --output FIXED", "set FILE KEY=VALUE --type TYPE --output FIXED"
UNSET = "unset FILE KEY --output FIXED"
SET_ARCHITECTURE = "set FILE general.architecture=NAME --output FIXED"
RENAME = "rename-tensor FILE TENSOR NAME --output FIXED"


class Severity(StrEnum):
    """How bad a finding is, from worst to mildest."""

    ERROR = "error"
    """The file is not valid."""
    WARNING = "warning"
    """Some reader refuses the file, or can't use it unchanged."""
    NOTE = "note"
    """The file breaks a convention."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One rule that a file breaks, and where."""

    rule: str
    """The id of the rule: a section of docs/rules.md."""
    severity: Severity
    offset: int
    """The byte, from the start of the file, where the offending field starts."""
    path: str
    """The field, e.g. `/metadata/12/value/elements/3`; `/` is the file itself."""
    message: str
    """A sentence. It may quote text of the file: escape it before showing it."""
    refused_by: tuple[str, ...] = ()
    """The readers that refuse the file for this reason."""
    count: int = 1
    """The number of places; `offset` and `path` are those of the first."""


class Place(NamedTuple):
    """Where a file breaks a rule, and a sentence that says how."""

    path: str
    message: str
    offset: int | None = None
    """None for the start of a field that `Header.position` knows: locating it takes longer than finding it."""
    total: int = 1  # places that this one represents
    refused_by: tuple[str, ...] | None = None  # if it differs from the rule's


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule of the format."""

    id: str
    family: str
    """Which part of a file the rule is about: `header`, `keys`, …"""
    severity: Severity
    refused_by: tuple[str, ...]
    """The readers that refuse a file that breaks the rule."""
    source: str
    """A link to the source of the rule."""
    title: str
    """A sentence that says what is wrong with a file that breaks the rule."""
    text: str
    """Why it matters and how to fix it, in Markdown."""
    fixes: tuple[str, ...]
    """The ways to fix it with our commands, one line each: the indented blocks of `text`."""
    places: Callable[..., Any]
    """Yields a `Place` for each place where a file breaks the rule; the families `unreadable` and `deep` differ."""


def rule(
    family: str, severity: str, source: str, *, refused_by: str = "", fixes: Sequence[str] = ()
) -> Callable[[Callable[..., Any]], Rule]:
    """Return a decorator that makes a rule of a function. Its name is the id, with hyphens.

    The first paragraph of its docstring is the title, and "Fix:" starts a paragraph.

    source      a path in the repository `ggml` or `llama.cpp`.
    refused_by  the names of readers, separated by commas.
    fixes       command lines without `kaitai-gguf`.
    """
    repository, _, path = source.partition("/")
    link = f"https://github.com/ggml-org/{repository}/blob/{_COMMITS[repository]}/{path}"
    readers = tuple(refused_by.split(", ")) if refused_by else ()
    commands = tuple(f"kaitai-gguf {fix}" for fix in fixes)

    def make(places: Callable[..., Any]) -> Rule:
        title, _, text = inspect.cleandoc(places.__doc__ or "").partition("\n\n")
        text = "\n\n".join([text.replace("\nFix: ", "\n\nFix: "), *(f"    {each}" for each in commands)])
        id = places.__name__.replace("_", "-")
        return Rule(id, family, Severity(severity), readers, link, " ".join(title.split()), text, commands, places)

    return make


def findings_of(rule: Rule, places: Iterable[Place], header: Header) -> Iterator[Finding]:
    """Yield a finding for each place, or one for all if there are more than `LISTED`."""
    rest = iter(places)
    listed = list(islice(rest, LISTED))
    others = sum(place.total for place in rest)
    if others:
        first, *more = listed
        others += sum(place.total for place in more)
        message = f"{first.message} (and {others:,} more like it)"
        listed = [first._replace(message=message, total=first.total + others)]
    for path, message, offset, total, refused_by in listed:
        where = header.position(path) if offset is None else offset
        readers = rule.refused_by if refused_by is None else refused_by
        yield Finding(rule.id, rule.severity, where, path, message, readers, total)
