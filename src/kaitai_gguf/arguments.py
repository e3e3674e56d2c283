"""Checks of arguments, with errors that name the argument and what was expected."""

import operator
from collections.abc import Iterable
from typing import Any, TypeGuard

import numpy as np

_INTS = frozenset({int})


def is_integer(value: object) -> TypeGuard[int]:
    """Return whether a value is an integer, numpy's included. A bool is not."""
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def integer(value: Any, what: str) -> int:
    """Return an integer, numpy's included, as a Python int. Raises TypeError for anything else, bool included."""
    try:
        if not isinstance(value, bool):
            return operator.index(value)
    except TypeError:
        pass
    raise TypeError(f"{what} must be an integer, not {value!r:.60}")


def check_byte_order(value: Any) -> None:
    """Raise ValueError for a text that is not a byte order, TypeError for anything else that is not one."""
    if not isinstance(value, str) or value not in ("little", "big"):
        kind = ValueError if isinstance(value, str) else TypeError
        raise kind(f"byte_order must be 'little' or 'big', not {value!r:.60}")


def are_ints(values: Iterable[Any]) -> bool:
    """Return whether all values are Python ints: not bools, nor numpy's integers."""
    return _INTS.issuperset(map(type, values))


def names_in(names: Any, what: str) -> list[str]:
    """Return an iterable of tensor names as a list. Raises TypeError for anything else, a single str included."""
    if isinstance(names, str | bytes) or not isinstance(names, Iterable):
        raise TypeError(f"{what} must be a list of names, not {names!r:.60}")
    return list(names)
