"""Rules on all shards of a model together: checked for any of them, with the headers of the others.

The other shards are found the way llama.cpp finds them, by name, in a listing of the folder: a count in a file is never
counted up to.
"""

import os
import re
from collections.abc import Iterator
from functools import cached_property
from itertools import count, islice
from typing import Any, NamedTuple

import numpy as np

from kaitai_gguf.errors import FileError, FormatError
from kaitai_gguf.reading.arrays import LazyArray
from kaitai_gguf.reading.shards import COUNT_KEY, NUMBER_KEY, TENSORS_KEY
from kaitai_gguf.rules.facts import Facts
from kaitai_gguf.rules.finding import ERROR, LLAMA_CPP, WARNING
from kaitai_gguf.rules.rule import Place, rule
from kaitai_gguf.rules.sources import LOADER
from kaitai_gguf.sources import opened, shard_sets
from kaitai_gguf.text import quoted

NAMED = 3  # files that a message names

_NAME = re.compile(r"(.*)-(\d{5})-of-(\d{5})\.gguf", re.ASCII | re.DOTALL)


class Shard(NamedTuple):
    """One file of a model in several."""

    name: str
    number: int  # from 0, by its name
    facts: Facts


class ShardSet:
    """The shards of a model that exist, found by the path of one."""

    def __init__(self, path: str, own: Facts, number: int, of: int, listing: list[str]) -> None:
        self.of = of
        self.own = Shard(os.path.basename(path), number, own)
        self._folder = os.path.dirname(path)
        self._listing = listing

    @cached_property
    def names(self) -> dict[int, str]:
        """The names of the files that exist, by number."""
        prefix = self.own.name.removesuffix(_ending(self.own.number, self.of))
        found = {self.own.number: self.own.name}
        for name in self._listing:
            match = _NAME.fullmatch(name)
            if match and match[1] == prefix and int(match[3]) == self.of and 1 <= int(match[2]) <= self.of:
                found.setdefault(int(match[2]) - 1, name)
        return dict(sorted(found.items()))

    @cached_property
    def missing(self) -> list[str]:
        """The names of the first few files that are missing."""
        prefix = self.own.name.removesuffix(_ending(self.own.number, self.of))
        numbers = (number for number in count() if number not in self.names)
        missing = min(NAMED, self.of - len(self.names))
        return [prefix + _ending(number, self.of) for number in islice(numbers, missing)]

    @cached_property
    def _read(self) -> tuple[list[Shard], list[tuple[str, str]]]:
        shards, unreadable = [], []
        for number, name in self.names.items():
            if number == self.own.number:
                shards.append(self.own)
                continue
            try:
                facts = opened(os.path.join(self._folder, name), True, Facts)
                shards.append(Shard(name, number, facts))
            except FormatError as error:
                unreadable.append((name, str(error)))
            except FileError as error:
                unreadable.append((name, error.strerror or str(error)))
        return shards, unreadable

    @property
    def shards(self) -> list[Shard]:
        """Those whose header can be read, in order."""
        return self._read[0]

    @property
    def unreadable(self) -> list[tuple[str, str]]:
        """The names of the others, and why."""
        return self._read[1]

    @property
    def is_complete(self) -> bool:
        return len(self.shards) == self.of


def _ending(number: int, of: int) -> str:
    return f"-{number + 1:05}-of-{of:05}.gguf"


def shards_of(facts: Facts) -> ShardSet | None:
    """Return all shards of a model; None if the file is not one of several by its name and its keys."""
    match = _NAME.fullmatch(os.path.basename(facts.path)) if facts.path is not None else None
    if match is None or facts.path is None:
        return None
    number, of = int(match[2]), int(match[3])
    if not 1 <= number <= of or of < 2 or facts.integer(COUNT_KEY) != of:
        return None
    if shard_sets.is_published(facts.path):
        return None  # another program is replacing all files of the set
    try:
        listing = os.listdir(os.path.dirname(facts.path) or os.curdir)
    except OSError:  # the folder may allow opening its files, but not listing them
        return None
    return ShardSet(facts.path, facts, number - 1, of, listing)


