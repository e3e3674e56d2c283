# This is a generated file! Please edit schema/gguf.ksy and run `make generate`.
"""An index of gguf data: a class for each layout, chosen by `layout(buf)`.

`index_…` reads the data once and returns positions. Lengths and counts are checked against the bytes that are
left before anything is skipped or repeated. `Refused` has the position and the reason if data is not valid.
"""


from array import array
from collections.abc import Callable, Sequence
from itertools import repeat
from struct import Struct, error
from typing import Any

import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]
Positions = Any  # array("q")
Buffer = Any  # bytes, memoryview or mmap


class Refused(Exception):
    """Data that is not valid.

    `kind` is "end" (the data is too short), "invalid" (a value is not allowed), "depth" or "other". `pos` is the
    start of the field at `path`. `reason` continues a sentence that begins with the field. `found` has the positions
    that the index would have returned, up to the item that is refused. `needed` is the smallest size in bytes that
    the data must have if it is too short.
    """

    found: Sequence[Positions] = ()

    def __init__(self, kind: str = "other", pos: int = 0, path: str = "", reason: str = "", needed: int = 0) -> None:
        super().__init__(kind, pos, path, reason, needed)
        self.kind, self.pos, self.path, self.reason, self.needed = kind, pos, path, reason, needed

    def within(self, field: str) -> "Refused":
        """Return the same refusal with the path from the structure around it."""
        return Refused(self.kind, self.pos, f"/{field}{self.path}", self.reason, self.needed)


def need(buf: Buffer, pos: int, size: int, field: str) -> None:
    """Raise `Refused` if a field needs more bytes than are left."""
    if size > len(buf) - pos:
        left = max(len(buf) - pos, 0)
        raise Refused("end", pos, f"/{field}", f"needs {size} bytes, and {left} are left", pos + size)


def refuse_any(wrong: Array, pos: Array, field: str) -> None:
    """Raise `Refused` for the first field that is wrong. `pos` has the positions of the fields."""
    if wrong.any():
        raise Refused("other", int(pos[wrong.argmax()]), f"/{field}", "has changed since it was indexed")


def each(code: str) -> Callable[[Array, Array], Array]:
    """Return a function that reads the number at each position of uint8 data."""
    dtype = np.dtype(code)

    def read(data: Array, pos: Array) -> Array:
        if not pos.size:
            return np.zeros(pos.shape, dtype)
        if pos.min() < 0 or pos.max() > len(data) - dtype.itemsize:
            raise Refused("end", len(data), "", "has changed since it was indexed")
        return np.ndarray((len(data) - dtype.itemsize + 1,), dtype, data.data, strides=(1,))[pos]

    return read


def runs(code: str) -> Callable[[Array, Array, Array], Array]:
    """Return a function that reads `count` numbers at each position, as rows padded with zeros."""
    number = each(code)
    size = np.dtype(code).itemsize

    def read(data: Array, pos: Array, count: Array) -> Array:
        rows = np.zeros((len(pos), int(count.max(initial=0))), code)
        for column in range(rows.shape[1]):
            longer = count > column
            rows[longer, column] = number(data, pos[longer] + column * size)
        return rows

    return read


FEWER = 1 << 11  # fewer items than this are followed one by one, which is faster than searching a window
WINDOW = 1 << 16  # bytes


