"""`check`: all rules on one file."""

from collections import defaultdict
from collections.abc import Callable

from kaitai_gguf.errors import FormatError
from kaitai_gguf.rules import deep as data
from kaitai_gguf.rules import header, hyperparameters, keys, layout, shards, standard, tensors, tokenizer, values
from kaitai_gguf.rules.facts import Facts
from kaitai_gguf.rules.finding import Finding
from kaitai_gguf.rules.rule import RULES, Place, Rule, findings_of
from kaitai_gguf.rules.unreadable import UNREADABLE
from kaitai_gguf.sources import OneSource, opened

__all__ = ["check"]

FAMILIES = (header, keys, values, standard, hyperparameters, tokenizer, tensors, layout, shards)

SHALLOW = [rule for rule in RULES.values() if rule.places.__module__ in {family.__name__ for family in FAMILIES}]
"""The rules that look at the header, and at the padding."""


def check(source: OneSource, *, deep: bool = False, progress: Callable[[int], None] | None = None) -> list[Finding]:
    """Holds a file against all rules of the format, and gives what is found in the order of the file.

    `source` is a path, an object with the bytes, or a binary file object; a shard is looked at by itself. A path also
    has its name looked at. With `deep`, all tensor data is read too; `progress`, if given, is called with the number of
    bytes that are done since it was last called. If the header can't be walked over to its end, the reason is the only
    finding. A rule that is not kept in more than 5 places has one finding: the first place and how many there are.

    An empty list means that there is nothing to find fault with. Raises `FileError` if the path can't be opened.
    """
    try:
        facts = opened(source, True, Facts)
    except FormatError as error:
        return [finding for rule in UNREADABLE for finding in findings_of(rule, rule.places(error))]
    found = [finding for rule in SHALLOW for finding in findings_of(rule, rule.places(facts))]
    if deep:
        places: dict[Rule, list[Place]] = defaultdict(list)
        for rule, place in data.places(facts, progress):
            places[rule].append(place)
        found += [finding for rule in places for finding in findings_of(rule, places[rule])]
    return sorted(found, key=lambda finding: finding.offset)
