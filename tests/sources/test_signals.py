"""Deferred signals."""

import os
import signal
import subprocess
import sys
import threading

import pytest

from kaitai_gguf.sources.signals import uninterrupted


def test_an_interrupt_comes_after_the_block() -> None:
    steps = []
    with pytest.raises(KeyboardInterrupt), uninterrupted():  # noqa: PT012
        os.kill(os.getpid(), signal.SIGINT)
        steps.append("done")
    assert steps == ["done"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_block_in_a_block() -> None:
    steps = []
    with pytest.raises(KeyboardInterrupt), uninterrupted():  # noqa: PT012
        with uninterrupted():
            signal.raise_signal(signal.SIGINT)
        steps.append("done")
    assert steps == ["done"]


@pytest.mark.skipif(not hasattr(signal, "SIGUSR1"), reason="the system has no signals for users")
def test_any_handler_waits_and_each_signal_is_handled_once() -> None:
    """Handlers that raise, such as those of alarms, would interrupt the block too."""
    steps: list[object] = []

    def handle(number: int, frame: object) -> None:
        steps.append(number)
        raise TimeoutError(number)

    numbers = [signal.SIGALRM, signal.SIGUSR1, signal.SIGALRM]
    before = {number: signal.signal(number, handle) for number in numbers[:2]}
    try:
        with pytest.raises(TimeoutError), uninterrupted():  # noqa: PT012
            for number in numbers:
                signal.raise_signal(number)
            steps.append("done")
        assert steps == ["done", *numbers]
        assert {signal.getsignal(number) for number in numbers} == {handle}
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def test_a_signal_between_the_last_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """The handlers of all signals are restored, even if one that was restored raises."""
    real = signal.signal

    def restore(number: int, handler: object) -> object:
        result = real(number, handler)  # type: ignore[arg-type]
        if handler is signal.default_int_handler:
            monkeypatch.undo()
            signal.raise_signal(signal.SIGINT)
        return result

    before = {number: signal.getsignal(number) for number in signal.valid_signals()}
    with pytest.raises(KeyboardInterrupt), uninterrupted():
        monkeypatch.setattr(signal, "signal", restore)
    assert {number: signal.getsignal(number) for number in signal.valid_signals()} == before


def test_an_error_passes() -> None:
    with pytest.raises(ZeroDivisionError), uninterrupted():
        _ = 1 / 0
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_signal_that_kills_does_so_after_the_block() -> None:
    code = (
        "import os, signal\nfrom kaitai_gguf.sources.signals import uninterrupted\n"
        "with uninterrupted():\n    os.kill(os.getpid(), signal.SIGTERM)\n    print('done', flush=True)\nprint('not')"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (result.stdout, result.returncode) == ("done\n", -signal.SIGTERM)


def test_other_threads_have_none() -> None:
    steps = []

    def work() -> None:
        with uninterrupted():
            steps.append("done")

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert steps == ["done"]
