"""Hashes of the bytes of tensors, and of files as a whole.

They are of the bytes as they are stored: another byte order makes other hashes. `sha256` is Python's own, `xxh3` (64
bits, what `xxhsum -H3` prints) that of the package xxhash, which is much faster, and no protection against malice.
"""

import hashlib
import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from kaitai_gguf.errors import MissingPackageError
from kaitai_gguf.reading.chunks import PIECE, tensor_pieces
from kaitai_gguf.reading.file import ModelOrSource, model_of
from kaitai_gguf.threads import map_threads
from kaitai_gguf.types import Progress

__all__ = ["HASHES", "Digests", "digest"]

HASHES = ("sha256", "xxh3")

_MOST_THREADS = 2  # more than two only wait for memory, or for the disk


class Hasher(Protocol):
    def update(self, data: Any, /) -> None: ...

    def hexdigest(self) -> str: ...


@dataclass(frozen=True)
class Digests:
    """What `digest` found, in lower-case hexadecimal."""

    algorithm: str
    files: tuple[str, ...]
    """Of each of `model.shards` as a whole."""
    tensors: dict[str, str]
    """By name, in file order."""


def digest(
    model: ModelOrSource,
    algorithm: str = "sha256",
    *,
    files: bool = True,
    tensors: bool = True,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Digests:
    """Hash all tensors of a model, and its file (or files) as a whole.

    model      one that is open, or what `open()` takes.
    algorithm  one of `HASHES`.
    files      whether to hash files as a whole.
    tensors    whether to hash tensors.
    threads    how many threads work; None: two, or one if the machine has no more.
    progress   called with the number of bytes that are done since it was last called, by any of the threads.

    Takes a few megabytes of memory whatever the size. Raises `UnknownTypeError` or `MissingDataError` for a tensor
    whose data can't be had, `MissingPackageError` if xxhash isn't installed, ValueError for another algorithm.
    """
    new = _hasher(algorithm)

    def work(job: Callable[[], Iterable[NDArray[np.uint8]]]) -> str:
        hasher = new()
        for piece in job():
            hasher.update(piece)
            if progress is not None:
                progress(len(piece))
        return hasher.hexdigest()

    if threads is None:
        threads = min(_MOST_THREADS, os.cpu_count() or 1)
    with model_of(model) as opened:
        wholes = [partial(file.chunks, PIECE) for file in opened.shards] if files else []
        names = list(opened.tensors) if tensors else []
        jobs = [*wholes, *(partial(tensor_pieces, opened.tensors[name]) for name in names)]
        digests = map_threads(work, jobs, threads)
    of_files, of_tensors = digests[: len(wholes)], digests[len(wholes) :]
    return Digests(algorithm, tuple(of_files), dict(zip(names, of_tensors, strict=True)))


def _hasher(algorithm: str) -> Callable[[], Hasher]:
    if algorithm not in HASHES:
        raise ValueError(f"{algorithm!r} is not one of {', '.join(HASHES)}")
    if algorithm == "sha256":
        return hashlib.sha256
    try:
        import xxhash
    except ImportError:
        raise MissingPackageError("xxh3 needs the package xxhash: pip install 'kaitai-gguf[hash]'") from None
    new: Callable[[], Hasher] = xxhash.xxh3_64
    return new
