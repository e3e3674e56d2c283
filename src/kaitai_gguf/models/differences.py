"""The differences between two models: keys, tensors and data.

Values are compared, not stored bytes: byte order and format version make no difference. Numbers are equal if their bits
are, so NaN equals itself, and 0 differs from -0.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from kaitai_gguf.byteswapping import byteswap
from kaitai_gguf.dequantize import dequantize
from kaitai_gguf.reading.arrays import NestedArray, StringArray, Value
from kaitai_gguf.reading.chunks import tensor_chunks
from kaitai_gguf.reading.file import GGUFFile
from kaitai_gguf.reading.metadata import Entry
from kaitai_gguf.reading.opening import ModelOrSource, model_of
from kaitai_gguf.reading.tensor import Tensor
from kaitai_gguf.schema import ValueType
from kaitai_gguf.threads import map_threads
from kaitai_gguf.types import Progress, block_size, type_size

Change = Literal["type", "dims", "offset", "data"]

FACTS = ("version", "byte_order", "alignment")

_THREADS = 2  # more would only wait for memory or for the disk
_SHOWN = 3  # how many differing elements of an array to return
_ELEMENTS = 1 << 17  # numbers to compare at a time: whole blocks of every type


@dataclass(frozen=True)
class ElementDifferences:
    """How the elements of two arrays of the same type differ."""

    count: int
    """How many elements differ, including those that only the longer array has."""
    lengths: tuple[int, int]
    """The number of elements before and after."""
    first: tuple[tuple[int, Any, Any], ...]
    """The index, the element before and the element after, for the first three that differ."""


@dataclass(frozen=True)
class KeyDifference:
    """A key that is missing in one of the models, or has another type or value there."""

    key: str
    before: Entry | None
    after: Entry | None
    elements: ElementDifferences | None = None
    """The elements that differ, if both values are arrays of the same type."""


@dataclass(frozen=True)
class ValueErrors:
    """How far the dequantized numbers of a tensor have moved."""

    differing: int
    """How many numbers differ."""
    not_finite: int
    """How many of them are NaN or infinite before or after. The errors below leave these out."""
    max_abs: float
    """The largest |after - before|."""
    relative: float
    """The relative error: the square root of the sum of (after - before)² divided by the sum of before²."""


@dataclass(frozen=True)
class TensorDifference:
    """A tensor that is missing in one of the models, or differs."""

    name: str
    before: Tensor | None
    after: Tensor | None
    changes: tuple[Change, ...] = ()
    """What differs, if both models have the tensor. Data is compared only if type and dims are equal."""
    errors: ValueErrors | None = None
    """The errors of the values, if requested and the dims are equal."""


@dataclass(frozen=True)
class Differences:
    """The result of `diff`. True if any key or tensor differs; `facts` don't count, as they only concern storage."""

    facts: dict[str, tuple[Any, Any]]
    """The version, byte order and alignment of both models, where they differ."""
    keys: tuple[KeyDifference, ...]
    tensors: tuple[TensorDifference, ...]
    not_compared: tuple[str, ...]
    """The names of tensors of an unknown type that both models have. Their data can't be compared."""

    def __bool__(self) -> bool:
        return bool(self.keys or self.tensors)


def diff(
    before: ModelOrSource,
    after: ModelOrSource,
    *,
    data: bool = True,
    values: bool = False,
    progress: Progress | None = None,
) -> Differences:
    """Return the differences between two models. The order of keys and tensors in the header does not matter.

    before, after  open models, or anything that `open()` takes. Files opened here are closed on return, and then the
                   data of the result's tensors can't be read.
    data           whether to compare the data of tensors.
    values         whether to measure how far numbers are apart, for tensors whose data or type differs.
    progress       called from one of two threads with the number of bytes of `before` compared since the last call.

    Offsets are compared too, so a tensor that was moved differs, unless one of the models is in several files. Takes a
    few megabytes of memory plus the arrays of strings that differ. Raises `MissingDataError` if data to be compared is
    missing from a file, and what `open()` raises.
    """

    def work(pair: tuple[Tensor | None, Tensor | None]) -> TensorDifference | None:
        difference = _tensor_difference(*pair, data, values, offsets)
        if progress is not None and pair[0] is not None:
            progress(pair[0].nbytes or 0)
        return difference

    with model_of(before) as one, model_of(after) as other:
        facts = {name: (getattr(one, name), getattr(other, name)) for name in FACTS}
        offsets = len(one.shards) == len(other.shards) == 1
        names = dict.fromkeys(chain(one.tensors, other.tensors))
        pairs = [(one.tensors.get(name), other.tensors.get(name)) for name in names]
        tensors = map_threads(work, pairs, _THREADS if data else 1)
        unknown = (a.name for a, b in pairs if a and b and a.type is None and a.type_id == b.type_id)
        return Differences(
            {name: pair for name, pair in facts.items() if pair[0] != pair[1]},
            tuple(_key_differences(one, other)),
            tuple(each for each in tensors if each is not None),
            tuple(unknown) if data else (),
        )


# Keys


