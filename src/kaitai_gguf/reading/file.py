"""Opening files, and how long they stay open."""

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
    FormatError,
    ShardError,
    ViewsInUseError,
)
from kaitai_gguf.layout_rules import ALIGNMENT_KEY, DEFAULT_ALIGNMENT, alignment_breach
from kaitai_gguf.reading.metadata import Metadata
from kaitai_gguf.reading.tensors import FileTensors, Tensors
from kaitai_gguf.schema import Handle, Reader
from kaitai_gguf.sources import OneSource, Path, Reopening, Source, Span, locks, opened, set_manifest
from kaitai_gguf.sources.urls import is_url, local_path
from kaitai_gguf.text import quoted
from kaitai_gguf.types import ByteOrder

__all__ = ["GGUFFile", "ModelOrSource", "Openable", "combined", "model_of", "open", "read"]

_RETRY = 0.005  # seconds until shards that may have been replaced while they were opened are opened again

Openable = OneSource | list[Path] | tuple[Path, ...]


class GGUFFile:
    """An open GGUF file: `metadata` and `tensors`, read from the file when asked for.

    A model in several files is one of these too. `shards` are its files, the first one first. `tensors` are those of
    all of them, each with offset, position and byte order as in its own file, which `file_of` tells. `nbytes` is the
    size of all files. All else is that of the first file: its metadata, which are the model's, its name, version, byte
    order, alignment, data_offset, header_nbytes and buffer.

    A context manager; `close()` may be called any number of times. Arrays that were taken from it stay
    valid as long as they are held, everything else raises `ClosedError` once it is closed.
    """

    def __init__(self, parts: "Sequence[_Part]") -> None:
        """`parts` are the files, in the order of the shards."""
        first = parts[0]
        self._parts = tuple(parts)
        self._handle = first.handle
        self.name = first.name
        """The path that was opened; None for bytes and file objects without a name."""
        self.version = first.version
        """The version of the format: 1, 2 or 3."""
        self.byte_order = first.byte_order
        """Of the numbers in the file: "little" or "big"."""
        self.alignment = first.alignment
        """What tensors are aligned to, in bytes: `general.alignment`, or 32."""
        self.data_offset = first.data_offset
        """Where the tensor data starts, in bytes from the start of the file."""
        self.header_nbytes = first.header_nbytes
        """Where the header ends, in bytes: `data_offset` before it is rounded up."""
        self._metadata = first.metadata
        self._tensors: Tensors = first.tensors
        self._shards: tuple[GGUFFile, ...] = ()
        if len(parts) > 1:
            from kaitai_gguf.reading.shards import ShardedTensors

            self._tensors = ShardedTensors(parts)
            self._shards = tuple(GGUFFile([part]) for part in parts)

    @property
    def metadata(self) -> Metadata:
        """The key-values, as a mapping. Raises `ClosedError` after `close()`."""
        self._handle.check()
        return self._metadata

    @property
    def tensors(self) -> Tensors:
        """The tensors by name, as a mapping in the order of the file. Raises `ClosedError` after `close()`."""
        self._handle.check()
        return self._tensors

    @property
    def nbytes(self) -> int:
        """The size of the file, or of all files."""
        return sum(part.nbytes for part in self._parts)

    @property
    def buffer(self) -> memoryview:
        """The bytes of the file, read-only; of a model in several files, those of the first.

        Of a remote file they are its start, with all of the header.
        """
        return memoryview(self._handle.source.buffer).toreadonly()

    @property
    def source(self) -> Source:
        """Where the bytes of the file come from; for use in this package."""
        return self._handle.source

    @property
    def shards(self) -> "tuple[GGUFFile, ...]":
        """The files that it is in: itself alone, unless it is a model of several."""
        return self._shards or (self,)

    def file_of(self, name: str) -> "GGUFFile":
        """The one of `shards` that has a tensor, and in which its position is; `TensorNotFound` if none has."""
        return self.shards[self.tensors.shard_of(name)]

    @property
    def closed(self) -> bool:
        """Whether `close()` was called."""
        return self._handle.is_closed

    def close(self, *, release: bool = False) -> None:
        """Close the file, which is unmapped at once if no view of it is alive, and else with the last view.

        `release=True` is for those who must delete or replace the file, which Windows refuses while it is mapped: the
        file is unmapped when this returns. If views are still alive, `ViewsInUseError` names their tensors and keys,
        and the model stays open.
        """
        for part in self._parts:
            part.metadata.forget()
        if release:
            self._release()
        for part in self._parts:
            part.handle.close()

    def _release(self) -> None:
        handles = [part.handle for part in self._parts if not part.handle.is_closed]
        sources = [handle.source for handle in handles]
        lent = sorted({each for source in sources for each in source.lent()})
        owners = [f"{kind} {quoted(name)}" for kind, name in lent]
        if owners or any(source.is_in_use() for source in sources):
            raise ViewsInUseError(self.name or "", owners)
        for handle in handles:
            if not handle.release():  # another thread made a view in the meantime
                raise ViewsInUseError(self.name or "", [])

    def fetch(self, names: Iterable[str]) -> dict[str, NDArray[Any]]:
        """Return the `data` of several tensors by name. From a remote file they are fetched together.

        Ranges with at most 1 MiB between them are one request, requests are for at most 16 MiB, and a few are in
        flight at once. Nothing is kept. Raises `TensorNotFound` for a name that is missing, and as `Tensor.data` does.
        """
        tensors = [self.tensors[name] for name in names_in(names, "names")]
        data = {tensor.name: tensor.data for tensor in tensors if not tensor.is_remote}
        for number, file in enumerate(self.shards):
            own = [each for each in tensors if each.is_remote and self.tensors.shard_of(each.name) == number]
            raw = file.source.read_many([Span(*tensor.place()[1:]) for tensor in own])
            data |= {tensor.name: tensor.data_from(bytes_) for tensor, bytes_ in zip(own, raw, strict=True)}
        return {tensor.name: data[tensor.name] for tensor in tensors}

    def chunks(self, nbytes: int, start: int = 0) -> Iterator[NDArray[np.uint8]]:
        """Return the bytes of `buffer` from a position to the end as read-only views of at most `nbytes` bytes.

        They take as much memory as one of them, whatever the size of the file.
        """
        return self.source.chunks(start, self._parts[0].nbytes, nbytes)

    def kaitai(self) -> Any:
        """Parse the whole header, of the first file, into the object that Kaitai Struct's own compiler defines.

        It is for programs that know the schema: `model.kaitai().body.metadata[0].key.data`. Every field becomes an
        object: those of gemma-4, with 777,050 strings, take 261 MB and 4 s of CPU time, where opening takes a few
        milliseconds. The object keeps the bytes of the file, also after `close()`.
        """
        from kaitai_gguf.schema.items import parsed

        return parsed(self.buffer)

    def __reduce__(self) -> tuple[object, ...]:
        """A copy, or what is unpickled, is the file at the same path, opened again. Raises `FileError` if it changed.

        Raises TypeError for a model that was opened from bytes or a file object. Tensors are copied and pickled
        likewise: those of one file share one open file in each process.
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
    """One file of a model. Raises `FormatError` if it isn't one."""

    def __init__(self, source: Source) -> None:
        reader = Reader(source.buffer, nbytes=source.nbytes)
        self.handle = Handle(reader, source, _shared_handle)
        self.name = source.name
        self.nbytes = source.nbytes
        self.version = reader.version
        self.byte_order: ByteOrder = "big" if reader.is_big_endian else "little"
        self.metadata = Metadata(self.handle)
        self.alignment = _alignment(self.metadata, reader)
        self.tensors = FileTensors(self.handle, self.alignment)
        self.data_offset = self.tensors.data_offset
        self.header_nbytes = reader.end


