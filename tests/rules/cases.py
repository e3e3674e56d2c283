"""`CASES`: for each rule, files that break it, with the position of the finding, and what fixes them."""

import struct
from dataclasses import replace
from functools import partial
from typing import Any

from support.gguf_bytes import Array, Model, TensorSpec

from kaitai_gguf.sources.journal_recovery import journal_head
from rules.build import (
    DATA,
    F32,
    METADATA,
    NAME,
    Q8_0,
    TENSORS,
    Broken,
    data_start,
    good,
    last_key,
    last_tensor,
    position,
    shard,
    shards,
    with_key,
    with_tensor,
    without,
)

Q4_0, Q8_K, IQ1_M, BF16, TQ2_0, MXFP4, NVFP4, Q2_0 = 2, 15, 29, 30, 35, 39, 40, 42
CASES: dict[str, list[Broken]] = {}
DEEP = ("scale-finite", "value-finite", "block-domain")
REFUSED_BY_OPEN = (
    *("not-gguf", "truncated", "bad-version", "value-type", "too-many-dims", "too-large", "nesting"),
    *("alignment-type", "alignment-power", "empty-key", "duplicate-key", "empty-name", "duplicate-tensor"),
    *("dims-overflow", "row-blocks", "offset-range", "offset-alignment", "overlap"),
)
GGML, LLAMA_CPP, CHECK = ("ggml", "llama.cpp"), ("llama.cpp",), "llama.cpp --check-tensors"

Readers = tuple[str, ...] | None


def at(rule: str, offset: int, path: str, data: bytes, refused_by: Readers = None, **other: Any) -> None:
    """Add a file with a finding at an offset. `other` are attributes of `Broken`, or choices in capitals."""
    choices = {key: value for key, value in other.items() if key.isupper()}
    attributes = {key: value for key, value in other.items() if key not in choices}
    CASES.setdefault(rule, []).append(Broken(data, offset, path, refused_by, choices=choices, **attributes))


def in_field(rule: str, path: str, model: Model, refused_by: Readers = None, **other: Any) -> None:
    at(rule, position(model, path), path, model.build(), refused_by, **other)


def key(rule: str, key: str | bytes, **other: Any) -> None:
    model = with_key(key, "uint8", 1)
    in_field(rule, f"{last_key(model)}/key", model, **other)


def value(rule: str, key: str, type: str, value: Any, *refused_by: Readers, field: str = "value", **other: Any) -> None:
    model = with_key(key, type, value)
    in_field(rule, f"{last_key(model)}/{field}", model, *refused_by, **other)


value_type = partial(value, field="value_type")


def element(rule: str, key: str, array: Array, before: int, path: str, **other: Any) -> None:
    """`before` is how many bytes of elements are before the one at the path, which is below that of the value."""
    model = with_key(key, "array", array)
    above = f"{last_key(model)}/value"
    at(rule, position(model, above) + 12 + before, f"{above}/elements/{path}", model.build(), **other)


def missing(rule: str, key: str, **other: Any) -> None:
    at(rule, 24, "/metadata", without(key).build(), **other)


def tensor(
    rule: str, field: str, dims: tuple[int, ...] = (8,), type: int = F32, refused_by: Readers = None, *,
    name: str | bytes = "t", offset: int = 192, **other: Any,
) -> None:  # fmt: skip
    """Add a tensor to the good file, by default after the others."""
    model = with_tensor(TensorSpec(name, dims, type, offset), 64)
    in_field(rule, f"{last_tensor(model)}/{field}", model, refused_by, **other)


def block(rule: str, type: int, size: int, data: bytes, place: tuple[int, str], *refused_by: str) -> None:
    """`place` is the offset of the finding in the tensor's data, and its path below `/tensors/0/data/`."""
    model = Model(list(METADATA), [TensorSpec("t", (size,), type, 0)], data + bytes(-len(data) % 32))
    at(rule, data_start(model) + place[0], f"/tensors/0/data/{place[1]}", model.build(), refused_by)


def patched(data: bytes, offset: int, new: bytes) -> bytes:
    return data[:offset] + new + data[offset + len(new) :]


# Headers that can't be read

GOOD, START = good().build(), len(good().header())
at("not-gguf", 0, "/magic", b"PK\x03\x04" + bytes(30))
at("truncated", 0, "/magic", b"")
at("truncated", position(good(), "/tensors/1/ofs_data"), "/tensors/1/ofs_data", GOOD[: START - 1])
at("bad-version", 4, "/version", replace(good(), version=4).build())
third, empty = position(good(), "/metadata/3/value_type"), with_key("x", "array", Array("uint8", []))
at("value-type", third, "/metadata/3/value_type", patched(GOOD, third, struct.pack("<I", 13)))
where = f"{last_key(empty)}/value"
place = position(empty, where)
at("value-type", place, f"{where}/element_type", patched(empty.build(), place, struct.pack("<I", 77)))
tensor("too-many-dims", "num_dims", (1,) * 5)
at("too-large", 24, "/metadata/0/key/len_data", patched(GOOD, 24, b"\xff" * 8))
array = Array("uint8", [])
for _ in range(128):
    array = Array("array", [array])
