"""gguf-py's reader API on top of kaitai_gguf: `GGUFReader`, `ReaderField` and `ReaderTensor` as in gguf-py 0.19.0.

    from kaitai_gguf.gguf_py import GGUFReader

    reader = GGUFReader("model.gguf")
    reader.fields["general.architecture"].contents()

Programs that import the package `gguf` need no change: `install()` puts these classes into it, and
`python -m kaitai_gguf.gguf_py script.py` runs a program after doing so.

| module | what it contains |
|---|---|
| `reader` | `GGUFReader` |
| `fields`, `parts` | `ReaderField` and `ReaderTensor`, and the views of the file in them |
| `enums`, `errors` | value and tensor types; errors that callers of gguf-py catch |
"""

import importlib
from threading import Lock
from types import ModuleType
from typing import Any

from kaitai_gguf.errors import MissingPackageError
from kaitai_gguf.gguf_py.enums import GGMLQuantizationType, GGUFEndian, GGUFValueType, UnknownTensorType
from kaitai_gguf.gguf_py.errors import InvalidKeyError, TruncatedHeaderError
from kaitai_gguf.gguf_py.fields import ReaderField, ReaderTensor
from kaitai_gguf.gguf_py.reader import GGUFReader

__all__ = [
    "GGMLQuantizationType",
    "GGUFEndian",
    "GGUFReader",
    "GGUFValueType",
    "InvalidKeyError",
    "ReaderField",
    "ReaderTensor",
    "TruncatedHeaderError",
    "UnknownTensorType",
    "install",
    "uninstall",
]

_CLASSES: dict[str, Any] = {"GGUFReader": GGUFReader, "ReaderField": ReaderField, "ReaderTensor": ReaderTensor}

_replaced: list[tuple[ModuleType, str, Any]] = []
_installing = Lock()


def install() -> None:
    """Replace `GGUFReader`, `ReaderField` and `ReaderTensor` in the modules `gguf` and `gguf.gguf_reader`.

    Does nothing if they are already replaced. Names that other modules have already imported
    (`from gguf import GGUFReader`) keep the original class. Raises `MissingPackageError` (an ImportError) if gguf is
    not installed.
    """
    try:
        modules = [importlib.import_module(name) for name in ("gguf", "gguf.gguf_reader")]
    except ImportError as error:
        raise MissingPackageError(f"install() needs the package gguf: pip install gguf ({error})") from None
    with _installing:
        for module in modules:
            for name, ours in _CLASSES.items():
                existing = getattr(module, name, None)
                if existing is not None and existing is not ours:
                    _replaced.append((module, name, existing))
                    setattr(module, name, ours)


def uninstall() -> None:
    """Restore the classes that `install()` replaced. Does nothing if none are replaced."""
    with _installing:
        while _replaced:
            module, name, original = _replaced.pop()
            if getattr(module, name, None) is _CLASSES[name]:
                setattr(module, name, original)
