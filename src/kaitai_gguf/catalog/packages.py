"""The packages that only catalogs need, imported on first use."""

from functools import cache
from importlib import import_module
from typing import Any

from kaitai_gguf.errors import MissingPackageError

__all__ = ["arrow", "distributed", "parquet"]


def arrow() -> Any:
    """Return pyarrow. Raises `MissingPackageError`."""
    return _imported("pyarrow", "pyarrow")


def parquet() -> Any:
    """Return pyarrow.parquet. Raises `MissingPackageError`."""
    return _imported("pyarrow.parquet", "pyarrow")


def distributed() -> Any:
    """Return Dask's package distributed. Raises `MissingPackageError`."""
    return _imported("distributed", "dask[distributed]")


@cache
def _imported(module: str, package: str) -> Any:
    try:
        return import_module(module)
    except ImportError:
        message = f"a catalog needs the package {package}: pip install '.[catalog]'"
    raise MissingPackageError(message)
