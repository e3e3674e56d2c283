"""Wrong arguments: the error names the argument, and nothing is written."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kaitai_gguf

SOURCE = Path(__file__).parent / "data" / "models" / "split-source.gguf"

WRONG: dict[str, tuple[Callable[[Path], Any], str]] = {
    "a fraction of a tensor": (
        lambda target: kaitai_gguf.split(SOURCE, target, max_tensors=2.5),  # type: ignore[arg-type]
        "max_tensors must be an integer, not 2.5",
    ),
    "tensors as text": (
        lambda target: kaitai_gguf.split(SOURCE, target, max_tensors="3"),  # type: ignore[arg-type]
        "max_tensors must be an integer, not '3'",
    ),
    "a size with a unit": (
        lambda target: kaitai_gguf.split(SOURCE, target, max_nbytes="1K"),  # type: ignore[arg-type]
        "max_nbytes must be an integer, not '1K'",
    ),
    "no limit": (
        lambda target: kaitai_gguf.split(SOURCE, target),
        "a limit is missing: max_nbytes or max_tensors",
    ),
    "two limits": (
        lambda target: kaitai_gguf.split(SOURCE, target, max_nbytes=1, max_tensors=1),
        "expected one limit, max_nbytes or max_tensors, not both",
    ),
    "a position as text": (
        lambda _: kaitai_gguf.explain(SOURCE, at="0x10"),  # type: ignore[arg-type]
        "at must be an integer, not '0x10'",
    ),
    "a number of elements as text": (
        lambda _: kaitai_gguf.explain(SOURCE, elements="3"),  # type: ignore[arg-type]
        "elements must be an integer, not '3'",
    ),
    "an alignment as text": (
        lambda target: kaitai_gguf.convert(SOURCE, target, alignment="64"),  # type: ignore[arg-type]
        "alignment must be an integer, not '64'",
    ),
    "pairs of tensors": (
        lambda target: kaitai_gguf.write(target, {}, [("a", np.ones(3))]),  # type: ignore[arg-type]
        "tensors must be a mapping, from names to data, not [('a', array",
    ),
    "one name to convert": (
        lambda target: kaitai_gguf.convert(SOURCE, target, tensors="output.weight"),
        "tensors must be a list of names, not 'output.weight'",
    ),
    "one name for a header": (
        lambda _: kaitai_gguf.converted_header(SOURCE, tensors="output.weight"),
        "tensors must be a list of names, not 'output.weight'",
    ),
    "one name to fetch": (
        lambda _: kaitai_gguf.open(SOURCE).fetch("output.weight"),
        "names must be a list of names, not 'output.weight'",
    ),
    "a number for a name": (
        lambda _: kaitai_gguf.tensor_role(5),  # type: ignore[arg-type]
        "the name of a tensor must be a str, not 5",
    ),
}


@pytest.mark.parametrize(("call", "message"), WRONG.values(), ids=WRONG)
def test_wrong_arguments_raise_type_errors(call: Callable[[Path], Any], message: str, tmp_path: Path) -> None:
    with pytest.raises(TypeError) as caught:
        call(tmp_path / "target")
    assert str(caught.value).startswith(message)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("limit", ["max_nbytes", "max_tensors"])
def test_a_limit_of_nothing_is_refused(limit: str) -> None:
    options: dict[str, Any] = {limit: 0}
    with pytest.raises(ValueError, match=f"{limit} must be at least 1, not 0"):
        kaitai_gguf.plan_split(SOURCE, **options)


def test_an_integer_of_numpy_is_a_limit() -> None:
    assert kaitai_gguf.plan_split(SOURCE, max_tensors=np.uint8(5)) == kaitai_gguf.plan_split(SOURCE, max_tensors=5)  # type: ignore[arg-type]


def test_names_may_come_from_a_generator(tmp_path: Path) -> None:
    with kaitai_gguf.open(SOURCE) as model:
        name = next(iter(model.tensors))
        kaitai_gguf.convert(model, tmp_path / "one.gguf", tensors=(each for each in [name]))  # type: ignore[arg-type]
    with kaitai_gguf.open(tmp_path / "one.gguf") as one:
        assert list(one.tensors) == [name]
