"""`kaitai-gguf tensor`: the statistics that numpy computes, in chunks, and a picture of them."""

import math
import re
import sys
import tracemalloc
from fractions import Fraction
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from support.commands import fails, output, process, raw_characters, run, strict_json, terminal
from support.gguf_bytes import Model, TensorSpec

import kaitai_gguf
from cli.conftest import ROOT, Save
from kaitai_gguf.cli import tensor_data
from kaitai_gguf.cli.commands.tensor import MOST_THREADS
from kaitai_gguf.cli.statistics import BINS, Histogram, Summary

F32, F16, Q4_0, I8, I64, F64, BF16, UNKNOWN = 0, 1, 2, 24, 27, 28, 30, 99
MODELS = [ROOT / "examples" / "sample.gguf", *sorted((ROOT / "tests" / "data" / "models").glob("tiny-*.gguf"))]
PLOT = ["blk.0.attn_k.weight", "--plot"]


def of(save: Save, values: Any, type_id: int, **options: Any) -> Path:
    """Write a file with a tensor `x` of these values."""
    array = np.asarray(values)
    spec = TensorSpec("x", array.shape[::-1], type_id, 0)
    return save(Model([], [spec], array.tobytes(), **options))


def facts(path: Path, name: str = "x") -> dict[str, str]:
    return dict(line.split("\t", 1) for line in output("tensor", path, name).splitlines() if line[0].isalpha())


def statistics(path: Path, name: str = "x") -> Any:
    return strict_json(output("tensor", path, name, "--json"))["statistics"]


# Numbers


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
def test_statistics_are_those_of_all_values(path: Path) -> None:
    with kaitai_gguf.open(path) as model:
        for name, tensor in model.tensors.items():
            said = strict_json(output("tensor", path, name, "--json"))
            found, histogram = said["statistics"], said["histogram"]
            values = tensor.dequantize(np.float64).reshape(-1)
            finite = values[np.isfinite(values)]
            assert found["count"] == tensor.n_elements
            assert found["zeros"] == np.count_nonzero(values == 0)
            assert found["nan"] == np.count_nonzero(np.isnan(values))
            assert found["infinite"] == np.count_nonzero(np.isinf(values))
            assert (found["min"], found["max"]) == (finite.min(), finite.max())
            assert [found["mean"], found["std"]] == pytest.approx([finite.mean(), finite.std()], rel=1e-9, abs=1e-12)
            assert sum(histogram["counts"]) + histogram["below"] + histogram["above"] == finite.size


def test_scales_are_those_of_the_blocks(sample: Path) -> None:
    with kaitai_gguf.open(sample) as model:
        for name, tensor in model.tensors.items():
            scales = strict_json(output("tensor", sample, name, "--json"))["scales"]
            assert set(scales) == {"d", "dmin", "m", "e"} & set(tensor.blocks.dtype.names or ())
            for field, found in scales.items():
                values = tensor.blocks[field].astype(np.float64)
                assert (found["min"], found["max"], found["count"]) == (values.min(), values.max(), values.size)


def test_json_has_what_a_dump_has(sample: Path) -> None:
    (row,) = [row for row in strict_json(output("tensors", sample, "--json")) if row["name"] == "blk.0.attn_k.weight"]
    found = strict_json(output("tensor", sample, "blk.0.attn_k.weight", "--json"))
    assert {key: found[key] for key in row} == row
    assert (found["shape"], found["elements"]) == ([256, 256], 65536)
    assert len(found["histogram"]["edges"]) == len(found["histogram"]["counts"]) + 1


def test_what_a_pipe_gets(save: Save) -> None:
    path = of(save, np.array([[0, 1], [2, 3]], "<f4"), F32)
    lines = output("tensor", path, "x").splitlines()
    assert lines[:15] == [
        "name\tvalue",
        "name\tx",
        "role\tunknown",
        "type\tF32",
        "shape\t2 × 2",
        "elements\t4",
        "bytes\t16 (16 B)",
        "offset\t0 (byte 96 of the file)",
        "min\t0",
        "max\t3",
        "mean\t1.5",
        "std\t1.118034",
        "zeros\t1 (25.00%)",
        "NaN\t0",
        "Inf\t0",
    ]
    assert [line.split("\t")[1] for line in lines[15:]].count("1") == 4


