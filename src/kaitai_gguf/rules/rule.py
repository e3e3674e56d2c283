"""`Rule`, the decorator that makes one of a function, and the running of all of them."""

import inspect
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, NamedTuple

from kaitai_gguf.rules.finding import Finding, Severity

__all__ = ["RULES", "Place", "Rule", "findings_of", "quoted", "rule", "several"]

LISTED = 5  # findings of one rule; where there are more, the first speaks for all
QUOTED = 80  # characters of a text of the file


class Place(NamedTuple):
    """Where a rule is not kept, and a sentence that says how."""

    offset: int
    path: str
    message: str
    total: int = 1  # places that this one speaks for
    refused_by: tuple[str, ...] | None = None  # where it isn't the rule's


Places = Callable[..., Iterable[Any]]  # of `Place`; the rules on tensor data yield something else


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule of the format."""

    id: str
    severity: Severity
    refused_by: tuple[str, ...]
    """Who refuses a file that does not keep it."""
    source: str
    """Where the rule is written down."""
    title: str
    """A sentence: what is wrong with a file that does not keep it."""
    text: str
    """Why that matters and how to mend it, in Markdown."""
    places: Places
    """Finds the places where it is not kept."""


RULES: dict[str, Rule] = {}
"""All rules by their ids, in the order in which they are looked at."""


def rule(id: str, severity: Severity, *, source: str, refused_by: tuple[str, ...] = ()) -> Callable[[Places], Places]:
    """Makes a rule of a function that yields places. The first line of its docstring is the title."""

    def register(places: Places) -> Places:
        title, _, text = inspect.cleandoc(places.__doc__ or "").partition("\n\n")
        assert text, f"{id}: nothing is said of how to mend it"
        assert id not in RULES, id
        RULES[id] = Rule(id, severity, refused_by, source, " ".join(title.split()), text, places)
        return places

    return register


def findings_of(rule: Rule, places: Iterable[Place]) -> Iterator[Finding]:
    """One for each place; one for all if they are many."""
    there = iter(places)
    listed = list(islice(there, LISTED))
    more = sum(place.total for place in there)
    if more:
        others = more + sum(place.total for place in listed[1:])
        first = listed[0]
        says = f"{first.message} (and {others:,} more like it)"
        listed = [first._replace(message=says, total=first.total + others)]
    for place in listed:
        refused_by = rule.refused_by if place.refused_by is None else place.refused_by
        yield Finding(rule.id, rule.severity, place.offset, place.path, place.message, refused_by, place.total)


def several(numbers: Sequence[int], make: Callable[[int], Place]) -> Iterator[Place]:
    """A place for each of the numbers, the last of which speaks for all that needn't be made, as they aren't listed."""
    for number in numbers[:LISTED]:
        yield make(number)
    if len(numbers) > LISTED:
        yield make(numbers[LISTED])._replace(total=len(numbers) - LISTED)


def quoted(text: str) -> str:
    """A text of the file in quotes, and escaped; cut off where it is long."""
    return repr(text) if len(text) <= QUOTED else f"{text[:QUOTED]!r}…"
