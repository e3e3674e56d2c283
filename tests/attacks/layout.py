"""The positions of the fields of a header, found without the reader's code."""

from dataclasses import dataclass, field
from struct import unpack_from

from support.gguf_bytes import ARRAY, STRING, Form

SIZES = {0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8}
ENOUGH = 2000  # no more fields are listed: a mutation chooses one of them


@dataclass(frozen=True)
class Field:
    kind: str
    start: int
    end: int


@dataclass
class Layout:
    """The fields of a header in file order, and the (start, end) of each key-value and tensor info."""

    form: Form
    data: bytes
    fields: list[Field] = field(default_factory=list)
    metadata: list[tuple[int, int]] = field(default_factory=list)
    tensors: list[tuple[int, int]] = field(default_factory=list)
    end: int = 4

    def number(self, kind: str, size: int) -> int:
        """Take the next field as a number. Raise `EOFError` if the file ends before it."""
        return self.form.read(self.take(kind, size))

    def take(self, kind: str, size: int) -> bytes:
        start, stop = self.end, self.end + size
        if stop > len(self.data) or len(self.fields) >= ENOUGH:
            raise EOFError
        self.fields.append(Field(kind, start, stop))
        self.end = stop
        return self.data[start:stop]

    def string(self) -> None:
        self.take("text", self.number("length", self.form.width))

    def value(self, value_type: int, depth: int = 0) -> None:
        if value_type == STRING:
            self.string()
        elif value_type == ARRAY:
            self.array(depth + 1)
        else:
            self.take("value", SIZES.get(value_type, 0))

    def array(self, depth: int) -> None:
        element_type = self.number("value_type", 4)
        count = self.number("count", self.form.width)
        if element_type in SIZES:
            self.take("value", count * SIZES[element_type])
        elif depth < 100:
            for _ in range(count):
                self.value(element_type, depth)

    def key_value(self) -> None:
        start = self.end
        self.string()
        self.value(self.number("value_type", 4))
        self.metadata.append((start, self.end))

    def tensor_info(self) -> None:
        start = self.end
        self.string()
        for _ in range(min(self.number("num_dims", 4), ENOUGH)):
            self.take("dim", self.form.width)
        self.take("type_id", 4)
        self.take("offset", 8)
        self.tensors.append((start, self.end))


def layout(data: bytes) -> Layout:
    """Return the layout of any bytes, as far as it can be determined."""
    version = unpack_from("<I", data.ljust(8, b"\0"), 4)[0]
    order = ">" if version & 0xFFFF == 0 else "<"
    version = unpack_from(f"{order}I", data.ljust(8, b"\0"), 4)[0]
    found = Layout(Form(version, order), data)
    try:
        found.take("version", 4)
        num_tensors = found.number("num_tensors", found.form.width)
        for _ in range(found.number("num_metadata", found.form.width)):
            found.key_value()
        for _ in range(num_tensors):
            found.tensor_info()
    except EOFError:
        pass
    return found
