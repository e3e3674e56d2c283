"""Both scanners as parameters of tests, and everything that a reader finds with one of them."""

import os
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from kaitai_gguf import FormatError
from kaitai_gguf.reading.header import Header
from kaitai_gguf.schema import ValueType
from kaitai_gguf.schema.scanner import CompiledScanner, PythonScanner, Refused, Scanner

PYTHON = PythonScanner()


class NoFallback(PythonScanner):
    """A fallback for the compiled scanner that refuses without giving a reason."""

    def index(self, *_: Any, **__: Any) -> Any:
        raise Refused("invalid", 0, "/", "is refused")

    table = join = hashes = index


def compiled_alone() -> CompiledScanner:
    """Return the compiled scanner without a Python scanner as fallback."""
    return CompiledScanner(NoFallback())


def _parameters(make: Callable[[], Scanner]) -> Iterator[Any]:
    yield pytest.param(PYTHON, id="python")
    try:
        yield pytest.param(make(), id="compiled")
    except ImportError:
        if os.environ.get("CI") == "true":
            raise
        yield pytest.param(None, id="compiled", marks=pytest.mark.skip(reason="the compiled scanner was not built"))


each_scanner = pytest.mark.parametrize("scanner", list(_parameters(lambda: CompiledScanner(PYTHON))))
each_scanner_alone = pytest.mark.parametrize("scanner", list(_parameters(compiled_alone)))


def findings(data: bytes, scanner: Scanner) -> Any:
    """Return everything that a reader finds in the data, or None if it refuses the data."""
    try:
        reader = Header(data, scanner)
    except FormatError:
        return None
    key_values, infos = reader.key_values, reader.tensor_infos
    names = [(key_values.key_start, key_values.key_end), (infos.name_start, infos.name_end)]
    dims = [row[:count] for row, count in zip(infos.dims.tolist(), infos.num_dims.tolist(), strict=True)]
    tables = [[column.tolist() for column in columns] for columns in (key_values, infos._replace(dims=infos.num_dims))]
    texts = [(reader.texts(*spans), _hashes(reader, *spans)) for spans in names]
    values = zip(key_values.value_type.tolist(), key_values.value.tolist(), strict=True)
    arrays = [_array(reader, value) for value_type, value in values if value_type == ValueType.ARRAY]
    return tables, dims, texts, arrays, reader.end


def _array(reader: Header, position: int) -> Any:
    info = reader.array(position)
    if info.element_type is ValueType.STRING:
        starts, _ = reader.items(info)
        spans = reader.string_spans(starts)
        return info, reader.texts(*spans), _hashes(reader, *spans)
    if info.element_type is ValueType.ARRAY:
        return info, [_array(reader, start) for start in reader.items(info)[0].tolist()]
    return info


def _hashes(reader: Header, starts: Any, ends: Any) -> list[int]:
    hashes: list[int] = reader.scanner.hashes(reader.buf, starts, ends).tolist()
    return hashes
