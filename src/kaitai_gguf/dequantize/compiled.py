"""`KERNELS`: the module `_kernels`, or None where the package was built without a C compiler and numpy is used."""

from typing import Any

try:
    from kaitai_gguf import _kernels
except ImportError:
    _kernels = None  # type: ignore[assignment]

__all__ = ["KERNELS"]

KERNELS: Any = _kernels
