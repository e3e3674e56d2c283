"""The types of standard keys: gguf-py is the oracle."""

from contextlib import suppress
from pathlib import Path

import pytest

from kaitai_gguf import ValueType
from kaitai_gguf.standard_keys import KeyType, standard_types


@pytest.mark.parametrize(
    ("key", "first"),
    [
        ("general.architecture", KeyType(ValueType.STRING)),
        ("general.tags", KeyType(ValueType.ARRAY, ValueType.STRING)),
        ("general.base_model.12.name", KeyType(ValueType.STRING)),
        ("general.dataset.0.repo_url", KeyType(ValueType.STRING)),
        ("tokenizer.chat_template.tool_use", KeyType(ValueType.STRING)),
        ("tokenizer.ggml.scores", KeyType(ValueType.ARRAY, ValueType.FLOAT32)),
        ("split.no", KeyType(ValueType.UINT16)),
        ("llama.block_count", KeyType(ValueType.UINT32)),
        ("llama.rope.freq_base", KeyType(ValueType.FLOAT32)),
    ],
)
def test_the_type_to_write(key: str, first: KeyType) -> None:
    assert standard_types(key, "llama")[0] == first


@pytest.mark.parametrize(
    "key",
    ["", "x", "general", "general.base_model.a.name", "general.base_model.{id}.name", "llama", "[arch].block_count"],
)
def test_other_keys(key: str) -> None:
    assert standard_types(key, "llama") == ()
    assert standard_types("mistral.block_count", "llama") == standard_types("llama.block_count") == ()


def test_an_architecture_with_points() -> None:
    assert standard_types("a.b.block_count", "a.b")[0].value_type is ValueType.UINT32


def test_words() -> None:
    assert [str(each) for each in standard_types("llama.attention.head_count", "llama")] == [
        *("uint32", "uint64", "array of int32", "array of uint32", "array of uint64")
    ]


@pytest.mark.parametrize(
    ("key", "type"),
    [
        ("llama.expert_feed_forward_length", KeyType(ValueType.ARRAY, ValueType.UINT32)),
        ("llama.decoder_start_token_id", KeyType(ValueType.INT32)),
        ("llama.rope.dimension_sections", KeyType(ValueType.INT32)),
        ("llama.swiglu_clamp_exp", KeyType(ValueType.FLOAT32)),
        ("xielu.beta", KeyType(ValueType.FLOAT32)),
        ("tokenizer.ggml.scores", KeyType(ValueType.ARRAY, ValueType.INT32)),
    ],
)
def test_types_that_llama_cpp_loads_as_well(key: str, type: KeyType) -> None:
    assert type in standard_types(key, "llama")


def test_what_gguf_py_writes(tmp_path: Path) -> None:
    """The types that gguf-py's `add_*` methods write, for all methods that take a number, a text or a list of texts."""
    import gguf

    writer = gguf.GGUFWriter(tmp_path / "model.gguf", "llama")
    for name in dir(writer):
        if name.startswith("add_") and not name.startswith(("add_key", "add_tensor")):
            for value in (1, "a", ["a"]):
                with suppress(Exception):  # other types, or more arguments
                    getattr(writer, name)(value)
                    break
    types = {key: ValueType(value.type) for key, value in writer.kv_data[0].items()}
    standard = {key: standard_types(key, "llama") for key in types}
    assert sum(map(bool, standard.values())) > 150
    for key, allowed in standard.items():
        assert not allowed or types[key] in [each.value_type for each in allowed], key
