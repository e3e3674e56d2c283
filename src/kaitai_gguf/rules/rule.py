"""`Rule`, the decorator that makes a rule of a function, and the findings of a rule."""

import inspect
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from textwrap import indent
from typing import Any, NamedTuple, TypeVar

from kaitai_gguf.rules.finding import Finding, Severity

LISTED = 5  # findings of one rule; if there are more, the first represents all

# Fixes of several rules.
SET, SET_TYPED = "set FILE KEY=VALUE --output FIXED", "set FILE KEY=VALUE --type TYPE --output FIXED"
UNSET = "unset FILE KEY --output FIXED"
SET_ARCHITECTURE = "set FILE general.architecture=NAME --output FIXED"
RENAME = "rename-tensor FILE TENSOR NAME --output FIXED"
COPY = "copy FILE --tensors '*' --output FIXED"

T = TypeVar("T")


class Place(NamedTuple):
    """Where a file breaks a rule, and a sentence that says how."""

    offset: int
    path: str
    message: str
    total: int = 1  # places that this one represents
    refused_by: tuple[str, ...] | None = None  # if it differs from the rule's


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule of the format."""

    id: str
    family: str
    """The name of its module. The rules of a family are about one part of a file."""
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
    """The ways to fix it with our commands, each of one or more command lines: the indented blocks of `text`."""
    places: Callable[..., Any]
    """Yields a `Place` for each place where a file breaks the rule; the families `unreadable` and `deep` differ."""


def rule(
    id: str, severity: Severity, source: str, *, refused_by: tuple[str, ...] = (), fixes: Sequence[str] = ()
) -> Callable[[Callable[..., Any]], Rule]:
    """Return a decorator that makes a rule of a function. The first paragraph of its docstring is the title.

    `fixes` are command lines without `kaitai-gguf`; those of one fix are separated by newlines.
    """

    def make(places: Callable[..., Any]) -> Rule:
        title, _, text = inspect.cleandoc(places.__doc__ or "").partition("\n\n")
        family = places.__module__.rpartition(".")[2]
        commands = tuple("\n".join(f"kaitai-gguf {line}" for line in fix.splitlines()) for fix in fixes)
        text = "\n\n".join([text, *(indent(each, "    ") for each in commands)])
        return Rule(id, family, severity, refused_by, source, " ".join(title.split()), text, commands, places)

    return make


def findings_of(rule: Rule, places: Iterable[Place]) -> Iterator[Finding]:
    """Yield a finding for each place, or one for all if there are more than `LISTED`."""
    rest = iter(places)
    listed = list(islice(rest, LISTED))
    more = sum(place.total for place in rest)
    if more:
        others = more + sum(place.total for place in listed[1:])
        first = listed[0]
        message = f"{first.message} (and {others:,} more like it)"
        listed = [first._replace(message=message, total=first.total + others)]
    for place in listed:
        refused_by = rule.refused_by if place.refused_by is None else place.refused_by
        yield Finding(rule.id, rule.severity, place.offset, place.path, place.message, refused_by, place.total)


def several(items: Sequence[T], make: Callable[[T], Place], total: int | None = None) -> Iterator[Place]:
    """Yield a place for each of the first items, and one that represents all others.

    `total` is how many places all items represent, if it is not one for each.
    """
    rest = len(items) if total is None else total
    for item in items[:LISTED]:
        place = make(item)
        rest -= place.total
        yield place
    if rest:
        yield make(items[LISTED])._replace(total=rest)
