"""Read with the official compiler's classes, and get the positions of fields from them."""

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml
from kaitaistruct import KaitaiStream, KaitaiStruct, KaitaiStructError
from skip import Plan, compile_index
from skip_modules import SCHEMAS, load

FORMATS = {
    "parcel": Plan(index={"parcel": ["shelves"], "shelf": ["boxes"], "texts": ["items"], "blocks": ["items"]}),
    "tree": Plan(index={"tree": ["roots"], "children": ["items"]}, table={"node": ["shape", "name", "num_children"]}),
    "track": Plan(
        constants={"version": [1, 2, 3], "is_wide": [False, True]},
        index={"track": ["body.laps"], "lap": ["aliases"], "name": []},
        table={"lap": ["name.data", "rank", "num_marks", "marks", "note", "aliases"], "name": ["data"]},
    ),
}


class Format:
    """A schema, compiled by both compilers."""

    def __init__(self, name: str, plan: Plan, classes: Path) -> None:
        self.ksy: dict[str, Any] = yaml.safe_load((SCHEMAS / f"{name}.ksy").read_text())
        self.index = load(compile_index(self.ksy, plan))
        self.read_class: type[KaitaiStruct] = getattr(load(classes.read_text()), name.title())

    def read(self, data: bytes) -> tuple[KaitaiStruct, KaitaiStructError | None]:
        """Return the object, and the error if it could not be read completely."""
        read = self.read_class(KaitaiStream(io.BytesIO(data)))
        try:
            read._read()
        except KaitaiStructError as error:
            return read, error
        return read, None

    def is_too_deep(self, read: Any) -> bool:
        """Return whether recursive types are nested deeper than their -max-depth."""
        limits = {name: spec["-max-depth"] for name, spec in self.ksy["types"].items() if "-max-depth" in spec}

        def nesting(one: Any) -> int:
            return (type_name(one) in limits) + (nesting(one._parent) if one._parent else 0)

        return any(nesting(one) > limits.get(type_name(one), nesting(one)) for one, _, _ in objects(read, 0, 0))


def type_name(read: Any) -> str:
    return "".join("_" + char.lower() if char.isupper() else char for char in type(read).__name__).lstrip("_")


def objects(read: Any, start: int, end: int) -> Iterator[tuple[Any, int, int]]:
    """Yield an object and all objects in it, each with its start and end."""
    yield read, start, end
    for field in read.SEQ_FIELDS:
        held, place = getattr(read, field, None), read._debug.get(field, {})
        for one, where in zip(held, place["arr"], strict=True) if isinstance(held, list) else [(held, place)]:
            if isinstance(one, KaitaiStruct):
                yield from objects(one, where["start"], where["end"])


def starts(read: Any, path: str) -> list[int]:
    """Return the start of each item of a repeated field."""
    *around, last = path.split(".")
    for field in around:
        read = getattr(read, field)
    return [item["start"] for item in read._debug[last]["arr"]]


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
