"""Estimate where a header ends from its first part: how much of a remote file to request next.

An estimate that is too low costs another request, one that is too high some extra bytes.
"""

import re

from kaitai_gguf_schema.types import ValueType

from kaitai_gguf.schema.reader import ArrayInfo, Reader
from kaitai_gguf.schema.scanner import IntArray, Refused

ELEMENTS = re.compile(r"/body/metadata/\d+/value/elements")
SAMPLE = 100  # strings that are enough to estimate the mean length of the others
NEXT = 1 << 16  # bytes to request for the keys and tensor infos after the last array
MARGIN = 1.06  # merges grow longer: the missing ones are 2 % (gemma-4) to 6 % (llama-bpe) longer than the last
NUMBERS = 8  # bytes for each token after the tokens: a score and a type


def expected_end(reader: Reader, refused: Refused) -> int:
    """Return an estimate of the end of the header, based on typical vocabularies; 0 if there is nothing to go by.

    The missing strings are assumed to be as long as the last ones in the buffer. The tokens are assumed to be followed
    by two numbers for each, and an array of numbers right after strings by another one.
    """
    if refused.kind != "end" or not ELEMENTS.match(refused.path):
        return 0
    *before, position = refused.found[0]
    info = reader.array(reader.value_of(position)[1])
    are_strings = [_is_strings(reader, each) for each in before]
    if info.element_type is not ValueType.STRING:
        nbytes = refused.needed - info.elements
        return int(refused.needed + are_strings[-1] * nbytes + NEXT) if any(are_strings) else 0
    starts = _starts(reader, info)
    if len(starts) <= SAMPLE:
        return 0
    last = starts[-len(starts) // 4 :]  # the strings of a vocabulary grow longer
    mean = (last[-1] - last[0]) / (len(last) - 1)
    missing = (info.num_elements - len(starts)) * mean * MARGIN
    if not any(are_strings):
        missing += NUMBERS * info.num_elements + NEXT
    elif len(starts) < info.num_elements / 8:  # the first merges are much shorter than the rest
        missing /= 2
    return int(last[-1] + missing)


def _starts(reader: Reader, info: ArrayInfo) -> IntArray:
    """Return the starts of the strings in the buffer, of an array that is cut off."""
    starts, needed = reader.available_strings(info, info.num_elements)
    if len(starts) or not needed:
        return starts
    # The buffer is too small even for empty strings. Look for as many as would fit: real strings are longer.
    least = (needed - info.elements) // info.num_elements
    return reader.available_strings(info, (len(reader.buf) - info.elements) // least)[0]


def _is_strings(reader: Reader, position: int) -> bool:
    """Return whether the value of a key-value is an array of many strings."""
    value_type, value = reader.value_of(position)
    info = reader.array(value) if value_type == ValueType.ARRAY else None
    return info is not None and info.element_type is ValueType.STRING and info.num_elements > SAMPLE
