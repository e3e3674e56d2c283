"""Work in parts, on threads."""

import pytest

from kaitai_gguf.cli.threads import in_threads


def test_results_are_in_order() -> None:
    assert list(in_threads(lambda part: part * part, range(100))) == [part * part for part in range(100)]


def test_nothing_to_do() -> None:
    assert list(in_threads(str, [])) == []


def test_an_error_reaches_who_waits() -> None:
    with pytest.raises(ZeroDivisionError):
        list(in_threads(lambda part: 1 // part, [1, 2, 0, 3]))