deep = with_key("x", "array", array)
at("nesting", position(deep, where) + 128 * 12, where + "/elements/0" * 128, deep.build())

# Version, byte order, alignment

journal = {f".{NAME}.kaitai-gguf-journal": journal_head(len(GOOD), GOOD[:START]) + GOOD[:START]}
cut = b"GGU~" + bytes(START - 4) + GOOD[START:]
at("interrupted-edit", 0, "/magic", cut, others=journal, KEY="general.name", VALUE="Tiny")
at("version-1", 4, "/version", replace(good(), version=1).build())
at("big-endian", 4, "/version", replace(good(), byte_order="big").build())
at("big-endian-version", 4, "/version", replace(good(), byte_order="big", version=2).build())
value_type("alignment-type", "general.alignment", "int32", 32)
value("alignment-power", "general.alignment", "uint32", 0)
packed = replace(with_key("general.alignment", "uint32", 4), alignment=4)
in_field("alignment-multiple", f"{last_key(packed)}/value", packed)

# Keys and values

key("empty-key", "")
key("key-utf8", b"a.\xff", NEW_KEY="a.b")
key("key-length", "a" * 65_536)
for name in ("A", "a..b", ".a", "a.", "a b", "a-b", "ä", "a\n", "llama.A", "llama2.a-b", "\x1b[31m"):
    key("key-charset", name, NEW_KEY="a.b")
in_field("duplicate-key", f"/metadata/{len(METADATA)}/key", good(metadata=[*METADATA, METADATA[3]]))
nested = Array("array", [Array("string", []), Array("string", [b"\xff"])])
value("string-utf8", "general.name", "string", b"caf\xe9", VALUE="café")
strings = Array("string", ["é", "b", b"\xed\xa0\x80"])
element("string-utf8", "general.tags", strings, 10 + 9, "2", VALUE='["é", "b", "c"]')
element("string-utf8", "x", nested, 12 + 12, "1/elements/0", fixes=(1,))  # `set` can't write arrays of arrays
value("bool-value", "x", "bool", 2, VALUE="true")
element("bool-value", "x", Array("bool", [0, 1, 255]), 2, "2", VALUE="[false, true, true]")
value("nested-array", "x", "array", Array("array", [Array("uint8", [1])]), VALUE="[1]", TYPE="uint8[]")
value("empty-array", "x", "array", Array("uint8", []))

# Standard keys

missing("missing-architecture", "general.architecture", NAME="llama")
value("architecture-name", "general.architecture", "string", "Llama", NAME="llama")
value("architecture-name", "general.architecture", "string", "", NAME="llama")
value("architecture-separator", "general.architecture", "string", "jina-bert-v2")
for name in ("llamax", "whisper", "gptj"):
    value("unknown-architecture", "general.architecture", "string", name, NAME="llama")
value_type("key-type", "general.name", "uint32", 1, LLAMA_CPP, VALUE="Tiny", TYPE="string")
value_type("key-type", "general.tags", "string", "a", (), VALUE='["a"]', TYPE="string[]")
value_type("key-type", "llama.context_length", "int32", 1, LLAMA_CPP, VALUE="512", TYPE="uint32")
value_type("key-type", "general.base_model.0.name", "uint8", 1, (), VALUE="Tiny", TYPE="string")
types = Array("uint8", [1] * 4)
value_type("key-type", "tokenizer.ggml.token_type", "array", types, LLAMA_CPP, VALUE="[1, 1, 1, 1]", TYPE="int32[]")
value_type("key-type", "split.no", "uint8", 0, LLAMA_CPP, VALUE="0", TYPE="uint16")
value_type("key-width", "llama.context_length", "uint64", 512, VALUE="512")
t5 = with_key("t5.decoder_start_token_id", "int32", 0, with_key("general.architecture", "string", "t5"))
in_field("key-width", f"{last_key(t5)}/value_type", t5, VALUE="0")
missing("missing-quantization-version", "general.quantization_version")
value("quantization-version", "general.quantization_version", "uint32", 1)
value("file-type-number", "general.file_type", "uint32", 5, VALUE="7")
value("file-type-number", "general.file_type", "uint32", 1000, VALUE="7")
value("file-type", "general.file_type", "uint32", 2, VALUE="7")

# What llama.cpp needs

