"""Run work on several threads, which end before the function returns: no pool outlives a call."""

import os
import sys
from _thread import LockType, allocate_lock, start_new_thread
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import Future

__all__ = ["in_order", "map_threads", "together", "usable_processors"]

T = TypeVar("T")
R = TypeVar("R")


def usable_processors() -> int:
    """Return the number of processors that this process may use, which may be fewer than the machine has."""
    if sys.version_info >= (3, 13):
        return os.process_cpu_count() or 1
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def map_threads(work: Callable[[T], R], jobs: Iterable[T], threads: int) -> list[R]:
    """Return `work(job)` for each job, in order. The first error is raised, and no more jobs are started."""
    jobs = list(jobs)
    if threads == 1 or len(jobs) <= 1:
        return [work(job) for job in jobs]
    from concurrent.futures import ThreadPoolExecutor  # takes a few milliseconds to import

    errors: list[BaseException] = []

    def run(job: T) -> R:
        if errors:
            raise errors[0]
        try:
            return work(job)
        except BaseException as error:
            errors.append(error)
            raise

    try:
        with ThreadPoolExecutor(threads) as pool:
            results = pool.map(run, jobs)
            try:
                return list(results)
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise
    finally:
        errors.clear()  # an error refers to this list through its traceback


def together(work: Callable[[int], None], threads: int) -> None:
    """Run `work(0)` on the calling thread and `work(1)` to `work(threads - 1)` at once; raise one of their errors.

    For work of a few milliseconds: a thread of `_thread` starts and ends in less than half of the time that a new
    `ThreadPoolExecutor` takes.
    """
    errors: list[BaseException] = []

    def run(number: int, ended: LockType) -> None:
        try:
            work(number)
        except BaseException as error:  # raised by the calling thread
            errors.append(error)
        finally:
            ended.release()

    started: list[LockType] = []
    try:
        for number in range(1, threads):
            ended = allocate_lock()
            ended.acquire()
            start_new_thread(run, (number, ended))
            started.append(ended)
        work(0)
    finally:
        for ended in started:
            ended.acquire()
    if errors:
        raise errors[0]


def in_order(submit: "Callable[[T], Future[R]]", jobs: Iterable[T], most: int) -> Iterator[tuple[T, R]]:
    """Yield each job with its result, in the order of the jobs. At most `most` are submitted and not yet yielded."""
    waiting: deque[tuple[T, Future[R]]] = deque()
    for job in jobs:
        waiting.append((job, submit(job)))
        if len(waiting) >= most:
            first, pending = waiting.popleft()
            yield first, pending.result()
    while waiting:
        first, pending = waiting.popleft()
        yield first, pending.result()
