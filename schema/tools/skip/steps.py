"""What a folded type is made of: the steps of an index over its data, and facts about them."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from skip.expression import Binary, Const, Expr, Unsupported, Var, bounds, variables

INTEGERS = {  # the least and the largest
    f"{kind}{size}": (0, (1 << 8 * size) - 1) if kind == "u" else (-(1 << 8 * size - 1), (1 << 8 * size - 1) - 1)
    for kind in "us"
    for size in (1, 2, 4, 8)
}


@dataclass
class Check:
    """A condition under which `valid` refuses a number, and what it wants instead: words, and values for the {}."""

    refuses: Expr
    wanted: str
    values: list[Expr]


@dataclass
class Number:
    id: str
    type: str  # without byte order
    endian: str  # "le", "be", or "" for the byte order that the file decides on
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
    item: Number | None = None  # of a repeated number: the number, and how often
    count: Expr | None = None


@dataclass
class Struct:
    id: str
    type: str  # "" if it is nothing but the case that a constant chose
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
    steps: list["Step"]  # none if there are no items
    item_size: int  # bytes that an item takes at least


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


# What is in steps


def parts(step: Step) -> list[list[Step]]:
    """The steps that a step is made of: one list of them, or one for each case."""
    match step:
        case Struct() | Loop() | If():
            return [step.steps]
        case Switch():
            return [*(steps for _, steps in step.cases), step.default]
    return []


def every(steps: list[Step]) -> Iterator[Step]:
    """The steps and all steps in them."""
    for step in steps:
        yield step
        for inner in parts(step):
            yield from every(inner)


def flat(steps: list[Step]) -> list[Step]:
    """The steps, and in place of each structure what it is made of."""
    return [leaf for step in steps for leaf in (flat(step.steps) if isinstance(step, Struct) else [step])]


def named(steps: list[Step], path: list[str]) -> Iterator[Step]:
    """The steps that a path of ids leads to. What is alone in a structure is also named by that structure alone."""
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
        case Struct() | If() | Loop() | Switch():  # what they are made of goes by their own id
            for steps in parts(step):
                for inner in steps:
                    yield from _inside(inner, path)
        case _ if not path:
            yield step


def kept_loops(name: str, steps: list[Step], targets: list[str]) -> dict[int, int]:
    """By the identity of a loop in the steps of a type: the number of the target that it is."""
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
    """How many bytes the steps take, if that is always the same and nothing in them is to be checked."""
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
    """How many bytes the steps take at least."""
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
    """Every use of a variable in the steps."""
    return [var for step in every(steps) for expr in expressions(step) for var in variables(expr)]


def defined(steps: list[Step]) -> list[Var]:
    """The variables that the steps read."""
    return [step.var for step in every(steps) if isinstance(step, Number)]


def free_variables(steps: list[Step]) -> list[Var]:
    """What the steps use and do not read: the arguments of a function made of them."""
    known = set(defined(steps))
    return list(dict.fromkeys(var for var in uses(steps) if var not in known))


def outliving(steps: list[Step], counts: Counter[Var]) -> list[Var]:
    """The variables that the steps read and something around them uses; `counts` are all uses."""
    inside = Counter(uses(steps))
    return [var for var in defined(steps) if counts[var] > inside[var]]


def spent(steps: list[Step], counts: Counter[Var]) -> list[list[Var]]:
    """For each step the numbers, read by one of the steps, that nothing uses after it; `counts` are all uses."""
    last: dict[Var, int] = {}
    for i, step in enumerate(steps):
        last |= {var: i for var in uses([step]) if var in last}
        if isinstance(step, Number):
            last[step.var] = i
    inside = Counter(uses(steps))
    return [[var for var in last if last[var] == i and inside[var] == counts[var]] for i in range(len(steps))]


def is_nested(steps: list[Step]) -> bool:
    """Whether a type that contains itself is among the steps: then they carry a depth."""
    return any(isinstance(step, Call) for step in every(steps))


def run(steps: list[Step], counts: Counter[Var]) -> tuple[Number, Const] | None:
    """A length of two bytes or more and its limit, if an item is nothing but that and as many bytes."""
    match flat(steps):
        case [Number(checks=[Check(refuses=Binary(op=">", right=Const() as limit))]) as length, Bytes() as data]:
            if data.size is length.var and length.type[0] == "u" and counts[length.var] == 2:
                return (length, limit) if length.size > 1 else None
    return None
