"""skip.c: the header is safe if the buffer changes while it reads. What it finds: test_agreement.py."""

import re

import generate
import yaml
from skip import compile_c_index

HEADER = compile_c_index(yaml.safe_load(generate.GGUF.read_text()), generate.INDEX)


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
