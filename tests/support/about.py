"""For tests that loop over many cases."""

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def about(name: object) -> Iterator[None]:
    """A failure in here names the case."""
    try:
        yield
    except BaseException as error:
        error.add_note(f"about {name}")
        raise