def test_the_role_is_described(sample: Path) -> None:
    lines = output("tensor", sample, "blk.0.attn_k.weight").splitlines()
    assert lines[1:3] == ["name\tblk.0.attn_k.weight", "role\tkey projection of self-attention"]


def test_what_is_not_finite_is_counted_apart(save: Save) -> None:
    path = of(save, np.array([np.nan, np.inf, -np.inf, np.nan, 1, 3, 0, -0.0], "<f4"), F32)
    found = statistics(path)
    assert {key: found[key] for key in ("min", "max", "mean", "zeros", "nan", "infinite")} == {
        "min": 0, "max": 3, "mean": 1, "zeros": 2, "nan": 2, "infinite": 2,
    }  # fmt: skip
    assert facts(path)["Inf"] == "2 (25.00%)"


@pytest.mark.parametrize("values", [[], [np.nan], [np.inf, -np.inf]])
def test_nothing_finite_at_all(values: list[float], save: Save) -> None:
    path = of(save, np.array(values, "<f4"), F32)
    assert facts(path)["min"] == "none"
    assert statistics(path)["mean"] is None


def test_a_scalar_and_a_constant(save: Save) -> None:
    assert facts(of(save, np.array(7, "<f4"), F32))["shape"] == "scalar"
    assert output("tensor", of(save, np.full(100, 7, "<f4"), F32), "x").splitlines()[-1] == "from 7 to 7\t100"


def test_integers_are_exact(save: Save) -> None:
    found = statistics(of(save, np.array([2**63 - 1, -(2**63), 2**53 + 1], "<i8"), I64))
    assert (found["min"], found["max"]) == (-(2**63), 2**63 - 1)


def test_the_largest_numbers(save: Save) -> None:
    found = strict_json(output("tensor", of(save, np.array([1.7e308, -1.7e308], "<f8"), F64), "x", "--json"))
    assert (found["statistics"]["mean"], found["statistics"]["std"]) == (0, 1.7e308)
    assert sum(found["histogram"]["counts"]) == 2
    assert found["histogram"]["edges"][0] == -1.7e308


@pytest.mark.parametrize("tiny", [5e-324, 1e-310])
def test_the_smallest_numbers(tiny: float, save: Save) -> None:
    found = strict_json(output("tensor", of(save, np.array([0, tiny, 2 * tiny], "<f8"), F64), "x", "--json"))
    histogram = found["histogram"]
    assert sum(histogram["counts"]) + histogram["below"] + histogram["above"] == 3


MOST, LEAST = sys.float_info.max, 5e-324


@pytest.mark.parametrize("chunks", [1, 2, 5])
@pytest.mark.parametrize(
    "values",
    [
        [MOST] * 5,
        [MOST, -MOST] * 3,
        [-MOST, MOST, MOST, MOST, MOST, MOST, MOST],
        [1.7e308, 1.6e308, 1.5e308, -1e300, 0.0, 1.0],
        [1e200, 3e200, -2e150, 7.0, 1e-300],
        [1e-200, 3e-200, 2e-200, -7e-250, 0.0],
        [LEAST * 1000, LEAST * 3000, 0.0, -LEAST * 500, LEAST],
        [1.0, 1e-300, MOST, 0.0, 2.0],
    ],
)
def test_finite_numbers_have_finite_statistics(values: list[float], chunks: int) -> None:
    summary = Summary.of(np.array_split(np.array(values), chunks))
    exact = [Fraction(value) for value in values]
    greatest = max(map(abs, exact))
    mean = sum(exact) / len(exact)
    variance = sum((value - mean) ** 2 for value in exact) / len(exact)
    std = greatest * Fraction(math.sqrt(variance / greatest**2))
    rounding = max(float(greatest) * 1e-15, 5 * LEAST)
    assert [summary.mean, summary.std] == pytest.approx([float(mean), float(std)], rel=1e-12, abs=rounding)
    assert Histogram.of([np.array(values)], summary).counts.sum() == len(values)


def test_big_endian(save: Save) -> None:
    assert statistics(of(save, np.array([1, 2], ">f4"), F32, byte_order="big"))["max"] == 2


def test_pieces_are_as_one() -> None:
    values = np.random.default_rng(1).normal(1e6, 1, 10_000)
    whole, parts = Summary.of([values]), Summary.of(np.array_split(values, 37))
    assert (parts.min, parts.max, parts.count) == (whole.min, whole.max, whole.count)
    assert parts.std == pytest.approx(values.std(), rel=1e-9)


