"""The key-values and tensors of one header as columns. Those of many headers become one record batch.

Creating Arrow arrays for a single header takes longer than reading it.
"""

import hashlib
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain
from typing import Any

import numpy as np

from kaitai_gguf.catalog.packages import arrow
from kaitai_gguf.catalog.tables import schema
from kaitai_gguf.catalog.text_columns import readable, text_columns
from kaitai_gguf.decimals import shortest
from kaitai_gguf.reading.arrays import read_array
from kaitai_gguf.reading.file import GGUFFile
from kaitai_gguf.schema import BLOCKS, ArrayInfo, GGMLType, IntArray, ValueType
from kaitai_gguf.tensor_names import tensor_role
from kaitai_gguf.types import value_dtype

__all__ = ["Columns", "KeyValueColumns", "TensorColumns", "batch_of"]

Columns = list[Any]
"""A list, a numpy array or a pyarrow.Array for each column; lists of text come without the column of bytes."""

_INT64 = np.iinfo(np.int64).max
_ROLES = 1 << 14  # names whose roles are cached: most models have the same names
_NAME_LISTS = 64  # files whose columns of names are cached: models of one kind have the same names
_NAMES = 1 << 13  # the most names of a file whose columns are cached

_role = lru_cache(_ROLES)(tensor_role)


class KeyValueColumns:
    """The key-values of an open file."""

    def __init__(self, model: GGUFFile) -> None:
        self._header = model.header
        self._table = model.header.key_values
        self.keys = self._header.keys
        self.scalars: dict[str, Any] = {}
        """The values that are not arrays, by key."""
        self.arrays: dict[str, ArrayInfo] = {}
        self._starts = self._table.value.copy()
        for value_type in np.unique(self._table.value_type).tolist():
            self._read(ValueType(value_type), np.flatnonzero(self._table.value_type == value_type))

    def _read(self, type: ValueType, rows: IntArray) -> None:
        keys = [self.keys[row] for row in rows.tolist()]
        if type is ValueType.ARRAY:
            infos = self._header.arrays(self._table.value[rows])
            self._starts[rows] = [info.elements for info in infos]
            self.arrays.update(zip(keys, infos, strict=True))
        elif type is ValueType.STRING:
            starts, ends = self._header.string_spans(self._table.value[rows])
            self._starts[rows] = starts
            self.scalars.update(zip(keys, self._header.texts(starts, ends), strict=True))
        else:
            self.scalars.update(zip(keys, self._numbers(type, self._table.value[rows]), strict=True))

    def _numbers(self, type: ValueType, positions: IntArray) -> list[Any]:
        dtype = value_dtype(type, self._header.byte_order)
        assert dtype is not None
        raw = np.frombuffer(self._header.buf, np.uint8)[positions[:, None] + np.arange(dtype.itemsize)]
        values = raw[:, 0] != 0 if type is ValueType.BOOL else raw.view(dtype)[:, 0]
        return [shortest(value) for value in values] if type is ValueType.FLOAT32 else list(values.tolist())

    def columns(self, file: str) -> Columns:
        """Return the rows of the table `metadata`."""
        count = len(self.keys)
        types = self._table.value_type
        infos = [self.arrays.get(key) for key in self.keys]
        values = [self.scalars.get(key) for key in self.keys]
        ends = self._table.end.tolist()
        return [
            [file] * count,
            np.arange(count),
            self.keys,
            [_VALUE_TYPES[type] for type in types.tolist()],
            [None if info is None else str(info.element_type) for info in infos],
            [None if info is None else info.num_elements for info in infos],
            [value if type(value) is int and value <= _INT64 else None for value in values],
            [value if type(value) is int and value > _INT64 else None for value in values],
            [value if type(value) is float else None for value in values],
            [value if type(value) is bool else None for value in values],
            [value if type(value) is str else None for value in values],
            self._starts,
            self._table.end - self._starts,
            [None if info is None else self._sha256(info, end) for info, end in zip(infos, ends, strict=True)],
        ]

    def _sha256(self, info: ArrayInfo, end: int) -> str:
        return hashlib.sha256(memoryview(self._header.buf)[info.elements : end]).hexdigest()

    def sha256(self, key: str) -> str | None:
        """Return the SHA-256 of the elements of an array of strings; None for anything else."""
        info = self.arrays.get(key)
        if info is None or info.element_type is not ValueType.STRING:
            return None
        return self._sha256(info, int(self._table.end[self.keys.index(key)]))

    def values(self, key: str) -> list[Any]:
        """Return the elements of an array. Its key must exist."""
        return read_array(self._header, self.arrays[key]).tolist()


