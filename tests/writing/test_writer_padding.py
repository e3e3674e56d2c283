"""Alignment and padding: how much is refused, and what is kept when copying."""

import io
from pathlib import Path

import numpy as np
import pytest
from support.gguf_bytes import Model, TensorSpec

import kaitai_gguf
from kaitai_gguf import WriteError, write
from writing.build import copied, written


def test_an_alignment_that_makes_a_large_file_of_a_small_one(tmp_path: Path) -> None:
    array, path = np.ones(3, np.int8), tmp_path / "model.gguf"
    words = r"alignment 2147483648 and offsets would add 4294967\d+ bytes of padding to \d+ bytes of header and data"
    for action in (
        lambda: write(path, {}, {"t": array}, alignment=1 << 31),
        lambda: write(path, {"general.alignment": 1 << 31}, {"t": array}),
        lambda: write(io.BytesIO(), {}, {"t": array}, alignment=1 << 31),
    ):
        with pytest.raises(WriteError, match=words):
            action()
    assert list(tmp_path.iterdir()) == []


def test_padding_that_is_wanted(tmp_path: Path) -> None:
    path = tmp_path / "model.gguf"
    write(path, {}, {"t": np.ones(3, np.int8)}, alignment=1 << 28, allow_padding=True)
    assert path.stat().st_size == 1 << 29
    if hasattr(path.stat(), "st_blocks"):
        assert path.stat().st_blocks * 512 < 1 << 20
    with kaitai_gguf.open(path) as model:
        assert (model.alignment, model.data_offset) == (1 << 28, 1 << 28)
        assert model.tensors["t"].data.tolist() == [1, 1, 1]


def test_padding_after_another_header() -> None:
    """A copy has as much padding as its source, or less. Large padding that the source did not have is refused."""
    header = Model([("general.alignment", "uint32", 1 << 31)]).header()
    for data in (header, header + b"\0"):
        model = kaitai_gguf.open(data)
        assert copied(model) == data
    with pytest.raises(WriteError, match="would add 214748"):
        copied(model, version=1)
    with pytest.raises(WriteError, match="would add 214748"):
        written({**model.metadata, "x": 1}, model.tensors)


@pytest.mark.parametrize(("name", "is_kept"), [("four", True), ("three", False)])
def test_padding_that_is_not_zeros_is_kept_where_it_has_the_same_size(name: str, is_kept: bool) -> None:
    """Version 1 saves 4 bytes per length, so 8 lengths save exactly one alignment of 32 bytes."""
    rows = [(name + str(number), "uint8", 1) for number in range(4 if is_kept else 3)]
    model = Model(rows, [TensorSpec("t", (2,), 24, 0)], b"ab")
    assert ((2 + len(rows) + 2) * 4 % 32 == 0) == is_kept
    data = bytearray(model.build())
    data[len(model.header())] = 7
    one = copied(kaitai_gguf.open(bytes(data)), version=1)
    back = copied(kaitai_gguf.open(one), version=3)
    assert back == (data if is_kept else model.build())
