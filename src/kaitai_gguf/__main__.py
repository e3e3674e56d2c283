"""The command `kaitai-gguf`, in a process of its own; also `python -m kaitai_gguf`."""

import atexit
import gc
import os

__all__ = ["main"]


def main() -> None:
    """Run the command. The process is set up first, so that it starts and ends quickly."""
    # No command uses BLAS, and its threads take longer to start than a header takes to read.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    gc.set_threshold(100_000)  # objects: imports create tens of thousands, and few are garbage
    atexit.register(gc.freeze)  # the end of the process frees all memory, without a search for garbage
    from kaitai_gguf import cli

    cli.main()


if __name__ == "__main__":
    main()
