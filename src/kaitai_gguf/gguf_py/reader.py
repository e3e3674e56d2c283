"""The reader: gguf-py's class over a map of the file."""

import os
import sys
from collections import OrderedDict
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np

from kaitai_gguf.errors import FormatError
from kaitai_gguf.gguf_py.enums import SCALARS, GGUFEndian
from kaitai_gguf.gguf_py.errors import as_in_gguf_py
from kaitai_gguf.gguf_py.fields import ReaderField, metadata_fields, tensor_fields
from kaitai_gguf.gguf_py.parts import File
from kaitai_gguf.gguf_py.tensors import ReaderTensor, tensor_of
from kaitai_gguf.layout_rules import DEFAULT_ALIGNMENT
from kaitai_gguf.reading.file import GGUFFile, read
from kaitai_gguf.sources import MapMode, open_map

__all__ = ["GGUFReader"]

_MODES = ("r", "r+", "c")


class GGUFReader:
    """An open GGUF file with the attributes of gguf-py's class of this name, read when they are asked for.

    path  of a file on this machine.
    mode  "r" reads. "r+" writes what is assigned to elements of parts and data through to the file, under the exclusive
          lock of the file, and without a journal: a crash leaves what was written until then. "c" keeps it in memory.

    The lock, which is a shared one in the other modes, is held until the reader and all that was taken from it are
    gone, or until `reader.data._mmap.close()`. Until then nobody opens the file to write to it, and nobody at all opens
    a file that is open in "r+", which includes this process.

    Files that gguf-py refuses are read as follows. In version 1, lengths, counts and dims are parts of 32 bits, and
    `shape` has 64 as always. A tensor type that gguf-py lacks is `kaitai_gguf.GGMLType`, and one that nobody knows is
    its number, with no data. A name that is not UTF-8 has lone surrogates for the bytes that are not.

    Raises `FormatError` (a ValueError) for a file that is not valid: `TruncatedHeaderError`, an IndexError as well, for
    a header that is cut off, and `InvalidKeyError`, a KeyError as well, for a key that is duplicated or empty. Raises
    `MissingDataError` (a ValueError) if the data of a tensor is cut off, `FileError` (an OSError) if the path can't be
    opened.
    """

    byte_order: Literal["I", "S"] = "I"
    """The byte order of the file: "I" for that of this machine, "S" for the other one."""
    alignment: int = DEFAULT_ALIGNMENT
    data_offset: int
    """Where the tensor data starts, in bytes from the start of the file."""
    data: "np.memmap[Any, np.dtype[np.uint8]]"
    """All bytes of the file."""
    fields: "OrderedDict[str, ReaderField]"
    """`GGUF.version`, `GGUF.tensor_count`, `GGUF.kv_count`, and all key-values in file order. No tensor infos."""

    gguf_scalar_to_np: ClassVar[dict[Any, type[np.generic]]] = SCALARS

    def __init__(self, path: os.PathLike[str] | str, mode: MapMode = "r") -> None:
        if not isinstance(path, str | bytes | os.PathLike):
            raise TypeError(f"expected a path, not {type(path).__name__}")
        if mode not in _MODES:
            raise ValueError(f"mode must be one of {', '.join(map(repr, _MODES))}, not {mode!r}")
        model = _opened(path, mode)
        is_native = model.byte_order == sys.byteorder
        self.byte_order = "I" if is_native else "S"
        self.endianess = GGUFEndian[model.byte_order.upper()]
        self.alignment = model.alignment
        self.data_offset = model.data_offset
        data: Any = _memmap(model, path, mode)
        self.data = data
        try:
            self._look(model, mode)
        except BaseException:
            data._mmap.close()  # releases the lock, which the traceback would keep
            raise

    def _look(self, model: GGUFFile, mode: MapMode) -> None:
        """Make the fields, and the tensors if they can't wait; make sure that their data is in the file."""
        self._file = File(self.data.view(np.ndarray), model.metadata.reader)
        self._whole = self.data  # for `tensors`, also when a program has deleted `data`
        self.fields = metadata_fields(self._file)
        # A header that can be written may change before the tensors are asked for.
        if mode != "r" or type(self)._build_tensors is not GGUFReader._build_tensors:
            self._build_tensors(self.data_offset, tensor_fields(self._file))
        elif self.data_offset + model.tensors.data_nbytes > model.nbytes:
            for tensor in model.tensors.values():
                if tensor.type is not None:
                    tensor.place()

    @cached_property
    def tensors(self) -> list[ReaderTensor]:
        """All tensors in file order: a list, in the mode "r" made when it is first asked for."""
        self._build_tensors(self.data_offset, tensor_fields(self._file))
        tensors: list[ReaderTensor] = self.__dict__.get("tensors", [])
        return tensors

    def __getstate__(self) -> dict[str, Any]:
        """Return the attributes to copy or pickle. A deep copy has the bytes of the file, but not its map and lock."""
        state = vars(self) | {"tensors": self.tensors}
        return {name: value for name, value in state.items() if name not in ("_file", "_whole")}

    def get_field(self, key: str) -> ReaderField | None:
        """Return a field by its name; None if there is none."""
        return self.fields.get(key)

    def get_tensor(self, idx: int) -> ReaderTensor:
        """Return a tensor by its number."""
        return self.tensors[idx]

    def _build_tensors(self, start_offs: int, fields: Sequence[ReaderField]) -> None:
        """Make `tensors`. Subclasses of gguf-py's reader override it to read a header without its data: then it is
        called when the file is opened.
        """
        order = self._file.byte_order
        self.tensors = [tensor_of(self._whole, order, start_offs, field) for field in fields]


def _opened(path: Any, mode: MapMode) -> GGUFFile:
    try:
        return open_map(path, mode, read)
    except FormatError as error:
        raised = as_in_gguf_py(error)
    try:
        raise raised
    finally:
        del raised  # its traceback has this frame


def _memmap(model: GGUFFile, path: Any, mode: MapMode) -> "np.memmap[Any, np.dtype[np.uint8]]":
    """All bytes of the file, as what `np.memmap(path, mode=mode)` gives."""
    buffer: Any = model.source.buffer
    data: Any = np.ndarray.__new__(np.memmap, (len(buffer),), np.uint8, buffer)
    data._mmap = getattr(buffer, "obj", buffer)  # the header of a file whose change was interrupted is in a copy of it
    data.offset = 0
    data.mode = mode
    data.filename = path.resolve() if isinstance(path, Path) else os.path.abspath(os.fsdecode(path))
    # Numpy lets go of the buffer at once; this keeps the map open for as long as there is a view of it.
    data._exported = memoryview(buffer)
    result: np.memmap[Any, np.dtype[np.uint8]] = data
    return result