_shared: "WeakValueDictionary[Reopening, Handle]" = WeakValueDictionary()
_sharing = Lock()


def _shared_handle(reopening: Reopening) -> Handle:
    """The file of tensors that were copied or unpickled: one in each process, open for as long as one of them lives."""
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


def read(source: Source) -> GGUFFile:
    """The model in one file; raises `FormatError`."""
    return GGUFFile([_Part(source)])


def combined(files: Sequence[GGUFFile]) -> GGUFFile:
    """The model of which these are the shards, in any order; raises `ShardError`."""
    from kaitai_gguf.reading.shards import in_order

    return GGUFFile(in_order([part for file in files for part in file._parts]))


def open(
    source: Openable,
    *,
    mmap: bool = True,
    shards: bool = True,
    storage_options: Mapping[str, Any] | None = None,
) -> GGUFFile:
    """Open a GGUF file: a path, a URL, an object with the bytes of one, or a binary file object.

    Reads the header once and checks it; values and tensor data are read when asked for. A path is mapped
    into memory. If a mapped file is cut short by someone else meanwhile, touching the part that is gone
    kills the process (SIGBUS): `mmap=False` reads all of it into memory first. A file object is read from
    its start, wherever it stands, and left as it was.

    While a path is mapped, a shared lock keeps editors of this library from changing its header in place: they are
    refused, and can replace the file instead. A file that is being changed is waited for, for two seconds. On file
    systems without locks, and for file objects, the header is read again if it changed while it was read; later reads
    of a file that somebody changes are undefined there.

    Of a URL (`https://…`, `hf://owner/repository/path`, with `@revision` after either, `s3://…`, or what else fsspec
    knows) only the header is read, in as few requests as it takes; the data of a tensor is fetched on each access, and
    nothing is kept on disk. A file that is replaced meanwhile raises `FileError`. `storage_options` go to the file
    system; for http, https and hf they are `headers`, `token`, `timeout` in seconds, and `retries`. A seekable file
    object of another package, such as fsspec's, is read by ranges too, and has to stay open.

    A model in several files is opened as one: by the path of any shard that is named the way llama.cpp names them
    (`model-00001-of-00003.gguf`), by a pattern that matches all of them (`model-*.gguf`), or by a list of all paths,
    in any order. With `shards=False` a path is that of one file, which is opened alone whatever it is.

    Raises `FormatError` if the bytes are not a valid GGUF file, `FileError` (an `OSError` as well) if
    the path can't be opened, `ShardError` if a shard is missing, duplicated, of another model, or of another byte
    order or version than the others.
    """
    open_one = partial(_open_one, map_it=mmap, options=storage_options)
    if isinstance(source, list | tuple):
        if not all(isinstance(path, str | os.PathLike) for path in source):
            raise TypeError("expected paths of shards in a list")
        paths = [local_path(os.fsdecode(path)) for path in source]
        if any(map(is_url, paths)):
            return _open_shards(paths, open_one)
        return _steady_set(paths[0] if paths else "", lambda: _open_shards(paths, open_one))
    if shards and isinstance(source, str | os.PathLike) and _says_more(os.fsdecode(source)):
        path = local_path(os.fsdecode(source))
        return _open_model(path, open_one) if is_url(path) else _steady_set(path, lambda: _open_model(path, open_one))
    return open_one(source)


