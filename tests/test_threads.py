"""Work on several threads."""

import pytest

from kaitai_gguf.threads import in_order, map_threads


def test_results_are_in_order() -> None:
    assert map_threads(lambda job: job * job, range(100), 4) == [job * job for job in range(100)]


def test_nothing_to_do() -> None:
    assert map_threads(str, [], 4) == []


def test_an_error_reaches_the_caller() -> None:
    with pytest.raises(ZeroDivisionError):
        map_threads(lambda job: 1 // job, [1, 2, 0, 3], 4)


def test_in_order_keeps_the_order_and_a_limit() -> None:
    begun: list[int] = []

    class Later:
        def __init__(self, job: int) -> None:
            begun.append(job)
            self._job = job

        def result(self) -> int:
            return -self._job

    seen = []
    for job, result in in_order(Later, iter(range(10)), 3):
        seen.append((job, result))
        assert len(begun) - len(seen) <= 2
    assert seen == [(job, -job) for job in range(10)]
    assert list(in_order(Later, [], 3)) == []
