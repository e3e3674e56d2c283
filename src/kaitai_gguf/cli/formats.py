"""Arrays in files that others read: npy, npz, safetensors, and bytes alone.

Each is written a piece at a time, from the header on, which is why safetensors' own writer is not used: it wants all
tensors in memory. Everything is little-endian, whatever the file and the machine are.
"""

import json
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod
from typing import IO, Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from kaitai_gguf import GGUFError, Tensor
from kaitai_gguf.cli.tensor_data import blocks, numbers
from kaitai_gguf.types import Progress

FORMATS = {"npy": ".npy", "npz": ".npz", "safetensors": ".safetensors", "raw": ".bin"}
"""The suffix that files of a format get."""
SUFFIXES = {suffix: format for format, suffix in FORMATS.items()} | {".raw": "raw"}

HOLDS_ONE = {"npy", "raw"}
WITHOUT_BFLOAT16 = {"npy", "npz"}  # numpy itself has no such type, and reads two meaningless bytes instead

_SAFETENSORS_TYPES = {
    "float64": "F64", "float32": "F32", "float16": "F16", "bfloat16": "BF16",
    "int64": "I64", "int32": "I32", "int16": "I16", "int8": "I8", "uint8": "U8",
}  # fmt: skip
_SAFETENSORS_HEADER = 100_000_000  # bytes: what its readers take at most
_ZIP_EPOCH = (1980, 1, 1, 0, 0, 0)  # the same tensors make the same archive


@dataclass(frozen=True)
class Item:
    """A tensor, and what becomes of it."""

    tensor: Tensor
    name: str
    """Among the others of its file or folder."""
    dtype: np.dtype[Any]
    """In the byte order of the machine."""
    shape: tuple[int, ...]
    converted: bool
    """Whether it gets other numbers than those in the file; if not, its bytes are those of the file."""

    @property
    def nbytes(self) -> int:
        return prod(self.shape) * self.dtype.itemsize

    def pieces(self) -> Iterator[NDArray[np.uint8]]:
        """Yield the bytes that are to be written, little-endian."""
        for piece in numbers(self.tensor, self.dtype) if self.converted else blocks(self.tensor):
            yield piece.astype(piece.dtype.newbyteorder("<"), copy=False).view(np.uint8)


def write(format: str, file: BinaryIO, items: Sequence[Item], metadata: dict[str, str], advance: Progress) -> None:
    """Write a file of a format; `metadata` is for those that have a place for it."""
    match format:
        case "npz":
            _write_npz(file, items, advance)
        case "safetensors":
            _write_safetensors(file, items, metadata, advance)
        case "npy":
            _write_npy(file, items[0], advance)
        case _:
            _write_data(file, items[0], advance)


def _write_data(file: IO[bytes], item: Item, advance: Progress) -> None:
    for piece in item.pieces():
        file.write(piece.data)
        advance(piece.nbytes)


def _write_npy(file: IO[bytes], item: Item, advance: Progress) -> None:
    from numpy.lib import format as npy

    descr = npy.dtype_to_descr(item.dtype.newbyteorder("<"))
    npy.write_array_header_1_0(file, {"descr": descr, "fortran_order": False, "shape": item.shape})
    _write_data(file, item, advance)


def _write_npz(file: BinaryIO, items: Sequence[Item], advance: Progress) -> None:
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
        for item in items:
            member = zipfile.ZipInfo(f"{item.name}.npy", _ZIP_EPOCH)
            member.external_attr = 0o644 << 16  # or unpacking makes files that nobody may read
            with archive.open(member, "w", force_zip64=True) as stream:
                _write_npy(stream, item, advance)


def _write_safetensors(file: BinaryIO, items: Sequence[Item], metadata: dict[str, str], advance: Progress) -> None:
    # Widest elements first: nothing then has to be filled up, and readers that map the file find all of them aligned.
    ordered = sorted(items, key=lambda item: -item.dtype.itemsize)
    header: dict[str, Any] = {"__metadata__": metadata}
    end = 0
    for item in ordered:
        start, end = end, end + item.nbytes
        kind = _SAFETENSORS_TYPES[item.dtype.name]
        header[item.name] = {"dtype": kind, "shape": list(item.shape), "data_offsets": [start, end]}
    raw = json.dumps(header, separators=(",", ":")).encode()
    raw += b" " * (-len(raw) % 8)
    if len(raw) > _SAFETENSORS_HEADER:
        raise GGUFError(f"a safetensors header of {len(raw)} bytes is more than its readers take; choose fewer tensors")
    file.write(len(raw).to_bytes(8, "little") + raw)
    for item in ordered:
        _write_data(file, item, advance)
