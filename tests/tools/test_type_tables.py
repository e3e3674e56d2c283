"""type_tables.py: tables of value and tensor types, made from the two schemas."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from kaitai_gguf_schema import types as committed
from kaitai_gguf_schema.gguf import Gguf
from skip_modules import load
from type_tables import compile_type_list, compile_types

GGUF = """
meta: {id: gguf}
seq: [{id: magic, contents: GGUF}]
types:
  tensor_info: {seq: [{id: num_dims, valid: {max: 4}}]}
  key_value: {seq: [{id: value, type: {switch-on: value_type, cases: {value_type::uint8: value_u1}}}]}
  gguf_array:
    -max-depth: 128
    seq: [{id: elements, type: {switch-on: element_type, cases: {value_type::uint8: value_u1}}}]
enums:
  value_type: {0: uint8, 7: {id: bool, doc: One byte.}}
  ggml_type: {0: f32, 2: q4_0, 30: {id: bf16, doc: Half of it.}}
"""
BLOCKS = """
meta: {id: ggml_block}
types:
  f32: {-num-elements: 1, seq: [{id: value, type: f4}]}
  q4_0:
    -num-elements: 32
    doc: A scale and 32 nibbles.
    seq: [{id: d, type: u2, -float: float16}, {id: qs, type: u1, repeat: expr, repeat-expr: 16}]
  bf16: {-num-elements: 1, seq: [{id: value, type: u2, -float: bfloat16}]}
-removed-types: {4: q4_2}
"""


def schemas(directory: Path, blocks: str = BLOCKS) -> tuple[Path, Path]:
    gguf, block = directory / "gguf.ksy", directory / "ggml_block.ksy"
    gguf.write_text(GGUF)
    block.write_text(blocks)
    return gguf, block


def test_types(tmp_path: Path) -> None:
    types = load(compile_types(*schemas(tmp_path)))
    assert {member.name: member.value for member in types.ValueType} == {"UINT8": 0, "BOOL": 7}
    assert {member.name: member.value for member in types.GGMLType} == {"F32": 0, "Q4_0": 2, "BF16": 30}
    assert list(types.BLOCKS) == [0, 2, 30]
    assert types.BLOCKS[types.GGMLType.Q4_0] == (32, 18, (("d", "float16", None), ("qs", "uint8", 16)))
    assert types.BLOCKS[types.GGMLType.F32] == (1, 4, (("value", "float32", None),))
    assert types.REMOVED_TYPES == {4: "Q4_2"}
    assert (types.MAGIC, types.MAX_DIMS, types.MAX_DEPTH) == (b"GGUF", 4, 128)
    assert types.VALUE_CLASSES == types.ELEMENT_CLASSES == {types.ValueType.UINT8: "ValueU1"}
    assert json.loads(compile_type_list(*schemas(tmp_path))) == [
        {"id": 0, "name": "F32", "num_elements": 1, "size": 4},
        {"id": 2, "name": "Q4_0", "num_elements": 32, "size": 18},
        {"id": 30, "name": "BF16", "num_elements": 1, "size": 2},
    ]


@pytest.mark.parametrize("classes", [committed.VALUE_CLASSES, committed.ELEMENT_CLASSES], ids=["values", "elements"])
def test_these_are_classes_of_the_parser(classes: dict[Any, str]) -> None:
    assert set(classes) == set(committed.ValueType)
    assert all(isinstance(getattr(Gguf, name), type) for name in classes.values())


@pytest.mark.parametrize("compile_", [compile_types, compile_type_list])
def test_both_schemas_name_the_same_types(tmp_path: Path, compile_: Any) -> None:
    with pytest.raises(SystemExit, match=r"ggml_block\.ksy .* gguf\.ksy .*different types: q4_0, q9_9"):
        compile_(*schemas(tmp_path, BLOCKS.replace("  q4_0:", "  q9_9:")))


@pytest.mark.parametrize(
    "attribute",
    [
        "size: 4",
        "type: u2le",
        "type: u1, if: d == 1",
        "type: u1, repeat: expr, repeat-expr: d * 2",
        "type: u1, valid: 3",
    ],
)
def test_a_field_that_is_not_a_number_or_a_fixed_run_is_refused(tmp_path: Path, attribute: str) -> None:
    blocks = yaml.safe_load(BLOCKS)
    blocks["types"]["q4_0"]["seq"] = [yaml.safe_load(f"{{id: x, {attribute}}}")]
    with pytest.raises(SystemExit, match="/types/q4_0/seq/x: "):
        compile_types(*schemas(tmp_path, yaml.safe_dump(blocks)))