def chain(code: str) -> Callable[..., int]:
    """Return a function that follows items of a length and that many bytes, and returns their end.

    A length below 256 has only one byte that can be nonzero. numpy finds all positions in a window of the data that
    look like such lengths. Those that follow the previous item are taken. Longer items are followed one by one.
    """
    number = Struct(code)
    size = number.size
    low, high = (size - 1, 0) if code[0] == ">" else (0, 1)  # the lowest byte, and the first of the others

    def follow(buf: Buffer, pos: int, count: int, found: Positions | None) -> int:
        read = number.unpack_from
        if found is None:
            for _ in repeat(None, count):
                pos += size + read(buf, pos)[0]
        else:
            for _ in repeat(None, count):
                found.append(pos)
                pos += size + read(buf, pos)[0]
        return pos

    def look(window: Array) -> tuple[Array, Array]:
        zero = window == 0
        last = max(len(window) - size + 1, 0)
        clear = zero[high : high + last].copy()
        for i in range(high + 1, high + size - 1):
            clear &= zero[i : i + last]
        starts = np.flatnonzero(clear)
        after = starts + size + window[starts + low]
        if not starts.size or starts[0]:
            return starts[:0], after[:0]
        wrong = np.flatnonzero(after[:-1] != starts[1:])
        right = int(wrong[0]) + 1 if wrong.size else len(starts)
        return starts[:right], after[:right]

    def go_on(buf: Buffer, pos: int, count: int, found: Positions | None) -> int:
        data = np.frombuffer(buf, np.uint8)
        while count > FEWER:
            starts, after = look(data[pos : pos + WINDOW])
            step = min(len(starts), count)
            if found is not None:
                found.frombytes((starts[:step] + pos).tobytes())
            pos += int(after[step - 1]) if step else 0
            count -= step
            if step < FEWER // 32:  # searching did not pay off
                step = min(count, FEWER)
                pos = follow(buf, pos, step, found)
                count -= step
        return follow(buf, pos, count, found)

    return go_on


TOGETHER = 1 << 15  # items that are validated together


def sound(
    follow: Callable[..., int], buf: Buffer, pos: int, count: int, limit: int, *, found: Positions | None = None
) -> tuple[int, int]:
    """Return how many items of a chain are known to be valid, and where they end. More may be valid."""
    done = 0
    while (step := min(count - done, TOGETHER)) > FEWER:
        kept = None if found is None else array("q")
        try:
            end = follow(buf, pos, step, kept)
        except (error, OverflowError):
            break
        if end > len(buf) or end - pos > limit:
            break
        if found is not None:
            found.extend(kept)
        done, pos = done + step, end
    return done, pos


MAX_LENGTH = 1 << 30
u4le = Struct("<I").unpack_from
u4be = Struct(">I").unpack_from


