"""Wrong arguments: the error names the argument, and nothing is written."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kaitai_gguf

SOURCE = Path(__file__).parent / "data" / "models" / "split-source.gguf"

WRONG: list[tuple[Callable[[Path], Any], str]] = [
    (lambda to: kaitai_gguf.split(SOURCE, to, max_tensors=2.5), "max_tensors must be an integer, not 2.5"),
    (lambda to: kaitai_gguf.split(SOURCE, to, max_tensors="3"), "max_tensors must be an integer, not '3'"),
    (lambda to: kaitai_gguf.split(SOURCE, to, max_nbytes="1K"), "max_nbytes must be an integer, not '1K'"),
    (lambda to: kaitai_gguf.split(SOURCE, to), "a limit is missing: max_nbytes or max_tensors"),
    (
        lambda to: kaitai_gguf.split(SOURCE, to, max_nbytes=1, max_tensors=1),
        "expected one limit, max_nbytes or max_tensors, not both",
    ),
    (lambda _: kaitai_gguf.explain(SOURCE, at="0x10"), "at must be an integer, not '0x10'"),
    (lambda _: kaitai_gguf.explain(SOURCE, elements="3"), "elements must be an integer, not '3'"),
    (lambda to: kaitai_gguf.convert(SOURCE, to, alignment="64"), "alignment must be an integer, not '64'"),
    (
        lambda to: kaitai_gguf.write(to, {}, [("a", np.ones(3))]),
        "tensors must be a mapping, from names to data, not [('a', array",
    ),
    (lambda to: kaitai_gguf.convert(SOURCE, to, tensors="a"), "tensors must be a list of names, not 'a'"),
    (lambda _: kaitai_gguf.converted_header(SOURCE, tensors="a"), "tensors must be a list of names, not 'a'"),
    (lambda _: kaitai_gguf.open(SOURCE).fetch("a"), "names must be a list of names, not 'a'"),
    (lambda _: kaitai_gguf.tensor_role(5), "the name of a tensor must be a str, not 5"),
]


@pytest.mark.parametrize(("call", "message"), WRONG, ids=[message for _, message in WRONG])
def test_wrong_arguments_raise_type_errors(call: Callable[[Path], Any], message: str, tmp_path: Path) -> None:
    with pytest.raises(TypeError) as caught:
        call(tmp_path / "target")
    assert str(caught.value).startswith(message)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("limit", ["max_nbytes", "max_tensors"])
def test_a_limit_of_nothing_is_refused(limit: str) -> None:
    with pytest.raises(ValueError, match=f"{limit} must be at least 1, not 0"):
        kaitai_gguf.plan_split(SOURCE, **{limit: 0})


def test_an_integer_of_numpy_is_a_limit() -> None:
    assert kaitai_gguf.plan_split(SOURCE, max_tensors=np.uint8(5)) == kaitai_gguf.plan_split(SOURCE, max_tensors=5)


def test_names_may_come_from_a_generator(tmp_path: Path) -> None:
    with kaitai_gguf.open(SOURCE) as model:
        name = next(iter(model.tensors))
        kaitai_gguf.convert(model, tmp_path / "one.gguf", tensors=(each for each in [name]))
    with kaitai_gguf.open(tmp_path / "one.gguf") as one:
        assert list(one.tensors) == [name]
