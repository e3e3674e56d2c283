"""Hypothesis strategies for GGUF models."""

import math
import struct
from typing import Any

from hypothesis import strategies as st

from support.gguf_bytes import CODES, Array, Model, TensorSpec

strings = st.one_of(st.text(max_size=8), st.binary(max_size=8))
names = st.text(min_size=1, max_size=12)


def scalars(type: str) -> st.SearchStrategy[Any]:
    if type == "string":
        return strings
    if type == "bool":
        return st.integers(0, 1)
    bits = 8 * struct.calcsize(CODES[type])
    if type.startswith("float"):
        return st.floats(width=bits)
    lowest = -(1 << bits - 1) if type.startswith("int") else 0
    return st.integers(lowest, lowest + (1 << bits) - 1)


def arrays(depth: int = 2) -> st.SearchStrategy[Array]:
    flat = st.sampled_from([*CODES, "string"]).flatmap(
        lambda type: st.lists(scalars(type), max_size=5).map(lambda items: Array(type, items))
    )
    if depth == 0:
        return flat
    nested = st.lists(arrays(depth - 1), max_size=3).map(lambda items: Array("array", items))
    return st.one_of(flat, nested)


def key_values(key: str) -> st.SearchStrategy[tuple[str, str, Any]]:
    scalar = st.sampled_from([*CODES, "string"]).flatmap(lambda type: st.tuples(st.just(type), scalars(type)))
    value = st.one_of(scalar, arrays().map(lambda array: ("array", array)))
    return value.map(lambda pair: (key, *pair))


@st.composite
def models(draw: st.DrawFn) -> Model:
    """Generate valid models with F32 and I8 tensors, with or without gaps."""
    version = draw(st.sampled_from([1, 2, 3]))
    alignment = draw(st.sampled_from([1, 8, 32, 64]))
    keys = draw(st.lists(names.filter(lambda key: key != "general.alignment"), unique=True, max_size=5))
    metadata = [draw(key_values(key)) for key in keys]
    if alignment != 32:
        metadata.insert(draw(st.integers(0, len(metadata))), ("general.alignment", "uint32", alignment))
    tensors: list[TensorSpec] = []
    data = b""
    for name in draw(st.lists(names, unique=True, max_size=4)):
        dims = tuple(draw(st.lists(st.integers(0, 4), max_size=4)))
        type_id, size = draw(st.sampled_from([(0, 4), (24, 1)]))
        data += bytes(-len(data) % alignment + alignment * draw(st.integers(0, 2)))
        tensors.append(TensorSpec(name, dims, type_id, len(data)))
        count = math.prod(dims)
        data += draw(st.binary(min_size=count * size, max_size=count * size))
    byte_order = draw(st.sampled_from(["little", "big"]))
    return Model(metadata, tensors, data, version, byte_order, alignment)


@st.composite
def broken(draw: st.DrawFn) -> bytes:
    """Generate headers with some bytes changed, or truncated ones."""
    model = draw(models())
    data = bytearray(model.build())
    for _ in range(draw(st.integers(1, 3))):
        position = draw(st.integers(0, len(data) - 1))
        code = draw(st.sampled_from("BIQ"))
        changed = struct.pack(f"<{code}", draw(st.sampled_from([0, 1, 2, 5, 13, 2 ** (8 * struct.calcsize(code)) - 1])))
        data[position : position + len(changed)] = changed
    return bytes(data[: draw(st.integers(0, len(data)))]) if draw(st.booleans()) else bytes(data)
