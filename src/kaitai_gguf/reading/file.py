"""Open files: their metadata and tensors, and closing them."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from kaitai_gguf.arguments import names_in
from kaitai_gguf.errors import ViewsInUseError
from kaitai_gguf.llama_cpp import architecture_of
from kaitai_gguf.reading import notebook
from kaitai_gguf.reading.arrays import StringArray, vocabulary
from kaitai_gguf.reading.handle import Handle
from kaitai_gguf.reading.header import Header
from kaitai_gguf.reading.metadata import Metadata
from kaitai_gguf.reading.tensor import data_from, place_of
from kaitai_gguf.reading.tensors import FileTensors, ShardedTensors, Tensors
from kaitai_gguf.sources import Reopening, Source, Span
from kaitai_gguf.text import quoted

if TYPE_CHECKING:
    from kaitai_gguf.reading.info import ModelInfo


class GGUFFile:
    """An open GGUF file. Its `metadata` and `tensors` are read on demand.

    A model in several files is a GGUFFile too. `shards` are its files in order. `tensors` has the tensors of all
    shards; the offset, position and byte order of a tensor refer to its own file, which `file_of` returns. `nbytes` is
    the total size of all files. Everything else comes from the first file: metadata, name, version, byte order,
    alignment, data_offset, header_nbytes and buffer.

    A GGUFFile is a context manager. `close()` may be called more than once. Arrays that were taken from the file stay
    valid after that; everything else raises `ClosedError`.
    """

    def __init__(self, handle: Handle, shards: "Sequence[GGUFFile]" = ()) -> None:
        """`shards` are all files of a model in several files, in order; `handle` is that of the first."""
        header = handle.header
        self._handle = handle
        self._shards = tuple(shards)
        self.name = handle.name
        """The path or URL that was opened; None for bytes, and for file objects without a name."""
        self.version = header.version
        """The version of the format: 1, 2 or 3."""
        self.byte_order = header.byte_order
        """The byte order of the file: "little" or "big"."""
        self.alignment = header.alignment or 0  # it is valid
        """The alignment of tensor data in bytes: the value of `general.alignment`, or 32 without that key."""
        self.data_offset = header.data_offset
        """The position of the tensor data, in bytes from the start of the file."""
        self.header_nbytes = header.end
        """The size of the header in bytes: `data_offset` before it is rounded up to the alignment."""
        self._own_nbytes = handle.source.nbytes
        self._own_tensors: FileTensors = shards[0]._own_tensors if shards else FileTensors(handle)
        self._tensors: Tensors = (
            ShardedTensors([shard._own_tensors for shard in shards]) if shards else self._own_tensors
        )
        self._metadata: Metadata = shards[0]._metadata if shards else Metadata(handle)

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
        return sum(file._own_nbytes for file in self.shards)

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
        for file in self.shards:
            file._metadata._values = {}  # they keep the file mapped
        if release:
            self._release()
        for file in self.shards:
            file._handle.close()

    def _release(self) -> None:
        files = [file for file in self.shards if not file.closed]
        keys = sorted({key for file in files for key in file._handle.source.lent()})
        if keys or any(file._handle.source.is_in_use() for file in files):
            tensors = sorted({name for file in files for name in file._tensors_in_use()})
            owners = [f"key {quoted(key)}" for key in keys] + [f"tensor {quoted(name)}" for name in tensors]
            raise ViewsInUseError(self.name or "", owners)
        for file in files:
            if not file._handle.release():  # another thread made a view in the meantime
                raise ViewsInUseError(self.name or "", [])

    def _tensors_in_use(self) -> Iterator[str]:
        """Yield the names of the tensors whose data is shown by views that are still alive."""
        spans = self._handle.source.spans_in_use()
        for each in self._own_tensors.values():
            if (each.position, each.position + (each.nbytes or 0)) in spans:
                yield each.name

    @property
    def architecture(self) -> str | None:
        """The value of `general.architecture`; None if it is missing or not a string."""
        return architecture_of(self.metadata)

    @property
    def chat_template(self) -> str | None:
        """The value of `tokenizer.chat_template`; None if it is missing or not a string."""
        value = self.metadata.get("tokenizer.chat_template")
        return value if isinstance(value, str) else None

    @property
    def tokens(self) -> StringArray | None:
        """The vocabulary, the value of `tokenizer.ggml.tokens`; None if it is missing or has no strings."""
        return vocabulary(self.metadata.get)

    def info(self) -> "ModelInfo":
        """Return the facts about the model that `kaitai-gguf info` prints. Raises `ClosedError`."""
        from kaitai_gguf.reading.info import model_info  # only some programs need it

        return model_info([file._handle for file in self.shards], self.metadata, self.tensors)

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
            raw = file._handle.source.read_many([Span(*place_of(tensor)[1:]) for tensor in own])
            data |= {tensor.name: data_from(tensor, bytes_) for tensor, bytes_ in zip(own, raw, strict=True)}
        return {tensor.name: data[tensor.name] for tensor in tensors}

    def chunks(self, nbytes: int, start: int = 0) -> Iterator[NDArray[np.uint8]]:
        """Yield the bytes of the first file as read-only views of at most `nbytes` bytes, from a position to the end.

        `start` is in bytes from the start of the file. If views are not kept, memory use is that of a single chunk,
        whatever the size of the file. Raises `FileError` if a remote file can't be fetched.
        """
        return self._handle.source.chunks(start, self._own_nbytes, nbytes)

    def kaitai(self) -> Any:
        """Parse the whole header of the first file with the class that Kaitai Struct's own compiler generated.

        For programs that know the schema: `model.kaitai().body.metadata[0].key.data`. Every field becomes an object:
        the header of gemma-4, with 777,050 strings, takes 261 MB and 4 s of CPU time, while opening it takes a few
        milliseconds. The object keeps the bytes of the file alive, even after `close()`.
        """
        from kaitai_gguf.schema.parsing import parsed  # imports kaitaistruct, which nothing else in reading needs

        return parsed(self.buffer)

    def __reduce__(self) -> tuple[object, ...]:
        """Copy and pickle the path: the copy opens the file again, and raises `FileError` if the file has changed.

        Raises TypeError for a model that was opened from bytes or a file object. Tensors are copied and pickled in the
        same way; those of one file share one open file in each process.
        """
        return _reopened, ([file._handle.source.reopening() for file in self.shards],)

    def __enter__(self) -> Self:
        self._handle.check()
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def _repr_html_(self) -> str:
        if self.closed:
            return notebook.table([[repr(self)]])
        facts = [
            ("file", self.name or "bytes"),
            ("size", f"{self.nbytes:,} bytes"),
            ("version", f"{self.version}, {self.byte_order}-endian"),
            ("alignment", f"{self.alignment} bytes"),
        ]
        views: dict[str, Metadata | Tensors] = {"keys": self.metadata, "tensors": self.tensors}
        hidden = (f"<summary>{len(view):,} {name}</summary>{view._repr_html_()}" for name, view in views.items())
        return notebook.table(facts) + "".join(f"<details>{html}</details>" for html in hidden)

    def __repr__(self) -> str:
        name = f"{self.name!r} " if self.name else ""
        state = "closed" if self.closed else f"{len(self._metadata)} keys, {len(self._tensors)} tensors"
        shards = f" in {len(self._shards)} shards" if self._shards else ""
        return f"<GGUFFile {name}v{self.version}, {state}{shards}>"


def _reopened(reopenings: Sequence[Reopening]) -> GGUFFile:
    files = [GGUFFile(Handle.reopened(each)) for each in reopenings]
    return files[0] if len(files) == 1 else GGUFFile(files[0]._handle, files)


def read(source: Source, header: Header | None = None) -> GGUFFile:
    """Return the model in one file. Raises `FormatError`. `header` is that of the source, if it was read before."""
    return GGUFFile(Handle(source, header))
