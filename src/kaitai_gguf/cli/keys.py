"""Names of keys, tokens and tensors given by a user: patterns, and suggestions for names that do not exist."""

import re
from collections.abc import Collection, Iterable, Sequence
from difflib import get_close_matches
from fnmatch import fnmatchcase

import kaitai_gguf
from kaitai_gguf.cli.options import NoMatchError
from kaitai_gguf.text import quoted

SUGGESTED = 3  # the most suggestions
LONGEST = 200  # characters: longer names are not compared for misspellings


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


def did_you_mean(name: str, existing: Iterable[str]) -> str:
    """Return the end of an error message about an unknown name, with similar names; empty if there are none."""
    similar = [quoted(each) for each in _similar(name, list(existing))]
    if not similar:
        return ""
    *others, last = similar
    return f"; did you mean {', '.join(others)} or {last}?" if others else f"; did you mean {last}?"


def _similar(name: str, existing: Sequence[str]) -> list[str]:
    """Return the names that end with the given one, or a pattern if it is a prefix of some, or similar names."""
    if not name or len(name) > LONGEST:
        return []
    longer = [each for each in existing if each.endswith(f".{name}")]
    if longer:
        return sorted(longer, key=len)[:SUGGESTED]
    if any(each.startswith(f"{name}.") for each in existing):
        return [f"{name}.*"]
    folded = {each.casefold(): each for each in reversed(existing) if len(each) <= LONGEST}
    return [folded[each] for each in get_close_matches(name.casefold(), folded, SUGGESTED, 0.75)]
