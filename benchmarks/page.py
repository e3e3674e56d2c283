"""Write docs/benchmarks.md and its plots from the results of the sections."""

import json
from collections.abc import Iterable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from benchmarks.harness import Ratio, Table

ROOT = Path(__file__).parents[1]
RESULTS = Path(__file__).parent / "results"
DOCS = ROOT / "docs"

HEAD = """# Benchmarks

<!-- This is a generated file! Please run `make bench-all`. -->
"""

METHOD = """## Method

First, the outputs of all contenders are compared; if they differ, nothing is measured. The contenders then run in turn,
and each round starts with another one; the first round is not counted. A contender that has taken more than 5 seconds
for a task gets no more rounds. Times are the minimum and the median of the rounds, and ratios are those of the
minimums. Contenders that are not installed are left out.

`make bench-all` measures all of this and writes this page. `ONLY="opening writing"` runs some sections,
`MODELS=directory` uses the vocabularies in a directory, and `RENDER=1` writes the page again from the last results,
which are in `benchmarks/results`.
"""

FRONT = "opening"
"""The section whose first table, shortened, is at the top of the page with a plot."""

SHORT = ("llama.cpp", "kaitai_gguf", "pure Python", "gguf-py", "@huggingface/gguf")
"""The columns of the short table. The ratios are those to the first."""


def save(name: str, title: str, tables: list[Table], facts: dict[str, Any], results: Path = RESULTS) -> None:
    results.mkdir(exist_ok=True)
    content = {"title": title, "environment": facts, "tables": [asdict(table) for table in tables]}
    (results / f"{name}.json").write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n")


def render(names: list[str], results: Path = RESULTS, docs: Path = DOCS) -> None:
    """Write the page and the plots from the saved results of these sections."""
    contents = {}
    for name in names:
        path = results / f"{name}.json"
        if path.exists():
            contents[name] = json.loads(path.read_text())
            contents[name]["tables"] = [loaded(fields) for fields in contents[name]["tables"]]
    overview = summary([table for content in contents.values() for table in content["tables"]])
    sections = [section(name, content, docs) for name, content in contents.items()]
    top = [front(contents[FRONT]["tables"][0], docs)] if FRONT in contents else []
    (docs / "benchmarks.md").write_text("\n".join([HEAD, *top, *sections, METHOD, runs(contents.values()), overview]))


def loaded(fields: dict[str, Any]) -> Table:
    return Table(**fields | {"ratios": [Ratio(**ratio) for ratio in fields["ratios"]]})


def front(table: Table, docs: Path) -> str:
    """Return the short table and its plot."""
    ratios = [ratio for ratio in table.ratios if ratio.over in SHORT]
    rows = {name: {key: time for key, time in row.items() if key in SHORT} for name, row in table.rows.items()}
    quotients = [[quotient(row, ratio) for ratio in ratios] for row in table.rows.values()]
    text = (
        "Time to open a file in the page cache, divided by the time of llama.cpp's own C++ reader in the same run.\n"
        "Below 1 is faster. [How it was measured](#method)."
    )
    short = lines(table.first, [ratio.over for ratio in ratios], list(table.rows), quotients)
    return "\n\n".join([text, short, drawn(replace(table, rows=rows), docs, "short")]) + "\n"


def drawn(table: Table, docs: Path, name: str) -> str:
    """Draw the plot of a table, and return the link to it."""
    from benchmarks.plots import plot

    image = Path("images") / f"benchmarks-{name}.svg"
    (docs / image.parent).mkdir(parents=True, exist_ok=True)
    plot(table, docs / image)
    return f"![{table.title}]({image.as_posix()})"


def summary(tables: list[Table]) -> str:
    """Return a table with the range of each ratio."""
    names, rows = [], []
    for table in tables:
        for ratio in table.ratios:
            values = {name: quotient_of(row, ratio) for name, row in table.rows.items()}
            found = sorted((value, name) for name, value in values.items() if value is not None)
            if found:
                names.append(f"{table.title}: {ratio.title}")
                rows.append([f"{figures(value)} ({name})" for value, name in (found[0], found[-1])])
    return "## All ratios\n\n" + lines("ratio of times", ["lowest", "highest"], names, rows) + "\n"


