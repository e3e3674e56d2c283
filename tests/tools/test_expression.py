"""skip.expression: Kaitai Struct's expression language is parsed, folded and printed as Python."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import assume, given, settings, strategies as st
from skip.expression import (
    OPERATORS,
    UNARY_OPERATORS,
    Binary,
    Const,
    EnumValue,
    Expr,
    Member,
    Name,
    OneOf,
    Ternary,
    Unary,
    Unsupported,
    Var,
    binary,
    bounds,
    facts,
    parse,
    to_python,
    unary,
    variables,
)
from skip.steps import INTEGERS
from support.about import about

A, B, C = (Var(name, 0, 5) for name in "abc")
NAMES = {A: "a", B: "b", C: "c"}
VALUES = st.fixed_dictionaries(dict.fromkeys("abc", st.integers(0, 5)))


def computed(expr: Expr, values: dict[str, int]) -> Any:
    """Return the value of an expression, without any of the compiler's functions."""
    match expr:
        case Const():
            return expr.value
        case Var() | Name():
            return values[expr.hint if isinstance(expr, Var) else expr.id]
        case Unary():
            return UNARY_OPERATORS[expr.op](computed(expr.operand, values))
        case Binary():
            return OPERATORS[expr.op](computed(expr.left, values), computed(expr.right, values))
        case Ternary():
            return computed(expr.if_true if computed(expr.condition, values) else expr.if_false, values)
        case OneOf():
            return computed(expr.operand, values) in [each.value for each in expr.options]
    raise AssertionError(expr)


# Parsing


@pytest.mark.parametrize(
    ("source", "expr"),
    [
        ("0xFf", Const(255)),
        ("0b1_01", Const(5)),
        ("0o17", Const(15)),
        (7, Const(7)),
        (" _parent.head\n  .count ", Member(Member(Name("_parent"), "head"), "count")),
        ("kind::grid", EnumValue("kind", "grid")),
        ("a.as<u1>.as<u2>.to_i.as<u4> > (b).as<u4>", Binary(">", Name("a"), Name("b"))),
        ("-a.b", Unary("-", Member(Name("a"), "b"))),
        ("a ? b : c ? a : b", Ternary(Name("a"), Name("b"), Ternary(Name("c"), Name("a"), Name("b")))),
        ("a or b ? b : c", Ternary(Binary("or", Name("a"), Name("b")), Name("b"), Name("c"))),
    ],
)
def test_what_is_read(source: str | int, expr: Expr) -> None:
    assert parse(source) == expr


@pytest.mark.parametrize("source", [True, "true"])
def test_booleans_are_not_numbers(source: str | bool) -> None:
    result = parse(source)
    assert isinstance(result, Const)
    assert result.value is True


ATOMS = st.builds(str.__add__, st.sampled_from(["", "", "", "-", "~"]), st.sampled_from([*"abc", "(a - b)", "3"]))


@settings(max_examples=200)
@given(ATOMS, st.lists(st.tuples(st.sampled_from(sorted(OPERATORS)), st.booleans(), ATOMS), max_size=4), VALUES)
def test_operators_bind_as_in_python(first: str, rest: list[tuple[str, bool, str]], values: dict[str, int]) -> None:
    source = first + "".join(f" {op} {'not ' * (negated and op in ('and', 'or'))}{atom}" for op, negated, atom in rest)
    try:
        expr = parse(source)
    except Unsupported:
        assert sum(op in ("==", "!=", "<", "<=", ">", ">=") for op, _, _ in rest) > 1  # Python chains them
        return
    try:
        expected = eval(source.replace("/", "//"), {}, values), computed(expr, values)
    except (ValueError, ZeroDivisionError, OverflowError):
        assume(False)
    assert expected[0] == expected[1]


@pytest.mark.parametrize(
    "source",
    ["1.5", '"text"', "[1, 2]", "a[0]", "a.to_i(16)", "a::b::c", "a b", "a +", "(a", "a ? b", "", "a == b == c"],
)
def test_what_is_not_read_is_refused_with_the_expression(source: str) -> None:
    with pytest.raises(Unsupported, match="the expression") as caught:
        parse(source)
    assert repr(source) in str(caught.value)


# Folding and printing