def test_shares_are_as_one() -> None:
    values = np.random.default_rng(1).normal(3, 1, 10_000).astype(np.float32)
    values[[5, 7000]] = np.nan, np.inf
    shares = [values[:0], values[:4000], values[4000:4001], values[4001:], np.array([np.nan])]
    whole, merged = Summary.of([np.concatenate(shares)]), Summary()
    for share in shares:
        merged.merge(Summary.of([share]))
    assert (merged.count, merged.nan, merged.infinite) == (whole.count, 2, 1)
    assert (merged.min, merged.max) == (whole.min, whole.max)
    assert [merged.mean, merged.std] == pytest.approx([whole.mean, whole.std], rel=1e-12)
    histogram, all_at_once = Histogram(merged), Histogram.of([np.concatenate(shares)], merged)
    for share in shares:
        histogram.merge(Histogram.of([share], merged))
    assert histogram.counts.tolist() == all_at_once.counts.tolist()
    assert histogram.below + histogram.above + histogram.counts.sum() == whole.finite


@pytest.mark.parametrize("size", [1, 1000])
@pytest.mark.parametrize("name", ["blk.0.attn_k.weight", "output_norm.weight"])
def test_a_tensor_in_many_shares(name: str, size: int, sample: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = strict_json(output("tensor", sample, name, "--json"))
    monkeypatch.setattr(tensor_data, "SHARE", size)
    found = strict_json(output("tensor", sample, name, "--json"))
    assert found["histogram"]["counts"] == expected["histogram"]["counts"]
    assert found["statistics"] == pytest.approx(expected["statistics"], rel=1e-9)
    assert found["scales"] == {key: pytest.approx(each, rel=1e-9) for key, each in expected["scales"].items()}


def test_what_is_outside_is_counted() -> None:
    values = np.concatenate([np.random.default_rng(3).standard_normal(10_000), [-50.0, 60.0, 61.0]])
    histogram = Histogram.of([values], Summary.of([values]))
    assert (histogram.below, histogram.above) == ((values < histogram.low).sum(), (values > histogram.high).sum())
    assert min(histogram.below, histogram.above) > 0


def test_a_histogram_is_numpys() -> None:
    values = np.random.default_rng(2).uniform(-1, 2, 100_000)
    histogram = Histogram.of([values], Summary.of([values]))
    counts, edges = np.histogram(values, BINS)
    assert np.abs(histogram.counts - counts).max() <= 1
    assert histogram.edges() == pytest.approx(edges.tolist())


# Refusals


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("unknown", "tensor 'unknown': its type 99 is unknown to this version"),
        ("missing", "tensor 'missing': its data is not in the file"),
        ("nothing", "no tensor 'nothing' in the file"),
        ("\x1b[2J", "no tensor '\\x1b[2J' in the file"),
    ],
)
def test_a_tensor_that_can_not_be_had(name: str, words: str, save: Save) -> None:
    path = save(Model([], [TensorSpec("unknown", (1,), UNKNOWN, 0), TensorSpec("missing", (99,), F32, 32)], bytes(64)))
    result = run("tensor", path, name)
    assert (result.exit_code, result.stdout) == (2, "")
    (line,) = result.stderr.splitlines()
    assert line.startswith(f"kaitai-gguf: {path}: {words}")


# Pictures