EPSILON = "llama.attention.layer_norm_rms_epsilon"
missing("missing-hyperparameter", "llama.block_count", KEY="llama.block_count", VALUE="1")
missing("missing-hyperparameter", EPSILON, KEY=EPSILON, VALUE="1e-6")
missing("documented-key", "llama.feed_forward_length", KEY="llama.feed_forward_length", VALUE="128")
lengths = ("context_length", "embedding_length", "block_count", "attention.head_count", "mels_count")
whisper = {"KEY=VALUE": [f"whisper.{coder}.{name}=1" for coder in ("encoder", "decoder") for name in lengths]}
at("documented-key", 24, "/metadata", with_key("general.architecture", "string", "whisper").build(), **whisper)
missing("missing-tokens", "tokenizer.ggml.tokens")
missing("missing-merges", "tokenizer.ggml.merges")
missing("missing-tokenizer", "tokenizer.ggml.model")
value("unknown-tokenizer", "tokenizer.ggml.model", "string", "gpt3", VALUE="gpt2")
value("unknown-tokenizer", "tokenizer.ggml.pre", "string", "qwen", VALUE="qwen2")
renamed = good([replace(TENSORS[0], name="norm.weight"), TENSORS[1]])
first = position(renamed, "/tensors/0/name")
at("missing-tensor", first, "/tensors", renamed.build(), TENSOR="norm.weight", NAME="output_norm.weight")
for row in (
    ("tokenizer.ggml.tokens", "array", Array("string", ["<s>", "a", "b"])),
    ("llama.embedding_length", "uint32", 64),
):
    in_field("embedding-shape", "/tensors/1/dims", with_key(*row))

# Vocabulary

value("tokenizer-length", "tokenizer.ggml.token_type", "array", Array("int32", [1, 1, 1]), LLAMA_CPP)
value("tokenizer-length", "tokenizer.ggml.scores", "array", Array("float32", [0.0] * 5), ())
value("token-id", "tokenizer.ggml.eos_token_id", "uint32", 4, VALUE="3")
value("vocab-size", "llama.vocab_size", "uint32", 5, VALUE="4")
types, tokens = Array("int32", [1, 0, 7, 1]), Array("string", ["<s>", "a", "b", "a"])
element("token-type", "tokenizer.ggml.token_type", types, 4, "1", JSON="[1, 1, 1, 1]")
element("duplicate-token", "tokenizer.ggml.tokens", tokens, 11 + 9 + 9, "3", JSON='["<s>", "a", "b", "c"]')
element("merge-form", "tokenizer.ggml.merges", Array("string", ["a b", " ab"]), 11, "1", JSON='["a b"]')
template = "é {{ messages }}{{ x.__class__ }}"
model = with_key("tokenizer.chat_template", "string", template)
place, before = f"{last_key(model)}/value", len("é {{ messages }}".encode())
at("template-code", position(model, place) + 8 + before, place, model.build(), VALUE="{{ messages }}")

# Tensor infos

tensor("empty-name", "name", name="")
tensor("duplicate-tensor", "name", name="token_embd.weight")
model = with_tensor(TensorSpec(b"\xff", (8,), F32, 192), 64)
in_field("name-utf8", "/tensors/2/name", model, NAME="a")
tensor("name-nul", "name", name="a\0b")
tensor("name-length", "name", name="a" * 64, NAME="a")
tensor("dims-overflow", "dims", (2**63,), F32, GGML)
tensor("dims-overflow", "dims", (2**32, 2**32), F32, GGML)
tensor("dims-overflow", "dims", (0, 2**32, 2**32), F32, ())
tensor("dims-overflow", "dims", (4, 2**30 - 1, 2**30 + 1), F32, GGML)
tensor("dims-overflow", "dims", (0, 2**32, 2**32), 4711, ())  # of an unknown type
tensor("row-blocks", "dims", (33,), Q8_0)
tensor("row-blocks", "dims", (), Q4_0)
tensor("removed-type", "type_id", (8,), 31)
tensor("unknown-type", "type_id", (8,), 4711)
tensor("new-type", "type_id", (64,), Q2_0)
tensor("scalar-tensor", "num_dims", ())
tensor("empty-tensor", "dims", (8, 0), PATTERN="*.weight")

# Position of the tensor data

