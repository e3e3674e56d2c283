"""For each rule, files that break it, and where: `CASES`."""

import struct
from collections.abc import Callable
from dataclasses import replace

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
    key_place,
    start,
    tensor_place,
    type_place,
    value_place,
    with_key,
    with_tensor,
    without,
)

Case = Callable[[], Broken]

CASES: dict[str, list[Case]] = {}
"""By the ids of the rules."""

NAMES: dict[str, str] = {}
"""The name of the file where it matters, by the names of cases."""

DEEP = ("scale-finite", "value-finite", "block-domain")


def case(rule: str, name: str | None = None) -> Callable[[Case], Case]:
    def register(make: Case) -> Case:
        CASES.setdefault(rule, []).append(make)
        if name is not None:
            NAMES[make.__name__] = name
        return make

    return register


def at(place: tuple[int, str], model: Model, refused_by: tuple[str, ...] | None = None) -> Broken:
    return Broken(model.build(), *place, refused_by)


def raw_type(model: Model, number: int, type_id: int) -> Broken:
    """The file with the number of a type changed."""
    place, data = type_place(model, number), bytearray(model.build())
    data[place[0] : place[0] + 4] = struct.pack("<I", type_id)
    return Broken(bytes(data), *place)


# Headers that can't be read

case("not-gguf")(lambda: Broken(b"PK\x03\x04" + bytes(30), 0, "/magic"))
case("truncated")(lambda: Broken(b"", 0, "/magic"))


@case("truncated")
def last_offset_cut_off() -> Broken:
    model = good()
    return Broken(model.header()[:-1], *tensor_place(model, "ofs_data"))


case("bad-version")(lambda: Broken(replace(good(), version=4).build(), 4, "/version"))
case("value-type")(lambda: raw_type(good(), 3, 13))


@case("value-type")
def element_type() -> Broken:
    model = with_key("x", "array", Array("uint8", []))
    offset, path = value_place(model)
    data = bytearray(model.build())
    data[offset : offset + 4] = struct.pack("<I", 77)
    return Broken(bytes(data), offset, f"{path}/element_type")


@case("too-many-dims")
def five_dims() -> Broken:
    model = with_tensor(TensorSpec("t", (1,) * 5, F32, 192))
    return at(tensor_place(model, "num_dims"), model)


@case("too-large")
def long_key() -> Broken:
    data = bytearray(good().build())
    data[24:32] = b"\xff" * 8
    return Broken(bytes(data), 24, "/metadata/0/key/len_data")


@case("nesting")
def deep_nesting() -> Broken:
    array = Array("uint8", [])
    for _ in range(128):
        array = Array("array", [array])
    model = with_key("x", "array", array)
    offset, path = value_place(model)
    return Broken(model.build(), offset + 128 * 12, path + "/elements/0" * 128)


# Version, byte order, alignment

case("version-1")(lambda: Broken(replace(good(), version=1).build(), 4, "/version"))
case("big-endian")(lambda: Broken(replace(good(), byte_order="big").build(), 4, "/version"))
case("big-endian-version")(lambda: Broken(replace(good(), byte_order="big", version=2).build(), 4, "/version"))


@case("alignment-type")
def signed_alignment() -> Broken:
    model = with_key("general.alignment", "int32", 32)
    return at(type_place(model), model)


@case("alignment-power")
def alignment_of_0() -> Broken:
    model = with_key("general.alignment", "uint32", 0)
    return at(value_place(model), model)


@case("alignment-power")
def alignment_of_24() -> Broken:
    model = with_key("general.alignment", "uint32", 24)
    return at(value_place(model), model)


@case("alignment-multiple")
def alignment_of_4() -> Broken:
    model = replace(with_key("general.alignment", "uint32", 4), alignment=4)
    return at(value_place(model), model)


# Keys


def odd_key(rule: str, key: str | bytes) -> None:
    def make() -> Broken:
        model = with_key(key, "uint8", 1)
        return at(key_place(model), model)

    case(rule)(make)


odd_key("empty-key", "")
odd_key("key-utf8", b"a.\xff")
odd_key("key-length", "a" * 65_536)
for odd in ("A", "a..b", ".a", "a.", "a b", "a-b", "ä", "a\n", "llama.A", "llama2.a-b", "\x1b[31m"):
    odd_key("key-charset", odd)


@case("duplicate-key")
def a_key_twice() -> Broken:
    model = good()
    model.metadata.append(METADATA[3])
    return at(key_place(model), model)


# Values


@case("string-utf8")
def odd_string() -> Broken:
    model = with_key("general.name", "string", b"caf\xe9")
    return at(value_place(model), model)


