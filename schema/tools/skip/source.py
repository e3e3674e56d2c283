"""Python source in the making, and what the writers of functions share."""

import keyword
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from skip.expression import Const, Expr, Var, to_python, variables
from skip.steps import Bytes, Call, Check, If, Loop, Number, Step, Struct, Switch

STRUCT_CODES = {
    "u1": "B", "s1": "b", "u2": "H", "s2": "h", "u4": "I", "s4": "i", "u8": "Q", "s8": "q", "f4": "f", "f8": "d",
}  # fmt: skip
RESERVED = {"self", "buf", "pos", "data", "end", "depth", "start", "item", "append", "value", "refused", *STRUCT_CODES}
INDENT = "    "


@dataclass
class Source:
    """Lines of a function body, the names of its variables, and the position as far as it is known.

    `pending` bytes and then `terms` are still to be added to `pos`: neighbouring skips become one.
    """

    counts: Counter[Var] = field(default_factory=Counter)
    names: dict[Var, str] = field(default_factory=dict)
    readers: set[str] = field(default_factory=set)
    lines: list[str] = field(default_factory=list)
    pending: int = 0
    terms: list[str] = field(default_factory=list)
    depth: int = 2
    table: bool = False  # of many positions at once

    def add(self, line: str) -> None:
        self.lines.append(INDENT * self.depth + line if line else "")

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        self.add(head)
        self.depth += 1
        yield
        self.depth -= 1

    def flush(self) -> None:
        if self.pending or self.terms:
            step = " + ".join([str(self.pending)] * (self.pending > 0) + self.terms)
            self.add(f"pos = pos + {step}" if self.table else f"pos += {step}")  # an array is not to be changed
            self.pending, self.terms = 0, []

    @property
    def here(self) -> str:
        if self.terms:
            self.flush()
        return f"pos + {self.pending}" if self.pending else "pos"

    def name(self, var: Var) -> str:
        """A name for a variable, unique in the function."""
        if var not in self.names:
            name = var.hint + "_" if keyword.iskeyword(var.hint) or var.hint in RESERVED else var.hint
            taken = set(self.names.values())
            self.names[var] = next(n for n in [name, *(f"{name}{i}" for i in range(2, 1000))] if n not in taken)
        return self.names[var]

    def expr(self, expr: Expr, level: int = 0) -> str:
        for var in variables(expr):
            self.name(var)
        return to_python(expr, self.names, level)

    def reader(self, number: Number, prefix: str = "") -> str:
        reader = prefix + number.type + number.endian if number.size > 1 else prefix + number.type
        self.readers.add(reader)
        return reader

    def read(self, number: Number) -> str:
        if not self.table:
            return f"{self.reader(number)}(buf, {self.here})[0]"
        signed = ".astype(int64)" if self.counts[number.var] else ""  # as positions are, which it is added to
        return f"{self.reader(number, 'each_')}(data, {self.here}){signed}"

    def skip(self, size: Expr) -> None:
        if isinstance(size, Const):
            self.pending += size.value
        else:
            self.terms.append(self.expr(size, 8))


def condition(source: Source, number: Number, check: Check, enums: dict[str, dict[int, str]]) -> str:
    """The Python condition under which `check` refuses the number."""
    name = source.name(number.var)
    match check.kind:
        case "min":
            return f"{name} < {source.expr(check.expected)}"
        case "max":
            return f"{name} > {source.expr(check.expected)}"
        case "any-of":
            allowed = [source.expr(item) for item in check.expected]
            return f"{name} != {allowed[0]}" if len(allowed) == 1 else f"{name} not in ({', '.join(allowed)})"
    members = sorted(enums[check.expected])
    if number.type[0] == "u" and members == list(range(len(members))):
        return f"{name} > {members[-1]}"
    return f"{name} not in ({', '.join(map(str, members))},)"


def expectation(source: Source, check: Check) -> str:
    """What a check wants, in words, as part of an f-string."""
    match check.kind:
        case "min":
            return f"at least {_braced(source.expr(check.expected))}"
        case "max":
            return f"at most {_braced(source.expr(check.expected))}"
        case "any-of":
            return " or ".join(_braced(source.expr(item)) for item in check.expected)
    return f"a {check.expected}"


def _braced(source: str) -> str:
    return source if source.lstrip("-").isdigit() else f"{{{source}}}"


def flat(steps: list[Step], path: str) -> list[tuple[str, Step]]:
    """The steps without the structures around them, each with its path."""
    found: list[tuple[str, Step]] = []
    for step in steps:
        inner = f"{path}.{step.id}" if path and not isinstance(step, If) else getattr(step, "id", path)
        if isinstance(step, Struct):
            # an item of a loop is a structure of the same name, and a field alone in its type goes by the
            # name of the attribute that holds it
            around = path if last(path) == step.id and len(steps) == 1 else inner
            match step.steps:
                case [Number() | Bytes() | Call() | Loop() | Switch() as only]:
                    found.append((around, only))
                case _:
                    found += flat(step.steps, around)
        else:
            found.append((inner, step))
    return found


def reaches_call(steps: list[Step]) -> bool:
    """Whether a type that contains itself is among the steps: then they carry a depth."""
    for step in steps:
        match step:
            case Call():
                return True
            case Struct() | Loop() | If():
                if reaches_call(step.steps):
                    return True
            case Switch():
                if any(reaches_call(inner) for _, inner in step.cases) or reaches_call(step.default or []):
                    return True
    return False


def readers(out: Source) -> list[str]:
    own = sorted(reader for reader in out.readers if not reader.endswith("e"))
    return [f"        {reader} = self.{reader}" for reader in own]


def last(path: str) -> str:
    return path.rpartition(".")[2]
