"""The Python module around the layouts: which there are, and which one a file has."""

from dataclasses import dataclass, field
from itertools import product
from typing import Any

from skip.c import compile_c
from skip.checked import CheckedWalk
from skip.expression import Binary as BinaryExpr
from skip.expression import Const, EnumValue, Member, Name, Ternary, Unary, Unsupported, Var, parse, to_python
from skip.fields import FieldPlaces, FieldRead
from skip.fold import Folder
from skip.source import STRUCT_CODES
from skip.walk import FastWalk

HEADER = '''\
# This is a generated file! Please edit schema/{file} and run `make generate`.
"""Where things are in {file_id} data: a class for each layout, chosen by `layout(buf)`.

`index_…` walks over the data once and gives positions. Lengths and counts are held against the bytes
that are left before anything is skipped or repeated. `Refused` says where and why data is not valid.
"""

from collections.abc import Callable
from struct import Struct, error
from typing import Any

import numpy as np
from numpy import int64

Array = np.ndarray[Any, np.dtype[Any]]
Buffer = Any  # bytes, memoryview or mmap


class Refused(Exception):
    """Data that can't be walked over.

    `kind` is "end" (it is too short), "invalid" (a value isn't allowed), "depth" or "other"; `pos` is
    where the field at `path` starts; `reason` continues a sentence that begins with the field.
    """

    def __init__(self, kind: str = "other", pos: int = 0, path: str = "", reason: str = "") -> None:
        super().__init__(kind, pos, path, reason)
        self.kind, self.pos, self.path, self.reason = kind, pos, path, reason

    def within(self, field: str) -> "Refused":
        """The same, seen from the structure around."""
        return Refused(self.kind, self.pos, f"/{{field}}{{self.path}}", self.reason)


def need(buf: Buffer, pos: int, size: int, field: str) -> None:
    """Refuses a field that needs more bytes than are left."""
    left = max(len(buf) - pos, 0)
    if size > left:
        raise Refused("end", pos, f"/{{field}}", f"needs {{size}} bytes, and {{left}} are left")


def each(code: str) -> Callable[[Array, Array], Array]:
    """A function that reads the number at each position of uint8 data."""
    dtype = np.dtype(code)

    def read(data: Array, pos: Array) -> Array:
        if not pos.size:
            return np.zeros(pos.shape, dtype)
        return np.ndarray((len(data) - dtype.itemsize + 1,), dtype, data.data, strides=(1,))[pos]

    return read


def runs(code: str) -> Callable[[Array, Array, Array], Array]:
    """A function that reads `count` numbers at each position, as rows that end in zeros."""
    number = each(code)
    size = np.dtype(code).itemsize

    def read(data: Array, pos: Array, count: Array) -> Array:
        rows = np.zeros((len(pos), int(count.max(initial=0))), code)
        for column in range(rows.shape[1]):
            there = count > column
            rows[there, column] = number(data, pos[there] + column * size)
        return rows

    return read


{readers}
'''


@dataclass
class Plan:
    """What a module is to hold.

    `constants` are the calculated instances of the root that are folded, each with its values. For
    `index`, `read` and `table` a type maps to the paths of the fields that are wanted; `where` lists types.
    """

    constants: dict[str, list[int | bool]] = field(default_factory=dict)
    index: dict[str, list[str]] = field(default_factory=dict)
    read: dict[str, list[str]] = field(default_factory=dict)
    table: dict[str, list[str]] = field(default_factory=dict)
    where: list[str] = field(default_factory=list)


def compile_c_index(ksy: dict[str, Any], plan: Plan) -> str:
    """The C header with the walks and tables of the plan, under the names of the Python layouts."""
    layouts = _layouts(ksy, plan)
    folders = [_folder(ksy, plan, values[0]) for values in layouts.values()]
    named = dict(zip(_class_names(layouts), folders, strict=True))
    return compile_c(ksy["meta"]["id"] + ".ksy", named, plan.index, plan.table)


def _layouts(ksy: dict[str, Any], plan: Plan) -> dict[str, list[tuple[int | bool, ...]]]:
    """The methods of each layout, with the values of the constants that it is for."""
    layouts: dict[str, list[tuple[int | bool, ...]]] = {}
    for values in product(*plan.constants.values()):
        layouts.setdefault(_methods(_folder(ksy, plan, values), plan), []).append(values)
    return layouts


def _folder(ksy: dict[str, Any], plan: Plan, values: tuple[int | bool, ...]) -> Folder:
    return Folder(ksy, dict(zip(plan.constants, values, strict=True)))


def compile_index(ksy: dict[str, Any], plan: Plan) -> str:
    """The source of the Python module. Raises `Unsupported` for a construct that can't be folded."""
    layouts = _layouts(ksy, plan)
    text = "".join(layouts)
    names = _class_names(layouts)
    classes = [
        _layout_class(ksy, plan, name, values, methods)
        for name, (methods, values) in zip(names, layouts.items(), strict=True)
    ]
    choice = _layout_choice(ksy, plan, dict(zip(names, layouts.values(), strict=True)))
    readers = "".join(
        f'{kind}{end} = Struct("{"<" if end == "le" else ">"}{code}").unpack_from\n'
        for kind, code in STRUCT_CODES.items()
        for end in ("le", "be")
        if f"{kind}{end}(" in text + choice
    )
    readers += "".join(
        f'{kind} = Struct("{STRUCT_CODES[kind]}").unpack_from\n' for kind in ("u1", "s1") if f"{kind}(" in text
    )
    header = HEADER.format(file=ksy["meta"]["id"] + ".ksy", file_id=ksy["meta"]["id"], readers=readers)
    return header + "".join(f"\n{source}\n" for source in classes) + "\n" + choice


