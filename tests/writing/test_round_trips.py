"""Files that are read and written: the same bytes, or the same values in another layout."""

import os
from pathlib import Path

import pytest
from hypothesis import given, strategies as st
from support.gguf_bytes import Array, Model, TensorSpec
from support.strategies import models

import kaitai_gguf
from writing.build import copied, original

MODELS = sorted((Path(__file__).parents[1] / "data" / "models").glob("*.gguf"))
MORE = sorted(Path(os.environ["KAITAI_GGUF_MODELS"]).glob("*.gguf")) if "KAITAI_GGUF_MODELS" in os.environ else []

by_stem = pytest.mark.parametrize("path", [*MODELS, *MORE], ids=lambda path: path.stem)


@by_stem
def test_read_and_written_is_the_same_file(path: Path) -> None:
    with kaitai_gguf.open(path, shards=False) as model:
        assert copied(model) == original(path)


@by_stem
def test_twice_in_the_other_byte_order_is_the_same_file(path: Path) -> None:
    with kaitai_gguf.open(path, shards=False) as model:
        other = copied(model, byte_order="big" if model.byte_order == "little" else "little")
        with kaitai_gguf.open(other) as swapped:
            assert swapped.byte_order != model.byte_order
            assert copied(swapped, byte_order=model.byte_order) == original(path)


@given(models())
def test_any_file_is_written_as_it_was(model: Model) -> None:
    data = model.build()
    assert copied(kaitai_gguf.open(data)) == data


@given(models(), st.binary(min_size=1, max_size=70))
def test_what_follows_the_last_tensor_stays(model: Model, more: bytes) -> None:
    data = model.build() + more
    assert copied(kaitai_gguf.open(data)) == data


@given(models(), st.data())
def test_a_file_that_is_cut_off_is_written_as_it_was(model: Model, draw: st.DataObject) -> None:
    data = model.build()
    data = data[: draw.draw(st.integers(len(model.header()), len(data)))]
    assert copied(kaitai_gguf.open(data)) == data


def test_a_type_that_is_not_known_is_copied() -> None:
    data = Model([], [TensorSpec("t", (2,), 77, 0)], b"abc").build()
    model = kaitai_gguf.open(data)
    assert copied(model) == data
    with pytest.raises(kaitai_gguf.UnknownTypeError, match="'t'"):
        copied(model, byte_order="big")


def test_a_float_that_is_not_a_number_keeps_its_bits() -> None:
    data = Model([("x", "float32", 1.5), ("y", "array", Array("float32", [1.5]))]).build()
    data = data.replace(b"\0\0\xc0\x3f", b"\1\0\xa0\x7f")  # a signalling NaN
    swapped = copied(kaitai_gguf.open(data), byte_order="big")
    assert swapped.count(b"\x7f\xa0\0\1") == data.count(b"\1\0\xa0\x7f") > 1
    assert copied(kaitai_gguf.open(swapped), byte_order="little") == data
