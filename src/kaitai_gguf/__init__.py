"""Reads GGUF model files: metadata as a mapping, tensors as zero-copy numpy arrays.

import kaitai_gguf

with kaitai_gguf.open("model.gguf") as model:
    model.metadata["general.architecture"]
    model.tensors["output.weight"].data
"""

from kaitai_gguf.arrays import NestedArray, StringArray
from kaitai_gguf.dequantize import dequantize
from kaitai_gguf.errors import (
    ClosedError,
    FileAccessError,
    FileError,
    FileIsDirectoryError,
    FileMissingError,
    FormatError,
    GGUFError,
    KeyNotFound,
    MissingDataError,
    NotGGUFError,
    TensorDataError,
    TensorNotFound,
    TruncatedError,
    UnknownTypeError,
)
from kaitai_gguf.file import GGUFFile, open
from kaitai_gguf.metadata import Entry, Metadata
from kaitai_gguf.quantize import quantize
from kaitai_gguf.schema import SCANNER as scanner  # noqa: N811 - of the package it is a fact like any other
from kaitai_gguf.tensors import Tensor, Tensors
from kaitai_gguf.types import GGMLType, ValueType
from kaitai_gguf.version import __version__

__all__ = [
    "ClosedError",
    "Entry",
    "FileAccessError",
    "FileError",
    "FileIsDirectoryError",
    "FileMissingError",
    "FormatError",
    "GGMLType",
    "GGUFError",
    "GGUFFile",
    "KeyNotFound",
    "Metadata",
    "MissingDataError",
    "NestedArray",
    "NotGGUFError",
    "StringArray",
    "Tensor",
    "TensorDataError",
    "TensorNotFound",
    "Tensors",
    "TruncatedError",
    "UnknownTypeError",
    "ValueType",
    "__version__",
    "dequantize",
    "open",
    "quantize",
    "scanner",
]
