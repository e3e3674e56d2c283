"""Source in JavaScript: the same steps as in Python, in numbers that are exact up to 2^53.

A number of 8 bytes is read as the nearest double. It can be compared with numbers below 2^53, added and multiplied:
a size that is too large for any data stays too large. Other operations are refused unless they are exact.
"""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import ClassVar, Self

from skip.expression import Binary, Const, Expr, Limit, OneOf, Ternary, Unary, Unsupported, Var, bounds, one_of
from skip.python import PythonSource
from skip.steps import Check, Number, Step, Switch

EXACT = (1 << 53) - 1
BITS = (1 << 32) - 1  # the range of the bitwise operators
OPERATORS = {"and": "&&", "or": "||", "==": "===", "!=": "!=="}


@dataclass
class JavaScriptSource(PythonSource):
    """The body of a method of a layout. `data` is what the method reads from."""

    depth: int = 2
    data: str = "this"
    declared: dict[str, None] = field(default_factory=dict)

    case_depth: ClassVar[int] = 2

    def add(self, line: str) -> None:
        self.lines.append("  " * self.depth + line)

    def name(self, var: Var) -> str:
        if var not in self.names:
            self.declared[super().name(var)] = None
        return self.names[var]

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        self.add(f"{head} {{".lstrip())
        self.depth += 1
        yield
        self.depth -= 1
        self.add("}")

    @contextmanager
    def when(self, condition: str) -> Iterator[None]:
        with self.block(f"if ({condition})"):
            yield

    @contextmanager
    def counting(self, item: Var, count: Expr, first: str = "0") -> Iterator[None]:
        """Write a loop over the numbers from the first, or from the current value of `item`."""
        name = self.name(item)
        start = f"{name} = {first}" if first else ""
        with self.block(f"for ({start}; {name} < {self.operand(count)}; {name}++)"):
            yield

    @contextmanager
    def catching(self, error: str) -> Iterator[None]:
        """Rethrow exceptions inside the block as `error`."""
        self.add("try {")
        self.depth += 1
        yield
        self.depth -= 1
        self.add("} catch (error) {")
        self.add(f"  throw {error};")
        self.add("}")

    def assign(self, var: Var, value: str) -> None:
        self.add(f"{self.name(var)} = {value};")

    def little(self, number: Number) -> str:
        """Return an expression for whether a number is little-endian."""
        return {"": f"{self.data}.little", "le": "true", "be": "false"}[number.endian]

    def read(self, number: Number, place: str = "pos", *, exact: bool = False) -> str:
        """Return an expression that reads the number at a position."""
        order = f", {self.little(number)}" if number.size > 1 else ""
        prefix = "exact_" if exact and number.type in ("u8", "s8") else ""
        return f"{self.data}.{prefix}{number.type}({place}{order})"

    def define(self, var: Var, value: str) -> None:
        """Return a variable that keeps its value."""
        self.add(f"const {self.name(var)} = {value};")
        del self.declared[self.name(var)]

    def choose(self, step: Switch, write: Callable[[Self, list[Step]], None]) -> None:
        if bounds(step.on) == (0, 1):
            self._choose_condition(step, write)
            return
        groups, default = self.cases(step, write)
        if not groups and not default:
            return
        self.add(f"switch ({self.expr(step.on)}) {{")
        for values, lines in groups:
            self._case([f"case {value.value}:" for value in values], lines)
        self._case(["default:"], default)
        self.add("}")

    def _case(self, labels: list[str], lines: list[str]) -> None:
        self.depth += 1
        for label in labels:
            self.add(label)
        self.lines += lines
        self.depth += 1
        self.add("break;")
        self.depth -= 2

    def _choose_condition(self, step: Switch, write: Callable[[Self, list[Step]], None]) -> None:
        # A condition may be a number, which only equals true loosely.
        for value, steps in step.cases:
            with self.when(f"Number({self.expr(step.on)}) === {int(value.value)}"):
                write(self, steps)
        with self.when(f"!{self.operand(one_of(step.on, [value for value, _ in step.cases]))}"):
            write(self, step.default)

    # Expressions

    def expr(self, expr: Expr, level: int = 0) -> str:
        match expr:
            case Limit():
                return expr.name
            case Const():
                if not -EXACT <= expr.value <= EXACT:
                    raise Unsupported(f"the number {expr.value} in JavaScript")
                return json.dumps(expr.value)
            case Var():
                return self.name(expr)
            case OneOf():
                return " || ".join(f"{self.operand(expr.operand)} === {self.operand(each)}" for each in expr.options)
            case Unary(op="not", operand=OneOf() as one):
                return " && ".join(f"{self.operand(one.operand)} !== {self.operand(each)}" for each in one.options)
            case Unary(op="not"):
                return f"!{self.operand(expr.operand)}"
            case Unary(op="~"):
                return f"-1 - {self.operand(expr.operand)}" if _is_exact(expr) else _inexact(expr)
            case Unary():
                return f"-{self.operand(expr.operand)}" if _is_exact(expr) else _inexact(expr)
            case Binary():
                return self._binary(expr)
            case Ternary():
                parts = (expr.condition, expr.if_true, expr.if_false)
                return "{} ? {} : {}".format(*map(self.operand, parts))
        raise Unsupported(f"{expr} in JavaScript")

    def _binary(self, expr: Binary) -> str:
        left, right = self.operand(expr.left), self.operand(expr.right)
        sides = expr.left, expr.right
        match expr.op:
            case "and" | "or":
                pass
            case "==" | "!=" | "<" | "<=" | ">" | ">=":
                if not any(map(_is_exact, sides)):
                    return _inexact(expr)
                if expr.op in ("==", "!=") and all(bounds(side) == (0, 1) for side in sides):
                    return f"Number({left}) {OPERATORS[expr.op]} Number({right})"
            case "+" | "*" if all(bounds(side)[0] >= 0 for side in sides):
                pass
            case _ if not all(map(_is_exact, (*sides, expr))):
                return _inexact(expr)
            case "&" | "|" | "^":  # the operators work modulo 2^32
                if any(bounds(side)[0] < 0 for side in sides) or bounds(expr)[1] > BITS:
                    return _inexact(expr)
                return f"({left} {expr.op} {right}) >>> 0"
            case "<<":
                return f"{left} * 2 ** {right}"
            case ">>":
                return f"Math.floor({left} / 2 ** {right})"
            case "/":
                return f"Math.floor({left} / {right})"
            case "%":
                return f"{left} - {right} * Math.floor({left} / {right})"
        return f"{left} {OPERATORS.get(expr.op, expr.op)} {right}"

    def operand(self, expr: Expr) -> str:
        """Return an operand, in parentheses if precedence needs them."""
        source = self.expr(expr)
        return source if isinstance(expr, Var) or (isinstance(expr, Const) and expr.value >= 0) else f"({source})"


def in_words(out: JavaScriptSource, check: Check) -> str:
    """Return what a check expects, as part of a template literal."""
    values = (out.expr(value) for value in check.values)
    return check.wanted.format(*(value if value.lstrip("-").isdigit() else f"${{{value}}}" for value in values))


def quoted(text: str) -> str:
    """Return a string literal: a template literal if it has ${braces}."""
    return f"`{text}`" if "${" in text else f'"{text}"'


def _is_exact(expr: Expr) -> bool:
    low, high = bounds(expr)
    return -EXACT <= low <= high <= EXACT


def _inexact(expr: Expr) -> str:
    raise Unsupported(f"{getattr(expr, 'op', expr)} of what may be beyond 2^53 in JavaScript")
