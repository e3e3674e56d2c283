"""The steps that a type is folded to, and facts about them."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from skip.expression import Binary, Const, Expr, Unsupported, Var, bounds, variables

INTEGERS = {  # the smallest and the largest number
    f"{kind}{size}": (0, (1 << 8 * size) - 1) if kind == "u" else (-(1 << 8 * size - 1), (1 << 8 * size - 1) - 1)
    for kind in "us"
    for size in (1, 2, 4, 8)
}


@dataclass
class Check:
    """A condition under which `valid` refuses a number, and what it expects: a text, and values for its {}."""

    refuses: Expr
    wanted: str
    values: list[Expr]


@dataclass
class Number:
    id: str
    type: str  # without the byte order
    endian: str  # "le", "be", or "" for the byte order of the file
    var: Var
    checks: list[Check]

    @property
    def size(self) -> int:
        return int(self.type[1])


@dataclass
class Bytes:
    id: str
    size: Expr
    contents: bytes | None = None
    item: Number | None = None  # for a repeated number: the number, and the count
    count: Expr | None = None


@dataclass
class Struct:
    id: str
    type: str  # "" for the case of a switch that a constant chose
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
    steps: list["Step"]  # empty if there are no items
    item_size: int  # the smallest size of an item in bytes


@dataclass
class Switch:
    id: str
    on: Expr
    cases: list[tuple[Const, list["Step"]]]
    default: list["Step"]


@dataclass
class If:
    id: str
    condition: Expr
    steps: list["Step"]


Step = Number | Bytes | Struct | Call | Loop | Switch | If


# Contents of steps


def parts(step: Step) -> list[list[Step]]:
    """Return the steps in a step: one list, or one for each case."""
    match step:
        case Struct() | Loop() | If():
            return [step.steps]
        case Switch():
            return [*(steps for _, steps in step.cases), step.default]
    return []


def every(steps: list[Step]) -> Iterator[Step]:
    """Yield the steps and all steps in them."""
    for step in steps:
        yield step
        for inner in parts(step):
            yield from every(inner)


def flat(steps: list[Step]) -> list[Step]:
    """Yield the steps, with the contents of a structure in its place."""
    return [leaf for step in steps for leaf in (flat(step.steps) if isinstance(step, Struct) else [step])]


def named(steps: list[Step], path: list[str]) -> Iterator[Step]:
    """Return the steps at a path of ids. The path of a structure with one step also names that step."""
    for step in steps:
        if step.id == path[0]:
            yield from _inside(step, path[1:])


def _inside(step: Step, path: list[str]) -> Iterator[Step]:
    match step:
        case Struct() if step.type and path:
            yield from named(step.steps, path)
        case Struct() if step.type and len(step.steps) > 1:
            return
        case Loop() | Switch() if not path:
            yield step
        case Struct() | If() | Loop() | Switch():  # their contents have ids of their own
            for steps in parts(step):
                for inner in steps:
                    yield from _inside(inner, path)
        case _ if not path:
            yield step


def kept_loops(name: str, steps: list[Step], targets: list[str]) -> dict[int, int]:
    """Return the numbers of the targets, by the identity of their loops in the steps of a type."""
    kept = {
        id(step): number
        for number, target in enumerate(targets)
        for step in named(steps, target.split("."))
        if isinstance(step, Loop)
    }
    if missing := [target for number, target in enumerate(targets) if number not in kept.values()]:
        raise Unsupported(f"/types/{name}: no repeated {', '.join(missing)} to index")
    return kept


# Sizes


def constant_size(steps: list[Step]) -> int | None:
    """Return the size of the steps in bytes, if it is constant and nothing needs to be checked."""
    total = 0
    for step in flat(steps):
        match step:
            case Number(checks=[]):
                total += step.size
            case Bytes(size=Const(value), contents=None):
                total += value
            case _:
                return None
    return total


def least_size(steps: list[Step]) -> int:
    """Return the smallest size of the steps in bytes."""
    total = 0
    for step in flat(steps):
        match step:
            case Number():
                total += step.size
            case Bytes():
                total += max(bounds(step.size)[0], 0)
            case Loop():
                total += max(bounds(step.count)[0], 0) * step.item_size
            case Call():
                total += step.least
            case Switch():
                total += min(least_size(inner) for inner in parts(step))
    return total


# Variables


def expressions(step: Step) -> list[Expr]:
    match step:
        case Number():
            return [check.refuses for check in step.checks]
        case Bytes():
            return [step.size]
        case Loop():
            return [step.count]
        case Switch():
            return [step.on]
        case If():
            return [step.condition]
    return []


def uses(steps: list[Step]) -> list[Var]:
    """Yield each use of a variable in the steps."""
    return [var for step in every(steps) for expr in expressions(step) for var in variables(expr)]


def defined(steps: list[Step]) -> list[Var]:
    """Yield the variables that the steps read."""
    return [step.var for step in every(steps) if isinstance(step, Number)]


def free_variables(steps: list[Step]) -> list[Var]:
    """Return the variables that the steps use but do not read: the parameters of a function made of them."""
    known = set(defined(steps))
    return list(dict.fromkeys(var for var in uses(steps) if var not in known))


def outliving(steps: list[Step], counts: Counter[Var]) -> list[Var]:
    """Return the variables that the steps read and that are used outside; `counts` are all uses."""
    inside = Counter(uses(steps))
    return [var for var in defined(steps) if counts[var] > inside[var]]


def spent(steps: list[Step], counts: Counter[Var]) -> list[list[Var]]:
    """Return, for each step, the numbers that are not used after it; `counts` are all uses."""
    last: dict[Var, int] = {}
    for i, step in enumerate(steps):
        last |= {var: i for var in uses([step]) if var in last}
        if isinstance(step, Number):
            last[step.var] = i
    inside = Counter(uses(steps))
    return [[var for var in last if last[var] == i and inside[var] == counts[var]] for i in range(len(steps))]


def is_nested(steps: list[Step]) -> bool:
    """Return whether the steps include a type that contains itself, and so need a depth."""
    return any(isinstance(step, Call) for step in every(steps))


def run(steps: list[Step], counts: Counter[Var]) -> tuple[Number, Const] | None:
    """Return the length and its limit if an item is a length of two or more bytes and that many bytes; else None."""
    match flat(steps):
        case [Number(checks=[Check(refuses=Binary(op=">", right=Const() as limit))]) as length, Bytes() as data]:
            if data.size is length.var and length.type[0] == "u" and counts[length.var] == 2:
                return (length, limit) if length.size > 1 else None
    return None