def _methods(folder: Folder, plan: Plan) -> str:
    sources = [FastWalk(folder, name, targets).source() for name, targets in plan.index.items()]
    sources += [FastWalk(folder, name, []).source() for name in folder.depths]
    sources += [FieldRead(folder, name, targets, table=False).source() for name, targets in plan.read.items()]
    sources += [FieldRead(folder, name, targets, table=True).source() for name, targets in plan.table.items()]
    sources += [FieldPlaces(folder, name).source() for name in plan.where]
    sources += CheckedWalk(folder).sources(plan.index)
    return "\n".join(sources)


def _class_names(layouts: dict[str, list[tuple[int | bool, ...]]]) -> list[str]:
    if len(layouts) == 1:
        return ["Layout"]
    return ["Layout" + "".join(str(value).title() for value in values[0]) for values in layouts.values()]


def _layout_class(
    ksy: dict[str, Any], plan: Plan, name: str, values: list[tuple[int | bool, ...]], methods: str
) -> str:
    when = " or ".join(
        " and ".join(f"{constant} is {value}" for constant, value in zip(plan.constants, row, strict=True))
        for row in values
    )
    about = f"The layout of {ksy['meta']['id']}{' where ' if when else ''}{when}."
    setup = ""
    for kind, code in STRUCT_CODES.items():
        dtype = f'"{code}"' if kind[1] == "1" else f'endian + "{code}"'
        for prefix, make in (("", "Struct({}).unpack_from"), ("each_", "each({})"), ("runs_", "runs({})")):
            if f"self.{prefix}{kind}\n" in methods:
                setup += f"        self.{prefix}{kind} = {make.format(dtype)}\n"
    init = '    def __init__(self, endian: str) -> None:\n        """`endian` is "<" or ">"."""\n'
    init += "        self.endian = endian\n" + setup + "\n"
    init = init if setup else ""
    return f'class {name}:\n    """{about}"""\n\n{init}{methods}'


def _layout_choice(ksy: dict[str, Any], plan: Plan, names: dict[str, list[tuple[int | bool, ...]]]) -> str:
    """The function that finds out the byte order and the constants of some data."""
    lines = ["def layout(buf: Buffer) -> Any:", '    """The layout that the data has; `Refused` if there is none."""']
    known: dict[str, str] = {}
    switches = {
        str(spec["meta"]["endian"]["switch-on"]): spec["meta"]["endian"]["cases"]
        for spec in ksy.get("types", {}).values()
        if isinstance(spec.get("meta", {}).get("endian"), dict)
    }
    if len(switches) > 1:
        raise Unsupported("meta/endian that switches on different things")
    endian = ""
    for on, cases in switches.items():
        decided = _instance(ksy, parse(on), known, lines)
        ends = {str(value).title(): "<" if end == "le" else ">" for value, end in cases.items()}
        lines.append(f"    endian = {{{', '.join(f'{value}: {end!r}' for value, end in ends.items())}}}[{decided}]")
        endian = "endian"
    constants = [_instance(ksy, Name(name), known, lines) for name in plan.constants]
    rows = {row: name for name, rows in names.items() for row in rows}
    if not constants:
        lines.append(f"    return Layout({endian})")
        return "\n".join(lines) + "\n"
    key = ", ".join(constants)
    expected = " or ".join(str(row[0]) if len(row) == 1 else str(row) for row in rows)
    table = ", ".join(f"{row[0] if len(row) == 1 else row}: {name}" for row, name in rows.items())
    says = f'f"is {{{key}}}, expected {expected}"'
    lines += [
        f"    found = {{{table}}}.get({key if len(constants) == 1 else f'({key})'})",
        "    if found is None:",
        f'        raise Refused("invalid", {_position(ksy)}, "/{next(iter(plan.constants))}", {says})',
        f"    return found({endian})",
    ]
    return "\n".join(lines) + "\n"


def _position(ksy: dict[str, Any]) -> int:
    positions = [spec["pos"] for spec in ksy.get("instances", {}).values() if isinstance(spec.get("pos"), int)]
    return min(positions, default=0)


def _instance(ksy: dict[str, Any], expr: Any, known: dict[str, str], lines: list[str]) -> str:
    """Python for an expression over instances of the root, which are computed into `lines` first."""
    variables: dict[Var, str] = {}

    def resolve(node: Any) -> Any:
        match node:
            case Const():
                return node
            case Member(object=Name(id="_root"), id=id) | Name(id=id):
                variable = Var(id)
                variables[variable] = compute(id)
                return variable
            case Unary():
                return Unary(node.op, resolve(node.operand))
            case BinaryExpr():
                return BinaryExpr(node.op, resolve(node.left), resolve(node.right))
            case Ternary():
                return Ternary(resolve(node.condition), resolve(node.if_true), resolve(node.if_false))
            case EnumValue():
                raise Unsupported("an enum value in an instance of the root")
        raise Unsupported(f"{node} in an instance of the root")

    def compute(id: str) -> str:
        if id not in known:
            spec = ksy.get("instances", {}).get(id)
            if spec is None:
                raise Unsupported(f"/instances/{id}, which the layout depends on")
            if "value" in spec:
                lines.append(f"    {id} = {_instance(ksy, parse(spec['value']), known, lines)}")
            else:
                kind = spec.get("type")
                if not isinstance(spec.get("pos"), int) or kind[:2] not in STRUCT_CODES or len(kind) != 4:
                    raise Unsupported(f"/instances/{id}: only numbers at a fixed position")
                lines.append(f'    need(buf, {spec["pos"]}, {kind[1]}, "{id}")')
                lines.append(f"    {id} = {kind}(buf, {spec['pos']})[0]")
            known[id] = id
        return known[id]

    return to_python(resolve(expr), variables)
