"""skip.c: C gives the same results as Python, and is safe if the buffer changes while it reads."""

import re
from array import array
from typing import Any

import generate
import numpy as np
import pytest
import schema_data
import yaml
from c_modules import PLANS, CFormat
from hypothesis import given, settings, strategies as st
from skip import Plan, Unsupported, compile_c_index
from skip_modules import listed, schema

HEADER = compile_c_index(yaml.safe_load(generate.GGUF.read_text()), generate.INDEX)
STRATEGIES = {"parcel": schema_data.parcels, "tree": schema_data.trees, "track": schema_data.tracks}
EXAMPLES = settings(report_multiple_bugs=False)
pytestmark = pytest.mark.xdist_group("c")  # the formats are compiled once
each_format = pytest.mark.parametrize("name", PLANS)


@pytest.fixture(scope="session")
def c_formats(tmp_path_factory: pytest.TempPathFactory) -> dict[str, CFormat]:
    directory = tmp_path_factory.mktemp("c")
    return {name: CFormat(name, directory / name) for name in PLANS}


def same(form: CFormat, layout: Any, type: str, data: bytes, pos: int, *args: int) -> Any:
    """Return what both find, or None if both refuse the data."""
    try:
        expected = listed(getattr(layout, f"index_{type}")(data, pos, *args))
    except form.python.Refused:
        expected = None
    found = form.c.index(layout.__class__.__name__, type, is_big_endian(layout), data, pos, args)
    if found is not None:
        lists, end = found
        found = (*(list(array("q", each)) for each in lists), end) if lists else end
    assert found == expected
    return found


def is_big_endian(layout: Any) -> bool:
    return layout.endian == ">"


def layout_of(form: CFormat, data: bytes) -> Any:
    try:
        return form.python.layout(data)
    except form.python.Refused:
        return None


@each_format
@EXAMPLES
@given(st.data())
def test_valid_data(c_formats: dict[str, CFormat], name: str, data: st.DataObject) -> None:
    valid = data.draw(STRATEGIES[name]())
    form = c_formats[name]
    found = same(form, form.python.layout(valid), name, valid, 0)
    assert name == "tree" or found is not None  # some trees are too deep
    for size in range(len(valid)):
        if layout_of(form, valid[:size]):
            assert same(form, layout_of(form, valid[:size]), name, valid[:size], 0) is None


@each_format
@EXAMPLES
@given(st.data())
def test_damaged_data(c_formats: dict[str, CFormat], name: str, data: st.DataObject) -> None:
    damaged = data.draw(schema_data.damaged(STRATEGIES[name](wild=True)))
    form = c_formats[name]
    if layout := layout_of(form, damaged):
        same(form, layout, name, damaged, 0)


@each_format
@EXAMPLES
@given(st.data())
def test_parts_at_any_place(c_formats: dict[str, CFormat], name: str, data: st.DataObject) -> None:
    damaged = data.draw(schema_data.damaged(STRATEGIES[name]()))
    form = c_formats[name]
    if layout := layout_of(form, damaged):
        number = st.integers(0, 20) | st.integers(0, (1 << 64) - 1)
        for type, count in form.num_args.items():
            args = [data.draw(number) for _ in range(count)]
            for pos in range(len(damaged) + 2):
                same(form, layout, type, damaged, pos, *args)


@each_format
@EXAMPLES
@given(st.data())
def test_tables_at_any_place(c_formats: dict[str, CFormat], name: str, data: st.DataObject) -> None:
    """At any position, the C either refuses or gives the same row as Python."""
    damaged = data.draw(schema_data.damaged(STRATEGIES[name]()))
    form = c_formats[name]
    layout = layout_of(form, damaged)
    for type in form.plan.table if layout else []:
        accepted = []
        for pos in range(len(damaged) + 2):
            positions = np.array([pos])
            found = form.c.table(layout.__class__.__name__, type, is_big_endian(layout), damaged, positions)
            if found is not None:
                columns = getattr(layout, f"table_{type}")(np.frombuffer(damaged, np.uint8), positions)
                assert [list(array("q", each)) for each in found] == [column.tolist() for column in columns]
                accepted.append(pos)
        positions = np.array(accepted, np.int64)
        found = form.c.table(layout.__class__.__name__, type, is_big_endian(layout), damaged, positions)
        assert [len(each) for each in found] == [8 * len(accepted)] * len(found)


@pytest.mark.parametrize(
    ("attribute", "reason"),
    [
        ("type: s2, valid: {min: 0}", "not s2"),
        ("type: f4, valid: {max: 1}", "not f4"),
        ("size: n - 4", "may be negative"),
        ("size: n, if: n - 4 == 2", "may be negative"),
    ],
)
def test_what_is_refused(attribute: str, reason: str) -> None:
    with pytest.raises(Unsupported, match=reason):
        compile_c_index(schema(f"seq: [{{id: n, type: u1}}, {{id: x, {attribute}}}]"), Plan(index={"t": []}))


@pytest.mark.parametrize("field", ["values", "many"])
def test_rows_that_are_too_long_are_refused(field: str) -> None:
    text = "seq: [{id: n, type: u1}, {id: values, type: u2, repeat: expr, repeat-expr: n}]"
    many = "seq: [{id: n, type: u1}, {id: many, type: u2, repeat: expr, repeat-expr: 65}]"
    with pytest.raises(Unsupported, match="a run of up to"):
        compile_c_index(schema(text if field == "values" else many), Plan(table={"t": [field]}))


def test_every_function_of_the_header_is_used() -> None:
    names = re.findall(r"^static (?:inline )?\w+ (\w+)\(", HEADER, re.MULTILINE)
    assert len(set(names)) > 15
    assert [name for name in set(names) if len(re.findall(rf"\b{name}\b", HEADER)) < 2] == []


def test_only_parameters_that_are_not_used_are_marked() -> None:
    assert set(re.findall(r"\(void\)(\w+)", HEADER[HEADER.index("} skip_entry;") :])) == {"args"}


@pytest.mark.parametrize(("contents", "literal"), [("PK, v1.0", '"PK, v1.0"'), ('"a"', '"\\x22\\x61\\x22"')])
def test_contents_are_text_where_nothing_in_them_has_a_meaning_of_its_own(contents: str, literal: str) -> None:
    header = compile_c_index(schema(f"seq: [{{id: x, contents: '{contents}'}}]"), Plan(index={"t": []}))
    assert f"memcmp(buf + pos, {literal}, {len(contents)})" in header


# Numbers are read once: the number that was checked is the one that is used


def test_numbers_are_read_once_into_variables_and_nothing_else_is_read() -> None:
    functions = HEADER[HEADER.index("} skip_entry;") :]
    reading = [line.strip() for line in functions.splitlines() if "buf +" in line]
    assert len(reading) > 30
    read = r"skip_once\(skip_load\d\(buf \+ pos( \+ [\w* ]+)?, (be|0|1)\)\)"
    kept = re.compile(rf"(\w+|row\[3 \+ i_\]) = (i_ < \w+ \? )?{read}( : 0)?;")
    unlike = [line for line in reading if not kept.fullmatch(line) and not line.startswith("if (memcmp(buf + pos, ")]
    assert unlike == []
    assert "buf[" not in functions
    assert "*buf" not in functions.replace("const uint8_t *buf", "")
