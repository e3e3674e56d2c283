"""`kaitai-gguf diff`: lines, JSON, exit statuses."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.commands import cells, fails, output, raw_characters, run, strict_json
from support.gguf_bytes import Array, Model, TensorSpec

from cli.conftest import Save

F32, F16, UNKNOWN = 0, 1, 77
EVIL = "\x1b[31m\n\u202e"


def rows(*arguments: object) -> list[tuple[str, ...]]:
    result = run("diff", *arguments)
    assert (result.exit_code, result.stderr, raw_characters(result.stdout)) == (1, "", set())
    return [tuple(row) for row in cells(result.stdout)]


def document(*arguments: object) -> Any:
    return strict_json(run("diff", *arguments, "--json").stdout)


@pytest.fixture
def pair(save: Save) -> tuple[Path, Path]:
    numbers = np.arange(32, dtype="<f4")
    one = Model(
        [("name", "string", "a"), ("gone", "uint8", 7), ("list", "array", Array("int32", [1, 2, 3, 4]))],
        [TensorSpec("same", (8,), F32, 0), TensorSpec("data", (32,), F32, 32), TensorSpec("type", (8,), F32, 160)],
        bytes(32) + numbers.tobytes() + bytes(32),
    )
    other = Model(
        [("name", "string", "b"), ("list", "array", Array("int32", [1, 5, 3])), ("new", "float32", 0.5)],
        [TensorSpec("same", (8,), F32, 0), TensorSpec("data", (32,), F32, 64), TensorSpec("type", (8,), F16, 32)],
        bytes(64) + (numbers + 1).tobytes(),
        version=2,
    )
    return save(one, "one.gguf"), save(other, "other.gguf")


def test_a_line_for_each_change(pair: tuple[Path, Path]) -> None:
    of_keys = [
        ("header", "version", "3 → 2"),
        ("key", "name", 'string "a" → string "b"'),
        ("key", "gone", "removed: uint8 7"),
        ("key", "list", "4 → 3 elements, 2 of 4 elements differ: [1] 2 → 5"),
        ("key", "new", "added: float32 0.5"),
    ]
    data, type = (
        ("tensor", "data", "offset: 32 → 64, data differ"),
        ("tensor", "type", "type: F32 → F16, offset: 160 → 32"),
    )
    values = ("tensor", "data", "values: 32 of 32 differ, max abs 1, relative 0.0554274")
    same_values = ("tensor", "type", "values: 0 of 8 differ, max abs 0, relative 0")
    assert rows(*pair) == [*of_keys, data, type]
    assert rows(*pair, "--values") == [*of_keys, data, values, type, same_values]
    assert rows(*pair, "--no-data") == [*of_keys, ("tensor", "data", "offset: 32 → 64"), type]
    fails("can't be given together", "diff", *pair, "--no-data", "--values")


def test_the_same_as_json(pair: tuple[Path, Path]) -> None:
    result = document(*pair, "--values")
    assert (result["same"], result["header"]) == (False, {"version": {"before": 3, "after": 2}})
    name, gone, array, _ = result["keys"]
    old, new = ({"type": "string", "value": text} for text in "ab")
    assert name == {"key": "name", "before": old, "after": new}
    assert gone == {"key": "gone", "before": {"type": "uint8", "value": 7}, "after": None}
    assert (array["differing"], array["first"]) == (2, [{"index": 1, "before": 2, "after": 5}])
    data, type = result["tensors"]
    assert (data["changes"], type["before"]["type"]) == (["offset", "data"], "F32")
    errors = {"differing": 32, "not_finite": 0, "max_abs": 1.0, "relative": pytest.approx((32 / 10416) ** 0.5)}
    assert data["values"] == errors


def test_where_nothing_differs_nothing_is_printed(save: Save) -> None:
    path = save(Model(tensors=[TensorSpec("t", (8,), UNKNOWN, 0)]))
    result = run("diff", path, path)
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == "kaitai-gguf: tensor 't' has an unknown type: its data was not compared\n"
    nothing = {"same": True, "header": {}, "keys": [], "tensors": [], "not_compared": ["t"]}
    assert strict_json(output("diff", path, path, "--json")) == nothing


@pytest.mark.parametrize(
    ("type", "before", "after", "first"),
    [
        ("string", ["a", b"\xff"], ["a", EVIL], {"index": 1, "before": {"base64": "/w=="}, "after": EVIL}),
        ("float32", [0.1], [float("nan")], {"index": 0, "before": 0.1, "after": "NaN"}),
        ("array", [Array("int8", [1])], [Array("int8", [2])], {"index": 0, "before": [1], "after": [2]}),
    ],
)
def test_elements_of_all_kinds(type: str, before: list[Any], after: list[Any], first: Any, save: Save) -> None:
    one = save(Model([(EVIL, "array", Array(type, before))], [TensorSpec(EVIL, (0,), F32, 0)]), "one.gguf")
    other = save(Model([(EVIL, "array", Array(type, after))]), "other.gguf")
    (row,) = document(one, other)["keys"]
    assert (row["differing"], row["first"]) == (1, [first])
    assert len(rows(one, other)) == 2  # checks that they have no raw characters


def test_the_broken_file_is_named(save: Save) -> None:
    good, bad = save(Model(), "good.gguf"), save(b"GGUX", "bad.gguf")
    for pair in ((good, bad), (bad, good)):
        fails(f"kaitai-gguf: {bad}: not a GGUF file", "diff", *pair)
