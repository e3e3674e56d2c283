"""`kaitai-gguf tensors`: selection, order and format."""

import re
from pathlib import Path

import pytest
from support.commands import cells, fails, output, strict_json, terminal
from support.gguf_bytes import Model, TensorSpec

from cli.conftest import SOURCE, SPLIT, Save

Q4_0, I8, UNKNOWN, REMOVED = 2, 24, 99, 31


@pytest.fixture
def path(save: Save) -> Path:
    tensors = [
        TensorSpec("b.1", (64, 2, 3), Q4_0, 0),
        TensorSpec("a.2", (), I8, 256),
        TensorSpec("B.3", (0, 5), I8, 288),
        TensorSpec("c.4", (5,), UNKNOWN, 320),
        TensorSpec("c.5", (5,), REMOVED, 224),
    ]
    return save(Model([], tensors, bytes(400)))


def test_rows_of_a_pipe(path: Path, save: Save) -> None:
    assert output("tensors", path) == (
        "name\tshape\ttype\tnbytes\toffset\n"
        "b.1\t3 × 2 × 64\tQ4_0\t216\t0\n"
        "a.2\tscalar\tI8\t1\t256\n"
        "B.3\t5 × 0\tI8\t0\t288\n"
        "c.4\t5\ttype 99\t?\t320\n"
        "c.5\t5\tQ4_0_4_4\t?\t224\n"
    )
    empty = save(Model(), "empty.gguf")
    assert output("tensors", empty) == "name\tshape\ttype\tnbytes\toffset\n"
    assert output("tensors", empty, "--json") == "[]\n"


def test_json_is_that_of_a_dump_with_block_role_and_shape(save: Save) -> None:
    names = ["blk.3.attn_q.weight", "x", "blk.0.\udcff"]
    path = save(Model([], [TensorSpec(name, (8,), I8, 32 * i) for i, name in enumerate(names)], bytes(96)))
    blocks = [{"block": 3, "role": "attn_q"}, {"block": None, "role": "x"}, {"block": 0, "role": {"base64": "/w=="}}]
    dumped = strict_json(output("dump", path))["tensors"]
    rows = strict_json(output("tensors", path, "--json"))
    assert rows == [a | b | {"shape": [8]} for a, b in zip(dumped, blocks, strict=True)]


@pytest.mark.parametrize(
    ("options", "names"),
    [
        (["--sort", "name"], ["B.3", "a.2", "b.1", "c.4", "c.5"]),
        (["--sort", "type"], ["a.2", "B.3", "b.1", "c.5", "c.4"]),
        (["--sort", "size"], ["B.3", "c.4", "c.5", "a.2", "b.1"]),
        (["--sort", "offset", "--reverse"], ["c.4", "B.3", "a.2", "c.5", "b.1"]),
        (["--sort", "file"], ["b.1", "a.2", "B.3", "c.4", "c.5"]),
        (["c.?"], ["c.4", "c.5"]),
        (["--type", "Q4_0", "--type", "i8"], ["b.1", "a.2", "B.3"]),
        (["[bc].*", "--type", "i8", "--type", "99"], ["c.4"]),
    ],
    ids=" ".join,
)
def test_order_and_selection(options: list[str], names: list[str], path: Path) -> None:
    assert [name for name, *_ in cells(output("tensors", path, *options))] == names
    assert [row["name"] for row in strict_json(output("tensors", path, *options, "--json"))] == names


@pytest.mark.parametrize(
    ("words", "options"),
    [
        ("no tensor matches 'c'; did you mean '*c*'?", ["c"]),
        ("no tensor matches 'A.2'; names are case-sensitive", ["A.2"]),
        ("no tensor matches 'c.44'; did you mean 'c.4'?", ["c.44", "--json"]),
        ("no tensor has type F16; the types of matching tensors are type 99, Q4_0_4_4\n", ["c*", "--type", "f16"]),
    ],
)
def test_nothing_matches(words: str, options: list[str], path: Path) -> None:
    fails(words, "tensors", path, *options, status=1)


def test_columns(path: Path) -> None:
    text = output("tensors", path, "b*", "--columns", "position,NAME, dims,elements,type_id,shard,role,block")
    row = "224\tb.1\t64 × 2 × 3\t384\t2\t1\tb.1\t\n"
    assert text == f"position\tname\tdims\telements\ttype_id\tshard\trole\tblock\n{row}"


def test_regular_expressions(sample: Path) -> None:
    names = [row[0] for row in cells(output("tensors", sample, "--regex", r"^blk\.0\.ffn_(up|down)"))]
    assert names == ["blk.0.ffn_up.weight", "blk.0.ffn_down.weight"]


def test_columns_in_a_pipe(sample: Path) -> None:
    header, first, *_, totals = output("tensors", sample, "output*", "--table").splitlines()
    assert "\t" not in header + first
    assert re.sub("\x1b[^m]*m", "", header).split() == ["name", "shape", "type", "nbytes", "offset"]
    assert first.startswith("output_norm.weight      256  F32  ")
    assert totals.startswith("2 tensors")


def test_a_terminal_gets_sizes_for_people_and_totals(sample: Path) -> None:
    status, seen = terminal("tensors", sample, "blk*", "--columns", "name,nbytes", columns=80)
    assert status == 0
    assert "blk.0.attn_q.weight         48 KiB" in seen
    assert seen.splitlines()[-1] == "9 tensors, 656 K parameters, 402 KiB"
    assert "49152" in output("tensors", sample, "blk*", "--columns", "name,nbytes")


def test_shards_are_numbered() -> None:
    rows, whole = (strict_json(output("tensors", path, "--json")) for path in (SPLIT[0], SOURCE))
    assert [row["name"] for row in rows] == [row["name"] for row in whole]
    assert [row["shard"] for row in rows] == [1] * 5 + [2] * 5 + [3] * 2
    assert output("tensors", SPLIT[0]).splitlines()[-1] == "blk.0.ffn_down.weight\t4 × 256\tQ6_K\t840\t2048\t3"
