"""Generate packers: method `T` returns the bytes of an item of a type, up to the first loop or choice."""

from collections import Counter

from skip.expression import Unsupported, Var, at
from skip.fields import fields
from skip.fold import Folder
from skip.python import PythonSource, in_words, literal
from skip.steps import Bytes, Number, Step, flat, uses

MODULE = '''\
# This is a generated file! Please edit schema/{file} and run `make generate`.
"""Items of {file_id} data as bytes: `PACKERS` has a class for each layout."""

from collections.abc import Sequence
from struct import Struct
from typing import Any


class Unfit(ValueError):
    """A number that the schema does not allow. One that its type can't hold is a `struct.error`."""


{constants}'''
INIT = """\
    def __init__(self, endian: str = "") -> None:
        \"""`endian` is "<" or ">" if the data decides on it.\"""
"""

Fields = list[tuple[Step, str]]  # each with its path, or "" for a number that the packer computes


def compile_packer(folder: Folder, name: str, targets: list[str]) -> str:
    """Return a method's source. `targets` are the paths of its arguments: all fields up to the first loop or choice.

    Constant contents are not among them, nor are the sizes and counts of other arguments.
    """
    found, rest, lengths = packed_fields(folder, name, targets)
    out = PythonSource(counts=Counter(uses([step for step, _ in found])))
    with at(f"/types/{name}"):
        packed = [_packed(out, step, path, lengths) for step, path in found]
    given = [f"{argument(path)}: {_type(step)}" for step, path in found if path]
    about = (
        f"The {name}{f' up to `{rest[0].id}`,' if rest else ''} of {', '.join(f'`{target}`' for target in targets)}."
    )
    head = [f"    def {name}(self, {', '.join(given)}) -> bytes:", f'        """{about} Raises `Unfit`."""']
    out.add("parts = (")
    for part in packed:
        out.add(f"    {part},")
    out.add(")")
    out.add('return b"".join(parts)')
    return "\n".join([*head, *out.aliases(), *out.lines]) + "\n"


def packed_fields(folder: Folder, name: str, targets: list[str]) -> tuple[Fields, list[Step], dict[Var, str]]:
    """Return the fields that a packer writes, the steps after them, and the arguments whose lengths it writes."""
    found = fields(folder, name, targets)
    rest = flat(folder.fold(name)[1])[len(found) :]
    lengths: dict[Var, str] = {}
    with at(f"/types/{name}"):
        if rest and isinstance(rest[0], Number | Bytes):
            raise Unsupported(f"what comes after {targets[-1]}")
        for step, path in found:
            if isinstance(step, Bytes) and step.contents is None:
                number = step.size if step.count is None else step.count
                if not isinstance(number, Var) or not path:
                    raise Unsupported(f"{step.id}, whose length is not a field, in a packer")
                if lengths.setdefault(number, argument(path)) != argument(path):
                    raise Unsupported(f"{step.id}, which has the length of another field, in a packer")
    return found, rest, lengths


def argument(path: str) -> str:
    """Return the name of the argument for a field."""
    return path.replace(".", "_")


def _type(step: Step) -> str:
    if isinstance(step, Bytes):
        return "bytes" if step.item is None else "Sequence[int]"
    return "int"


def _packed(out: PythonSource, step: Step, path: str, lengths: dict[Var, str]) -> str:
    """Return an expression for the bytes of a field, and write its checks."""
    match step:
        case Number() if path or step.var in lengths:
            value = f"len({lengths[step.var]})" if step.var in lengths else argument(path)
            if step.checks:
                out.assign(step.var, value)
                value = out.name(step.var)
            for check in step.checks:
                with out.block(f"if {out.expr(check.refuses)}"):
                    out.add(f'raise Unfit(f"{step.var.hint} is {{{value}}}, expected {in_words(out, check)}")')
            return f"{out.reader(step, 'pack_')}({value})"
        case Bytes(item=Number() as item):
            return f"*map({out.reader(item, 'pack_')}, {argument(path)})"
        case Bytes(contents=None):
            return argument(path)
        case Bytes(contents=bytes() as contents):
            return literal(contents)
    raise Unsupported(f"{step.id} in a packer")
