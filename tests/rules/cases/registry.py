"""The registry of cases, and functions that make common ones."""

import struct
from collections.abc import Callable
from dataclasses import replace

from support.gguf_bytes import Array, Model, TensorSpec

from rules.build import Broken, tensor_place, type_place, value_place, with_key, with_tensor

Case = Callable[[], Broken]

CASES: dict[str, list[Case]] = {}
"""By the ids of the rules."""

NAMES: dict[str, str] = {}
"""The name of the file where it matters, by the names of cases."""

DEEP = ("scale-finite", "value-finite", "block-domain")

REFUSED_BY_OPEN = (
    *("not-gguf", "truncated", "bad-version", "value-type", "too-many-dims", "too-large", "nesting"),
    *("alignment-type", "alignment-power", "empty-key", "duplicate-key", "empty-name", "duplicate-tensor"),
    *("dims-overflow", "row-blocks", "offset-range", "offset-alignment", "overlap"),
)


def case(rule: str, name: str | None = None) -> Callable[[Case], Case]:
    def register(make: Case) -> Case:
        CASES.setdefault(rule, []).append(make)
        if name is not None:
            NAMES[make.__name__] = name
        return make

    return register


def at(place: tuple[int, str], model: Model, refused_by: tuple[str, ...] | None = None) -> Broken:
    return Broken(model.build(), *place, refused_by)


def raw_type(model: Model, number: int, type_id: int) -> Broken:
    """Build the file with another number for the type of a value."""
    place, data = type_place(model, number), bytearray(model.build())
    data[place[0] : place[0] + 4] = struct.pack("<I", type_id)
    return Broken(bytes(data), *place)


def odd_value(rule: str, key: str, type: str, value: object, refused_by: tuple[str, ...] | None = None) -> None:
    def make() -> Broken:
        model = with_key(key, type, value)
        return at(value_place(model), model, refused_by)

    case(rule)(make)


def odd_element(rule: str, key: str, array: Array, before: int, path: str) -> None:
    """`before` is how many bytes of elements are before the one at the path, which is below that of the value."""

    def make() -> Broken:
        model = with_key(key, "array", array)
        offset, value = value_place(model)
        return Broken(model.build(), offset + 12 + before, f"{value}/elements/{path}")

    case(rule)(make)


def odd_tensor(rule: str, field: str, tensor: TensorSpec, refused_by: tuple[str, ...] | None = None) -> None:
    def make() -> Broken:
        model = with_tensor(replace(tensor), 64)
        return at(tensor_place(model, field), model, refused_by)

    case(rule)(make)


def odd_type(rule: str, key: str, type: str, value: object, refused_by: tuple[str, ...] | None = None) -> None:
    def make() -> Broken:
        model = with_key(key, type, value)
        return at(type_place(model), model, refused_by)

    case(rule)(make)
