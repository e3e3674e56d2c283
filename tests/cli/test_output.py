"""Output about a file: escaped, shortened, readable."""

import re
import shutil
import tracemalloc
from json.encoder import encode_basestring
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.about import about
from support.commands import cells, output, process, run, terminal, terminals
from support.gguf_bytes import Model

import kaitai_gguf
from cli.conftest import SOURCE, Save
from kaitai_gguf.cli.commands.tensor import MOST_THREADS
from kaitai_gguf.cli.output import describe_value, printable
from kaitai_gguf.text import human_bytes, human_count

CONTROL = "".join(map(chr, [*range(32), *range(127, 160)]))
FORMAT = "\u00ad\u061c\u200b\u200e\u200f\u2028\u2029\u202a\u202e\u2060\u2066\u2069\ufeff\ufff9\U000e0001"


# Escaping


def test_what_can_not_be_printed_is_escaped() -> None:
    assert printable("日本 – ☃ é \\x1b 🦊") == "日本 – ☃ é \\x1b 🦊"
    for char in CONTROL + FORMAT + "\udcff\ue000\U0010ffff\u0378\u00a0\u3000":
        shown = printable(f"a{char}b")
        assert shown.isprintable()
        assert (shown.isascii(), shown[1]) == (True, "\\")
        assert shown.encode().decode("unicode_escape") == f"a{char}b"


# Sizes and counts


SIZES = {
    0: "0 B", 1: "1 B", 1023: "1,023 B", 1024: "1 KiB", 1536: "1.5 KiB", 1000 * 1024: "1,000 KiB",
    1023 * 1024: "1,023 KiB", 1024**2 - 1: "1 MiB", 4_692_144_128: "4.37 GiB", 2**63: "8,388,608 TiB",
}  # fmt: skip
COUNTS = {
    0: "0", 999: "999", 1000: "1 K", 999_499: "999 K", 999_999: "1 M", 7_241_732_096: "7.24 B", 10**12: "1 T",
    123_456 * 10**12: "123,456 T",
}  # fmt: skip


def test_sizes_and_counts() -> None:
    assert {size: human_bytes(size) for size in SIZES} == SIZES
    assert {number: human_count(number) for number in COUNTS} == COUNTS


# Values on one line


VALUES: list[tuple[Any, str]] = [
    (True, "true"), (False, "false"), (-7, "-7"), (2**64 - 1, "18446744073709551615"), (0.1, "0.1"),
    (float("nan"), "nan"), ("text", '"text"'), ('"', '"\\""'), ("", '""'), (np.arange(3), "[0, 1, 2]"),
    (np.array([True, False]), "[true, false]"), (np.array([], np.int8), "[]"),
]  # fmt: skip


def test_values() -> None:
    assert [describe_value(value) for value, _ in VALUES] == [text for _, text in VALUES]
    text = "".join(map(chr, range(127)))
    assert describe_value(text) == printable(encode_basestring(text))  # strings are escaped as in JSON


@pytest.mark.parametrize(
    "value", ["x" * 1000, "\x1b" * 100, np.arange(1000), np.arange(17), np.full(16, 1e300)], ids=type
)
def test_a_value_is_cut_to_size(value: object) -> None:
    shown = describe_value(value, 60)  # type: ignore[arg-type]
    assert len(shown) <= 60
    assert "…" in shown


# Tables


@pytest.mark.parametrize("command", ["info", "metadata"])
def test_a_narrow_terminal_cuts_nothing_off(command: str, save: Save) -> None:
    name = "abcdefghijklmnopqrstuvwxyz" * 2
    _, seen = terminal(command, save(Model([("general.name", "string", name)])), columns=80)
    letters = "".join(char for char in seen if char.isalpha())
    assert "…" not in seen
    assert all(letters.count(char) >= 2 for char in "abcdefghijklmnopqrstuvwxyz")


