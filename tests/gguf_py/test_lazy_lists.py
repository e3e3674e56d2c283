"""Lazy sequences that behave like lists."""

import copy
import pickle
from typing import Any

import numpy as np
import pytest

from gguf_py.files import EXAMPLE
from kaitai_gguf.gguf_py import GGUFReader
from kaitai_gguf.gguf_py.parts import CHUNK, Indices, LazyList

NUMBERS = list(range(5, 25, 2))
SLICES = [slice(None), slice(2, 5), slice(None, None, -1), slice(-3, None), slice(8, 2, -3), slice(20, 30)]


def indices() -> Indices:
    return Indices(range(5, 25, 2))


def test_items_slices_and_comparison() -> None:
    assert indices() == NUMBERS == indices() == indices()
    for other in (NUMBERS[:-1], [0, *NUMBERS[1:]], tuple(NUMBERS)):
        assert indices() != other != indices()
    assert [indices()[number] for number in range(-10, 10)] == [NUMBERS[number] for number in range(-10, 10)]
    assert indices()[np.int64(3)] == NUMBERS[3]
    for each in SLICES:
        assert type(indices()[each]) is list
        assert indices()[each] == NUMBERS[each]
    for outside in (10, -11):
        with pytest.raises(IndexError, match=f"index {outside} of a list of 10 items"):
            indices()[outside]
    with pytest.raises(TypeError):
        indices()["x"]  # type: ignore[call-overload]


def test_what_else_a_list_can_do() -> None:
    assert (len(indices()), [*indices()], [*reversed(indices())]) == (10, NUMBERS, NUMBERS[::-1])
    assert indices() + [1] == [*NUMBERS, 1]  # noqa: RUF005
    assert [1] + indices() == [1, *NUMBERS]  # noqa: RUF005
    assert indices() + indices() == NUMBERS * 2
    with pytest.raises(TypeError):
        indices() + (1,)  # type: ignore[operator]  # noqa: RUF005
    assert (7 in indices(), 8 in indices(), indices().index(9, 1), indices().count(9)) == (True, False, 2, 1)
    with pytest.raises(TypeError, match="unhashable"):
        hash(indices())
    assert repr(indices()) == repr(NUMBERS)
    assert repr(Indices(range(1000))).endswith("98, 99, … 900 more]")


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda it: pickle.loads(pickle.dumps(it)), Indices.copy])
def test_a_copy_is_a_list(copied: Any) -> None:
    assert type(copied(indices())) is list
    assert copied(indices()) == NUMBERS


def test_iterating_makes_no_more_than_a_chunk_ahead() -> None:
    made: list[int] = []

    class Counted(LazyList[int]):
        def __len__(self) -> int:
            return 10 * CHUNK

        def _item(self, number: int) -> int:
            made.append(number)
            return number

    assert next(iter(Counted())) == 0
    assert len(made) == CHUNK
    assert list(Counted()) == list(range(10 * CHUNK))


@pytest.mark.parametrize("key", ["general.architecture", "tokenizer.ggml.tokens", "tokenizer.ggml.scores"])
def test_parts_are_like_a_list_of_arrays(key: str) -> None:
    parts = GGUFReader(EXAMPLE).fields[key].parts
    items = [parts[number] for number in range(len(parts))]
    assert len(items) >= 5
    assert parts == items == parts != items[:-1]
    for each in SLICES:
        assert [part.tobytes() for part in parts[each]] == [part.tobytes() for part in items[each]]
    pickled = pickle.loads(pickle.dumps(parts))
    assert type(pickled) is list
    assert parts == pickled
