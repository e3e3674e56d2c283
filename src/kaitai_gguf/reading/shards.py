"""Models in several files, the way llama.cpp splits them: which files belong together, and their tensors.

Each shard is a GGUF file with its own tensors. `split.no` is its number, from 0; `split.count` is the number of shards,
and `split.tensors.count` the number of tensors in all of them. The first shard has all other metadata. By convention
shards are named `NAME-00001-of-00003.gguf`, numbered from 1.
"""

import operator
import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import NamedTuple, Protocol, TypeVar

from kaitai_gguf.errors import FileMissingError, FormatError, MissingShardError, ShardError, TensorNotFound
from kaitai_gguf.reading.arrays import Values, equal_values
from kaitai_gguf.reading.metadata import Metadata
from kaitai_gguf.reading.tensor import Tensor
from kaitai_gguf.reading.tensors import FileTensors, Tensors
from kaitai_gguf.sources import Source
from kaitai_gguf.sources.sidecar_names import shard_match
from kaitai_gguf.sources.urls import is_url, without_secrets
from kaitai_gguf.standard_values import is_shard
from kaitai_gguf.text import canonical, quoted, shorten
from kaitai_gguf.threads import map_threads
from kaitai_gguf.types import ByteOrder

__all__ = [
    "COUNT_KEY",
    "NUMBER_KEY",
    "SPLIT_KEYS",
    "TENSORS_KEY",
    "ShardName",
    "ShardedTensors",
    "breaches",
    "in_order",
    "name_of_shard",
    "open_model",
    "open_shards",
    "parse_shard_name",
    "shard_name",
    "shard_names",
    "siblings",
]

NUMBER_KEY = "split.no"
COUNT_KEY = "split.count"
TENSORS_KEY = "split.tensors.count"
SPLIT_KEYS = (NUMBER_KEY, TENSORS_KEY, COUNT_KEY)
"""The keys of a shard, in the order in which llama.cpp writes them."""

_AT_ONCE = 8  # remote files that are opened at once
_MOST_NAMES = 99_999  # the most that five digits can number
_LONGEST = 60  # characters of a value in an error
_MOST_MISSING = 1000  # names of missing shards in an error: a file may claim any number


class File(Protocol):
    """The attributes of a file that this module uses."""

    name: str | None
    version: int
    byte_order: ByteOrder

    @property
    def metadata(self) -> Metadata: ...

    @property
    def tensors(self) -> Tensors: ...


class Part(File, Protocol):
    """A file whose tensors are not those of several files."""

    @property
    def tensors(self) -> FileTensors: ...


class OpenFile(File, Protocol):
    """A file that is open."""

    @property
    def source(self) -> Source: ...


F = TypeVar("F", bound=File)
Open = TypeVar("Open", bound=OpenFile)


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


def siblings(path: str, file: File) -> list[str]:
    """Return the paths of all shards of the model that the file at a path is a shard of, including that path.

    Returns only the path itself if the file is not a shard or not named like one. Raises `ShardError` if a shard is
    missing; for a URL that is not checked.
    """
    base, tail = _without_tail(path) if is_url(path) else (path, "")
    name = name_of_shard(base, file.metadata)
    if name is None:
        return [path]
    paths = [each + tail for each in shard_names(name.prefix, name.of)]
    if not is_url(path):
        existing = [os.path.exists(each) for each in paths]
        missing = (each for each, exists in zip(paths, existing, strict=True) if not exists)
        _refuse_missing(missing, sum(existing), name.of)
    return paths


def name_of_shard(path: str, metadata: Values) -> ShardName | None:
    """Return the parts of a shard's path; None if the file is not a shard, or not named like one.

    Raises `ShardError` if its name and its `split.count` disagree about the number of shards.
    """
    name, count = parse_shard_name(path), _integer(metadata, COUNT_KEY)
    if name is None or not is_shard(metadata.get):
        return None
    if name.of != count:
        shown = without_secrets(path) if is_url(path) else path
        raise ShardError(f"{shown!r} is one of {name.of} shards by its name, but one of {count} by its {COUNT_KEY}")
    return name


def _without_tail(url: str) -> tuple[str, str]:
    """Return a URL up to the name of its file, and the query or revision that follows."""
    match = re.fullmatch(r"(.*?\.gguf)([?@#].*)?", url, re.DOTALL)
    return (match[1], match[2] or "") if match else (url, "")


