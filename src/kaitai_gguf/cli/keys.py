"""Names and patterns of keys that a user gives."""

import re
from collections.abc import Collection
from fnmatch import fnmatchcase

import kaitai_gguf
from kaitai_gguf.cli.options import NoMatchError
from kaitai_gguf.suggestions import did_you_mean


def matching(keys: Collection[str], pattern: str) -> list[str]:
    """Return the key with this name, or all keys that match the pattern. Raises `KeyNotFound` or `NoMatchError`."""
    if pattern in keys:
        return [pattern]
    if not is_pattern(keys, pattern):
        raise kaitai_gguf.KeyNotFound(f"no key {pattern!r} in the metadata{did_you_mean(pattern, keys)}")
    matches = [key for key in keys if fnmatchcase(key, pattern)]
    if not matches:
        raise NoMatchError(f"no key matches {pattern!r}")
    return matches


def is_pattern(keys: Collection[str], text: str) -> bool:
    """Return whether a text is a shell pattern, and not itself a key."""
    return re.search(r"[*?]|\[.+\]", text) is not None and text not in keys
