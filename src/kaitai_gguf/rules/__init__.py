"""The rules of the format, one function each: `check(source)`.

| module | what is in it |
|---|---|
| `finding` | `Finding`, `Severity`, and the readers that findings name |
| `rule` | `Rule`, and the decorator that makes a rule of a function |
| `facts` | what rules look at: a header as columns |
| `page` | writes docs/rules.md from all rules; has the headings of their families |

Each other module has a family of rules: those on one part of a file.

The rules find everything that `open()` refuses, and more: `check` continues as long as the header can be read.
"""

import os
from collections import defaultdict
from functools import partial
from typing import Self

from kaitai_gguf.errors import FormatError
from kaitai_gguf.reading.file import GGUFFile
from kaitai_gguf.rules import (  # noqa: F401  # each registers its rules
    deep as data,
    header,
    hyperparameters,
    keys,
    loading,
    placement,
    shards,
    standard,
    tensors,
    tokenizer,
    values,
    whole_set,
)
from kaitai_gguf.rules.facts import Facts
from kaitai_gguf.rules.finding import Finding, Severity
from kaitai_gguf.rules.rule import RULES, Place, Rule, findings_of
from kaitai_gguf.rules.unreadable import finding_of
from kaitai_gguf.sources import OneSource, Source, opened
from kaitai_gguf.types import Progress

__all__ = ["PEDANTIC", "RULES", "Checker", "Finding", "Rule", "Severity", "check"]

SHALLOW = [rule for rule in RULES.values() if rule.family not in ("unreadable", "deep")]
"""The rules on the header and the padding."""

PEDANTIC = frozenset({"file-name"})
"""The rules that are checked on request alone: most files in use break them, and nothing depends on it."""


def check(
    source: OneSource | GGUFFile, *, deep: bool = False, pedantic: bool = False, progress: Progress | None = None
) -> list[Finding]:
    """Check a file against all rules of the format, and return what was found in the order of the file.

    `source` is a path, an object with the bytes, a binary file object, or a model that is open, of which the first
    file is checked if it is in several. If it is a path, or was opened by one, and the file has the name of a shard,
    it is also checked whether the other shards exist and belong to the same model, of which only their headers are
    read. With `pedantic`, it is checked whether the name of the file follows the naming convention, too. With `deep`,
    all tensor data is read; `progress`, if given, is called with the number of bytes that were read since the last
    call. If the header can't be read to its end, the reason is the only finding. A rule that is broken in more than 5
    places has one finding, with the first place and the number of places.

    An empty list means that no rule is broken; it does not mean that a model can be loaded, because the tensors that
    an architecture needs are mostly not checked. Raises `FileError` if the path can't be opened.
    """
    with Checker() as checker:
        return checker.check(source, deep=deep, pedantic=pedantic, progress=progress)


def check_source(source: Source) -> list[Finding]:
    """Return what `check` returns, of bytes that a source has or reads: the other shards are not looked at."""
    try:
        facts = Facts(source)
    except FormatError as error:
        return [finding_of(error)]
    return _findings(facts, False, False, None)


class Checker:
    """Checks several files, and reads each shard of a model once. What it has read stays mapped until it is closed."""

    def __init__(self) -> None:
        self._shards: dict[str, Facts] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._shards.clear()  # each of them knows the others

    def check(
        self,
        source: OneSource | GGUFFile,
        *,
        deep: bool = False,
        pedantic: bool = False,
        progress: Progress | None = None,
    ) -> list[Finding]:
        """Return what `check` returns."""
        try:
            facts = self._facts_of(source)
        except FormatError as error:
            return [finding_of(error)]
        return _findings(facts, deep, pedantic, progress)

    def _facts_of(self, source: OneSource | GGUFFile) -> Facts:
        if isinstance(source, GGUFFile):
            path = source.name if source.source.path is not None else None
            return Facts(source.source, path, self._shards)
        path = os.fsdecode(source) if isinstance(source, str | os.PathLike) else None
        known = self._shards.get(os.path.abspath(path)) if path is not None else None
        return known or opened(source, True, partial(Facts, path=path, shards=self._shards))


def _findings(facts: Facts, deep: bool, pedantic: bool, progress: Progress | None) -> list[Finding]:
    rules = [rule for rule in SHALLOW if pedantic or rule.id not in PEDANTIC]
    found = [finding for rule in rules for finding in findings_of(rule, rule.places(facts))]
    if deep:
        places: dict[Rule, list[Place]] = defaultdict(list)
        for rule, place in data.places(facts, progress):
            places[rule].append(place)
        found += [finding for rule in places for finding in findings_of(rule, places[rule])]
    return sorted(found, key=lambda finding: finding.offset)
