"""The enums of gguf-py: its own if it is installed, otherwise enums with the same names and values."""

from enum import IntEnum
from typing import Any

import numpy as np

from kaitai_gguf.types import GGMLType, ValueType, type_name, value_dtype

try:
    from gguf import constants
except ImportError:
    constants = None  # type: ignore[assignment]


def _enum(name: str, members: dict[str, int]) -> Any:
    make: Any = IntEnum
    return getattr(constants, name, None) or make(name, members)


GGUFValueType = _enum("GGUFValueType", {each.name: each.value for each in ValueType})
GGMLQuantizationType = _enum("GGMLQuantizationType", {each.name: each.value for each in GGMLType})
GGUFEndian = _enum("GGUFEndian", {"LITTLE": 0, "BIG": 1})

SCALARS: dict[Any, type[np.generic]] = {
    GGUFValueType(each): dtype.type for each in ValueType if (dtype := value_dtype(each)) is not None
}
"""The numpy type of each value type, except strings and arrays."""

_TENSOR_TYPES = {int(each): each for each in [*GGMLType, *GGMLQuantizationType]}  # gguf-py's member, if it has one


class UnknownTensorType(int):
    """The number of an unknown tensor type, with the `name` and `value` that enum members have."""

    @property
    def name(self) -> str:
        return type_name(self)

    @property
    def value(self) -> int:
        return int(self)


def tensor_type(type_id: int) -> Any:
    """Return gguf-py's enum member; a `GGMLType` for a type that gguf-py lacks; otherwise an `UnknownTensorType`."""
    known = _TENSOR_TYPES.get(type_id)
    return UnknownTensorType(type_id) if known is None else known
