"""Compare a written file with what it should contain, before it gets its name."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from kaitai_gguf.errors import WriteError
from kaitai_gguf.reading.chunks import CHUNK
from kaitai_gguf.reading.file import GGUFFile
from kaitai_gguf.reading.handle import source_of
from kaitai_gguf.sources import Source
from kaitai_gguf.threads import map_threads
from kaitai_gguf.writing.plan import Declared
from kaitai_gguf.writing.sink import Sink
from kaitai_gguf.writing.tensor_data import data_chunks

_THREADS = 2  # more only wait for memory, or for the disk
_SPAN = 1 << 26  # bytes of a copy that a thread compares at a time


def check_copies(sinks: Sequence[Sink], written: Sequence[GGUFFile], verify: bool) -> None:
    """Raise `WriteError` if the size of a file or the bytes that were copied to it are not as written.

    Bytes that were moved from file to file are compared only if `verify` is True, or if their source has changed since
    it was opened. Raises `FileError` for a source that has become shorter.
    """
    moved = {copy.source for sink in sinks for copy in sink.copies if copy.is_moved}
    trusted = set() if verify else {source for source in moved if _is_unchanged(source)}
    jobs = []
    for sink, file in zip(sinks, written, strict=True):
        if file.nbytes != sink.nbytes:
            raise WriteError(f"the file that was written has {file.nbytes} bytes, expected {sink.nbytes}")
        for copy in sink.copies:
            if copy.is_moved and copy.source in trusted:
                continue
            for start in range(copy.start, copy.end, _SPAN):
                chunks = copy.source.chunks(start, min(start + _SPAN, copy.end), CHUNK)
                jobs.append((chunks, file, copy.position + start - copy.start))
    _compare(jobs)


def _is_unchanged(source: Source) -> bool:
    file = source.reopened()
    if file is not None:
        file.close()
    return file is not None


def check_stored(tensors: Iterable[tuple[Declared, Any]], written: GGUFFile) -> None:
    """Raise `WriteError` if the data of a tensor differs from the data under its name in the written file."""
    _compare(
        (data_chunks(tensor, data, written.byte_order), written, written.tensors[tensor.name].position)
        for tensor, data in tensors
    )


def _compare(jobs: Iterable[tuple[Iterable[Any], GGUFFile, int]]) -> None:
    """Compare chunks of bytes with a file from a position on.

    Each of a few threads takes every n-th job: passing on small jobs would take longer.
    """
    listed = list(jobs)

    def run(first: int) -> None:
        for chunks, file, start in listed[first::_THREADS]:
            position = start
            for chunk in chunks:
                expected = np.frombuffer(chunk, np.uint8)
                for stored in source_of(file).chunks(position, position + len(expected), CHUNK):
                    is_different = stored != expected[: len(stored)]
                    if is_different.any():
                        place = _name_of(file, position + int(is_different.argmax()))
                        raise WriteError(f"{place} was not written correctly")
                    expected = expected[len(stored) :]
                    position += len(stored)

    map_threads(run, range(_THREADS), _THREADS)


def _name_of(file: GGUFFile, position: int) -> str:
    """Return the name of the tensor at a position, or the position."""
    for tensor in file.tensors.values():
        if tensor.position <= position < tensor.position + (tensor.nbytes or 0):
            return f"tensor {tensor.name!r}"
    return f"byte {position:#x}"
