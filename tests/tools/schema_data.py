"""Hypothesis strategies for the formats in schemas/: valid bytes, and bytes with faults."""

from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

Draw = Callable[[st.SearchStrategy[Any]], Any]


def le(size: int, value: int) -> bytes:
    return value.to_bytes(size, "little")


def be(size: int, value: int) -> bytes:
    return value.to_bytes(size, "big")


class Model:
    """Draws parts of the data. If `wild`, it sometimes draws a value that the field does not allow."""

    def __init__(self, draw: Draw, wild: bool) -> None:
        self.draw, self.wild = draw, wild

    def one(self, *allowed: Any, wrong: tuple[Any, ...] = ()) -> Any:
        goes_wrong = self.wild and wrong and self.draw(st.integers(0, 11)) == 7
        return self.draw(st.sampled_from(wrong if goes_wrong else allowed))

    def number(self, least: int, most: int, wrong: tuple[int, ...] = ()) -> int:
        return self.one(*range(least, most + 1), wrong=wrong)

    def bytes(self, most: int, too_many: int = 0) -> bytes:
        return self.draw(st.binary(max_size=self.one(most, wrong=(too_many,) if too_many else ())))

    def counted(self, item: Callable[[], bytes], count: Callable[[int], bytes], limit: int) -> bytes:
        """Draw a count and that many items."""
        items = [item() for _ in range(self.number(0, limit))]
        return count(len(items)) + b"".join(items)


