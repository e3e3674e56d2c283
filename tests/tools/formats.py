"""The formats in schemas/: the index in Python, and what it is compared with."""

import io
import subprocess
import sys
import sysconfig
from array import array
from dataclasses import replace
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

import yaml
from compiler import ToolMissing, compile_schema
from kaitaistruct import KaitaiStream, KaitaiStruct, KaitaiStructError
from skip import Plan, compile_c_index, compile_index, compile_javascript_index
from skip_modules import listed, load
from support.node import Worker
from support.tools import c_compiler, missing, require

SCHEMAS = Path(__file__).parent / "schemas"
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
    "mixture": Plan(index={"mixture": ["items"], "optional": ["texts"], "around": []}, table={"around": ["data"]}),
    "track": Plan(
        constants={"version": [1, 2, 3], "is_wide": [False, True]},
        index={"track": ["body.laps"], "lap": ["aliases"], "name": []},
        table={"lap": ["name.data", "num_marks", "note", "aliases"], "name": ["data"]},
    ),
}
WITH_RUNS = {"lap": ["name.data", "rank", "num_marks", "marks", "note", "aliases"]}
"""The table of laps with what C does not support: a signed number, and a run of any length."""


@cache
def schema_of(name: str) -> dict[str, Any]:
    ksy: dict[str, Any] = yaml.safe_load((SCHEMAS / f"{name}.ksy").read_text())
    return ksy


def compile_officially(schemas: list[Path], directory: Path, *options: str) -> None:
    """Compile schemas to Python with the official compiler. Without it, skip the test, or fail it in CI."""
    try:
        compile_schema(schemas, directory, ["python"], *options)
    except ToolMissing as tool:
        missing([str(tool)])


class Format:
    """A schema, compiled to Python, that a subclass compares with something else."""

    largest = (1 << 64) - 1  # the largest argument

    def __init__(self, ksy: dict[str, Any], plan: Plan, directory: Path) -> None:
        """`directory` is for the files that are compiled."""
        self.ksy, self.plan, self.directory = ksy, plan, directory
        self.python = load(compile_index(ksy, plan))

    def num_arguments(self, type: str) -> int:
        layout = next(value for name, value in vars(self.python).items() if name.startswith("Layout"))
        return getattr(layout, f"index_{type}").__code__.co_argcount - len(["self", "buf", "pos"])

    def index(self, type: str, data: bytes, pos: int = 0, *args: int) -> tuple[Any, Any]:
        """Return the layout of the data and the index of a type, or a refusal instead of either."""
        layout = None
        try:
            layout = self.python.layout(data)
            return layout, listed(getattr(layout, f"index_{type}")(data, pos, *args))
        except self.python.Refused as refused:
            return layout, refused

    def accepts(self, type: str, data: bytes, pos: int = 0, *args: int) -> bool:
        """Assert that the index in Python and the other find the same. Return whether they accept the data."""
        raise NotImplementedError


class OfficialFormat(Format):
    """Compared with the class that the official compiler generates, which records where its fields start."""

    def __init__(self, ksy: dict[str, Any], plan: Plan, directory: Path) -> None:
        super().__init__(ksy, replace(plan, table=WITH_RUNS if "lap" in plan.table else {}), directory)
        name = ksy["meta"]["id"]
        source = directory / f"{name}.py"
        if not source.exists():
            # The objects record where their fields start, and keep the fields read before a refusal.
            compile_officially(sorted(SCHEMAS.glob("*.ksy")), directory, "--read-pos", "--no-auto-read")
        self.read_class: type[KaitaiStruct] = getattr(load(source.read_text()), name.title())

    def read(self, data: bytes) -> tuple[KaitaiStruct, KaitaiStructError | None]:
        """Return the object, and the error if it could not be read completely."""
        read = self.read_class(KaitaiStream(io.BytesIO(data)))
        try:
            read._read()
        except KaitaiStructError as error:
            return read, error
        return read, None

    def accepts(self, type: str, data: bytes, pos: int = 0, *args: int) -> bool:
        read, error = self.read(data)
        layout, result = self.index(type, data)
        [path] = self.plan.index[type]
        if not isinstance(result, self.python.Refused):
            assert error is None, f"the class refuses what index_{type} accepts: {error}"
            assert result == (starts(read, path), read._io.pos())
            return True
        assert result.reason
        found = [list(each) for each in result.found] or [[]]
        assert found == [starts(read, path)[: len(found[0])]]
        assert error is not None or result.kind == "depth", f"the class reads what the index refuses: {result}"
        if layout is not None:
            assert result.pos <= len(data)
            assert place(read, result.path) == result.pos
        return False


