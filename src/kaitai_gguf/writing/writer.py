"""Write a new file tensor by tensor."""

import os
import warnings
import weakref
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from io import TextIOBase
from typing import Any, BinaryIO, Self

from numpy.typing import DTypeLike

from kaitai_gguf.arguments import check_byte_order, integer
from kaitai_gguf.byteswapping import byteswap
from kaitai_gguf.errors import WriteError
from kaitai_gguf.layout_rules import ALIGNMENT_KEY, alignment_breach
from kaitai_gguf.reading.chunks import tensor_chunks
from kaitai_gguf.reading.handle import source_of
from kaitai_gguf.reading.metadata import Metadata
from kaitai_gguf.reading.tensor import Tensor, place_of
from kaitai_gguf.reading.tensors import FileTensors, Tensors
from kaitai_gguf.schema.writing import Serializer
from kaitai_gguf.sources import Source
from kaitai_gguf.text import checked_name
from kaitai_gguf.types import ByteOrder, GGMLType, Progress, ValueType
from kaitai_gguf.writing.atomic import Staging, as_given, real_path
from kaitai_gguf.writing.plan import Declared, Plan, Region, declared, plan, tensor_info
from kaitai_gguf.writing.sink import Sink
from kaitai_gguf.writing.tensor_data import data_chunks, described, is_stored_alike
from kaitai_gguf.writing.writable import WritableMetadata, alignment_of

Target = str | os.PathLike[str] | BinaryIO | Sink


