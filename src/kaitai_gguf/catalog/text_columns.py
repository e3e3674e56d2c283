"""Strings of models as Arrow columns: text, and the bytes of what is not UTF-8."""

from collections.abc import Sequence
from typing import Any

from kaitai_gguf.catalog.packages import arrow
from kaitai_gguf.text import encode

__all__ = ["readable", "text_columns"]


def readable(text: str) -> str:
    """Return text that UTF-8 can hold: bytes that are not part of a character become `\\xNN`."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def text_columns(texts: Sequence[str | None]) -> tuple[Any, Any]:
    """Return a column of text and one of bytes, which are null for texts that are UTF-8."""
    pa = arrow()
    try:
        return pa.array(texts, pa.string()), pa.nulls(len(texts), pa.binary())
    except UnicodeEncodeError:
        escaped = [None if text is None else readable(text) for text in texts]
        raw = [None if text == other else encode(text or "") for text, other in zip(texts, escaped, strict=True)]
        return pa.array(escaped, pa.string()), pa.array(raw, pa.binary())
