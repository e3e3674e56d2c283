"""Work on several threads."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Protocol, TypeVar

__all__ = ["Pending", "in_order", "map_threads"]

T = TypeVar("T")
R = TypeVar("R")
R_co = TypeVar("R_co", covariant=True)


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


class Pending(Protocol[R_co]):
    """A result that may not be there yet."""

    def result(self) -> R_co:
        """Wait for it."""


def in_order(submit: Callable[[T], Pending[R]], jobs: Iterable[T], most: int) -> Iterator[tuple[T, R]]:
    """Yield each job with its result, in the order of the jobs. At most so many are submitted and not yet yielded."""
    waiting: deque[tuple[T, Pending[R]]] = deque()
    for job in jobs:
        waiting.append((job, submit(job)))
        if len(waiting) >= most:
            first, pending = waiting.popleft()
            yield first, pending.result()
    while waiting:
        first, pending = waiting.popleft()
        yield first, pending.result()