class Writer:
    """Write a file from front to back: metadata, then tensors, then the data of each in turn.

        with Writer("model.gguf") as writer:
            writer.metadata["general.architecture"] = "llama"
            writer.add_tensor("output.weight", (32000, 4096), GGMLType.F16)
            writer.write_tensor("output.weight", array)

    The file gets its name when the `with` block ends and the file is complete. If the block raises, or the writer is
    never closed, an existing file stays as it is.

    target         a path, or a binary file object. The latter is written as data arrives, and left open; it may write
                   fewer bytes than it is given, but must not be non-blocking.
    alignment      in bytes. None: the value of general.alignment in the metadata, or 32.
    overwrite      whether an existing file is replaced.
    allow_padding  whether more than 64 MiB of padding is accepted if it is also more than header and data.
    progress       called with the number of bytes of tensor data written since the last call.

    If tensors are quantized and `general.quantization_version` is missing, it is added.

    A `Tensor` whose bytes do not change is copied from file to file, if both are regular files. The file is not read
    back; `convert` does that.

    Raises `WriteError` for what GGUF cannot store, and `FileError` if the path can't be written, if the file exists and
    `overwrite` is False, or if it is the file that tensors come from and has changed since it was opened.
    """

    def __init__(
        self,
        target: Target,
        *,
        version: int = 3,
        byte_order: ByteOrder = "little",
        alignment: int | None = None,
        overwrite: bool = True,
        allow_padding: bool = False,
        progress: Progress | None = None,
    ) -> None:
        if version not in (1, 2, 3) or isinstance(version, bool):
            raise WriteError(f"version must be 1, 2 or 3, not {version!r}")
        check_byte_order(byte_order)
        if alignment is not None:
            alignment = integer(alignment, "alignment")  # a numpy integer would get its own type in the metadata
            if breach := alignment_breach(ValueType.UINT32, alignment):
                raise WriteError(breach[1])
        self.version = version
        """The version of the format: 1, 2 or 3."""
        self.byte_order: ByteOrder = byte_order
        """Of the numbers in the file: "little" or "big"."""
        self._alignment = alignment
        self._allow_padding = allow_padding
        self._serializer = Serializer(version, byte_order)
        self.metadata = WritableMetadata(self._serializer)
        """The key-values: a mapping that can be changed until the first data is written."""
        self._declared: dict[str, Declared] = {}
        self._region: Region | None = None
        # Tensors without data, and their offsets; None until the header is written.
        self._pending: deque[tuple[Declared, int]] | None = None
        self._end = 0  # where the last data ends, from the start of the tensor data
        self._is_half_written = False
        self._is_open = True
        self._given = ""
        self._staging: Staging | None = None
        if isinstance(target, str | os.PathLike):
            self._given, self._staging = os.fsdecode(target), Staging(overwrite)
            with as_given(target):
                self._sink = Sink(self._staging.create(real_path(target)), self._given)
            self._forgotten = weakref.finalize(self, _discard, self._staging, self._given, os.getpid())
        elif isinstance(target, TextIOBase) or not hasattr(target, "write"):
            raise TypeError(f"target must be a path or a binary file object, not {target!r:.60}")
        else:
            self._sink = target if isinstance(target, Sink) else Sink(target)
        self._progress = progress or (lambda _: None)

    def add_tensor(
        self, name: str, shape: Iterable[int], type: GGMLType | DTypeLike | int, *, offset: int | None = None
    ) -> None:
        """Declare a tensor.

        shape   in elements, in numpy's order: the last number is the length of a row.
        type    a GGMLType, its name or its number, or the numpy dtype of a type that isn't quantized. A name in upper
                case is ggml's if both have it: "I8" is an int8, but "i8" is numpy's int64.
        offset  in bytes from the start of the tensor data. None: right after the previous tensor.

        Raises `WriteError` for a duplicate name or an impossible tensor, and TypeError for a wrong kind of argument.
        """
        name = checked_name(name, "the name of a tensor")
        self._declare(declared(name, shape, type, offset))

    def _declare(self, tensor: Declared) -> None:
        self._check_open("tensors are declared")
        if tensor.name in self._declared or (self._region is not None and tensor.name in self._region.tensors):
            raise WriteError(f"tensor {tensor.name!r} is duplicated")
        if self.version == 1:  # or the dims do not fit in 32 bits
            tensor_info(self._serializer, tensor.name, tensor.shape, tensor.type, 0)
        self._declared[tensor.name] = tensor

    def copy_tensors(self, tensors: Tensors) -> None:
        """Copy all tensors of an open file at their offsets, with the bytes between and after them.

        They come before all other tensors. If the byte order is the same, no byte changes, and unknown types are
        accepted.
        """
        self._check_open("tensors are declared")
        if self._region is not None or self._declared:
            raise WriteError("the tensors of another file must be the first ones")
        if not isinstance(tensors, FileTensors):
            raise TypeError(f"expected the tensors of one open file, not {tensors!r:.60}")
        self._copy(Region(tensors, {}))

    def _copy(self, region: Region) -> None:
        self._region = region
        self._add_source(source_of(region.tensors))

    def header(self) -> bytes:
        """Return the header for the metadata and tensors so far, as it would be written. Changes nothing.

        Raises `WriteError` if GGUF has no such header, or if data was already written.
        """
        self._check_open("the header is made")
        return b"".join(self._plan().header)

    def write_tensor(self, name: str, data: Any) -> None:
        """Write the data of a tensor. Tensors are written in the order in which they were declared.

        data is one of:

        - an array of the tensor's dtype and shape, or of rows of blocks, as in `Tensor.data` or `Tensor.blocks`
        - an array of other floats (float16 to float64 or bfloat16), which is converted to F16, BF16, F32 or F64, or
          quantized to a type that `quantize` supports, a few megabytes at a time
        - a `Tensor` of the same shape; one of another type is converted or quantized in the same way
        - bytes: an object with the buffer protocol, a binary file, which is read from its current position, or an
          iterable of chunks

        Tensors, and arrays whose dtype has a byte order, are converted to the byte order of the file. Bytes, and rows
        of blocks as uint8, must be in that byte order already.

        Raises `WriteError` for data that does not fit the tensor. If a number is too large for the type, or not finite
        and the type is quantized, the error names its row in the array reshaped to two axes.
        """
        tensor, offset = self._next(name)
        chunks = data_chunks(tensor, data, self.byte_order)
        if isinstance(data, Tensor):
            self._add_source(place_of(data)[0])
        self._is_half_written = True
        with self._writing():
            self._sink.write_zeros(offset - self._end)
            if is_stored_alike(data, tensor, self.byte_order):
                self._sink.copy(*place_of(data), self._advance)
                chunks = ()
        for chunk in chunks:
            self._check_not_closed()
            with self._writing():
                self._sink.write(chunk)
            self._progress(len(chunk))
        self._is_half_written = False
        self._end = offset + tensor.nbytes
        self._start().popleft()

    def close(self) -> None:
        """Complete the file, and give it its name. Raises `WriteError` if the data of a tensor is missing."""
        if not self._is_open:
            return
        with self._writing():
            pending = self._start()
            if pending:
                raise WriteError(f"tensor {pending[0][0].name!r} was declared, but its data was not written")
            if self._declared:
                self._sink.write_zeros(-self._end % self.alignment)
            self._sink.flush()
            self._is_open = False
            self._sink.close_sources()
        if self._staging is not None:
            self._forgotten.detach()
            with as_given(self._given):
                self._staging.commit()

    def abort(self) -> None:
        """Discard what was written. An existing file stays as it is."""
        self._is_open = False
        self._sink.close_sources()
        if self._staging is not None:
            self._forgotten.detach()
            self._staging.discard()

    def __repr__(self) -> str:
        count = len(self._declared) + (0 if self._region is None else len(self._region.tensors))
        facts = [f"v{self.version}", f"{len(self.metadata)} keys", f"{count} tensors"]
        if self._pending is not None:
            facts.append(f"{count - len(self._pending)} written")
        if not self._is_open:
            facts.append("closed")
        name = "to a file object" if self._staging is None else repr(self._given)
        return f"<Writer {name} {', '.join(facts)}>"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            self.close()
        else:
            self.abort()

    @property
    def alignment(self) -> int:
        """The alignment of tensor data, in bytes. Raises `WriteError` for an invalid one, or for two that differ."""
        stored = alignment_of(self.metadata)
        if ALIGNMENT_KEY not in self.metadata:
            return self._alignment or stored
        if self._alignment not in (None, stored):
            raise WriteError(f"key {ALIGNMENT_KEY!r} is {stored}, but the alignment asked for is {self._alignment}")
        return stored

    def _add_source(self, source: Source) -> None:
        if self._staging is not None:
            self._staging.add_source(source)

    def _check_open(self, what: str) -> None:
        if not self._is_open:
            raise WriteError("the file is closed")
        if self._pending is not None:
            raise WriteError(f"{what} before the first data is written")

    def _next(self, name: str) -> tuple[Declared, int]:
        """Return the next tensor and its offset. Refuse to write any other one."""
        pending = self._start()
        if self._is_half_written:
            raise WriteError(f"tensor {pending[0][0].name!r} is half written, so the file can't be completed")
        if not isinstance(name, str) or name not in self._declared:
            name = checked_name(name, "the name of a tensor")
        if name not in self._declared:
            raise WriteError(f"tensor {name!r} was not declared")
        if not pending or name != pending[0][0].name:
            expected = f"tensor {pending[0][0].name!r} comes next" if pending else "all data is written"
            raise WriteError(f"tensor {name!r} is out of order: {expected}")
        return pending[0]

    def _start(self) -> deque[tuple[Declared, int]]:
        """Write the header, unless that was done; only data can follow it. Return the tensors without data."""
        if not self._is_open:
            raise WriteError("the file is closed")
        if self._pending is not None:
            return self._pending
        planned = self._plan()
        self.metadata.update(planned.required)
        self.metadata.settle()
        self._pending = deque(zip(self._declared.values(), planned.offsets, strict=True))
        with self._writing():
            for chunk in planned.header:
                self._sink.write(chunk)
            if self._region is not None:
                self._copy_region(self._region, planned.padding)
            elif self._declared:
                self._sink.write_zeros(planned.padding)
        return self._pending

    def _plan(self) -> Plan:
        tensors, allowed = list(self._declared.values()), self._allow_padding
        return plan(self._serializer, self.metadata, self.alignment, self._region, tensors, allow_padding=allowed)

    def _copy_region(self, region: Region, padding: int) -> None:
        """Copy the data of another file, with the padding before it."""
        tensors, source = region.tensors, source_of(region.tensors)
        nbytes, position = source.nbytes, tensors.data_offset
        if self._declared and tensors.data_nbytes > nbytes - position:
            raise WriteError("the data that comes before that of the other tensors is cut off")
        if not self._declared and region.keeps_padding(padding):
            self._sink.copy(source, region.header_end, min(position, nbytes), lambda _: None)  # it need not be zeros
        elif self._declared or nbytes > region.header_end:
            self._sink.write_zeros(padding)
        if tensors.byte_order != self.byte_order:
            for tensor in sorted(tensors.values(), key=lambda tensor: tensor.offset):
                self._sink.copy(source, position, min(tensor.position, nbytes), self._advance)
                for chunk in tensor_chunks(tensor):
                    self._sink.write(byteswap(chunk, tensor.type_id))
                    self._advance(len(chunk))
                position = max(position, tensor.position + (tensor.nbytes or 0))
        self._sink.copy(source, position, nbytes, self._advance)
        self._end = region.nbytes

    def _advance(self, nbytes: int) -> None:
        self._progress(nbytes)
        self._check_not_closed()

    def _check_not_closed(self) -> None:
        if not self._is_open:
            raise WriteError("the file was closed while its data was written")

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Discard the file if the block fails."""
        try:
            yield
        except BaseException:
            self.abort()
            raise


def _discard(staging: Staging, path: str, process: int) -> None:
    """Discard the file of a writer that was never closed, unless this process was forked from the writer's."""
    if os.getpid() == process:
        staging.discard()
        warnings.warn(f"unclosed Writer of {path}: nothing was written", ResourceWarning, stacklevel=2)


