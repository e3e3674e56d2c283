"""Generate `layout` in JavaScript, which detects the byte order and the constants of some data."""

from typing import Any

from skip.choice import Choice
from skip.expression import Unsupported
from skip.javascript_source import JavaScriptSource
from skip.steps import Number


class JavaScriptChoice(Choice):
    """Generates `layout` in JavaScript."""

    def __init__(self, ksy: dict[str, Any]) -> None:
        super().__init__(ksy)
        self.out: JavaScriptSource = JavaScriptSource(depth=1, data="data")

    def source(self, constants: list[str], layouts: dict[tuple[int | bool, ...], str]) -> str:
        little = self.endian() if self.switches else "true"
        out = self.out
        computed = [self.root_instance(id) for id in constants]
        known = ", ".join(f"{id}: Number({out.name(var)})" for id, var in zip(constants, computed, strict=True))
        for rows, name in layouts.items():
            pairs = zip(computed, rows, strict=True)
            condition = " && ".join(f"Number({out.name(var)}) === {int(value)}" for var, value in pairs) or "true"
            out.add(f"if ({condition}) return new {name}(bytes, {little}, {{ {known} }});")
        if computed:
            value = ", ".join(f"${{{out.name(var)}}}" for var in computed)
            shown = " or ".join(str(row[0] if len(row) == 1 else row) for row in layouts)
            place = f'{self.spans[computed[0]][0]}, "{computed[0].hint}"'
            out.add(f"return data.refuse({place}, `is {value}, expected {shown}`);")
        return "\n".join(
            [
                "/**",
                " * The layout that the data has. Throws `Refused` if there is none.",
                " *",
                " * @param {Uint8Array} bytes",
                " */",
                "export function layout(bytes) {",
                "  const data = new Data(bytes, true, {});",
                *out.lines,
                "}",
            ]
        )

    def endian(self) -> str:
        on, cases, _ = self.order()
        if set(cases.values()) != {"le", "be"} or not all(isinstance(key, bool) for key in cases):
            raise Unsupported("meta/endian: a choice by something else than a condition in JavaScript")
        value = self.out.operand(on)
        return value if cases[True] == "le" else f"!{value}"

    def read_at(self, number: Number, pos: int) -> None:
        self.out.add(f'data.need({pos}, {number.size}, "{number.id}");')
        self.out.define(number.var, self.out.read(number, str(pos)))
