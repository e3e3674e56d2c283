"""The functions that all kernels share."""

import numpy as np

from kaitai_gguf.dequantize.scratch import Scratch, gather, look_up, parts


def test_gather_swaps_what_is_big_endian() -> None:
    blocks = np.zeros(2, [("x", "u1"), ("words", ">u2", (3,)), ("bytes", "u1", (5,))])
    blocks["words"] = [[1, 2, 3], [4, 5, 0x1234]]
    blocks["bytes"] = np.arange(10).reshape(2, 5)
    assert gather(blocks["words"], Scratch(), "a").view(np.uint8)[1].tolist() == [4, 0, 5, 0, 0x34, 0x12]
    assert gather(blocks["bytes"], Scratch(), "a").tolist() == [[0, 1, 2, 3, 4], [5, 6, 7, 8, 9]]


def test_look_up_of_more_than_fits_one_part() -> None:
    codes = np.random.default_rng(0).integers(0, 300, (50, 1001), dtype=np.uint16)
    table = np.arange(300, dtype=np.uint64) * 7
    np.testing.assert_array_equal(look_up(table, codes, Scratch()), codes.astype(np.uint64) * 7)


def test_parts_cover_all() -> None:
    assert list(parts(10, 4)) == [slice(0, 4), slice(4, 8), slice(8, 12)]
    assert list(parts(0, 4)) == []


def test_buffers_are_used_again() -> None:
    scratch = Scratch()
    first = scratch.array("a", (2, 3), np.uint8)
    for shape in (2, 3), (3, 2), (1, 5):
        again = scratch.array("a", shape, np.uint8)
        assert again.shape == shape
        assert np.shares_memory(again, first)
    assert not np.shares_memory(scratch.array("a", (2, 4), np.uint8), first)
    assert not np.shares_memory(scratch.array("b", (2, 3), np.uint8), first)
