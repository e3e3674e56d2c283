"""type_tables.py and field_tables.py: what they refuse, and what the committed tables have.

test_generate.py checks that the tables are those of the schemas.
"""

from pathlib import Path
from typing import Any

import generate
import pytest
import yaml
from field_tables import compile_fields
from kaitai_gguf_schema import types
from kaitai_gguf_schema.fields import TYPES
from kaitai_gguf_schema.gguf import Gguf
from skip import Unsupported
from type_tables import compile_javascript_types, compile_type_list, compile_types


def edited(directory: Path, schema: Path, old: str, new: str) -> Path:
    """Return a copy of a schema with an edit."""
    text, copy = schema.read_text(), directory / schema.name
    assert old in text
    copy.write_text(text.replace(old, new))
    return copy


@pytest.mark.parametrize("compile_", [compile_types, compile_type_list, compile_javascript_types])
def test_both_schemas_name_the_same_types(tmp_path: Path, compile_: Any) -> None:
    blocks = edited(tmp_path, generate.GGML_BLOCK, "\n  q4_0:", "\n  q9_9:")
    with pytest.raises(SystemExit, match=r"ggml_block\.ksy .* gguf\.ksy .*different types: q4_0, q9_9"):
        compile_(generate.GGUF, blocks)


def test_value_types_in_javascript_are_consecutive(tmp_path: Path) -> None:
    gguf = edited(tmp_path, generate.GGUF, "\n    12: float64", "\n    13: float64")
    with pytest.raises(SystemExit, match="consecutive numbers"):
        compile_javascript_types(gguf, generate.GGML_BLOCK)


@pytest.mark.parametrize(
    "attribute", ["size: 4", "type: u2le", "type: u1, if: d == 1", "type: u1, repeat: expr, repeat-expr: d * 2"]
)
def test_a_field_of_a_block_that_is_not_a_number_or_a_fixed_run_is_refused(tmp_path: Path, attribute: str) -> None:
    blocks = yaml.safe_load(generate.GGML_BLOCK.read_text())
    blocks["types"]["q4_0"]["seq"] = [yaml.safe_load(f"{{id: x, {attribute}}}")]
    (tmp_path / "ggml_block.ksy").write_text(yaml.safe_dump(blocks))
    with pytest.raises(SystemExit, match="/types/q4_0/seq/x: "):
        compile_types(generate.GGUF, tmp_path / "ggml_block.ksy")


@pytest.mark.parametrize("size", ["num_dims + 1", "name.len_data.value"])
def test_a_size_that_is_not_a_field_before_is_refused(size: str) -> None:
    ksy = yaml.safe_load(generate.GGUF.read_text())
    ksy["types"]["tensor_info"]["seq"].append({"id": "x", "size": size})
    with pytest.raises(Unsupported, match="in a table of fields"):
        compile_fields(ksy, generate.INDEX)


@pytest.mark.parametrize("classes", [types.VALUE_CLASSES, types.ELEMENT_CLASSES], ids=["values", "elements"])
def test_values_and_elements_have_classes_of_the_parser(classes: dict[Any, str]) -> None:
    assert set(classes) == set(types.ValueType)
    assert all(isinstance(getattr(Gguf, name), type) for name in classes.values())


def test_there_is_a_field_for_every_attribute() -> None:
    ksy = yaml.safe_load(generate.GGUF.read_text())["types"]
    for name in ("gguf_body", "gguf_string", "key_value", "gguf_array", "tensor_info"):
        listed = [attribute["id"] for attribute in ksy[name]["seq"] if attribute["id"] != "header_end"]
        assert [field.name for field in TYPES[3][name]] == listed
    assert set(TYPES[1]) == set(TYPES[3])
    assert TYPES[3]["key_value"][-1].cases[Gguf.ValueType.array.value].type == "gguf_array"
