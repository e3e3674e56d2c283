"""Rules on all shards of a model: they are checked for any one of them, with the headers of the others."""

from collections.abc import Iterator
from itertools import count, islice
from typing import Any

import numpy as np

from kaitai_gguf.reading.arrays import LazyArray
from kaitai_gguf.reading.shards import COUNT_KEY, NUMBER_KEY, TENSORS_KEY, shard_name
from kaitai_gguf.rules.facts import Facts
from kaitai_gguf.rules.finding import ERROR, LLAMA_CPP, WARNING
from kaitai_gguf.rules.references import LOADER
from kaitai_gguf.rules.rule import Place, rule
from kaitai_gguf.rules.shard_files import Shard, existing, read
from kaitai_gguf.text import quoted

NAMED = 3  # files that a message names


@rule("shard-missing", WARNING, LOADER, refused_by=(LLAMA_CPP,))
def shard_missing(facts: Facts) -> Iterator[Place]:
    """Another shard of the model is missing.

    This is checked if the file is given by its path and is named like a shard. The other shards must be in the same
    folder.

    Fix: download the missing files to the folder.
    """
    found = existing(facts)
    if found is None or len(found[1]) == found[0].of:
        return
    own, files = found
    missing = own.of - len(files)
    names = (quoted(shard_name(own.prefix, number, own.of)) for number in count(1) if number not in files)
    shown = ", ".join(islice(names, min(missing, NAMED)))
    more = f" and {missing - NAMED:,} more" if missing > NAMED else ""
    message = f"{missing:,} of {own.of:,} shards {'is' if missing == 1 else 'are'} missing: {shown}{more}"
    yield _place(message)._replace(total=missing)


@rule("shard-set", ERROR, LOADER, refused_by=(LLAMA_CPP,), fixes=["set FILE KEY=VALUE --in-place"])
def shard_set(facts: Facts) -> Iterator[Place]:
    """The shards in the folder do not belong to one model.

    This is checked if the file is given by its path and is named like a shard. Every shard must be readable, and have
    the version, byte order, `split.count` and `split.tensors.count` of the first shard. Its `split.no` must match its
    name. If both have a `general.*` key, the values must be equal. No two shards may have a tensor of the same name,
    and together they must have `split.tensors.count` tensors. llama.cpp checks fewer of these conditions.

    Fix: if only the value of a key differs, set it to that of the first shard. FILE is the shard that the finding
    names. Otherwise, download all shards again, or split the original model again.
    """
    found = existing(facts)
    if found is None:
        return
    own, files = found
    shards, unreadable = read(facts, files)
    for name, reason in unreadable.items():
        yield _place(f"{quoted(name)} can't be read: {reason}")
    for shard in shards:
        value = shard.facts.integer(NUMBER_KEY)
        if value != shard.number - 1:
            has = f"has {NUMBER_KEY} {value}" if value is not None else f"has no {NUMBER_KEY}"
            yield _place(f"{quoted(shard.name)} {has}, expected {shard.number - 1}, by its name")
        if shard is not shards[0]:
            yield from _compared(shard, shards[0])
    yield from _tensors(shards, is_complete=len(shards) == own.of)


def _compared(shard: Shard, first: Shard) -> Iterator[Place]:
    """Find what differs between a shard and the first one."""
    one, other = shard.facts, first.facts
    if one.reader.is_big_endian != other.reader.is_big_endian:
        yield _place(f"{quoted(shard.name)} is {_order(one)}, but {quoted(first.name)} is {_order(other)}")
    if one.version != other.version:
        yield _differs(shard, first, "version", one.version, other.version)
    keys = [COUNT_KEY, *([TENSORS_KEY] if one.number(TENSORS_KEY) is not None else [])]
    keys += [key for key in dict.fromkeys(one.keys) if key.startswith("general.")]
    for key in keys:
        if (key == COUNT_KEY or other.number(key) is not None) and not _same(one.get(key), other.get(key)):
            yield _differs(shard, first, key, one.get(key), other.get(key))


def _tensors(shards: list[Shard], *, is_complete: bool) -> Iterator[Place]:
    owners: dict[str, Shard] = {}
    for shard in shards:
        for name in shard.facts.names:
            owner = owners.setdefault(name, shard)
            if owner is not shard:
                yield _place(f"tensor {quoted(name)} is both in {quoted(owner.name)} and in {quoted(shard.name)}")
    expected = shards[0].facts.integer(TENSORS_KEY)
    if is_complete and expected is not None and expected != len(owners):
        yield _place(f"the shards have {len(owners):,} tensors together, but {TENSORS_KEY} is {expected:,}")


def _place(message: str) -> Place:
    return Place(0, "/", message)


def _differs(shard: Shard, first: Shard, what: str, one: Any, other: Any) -> Place:
    """A difference that llama.cpp does not look for."""
    message = f"{quoted(shard.name)} has {what} {_shown(one)}, but {quoted(first.name)} has {_shown(other)}"
    return Place(0, "/", message, refused_by=())


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
