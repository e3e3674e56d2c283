"""The indexes in Python, C and JavaScript and the official compiler's classes agree about the formats in schemas/."""

import subprocess
from array import array
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from formats import PLANS, CFormat, Format, JavaScriptFormat, OfficialFormat, official_formats, schema_of, starts
from hypothesis import given, settings, strategies as st
from schema_data import FORMATS, damaged, tracks
from skip import Plan, Unsupported, compile_c_index, compile_javascript_index
from skip_modules import schema
from support.about import about
from support.tools import require
from test_constructs import SCHEMAS as CONSTRUCTS

EXAMPLES = settings(report_multiple_bugs=False)
pytestmark = pytest.mark.xdist_group("formats")  # they are compiled once
each_format = pytest.mark.parametrize("name", PLANS)


@pytest.fixture(scope="session")
def official(tmp_path_factory: pytest.TempPathFactory) -> dict[str, OfficialFormat]:
    return official_formats(tmp_path_factory.mktemp("official"))


@pytest.fixture(scope="session")
def in_c(tmp_path_factory: pytest.TempPathFactory) -> dict[str, CFormat]:
    directory = tmp_path_factory.mktemp("c")
    return {name: CFormat(name, directory) for name in PLANS}


@pytest.fixture(scope="session")
def node() -> Iterator[Any]:
    require("node")
    command = ["node", str(Path(__file__).with_name("index_worker.mjs"))]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8") as process:
        yield process


@pytest.fixture(scope="session")
def in_javascript(tmp_path_factory: pytest.TempPathFactory, node: Any) -> dict[str, JavaScriptFormat]:
    directory = tmp_path_factory.mktemp("javascript")
    return {
        name: JavaScriptFormat(schema_of(name), plan, directory / f"{name}.mjs", node) for name, plan in PLANS.items()
    }


@pytest.fixture(scope="session", params=["official", "in_c", "in_javascript"])
def formats(request: pytest.FixtureRequest) -> dict[str, Format]:
    found: dict[str, Format] = request.getfixturevalue(request.param)
    return found


@each_format
@EXAMPLES
@given(st.data())
def test_valid_data_and_truncations(formats: dict[str, Format], name: str, data: st.DataObject) -> None:
    valid = data.draw(FORMATS[name]())
    assert formats[name].accepts(name, valid) or name == "tree"  # some trees are too deep
    for size in range(data.draw(st.integers(0, 2)), len(valid), 3):
        assert not formats[name].accepts(name, valid[:size])


@each_format
@EXAMPLES
@given(st.data())
def test_damaged_data(formats: dict[str, Format], name: str, data: st.DataObject) -> None:
    formats[name].accepts(name, data.draw(damaged(FORMATS[name](wild=True))))


@pytest.mark.parametrize("language", ["in_c", "in_javascript"])
@each_format
@EXAMPLES
@given(st.data())
def test_parts_at_any_place(request: pytest.FixtureRequest, language: str, name: str, data: st.DataObject) -> None:
    form, broken = request.getfixturevalue(language)[name], data.draw(damaged(FORMATS[name]()))
    number = st.integers(0, 20) | st.integers(0, form.largest)
    for type in form.plan.index:
        args = [data.draw(number) for _ in range(form.num_arguments(type))]
        for pos in range(data.draw(st.integers(0, 2)), len(broken) + 2, 3):
            form.accepts(type, broken, pos, *args)


# Tables


@EXAMPLES
@given(data=tracks())
def test_fields_are_where_the_class_has_them(official: dict[str, OfficialFormat], data: bytes) -> None:
    read, _ = official["track"].read(data)
    rows = []
    for lap in read.body.laps:
        name, note = lap.name._debug["data"], lap._debug["note"]
        numbers = (name["start"], name["end"], lap.rank, lap.num_marks)
        rows.append((*numbers, lap.marks, note["start"], note["end"], lap._debug["aliases"]["start"]))
    positions = np.array(starts(read, "body.laps"), np.int64)
    columns = official["track"].python.layout(data).table_lap(np.frombuffer(data, np.uint8), positions)
    width = max((len(row[4]) for row in rows), default=0)
    expected = [(*row[:4], [*row[4], *[0] * (width - len(row[4]))], *row[5:]) for row in rows]
    assert list(zip(*(column.tolist() for column in columns), strict=True)) == expected


@each_format
@EXAMPLES
@given(st.data())
def test_tables_at_any_place(in_c: dict[str, CFormat], name: str, data: st.DataObject) -> None:
    """At any position, the C either refuses or gives the same row as Python."""
    broken, form = data.draw(damaged(FORMATS[name]())), in_c[name]
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


# Small schemas


def test_constructs_in_javascript(node: Any, tmp_path: Path) -> None:
    compared = []
    for number, (name, (text, outcomes)) in enumerate(CONSTRUCTS.items()):
        try:
            form = JavaScriptFormat(schema(text), Plan(index={"t": []}), tmp_path / f"{number}.mjs", node)
        except Unsupported:
            continue
        with about(name):
            for data, end in outcomes:
                assert form.accepts("t", data) is isinstance(end, int)
        compared.append(name)
    assert len(compared) > 15


SEQ = "seq: [{{id: n, type: u8}}, {{id: m, type: u1}}, {{id: x, {}}}]"
ORDER = """
instances: {order: {pos: 0, type: u1}}
types: {body: {meta: {endian: {switch-on: _root.order, cases: {1: le, 2: be}}}, seq: [{id: n, type: u2}]}}
seq: [{id: order_, type: u1}, {id: body, type: body}]
"""


@pytest.mark.parametrize(
    ("compile_", "text", "reason"),
    [
        (compile_c_index, SEQ.format("type: s2, valid: {min: 0}"), "not s2"),
        (compile_c_index, SEQ.format("type: f4, valid: {max: 1}"), "not f4"),
        (compile_c_index, SEQ.format("size: m - 4"), "may be negative"),
        (compile_c_index, SEQ.format("size: m, if: m - 4 == 2"), "may be negative"),
        (compile_c_index, SEQ.format("type: u2, repeat: expr, repeat-expr: m"), "a run of up to"),
        (compile_c_index, SEQ.format("type: u2, repeat: expr, repeat-expr: 65"), "a run of up to"),
        (compile_javascript_index, SEQ.format("size: n - 4"), "- of what may be beyond"),
        (compile_javascript_index, SEQ.format("size: n, if: n / 2 == 2"), "/ of what may be beyond"),
        (compile_javascript_index, SEQ.format("size: n, if: n + n == n"), "== of what may be beyond"),
        (compile_javascript_index, SEQ.format("size: n, if: (n & 1) == 1"), "& of what may be beyond"),
        (
            compile_javascript_index,
            SEQ.format("size: 4, if: n == 0x7fffffffffffffff"),
            "the number 922337203685477580",
        ),
        (compile_javascript_index, ORDER, "by something else than a condition"),
    ],
)
def test_what_a_language_does_not_support(compile_: Any, text: str, reason: str) -> None:
    plan = {"table": {"t": ["x"]}} if "a run" in reason else {"index": {"t": []}}
    with pytest.raises(Unsupported, match=reason):
        compile_(schema(text), Plan(**plan))
