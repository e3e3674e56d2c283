"""One tensor: its description in the header, zero-copy views of its data, and its values."""

import operator
import sys
from collections.abc import Iterator
from functools import lru_cache
from math import prod
from typing import TYPE_CHECKING, Any, SupportsIndex, overload

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from kaitai_gguf.dequantize import dequantize
from kaitai_gguf.dequantize.arrays import check_rows
from kaitai_gguf.errors import MissingDataError, TensorDataError, UnknownTypeError
from kaitai_gguf.forks import why_unknown
from kaitai_gguf.layout_rules import LIMIT
from kaitai_gguf.reading import notebook
from kaitai_gguf.reading.handle import Handle
from kaitai_gguf.sources import Source, Span
from kaitai_gguf.text import quoted
from kaitai_gguf.types import (
    ByteOrder,
    GGMLType,
    as_native,
    block_dtype,
    block_size,
    is_native,
    is_quantized,
    plain_dtype,
    stored_rows,
    type_name,
    type_size,
)

if TYPE_CHECKING:
    from kaitai_gguf.tensor_names import TensorRole

_TYPES = {type.value: type for type in GGMLType}
_KINDS = 1 << 8  # types and shapes to remember: most models have a few dozen
_LARGEST_ITEM = (1 << 31) - 1  # bytes: numpy's limit for a dtype

_Form = tuple[tuple[int, ...], np.dtype[Any], np.dtype[Any]]