TABLES = [
    ["tensors", "{}"],
    ["tokens", "{}", "--special"],
    ["metadata", "{}"],
    ["hash", "{}"],
    ["diff", "{}", "{other}"],
    ["explain", "{}"],
    ["copy", "{}", "--exclude", "blk*", "--dry-run"],
    ["split", "{}", "--max-tensors", "3", "--dry-run"],
    ["info", "{}"],
    ["tensor", "{}", "blk.0.attn_q.weight"],
    ["export", "{}", "--output", "{beside}/out/", "--dry-run"],
]


@pytest.fixture
def folder(sample: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Change to a folder with two models. Their names are short, because tables do not wrap file names."""
    monkeypatch.chdir(tmp_path)
    shutil.copy(sample, "m.gguf")
    with kaitai_gguf.open(sample) as model:
        kaitai_gguf.convert(model, "o.gguf", version=2, tensors=list(model.tensors)[:4])
    return tmp_path


def placed(command: list[str]) -> list[str]:
    return [word.format("m.gguf", other="o.gguf", beside=".") for word in command]


@pytest.mark.parametrize("columns", [60, 200])
@pytest.mark.usefixtures("folder")
def test_a_terminal_breaks_no_name(columns: int) -> None:
    commands = [placed(command) for command in TABLES]
    for command, (_, seen) in zip(commands, terminals(commands, columns=columns), strict=True):
        with about(command):
            check_names(command, seen, columns)


def check_names(command: list[str], seen: str, columns: int) -> None:
    rows = cells(run(*command).stdout)  # checks that all have the same number of cells
    assert rows
    names = [word for row in rows for cell in row[:2] for word in cell.split() if "…" not in cell]
    lines = [re.sub("\x1b\\[[0-9]*m", "", line) for line in seen.splitlines() if not line.startswith("kaitai-gguf: ")]
    longest = max([len(word) for line in lines for word in line.split()] + [columns])
    assert [line for line in lines if len(line) > longest] == []
    shown = set(" ".join(lines).split())
    assert [name for name in names if name not in shown and not name.replace(".", "").isdigit()] == []


# Large tensors


@pytest.mark.parametrize(
    ("command", "most"),
    [
        (["tensor", "row"], 8 * MOST_THREADS),
        (["export", "--output", "x.npz"], 6),
        (["export", "--output", "x.safetensors"], 6),
        (["export", "--output", "x.npz", "--dequantize", "--dtype", "float16"], 6),
    ],
    ids=str,
)
@pytest.mark.usefixtures("folder")
def test_memory_is_a_few_chunks(command: list[str], most: int, large: Path) -> None:
    output("export", "m.gguf", "--output", "warm.safetensors", "--dequantize")  # so that imports are not measured
    tracemalloc.start()
    try:
        output(command[0], large, *command[1:])
        assert tracemalloc.get_traced_memory()[1] < most << 20
    finally:
        tracemalloc.stop()


def test_a_progress_bar_in_a_terminal_only(large: Path, tmp_path: Path) -> None:
    commands = {"reading": ["tensor", large, "row"], "writing": ["export", large, "--force", "-o", tmp_path / "x.npy"]}
    for word, command in commands.items():
        status, seen = terminal(*command)
        assert (status, word in seen) == (0, True)
        done = process(*command)
        assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize(
    "line",
    [
        "info FILE FILE2", "metadata FILE", "tensors FILE", "tokens FILE --special", "hash FILE",
        "explain FILE --at 40", "split FILE --max-tensors 5 --dry-run",
        "export FILE -o OUT/ --tensors blk* --dry-run", "export FILE -o OUT.safetensors --dry-run",
    ],
)  # fmt: skip
def test_a_column_has_the_same_name_in_json(line: str, sample: Path, tmp_path: Path) -> None:
    places = {"FILE": str(sample), "FILE2": str(SOURCE)}
    words = [places.get(word, word.replace("OUT", f"{tmp_path}/out")) for word in line.split()]
    columns = output(*words).splitlines()[0].split("\t")
    document = output(*words, "--json")
    assert [name for name in columns if f'"{name}"' not in document] == (["size"] if "explain" in line else [])
