"""Open files, read them, and close them."""

import errno
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from threading import Lock
from typing import Any, Self
from weakref import WeakValueDictionary

import numpy as np
from numpy.typing import NDArray

from kaitai_gguf.arguments import names_in
from kaitai_gguf.errors import (
    FileError,
    FileMissingError,
    ShardError,
    ViewsInUseError,
)
from kaitai_gguf.reading.handle import Handle
from kaitai_gguf.reading.header import Header
from kaitai_gguf.reading.metadata import Metadata
from kaitai_gguf.reading.tensors import FileTensors, Tensors
from kaitai_gguf.sources import OneSource, Path, Reopening, Source, Span, locks, opened
from kaitai_gguf.sources.urls import is_url, local_path
from kaitai_gguf.text import quoted

__all__ = ["GGUFFile", "ModelOrSource", "Openable", "combined", "model_of", "open", "read"]

_RETRY = 0.005  # seconds to wait before reopening shards that may have been replaced while they were opened

Openable = OneSource | list[Path] | tuple[Path, ...]


class GGUFFile:
    """An open GGUF file. Its `metadata` and `tensors` are read on demand.

    A model in several files is a GGUFFile too. `shards` are its files in order. `tensors` has the tensors of all
    shards; the offset, position and byte order of a tensor refer to its own file, which `file_of` returns. `nbytes` is
    the total size of all files. Everything else comes from the first file: metadata, name, version, byte order,
    alignment, data_offset, header_nbytes and buffer.

    A GGUFFile is a context manager. `close()` may be called more than once. Arrays that were taken from the file stay
    valid after that; everything else raises `ClosedError`.
    """

    def __init__(self, parts: "Sequence[_Part]") -> None:
        """`parts` are the files of the model, in the order of the shards."""
        first = parts[0]
        self._parts = tuple(parts)
        self._handle = first.handle
        self.name = first.name
        """The path or URL that was opened; None for bytes, and for file objects without a name."""
        self.version = first.version
        """The version of the format: 1, 2 or 3."""
        self.byte_order = first.byte_order
        """The byte order of the file: "little" or "big"."""
        self.alignment = first.alignment
        """The alignment of tensor data in bytes: the value of `general.alignment`, or 32 without that key."""
        self.data_offset = first.data_offset
        """The position of the tensor data, in bytes from the start of the file."""
        self.header_nbytes = first.header_nbytes
        """The size of the header in bytes: `data_offset` before it is rounded up to the alignment."""
        self._metadata = first.metadata
        self._tensors: Tensors = first.tensors
        self._shards: tuple[GGUFFile, ...] = ()
        if len(parts) > 1:
            from kaitai_gguf.reading.shards import ShardedTensors

            self._tensors = ShardedTensors(parts)
            self._shards = tuple(GGUFFile([part]) for part in parts)

    @property
    def metadata(self) -> Metadata:
        """The key-values, as a read-only mapping. Raises `ClosedError`."""
        self._handle.check()
        return self._metadata

    @property
    def tensors(self) -> Tensors:
        """The tensors by name, as a read-only mapping in file order. Raises `ClosedError`."""
        self._handle.check()
        return self._tensors

    @property
    def nbytes(self) -> int:
        """The size of the file, or of all files of the model, in bytes."""
        return sum(part.nbytes for part in self._parts)

    @property
    def buffer(self) -> memoryview:
        """The bytes of the file, read-only; for a model in several files, the bytes of the first.

        For a remote file these are only the first bytes, with the whole header.
        """
        return memoryview(self._handle.source.buffer).toreadonly()

    @property
    def header(self) -> Header:
        """The header of the first file. Raises `ClosedError`."""
        return self._handle.header

    @property
    def source(self) -> Source:
        """The source of the file's bytes. Internal to kaitai_gguf."""
        return self._handle.source

    @property
    def shards(self) -> "tuple[GGUFFile, ...]":
        """The files of the model, in order; just this one for a model in one file."""
        return self._shards or (self,)

    def file_of(self, name: str) -> "GGUFFile":
        """Return the shard that a tensor is in, by the tensor's name. Raises `TensorNotFound`."""
        return self.shards[self.tensors.shard_of(name)]

    @property
    def closed(self) -> bool:
        """Whether the file was closed."""
        return self._handle.is_closed

    def close(self, *, release: bool = False) -> None:
        """Close the file. It is unmapped at once if no view of it is alive, otherwise together with the last view.

        With `release=True`, the file is unmapped when this returns, so that it can be deleted or replaced on Windows,
        which refuses both for a mapped file. If views are still alive, this raises `ViewsInUseError`, which names
        their tensors and keys, and the model stays open.
        """
        for part in self._parts:
            part.metadata.forget()
        if release:
            self._release()
        for part in self._parts:
            part.handle.close()

    def _release(self) -> None:
        parts = [part for part in self._parts if not part.handle.is_closed]
        handles = [part.handle for part in parts]
        sources = [handle.source for handle in handles]
        keys = sorted({key for source in sources for key in source.lent()})
        if keys or any(source.is_in_use() for source in sources):
            tensors = sorted({name for part in parts for name in part.tensors.in_use()})
            owners = [f"key {quoted(key)}" for key in keys] + [f"tensor {quoted(name)}" for name in tensors]
            raise ViewsInUseError(self.name or "", owners)
        for handle in handles:
            if not handle.release():  # another thread made a view in the meantime
                raise ViewsInUseError(self.name or "", [])

    def fetch(self, names: Iterable[str]) -> dict[str, NDArray[Any]]:
        """Return the `data` of several tensors, by name. Tensors of a remote file are fetched together.

        Ranges that are at most 1 MiB apart are fetched in one request. A request is for at most 16 MiB, and several
        requests are in flight at once. Nothing is cached. Raises `TensorNotFound` for an unknown name, and the same
        errors as `Tensor.data`.
        """
        tensors = [self.tensors[name] for name in names_in(names, "names")]
        data = {tensor.name: tensor.data for tensor in tensors if not tensor.is_remote}
        for number, file in enumerate(self.shards):
            own = [each for each in tensors if each.is_remote and self.tensors.shard_of(each.name) == number]
            raw = file.source.read_many([Span(*tensor.place()[1:]) for tensor in own])
            data |= {tensor.name: tensor.data_from(bytes_) for tensor, bytes_ in zip(own, raw, strict=True)}
        return {tensor.name: data[tensor.name] for tensor in tensors}

    def chunks(self, nbytes: int, start: int = 0) -> Iterator[NDArray[np.uint8]]:
        """Yield the bytes of the first file as read-only views of at most `nbytes` bytes, from a position to the end.

        `start` is in bytes from the start of the file. If views are not kept, memory use is that of a single chunk,
        whatever the size of the file. Raises `FileError` if a remote file can't be fetched.
        """
        return self.source.chunks(start, self._parts[0].nbytes, nbytes)

    def kaitai(self) -> Any:
        """Parse the whole header of the first file with the class that Kaitai Struct's own compiler generated.

        For programs that know the schema: `model.kaitai().body.metadata[0].key.data`. Every field becomes an object:
        the header of gemma-4, with 777,050 strings, takes 261 MB and 4 s of CPU time, while opening it takes a few
        milliseconds. The object keeps the bytes of the file alive, even after `close()`.
        """
        from kaitai_gguf.schema.parsing import parsed

        return parsed(self.buffer)

    def __reduce__(self) -> tuple[object, ...]:
        """Copy and pickle the path: the copy opens the file again, and raises `FileError` if the file has changed.

        Raises TypeError for a model that was opened from bytes or a file object. Tensors are copied and pickled in the
        same way; those of one file share one open file in each process.
        """
        return _reopened_model, ([part.handle.source.reopening() for part in self._parts],)

    def __enter__(self) -> Self:
        self._handle.check()
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def _repr_html_(self) -> str:
        from kaitai_gguf.reading import notebook

        if self.closed:
            return notebook.table([[repr(self)]])
        facts = [
            ("file", self.name or "bytes"),
            ("size", f"{self.nbytes:,} bytes"),
            ("version", f"{self.version}, {self.byte_order}-endian"),
            ("alignment", f"{self.alignment} bytes"),
        ]
        metadata = notebook.details(f"{len(self.metadata):,} keys", self.metadata._repr_html_())
        tensors = notebook.details(f"{len(self.tensors):,} tensors", self.tensors._repr_html_())
        return notebook.table(facts) + metadata + tensors

    def __repr__(self) -> str:
        name = f"{self.name!r} " if self.name else ""
        state = "closed" if self.closed else f"{len(self._metadata)} keys, {len(self._tensors)} tensors"
        shards = f" in {len(self._parts)} shards" if len(self._parts) > 1 else ""
        return f"<GGUFFile {name}v{self.version}, {state}{shards}>"


