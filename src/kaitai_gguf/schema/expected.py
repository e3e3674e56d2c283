"""Where a header will end, by the part of it that is there: how much of a remote file to ask for next.

It is a guess: one that is too low costs a request, one that is too high some bytes.
"""

import re
from typing import TYPE_CHECKING

from kaitai_gguf_schema.types import ValueType

from kaitai_gguf.schema.scanner import IntArray, Refused

if TYPE_CHECKING:
    from kaitai_gguf.schema.reader import ArrayInfo, Reader

__all__ = ["expected_end"]

ELEMENTS = re.compile(r"/body/metadata/\d+/value/elements")
SAMPLE = 100  # strings whose mean length says something of that of the others
NEXT = 1 << 16  # bytes: the keys and tensor infos that follow the last array
MARGIN = 1.08  # merges grow longer: those that are missing are 2 % (gemma-4) to 6 % (llama-bpe) longer than the last


def expected_end(reader: "Reader", refused: Refused) -> int:
    """Return where the header will end at least, by what vocabularies look like; 0 if nothing is known.

    The strings that are missing are as long as the last of those that are there. Where all strings are there, tokens
    and merges, an array of numbers is followed by another one at most.
    """
    if refused.kind != "end" or not ELEMENTS.match(refused.path):
        return 0
    *before, position = refused.found[0]
    info = reader.array(reader.value_of(position)[1])
    if info.element_type is ValueType.STRING:
        return _end_of_strings(info, _starts(reader, info))
    are_strings = [_is_strings(reader, each) for each in before]
    nbytes = refused.needed - info.elements
    return int(refused.needed + are_strings[-1] * nbytes + NEXT) if sum(are_strings) > 1 else 0


def _end_of_strings(info: "ArrayInfo", starts: IntArray) -> int:
    if len(starts) <= SAMPLE:
        return 0
    last = starts[-len(starts) // 4 :]  # those of a vocabulary grow longer
    mean = (last[-1] - last[0]) / (len(last) - 1)
    return int(last[-1] + (info.num_elements - len(starts)) * mean * MARGIN)


def _starts(reader: "Reader", info: "ArrayInfo") -> IntArray:
    """Where the strings start that are there, of an array that is cut off."""
    starts, refused = reader.strings_there(info, info.num_elements)
    if len(starts) or refused is None:
        return starts
    # Not even empty strings would fit. As many as would are looked at: all of them are longer.
    least = (refused.needed - info.elements) // info.num_elements
    return reader.strings_there(info, (len(reader.buf) - info.elements) // least)[0]


def _is_strings(reader: "Reader", position: int) -> bool:
    """Whether the value of a key-value is an array of many strings."""
    value_type, value = reader.value_of(position)
    info = reader.array(value) if value_type == ValueType.ARRAY else None
    return info is not None and info.element_type is ValueType.STRING and info.num_elements > SAMPLE
