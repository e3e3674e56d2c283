"""What llama.cpp and gguf-py report about a file."""

import ctypes
import importlib.util
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

LLAMA_CPP = importlib.util.find_spec("llama_cpp")

# Runs in a separate process with a child for each file, because ggml aborts if it can't allocate memory. Prints a line
# for each path: whether the header can be read, and whether the file can be read with its tensor data.
GGML = """
import ctypes, os, sys

class Parameters(ctypes.Structure):
    _fields_ = (("no_alloc", ctypes.c_bool), ("context", ctypes.c_void_p))

library = ctypes.CDLL(sys.argv[1])
library.gguf_init_from_file.restype = ctypes.c_void_p
library.gguf_init_from_file.argtypes = [ctypes.c_char_p, Parameters]
silent = ctypes.CFUNCTYPE(None, ctypes.c_int, ctypes.c_char_p, ctypes.c_void_p)(lambda *_: None)
library.ggml_log_set(silent, None)

def reads(path, *, data):
    tensors = ctypes.c_void_p()
    child = os.fork()
    if not child:
        context = library.gguf_init_from_file(path, Parameters(not data, ctypes.addressof(tensors) if data else None))
        os._exit(0 if context else 1)
    return int(os.waitpid(child, 0)[1] == 0)

for line in sys.stdin:
    path = line.rstrip("\\n").encode()
    print(reads(path, data=False), reads(path, data=True), flush=True)
"""


# The same for llama.cpp. Prints whether it loads a model.
LLAMA = """
import os, sys
import llama_cpp

silence = os.open(os.devnull, os.O_WRONLY)
for line in sys.stdin:
    child = os.fork()
    if not child:
        os.dup2(silence, 1)
        os.dup2(silence, 2)
        parameters = llama_cpp.llama_model_default_params()
        parameters.n_gpu_layers = 0
        model = llama_cpp.llama_model_load_from_file(line.rstrip("\\n").encode(), parameters)
        os._exit(0 if model else 1)
    print(int(os.waitpid(child, 0)[1] == 0), flush=True)
"""


def llama_cpp_loads(paths: list[Path]) -> list[bool]:
    """Return whether llama.cpp loads each of these models."""
    lines = "".join(f"{path}\n" for path in paths)
    command = [sys.executable, "-c", LLAMA]
    result = subprocess.run(command, input=lines, capture_output=True, text=True, check=True, timeout=600)
    return [line == "1" for line in result.stdout.split()]


class Ggml:
    """llama.cpp's own reader, from llama-cpp-python."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._input: IO[str] = process.stdin
        self._output: IO[str] = process.stdout

    def reads(self, path: Path) -> tuple[bool, bool]:
        """Return whether it reads the header, and whether it reads the file with its tensor data."""
        print(path, file=self._input, flush=True)
        header, data = self._output.readline().split()
        return header == "1", data == "1"


def library() -> str:
    assert LLAMA_CPP is not None
    assert LLAMA_CPP.origin is not None
    return str(next((Path(LLAMA_CPP.origin).parent / "lib").glob("libggml-base.*")))


def ggml_validates(type_id: int, data: bytes) -> bool:
    """Return whether `llama.cpp --check-tensors` accepts the data of a tensor."""
    function = ctypes.CDLL(library()).ggml_validate_row_data
    function.restype = ctypes.c_bool
    function.argtypes = [ctypes.c_int, ctypes.c_char_p, ctypes.c_size_t]
    return bool(function(type_id, data, len(data)))


@contextmanager
def ggml() -> Iterator[Ggml]:
    command = [sys.executable, "-c", GGML, library()]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL, "text": True}
    with subprocess.Popen(command, env=os.environ | {"GGML_NO_BACKTRACE": "1"}, **pipes) as process:
        try:
            yield Ggml(process)
        finally:
            assert process.stdin is not None
            process.stdin.close()


def gguf_py_reads(path: Path) -> bool:
    import gguf

    try:
        gguf.GGUFReader(path)
    except Exception:  # gguf-py has no exception class of its own
        return False
    return True
