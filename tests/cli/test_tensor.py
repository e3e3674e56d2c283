"""`kaitai-gguf tensor`: the statistics that numpy computes, in chunks, and a picture of them."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.commands import fails, output, strict_json, terminal
from support.gguf_bytes import Model, TensorSpec

import kaitai_gguf
from cli.conftest import ROOT, Save
from kaitai_gguf.cli.statistics import BINS, Histogram, Summary

F32, F16, Q4_0, I8, I64, F64, BF16, UNKNOWN = 0, 1, 2, 24, 27, 28, 30, 77
MODELS = [ROOT / "examples" / "sample.gguf", *sorted((ROOT / "tests" / "data" / "models").glob("tiny-*.gguf"))]


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
            document = strict_json(output("tensor", path, name, "--json"))
            found, histogram = document["statistics"], document["histogram"]
            values = tensor.dequantize(np.float64).reshape(-1)
            finite = values[np.isfinite(values)]
            assert found["count"] == tensor.n_elements
            assert found["zeros"] == np.count_nonzero(values == 0)
            assert found["nan"] == np.count_nonzero(np.isnan(values))
            assert found["infinite"] == np.count_nonzero(np.isinf(values))
            assert (found["min"], found["max"]) == (finite.min(), finite.max())
            assert [found["mean"], found["std"]] == pytest.approx([finite.mean(), finite.std()], rel=1e-9, abs=1e-12)
            assert sum(histogram["counts"]) + histogram["below"] + histogram["above"] == finite.size
            (row,) = strict_json(output("tensors", path, name, "--json"))
            assert document.items() >= row.items()
            assert set(document["scales"]) == {"d", "dmin", "m", "e"} & set(tensor.blocks.dtype.names or ())
            for field, scale in document["scales"].items():
                values = tensor.blocks[field].astype(np.float64)
                assert (scale["min"], scale["max"], scale["count"]) == (values.min(), values.max(), values.size)


def test_what_a_pipe_gets(save: Save) -> None:
    path = of(save, np.array([[0, 1], [2, 3]], "<f4"), F32)
    lines = output("tensor", path, "x").splitlines()
    expected = """
        name value|name x|role unknown|type F32|shape 2 × 2|elements 4|nbytes 16 (16 B)|offset 0 (byte 96 of the file)
        |min 0|max 3|mean 1.5|std 1.118034|zeros 1 (25.00%)|nan 0|infinite 0"""
    assert lines[:15] == [line.strip().replace(" ", "\t", 1) for line in expected.split("|")]
    assert [line.split("\t")[1] for line in lines[15:]].count("1") == 4


@pytest.mark.parametrize("values", [[1.7e308, 1.7e308], [1.7e308, -1.7e308], [1e200, 3e200, 2e200]])
@pytest.mark.parametrize("chunks", [1, 2])
def test_squares_and_sums_that_would_overflow(values: list[float], chunks: int) -> None:
    one = Summary.joined(map(Summary.of, np.array_split(np.array(values), chunks)))
    scaled = np.array(values) / 2.0**1000
    assert [one.mean, one.std] == pytest.approx([scaled.mean() * 2.0**1000, scaled.std() * 2.0**1000])


@pytest.mark.parametrize(
    "values",
    [
        [],
        [np.nan, -np.inf, -1, -0.0, 0],
        [np.inf],
        [7.0] * 100,
        [1.7e308, -1.7e308],
        [1e200, 3e200, 7.0],
        [0, 5e-324, 1e-323],
    ],
    ids=lambda values: str(values[:3]),
)
def test_few_numbers_and_those_at_the_limits_of_float64(values: list[float], save: Save) -> None:
    """Squares may underflow; the range and the counts are exact."""
    path, finite = of(save, np.array(values, "<f8"), F64), [value for value in values if np.isfinite(value)]
    document = strict_json(output("tensor", path, "x", "--json"))
    found, histogram = document["statistics"], document["histogram"]
    assert (found["min"], found["max"]) == ((min(finite), max(finite)) if finite else (None, None))
    assert facts(path)["min"] == (f"{min(finite):.7g}" if finite else "none")
    assert (found["nan"], found["infinite"]) == (values.count(np.nan), sum(map(np.isinf, values)))
    assert found["zeros"] == values.count(0)
    assert sum(histogram["counts"]) + histogram["below"] + histogram["above"] == len(finite)
    assert all(isinstance(edge, float) for edge in histogram["edges"])


def test_integers_of_64_bits_and_scalars(save: Save) -> None:
    found = statistics(of(save, np.array([2**63 - 1, -(2**63), 2**53 + 1], "<i8"), I64))
    assert (found["min"], found["max"]) == (-(2**63), 2**63 - 1)  # exact
    path = of(save, np.array(7, "<f4"), F32)
    assert facts(path)["shape"] == "scalar"
    assert output("tensor", path, "x").splitlines()[-1] == "from 7 to 7\t1"


def test_chunks_are_merged() -> None:
    values = np.random.default_rng(1).normal(1e6, 1, 10_000)
    values[[5, 7000]] = np.nan, np.inf
    chunks = [values[:0], np.array([np.nan]), *np.array_split(values, 37)]
    whole, merged = Summary.of(values), Summary.joined(map(Summary.of, chunks))
    assert (merged.count, merged.nan, merged.infinite) == (whole.count + 1, 2, 1)
    assert (merged.min, merged.max) == (whole.min, whole.max)
    assert [merged.mean, merged.std] == pytest.approx([whole.mean, whole.std], rel=1e-9)


def test_a_histogram_equals_that_of_numpy() -> None:
    def counted(values: Any) -> Histogram:
        histogram = Histogram(Summary.of(values))
        for chunk in (values[:10], values[10:]):
            histogram.add(histogram.counted(chunk))
        return histogram

    values = np.random.default_rng(2).uniform(-1, 2, 100_000)
    histogram = counted(values)
    counts, edges = np.histogram(values, BINS)
    assert np.abs(histogram.counts - counts).max() <= 1
    assert histogram.edges() == pytest.approx(edges.tolist())
    values = np.concatenate([np.random.default_rng(3).standard_normal(10_000), [-50.0, 60.0, 61.0]])
    histogram = counted(values)
    assert (histogram.below, histogram.above) == ((values < histogram.low).sum(), (values > histogram.high).sum())
    assert min(histogram.below, histogram.above) > 0


# Refusals


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("unknown", "tensor 'unknown': its type 77 is unknown to this version"),
        ("missing", "tensor 'missing': its data is not in the file"),
    ],
)
def test_a_tensor_that_is_not_available(name: str, words: str, save: Save) -> None:
    path = save(Model([], [TensorSpec("unknown", (1,), UNKNOWN, 0), TensorSpec("missing", (99,), F32, 32)], bytes(64)))
    fails(f"kaitai-gguf: {path}: {words}", "tensor", path, name)


# Terminals


def test_a_terminal_gets_bars(sample: Path) -> None:
    status, seen = terminal("tensor", sample, "output.weight")
    assert status == 0
    assert "█" * 40 in seen
    assert "█" * 41 not in seen
    assert max(len(re.sub(r"\x1b\[[0-9;]*m", "", line)) for line in seen.splitlines()) <= 120
