"""field_tables.py: the documentation of fields in the schema."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import generate
import pytest
import yaml
from field_tables import compile_notes
from kaitai_gguf_schema.positions.gguf import Gguf
from kaitai_gguf_schema.positions.notes import TYPES
from skip import Plan

KSY = """
meta: {id: top, endian: le}
instances:
  version: {value: 1}
seq:
  - {id: first, type: some_pair, -orig-id: one, doc: "Said in  two\\n  lines \\"so\\"."}
  - {id: raw, size: 3}
types:
  some_pair:
    -orig-id: pair_t
    doc: Two numbers.
    seq:
      - {id: a, type: u1}
      - id: b
        type:
          switch-on: a
          cases: {1: only, 2: sometimes}
  only:
    seq:
      - {id: x, type: u2}
  sometimes:
    seq:
      - {id: old, type: u1, if: _root.version == 1}
      - {id: new, type: u2, if: _root.version != 1}
"""


@pytest.fixture
def types() -> dict[str, Any]:
    scope: dict[str, Any] = {"__name__": "notes"}
    exec(compile_notes(yaml.safe_load(KSY), Plan(constants={"version": [1, 2]})), scope)
    found: dict[str, Any] = scope["TYPES"]
    return found


def test_types_go_by_their_classes(types: dict[str, Any]) -> None:
    assert {name: type.id for name, type in types.items()} == {
        "Top": "top", "SomePair": "some_pair", "Only": "only", "Sometimes": "sometimes",
    }  # fmt: skip


def test_fields(types: dict[str, Any]) -> None:
    assert types["Top"].fields["first"] == ("some_pair", "one", 'Said in two lines "so".')
    assert types["Top"].fields["raw"] == ("bytes", "", "")
    assert types["SomePair"].fields["b"] == ("", "", "")
    assert (types["SomePair"].orig_id, types["SomePair"].doc) == ("pair_t", "Two numbers.")


def test_what_is_alone_in_a_type_in_every_version(types: dict[str, Any]) -> None:
    assert {name: type.is_alone for name, type in types.items()} == {
        "Top": False, "SomePair": False, "Only": True, "Sometimes": True,
    }  # fmt: skip


def test_the_notes_of_this_repository_are_up_to_date() -> None:
    made = compile_notes(yaml.safe_load(generate.GGUF.read_text()), generate.INDEX)
    assert made == (generate.GENERATED / "python" / "kaitai_gguf_schema" / "positions" / "notes.py").read_text()


def test_there_is_a_note_for_every_class_and_field() -> None:
    classes = {"Gguf": Gguf} | {name: item for name, item in vars(Gguf).items() if hasattr(item, "SEQ_FIELDS")}
    assert {name: list(note.fields) for name, note in TYPES.items()} == {
        name: item.SEQ_FIELDS for name, item in classes.items()
    }


def test_reading_takes_neither_the_notes_nor_the_classes_with_positions(tmp_path: Path) -> None:
    code = "import sys, kaitai_gguf; sys.exit('kaitai_gguf_schema.positions' in sys.modules)"
    environment = {"PYTHONPATH": ":".join(filter(None, sys.path))}
    assert subprocess.run([sys.executable, "-c", code], env=environment, cwd=tmp_path, check=False).returncode == 0
