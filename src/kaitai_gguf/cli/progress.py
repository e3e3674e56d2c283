"""A bar on stderr for what takes a while, in a terminal only."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

LARGE = 16 << 20  # bytes; anything smaller is done before a bar could be read


@contextmanager
def progress(words: str, nbytes: int) -> Iterator[Callable[[int], None]]:
    """Gives what is to be called with the number of bytes that are done since it was last called."""
    if nbytes < LARGE or sys.stderr is None or not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(True), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(words, total=nbytes)
        yield lambda done: bar.advance(task, done)
