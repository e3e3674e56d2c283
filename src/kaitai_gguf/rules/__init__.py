"""The rules of the format, one function each: `check(source)`.

| module | contents |
|---|---|
| `rule` | `Rule` and `Finding`, the decorator that makes a rule of a function, and what several rules use |
| `lists` | all values of a header, those in nested arrays included |
| `facts` | the input of the rules: a header, and what several rules ask about it |
| `page` | writes the sections of docs/rules.md |

Each other module has rules about one part of a file. `FAMILIES` lists all of them.

`check` finds everything that `open()` refuses, and more. It continues as long as the header can be read.
"""

import os
from functools import partial

from kaitai_gguf.errors import FormatError
from kaitai_gguf.reading.file import GGUFFile
from kaitai_gguf.reading.handle import source_of
from kaitai_gguf.rules import deep as data, header, llama_cpp, metadata, shards, standard, tensors, tokenizer
from kaitai_gguf.rules.facts import Facts
from kaitai_gguf.rules.rule import Finding, Rule, Severity, findings_of
from kaitai_gguf.sources import OneSource, Source, opened
from kaitai_gguf.sources.urls import absolute_path, local_path
from kaitai_gguf.types import Progress

__all__ = ["PEDANTIC", "RULES", "Finding", "Rule", "Severity", "check", "check_one", "misfits"]

MODULES = (data, header, llama_cpp, metadata, shards, standard, tensors, tokenizer)
FAMILIES = (
    *("deep", "header", "hyperparameters", "keys", "tensors", "tokenizer", "loading", "placement", "shards"),
    *("standard", "values", "whole_set", "together", "unreadable"),
)
_RULES = [rule for module in MODULES for rule in vars(module).values() if isinstance(rule, Rule)]
RULES = {rule.id: rule for family in FAMILIES for rule in _RULES if rule.family == family}
"""All rules by id, in the order in which they are checked."""

PEDANTIC = frozenset({"file-name"})
"""The rules that are checked only on request: most real files break them, and nothing depends on them."""


def check(
    source: OneSource | GGUFFile, *, deep: bool = False, pedantic: bool = False, progress: Progress | None = None
) -> list[Finding]:
    """Return the findings of all rules of the format, in the order of the file.

    source    a path, a URL, an object with the bytes, a binary file object, or an open model. Of a model in several
              files, the first is checked. If the file was given by a path that has the name of a shard, the headers of
              the other shards are read, to check that they exist and belong to the same model, and that no edit of them
              was interrupted.
    deep      read and check all tensor data, too.
    pedantic  check that the name of the file follows the naming convention, too.
    progress  called with the number of bytes of tensor data that were read since the last call.

    If the header can't be read to its end, the reason is the only finding. If a rule is broken in more than 5 places,
    there is one finding, with the first place and the number of places. An empty list does not mean that the model can
    be loaded, because most tensors that an architecture needs are not checked.

    Raises `FileError` if the path can't be opened, or if the system is out of file handles or memory, so that the other
    shards can't be.
    """
    shards: dict[str, Facts] = {}
    try:
        return check_one(source, shards, deep=deep, pedantic=pedantic, progress=progress)
    finally:
        shards.clear()  # they refer to each other


def check_one(
    source: OneSource | GGUFFile | Source,
    shards: dict[str, Facts],
    *,
    deep: bool = False,
    pedantic: bool = False,
    progress: Progress | None = None,
) -> list[Finding]:
    """Return what `check` returns; for a `Source`, other shards are not read.

    `shards` are those that were read before, by absolute path. Others are added, and stay mapped with them.
    """
    try:
        facts = _facts(source, shards)
    except FormatError as error:
        rule = next(rule for rule in RULES.values() if rule.family == "unreadable" and rule.places(error))
        message = str(error).removesuffix(f" (at byte {error.offset:#x})")
        return [Finding(rule.id, rule.severity, error.offset, error.path, message, rule.refused_by)]
    places = {
        id: rule.places(facts)
        for id, rule in RULES.items()
        if rule.family not in ("unreadable", "deep", "together") and (pedantic or id not in PEDANTIC)
    }
    if deep:
        places |= data.places(facts, progress)
    findings = (finding for id in places for finding in findings_of(RULES[id], places[id], facts.header))
    return sorted(findings, key=lambda finding: finding.offset)


def misfits(model: GGUFFile, other: GGUFFile) -> list[Finding]:
    """Return why a projector or an adapter does not fit a model. Raises ValueError if `fits` does."""
    return list(findings_of(RULES["misfit"], RULES["misfit"].places(model, other), other.header))


def _facts(source: OneSource | GGUFFile | Source, shards: dict[str, Facts]) -> Facts:
    if isinstance(source, Source):
        return Facts(source)
    if isinstance(source, GGUFFile):
        return Facts(source_of(source), source.name if source_of(source).path is not None else None, shards)
    path = local_path(os.fsdecode(source)) if isinstance(source, str | os.PathLike) else None
    known = shards.get(absolute_path(path)) if path is not None else None
    return known or opened(source, True, partial(Facts, path=path, shards=shards))
