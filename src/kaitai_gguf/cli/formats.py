"""Write arrays as npy, npz, safetensors or raw bytes.

Files are written in chunks from the header on. The safetensors package can't do that: it needs all tensors in memory.
All numbers are little-endian, whatever the byte order of the model and the machine.
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
"""The suffix for files of each format."""
SUFFIXES = {suffix: format for format, suffix in FORMATS.items()} | {".raw": "raw"}

HOLDS_ONE = {"npy", "raw"}
WITHOUT_BFLOAT16 = {"npy", "npz"}  # numpy has no such type, and would read two meaningless bytes

_SAFETENSORS_TYPES = {
    "float64": "F64", "float32": "F32", "float16": "F16", "bfloat16": "BF16",
    "int64": "I64", "int32": "I32", "int16": "I16", "int8": "I8", "uint8": "U8",
}  # fmt: skip
_SAFETENSORS_HEADER = 100_000_000  # bytes: the largest header that its readers accept
_ZIP_EPOCH = (1980, 1, 1, 0, 0, 0)  # a fixed date, so that equal tensors give equal archives


@dataclass(frozen=True)
class Item:
    """A tensor to write, and how."""

    tensor: Tensor
    name: str
    """The name in the file or folder that is written."""
    dtype: np.dtype[Any]
    """The type to write, in the machine's byte order."""
    shape: tuple[int, ...]
    converted: bool
    """Whether the numbers are converted to `dtype`. If not, the model's blocks or elements are copied."""

    @property
    def nbytes(self) -> int:
        return prod(self.shape) * self.dtype.itemsize

    def chunks(self) -> Iterator[NDArray[np.uint8]]:
        """Yield the bytes to write, little-endian."""
        for chunk in numbers(self.tensor, self.dtype) if self.converted else blocks(self.tensor):
            yield chunk.astype(chunk.dtype.newbyteorder("<"), copy=False).view(np.uint8)


def write(format: str, file: BinaryIO, items: Sequence[Item], metadata: dict[str, str], advance: Progress) -> None:
    """Write a file in one of `FORMATS`. `metadata` is written if the format supports it."""
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
    for chunk in item.chunks():
        file.write(chunk.data)
        advance(chunk.nbytes)


def _write_npy(file: IO[bytes], item: Item, advance: Progress) -> None:
    from numpy.lib import format as npy

    descr = npy.dtype_to_descr(item.dtype.newbyteorder("<"))
    npy.write_array_header_1_0(file, {"descr": descr, "fortran_order": False, "shape": item.shape})
    _write_data(file, item, advance)


def _write_npz(file: BinaryIO, items: Sequence[Item], advance: Progress) -> None:
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
        for item in items:
            member = zipfile.ZipInfo(f"{item.name}.npy", _ZIP_EPOCH)
            member.external_attr = 0o644 << 16  # without permissions, unpacked files would be unreadable
            with archive.open(member, "w", force_zip64=True) as stream:
                _write_npy(stream, item, advance)


def _write_safetensors(file: BinaryIO, items: Sequence[Item], metadata: dict[str, str], advance: Progress) -> None:
    # Widest elements first: all tensors are then aligned without padding, for readers that map the file.
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
        raise GGUFError(
            f"the safetensors header would have {len(raw)} bytes, more than readers accept; use fewer tensors"
        )
    file.write(len(raw).to_bytes(8, "little") + raw)
    for item in ordered:
        _write_data(file, item, advance)