class TensorColumns:
    """The tensors of an open file."""

    def __init__(self, model: GGUFFile) -> None:
        self.table = model.header.tensor_infos
        self.nbytes = model.header.sizes
        self.names = model.header.names
        axes = np.arange(self.table.dims.shape[1])
        self._has_dim = axes < self.table.num_dims[:, None]
        self.n_elements: IntArray = np.where(self._has_dim, self.table.dims, np.uint64(1)).prod(axis=1, dtype=np.uint64)

    def columns(self, file: str) -> Columns:
        """Return the rows of the table `tensors`."""
        pa = arrow()
        count = len(self.names)
        type_ids = self.table.type_id
        ends = np.concatenate([[0], self.table.num_dims.cumsum()])
        dims = self.table.dims[self._has_dim].astype(np.int64)
        return [
            pa.repeat(file, count),
            np.arange(count),
            *(_kept_name_columns if count <= _NAMES else _name_columns)(tuple(self.names)),
            [_TYPE_NAMES.get(type_id) for type_id in type_ids.tolist()],
            type_ids,
            pa.ListArray.from_arrays(pa.array(ends, pa.int32()), pa.array(dims)),
            self.n_elements,
            self.table.offset,
            pa.array(self.nbytes.astype(np.int64), mask=~_IS_KNOWN.take(type_ids, mode="clip")),
        ]


def _name_columns(names: tuple[str, ...]) -> Columns:
    """Return the columns that depend only on the names of the tensors of a file: from `name` to `kind`."""
    roles = [_role(name) for name in names]
    others = {
        "block": [role.block for role in roles],
        "part": [role.part for role in roles],
        "role": [readable(role.role) for role in roles],
        "kind": [role.kind for role in roles],
    }
    types = schema("tensors")
    return [*text_columns(names), *(arrow().array(values, types.field(name).type) for name, values in others.items())]


_kept_name_columns = lru_cache(_NAME_LISTS)(_name_columns)


def batch_of(table: str, rows: Sequence[Columns]) -> Any:
    """Return the rows of several files as one `pyarrow.RecordBatch`."""
    fields = schema(table)
    return arrow().RecordBatch.from_arrays(list(_arrays(rows, fields)), schema=fields)


def _arrays(rows: Sequence[Columns], fields: Any) -> Iterator[Any]:
    """Yield the Arrow array of each field."""
    pa = arrow()
    columns = zip(*rows, strict=True)
    remaining = iter(fields)
    for field in remaining:
        chunks = next(columns)
        if isinstance(chunks[0], pa.Array):
            yield pa.concat_arrays(chunks)
        elif isinstance(chunks[0], np.ndarray):
            yield pa.array(np.concatenate(chunks), field.type)
        elif f"{field.name}_bytes" in fields.names:
            next(remaining)
            yield from text_columns(list(chain.from_iterable(chunks)))
        else:
            yield pa.array(list(chain.from_iterable(chunks)), field.type)


_VALUE_TYPES = {int(type): str(type) for type in ValueType}
_TYPE_NAMES = {int(type): GGMLType(type).name for type in BLOCKS}
_IS_KNOWN = np.array([type in _TYPE_NAMES for type in range(max(_TYPE_NAMES) + 2)])
