"""`GGUFReader`: gguf-py's reader class over a memory map of the file."""

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
from kaitai_gguf.gguf_py.fields import ReaderField, ReaderTensor, metadata_fields, tensor_fields, tensor_of
from kaitai_gguf.gguf_py.parts import File
from kaitai_gguf.layout_rules import DEFAULT_ALIGNMENT
from kaitai_gguf.reading.file import GGUFFile, read
from kaitai_gguf.reading.handle import source_of
from kaitai_gguf.reading.tensor import place_of
from kaitai_gguf.sources import MapMode, open_map

_MODES = ("r", "r+", "c")


class GGUFReader:
    """An open GGUF file with the attributes of gguf-py's `GGUFReader`, read on demand.

    path  the path of a local file.
    mode  "r" is read-only. "r+" writes assignments to elements of `parts` and `data` to the file, without a journal: a
          crash leaves the file partly changed. "c" is copy-on-write: assignments stay in memory.

    The reader holds a lock on the file, exclusive in mode "r+" and shared otherwise. It is released when the reader and
    all arrays taken from it are gone, or by `reader.data._mmap.close()`. Until then, no program can open the file for
    writing; and nothing, this process included, can open a file that is open in mode "r+".

    Some files that gguf-py refuses can be read too. In version 1, lengths, counts and dims are 32-bit parts; `shape`
    is uint64 as always. A tensor type that gguf-py lacks is a `kaitai_gguf.GGMLType`; an unknown type is its number,
    and the tensor has no data. Bytes of a name that are not UTF-8 become lone surrogates.

    Raises `FormatError` (a ValueError) for an invalid file: `TruncatedHeaderError`, also an IndexError, if the file
    ends inside the header, and `InvalidKeyError`, also a KeyError, for a duplicated or empty key. Raises
    `MissingDataError` (a ValueError) if the file ends before a tensor's data does, `FileError` (an OSError) if the file
    can't be opened.
    """

    byte_order: Literal["I", "S"] = "I"
    """The byte order of the file: "I" for the machine's own, "S" for the swapped one."""
    alignment: int = DEFAULT_ALIGNMENT
    data_offset: int
    """Where the tensor data starts, in bytes from the start of the file."""
    data: "np.memmap[Any, np.dtype[np.uint8]]"
    """The bytes of the whole file."""
    fields: "OrderedDict[str, ReaderField]"
    """`GGUF.version`, `GGUF.tensor_count`, `GGUF.kv_count`, and all key-values in file order. No tensor infos."""

    gguf_scalar_to_np: ClassVar[dict[Any, type[np.generic]]] = SCALARS

    def __init__(self, path: os.PathLike[str] | str, mode: MapMode = "r") -> None:
        if not isinstance(path, str | bytes | os.PathLike):
            raise TypeError(f"expected a path, not {type(path).__name__}")
        if mode not in _MODES:
            raise ValueError(f"mode must be one of {', '.join(map(repr, _MODES))}, not {mode!r}")
        try:
            model = open_map(path, mode, read)
        except FormatError as error:
            as_in_gguf_py(error)
            raise
        is_native = model.byte_order == sys.byteorder
        self.byte_order = "I" if is_native else "S"
        self.endianess = GGUFEndian[model.byte_order.upper()]
        """The byte order of the file, spelled the way gguf-py spells it."""
        self.alignment = model.alignment
        self.data_offset = model.data_offset
        data = self.data = _memmap(model, path, mode)
        try:
            self._look(model, mode)
        except BaseException:
            data._mmap.close()  # releases the lock, which the traceback would keep alive
            raise

    def _look(self, model: GGUFFile, mode: MapMode) -> None:
        """Create the fields, and the tensors unless they can wait. Check that all tensor data is in the file."""
        self._file = File(self.data.view(np.ndarray), model.header)
        self._whole = self.data  # `tensors` needs it even if a program has deleted `data`
        self.fields = metadata_fields(self._file)
        # A writable header may change before the tensors are first used.
        if mode != "r" or type(self)._build_tensors is not GGUFReader._build_tensors:
            self._build_tensors(self.data_offset, tensor_fields(self._file))
        elif self.data_offset + model.tensors.data_nbytes > model.nbytes:
            for tensor in model.tensors.values():
                if tensor.type is not None:
                    place_of(tensor)

    @cached_property
    def tensors(self) -> list[ReaderTensor]:
        """All tensors in file order, as a list. In mode "r" it is created on first use."""
        self._build_tensors(self.data_offset, tensor_fields(self._file))
        tensors: list[ReaderTensor] = self.__dict__.get("tensors", [])
        return tensors

    def __getstate__(self) -> dict[str, Any]:
        """Return the attributes to copy or pickle. A deep copy has the file's bytes, but neither map nor lock."""
        state = vars(self) | {"tensors": self.tensors}
        return {name: value for name, value in state.items() if name not in ("_file", "_whole")}

    def get_field(self, key: str) -> ReaderField | None:
        """Return the field with this name; None if there is none."""
        return self.fields.get(key)

    def get_tensor(self, idx: int) -> ReaderTensor:
        """Return the tensor at this index."""
        return self.tensors[idx]

    def _build_tensors(self, start_offs: int, fields: Sequence[ReaderField]) -> None:
        """Create `tensors`. Subclasses may override it, as with gguf-py, to read a header without its data: it is then
        called when the file is opened.
        """
        self.tensors = [tensor_of(self._whole, self._file.header.byte_order, start_offs, field) for field in fields]


def _memmap(model: GGUFFile, path: Any, mode: MapMode) -> Any:
    """Return the bytes of the file as an array like that of `np.memmap(path, mode=mode)`."""
    buffer: Any = source_of(model).buffer
    data: Any = np.ndarray.__new__(np.memmap, (len(buffer),), np.uint8, buffer)
    data._mmap = getattr(buffer, "obj", buffer)  # a memoryview if the header was restored from a journal
    data.offset = 0
    data.mode = mode
    data.filename = path.resolve() if isinstance(path, Path) else os.path.abspath(os.fsdecode(path))
    # numpy releases the buffer at once; this keeps the map open as long as a view of it is alive.
    data._exported = memoryview(buffer)
    return data
