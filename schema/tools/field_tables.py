"""Write the documentation in gguf.ksy, which the official compiler leaves out, as a Python module."""

import json
from typing import Any

from skip import Plan
from skip.fold import Folder
from skip.steps import Bytes, Loop, Number, Step, Switch
from type_tables import class_name

TEMPLATE = '''\
# This is a generated file! Please edit schema/{file} and run `make generate`.
"""The documentation of types and fields in {file}. Types have the names of their classes."""

from typing import NamedTuple


class FieldNote(NamedTuple):
    """A field: its type ("" if it varies), its name in ggml if that differs, and its documentation."""

    type: str
    orig_id: str
    doc: str


class TypeNote(NamedTuple):
    """A type. `is_alone`: it has a single field, which goes by the name of the field that has this type."""

    id: str
    orig_id: str
    doc: str
    is_alone: bool
    fields: dict[str, FieldNote]


TYPES: dict[str, TypeNote] = {{
{types}}}
'''


def compile_notes(ksy: dict[str, Any], plan: Plan) -> str:
    """Return the source of the module. `plan` has the constants of the root, each with its values."""
    (constant, values), *more = plan.constants.items()
    assert not more
    folders = [Folder(ksy, {constant: value}) for value in values]
    specs = {ksy["meta"]["id"]: ksy, **ksy["types"]}
    types = "".join(
        _type(name, spec, all(_is_alone(folder.fold(name)[1]) for folder in folders)) for name, spec in specs.items()
    )
    return TEMPLATE.format(file=ksy["meta"]["id"] + ".ksy", types=types)


def _is_alone(steps: list[Step]) -> bool:
    """Return whether a type has a single field, which the index names after the attribute of this type."""
    return len(steps) == 1 and isinstance(steps[0], Number | Bytes | Loop | Switch)


def _type(name: str, spec: dict[str, Any], is_alone: bool) -> str:
    fields = "".join(f"            {_text(field['id'])}: {_field(field)},\n" for field in spec["seq"])
    texts = "".join(f"        {_text(text)},\n" for text in (name, spec.get("-orig-id", ""), spec.get("doc", "")))
    body = f"{texts}        {is_alone},\n        {{\n{fields}        }},\n"
    return f"    {_text(class_name(name))}: TypeNote(\n{body}    ),\n"


def _field(field: dict[str, Any]) -> str:
    kind = field.get("type", "bytes")
    texts = (kind if isinstance(kind, str) else "", field.get("-orig-id", ""), field.get("doc", ""))
    return f"FieldNote({', '.join(map(_text, texts))})"


def _text(text: str) -> str:
    return json.dumps(" ".join(text.split()), ensure_ascii=False)
