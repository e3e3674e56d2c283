"""skip.expression: Kaitai Struct's expression language is parsed, evaluated and printed as Python."""

import pytest
from hypothesis import given, strategies as st
from skip.expression import (
    OPERATORS,
    Binary,
    Const,
    EnumValue,
    Expr,
    Member,
    Name,
    Ternary,
    Unary,
    Unsupported,
    Var,
    binary,
    parse,
    to_python,
    unary,
    variables,
)

A, B, C = Var("a"), Var("b"), Var("c")
NAMES = {A: "a", B: "b", C: "c"}


def ids(expr: Expr) -> str:
    """Print an expression with all its parentheses."""
    match expr:
        case Const():
            return str(expr.value)
        case Name():
            return expr.id
        case Unary():
            return f"({expr.op} {ids(expr.operand)})"
        case Binary():
            return f"({ids(expr.left)} {expr.op} {ids(expr.right)})"
        case Ternary():
            return f"({ids(expr.condition)} ? {ids(expr.if_true)} : {ids(expr.if_false)})"
    return str(expr)


def value(source: str, **names: int | bool) -> int | bool:
    """Return the value of an expression, computed the way the compiler folds constants."""

    def known(expr: Expr) -> Expr:
        match expr:
            case Name():
                return Const(names[expr.id])
            case Unary():
                return unary(expr.op, known(expr.operand))
            case Binary():
                return binary(expr.op, known(expr.left), known(expr.right))
        return expr

    result = known(parse(source))
    assert isinstance(result, Const)
    return result.value


@pytest.mark.parametrize(
    ("source", "number"),
    [("0", 0), ("12", 12), ("1_000_000", 1000000), ("0xFf", 255), ("0x4000_0000", 1 << 30), ("0b101", 5), ("0o17", 15)],
)
def test_numbers(source: str, number: int) -> None:
    assert parse(source) == Const(number)


@pytest.mark.parametrize("given", [7, True, False])
def test_yaml_numbers_and_booleans_are_constants(given: int | bool) -> None:
    result = parse(given)
    assert isinstance(result, Const)
    assert result.value is given


@pytest.mark.parametrize(
    ("source", "read"),
    [
        ("a + b * c", "(a + (b * c))"),
        ("(a + b) * c", "((a + b) * c)"),
        ("a - b - c", "((a - b) - c)"),
        ("a / b % c", "((a / b) % c)"),
        ("a << b + c", "(a << (b + c))"),
        ("a & b << c", "(a & (b << c))"),
        ("a ^ b & c", "(a ^ (b & c))"),
        ("a | b ^ c", "(a | (b ^ c))"),
        ("a & b == c", "((a & b) == c)"),
        ("a == b and c", "((a == b) and c)"),
        ("a and b or c", "((a and b) or c)"),
        ("a or b and c", "(a or (b and c))"),
        ("-a * b", "((- a) * b)"),
        ("-a.b * ~c", None),
        ("not a and b", "((not a) and b)"),
        ("not a == b", "(not (a == b))"),
        ("not a & b", "(not (a & b))"),
        ("not not a", "(not (not a))"),
        ("a ? b : c", "(a ? b : c)"),
        ("a ? b : c ? a : b", "(a ? b : (c ? a : b))"),
        ("a ? b ? a : b : c", "(a ? (b ? a : b) : c)"),
        ("a == 1 ? b + 1 : c", "((a == 1) ? (b + 1) : c)"),
        ("a or b ? b : c", "((a or b) ? b : c)"),
    ],
)
def test_precedence(source: str, read: str | None) -> None:
    if read is None:
        assert parse(source) == Binary("*", Unary("-", Member(Name("a"), "b")), Unary("~", Name("c")))
    else:
        assert ids(parse(source)) == read


def test_spaces_and_line_breaks_do_not_matter() -> None:
    assert parse(" a+b\n  *c ") == parse("a + b * c")


def test_members_and_enum_values() -> None:
    assert parse("_parent.head.count") == Member(Member(Name("_parent"), "head"), "count")
    assert parse("kind::grid") == EnumValue("kind", "grid")


@pytest.mark.parametrize("source", ["a.as<u8>", "a.as<s4>", "(a).as<u1>.as<u2>", "a.to_i", "a.to_i.as<u4>"])
def test_a_cast_leaves_the_number_as_it_is(source: str) -> None:
    assert parse(source) == Name("a")


def test_a_cast_ends_at_its_bracket() -> None:
    assert parse("a.as<u4> > b.as<u4>") == Binary(">", Name("a"), Name("b"))


