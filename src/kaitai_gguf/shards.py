"""Models in several files, as llama.cpp splits them: which files belong together, and their tensors as one mapping.

Each shard is a GGUF file with tensors of its own. `split.no` is its number from 0, `split.count` how many there are,
`split.tensors.count` how many tensors they have together; the first has all other metadata. By convention they are
called `NAME-00001-of-00003.gguf`, numbered from 1.
"""

import os
import re
from collections.abc import Container, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol, TypeVar

import numpy as np

from kaitai_gguf.errors import MissingShardError, ShardError, TensorNotFound
from kaitai_gguf.metadata import Metadata
from kaitai_gguf.sources import shard_sets
from kaitai_gguf.tensors import Tensor, Tensors

__all__ = [
    "COUNT_KEY",
    "NUMBER_KEY",
    "SPLIT_KEYS",
    "TENSORS_KEY",
    "ShardedTensors",
    "in_order",
    "is_shard",
    "shard_names",
    "siblings",
]

NUMBER_KEY = "split.no"
COUNT_KEY = "split.count"
TENSORS_KEY = "split.tensors.count"
SPLIT_KEYS = (NUMBER_KEY, TENSORS_KEY, COUNT_KEY)
"""In the order in which llama.cpp writes them."""

_NAME = re.compile(r"(.*)-(\d{5})-of-(\d{5})\.gguf", re.DOTALL)


class File(Protocol):
    """What must be known of an open file."""

    name: str | None

    @property
    def metadata(self) -> Metadata: ...

    @property
    def tensors(self) -> Tensors: ...


F = TypeVar("F", bound=File)


class _Name(NamedTuple):
    prefix: str
    number: int  # from 1
    of: int


def shard_names(prefix: str | os.PathLike[str], count: int) -> list[str]:
    """The paths of all shards, as llama.cpp calls them: `PREFIX-00001-of-00003.gguf` and so on."""
    return [f"{os.fspath(prefix)}-{number:05d}-of-{count:05d}.gguf" for number in range(1, count + 1)]


def is_shard(file: File) -> bool:
    """Whether a file says that there are more of its kind. A merged one may have a count of 0 or 1."""
    return (_integer(file, COUNT_KEY) or 0) > 1


def siblings(path: str, file: File) -> list[str]:
    """The paths of all shards of which the file at this path is one, its own included; `ShardError` if one is missing.

    Only the path itself if it isn't called as shards are, or if the file isn't one.
    """
    name = _name(path)
    if name is None or not is_shard(file):
        return [path]
    count = _integer(file, COUNT_KEY)
    if name.of != count:
        raise ShardError(f"{path!r} is one of {name.of} shards by its name, and one of {count} by its {COUNT_KEY}")
    paths = shard_names(name.prefix, count)
    paths[name.number - 1 : name.number] = [path]
    _refuse_missing([each for each in paths if not shard_sets.current(Path(each)).exists()], count)
    return paths


def in_order(files: Sequence[F]) -> list[F]:
    """All shards of a model, the first one first. `ShardError` if one is missing, there twice, or of another model."""
    count = _integer(files[0], COUNT_KEY) or 0
    by_number: dict[int, F] = {}
    for file in files:
        _refuse_foreign(file, files[0], (COUNT_KEY, TENSORS_KEY))
        number = _integer(file, NUMBER_KEY)
        if number is None or not 0 <= number < count:
            raise ShardError(f"{file.name!r} has {NUMBER_KEY} {number}, which none of {count} shards can have")
        if number in by_number:
            raise ShardError(f"{file.name!r} is shard {number + 1} of {count}, and so is {by_number[number].name!r}")
        by_number[number] = file
    for number, file in by_number.items():
        name = _name(file.name or "")
        if name is not None and name.number != number + 1:
            raise ShardError(f"{file.name!r} is shard {number + 1} of {count} by its {NUMBER_KEY}")
    _refuse_incomplete(files, by_number.keys(), count)
    ordered = [by_number[number] for number in range(count)]
    for file in ordered[1:]:
        # llama.cpp says these in the first shard alone, others in all of them.
        _refuse_foreign(file, ordered[0], [key for key in file.metadata if key.startswith("general.")])
    return ordered


