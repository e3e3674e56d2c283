"""Arguments of functions: checked, with errors that name the argument and say what was expected."""

import operator
from collections.abc import Iterable
from typing import Any

__all__ = ["integer", "names_in"]


def integer(value: Any, what: str) -> int:
    """Return an integer, which may be one of numpy's, as Python's. Raises TypeError for anything else."""
    try:
        if not isinstance(value, bool):
            return operator.index(value)
    except TypeError:
        pass
    raise TypeError(f"{what} must be an integer, not {value!r:.60}")


def names_in(names: Any, what: str) -> list[str]:
    """Return the names of tensors as a list. Raises TypeError for a single str, which is not a list of its letters."""
    if isinstance(names, str | bytes) or not isinstance(names, Iterable):
        raise TypeError(f"{what} must be a list of names, not {names!r:.60}")
    return list(names)
