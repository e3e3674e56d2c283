"""Convert Python values to GGUF values: which type each value gets, and how it is written.

`Typed` has its own type. Values of documented keys get a documented type, and are refused if they are of another kind.
Otherwise numpy values have their own types, and other values get the first type that holds them.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kaitai_gguf.errors import Hint, WriteError
from kaitai_gguf.reading.arrays import NestedArray, StringArray
from kaitai_gguf.schema import MAX_DEPTH
from kaitai_gguf.schema.writing import ArrayItem, Scalar
from kaitai_gguf.text import name_bytes, shorten
from kaitai_gguf.types import MASKED, ByteOrder, KeyType, ValueType, is_masked, value_dtype, value_type

_INTEGERS = (ValueType.UINT32, ValueType.INT32, ValueType.UINT64, ValueType.INT64)  # in the order of preference
_ARRAYS = (list, tuple, np.ndarray, StringArray, NestedArray)
_STRINGS = (str, bytes, bytearray, memoryview)
_KINDS = {"b": "a bool", "i": "an integer", "u": "an integer", "f": "a float"}  # by the kind of a dtype
_CLASSES = {"b": bool | np.bool_, "i": int | np.integer, "f": float | np.floating}  # a bool is also an int
_FITTING = {"f": "iuf", "i": "iu", "u": "iu", "b": "b"}  # kinds of numbers that each kind of type holds


@dataclass(frozen=True, slots=True, init=False)
class Typed:
    """A value and the type to write it as: `Typed(5, "uint8")`, or `Typed(5, ValueType.UINT8)`.

    For a list or an array, `type` is the type of the elements; for a nested one, that of the innermost elements.
    `Typed([], "string")` is an empty array of strings, `Typed([], "array")` an empty array of arrays.

    value  the value.
    type   a ValueType, its name in upper or lower case, or its number; members of gguf-py's GGUFValueType work too.

    Raises ValueError for an unknown name or number.
    """

    value: Any
    type: ValueType

    def __init__(self, value: Any, type: ValueType | str | int) -> None:
        object.__setattr__(self, "value", value)
        object.__setattr__(self, "type", value_type(type))


def encoded(
    value: Any, byte_order: ByteOrder, *, kept: KeyType | None = None, standard: Sequence[KeyType] = ()
) -> Scalar | ArrayItem:
    """Return a value as it is written in a byte order.

    kept      the type of the value that it replaces, if it must keep that.
    standard  the documented types of the key, the preferred one first; none if the key is not documented.

    `Typed` has the type that it names, and a numpy value its own type if the key may have that. Any other value gets
    the kept type, or the first documented type that holds it.

    Raises `WriteError` for a value of another kind, or one that the type can't hold, TypeError for a value that GGUF
    can't store.
    """
    _refuse_masked(value.value if isinstance(value, Typed) else value)
    if isinstance(value, np.ndarray) and not value.ndim:
        value = value[()]
    if isinstance(value, Typed):
        return _item(value.value, value.type, byte_order)
    own, types = _own_type(value), standard if kept is None else (kept,)
    if not types or (own is not None and (own in standard or not standard)):
        return _item(value, _elementary(_natural_type(value)), byte_order)
    natural = None if isinstance(value, list | tuple) and not value else _natural_type(value)
    refused: list[WriteError] = []
    for type in types:
        fitting = _of_kind(value, natural, type)
        if fitting is not None:
            try:
                return _item(fitting, _elementary(type), byte_order)
            except WriteError as error:
                refused.append(error)  # the next type may be wider
    if refused:
        raise refused[0]
    documented = "documented " if kept is None else ""
    expected = " or ".join(map(str, types))
    message = f"{_kind(value, natural)}, but the {documented}type is {expected}; {Hint.CHANGE_TYPE}"
    raise WriteError(message)


def retyped(value: Any, type: ValueType) -> Any:
    """Return a value for another type: whole floats become integers, 0 and 1 become bools, and the reverse."""
    _refuse_masked(value)
    if isinstance(value, _ARRAYS):
        return [retyped(each, type) for each in (value.tolist() if isinstance(value, np.ndarray) else value)]
    dtype = value_dtype(type)
    if dtype is None or isinstance(value, _STRINGS):
        return value
    if dtype.kind == "b":
        return bool(value) if value in (0, 1) else value
    return int(value) if isinstance(value, bool) or (dtype.kind in "iu" and value == value // 1) else value


def _of_kind(value: Any, natural: KeyType | None, type: KeyType) -> Any:
    """Return a value if it is of the kind of a type, None otherwise. Floats without a fraction become integers.

    natural  the type that the value would get by itself; None for an empty list.
    """
    is_array = isinstance(value, _ARRAYS)
    if is_array != (type.element_type is not None):
        return None
    if natural is None:
        return value
    one, other = _elementary(natural), _elementary(type)
    dtype, wanted = value_dtype(one), value_dtype(other)
    if dtype is None or wanted is None:
        return value if one is other else None
    if dtype.kind == "f" and wanted.kind in "iu":
        integers = retyped(value, other)
        return integers if all(isinstance(each, int) for each in (integers if is_array else [integers])) else None
    return value if dtype.kind in _FITTING[wanted.kind] else None


def _kind(value: Any, natural: KeyType | None) -> str:
    """Return the start of a sentence about a value: what kind of value it is."""
    if natural is None:
        return "the value is an array"
    type = _elementary(natural)
    dtype = value_dtype(type)
    kind = _KINDS[dtype.kind] if dtype else "an array" if type is ValueType.ARRAY else "a string"
    if natural.element_type is None:
        return f"{_shown(value)} is {kind}"
    return f"the value is an array of {kind.split()[1]}s"


def _elementary(type: KeyType) -> ValueType:
    """Return the type of the elements of an array, or of the value itself."""
    return type.value_type if type.element_type is None else type.element_type


def _item(value: Any, type: ValueType, byte_order: ByteOrder) -> Scalar | ArrayItem:
    """Return a value of a type. For an array, that is the type of its elements, or of the innermost ones."""
    if isinstance(value, _ARRAYS):
        return _array(value, type, byte_order)
    if type is ValueType.ARRAY:
        raise WriteError(f"{_shown(value)} is not an array")
    if type is ValueType.STRING:
        return Scalar(type, _text(value))
    return Scalar(type, _numbers([value], type, byte_order))


def _array(value: Any, type: ValueType, byte_order: ByteOrder, depth: int = 0) -> ArrayItem:
    if depth == MAX_DEPTH:
        raise WriteError(f"arrays are nested more than {MAX_DEPTH} deep")
    if isinstance(value, np.ndarray) and value.dtype.kind in "OSU":
        value = value.tolist()
    if type is ValueType.ARRAY or any(isinstance(each, (*_ARRAYS, Typed)) for each in value[:1]):
        elements = []
        for each in value:
            inner, own = (each.value, each.type) if isinstance(each, Typed) else (each, type)
            if not isinstance(inner, _ARRAYS):
                raise WriteError(f"the element {_shown(inner)} is not an array, expected only arrays")
            _refuse_masked(inner)
            if type is ValueType.ARRAY and inner is each:
                own = _elementary(_natural_type(inner))
            elements.append(_array(inner, own, byte_order, depth + 1))
        return ArrayItem(ValueType.ARRAY, len(value), elements)
    if type is ValueType.STRING:
        return ArrayItem(type, len(value), [_text(each) for each in value])
    return ArrayItem(type, len(value), _numbers(value, type, byte_order))


def _numbers(values: Any, type: ValueType, byte_order: ByteOrder) -> bytes:
    """Return the bytes of numbers that a type can hold; floats are rounded to the type."""
    dtype = value_dtype(type, byte_order)
    if dtype is None:
        raise WriteError(f"{_shown(values[0]) if len(values) else 'an array of numbers'} can't be {type}")
    if isinstance(values, np.ndarray):
        if values.dtype.newbyteorder("=") == dtype.newbyteorder("="):
            return values.astype(dtype, copy=False).tobytes()
        values = values.tolist()
    for kind in {each.__class__ for each in values}:
        if _number_kind(kind) not in _FITTING[dtype.kind]:
            example = next(each for each in values if each.__class__ is kind)
            _refuse_masked(example)
            raise WriteError(f"{_shown(example)} can't be {type}")
    if dtype.kind == "f":
        return _rounded(values, type).astype(dtype).tobytes()
    if dtype.kind != "b" and len(values):
        info = np.iinfo(dtype)
        for value in (min(values), max(values)):
            if not info.min <= value <= info.max:
                raise WriteError(f"{value} does not fit {type}, whose range is {info.min} to {info.max}")
    return np.array(values, dtype).tobytes()


def _rounded(values: Sequence[Any], type: ValueType) -> NDArray[np.float32 | np.float64]:
    try:
        exact = np.array(values, np.float64)
    except OverflowError:
        raise WriteError(f"{_shown(max(values, key=abs))} is too large for {type}") from None
    with np.errstate(over="ignore"):
        rounded = exact.astype(value_dtype(type))
    beyond = np.isinf(rounded) & ~np.isinf(exact)
    if beyond.any():
        raise WriteError(f"{_shown(float(exact[beyond][0]))} is too large for {type}")
    return rounded


def _text(value: Any) -> bytes:
    if isinstance(value, str):
        raw = name_bytes(value)
        if raw is None:
            raise WriteError(f"{_shown(value)} has an unpaired surrogate, which UTF-8 can't encode")
        return raw
    if not isinstance(value, _STRINGS):
        raise WriteError(f"{_shown(value)} can't be a string")
    return bytes(value)  # type: ignore[arg-type]  # not a str


def _own_type(value: Any) -> KeyType | None:
    """Return the type that a numpy value, or an array of an open file, has by itself; None for other values."""
    if isinstance(value, StringArray | NestedArray):
        return KeyType(ValueType.ARRAY, value.element_type)
    if isinstance(value, np.ndarray) and value.dtype.kind not in "OSU":
        return KeyType(ValueType.ARRAY, ValueType.ARRAY if value.ndim > 1 else _numpy_type(value.dtype))
    if isinstance(value, np.generic) and not isinstance(value, _STRINGS):
        return KeyType(_numpy_type(value.dtype))
    return None


def _natural_type(value: Any) -> KeyType:
    """Return the type for a value whose key says nothing about it."""
    own = _own_type(value)
    if own is not None:
        return own
    if isinstance(value, _ARRAYS):
        return KeyType(ValueType.ARRAY, _common_type(value))
    if isinstance(value, (bool, int, float, *_STRINGS)):
        return KeyType(_common_type([value]))
    raise TypeError(f"{_shown(value)} is of a type that GGUF cannot store")


def _common_type(values: Iterable[Any]) -> ValueType:
    """Return one type for all elements of a list."""
    kinds = {each.__class__ for each in values}
    if any(issubclass(kind, np.ndarray) and kind is not np.ndarray for kind in kinds):
        for each in values:
            _refuse_masked(each)
    if not kinds:
        raise WriteError(f"an empty array has no element type: {Hint.EMPTY_ARRAY}")
    if all(issubclass(kind, (*_ARRAYS, Typed)) for kind in kinds):
        return ValueType.ARRAY
    if all(issubclass(kind, _STRINGS) for kind in kinds):
        return ValueType.STRING
    if all(issubclass(kind, np.generic) for kind in kinds) and len(kinds) == 1:
        return _numpy_type(np.dtype(kinds.pop()))
    letters = {"other" if issubclass(kind, np.generic) else _number_kind(kind) for kind in kinds}
    if letters == {"b"}:
        return ValueType.BOOL
    if letters <= {"i", "f"}:
        return ValueType.FLOAT32 if "f" in letters else _integer_type(min(values), max(values))
    names = sorted(kind.__name__ for kind in kinds)
    if len(names) == 1:
        raise TypeError(f"GGUF cannot store arrays of {names[0]}")
    raise WriteError(f"the elements of an array must have one type, not {', '.join(names[:-1])} and {names[-1]}")


def _integer_type(low: int, high: int) -> ValueType:
    for type in _INTEGERS:
        info = np.iinfo(type.name.lower())
        if info.min <= low and high <= info.max:
            return type
    if low == high:
        raise WriteError(f"{low} does not fit in 64 bits")
    raise WriteError(f"no integer type holds both {low} and {high}")


def _numpy_type(dtype: np.dtype[Any]) -> ValueType:
    type = ValueType.__members__.get(dtype.name.upper())
    if type is None or type in (ValueType.STRING, ValueType.ARRAY):
        raise TypeError(f"GGUF cannot store {dtype} values")
    return type


@lru_cache(256)
def _number_kind(kind: type) -> str:
    """Return "b", "i" or "f" for a class of numbers, or "other"."""
    return next((letter for letter, classes in _CLASSES.items() if issubclass(kind, classes)), "other")


def _refuse_masked(value: Any) -> None:
    if is_masked(value):
        raise WriteError(f"the value {MASKED}")


def _shown(value: Any) -> str:
    return shorten(repr(value), 60)
