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

    def gguf(self, body_version: int, body_num_tensors: int, body_num_metadata: int) -> bytes:
        """The gguf up to `metadata`, of `body.version`, `body.num_tensors`, `body.num_metadata`. Raises `Unfit`."""
        pack_u4 = self.pack_u4
        num_tensors_ = body_num_tensors
        if num_tensors_ > MAX_LENGTH:
            raise Unfit(f"num_tensors is {num_tensors_}, expected at most {MAX_LENGTH}")
        num_metadata_ = body_num_metadata
        if num_metadata_ > MAX_LENGTH:
            raise Unfit(f"num_metadata is {num_metadata_}, expected at most {MAX_LENGTH}")
        parts = (
            b"GGUF",
            pack_u4(body_version),
            pack_u4(num_tensors_),
            pack_u4(num_metadata_),
        )
        return b"".join(parts)

    def key_value(self, key_data: bytes, value_type: int) -> bytes:
        """The key_value up to `value`, of `key.data`, `value_type`. Raises `Unfit`."""
        pack_u4 = self.pack_u4
        len_data_ = len(key_data)
        if len_data_ > MAX_LENGTH:
            raise Unfit(f"len_data is {len_data_}, expected at most {MAX_LENGTH}")
        value_type_ = value_type
        if value_type_ > 12:
            raise Unfit(f"value_type is {value_type_}, expected a value_type")
        parts = (
            pack_u4(len_data_),
            key_data,
            pack_u4(value_type_),
        )
        return b"".join(parts)

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

    def gguf_array(self, element_type: int, num_elements: int) -> bytes:
        """The gguf_array up to `elements`, of `element_type`, `num_elements`. Raises `Unfit`."""
        pack_u4 = self.pack_u4
        element_type_ = element_type
        if element_type_ > 12:
            raise Unfit(f"element_type is {element_type_}, expected a value_type")
        num_elements_ = num_elements
        if num_elements_ > MAX_LENGTH:
            raise Unfit(f"num_elements is {num_elements_}, expected at most {MAX_LENGTH}")
        parts = (
            pack_u4(element_type_),
            pack_u4(num_elements_),
        )
        return b"".join(parts)

    def gguf_string(self, data: bytes) -> bytes:
        """The gguf_string of `data`. Raises `Unfit`."""
        pack_u4 = self.pack_u4
        len_data_ = len(data)
        if len_data_ > MAX_LENGTH:
            raise Unfit(f"len_data is {len_data_}, expected at most {MAX_LENGTH}")
        parts = (
            pack_u4(len_data_),
            data,
        )
        return b"".join(parts)


class Packer2:
    """The layout of gguf where version is 2 or version is 3."""

    def __init__(self, endian: str = "") -> None:
        """`endian` is "<" or ">" if the data decides on it."""
        self.pack_u4 = Struct(endian + "I").pack
        self.pack_u8 = Struct(endian + "Q").pack

    def gguf(self, body_version: int, body_num_tensors: int, body_num_metadata: int) -> bytes:
        """The gguf up to `metadata`, of `body.version`, `body.num_tensors`, `body.num_metadata`. Raises `Unfit`."""
        pack_u4 = self.pack_u4
        pack_u8 = self.pack_u8
        num_tensors_ = body_num_tensors
        if num_tensors_ > MAX_LENGTH:
            raise Unfit(f"num_tensors is {num_tensors_}, expected at most {MAX_LENGTH}")
        num_metadata_ = body_num_metadata
        if num_metadata_ > MAX_LENGTH:
            raise Unfit(f"num_metadata is {num_metadata_}, expected at most {MAX_LENGTH}")
        parts = (
            b"GGUF",
            pack_u4(body_version),
            pack_u8(num_tensors_),
            pack_u8(num_metadata_),
        )
        return b"".join(parts)

    def key_value(self, key_data: bytes, value_type: int) -> bytes:
        """The key_value up to `value`, of `key.data`, `value_type`. Raises `Unfit`."""
        pack_u4 = self.pack_u4
        pack_u8 = self.pack_u8
        len_data_ = len(key_data)
        if len_data_ > MAX_LENGTH:
            raise Unfit(f"len_data is {len_data_}, expected at most {MAX_LENGTH}")
        value_type_ = value_type
        if value_type_ > 12:
            raise Unfit(f"value_type is {value_type_}, expected a value_type")
        parts = (
            pack_u8(len_data_),
            key_data,
            pack_u4(value_type_),
        )
        return b"".join(parts)

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

    def gguf_array(self, element_type: int, num_elements: int) -> bytes:
        """The gguf_array up to `elements`, of `element_type`, `num_elements`. Raises `Unfit`."""
        pack_u4 = self.pack_u4
        pack_u8 = self.pack_u8
        element_type_ = element_type
        if element_type_ > 12:
            raise Unfit(f"element_type is {element_type_}, expected a value_type")
        num_elements_ = num_elements
        if num_elements_ > MAX_LENGTH:
            raise Unfit(f"num_elements is {num_elements_}, expected at most {MAX_LENGTH}")
        parts = (
            pack_u4(element_type_),
            pack_u8(num_elements_),
        )
        return b"".join(parts)

    def gguf_string(self, data: bytes) -> bytes:
        """The gguf_string of `data`. Raises `Unfit`."""
        pack_u8 = self.pack_u8
        len_data_ = len(data)
        if len_data_ > MAX_LENGTH:
            raise Unfit(f"len_data is {len_data_}, expected at most {MAX_LENGTH}")
        parts = (
            pack_u8(len_data_),
            data,
        )
        return b"".join(parts)


PACKERS: dict[Any, type[Packer1] | type[Packer2]] = {1: Packer1, 2: Packer2, 3: Packer2}
