"""Generate modules: the classes of all layouts, and the choice between them."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any

from skip.c import c_header, compile_c
from skip.choice import Choice
from skip.expression import Unsupported
from skip.fields import compile_table
from skip.fold import Folder, limits
from skip.index import Index
from skip.javascript import JavaScriptIndex, javascript_module
from skip.javascript_choice import JavaScriptChoice
from skip.javascript_source import EXACT
from skip.packing import INIT as PACKER_INIT, MODULE as PACKING, compile_packer
from skip.python import module_readers, own_readers
from skip.steps import INTEGERS

RUNTIME = (Path(__file__).parent / "runtime.py").read_text()
HEADER = '''\
# This is a generated file! Please edit schema/{file} and run `make generate`.
"""An index of {file_id} data: a class for each layout, chosen by `layout(buf)`.

`index_…` reads the data once and returns positions. Lengths and counts are checked against the bytes that are
left before anything is skipped or repeated. `Refused` has the position and the reason if data is not valid.
"""
'''
INIT = """\
    def __init__(self, constants: dict[str, int], endian: str = "") -> None:
        \"""`endian` is "<" or ">" if the data decides on it.\"""
        self.constants, self.endian = constants, endian
"""


@dataclass
class Plan:
    """What to generate.

    `constants` are the calculated instances of the root that are folded, with their values. `index`, `table` and
    `pack` map types to the paths of the requested fields. `decided` maps types to numbers that `layout` has checked,
    so that they are not checked again.
    """

    constants: dict[str, list[int | bool]] = field(default_factory=dict)
    index: dict[str, list[str]] = field(default_factory=dict)
    table: dict[str, list[str]] = field(default_factory=dict)
    pack: dict[str, list[str]] = field(default_factory=dict)
    decided: dict[str, list[str]] = field(default_factory=dict)
    trace: list[str] = field(default_factory=list)


def compile_index(ksy: dict[str, Any], plan: Plan) -> str:
    """Return the source of the Python module. Raises `Unsupported` for a construct that can't be folded."""
    layouts = _layouts(ksy, plan)
    choose = Choice(ksy).source(list(plan.constants), {row: layout.name for layout in layouts for row in layout.rows})
    text = "".join(f"\n{_class(ksy, plan, layout)}\n" for layout in layouts) + "\n" + choose
    header = HEADER.format(file=ksy["meta"]["id"] + ".ksy", file_id=ksy["meta"]["id"])
    runtime = RUNTIME.split('"""', 2)[2]
    constants = "".join(f"{name} = {_power(value)}\n" for name, value in _limits(ksy, text)) + module_readers(text)
    return header + runtime + (f"\n\n{constants}\n" if constants else "\n") + text


def compile_packing(ksy: dict[str, Any], plan: Plan) -> str:
    """Return the source of the Python module that packs fields. Raises `Unsupported` for what it can't write."""
    layouts = _alike(ksy, plan, lambda folder: "\n".join(compile_packer(folder, *item) for item in plan.pack.items()))
    text = "".join(
        f'\n\nclass {each.name.replace("Layout", "Packer")}:\n    """{_about(ksy, plan, each)}"""\n\n'
        f"{PACKER_INIT}{own_readers(each.methods)}\n{each.methods}"
        for each in layouts
    )
    rows = {row: each.name.replace("Layout", "Packer") for each in layouts for row in each.rows}
    packers = ", ".join(f"{row[0] if len(row) == 1 else row}: {name}" for row, name in rows.items())
    constants = "".join(f"{name} = {_power(value)}\n" for name, value in _limits(ksy, text)) + module_readers(text)
    id = ksy["meta"]["id"]
    head = PACKING.format(file=f"{id}.ksy", file_id=id, constants=constants)
    kinds = " | ".join(f"type[{name}]" for name in dict.fromkeys(rows.values()))
    return f"{head}{text}\n\nPACKERS: dict[Any, {kinds}] = {{{packers}}}\n"


