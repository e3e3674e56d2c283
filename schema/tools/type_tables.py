"""Write the enums of gguf.ksy and the tensor types of ggml_block.ksy for Python, for JavaScript and as JSON."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

NUMPY_NAMES = {
    "u1": "uint8", "s1": "int8", "u2": "uint16", "s2": "int16", "u4": "uint32", "s4": "int32",
    "u8": "uint64", "s8": "int64", "f4": "float32", "f8": "float64",
}  # fmt: skip

TEMPLATE = '''\
# This is a generated file! Please edit schema/*.ksy and run `make generate`.
"""Value types, tensor types and limits of the format."""

from enum import IntEnum
from typing import NamedTuple

MAGIC = {magic!r}
MAX_DIMS = {max_dims}  # dims of a tensor
MAX_DEPTH = {max_depth}  # levels of nested arrays


class ValueType(IntEnum):
    """The type of a metadata value or of an array's elements: `str()` gives its name in lower case."""

{value_types}

    def __str__(self) -> str:
        return self.name.lower()

    def __format__(self, format_spec: str) -> str:
        return format(str(self), format_spec)


# The classes for values of each type, and for the elements of arrays.
VALUE_CLASSES: dict[ValueType, str] = {{
{value_classes}}}
ELEMENT_CLASSES: dict[ValueType, str] = {{
{element_classes}}}


class GGMLType(IntEnum):
    """The type of a tensor: `str()` gives its name."""

{ggml_types}

    def __str__(self) -> str:
        return self.name

    def __format__(self, format_spec: str) -> str:
        return format(str(self), format_spec)


class Field(NamedTuple):
    """A field of a block: its name, numpy (or ml_dtypes) dtype name, and count (None for a single value)."""

    name: str
    dtype: str
    repeat: int | None


class Block(NamedTuple):
    """A block of a tensor type: its number of elements, size in bytes, and fields, which have no padding."""

    num_elements: int
    size: int
    fields: tuple[Field, ...]


BLOCKS: dict[int, Block] = {{
{blocks}}}