@case("string-utf8")
def odd_element() -> Broken:
    model = with_key("general.tags", "array", Array("string", ["é", "b", b"\xed\xa0\x80"]))
    offset, path = value_place(model)
    return Broken(model.build(), offset + 12 + 10 + 9, f"{path}/elements/2")


@case("string-utf8")
def odd_element_in_depth() -> Broken:
    model = with_key("x", "array", Array("array", [Array("string", []), Array("string", [b"\xff"])]))
    offset, path = value_place(model)
    return Broken(model.build(), offset + 12 + 12 + 12, f"{path}/elements/1/elements/0")


@case("bool-value")
def bool_of_2() -> Broken:
    model = with_key("x", "bool", 2)
    return at(value_place(model), model)


@case("bool-value")
def bool_of_255_in_array() -> Broken:
    model = with_key("x", "array", Array("bool", [0, 1, 255]))
    offset, path = value_place(model)
    return Broken(model.build(), offset + 12 + 2, f"{path}/elements/2")


@case("nested-array")
def array_of_arrays() -> Broken:
    model = with_key("x", "array", Array("array", [Array("uint8", [1])]))
    return at(value_place(model), model)


@case("empty-array")
def no_elements() -> Broken:
    model = with_key("x", "array", Array("uint8", []))
    return at(value_place(model), model)


# Standard keys


def missing(rule: str, *keys: str) -> None:
    def make() -> Broken:
        return Broken(without(*keys).build(), 24, "/metadata")

    case(rule)(make)


missing("missing-architecture", "general.architecture")
missing("missing-quantization-version", "general.quantization_version")
missing("missing-hyperparameter", "llama.block_count")
missing("missing-hyperparameter", "llama.attention.layer_norm_rms_epsilon")
missing("documented-key", "llama.feed_forward_length")
missing("missing-tokens", "tokenizer.ggml.tokens")
missing("missing-merges", "tokenizer.ggml.merges")
missing("missing-tokenizer", "tokenizer.ggml.model")


def odd_value(rule: str, key: str, type: str, value: object, refused_by: tuple[str, ...] | None = None) -> None:
    def make() -> Broken:
        model = with_key(key, type, value)
        return at(value_place(model), model, refused_by)

    case(rule)(make)


def odd_type(rule: str, key: str, type: str, value: object, refused_by: tuple[str, ...] | None = None) -> None:
    def make() -> Broken:
        model = with_key(key, type, value)
        return at(type_place(model), model, refused_by)

    case(rule)(make)


odd_value("architecture-name", "general.architecture", "string", "Llama")
odd_value("architecture-name", "general.architecture", "string", "")
odd_value("architecture-separator", "general.architecture", "string", "jina-bert-v2")
odd_value("unknown-architecture", "general.architecture", "string", "llamax")
odd_value("unknown-architecture", "general.architecture", "string", "whisper")
odd_value("unknown-architecture", "general.architecture", "string", "gptj")
odd_type("key-type", "general.name", "uint32", 1, ("llama.cpp",))
odd_type("key-type", "general.tags", "string", "a", ())
odd_type("key-type", "llama.context_length", "int32", 1, ("llama.cpp",))
odd_type("key-type", "general.base_model.0.name", "uint8", 1, ())
odd_type("key-type", "tokenizer.ggml.token_type", "array", Array("uint8", [1] * 4), ("llama.cpp",))
odd_type("key-type", "split.no", "uint8", 0, ("llama.cpp",))
odd_type("key-width", "llama.context_length", "uint64", 512)
odd_value("quantization-version", "general.quantization_version", "uint32", 1)
odd_value("file-type-number", "general.file_type", "uint32", 5)
odd_value("file-type-number", "general.file_type", "uint32", 1000)
odd_value("file-type", "general.file_type", "uint32", 2)


@case("documented-key")
def whisper() -> Broken:
    return Broken(with_key("general.architecture", "string", "whisper").build(), 24, "/metadata")


# Vocabulary

odd_value("tokenizer-length", "tokenizer.ggml.token_type", "array", Array("int32", [1, 1, 1]), ("llama.cpp",))
odd_value("tokenizer-length", "tokenizer.ggml.scores", "array", Array("float32", [0.0] * 5), ())
odd_value("token-id", "tokenizer.ggml.eos_token_id", "uint32", 4)
odd_value("vocab-size", "llama.vocab_size", "uint32", 5)
odd_value("unknown-tokenizer", "tokenizer.ggml.model", "string", "gpt3")
odd_value("unknown-tokenizer", "tokenizer.ggml.pre", "string", "qwen")


@case("token-type")
def type_of_a_token() -> Broken:
    model = with_key("tokenizer.ggml.token_type", "array", Array("int32", [1, 0, 7, 1]))
    offset, path = value_place(model)
    return Broken(model.build(), offset + 12 + 4, f"{path}/elements/1")


