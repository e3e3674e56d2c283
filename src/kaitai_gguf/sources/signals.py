"""Delay the handlers of signals until a few related writes are done."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

__all__ = ["uninterrupted"]

_Handler = Callable[[int, FrameType | None], Any] | int | None

_SIGNALS = sorted(signal.valid_signals())
_ENDING = {getattr(signal, name, None) for name in ("SIGINT", "SIGTERM", "SIGHUP")}

_blocks: list[None] = []  # of the main thread: empty, or one element in a block


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Delay all handlers of signals, which may raise, until the block ends. Each is then called once for each signal.

    INT, TERM and HUP are also delayed if they have no handler, and so end the program. Python runs handlers only in the
    main thread; in other threads this does nothing.
    """
    if _blocks or threading.current_thread() is not threading.main_thread():
        yield
        return
    pending: list[tuple[int, FrameType | None]] = []
    handlers: dict[int, _Handler] = {}
    try:
        for number in _SIGNALS:
            handler = signal.getsignal(number)  # None if Python did not install it, and so can't restore it
            if callable(handler) or (handler is signal.SIG_DFL and number in _ENDING):
                handlers[number] = handler
                signal.signal(number, lambda number, frame: pending.append((number, frame)))
        _blocks.append(None)
        yield
    finally:
        _blocks.clear()
        try:
            _restore(handlers.copy())
        finally:
            _handle(pending, handlers)


def _restore(handlers: dict[int, _Handler]) -> None:
    try:
        while handlers:
            number = next(reversed(handlers))
            signal.signal(number, handlers[number])
            del handlers[number]
    finally:
        if handlers:  # a signal has just arrived whose handler is restored, and raises
            _restore(handlers)


def _handle(pending: list[tuple[int, FrameType | None]], handlers: dict[int, _Handler]) -> None:
    """Call the handlers of all signals, even if one raises. An `ExitStack` would keep the exception in a cycle."""
    try:
        while pending:
            number, frame = pending.pop(0)
            handler = handlers[number]
            if callable(handler):
                handler(number, frame)  # `raise_signal` would reach asyncio again, which knows of the signal already
            else:
                signal.raise_signal(number)
    finally:
        if pending:
            _handle(pending, handlers)
