"""Rules on where the tensor data is, and on the bytes between it."""

from collections.abc import Iterator

from kaitai_gguf.layout_rules import Breach, align
from kaitai_gguf.reading.chunks import first_nonzero
from kaitai_gguf.rules.facts import Facts
from kaitai_gguf.rules.finding import ERROR, GGML_DATA, GGUF_PY, HEADER, LLAMA_CPP, NOTE, WARNING
from kaitai_gguf.rules.references import GGUF_CPP, LOADER, STRUCTURE
from kaitai_gguf.rules.rule import COPY, Place, rule, several
from kaitai_gguf.text import quoted


@rule("offset-range", ERROR, STRUCTURE, refused_by=(GGML_DATA, LLAMA_CPP))
def offset_range(facts: Facts) -> Iterator[Place]:
    """The data of a tensor would be beyond the end of any file: 2^63 or more bytes from its start.

    ggml still reads the header if nothing else is wrong.

    Fix: download the file again: it is damaged, or malicious. No command can open it.
    """
    expected = _expected(facts) if facts.out_of_range else []

    def place(breach: Breach) -> Place:
        offset, size = facts.offsets[breach.row], facts.sizes[breach.row] or 0
        is_read = offset == expected[breach.row] and align(offset + size, facts.header.alignment or 1) < 1 << 64
        return facts.tensor_place(*breach)._replace(refused_by=None if is_read else HEADER)

    return several(facts.breaches["offset-range"], place)


@rule("offset-alignment", ERROR, STRUCTURE, refused_by=HEADER)
def offset_alignment(facts: Facts) -> Iterator[Place]:
    """The offset of a tensor is not a multiple of the alignment.

    Fix: write the file again with padding between the tensors; no command can open this one.
    """
    return several(facts.breaches["offset-alignment"], lambda breach: facts.tensor_place(*breach))


@rule("overlap", ERROR, STRUCTURE, refused_by=HEADER)
def overlap(facts: Facts) -> Iterator[Place]:
    """The data of two tensors overlaps.

    Writing to one tensor would change both, and the tensors may claim far more data than the file has.

    Fix: download the file again, or convert the original model again: its offsets are damaged. No command can open it.
    """
    return several(facts.breaches["overlap"], lambda breach: facts.tensor_place(*breach))


@rule("contiguity", WARNING, GGUF_CPP, refused_by=HEADER, fixes=[COPY])
def contiguity(facts: Facts) -> Iterator[Place]:
    """A tensor does not start where the one before it ends.

    The documentation allows tensors in any order, with gaps between them. ggml expects the first tensor at offset 0,
    and each other tensor right after the one before it in the tensor infos, rounded up to the alignment.

    Fix: copy the file with all tensors one after the other.
    """
    expected = _expected(facts) if facts.header.alignment is not None else [None]
    numbers = [
        number
        for number, (offset, end) in enumerate(zip(facts.offsets, expected, strict=False))
        if offset != end and end is not None and number not in facts.misplaced
    ]
    message = "the offset is {}, and the tensors before it end at {}"
    return several(numbers, lambda i: facts.tensor_place(i, "ofs_data", message.format(facts.offsets[i], expected[i])))


@rule("missing-data", ERROR, STRUCTURE, refused_by=(GGML_DATA, LLAMA_CPP, GGUF_PY))
def missing_data(facts: Facts) -> Iterator[Place]:
    """The file ends before the data of a tensor does.

    The download was interrupted, or the file contains only the header. ggml still reads the header, but no model can be
    loaded. There is one finding for all tensors.

    Fix: download the file again.
    """
    if facts.header.alignment is None:
        return
    ends = [
        facts.header.data_offset + offset + (size or 0) for offset, size in zip(facts.offsets, facts.sizes, strict=True)
    ]
    missing = [i for i, end in enumerate(ends) if facts.sizes[i] and end > facts.nbytes and i not in facts.out_of_range]
    if missing:
        lacking = max(ends[number] for number in missing) - facts.nbytes
        first = quoted(facts.header.names[missing[0]])
        which = f"tensor {first}" if len(missing) == 1 else f"{len(missing):,} tensors, the first of them {first},"
        message = f"the data of {which} is incomplete: {lacking:,} bytes are missing at the end of the file"
        start = facts.header.data_offset + facts.offsets[missing[0]]
        yield Place(start, f"/tensors/{missing[0]}/data", message, len(missing))


