"""The indexes in Python, C and JavaScript and the official compiler's classes agree about the formats in schemas/."""

import re
from array import array
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import generate
import numpy as np
import pytest
import yaml
from formats import PLANS, CFormat, Format, JavaScriptFormat, OfficialFormat, schema_of, starts
from hypothesis import given, settings, strategies as st
from schema_data import damaged, data_of
from skip import Plan, Unsupported, compile_c_index, compile_javascript_index
from skip_modules import schema
from test_index import CONSTRUCTS

EXAMPLES = settings(report_multiple_bugs=False)
pytestmark = pytest.mark.xdist_group("formats")  # they are compiled once


@pytest.fixture(scope="session")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Callable[[type[Format]], dict[str, Format]]:
    @cache
    def formats(kind: type[Format]) -> dict[str, Format]:
        directory = tmp_path_factory.mktemp("formats")
        return {name: kind(schema_of(name), plan, directory) for name, plan in PLANS.items()}

    return formats


@pytest.fixture(scope="session", params=[OfficialFormat, CFormat, JavaScriptFormat])
def formats(request: pytest.FixtureRequest, compiled: Any) -> dict[str, Format]:
    return compiled(request.param)


def only(*kinds: type[Format]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("formats", kinds, indirect=True)


@pytest.mark.parametrize("name", PLANS)
class TestFormats:
    @EXAMPLES
    @given(st.data())
    def test_valid_data_and_truncations(self, formats: dict[str, Format], name: str, data: st.DataObject) -> None:
        valid = data.draw(data_of(name))
        assert formats[name].accepts(name, valid) or name in ("tree", "mixture")  # some are too deep
        for size in range(data.draw(st.integers(0, 2)), len(valid), 3):
            assert not formats[name].accepts(name, valid[:size])

    @EXAMPLES
    @given(st.data())
    def test_damaged_data(self, formats: dict[str, Format], name: str, data: st.DataObject) -> None:
        formats[name].accepts(name, data.draw(damaged(data_of(name, wild=True))))

    @only(CFormat, JavaScriptFormat)
    @EXAMPLES
    @given(st.data())
    def test_parts_at_any_place(self, formats: dict[str, Format], name: str, data: st.DataObject) -> None:
        form, broken = formats[name], data.draw(damaged(data_of(name)))
        number = st.integers(0, 20) | st.integers(0, form.largest)
        for type in form.plan.index:
            args = [data.draw(number) for _ in range(form.num_arguments(type))]
            for pos in range(data.draw(st.integers(0, 2)), len(broken) + 2, 3):
                form.accepts(type, broken, pos, *args)

    @only(CFormat)
    @EXAMPLES
    @given(st.data())
    def test_tables_at_any_place(self, formats: dict[str, CFormat], name: str, data: st.DataObject) -> None:
        """At any position, the C either refuses or gives the same row as Python."""
        broken, form = data.draw(damaged(data_of(name))), formats[name]
        layout, _ = form.index(name, broken)
        for type in form.plan.table if layout else []:
            known = layout.__class__.__name__, type, layout.endian == ">", broken
            accepted = []
            for pos in range(len(broken) + 2):
                found = form.c.table(*known, np.array([pos]))
                if found is not None:
                    columns = getattr(layout, f"table_{type}")(np.frombuffer(broken, np.uint8), np.array([pos]))
                    assert [list(array("q", each)) for each in found] == [column.tolist() for column in columns]
                    accepted.append(pos)
            found = form.c.table(*known, np.array(accepted, np.int64))
            assert [len(each) for each in found] == [8 * len(accepted)] * len(found)


@only(OfficialFormat)
@EXAMPLES
@given(data=data_of("track"))
def test_fields_are_where_the_class_has_them(formats: dict[str, OfficialFormat], data: bytes) -> None:
    read, _ = formats["track"].read(data)
    rows = []
    for lap in read.body.laps:
        name, note = lap.name._debug["data"], lap._debug["note"]
        numbers = (name["start"], name["end"], lap.rank, lap.num_marks)
        rows.append((*numbers, lap.marks, note["start"], note["end"], lap._debug["aliases"]["start"]))
    positions = np.array(starts(read, "body.laps"), np.int64)
    columns = formats["track"].python.layout(data).table_lap(np.frombuffer(data, np.uint8), positions)
    width = max((len(row[4]) for row in rows), default=0)
    expected = [(*row[:4], [*row[4], *[0] * (width - len(row[4]))], *row[5:]) for row in rows]
    assert list(zip(*(column.tolist() for column in columns), strict=True)) == expected


# Small schemas


@pytest.mark.parametrize("name", CONSTRUCTS)
def test_a_construct_in_javascript(name: str, tmp_path: Path) -> None:
    text, outcomes = CONSTRUCTS[name]
    form = JavaScriptFormat(schema(text), Plan(index={"t": []}), tmp_path)
    for data, end in outcomes:
        assert form.accepts("t", data) is isinstance(end, int), data


SEQ = "seq: [{{id: n, type: u8}}, {{id: m, type: u1}}, {{id: x, {}}}]"
ORDER = """
instances: {order: {pos: 0, type: u1}}
types: {body: {meta: {endian: {switch-on: _root.order, cases: {1: le, 2: be}}}, seq: [{id: n, type: u2}]}}
seq: [{id: order_, type: u1}, {id: body, type: body}]
"""


@pytest.mark.parametrize(
    ("attribute", "reason"),
    [
        ("type: s2, valid: {min: 0}", "not s2"),
        ("type: f4, valid: {max: 1}", "not f4"),
        ("size: m - 4", "may be negative"),
        ("size: m, if: m - 4 == 2", "may be negative"),
        ("type: u2, repeat: expr, repeat-expr: m", "a run of up to"),
        ("type: u2, repeat: expr, repeat-expr: 65", "a run of up to"),
    ],
)
def test_what_c_does_not_support(attribute: str, reason: str) -> None:
    plan = Plan(table={"t": ["x"]}) if "a run" in reason else Plan(index={"t": []})
    with pytest.raises(Unsupported, match=reason):
        compile_c_index(schema(SEQ.format(attribute)), plan)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (SEQ.format("size: n - 4"), "- of what may be beyond"),
        (SEQ.format("size: n, if: n / 2 == 2"), "/ of what may be beyond"),
        (SEQ.format("size: n, if: n + n == n"), "== of what may be beyond"),
        (SEQ.format("size: n, if: (n & 1) == 1"), "& of what may be beyond"),
        (SEQ.format("size: 4, if: n == 0x7fffffffffffffff"), "the number 922337203685477580"),
        (ORDER, "by something else than a condition"),
    ],
)
def test_what_javascript_does_not_support(text: str, reason: str) -> None:
    with pytest.raises(Unsupported, match=reason):
        compile_javascript_index(schema(text), Plan(index={"t": []}))


def test_numbers_are_read_once_into_variables_and_nothing_else_is_read() -> None:
    """The number that was checked in C is the one that is used, even if the buffer changes in the meantime."""
    header = compile_c_index(yaml.safe_load(generate.GGUF.read_text()), generate.INDEX)
    functions = header[header.index("} skip_entry;") :]
    reading = [line.strip() for line in functions.splitlines() if "buf +" in line]
    assert len(reading) > 30
    read = r"skip_once\(skip_load\d\(buf \+ pos( \+ [\w* ]+)?, (be|0|1)\)\)"
    kept = re.compile(rf"(\w+|row\[3 \+ i_\]) = (i_ < \w+ \? )?{read}( : 0)?;")
    unlike = [line for line in reading if not kept.fullmatch(line) and not line.startswith("if (memcmp(buf + pos, ")]
    assert unlike == []
    assert "buf[" not in functions
    assert "*buf" not in functions.replace("const uint8_t *buf", "")
