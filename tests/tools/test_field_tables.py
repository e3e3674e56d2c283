"""field_tables.py: the fields of the types in the schema."""

from typing import Any

import generate
import pytest
import yaml
from field_tables import compile_fields
from kaitai_gguf_schema.fields import TYPES
from kaitai_gguf_schema.gguf import Gguf
from skip import Plan, Unsupported

KSY = """
meta: {id: top, endian: le}
instances:
  version: {value: 1}
seq:
  - {id: first, type: some_pair, -orig-id: one, doc: "Said in  two\\n  lines \\"so\\"."}
  - {id: raw, size: 3}
  - {id: len_rest, type: u1}
  - {id: rest, size: len_rest}
types:
  some_pair:
    seq:
      - {id: a, type: u1, enum: kind}
      - {id: b, type: {switch-on: a, cases: {kind::x: only, kind::y: sometimes}}}
      - {id: c, type: only, repeat: expr, repeat-expr: 'a.as<u1>', doc: Many.}
  only: {seq: [{id: x, type: u2}]}
  sometimes:
    doc: Changed.
    seq: [{id: old, type: u1, if: _root.version == 1}, {id: new, type: u4, if: _root.version != 1}]
enums:
  kind: {1: x, 2: y}
"""


def compiled(text: str) -> Any:
    scope: dict[str, Any] = {"__name__": "fields"}
    exec(compile_fields(yaml.safe_load(text), Plan(constants={"version": [1, 2, 3]})), scope)
    return scope["TYPES"], scope["Field"]


def test_fields() -> None:
    types, field = compiled(KSY)
    assert set(types[1]) == {"top", "some_pair"}  # the others have a single field
    assert types[1]["top"] == (
        field("first", "some_pair", "one", 'Said in two lines "so".'),
        field("raw", "bytes", size=3),
        field("len_rest", "u1", code="B"),
        field("rest", "bytes", size="len_rest"),
    )
    number, choice, many = types[1]["some_pair"]
    assert number == field("a", "u1", code="B", enum="kind")
    assert choice._replace(cases={}) == field("b", "", switch_on="a")
    assert choice.cases == {1: field("b", "u2", code="H"), 2: field("b", "u1", doc="Changed.", code="B")}
    assert many == field("c", "only", "", "Many.", repeat="a", item=field("", "u2", doc="Many.", code="H"))
    assert types[2]["some_pair"][1].cases[2] == field("b", "u4", doc="Changed.", code="I")
    assert types[3] is types[2]


@pytest.mark.parametrize("size", ["len_rest + 1", "first.a"])
def test_sizes_that_are_not_a_field_before_are_refused(size: str) -> None:
    with pytest.raises(Unsupported, match="in a table of fields"):
        compiled(KSY.replace("size: len_rest", f"size: {size}"))


def test_there_is_a_field_for_every_attribute() -> None:
    types = yaml.safe_load(generate.GGUF.read_text())["types"]
    for name in ("gguf_body", "gguf_string", "key_value", "gguf_array", "tensor_info"):
        listed = [attribute["id"] for attribute in types[name]["seq"] if attribute["id"] != "header_end"]
        assert [field.name for field in TYPES[3][name]] == listed
    assert set(TYPES[1]) == set(TYPES[3])
    assert TYPES[3]["key_value"][-1].cases[Gguf.ValueType.array.value].type == "gguf_array"