def starts(read: Any, path: str) -> list[int]:
    """Return the start of each item of a repeated field."""
    *around, last = path.split(".")
    for field in around:
        read = getattr(read, field, None)
    return [item["start"] for item in getattr(read, "_debug", {}).get(last, {}).get("arr", [])]


def place(read: Any, path: str) -> int:
    """Return the start of the field at a path like /laps/3/name, in an object that may be incomplete.

    The only field of a type can be named by the attribute that holds it.
    """
    start, fields = 0, path.strip("/").split("/")
    where: dict[str, Any] = {}
    while fields:
        if isinstance(read, list):
            item = int(fields.pop(0))
            start, read = where["arr"][item]["start"], read[item] if item < len(read) else None
        else:
            alone = len(read.SEQ_FIELDS) == 1 and fields[0] not in read.SEQ_FIELDS
            field = read.SEQ_FIELDS[0] if alone else fields.pop(0)
            where = read._debug[field]
            start, read = where["start"], getattr(read, field, None)
    return start


class CFormat(Format):
    """Compared with the index in C, built into the extension module instead of GGUF's."""

    def __init__(self, ksy: dict[str, Any], plan: Plan, directory: Path) -> None:
        super().__init__(ksy, plan, directory)
        header, library = (directory / f"{ksy['meta']['id']}.{suffix}" for suffix in ("h", "so"))
        header.write_text(compile_c_index(ksy, plan))
        include = [f"-I{sysconfig.get_path('include')}", "-include", "Python.h", "-include", str(header)]
        subprocess.run([c_compiler(), *FLAGS, *include, str(SCANNER), "-o", str(library)], check=True)
        spec = spec_from_file_location("_scanner", library)
        assert spec is not None
        assert spec.loader is not None
        self.c: ModuleType = module_from_spec(spec)
        spec.loader.exec_module(self.c)

    def accepts(self, type: str, data: bytes, pos: int = 0, *args: int) -> bool:
        layout, expected = self.index(type, data, pos, *args)
        if layout is None:
            return False
        result = self.c.index(layout.__class__.__name__, type, layout.endian == ">", data, pos, args)
        if result is None:
            assert isinstance(expected, self.python.Refused)
            return False
        lists, end = result
        assert expected == ((*(list(array("q", each)) for each in lists), end) if lists else end)
        return True


@cache
def worker() -> Worker:
    """Start the process that runs all indexes in JavaScript. It ends when this process ends."""
    require("node")
    return Worker(Path(__file__).with_name("index_worker.mjs"))


class JavaScriptFormat(Format):
    """Compared with the index in JavaScript, which refuses for the same reasons."""

    largest = 1 << 40

    def __init__(self, ksy: dict[str, Any], plan: Plan, directory: Path) -> None:
        super().__init__(ksy, plan, directory)
        self.path = directory / f"{ksy['meta']['id']}.mjs"
        self.path.write_text(compile_javascript_index(ksy, plan))

    def accepts(self, type: str, data: bytes, pos: int = 0, *args: int) -> bool:
        answer = worker().ask(str(self.path), data, type=f"index_{type}", pos=pos, args=args).result
        layout, result = self.index(type, data, pos, *args)
        if isinstance(result, self.python.Refused):
            expected = {name: getattr(result, name) for name in ("kind", "pos", "path", "reason", "needed")}
            expected["lists"] = [list(each) for each in result.found]
            if result.kind == "invalid" or result.needed > 1 << 53:  # languages format such a number differently
                expected |= {name: answer.get(name) for name in ("reason", "needed")}
        else:
            found = list(result) if isinstance(result, tuple) else result
            expected = {"layout": layout.__class__.__name__, "found": found}
        assert answer == expected
        return "found" in answer