@pytest.mark.parametrize(
    "source",
    [
        "1.5",
        '"text"',
        "[1, 2]",
        "a[0]",
        "a.to_i(16)",
        'f"{a}"',
        "a::b::c",
        "sizeof<u4>",
        "a b",
        "a +",
        "(a",
        "a ? b",
        "a.",
        "",
        "1 a",
        "a = b",
    ],
)
def test_what_is_not_read_is_refused_with_the_expression(source: str) -> None:
    with pytest.raises(Unsupported, match="the expression") as caught:
        parse(source)
    assert repr(source) in str(caught.value)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("7 / 2", 3),
        ("7 % 4", 3),
        ("1 << 4 | 1", 17),
        ("-(2 + 3)", -5),
        ("~0 & 0xff", 255),
        ("3 > 2 and 2 >= 2", True),
        ("not 1 == 2", True),
        ("n * 4 + 1", 13),
        ("n == 3 or n < 2", True),
        ("6 ^ n", 5),
    ],
)
def test_constants_are_computed(source: str, expected: int | bool) -> None:
    assert value(source, n=3) == expected


@pytest.mark.parametrize("op", ["/", "%"])
def test_division_of_constants_by_zero_is_refused(op: str) -> None:
    with pytest.raises(Unsupported):
        binary(op, Const(4), Const(0))


def test_neutral_operands_disappear() -> None:
    assert binary("*", A, Const(1)) is A
    assert binary("*", Const(1), A) is A
    assert binary("+", A, Const(0)) is A
    assert binary("+", Const(0), A) is A
    assert binary("-", Const(0), A) == Binary("-", Const(0), A)


def test_variables_are_listed_once_for_each_use() -> None:
    expr = Ternary(Binary("==", A, Const(1)), Unary("-", B), Binary("+", A, C))
    assert variables(expr) == [A, B, A, C]


def test_variables_of_one_name_are_different() -> None:
    assert Var("a") != Var("a")


@pytest.mark.parametrize(
    ("expr", "printed"),
    [
        (Binary("/", A, B), "a // b"),
        (Binary("*", Binary("+", A, B), C), "(a + b) * c"),
        (Binary("-", A, Binary("-", B, C)), "a - (b - c)"),
        (Binary("-", Binary("-", A, B), C), "a - b - c"),
        (Binary("==", Binary("<", A, B), C), "(a < b) == c"),
        (Binary("<", A, Binary("<", B, C)), "a < (b < c)"),
        (Ternary(A, B, C), "(b if a else c)"),
        (Unary("not", Binary("==", A, B)), "not (a == b)"),
        (Const(True), "True"),
    ],
)
def test_python_source(expr: Expr, printed: str) -> None:
    assert to_python(expr, NAMES) == printed


def test_python_around_an_expression_decides_on_its_parentheses() -> None:
    assert to_python(Binary("+", A, B), NAMES, 8) == "(a + b)"
    assert to_python(Binary("*", A, B), NAMES, 8) == "a * b"


def test_a_name_has_no_python_before_it_is_resolved() -> None:
    with pytest.raises(Unsupported):
        to_python(Name("a"), NAMES)


SMALL = st.integers(0, 5)
SAFE = sorted(set(OPERATORS) - {"/", "%", "<<", ">>"})
EXPRESSIONS: st.SearchStrategy[Expr] = st.recursive(
    st.one_of(st.builds(Const, SMALL), st.sampled_from([A, B, C])),
    lambda inner: st.one_of(
        st.builds(Binary, st.sampled_from(SAFE), inner, inner),
        st.builds(Unary, st.sampled_from(["-", "~", "not"]), inner),
        st.builds(Ternary, inner, inner, inner),
    ),
    max_leaves=8,
)


def computed(expr: Expr, values: dict[str, int]) -> int | bool:
    match expr:
        case Const():
            return expr.value
        case Var():
            return values[expr.hint]
        case Unary():
            inner = computed(expr.operand, values)
            return {"-": lambda: -inner, "~": lambda: ~inner, "not": lambda: not inner}[expr.op]()
        case Binary():
            return OPERATORS[expr.op](computed(expr.left, values), computed(expr.right, values))
        case Ternary():
            return computed(expr.if_true if computed(expr.condition, values) else expr.if_false, values)
    raise AssertionError(expr)


@given(EXPRESSIONS, st.fixed_dictionaries({"a": SMALL, "b": SMALL, "c": SMALL}))
def test_python_computes_what_the_expression_means(expr: Expr, values: dict[str, int]) -> None:
    assert eval(to_python(expr, NAMES), {}, values) == computed(expr, values)


@given(EXPRESSIONS, st.fixed_dictionaries({"a": SMALL, "b": SMALL, "c": SMALL}))
def test_python_keeps_its_meaning_as_an_operand(expr: Expr, values: dict[str, int]) -> None:
    assert eval(f"7 * {to_python(expr, NAMES, 8)} + 1", {}, values) == 7 * computed(expr, values) + 1
