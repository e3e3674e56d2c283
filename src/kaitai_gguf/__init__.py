"""Read, check, edit and write GGUF model files: metadata as a mapping, tensors as zero-copy numpy arrays.

Open a file and read from it:

    import kaitai_gguf

    with kaitai_gguf.open("model.gguf") as model:
        model.metadata["general.architecture"]
        model.tensors["output.weight"].data
"""

import importlib as _importlib
import types as _types
import typing as _typing

from kaitai_gguf.dequantize import dequantize as dequantize
from kaitai_gguf.errors import (
    CatalogError as CatalogError,
    ClosedError as ClosedError,
    FieldNotFound as FieldNotFound,
    FileAccessError as FileAccessError,
    FileError as FileError,
    FileIsDirectoryError as FileIsDirectoryError,
    FileMissingError as FileMissingError,
    FormatError as FormatError,
    GGUFError as GGUFError,
    KeyNotFound as KeyNotFound,
    MissingDataError as MissingDataError,
    MissingPackageError as MissingPackageError,
    MissingShardError as MissingShardError,
    NotGGUFError as NotGGUFError,
    ShardError as ShardError,
    TensorDataError as TensorDataError,
    TensorNotFound as TensorNotFound,
    TruncatedError as TruncatedError,
    UnknownTypeError as UnknownTypeError,
    ValueTypeError as ValueTypeError,
    ViewsInUseError as ViewsInUseError,
    WriteError as WriteError,
)
from kaitai_gguf.memory import memory as memory
from kaitai_gguf.quantize import quantize as quantize
from kaitai_gguf.version import __version__ as __version__

if _typing.TYPE_CHECKING:
    from kaitai_gguf.byteswapping import byteswap as byteswap
    from kaitai_gguf.explanation import Field as Field, explain as explain
    from kaitai_gguf.llama_cpp import StandardKey as StandardKey, standard_key as standard_key
    from kaitai_gguf.memory.estimate import LayerMemory as LayerMemory, Memory as Memory
    from kaitai_gguf.models.conversion import convert as convert, converted_header as converted_header
    from kaitai_gguf.models.differences import (
        Differences as Differences,
        ElementDifferences as ElementDifferences,
        KeyDifference as KeyDifference,
        TensorDifference as TensorDifference,
        ValueErrors as ValueErrors,
        diff as diff,
    )
    from kaitai_gguf.models.fitting import Fit as Fit, fits as fits
    from kaitai_gguf.models.hashing import HASHES as HASHES, Digests as Digests, digest as digest
    from kaitai_gguf.models.quantizing import (
        PlannedTensor as PlannedTensor,
        plan_quantization as plan_quantization,
        quantize_model as quantize_model,
    )
    from kaitai_gguf.models.splitting import (
        PlannedShard as PlannedShard,
        merge as merge,
        plan_split as plan_split,
        split as split,
    )
    from kaitai_gguf.preloading import preload as preload
    from kaitai_gguf.reading.arrays import NestedArray as NestedArray, StringArray as StringArray
    from kaitai_gguf.reading.file import GGUFFile as GGUFFile
    from kaitai_gguf.reading.info import (
        FileType as FileType,
        ModelInfo as ModelInfo,
        SpecialToken as SpecialToken,
        TensorShare as TensorShare,
    )
    from kaitai_gguf.reading.metadata import Entry as Entry, Metadata as Metadata
    from kaitai_gguf.reading.opening import open as open
    from kaitai_gguf.reading.shards import shard_names as shard_names
    from kaitai_gguf.reading.tensor import Tensor as Tensor
    from kaitai_gguf.reading.tensors import Tensors as Tensors
    from kaitai_gguf.rules import RULES as RULES, Finding as Finding, Rule as Rule, Severity as Severity, check as check
    from kaitai_gguf.schema.scanner import scanner as scanner
    from kaitai_gguf.tensor_names import TensorRole as TensorRole, tensor_role as tensor_role
    from kaitai_gguf.types import GGMLType as GGMLType, ValueType as ValueType
    from kaitai_gguf.writing.editable import EditableTensors as EditableTensors
    from kaitai_gguf.writing.editor import Editor as Editor, edit as edit
    from kaitai_gguf.writing.values import Typed as Typed
    from kaitai_gguf.writing.writable import WritableMetadata as WritableMetadata
    from kaitai_gguf.writing.writer import Writer as Writer, write as write
else:  # a `__getattr__` would make type checkers accept any name

    def __getattr__(name: str) -> _typing.Any:
        if name not in _LATER:
            advice = f"; use kaitai_gguf.{_OTHERS[name]}" if name in _OTHERS else ""
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}{advice}")
        value = globals()[name] = getattr(_importlib.import_module(f"{__name__}.{_LATER[name]}"), name)
        return value


# Names that other packages have for the same.
_OTHERS = {
    "load": "open",
    "read": "open",
    "GGUFReader": "gguf_py.GGUFReader, or kaitai_gguf.open",
    "GGUFWriter": "Writer",
    "save": "write",
    "fit": "memory",
}

# These names are imported on first use: a program pays only for what it uses. Type checkers read the imports above.
_LATER = {
    name: module
    for module, names in {
        "byteswapping": "byteswap",
        "explanation": "Field explain",
        "llama_cpp": "StandardKey standard_key",
        "memory.estimate": "LayerMemory Memory",
        "models.conversion": "convert converted_header",
        "models.differences": "Differences ElementDifferences KeyDifference TensorDifference ValueErrors diff",
        "models.fitting": "Fit fits",
        "models.hashing": "Digests HASHES digest",
        "models.quantizing": "PlannedTensor plan_quantization quantize_model",
        "models.splitting": "PlannedShard merge plan_split split",
        "preloading": "preload",
        "reading.arrays": "NestedArray StringArray",
        "reading.file": "GGUFFile",
        "reading.info": "FileType ModelInfo SpecialToken TensorShare",
        "reading.metadata": "Entry Metadata",
        "reading.opening": "open",
        "reading.shards": "shard_names",
        "reading.tensor": "Tensor",
        "reading.tensors": "Tensors",
        "rules": "Finding RULES Rule Severity check",
        "schema.scanner": "scanner",
        "tensor_names": "TensorRole tensor_role",
        "types": "GGMLType ValueType",
        "writing.editable": "EditableTensors",
        "writing.editor": "Editor edit",
        "writing.values": "Typed",
        "writing.writable": "WritableMetadata",
        "writing.writer": "Writer write",
    }.items()
    for name in names.split()
}

__all__ = sorted(  # noqa: PLE0605 - the imports are the list
    {name for name, value in globals().items() if name[0] != "_" and not isinstance(value, _types.ModuleType)}
    | {"__version__", *_LATER}
)


def __dir__() -> list[str]:
    return __all__