# Types that ggml has removed, but that old files still use.
REMOVED_TYPES: dict[int, str] = {{
{removed}}}
'''


JAVASCRIPT = """\
// This is a generated file! Please edit schema/*.ksy and run `make generate`.

/** The first bytes of every file. */
export const MAGIC = {magic};

/** The names of metadata value types, by number. */
export const VALUE_TYPES = /** @type {{const}} */ ([{value_types}]);

/** The tensor types by number. A block of `numElements` elements takes `size` bytes. */
export const TENSOR_TYPES = new Map([
{types}]);

/** The names of types that ggml has removed, but that old files still use. */
export const REMOVED_TYPES = new Map([
{removed}]);
"""


def compile_javascript_types(gguf_ksy: Path, block_ksy: Path) -> str:
    """Return the source of the JavaScript module."""
    enums, blocks = _load(gguf_ksy, block_ksy)
    gguf = yaml.safe_load(gguf_ksy.read_text())
    value_types = _members(enums["value_type"])
    if list(value_types) != list(range(len(value_types))):
        raise SystemExit("gguf.ksy: the JavaScript module needs consecutive numbers from 0 in value_type")
    return JAVASCRIPT.format(
        magic=json.dumps(gguf["seq"][0]["contents"]),
        value_types=", ".join(map(json.dumps, value_types.values())),
        types="".join(
            f'  [{number}, {{ name: "{name}", numElements: {num_elements}, size: {size} }}],\n'
            for number, name, num_elements, size, _ in _blocks(enums, blocks)
        ),
        removed="".join(f'  [{number}, "{name.upper()}"],\n' for number, name in blocks["-removed-types"].items()),
    )


def compile_types(gguf_ksy: Path, block_ksy: Path) -> str:
    """Return the source of the Python module, with the enums of `gguf_ksy` and the blocks of `block_ksy`."""
    enums, blocks = _load(gguf_ksy, block_ksy)
    gguf = yaml.safe_load(gguf_ksy.read_text())
    fields = {field["id"]: field for field in gguf["types"]["tensor_info"]["seq"]}
    return TEMPLATE.format(
        magic=gguf["seq"][0]["contents"].encode(),
        max_dims=fields["num_dims"]["valid"]["max"],
        max_depth=gguf["types"]["gguf_array"]["-max-depth"],
        value_types=_enum_body(_members(enums["value_type"])),
        value_classes=_classes(gguf["types"]["key_value"], "value"),
        element_classes=_classes(gguf["types"]["gguf_array"], "elements"),
        ggml_types=_enum_body(_members(enums["ggml_type"])),
        blocks="".join(_block(*block[1:]) for block in _blocks(enums, blocks)),
        removed="".join(f'    {number}: "{name.upper()}",\n' for number, name in blocks["-removed-types"].items()),
    )


def _classes(type: dict[str, Any], id: str) -> str:
    """Return the class of a field for each value of the enum that it is switched on."""
    (field,) = (field for field in type["seq"] if field["id"] == id)
    cases = {case.partition("::")[2]: name for case, name in field["type"]["cases"].items()}
    return "".join(f'    ValueType.{case.upper()}: "{class_name(name)}",\n' for case, name in cases.items())


def class_name(id: str) -> str:
    """Return the name of a type's class in the Python code of Kaitai's compiler."""
    return "".join(part.capitalize() for part in id.split("_"))


def compile_type_list(gguf_ksy: Path, block_ksy: Path) -> str:
    """Return JSON with the block sizes of the tensor types, for programs in any language."""
    enums, blocks = _load(gguf_ksy, block_ksy)
    keys = ("id", "name", "num_elements", "size")
    rows = ["  " + json.dumps(dict(zip(keys, block, strict=False))) for block in _blocks(enums, blocks)]
    return "[\n" + ",\n".join(rows) + "\n]\n"


def _load(gguf_ksy: Path, block_ksy: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    enums = yaml.safe_load(gguf_ksy.read_text())["enums"]
    blocks = yaml.safe_load(block_ksy.read_text())
    if unmatched := set(blocks["types"]) ^ set(_members(enums["ggml_type"]).values()):
        raise SystemExit(
            f"{block_ksy.name} and the enum ggml_type of {gguf_ksy.name} have different types: "
            f"{', '.join(sorted(unmatched))}"
        )
    return enums, blocks


def _members(enum: dict[int, Any]) -> dict[int, str]:
    return {number: spec["id"] if isinstance(spec, dict) else spec for number, spec in enum.items()}


def _enum_body(members: dict[int, str]) -> str:
    return "".join(f"    {name.upper()} = {number}\n" for number, name in members.items())


def _blocks(enums: dict[str, Any], blocks: dict[str, Any]) -> Iterator[tuple[int, str, int, int, list[Any]]]:
    """Yield the number and name of each tensor type, the elements and bytes of its block, and the block's fields."""
    for number, name in _members(enums["ggml_type"]).items():
        spec = blocks["types"][name]
        fields = [_field(name, attribute) for attribute in spec["seq"]]
        size = sum(size * (count or 1) for _, _, count, size in fields)
        yield number, name.upper(), spec["-num-elements"], size, fields


def _block(name: str, num_elements: int, size: int, fields: list[Any]) -> str:
    lines = "".join(f'            Field("{field}", "{dtype}", {count}),\n' for field, dtype, count, _ in fields)
    head = f"    GGMLType.{name}: Block(\n        {num_elements},\n        {size},\n"
    return f"{head}        (\n{lines}        ),\n    ),\n"


def _field(block: str, attribute: dict[str, Any]) -> tuple[str, str, int | None, int]:
    unknown = set(attribute) - {"id", "type", "-float", "repeat", "repeat-expr", "doc", "-orig-id"}
    is_number = attribute.get("type") in NUMPY_NAMES
    is_fixed = attribute.get("repeat", "expr") == "expr" and isinstance(attribute.get("repeat-expr", 1), int)
    if unknown or not is_number or not is_fixed:
        raise SystemExit(f"/types/{block}/seq/{attribute['id']}: a field must be a number or a fixed count of numbers")
    name, dtype = attribute["id"], attribute.get("-float", NUMPY_NAMES[attribute["type"]])
    return name, dtype, attribute.get("repeat-expr"), int(attribute["type"][1:])
