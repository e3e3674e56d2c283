"""skip.javascript: the JavaScript index finds and refuses the same as the Python index."""

import base64
import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schema_data
import yaml
from c_modules import PLANS
from hypothesis import given, settings, strategies as st
from skip import Plan, Unsupported, compile_index, compile_javascript_index
from skip_modules import SCHEMAS, listed, load, schema

STRATEGIES = {"parcel": schema_data.parcels, "tree": schema_data.trees, "track": schema_data.tracks}
EXAMPLES = settings(report_multiple_bugs=False)
pytestmark = pytest.mark.xdist_group("javascript-index")  # the formats are compiled once
each_format = pytest.mark.parametrize("name", PLANS)


class JavaScriptFormat:
    """One schema, compiled as Python and as JavaScript."""

    def __init__(self, name: str, directory: Path, process: Any) -> None:
        ksy = yaml.safe_load((SCHEMAS / f"{name}.ksy").read_text())
        self.python = load(compile_index(ksy, PLANS[name]))
        self.path = directory / f"{name}.mjs"
        self.path.write_text(compile_javascript_index(ksy, PLANS[name]))
        self._process = process
        layout = next(value for name, value in vars(self.python).items() if name.startswith("Layout"))
        self.num_args = {
            type: getattr(layout, f"index_{type}").__code__.co_argcount - len(["self", "buf", "pos"])
            for type in PLANS[name].index
        }

    def ask(self, type: str, data: bytes, pos: int, *args: int) -> Any:
        encoded = base64.b64encode(data).decode()
        question = {"path": str(self.path), "type": f"index_{type}", "pos": pos, "args": args, "data": encoded}
        self._process.stdin.write(json.dumps(question) + "\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())

    def compare(self, type: str, data: bytes, pos: int = 0, *args: int) -> bool:
        """Assert that both find the same or refuse for the same reason. Return whether they accept the data."""
        answer = self.ask(type, data, pos, *args)
        expected = self.by_python(type, data, pos, *args)
        if expected.get("kind") == "invalid":  # languages format the wrong value differently
            expected["reason"] = answer.get("reason")
        assert answer == expected
        return "found" in answer

    def by_python(self, type: str, data: bytes, pos: int, *args: int) -> dict[str, Any]:
        try:
            layout = self.python.layout(data)
            found = listed(getattr(layout, f"index_{type}")(data, pos, *args))
        except self.python.Refused as refused:
            lists = [list(each) for each in refused.found]
            place = {"kind": refused.kind, "pos": refused.pos, "path": refused.path}
            return place | {"reason": refused.reason, "needed": refused.needed, "lists": lists}
        return {"layout": layout.__class__.__name__, "found": list(found) if isinstance(found, tuple) else found}


@pytest.fixture(scope="session")
def formats(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, JavaScriptFormat]]:
    if shutil.which("node") is None:
        pytest.fail("no Node.js") if os.environ.get("CI") == "true" else pytest.skip("Node.js is not installed")
    directory = tmp_path_factory.mktemp("javascript")
    command = ["node", str(Path(__file__).with_name("index_worker.mjs"))]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8") as process:
        yield {name: JavaScriptFormat(name, directory, process) for name in PLANS}


@each_format
@EXAMPLES
@given(st.data())
def test_valid_data(formats: dict[str, JavaScriptFormat], name: str, data: st.DataObject) -> None:
    valid = data.draw(STRATEGIES[name]())
    assert formats[name].compare(name, valid) or name == "tree"  # some trees are too deep
    for size in range(len(valid)):
        assert not formats[name].compare(name, valid[:size])


@each_format
@EXAMPLES
@given(st.data())
def test_damaged_data(formats: dict[str, JavaScriptFormat], name: str, data: st.DataObject) -> None:
    formats[name].compare(name, data.draw(schema_data.damaged(STRATEGIES[name](wild=True))))


@each_format
@EXAMPLES
@given(st.data())
def test_parts_at_any_place(formats: dict[str, JavaScriptFormat], name: str, data: st.DataObject) -> None:
    damaged = data.draw(schema_data.damaged(STRATEGIES[name]()))
    number = st.integers(0, 20) | st.integers(0, 1 << 40)
    for type, count in formats[name].num_args.items():
        args = [data.draw(number) for _ in range(count)]
        for pos in range(0, len(damaged) + 2, 3):
            formats[name].compare(type, damaged, pos, *args)


@pytest.mark.parametrize(
    ("attribute", "reason"),
    [
        ("size: n - 4", "- of what may be beyond"),
        ("size: n, if: n / 2 == 2", "/ of what may be beyond"),
        ("size: n, if: n + m == n", "== of what may be beyond"),
        ("size: n, if: (n & 1) == 1", "& of what may be beyond"),
        ("size: 4, if: m == 0x7fffffffffffffff", "the number 9223372036854775807"),
    ],
)
def test_what_is_refused(attribute: str, reason: str) -> None:
    made = schema(f"seq: [{{id: n, type: u8}}, {{id: m, type: u8}}, {{id: x, {attribute}}}]")
    with pytest.raises(Unsupported, match=reason):
        compile_javascript_index(made, Plan(index={"t": []}))


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