class _Part:
    """One file of a model. Raises `FormatError` if it is not a valid GGUF file."""

    def __init__(self, source: Source, header: Header) -> None:
        header.check()
        self.handle = Handle(header, source, _shared_handle)
        self.name = source.name
        self.nbytes = source.nbytes
        self.version = header.version
        self.byte_order = header.byte_order
        self.alignment = header.alignment or 0  # it is valid
        self.data_offset = header.data_offset
        self.header_nbytes = header.end
        self.metadata = Metadata(self.handle)
        self.tensors = FileTensors(self.handle)


_shared: "WeakValueDictionary[Reopening, Handle]" = WeakValueDictionary()
_sharing = Lock()


def _shared_handle(reopening: Reopening) -> Handle:
    """Return the file that copied and unpickled tensors share in this process. It is open as long as one is alive."""
    with _sharing:
        handle = _shared.get(reopening)
        if handle is None:
            handle = _shared[reopening] = _reopened(reopening)._handle
        return handle


def _reopened(reopening: Reopening) -> GGUFFile:
    options = dict(reopening.options) or None
    model = open(reopening.path, mmap=reopening.mmap, shards=False, storage_options=options)
    if model.source.reopening() != reopening:
        model.close()
        raise FileError(errno.ESTALE, "the file has changed since the model was pickled or copied", reopening.path)
    return model


