"""Kaitai Struct's expression language: parsing, constant folding and printing.

Only the part that can decide a size, a count or a switch is read: integers, booleans, enum values,
names, member access, casts and operators. Anything else raises `Unsupported`, with the expression.
"""

import operator
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


class Unsupported(Exception):
    """A construct that the skip compiler does not fold."""


@dataclass(frozen=True)
class Const:
    value: int | bool


@dataclass(frozen=True)
class Name:
    id: str


@dataclass(frozen=True)
class EnumValue:
    enum: str
    id: str


@dataclass(frozen=True)
class Member:
    object: Any
    id: str


@dataclass(frozen=True, eq=False)
class Var:
    """A number that is read from the stream; two are the same only if they are the same object."""

    hint: str


@dataclass(frozen=True)
class Unary:
    op: str
    operand: Any


@dataclass(frozen=True)
class Binary:
    op: str
    left: Any
    right: Any


@dataclass(frozen=True)
class Ternary:
    condition: Any
    if_true: Any
    if_false: Any


Expr = Const | Name | EnumValue | Member | Var | Unary | Binary | Ternary

OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "or": lambda a, b: a or b, "and": lambda a, b: a and b,
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
    "|": operator.or_, "^": operator.xor, "&": operator.and_, "<<": operator.lshift, ">>": operator.rshift,
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.floordiv, "%": operator.mod,
}  # fmt: skip
UNARY_OPERATORS: dict[str, Callable[[Any], Any]] = {"-": operator.neg, "~": operator.invert, "not": operator.not_}
LEVELS = [
    ["or"],
    ["and"],
    ["==", "!=", "<", "<=", ">", ">="],
    ["|"],
    ["^"],
    ["&"],
    ["<<", ">>"],
    ["+", "-"],
    ["*", "/", "%"],
]
PRECEDENCE = {op: level for level, ops in enumerate(LEVELS) for op in ops}
TOKEN = re.compile(
    r"\s*(?:(?P<number>0x[0-9a-fA-F_]+|0b[01_]+|0o[0-7_]+|\d[\d_]*)|(?P<name>[a-z_][a-z0-9_]*)"
    r"|(?P<op>::|<<|>>|<=|>=|==|!=|[-+*/%&|^<>?:.()~]))"
)


def parse(source: Any) -> Expr:
    """The expression that YAML holds as a number, a boolean or a string."""
    if isinstance(source, bool | int):
        return Const(source)
    return _Parser(str(source)).whole()


class _Parser:
    def __init__(self, source: str) -> None:
        self.source = source
        self.tokens: list[tuple[str, str]] = []
        position = 0
        text = source.rstrip()
        while position < len(text):
            match = TOKEN.match(text, position)
            if match is None or match.lastgroup is None:
                raise Unsupported(f"the expression {source!r} at {text[position:]!r}")
            self.tokens.append((match.lastgroup, match[match.lastgroup]))
            position = match.end()
        self.tokens.append(("end", ""))

    def whole(self) -> Expr:
        result = self.ternary()
        if self.tokens[0][0] != "end":
            raise Unsupported(f"the expression {self.source!r} from {self.tokens[0][1]!r} on")
        return result

    def ternary(self) -> Expr:
        condition = self.binary(0)
        if not self.skip("?"):
            return condition
        if_true = self.ternary()
        self.expect(":")
        return Ternary(condition, if_true, self.ternary())

    def binary(self, level: int) -> Expr:
        if level == len(LEVELS):
            return self.unary()
        left = self.binary(level + 1)
        while self.tokens[0][1] in LEVELS[level]:
            op = self.tokens.pop(0)[1]
            left = Binary(op, left, self.binary(level + 1))
        return left

    def unary(self) -> Expr:
        for op in ("-", "~", "not"):
            if self.skip(op):
                return Unary(op, self.unary())
        return self.postfix(self.atom())

    def postfix(self, value: Expr) -> Expr:
        while self.skip("."):
            member = self.take("name")
            if member == "as" and self.skip("<"):
                self.take("name")  # a cast changes how a language holds a number, not the number
                self.expect(">")
            elif member != "to_i":
                value = Member(value, member)
        return value

    def atom(self) -> Expr:
        if self.skip("("):
            inner = self.ternary()
            self.expect(")")
            return inner
        if self.tokens[0][0] == "number":
            return Const(int(self.tokens.pop(0)[1].replace("_", ""), 0))
        name = self.take("name")
        if name in ("true", "false"):
            return Const(name == "true")
        if self.skip("::"):
            return EnumValue(name, self.take("name"))
        return Name(name)

    def skip(self, text: str) -> bool:
        if self.tokens[0][1] == text:
            del self.tokens[0]
            return True
        return False

    def expect(self, text: str) -> None:
        if not self.skip(text):
            raise Unsupported(f"the expression {self.source!r}: {text!r} expected before {self.tokens[0][1]!r}")

    def take(self, kind: str) -> str:
        if self.tokens[0][0] != kind:
            raise Unsupported(f"the expression {self.source!r}: a {kind} expected before {self.tokens[0][1]!r}")
        return self.tokens.pop(0)[1]


def binary(op: str, left: Expr, right: Expr) -> Expr:
    """`left op right`, computed where both are known."""
    if isinstance(left, Const) and isinstance(right, Const):
        return Const(OPERATORS[op](left.value, right.value))
    if op == "*" and Const(1) in (left, right):
        return right if left == Const(1) else left
    if op == "+" and Const(0) in (left, right):
        return right if left == Const(0) else left
    return Binary(op, left, right)


def unary(op: str, operand: Expr) -> Expr:
    if isinstance(operand, Const):
        return Const(UNARY_OPERATORS[op](operand.value))
    return Unary(op, operand)


def variables(expr: Expr) -> list[Var]:
    """Every use of a variable, in order."""
    match expr:
        case Var():
            return [expr]
        case Unary():
            return variables(expr.operand)
        case Binary():
            return variables(expr.left) + variables(expr.right)
        case Ternary():
            return variables(expr.condition) + variables(expr.if_true) + variables(expr.if_false)
    return []


def to_python(expr: Expr, names: dict[Var, str], level: int = 0) -> str:
    """Python source, in parentheses where an operator of precedence `level` around it needs them."""
    match expr:
        case Const():
            return str(expr.value)
        case Var():
            return names[expr]
        case Unary():
            return f"{expr.op}{' ' if expr.op == 'not' else ''}{to_python(expr.operand, names, len(LEVELS))}"
        case Binary():
            own = PRECEDENCE[expr.op]
            op = "//" if expr.op == "/" else expr.op
            left = own + 1 if expr.op in LEVELS[2] else own  # Python would chain a < b == c
            source = f"{to_python(expr.left, names, left)} {op} {to_python(expr.right, names, own + 1)}"
            return f"({source})" if own < level else source
        case Ternary():
            parts = [to_python(part, names, 1) for part in (expr.if_true, expr.condition, expr.if_false)]
            return "({} if {} else {})".format(*parts)
    raise Unsupported(f"{expr} in Python")