def number(random: Random, depth: int) -> Expr:
    if depth == 0 or random.random() < 0.2:
        return random.choice([A, B, C, Const(random.randrange(6))])
    match random.randrange(6):
        case 0:
            return Binary(random.choice(["/", "%", "<<", ">>"]), number(random, depth - 1), Const(random.randint(1, 5)))
        case 1:
            return Unary(random.choice("-~"), number(random, depth - 1))
        case 2:
            return Ternary(condition(random, depth - 1), number(random, depth - 1), number(random, depth - 1))
        case _:
            return Binary(random.choice("+-*&|^"), number(random, depth - 1), number(random, depth - 1))


def condition(random: Random, depth: int) -> Expr:
    if depth > 0 and random.random() < 0.4:
        return Binary(random.choice(["and", "or"]), condition(random, depth - 1), condition(random, depth - 1))
    if depth > 0 and random.random() < 0.3:
        return Unary("not", condition(random, depth - 1))
    if random.random() < 0.2:
        return OneOf(number(random, depth), tuple(map(Const, random.sample(range(4), random.randint(1, 2)))))
    comparison = random.choice(["==", "!=", "<", "<=", ">", ">="])
    return Binary(comparison, number(random, depth), number(random, depth))


def folded(expr: Expr) -> Expr:
    match expr:
        case Unary():
            return unary(expr.op, folded(expr.operand))
        case Binary():
            return binary(expr.op, folded(expr.left), folded(expr.right))
        case Ternary():
            return Ternary(folded(expr.condition), folded(expr.if_true), folded(expr.if_false))
    return expr


@pytest.mark.parametrize("kind", [number, condition])
def test_folding_and_printing_keep_the_value(kind: Callable[[Random, int], Expr]) -> None:
    for seed in range(1000):
        with about(seed):
            random = Random(seed)
            expr, values = kind(random, 3), {name: random.randrange(6) for name in "abc"}
            short, value = folded(expr), computed(expr, values)
            low, high = bounds(short)
            assert low <= value <= high
            assert computed(short, values) == value
            assert eval(to_python(short, NAMES), {}, values) == value
            assert eval(f"{to_python(expr, NAMES, 8)} * 7 + 1", {}, values) == value * 7 + 1
            assert kind is number or all(computed(fact, values) for fact in facts(expr, value))


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        (binary("*", Const(1), A), A),
        (binary("+", A, Const(0)), A),
        (binary("-", Const(0), A), Binary("-", Const(0), A)),
        (binary("<<", Const(1), Const(4)), Const(16)),
        (binary("<", A, Const(6)), Const(True)),
        (binary("==", A, Const(6)), Const(False)),
        (binary("<", A, Const(5)), Binary("<", A, Const(5))),
        (unary("~", Const(0)), Const(-1)),
    ],
)
def test_what_is_known_is_computed(made: Expr, expected: Expr) -> None:
    assert made == expected


@pytest.mark.parametrize(("op", "left", "right"), [("/", A, B), ("%", Const(4), Const(0)), ("<<", A, Const(64))])
def test_what_may_fail_is_refused(op: str, left: Expr, right: Expr) -> None:
    with pytest.raises(Unsupported):
        binary(op, left, right)


def test_limits_are_exact() -> None:
    limits = [(0, 255), (-(1 << 15), (1 << 15) - 1), (0, (1 << 64) - 1)]
    assert [INTEGERS[name] for name in ("u1", "s2", "u8")] == limits
    byte, minus = Var("u1", 0, 255), Unary("-", A)
    for op, left, right, expected in [
        ("|", byte, A, (0, 255)), ("&", byte, A, (0, 5)), ("^", minus, A, (-8, 7)), ("%", byte, Const(7), (0, 6)),
        ("%", minus, Const(7), (0, 6)), ("*", minus, byte, (-1275, 0)), ("==", A, B, (0, 1)),
    ]:  # fmt: skip
        assert bounds(Binary(op, left, right)) == expected


def test_variables() -> None:
    assert variables(Ternary(Binary("==", A, Const(1)), Unary("-", B), Binary("+", A, C))) == [A, B, A, C]
    with pytest.raises(Unsupported):
        to_python(Name("a"), NAMES)
