"""Run a program with this reader instead of gguf-py's: see `USAGE`."""

import os
import runpy
import sys
from collections.abc import Callable
from importlib.machinery import SourceFileLoader
from types import ModuleType, TracebackType
from typing import Any
from zipfile import is_zipfile

from kaitai_gguf.errors import MissingPackageError
from kaitai_gguf.gguf_py import install

USAGE = """usage: python -m kaitai_gguf.gguf_py script.py ARGS
       python -m kaitai_gguf.gguf_py -m module ARGS

Run a Python program with kaitai_gguf's reader instead of gguf.GGUFReader.
"""


def main() -> None:
    """Run the program named on the command line, with its usual arguments, `sys.path` and exit status."""
    arguments = sys.argv[1:]
    if arguments[:1] in (["-h"], ["--help"]):
        sys.stdout.write(USAGE)
        return
    is_module = arguments[:1] == ["-m"]
    program = arguments[is_module:]
    message = None
    if not program or program[0].startswith("-"):
        message = USAGE
    elif not is_module and not os.path.exists(program[0]):
        message = f"{program[0]}: no such file\n"
    if message is not None:
        sys.stderr.write(message)
        sys.exit(2)
    try:
        install()
    except MissingPackageError as error:
        sys.exit(f"python -m kaitai_gguf.gguf_py: {error}")
    sys.excepthook = _without_own_frames(sys.excepthook)
    sys.argv = program
    if is_module:
        runpy.run_module(program[0], run_name="__main__", alter_sys=True)
    elif os.path.isfile(program[0]) and not is_zipfile(program[0]):
        _run_script(program[0])
    else:
        runpy.run_path(program[0], run_name="__main__")


def _run_script(path: str) -> None:
    """Run a script as `python path` does. `runpy.run_path` would change its `__file__` or `sys.argv`."""
    if not sys.flags.safe_path:
        sys.path[0] = os.path.dirname(os.path.realpath(path))
    module = ModuleType("__main__")
    module.__file__ = os.path.abspath(path)
    module.__loader__ = loader = SourceFileLoader("__main__", module.__file__)
    sys.modules["__main__"] = module
    exec(loader.source_to_code(loader.get_data(module.__file__), module.__file__), vars(module))


def _without_own_frames(hook: Callable[..., Any]) -> Callable[..., None]:
    """Return an excepthook that hides the frames of this module and of runpy at the start of a traceback."""

    def shortened(kind: type[BaseException], error: BaseException, traceback: TracebackType | None) -> None:
        while traceback is not None and traceback.tb_frame.f_code.co_filename.startswith((__file__, "<frozen ")):
            traceback = traceback.tb_next
        hook(kind, error.with_traceback(traceback), traceback)

    return shortened


if __name__ == "__main__":
    main()