def write(
    target: Target,
    metadata: Mapping[str, Any],
    tensors: Mapping[str, Any],
    *,
    version: int = 3,
    byte_order: ByteOrder = "little",
    alignment: int | None = None,
    overwrite: bool = True,
    allow_padding: bool = False,
    progress: Progress | None = None,
) -> None:
    """Write a file: a path, or a binary file object.

    metadata  key → value, in the order of the file; `WritableMetadata` documents which types the values get. The
              `metadata` of an open file keeps its types.
    tensors   name → an array of a type that isn't quantized; a `Tensor`; or a pair of one of these and a type, as in
              `Writer.add_tensor` and `Writer.write_tensor`: numbers are converted or quantized to the type, and uint8
              is rows of its blocks. The `tensors` of an open file keep their offsets if these are multiples of the
              alignment.

    The other arguments, and what is raised, are those of `Writer`.
    """
    if not isinstance(metadata, Mapping):
        raise TypeError(f"metadata must be a mapping, from keys to values, not {metadata!r:.60}")
    if not isinstance(tensors, Mapping):
        raise TypeError(f"tensors must be a mapping, from names to data, not {tensors!r:.60}")
    options: dict[str, Any] = {"version": version, "byte_order": byte_order, "alignment": alignment}
    options |= {"overwrite": overwrite, "allow_padding": allow_padding, "progress": progress}
    with Writer(target, **options) as writer:
        if isinstance(metadata, Metadata):
            writer.metadata.borrow(metadata)
        else:
            writer.metadata.update(metadata)
        if isinstance(tensors, FileTensors) and not any(each.offset % writer.alignment for each in tensors.values()):
            writer.copy_tensors(tensors)
            return
        for name, tensor in tensors.items():
            writer._declare(described(checked_name(name, "the name of a tensor"), tensor)[0])
        for name, tensor in tensors.items():
            writer.write_tensor(name, tensor[0] if isinstance(tensor, tuple) else tensor)
