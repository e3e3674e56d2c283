"""The indexes in C and in JavaScript find and refuse the same as the one in Python."""

import os
import shutil
import subprocess
from array import array
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml
from hypothesis import given, settings, strategies as st
from other_languages import PLANS, CFormat, JavaScriptFormat
from schema_data import FORMATS, damaged
from skip import Plan, Unsupported, compile_c_index, compile_javascript_index
from skip_modules import SCHEMAS, schema
from support.about import about
from test_constructs import SCHEMAS as CONSTRUCTS

EXAMPLES = settings(report_multiple_bugs=False)
pytestmark = pytest.mark.xdist_group("other-languages")  # the formats are compiled once
each_format = pytest.mark.parametrize("name", PLANS)
Formats = dict[str, CFormat | JavaScriptFormat]


@pytest.fixture(scope="session")
def c_formats(tmp_path_factory: pytest.TempPathFactory) -> dict[str, CFormat]:
    directory = tmp_path_factory.mktemp("c")
    return {name: CFormat(name, directory) for name in PLANS}


@pytest.fixture(scope="session", params=["c", "javascript"])
def formats(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Formats]:
    if request.param == "c":
        yield request.getfixturevalue("c_formats")
    else:
        directory, process = tmp_path_factory.mktemp("formats"), request.getfixturevalue("node")
        ksy = {name: yaml.safe_load((SCHEMAS / f"{name}.ksy").read_text()) for name in PLANS}
        yield {name: JavaScriptFormat(ksy[name], PLANS[name], directory / f"{name}.mjs", process) for name in PLANS}


@pytest.fixture(scope="session")
def node() -> Iterator[Any]:
    if shutil.which("node") is None:
        pytest.fail("no Node.js") if os.environ.get("CI") == "true" else pytest.skip("Node.js is not installed")
    command = ["node", str(Path(__file__).with_name("index_worker.mjs"))]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8") as process:
        yield process


@each_format
@EXAMPLES
@given(st.data())
def test_valid_data(formats: Formats, name: str, data: st.DataObject) -> None:
    valid = data.draw(FORMATS[name]())
    assert formats[name].accept(name, valid) or name == "tree"  # some trees are too deep
    for size in range(data.draw(st.integers(0, 2)), len(valid), 3):
        assert not formats[name].accept(name, valid[:size])


@each_format
@EXAMPLES
@given(st.data())
def test_damaged_data(formats: Formats, name: str, data: st.DataObject) -> None:
    formats[name].accept(name, data.draw(damaged(FORMATS[name](wild=True))))


@each_format
@EXAMPLES
@given(st.data())
def test_parts_at_any_place(formats: Formats, name: str, data: st.DataObject) -> None:
    form, broken = formats[name], data.draw(damaged(FORMATS[name]()))
    number = st.integers(0, 20) | st.integers(0, form.largest)
    for type, count in form.num_args.items():
        args = [data.draw(number) for _ in range(count)]
        for pos in range(data.draw(st.integers(0, 2)), len(broken) + 2, 3):
            form.accept(type, broken, pos, *args)


@each_format
@EXAMPLES
@given(st.data())
def test_tables_at_any_place(c_formats: dict[str, CFormat], name: str, data: st.DataObject) -> None:
    """At any position, the C either refuses or gives the same row as Python."""
    broken = data.draw(damaged(FORMATS[name]()))
    form = c_formats[name]
    layout = form.layout(broken)
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


def test_constructs_in_javascript(node: Any, tmp_path: Path) -> None:
    compared = []
    for number, (name, (text, outcomes)) in enumerate(CONSTRUCTS.items()):
        try:
            form = JavaScriptFormat(schema(text), Plan(index={"t": []}), tmp_path / f"{number}.mjs", node)
        except Unsupported:
            continue
        with about(name):
            for data, end in outcomes:
                assert form.accept("t", data) is isinstance(end, int)
        compared.append(name)
    assert len(compared) > 30


C = [
    ("type: s2, valid: {min: 0}", "not s2"),
    ("type: f4, valid: {max: 1}", "not f4"),
    ("size: m - 4", "may be negative"),
    ("size: m, if: m - 4 == 2", "may be negative"),
]
JAVASCRIPT = [
    ("size: n - 4", "- of what may be beyond"),
    ("size: n, if: n / 2 == 2", "/ of what may be beyond"),
    ("size: n, if: n + n == n", "== of what may be beyond"),
    ("size: n, if: (n & 1) == 1", "& of what may be beyond"),
    ("size: 4, if: n == 0x7fffffffffffffff", "the number 9223372036854775807"),
]


@pytest.mark.parametrize(
    ("compile_", "attribute", "reason"),
    [(compile_c_index, *row) for row in C] + [(compile_javascript_index, *row) for row in JAVASCRIPT],
)
def test_what_is_refused(compile_: object, attribute: str, reason: str) -> None:
    made = schema(f"seq: [{{id: n, type: u8}}, {{id: m, type: u1}}, {{id: x, {attribute}}}]")
    with pytest.raises(Unsupported, match=reason):
        compile_(made, Plan(index={"t": []}))  # type: ignore[operator]


def test_a_byte_order_that_a_number_decides_on_is_refused() -> None:
    made = schema(
        """
        instances: {order: {pos: 0, type: u1}}
        types: {body: {meta: {endian: {switch-on: _root.order, cases: {1: le, 2: be}}}, seq: [{id: n, type: u2}]}}
        seq: [{id: order_, type: u1}, {id: body, type: body}]
        """
    )
    with pytest.raises(Unsupported, match="by something else than a condition"):
        compile_javascript_index(made, Plan(index={"t": []}))


@pytest.mark.parametrize("values", ["repeat: expr, repeat-expr: n", "repeat: expr, repeat-expr: 65"])
def test_rows_that_are_too_long_are_refused(values: str) -> None:
    made = schema(f"seq: [{{id: n, type: u1}}, {{id: values, type: u2, {values}}}]")
    with pytest.raises(Unsupported, match="a run of up to"):
        compile_c_index(made, Plan(table={"t": ["values"]}))
