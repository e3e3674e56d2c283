"""skip.packing: what GGUF's packers don't use, and what no packer can have. tests/schema tests GGUF's own."""

import struct
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from skip import Plan, Unsupported, compile_javascript_index, compile_packing
from skip_modules import load, module, schema
from support.tools import require

RECORD = """
seq:
  - {id: head, type: head}
  - {id: num_values, type: u2, valid: {max: 3}}
  - {id: values, type: s2, repeat: expr, repeat-expr: num_values}
  - {id: level, type: s8}
types:
  head: {seq: [{id: kind, type: u1}, {id: len_name, type: u1, valid: {max: 9}}, {id: name, size: len_name}]}
"""
FIELDS = ["head.kind", "head.name", "values", "level"]
READ = ["head.kind", "head.name", "num_values", "values", "level"]


def packing(text: str, endian: str, *targets: str) -> Any:
    return load(compile_packing(schema(text, f"endian: {endian}"), Plan(pack={"t": [*targets]})))


@pytest.mark.parametrize(("endian", "order"), [("le", "<"), ("be", ">")])
def test_what_is_packed_is_what_a_table_reads(endian: str, order: str) -> None:
    data = packing(RECORD, endian, *FIELDS).PACKERS[()]().t(7, b"abc", [4, -5], -3)
    assert data == b"\x07\x03abc" + struct.pack(f"{order}H2hq", 2, 4, -5, -3)
    table = module(RECORD, f"endian: {endian}", table={"t": READ}).layout(data).table_t
    kind, start, end, count, values, level = table(np.frombuffer(data, np.uint8), np.array([0]))
    assert [kind[0], data[start[0] : end[0]], count[0], values[0].tolist(), level[0]] == [7, b"abc", 2, [4, -5], -3]


PACK = """
const { Layout } = await import(process.argv[1]);
const layout = new Layout(new Uint8Array(0), true, {});
const bytes = layout.pack_t(7, Uint8Array.from(Buffer.from("abc")), [4, -5], -3);
const none = new Uint8Array(0);
const errors = [[7, new Uint8Array(10), [], 0], [7, none, [0, 0, 0, 0], 0], [256, none, [], 0]]
  .map((given) => { try { layout.pack_t(...given); } catch (error) { return `${error.name}: ${error.message}`; } });
console.log([Buffer.from(bytes).toString("hex"), ...errors].join("\\n"));
"""


@pytest.mark.parametrize("endian", ["le", "be"])
def test_javascript_packs_the_same(endian: str, tmp_path: Path) -> None:
    require("node")
    path = tmp_path / "index.mjs"
    plan = Plan(index={"t": []}, table={"t": READ}, pack={"t": FIELDS})
    path.write_text(compile_javascript_index(schema(RECORD, f"endian: {endian}"), plan))
    command = ["node", "--input-type=module", "-e", PACK, path.as_uri()]
    bytes, *errors = subprocess.run(command, capture_output=True, check=True, text=True).stdout.splitlines()
    assert bytes == packing(RECORD, endian, *FIELDS).PACKERS[()]().t(7, b"abc", [4, -5], -3).hex()
    assert errors == [
        "RangeError: len_name is 10, expected at most 9",
        "RangeError: num_values is 4, expected at most 3",
        "RangeError: 256 does not fit u1",
    ]


def test_numbers_that_are_not_allowed() -> None:
    made = packing(RECORD, "le", *FIELDS)
    for error, message, *values in [
        (made.Unfit, r"^len_name is 10, expected at most 9$", 7, bytes(10), [], 0),
        (made.Unfit, r"^num_values is 4, expected at most 3$", 7, b"", [0] * 4, 0),
        (struct.error, "ubyte format|0 <= number <= 255", 256, b"", [], 0),
    ]:
        with pytest.raises(error, match=message):
            made.PACKERS[()]().t(*values)


@pytest.mark.parametrize(
    ("seq", "fields", "reason"),
    [
        ("{id: a, type: u2}, {id: b, type: u2}", ["a"], "what comes after a"),
        ("{id: a, type: u2}, {id: b, type: u2}", ["b"], "a in a packer"),
        ("{id: n, type: u2}, {id: a, size: n * 2}", ["a"], "a, whose length is not a field"),
        ("{id: n, type: u2}, {id: a, size: n}, {id: b, size: n}", ["a", "b"], "b, which has the length"),
        ("{id: a, type: u1}, {id: b, type: u1}", ["a", "c"], "/types/t: no field c to read"),
    ],
)
def test_what_can_not_be_packed_is_refused(seq: str, fields: list[str], reason: str) -> None:
    with pytest.raises(Unsupported, match=reason):
        packing(f"seq: [{seq}]", "le", *fields)
