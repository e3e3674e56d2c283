"""Quantize a whole model: choose a type for each tensor, and write the tensors one after the other."""

import errno
import os
import re
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kaitai_gguf.dequantize.arrays import check_threads
from kaitai_gguf.errors import FileError, GGUFError, WriteError
from kaitai_gguf.llama_cpp import FILE_TYPE, architecture_of
from kaitai_gguf.models.conversion import writer_like
from kaitai_gguf.models.mixes import fallback, is_quantizable, mixed_types, target, weight_type
from kaitai_gguf.quantize.run import importance_for
from kaitai_gguf.reading.file import GGUFFile
from kaitai_gguf.reading.handle import source_of
from kaitai_gguf.reading.opening import ModelOrSource, model_of
from kaitai_gguf.reading.tensor import Tensor, place_of
from kaitai_gguf.types import GGMLType, Progress
from kaitai_gguf.writing.atomic import Staging, as_given, is_file_of, real_path
from kaitai_gguf.writing.plan import declared
from kaitai_gguf.writing.sink import Sink
from kaitai_gguf.writing.tensor_data import check_conversion, converted

Imatrix = Mapping[str, ArrayLike] | ModelOrSource
Types = Mapping[str, GGMLType | str | int]

_EMBEDDINGS = ("token_embd.weight", "per_layer_token_embd.weight")


@dataclass(frozen=True)
class PlannedTensor:
    """A tensor of a model that will be quantized."""

    name: str
    """Its name."""
    type: GGMLType
    """Its type in the new file."""
    nbytes: int
    """The size of its data in the new file, in bytes."""


def quantize_model(
    source: ModelOrSource,
    output: str | os.PathLike[str],
    type: GGMLType | str | int,
    *,
    types: Types | None = None,
    imatrix: Imatrix | None = None,
    threads: int | None = None,
    overwrite: bool = False,
    progress: Progress | None = None,
) -> None:
    """Write a model to a new file, with its weights quantized to a type or a mix of types.

    source     an open model, or what `open()` takes. A model in several files becomes one file.
    type       a type that `quantize` supports, for all weights, as in `llama-quantize --pure`; or the name of one of
               llama.cpp's mixes: Q2_K_S, Q3_K_S, Q3_K_M, Q3_K_L, Q4_K_S, Q4_K_M, Q5_K_S, Q5_K_M or MXFP4_MOE.
    types      regular expression → type, for weights whose names it matches somewhere; the first match counts.
    imatrix    an importance matrix: a file of llama.cpp's `llama-imatrix` (GGUF), or name → importance of the columns,
               as for `quantize`. Tensors that it does not have are quantized without one.
    threads    as for `quantize`.
    overwrite  whether to replace an existing file.
    progress   called with the number of bytes written since the last call.

    As in llama.cpp, weights with at least two axes are quantized; norms, biases and some small weights stay as they
    are. If rows are not made of whole blocks, weights get another type: Q4_0 instead of Q2_0, Q2_K, Q3_K, TQ1_0 and
    TQ2_0, Q5_0 instead of Q4_K, Q5_1 instead of Q5_K, Q8_0 instead of Q6_K, or else F16. Weights that are quantized
    already are quantized again, which loses precision twice.

    `general.file_type` and `general.quantization_version` follow. The name of a type gets the file type of the mix that
    llama.cpp knows by this name: Q4_K_M for Q4_K.

    Tensors are read and written in parts of a few megabytes. The file gets its name when it is complete. Raises
    `WriteError` for a type or mix that is not supported, a weight that can't be quantized, an expression in `types`
    that matches no weight, and an importance matrix of another model; `FileError` if the file can't be written.
    """
    threads, path = check_threads(threads), real_path(output)
    with as_given(output), model_of(source) as model:
        sources = [source_of(each) for each in model.shards]
        if any(is_file_of(each, path) for each in sources):
            raise FileError(errno.EEXIST, "is a file that the model is read from: choose another output", str(output))
        matrices = _imatrix_of(model, imatrix)
        planned = _plan(model, type, types, matrices)
        with (
            Staging(overwrite, sources=sources) as staging,
            staging.file(path) as file,
            closing(Sink(file, path)) as sink,
        ):
            with writer_like(model, sink, progress=progress) as writer:
                writer.metadata[FILE_TYPE] = np.uint32(target(type).file_type)
                writer.metadata.update(_imatrix_keys(imatrix, matrices))
                for each in planned:
                    writer.add_tensor(each.name, model.tensors[each.name].shape, each.type)
                for each in planned:
                    tensor, matrix = model.tensors[each.name], matrices.get(each.name)
                    data: Any = tensor
                    if tensor.type is not each.type:
                        described = declared(each.name, tensor.shape, each.type)
                        data = converted(described, tensor, model.byte_order, matrix, threads)
                        data = (memoryview(chunk) for chunk in data)  # an array would be converted once more
                    writer.write_tensor(each.name, data)
            sink.flush()


