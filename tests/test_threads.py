"""Running work on several threads."""

import threading
from concurrent.futures import Future, ThreadPoolExecutor

import pytest

from kaitai_gguf.threads import in_order, map_threads


def test_results_are_in_order() -> None:
    assert map_threads(lambda job: job * job, range(100), 4) == [job * job for job in range(100)]
    assert map_threads(str, [], 4) == []


def test_an_error_reaches_the_caller_and_starts_no_more_jobs() -> None:
    begun = []

    def work(job: int) -> float:
        begun.append(job)
        return 1 / job

    with pytest.raises(ZeroDivisionError):
        map_threads(work, [0, *range(1, 1000)], 2)
    assert len(begun) < 1000


def test_all_work_is_done_at_once() -> None:
    barrier, seen = threading.Barrier(3), []

    def work(number: int) -> None:
        barrier.wait(60)
        seen.append((number, threading.get_ident()))

    map_threads(work, range(3), 3)
    numbers, threads = zip(*seen, strict=True)
    assert sorted(numbers) == [0, 1, 2]
    assert len(set(threads)) == 3
    assert threading.get_ident() in threads


@pytest.mark.parametrize("failing", [0, 1])
def test_an_error_is_raised_when_all_threads_have_ended(failing: int) -> None:
    begun, failed, ended = threading.Barrier(2), threading.Event(), []

    def work(number: int) -> None:
        begun.wait(60)
        if number == failing:
            failed.set()
            raise ZeroDivisionError
        assert failed.wait(60)
        ended.append(number)

    with pytest.raises(ZeroDivisionError):
        map_threads(work, range(2), 2)
    assert ended == [1 - failing]


def test_a_limit_of_jobs_that_are_submitted() -> None:
    begun: list[int] = []

    def submit(pool: ThreadPoolExecutor, job: int) -> Future[int]:
        begun.append(job)
        return pool.submit(lambda: -job)

    seen = []
    with ThreadPoolExecutor(4) as pool:
        for each in in_order(lambda job: submit(pool, job), iter(range(20)), 3):
            seen.append(each)
            assert len(begun) - len(seen) <= 2
        assert list(in_order(lambda job: submit(pool, job), [], 3)) == []
    assert seen == [(job, -job) for job in range(20)]
