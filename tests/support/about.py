"""Helper for tests that loop over many cases."""

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def about(name: object) -> Iterator[None]:
    """Add the name of the case to failures inside the block."""
    try:
        yield
    except BaseException as error:
        error.add_note(f"case: {name}")
        raise
