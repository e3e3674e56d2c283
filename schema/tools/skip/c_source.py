"""Source in C: the same steps as in Python, with every bound checked.

All numbers are unsigned 64-bit integers; expressions that may exceed them are refused. `pos` never passes `end`.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import ClassVar, Self

from skip.expression import Binary, Const, Expr, Limit, OneOf, Ternary, Unary, Unsupported, Var, bounds
from skip.source import Source
from skip.steps import INTEGERS, Bytes, Number, Step, Switch

MAX = INTEGERS["u8"][1]
LONG = 1 << 31  # from here on, the type of a literal depends on the platform
SIZE = Var("size")
OPERATORS = {"and": "&&", "or": "||"}


@dataclass
class CSource(Source):
    """A function body. `pending` bytes are still to be skipped; `known` bytes from `pos` on exist."""

    pending: int = 0
    known: int = 0
    declared: dict[str, None] = field(default_factory=dict)

    case_depth: ClassVar[int] = 2

    def name(self, var: Var) -> str:
        if var not in self.names:
            self.declared[super().name(var)] = None
        return self.names[var]

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        self.add(f"{head} {{")
        self.depth += 1
        self.known = 0
        yield
        self.known = 0
        self.depth -= 1
        self.add("}")

    def need(self, size: int) -> None:
        if size > self.known:
            self.refuse(f"end - pos < {number(size)}")
            self.known = size

    def expect_run(self, steps: list[Step]) -> None:
        """Check once that the bytes of all leading steps of fixed size exist."""
        size = 0
        for step in steps:
            match step:
                case Number():
                    size += step.size
                case Bytes(size=Const(value)):
                    size += value
                case _:
                    break
        if size:
            self.need(self.pending + size)

    def flush(self) -> None:
        if self.pending:
            self.need(self.pending)
            self.add(f"pos += {number(self.pending)};")
            self.known -= self.pending
            self.pending = 0

    def number(self, step: Number, wanted: bool = False) -> None:
        """Skip a number. It is read and checked if something depends on it."""
        if wanted or self.counts[step.var]:
            self.need(self.pending + step.size)
            self.assign(step.var, read(step, f"buf + pos + {number(self.pending)}" if self.pending else "buf + pos"))
            for check in step.checks:
                self.refuse(self.expr(check.refuses))
        self.pending += step.size

    def assign(self, var: Var, value: str) -> None:
        self.add(f"{self.name(var)} = {value};")

    def refuse(self, condition: str) -> None:
        self.add(f"if ({condition}) return SKIP_REFUSED;")

    def expect(self, contents: bytes) -> None:
        if len(contents) > 4095:
            raise Unsupported("contents longer than C99 has strings")
        self.flush()
        self.need(len(contents))
        self.refuse(f"memcmp(buf + pos, {literal(contents)}, {len(contents)}) != 0")

    def skip(self, size: Expr) -> None:
        if isinstance(size, Const):
            self.pending += size.value
            return
        self.add(f"pos += {self.hold(size)};")
        self.known = 0

    def hold(self, size: Expr) -> str:
        """Check a size against the bytes that are left, and return its name or number."""
        self.flush()
        amount = self.amount(size)
        if not isinstance(size, Const | Var):
            self.assign(SIZE, amount)
            amount = self.name(SIZE)
        self.refuse(f"{amount} > end - pos")
        return amount

    def choose(self, step: Switch, write: Callable[[Self, list[Step]], None]) -> None:
        groups, default = self.cases(step, write)
        on = self.expr(step.on)
        if not isinstance(step.on, Var) and bounds(step.on) == (0, 1):
            on = f"(int)({on})"  # gcc warns about a switch on a condition
        if groups or default:
            self.add(f"switch ({on}) {{")
            for values, lines in groups:
                self.case([f"case {number(value.value)}:" for value in values], lines)
            self.case(["default:"], default)
            self.add("}")
        else:
            self.add(f"(void)({on});")
        self.known = 0

    def case(self, labels: list[str], lines: list[str]) -> None:
        self.depth += 1
        for label in labels:
            self.add(label)
        self.lines += lines
        self.depth += 1
        self.add("break;")
        self.depth -= 2

    # Expressions

    def amount(self, size: Expr) -> str:
        """Return a size or a count. It saturates at the largest number, which is too large for any file."""
        if isinstance(size, Binary) and size.op in ("+", "*") and bounds(size)[1] > MAX:
            return f"skip_{'add' if size.op == '+' else 'mul'}({self.amount(size.left)}, {self.amount(size.right)})"
        return self.expr(size)

    def count(self, count: Expr) -> str:
        """Return the same as an operand."""
        return self.amount(count) if isinstance(count, Const | Var) else f"({self.amount(count)})"

    def expr(self, expr: Expr) -> str:
        low, high = bounds(expr)
        if low < 0 or high > MAX:
            raise Unsupported("a number that may be negative, or of more than 64 bits, in C")
        match expr:
            case Limit():
                return f"SKIP_{expr.name}"
            case Const():
                return number(expr.value) + ("u" if expr.value < LONG else "")
            case Var():
                return self.name(expr)
            case OneOf():
                return " || ".join(f"{self.operand(expr.operand)} == {self.expr(option)}" for option in expr.options)
            case Unary(op="not", operand=OneOf() as one):
                return " && ".join(f"{self.operand(one.operand)} != {self.expr(option)}" for option in one.options)
            case Unary(op="not"):
                return f"!{self.operand(expr.operand)}"
            case Binary(op="<<"):
                return f"{self.wide(expr.left)} << {self.operand(expr.right)}"
            case Binary():
                return f"{self.operand(expr.left)} {OPERATORS.get(expr.op, expr.op)} {self.operand(expr.right)}"
            case Ternary():
                return f"{self.operand(expr.condition)} ? {self.wide(expr.if_true)} : {self.wide(expr.if_false)}"
        raise Unsupported(f"{expr} in C")

    def operand(self, expr: Expr) -> str:
        """Return an operand, in parentheses if precedence needs them."""
        return self.expr(expr) if isinstance(expr, Const | Var) else f"({self.expr(expr)})"

    def wide(self, expr: Expr) -> str:
        """Return an operand that has 64 bits in any context."""
        return f"UINT64_C({int(expr.value)})" if isinstance(expr, Const) else self.operand(expr)


def read(item: Number, place: str) -> str:
    """Return an expression that reads the number at a position."""
    if item.type[0] != "u":
        raise Unsupported(f"{item.id}: C needs unsigned numbers for what it reads, not {item.type}")
    endian = {"": "be", "le": "0", "be": "1"}[item.endian]
    return f"skip_once(skip_load{item.size}({place}, {endian}))"


def literal(contents: bytes) -> str:
    """Return a string literal, with escapes."""
    if re.fullmatch(rb"[\w .,:;/+-]*", contents, re.ASCII):
        return f'"{contents.decode()}"'
    return '"' + "".join(f"\\x{byte:02x}" for byte in contents) + '"'


def number(value: int) -> str:
    """Return the literal of a number that is not negative."""
    if value > MAX:
        raise Unsupported(f"the number {value} in C")
    return str(int(value)) if value < LONG else f"UINT64_C({int(value)})"
