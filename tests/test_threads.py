"""Work on several threads."""

import pytest

from kaitai_gguf.threads import map_threads


def test_results_are_in_order() -> None:
    assert map_threads(lambda job: job * job, range(100), 4) == [job * job for job in range(100)]


def test_nothing_to_do() -> None:
    assert map_threads(str, [], 4) == []


def test_an_error_reaches_the_caller() -> None:
    with pytest.raises(ZeroDivisionError):
        map_threads(lambda job: 1 // job, [1, 2, 0, 3], 4)
