"""Write the fields of the types in gguf.ksy as a Python module: their sizes, their names in ggml, their documentation.

The official compiler leaves out most of the documentation, and its classes are too slow to read a field at a time.
"""

import json
from typing import Any

from skip import Plan
from skip.expression import Const, Unsupported, Var, variables
from skip.fold import Folder
from skip.python import STRUCT_CODES
from skip.steps import Bytes, Call, Loop, Number, Step, Struct, Switch, expressions

TEMPLATE = '''\
# This is a generated file! Please edit schema/{file} and run `make generate`.
"""The fields of the types in {file}, in file order, with their documentation."""

from typing import NamedTuple


class Field(NamedTuple):
    """A field. A type that has a single field is not listed: its field has the name of the field with this type."""

    name: str
    type: str
    """`u4`, `bytes`, or the name of a type that is listed; "" if it varies."""
    orig_id: str = ""
    """The name in ggml, if it differs."""
    doc: str = ""
    code: str = ""
    """The struct code of a number."""
    enum: str = ""
    """The enum that a number belongs to."""
    size: "int | str" = 0
    """The size of bytes, or the name of the field before that has it."""
    repeat: str = ""
    """The name of the field before that has the number of items, if the field is repeated."""
    item: "Field | None" = None
    """What is repeated. Its type is that of each item, even if a type with a single field has another name."""
    switch_on: str = ""
    """The name of the field before that selects one of the cases."""
    cases: "dict[int, Field]" = {{}}
    """Empty if the cases are repeated numbers, strings or arrays."""


TYPES: dict[int, dict[str, tuple[Field, ...]]] = {{}}
"""The fields of each type, by {constant}."""

'''


def compile_fields(ksy: dict[str, Any], plan: Plan) -> str:
    """Return the source of the module. `plan` has the constants of the root, each with its values."""
    (constant, values), *more = plan.constants.items()
    assert not more
    made: dict[str, int | bool] = {}
    text = TEMPLATE.format(file=ksy["meta"]["id"] + ".ksy", constant=constant)
    for value in values:
        layout = _layout(ksy, Folder(ksy, {constant: value}))
        text += f"TYPES[{value}] = {f'TYPES[{made[layout]}]' if layout in made else layout}\n"
        made.setdefault(layout, value)
    return text


def _layout(ksy: dict[str, Any], folder: Folder) -> str:
    """Return the fields of the types for one value of the constant."""
    specs = {ksy["meta"]["id"]: ksy, **ksy["types"]}
    text = ""
    for name, spec in specs.items():
        steps, notes = folder.fold(name)[1], {attribute["id"]: attribute for attribute in spec["seq"]}
        if not _is_alone(steps):
            used = {var.hint for step in steps for expr in expressions(step) for var in variables(expr)}
            if others := used - set(notes):
                raise Unsupported(f"{name}, which depends on {min(others)} of another type, in a table of fields")
            fields = "".join(f"        {_field(step, notes[step.id], specs)},\n" for step in steps)
            text += f"    {_text(name)}: (\n{fields}    ),\n"
    return f"{{\n{text}}}"


def _is_alone(steps: list[Step]) -> bool:
    """Return whether a type has a single field, which the index names after the attribute of this type."""
    return len(steps) == 1 and isinstance(steps[0], Number | Bytes | Loop | Switch)


def _field(step: Step, note: dict[str, Any], specs: dict[str, Any]) -> str:
    """Return the source of a field. `note` is the attribute with its name and documentation."""
    type, more = "", {}
    match step:
        case Struct(type=str() as type) | Call(type=type):
            note = {key: specs[type][key] for key in ("-orig-id", "doc") if key in specs[type]} | note
            if isinstance(step, Struct) and _is_alone(step.steps):
                return _field(step.steps[0], note, specs)
        case Number(type=type):
            more = {"code": _text(STRUCT_CODES[type]), "enum": _text(note.get("enum", ""))}
        case Bytes(item=Number() as number, count=Var() as count):
            type, more = note["type"], _repeated(number, count, note, specs)
        case Bytes(size=Const(value=size)):
            type, more = "bytes", {"size": str(size)}
        case Bytes(size=Var() as size):
            type, more = "bytes", {"size": _text(size.hint)}
        case Loop(count=Var() as count, steps=[item]):
            type, more = note["type"], _repeated(item, count, note, specs)
        case Switch(on=Var() as on):
            more = {"switch_on": _text(on.hint)}
            cases = [(value.value, steps) for value, steps in step.cases]
            if all(_is_single(steps) for _, steps in cases):
                chosen = ", ".join(f"{value}: {_field(steps[0], note, specs)}" for value, steps in cases)
                more["cases"] = f"{{{chosen}}}"
        case _:
            raise Unsupported(f"{step.id} in a table of fields")
    texts = [note["id"], type, note.get("-orig-id", ""), note.get("doc", "")]
    named = [f"{name}={value}" for name, value in more.items() if value != '""']
    return f"Field({', '.join([*map(_text, texts), *named])})"


def _repeated(item: Step, count: Var, note: dict[str, Any], specs: dict[str, Any]) -> dict[str, str]:
    return {"repeat": _text(count.hint), "item": _field(item, {"id": "", "doc": note.get("doc", "")}, specs)}


def _is_single(steps: list[Step]) -> bool:
    """Return whether a case is one number or structure."""
    match steps:
        case [Struct(steps=inner)]:
            return not _is_alone(inner) or isinstance(inner[0], Number)
    return isinstance(steps[0], Number | Call)


def _text(text: str) -> str:
    return json.dumps(" ".join(text.split()), ensure_ascii=False)
