"""`kaitai-gguf diff`: lines, JSON, exit statuses."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.commands import cells, output, raw_characters, run, strict_json
from support.gguf_bytes import Array, Model, TensorSpec

from cli.conftest import MODELS, Save

F32, F16, UNKNOWN = 0, 1, 77


def rows(*arguments: object) -> list[tuple[str, ...]]:
    result = run("diff", *arguments)
    assert (result.exit_code, result.stderr) == (1, "")
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
    assert rows(*pair) == [
        ("header", "version", "3 → 2"),
        ("key", "name", 'string "a" → string "b"'),
        ("key", "gone", "removed: uint8 7"),
        ("key", "list", "4 → 3 elements, 2 of 4 elements differ: [1] 2 → 5"),
        ("key", "new", "added: float32 0.5"),
        ("tensor", "data", "offset: 32 → 64, data differ"),
        ("tensor", "type", "type: F32 → F16, offset: 160 → 32"),
    ]


def test_values_have_a_line_more(pair: tuple[Path, Path]) -> None:
    found = [row for row in rows(*pair, "--values") if row[2].startswith("values")]
    assert found == [
        ("tensor", "data", "values: 32 of 32 differ, max abs 1, relative 0.0554274"),
        ("tensor", "type", "values: 0 of 8 differ, max abs 0, relative 0"),
    ]


def test_the_same_as_json(pair: tuple[Path, Path]) -> None:
    found = document(*pair, "--values")
    assert found["same"] is False
    assert found["header"] == {"version": {"before": 3, "after": 2}}
    assert found["keys"][0] == {
        "key": "name",
        "before": {"type": "string", "value": "a"},
        "after": {"type": "string", "value": "b"},
    }
    assert found["keys"][1]["after"] is None
    assert found["keys"][2]["differing"] == 2
    assert found["keys"][2]["first"] == [{"index": 1, "before": 2, "after": 5}]
    assert found["tensors"][0]["changes"] == ["offset", "data"]
    assert found["tensors"][0]["values"] == {
        "differing": 32, "not_finite": 0, "max_abs": 1.0, "relative": pytest.approx((32 / 10416) ** 0.5),
    }  # fmt: skip
    assert found["tensors"][1]["before"]["type"] == "F32"


def test_headers_alone(pair: tuple[Path, Path]) -> None:
    assert ("tensor", "data", "offset: 32 → 64") in rows(*pair, "--no-data")
    assert run("diff", *pair, "--no-data", "--values").exit_code == 2


def test_where_nothing_differs_nothing_is_printed() -> None:
    path = MODELS / "v1.gguf"
    assert output("diff", path, path) == ""
    assert strict_json(output("diff", path, path, "--json")) == {
        "same": True, "header": {}, "keys": [], "tensors": [], "not_compared": [],
    }  # fmt: skip


def test_elements_of_all_kinds(save: Save) -> None:
    arrays = {"string": ["a", b"\xff"], "float32": [0.1, float("nan")], "array": [Array("int8", [1])] * 2}
    one, other = (
        save(Model([(type, "array", Array(type, items[::step])) for type, items in arrays.items()]), f"{step}.gguf")
        for step in (1, -1)
    )
    first = [row["first"] for row in document(one, other)["keys"]]
    assert first[0][1] == {"index": 1, "before": {"base64": "/w=="}, "after": "a"}
    assert first[1][0] == {"index": 0, "before": 0.1, "after": "NaN"}
    three = save(Model([("array", "array", Array("array", [Array("int8", [1]), Array("int8", [2])]))]), "3.gguf")
    row = next(row for row in document(one, three)["keys"] if row["key"] == "array")
    assert (row["differing"], row["first"]) == (1, [{"index": 1, "before": [1], "after": [2]}])


def test_what_is_not_compared_is_told(save: Save) -> None:
    path = save(Model(tensors=[TensorSpec("t", (8,), UNKNOWN, 0)]))
    result = run("diff", path, path)
    assert (result.exit_code, result.stdout) == (0, "")
    assert "tensor 't' has an unknown type: its data was not compared" in result.stderr


def test_nothing_is_printed_raw(save: Save) -> None:
    evil = "\x1b[31m\n\u202e"
    one = save(
        Model(
            [(evil, "string", evil), ("a", "array", Array("string", [evil]))], [TensorSpec(evil, (), F32, 0)], bytes(4)
        )
    )
    other = save(Model([("a", "array", Array("string", ["b"]))]), "other.gguf")
    result = run("diff", one, other)
    assert not raw_characters(result.stdout)
    assert len(cells(result.stdout)) == 3


def test_the_file_that_is_wrong_is_named(save: Save) -> None:
    good, bad = save(Model(), "good.gguf"), save(b"GGUX", "bad.gguf")
    for pair in ((good, bad), (bad, good)):
        result = run("diff", *pair)
        assert result.exit_code == 2
        assert result.stderr.startswith(f"kaitai-gguf: {bad}: not a GGUF file")
