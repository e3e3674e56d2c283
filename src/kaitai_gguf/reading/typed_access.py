"""Typed access to metadata: `get_str`, `get_int` and so on."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Generic, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from kaitai_gguf.errors import ValueTypeError
from kaitai_gguf.reading.arrays import StringArray, equal_values
from kaitai_gguf.schema import ValueType
from kaitai_gguf.standard_keys import KeyType
from kaitai_gguf.text import decode, quoted
from kaitai_gguf.types import value_dtype

__all__ = ["TypedAccess"]

T = TypeVar("T")
Strings = TypeVar("Strings")

_REQUIRED = object()  # the default of a key that must exist


class TypedAccess(ABC, Generic[Strings]):
    """Methods that check the type of a value. Metadata of files and writable metadata share them."""

    @abstractmethod
    def __getitem__(self, key: str) -> Any: ...

    @abstractmethod
    def __contains__(self, key: object) -> bool: ...

    @abstractmethod
    def __iter__(self) -> Iterator[str]: ...

    @abstractmethod
    def __len__(self) -> int: ...

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
        return self._get(key, default, "a string", _is_text, _text)

    @overload
    def get_int(self, key: str) -> int: ...
    @overload
    def get_int(self, key: str, default: T) -> int | T: ...
    def get_int(self, key: str, default: Any = _REQUIRED) -> Any:
        """Return the integer of a key, or `default` if the key is missing. Errors as for `get_str`."""
        return self._get(key, default, "an integer", _is_integer, int)

    @overload
    def get_float(self, key: str) -> float: ...
    @overload
    def get_float(self, key: str, default: T) -> float | T: ...
    def get_float(self, key: str, default: Any = _REQUIRED) -> Any:
        """Return the number of a key as a float, or `default` if the key is missing. Errors as for `get_str`."""
        return self._get(key, default, "a number", _is_number, float)

    @overload
    def get_bool(self, key: str) -> bool: ...
    @overload
    def get_bool(self, key: str, default: T) -> bool | T: ...
    def get_bool(self, key: str, default: Any = _REQUIRED) -> Any:
        """Return the bool of a key, or `default` if the key is missing. Errors as for `get_str`."""
        return self._get(key, default, "a bool", _is_bool, bool)

    @overload
    def get_array(self, key: str) -> NDArray[Any]: ...
    @overload
    def get_array(self, key: str, default: T) -> NDArray[Any] | T: ...
    def get_array(self, key: str, default: Any = _REQUIRED) -> Any:
        """Return the array of numbers or bools, or `default` if the key is missing. Errors as for `get_str`."""
        array = self._get(key, default, "an array of numbers", _is_array)
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
        return self._get(key, default, "an array of strings", _is_strings, _texts)

    def _get(
        self,
        key: str,
        default: Any,
        expected: str,
        is_expected: Callable[[KeyType], bool],
        convert: Callable[[Any], Any] = lambda value: value,
    ) -> Any:
        if default is not _REQUIRED and key not in self:
            return default
        type = self._type_of(key)
        if not is_expected(type):
            raise ValueTypeError(f"key {quoted(key)} is not {expected}: its type is {type}")
        return convert(self[key])


def _is_text(type: KeyType) -> bool:
    return type.value_type is ValueType.STRING


def _is_bool(type: KeyType) -> bool:
    return type.value_type is ValueType.BOOL


def _is_number(type: KeyType) -> bool:
    return type.value_type not in (ValueType.STRING, ValueType.ARRAY, ValueType.BOOL)


def _is_integer(type: KeyType) -> bool:
    return _is_number(type) and type.value_type not in (ValueType.FLOAT32, ValueType.FLOAT64)


def _is_array(type: KeyType) -> bool:
    return type.element_type not in (None, ValueType.STRING, ValueType.ARRAY)


def _is_strings(type: KeyType) -> bool:
    return type.element_type is ValueType.STRING


def _text(value: Any) -> str:
    """Return a string, which may have been set as bytes, as str."""
    return str(value) if isinstance(value, str) else decode(bytes(value))


def _texts(values: Any) -> Any:
    return values if isinstance(values, StringArray) else [_text(value) for value in values]
