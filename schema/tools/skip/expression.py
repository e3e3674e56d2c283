"""Kaitai Struct's expression language: parsing, folding, the range of the result, and printing.

Only the part that can decide a size, a count or a switch is read: integers, booleans, enum values,
names, member access, casts and operators. Anything else raises `Unsupported`, with the expression.
"""

import operator
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any


class Unsupported(Exception):
    """A construct that the skip compiler does not support."""


@contextmanager
def at(place: str) -> Iterator[None]:
    """Add the place in the schema to an `Unsupported`, unless it already has one."""
    try:
        yield
    except Unsupported as unsupported:
        if str(unsupported).startswith("/"):
            raise
        raise Unsupported(f"{place}: {unsupported}") from None


@dataclass(frozen=True)
class Const:
    value: int | bool


@dataclass(frozen=True)
class Limit(Const):
    """A number that has a name in the source."""

    name: str


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
    """A number that is read from the stream or passed in. Two are equal only if they are the same object."""

    hint: str
    low: int = -(1 << 63)
    high: int = (1 << 64) - 1


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


@dataclass(frozen=True)
class OneOf:
    """Whether a number is one of several. Created by the compiler; has no syntax in schemas."""

    operand: Any
    options: tuple[Any, ...]


Expr = Const | Limit | Name | EnumValue | Member | Var | Unary | Binary | Ternary | OneOf

OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "or": lambda a, b: a or b, "and": lambda a, b: a and b,
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
    "|": operator.or_, "^": operator.xor, "&": operator.and_, "<<": operator.lshift, ">>": operator.rshift,
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.floordiv, "%": operator.mod,
}  # fmt: skip
UNARY_OPERATORS: dict[str, Callable[[Any], Any]] = {"-": operator.neg, "~": operator.invert, "not": operator.not_}
OPPOSITES = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
NEUTRAL = {"+": 0, "*": 1, "and": True, "or": False}
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
COMPARISON = PRECEDENCE["=="]  # `not` binds less tightly than these, and more tightly than `and`
TOKEN = re.compile(
    r"\s*(?:(?P<number>0[xX]_*[0-9a-fA-F][0-9a-fA-F_]*|0[bB]_*[01][01_]*|0[oO]_*[0-7][0-7_]*|\d[\d_]*)"
    r"|(?P<name>[a-z_][a-z0-9_]*)|(?P<op>::|<<|>>|<=|>=|==|!=|[-+*/%&|^<>?:.,()~]))"
)


# Parsing


def parse(source: Any) -> Expr:
    """Return the expression in a YAML number, boolean or string."""
    if isinstance(source, bool | int):
        return Const(source)
    return _Parser(str(source)).all(limit=1)[0]


def parse_list(source: str) -> list[Expr]:
    """Return the expressions between commas."""
    return _Parser(source).all() if source.strip() else []


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

    def all(self, limit: int | None = None) -> list[Expr]:
        """Return the expressions up to the end of the source."""
        found = [self.ternary()]
        while len(found) != limit and self.skip(","):
            found.append(self.ternary())
        if self.tokens[0][0] != "end":
            raise Unsupported(f"the expression {self.source!r} from {self.tokens[0][1]!r} on")
        return found

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
        if level == COMPARISON and self.skip("not"):
            return Unary("not", self.binary(level))
        left = self.binary(level + 1)
        while self.tokens[0][1] in LEVELS[level]:
            op = self.tokens.pop(0)[1]
            left = Binary(op, left, self.binary(level + 1))
            if level == COMPARISON:
                break  # Kaitai Struct has no chained comparisons
        return left

    def unary(self) -> Expr:
        for op in ("-", "~"):
            if self.skip(op):
                return Unary(op, self.unary())
        return self.postfix(self.atom())

    def postfix(self, value: Expr) -> Expr:
        while self.skip("."):
            member = self.take("name")
            if member == "as" and self.skip("<"):
                self.take("name")  # a cast changes the type of a number in a language, not the number
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
            digits = self.tokens.pop(0)[1].replace("_", "")
            return Const(int(digits, 0 if digits[1:2].isalpha() else 10))
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


# Folding


def binary(op: str, left: Expr, right: Expr) -> Expr:
    """Return `left op right`, computed if the operands are constant."""
    low, high = bounds(right)
    if op in ("/", "%") and low < 1:
        raise Unsupported("a division by what may be 0 or less")
    if op in ("<<", ">>") and not 0 <= low <= high < 64:
        raise Unsupported("a shift by what may be less than 0 or more than 63")
    if isinstance(left, Const) and isinstance(right, Const):
        return Const(OPERATORS[op](left.value, right.value))
    for known, other in ((left, right), (right, left)):
        if isinstance(known, Const) and op in NEUTRAL:
            if known.value == NEUTRAL[op]:
                return other
            if op in ("and", "or"):
                return known
    if op in OPPOSITES and (decided := _comparison(op, left, right)) is not None:
        return Const(decided)
    result = Binary(op, left, right)
    low, high = bounds(result)
    return Const(low) if low == high else result


