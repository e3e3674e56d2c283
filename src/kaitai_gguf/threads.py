"""Work on several threads."""

from collections.abc import Callable, Iterable
from typing import TypeVar

__all__ = ["map_threads"]

T = TypeVar("T")
R = TypeVar("R")


def map_threads(work: Callable[[T], R], jobs: Iterable[T], threads: int) -> list[R]:
    """Return what `work` makes of each job, in their order. The first error is raised, and starts no more jobs."""
    from concurrent.futures import ThreadPoolExecutor  # takes a few milliseconds to import

    with ThreadPoolExecutor(threads) as pool:
        results = pool.map(work, jobs)
        try:
            return list(results)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
