"""Alignment: where tensor data and tensors may start. Integers only.

`general.alignment` is a uint32; ggml takes any power of two, the format's documentation wants a
multiple of 8, and 32 is meant where there is none.
"""

from kaitai_gguf.errors import FormatError

ALIGNMENT_KEY = "general.alignment"
DEFAULT_ALIGNMENT = 32

LIMIT = 1 << 63  # sizes and positions have to fit a signed 64-bit integer


def align(position: int, alignment: int) -> int:
    """The first multiple of `alignment` that is not less than `position`."""
    return position + -position % alignment


def check_alignment(alignment: int, *, offset: int, path: str) -> int:
    """The alignment itself; `FormatError` at `offset` if it is not a power of two."""
    if alignment <= 0 or alignment & (alignment - 1):
        raise FormatError(f"general.alignment is {alignment}, expected a power of two", offset=offset, path=path)
    return alignment
