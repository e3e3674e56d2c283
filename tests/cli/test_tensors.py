"""`kaitai-gguf tensors`: selection, order and format."""

from pathlib import Path

import pytest
from support.commands import cells, output, run, strict_json, terminal
from support.gguf_bytes import Model, TensorSpec

from cli.conftest import Save

Q4_0, I8, UNKNOWN, REMOVED = 2, 24, 99, 31


@pytest.fixture
def model(save: Save) -> Path:
    tensors = [
        TensorSpec("b.1", (64, 2, 3), Q4_0, 0),
        TensorSpec("a.2", (), I8, 256),
        TensorSpec("B.3", (0, 5), I8, 288),
        TensorSpec("c.4", (5,), UNKNOWN, 320),
        TensorSpec("c.5", (5,), REMOVED, 224),
    ]
    return save(Model([], tensors, bytes(400)))


def names(path: Path, *arguments: str) -> list[str]:
    rows = [name for name, *_ in cells(output("tensors", path, *arguments))]
    assert rows == [row["name"] for row in strict_json(output("tensors", path, *arguments, "--json"))]
    return rows


def test_rows_of_a_pipe(model: Path) -> None:
    assert output("tensors", model) == (
        "name\tshape\ttype\tbytes\toffset\n"
        "b.1\t3 × 2 × 64\tQ4_0\t216\t0\n"
        "a.2\tscalar\tI8\t1\t256\n"
        "B.3\t5 × 0\tI8\t0\t288\n"
        "c.4\t5\ttype 99\t?\t320\n"
        "c.5\t5\tQ4_0_4_4\t?\t224\n"
    )


def test_json_is_that_of_a_dump_with_block_role_and_shape(save: Save) -> None:
    names = ["blk.3.attn_q.weight", "x", "blk.0.\udcff"]
    path = save(Model([], [TensorSpec(name, (8,), I8, 32 * i) for i, name in enumerate(names)], bytes(96)))
    blocks = [{"block": 3, "role": "attn_q"}, {"block": None, "role": "x"}, {"block": 0, "role": {"base64": "/w=="}}]
    dumped = strict_json(output("dump", path))["tensors"]
    assert len(dumped) == 3
    rows = strict_json(output("tensors", path, "--json"))
    assert rows == [a | b | {"shape": [8]} for a, b in zip(dumped, blocks, strict=True)]


@pytest.mark.parametrize(
    ("key", "order"),
    [
        ("name", ["B.3", "a.2", "b.1", "c.4", "c.5"]),
        ("type", ["a.2", "B.3", "b.1", "c.5", "c.4"]),
        ("bytes", ["B.3", "c.4", "c.5", "a.2", "b.1"]),
        ("offset", ["b.1", "c.5", "a.2", "B.3", "c.4"]),
        ("file", ["b.1", "a.2", "B.3", "c.4", "c.5"]),
        ("", ["b.1", "a.2", "B.3", "c.4", "c.5"]),
    ],
)
def test_sort_and_reverse(key: str, order: list[str], model: Path) -> None:
    sort = ["--sort", key] if key else []
    assert names(model, *sort) == order
    assert names(model, *sort, "--reverse") == order[::-1]


@pytest.mark.parametrize(
    ("pattern", "chosen"),
    [
        ("b*", ["b.1"]),
        ("c.?", ["c.4", "c.5"]),
        ("[!abc]*", ["B.3"]),
    ],
)
def test_a_pattern(pattern: str, chosen: list[str], model: Path) -> None:
    assert names(model, pattern) == chosen


@pytest.mark.parametrize(
    ("pattern", "hint"),
    [
        ("c", "; did you mean '*c*'?"),
        ("A.2", "; names are case-sensitive"),
        ("c.44", "; did you mean 'c.4'?"),
        ("zzz", ""),
        ("", ""),
    ],
)
def test_a_pattern_without_a_match(pattern: str, hint: str, model: Path) -> None:
    for options in ([], ["--json"]):
        result = run("tensors", model, pattern, *options)
        assert (result.exit_code, result.stdout) == (1, "")
        assert result.stderr == f"kaitai-gguf: {model}: no tensor matches {pattern!r}{hint}\n"


def test_types(model: Path) -> None:
    assert names(model, "--type", "q4_0") == ["b.1"]
    assert names(model, "--type", "Q4_0", "--type", "i8") == ["b.1", "a.2", "B.3"]
    assert names(model, "--type", "99") == ["c.4"]
    assert names(model, "--type", "q4_0_4_4") == ["c.5"]
    assert names(model, "[bc].*", "--type", "i8", "--type", "99") == ["c.4"]


def test_a_type_that_no_tensor_has(model: Path) -> None:
    result = run("tensors", model, "c*", "--type", "f16")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "no tensor has type F16; the types of matching tensors are type 99, Q4_0_4_4\n" in result.stderr
    assert "'q4k' is not a tensor type; did you mean Q4_K?" in run("tensors", model, "--type", "q4k").stderr


def test_columns(model: Path) -> None:
    text = output("tensors", model, "b*", "--columns", "position,NAME, dims,elements,type_id,shard,role")
    assert text == "position\tname\tdims\telements\ttype_id\tshard\trole\n224\tb.1\t64 × 2 × 3\t384\t2\t1\tb.1\n"
    assert "'size' is not a column; the columns are name, " in run("tensors", model, "--columns", "size").stderr
    assert run("tensors", model, "--columns", "name", "--json").exit_code == 2


def test_a_terminal_gets_sizes_for_people_and_totals(sample: Path) -> None:
    status, seen = terminal("tensors", sample, "blk*", "--columns", "name,bytes", columns=80)
    assert status == 0
    assert "blk.0.attn_q.weight         48 KiB" in seen
    assert seen.splitlines()[-1] == "9 tensors, 656 K parameters, 402 KiB"
    assert "49152" in output("tensors", sample, "blk*", "--columns", "name,bytes")


def test_a_file_without_tensors(save: Save) -> None:
    assert output("tensors", save(Model())) == "name\tshape\ttype\tbytes\toffset\n"
    assert output("tensors", save(Model()), "--json") == "[]\n"
