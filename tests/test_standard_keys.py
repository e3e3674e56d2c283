"""The types and values of standard keys: gguf-py is the oracle."""

from contextlib import suppress
from pathlib import Path

import gguf
import pytest
from gguf.constants import LlamaFileType, PoolingType, RopeScalingType

from kaitai_gguf import GGMLType, ValueType
from kaitai_gguf.standard_keys import standard_keys, standard_types
from kaitai_gguf.standard_values import FILE_TYPES, contradicting_type, file_type_name, standard_values
from kaitai_gguf.types import KeyType

STRING, ARRAY, INT32, UINT32 = ValueType.STRING, ValueType.ARRAY, ValueType.INT32, ValueType.UINT32
FLOAT32 = ValueType.FLOAT32


@pytest.mark.parametrize(
    ("key", "first", "others"),
    [
        ("general.architecture", KeyType(STRING), []),
        ("general.tags", KeyType(ARRAY, STRING), []),
        ("general.base_model.12.name", KeyType(STRING), []),
        ("general.dataset.0.repo_url", KeyType(STRING), []),
        ("tokenizer.chat_template.tool_use", KeyType(STRING), []),
        ("tokenizer.ggml.scores", KeyType(ARRAY, FLOAT32), [KeyType(ARRAY, INT32)]),
        ("split.no", KeyType(ValueType.UINT16), []),
        ("llama.block_count", KeyType(UINT32), []),
        ("llama.rope.freq_base", KeyType(FLOAT32), []),
        # Types that llama.cpp loads as well.
        ("llama.expert_feed_forward_length", None, [KeyType(ARRAY, UINT32)]),
        ("llama.decoder_start_token_id", None, [KeyType(INT32)]),
        ("llama.rope.dimension_sections", None, [KeyType(INT32)]),
        ("llama.swiglu_clamp_exp", None, [KeyType(FLOAT32)]),
        ("xielu.beta", None, [KeyType(FLOAT32)]),
    ],
)
def test_the_type_to_write_and_others(key: str, first: KeyType | None, others: list[KeyType]) -> None:
    types = standard_types(key, "llama")
    assert types[0] == (first or types[0])
    assert set(others) <= set(types)


def test_other_keys() -> None:
    for key in ("", "x", "general", "general.base_model.a.name", "general.base_model.{id}.name", "[arch].block_count"):
        assert standard_types(key, "llama") == standard_types("llama", "llama") == ()
    assert standard_types("mistral.block_count", "llama") == standard_types("llama.block_count") == ()
    assert standard_types("a.b.block_count", "a.b")[0].value_type is UINT32


def test_words() -> None:
    assert [str(each) for each in standard_types("llama.attention.head_count", "llama")] == [
        *("uint32", "uint64", "array of int32", "array of uint32", "array of uint64")
    ]


def test_what_gguf_py_writes(tmp_path: Path) -> None:
    """The types that gguf-py's `add_*` methods write, for all methods that take a number, a text or a list of texts."""
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


# Values

LATER = {41}  # in llama.cpp, but not in gguf 0.19


def test_file_types_are_those_of_llama_cpp() -> None:
    expected = {each.value: each.name for each in LlamaFileType if each is not LlamaFileType.GUESSED}
    assert {number: name for number, (name, _) in FILE_TYPES.items() if number not in LATER} == expected
    assert {type for _, type in FILE_TYPES.values()} <= set(GGMLType.__members__)


@pytest.mark.parametrize(
    ("number", "name"), [(15, "Q4_K_M"), (0, "F32"), (1, "F16"), (38, "MXFP4_MOE"), (33, "Q4_0_4_4"), (1000, None)]
)
def test_names_of_file_types(number: int, name: str | None) -> None:
    assert file_type_name(number) == name


def test_the_type_of_most_weights() -> None:
    assert contradicting_type(15, {"Q4_K": 5, "Q6_K": 4}) is None
    assert contradicting_type(15, {"Q4_K": 4, "Q6_K": 4}) is None
    assert contradicting_type(15, {"Q4_K": 4, "Q6_K": 5}) == "Q6_K"
    assert contradicting_type(1000, {"Q4_K": 4}) is contradicting_type(15, {}) is None


def test_values_are_those_of_gguf_py() -> None:
    assert standard_values("llama.rope.scaling.type", "llama") == tuple(each.value for each in RopeScalingType)
    assert standard_values("llama.pooling_type", "llama") == tuple(each.value for each in PoolingType)
    types = {value for name, value in vars(gguf.GGUFType).items() if name.isupper()}
    assert set(standard_values("general.type")) == types


@pytest.mark.parametrize("key", ["", "x", "llama", ".pooling_type", "mistral.pooling_type", "general.name"])
def test_keys_that_may_have_any_value(key: str) -> None:
    assert standard_values(key, "llama") == ()
    assert standard_values(key) == ()


def test_all_standard_keys_have_types() -> None:
    keys = standard_keys("llama")
    assert len(keys) > 200
    assert all(standard_types(key, "llama") for key in keys)
    assert all(standard_types(key) for key in standard_keys())