def plan_quantization(
    source: ModelOrSource,
    type: GGMLType | str | int,
    *,
    types: Types | None = None,
    imatrix: Imatrix | None = None,
) -> list[PlannedTensor]:
    """Return the tensors that `quantize_model` would write. Takes the same arguments, and raises the same errors."""
    with model_of(source) as model:
        return _plan(model, type, types, _imatrix_of(model, imatrix))


def _plan(
    model: GGUFFile, type: GGMLType | str | int, types: Types | None, matrices: Mapping[str, NDArray[Any]]
) -> list[PlannedTensor]:
    goal, architecture = target(type), architecture_of(model.metadata)
    for tensor in model.tensors.values():
        _ = place_of(tensor)  # or its data is missing, or of a type that is not known
    weights = {name: each for name, each in model.tensors.items() if is_quantizable(each, architecture)}
    chosen = _chosen(weights, types or {})
    mixed = {} if goal.mix is None else mixed_types(model, goal, chosen)
    unweighted = goal.mix == "Q2_K_S" and not matrices
    planned = []
    for name, tensor in model.tensors.items():
        assert tensor.type is not None
        new = tensor.type
        if name in weights:
            new = fallback(tensor, chosen[name] if name in chosen else mixed.get(name, goal.type))
            if unweighted and new is GGMLType.Q2_K and name not in (*_EMBEDDINGS, "output.weight"):
                raise WriteError(f"tensor {name!r}: Q2_K_S needs an importance matrix, as in llama.cpp")
        if new is not tensor.type:
            check_conversion(tensor, new, name)
        planned.append(PlannedTensor(name, new, declared(name, tensor.shape, new).nbytes))
    return planned


def _chosen(weights: Mapping[str, Tensor], types: Types) -> dict[str, GGMLType]:
    """Return the types of the weights that one of the expressions matches."""
    chosen: dict[str, GGMLType] = {}
    for pattern, name in types.items():
        try:
            matching = [weight for weight in weights if re.search(pattern, weight)]
        except re.error as error:
            raise WriteError(f"{pattern!r} is not a regular expression: {error}") from None
        if not matching:
            raise WriteError(f"{pattern!r} matches no weight that is quantized")
        type = weight_type(name)
        for weight in matching:
            chosen.setdefault(weight, type)
    return chosen


def _imatrix_of(model: GGUFFile, imatrix: Imatrix | None) -> dict[str, NDArray[np.float32]]:
    """Return the importance of the columns of each tensor, of shape (matrices, columns) or (columns,).

    A file of `llama-imatrix` has the sums of squares of activations (`NAME.in_sum2`) and their counts (`NAME.counts`);
    the importance is their quotient, and 1 without a count. Raises `WriteError` if it does not fit the model.
    """
    if imatrix is None:
        return {}
    given = {name: np.asarray(each) for name, each in imatrix.items()} if isinstance(imatrix, Mapping) else {}
    if not isinstance(imatrix, Mapping):
        with model_of(imatrix) as file:
            if file.metadata.get("general.type") != "imatrix":
                raise WriteError("the importance matrix is not one: its general.type is not 'imatrix'")
            for name in file.tensors:
                if name.endswith(".in_sum2") and f"{(stem := name.removesuffix('.in_sum2'))}.counts" in file.tensors:
                    given[stem] = _quotients(file.tensors[name], file.tensors[f"{stem}.counts"])
    known = {name: each for name, each in given.items() if name in model.tensors}
    if not known:
        raise WriteError("the importance matrix is of another model: none of its tensors is in this one")
    result = {}
    for name, matrix in known.items():
        shape = model.tensors[name].shape
        row = matrix[0] if matrix.ndim == 2 and len(matrix) == 1 and len(shape) == 2 else matrix
        try:
            importance_for(row, shape)
        except (GGUFError, TypeError) as error:
            if name in _EMBEDDINGS:  # as in llama.cpp: its activations are those of the output
                continue
            raise WriteError(f"tensor {name!r}: the importance matrix is of another model: {error}") from None
        result[name] = np.asarray(row, np.float32)
    return result


def _quotients(sums: Tensor, counts: Tensor) -> NDArray[np.float32]:
    count = counts.dequantize().reshape(-1, 1)
    values = sums.dequantize().reshape(len(count), -1)
    with np.errstate(all="ignore"):
        return np.where(count > 0, values / count, np.float32(1))


def _imatrix_keys(imatrix: Imatrix | None, matrices: Mapping[str, Any]) -> dict[str, Any]:
    """Return the keys that llama.cpp writes about an importance matrix."""
    if imatrix is None or isinstance(imatrix, Mapping):
        return {}
    with model_of(imatrix) as file:
        name = source_of(file).name
        keys: dict[str, Any] = {"quantize.imatrix.file": name and os.path.basename(name)}
        datasets = file.metadata.get("imatrix.datasets")
        keys["quantize.imatrix.dataset"] = datasets[0] if datasets is not None and len(datasets) else None
        keys["quantize.imatrix.entries_count"] = np.uint32(len(matrices))
        chunks = file.metadata.get("imatrix.chunk_count")
        keys["quantize.imatrix.chunks_count"] = None if chunks is None else np.uint32(chunks)
    return {key: value for key, value in keys.items() if value}