@rule("missing-padding", WARNING, GGUF_CPP, refused_by=HEADER, fixes=[COPY])
def missing_padding(facts: Facts) -> Iterator[Place]:
    """The file has tensors, but ends before the tensor data starts.

    The header must be padded to the alignment, and ggml expects the padding even if no tensor has data.

    Fix: copy the file with all tensors, which writes the padding.
    """
    if facts.header.alignment is not None and len(facts.tensors.position) and facts.nbytes < facts.header.data_offset:
        missing = facts.header.data_offset - facts.nbytes
        yield Place(facts.nbytes, "/padding", f"{missing} bytes of padding after the header are missing")


@rule("end-padding", WARNING, GGUF_CPP, refused_by=(GGML_DATA,), fixes=[COPY])
def end_padding(facts: Facts) -> Iterator[Place]:
    """The last tensor is not padded to the alignment.

    Writers pad it, and ggml needs the padding if it reads the tensor data along with the header. llama.cpp does not.

    Fix: copy the file with all tensors, which writes the padding.
    """
    end = _end(facts)
    padded = align(end or 0, facts.header.alignment or 1)
    if end is not None and end <= facts.nbytes < padded:
        missing = padded - facts.nbytes
        yield Place(facts.nbytes, "/padding", f"{missing} bytes of padding after the last tensor are missing")


@rule("header-padding", ERROR, STRUCTURE, fixes=[COPY])
def header_padding(facts: Facts) -> Iterator[Place]:
    """The padding between the header and the tensor data is not zero.

    No reader looks at the padding, so it may hide data. It may also mean that positions are wrong.

    Fix: copy the file with all tensors, which writes zeros.
    """
    if facts.header.alignment is not None:
        first = first_nonzero(facts.source, facts.header.end, min(facts.header.data_offset, facts.nbytes))
        if first is not None:
            yield Place(first, "/padding", "the padding after the header has bytes other than zero")


@rule("tensor-padding", ERROR, STRUCTURE, fixes=[COPY])
def tensor_padding(facts: Facts) -> Iterator[Place]:
    """The padding after the data of a tensor is not zero.

    No reader looks at the padding, so it may hide data. It may also mean that sizes are wrong.

    Fix: copy the file with all tensors, which writes zeros.
    """
    if facts.header.alignment is None or facts.misplaced:
        return
    alignment, data_offset = facts.header.alignment, facts.header.data_offset
    invalid = []
    for number, (offset, size) in enumerate(zip(facts.offsets, facts.sizes, strict=True)):
        if size and size % alignment:
            end = data_offset + offset + size
            first = first_nonzero(facts.source, end, min(end + -(offset + size) % alignment, facts.nbytes))
            if first is not None:
                invalid.append((number, first))

    def place(number: int, first: int) -> Place:
        message = f"tensor {quoted(facts.header.names[number])}: the padding after its data has bytes other than zero"
        return Place(first, f"/tensors/{number}/padding", message)

    yield from several(invalid, lambda each: place(*each))


@rule("trailing-bytes", NOTE, LOADER, fixes=[COPY, "copy FILE --tensors '' --output FIXED"])
def trailing_bytes(facts: Facts) -> Iterator[Place]:
    """There are bytes after the last tensor.

    Readers ignore these bytes, and the format does not give them a meaning.

    Fix: copy the file with all tensors, which drops these bytes. If the file has no tensors, use an empty pattern.
    """
    end, last = _end(facts), "tensor" if facts.offsets else "key-value"
    padded = align(end or 0, facts.header.alignment or 1)
    if end is not None and padded < facts.nbytes:
        yield Place(padded, "/trailing", f"{facts.nbytes - padded:,} bytes follow the last {last}")


def _expected(facts: Facts) -> list[int | None]:
    """Where ggml expects each tensor, and what would follow the last; None after one whose size is not known."""
    ends = zip(facts.offsets, facts.sizes, strict=True)
    return [0, *(None if size is None else align(offset + size, facts.header.alignment or 1) for offset, size in ends)]


def _end(facts: Facts) -> int | None:
    """Where the data of the last tensor ends, or where it would start; None if that can't be known."""
    if facts.header.alignment is None or None in facts.sizes or facts.misplaced:
        return None
    ends = (offset + (size or 0) for offset, size in zip(facts.offsets, facts.sizes, strict=True))
    return facts.header.data_offset + max(ends, default=0)
