"""What the name of a tensor tells: `blk.3.attn_q.weight` is the query projection of block 3.

A name consists of a prefix for the part of the model, the block number, the role, and a suffix. The roles are those of
llama.cpp, whose sources `llama_cpp.json` names. The suffixes are those that llama.cpp and its converters use, including
adapters (`weight.lora_a`) and importance matrices (`weight.in_sum2`). These are not recognized: roles added later,
blocks within blocks (`v.blk.0.1.bn1.weight`), and the names of other programs, such as transformers, whisper.cpp and
stable-diffusion.cpp.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Literal, get_args

from kaitai_gguf.llama_cpp import facts

Kind = Literal[
    "embedding", "attention", "feed-forward", "experts", "recurrent", "convolution", "norm", "projector", "output",
    "other",
]  # fmt: skip
KINDS: tuple[Kind, ...] = get_args(Kind)

Part = Literal["text", "encoder", "decoder", "vision", "audio", "projector"]
PARTS: tuple[Part, ...] = get_args(Part)

_BY_PREFIX: dict[str, Part] = {
    "enc": "encoder", "dec": "decoder", "v": "vision", "a": "audio", "mm": "projector", "resampler": "projector",
}  # fmt: skip
_IN_ROLE = ("mm", "resampler")  # prefixes that stay part of the role: `mm.0` would have none without it

_WORDS = """
weight bias scale input_scale act.scales weight.1 input_min input_max output_min output_max
weight.lora_a weight.lora_b weight.in_sum2 weight.counts
"""
SUFFIXES = frozenset(_WORDS.split())
"""The suffixes of tensor names. Some roles take none."""

# A decimal without leading zeros, as llama.cpp prints it. More than nine digits are text: no model has so many layers.
_NUMBER = re.compile(r"(?<![^.])(0|[1-9][0-9]{0,8})(?![^.])")
_N = re.compile(r"(?<![^.])blk\.N\.|\.N(?![^.])")  # the block number in a name of the role table
_LATER_N = re.compile(r"(?<=\.)N(?![^.])")  # the number of an expert or a layer within a block
_BLOCK = re.compile(rf"(?<![^.])blk\.{_NUMBER.pattern}\.?")


@dataclass(frozen=True, slots=True)
class TensorRole:
    """What the name of a tensor tells. The examples below are for `v.blk.3.attn_q.weight`."""

    block: int | None
    """The block number (3), or the number of a layer outside the blocks (2 in `mm.2.weight`); None without a number."""
    role: str
    """The name without the prefix, the block and the suffix: `attn_q`."""
    suffix: str
    """The part of the name after the role: `weight`; empty if there is none."""
    part: Part
    """The part of the model: "vision" for the prefix `v`; "text" without a prefix, whatever the model is for."""
    kind: Kind
    """The group that the role belongs to: "attention"; "other" if the role is unknown."""
    is_known: bool
    """Whether llama.cpp uses this role and this suffix."""
    description: str
    """The role in words: "query projection of self-attention"; empty if the role is unknown."""


def tensor_role(name: str) -> TensorRole:
    """Return the block, role and suffix in a tensor name that follows llama.cpp's naming.

    Any str is accepted; anything else raises TypeError. In an unknown name, `blk.N`, the prefix and the suffix are
    still recognized, and `role` is the rest: `q4_0` for `blk.0.q4_0.weight`.
    """
    if not isinstance(name, str):
        raise TypeError(f"the name of a tensor must be a str, not {name!r:.60}")
    stem, suffix = name, ""
    for stem, suffix in _stems(name):
        numbers = _NUMBER.findall(stem)
        pattern = _NUMBER.sub("N", stem)
        if pattern in _known() and pattern.split(".").count("N") == len(numbers):
            part, role, kind, description = _known()[pattern]
            block = int(numbers[0]) if numbers else None
            role = role if len(numbers) < 2 else _LATER_N.sub(numbers[1], role)
            return TensorRole(block, role, suffix, part, kind, True, description)
    block_match = _BLOCK.search(stem)
    part, role = _part_and_role(_BLOCK.sub("", stem, 1))
    return TensorRole(int(block_match[1]) if block_match else None, role, suffix, part, "other", False, "")


@cache
def _known() -> dict[str, tuple[Part, str, Kind, str]]:
    """Return part, role, kind and description of the known names, without suffixes: `blk.N.attn_q`."""
    names = facts()["tensors"].items()
    return {name: (*_part_and_role(_N.sub("", name, 1)), kind, description) for name, (kind, description) in names}


def _part_and_role(name: str) -> tuple[Part, str]:
    """Split a name without a block number into the part that its prefix names, and the role."""
    prefix, point, rest = name.partition(".")
    part = _BY_PREFIX.get(prefix, "text") if point or prefix in _IN_ROLE else "text"
    return part, name if part == "text" or prefix in _IN_ROLE else rest


def _stems(name: str) -> Iterator[tuple[str, str]]:
    """Yield every way to split a name into a stem and a suffix, first the whole name with an empty suffix."""
    yield name, ""
    for words in (1, 2):
        stem, *last = name.rsplit(".", words)
        if stem and len(last) == words and (suffix := ".".join(last)) in SUFFIXES:
            yield stem, suffix