tensor("offset-range", "ofs_data", (8,), F32, GGML, offset=2**63)
# ggml's 64-bit sums wrap around, so it refuses these tensors only when it reads their data.
wrapping = [TensorSpec("a", (2**63 - 64,), 24, 0), TensorSpec("b", (2**63 - 64,), 24, 2**63 - 64)]
in_field("offset-range", "/tensors/0/ofs_data", Model(list(METADATA), wrapping), ("ggml (with data)", "llama.cpp"))
tensor("offset-alignment", "ofs_data", offset=200)
tensor("overlap", "ofs_data", offset=160)
NVFP4_OR_FORK = 40
model = Model(
    list(METADATA), [TensorSpec("t", (256, 4), NVFP4_OR_FORK, 0), TensorSpec("u", (8,), F32, 192)], bytes(640)
)
in_field("fork-type", "/tensors/0/type_id", model)
tensor("contiguity", "ofs_data", offset=224)
in_field("contiguity", "/tensors/0/ofs_data", good(TENSORS[1:]))
in_field("contiguity", "/tensors/0/ofs_data", good(TENSORS[::-1]))
data = data_start(good())
at("missing-data", data + 32, "/tensors/1/data", GOOD[: data + 32 + 135])
unpadded = good([TensorSpec("t", (0,), F32, 0)]).header()
at("missing-padding", len(unpadded), "/padding", unpadded)
at("end-padding", len(GOOD) - 1, "/padding", GOOD[:-1])
assert data > START
at("header-padding", data - 1, "/padding", patched(GOOD, data - 1, b"\1"))
at("tensor-padding", data + 30, "/tensors/0/padding", good(data=patched(DATA, 30, b"x")).build())
vocabulary = Model(list(METADATA)).build()
at("trailing-bytes", len(GOOD), "/trailing", GOOD + b"\0", fixes=(0,))
at("trailing-bytes", len(vocabulary), "/trailing", vocabulary + b"\0", fixes=(1,))

# Tensor data

block("scale-finite", Q8_0, 64, bytes(34) + b"\x00\x7e" + bytes(32), (34, "1/d"), CHECK)
block("scale-finite", Q8_0, 64, b"\x00\x7c" + bytes(66), (0, "0/d"), CHECK)
block("scale-finite", MXFP4, 64, bytes(17) + b"\xff" + bytes(16), (17, "1/e"), CHECK)
block("scale-finite", IQ1_M, 256, bytes(48) + b"\0\x00\0\xe0\0\xf0\0\x70", (48, "0/scales"), CHECK)
block("value-finite", F32, 3, bytes(4) + b"\0\0\xc0\x7f" + bytes(4), (4, "1"), CHECK)
block("value-finite", F32, 3, bytes(8) + b"\0\0\x80\x7f", (8, "2"), CHECK)
block("value-finite", BF16, 2, bytes(2) + b"\x80\xff", (2, "1"), CHECK)
block("value-finite", MXFP4, 32, b"\xfe" + b"\x77" * 16, (0, "0/e"))
block("value-finite", Q8_K, 256, struct.pack("<f", 3e38) + b"\x7f" * 256 + b"\xf0\x07" * 16, (0, "0/d"))
block("block-domain", TQ2_0, 256, bytes(5) + b"\xc0" + bytes(60), (0, "0/qs"))
block("block-domain", NVFP4, 64, b"\0\0\x7f\0" + bytes(32), (0, "0/d"))
block("block-domain", Q8_K, 256, bytes(4 + 256) + b"\1\0" + bytes(30), (260, "0/bsums"))

# Shards and names of files

FIRST, SECOND = shards()
incomplete = shard(0, 2, 4)
incomplete.metadata = [row for row in incomplete.metadata if row[0] != "split.no"]
at("shard-keys", 24, "/metadata", incomplete.build(), KEY="split.no", VALUE="0", TYPE="uint16")
in_field("shard-number", f"/metadata/{len(METADATA)}/value", shard(2, 2, 4), VALUE="1")
in_field("shard-tensors", f"/metadata/{len(METADATA) + 2}/value", shard(0, 2, 1), VALUE="4")
at("shard-name", 0, "/", shard(0, 2, 4).build(), name=SECOND)
at("shard-name", 0, "/", GOOD, (), name="Tiny-1K-v1.0-00002-of-00003.gguf")
for name in (FIRST, SECOND):
    at("shard-missing", 0, "/", shards()[name].build(), name=name)
files = shards()
with_key("general.name", "string", "a", files[FIRST])
with_key("general.name", "string", "b", files[SECOND])
fix: dict[str, Any] = {"KEY": "general.name", "VALUE": "a"}
at("shard-set", 0, "/", files[SECOND].build(), (), name=SECOND, others={FIRST: files[FIRST].build()}, **fix)
files = shards()
with_key("split.tensors.count", "int32", 7, files[SECOND])
fix = {"KEY": "split.tensors.count", "VALUE": "3"}
at("shard-set", 0, "/", files[SECOND].build(), (), name=SECOND, others={FIRST: files[FIRST].build()}, **fix)
at("file-name", 0, "/", GOOD, name="model.gguf")
