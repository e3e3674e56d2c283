"""A contender in a process of its own: reads "operation path" a line, answers with seconds (or bytes).

python benchmarks/worker.py ours|drop-in|gguf-py|llama.cpp
"""

import ctypes
import subprocess
import sys
import timeit
from array import array
from collections.abc import Callable
from pathlib import Path
from typing import Any

TOKENS = "tokenizer.ggml.tokens"


def ours() -> dict[str, Callable[[str], Any]]:
    import kaitai_gguf

    def views(path: str) -> float:
        with kaitai_gguf.open(path) as model:
            return seconds(lambda: [tensor.data for tensor in model.tensors.values()])

    def first_view(path: str) -> float:
        def once() -> float:
            with kaitai_gguf.open(path) as model:
                return seconds(lambda: model.tensors[name].data)

        with kaitai_gguf.open(path) as model:
            name = next(iter(model.tensors))
        return min(once() for _ in range(5))

    def tokens(path: str) -> float:
        made: list[list[str]] = []  # which is not to be cleared away while the clock runs
        with kaitai_gguf.open(path) as model:
            return seconds(lambda: made.append(model.metadata[TOKENS].tolist()))

    def element(path: str) -> float:
        with kaitai_gguf.open(path) as model:
            array = model.metadata[TOKENS]
            _ = array[0]
            return seconds(lambda: [array[i] for i in range(1000)]) / 1000

    def resident(path: str) -> int:
        """Of a process of its own, which has not had memory before that it could use again."""
        command = [sys.executable, __file__, "ours"]
        return int(subprocess.run(command, input=f"growth {path}\n", capture_output=True, text=True, check=True).stdout)

    def growth(path: str) -> int:
        before = resident_bytes()
        model = kaitai_gguf.open(path)
        after = resident_bytes()
        model.close()
        return after - before

    return {
        "open": lambda path: warm(lambda: kaitai_gguf.open(path).close()),
        "views": views,
        "first view": first_view,
        "tokens": tokens,
        "element": element,
        "resident": resident,
        "growth": growth,
    }


def gguf_py() -> dict[str, Callable[[str], Any]]:
    import gguf

    return of_reader(gguf.GGUFReader)


def drop_in() -> dict[str, Callable[[str], Any]]:
    from kaitai_gguf.gguf_py import GGUFReader

    return of_reader(GGUFReader)


def of_reader(reader: Any) -> dict[str, Callable[[str], Any]]:
    """What can be done with gguf-py's class, or ours in its place. Opening is part of each."""

    def parsed(field: Any) -> list[Any]:
        """Each part that is a value, as transformers' `load_gguf_checkpoint` makes Python values of them."""
        if field.types[-1] == 8:
            return [array("B", list(field.parts[index])).tobytes().decode() for index in field.data]
        return [field.parts[index][0].item() for index in field.data]

    return {
        "open": lambda path: warm(lambda: reader(path)),
        "tokens": lambda path: seconds(lambda: parsed(reader(path).fields[TOKENS])),
        "all values": lambda path: seconds(lambda: [*map(parsed, reader(path).fields.values())]),
        "all tensors": lambda path: seconds(lambda: reader(path).tensors),
    }


def llama_cpp() -> dict[str, Callable[[str], Any]]:
    """The library that llama-cpp-python bundles, called without it: importing the package takes seconds."""
    import importlib.util

    class Parameters(ctypes.Structure):
        _fields_ = (("no_alloc", ctypes.c_bool), ("context", ctypes.c_void_p))

    spec = importlib.util.find_spec("llama_cpp")
    if spec is None or spec.origin is None:
        raise ImportError("llama_cpp")
    library = ctypes.CDLL(next(str(path) for path in (Path(spec.origin).parent / "lib").glob("libggml-base.*")))
    library.gguf_init_from_file.restype = ctypes.c_void_p
    library.gguf_init_from_file.argtypes = [ctypes.c_char_p, Parameters]
    library.gguf_free.argtypes = [ctypes.c_void_p]
    library.ggml_log_set(ctypes.CFUNCTYPE(None, ctypes.c_int, ctypes.c_char_p, ctypes.c_void_p)(), None)

    def read(path: bytes) -> None:
        context = library.gguf_init_from_file(path, Parameters(True, None))
        if not context:
            raise ValueError(f"llama.cpp can't read {path!r}")
        library.gguf_free(context)

    return {"open": lambda path: warm(lambda: read(path.encode()))}


CONTENDERS = {"ours": ours, "drop-in": drop_in, "gguf-py": gguf_py, "llama.cpp": llama_cpp}


def seconds(action: Callable[[], Any]) -> float:
    return timeit.Timer(action).timeit(number=1)


def warm(action: Callable[[], Any]) -> float:
    """The best of five in a row, unless one takes long: what others did in between is not in the caches any more."""
    first = seconds(action)
    return first if first > 0.2 else min(first, *(seconds(action) for _ in range(4)))


def resident_bytes() -> int:
    """What the process holds in memory, pages of mapped files included."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * 1024
    return 0


def main() -> None:
    operations = CONTENDERS[sys.argv[1]]()
    for line in sys.stdin:
        operation, path = line.rstrip("\n").split(" ", 1)
        action = operations.get(operation.replace("_", " "))
        print(repr(action(path)) if action else "None", flush=True)


if __name__ == "__main__":
    main()
