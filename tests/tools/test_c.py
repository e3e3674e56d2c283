"""skip.c: a buffer that changes meanwhile can't get a number past a check, for each is read once."""

import re

import generate
import yaml
from skip import compile_c_index

HEADER = compile_c_index(yaml.safe_load(generate.GGUF.read_text()), generate.INDEX)


def function(name: str) -> str:
    """The lines of a function of the header."""
    start = HEADER.index(f" {name}(")
    return HEADER[start : HEADER.index("\n}\n", start)]


def test_every_number_is_kept_from_being_read_again() -> None:
    readers = set(re.findall(r"\bskip_u\d\b", HEADER))
    assert readers == {"skip_u1", "skip_u2", "skip_u4", "skip_u8"}
    for reader in readers:
        assert "return skip_once(" in function(reader)


def test_the_walks_read_numbers_into_variables_and_nothing_else() -> None:
    walks = HEADER[HEADER.index("} skip_table_entry;") :]
    reading = [line.strip() for line in walks.splitlines() if "buf +" in line]
    assert len(reading) > 30
    kept = re.compile(r"(\w+|row\[3 \+ i\]) = (i < \w+ \? )?skip_u\d\(buf \+ pos( \+ [\w* ]+)?, (be|0|1)\)( : 0)?;")
    unlike = [line for line in reading if not kept.fullmatch(line) and not line.startswith("if (memcmp(buf + pos, ")]
    assert unlike == []
    assert "buf[" not in walks
    assert "*buf" not in walks.replace("const uint8_t *buf", "")
