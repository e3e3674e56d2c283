"""Cases about tensor infos, and about the position and content of tensor data."""

import struct

from support.gguf_bytes import Array, Model, TensorSpec

from rules.build import (
    DATA,
    F32,
    IQ1_M,
    METADATA,
    MXFP4,
    NVFP4,
    Q2_0,
    Q4_0,
    Q8_0,
    Q8_K,
    TQ2_0,
    Broken,
    data_start,
    good,
    tensor_place,
    with_key,
)  # fmt: skip
from rules.cases.registry import at, case, odd_tensor

NEXT = 192  # the offset of a tensor after those of the good file
HEADER = ("ggml", "llama.cpp")

odd_tensor("empty-name", "name", TensorSpec("", (8,), F32, NEXT))
odd_tensor("duplicate-tensor", "name", TensorSpec("token_embd.weight", (8,), F32, NEXT))
odd_tensor("name-utf8", "name", TensorSpec(b"\xff", (8,), F32, NEXT))
odd_tensor("name-nul", "name", TensorSpec("a\0b", (8,), F32, NEXT))
odd_tensor("name-length", "name", TensorSpec("a" * 64, (8,), F32, NEXT))
odd_tensor("dims-overflow", "dims", TensorSpec("t", (2**63,), F32, NEXT), HEADER)
odd_tensor("dims-overflow", "dims", TensorSpec("t", (2**32, 2**32), F32, NEXT), HEADER)
odd_tensor("dims-overflow", "dims", TensorSpec("t", (0, 2**32, 2**32), F32, NEXT), ())
odd_tensor("dims-overflow", "dims", TensorSpec("t", (4, 2**30 - 1, 2**30 + 1), F32, NEXT), HEADER)
odd_tensor("row-blocks", "dims", TensorSpec("t", (33,), Q8_0, NEXT))
odd_tensor("row-blocks", "dims", TensorSpec("t", (), Q4_0, NEXT))
odd_tensor("removed-type", "type_id", TensorSpec("t", (8,), 31, NEXT))
odd_tensor("unknown-type", "type_id", TensorSpec("t", (8,), 4711, NEXT))
odd_tensor("new-type", "type_id", TensorSpec("t", (64,), Q2_0, NEXT))
odd_tensor("scalar-tensor", "num_dims", TensorSpec("t", (), F32, NEXT))
odd_tensor("empty-tensor", "dims", TensorSpec("t", (8, 0), F32, NEXT))


@case("missing-tensor")
def norm_of_another_name() -> Broken:
    model = good()
    model.tensors[0].name = "norm.weight"
    return Broken(model.build(), tensor_place(model, "name", 0)[0], "/tensors")


@case("embedding-shape")
def three_tokens() -> Broken:
    model = with_key("tokenizer.ggml.tokens", "array", Array("string", ["<s>", "a", "b"]))
    return at(tensor_place(model, "dims", 1), model)


@case("embedding-shape")
def another_embedding_length() -> Broken:
    model = with_key("llama.embedding_length", "uint32", 64)
    return at(tensor_place(model, "dims", 1), model)


# Position of the tensor data

odd_tensor("offset-range", "ofs_data", TensorSpec("t", (8,), F32, 2**63), HEADER)
odd_tensor("offset-alignment", "ofs_data", TensorSpec("t", (8,), F32, NEXT + 8))
odd_tensor("overlap", "ofs_data", TensorSpec("t", (8,), F32, 160))
odd_tensor("contiguity", "ofs_data", TensorSpec("t", (8,), F32, NEXT + 32))


@case("offset-range")
def sizes_that_add_up() -> Broken:
    """ggml's 64-bit sums wrap around, so it refuses these tensors only when it reads their data."""
    tensors = [TensorSpec("a", (2**63 - 64,), 24, 0), TensorSpec("b", (2**63 - 64,), 24, 2**63 - 64)]
    model = Model(list(METADATA), tensors)
    return at(tensor_place(model, "ofs_data", 0), model, ("ggml (with data)", "llama.cpp"))