@pytest.mark.parametrize(("suffix", "start"), [("svg", b"<?xml"), ("png", b"\x89PNG"), ("PNG", b"\x89PNG")])
def test_a_plot(suffix: str, start: bytes, sample: Path, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    path = tmp_path / f"x.{suffix}"
    assert output("tensor", sample, *PLOT, path).splitlines()[-1] == str(path)
    assert path.read_bytes().startswith(start)
    assert [each.name for each in tmp_path.iterdir()] == [path.name]


def test_a_plot_shows_the_scales(sample: Path, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    for name in ("a.svg", "b.svg"):
        strict_json(output("tensor", sample, *PLOT, tmp_path / name, "--json"))
    texts = " ".join(ElementTree.parse(tmp_path / "a.svg").getroot().itertext())
    assert all(words in texts for words in ["blk.0.attn_k.weight: Q4_1", "d of the blocks", "m of the blocks"])
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()


@pytest.mark.parametrize("name", ["$x^2$", "$\\frac{", "a$b", "\x1b[2J\0\u202e</text><script>", b"\xff$", "日本", "{}"])
@pytest.mark.parametrize("suffix", ["svg", "png"])
def test_names_are_text(suffix: str, name: str | bytes, save: Save, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    path = save(Model([], [TensorSpec(name, (3,), I8, 0)], b"\1\2\3"))
    key = name.decode("utf-8", "surrogateescape") if isinstance(name, bytes) else name
    result = run("tensor", path, key, "--plot", tmp_path / f"x.{suffix}")
    assert (result.exit_code, result.stderr) == (0, "")
    if suffix == "svg":
        texts = " ".join(ElementTree.parse(tmp_path / "x.svg").getroot().itertext())
        shown = "".join(
            char if char.isprintable() else char.encode("unicode_escape", "surrogatepass").decode() for char in key
        )
        assert shown in texts
        assert not raw_characters(texts)


@pytest.mark.parametrize("values", [[], [np.nan], [1.0], [1.7e308, -1.7e308], [0, 5e-324]])
def test_odd_values_can_be_drawn(values: list[float], save: Save, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    result = run("tensor", of(save, np.array(values, "<f8"), F64), "x", "--plot", tmp_path / "x.svg")
    assert (result.exit_code, result.stderr) == (0, "")


def test_a_plot_that_is_there_stays(sample: Path, tmp_path: Path) -> None:
    path = tmp_path / "x.svg"
    path.write_text("mine")
    result = run("tensor", sample, *PLOT, path)
    assert result.stderr == f"kaitai-gguf: {path}: already exists; --force overwrites it\n"
    assert (result.exit_code, result.stdout, path.read_text()) == (2, "", "mine")
    assert output("tensor", sample, *PLOT, path, "--force")
    assert path.read_text() != "mine"


def test_without_matplotlib(sample: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    path = tmp_path / "x.svg"
    result = run("tensor", sample, *PLOT, path)
    assert result.stderr == f"kaitai-gguf: {path}: a plot needs matplotlib: pip install matplotlib\n"
    assert (result.exit_code, result.stdout, path.exists()) == (2, "", False)
    assert output("tensor", sample, "output.weight")


@pytest.mark.parametrize(
    ("name", "words"), [("x.pdf", "must end with .svg or .png"), ("no/x.svg", "no: no such folder")]
)
def test_a_plot_that_can_not_be(name: str, words: str, sample: Path, tmp_path: Path) -> None:
    fails(words, "tensor", sample, *PLOT, tmp_path / name)


def test_nothing_is_left_of_a_failure(sample: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    figure = pytest.importorskip("matplotlib.figure")

    def failing(_: Any, file: Any, **__: Any) -> None:
        file.write(b"half")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(figure.Figure, "savefig", failing)
    result = run("tensor", sample, *PLOT, tmp_path / "x.svg")
    assert (result.exit_code, list(tmp_path.iterdir())) == (2, [])


# Terminals, memory


def test_a_terminal_gets_bars(sample: Path) -> None:
    status, seen = terminal("tensor", sample, "output.weight")
    assert status == 0
    assert "█" * 40 in seen
    assert "█" * 41 not in seen
    assert max(len(re.sub(r"\x1b\[[0-9;]*m", "", line)) for line in seen.splitlines()) <= 120


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write tensors of one row each, 64 MiB and 18 MiB, so that reading row by row would read them all at once."""
    path = tmp_path_factory.mktemp("large") / "large.gguf"
    with path.open("wb") as file:
        specs = [TensorSpec("row", (1 << 24,), F32, 0), TensorSpec("blocks", (1 << 25,), Q4_0, 64 << 20)]
        file.write(Model([], specs).build())
        file.truncate(file.tell() + (64 << 20) + (18 << 20))
    return path


@pytest.mark.parametrize("name", ["row", "blocks"])
def test_memory_is_a_chunk(name: str, large: Path, sample: Path) -> None:
    output("tensor", sample, "token_embd.weight")  # so that imports are not measured
    tracemalloc.start()
    try:
        assert output("tensor", large, name)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 8 * MOST_THREADS << 20  # a few chunks for each thread


def test_a_bar_in_a_terminal_only(large: Path) -> None:
    status, seen = terminal("tensor", large, "row")
    assert (status, "reading" in seen) == (0, True)
    done = process("tensor", large, "row")
    assert (done.returncode, done.stderr) == (0, b"")