@case("duplicate-token")
def token_twice() -> Broken:
    model = with_key("tokenizer.ggml.tokens", "array", Array("string", ["<s>", "a", "b", "a"]))
    offset, path = value_place(model)
    return Broken(model.build(), offset + 12 + 11 + 9 + 9, f"{path}/elements/3")


@case("merge-form")
def merge_of_one() -> Broken:
    model = with_key("tokenizer.ggml.merges", "array", Array("string", ["a b", " ab"]))
    offset, path = value_place(model)
    return Broken(model.build(), offset + 12 + 11, f"{path}/elements/1")


# Tensors


def odd_tensor(rule: str, field: str, tensor: TensorSpec, refused_by: tuple[str, ...] | None = None) -> None:
    def make() -> Broken:
        model = with_tensor(replace(tensor), 64)
        return at(tensor_place(model, field), model, refused_by)

    case(rule)(make)


NEXT = 192  # where a tensor after those of the good file starts
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


# Where the tensor data is

odd_tensor("offset-range", "ofs_data", TensorSpec("t", (8,), F32, 2**63), HEADER)
odd_tensor("offset-alignment", "ofs_data", TensorSpec("t", (8,), F32, NEXT + 8))
odd_tensor("overlap", "ofs_data", TensorSpec("t", (8,), F32, 160))
odd_tensor("contiguity", "ofs_data", TensorSpec("t", (8,), F32, NEXT + 32))


@case("offset-range")
def sizes_that_add_up() -> Broken:
    """ggml counts in 64 bits, and takes these two for possible as long as it doesn't read them."""
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


# Shards and names of files


def shard(number: int, count: int, tensors: int) -> Model:
    model = with_key("split.no", "uint16", number)
    model = with_key("split.count", "uint16", count, model)
    return with_key("split.tensors.count", "int32", tensors, model)


@case("shard-keys")
def no_shard_number() -> Broken:
    model = shard(0, 2, 4)
    model.metadata = [row for row in model.metadata if row[0] != "split.no"]
    return Broken(model.build(), 24, "/metadata")


@case("shard-number")
def shard_2_of_2() -> Broken:
    model = shard(2, 2, 4)
    return at(value_place(model, -3), model)


@case("shard-tensors")
def fewer_tensors_than_here() -> Broken:
    model = shard(0, 2, 1)
    return at(value_place(model, -1), model)


@case("shard-name", "Tiny-1K-v1.0-00002-of-00002.gguf")
def another_name() -> Broken:
    return Broken(shard(0, 2, 4).build(), 0, "/")


@case("shard-name", "Tiny-1K-v1.0-00002-of-00003.gguf")
def name_of_a_shard() -> Broken:
    return Broken(good().build(), 0, "/", ())


def shards(count: int = 2) -> dict[str, Model]:
    """All shards of a model by name. The first has all metadata; each has a tensor of its own, the first two."""
    files = {}
    for number in range(count):
        model = shard(number, count, count + 1)
        if number:
            model.metadata = model.metadata[-3:]
            model.tensors, model.data = [TensorSpec(f"blk.{number}.attn_norm.weight", (32,), F32, 0)], bytes(128)
        files[f"Tiny-1K-v1.0-{number + 1:05}-of-{count:05}.gguf"] = model
    return files


FIRST, SECOND = shards()


def of_set(files: dict[str, Model], name: str, refused_by: tuple[str, ...] | None = None) -> Broken:
    """One shard of these, with the others beside it."""
    others = {other: model.build() for other, model in files.items() if other != name}
    return Broken(files[name].build(), 0, "/", refused_by, others)


@case("shard-missing", FIRST)
def second_shard_missing() -> Broken:
    return of_set({FIRST: shards()[FIRST]}, FIRST)


@case("shard-missing", SECOND)
def first_shard_missing() -> Broken:
    return of_set({SECOND: shards()[SECOND]}, SECOND)


@case("shard-set", SECOND)
def name_set_in_one_shard() -> Broken:
    files = shards()
    files[FIRST].metadata.insert(0, ("general.name", "string", "a"))
    files[SECOND].metadata.append(("general.name", "string", "b"))
    return of_set(files, SECOND, ())


@case("shard-set", SECOND)
def another_number_of_tensors() -> Broken:
    files = shards()
    files[SECOND].metadata[-1] = ("split.tensors.count", "int32", 7)
    return of_set(files, SECOND, ())


@case("file-name", "model.gguf")
def short_name() -> Broken:
    return Broken(good().build(), 0, "/")


# Tensor data


def odd_block(rule: str, type_id: int, size: int, data: bytes, place: tuple[int, str], *refused: str) -> None:
    """`place` is where in the data of the tensor, and what follows `/tensors/0/data/`."""

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

assert start(good(), 0) == 24
