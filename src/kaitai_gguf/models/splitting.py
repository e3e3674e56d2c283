"""Split a model into several files the way llama.cpp does, and merge them.

The files are the same, byte for byte, as those of `llama-gguf-split`, with two exceptions. If the alignment is not 32,
all shards have the key `general.alignment` and are aligned accordingly, not just the first. If tensors are quantized
and `general.quantization_version` is missing, the first shard gets it.
"""

import errno
import os
from dataclasses import dataclass
from typing import Any

import numpy as np

from kaitai_gguf.arguments import integer
from kaitai_gguf.errors import FileIsDirectoryError, FileMissingError, ShardError, WriteError
from kaitai_gguf.layout_rules import align
from kaitai_gguf.models.conversion import Target, convert, copy_key_values, declare_tensors, read_back, required_of
from kaitai_gguf.models.differences import FACTS
from kaitai_gguf.reading.file import GGUFFile
from kaitai_gguf.reading.handle import source_of
from kaitai_gguf.reading.opening import ModelOrSource, model_of
from kaitai_gguf.reading.shards import COUNT_KEY, NUMBER_KEY, SPLIT_KEYS, TENSORS_KEY, shard_names
from kaitai_gguf.reading.tensor import Tensor, place_of
from kaitai_gguf.types import Progress
from kaitai_gguf.writing.atomic import Staging, as_given, real_path
from kaitai_gguf.writing.sink import Sink
from kaitai_gguf.writing.writer import Writer

MOST_SHARDS = 0xFFFF  # split.count is a uint16


@dataclass(frozen=True)
class PlannedShard:
    """One of the files that a model will be split into."""

    tensors: tuple[str, ...]
    """The names of its tensors, in order."""
    nbytes: int
    """The size of its tensor data in bytes."""


def plan_split(
    model: ModelOrSource,
    *,
    max_nbytes: int | None = None,
    max_tensors: int | None = None,
    tensors_in_first: bool = True,
) -> list[PlannedShard]:
    """Return the shards that `split` would write. Specify one of the two limits.

    model             an open model, or what `open()` takes.
    max_nbytes        the most tensor data in a shard, in bytes; a larger tensor gets its own shard.
    max_tensors       the most tensors in a shard.
    tensors_in_first  whether the first shard has tensors besides the metadata.

    Raises `WriteError` for more than 65,535 shards, `UnknownTypeError` or `MissingDataError` for a tensor whose data
    is not available.
    """
    if max_nbytes is None and max_tensors is None:
        raise TypeError("a limit is missing: max_nbytes or max_tensors")
    if max_nbytes is not None and max_tensors is not None:
        raise TypeError("expected one limit, max_nbytes or max_tensors, not both")
    name = "max_tensors" if max_nbytes is None else "max_nbytes"
    limit = integer(max_tensors if max_nbytes is None else max_nbytes, name)
    if limit < 1:
        raise ValueError(f"{name} must be at least 1, not {limit}")
    shards: list[list[Tensor]] = [[]] if tensors_in_first else [[], []]
    nbytes = 0
    with model_of(model) as opened:
        for tensor in opened.tensors.values():
            _, start, end = place_of(tensor)
            size = align(end - start, opened.alignment)
            is_full = len(shards[-1]) == limit if max_nbytes is None else nbytes + size > limit
            if is_full and shards[-1]:
                shards.append([])
                nbytes = 0
            shards[-1].append(tensor)
            nbytes += size
    if not shards[-1]:
        shards = shards[:1]
    if len(shards) > MOST_SHARDS:
        raise WriteError(f"{len(shards)} shards are too many: `{COUNT_KEY}` can be at most {MOST_SHARDS}")
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
    """Write a model to several files, `PREFIX-00001-of-00003.gguf` and so on, and return their paths.

    Takes the model and limits of `plan_split`, and raises the same errors. The model may be in several files already.

    overwrite      whether to replace existing files. A symbolic link is replaced, too, and not followed.
    allow_padding  whether the files may have far more padding than anything else.
    verify         whether to compare all tensor data with the model byte by byte after writing.
    progress       called with the number of bytes written since the last call.

    The files appear when all of them are complete and were compared with the model as in `convert`; otherwise none
    appears. If they replace shards of the same names, a program finds the old model, the new one, or no first shard,
    but never a mixture. A kill while the files get their names can leave a set without its first shard.

    Raises `FileError` if a file can't be written, or was changed by another program since the model was opened,
    `ShardError` if one of several files would replace a file that the model is read from, and `WriteError` if one
    differs from what was written.
    """
    check_prefix(prefix)
    with as_given(prefix), model_of(model) as opened:
        planned = plan_split(opened, max_nbytes=max_nbytes, max_tensors=max_tensors, tensors_in_first=tensors_in_first)
        names = shard_names(prefix, len(planned))
        paths = [real_path(name, follows=False) for name in names]
        options: dict[str, Any] = {name: getattr(opened, name) for name in FACTS}
        options |= {"allow_padding": allow_padding, "progress": progress}
        with Staging(overwrite, sources=list(map(source_of, opened.shards))) as staging:
            own = {source.state[:2] for source in map(source_of, opened.shards) if source.state is not None}
            for name, path in zip(names, paths, strict=True):
                existing = staging.check(path)
                if len(paths) > 1 and existing is not None and (existing.st_dev, existing.st_ino) in own:
                    raise ShardError(f"{name!r} is a file that the model is read from: choose another prefix")
            sinks = [Sink(staging.create(path), path) for path in paths]
            _write_shards(opened, planned, sinks, options)
            for sink in sinks:
                sink.flush()
            read_back(opened, sinks, verify=verify)
    return names


def check_prefix(prefix: Target) -> None:
    """Raise `FileError` for a prefix that is empty or names a folder: names of files must begin with it."""
    text = os.fsdecode(prefix)
    if not text:
        raise FileMissingError(errno.ENOENT, "the prefix for the names of the files is empty", text)
    if os.path.basename(text) in ("", ".", ".."):
        raise FileIsDirectoryError(errno.EISDIR, "is a folder: add a prefix for the names of the files", text)


def _write_shards(model: GGUFFile, planned: list[PlannedShard], sinks: list[Sink], options: dict[str, Any]) -> None:
    for number, (sink, shard) in enumerate(zip(sinks, planned, strict=True)):
        with Writer(sink, **options) as writer:
            if number == 0:
                copy_key_values(model, writer, without=SPLIT_KEYS)
                writer.metadata.update(required_of(model))
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
    """Write a model in several files to a single file, without the `split.*` keys.

    `model` is an open model, or what `open()` takes, such as the path of any shard. `open()` refuses shards that are
    missing, duplicated, or do not belong together. Merging the shards that `split` or llama.cpp wrote restores the
    original file, unless it had gaps between its tensors. The options are those of `convert`.

    Raises the same errors as `convert`, and `ShardError` for a model in one file, such as a shard opened by itself.
    """
    with model_of(model) as opened:
        if len(opened.shards) == 1:
            raise ShardError(f"{opened.name or 'the model'!r} is in one file")
        convert(opened, target, overwrite=overwrite, allow_padding=allow_padding, verify=verify, progress=progress)