def _reopened_model(reopenings: Sequence[Reopening]) -> GGUFFile:
    files = [_reopened(each) for each in reopenings]
    return files[0] if len(files) == 1 else combined(files)


def read(source: Source, header: Header | None = None) -> GGUFFile:
    """Return the model in one file. Raises `FormatError`. `header` is that of the source, if there is one already."""
    return GGUFFile([_Part(source, header or Header(source.buffer, nbytes=source.nbytes))])


def combined(files: Sequence[GGUFFile]) -> GGUFFile:
    """Return the model whose shards are given, in any order. Raises `ShardError`."""
    from kaitai_gguf.reading.shards import in_order

    return GGUFFile(in_order([part for file in files for part in file._parts]))


def open(
    source: Openable,
    *,
    mmap: bool = True,
    shards: bool = True,
    storage_options: Mapping[str, Any] | None = None,
) -> GGUFFile:
    """Open a GGUF file and return it as a `GGUFFile`.

    source           a path, a URL, a bytes-like object, or a binary file object. For a model in several files: the
                     path of any shard that is named the way llama.cpp names them (`model-00001-of-00003.gguf`), a
                     pattern that matches all shards (`model-*.gguf`), or a list of all paths, in any order.
    mmap             whether to map a local file into memory, rather than read all of it.
    shards           whether to open the whole model if the path is that of a shard; if False, only this file is opened.
    storage_options  options for the file system of a URL; for http, https and hf: `headers`, `token`, `timeout` in
                     seconds, and `retries`. For all remote files: `max_header_nbytes`, the most bytes that a header may
                     take, 128 MiB by default.

    This reads the header and checks it. Values and tensor data are read on demand.

    Local files: if another program truncates a mapped file, reading the missing part kills the process with SIGBUS;
    `mmap=False` avoids that. A file object is read from its start, whatever its position, and its position is restored.
    While a file is mapped, a shared lock keeps editors of this library from changing its header in place; they can
    still replace the file. If a file is being changed, `open` waits for up to two seconds. Without locks, that is on
    some file systems and for file objects, the header is read again if it changed during reading; if the file changes
    later, the result of reads is undefined.

    Remote files: a URL is `https://…`, `hf://owner/repository/path`, `s3://…` or any other that fsspec supports;
    `@revision` may follow the first two. Only the header is read, in as few requests as possible. The data of a tensor
    is fetched on each access, and nothing is stored on disk. If the file is replaced in the meantime, reading raises
    `FileError`. Seekable file objects of other packages, such as fsspec's, are read by ranges too, and must stay open.

    Raises `FormatError` if the bytes are not a valid GGUF file; `FileError`, which is also an `OSError`, if the file
    can't be opened; `ShardError` if a shard is missing or duplicated, belongs to another model, or has another byte
    order or version than the others; TypeError for anything else as `source`.
    """
    open_one = partial(_open_one, map_it=mmap, options=storage_options)
    if isinstance(source, list | tuple):
        if not all(isinstance(path, str | os.PathLike) for path in source):
            raise TypeError("expected the paths of shards in a list")
        paths = [local_path(os.fsdecode(path)) for path in source]
        if any(map(is_url, paths)):
            return _open_shards(paths, open_one)
        return _steady_set(paths[0] if paths else "", lambda: _open_shards(paths, open_one))
    if shards and isinstance(source, str | os.PathLike) and _may_be_several(os.fsdecode(source)):
        path = local_path(os.fsdecode(source))
        return _open_model(path, open_one) if is_url(path) else _steady_set(path, lambda: _open_model(path, open_one))
    return open_one(source)


