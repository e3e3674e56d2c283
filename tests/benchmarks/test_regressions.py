"""A benchmark run fails only if our time doubled relative to a peer's."""

from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def _package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT)


def results(folder: Path, ours: float, peer: float, one_thread: float = 1.0) -> Path:
    """Save a section with the three kinds of ratios: ours ÷ peer, peer ÷ ours, ours ÷ ours."""
    from benchmarks.harness import Ratio, Table
    from benchmarks.page import save

    times = {"kaitai_gguf": ours, "llama.cpp": peer, "kaitai_gguf, 1": one_thread}
    row: dict[str, Any] = {name: {"min": time, "median": time} for name, time in times.items()}
    ratios = [
        Ratio("", "kaitai_gguf", "llama.cpp"),
        Ratio("", "kaitai_gguf, 1", "kaitai_gguf"),
    ]
    turned = [Ratio("", "llama.cpp", "kaitai_gguf")]
    save("opening", "Opening", [Table("A", "", {"x": row}, ratios), Table("B", "", {"x": row}, turned)], {}, folder)
    return folder


@pytest.mark.parametrize(
    ("times", "status", "doubled"),
    [
        ((1.0, 2.0), 0, 0),
        ((10.0, 20.0), 0, 0),  # a slower machine
        ((1.9, 2.0), 0, 0),
        ((2.0, 2.0), 1, 2),
        ((1.0, 1.0), 1, 2),  # the peer became faster, which is the same
        ((0.1, 2.0), 0, 0),
        ((1.0, 2.0, 5.0), 0, 0),  # scaling over threads is not a comparison with a peer
    ],
)
def test_only_a_doubled_ratio_to_a_peer_fails(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], times: tuple[float, ...], status: int, doubled: int
) -> None:
    from benchmarks.regressions import main

    assert main(results(tmp_path / "before", 1.0, 2.0), results(tmp_path / "now", *times)) == status
    *sentences, counts = capsys.readouterr().out.splitlines()
    assert counts == f"2 ratios compared: {doubled} doubled"
    assert len(sentences) == doubled
    if doubled:
        assert sentences[0] == "opening, A: x: kaitai_gguf ÷ llama.cpp was 0.5 and is 1"


def test_results_without_a_common_ratio_are_an_error(tmp_path: Path) -> None:
    from benchmarks.regressions import main

    assert main(results(tmp_path / "before", 1.0, 2.0), tmp_path) == 2


def test_the_saved_results_have_ratios_to_every_peer() -> None:
    from benchmarks.page import RESULTS
    from benchmarks.regressions import PEERS, ratios

    assert {columns.partition(" ÷ ")[2] for _, _, columns in ratios(RESULTS)} == PEERS - NEVER_WITH_US


NEVER_WITH_US = {"@huggingface/gguf", "gguf-parser-go", "ggus", "transformers"}
"""The page divides the times of these by llama.cpp's, which we are compared with as well."""