@case("contiguity")
def gap_at_the_start() -> Broken:
    model = good()
    model.tensors = model.tensors[1:]
    return at(tensor_place(model, "ofs_data"), model)


@case("contiguity")
def another_order() -> Broken:
    model = good()
    model.tensors.reverse()
    return at(tensor_place(model, "ofs_data", 0), model)


@case("missing-data")
def cut_off() -> Broken:
    model = good()
    end = data_start(model) + 32
    return Broken(model.build()[: end + 135], end, "/tensors/1/data")


@case("missing-padding")
def no_padding() -> Broken:
    model = good()
    model.tensors = [TensorSpec("t", (0,), F32, 0)]
    return Broken(model.header(), len(model.header()), "/padding")


@case("end-padding")
def no_padding_at_the_end() -> Broken:
    data = good().build()[:-1]
    return Broken(data, len(data), "/padding")


@case("header-padding")
def something_after_the_header() -> Broken:
    model = good()
    data, last = bytearray(model.build()), data_start(model) - 1
    assert last >= len(model.header())
    data[last] = 1
    return Broken(bytes(data), last, "/padding")


@case("tensor-padding")
def something_after_a_tensor() -> Broken:
    model = good()
    model.data = bytes(30) + b"x" + DATA[31:]
    return Broken(model.build(), data_start(model) + 30, "/tensors/0/padding")


@case("trailing-bytes")
def more_than_tensors() -> Broken:
    data = good().build()
    return Broken(data + b"\0", len(data), "/trailing")


@case("trailing-bytes")
def more_than_key_values() -> Broken:
    data = Model(list(METADATA)).build()
    return Broken(data + b"\0", len(data), "/trailing")


# Tensor data


def odd_block(rule: str, type_id: int, size: int, data: bytes, place: tuple[int, str], *refused: str) -> None:
    """`place` is the offset of the finding in the tensor's data, and its path below `/tensors/0/data/`."""

    def make() -> Broken:
        model = Model(list(METADATA), [TensorSpec("t", (size,), type_id, 0)], data + bytes(-len(data) % 32))
        return Broken(model.build(), data_start(model) + place[0], f"/tensors/0/data/{place[1]}", refused)

    case(rule)(make)


HALF_NAN, HALF_INF = b"\x00\x7e", b"\x00\x7c"
CHECK = "llama.cpp --check-tensors"
odd_block("scale-finite", Q8_0, 64, bytes(34) + HALF_NAN + bytes(32), (34, "1/d"), CHECK)
odd_block("scale-finite", Q8_0, 64, HALF_INF + bytes(66), (0, "0/d"), CHECK)
odd_block("scale-finite", MXFP4, 64, bytes(17) + b"\xff" + bytes(16), (17, "1/e"), CHECK)
odd_block("scale-finite", IQ1_M, 256, bytes(48) + b"\0\x00\0\xe0\0\xf0\0\x70", (48, "0/scales"), CHECK)
odd_block("value-finite", F32, 3, bytes(4) + b"\0\0\xc0\x7f" + bytes(4), (4, "1"), CHECK)
odd_block("value-finite", F32, 3, bytes(8) + b"\0\0\x80\x7f", (8, "2"), CHECK)
odd_block("value-finite", 30, 2, bytes(2) + b"\x80\xff", (2, "1"), CHECK)
odd_block("value-finite", MXFP4, 32, b"\xfe" + b"\x77" * 16, (0, "0/e"))
odd_block("value-finite", Q8_K, 256, struct.pack("<f", 3e38) + b"\x7f" * 256 + b"\xf0\x07" * 16, (0, "0/d"))
odd_block("block-domain", TQ2_0, 256, bytes(5) + b"\xc0" + bytes(60), (0, "0/qs"))
odd_block("block-domain", NVFP4, 64, b"\0\0\x7f\0" + bytes(32), (0, "0/d"))
odd_block("block-domain", Q8_K, 256, bytes(4 + 256) + b"\1\0" + bytes(30), (260, "0/bsums"))