class Layout1:
    """The layout of gguf where version is 1."""

    def __init__(self, constants: dict[str, int], endian: str = "") -> None:
        """`endian` is "<" or ">" if the data decides on it."""
        self.constants, self.endian = constants, endian
        self.u4 = Struct(endian + "I").unpack_from
        self.each_u4 = each(endian + "I")
        self.runs_u4 = runs(endian + "I")
        self.chain_u4 = chain(endian + "I")
        self.each_u8 = each(endian + "Q")

    def index_gguf(self, buf: Buffer, pos: int) -> tuple[Positions, Positions, int]:
        """The positions of `body.metadata`, the positions of `body.tensors`, the end. Raises `Refused`."""
        metadata_ = array("q")
        tensors_ = array("q")
        try:
            need(buf, pos, 4, "magic")
            if buf[pos : pos + 4] != b"GGUF":
                raise Refused("invalid", pos, "/magic", f"is {bytes(buf[pos : pos + 4])!r}, expected b'GGUF'")
            pos += 4
            try:
                pos = self.check_gguf_body(buf, pos, 0, metadata_, tensors_)
            except Refused as refused:
                raise refused.within("body") from None
        except Refused as refused:
            refused.found = [metadata_, tensors_]
            raise
        return metadata_, tensors_, pos

    def index_string_elements(self, buf: Buffer, pos: int, num_elements_: int) -> tuple[Positions, int]:
        """The positions of `items`, the end. Raises `Refused`."""
        chain_u4 = self.chain_u4
        items_ = array("q")
        try:
            need(buf, pos, num_elements_ * 4, "items")
            item_, pos = sound(chain_u4, buf, pos, num_elements_, MAX_LENGTH, found=items_)
            for item_ in range(item_, num_elements_):
                items_.append(pos)
                try:
                    pos = self.check_gguf_string(buf, pos)
                except Refused as refused:
                    raise refused.within(f"items/{item_}") from None
        except Refused as refused:
            refused.found = [items_]
            raise
        return items_, pos

    def index_array_elements(self, buf: Buffer, pos: int, num_elements_: int) -> tuple[Positions, int]:
        """The positions of `items`, the end. Raises `Refused`."""
        items_ = array("q")
        try:
            need(buf, pos, num_elements_ * 8, "items")
            for item_ in range(num_elements_):
                items_.append(pos)
                try:
                    pos = self.check_gguf_array(buf, pos, 1)
                except Refused as refused:
                    raise refused.within(f"items/{item_}") from None
        except Refused as refused:
            refused.found = [items_]
            raise
        return items_, pos

    def check_gguf_string(self, buf: Buffer, pos: int) -> int:
        u4 = self.u4
        need(buf, pos, 4, "len_data")
        len_data_ = u4(buf, pos)[0]
        if len_data_ > MAX_LENGTH:
            raise Refused("invalid", pos, "/len_data", f"is {len_data_}, expected at most {MAX_LENGTH}")
        pos += 4
        need(buf, pos, len_data_, "data")
        pos += len_data_
        return pos

    def check_key_value(self, buf: Buffer, pos: int, depth: int) -> int:
        u4 = self.u4
        try:
            pos = self.check_gguf_string(buf, pos)
        except Refused as refused:
            raise refused.within("key") from None
        need(buf, pos, 4, "value_type")
        value_type_ = u4(buf, pos)[0]
        if value_type_ > 12:
            raise Refused("invalid", pos, "/value_type", f"is {value_type_}, expected a value_type")
        pos += 4
        if value_type_ in (0, 1, 7):
            need(buf, pos, 1, "value")
            pos += 1
        elif value_type_ in (2, 3):
            need(buf, pos, 2, "value")
            pos += 2
        elif value_type_ in (4, 5, 6):
            need(buf, pos, 4, "value")
            pos += 4
        elif value_type_ == 8:
            try:
                pos = self.check_gguf_string(buf, pos)
            except Refused as refused:
                raise refused.within("value") from None
        elif value_type_ == 9:
            try:
                pos = self.check_gguf_array(buf, pos, depth + 1)
            except Refused as refused:
                raise refused.within("value") from None
        elif value_type_ in (10, 11, 12):
            need(buf, pos, 8, "value")
            pos += 8
        return pos

    def check_tensor_info(self, buf: Buffer, pos: int) -> int:
        u4 = self.u4
        try:
            pos = self.check_gguf_string(buf, pos)
        except Refused as refused:
            raise refused.within("name") from None
        need(buf, pos, 4, "num_dims")
        num_dims_ = u4(buf, pos)[0]
        if num_dims_ > 4:
            raise Refused("invalid", pos, "/num_dims", f"is {num_dims_}, expected at most 4")
        pos += 4
        need(buf, pos, num_dims_ * 4, "dims")
        pos += num_dims_ * 4
        need(buf, pos, 4, "type_id")
        pos += 4
        need(buf, pos, 8, "ofs_data")
        pos += 8
        return pos

    def check_gguf_body(self, buf: Buffer, pos: int, depth: int, metadata_: Positions, tensors_: Positions) -> int:
        u4 = self.u4
        need(buf, pos, 4, "version")
        pos += 4
        need(buf, pos, 4, "num_tensors")
        num_tensors_ = u4(buf, pos)[0]
        if num_tensors_ > MAX_LENGTH:
            raise Refused("invalid", pos, "/num_tensors", f"is {num_tensors_}, expected at most {MAX_LENGTH}")
        pos += 4
        need(buf, pos, 4, "num_metadata")
        num_metadata_ = u4(buf, pos)[0]
        if num_metadata_ > MAX_LENGTH:
            raise Refused("invalid", pos, "/num_metadata", f"is {num_metadata_}, expected at most {MAX_LENGTH}")
        pos += 4
        need(buf, pos, num_metadata_ * 8, "metadata")
        for item_ in range(num_metadata_):
            metadata_.append(pos)
            try:
                pos = self.check_key_value(buf, pos, depth)
            except Refused as refused:
                raise refused.within(f"metadata/{item_}") from None
        need(buf, pos, num_tensors_ * 20, "tensors")
        for item_ in range(num_tensors_):
            tensors_.append(pos)
            try:
                pos = self.check_tensor_info(buf, pos)
            except Refused as refused:
                raise refused.within(f"tensors/{item_}") from None
        return pos

    def check_gguf_array(self, buf: Buffer, pos: int, depth: int) -> int:
        if depth > 128:
            raise Refused("depth", pos, "", "is nested more than 128 levels deep")
        chain_u4 = self.chain_u4
        u4 = self.u4
        need(buf, pos, 4, "element_type")
        element_type_ = u4(buf, pos)[0]
        if element_type_ > 12:
            raise Refused("invalid", pos, "/element_type", f"is {element_type_}, expected a value_type")
        pos += 4
        need(buf, pos, 4, "num_elements")
        num_elements_ = u4(buf, pos)[0]
        if num_elements_ > MAX_LENGTH:
            raise Refused("invalid", pos, "/num_elements", f"is {num_elements_}, expected at most {MAX_LENGTH}")
        pos += 4
        if element_type_ in (0, 1, 7):
            need(buf, pos, num_elements_, "elements")
            pos += num_elements_
        elif element_type_ in (2, 3):
            need(buf, pos, num_elements_ * 2, "elements")
            pos += num_elements_ * 2
        elif element_type_ in (4, 5, 6):
            need(buf, pos, num_elements_ * 4, "elements")
            pos += num_elements_ * 4
        elif element_type_ == 8:
            need(buf, pos, num_elements_ * 4, "elements")
            item_, pos = sound(chain_u4, buf, pos, num_elements_, MAX_LENGTH)
            for item_ in range(item_, num_elements_):
                try:
                    pos = self.check_gguf_string(buf, pos)
                except Refused as refused:
                    raise refused.within(f"elements/{item_}") from None
        elif element_type_ == 9:
            need(buf, pos, num_elements_ * 8, "elements")
            for item_ in range(num_elements_):
                try:
                    pos = self.check_gguf_array(buf, pos, depth + 1)
                except Refused as refused:
                    raise refused.within(f"elements/{item_}") from None
        elif element_type_ in (10, 11, 12):
            need(buf, pos, num_elements_ * 8, "elements")
            pos += num_elements_ * 8
        return pos

    def table_key_value(self, data: Array, pos: Array) -> tuple[Array, Array, Array, Array]:
        """`key.data`, `value_type`, `value` of the key_value at each position."""
        each_u4 = self.each_u4
        len_data_ = each_u4(data, pos)
        refuse_any(len_data_ > MAX_LENGTH, pos, "len_data")
        len_data_ = len_data_.astype(np.int64)
        key_data_start_ = pos + 4
        pos = pos + 4 + len_data_
        refuse_any((key_data_start_ > pos) | (pos > len(data)), key_data_start_, "data")
        key_data_end_ = pos
        value_type_ = each_u4(data, pos)
        refuse_any(value_type_ > 12, pos, "value_type")
        pos = pos + 4
        return key_data_start_, key_data_end_, value_type_, pos

    def table_tensor_info(self, data: Array, pos: Array) -> tuple[Array, Array, Array, Array, Array, Array]:
        """`name.data`, `num_dims`, `dims`, `type_id`, `ofs_data` of the tensor_info at each position."""
        each_u4 = self.each_u4
        each_u8 = self.each_u8
        runs_u4 = self.runs_u4
        len_data_ = each_u4(data, pos)
        refuse_any(len_data_ > MAX_LENGTH, pos, "len_data")
        len_data_ = len_data_.astype(np.int64)
        name_data_start_ = pos + 4
        pos = pos + 4 + len_data_
        refuse_any((name_data_start_ > pos) | (pos > len(data)), name_data_start_, "data")
        name_data_end_ = pos
        num_dims_ = each_u4(data, pos)
        refuse_any(num_dims_ > 4, pos, "num_dims")
        num_dims_ = num_dims_.astype(np.int64)
        dims_ = runs_u4(data, pos + 4, num_dims_)
        pos = pos + 4 + num_dims_ * 4
        type_id_ = each_u4(data, pos)
        ofs_data_ = each_u8(data, pos + 4)
        return name_data_start_, name_data_end_, num_dims_, dims_, type_id_, ofs_data_

    def table_gguf_array(self, data: Array, pos: Array) -> tuple[Array, Array, Array]:
        """`element_type`, `num_elements`, `elements` of the gguf_array at each position."""
        each_u4 = self.each_u4
        element_type_ = each_u4(data, pos)
        refuse_any(element_type_ > 12, pos, "element_type")
        num_elements_ = each_u4(data, pos + 4)
        refuse_any(num_elements_ > MAX_LENGTH, pos + 4, "num_elements")
        pos = pos + 8
        return element_type_, num_elements_, pos

    def table_gguf_string(self, data: Array, pos: Array) -> tuple[Array, Array]:
        """`data` of the gguf_string at each position."""
        each_u4 = self.each_u4
        len_data_ = each_u4(data, pos)
        refuse_any(len_data_ > MAX_LENGTH, pos, "len_data")
        len_data_ = len_data_.astype(np.int64)
        data_start_ = pos + 4
        pos = pos + 4 + len_data_
        refuse_any((data_start_ > pos) | (pos > len(data)), data_start_, "data")
        data_end_ = pos
        return data_start_, data_end_


