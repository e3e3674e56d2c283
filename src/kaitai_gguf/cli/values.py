"""Metadata values as users type them: text where a key has a string, JSON otherwise."""

import json
import math
from contextlib import suppress
from typing import Any

from kaitai_gguf import Typed, ValueType, WritableMetadata, WriteError
from kaitai_gguf.cli.output import warn
from kaitai_gguf.llama_cpp import architecture_of, standard_key
from kaitai_gguf.suggestions import suggested_key
from kaitai_gguf.text import quoted, shorten
from kaitai_gguf.types import KeyType

TYPES = {
    name: key_type
    for type in ValueType
    if type is not ValueType.ARRAY
    for name, key_type in ((str(type), KeyType(type)), (f"{type}[]", KeyType(ValueType.ARRAY, type)))
}
"""The scalar and array types that --type accepts, by name."""

INVALID = object()  # stands for text that is not JSON

BOOLS = {"true": True, "false": False}  # compared in lower case

SHOWN = 60  # the most characters of a value that a message quotes

AS_TEXT = "--type string takes it as text"


def set_text(metadata: WritableMetadata, key: str, text: str, type: str | None = None) -> None:
    """Set a key to the value that a text represents. `type` is one of `TYPES`. Raises `WriteError`.

    Without `type`, the key keeps its type or gets its documented one. If it has neither, text that is not JSON becomes
    a string, with a warning if something else was probably meant.
    """
    expected = metadata.expected_type(key) if type is None else TYPES[type]
    if expected is not None and expected.value_type is ValueType.STRING:
        metadata[key] = Typed(text, ValueType.STRING)
        return
    shown, value = repr(shorten(text, SHOWN)), _parsed(text)
    if isinstance(value, str) and expected is not None:
        value = _parsed(value)  # a quoted number
    if expected == KeyType(ValueType.BOOL):
        value = BOOLS.get(text.lower(), value)
    if value is INVALID:
        if type is None and text.lstrip().startswith(("[", "{", '"')):
            raise WriteError(f"key {key!r}: {shown} is not valid JSON; {AS_TEXT}")
        if expected is None:
            _warn_of_string(key, text)
        value = text
    if type is not None and expected is not None:
        is_array = expected.element_type is not None
        if isinstance(value, list) != is_array:
            example = '["a", "b"]' if type == "string[]" else "[1, 2]"
            wanted = f"{type} as JSON, such as {example}" if is_array else type
            raise WriteError(f"key {key!r}: expected {wanted}, got {shown}")
        value = Typed(value, type.removesuffix("[]"))
    try:
        metadata[key] = value
    except TypeError:  # JSON has objects and null
        raise WriteError(f"key {key!r}: GGUF cannot store {shown}; {AS_TEXT}") from None


def _parsed(text: str) -> Any:
    """Parse JSON; return `INVALID` if the text is not JSON."""
    try:
        return json.loads(text, parse_float=_finite)
    except (ValueError, RecursionError):
        return INVALID


def _finite(text: str) -> float:
    value = float(text)
    if math.isinf(value):
        raise ValueError(f"{text} is too large")
    return value


def _warn_of_string(key: str, text: str) -> None:
    """Warn if a string was probably meant as a bool or a number."""
    if text.lower() in BOOLS:
        warn(f"key {quoted(key)}: {quoted(text)} is a string; write {text.lower()} for a bool")
    with suppress(ValueError):
        if text[-1:].isdigit() and math.isinf(float(text)):
            warn(f"key {quoted(key)}: {quoted(text)} is a string: the number is too large for a float64")


def warn_of_key(metadata: WritableMetadata, key: str) -> None:
    """Warn about a new key that looks misspelled."""
    own = architecture_of(metadata)
    suggestion = suggested_key(key, own)
    is_own = bool(own) and key.startswith(f"{own}.")
    if suggestion is None or (is_own and not suggestion):
        return
    prefix = f", and does not begin with the architecture, {quoted(own)}" if own and not is_own else ""
    warn(f"the key {quoted(key)} is not documented{prefix}{suggestion}")


def warn_of_value(metadata: WritableMetadata, key: str) -> None:
    """Warn about a value that is not among the documented values of its key."""
    known, value = standard_key(key), metadata[key]
    documented = known.values if known is not None else ()
    if documented and isinstance(value, str | int) and value not in documented:
        names = shorten(", ".join(map(str, documented)), SHOWN)
        shown = quoted(value) if isinstance(value, str) else str(value)
        warn(f"key {quoted(key)}: {shown} is not a documented value; the documented ones are {names}")