class ShardedTensors(Tensors):
    """The tensors of all shards, in the order of the shards and of their files."""

    def __init__(self, files: Sequence[File]) -> None:
        self._shards = [file.tensors for file in files]
        self._handle = self._shards[0]._handle  # closed with the others
        self._owners: dict[str, int] = {}
        for number, file in enumerate(files):
            for name in file.tensors:
                if self._owners.setdefault(name, number) != number:
                    other = files[self._owners[name]].name
                    raise ShardError(f"{file.name!r} has a tensor {name!r}, and so has {other!r}")
        expected = _integer(files[0], TENSORS_KEY)
        if expected is not None and expected != len(self._owners):
            raise ShardError(
                f"the shards of {files[0].name!r} have {len(self._owners)} tensors together, "
                f"and their {TENSORS_KEY} is {expected}"
            )

    @property
    def data_offset(self) -> int:
        """Where the tensor data starts in the first shard, in bytes from its start."""
        return self._shards[0].data_offset

    @property
    def data_nbytes(self) -> int:
        """How many bytes of tensor data there should be in all shards, as far as types are known."""
        return sum(shard.data_nbytes for shard in self._shards)

    def shard_of(self, name: str) -> int:
        """The number, from 0, of the shard that has a tensor; `TensorNotFound` if none has."""
        try:
            return self._owners[name]
        except KeyError:
            raise TensorNotFound(f"no tensor {name!r} in any of the {len(self._shards)} shards") from None

    def __getitem__(self, name: str) -> Tensor:
        return self._shards[self.shard_of(name)][name]

    def __contains__(self, name: object) -> bool:
        self._handle.check()
        return name in self._owners

    def __iter__(self) -> Iterator[str]:
        self._handle.check()
        return iter(self._owners)

    def __len__(self) -> int:
        return len(self._owners)


def _refuse_foreign(file: File, known: File, keys: Iterable[str]) -> None:
    """What a shard says of its model must be what the known one says, as far as both say it."""
    for key in keys:
        if key in known.metadata and (key in file.metadata or key == COUNT_KEY) and not _same(file, known, key):
            raise ShardError(
                f"{file.name!r} is no shard of the model that {known.name!r} is of: "
                f"its {key} is {_shown(file, key)}, and there it is {_shown(known, key)}"
            )


def _refuse_incomplete(files: Sequence[File], numbers: Container[int], count: int) -> None:
    names = [name for name in (_name(file.name or "") for file in files) if name is not None and name.of == count]
    paths = shard_names(names[0].prefix, count) if names else [f"shard {number + 1}" for number in range(count)]
    _refuse_missing([path for number, path in enumerate(paths) if number not in numbers], count)


def _refuse_missing(names: list[str], count: int) -> None:
    if names:
        shown = ", ".join(map(repr, names[:3])) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
        raise MissingShardError(f"of {count} shards {'is' if len(names) == 1 else 'are'} missing: {shown}", names)


def _name(path: str) -> _Name | None:
    match = _NAME.fullmatch(path)
    if match is None:
        return None
    name = _Name(match[1], int(match[2]), int(match[3]))
    return name if 1 <= name.number <= name.of else None


def _integer(file: File, key: str) -> int | None:
    value = file.metadata.get(key)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _same(one: File, other: File, key: str) -> bool:
    if key not in one.metadata:
        return False
    return one.metadata.raw(key) == other.metadata.raw(key) or bool(np.all(one.metadata[key] == other.metadata[key]))


def _shown(file: File, key: str) -> str:
    return repr(file.metadata[key]) if key in file.metadata else "not there"
