"""Models in several files, the way llama.cpp splits them: which files belong together.

Each shard is a GGUF file with its own tensors. `split.no` is its number, from 0; `split.count` is the number of shards,
and `split.tensors.count` the number of tensors in all of them. The first shard has all other metadata. By convention
shards are named `NAME-00001-of-00003.gguf`, numbered from 1.
"""

import operator
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from math import inf
from typing import Any, NamedTuple

from kaitai_gguf.errors import MissingShardError, ShardError
from kaitai_gguf.layout_rules import is_shard
from kaitai_gguf.reading.arrays import equal_values
from kaitai_gguf.reading.file import GGUFFile
from kaitai_gguf.reading.header import Header
from kaitai_gguf.sources.sidecar_names import shard_match
from kaitai_gguf.sources.urls import is_url, without_secrets
from kaitai_gguf.text import quoted, shorten

NUMBER_KEY = "split.no"
COUNT_KEY = "split.count"
TENSORS_KEY = "split.tensors.count"
SPLIT_KEYS = (NUMBER_KEY, TENSORS_KEY, COUNT_KEY)
"""The keys of a shard, in the order in which llama.cpp writes them."""

_MOST_NAMES = 99_999  # the most that five digits can number
_LONGEST = 60  # characters of a value in an error
_MOST_MISSING = 1000  # names of missing shards in an error: a file may claim any number


class ShardName(NamedTuple):
    """The parts of a shard's name."""

    prefix: str
    number: int  # from 1
    of: int


def shard_names(prefix: str | os.PathLike[str], count: int) -> list[str]:
    """Return the paths of all shards, named the way llama.cpp names them: `PREFIX-00001-of-00003.gguf` and so on.

    Raises ValueError for a count below 0 or above 99,999, since names have five digits.
    """
    count = operator.index(count)
    if not 0 <= count <= _MOST_NAMES:
        raise ValueError(f"expected a number of shards from 0 to {_MOST_NAMES}, as names have five digits, not {count}")
    return [shard_name(os.fsdecode(prefix), number, count) for number in range(1, count + 1)]


def shard_name(prefix: str, number: int, count: int) -> str:
    """Return the name of one shard, numbered from 1."""
    return f"{prefix}-{number:05d}-of-{count:05d}.gguf"


def parse_shard_name(path: str) -> ShardName | None:
    """Return the parts of a shard's path; None if the file is not named like a shard."""
    match = shard_match(path)
    if match is None:
        return None
    name = ShardName(match[1], int(match[2]), int(match[3]))
    return name if 1 <= name.number <= name.of else None


def name_of_shard(path: str, header: Header) -> ShardName | None:
    """Return the parts of a shard's path; None if the file is not a shard, or not named like one.

    Raises `ShardError` if its name and its `split.count` disagree about the number of shards.
    """
    name, count = parse_shard_name(path), header.integer(COUNT_KEY)
    if name is None or not is_shard(header.get):
        return None
    if name.of != count:
        by_name = f"one of {name.of} shards by its name"
        raise ShardError(f"{shown_path(path)!r} is {by_name}, but one of {count} by its {COUNT_KEY}")
    return name


def shown_path(path: str) -> str:
    """Return a path or URL for a message."""
    return without_secrets(path) if is_url(path) else path


def siblings(path: str, file: GGUFFile) -> list[str]:
    """Return the paths of all shards of the model that the file at a path is a shard of, including that path.

    Returns only the path itself if the file is not a shard or not named like one. Raises `ShardError` if a shard is
    missing; for a URL that is not checked.
    """
    # A query or a revision may follow the name of the file in a URL.
    match = re.fullmatch(r"(.*?\.gguf)([?@#].*)?", path, re.DOTALL) if is_url(path) else None
    base, tail = (match[1], match[2] or "") if match else (path, "")
    name = name_of_shard(base, file.header)
    if name is None:
        return [path]
    paths = [each + tail for each in shard_names(name.prefix, name.of)]
    if not is_url(path):
        missing = [each for each in paths if not os.path.exists(each)]
        _refuse_missing(missing, len(missing), name.of)
    return paths


