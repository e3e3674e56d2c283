"""`Rule`, the decorator that makes a rule of a function, and the findings of a rule."""

import inspect
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, NamedTuple, TypeVar

from kaitai_gguf.rules.finding import Finding, Severity

__all__ = ["RULES", "Place", "Rule", "findings_of", "rule", "several"]

LISTED = 5  # findings of one rule; if there are more, the first represents all

T = TypeVar("T")


class Place(NamedTuple):
    """Where a file breaks a rule, and a sentence that says how."""

    offset: int
    path: str
    message: str
    total: int = 1  # places that this one represents
    refused_by: tuple[str, ...] | None = None  # if it differs from the rule's


Places = Callable[..., Iterable[Any]]  # of `Place`; the rules on tensor data yield something else


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule of the format."""

    id: str
    family: str
    """The name of its module: rules of one family are about one part of a file."""
    severity: Severity
    refused_by: tuple[str, ...]
    """The readers that refuse a file that breaks it."""
    source: str
    """Where the rule is written down."""
    title: str
    """A sentence: what is wrong with a file that breaks it."""
    text: str
    """Why that matters and how to fix it, in Markdown."""
    places: Places
    """Finds the places where a file breaks it."""

    @property
    def fixes(self) -> tuple[str, ...]:
        """The ways to fix it with our commands, each of one or more command lines: the indented blocks of `text`."""
        return tuple(inspect.cleandoc(block) for block in self.text.split("\n\n") if block.startswith("    "))


RULES: dict[str, Rule] = {}
"""All rules by their ids, in the order in which they are checked."""


def rule(id: str, severity: Severity, *, source: str, refused_by: tuple[str, ...] = ()) -> Callable[[Places], Places]:
    """Make a rule of a function that yields places. The first paragraph of its docstring is the title."""

    def register(places: Places) -> Places:
        title, _, text = inspect.cleandoc(places.__doc__ or "").partition("\n\n")
        assert "Fix: " in text, f"{id}: no fix"
        assert id not in RULES, id
        family = places.__module__.rpartition(".")[2]
        RULES[id] = Rule(id, family, severity, refused_by, source, " ".join(title.split()), text, places)
        return places

    return register


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


def several(items: Sequence[T], make: Callable[[T], Place]) -> Iterator[Place]:
    """Yield a place for each of the items; the last represents all that aren't listed, for which none is made."""
    for item in items[:LISTED]:
        yield make(item)
    if len(items) > LISTED:
        yield make(items[LISTED])._replace(total=len(items) - LISTED)
