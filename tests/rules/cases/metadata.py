"""Cases about the header up to the tensor infos."""

import struct
from dataclasses import replace

from support.gguf_bytes import Array, TensorSpec

from kaitai_gguf.sources.journal_recovery import journal_head
from rules.build import (
    F32,
    METADATA,
    NAME,
    Broken,
    good,
    key_place,
    start,
    tensor_place,
    type_place,
    value_place,
    with_key,
    without,
)
from rules.cases.registry import at, case, odd_element, odd_tensor, odd_type, odd_value, raw_type

assert start(good(), 0) == 24

JOURNAL = f".{NAME}.kaitai-gguf-journal"

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


odd_tensor("too-many-dims", "num_dims", TensorSpec("t", (1,) * 5, F32, 192))


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


@case("interrupted-edit")
def with_its_journal() -> Broken:
    data = good().build()
    header = good().header()
    journal = journal_head(len(data), header) + header
    return Broken(b"GGU~" + bytes(len(header) - 4) + data[len(header) :], 0, "/magic", None, {JOURNAL: journal})


case("version-1")(lambda: Broken(replace(good(), version=1).build(), 4, "/version"))
case("big-endian")(lambda: Broken(replace(good(), byte_order="big").build(), 4, "/version"))
case("big-endian-version")(lambda: Broken(replace(good(), byte_order="big", version=2).build(), 4, "/version"))


odd_type("alignment-type", "general.alignment", "int32", 32)
odd_value("alignment-power", "general.alignment", "uint32", 0)
odd_value("alignment-power", "general.alignment", "uint32", 24)


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


odd_value("string-utf8", "general.name", "string", b"caf\xe9")


odd_element("string-utf8", "general.tags", Array("string", ["é", "b", b"\xed\xa0\x80"]), 10 + 9, "2")
nested = Array("array", [Array("string", []), Array("string", [b"\xff"])])
odd_element("string-utf8", "x", nested, 12 + 12, "1/elements/0")
odd_value("bool-value", "x", "bool", 2)

odd_element("bool-value", "x", Array("bool", [0, 1, 255]), 2, "2")
odd_value("nested-array", "x", "array", Array("array", [Array("uint8", [1])]))
odd_value("empty-array", "x", "array", Array("uint8", []))


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


@case("key-width")
def start_token_of_t5() -> Broken:
    model = with_key("t5.decoder_start_token_id", "int32", 0, with_key("general.architecture", "string", "t5"))
    return at(type_place(model), model)


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

odd_element("token-type", "tokenizer.ggml.token_type", Array("int32", [1, 0, 7, 1]), 4, "1")
odd_element("duplicate-token", "tokenizer.ggml.tokens", Array("string", ["<s>", "a", "b", "a"]), 11 + 9 + 9, "3")
odd_element("merge-form", "tokenizer.ggml.merges", Array("string", ["a b", " ab"]), 11, "1")
