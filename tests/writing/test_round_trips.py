"""Files that are read and written: the same bytes, or the same values in another layout."""

import os
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given, strategies as st
from kaitai_gguf_schema.read_write.gguf import Gguf
from kaitaistruct import KaitaiStream
from support.gguf_bytes import Array, Model, TensorSpec
from support.strategies import models

import kaitai_gguf
from kaitai_gguf import ValueType, WriteError
from kaitai_gguf.schema.writing import Scalar, Serializer
from writing.build import copied, original

MODELS = sorted((Path(__file__).parents[1] / "data" / "models").glob("*.gguf"))
MORE = sorted(Path(os.environ["KAITAI_GGUF_MODELS"]).glob("*.gguf")) if "KAITAI_GGUF_MODELS" in os.environ else []


@pytest.mark.parametrize("path", [*MODELS, *MORE], ids=lambda path: path.stem)
def test_read_and_written_is_the_same_file(path: Path) -> None:
    """Also after writing it byte-swapped, and byte-swapped again."""
    with kaitai_gguf.open(path, shards=False) as model:
        assert copied(model) == original(path)
        other = copied(model, byte_order="big" if model.byte_order == "little" else "little")
        with kaitai_gguf.open(other) as swapped:
            assert swapped.byte_order != model.byte_order
            assert copied(swapped, byte_order=model.byte_order) == original(path)


@given(models(), st.binary(max_size=70), st.data())
def test_any_file_is_written_as_it_was(model: Model, more: bytes, draw: st.DataObject) -> None:
    """With what follows the last tensor, or cut off."""
    data = model.build() + more
    for each in (data, data[: draw.draw(st.integers(len(model.header()), len(data)))]):
        assert copied(kaitai_gguf.open(each)) == each


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


# Headers as bytes


@given(models())
def test_the_generated_serializer_writes_the_same(model: Model) -> None:
    """The official compiler's read-write classes write the header that they have read."""
    with kaitai_gguf.open(model.build()) as opened:
        header = copied(opened)[: opened.header_nbytes]
    theirs = Gguf(KaitaiStream(BytesIO(header)))
    theirs._read()
    stream = KaitaiStream(BytesIO(bytes(len(header))))
    theirs.version_le__enabled = theirs.version_be__enabled = False
    theirs._check()
    theirs._write(stream)
    assert stream.to_byte_array() == header == model.header()


def test_what_no_reader_takes() -> None:
    class Long(bytes):
        def __len__(self) -> int:
            return 2**30 + 1

    for version in (1, 2, 3):
        with pytest.raises(WriteError, match="len_data is 1073741825, expected at most 1073741824"):
            Serializer(version, "little").value(Scalar(ValueType.STRING, Long()))
    with pytest.raises(WriteError, match="num_dims is 5, expected at most 4"):
        Serializer(3, "little").tensor_info(b"x", (1,) * 5, 0, 0)