ModelOrSource = GGUFFile | Openable
"""An open model, or any source that `open()` takes."""


@contextmanager
def model_of(model_or_source: ModelOrSource) -> Iterator[GGUFFile]:
    """Yield an open model as it is; open anything else, and close it when the block ends."""
    if isinstance(model_or_source, GGUFFile):
        yield model_or_source
        return
    with open(model_or_source) as model:
        yield model


def _may_be_several(path: str) -> bool:
    """Return whether a path may be the path of a shard, or a pattern."""
    return "-of-" in path or "*" in path or "?" in path or "[" in path


def _open_one(source: OneSource, map_it: bool, options: Mapping[str, Any] | None) -> GGUFFile:
    return opened(source, map_it, read, options)


def _steady_set(path: str, open_it: Callable[[], GGUFFile]) -> GGUFFile:
    """Open a model, and open it again if its shards were replaced by those of another model in the meantime."""
    deadline = time.monotonic() + locks.WAIT
    is_second = False
    while True:
        try:
            model = open_it()
        except (ShardError, FileMissingError):  # the set may just have been replaced: try once more
            if is_second:
                raise
        else:
            if len(model.shards) == 1 or all(file.source.is_current() for file in model.shards):
                return model
            if time.monotonic() >= deadline:
                raise FileError(errno.EAGAIN, "is being changed by another program", path)
        is_second = True
        time.sleep(_RETRY)


def _open_model(path: str, open_one: Callable[[str], GGUFFile]) -> GGUFFile:
    """Open a model by the path of one file, which may be a shard, or by a pattern."""
    from kaitai_gguf.reading.shards import open_model

    return open_model(path, open_one, combined)


def _open_shards(paths: list[str], open_one: Callable[[str], GGUFFile]) -> GGUFFile:
    """Open a model by the paths of all shards, or of one file that is not a shard."""
    from kaitai_gguf.reading.shards import open_shards

    return open_shards(paths, open_one, combined)