def combined(files: Sequence[GGUFFile]) -> GGUFFile:
    """Return the model whose shards are given, in any order.

    Raises `ShardError` for the first of `breaches`, `MissingShardError` if a shard is missing.
    """
    files = [shard for file in files for shard in file.shards]
    for breach in breaches(files, [file.name or "" for file in files]):
        raise ShardError(breach.message)
    numbered = {file.header.integer(NUMBER_KEY) or 0: file for file in files}
    count = files[0].header.integer(COUNT_KEY) or 0
    names = (parse_shard_name(file.name or "") for file in files)
    prefix = next((name.prefix for name in names if name is not None and name.of == count), None)
    missing = (number + 1 for number in range(count) if number not in numbered)
    paths = (f"shard {number}" if prefix is None else shard_name(prefix, number, count) for number in missing)
    _refuse_missing(paths, count - len(numbered), count)
    ordered = [numbered[number] for number in range(count)]
    return GGUFFile(ordered[0]._handle, ordered)


def _refuse_missing(names: Iterable[str], missing: int, count: int) -> None:
    """Refuse missing shards. Uses only as many names as the error has: a file may claim any `count`."""
    if missing:
        first = list(islice(names, _MOST_MISSING))
        shown = ", ".join(map(repr, first[:3])) + (f" and {missing - 3} more" if missing > 3 else "")
        verb = "is" if missing == 1 else "are"
        raise MissingShardError(f"of {count} shards, {missing} {verb} missing: {shown}", first)


class Breach(NamedTuple):
    """Why files are not the shards of one model."""

    message: str
    is_refused_by_llama_cpp: bool = True


def breaches(files: Sequence[GGUFFile], names: Sequence[str]) -> Iterator[Breach]:
    """Yield all reasons why files are not shards of one model. That some are missing is not among them.

    names  what messages call the files.
    """
    headers = [file.header for file in files]
    numbers = [header.integer(NUMBER_KEY) for header in headers]
    first = min(range(len(files)), key=lambda index: inf if (number := numbers[index]) is None else number)
    known, named = headers[first], names[first]
    count = known.integer(COUNT_KEY) or 0
    if not is_shard(known.get):
        yield Breach(f"{named!r} is not a shard: its {COUNT_KEY} is {_shown(known.get(COUNT_KEY))}")
        return
    numbered: dict[int, int] = {}
    owners: dict[str, int] = {}
    for index, (header, name, number) in enumerate(zip(headers, names, numbers, strict=True)):
        for what, mine, theirs, is_refused in _differences(header, known):
            shown = f"its {what} is {mine}, not {theirs}"
            yield Breach(f"{name!r} is not a shard of the same model as {named!r}: {shown}", is_refused)
        place = parse_shard_name(name)
        if number is None or not 0 <= number < count:
            yield Breach(f"{name!r} has {NUMBER_KEY} {number}, but the {count} shards are numbered from 0")
        elif place is not None and place.number != number + 1:
            named_like = f"but is named like shard {place.number}"
            yield Breach(f"{name!r} is shard {number + 1} of {count} by its {NUMBER_KEY}, {named_like}")
        elif numbered.setdefault(number, index) != index:
            yield Breach(f"{name!r} is shard {number + 1} of {count}, and so is {names[numbered[number]]!r}")
        for tensor in header.names:
            if owners.setdefault(tensor, index) != index:
                yield Breach(f"{name!r} has a tensor {quoted(tensor)}, and so does {names[owners[tensor]]!r}")
    expected = known.integer(TENSORS_KEY)
    if expected is not None and expected != len(owners) and len(files) == count:
        total = f"the shards of {named!r} have {len(owners)} tensors together"
        yield Breach(f"{total}, but their {TENSORS_KEY} is {expected}")


def _differences(header: Header, known: Header) -> Iterator[tuple[str, object, object, bool]]:
    """Yield what differs between a shard and a known one, both values, and whether llama.cpp refuses that.

    A file written from shards of two versions or byte orders would mix them. llama.cpp writes most keys to the first
    shard only, other programs to all shards. Numbers of different types may be equal.
    """
    if header.byte_order != known.byte_order:
        yield "byte order", header.byte_order, known.byte_order, True
    if header.version != known.version:
        yield "version", header.version, known.version, False
    for key in (COUNT_KEY, TENSORS_KEY, *(key for key in header.keys if key.startswith("general."))):
        mine, theirs = header.get(key), known.get(key)
        is_missing = theirs is None or (mine is None and key != COUNT_KEY)
        if not is_missing and not equal_values(mine, theirs):
            yield key, _shown(mine), _shown(theirs), False


def _shown(value: Any) -> str:
    return "missing" if value is None else shorten(repr(value), _LONGEST)
