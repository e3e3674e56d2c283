"""Typical code of users, which type checkers must accept in strict mode."""

import pickle
from collections import Counter
from pathlib import Path
from typing import assert_type

import numpy as np
from numpy.typing import NDArray

import kaitai_gguf
from kaitai_gguf import Editor, Finding, GGMLType, GGUFFile, Metadata, Severity, StringArray, Tensor, ValueType


def read(path: Path) -> dict[str, int]:
    with kaitai_gguf.open(path) as model:
        assert_type(model, GGUFFile)
        assert_type(model.metadata, Metadata)
        layers = int(model.metadata["llama.block_count"])
        architecture: str = model.metadata["general.architecture"]
        tokens: list[str] = list(model.metadata["tokenizer.ggml.tokens"])
        scores: NDArray[np.float32] = model.metadata.get("tokenizer.ggml.scores", np.zeros(0, np.float32))
        texts = model.metadata["tokenizer.ggml.merges"]
        if isinstance(texts, StringArray):
            tokens += [*texts[:3].tolist(), texts[0]]
        entry = model.metadata.entry("llama.block_count")
        assert_type(entry.value_type, ValueType)
        assert_type(entry.element_type, ValueType | None)
        print(architecture, f"{scores.mean():.2f}", model.byte_order.upper(), model.alignment + layers)
        return {key: len(key) for key in model.metadata} | dict.fromkeys(tokens, 0)


def tensors(model: GGUFFile) -> NDArray[np.float32]:
    for name, tensor in model.tensors.items():
        assert_type(name, str)
        assert_type(tensor, Tensor)
        if tensor.type is GGMLType.Q4_K:
            print(tensor.type_name.lower(), tensor.shape[0] * tensor.dims[-1], tensor.nbytes)
    sizes: list[int] = [tensor.data.nbytes + tensor.blocks.ndim for tensor in model.tensors.values()]
    weight: NDArray[np.float32] = model.tensors["output.weight"].dequantize(rows=slice(0, sizes[0]), threads=2)
    packed = kaitai_gguf.quantize(weight, GGMLType.Q8_0)
    assert_type(packed, NDArray[np.uint8])
    kaitai_gguf.dequantize(packed, GGMLType.Q8_0, dtype=np.float16)
    return weight


def write(path: str, weight: NDArray[np.float32]) -> None:
    keys = {"general.architecture": "llama", "llama.block_count": kaitai_gguf.Typed(1, ValueType.UINT32)}
    kaitai_gguf.write(path, keys, {"output.weight": weight}, byte_order="big", overwrite=True)
    with kaitai_gguf.Writer(path, version=2) as writer:
        writer.metadata.update(keys)
        writer.add_tensor("output.weight", weight.shape, GGMLType.F32)
        writer.add_tensor("packed", weight.shape, "Q8_0")
        writer.add_tensor("plain", weight.shape, np.float16)
        writer.write_tensor("output.weight", weight)
    with kaitai_gguf.edit(path) as editor:
        assert_type(editor, Editor)
        editor.metadata["general.name"] = "A name"
        editor.tensors.rename("output.weight", "token_embd.weight")
        editor.tensors["output.weight"] = weight, "Q8_0"
        del editor.tensors["packed"]
        editor.metadata["x"] = kaitai_gguf.Typed([], "string")
        if editor.fits:
            editor.commit()


def compare(model: GGUFFile, other: GGUFFile) -> list[str]:
    kaitai_gguf.convert(model, "converted.gguf", version=3, byte_order="little", progress=print)
    found = kaitai_gguf.diff(model, other, values=True) or kaitai_gguf.diff("model.gguf", Path("other.gguf"))
    assert_type(bool(found), bool)
    digests: dict[str, str] = kaitai_gguf.digest(model, "sha256").tensors
    names = kaitai_gguf.split(["a.gguf", "b.gguf"], Path("parts"), max_nbytes=1 << 30)
    for field in kaitai_gguf.explain("model.gguf", at=24):
        print(field.start + field.depth, field.meaning.upper())
    try:
        findings = kaitai_gguf.check("model.gguf", deep=True) + kaitai_gguf.check(model)
    except kaitai_gguf.FormatError as error:
        return [f"{error.offset:#x} {error.path}"]
    assert_type(findings, list[Finding])
    return [*names, *digests, *(each.message for each in findings if each.severity is Severity.ERROR)]


def friendly(path: Path, weight: NDArray[np.float32]) -> dict[str, object]:
    kaitai_gguf.write(path, {"n": kaitai_gguf.Typed(5, "int8")}, {"a": (weight, "Q8_0"), "b": (weight, GGMLType.F16)})
    with kaitai_gguf.open(path, storage_options=None) as model:
        assert_type(model.metadata.get_int("n"), int)
        assert_type(model.metadata.get_str("general.name", None), str | None)
        assert_type(model.metadata.get_float("x", 1.0), float)
        assert_type(model.metadata.get_bool("tokenizer.ggml.add_bos_token", False), bool)
        assert_type(model.metadata.get_strings("tokenizer.ggml.tokens"), StringArray)
        scores = model.metadata.get_array("tokenizer.ggml.scores", None)
        tensor = model.tensors["a"]
        rows = [float(np.asarray(row).sum()) for row in tensor] + [float(tensor[0][0]), len(tensor), tensor.size]
        role = kaitai_gguf.tensor_role(tensor.name)
        print(f"{tensor.type}", tensor.dtype, tensor.ndim, role.block, role.kind, tensor.block, scores, rows)
        sizes: Counter[str] = Counter()
        for name, each in model.tensors.items():
            sizes[kaitai_gguf.tensor_role(name).kind] += each.nbytes or 0
        again: GGUFFile = pickle.loads(pickle.dumps(model))
        again.close(release=True)
    with kaitai_gguf.edit(path) as editor:
        editor.metadata.rename("n", "m")
    print(kaitai_gguf.digest(path).tensors, list(kaitai_gguf.explain(path)))
    return again.metadata.to_dict()
