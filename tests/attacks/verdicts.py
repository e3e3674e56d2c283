"""Write what this package makes of the files in `files/` to `verdicts.json`.

    python tests/attacks/verdicts.py [--ggml libggml-base.so]

The descriptions of the files are kept; a new file gets an empty one. With --ggml, ggml's verdicts are determined again;
without it, the existing ones are kept.
"""

import argparse
import ctypes
import json
import os
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

import kaitai_gguf
from attacks.corpus import FILES, VERDICTS
from kaitai_gguf import FormatError, TensorDataError


def verdict(data: bytes) -> dict[str, Any]:
    """Return whether a file opens or why not, the tensors without data, and the rules that `check` reports."""
    try:
        model = kaitai_gguf.open(data)
    except FormatError as error:
        where = {"offset": error.offset, "path": error.path, "message": str(error)}
        result = {"open": False, "error": type(error).__name__} | where
    else:
        result = {"open": True, "no_data": [tensor.name for tensor in model.tensors.values() if not _has_data(tensor)]}
    return result | {"check": sorted({each.rule for each in kaitai_gguf.check(data)})}


def _has_data(tensor: kaitai_gguf.Tensor) -> bool:
    try:
        return tensor.data is not None
    except TensorDataError:
        return False


class Ggml:
    """llama.cpp's reader. Each file is read in a new process, because a failed assertion ends the process."""

    def __init__(self, path: str) -> None:
        os.environ["GGML_NO_BACKTRACE"] = "1"
        self.library = ctypes.CDLL(path)
        self.library.gguf_init_from_file.restype = ctypes.c_void_p
        self.library.gguf_init_from_file.argtypes = [ctypes.c_char_p, _Parameters]

    def verdicts(self, path: Path) -> dict[str, str]:
        """Return the verdicts on the header alone, and on the file with its tensor data."""
        return {"ggml": self._verdict(path, False), "ggml (with data)": self._verdict(path, True)}

    def _verdict(self, path: Path, with_data: bool) -> str:
        child = os.fork()
        if child == 0:
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
            tensors = ctypes.c_void_p()
            parameters = _Parameters(not with_data, ctypes.addressof(tensors))
            os._exit(0 if self.library.gguf_init_from_file(os.fsencode(path), parameters) else 1)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        return {0: "loads", 1: "refuses"}.get(status, "crashes")


class _Parameters(ctypes.Structure):
    _fields_ = (("no_alloc", ctypes.c_bool), ("context", ctypes.c_void_p))


GGML = ("ggml", "ggml (with data)")


def write(library: str | None) -> None:
    known, lines = json.loads(VERDICTS.read_text()), []
    ggml = Ggml(library) if library else None
    for path in sorted(FILES.rglob("*.gguf")):
        name = path.relative_to(FILES).as_posix()
        old = known.get(name, {"about": ""})
        theirs = ggml.verdicts(path) if ggml else {key: old[key] for key in GGML if key in old}
        lines.append(f"{json.dumps(name)}: {json.dumps({'about': old['about']} | verdict(path.read_bytes()) | theirs)}")
    VERDICTS.write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--ggml", metavar="LIBRARY", help="path of libggml-base, to determine ggml's verdicts again")
    write(parser.parse_args().ggml)
