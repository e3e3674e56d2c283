"""Typed access to metadata: `get_str`, `get_int` and so on."""

from abc import abstractmethod
from collections.abc import Callable, Collection, Mapping
from typing import Any, Generic, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from kaitai_gguf.errors import ValueTypeError
from kaitai_gguf.reading.arrays import StringArray, equal_values
from kaitai_gguf.schema import ValueType
from kaitai_gguf.text import decode, quoted
from kaitai_gguf.types import KeyType, value_dtype

T = TypeVar("T")
Strings = TypeVar("Strings")

_REQUIRED = object()  # the default of a key that must exist
_NUMBERS = set(ValueType) - {ValueType.STRING, ValueType.ARRAY, ValueType.BOOL}
_INTEGERS = _NUMBERS - {ValueType.FLOAT32, ValueType.FLOAT64}


class TypedAccess(Mapping[str, Any], Generic[Strings]):
    """Methods that check the type of a value. Metadata of files and writable metadata share them."""

    def __eq__(self, other: object) -> bool:
        """Whether the other is a mapping with the same keys, in any order, and equal values.

        Numbers are compared by value, arrays by their elements, and NaN equals a NaN with the same bits.
        """
        if not isinstance(other, Mapping):
            return NotImplemented
        return len(self) == len(other) and all(key in other and equal_values(self[key], other[key]) for key in self)

    __hash__ = None  # type: ignore[assignment]

    @abstractmethod
    def _type_of(self, key: str) -> KeyType:
        """Return the type of a value in the file. Raises `KeyNotFound`."""

    @overload
    def get_str(self, key: str) -> str: ...
    @overload
    def get_str(self, key: str, default: T) -> str | T: ...
    def get_str(self, key: str, default: Any = _REQUIRED) -> Any:
        """Return the string of a key, or `default` if the key is missing.

        Raises `KeyNotFound` for a missing key without a default, and `ValueTypeError` for a value of another type.
        """
        return self._get(key, default, "a string", [ValueType.STRING], _text)

    @overload
    def get_int(self, key: str) -> int: ...
    @overload
    def get_int(self, key: str, default: T) -> int | T: ...
    def get_int(self, key: str, default: Any = _REQUIRED) -> Any:
        """Return the integer of a key, or `default` if the key is missing. Errors as for `get_str`."""
        return self._get(key, default, "an integer", _INTEGERS, int)

    @overload
    def get_float(self, key: str) -> float: ...
    @overload
    def get_float(self, key: str, default: T) -> float | T: ...
    def get_float(self, key: str, default: Any = _REQUIRED) -> Any:
        """Return the number of a key as a float, or `default` if the key is missing. Errors as for `get_str`."""
        return self._get(key, default, "a number", _NUMBERS, float)

    @overload
    def get_bool(self, key: str) -> bool: ...
    @overload
    def get_bool(self, key: str, default: T) -> bool | T: ...
    def get_bool(self, key: str, default: Any = _REQUIRED) -> Any:
        """Return the bool of a key, or `default` if the key is missing. Errors as for `get_str`."""
        return self._get(key, default, "a bool", [ValueType.BOOL], bool)

    @overload
    def get_array(self, key: str) -> NDArray[Any]: ...
    @overload
    def get_array(self, key: str, default: T) -> NDArray[Any] | T: ...
    def get_array(self, key: str, default: Any = _REQUIRED) -> Any:
        """Return the array of numbers or bools, or `default` if the key is missing. Errors as for `get_str`."""
        array = self._get(key, default, "an array of numbers", _NUMBERS | {ValueType.BOOL}, is_array=True)
        if array is default or isinstance(array, np.ndarray):
            return array
        element_type = self._type_of(key).element_type
        assert element_type is not None
        return np.array(array, value_dtype(element_type))

    @overload
    def get_strings(self, key: str) -> Strings: ...
    @overload
    def get_strings(self, key: str, default: T) -> Strings | T: ...
    def get_strings(self, key: str, default: Any = _REQUIRED) -> Any:
        """Return the array of strings of a key, or `default` if the key is missing. Errors as for `get_str`."""
        return self._get(key, default, "an array of strings", [ValueType.STRING], _texts, is_array=True)

    def _get(
        self,
        key: str,
        default: Any,
        expected: str,
        types: Collection[ValueType],
        convert: Callable[[Any], Any] = lambda value: value,
        *,
        is_array: bool = False,
    ) -> Any:
        if default is not _REQUIRED and key not in self:
            return default
        type = self._type_of(key)
        is_expected = (type.value_type is ValueType.ARRAY) == is_array
        if not is_expected or (type.element_type if is_array else type.value_type) not in types:
            raise ValueTypeError(f"key {quoted(key)} is not {expected}: its type is {type}")
        return convert(self[key])


def _text(value: Any) -> str:
    """Return a string, which may have been set as bytes, as str."""
    return str(value) if isinstance(value, str) else decode(bytes(value))


def _texts(values: Any) -> Any:
    return values if isinstance(values, StringArray) else [_text(value) for value in values]
