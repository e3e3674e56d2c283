"""Rules for nested arrays."""

from collections.abc import Iterator
from typing import Any

from hypothesis import given, strategies as st
from support.gguf_bytes import Array, Model

from kaitai_gguf import ValueType, check
from kaitai_gguf.rules.facts import Facts
from kaitai_gguf.sources import Source

TYPES = {"string": "x", "bool": 1, "uint16": 5}
flat = st.builds(lambda type, count: Array(type, [TYPES[type]] * count), st.sampled_from([*TYPES]), st.integers(0, 3))
nested = st.recursive(flat, lambda inner: st.builds(lambda items: Array("array", items), st.lists(inner, max_size=4)))


def walked(path: str, array: Any) -> Iterator[tuple[str, str, int]]:
    yield path, array.type, len(array.items)
    if array.type == "array":
        for index, item in enumerate(array.items):
            yield from walked(f"{path}/elements/{index}", item)


@given(st.lists(nested, max_size=4))
def test_arrays_are_found_in_the_order_of_the_file(arrays: list[Array]) -> None:
    model = Model([(f"k.{i}", "array", array) for i, array in enumerate(arrays)])
    lists = Facts(Source(model.build())).lists
    places = [(f"/metadata/{number}/value", array) for number, array in enumerate(arrays)]
    expected = [each for place in places for each in walked(*place) if each[2]]
    for type in TYPES:
        rows = lists.rows_of(ValueType[type.upper()]).tolist()
        located = [lists.locate(row) for row in rows]
        assert [(path, type, lists.num_elements[row]) for (_, path), row in zip(located, rows, strict=True)] == [
            each for each in expected if each[1] == type
        ]
        assert all(path.startswith(f"/metadata/{number}/") for number, path in located)


def test_elements_of_many_arrays_that_are_not_valid() -> None:
    texts: list[list[str | bytes]] = [["a", b"\xff"], [b"\xff"], [], ["é", "b"], [b"\xfe", "c", b"\xfd"]]
    strings = Array("array", [Array("string", list(each)) for each in texts])
    bools = Array("array", [Array("bool", [1, 2, 3])] * 9)
    found = check(Model([("s", "array", strings), ("b", "array", bools)]).build())
    paths = [(each.path, each.count) for each in found if each.rule == "string-utf8"]
    place = "/metadata/0/value/elements"
    assert paths == [(f"{place}/0/elements/1", 1), (f"{place}/1/elements/0", 1), (f"{place}/4/elements/0", 2)]
    assert [each.count for each in found if each.rule == "bool-value"] == [18]
