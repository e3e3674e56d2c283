"""Rules on the tensor data, which is read once for all of them, chunk by chunk.

Each rule is a function of a type and some blocks of that type. It yields each fault, and the blocks that have it.
"""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kaitai_gguf.dequantize import dequantize
from kaitai_gguf.dequantize.formulas import iq1_m_scale
from kaitai_gguf.reading.chunks import CHUNK
from kaitai_gguf.rules.facts import Facts
from kaitai_gguf.rules.rule import Place, Rule, rule
from kaitai_gguf.schema import BLOCKS
from kaitai_gguf.types import GGMLType, Progress, block_dtype, is_quantized, type_size

Blocks = NDArray[Any]

LARGE = float(np.finfo(np.float32).max) / 256  # no element is 256 scales


class Fault(NamedTuple):
    """How blocks break a rule."""

    field: str
    text: str
    refused_by: tuple[str, ...] | None = None


Faults = Iterator[tuple[Fault, NDArray[np.bool_]]]  # with a bool for each block


@rule("deep", "warning", "ggml/src/ggml-quants.c", refused_by="llama.cpp --check-tensors")
def scale_finite(type: GGMLType, blocks: Blocks) -> Faults:
    """A scale of a quantized tensor is NaN or infinite. This is checked only with `--deep`.

    All numbers of the block are then NaN or infinite, and so are the results that a model computes from them.
    Fix: download the file again; if its hash is right, quantize the original model again.
    """
    if is_quantized(type):
        for field, scales in _scales(type, blocks):
            yield from _not_finite(field, f"a scale {field} that is", scales)


@rule("deep", "warning", "ggml/src/ggml-quants.c", refused_by="llama.cpp --check-tensors")
def value_finite(type: GGMLType, blocks: Blocks) -> Faults:
    """A number of a tensor is NaN or infinite. This is checked only with `--deep`.

    A number too large for a float32 counts as infinite. llama.cpp does not look for such numbers in quantized tensors.
    Fix: download the file again; if its hash is right, the original model is broken.
    """
    if not is_quantized(type):
        values = blocks["value"]
        if values.dtype.kind != "i":
            yield from _not_finite("value", "a value that is", values)
        if type is GGMLType.F64:
            with np.errstate(over="ignore"):
                mask = np.isfinite(values) & ~np.isfinite(values.astype(np.float32))
            yield Fault("value", "a value that is too large for a float32"), mask
        return
    for field, scales in _scales(type, blocks):
        if scales.dtype.itemsize != 2 and field in ("d", "e") and type is not GGMLType.NVFP4:  # others are small
            risky = np.flatnonzero(np.isfinite(scales) & (np.abs(scales.astype(np.float32)) > LARGE))
            mask = np.zeros(len(blocks), np.bool_)
            if len(risky):
                mask[risky] = ~np.isfinite(dequantize(blocks[risky][:, None], type, threads=1)).all(axis=1)
            yield Fault(field, "values that are too large for a float32", ()), mask


@rule("deep", "note", "ggml/docs/gguf.md#file-structure")
def block_domain(type: GGMLType, blocks: Blocks) -> Faults:
    """A field of a block has a value that no quantizer writes. This is checked only with `--deep`.

    TQ2_0 encodes only the numbers -1, 0 and 1, in two bits. The scales of NVFP4 have no sign, and 0x7F, which would be
    NaN, is read as 0. The sums in a block of Q8_K must be the sums of its numbers.
    Fix: download the file again; if its hash is right, quantize the original model again.
    """
    if type is GGMLType.TQ2_0:
        packed = blocks["qs"]
        yield Fault("qs", "an element that is 2, expected -1 to 1"), np.any(packed & packed >> 1 & 0x55, axis=1)
    if type is GGMLType.NVFP4:
        yield Fault("d", "a scale that is negative or NaN"), np.any(blocks["d"].view(np.uint8) >= 0x7F, axis=1)
    if type is GGMLType.Q8_K:
        sums = blocks["qs"].reshape(len(blocks), 16, 16).sum(axis=2, dtype=np.int16)
        yield Fault("bsums", "bsums that are not the sums of qs"), np.any(blocks["bsums"] != sums, axis=1)


DEEP = (scale_finite, value_finite, block_domain)


def places(facts: Facts, progress: Progress | None) -> dict[str, list[Place]]:
    """Return where the data of the tensors breaks each rule, by id. Tensors without data in the file are skipped."""
    places = defaultdict(list)
    for number, size in enumerate(facts.sizes):
        start = facts.header.data_offset + facts.offsets[number]
        if size and facts.header.alignment is not None and start + size <= facts.source.nbytes:
            type = GGMLType(int(facts.tensors.type_id[number]))
            thing, total = "block" if is_quantized(type) else "element", size // type_size(type)
            field_starts = {name: field[1] for name, field in (block_dtype(type).fields or {}).items()}
            for (each, fault), (first, count) in _faults(facts, type, start, size, progress).items():
                path = f"data/{first}/{fault.field}" if is_quantized(type) else f"data/{first}"
                share = f"{count:,} of {total:,} {thing}s {'have' if count > 1 else 'has'} {fault.text}"
                place = facts.tensor_place(number, path, f"{share}, the first is {thing} {first:,}")
                offset = start + first * type_size(type) + field_starts[fault.field]
                places[each.id].append(place._replace(offset=offset, total=count, refused_by=fault.refused_by))
    return places


def _faults(
    facts: Facts, type: GGMLType, start: int, size: int, progress: Progress | None
) -> dict[tuple[Rule, Fault], tuple[int, int]]:
    """Return, for each rule and fault, the first block of a tensor that has it, and how many do."""
    dtype = block_dtype(type, facts.header.byte_order)
    faults: dict[tuple[Rule, Fault], tuple[int, int]] = {}
    done = 0
    for chunk in facts.source.chunks(start, start + size, CHUNK // dtype.itemsize * dtype.itemsize):
        for each in DEEP:
            for fault, mask in each.places(type, chunk.view(dtype)):
                if mask.any():
                    first, before = faults.get((each, fault), (done + int(mask.argmax()), 0))
                    faults[each, fault] = first, before + int(np.count_nonzero(mask))
        done += len(chunk) // dtype.itemsize
        if progress is not None:
            progress(chunk.nbytes)
    return faults


def _scales(type: GGMLType, blocks: Blocks) -> Iterator[tuple[str, NDArray[Any]]]:
    """Yield the fields that multiply the others, one number for each block."""
    if type is GGMLType.IQ1_M:
        yield "scales", iq1_m_scale(blocks)
    for field in BLOCKS[type].fields:
        if field.dtype.startswith("float") and field.repeat is None:
            yield field.name, blocks[field.name]


def _not_finite(field: str, text: str, numbers: NDArray[Any]) -> Faults:
    is_invalid = ~np.isfinite(numbers)
    if is_invalid.any():
        is_nan = np.isnan(numbers)
        yield Fault(field, f"{text} NaN"), is_nan
        yield Fault(field, f"{text} infinite"), is_invalid & ~is_nan
