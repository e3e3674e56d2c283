"""gguf-py's reader API on top of kaitai_gguf: `GGUFReader`, `ReaderField` and `ReaderTensor` as in gguf-py 0.19.0.

    from kaitai_gguf.gguf_py import GGUFReader

    reader = GGUFReader("model.gguf")
    reader.fields["general.architecture"].contents()

Programs that import the package `gguf` need no change: `install()` puts these classes into it, and
`python -m kaitai_gguf.gguf_py script.py` runs a program after doing so.

| module | what it contains |
|---|---|
| `reader` | `GGUFReader` |
| `fields`, `parts`, `lazy_lists` | `ReaderField`, and the views of the file in it |
| `tensors` | `ReaderTensor` |
| `enums`, `errors` | value and tensor types; errors that callers of gguf-py catch |
| `installation` | `install()` and `uninstall()` |
"""

from kaitai_gguf.gguf_py.enums import GGMLQuantizationType, GGUFEndian, GGUFValueType, UnknownTensorType
from kaitai_gguf.gguf_py.errors import InvalidKeyError, TruncatedHeaderError
from kaitai_gguf.gguf_py.fields import ReaderField
from kaitai_gguf.gguf_py.installation import install, uninstall
from kaitai_gguf.gguf_py.reader import GGUFReader
from kaitai_gguf.gguf_py.tensors import ReaderTensor

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
