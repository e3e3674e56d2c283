"""Signals that end a program wait until a few writes that belong together are done."""

import signal
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

__all__ = ["uninterrupted"]

_SIGNALS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Delay INT, TERM and HUP until the block ends.

    Python runs handlers in the main thread alone: elsewhere there is nothing to delay.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    pending: list[int] = []
    try:
        with ExitStack() as handlers:  # puts back all of them, even if a signal comes while it does so
            for number in _SIGNALS:
                handler = signal.getsignal(number)
                if handler is not None:  # one that was not installed by Python can't be put back
                    handlers.callback(signal.signal, number, handler)
                    signal.signal(number, lambda number, frame: pending.append(number))
            yield
    finally:
        for number in pending:
            signal.raise_signal(number)
