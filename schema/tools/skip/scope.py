"""Resolve the names in expressions, and fold expressions."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from skip.expression import (
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
    facts,
    parse,
    unary,
)

GIVEN = (-(1 << 63), (1 << 64) - 1)
INSTANCE_KEYS = {"value", "enum", "doc", "doc-ref"}


@dataclass(eq=False)
class Scope:
    """The names that are visible to an expression in a type."""

    type: str
    spec: dict[str, Any]
    parent: "Scope | None" = None
    hint: str | None = None  # the only number in a type gets the name of the attribute that holds it
    values: dict[str, "Expr | Scope"] = field(default_factory=dict)


class Unknown(Scope):
    """The parent of a type that is indexed by itself, or a member of it, which the caller passes as a number."""

    def __init__(self, limits: tuple[int, int], hint: str = "") -> None:
        super().__init__("_parent", {})
        self.limits = limits
        self.var = Var(hint, *limits) if hint else None

    def member(self, id: str) -> Scope:
        return Unknown(self.limits, self.var.hint if self.var else id)


class Evaluator:
    """Folds the expressions of one schema under constants of its root.

    `given` are the least and the largest number that a caller gives for what a type takes from its parent.
    """

    def __init__(self, ksy: dict[str, Any], constants: dict[str, int | bool], given: tuple[int, int] = GIVEN) -> None:
        self.ksy, self.constants, self.limits_given = ksy, constants, given
        self.root = Scope(ksy["meta"]["id"], ksy)
        self.enums: dict[str, dict[str, int]] = {
            name: {spec["id"] if isinstance(spec, dict) else spec: number for number, spec in enum.items()}
            for name, enum in ksy.get("enums", {}).items()
        }
        self.facts: frozenset[Expr] = frozenset()  # the conditions that hold at an expression
        self.needs: dict[Var, frozenset[Expr]] = {}  # the conditions under which a number exists

    def evaluate(self, source: Any, scope: Scope) -> Expr:
        """Return the folded number or condition of a YAML value."""
        return self.number(parse(source), scope)

    def cases(self, switch: dict[str, Any], scope: Scope) -> tuple[dict[int | bool, Any], Any]:
        """Return the cases of a switch by value, and its default."""
        found: dict[int | bool, Any] = {}
        for key, case in switch["cases"].items():
            if key != "_":
                value = self.evaluate(key, scope)
                if not isinstance(value, Const):
                    raise Unsupported(f"the case {key}, which is not constant")
                found.setdefault(value.value, case)
        return found, switch["cases"].get("_")

    @contextmanager
    def given(self, condition: Expr, holds: bool = True) -> Iterator[None]:
        before = self.facts
        self.facts = before | facts(condition, holds)
        try:
            yield
        finally:
            self.facts = before

    def number(self, expr: Expr, scope: Scope) -> Expr:
        """Return a folded expression, which must be a number or a condition."""
        return as_number(self._evaluate(expr, scope))

    def _evaluate(self, expr: Expr, scope: Scope) -> Expr | Scope:
        match expr:
            case Const() | Var():
                return expr
            case EnumValue():
                if expr.id not in self.enums.get(expr.enum, {}):
                    raise Unsupported(f"the enum value {expr.enum}::{expr.id}")
                return Const(self.enums[expr.enum][expr.id])
            case Name():
                return self._name(expr.id, scope)
            case Member():
                owner = self._evaluate(expr.object, scope)
                if not isinstance(owner, Scope):
                    raise Unsupported(f"the member {expr.id} of a number")
                return self._name(expr.id, owner)
            case Unary():
                return unary(expr.op, self.number(expr.operand, scope))
            case Binary(op="and" | "or"):
                left = self.number(expr.left, scope)
                if isinstance(left, Const) and left.value is (expr.op == "or"):
                    return left
                with self.given(left, expr.op == "and"):
                    return binary(expr.op, left, self.number(expr.right, scope))
            case Binary():
                return binary(expr.op, self.number(expr.left, scope), self.number(expr.right, scope))
            case Ternary():
                return self._ternary(expr, scope)
        raise Unsupported(f"{expr} in an expression")

    def _ternary(self, expr: Ternary, scope: Scope) -> Expr | Scope:
        condition = self.number(expr.condition, scope)
        if isinstance(condition, Const):
            return self._evaluate(expr.if_true if condition.value else expr.if_false, scope)
        with self.given(condition):
            if_true = self.number(expr.if_true, scope)
        with self.given(condition, holds=False):
            if_false = self.number(expr.if_false, scope)
        return if_true if if_true == if_false else Ternary(condition, if_true, if_false)

    def _name(self, id: str, scope: Scope) -> Expr | Scope:
        if id == "_root":
            return self.root
        if id == "_parent":
            if scope.parent is None:
                # The type is indexed by itself: the caller passes what it takes from its parent.
                scope.parent = Unknown(self.limits_given)
            return scope.parent
        if scope.spec is self.ksy and id in self.constants:
            return Const(self.constants[id])
        if isinstance(scope, Unknown) and id not in scope.values:
            scope.values[id] = scope.member(id)
        if id in scope.values:
            value = scope.values[id]
            if isinstance(value, Var) and not self.needs.get(value, frozenset()) <= self.facts:
                raise Unsupported(f"the number {id}, which is only there under a condition that is not asked for here")
            return value
        if id in scope.spec.get("instances", {}):
            return self._instance(id, scope)
        raise Unsupported(f"the name {id}, which is not an integer read before, a parameter or a calculated instance")

    def _instance(self, id: str, scope: Scope) -> Expr | Scope:
        spec = scope.spec["instances"][id]
        if "value" not in spec:
            raise Unsupported(f"the instance {id}, which is not calculated but read")
        know(spec, INSTANCE_KEYS, f"/types/{scope.type}/instances/{id}")
        return self._evaluate(parse(spec["value"]), scope)


def as_number(value: Expr | Scope) -> Expr:
    if isinstance(value, Unknown) and value.var:
        return value.var
    if isinstance(value, Scope):
        raise Unsupported("a structure where a number is wanted")
    return value


def know(spec: dict[str, Any], keys: set[str], place: str) -> None:
    """Refuse unknown keys, except those that begin with -, which are for other tools."""
    for key in spec:
        if key not in keys and not key.startswith("-"):
            raise Unsupported(f"{place}/{key}")