def section(name: str, content: dict[str, Any], docs: Path) -> str:
    parts = [f"## {content['title']}"]
    for number, table in enumerate(content["tables"], start=1):
        parts += [f"### {table.title}"] if table.title != content["title"] else []
        parts.append(" ".join(table.text.split()))
        if table.plot:
            parts.append(drawn(table, docs, f"{name}-{number}"))
        parts += markdown(table)
    return "\n\n".join(parts) + "\n"


def runs(contents: Iterable[dict[str, Any]]) -> str:
    """Return when each section was measured, on which commit, and the other load of the machine."""
    titles, rows = [], []
    machines: dict[str, list[str]] = {}
    for content in contents:
        facts = content["environment"]
        titles.append(content["title"])
        load = [f"{facts['load average']:.1f}", f"{facts['others']:.2f}"]
        rows.append([facts["date"], facts["commit"], str(facts["seconds"]), *load])
        versions = ", ".join(f"{name} {version}" for name, version in facts["versions"].items())
        machines.setdefault(f"{facts['machine']}. {versions}.", []).append(content["title"])
    columns = ["date", "commit", "seconds", "load average at the start", "processors that other programs used"]
    parts = [lines("section", columns, titles, rows)]
    parts += [machine if len(machines) == 1 else f"{', '.join(of)}: {machine}" for machine, of in machines.items()]
    return "\n\n".join(["## Runs", *parts]) + "\n"


def markdown(table: Table) -> list[str]:
    """Return the rows and the ratios in one table, or in two if it would be too wide."""
    columns = list(dict.fromkeys(column for row in table.rows.values() for column in row))
    ratios = [ratio for ratio in table.ratios if {ratio.over, ratio.under} <= set(columns)]
    values = [[shown(row.get(column)) for column in columns] for row in table.rows.values()]
    quotients = [[quotient(row, ratio) for ratio in ratios] for row in table.rows.values()]
    titles = [ratio.title for ratio in ratios]
    names = list(table.rows)
    if len(columns) + len(ratios) <= 6:
        both = [one + other for one, other in zip(values, quotients, strict=True)]
        return [lines(table.first, [*columns, *titles], names, both)]
    tables = [(titles, quotients)] if ratios else []
    return [upright(table.first, head, names, rows) for head, rows in [*tables, (columns, values)]]


def upright(first: str, columns: list[str], names: list[str], rows: list[list[str]]) -> str:
    """Return a table, turned on its side if it has more columns than rows."""
    if len(columns) <= len(rows):
        return lines(first, columns, names, rows)
    return lines("", names, columns, [list(column) for column in zip(*rows, strict=True)])


def lines(first: str, columns: list[str], names: list[str], rows: list[list[str]]) -> str:
    head = [f"| {' | '.join([first, *columns])} |", f"|---|{'---:|' * len(columns)}"]
    return "\n".join([*head, *(f"| {' | '.join([name, *row])} |" for name, row in zip(names, rows, strict=True))])


def shown(value: Any) -> str:
    if isinstance(value, dict):
        return f"{duration(value['min'])} / {duration(value['median'])}"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:,.3g}" if abs(value) < 1000 else f"{value:,.0f}"
    return "" if value is None else str(value)


def duration(seconds: float) -> str:
    factor, unit = next(
        ((factor, unit) for factor, unit in ((1, "s"), (1e3, "ms")) if seconds * factor >= 1), (1e6, "µs")
    )
    return f"{figures(seconds * factor)} {unit}"


def quotient(row: dict[str, Any], ratio: Ratio) -> str:
    value = quotient_of(row, ratio)
    return "" if value is None else figures(value)


def quotient_of(row: dict[str, Any], ratio: Ratio) -> float | None:
    over, under = row.get(ratio.over), row.get(ratio.under)
    return over["min"] / under["min"] if over and under else None


def figures(value: float) -> str:
    """Format a number with at least three significant figures, or two below 0.1."""
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}" if value >= 0.1 else f"{value:.2g}"