def _comparison(op: str, left: Expr, right: Expr) -> bool | None:
    """Return the result of a comparison if it is the same for all possible numbers, otherwise None."""
    if left == right:
        return op in ("==", "<=", ">=")
    ends = [(a, b) for a in bounds(left) for b in bounds(right)]
    if op in ("==", "!="):
        is_apart = all(a < b for a, b in ends) or all(a > b for a, b in ends)
        return op == "!=" if is_apart else None
    outcomes = {OPERATORS[op](a, b) for a, b in ends}
    return outcomes.pop() if len(outcomes) == 1 else None


def unary(op: str, operand: Expr) -> Expr:
    if isinstance(operand, Const):
        return Const(UNARY_OPERATORS[op](operand.value))
    return Unary(op, operand)


def one_of(operand: Expr, options: list[Const]) -> Expr:
    """Return whether an expression can only be one of the numbers, or one of the booleans."""
    match options:
        case [Const(value=bool() as value)]:
            return operand if value else Unary("not", operand)
    return OneOf(operand, tuple(options))


def operands(expr: Expr) -> tuple[Any, ...]:
    match expr:
        case Unary():
            return (expr.operand,)
        case Binary():
            return expr.left, expr.right
        case Ternary():
            return expr.condition, expr.if_true, expr.if_false
        case OneOf():
            return expr.operand, *expr.options
    return ()


def variables(expr: Expr) -> list[Var]:
    """Yield each use of a variable, in order."""
    return [expr] if isinstance(expr, Var) else [var for part in operands(expr) for var in variables(part)]


def facts(condition: Expr, holds: bool = True) -> frozenset[Expr]:
    """Return the parts of a condition that are true if it holds, or if it doesn't."""
    match condition:
        case Binary(op="and" | "or") if holds == (condition.op == "and"):
            return facts(condition.left, holds) | facts(condition.right, holds)
        case Unary(op="not"):
            return facts(condition.operand, not holds)
        case Binary() if not holds and condition.op in OPPOSITES:
            return frozenset([Binary(OPPOSITES[condition.op], condition.left, condition.right)])
    return frozenset([condition if holds else Unary("not", condition)])


def bounds(expr: Expr) -> tuple[int, int]:
    """Return the smallest and the largest possible result of an expression: 0 and 1 for a condition."""
    match expr:
        case Const():
            return int(expr.value), int(expr.value)
        case Var():
            return expr.low, expr.high
        case Unary(op="-" | "~"):
            ends = [UNARY_OPERATORS[expr.op](end) for end in bounds(expr.operand)]
            return min(ends), max(ends)
        case Binary(op="+" | "-" | "*" | "/" | "<<" | ">>"):  # the extremes are at extremes of both operands
            ends = [OPERATORS[expr.op](a, b) for a in bounds(expr.left) for b in bounds(expr.right)]
            return min(ends), max(ends)
        case Binary(op="%"):
            low, high = bounds(expr.left)
            largest = bounds(expr.right)[1] - 1
            return 0, min(high, largest) if low >= 0 else largest
        case Binary(op="&" | "|" | "^"):
            return _bounds_of_bits(expr)
        case Ternary():
            ends = [*bounds(expr.if_true), *bounds(expr.if_false)]
            return min(ends), max(ends)
    return 0, 1


def _bounds_of_bits(expr: Binary) -> tuple[int, int]:
    both = [bounds(expr.left), bounds(expr.right)]
    limits = [high for low, high in both if low >= 0]
    if expr.op == "&" and limits:
        return 0, min(limits)
    width = max(end.bit_length() for ends in both for end in ends)
    return 0 if len(limits) == 2 else -(1 << width), (1 << width) - 1


# Printing


def to_python(expr: Expr, names: dict[Var, str], level: int = 0) -> str:
    """Return Python source, in parentheses if an outer operator of precedence `level` needs them."""
    match expr:
        case Limit():
            return expr.name
        case Const():
            return str(expr.value)
        case Var():
            return names[expr]
        case OneOf() | Unary(op="not", operand=OneOf()):
            source, own = _membership(expr, names), COMPARISON
        case Unary():
            # an operand in parentheses can't be misread; only `not` binds less tightly than what may be around it
            source, own = to_python(expr.operand, names, len(LEVELS)), len(LEVELS)
            source, own = (f"not {source}", COMPARISON - 1) if expr.op == "not" else (expr.op + source, own)
        case Binary():
            own = PRECEDENCE[expr.op]
            op = "//" if expr.op == "/" else expr.op
            left = own + 1 if own == COMPARISON else own  # Python chains a < b == c
            right = own if expr.op in ("and", "or") else own + 1
            source = f"{to_python(expr.left, names, left)} {op} {to_python(expr.right, names, right)}"
        case Ternary():
            parts = [to_python(part, names, 1) for part in (expr.if_true, expr.condition, expr.if_false)]
            return "({} if {} else {})".format(*parts)
        case _:
            raise Unsupported(f"{expr} in Python")
    return f"({source})" if own < level else source


def _membership(expr: OneOf | Unary, names: dict[Var, str]) -> str:
    """Return `a in (1, 2)`, `a == 1`, or the opposite."""
    one, negated = (expr, False) if isinstance(expr, OneOf) else (expr.operand, True)
    operand, *options = (to_python(part, names, COMPARISON + 1) for part in operands(one))
    if len(options) == 1:
        return f"{operand} {'!=' if negated else '=='} {options[0]}"
    return f"{operand} {'not in' if negated else 'in'} ({', '.join(options)})"
