"""What llama.cpp and the documentation know: keys, values, tensors, architectures, tokenizers and file types.

`make facts` writes llama_cpp.json from llama.cpp's sources; see tools/llama_cpp_facts.py. It is read on first use:
opening a file needs none of it.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from kaitai_gguf.types import KeyType, ValueType

FILE_TYPE = "general.file_type"
LONGEST = 1000  # characters: no longer key is documented

_ID = r"(?<=^general\.base_model\.)\d+|(?<=^general\.dataset\.)\d+|(?<=^tokenizer\.chat_template\.).+"


@dataclass(frozen=True)
class StandardKey:
    """A documented key, whatever the architecture."""

    key: str
    """The key with `[arch]` for the architecture, and `{id}` for a number or a name: `[arch].block_count`."""
    types: tuple[KeyType, ...]
    """The types of its value, the one that llama.cpp reads first."""
    description: str
    """What the value means."""
    source: str
    """The file of ggml or llama.cpp that has the key."""
    values: tuple[str | int, ...]
    """The documented values; empty if any value will do."""

    @cached_property
    def architectures(self) -> frozenset[str]:
        """The architectures for which llama.cpp reads a hyperparameter; empty for a key without `[arch]`."""
        name, known = self.key.removeprefix("[arch]."), facts()["architectures"]
        if name == self.key:
            return frozenset()
        is_common = name in known["*"]["keys"]
        return frozenset(each for each in models() if is_common or name in known[each]["keys"])


@cache
def facts() -> dict[str, Any]:
    """Return the content of llama_cpp.json."""
    import json  # takes a millisecond to import, and opening a file needs none of it

    content: dict[str, Any] = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))
    return content


@cache
def models() -> frozenset[str]:
    """Return the architectures of the models that llama.cpp loads."""
    return frozenset(name for name, known in facts()["architectures"].items() if known and name != "*")


def standard_key(key: str) -> StandardKey | None:
    """Return what is documented about a key, such as `llama.block_count`; None if the key is not documented.

    The key alone decides: any text before a hyperparameter may be the architecture. `StandardKey.architectures` tells
    which architectures use it. Raises TypeError if the key is not a str.
    """
    if not isinstance(key, str):
        raise TypeError(f"a key must be a str, not {key!r:.60}")
    if "[arch]" in key or "{id}" in key:  # placeholders
        return None
    known = facts()["keys"]
    if key in known:
        return _known(key)
    first, *rest = key.split(".")
    if first in _own_prefixes():
        name = re.sub(_ID, "{id}", key)
        return _known(name) if name in known else None
    names = [f"[arch].{'.'.join(rest[i:])}" for i in range(len(rest))] if first and len(key) < LONGEST else []
    return next((_known(name) for name in names if name in known), None)


def standard_keys(architecture: str | None = None) -> list[str]:
    """Return all documented keys, except those that contain a number or a name (`general.dataset.0.name`).

    The hyperparameters are included only if an architecture is given, with its name as their prefix.
    """
    keys = (key for key in facts()["keys"] if "{id}" not in key)
    if not architecture:
        return [key for key in keys if not key.startswith("[arch]")]
    return [key.replace("[arch]", architecture) for key in keys]


def architecture_of(metadata: Mapping[str, Any]) -> str | None:
    """Return the value of `general.architecture`; None if it is missing, empty or not a string."""
    value = metadata.get("general.architecture")
    return value if isinstance(value, str) and value else None


@cache
def file_types() -> dict[int, tuple[str, str | None]]:
    """Return the values of `general.file_type`: name, and tensor type of most weights; None if it was removed."""
    removed = {number: (name, None) for number, name in facts()["removed_file_types"].items()}
    current = {number: (name, type) for number, (name, type) in facts()["file_types"].items()}
    return {int(number): each for number, each in sorted((removed | current).items(), key=lambda item: int(item[0]))}


def file_type_name(number: int) -> str | None:
    """Return the name of a `general.file_type` as it appears in file names: `Q4_K_M`, `F16`; None if unknown."""
    name = file_types().get(number, (None,))[0]
    return name and name.removeprefix("MOSTLY_").removeprefix("ALL_")


@cache
def _own_prefixes() -> frozenset[str]:
    """Return the first words of keys that are the same for all architectures: `general`, `tokenizer`, …"""
    return frozenset(key.partition(".")[0] for key in facts()["keys"]) - {"[arch]"}


@cache
def _known(key: str) -> StandardKey:
    types, source, description = facts()["keys"][key]
    values = list(map(int, facts()["file_types"])) if key == FILE_TYPE else facts()["values"].get(key, ())
    return StandardKey(key, tuple(map(_type, types.split("|"))), description, source, tuple(values))


def _type(word: str) -> KeyType:
    if word.endswith("[]"):
        return KeyType(ValueType.ARRAY, ValueType[word.removesuffix("[]").upper()])
    return KeyType(ValueType[word.upper()])
