"""Readers of GGUF files, each in its own process.

    python -m benchmarks.readers ours|drop-in|gguf-py|transformers|llama.cpp

They answer each line "operation path" with a line of JSON: seconds, or bytes. The answer to the operation `output` is
the digests of the metadata, of the tensors and their data, and of the positions in the index. A reader leaves out
those that it does not have.
"""

import ctypes
import json
import struct
import subprocess
import sys
from array import array
from collections.abc import Callable, Iterable
from importlib import import_module
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock

import numpy as np

from benchmarks import ggml
from benchmarks.harness import clock, digest

TOKENS = "tokenizer.ggml.tokens"
WHITE_SPACE = "".join(filter(str.isspace, map(chr, [*range(0x1C), *range(0x20, 0x3001)])))  # that of Unicode
NUMBERS = "BbHhIif?__Qqd"  # format characters of the value types, for `struct`


def ours() -> dict[str, Callable[[str], Any]]:
    import kaitai_gguf

    def views(path: str) -> float:
        with kaitai_gguf.open(path) as model:
            return clock(lambda: [tensor.data for tensor in model.tensors.values()])

    def first_view(path: str) -> float:
        def once() -> float:
            with kaitai_gguf.open(path) as model:
                return clock(lambda: model.tensors[name].data)

        with kaitai_gguf.open(path) as model:
            name = next(iter(model.tensors))
        return min(once() for _ in range(5))

    def tokens(path: str) -> float:
        made: list[list[str]] = []  # keeps the list, so that freeing it is not timed
        with kaitai_gguf.open(path) as model:
            return clock(lambda: made.append(model.metadata[TOKENS].tolist()))

    def element(path: str) -> float:
        with kaitai_gguf.open(path) as model:
            array = model.metadata[TOKENS]
            _ = array[0]
            return clock(lambda: [array[i] for i in range(1000)]) / 1000

    def resident(path: str) -> int:
        """Measure in a new process, which has no freed memory to reuse."""
        command = [sys.executable, "-m", "benchmarks.readers", "ours"]
        return int(subprocess.run(command, input=f"growth {path}\n", capture_output=True, text=True, check=True).stdout)

    def growth(path: str) -> int:
        before = resident_bytes()
        model = kaitai_gguf.open(path)
        after = resident_bytes()
        model.close()
        return after - before

    def output(path: str) -> dict[str, str]:
        with kaitai_gguf.open(path) as model:
            tensors = [(t.name, t.dims, t.type_id, t.offset) for t in model.tensors.values()]
            return {
                "metadata": metadata_digest(model.metadata.items()),
                "metadata without marks": metadata_digest(model.metadata.items(), unmarked),
                "metadata trimmed": metadata_digest(model.metadata.items(), trimmed),
                "tensors": tensors_digest(tensors),
                "data": digest(*(t.data for t in model.tensors.values())),
                "index": index_digest([model.metadata.entry(key).span[0] for key in model.metadata], model),
            }

    return {
        "output": output,
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
    """Return the operations of gguf-py's class, or ours in its place. Each operation opens the file."""

    def parsed(field: Any) -> list[Any]:
        """Return the values of a field, decoded the way transformers' `load_gguf_checkpoint` does."""
        if field.types[-1] == 8:
            return [array("B", list(field.parts[index])).tobytes().decode() for index in field.data]
        return [field.parts[index][0].item() for index in field.data]

    def output(path: str) -> dict[str, str]:
        made = reader(path)
        values = [(key, field.contents()) for key, field in made.fields.items() if not key.startswith("GGUF.")]
        tensors = [
            (t.name, t.shape.tolist(), int(t.tensor_type), int(t.data_offset) - made.data_offset) for t in made.tensors
        ]
        data = digest(*(np.ascontiguousarray(t.data) for t in made.tensors))
        return {"metadata": metadata_digest(values), "tensors": tensors_digest(tensors), "data": data}

    return {
        "output": output,
        "open": lambda path: warm(lambda: reader(path)),
        "tokens": lambda path: clock(lambda: parsed(reader(path).fields[TOKENS])),
        "all values": lambda path: clock(lambda: [*map(parsed, reader(path).fields.values())]),
        "all tensors": lambda path: clock(lambda: reader(path).tensors),
    }


def transformers() -> dict[str, Callable[[str], Any]]:
    """Return the operations of transformers' own reader. It skips the elements of string arrays unless told which."""
    import_module("transformers.integrations.gguf")  # looks for torch, and must not find the stand-in
    sys.modules.setdefault("torch", MagicMock())  # headers are read without it
    from transformers.integrations.gguf.reader import GgufHeader, read_gguf_metadata

    def output(path: str) -> dict[str, str]:
        keys, _ = read_gguf_metadata(path)
        metadata, _ = read_gguf_metadata(path, keys)
        tensors = [(t.name, t.shape[::-1], t.ggml_type, t.offset) for t in GgufHeader.from_file(path).tensors]
        return {"metadata": metadata_digest(metadata.items()), "tensors": tensors_digest(tensors)}

    return {"output": output, "open": lambda path: warm(lambda: GgufHeader.from_file(path))}


def llama_cpp() -> dict[str, Callable[[str], Any]]:
    """Return the operations of llama.cpp's own reader."""

    class Parameters(ctypes.Structure):
        _fields_ = (("no_alloc", ctypes.c_bool), ("context", ctypes.c_void_p))

    library = ctypes.CDLL(str(ggml.library("portable")))
    pointer, number, text = ctypes.c_void_p, ctypes.c_int64, ctypes.c_char_p
    for name, result, arguments in (
        ("init_from_file", pointer, [text, Parameters]), ("free", None, [pointer]),
        ("get_n_kv", number, [pointer]), ("get_key", text, [pointer, number]),
        ("get_kv_type", ctypes.c_int, [pointer, number]), ("get_arr_type", ctypes.c_int, [pointer, number]),
        ("get_arr_n", number, [pointer, number]), ("get_arr_data", pointer, [pointer, number]),
        ("get_arr_str", text, [pointer, number, ctypes.c_size_t]), ("get_val_str", text, [pointer, number]),
        ("get_val_data", pointer, [pointer, number]), ("get_n_tensors", number, [pointer]),
        ("get_tensor_name", text, [pointer, number]), ("get_tensor_type", ctypes.c_int, [pointer, number]),
        ("get_tensor_offset", number, [pointer, number]), ("get_tensor_ne", ctypes.POINTER(number), [pointer, number]),
    ):  # fmt: skip
        function = getattr(library, f"gguf_{name}")
        function.restype, function.argtypes = result, arguments
    library.ggml_log_set(ctypes.CFUNCTYPE(None, ctypes.c_int, text, pointer)(), None)

    def read(path: str) -> Any:
        context = library.gguf_init_from_file(path.encode(), Parameters(True, None))
        if not context:
            raise ValueError(f"llama.cpp can't read {path!r}")
        return context

    def value(context: Any, index: int) -> Any:
        type = library.gguf_get_kv_type(context, index)
        if type == 8:
            return library.gguf_get_val_str(context, index).decode()
        if type != 9:
            code = "<" + NUMBERS[type]
            return struct.unpack(
                code, ctypes.string_at(library.gguf_get_val_data(context, index), struct.calcsize(code))
            )[0]
        type, count = library.gguf_get_arr_type(context, index), library.gguf_get_arr_n(context, index)
        if type == 8:
            return [library.gguf_get_arr_str(context, index, i).decode() for i in range(count)]
        dtype = np.dtype(NUMBERS[type])
        return np.frombuffer(ctypes.string_at(library.gguf_get_arr_data(context, index), count * dtype.itemsize), dtype)

    def output(path: str) -> dict[str, str]:
        context = read(path)
        keys = range(library.gguf_get_n_kv(context))
        values = [(library.gguf_get_key(context, i).decode(), value(context, i)) for i in keys]
        tensors = [
            (
                library.gguf_get_tensor_name(context, i).decode(), library.gguf_get_tensor_ne(context, i)[:4],
                library.gguf_get_tensor_type(context, i), library.gguf_get_tensor_offset(context, i),
            )
            for i in range(library.gguf_get_n_tensors(context))
        ]  # fmt: skip
        library.gguf_free(context)
        return {"metadata": metadata_digest(values), "tensors": tensors_digest(tensors)}

    return {"output": output, "open": lambda path: warm(lambda: library.gguf_free(read(path)))}


def metadata_digest(items: Iterable[tuple[str, Any]], altered: Callable[[str], str] = str) -> str:
    """Return the digest of keys and values in file order: strings with their lengths in bytes, numbers as float64.

    `altered` does to each string what a reader does: @huggingface/gguf drops U+FEFF at the start as a byte order mark,
    and gguf-parser-go drops white space at both ends.
    """

    def chunks(value: Any) -> Iterable[bytes]:
        if isinstance(value, str):
            data = altered(value).encode()
            return struct.pack("<d", len(data)), data
        if isinstance(value, bool | int | float):
            return (struct.pack("<d", value),)
        if len(value) and isinstance(value[0], str):
            return (chunk for text in value for chunk in chunks(text))
        return (np.asarray(value, "<f8").tobytes(),)

    return digest(*(chunk for key, value in items for part in (key, value) for chunk in chunks(part)))


def unmarked(text: str) -> str:
    return text.removeprefix("\ufeff")


def trimmed(text: str) -> str:
    return text.strip(WHITE_SPACE)


def tensors_digest(tensors: Iterable[tuple[str, Iterable[int], int, int]]) -> str:
    """Return the digest of the name, the four dims in ggml order, the type and the offset of each tensor."""
    return digest(*(repr((name, ([*dims, 1, 1, 1, 1])[:4], type, offset)) for name, dims, type, offset in tensors))


def index_digest(positions: list[int], model: Any) -> str:
    """Return the FNV-1a hash of the positions of all key-values, the number of tensors, and the end, 8 bytes each."""
    result = 0xCBF29CE484222325
    for byte in struct.pack(f"<{len(positions) + 2}Q", *positions, len(model.tensors), model.header_nbytes):
        result = (result ^ byte) * 0x100000001B3 % 2**64
    return f"{result:016x}"


CONTENDERS = {
    "ours": ours, "drop-in": drop_in, "gguf-py": gguf_py, "transformers": transformers, "llama.cpp": llama_cpp,
}  # fmt: skip


def warm(action: Callable[[], Any]) -> float:
    """Return the best of five runs in a row, or one if slow. The first refills caches that other contenders used."""
    first = clock(action)
    return first if first > 0.2 else min(first, *(clock(action) for _ in range(4)))


def resident_bytes() -> int:
    """Return the resident memory of this process, pages of mapped files included."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * 1024
    return 0


def main() -> None:
    operations = CONTENDERS[sys.argv[1]]()
    for line in sys.stdin:
        operation, path = line.rstrip("\n").split(" ", 1)
        print(json.dumps(operations[operation.replace("_", " ")](path)), flush=True)


if __name__ == "__main__":
    main()