def in_order(files: Sequence[F]) -> list[F]:
    """Return all shards of a model in their order.

    Raises `ShardError` for the first of `breaches`, `MissingShardError` if one is missing.
    """
    for breach in breaches(files, [file.name or "" for file in files]):
        raise ShardError(breach.message)
    ordered = sorted(files, key=_order)
    count = _integer(ordered[0].metadata, COUNT_KEY) or 0
    _refuse_incomplete(files, {_integer(file.metadata, NUMBER_KEY) or 0 for file in files}, count)
    return ordered


class Breach(NamedTuple):
    """Why files are not the shards of one model."""

    message: str
    is_refused_by_llama_cpp: bool = True


def breaches(files: Sequence[File], names: Sequence[str]) -> Iterator[Breach]:
    """Yield all reasons why files are not shards of one model. That some are missing is not among them.

    names  what messages call the files.
    """
    known, named = min(zip(files, names, strict=True), key=lambda each: _order(each[0]))
    count = _integer(known.metadata, COUNT_KEY) or 0
    if not is_shard(known.metadata.get):
        yield Breach(f"{named!r} is not a shard: its {COUNT_KEY} is {_shown(known, COUNT_KEY)}")
        return
    numbers: dict[int, int] = {}
    owners: dict[str, int] = {}
    for index, (file, name) in enumerate(zip(files, names, strict=True)):
        for what, mine, theirs, is_refused in _differences(file, known):
            shown = f"its {what} is {mine}, not {theirs}"
            yield Breach(f"{name!r} is not a shard of the same model as {named!r}: {shown}", is_refused)
        number, place = _integer(file.metadata, NUMBER_KEY), parse_shard_name(name)
        if number is None or not 0 <= number < count:
            yield Breach(f"{name!r} has {NUMBER_KEY} {number}, but the {count} shards are numbered from 0")
        elif place is not None and place.number != number + 1:
            named_like = f"but is named like shard {place.number}"
            yield Breach(f"{name!r} is shard {number + 1} of {count} by its {NUMBER_KEY}, {named_like}")
        elif numbers.setdefault(number, index) != index:
            yield Breach(f"{name!r} is shard {number + 1} of {count}, and so is {names[numbers[number]]!r}")
        for tensor in file.tensors:
            if owners.setdefault(tensor, index) != index:
                yield Breach(f"{name!r} has a tensor {quoted(tensor)}, and so does {names[owners[tensor]]!r}")
    expected = _integer(known.metadata, TENSORS_KEY)
    if expected is not None and expected != len(owners) and len(files) == count:
        total = f"the shards of {named!r} have {len(owners)} tensors together"
        yield Breach(f"{total}, but their {TENSORS_KEY} is {expected}")


def _order(file: File) -> tuple[bool, int]:
    """Return a key that sorts shards by number, and those without a number last."""
    number = _integer(file.metadata, NUMBER_KEY)
    return number is None, number or 0


def _differences(file: File, known: File) -> Iterator[tuple[str, object, object, bool]]:
    """Yield what differs between a shard and a known one, both values, and whether llama.cpp refuses that.

    A file written from shards of two versions or byte orders would mix them. llama.cpp writes most keys to the first
    shard only, other programs to all shards.
    """
    if file.byte_order != known.byte_order:
        yield "byte order", file.byte_order, known.byte_order, True
    if file.version != known.version:
        yield "version", file.version, known.version, False
    for key in (COUNT_KEY, TENSORS_KEY, *(key for key in file.metadata if key.startswith("general."))):
        if key in known.metadata and (key in file.metadata or key == COUNT_KEY) and not _same(file, known, key):
            yield key, _shown(file, key), _shown(known, key), False


def open_model(path: str, open_one: Callable[[str], Open], combine: Callable[[Sequence[Open]], Open]) -> Open:
    """Return the model at the path of one file, which may be a shard, or at a pattern.

    `open_one` opens a file, and `combine` makes a model from its shards. Raises `ShardError`, and what these raise.
    """
    from glob import glob, has_magic

    if not is_url(path) and not os.path.lexists(path) and has_magic(path):
        matches = sorted(glob(path))
        if len(matches) > 1:
            return open_shards(matches, open_one, combine)
        path = matches[0] if matches else path
    file = open_one(path)
    path = file.source.address or path
    paths = siblings(path, file)
    if len(paths) == 1:
        return file
    return combine(_open_all(paths, lambda each: file if each == path else _open_shard(each, open_one)))


