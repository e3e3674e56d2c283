"""Work in parts, on as many threads as there are processors."""

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

MOST = 4  # which bounds the memory that they take together

Part = TypeVar("Part")
Result = TypeVar("Result")


def in_threads(work: Callable[[Part], Result], parts: Iterable[Part]) -> Iterator[Result]:
    """The results of the parts, in their order."""
    with ThreadPoolExecutor(min(os.cpu_count() or 1, MOST)) as pool:
        yield from pool.map(work, parts)
