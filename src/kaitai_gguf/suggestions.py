"""Suggestions for names that do not exist and keys that are not documented."""

from collections.abc import Iterable, Sequence
from difflib import get_close_matches

from kaitai_gguf.llama_cpp import standard_key, standard_keys
from kaitai_gguf.text import quoted

SUGGESTED = 3  # the most suggestions
LONGEST = 200  # characters: longer names are not compared for misspellings


def did_you_mean(name: str, existing: Iterable[str]) -> str:
    """Return the end of an error message about an unknown name, with similar names; empty if there are none."""
    similar = [quoted(each) for each in _similar(name, list(existing))]
    if not similar:
        return ""
    *others, last = similar
    return f"; did you mean {', '.join(others)} or {last}?" if others else f"; did you mean {last}?"


def suggested_key(key: str, architecture: str | None) -> str | None:
    """Return the end of a warning about a key that is not documented, as `did_you_mean` does; None if it is documented.

    `architecture` is the value of `general.architecture`.
    """
    known = standard_key(key)
    if known is not None and (
        not known.key.startswith("[arch]") or key == known.key.replace("[arch]", architecture or "")
    ):
        return None
    if architecture:  # it is missing, or another model's
        own = known or standard_key(f"{architecture}.{key}")
        if own is not None:
            return f"; did you mean {quoted(own.key.replace('[arch]', architecture))}?"
    return did_you_mean(key, standard_keys(architecture))


def _similar(name: str, existing: Sequence[str]) -> list[str]:
    """Return the names that end with the given one, or a pattern if it is a prefix of some, or similar names."""
    if not name or len(name) > LONGEST:
        return []
    longer = [each for each in existing if each.endswith(f".{name}")]
    if longer:
        return sorted(longer, key=len)[:SUGGESTED]
    below = [each for each in existing if each.startswith(f"{name}.")]
    if below:
        return [f"{name}.*"] if len(below) > SUGGESTED else below
    folded = {each.casefold(): each for each in reversed(existing) if len(each) <= LONGEST}
    return [folded[each] for each in get_close_matches(name.casefold(), folded, SUGGESTED, 0.75)]
