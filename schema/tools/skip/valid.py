"""The rules in `valid`: the conditions that refuse a number, and the range that they allow."""

from collections.abc import Callable, Iterator
from typing import Any

from skip.expression import Binary, Const, Expr, OneOf, Unary, Unsupported, Var, bounds
from skip.steps import INTEGERS, Check

Rule = tuple[str, list[Expr]]  # its kind ("min", "max", "any-of" or "in-enum"), and the values that it names


def rules(attribute: dict[str, Any], evaluate: Callable[[Any], Expr], enums: dict[str, dict[str, int]]) -> list[Rule]:
    found: list[Rule] = []
    valid = attribute.get("valid", {})
    for key, expected in (valid if isinstance(valid, dict) else {"eq": valid}).items():
        if key in ("min", "max", "eq", "any-of"):
            values = [evaluate(item) for item in (expected if key == "any-of" else [expected])]
            found.append(("any-of" if key == "eq" else key, values))
        elif key == "in-enum" and expected is True:
            enum = attribute.get("enum")
            if enum not in enums:
                raise Unsupported(f"the enum {enum}")
            found.append(("in-enum", [Const(number) for number in sorted(enums[enum].values())]))
        else:
            raise Unsupported(f"valid/{key}: {expected}")
    return found


def limits(type: str, rules: list[Rule]) -> tuple[int, int]:
    """Return the range of numbers that the rules for a type allow."""
    low, high = least, most = INTEGERS[type]
    for kind, values in rules:
        lows, highs = zip(*map(bounds, values), strict=True)
        low = low if kind == "max" else max(low, min(lows))
        high = high if kind == "min" else min(high, max(highs))
    return (low, high) if low <= high else (least, most)


def checks(var: Var, type: str, rules: list[Rule], enum: str) -> Iterator[Check]:
    """Return the checks of a number, without those that every number of its type passes."""
    for kind, values in rules:
        if kind == "in-enum":
            yield Check(_not_in_enum(var, type, values), f"a {enum}", [])
        elif kind == "any-of":
            yield Check(Unary("not", OneOf(var, tuple(values))), " or ".join(["{}"] * len(values)), values)
        elif type not in INTEGERS:  # NaN compares false with everything
            allowed = Binary(">=" if kind == "min" else "<=", var, values[0])
            yield Check(Unary("not", allowed), f"at {'least' if kind == 'min' else 'most'} {{}}", values)
        elif kind == "min" and bounds(values[0])[1] > INTEGERS[type][0]:
            yield Check(Binary("<", var, values[0]), "at least {}", values)
        elif kind == "max" and bounds(values[0])[0] < INTEGERS[type][1]:
            yield Check(Binary(">", var, values[0]), "at most {}", values)


def _not_in_enum(var: Var, type: str, members: list[Expr]) -> Expr:
    if type[0] == "u" and members == [Const(number) for number in range(len(members))]:
        return Binary(">", var, members[-1])
    return Unary("not", OneOf(var, tuple(members)))
