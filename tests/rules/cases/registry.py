"""The registry of cases, and functions that make common ones."""

import struct
from collections.abc import Callable

from support.gguf_bytes import Model

from rules.build import Broken, type_place, value_place, with_key

Case = Callable[[], Broken]

CASES: dict[str, list[Case]] = {}
"""By the ids of the rules."""

NAMES: dict[str, str] = {}
"""The name of the file where it matters, by the names of cases."""

DEEP = ("scale-finite", "value-finite", "block-domain")


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


def odd_type(rule: str, key: str, type: str, value: object, refused_by: tuple[str, ...] | None = None) -> None:
    def make() -> Broken:
        model = with_key(key, type, value)
        return at(type_place(model), model, refused_by)

    case(rule)(make)
