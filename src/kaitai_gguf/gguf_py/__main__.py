"""Run a program with this reader in the place of gguf-py's.

python -m kaitai_gguf.gguf_py script.py ARGS
python -m kaitai_gguf.gguf_py -m module ARGS
"""

import os
import runpy
import sys
from types import TracebackType
from typing import Any

from kaitai_gguf.errors import MissingPackageError
from kaitai_gguf.gguf_py.installation import install

USAGE = """usage: python -m kaitai_gguf.gguf_py script.py ARGS
       python -m kaitai_gguf.gguf_py -m module ARGS

Run a Python program with kaitai_gguf's reader in the place of gguf.GGUFReader.
"""


def main() -> None:
    """Run the program that the arguments name. It sees its own arguments and path, and gives the exit code."""
    words = sys.argv[1:]
    if words[:1] in (["-h"], ["--help"]):
        sys.stdout.write(USAGE)
        return
    is_module = words[:1] == ["-m"]
    target, *arguments = words[is_module:] or [""]
    if not target or (target.startswith("-") and not is_module):
        sys.stderr.write(USAGE)
        sys.exit(2)
    if not is_module and not os.path.exists(target):
        sys.stderr.write(f"{target}: no such file\n")
        sys.exit(2)
    try:
        install()
    except MissingPackageError as error:
        sys.exit(f"python -m kaitai_gguf.gguf_py: {error}")
    sys.excepthook = _ShortTraceback(sys.excepthook)
    sys.argv = [target, *arguments]
    if is_module:
        runpy.run_module(target, run_name="__main__", alter_sys=True)
        return
    if not sys.flags.safe_path:
        sys.path[0] = os.path.dirname(os.path.realpath(target))
    runpy.run_path(target, run_name="__main__")


class _ShortTraceback:
    """An excepthook that leaves out the frames before those of the program."""

    def __init__(self, hook: Any) -> None:
        self._hook = hook

    def __call__(self, kind: type[BaseException], error: BaseException, traceback: TracebackType | None) -> None:
        shown = traceback
        while shown is not None and _is_ours(shown):
            shown = shown.tb_next
        self._hook(kind, error.with_traceback(shown or traceback), shown or traceback)


def _is_ours(traceback: TracebackType) -> bool:
    return traceback.tb_frame.f_globals.get("__name__") == "runpy" or traceback.tb_frame.f_code.co_filename == __file__


if __name__ == "__main__":
    main()
