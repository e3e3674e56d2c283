"""Documented values of standard keys: gguf-py is the oracle."""

import gguf
import pytest
from gguf.constants import LlamaFileType, PoolingType, RopeScalingType

from kaitai_gguf import GGMLType
from kaitai_gguf.standard_keys import standard_keys, standard_types
from kaitai_gguf.standard_values import FILE_TYPES, contradicting_type, file_type_name, standard_values

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