@st.composite
def parcels(draw: Draw, wild: bool = False) -> bytes:
    model = Model(draw, wild)
    flags, shelves = model.number(0, 15, wrong=(16, 255)), model.number(0, 3)
    data = [b"PCL\x1a", bytes([model.one(2, wrong=(1, 3)), flags]), le(2, shelves)]
    for _ in range(shelves):
        boxes = model.number(1, 3, wrong=(0, 4))
        data += [bytes([boxes]), *(_box(model, boxes, flags) for _ in range(boxes))]
    data.append(bytes((3 if flags < 8 else flags // 2) if flags & 1 else 0))
    data.append(bytes(4 if flags & 2 and shelves != 1 else 0))
    return b"".join(data)


def _box(model: Model, boxes: int, flags: int) -> bytes:
    kind = model.one(0, 1, 2, 3, 5, 8, 9, 12, wrong=(4, 6, 11, 13, 255))
    color = model.one(1, 2, 16, wrong=(0, 3, 17))
    padding = bytes(boxes * 2 if flags & 4 else 0)
    return bytes([kind, color]) + _content(model, kind, color, boxes) + padding


def _content(model: Model, kind: int, color: int, boxes: int) -> bytes:
    def text() -> bytes:
        data = model.bytes(12, too_many=30)
        return le(2, len(data)) + data

    def block() -> bytes:
        data = model.bytes(40)
        return le(1, len(data)) + data

    match kind:
        case 1:
            rows, columns = model.number(0, 3), model.number(0, 3)
            scales = "00000000", "80000000", "447a0000", "3e800000"
            scale = model.one(*scales, wrong=("7fc00000", "ffc00000", "7f800000", "ff800000", "447a0001", "80000001"))
            return be(2, rows) + le(1, columns) + bytes(rows * columns * 6) + text() + bytes.fromhex(scale)
        case 2:
            return model.counted(text, lambda count: le(1, count), 5)
        case 3:
            return model.counted(block, lambda count: le(4, count), 3)
        case 5:
            checked = (model.one(0xFFFB, 0, 0x7FFF, wrong=(0xFFFA, 0x8000)) for _ in range(2))
            return bytes(boxes * 4) + b"".join(le(2, number) for number in checked)
        case 8:
            return bytes(3 + 2 * (3 + 1))
        case 9:
            return bytes(color + 2 * (color + 1))
    marker = model.one(b"..", wrong=(b"./", b"\0."))
    return marker + model.counted(lambda: bytes(3), lambda count: le(1, count), 3)


@st.composite
def trees(draw: Draw, wild: bool = False) -> bytes:
    """Some trees are nested deeper than the schema's -max-depth."""
    model = Model(draw, wild)
    nodes = model.counted(lambda: _node(model, model.number(1, 8)), lambda count: be(1, count), 3)
    return nodes + model.one(b"\xff", wrong=(b"\xfe",))


def _node(model: Model, height: int) -> bytes:
    shape = model.one(*((1, 1, 2, 0) if height > 1 else (0, 3)), wrong=(4, 255))
    name = model.one(b"", b"a", b"abc", b"ab" if height > 1 else b"")
    twin = _node(model, height - 1) if len(name) == 2 else b""
    children = model.number(0, 2)
    match shape:
        case 0:
            content = bytes(3 * children)
        case 1:
            siblings = bytes([3, 0, 0, 0]) * children
            content = siblings + _node(model, height - 1)
            children += 1
        case 2:
            weight = model.one(0, 1, 500, wrong=(501, 65535))
            content = be(2, weight) + _node(model, height - 1) + bytes([3, 1, 65, 0, 0])
        case _:
            content = b""
    return bytes([shape, len(name)]) + name + be(2, children) + content + twin


@st.composite
def tracks(draw: Draw, wild: bool = False) -> bytes:
    model = Model(draw, wild)
    number, version, is_wide = model.one(le, be), model.number(1, 3, wrong=(0, 4, 256)), model.one(False, True)

    def count(value: int) -> bytes:
        return number(8 if is_wide else 2, value)

    def name() -> bytes:
        data = model.bytes(6, too_many=400)
        return count(len(data)) + data

    def lap() -> bytes:
        rank, marks = model.number(-2, 2, wrong=(-3, 3, 127, -128)), model.number(0, 6)
        data = [name(), bytes([rank % 256]), number(2, marks), bytes(4 * marks)]
        data += [bytes(4 if is_wide else marks), *(name() for _ in range(marks % 4))]
        return b"".join(data) + bytes(8 if rank == 1 and version > 1 else 0)

    points, laps = model.number(0, 4), [lap() for _ in range(model.number(0, 3))]
    mark = model.one(0x4949 if number is le else 0x4D4D, wrong=(0x494A, 0x4D4D, 0x4949))
    flags = draw(st.integers(0, 0x7FFF)) * 2 + is_wide
    header = [number(2, mark), number(2, version), number(2, flags)]
    header += [count(points), count(len(laps)), bytes((6 if version == 1 else 12) * points)]
    rest, is_done = model.bytes(5), model.one(b"\1", wrong=(b"\0", b"\2"))
    short = number(2, len(laps) + model.one(0, wrong=(1,)))
    trailer = short if version == 1 else number(4, len(rest)) + rest + is_done * (version == 3)
    return b"".join([model.one(b"TRK!", wrong=(b"TRK?",)), *header, *laps, trailer])


@st.composite
def damaged(draw: Draw, data: st.SearchStrategy[bytes]) -> bytes:
    """Generate data with bytes changed, inserted, removed or truncated."""
    broken = bytearray(draw(data))
    for _ in range(draw(st.integers(0, 2))):
        behind_magic = st.integers(min(4, len(broken)), len(broken))
        position = draw(behind_magic | st.integers(0, len(broken)))
        match draw(st.sampled_from(["change", "change", "change", "insert", "remove", "cut"])):
            case "change":
                byte = draw(st.sampled_from(b"\0\1\2\3\4\x7f\x80\xff") | st.integers(0, 255))
                broken[position : position + 1] = bytes([byte])
            case "insert":
                broken[position:position] = draw(st.binary(max_size=4))
            case "remove":
                del broken[position : position + draw(st.integers(1, 4))]
            case "cut":
                del broken[position:]
    return bytes(broken)


FORMATS = {"parcel": parcels, "tree": trees, "track": tracks}
