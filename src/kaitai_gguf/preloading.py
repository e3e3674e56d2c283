"""Import everything at once that is otherwise imported on first use."""

import pkgutil
from collections.abc import Iterable
from contextlib import suppress
from importlib import import_module

import kaitai_gguf

_SEPARATE = {"__main__", "catalog", "cli", "gguf_py"}
# What modules of this package, and numpy for them, import in functions. Not all of it is installed everywhere.
_OTHERS = [
    "certifi", "concurrent.futures.thread", "ctypes", "encodings.cp437", "encodings.idna", "fsspec.core", "glob", "h11",
    "hashlib", "httpcore", "httpx", "importlib.readers", "importlib.resources._adapters", "json", "ml_dtypes",
    "numpy.ma", "queue", "urllib.request", "xxhash",
]  # fmt: skip


def preload() -> None:
    """Import everything that is otherwise imported on first use, except for the commands, catalogs and `gguf_py`.

    A process that is forked while another thread imports a module waits forever when it needs that module itself. In
    a program that uses this package in threads and also forks, call this before the first thread is started.
    """
    _import_all(kaitai_gguf.__path__, "kaitai_gguf.")
    for name in _OTHERS:
        with suppress(ImportError):
            import_module(name)


def _import_all(folders: Iterable[str], prefix: str) -> None:
    for info in pkgutil.iter_modules(folders, prefix):
        if info.name.removeprefix("kaitai_gguf.") not in _SEPARATE:
            module = import_module(info.name)
            if info.ispkg:
                _import_all(module.__path__, f"{info.name}.")
