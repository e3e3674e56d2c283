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
