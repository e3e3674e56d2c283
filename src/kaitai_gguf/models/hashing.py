"""Hashes of the data of tensors, and of whole files.

The stored bytes are hashed, so a byte-swapped file has different hashes. `sha256` is Python's own. `xxh3` (64 bits, as
printed by `xxhsum -H3`) comes from the package xxhash. It is much faster, but gives no protection against deliberate
changes.
"""

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kaitai_gguf.errors import MissingPackageError
from kaitai_gguf.reading.chunks import CHUNK, tensor_chunks
from kaitai_gguf.reading.opening import ModelOrSource, model_of
from kaitai_gguf.threads import map_threads, usable_processors
from kaitai_gguf.types import Progress

HASHES = ("sha256", "xxh3")

_MOST_THREADS = 2  # more would only wait for memory or for the disk


@dataclass(frozen=True)
class Digests:
    """The result of `digest`: hashes in lower-case hexadecimal."""

    algorithm: str
    files: tuple[str, ...]
    """The hashes of whole files, one for each of `model.shards`."""
    tensors: dict[str, str]
    """The hashes of tensor data by tensor name, in file order."""


def digest(
    model: ModelOrSource,
    algorithm: str = "sha256",
    *,
    files: bool = True,
    tensors: bool = True,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Digests:
    """Hash the data of each tensor of a model, and each of its files as a whole.

    model      an open model, or anything that `open()` takes.
    algorithm  one of `HASHES`.
    files      whether to hash whole files.
    tensors    whether to hash tensors.
    threads    the number of threads; None for two, or one if the process may use only one processor.
    progress   called from any of the threads with the number of bytes hashed since the last call.

    If an edit in place of a file was interrupted, the bytes that it had before are hashed, as `open()` reads them.

    Takes a few megabytes of memory whatever the size of the model. Raises `UnknownTypeError` or `MissingDataError` for
    a tensor whose data is not available, `MissingPackageError` if xxhash isn't installed, ValueError for an unknown
    algorithm.
    """
    if algorithm not in HASHES:
        raise ValueError(f"algorithm must be one of {', '.join(HASHES)}, not {algorithm!r}")
    new: Callable[[], Any] = hashlib.sha256
    if algorithm == "xxh3":
        try:
            import xxhash
        except ImportError:
            raise MissingPackageError("xxh3 needs the package xxhash: pip install 'kaitai-gguf[hash]'") from None
        new = xxhash.xxh3_64

    def work(job: Callable[[], Iterable[NDArray[np.uint8]]]) -> str:
        hasher = new()
        for chunk in job():
            hasher.update(chunk)
            if progress is not None:
                progress(len(chunk))
        return str(hasher.hexdigest())

    if threads is None:
        threads = min(_MOST_THREADS, usable_processors())
    with model_of(model) as opened:
        wholes = [partial(file.chunks, CHUNK) for file in opened.shards] if files else []
        names = list(opened.tensors) if tensors else []
        jobs = [*wholes, *(partial(tensor_chunks, opened.tensors[name]) for name in names)]
        digests = map_threads(work, jobs, threads)
    of_files, of_tensors = digests[: len(wholes)], digests[len(wholes) :]
    return Digests(algorithm, tuple(of_files), dict(zip(names, of_tensors, strict=True)))
