"""Metadata values as users type them, as JSON or text, converted to the existing or documented type of the key."""

import json
import math
from collections.abc import Iterator, Sequence
from typing import Any

from kaitai_gguf import Typed, ValueType, WritableMetadata, WriteError
from kaitai_gguf.cli import canonical
from kaitai_gguf.standard_keys import KeyType, architecture_of, standard_types
from kaitai_gguf.standard_values import standard_values
from kaitai_gguf.suggestions import suggested_key
from kaitai_gguf.text import quoted, shorten

TYPES = [name for type in ValueType if type is not ValueType.ARRAY for name in (str(type), f"{type}[]")]
"""The names of scalar and array types that --type accepts and messages show."""

INVALID = object()  # stands for text that is not JSON

BOOLS = {"true": True, "false": False}  # compared in lower case
KINDS = {bool: "bool", int: "number", float: "number", str: "string", list: "array"}  # JSON's names for elements

SHOWN = 60  # the most characters of a value that a message quotes


def key_type(name: str) -> KeyType:
    """Return the type of one of `TYPES`."""
    type = ValueType[name.removesuffix("[]").upper()]
    return KeyType(ValueType.ARRAY, type) if name.endswith("[]") else KeyType(type)


def set_text(metadata: WritableMetadata, key: str, text: str, type: str | None = None) -> None:
    """Set a key to the value that a text stands for. `type` is one of `TYPES`. Raises `WriteError`."""
    types = [key_type(type)] if type is not None else _types(metadata, key)
    if type is None and (not types or types[0].value_type is not ValueType.STRING):
        value = _printed(key, text)
        if value is not None:
            metadata[key] = value
            return
    try:
        if types:
            _set_typed(metadata, key, text, types, forced=type is not None)
        else:
            metadata[key] = _guessed(key, text)
    except TypeError:  # JSON has objects and null
        message = f"key {key!r}: GGUF cannot store {_shown(text)}"
        raise WriteError(message + ("" if types else "; --type string takes it as text")) from None


def _types(metadata: WritableMetadata, key: str) -> Sequence[KeyType]:
    """Return the types that a key's value may have, the preferred one first; empty if any type will do."""
    if key in metadata:
        return [metadata.type(key)]
    return _standard_types(metadata, key)


def _standard_types(metadata: WritableMetadata, key: str) -> Sequence[KeyType]:
    """Return the types that are documented for a key."""
    # If the key itself is not documented, the text before its first point is taken for an architecture.
    architectures = (None, architecture_of(metadata), key.partition(".")[0])
    return next(filter(None, (standard_types(key, each) for each in architectures)), ())


def _set_typed(metadata: WritableMetadata, key: str, text: str, types: Sequence[KeyType], forced: bool) -> None:
    if types[0].value_type is ValueType.STRING:
        metadata[key] = Typed(text, ValueType.STRING)
        return
    value = _parsed(text)
    if isinstance(value, str):
        value = _parsed(value)  # a quoted number
    if value is INVALID and text.lower() in BOOLS and KeyType(ValueType.BOOL) in types:
        value = BOOLS[text.lower()]
    is_array = isinstance(value, list)
    is_nested = is_array and any(isinstance(each, list) for each in value)
    element_types = [
        type.value_type if type.element_type is None else type.element_type
        for type in types
        if (type.value_type is ValueType.ARRAY) == is_array
    ]
    element_types = [type for type in element_types if _is_like(value, type)]
    if not forced and is_nested:
        element_types = [type for type in element_types if type is ValueType.ARRAY]
    if not element_types:
        hint = "" if forced else "; --type changes the type"
        raise WriteError(f"key {key!r}: expected {_expected(types)}, got {_shown(text)}{hint}")
    refused: list[WriteError] = []
    for type in element_types:
        try:
            metadata[key] = Typed(value, type)
            return
        except WriteError as error:
            refused.append(error)  # the next one may be wider
    raise refused[0]


def _guessed(key: str, text: str) -> Any:
    """Return the value for a key without a known type: parsed as JSON if possible, otherwise the text itself."""
    value = _parsed(text)
    if value is INVALID:
        if text.lstrip().startswith(("[", "{", '"')):
            raise WriteError(f"key {key!r}: {_shown(text)} is not valid JSON; --type string takes it as text")
        return text
    _refuse_mixed(key, value)
    if value == []:
        raise WriteError(f"key {key!r}: an empty array needs a type, such as --type string[]")
    return value