def compile_c_index(ksy: dict[str, Any], plan: Plan) -> str:
    """Return the C header with the indexes and tables of the plan. Layouts have the same names as in Python."""
    folders = {
        layout.name: Folder(
            ksy, dict(zip(plan.constants, layout.rows[0], strict=True)), (0, INTEGERS["u8"][1]), plan.decided
        )
        for layout in _layouts(ksy, plan)
    }
    text = compile_c(folders, plan.index, plan.table)
    constants = "".join(f"#define SKIP_{name} {value}u\n" for name, value in _limits(ksy, text))
    return c_header(ksy["meta"]["id"] + ".ksy", constants, text)


def compile_javascript_index(ksy: dict[str, Any], plan: Plan) -> str:
    """Return the source of the JavaScript module. Layouts have the same names as in Python."""
    layouts = _layouts(ksy, plan)
    classes = [_javascript_class(ksy, plan, layout) for layout in layouts]
    choice = JavaScriptChoice(ksy).source(
        list(plan.constants), {row: each.name for each in layouts for row in each.rows}
    )
    constants = "".join(f"const {name} = {value};\n" for name, value in _limits(ksy, "".join(classes)))
    return javascript_module(ksy, constants, classes, choice)


def _javascript_class(ksy: dict[str, Any], plan: Plan, layout: "Layout") -> str:
    folder = Folder(ksy, dict(zip(plan.constants, layout.rows[0], strict=True)), (0, EXACT), plan.decided)
    methods = "\n".join(JavaScriptIndex(folder, plan).sources())
    return f"/** {_about(ksy, plan, layout)} */\nexport class {layout.name} extends Data {{\n{methods}}}\n"


def _limits(ksy: dict[str, Any], text: str) -> list[tuple[str, int]]:
    """Return the limits that a source uses, by name."""
    types = {ksy["meta"]["id"]: ksy, **ksy.get("types", {})}
    names: dict[str, int] = {}
    for type, spec in types.items():
        for name, value in limits(type, spec).items():
            if names.setdefault(name, value) != value:
                raise Unsupported(f"/types/{type}: another limit of the name {name}")
    return [(name, value) for name, value in names.items() if re.search(rf"\b(SKIP_)?{name}\b", text)]


def _power(value: int) -> str:
    return f"1 << {value.bit_length() - 1}" if value & (value - 1) == 0 else str(value)


@dataclass
class Layout:
    """A layout that some values of the constants share."""

    name: str
    rows: list[tuple[int | bool, ...]]
    methods: str


def _layouts(ksy: dict[str, Any], plan: Plan) -> list[Layout]:
    def methods(folder: Folder) -> str:
        tables = [compile_table(folder, name, targets) for name, targets in plan.table.items()]
        return "\n".join([*Index(folder, plan.index).sources(), *tables])

    return _alike(ksy, plan, methods)


def _alike(ksy: dict[str, Any], plan: Plan, methods_of: Callable[[Folder], str]) -> list[Layout]:
    """Return the layouts. Values of the constants with the same methods share one."""
    layouts: dict[str, Layout] = {}
    for row in product(*plan.constants.values()):
        methods = methods_of(Folder(ksy, dict(zip(plan.constants, row, strict=True)), decided=plan.decided))
        name = "Layout" + "_".join(str(value).title().replace("-", "Minus") for value in row)
        layouts.setdefault(methods, Layout(name, [], methods)).rows.append(row)
    if len(layouts) == 1:
        for layout in layouts.values():
            layout.name = "Layout"
    return list(layouts.values())


def _about(ksy: dict[str, Any], plan: Plan, layout: Layout) -> str:
    when = " or ".join(
        " and ".join(f"{constant} is {value}" for constant, value in zip(plan.constants, row, strict=True))
        for row in layout.rows
    )
    return f"The layout of {ksy['meta']['id']}{' where ' if when else ''}{when}."


def _class(ksy: dict[str, Any], plan: Plan, layout: Layout) -> str:
    about = _about(ksy, plan, layout)
    return f'class {layout.name}:\n    """{about}"""\n\n{INIT}{own_readers(layout.methods)}\n{layout.methods}'
