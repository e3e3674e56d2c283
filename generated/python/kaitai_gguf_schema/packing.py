# This is a generated file! Please edit schema/gguf.ksy and run `make generate`.
"""Items of gguf data as bytes: `PACKERS` has a class for each layout."""

from collections.abc import Sequence
from struct import Struct
from typing import Any


class Unfit(ValueError):
    """A number that the schema does not allow. One that its type can't hold is a `struct.error`."""


MAX_LENGTH = 1 << 30


class Packer1:
    """The layout of gguf where version is 1."""

    def __init__(self, endian: str = "") -> None:
        """`endian` is "<" or ">" if the data decides on it."""
        self.pack_u4 = Struct(endian + "I").pack
        self.pack_u8 = Struct(endian + "Q").pack

    def tensor_info(self, name_data: bytes, dims: Sequence[int], type_id: int, ofs_data: int) -> bytes:
        """The tensor_info of `name.data`, `dims`, `type_id`, `ofs_data`. Raises `Unfit`."""
        pack_u4 = self.pack_u4
        pack_u8 = self.pack_u8
        len_data_ = len(name_data)
        if len_data_ > MAX_LENGTH:
            raise Unfit(f"len_data is {len_data_}, expected at most {MAX_LENGTH}")
        num_dims_ = len(dims)
        if num_dims_ > 4:
            raise Unfit(f"num_dims is {num_dims_}, expected at most 4")
        parts = (
            pack_u4(len_data_),
            name_data,
            pack_u4(num_dims_),
            *map(pack_u4, dims),
            pack_u4(type_id),
            pack_u8(ofs_data),
        )
        return b"".join(parts)


class Packer2:
    """The layout of gguf where version is 2 or version is 3."""

    def __init__(self, endian: str = "") -> None:
        """`endian` is "<" or ">" if the data decides on it."""
        self.pack_u4 = Struct(endian + "I").pack
        self.pack_u8 = Struct(endian + "Q").pack

    def tensor_info(self, name_data: bytes, dims: Sequence[int], type_id: int, ofs_data: int) -> bytes:
        """The tensor_info of `name.data`, `dims`, `type_id`, `ofs_data`. Raises `Unfit`."""
        pack_u4 = self.pack_u4
        pack_u8 = self.pack_u8
        len_data_ = len(name_data)
        if len_data_ > MAX_LENGTH:
            raise Unfit(f"len_data is {len_data_}, expected at most {MAX_LENGTH}")
        num_dims_ = len(dims)
        if num_dims_ > 4:
            raise Unfit(f"num_dims is {num_dims_}, expected at most 4")
        parts = (
            pack_u8(len_data_),
            name_data,
            pack_u4(num_dims_),
            *map(pack_u8, dims),
            pack_u4(type_id),
            pack_u8(ofs_data),
        )
        return b"".join(parts)


PACKERS: dict[Any, type[Packer1] | type[Packer2]] = {1: Packer1, 2: Packer2, 3: Packer2}
