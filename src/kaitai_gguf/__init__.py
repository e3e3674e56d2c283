"""Reads and writes GGUF model files: metadata as a mapping, tensors as zero-copy numpy arrays.

import kaitai_gguf

with kaitai_gguf.open("model.gguf") as model:
    model.metadata["general.architecture"]
    model.tensors["output.weight"].data
"""

import importlib
import typing

from kaitai_gguf.dequantize import dequantize
from kaitai_gguf.errors import (
    ClosedError,
    FieldNotFound,
    FileAccessError,
    FileError,
    FileIsDirectoryError,
    FileMissingError,
    FormatError,
    GGUFError,
    KeyNotFound,
    MissingDataError,
    MissingPackageError,
    MissingShardError,
    NotGGUFError,
    ShardError,
    TensorDataError,
    TensorNotFound,
    TruncatedError,
    UnknownTypeError,
    WriteError,
)
from kaitai_gguf.quantize import quantize
from kaitai_gguf.reading.arrays import NestedArray, StringArray
from kaitai_gguf.reading.file import GGUFFile, open
from kaitai_gguf.reading.metadata import Entry, Metadata
from kaitai_gguf.reading.tensors import Tensor, Tensors
from kaitai_gguf.schema import SCANNER as scanner  # noqa: N811 - of the package it is a fact like any other
from kaitai_gguf.types import GGMLType, ValueType
from kaitai_gguf.version import __version__

if typing.TYPE_CHECKING:
    from kaitai_gguf.byteswapping import byteswap
    from kaitai_gguf.explanation import Field, explain
    from kaitai_gguf.models.conversion import convert, converted_header
    from kaitai_gguf.models.differences import (
        Differences,
        ElementDifferences,
        KeyDifference,
        TensorDifference,
        ValueErrors,
        diff,
    )
    from kaitai_gguf.models.hashing import HASHES, Digests, digest
    from kaitai_gguf.models.splitting import PlannedShard, merge, plan_split, split
    from kaitai_gguf.reading.shards import shard_names
    from kaitai_gguf.rules import RULES, Finding, Rule, Severity, check
    from kaitai_gguf.writing.editor import Editor, RenamableTensors, edit
    from kaitai_gguf.writing.values import Typed
    from kaitai_gguf.writing.writable import WritableMetadata
    from kaitai_gguf.writing.writer import Writer, write
else:  # or type checkers would take any name for one that exists

    def __getattr__(name: str) -> typing.Any:
        if name not in _LATER:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        found = globals()[name] = getattr(importlib.import_module(f"{__name__}.{_LATER[name]}"), name)
        return found


__all__ = [
    "HASHES",
    "RULES",
    "ClosedError",
    "Differences",
    "Digests",
    "Editor",
    "ElementDifferences",
    "Entry",
    "Field",
    "FieldNotFound",
    "FileAccessError",
    "FileError",
    "FileIsDirectoryError",
    "FileMissingError",
    "Finding",
    "FormatError",
    "GGMLType",
    "GGUFError",
    "GGUFFile",
    "KeyDifference",
    "KeyNotFound",
    "Metadata",
    "MissingDataError",
    "MissingPackageError",
    "MissingShardError",
    "NestedArray",
    "NotGGUFError",
    "PlannedShard",
    "RenamableTensors",
    "Rule",
    "Severity",
    "ShardError",
    "StringArray",
    "Tensor",
    "TensorDataError",
    "TensorDifference",
    "TensorNotFound",
    "Tensors",
    "TruncatedError",
    "Typed",
    "UnknownTypeError",
    "ValueErrors",
    "ValueType",
    "WritableMetadata",
    "WriteError",
    "Writer",
    "__version__",
    "byteswap",
    "check",
    "convert",
    "converted_header",
    "dequantize",
    "diff",
    "digest",
    "edit",
    "explain",
    "merge",
    "open",
    "plan_split",
    "quantize",
    "scanner",
    "shard_names",
    "split",
    "write",
]

# What a program that only reads does without is imported when it is first asked for.
_LATER = {
    "convert": "models.conversion",
    "converted_header": "models.conversion",
    "Differences": "models.differences",
    "ElementDifferences": "models.differences",
    "KeyDifference": "models.differences",
    "TensorDifference": "models.differences",
    "ValueErrors": "models.differences",
    "diff": "models.differences",
    "Editor": "writing.editor",
    "RenamableTensors": "writing.editor",
    "edit": "writing.editor",
    "byteswap": "byteswapping",
    "Field": "explanation",
    "explain": "explanation",
    "Digests": "models.hashing",
    "HASHES": "models.hashing",
    "digest": "models.hashing",
    "Finding": "rules",
    "RULES": "rules",
    "Rule": "rules",
    "Severity": "rules",
    "check": "rules",
    "shard_names": "reading.shards",
    "PlannedShard": "models.splitting",
    "merge": "models.splitting",
    "plan_split": "models.splitting",
    "split": "models.splitting",
    "Typed": "writing.values",
    "WritableMetadata": "writing.writable",
    "Writer": "writing.writer",
    "write": "writing.writer",
}


def __dir__() -> list[str]:
    return __all__
