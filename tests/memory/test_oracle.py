"""`memory` against llama.cpp: what it says that it would allocate, for models of all architectures and real ones."""

from collections import defaultdict
from statistics import median

import pytest
from memory.headers import FOLDER, arguments, figures, headers

import kaitai_gguf
from kaitai_gguf import GGUFFile, Memory

Row = dict[str, str]


@pytest.fixture(scope="module")
def results() -> list[tuple[Row, Memory | ValueError]]:
    """Return what `memory` says for each row of figures."""

    def result(model: GGUFFile, row: Row) -> Memory | ValueError:
        try:
            return kaitai_gguf.memory(model, **arguments(row))
        except ValueError as error:
            return error

    by_model = defaultdict(list)
    for row in figures():
        by_model[row["model"]].append(row)
    models = {name: kaitai_gguf.open(headers()[name]) for name in by_model}
    return [(row, result(models[name], row)) for name, rows in by_model.items() for row in rows]


def test_there_are_many() -> None:
    sets = {row["model"].split("/")[0] for row in figures()}
    assert sets == {"arch", "size-1", "size-2", "size-3", "real"}
    assert len({row["model"] for row in figures() if row["model"].startswith("real/")}) >= 3 * 24
    assert len(figures()) > 5000


def test_each_real_model_has_a_source() -> None:
    models = {row["model"] for row in figures() if row["model"].startswith("real/")}
    rows = (FOLDER / "sources.tsv").read_text("utf-8").splitlines()[1:]
    cited = {row.split("\t")[0] for row in rows}
    assert models == {f"real/{name}-{kind}.gguf" for name in cited for kind in ("F16", "Q8_0", "Q4_K_M")}


def test_llama_cpp_refuses_the_same(results: list[tuple[Row, Memory | ValueError]]) -> None:
    wrong = [row for row, result in results if (row["context"] == "refused") != isinstance(result, ValueError)]
    assert wrong == []


def test_weights_and_context_are_exact(results: list[tuple[Row, Memory | ValueError]]) -> None:
    wrong = [
        (row["model"], arguments(row), result.weights - int(row["weights"]), result.context, row["context"])
        for row, result in results
        if isinstance(result, Memory) and (result.weights, result.context) != (int(row["weights"]), int(row["context"]))
    ]
    assert wrong == []


@pytest.mark.parametrize("use", ["calibration", "held out"])
@pytest.mark.parametrize("models", ["arch", "size-", "real"])
def test_compute_is_inside_its_interval(results: list[tuple[Row, Memory | ValueError]], models: str, use: str) -> None:
    intervals = [
        (result.compute, int(row["compute"]))
        for row, result in results
        if isinstance(result, Memory) and row["use"] == use and row["model"].startswith(models)
    ]
    inside = sum(low <= compute <= high for (low, high), compute in intervals)
    assert inside / len(intervals) >= 0.95
    assert median(high / low for (low, high), _ in intervals) <= 2