class Layout2:
    """The layout of gguf where version is 2 or version is 3."""

    def __init__(self, constants: dict[str, int], endian: str = "") -> None:
        """`endian` is "<" or ">" if the data decides on it."""
        self.constants, self.endian = constants, endian
        self.u4 = Struct(endian + "I").unpack_from
        self.each_u4 = each(endian + "I")
        self.u8 = Struct(endian + "Q").unpack_from
        self.each_u8 = each(endian + "Q")
        self.runs_u8 = runs(endian + "Q")
        self.chain_u8 = chain(endian + "Q")

    def index_gguf(self, buf: Buffer, pos: int) -> tuple[Positions, Positions, int]:
        """The positions of `body.metadata`, the positions of `body.tensors`, the end. Raises `Refused`."""
        metadata_ = array("q")
        tensors_ = array("q")
        try:
            need(buf, pos, 4, "magic")
            if buf[pos : pos + 4] != b"GGUF":
                raise Refused("invalid", pos, "/magic", f"is {bytes(buf[pos : pos + 4])!r}, expected b'GGUF'")
            pos += 4
            try:
                pos = self.check_gguf_body(buf, pos, 0, metadata_, tensors_)
            except Refused as refused:
                raise refused.within("body") from None
        except Refused as refused:
            refused.found = [metadata_, tensors_]
            raise
        return metadata_, tensors_, pos

    def index_string_elements(self, buf: Buffer, pos: int, num_elements_: int) -> tuple[Positions, int]:
        """The positions of `items`, the end. Raises `Refused`."""
        chain_u8 = self.chain_u8
        items_ = array("q")
        try:
            need(buf, pos, num_elements_ * 8, "items")
            item_, pos = sound(chain_u8, buf, pos, num_elements_, MAX_LENGTH, found=items_)
            for item_ in range(item_, num_elements_):
                items_.append(pos)
                try:
                    pos = self.check_gguf_string(buf, pos)
                except Refused as refused:
                    raise refused.within(f"items/{item_}") from None
        except Refused as refused:
            refused.found = [items_]
            raise
        return items_, pos

    def index_array_elements(self, buf: Buffer, pos: int, num_elements_: int) -> tuple[Positions, int]:
        """The positions of `items`, the end. Raises `Refused`."""
        items_ = array("q")
        try:
            need(buf, pos, num_elements_ * 12, "items")
            for item_ in range(num_elements_):
                items_.append(pos)
                try:
                    pos = self.check_gguf_array(buf, pos, 1)
                except Refused as refused:
                    raise refused.within(f"items/{item_}") from None
        except Refused as refused:
            refused.found = [items_]
            raise
        return items_, pos

    def check_gguf_string(self, buf: Buffer, pos: int) -> int:
        u8 = self.u8
        need(buf, pos, 8, "len_data")
        len_data_ = u8(buf, pos)[0]
        if len_data_ > MAX_LENGTH:
            raise Refused("invalid", pos, "/len_data", f"is {len_data_}, expected at most {MAX_LENGTH}")
        pos += 8
        need(buf, pos, len_data_, "data")
        pos += len_data_
        return pos

    def check_key_value(self, buf: Buffer, pos: int, depth: int) -> int:
        u4 = self.u4
        try:
            pos = self.check_gguf_string(buf, pos)
        except Refused as refused:
            raise refused.within("key") from None
        need(buf, pos, 4, "value_type")
        value_type_ = u4(buf, pos)[0]
        if value_type_ > 12:
            raise Refused("invalid", pos, "/value_type", f"is {value_type_}, expected a value_type")
        pos += 4
        if value_type_ in (0, 1, 7):
            need(buf, pos, 1, "value")
            pos += 1
        elif value_type_ in (2, 3):
            need(buf, pos, 2, "value")
            pos += 2
        elif value_type_ in (4, 5, 6):
            need(buf, pos, 4, "value")
            pos += 4
        elif value_type_ == 8:
            try:
                pos = self.check_gguf_string(buf, pos)
            except Refused as refused:
                raise refused.within("value") from None
        elif value_type_ == 9:
            try:
                pos = self.check_gguf_array(buf, pos, depth + 1)
            except Refused as refused:
                raise refused.within("value") from None
        elif value_type_ in (10, 11, 12):
            need(buf, pos, 8, "value")
            pos += 8
        return pos

    def check_tensor_info(self, buf: Buffer, pos: int) -> int:
        u4 = self.u4
        try:
            pos = self.check_gguf_string(buf, pos)
        except Refused as refused:
            raise refused.within("name") from None
        need(buf, pos, 4, "num_dims")
        num_dims_ = u4(buf, pos)[0]
        if num_dims_ > 4:
            raise Refused("invalid", pos, "/num_dims", f"is {num_dims_}, expected at most 4")
        pos += 4
        need(buf, pos, num_dims_ * 8, "dims")
        pos += num_dims_ * 8
        need(buf, pos, 4, "type_id")
        pos += 4
        need(buf, pos, 8, "ofs_data")
        pos += 8
        return pos

    def check_gguf_body(self, buf: Buffer, pos: int, depth: int, metadata_: Positions, tensors_: Positions) -> int:
        u8 = self.u8
        need(buf, pos, 4, "version")
        pos += 4
        need(buf, pos, 8, "num_tensors")
        num_tensors_ = u8(buf, pos)[0]
        if num_tensors_ > MAX_LENGTH:
            raise Refused("invalid", pos, "/num_tensors", f"is {num_tensors_}, expected at most {MAX_LENGTH}")
        pos += 8
        need(buf, pos, 8, "num_metadata")
        num_metadata_ = u8(buf, pos)[0]
        if num_metadata_ > MAX_LENGTH:
            raise Refused("invalid", pos, "/num_metadata", f"is {num_metadata_}, expected at most {MAX_LENGTH}")
        pos += 8
        need(buf, pos, num_metadata_ * 12, "metadata")
        for item_ in range(num_metadata_):
            metadata_.append(pos)
            try:
                pos = self.check_key_value(buf, pos, depth)
            except Refused as refused:
                raise refused.within(f"metadata/{item_}") from None
        need(buf, pos, num_tensors_ * 24, "tensors")
        for item_ in range(num_tensors_):
            tensors_.append(pos)
            try:
                pos = self.check_tensor_info(buf, pos)
            except Refused as refused:
                raise refused.within(f"tensors/{item_}") from None
        return pos

    def check_gguf_array(self, buf: Buffer, pos: int, depth: int) -> int:
        if depth > 128:
            raise Refused("depth", pos, "", "is nested more than 128 levels deep")
        chain_u8 = self.chain_u8
        u4 = self.u4
        u8 = self.u8
        need(buf, pos, 4, "element_type")
        element_type_ = u4(buf, pos)[0]
        if element_type_ > 12:
            raise Refused("invalid", pos, "/element_type", f"is {element_type_}, expected a value_type")
        pos += 4
        need(buf, pos, 8, "num_elements")
        num_elements_ = u8(buf, pos)[0]
        if num_elements_ > MAX_LENGTH:
            raise Refused("invalid", pos, "/num_elements", f"is {num_elements_}, expected at most {MAX_LENGTH}")
        pos += 8
        if element_type_ in (0, 1, 7):
            need(buf, pos, num_elements_, "elements")
            pos += num_elements_
        elif element_type_ in (2, 3):
            need(buf, pos, num_elements_ * 2, "elements")
            pos += num_elements_ * 2
        elif element_type_ in (4, 5, 6):
            need(buf, pos, num_elements_ * 4, "elements")
            pos += num_elements_ * 4
        elif element_type_ == 8:
            need(buf, pos, num_elements_ * 8, "elements")
            item_, pos = sound(chain_u8, buf, pos, num_elements_, MAX_LENGTH)
            for item_ in range(item_, num_elements_):
                try:
                    pos = self.check_gguf_string(buf, pos)
                except Refused as refused:
                    raise refused.within(f"elements/{item_}") from None
        elif element_type_ == 9:
            need(buf, pos, num_elements_ * 12, "elements")
            for item_ in range(num_elements_):
                try:
                    pos = self.check_gguf_array(buf, pos, depth + 1)
                except Refused as refused:
                    raise refused.within(f"elements/{item_}") from None
        elif element_type_ in (10, 11, 12):
            need(buf, pos, num_elements_ * 8, "elements")
            pos += num_elements_ * 8
        return pos

    def table_key_value(self, data: Array, pos: Array) -> tuple[Array, Array, Array, Array]:
        """`key.data`, `value_type`, `value` of the key_value at each position."""
        each_u4 = self.each_u4
        each_u8 = self.each_u8
        len_data_ = each_u8(data, pos)
        refuse_any(len_data_ > MAX_LENGTH, pos, "len_data")
        len_data_ = len_data_.astype(np.int64)
        key_data_start_ = pos + 8
        pos = pos + 8 + len_data_
        refuse_any((key_data_start_ > pos) | (pos > len(data)), key_data_start_, "data")
        key_data_end_ = pos
        value_type_ = each_u4(data, pos)
        refuse_any(value_type_ > 12, pos, "value_type")
        pos = pos + 4
        return key_data_start_, key_data_end_, value_type_, pos

    def table_tensor_info(self, data: Array, pos: Array) -> tuple[Array, Array, Array, Array, Array, Array]:
        """`name.data`, `num_dims`, `dims`, `type_id`, `ofs_data` of the tensor_info at each position."""
        each_u4 = self.each_u4
        each_u8 = self.each_u8
        runs_u8 = self.runs_u8
        len_data_ = each_u8(data, pos)
        refuse_any(len_data_ > MAX_LENGTH, pos, "len_data")
        len_data_ = len_data_.astype(np.int64)
        name_data_start_ = pos + 8
        pos = pos + 8 + len_data_
        refuse_any((name_data_start_ > pos) | (pos > len(data)), name_data_start_, "data")
        name_data_end_ = pos
        num_dims_ = each_u4(data, pos)
        refuse_any(num_dims_ > 4, pos, "num_dims")
        num_dims_ = num_dims_.astype(np.int64)
        dims_ = runs_u8(data, pos + 4, num_dims_)
        pos = pos + 4 + num_dims_ * 8
        type_id_ = each_u4(data, pos)
        ofs_data_ = each_u8(data, pos + 4)
        return name_data_start_, name_data_end_, num_dims_, dims_, type_id_, ofs_data_

    def table_gguf_array(self, data: Array, pos: Array) -> tuple[Array, Array, Array]:
        """`element_type`, `num_elements`, `elements` of the gguf_array at each position."""
        each_u4 = self.each_u4
        each_u8 = self.each_u8
        element_type_ = each_u4(data, pos)
        refuse_any(element_type_ > 12, pos, "element_type")
        num_elements_ = each_u8(data, pos + 4)
        refuse_any(num_elements_ > MAX_LENGTH, pos + 4, "num_elements")
        pos = pos + 12
        return element_type_, num_elements_, pos

    def table_gguf_string(self, data: Array, pos: Array) -> tuple[Array, Array]:
        """`data` of the gguf_string at each position."""
        each_u8 = self.each_u8
        len_data_ = each_u8(data, pos)
        refuse_any(len_data_ > MAX_LENGTH, pos, "len_data")
        len_data_ = len_data_.astype(np.int64)
        data_start_ = pos + 8
        pos = pos + 8 + len_data_
        refuse_any((data_start_ > pos) | (pos > len(data)), data_start_, "data")
        data_end_ = pos
        return data_start_, data_end_


def layout(buf: Buffer) -> Any:
    """The layout that the data has; `Refused` if there is none."""
    need(buf, 4, 4, "version_le")
    version_le_ = u4le(buf, 4)[0]
    is_be_ = version_le_ & 65535 == 0
    endian_ = ">" if is_be_ else "<"
    need(buf, 4, 4, "version_be")
    version_be_ = u4be(buf, 4)[0]
    version_ = (version_be_ if is_be_ else version_le_)
    found_ = {1: Layout1, 2: Layout2, 3: Layout2}.get(version_)
    if found_ is None:
        raise Refused("invalid", 4, "/version", f"is {version_}, expected 1 or 2 or 3")
    return found_({"version": version_}, endian_)
