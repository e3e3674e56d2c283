"""Alignment: where tensor data and tensors may start. Integers only.

`general.alignment` is a uint32; ggml takes any power of two, the format's documentation wants a
multiple of 8, and 32 is meant where there is none.
"""

from kaitai_gguf.errors import FormatError, WriteError

ALIGNMENT_KEY = "general.alignment"
DEFAULT_ALIGNMENT = 32

LIMIT = 1 << 63  # sizes and positions have to fit a signed 64-bit integer

MUCH_PADDING = 64 << 20  # bytes: thousands of tensors may be aligned to the pages of a disk or of a GPU


def align(position: int, alignment: int) -> int:
    """The first multiple of `alignment` that is not less than `position`."""
    return position + -position % alignment


def check_alignment(alignment: int, *, offset: int, path: str) -> int:
    """The alignment itself; `FormatError` at `offset` if it is not a power of two."""
    if alignment <= 0 or alignment & (alignment - 1):
        raise FormatError(f"general.alignment is {alignment}, expected a power of two", offset=offset, path=path)
    return alignment


def check_padding(padding: int, nbytes: int, *, alignment: int, allowed: bool) -> None:
    """Refuse to write far more padding than header and data: an alignment of 2^31 makes gigabytes of a tiny file.

    padding  all padding that is to be added, in bytes.
    nbytes   all else that is to be written, in bytes.
    allowed  whether it was asked for.

    Raises `WriteError` for more than 64 MiB of padding that is also more than `nbytes`.
    """
    if not allowed and padding > max(MUCH_PADDING, nbytes):
        raise WriteError(
            f"alignment {alignment} and offsets would add {padding} bytes of padding to {nbytes} bytes of header and "
            "data; allow_padding=True (--allow-padding) permits that"
        )


def beyond(offset: int, nbytes: int) -> str:
    """What is wrong with the offset, or else with the size, of a tensor that ends where no file reaches."""
    if offset >= nbytes:
        return f"the offset {offset} is beyond the end of any file"
    return f"its {nbytes} bytes of data are more than a file can have"
