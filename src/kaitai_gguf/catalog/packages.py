"""The packages that only catalogs need, imported on first use."""

from functools import cache
from importlib import import_module
from typing import Any

from kaitai_gguf.errors import MissingPackageError

__all__ = ["arrow", "delta", "distributed"]


def arrow() -> Any:
    """Return pyarrow. Raises `MissingPackageError`."""
    return _imported("pyarrow", "pyarrow", "catalog")


def delta() -> Any:
    """Return deltalake. Raises `MissingPackageError`."""
    return _imported("deltalake", "deltalake", "catalog")


def distributed() -> Any:
    """Return Dask's package distributed. Raises `MissingPackageError`."""
    return _imported("distributed", "dask[distributed]", "cluster")


@cache
def _imported(module: str, package: str, extra: str) -> Any:
    try:
        return import_module(module)
    except ImportError:
        message = f"a catalog needs the package {package}: pip install 'kaitai-gguf[{extra}]'"
    raise MissingPackageError(message)
