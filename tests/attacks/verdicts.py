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

GGML = {"ggml": False, "ggml (with data)": True}
"""ggml's verdicts, and whether it reads the tensor data for them."""


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


class _Parameters(ctypes.Structure):
    _fields_ = (("no_alloc", ctypes.c_bool), ("context", ctypes.c_void_p))


def ggml_verdict(library: str, path: Path, with_data: bool) -> str:
    """Read a file with ggml, in a new process because a failed assertion ends the process."""
    child = os.fork()
    if child == 0:
        os.environ["GGML_NO_BACKTRACE"] = "1"
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        read = ctypes.CDLL(library).gguf_init_from_file
        read.restype, read.argtypes = ctypes.c_void_p, [ctypes.c_char_p, _Parameters]
        tensors = ctypes.c_void_p()
        os._exit(0 if read(os.fsencode(path), _Parameters(not with_data, ctypes.addressof(tensors))) else 1)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return {0: "loads", 1: "refuses"}.get(status, "crashes")


def write(library: str | None) -> None:
    known, lines = json.loads(VERDICTS.read_text()), []
    for path in sorted(FILES.rglob("*.gguf")):
        name = path.relative_to(FILES).as_posix()
        old = known.get(name, {"about": ""})
        theirs = {key: old[key] for key in GGML if key in old}
        if library:
            theirs = {key: ggml_verdict(library, path, with_data) for key, with_data in GGML.items()}
        lines.append(f"{json.dumps(name)}: {json.dumps({'about': old['about']} | verdict(path.read_bytes()) | theirs)}")
    VERDICTS.write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--ggml", metavar="LIBRARY", help="path of libggml-base, to determine ggml's verdicts again")
    write(parser.parse_args().ggml)
