"""Hypothesis strategies for the formats in schemas/: data drawn field by field, and damaged data."""

from collections.abc import Callable
from functools import cache, partial
from typing import Any

from formats import PLANS, schema_of
from hypothesis import strategies as st
from skip.expression import Expr, Var, to_python
from skip.fold import Folder
from skip.steps import Bytes, Call, If, Loop, Number, Step, Struct, Switch

Draw = Callable[[st.SearchStrategy[Any]], Any]
ENOUGH = 30  # bytes, after which only the smallest numbers are drawn
WILD = [0, 1, 4, 13, 17, 127, 128, 255, 301, 501, 0x8000, 0xFFFF, 1 << 31, (1 << 64) - 1]


@cache
def folded(name: str, constants: tuple[int, ...], type: str) -> list[Step]:
    folder = Folder(schema_of(name), dict(zip(PLANS[name].constants, constants, strict=True)))
    return folder.fold(type)[1]


class Writer:
    """Writes the fields of a type in the order in which they are read. If `wild`, `valid` may refuse some numbers."""

    def __init__(self, draw: Draw, fold: Callable[[str], list[Step]], order: Any, wild: bool) -> None:
        self.draw, self.fold, self.order, self.wild = draw, fold, order, wild
        self.values: dict[Var, str] = {}
        self.data = b""

    def value(self, expr: Expr) -> Any:
        return eval(to_python(expr, self.values))

    def write(self, steps: list[Step]) -> None:
        for step in steps:
            match step:
                case Number():
                    self.number(step)
                case Bytes():
                    size = self.value(step.size) % 4096
                    self.data += step.contents or self.draw(st.binary(min_size=size, max_size=size))
                case Struct():
                    self.write(step.steps)
                case Call():
                    outer = self.values.copy()
                    self.write(self.fold(step.type))
                    self.values = outer
                case Loop():
                    for _ in range(self.value(step.count) % 20):
                        self.write(step.steps)
                case Switch():
                    chosen = [steps for case, steps in step.cases if case.value == self.value(step.on)]
                    self.write([*chosen, step.default][0])
                case If() if self.value(step.condition):
                    self.write(step.steps)

    def number(self, step: Number) -> None:
        limits = [self.value(value) for check in step.checks for value in check.values]
        numbers = [number for number in range(13) if self.is_allowed(step, number)] or limits
        if len(self.data) > ENOUGH:
            numbers = numbers[:1]
        elif self.wild and self.draw(st.integers(0, 11)) == 7:
            numbers = WILD
        elif self.draw(st.booleans()):
            numbers = numbers[:4]
        number = self.draw(st.sampled_from(numbers)) % (1 << 8 * step.size)
        self.values[step.var] = str(number)
        self.data += number.to_bytes(step.size, {"le": "little", "be": "big", "": self.order}[step.endian])

    def is_allowed(self, step: Number, number: int) -> bool:
        self.values[step.var] = str(number)
        return not any(self.value(check.refuses) for check in step.checks)


@st.composite
def data_of(draw: Draw, name: str, wild: bool = False) -> bytes:
    """Generate data of a format. Unless `wild`, it is valid, but trees may be nested too deep."""
    constants = tuple(draw(st.sampled_from(values)) for values in PLANS[name].constants.values())
    order = draw(st.sampled_from(["little", "big"]))
    writer = Writer(draw, partial(folded, name, constants), order, wild)
    writer.write(folded(name, constants, name))
    if name != "track":
        return writer.data
    version, is_wide = constants
    fields = [0x4949 if order == "little" else 0x4D4D, version, draw(st.integers(0, 0x7FFF)) * 2 + is_wide]
    return writer.data[:4] + b"".join(field.to_bytes(2, order) for field in fields) + writer.data[10:]


@st.composite
def damaged(draw: Draw, data: st.SearchStrategy[bytes]) -> bytes:
    """Generate data with bytes changed, inserted, removed or truncated."""
    broken = draw(data)
    for _ in range(draw(st.integers(0, 2))):
        position = draw(st.integers(min(4, len(broken)), len(broken)) | st.integers(0, len(broken)))
        removed = draw(st.sampled_from([0, 1, 1, 1, 3, len(broken)]))
        inserted = draw(st.binary(max_size=4) | st.sampled_from([bytes([byte]) for byte in b"\0\1\2\3\4\x7f\x80\xff"]))
        broken = broken[:position] + inserted + broken[position + removed :]
    return broken