def open_shards(paths: list[str], open_one: Callable[[str], Open], combine: Callable[[Sequence[Open]], Open]) -> Open:
    """Return the model at the paths of all shards, or of one file that is not a shard."""
    if not paths:
        raise ValueError("expected at least one path")
    files = _open_all(paths, lambda path: _open_shard(path, open_one))
    for file in files:
        if not is_shard(file.metadata.get):
            if len(files) == 1:
                return file
            raise ShardError(f"{file.name!r} is not a shard, and {len(files)} files can only be a model if all are")
    return combine(files)


def _open_all(paths: list[str], open_one: Callable[[str], Open]) -> list[Open]:
    """Open several files. Remote files are opened a few at a time."""
    if not any(map(is_url, paths)):
        return [open_one(path) for path in paths]
    parts = (paths[first : first + _AT_ONCE] for first in range(0, len(paths), _AT_ONCE))
    return [file for part in parts for file in map_threads(open_one, part, _AT_ONCE)]


def _open_shard(path: str, open_one: Callable[[str], Open]) -> Open:
    """Open one of several files. Errors name the file, since the caller can't."""
    shown = without_secrets(path) if is_url(path) else path
    try:
        return open_one(path)
    except FormatError as error:
        raise ShardError(f"{shown!r}: {error}") from error
    except FileMissingError as error:
        if not is_url(path):
            raise
        raise MissingShardError(f"a shard is missing: {shown!r}", [shown]) from error


class ShardedTensors(Tensors):
    """The tensors of all shards, in the order of the shards and of their files."""

    def __init__(self, files: Sequence[Part]) -> None:
        self._shards = [file.tensors for file in files]
        self._handle = self._shards[0].handle  # closed with the others
        self._owners: dict[str, int] = {}
        for number, file in enumerate(files):
            self._owners.update(dict.fromkeys(file.tensors, number))

    @property
    def data_offset(self) -> int:
        return self._shards[0].data_offset

    @property
    def data_nbytes(self) -> int:
        return sum(shard.data_nbytes for shard in self._shards)

    def shard_of(self, name: str) -> int:
        number = self._owners.get(canonical(name))
        if number is None:
            raise TensorNotFound(f"no tensor {name!r} in any of the {len(self._shards)} shards")
        return number

    def __getitem__(self, name: str) -> Tensor:
        return self._shards[self.shard_of(name)][name]

    def _each(self) -> Iterator[Tensor]:
        return chain.from_iterable(shard._each() for shard in self._shards)

    def __contains__(self, name: object) -> bool:
        self._handle.check()
        return isinstance(name, str) and canonical(name) in self._owners

    def __iter__(self) -> Iterator[str]:
        self._handle.check()
        return iter(self._owners)

    def __len__(self) -> int:
        return len(self._owners)


def _refuse_incomplete(files: Sequence[File], numbers: Collection[int], count: int) -> None:
    names = [name for file in files if (name := parse_shard_name(file.name or "")) is not None and name.of == count]
    missing = (number + 1 for number in range(count) if number not in numbers)
    paths = (shard_name(names[0].prefix, number, count) if names else f"shard {number}" for number in missing)
    _refuse_missing(paths, len(numbers), count)


def _refuse_missing(names: Iterable[str], existing: int, count: int) -> None:
    """Refuse missing shards. Uses only as many names as the error has: a file may claim any `count`."""
    missing = count - existing
    if missing:
        first = list(islice(names, _MOST_MISSING))
        shown = ", ".join(map(repr, first[:3])) + (f" and {missing - 3} more" if missing > 3 else "")
        verb = "is" if missing == 1 else "are"
        raise MissingShardError(f"of {count} shards, {missing} {verb} missing: {shown}", first)


def parse_shard_name(path: str) -> ShardName | None:
    """Return the parts of a shard's path; None if the file is not named like a shard."""
    match = shard_match(path)
    if match is None:
        return None
    name = ShardName(match[1], int(match[2]), int(match[3]))
    return name if 1 <= name.number <= name.of else None


def _integer(metadata: Values, key: str) -> int | None:
    value = metadata.get(key)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _same(one: File, other: File, key: str) -> bool:
    """Return whether both have the same value. Types of numbers may differ; see `equal_values`."""
    if key not in one.metadata:
        return False
    mine, theirs = one.metadata.entry(key), other.metadata.entry(key)
    is_same_type = (mine.value_type, mine.element_type) == (theirs.value_type, theirs.element_type)
    if is_same_type and one.metadata.raw(key) == other.metadata.raw(key):
        return True
    return equal_values(one.metadata[key], other.metadata[key])


def _shown(file: File, key: str) -> str:
    return shorten(repr(file.metadata[key]), _LONGEST) if key in file.metadata else "missing"
