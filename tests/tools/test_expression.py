"""skip.expression: Kaitai Struct's expression language is parsed, folded and printed as Python."""

from collections.abc import Callable
from random import Random

import pytest
from skip.expression import (
    Binary,
    Const,
    EnumValue,
    Expr,
    Limit,
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

VARS = {name: Var(name, 0, 5) for name in "abc"} | {"byte": Var("byte", 0, 255)}
A, B, C, _ = VARS.values()
NAMES = {var: name for name, var in VARS.items()}


def resolved(expr: Expr, fold: bool = True) -> Expr:
    """Return an expression with variables instead of names."""
    match expr:
        case Name():
            return VARS[expr.id]
        case Unary():
            return (unary if fold else Unary)(expr.op, resolved(expr.operand, fold))
        case Binary():
            return (binary if fold else Binary)(expr.op, resolved(expr.left, fold), resolved(expr.right, fold))
        case Ternary():
            return Ternary(*(resolved(part, fold) for part in (expr.condition, expr.if_true, expr.if_false)))
    return expr


def folded(source: str) -> Expr:
    return resolved(parse(source))


# Parsing


@pytest.mark.parametrize(
    ("source", "expr"),
    [
        ("0xFf", Const(255)),
        ("0b1_01", Const(5)),
        ("0o17", Const(15)),
        (7, Const(7)),
        (True, Const(True)),
        ("true", Const(True)),
        (" _parent.head\n  .count ", Member(Member(Name("_parent"), "head"), "count")),
        ("kind::grid", EnumValue("kind", "grid")),
        ("a.as<u1>.as<u2>.to_i.as<u4> > (b).as<u4>", Binary(">", Name("a"), Name("b"))),
        ("-a.b", Unary("-", Member(Name("a"), "b"))),
        ("a ? b : c ? a : b", Ternary(Name("a"), Name("b"), Ternary(Name("c"), Name("a"), Name("b")))),
        ("a or b ? b : c", Ternary(Binary("or", Name("a"), Name("b")), Name("b"), Name("c"))),
    ],
)
def test_what_is_read(source: str | int, expr: Expr) -> None:
    assert repr(parse(source)) == repr(expr)  # which tells True from 1


@pytest.mark.parametrize(
    "source",
    ["1.5", '"text"', "[1, 2]", "a[0]", "a.to_i(16)", "a::b::c", "a b", "a +", "(a", "a ? b", "", "a == b == c"],
)
def test_what_is_not_read_is_refused_with_the_expression(source: str) -> None:
    with pytest.raises(Unsupported, match="the expression") as caught:
        parse(source)
    assert repr(source) in str(caught.value)


# Folding and printing

Source = tuple[str, str]  # in Kaitai Struct's language and in Python


def both(form: str, *parts: Source, python: str = "") -> Source:
    ours, theirs = zip(*parts, strict=True)
    return form.format(*ours), (python or form).replace("/", "//").format(*theirs)


def number(random: Random, depth: int) -> Source:
    if depth == 0 or random.random() < 0.2:
        return (random.choice("abc034"),) * 2
    left, right = number(random, depth - 1), number(random, depth - 1)
    match random.randrange(7):
        case 0:
            return both(f"({{}}) {random.choice('/%')} {random.randint(1, 5)}", left)
        case 1:
            return both(f"(({{}}) {random.choice(['<<', '>>'])} {random.randint(0, 5)})", left)
        case 2:
            return both(random.choice(["-({})", "~({})"]), left)
        case 3:
            return both("({} ? {} : {})", condition(random, depth - 1), left, right, python="({1} if {0} else {2})")
    return both(random.choice(["({}) %s ({})", "{} %s {}"]) % random.choice("+-*&|^"), left, right)


def condition(random: Random, depth: int) -> Source:
    if depth > 0 and random.random() < 0.6:
        form = random.choice(["{} and {}", "{} or {}", "({}) and not ({})", "({}) == ({})"])
        return both(form, condition(random, depth - 1), condition(random, depth - 1))
    comparison = random.choice(["==", "!=", "<", "<=", ">", ">="])
    return both(f"{{}} {comparison} {{}}", number(random, depth), number(random, depth))


@pytest.mark.parametrize("kind", [number, condition])
def test_parsing_folding_and_printing_keep_the_value(kind: Callable[[Random, int], Source]) -> None:
    for seed in range(1000):
        random = Random(seed)
        source, python = kind(random, 3)
        values = {name: random.randrange(6) for name in "abc"}
        with about(source):
            value = eval(python, {}, values)
            expr, short = resolved(parse(source), fold=False), folded(source)
            low, high = bounds(short)
            assert low <= value <= high
            for each in (expr, short):
                assert eval(to_python(each, NAMES), {}, values) == value
                assert eval(f"{to_python(each, NAMES, 8)} * 7 + 1", {}, values) == value * 7 + 1
            known = facts(expr, value) if kind is condition else []
            assert all(eval(to_python(fact, NAMES), {}, values) for fact in known)


def test_what_is_known_is_computed() -> None:
    sources = ["1 * a", "a + 0", "0 - a", "1 << 4", "a < 6", "a == 6", "a < 5 and a < 6", "~0"]
    expected = ["a", "a", "0 - a", "16", "True", "False", "a < 5", "-1"]
    assert [to_python(folded(source), NAMES) for source in sources] == expected


@pytest.mark.parametrize("source", ["a / b", "4 % 0", "a << 64", "a >> -1"])
def test_what_may_fail_is_refused(source: str) -> None:
    with pytest.raises(Unsupported):
        folded(source)


def test_limits_are_exact() -> None:
    limits = [INTEGERS["u1"], INTEGERS["s2"], INTEGERS["u8"]]
    assert limits == [(0, 255), (-(1 << 15), (1 << 15) - 1), (0, (1 << 64) - 1)]
    sources = ["byte | a", "byte & a", "-a ^ a", "byte % 7", "-a % 7", "-a * byte", "a == b"]
    limits = [bounds(folded(source)) for source in sources]
    assert limits == [(0, 255), (0, 5), (-8, 7), (0, 6), (0, 6), (-1275, 0), (0, 1)]


def test_what_has_no_syntax_is_printed() -> None:
    one, two = OneOf(A, (Const(1),)), OneOf(Binary("+", A, B), (Const(1), Limit(2, "TWO")))
    assert [to_python(expr, NAMES) for expr in (one, Unary("not", one))] == ["a == 1", "a != 1"]
    assert to_python(two, NAMES) == "a + b in (1, TWO)"
    assert to_python(Unary("not", two), NAMES, 8) == "(a + b not in (1, TWO))"
    with pytest.raises(Unsupported):
        to_python(Name("a"), NAMES)


def test_variables() -> None:
    assert variables(folded("a == 1 ? -b : a + c")) == [A, B, A, C]