@rule("shard-missing", WARNING, LOADER, refused_by=(LLAMA_CPP,))
def shard_missing(facts: Facts) -> Iterator[Place]:
    """Another shard of the model is missing.

    Checked if the file was given by its path and is named like a shard: the others have to be in the same folder.

    Fix: download the missing files to the folder.
    """
    found = shards_of(facts)
    if found is not None and found.missing:
        number = found.of - len(found.names)
        names = ", ".join(map(quoted, found.missing)) + (f" and {number - NAMED:,} more" if number > NAMED else "")
        yield _place(
            f"{number:,} of {found.of:,} shards {'is' if number == 1 else 'are'} missing: {names}", total=number
        )


@rule("shard-set", ERROR, LOADER, refused_by=(LLAMA_CPP,), fixes=["set FILE KEY=VALUE --in-place"])
def shard_set(facts: Facts) -> Iterator[Place]:
    """The shards in the folder do not belong to one model.

    Checked if the file was given by its path and is named like a shard. Every shard has to be readable, and to have the
    version, byte order, `split.count` and `split.tensors.count` of the first one; its `split.no` is that of its name;
    its `general.*` keys have the values of the first shard, as far as both have them. No two shards have a tensor of
    the same name, and together they have `split.tensors.count` tensors. llama.cpp compares fewer of these.

    Fix: if only a value of a key differs, set it to that of the first shard. FILE is the shard that the finding names.
    Otherwise, download all shards again, or split the original model again.
    """
    found = shards_of(facts)
    if found is None:
        return
    for name, reason in found.unreadable:
        yield _place(f"{quoted(name)} can't be read: {reason}")
    first = found.shards[0]
    for shard in found.shards:
        yield from _numbered(shard)
        if shard is not first:
            yield from _compared(shard, first)
    yield from _tensors(found)


def _numbered(shard: Shard) -> Iterator[Place]:
    number = shard.facts.integer(NUMBER_KEY)
    if number != shard.number:
        has = f"has {NUMBER_KEY} {number}" if number is not None else f"has no {NUMBER_KEY}"
        yield _place(f"{quoted(shard.name)} {has}, expected {shard.number}, by its name")


def _compared(shard: Shard, first: Shard) -> Iterator[Place]:
    """What differs between a shard and the first one."""
    one, other = shard.facts, first.facts
    if one.reader.is_big_endian != other.reader.is_big_endian:
        yield _place(f"{quoted(shard.name)} is {_order(one)}, but {quoted(first.name)} is {_order(other)}")
    if one.version != other.version:
        yield _differs(shard, first, "version", one.version, other.version)._replace(refused_by=())
    keys = [COUNT_KEY, *([TENSORS_KEY] if one.number(TENSORS_KEY) is not None else [])]
    keys += [key for key in dict.fromkeys(one.keys) if key.startswith("general.")]
    for key in keys:
        if (key == COUNT_KEY or other.number(key) is not None) and not _same(one.get(key), other.get(key)):
            yield _differs(shard, first, key, one.get(key), other.get(key))._replace(refused_by=())


def _tensors(found: ShardSet) -> Iterator[Place]:
    owners: dict[str, Shard] = {}
    for shard in found.shards:
        for name in shard.facts.names:
            owner = owners.setdefault(name, shard)
            if owner is not shard:
                yield _place(f"tensor {quoted(name)} is both in {quoted(owner.name)} and in {quoted(shard.name)}")
    expected = found.shards[0].facts.integer(TENSORS_KEY)
    if found.is_complete and expected is not None and expected != len(owners):
        yield _place(f"the shards have {len(owners):,} tensors together, but {TENSORS_KEY} is {expected:,}")


def _place(message: str, total: int = 1) -> Place:
    return Place(0, "/", message, total)


def _differs(shard: Shard, first: Shard, what: str, one: Any, other: Any) -> Place:
    return _place(f"{quoted(shard.name)} has {what} {_shown(one)}, but {quoted(first.name)} has {_shown(other)}")


def _order(facts: Facts) -> str:
    return "big-endian" if facts.reader.is_big_endian else "little-endian"


def _shown(value: Any) -> str:
    if value is None:
        return "none"
    if isinstance(value, np.ndarray | LazyArray):
        return f"an array of {len(value):,} elements"
    return quoted(value) if isinstance(value, str) else str(value)


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, np.ndarray | float) and isinstance(other, np.ndarray | float):
        return np.array_equal(one, other, equal_nan=True)
    return bool(one == other)