class Tensor:
    """One tensor of a file. Its data is not read until it is accessed.

    `np.asarray(tensor)`, `torch.from_dlpack(tensor)`, `tensor[index]` and `len(tensor)` work as for an array of shape
    `shape`; quantized values are converted to float32.
    """

    __slots__ = ("_data_offset", "_handle", "byte_order", "dims", "name", "nbytes", "offset", "type", "type_id")

    def __init__(  # noqa: PLR0917 - thousands are made, and keyword arguments take twice as long
        self,
        handle: Handle,
        byte_order: ByteOrder,
        data_offset: int,
        name: str,
        dims: tuple[int, ...],
        type_id: int,
        offset: int,
        nbytes: int,
    ) -> None:
        self._handle = handle
        self._data_offset = data_offset
        self.byte_order: ByteOrder = byte_order
        """The byte order of the file: "little" or "big"."""
        self.name = name
        """The name. Bytes that are not UTF-8 are decoded with `surrogateescape`."""
        self.dims = dims
        """The dimensions in ggml order: `dims[0]`, the length of a row, varies fastest."""
        self.type_id = type_id
        """The number of the tensor type in the file."""
        self.type = _TYPES.get(type_id)
        """The tensor type; None if `type_id` is unknown."""
        self.offset = offset
        """The position of the data, in bytes from the start of the tensor data."""
        self.nbytes = nbytes if self.type is not None else None
        """The size of the data in bytes; None if the type is unknown."""

    @property
    def shape(self) -> tuple[int, ...]:
        """The dimensions in numpy order: the reverse of `dims`."""
        return self.dims[::-1]

    @property
    def type_name(self) -> str:
        """ggml's name of the type, even of one that ggml has removed; `type 77` for an unknown one."""
        return type_name(self.type_id)

    @property
    def block(self) -> int | None:
        """The number of the layer in the tensor's name: 3 for `blk.3.attn_q.weight`; None if the name has none.

        Not to be confused with `blocks`, the quantization blocks of the data.
        """
        return self._role().block

    @property
    def role(self) -> str:
        """The role of the tensor by its name: `attn_q` for `blk.3.attn_q.weight`. `tensor_role(name)` returns more."""
        return self._role().role

    @property
    def n_elements(self) -> int:
        """The number of elements: the product of `dims`, which is 1 for a scalar. `size` is the same."""
        return prod(self.dims)

    size = n_elements

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return len(self.dims)

    @property
    def dtype(self) -> np.dtype[Any]:
        """The dtype of `np.asarray(tensor)`: float32 for quantized types. Raises `UnknownTypeError`."""
        type = self._known_type()
        if is_quantized(type):
            return np.dtype(np.float32)
        dtype = plain_dtype(type, self.byte_order)
        return dtype if is_native(dtype) else dtype.newbyteorder("=")

    def __len__(self) -> int:
        """Return the length of the first axis. Raises TypeError for a tensor without axes."""
        if not self.dims:
            raise TypeError(f"tensor {quoted(self.name)} has no axes, and so no length")
        return self.dims[-1]

    def __bool__(self) -> bool:
        return True

    def __iter__(self) -> Iterator[Any]:
        return (self[number] for number in range(len(self)))

    def __getitem__(self, index: SupportsIndex | slice | tuple[Any, ...]) -> Any:
        """Return `np.asarray(tensor)[index]` for integers and slices. Only what the first of them chooses is read.

        Raises IndexError for an integer out of range or too many indices, TypeError for any other index, and the same
        errors as `data`.
        """
        if isinstance(index, tuple):
            first, *others = index or (slice(None),)
            kept = (slice(None),) if isinstance(first, slice) else ()
            return self[first][(*kept, *others)] if others else self[first]
        length = len(self)
        if not isinstance(index, slice):
            try:
                number = range(length)[operator.index(index)]
            except TypeError:
                message = "expected integers or slices; for other indices, use np.asarray(tensor)"
                raise TypeError(f"tensor {quoted(self.name)}: {message}") from None
            except IndexError:
                message = f"index {index} is out of range for a first axis of length {length}"
                raise IndexError(f"tensor {quoted(self.name)}: {message}") from None
            return self[number : number + 1][0]
        type = self._known_type()
        if not is_quantized(type) and not self.is_remote:
            return self.data[index]
        chosen = range(length)[index]
        numbers = np.arange(chosen.start, chosen.stop, chosen.step)
        if self.ndim == 1:  # the blocks that have these elements
            size = block_size(type)
            blocks, places = np.unique(numbers // size, return_inverse=True)
            return self._rows(blocks, size).reshape(-1)[places * size + numbers % size]
        inner = prod(self.shape[1:-1])
        rows = (numbers[:, None] * inner + np.arange(inner)).reshape(-1)
        return self._rows(rows, self.dims[0]).reshape(len(numbers), *self.shape[1:])

    def _rows(self, numbers: NDArray[np.int64], length: int) -> NDArray[Any]:
        """Return the values of some rows of `length` elements each."""
        stored = self._stored_rows(numbers, length)
        type = self._known_type()
        return dequantize(stored, type, byte_order=self.byte_order) if is_quantized(type) else as_native(stored)

    def _stored_rows(self, numbers: NDArray[np.int64], length: int) -> NDArray[Any]:
        """Return some rows of `length` elements each as they are stored. Each row is read once."""
        source, start, _ = place_of(self)
        type = self._known_type()
        size = length // block_size(type) * type_size(type)
        unique, places = np.unique(numbers, return_inverse=True)
        runs = np.split(unique, np.flatnonzero(np.diff(unique) != 1) + 1) if len(unique) else []
        spans = [Span(start + int(run[0]) * size, start + (int(run[-1]) + 1) * size) for run in runs]
        dtype, _, _ = stored_rows(type, self.byte_order)
        stored = np.frombuffer(b"".join(source.read_many(spans)), dtype)
        return stored.reshape(len(unique), size // dtype.itemsize)[places]

    @property
    def is_remote(self) -> bool:
        """Whether the file is remote: then its data is fetched on each access."""
        return self._handle.source.ranges is not None

    @property
    def position(self) -> int:
        """The position of the data, in bytes from the start of the file."""
        return self._data_offset + self.offset

    @property
    def data(self) -> np.ndarray[Any, np.dtype[Any]]:
        """The data as a read-only view, in the byte order of the file.

        For a type that isn't quantized this is an array of the elements, of shape `shape`; BF16 as
        `ml_dtypes.bfloat16`. For a quantized type it is the blocks as uint8, of shape `(*shape[:-1], row_bytes)`.
        BF16 in a byte order that isn't the machine's is a read-only copy in the machine's byte order, because
        `ml_dtypes.bfloat16` supports no other: `tolist()`, `sort()` and others would return wrong values.

        For a remote file this is a read-only array, fetched in one request on each access and not cached.

        Raises `UnknownTypeError` if the type is unknown, `MissingDataError` if the data is not in the file,
        `ClosedError` if the file was closed, `FileError` if the data can't be fetched. The view stays valid after the
        file is closed.
        """
        stored = self._view()
        return stored if stored.dtype.isnative else as_native(stored)  # one call less in most cases

    @property
    def blocks(self) -> np.ndarray[Any, np.dtype[Any]]:
        """The blocks as a read-only view: a structured array of shape `(*shape[:-1], blocks_per_row)`.

        The fields have the names in `ggml_block.ksy`, for example `blocks["d"]`. It is a copy if `data` is a copy.
        Raises the same errors as `data`.
        """
        type = self._known_type()
        if not is_quantized(type) and not is_native(plain_dtype(type, self.byte_order)):
            return self.data.reshape(self.shape or (1,)).view(block_dtype(type, sys.byteorder))
        return self._view(as_blocks=True)

    @overload
    def dequantize(
        self, *, threads: int | None = None, rows: slice | ArrayLike | None = None
    ) -> NDArray[np.float32]: ...

    @overload
    def dequantize(
        self,
        dtype: DTypeLike = np.float32,
        out: NDArray[Any] | None = None,
        threads: int | None = None,
        rows: slice | ArrayLike | None = None,
    ) -> NDArray[Any]: ...

    def dequantize(
        self,
        dtype: DTypeLike = np.float32,
        out: NDArray[Any] | None = None,
        threads: int | None = None,
        rows: slice | ArrayLike | None = None,
    ) -> NDArray[Any]:
        """Return the values as a new float array of shape `shape`. Types that aren't quantized are converted.

        dtype    float32, float16, float64 or bfloat16.
        out      an array of that dtype and shape, to fill and return instead of a new one.
        threads  the most threads to use; None: by size, at most 4.
        rows     a slice or an array of row indices; all axes but the last are counted as one. The result then has the
                 shape `(rows, shape[-1])`, and only these rows are read, or fetched from a remote file.

        Raises the same errors as `data`, and `TensorDataError` if the result would be too large for numpy.
        """
        if rows is not None and self.is_remote:
            *outer, length = self.shape or (1,)
            chosen = check_rows(rows, prod(outer))
            numbers = np.arange(*chosen.indices(prod(outer))) if isinstance(chosen, slice) else chosen
            data, rows = self._stored_rows(numbers, length), None
        else:
            data = self._view()
        if prod(max(dim, 1) for dim in self.dims) * 8 >= LIMIT:  # only an empty tensor gets here
            shown = " × ".join(map(str, self.dims))
            raise TensorDataError(f"tensor {quoted(self.name)}: {shown} floats are more than numpy arrays can hold")
        return dequantize(
            data, self._known_type(), dtype=dtype, out=out, threads=threads, rows=rows, byte_order=self.byte_order
        )

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> NDArray[Any]:
        """Return `data` for a type that isn't quantized, and `dequantize()` for one that is: `np.asarray(tensor)`."""
        if self.type is not None and is_quantized(self.type):
            if copy is False:
                raise ValueError(f"tensor {self.name!r}: {self.type_name} is not available as numbers without a copy")
            return self.dequantize() if dtype is None else self.dequantize().astype(dtype, copy=False)
        if copy is False and not is_native(self._view().dtype):
            message = f"{self.byte_order}-endian {self.type_name} is not available without a copy"
            raise ValueError(f"tensor {self.name!r}: {message}")
        return np.array(self.data, dtype, copy=copy)

    def __dlpack__(self, **options: Any) -> Any:
        """Export the array of `np.asarray(tensor)`: `torch.from_dlpack(tensor)`. It is read-only if it is a view.

        Raises BufferError for arrays that numpy can't export: bfloat16, big-endian numbers, and read-only memory if
        the library asks for a version of DLPack before 1.0.
        """
        return np.asarray(self).__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        return np.empty(0).__dlpack_device__()

    def __repr__(self) -> str:
        return f"<Tensor {self.name!r} {self.type_name} {self.shape}>"

    def _repr_html_(self) -> str:
        return notebook.tensor_table([self])

    def _role(self) -> "TensorRole":
        from kaitai_gguf.tensor_names import tensor_role  # importing its table takes longer than opening a file

        return tensor_role(self.name)

    def _known_type(self) -> GGMLType:
        if self.type is None:
            raise UnknownTypeError(f"tensor {quoted(self.name)}: its {why_unknown(self.type_id)}")
        return self.type

    def _view(self, as_blocks: bool = False) -> np.ndarray[Any, np.dtype[Any]]:
        """Return `data` or `blocks`, but always as a view in the byte order of the file. Raises the same errors."""
        source, start, end = place_of(self)
        shape, dtype, item = _form(self.type_id, self.byte_order, self.dims, as_blocks)
        if start == end:
            empty = np.empty(shape, dtype)
            empty.flags.writeable = False
            return empty
        try:
            raw = source.read(start, end)
        except ValueError:
            self._handle.check()  # another thread may just have unmapped the file
            raise
        # Unlike np.ndarray, frombuffer keeps the buffer exported: it can't be unmapped or resized under the view.
        view = np.frombuffer(raw, item)
        return view.reshape(shape) if item is dtype else view


def place_of(tensor: Tensor) -> tuple[Source, int, int]:
    """Return where the data is: the source of the file, and the positions where the data starts and ends.

    Raises `UnknownTypeError`, `ClosedError` or `MissingDataError`, like `Tensor.data`.
    """
    tensor._known_type()
    source = tensor._handle.source
    start = tensor._data_offset + tensor.offset
    end = start + (tensor.nbytes or 0)
    if start < end > source.nbytes:
        raise MissingDataError(
            f"tensor {quoted(tensor.name)}: its data is not in the file: bytes {start:#x} to {end:#x} are needed, "
            f"but {repr(source.name) if source.name else 'the file'} ends at {source.nbytes:#x}"
        )
    return source, start, end


def data_from(tensor: Tensor, raw: Any) -> np.ndarray[Any, np.dtype[Any]]:
    """Return `Tensor.data`, given its bytes."""
    shape, dtype, _ = _form(tensor.type_id, tensor.byte_order, tensor.dims, False)
    return as_native(np.frombuffer(raw, dtype).reshape(shape))


@lru_cache(_KINDS)
def _form(type_id: int, byte_order: ByteOrder, dims: tuple[int, ...], as_blocks: bool) -> _Form:
    """Return shape and dtype of the stored data, and the dtype of one item along the first axis.

    With the dtype of an item, `frombuffer` returns an array of the right shape; reshaping it takes 1.7 times as long.
    It is the dtype of the data again if numpy can't have it.
    """
    type = GGMLType(type_id)
    *outer, row = dims[::-1] or (1,)
    dtype, num_elements, num_stored = stored_rows(type, byte_order)
    if as_blocks:
        dtype, num_elements, num_stored = block_dtype(type, byte_order), block_size(type), 1
    shape = (*outer, row // num_elements * num_stored) if dims or as_blocks else ()
    item = dtype
    if len(shape) > 1 and 0 < prod(shape[1:]) * dtype.itemsize <= _LARGEST_ITEM:
        item = np.dtype((dtype, shape[1:]))
    return shape, dtype, item
