"""The command `kaitai-gguf`, in a process of its own; also `python -m kaitai_gguf`."""

import atexit
import gc
import os
import signal
import sys
from typing import NoReturn

__all__ = ["main"]


def main() -> None:
    """Run the command. The process is set up first, to start and end quickly, and to remove its half-written files."""
    signal.signal(signal.SIGTERM, _end)
    # No command uses BLAS, and its threads take longer to start than a header takes to read.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    gc.set_threshold(100_000)  # objects: imports create tens of thousands, and few are garbage
    atexit.register(gc.freeze)  # the end of the process frees all memory, without a search for garbage
    from kaitai_gguf import cli

    cli.main()


def _end(number: int, _: object) -> NoReturn:
    """Exit with the status of a killed process, after removing half-written files."""
    sys.exit(128 + number)


if __name__ == "__main__":
    main()
