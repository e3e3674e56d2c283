"""Key-values, tensor infos and arrays are read many at a time, and have the same fields as each one alone."""

from collections.abc import Iterator

import pytest
from support.gguf_bytes import CODES, F32, FORMS, Q4_0, Array, Form, Model, TensorSpec

from explanation.fields import record_reads, tiles
from kaitai_gguf import Field, explain

FLAT = [Array(type, [1] * count) for type in ("uint8", "bool", "float32", "uint64") for count in (0, 1, 5)]
TEXTS = [Array("string", ["x" * number for number in range(count)]) for count in (0, 1, 3, 4, 40)]
NESTED = [Array("array", []), Array("array", [FLAT[2]]), Array("array", [*TEXTS, *FLAT])]
DEEP = Array("array", [FLAT[2], Array("array", [])])
for _ in range(9):  # more levels than are shown
    DEEP = Array("array", [DEEP, DEEP] if _ in (0, 8) else [DEEP])
VALUES = [
    *((type, 1) for type in CODES),
    *(("string", text) for text in ("", "é\t", b"\xff")),
    *(("array", each) for each in (*FLAT, *TEXTS, *NESTED, Array("array", [NESTED[2]] * 2), DEEP)),
]


def model(form: Form, repeats: int = 2) -> bytes:
    metadata = [(f"k.{number}", type, value) for number, (type, value) in enumerate(VALUES * repeats)]
    tensors = [
        TensorSpec(f"t.{number}", (32, 2, 1, 1)[: number % 5], Q4_0 if number % 5 == 2 else F32, 256 * number)
        for number in range(10 * repeats)
    ]
    return Model(metadata, tensors, version=form.version, byte_order=form.byte_order).build()


def one_by_one(data: bytes, path: str, elements: int | None) -> Iterator[Field]:
    """The fields below a path, with each array in an array explained alone."""
    fields = list(explain(data, path=path, elements=elements))
    start = f"{path}/value/elements" if path.count("/") == 2 else f"{path}/elements"
    inner = {field.path.removeprefix(start).split("/")[1] for field in fields if field.path.startswith(f"{start}/")}
    arrays = [name for name in inner if any(field.path == f"{start}/{name}/element_type" for field in fields)]
    yield from (field for field in fields if not any(field.path.startswith(f"{start}/{name}/") for name in arrays))
    for name in arrays:
        yield from one_by_one(data, f"{start}/{name}", elements)


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
@pytest.mark.parametrize("elements", [0, 1, 3, None])
def test_fields_of_many_are_those_of_each(form: Form, elements: int | None) -> None:
    data = model(form)
    fields = {field.path: field for field in tiles(data, elements=elements)}
    paths = [f"/metadata/{number}" for number in range(2 * len(VALUES))]
    paths += [f"/tensors/{number}" for number in range(20)]
    alone = [field for path in paths for field in one_by_one(data, path, elements)]
    assert len(alone) > 300
    assert [fields[field.path] for field in alone] == alone
    assert len(alone) == sum(
        field.path.startswith(("/metadata/", "/tensors/")) and field.depth > 0 for field in fields.values()
    )


def test_the_generated_classes_read_one_item_of_each_kind(monkeypatch: pytest.MonkeyPatch) -> None:
    types = record_reads(monkeypatch)
    few = len(tiles(model(FORMS["v3"], 1)))
    read_of_few = len(types)
    types.clear()
    assert len(tiles(model(FORMS["v3"], 50))) > 49 * (few - 60)
    assert 0 < len(types) <= read_of_few + 2


def test_a_broken_item_after_whole_ones() -> None:
    data = model(FORMS["v3"])
    ends = [field.end for field in explain(data) if field.path.endswith(("/value_type", "/type_id", "/element_type"))]
    assert len(ends) > 100
    for end in ends[::7]:
        tiles(data[: end + 1])
