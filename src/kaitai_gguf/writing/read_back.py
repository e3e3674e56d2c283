"""Compare a written file with what it should contain, before it gets its name."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

import numpy as np

from kaitai_gguf.errors import WriteError
from kaitai_gguf.reading.chunks import CHUNK, tensor_chunks
from kaitai_gguf.reading.file import GGUFFile
from kaitai_gguf.reading.handle import source_of
from kaitai_gguf.sources import Source
from kaitai_gguf.threads import map_threads
from kaitai_gguf.writing.plan import Declared
from kaitai_gguf.writing.sink import Copy, Sink
from kaitai_gguf.writing.tensor_data import data_chunks

__all__ = ["check_copies", "check_stored"]

_THREADS = 2  # more only wait for memory, or for the disk
_SPAN = 1 << 26  # bytes of a copy that a thread compares at a time

T = TypeVar("T")
U = TypeVar("U")


def check_copies(sinks: Sequence[Sink], written: Sequence[GGUFFile], verify: bool) -> None:
    """Raise `WriteError` if the size of a file or the bytes that were copied to it are not as written.

    Bytes that were moved from file to file are compared only if `verify` is True, or if their source has changed since
    it was opened. Raises `FileError` for a source that has become shorter.
    """
    moved = {copy.source for sink in sinks for copy in sink.copies if copy.is_moved}
    trusted = set() if verify else {source for source in moved if _is_unchanged(source)}
    for sink, file in zip(sinks, written, strict=True):
        if file.nbytes != sink.nbytes:
            raise WriteError(f"the file that was written has {file.nbytes} bytes, expected {sink.nbytes}")
    jobs = (
        (span, file)
        for sink, file in zip(sinks, written, strict=True)
        for copy in sink.copies
        if not copy.is_moved or copy.source not in trusted
        for span in _spans(copy)
    )
    _compare_all(_compare, jobs)


def _is_unchanged(source: Source) -> bool:
    file = source.reopened()
    if file is not None:
        file.close()
    return file is not None


def _spans(copy: Copy) -> Iterator[Copy]:
    for start in range(copy.start, copy.end, _SPAN):
        position = copy.position + start - copy.start
        yield copy._replace(start=start, end=min(start + _SPAN, copy.end), position=position)


def _compare(copy: Copy, written: GGUFFile) -> None:
    position = copy.position
    nbytes = copy.end - copy.start
    chunks = source_of(written).chunks(position, position + nbytes, CHUNK)
    for before, after in zip(copy.source.chunks(copy.start, copy.end, CHUNK), chunks, strict=True):
        if not np.array_equal(before, after):
            different = position + int((before != after).argmax())
            raise WriteError(f"{_name_of(written, different)} was not written correctly")
        position += len(before)


def _name_of(file: GGUFFile, position: int) -> str:
    """Return the name of the tensor at a position, or the position."""
    for tensor in file.tensors.values():
        if tensor.position <= position < tensor.position + (tensor.nbytes or 0):
            return f"tensor {tensor.name!r}"
    return f"byte {position:#x}"


def check_stored(tensors: Iterable[tuple[Declared, Any]], written: GGUFFile) -> None:
    """Raise `WriteError` if the data of a tensor differs from the data under its name in the written file."""

    def compare(tensor: Declared, data: Any) -> None:
        stored, start = written.tensors[tensor.name], 0
        for chunk in data_chunks(tensor, data, written.byte_order):
            raw = np.frombuffer(chunk, np.uint8)
            end = start + len(raw)
            for part in tensor_chunks(stored, start=start, end=end):
                if (part != raw[: len(part)]).any():
                    raise WriteError(f"tensor {tensor.name!r} was not written correctly")
                raw = raw[len(part) :]
            start = end

    _compare_all(compare, tensors)


def _compare_all(compare: Callable[[T, U], None], jobs: Iterable[tuple[T, U]]) -> None:
    """Compare on a few threads, each of which takes every n-th job: passing on small jobs would take longer."""
    listed = list(jobs)

    def run(first: int) -> None:
        for job in listed[first::_THREADS]:
            compare(*job)

    map_threads(run, range(_THREADS), _THREADS)
