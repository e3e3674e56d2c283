"""Broken and hostile files: only a `GGUFError` may be raised."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from attacks.corpus import CASES
from hypothesis import given
from support.gguf_bytes import F32, Model, file, tensor
from support.strategies import broken

import kaitai_gguf
from kaitai_gguf import GGUFError, MissingDataError
from kaitai_gguf.gguf_py import GGUFReader

Made = Callable[[Model | bytes], Path]


def use(reader: GGUFReader) -> int:
    """Read everything in a reader, and return the number of values read."""
    count = 0
    for field in [*reader.fields.values(), *(each.field for each in reader.tensors)]:
        for index in (slice(None), 0, -1):
            with suppress(UnicodeDecodeError, IndexError):  # as in gguf-py
                field.contents(index)
        assert len(field.parts) == len([*field.parts])
        assert all(0 <= index < len(field.parts) for index in field.data)
        count += 1
    for each in reader.tensors:
        assert each.data.nbytes == each.n_bytes
    return count


def verdict(action: Callable[[], Any]) -> Any:
    """Return the byte, path and message of the error that refuses a file, or None if the header is valid."""
    try:
        action()
    except MissingDataError:
        return None  # the header is valid
    except GGUFError as error:
        return getattr(error, "offset", None), getattr(error, "path", None), str(error)
    return None


def test_each_case_is_refused_where_the_library_refuses_it(tmp_path: Path) -> None:
    path = tmp_path / "model.gguf"
    verdicts = []
    for name, case in CASES.items():
        path.write_bytes(case.data)
        result = verdict(lambda: use(GGUFReader(path)))
        assert result == verdict(lambda: kaitai_gguf.open(path, shards=False)), name
        assert (result is None) == case.opens, name
        verdicts.append(result)
    assert len(verdicts) > 100
    assert 10 < verdicts.count(None) < len(verdicts) - 10


@given(data=broken())
def test_any_broken_header(data: bytes, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("broken") / "model.gguf"
    path.write_bytes(data)
    expected = verdict(lambda: kaitai_gguf.open(path, shards=False))
    result = verdict(lambda: use(GGUFReader(path)))
    assert result == expected or "is also the name of a field" in result[2]


@pytest.mark.parametrize("type_id", [F32, 28, 77])
@pytest.mark.parametrize("dims", [(0, 2**59), (2**59, 0), (2**20, 0, 2**20, 2**20)])
def test_huge_tensors_of_nothing(dims: tuple[int, ...], type_id: int, made: Made) -> None:
    path = made(file([], [tensor(dims, type_id)], bytes(64)))
    assert verdict(lambda: use(GGUFReader(path))) == verdict(lambda: kaitai_gguf.open(path, shards=False))
