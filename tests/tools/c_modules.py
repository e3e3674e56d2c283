"""C code that the skip compiler generates from a schema, built into the extension module instead of GGUF's."""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
from importlib.machinery import ExtensionFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import yaml
from skip import Plan, compile_c_index, compile_index
from skip_modules import SCHEMAS, load

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


class CFormat:
    """One schema, compiled as Python and as C."""

    def __init__(self, name: str, directory: Path) -> None:
        ksy = unsigned(yaml.safe_load((SCHEMAS / f"{name}.ksy").read_text()))
        self.plan = PLANS[name]
        self.python = load(compile_index(ksy, self.plan))
        self.c = build(compile_c_index(ksy, self.plan), directory)
        layout = next(value for name, value in vars(self.python).items() if name.startswith("Layout"))
        self.num_args = {
            type: getattr(layout, f"index_{type}").__code__.co_argcount - len(["self", "buf", "pos"])
            for type in self.plan.index
        }


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
    directory.mkdir()
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
