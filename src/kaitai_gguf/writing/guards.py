"""Refuse changes in place that break something else: files that programs share or have open, shards of a model."""

import os
import re
from pathlib import Path
from typing import BinaryIO

from kaitai_gguf.errors import SHORTAGES, FileError, FormatError, Hint, ShardError, WriteError, reported
from kaitai_gguf.layout_rules import is_shard
from kaitai_gguf.reading.file import GGUFFile, read
from kaitai_gguf.reading.opening import open
from kaitai_gguf.reading.shards import NUMBER_KEY, SPLIT_KEYS, combined, siblings
from kaitai_gguf.sources import Source, locks
from kaitai_gguf.writing.atomic import name_as_given

# Files named by their hash: `blobs/<hash>` in the cache of huggingface_hub, `blobs/sha256-<hash>` in that of Ollama.
_DIGEST = re.compile(r"(sha256[-:])?([0-9a-f]{40}|[0-9a-f]{64})")


def check_content_addressed(path: Path) -> None:
    """Raise `WriteError` for a file that is named by a hash of its bytes: other programs rely on that.

    `path` must have its symbolic links resolved.
    """
    if _DIGEST.fullmatch(path.name):
        raise WriteError(
            f"{path.name!r} is named by the hash of its bytes, as in the caches of Hugging Face and Ollama, and other "
            f"models may share it: write another file, or {Hint.CHANGE_SHARED}"
        )


def check_not_open(path: Path) -> None:
    """Raise `FileError` if `lock_alone` would, unless the file has hard links: then it is not changed in place."""
    with reported(path), path.open("r+b") as file:
        if os.fstat(file.fileno()).st_nlink == 1:
            lock_alone(path, file)


def lock_alone(path: Path, file: BinaryIO) -> None:
    """Lock an open file, whose header is to be changed in place. Raises `FileError` if another program has it open."""
    try:
        locks.lock(file.fileno(), exclusive=True)
    except BlockingIOError as error:
        raise FileError(error.errno, f"is open in another program{Hint.REPLACE_OPEN}", str(path)) from None


def check_shard(model: GGUFFile, path: Path, header: bytes, given: str | os.PathLike[str]) -> None:
    """Raise `ShardError` if the model of a shard can be opened now, but could not be with the new header at `path`.

    Raises it also for a model that was opened from several files, one of which would be replaced. Raises `FileError`
    if the system is out of file handles or memory, so that the other shards can't be opened. `given` is the caller's
    name for the path, for messages.
    """
    count, name = len(model.shards), os.fsdecode(given)
    if count > 1:
        raise ShardError(f"{name!r} is one of the {count} shards that the model is read from: write another file")
    if not is_shard(model.metadata.get):
        return
    try:
        paths = siblings(str(path), model)
        if len(paths) == 1:
            return
        others = [open(name_as_given(each, given), shards=False) for each in paths if each != str(path)]
        combined([model, *others])
    except (FormatError, ShardError, FileError) as error:
        if isinstance(error, FileError) and error.errno in SHORTAGES:
            raise
        return  # the model can't be opened now: the edit may repair it
    after = read(Source(header, name))
    is_alike = (after.version, after.byte_order) == (model.version, model.byte_order)
    if is_alike and model.metadata.get(NUMBER_KEY) and _values(model) != _values(after):
        first = name_as_given(paths[0], given)
        raise ShardError(f"{name!r} is not the first shard: the metadata of the model is in {first!r}")
    try:
        combined([after, *others])
    except ShardError as error:
        raise ShardError(
            f"the model could not be opened with this change: {error}; merge its shards, change the model, and split "
            "it again"
        ) from None


def _values(model: GGUFFile) -> dict[str, tuple[object, ...]]:
    entries = map(model.metadata.entry, set(model.metadata) - set(SPLIT_KEYS))
    return {
        each.key: (each.value_type, each.element_type, each.count, model.metadata.raw(each.key)) for each in entries
    }
