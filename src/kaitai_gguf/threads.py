"""Run work on several threads, which end before the function returns: no pool outlives a call."""

import os
import sys
from _thread import LockType, allocate_lock, start_new_thread
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import Future

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
    """Return `work(job)` for each job, in order, on at most so many threads, including the calling one.

    The first error is raised when all threads have ended; no more jobs are started after it. A thread of `_thread`
    starts and ends in less than half of the time that a new `ThreadPoolExecutor` takes.
    """
    jobs = list(jobs)
    if threads == 1 or len(jobs) <= 1:
        return [work(job) for job in jobs]
    waiting, errors = deque(range(len(jobs))), deque[BaseException]()
    results: list[Any] = [None] * len(jobs)
    running: list[LockType] = []

    def remaining() -> Iterator[int]:
        with suppress(IndexError):
            while not errors:
                yield waiting.popleft()

    def run(ended: LockType | None = None) -> None:
        try:
            for number in remaining():
                results[number] = work(jobs[number])
        except BaseException as error:  # raised by the calling thread
            errors.append(error)
        finally:
            if ended is not None:
                ended.release()

    def wait() -> None:
        try:
            while running:
                running[-1].acquire()
                running.pop()
        except BaseException as error:  # Ctrl-C
            errors.append(error)
            wait()

    try:
        for _ in range(1, min(threads, len(jobs))):
            ended = allocate_lock()
            ended.acquire()
            start_new_thread(run, (ended,))
            running.append(ended)
    except BaseException as error:
        errors.append(error)
    run()
    wait()
    try:
        if errors:
            raise errors[0]
        return results
    finally:
        errors.clear()  # an error refers to them through its traceback


def in_order(submit: "Callable[[T], Future[R]]", jobs: Iterable[T], most: int) -> Iterator[tuple[T, R]]:
    """Yield each job with its result, in the order of the jobs. At most `most` are submitted and not yet yielded."""
    submitted = ((job, submit(job)) for job in jobs)
    waiting = deque(islice(submitted, most))
    while waiting:
        job, pending = waiting.popleft()
        yield job, pending.result()
        waiting.extend(islice(submitted, 1))
