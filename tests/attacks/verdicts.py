"""Write the files in this folder, and their verdicts.

    python tests/attacks/verdicts.py [--ggml libggml-base.so]

`files/` has a file for each case, and `verdicts.json` has a description and a verdict for each file.
With --ggml, ggml's verdicts are determined again; without it, the existing ones are kept.
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
from attacks.cases import CASES, Case
from kaitai_gguf import FormatError, TensorDataError

HERE = Path(__file__).parent
FILES, VERDICTS = HERE / "files", HERE / "verdicts.json"


def verdict(case: Case) -> dict[str, Any]:
    """Return whether a file opens or why not, the tensors without data, and the rules that `check` reports."""
    try:
        model = kaitai_gguf.open(case.data)
    except FormatError as error:
        found = {"open": False, "error": type(error).__name__, "offset": error.offset, "path": error.path}
    else:
        found = {"open": True, "no_data": [tensor.name for tensor in model.tensors.values() if not _has_data(tensor)]}
    return {"about": case.about} | found | {"check": sorted({each.rule for each in kaitai_gguf.check(case.data)})}


def _has_data(tensor: kaitai_gguf.Tensor) -> bool:
    try:
        return tensor.data is not None
    except TensorDataError:
        return False


def document(verdicts: dict[str, dict[str, Any]]) -> str:
    """Return JSON with one line per file, sorted by name."""
    lines = [f"{json.dumps(name)}: {json.dumps(each)}" for name, each in sorted(verdicts.items())]
    return "{\n" + ",\n".join(lines) + "\n}\n"


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
    known = json.loads(VERDICTS.read_text()) if VERDICTS.exists() else {}
    ggml = Ggml(library) if library else None
    wanted = {f"{name}.gguf": case for name, case in CASES.items()}
    for path in FILES.rglob("*.gguf"):
        if path.relative_to(FILES).as_posix() not in wanted:
            path.unlink()
    verdicts = {}
    for name, case in wanted.items():
        path = FILES / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(case.data)
        theirs = ggml.verdicts(path) if ggml else {key: known[name][key] for key in GGML if key in known.get(name, {})}
        verdicts[name] = verdict(case) | theirs
    VERDICTS.write_text(document(verdicts))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--ggml", metavar="LIBRARY", help="path of libggml-base, to determine ggml's verdicts again")
    write(parser.parse_args().ggml)
