"""Delay signals that end a program until a few related writes are done."""

import signal
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

__all__ = ["uninterrupted"]

_SIGNALS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Delay INT, TERM and HUP until the block ends.

    Python runs signal handlers only in the main thread; in other threads this does nothing.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    pending: list[int] = []
    try:
        with ExitStack() as handlers:  # restores all handlers, even if a signal arrives meanwhile
            for number in _SIGNALS:
                handler = signal.getsignal(number)
                if handler is not None:  # a handler that Python did not install can't be restored
                    handlers.callback(signal.signal, number, handler)
                    signal.signal(number, lambda number, frame: pending.append(number))
            yield
    finally:
        for number in pending:
            signal.raise_signal(number)