ModelOrSource = GGUFFile | Openable
"""A model that is open, or what `open()` takes."""


@contextmanager
def model_of(given: ModelOrSource) -> Iterator[GGUFFile]:
    """Yield a model that is open as it is; open anything else, and close it when the block ends."""
    if isinstance(given, GGUFFile):
        yield given
        return
    with open(given) as model:
        yield model


def _says_more(path: str) -> bool:
    """Whether a path may be that of a shard, or a pattern."""
    return "-of-" in path or "*" in path or "?" in path or "[" in path


def _open_one(source: OneSource, map_it: bool, options: Mapping[str, Any] | None) -> GGUFFile:
    return opened(source, map_it, read, options)


def _steady_set(path: str, open_it: Callable[[], GGUFFile]) -> GGUFFile:
    """A model whose shards were not replaced by those of another one while they were opened, one after the other."""
    deadline = time.monotonic() + locks.WAIT
    is_first = True
    while True:
        try:
            model = open_it()
        except (ShardError, FileMissingError):
            # A set may have been replaced in this moment: that is seen from its manifest, or from another look.
            if time.monotonic() >= deadline or not (is_first or set_manifest.is_published(path)):
                raise
        else:
            if len(model.shards) == 1 or all(file.source.is_current() for file in model.shards):
                return model
            if time.monotonic() >= deadline:
                raise FileError(errno.EAGAIN, "is being changed by another program", path)
        is_first = False
        time.sleep(_RETRY)


def _open_model(path: str, open_one: Callable[[str], GGUFFile]) -> GGUFFile:
    """By the path of one file that may be a shard, or by a pattern."""
    from kaitai_gguf.reading.shards import open_model

    return open_model(path, open_one, combined)


def _open_shards(paths: list[str], open_one: Callable[[str], GGUFFile]) -> GGUFFile:
    """By the paths of all shards, or of one file that has none."""
    from kaitai_gguf.reading.shards import open_shards

    return open_shards(paths, open_one, combined)


def _alignment(metadata: Metadata, reader: Reader) -> int:
    number = metadata._number(ALIGNMENT_KEY)
    if number is None:
        return DEFAULT_ALIGNMENT
    entry = metadata.entry(ALIGNMENT_KEY)
    alignment = metadata[ALIGNMENT_KEY]
    breach = alignment_breach(entry.value_type, alignment)
    if breach:
        field, message = breach
        position = reader.field_position("key_value", entry.span[0], field)
        raise FormatError(message, offset=position, path=f"/metadata/{number}/{field}")
    return int(alignment)
