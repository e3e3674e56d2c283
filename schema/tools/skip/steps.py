"""What a folded type is made of: the steps of a walk over its data, and facts about them."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from skip.expression import Const, Expr, Var, variables

NUMBER_SIZES = {f"{kind}{size}": size for kind in "us" for size in (1, 2, 4, 8)} | {"f4": 4, "f8": 8}


@dataclass
class Check:
    """What `valid` asks of a number: `kind` is min, max, any-of, in-enum or expr."""

    kind: str
    expected: Any


@dataclass
class Number:
    id: str
    type: str
    endian: str  # "le", "be", or "" for the byte order that the file decides on
    var: Var
    checks: list[Check]
    enum: str | None = None

    @property
    def size(self) -> int:
        return NUMBER_SIZES[self.type]


@dataclass
class Bytes:
    id: str
    size: Expr
    contents: bytes | None = None
    item: Number | None = None  # of a repeated number: the number, and how often
    count: Expr | None = None


@dataclass
class Struct:
    id: str
    type: str
    steps: list["Step"]


@dataclass
class Call:
    """A type that contains itself."""

    id: str
    type: str
    least: int  # bytes


@dataclass
class Loop:
    id: str
    count: Expr
    steps: list["Step"]
    item_size: int = 0  # bytes that an item takes at least


@dataclass
class Switch:
    id: str
    on: Expr
    cases: list[tuple[list[int], list["Step"]]]
    default: list["Step"] | None


@dataclass
class If:
    condition: Expr
    steps: list["Step"]


Step = Number | Bytes | Struct | Call | Loop | Switch | If


# Facts about steps


def constant_size(steps: list[Step]) -> int | None:
    """How many bytes the steps take, if that is always the same and nothing in them is to be checked."""
    total = 0
    for step in steps:
        match step:
            case Number(checks=[]):
                total += step.size
            case Bytes(size=Const(value), contents=None):
                total += value
            case Struct():
                inner = constant_size(step.steps)
                if inner is None:
                    return None
                total += inner
            case _:
                return None
    return total


def lone_number(steps: list[Step]) -> Number | None:
    match steps:
        case [Number() as number]:
            return number
        case [Struct() as struct]:
            return lone_number(struct.steps)
    return None


def least_size(steps: list[Step]) -> int:
    """How many bytes the steps take at least."""
    total = 0
    for step in steps:
        match step:
            case Number():
                total += step.size
            case Bytes(size=Const(value)):
                total += value
            case Struct():
                total += least_size(step.steps)
            case Call():
                total += step.least
            case Switch(cases=cases, default=default):
                total += min([least_size(inner) for _, inner in cases] + [least_size(default or [])])
            case _:
                pass
    return total


def same_steps(one: list[Step], other: list[Step]) -> bool:
    """Whether two cases of a switch walk alike (they may read as different types)."""
    return len(one) == len(other) and all(map(_same, one, other))


def _same(one: Step, other: Step) -> bool:
    sizes = constant_size([one]), constant_size([other])
    if None not in sizes:
        return sizes[0] == sizes[1]
    match one, other:
        case Struct(), Struct():
            return one.type == other.type or same_steps(one.steps, other.steps)
        case Bytes(), Bytes():
            return one.size == other.size and one.contents == other.contents
        case Call(), Call():
            return one.type == other.type
    return False


def uses(steps: list[Step]) -> Iterator[Var]:
    """Every use of a variable in the steps."""
    for step in steps:
        match step:
            case Number():
                yield from _uses_in_checks(step)
            case Bytes():
                yield from variables(step.size)
            case Struct():
                yield from uses(step.steps)
            case Loop():
                yield from variables(step.count)
                yield from uses(step.steps)
            case Switch():
                yield from variables(step.on)
                for _, inner in step.cases:
                    yield from uses(inner)
                yield from uses(step.default or [])
            case If():
                yield from variables(step.condition)
                yield from uses(step.steps)


def _uses_in_checks(number: Number) -> Iterator[Var]:
    for check in number.checks:
        yield number.var
        for expected in check.expected if isinstance(check.expected, list) else [check.expected]:
            if isinstance(expected, Expr):
                yield from variables(expected)


def defined(steps: list[Step]) -> set[Var]:
    """The variables that the steps read."""
    found: set[Var] = set()
    for step in steps:
        match step:
            case Number():
                found.add(step.var)
            case Struct() | Loop() | If():
                found |= defined(step.steps)
            case Switch():
                for _, inner in step.cases:
                    found |= defined(inner)
                found |= defined(step.default or [])
    return found


def free_variables(steps: list[Step]) -> list[Var]:
    """What the steps use and do not read: the arguments of a function that walks over them."""
    known = defined(steps)
    return list(dict.fromkeys(var for var in uses(steps) if var not in known))
