"""The command `kaitai-gguf`, in a process of its own; also `python -m kaitai_gguf`."""

import atexit
import gc
import os
import signal
import sys
from typing import NoReturn

_ENDING = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]


def main() -> None:
    """Run the command. The process is set up first, to start and end quickly, and to remove its half-written files.

    Errors that the command does not expect are bugs: they are printed with their traceback. The exit status is 2, since
    1 would mean that the answer is no.
    """
    for number in _ENDING:
        if signal.getsignal(number) is signal.SIG_DFL:  # `nohup` ignores SIGHUP
            signal.signal(number, _end)
    takes_interrupts = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if takes_interrupts:
        signal.signal(signal.SIGINT, _stop)
    # No command uses BLAS, and its threads take longer to start than a header takes to read.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    gc.set_threshold(100_000)  # objects: imports create tens of thousands, and few are garbage
    atexit.register(gc.freeze)  # the end of the process frees all memory, without a search for garbage
    try:
        from kaitai_gguf import cli

        if takes_interrupts:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        cli.main(prog_name="kaitai-gguf")  # completion depends on the name
    except KeyboardInterrupt:  # outside of any command
        sys.exit(128 + signal.SIGINT)
    except Exception:
        sys.excepthook(*sys.exc_info())
        sys.exit(2)


def _end(number: int, _: object) -> NoReturn:
    """Exit with the status of a killed process, after removing half-written files."""
    for each in _ENDING:
        signal.signal(each, signal.SIG_IGN)  # `timeout` sends the signal twice
    sys.exit(128 + number)


def _stop(number: int, _: object) -> NoReturn:
    """Exit at once. While modules are imported, an exception could be taken for a failed import, and be printed."""
    os._exit(128 + number)


if __name__ == "__main__":
    main()
