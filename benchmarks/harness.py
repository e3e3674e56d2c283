"""Contests: contenders first prove that their outputs are equal, and are then timed in turn.

Each section of the page is a module with a function `run(models)`, which returns `Table`s of results of `contest`.
"""

import os
import statistics
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

BUDGET = 5.0  # seconds: a contender that has used up this time for a task is not run again


class UnequalError(Exception):
    """Two contenders have different outputs."""


@dataclass(frozen=True)
class Contender:
    """A function that returns how long a task takes, in seconds, and one that returns its output as named parts.

    Without `output`, it is a yardstick: it does something else, and its time only gives a scale.
    """

    seconds: Callable[[], float]
    output: Callable[[], Mapping[str, Any]] | None


@dataclass(frozen=True)
class Ratio:
    """A column of the page: the time in one column divided by the time in another."""

    title: str
    over: str
    under: str


@dataclass
class Table:
    """One table of the page. Each row has the result of `contest`, or numbers and texts by column."""

    title: str
    text: str
    rows: dict[str, dict[str, Any]]
    ratios: list[Ratio] = field(default_factory=list)
    plot: str = ""  # "times", "ratios" or "lines"
    first: str = ""  # the title of the column of row names


def clock(action: Callable[[], Any]) -> float:
    """Return the seconds that an action takes. Its result is freed only after the clock has stopped."""
    start = time.perf_counter()
    result = action()
    seconds = time.perf_counter() - start
    del result
    return seconds


def timed(action: Callable[[], Any], part: str = "output", of: Callable[[Any], Any] | None = None) -> Contender:
    """Return a contender that runs in this process. `of` converts the result for comparison, by default to a digest."""
    return Contender(lambda: clock(action), lambda: {part: (of or digest)(action())})


def yardstick(action: Callable[[], Any]) -> Contender:
    return Contender(lambda: clock(action), None)


def digest(*chunks: Any) -> str:
    """Return the SHA-256 of bytes, arrays and texts."""
    sha = sha256()
    for chunk in chunks:
        sha.update(chunk.encode() if isinstance(chunk, str) else chunk)
    return sha.hexdigest()


def clean_output() -> None:
    """Delete `out*` in the current folder and call `sync`, so that no contender is slowed by another's writes."""
    for path in Path().glob("out*"):
        path.unlink()
    os.sync()


def prove(contenders: Mapping[str, Contender]) -> None:
    """Raise `UnequalError` unless all outputs are equal.

    Contenders may lack some parts, but each must share at least one part with those before it.
    """
    first: dict[str, tuple[str, Any]] = {}
    for name, contender in contenders.items():
        if contender.output is None:
            continue
        parts = contender.output()
        if not parts or (first and not parts.keys() & first.keys()):
            raise UnequalError(f"nothing of {name}'s output can be compared: it has {', '.join(parts) or 'no parts'}")
        for part, value in parts.items():
            other, expected = first.setdefault(part, (name, value))
            if value != expected:
                raise UnequalError(f"{part}: {name} has {str(value)[:80]}, {other} has {str(expected)[:80]}")


def contest(
    contenders: Mapping[str, Contender], rounds: int, before: Callable[[], None] | None = None
) -> dict[str, dict[str, float]]:
    """Return the minimum and the median of each contender's times in seconds, after `prove`.

    The first round is a warm-up and is not counted, unless the contender is slow. Each round starts with another
    contender. `before` runs before each contender and is not timed.
    """
    prove(contenders)
    times: dict[str, list[float]] = {name: [] for name in contenders}
    spent = dict.fromkeys(contenders, 0.0)
    for number in range(rounds + 1):
        for name in rotated(contenders, number):
            if spent[name] > BUDGET and times[name]:
                continue
            if before:
                before()
            seconds = contenders[name].seconds()
            spent[name] += seconds
            if number or spent[name] > BUDGET:
                times[name].append(seconds)
    return {name: summary(row) for name, row in times.items()}


def rotated(names: Iterable[str], number: int) -> list[str]:
    order = list(names)
    start = number % len(order) if order else 0
    return order[start:] + order[:start]


def summary(times: list[float]) -> dict[str, float]:
    return {"min": min(times), "median": statistics.median(times), "rounds": len(times)}
