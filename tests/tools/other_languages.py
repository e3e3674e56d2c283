"""The formats in schemas/, compiled by the skip compiler to Python, and to C or JavaScript.

The C code is built into the extension module instead of GGUF's.
"""

import base64
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from array import array
from importlib.machinery import ExtensionFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import yaml
from skip import Plan, compile_c_index, compile_index, compile_javascript_index
from skip_modules import SCHEMAS, listed, load

SCANNER = Path(__file__).parents[2] / "src" / "kaitai_gguf" / "_scanner.c"
FLAGS = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-O1", "-DPy_LIMITED_API=0x030B0000"]
FLAGS += ["-fsanitize=undefined", "-fsanitize-undefined-trap-on-error", "-shared", "-fPIC"]
FLAGS += ["-undefined", "dynamic_lookup"] if sys.platform == "darwin" else []
PLANS = {
    "parcel": Plan(
        index={"parcel": ["shelves"], "shelf": ["boxes"], "texts": ["items"], "blocks": ["items"]},
        table={"text": ["data"]},
    ),
    "tree": Plan(
        index={"tree": ["roots"], "children": ["items"], "node": []},
        table={"node": ["shape", "name", "num_children"]},
    ),
    "track": Plan(
        constants={"version": [1, 2, 3], "is_wide": [False, True]},
        index={"track": ["body.laps"], "lap": ["aliases"], "name": []},
        table={"lap": ["name.data", "num_marks", "note", "aliases"], "name": ["data"]},
    ),
}


class OtherFormat:
    """One schema, compiled as Python and for another language."""

    def __init__(self, ksy: dict[str, Any], plan: Plan) -> None:
        self.plan = plan
        self.python = load(compile_index(ksy, plan))
        layout = next(value for name, value in vars(self.python).items() if name.startswith("Layout"))
        self.num_args = {
            type: getattr(layout, f"index_{type}").__code__.co_argcount - len(["self", "buf", "pos"])
            for type in self.plan.index
        }

    def layout(self, data: bytes) -> Any:
        """Return the layout of the data, or None if they are refused."""
        try:
            return self.python.layout(data)
        except self.python.Refused:
            return None

    def accept(self, type: str, data: bytes, pos: int = 0, *args: int) -> bool:
        """Assert that both languages find the same, or refuse the data. Return whether they accept the data."""
        raise NotImplementedError


class CFormat(OtherFormat):
    largest = (1 << 64) - 1

    def __init__(self, name: str, directory: Path) -> None:
        ksy = unsigned(yaml.safe_load((SCHEMAS / f"{name}.ksy").read_text()))
        super().__init__(ksy, PLANS[name])
        self.c = build(compile_c_index(ksy, self.plan), directory / name)

    def accept(self, type: str, data: bytes, pos: int = 0, *args: int) -> bool:
        layout = self.layout(data)
        if layout is None:
            return False
        try:
            expected = listed(getattr(layout, f"index_{type}")(data, pos, *args))
        except self.python.Refused:
            expected = None
        found = self.c.index(layout.__class__.__name__, type, layout.endian == ">", data, pos, args)
        if found is not None:
            lists, end = found
            found = (*(list(array("q", each)) for each in lists), end) if lists else end
        assert found == expected
        return found is not None


class JavaScriptFormat(OtherFormat):
    largest = 1 << 40

    def __init__(self, ksy: dict[str, Any], plan: Plan, path: Path, process: Any) -> None:
        """`process` runs index_worker.mjs, which imports `path`."""
        super().__init__(ksy, plan)
        self.path = path
        path.write_text(compile_javascript_index(ksy, plan))
        self._process = process

    def accept(self, type: str, data: bytes, pos: int = 0, *args: int) -> bool:
        """Assert the above, and that refusals have the same reason."""
        encoded = base64.b64encode(data).decode()
        question = {"path": str(self.path), "type": f"index_{type}", "pos": pos, "args": args, "data": encoded}
        self._process.stdin.write(json.dumps(question) + "\n")
        self._process.stdin.flush()
        answer = json.loads(self._process.stdout.readline())
        expected: dict[str, Any]
        try:
            layout = self.python.layout(data)
            found = listed(getattr(layout, f"index_{type}")(data, pos, *args))
        except self.python.Refused as refused:
            expected = {name: getattr(refused, name) for name in ("kind", "pos", "path", "reason", "needed")}
            expected["lists"] = [list(each) for each in refused.found]
            if refused.kind == "invalid" or refused.needed > 1 << 53:  # languages format such a number differently
                expected |= {name: answer.get(name) for name in ("reason", "needed")}
        else:
            expected = {
                "layout": layout.__class__.__name__,
                "found": list(found) if isinstance(found, tuple) else found,
            }
        assert answer == expected
        return "found" in answer


def unsigned(node: Any) -> Any:
    """Return a schema without what the C does not support: `valid` for signed numbers and floats."""
    if isinstance(node, list):
        return [unsigned(item) for item in node]
    if not isinstance(node, dict):
        return node
    node = {key: unsigned(value) for key, value in node.items()}
    if re.fullmatch(r"[sf]\d(le|be)?", str(node.get("type"))):
        node.pop("valid", None)
        node["type"] = node["type"].replace("s", "u")
    return node


def build(header: str, directory: Path) -> ModuleType:
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        if os.environ.get("CI") == "true":
            raise FileNotFoundError("a C compiler")
        pytest.skip("no C compiler is installed")
    directory.mkdir(parents=True)
    (directory / "index.h").write_text(header)
    library = directory / "_scanner.so"
    include = [f"-I{sysconfig.get_path('include')}", "-include", "Python.h", "-include", str(directory / "index.h")]
    subprocess.run([compiler, *FLAGS, *include, str(SCANNER), "-o", str(library)], check=True)
    spec = spec_from_loader("_scanner", ExtensionFileLoader("_scanner", str(library)))
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
