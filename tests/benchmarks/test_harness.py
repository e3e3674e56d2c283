"""The benchmarks refuse to time contenders that differ, and write one page of results."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def _package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT)


def test_contenders_are_timed_when_their_outputs_are_equal() -> None:
    from benchmarks.harness import contest, timed, yardstick

    calls = []

    def action(name: str) -> Callable[[], bytes]:
        return lambda: calls.append(name) or b"same"  # type: ignore[func-returns-value]

    times = contest({"a": timed(action("a")), "b": timed(action("b")), "c": yardstick(action("c"))}, rounds=2)
    assert list(times) == ["a", "b", "c"]
    for measured in times.values():
        assert measured["rounds"] == 2
        assert 0 < measured["min"] <= measured["median"]
    # First the outputs, which the yardstick does not have. Then three rounds; the first is not counted.
    assert "".join(calls) == "ab" + "abc" + "bca" + "cab"


def test_unequal_outputs_are_refused_before_anything_is_timed() -> None:
    from benchmarks.harness import Contender, UnequalError, contest

    def never() -> float:
        raise AssertionError("timed")

    contenders = {name: Contender(never, lambda name=name: {"x": name}) for name in "ab"}
    with pytest.raises(UnequalError, match="x: b has b, a has a"):
        contest(contenders, rounds=1)


def prove(*outputs: dict[str, Any]) -> None:
    from benchmarks import harness

    harness.prove(
        {str(i): harness.Contender(lambda: 0.0, lambda parts=parts: parts) for i, parts in enumerate(outputs)}
    )


def test_parts_of_outputs_are_compared_where_they_exist() -> None:
    from benchmarks.harness import UnequalError

    prove({"x": 1}, {"x": 1, "y": 2}, {"y": 2})
    with pytest.raises(UnequalError, match="y: 2 has 3, 1 has 2"):
        prove({"x": 1}, {"x": 1, "y": 2}, {"y": 3})
    for parts in ({}, {"y": 1}):
        with pytest.raises(UnequalError, match="nothing of 1's output can be compared"):
            prove({"x": 1}, parts)


def test_a_slow_contender_gets_one_round() -> None:
    from benchmarks.harness import Contender, contest

    contenders = {"slow": Contender(lambda: 6.0, None), "fast": Contender(lambda: 1.0, None)}
    assert contest(contenders, rounds=3) == {
        "slow": {"min": 6.0, "median": 6.0, "rounds": 1},
        "fast": {"min": 1.0, "median": 1.0, "rounds": 3},
    }


FACTS = {
    "date": "2026-11-22 01:30 UTC", "commit": "abc1234", "seconds": 12, "load average": 0.1, "others": 0.02,
    "machine": "a processor", "versions": {"Python": "3.11.7"},
}  # fmt: skip


def measured(seconds: float) -> dict[str, float]:
    return {"min": seconds, "median": 2 * seconds, "rounds": 3}


def test_the_page_has_times_ratios_and_plots(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    from benchmarks.harness import Ratio, Table
    from benchmarks.page import render, save

    rows = {"a file": {"ours": measured(0.002), "theirs": measured(0.5)}, "another": {"ours": measured(2)}}
    numbers = {"memory": {"MB": 1.5, "bytes": 12345, "way": "mapped"}}
    ratios = [Ratio("ours ÷ theirs", "ours", "theirs"), Ratio("of nobody", "nobody", "ours")]
    ratios.append(Ratio("kaitai_gguf ÷ theirs", "kaitai_gguf", "theirs"))
    rows["a file"]["kaitai_gguf"] = measured(0.25)
    tables = [Table("Opening", "How it\n  was done.", rows, ratios, plot="times", first="file")]
    sizes = {"100": {"ours": measured(1)}, "1,000": {"ours": measured(10)}}
    tables += [Table("Sizes", "", sizes, plot="lines"), Table("Memory", "", numbers)]
    save("opening", "Opening files", tables, FACTS, tmp_path / "results")
    render(["opening", "not run yet"], tmp_path / "results", tmp_path)
    page = (tmp_path / "benchmarks.md").read_text()
    for line in (
        "## Opening files",
        "| Opening files | 2026-11-22 01:30 UTC | abc1234 | 12 | 0.1 | 0.02 |",
        "a processor. Python 3.11.7.",
        "How it was done.",
        "![Opening](images/benchmarks-opening-1.svg)",
        "![Opening](images/benchmarks-short.svg)",
        "| file | kaitai_gguf |",
        "| a file | 0.50 |",
        "| file | ours | theirs | kaitai_gguf | ours ÷ theirs | kaitai_gguf ÷ theirs |",
        "| a file | 2.00 ms / 4.00 ms | 500 ms / 1.00 s | 250 ms / 500 ms | 0.004 | 0.50 |",
        "| another | 2.00 s / 4.00 s |  |  |  |  |",
        "| Opening: ours ÷ theirs | 0.004 (a file) | 0.004 (a file) |",
        "| memory | 1.5 | 12,345 | mapped |",
    ):
        assert line in page.splitlines(), line
    first = {path.name: path.read_bytes() for path in (tmp_path / "images").iterdir()}
    assert sorted(first) == [f"benchmarks-{name}.svg" for name in ("opening-1", "opening-2", "short")]
    render(["opening"], tmp_path / "results", tmp_path)
    assert (tmp_path / "benchmarks.md").read_text() == page
    assert {path.name: path.read_bytes() for path in (tmp_path / "images").iterdir()} == first


def test_sections_are_modules_and_the_page_is_made_from_their_results() -> None:
    from benchmarks.__main__ import SECTIONS

    files = {path.stem for path in (ROOT / "benchmarks").glob("*.py") if "\ndef run(" in path.read_text()}
    assert files == set(SECTIONS)
    page = (ROOT / "docs" / "benchmarks.md").read_text()
    results = [json.loads(path.read_text()) for path in (ROOT / "benchmarks" / "results").glob("*.json")]
    assert results
    for content in results:
        assert f"| {content['title']} | {content['environment']['date']} |" in page