def _key_differences(before: GGUFFile, after: GGUFFile) -> Iterator[KeyDifference]:
    is_same_form = (before.byte_order, before.version) == (after.byte_order, after.version)
    for key in dict.fromkeys(chain(before.metadata, after.metadata)):
        one = before.metadata.entry(key) if key in before.metadata else None
        other = after.metadata.entry(key) if key in after.metadata else None
        if one is None or other is None or (one.value_type, one.element_type) != (other.value_type, other.element_type):
            yield KeyDifference(key, one, other)
        elif one.value_type is not ValueType.ARRAY:
            if _scalar(before, one) != _scalar(after, other):
                yield KeyDifference(key, one, other)
        elif not is_same_form or one.count != other.count or before.metadata.raw(key) != after.metadata.raw(key):
            elements = _element_differences(before.metadata[key], after.metadata[key])
            if elements.count:
                yield KeyDifference(key, one, other, elements)


def _scalar(model: GGUFFile, entry: Entry) -> bytes:
    """Return the bytes of a value that is not an array. Those of a number are in little-endian order."""
    raw = model.metadata.raw(entry.key)
    return raw if model.byte_order == "little" or entry.value_type is ValueType.STRING else raw[::-1]


def _element_differences(one: Value, other: Value) -> ElementDifferences:
    assert not isinstance(one, str | int | float)
    assert not isinstance(other, str | int | float)
    common = min(len(one), len(other))
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        indices = np.flatnonzero(_bits(one[:common]) != _bits(other[:common]))
        count, first = len(indices), indices[:_SHOWN].tolist()
    else:
        pairs = zip(islice(one, common), islice(other, common), strict=True)
        different = [index for index, (before, after) in enumerate(pairs) if not _same_item(before, after)]
        count, first = len(different), different[:_SHOWN]
    lengths = (len(one), len(other))
    shown = tuple((index, one[index], other[index]) for index in first)
    return ElementDifferences(count + max(lengths) - common, lengths, shown)


def _same_item(one: Any, other: Any) -> bool:
    if isinstance(one, str):
        return bool(one == other)
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        # The name of a dtype leaves out its byte order.
        return one.dtype.name == other.dtype.name and _same_bits(_bits(one), _bits(other))
    if isinstance(one, NestedArray | StringArray) and type(one) is type(other):
        return len(one) == len(other) and all(map(_same_item, one, other))
    return False


def _bits(array: NDArray[Any]) -> NDArray[Any]:
    return array.view(f"{'>' if array.dtype.byteorder == '>' else '<'}u{array.itemsize}")


def _same_bits(one: NDArray[Any], other: NDArray[Any]) -> bool:
    return len(one) == len(other) and not (one != other).any()


# Tensors


def _tensor_difference(
    one: Tensor | None, other: Tensor | None, data: bool, values: bool, offsets: bool
) -> TensorDifference | None:
    if one is None or other is None:
        return TensorDifference((one or other).name, one, other)  # type: ignore[union-attr]  # one of them has it
    changes = _changes(one, other, data, offsets)
    if not changes:
        return None
    wanted = values and data and {"data", "type"} & set(changes) and one.dims == other.dims
    errors = _errors(one, other) if wanted and one.type is not None and other.type is not None else None
    return TensorDifference(one.name, one, other, changes, errors)


def _changes(one: Tensor, other: Tensor, data: bool, offsets: bool) -> tuple[Change, ...]:
    changes: list[Change] = []
    if one.type_id != other.type_id:
        changes.append("type")
    if one.dims != other.dims:
        changes.append("dims")
    if offsets and one.offset != other.offset:
        changes.append("offset")
    if data and one.type is not None and (one.type_id, one.dims) == (other.type_id, other.dims):
        others = tensor_chunks(other)
        if one.byte_order != other.byte_order:
            others = (byteswap(chunk, other.type_id) for chunk in others)
        if not all(_same_bits(*pair) for pair in zip(tensor_chunks(one), others, strict=True)):
            changes.append("data")
    return tuple(changes)


def _errors(one: Tensor, other: Tensor) -> ValueErrors:
    differing = not_finite = 0
    largest = squares = before_squares = 0.0
    with np.errstate(all="ignore"):
        for before, after in zip(_numbers(one), _numbers(other), strict=True):
            different = (before != after) & ~(np.isnan(before) & np.isnan(after))
            finite = np.isfinite(before) & np.isfinite(after)
            differing += int(np.count_nonzero(different))
            not_finite += int(np.count_nonzero(different & ~finite))
            errors = (after - before)[finite]
            largest = max(largest, float(np.abs(errors).max(initial=0)))
            squares += float(np.square(errors).sum())
            before_squares += float(np.square(before[finite]).sum())
    relative = (squares / before_squares) ** 0.5 if before_squares else (float("inf") if squares else 0.0)
    return ValueErrors(differing, not_finite, largest, relative)


def _numbers(tensor: Tensor) -> Iterator[NDArray[np.float64]]:
    """Yield the dequantized numbers of a tensor, the same number at a time whatever its type."""
    assert tensor.type is not None
    nbytes = _ELEMENTS // block_size(tensor.type) * type_size(tensor.type)
    for chunk in tensor_chunks(tensor, nbytes):
        yield dequantize(chunk, tensor.type, dtype=np.float64, threads=1, byte_order=tensor.byte_order)