def _is_like(value: Any, type: ValueType) -> bool:
    """Return whether a JSON value is of the same kind as a type. Its range is checked when it is set."""
    if isinstance(value, list):
        return all(_is_like(each, type) for each in value)
    if type is ValueType.ARRAY:
        return True  # inner arrays have element types of their own
    if isinstance(value, bool) or type is ValueType.BOOL:
        return isinstance(value, bool) and type is ValueType.BOOL
    if type is ValueType.STRING:
        return isinstance(value, str)
    return isinstance(value, int | float if type in (ValueType.FLOAT32, ValueType.FLOAT64) else int)


def _refuse_mixed(key: str, value: Any) -> None:
    if not isinstance(value, list):
        return
    kinds = sorted({KINDS[type(each)] for each in value if type(each) in KINDS})
    if len(kinds) > 1:
        raise WriteError(
            f"key {key!r}: all elements of an array must have the same type, "
            f"not {', '.join(kinds[:-1])} and {kinds[-1]}"
        )
    for each in value:
        _refuse_mixed(key, each)


def _printed(key: str, text: str) -> Typed | None:
    """Parse the output of `metadata FILE KEY --json`; return None if the text is something else."""
    document: Any = _parsed(text) if text.lstrip().startswith("{") else None
    if not isinstance(document, dict) or not {"key", "type", "value"} <= document.keys():
        return None
    try:
        return canonical.parsed_value(document)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise WriteError(f"key {key!r}: {_shown(text)} is not valid output of `metadata FILE KEY --json`") from None


def _parsed(text: str) -> Any:
    """Parse JSON; return `INVALID` if the text is not JSON."""
    try:
        return json.loads(text, parse_float=_number)
    except (ValueError, RecursionError):
        return INVALID


def _is_too_large(text: str) -> bool:
    """Return whether a text is a number in JSON that no float can represent."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return False
    return isinstance(value, float) and math.isinf(value)


def _number(text: str) -> float:
    value = float(text)
    if math.isinf(value):
        raise ValueError(f"{text} is too large")
    return value


def _expected(types: Sequence[KeyType]) -> str:
    names = " or ".join(dict.fromkeys(map(describe, types)))
    if all(type.value_type is ValueType.ARRAY for type in types):
        example = '["a", "b"]' if types[0].element_type is ValueType.STRING else "[1, 2]"
        return f"{names} as JSON, such as {example}"
    if types[0].value_type is ValueType.BOOL:
        return f"{names}: true or false"
    return names


def describe(type: KeyType) -> str:
    """Return the name of a type, as in `TYPES`."""
    return str(type.value_type) if type.element_type is None else f"{type.element_type}[]"


def _shown(text: str) -> str:
    return repr(shorten(text, SHOWN))


# Warnings


def doubts_of_key(metadata: WritableMetadata, key: str) -> Iterator[str]:
    """Yield a warning about a new key that looks misspelled."""
    own = architecture_of(metadata)
    suggestion = suggested_key(key, own)
    if suggestion is None:
        return
    if not own or not key.startswith(f"{own}."):
        prefix = f", and does not begin with the architecture, {quoted(own)}" if own else ""
        yield f"the key {quoted(key)} is not documented{prefix}{suggestion}"
    elif suggestion:
        yield f"the key {quoted(key)} is not documented{suggestion}"


def doubts_of_guess(metadata: WritableMetadata, key: str) -> Iterator[str]:
    """Yield a warning if the value of a new key became a string, and was probably meant as a bool or a number."""
    value = metadata[key]
    if not isinstance(value, str) or metadata.type(key) in _standard_types(metadata, key):
        return
    if value.lower() in BOOLS:
        yield f"key {quoted(key)}: {quoted(value)} is a string; write {value.lower()} for a bool"
    elif _is_too_large(value):
        yield f"key {quoted(key)}: {quoted(value)} is a string: the number is too large for a float64"


def doubts_of_value(metadata: WritableMetadata, key: str) -> Iterator[str]:
    """Yield a warning about a value that is not among the documented values of its key."""
    known, value = standard_values(key, architecture_of(metadata)), metadata[key]
    if known and isinstance(value, str | int) and value not in known:
        names = shorten(", ".join(map(str, known)), SHOWN)
        shown = quoted(value) if isinstance(value, str) else str(value)
        yield f"key {quoted(key)}: {shown} is not a documented value; the documented ones are {names}"
