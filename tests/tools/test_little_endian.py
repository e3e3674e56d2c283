"""The schema from which the parsers for Rust and Nim are generated."""

import pytest
import yaml
from generate import GGUF
from little_endian import for_nim, little_endian, replaced


def test_no_byte_order_is_switched() -> None:
    before, after = (yaml.safe_load(text) for text in (GGUF.read_text(), little_endian(GGUF.read_text())))
    assert "switch-on" in str([each.get("meta") for each in before["types"].values()])
    assert {each["meta"]["endian"] for each in after["types"].values() if "meta" in each} == {"le"}
    assert before["enums"] == after["enums"]


def test_members_that_are_types_of_nim_have_other_names() -> None:
    ksy = yaml.safe_load(for_nim(GGUF.read_text()))
    assert ksy["enums"]["value_type"][7]["id"] == "bool_type"
    assert ksy["enums"]["value_type"][8] == "string_type"
    assert ksy["enums"]["ggml_type"] == yaml.safe_load(GGUF.read_text())["enums"]["ggml_type"]
    assert "value_type::string_type" in str(ksy["types"]["key_value"])


def test_a_schema_that_has_changed_is_refused() -> None:
    with pytest.raises(SystemExit, match=r"'a \+ b' does not have 'c'"):
        replaced("a + b", "c", "d")
