"""Models in several files, written as llama.cpp writes them, and brought back into one.

What `llama-gguf-split` makes, these do byte for byte, with one exception: where tensors are aligned to something else
than 32, all shards say so, not the first alone, and have their tensors aligned to it.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from kaitai_gguf.arguments import integer
from kaitai_gguf.errors import ShardError, WriteError
from kaitai_gguf.layout_rules import align
from kaitai_gguf.models.conversion import Target, convert, copy_key_values, declare_tensors, read_back
from kaitai_gguf.models.differences import FACTS
from kaitai_gguf.reading.file import GGUFFile, ModelOrSource, model_of
from kaitai_gguf.reading.shards import COUNT_KEY, NUMBER_KEY, SPLIT_KEYS, TENSORS_KEY, shard_names
from kaitai_gguf.reading.tensor import Tensor
from kaitai_gguf.types import Progress
from kaitai_gguf.writing.atomic import Staging, real_path
from kaitai_gguf.writing.sink import Sink
from kaitai_gguf.writing.writer import Writer

__all__ = ["PlannedShard", "merge", "plan_split", "split"]

MOST_SHARDS = 0xFFFF  # what split.count can say


@dataclass(frozen=True)
class PlannedShard:
    """One of the files that a model is to be split into."""

    tensors: tuple[str, ...]
    nbytes: int
    """Of the tensor data, in bytes."""


def plan_split(
    model: ModelOrSource,
    *,
    max_nbytes: int | None = None,
    max_tensors: int | None = None,
    tensors_in_first: bool = True,
) -> list[PlannedShard]:
    """Return which tensors go to which shard. One of the two limits is needed.

    model             one that is open, or what `open()` takes.
    max_nbytes        of tensor data in each shard, in bytes; a tensor that is larger gets a shard of its own.
    max_tensors       in each shard.
    tensors_in_first  whether the first one has any, besides the metadata.

    Raises `WriteError` for more than 65,535 shards, `UnknownTypeError` or `MissingDataError` for a tensor whose data
    is not available.
    """
    if max_nbytes is None and max_tensors is None:
        raise TypeError("a limit is missing: max_nbytes or max_tensors")
    if max_nbytes is not None and max_tensors is not None:
        raise TypeError("expected one limit, max_nbytes or max_tensors, not both")
    max_nbytes, max_tensors = _limit(max_nbytes, "max_nbytes"), _limit(max_tensors, "max_tensors")
    with model_of(model) as opened:
        return _planned(opened, max_nbytes, max_tensors, tensors_in_first)


def _limit(limit: int | None, name: str) -> int | None:
    if limit is None:
        return None
    limit = integer(limit, name)
    if limit < 1:
        raise ValueError(f"{name} must be at least 1, not {limit}")
    return limit


def _planned(
    model: GGUFFile, max_nbytes: int | None, max_tensors: int | None, tensors_in_first: bool
) -> list[PlannedShard]:
    shards: list[list[Tensor]] = [[]] if tensors_in_first else [[], []]
    nbytes = 0
    for tensor in model.tensors.values():
        _, start, end = tensor.place()
        size = align(end - start, model.alignment)
        is_full = nbytes + size > max_nbytes if max_nbytes is not None else len(shards[-1]) == max_tensors
        if is_full and shards[-1]:
            shards.append([])
            nbytes = 0
        shards[-1].append(tensor)
        nbytes += size
    if not shards[-1]:
        shards = shards[:1]
    if len(shards) > MOST_SHARDS:
        raise WriteError(f"{len(shards)} shards are more than {MOST_SHARDS}, which is as far as they can be counted")
    return [
        PlannedShard(tuple(tensor.name for tensor in shard), sum(tensor.nbytes or 0 for tensor in shard))
        for shard in shards
    ]


def split(
    model: ModelOrSource,
    prefix: Target,
    *,
    max_nbytes: int | None = None,
    max_tensors: int | None = None,
    tensors_in_first: bool = True,
    overwrite: bool = False,
    allow_padding: bool = False,
    verify: bool = False,
    progress: Progress | None = None,
) -> list[str]:
    """Write a model to several files: `PREFIX-00001-of-00003.gguf` and so on, whose paths are returned.

    Model and limits are those of `plan_split`, whose errors this has too. `overwrite` says whether to replace existing
    files, `allow_padding` whether they may have far more padding than anything else, and `progress` is called with the
    number of bytes written since it was last called. The model may be in several files already.

    The files appear when all of them are complete, and were read back and found to hold the same model; else none of
    them does. Existing shards of the same names are replaced all at once: `open()` finds the old model or the new one,
    and other programs find the old one, the new one, or no first shard. Raises `FileError` for a file that can't be
    written.
    """
    with model_of(model) as opened:
        planned = plan_split(opened, max_nbytes=max_nbytes, max_tensors=max_tensors, tensors_in_first=tensors_in_first)
        names = shard_names(prefix, len(planned))
        paths = [real_path(name) for name in names]
        options: dict[str, Any] = {name: getattr(opened, name) for name in FACTS}
        options["allow_padding"] = allow_padding
        with Staging(overwrite) as staging:
            for path in paths:
                staging.check(path)
            sinks = [Sink(staging.create(path), path) for path in paths]
            _write_shards(opened, planned, sinks, options | {"progress": staging.write_behind(progress)})
            staging.start_writing()
            read_back(opened, sinks, verify=verify)
    return names


def _write_shards(model: GGUFFile, planned: list[PlannedShard], sinks: list[Sink], options: dict[str, Any]) -> None:
    for number, (sink, shard) in enumerate(zip(sinks, planned, strict=True)):
        with Writer(sink, **options) as writer:
            if number == 0:
                copy_key_values(model, writer, without=SPLIT_KEYS)
            writer.metadata[NUMBER_KEY] = np.uint16(number)
            writer.metadata[TENSORS_KEY] = np.int32(len(model.tensors))
            writer.metadata[COUNT_KEY] = np.uint16(len(planned))
            for tensor in declare_tensors(model, writer, shard.tensors):
                writer.write_tensor(tensor.name, tensor)


def merge(
    model: ModelOrSource,
    target: Target,
    *,
    overwrite: bool = False,
    allow_padding: bool = False,
    verify: bool = False,
    progress: Progress | None = None,
) -> None:
    """Write a model in several files to a single one, without the keys that say that it was in several.

    `model` is one that is open, or what `open()` takes: the path of any shard, for one. Opening it has found that the
    shards belong together, and that none is missing or duplicated. What `split` or llama.cpp made of a file without
    gaps becomes the same file again. Raises as `convert` does, and `ShardError` if the model is in one file, as a shard
    that was opened alone is.
    """
    with model_of(model) as opened:
        if len(opened.shards) == 1:
            raise ShardError(f"{opened.name or 'the model'!r} is in one file")
        convert(opened, target, overwrite=overwrite, allow_padding=allow_padding, verify=verify, progress=progress)
