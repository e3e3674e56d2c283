"""skip.module and skip.choice: the layouts of a format, and how one is chosen."""

import struct
from typing import Any

import pytest
from skip_modules import module, source

SIZES = """
seq:
  - {id: head, size: 4}
  - {id: one, type: u2, if: _root.version == 1}
  - {id: two, type: u4, if: _root.version != 1}
  - {id: more, type: u1, if: _root.is_long}
  - {id: last, type: u1, if: _root.version != 1 or _root.is_long}
instances:
  version: {pos: 0, type: u2le}
  flags: {pos: 2, type: u2be}
  is_long: {value: flags & 1 == 1}
"""
PLAN: dict[str, Any] = {"index": {"t": []}}


def header(version: int, flags: int) -> bytes:
    return struct.pack("<H", version) + struct.pack(">H", flags) + bytes(6)


def end(made: Any, data: bytes) -> Any:
    return made.layout(data).index_t(data, 0)


def test_constants_choose_the_layout() -> None:
    made = module(SIZES, constants={"version": [1, 2, 3], "is_long": [False, True]}, **PLAN)
    for version, flags, size in [(1, 0, 6), (1, 1, 8), (2, 2, 9), (3, 0xFFFF, 10)]:
        assert end(made, header(version, flags)) == size
    two, three = (type(made.layout(header(version, 0))) for version in (2, 3))
    assert two is three
    assert two.__doc__ == (
        "The layout of t where version is 2 and is_long is False or version is 3 and is_long is False."
    )


@pytest.mark.parametrize(
    ("data", "kind", "path"),
    [(header(3, 0), "invalid", "/version"), (b"", "end", "/version"), (b"\1\0\0", "end", "/flags")],
)
def test_data_without_a_layout_is_refused(data: bytes, kind: str, path: str) -> None:
    made = module(SIZES, constants={"version": [1, 2], "is_long": [False]}, **PLAN)
    with pytest.raises(made.Refused) as caught:
        made.layout(data)
    assert (caught.value.kind, caught.value.path) == (kind, path)


def test_a_number_that_the_layout_was_chosen_by_is_not_checked_again() -> None:
    text = "seq: [{id: version, type: u2, valid: {any-of: [1, 2]}}]\ninstances: {version: {pos: 0, type: u2le}}"
    plan: dict[str, Any] = {"constants": {"version": [1, 2]}, **PLAN}
    assert "expected 1 or 2" in source(text, **plan).partition("def layout")[0]
    made = module(text, decided={"t": ["version"]}, **plan)
    assert made.layout(b"\2\0").index_t(b"\7\0", 0) == 2
    with pytest.raises(made.Refused, match="expected 1 or 2"):
        made.layout(b"\7\0")


@pytest.mark.parametrize(
    ("on", "cases", "has_default"),
    [
        ("_root.is_be", "{true: be, false: le}", True),
        ("_root.is_be and _root.mark > 0", "{true: be, false: le}", True),
        ("_root.mark", "{'0x4d4d': be, _: le}", True),
        ("_root.mark", "{'order::motorola': be, 'order::intel': le}", False),
        ("_root.mark & 0xff", "{0x4d: be, 0x49: le}", False),
    ],
)
def test_the_byte_order_that_data_decides_on(on: str, cases: str, has_default: bool) -> None:
    text = f"""
    seq: [{{id: b, type: b}}]
    instances: {{mark: {{pos: 0, type: u2le}}, is_be: {{value: mark == 0x4d4d}}}}
    types:
      b:
        meta: {{endian: {{switch-on: {on}, cases: {cases}}}}}
        seq: [{{id: mark, type: u2}}, {{id: n, type: u2, valid: {{max: 3}}}}]
    enums: {{order: {{0x4949: intel, 0x4d4d: motorola}}}}
    """
    made = module(text, meta="title: both")
    assert [end(made, data) for data in (b"MM\0\3", b"II\3\0")] == [4, 4]
    if not has_default:
        with pytest.raises(made.Refused) as caught:
            made.layout(b"XX\0\0")
        assert caught.value.kind == "invalid"
        assert caught.value.path
