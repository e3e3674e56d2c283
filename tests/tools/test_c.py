"""skip.c: the header is safe if the buffer changes while it reads. What it finds: test_agreement.py."""

import re

import generate
import pytest
import yaml
from skip import Plan, compile_c_index
from skip_modules import schema

HEADER = compile_c_index(yaml.safe_load(generate.GGUF.read_text()), generate.INDEX)


@pytest.mark.parametrize(("contents", "literal"), [("PK, v1.0", '"PK, v1.0"'), ('"a"', '"\\x22\\x61\\x22"')])
def test_contents_are_text_where_nothing_in_them_has_a_meaning_of_its_own(contents: str, literal: str) -> None:
    header = compile_c_index(schema(f"seq: [{{id: x, contents: '{contents}'}}]"), Plan(index={"t": []}))
    assert f"memcmp(buf + pos, {literal}, {len(contents)})" in header


def test_numbers_are_read_once_into_variables_and_nothing_else_is_read() -> None:
    """The number that was checked is the one that is used."""
    functions = HEADER[HEADER.index("} skip_entry;") :]
    reading = [line.strip() for line in functions.splitlines() if "buf +" in line]
    assert len(reading) > 30
    read = r"skip_once\(skip_load\d\(buf \+ pos( \+ [\w* ]+)?, (be|0|1)\)\)"
    kept = re.compile(rf"(\w+|row\[3 \+ i_\]) = (i_ < \w+ \? )?{read}( : 0)?;")
    unlike = [line for line in reading if not kept.fullmatch(line) and not line.startswith("if (memcmp(buf + pos, ")]
    assert unlike == []
    assert "buf[" not in functions
    assert "*buf" not in functions.replace("const uint8_t *buf", "")
