"""A function that is being generated: its lines, and the names of its variables."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import count
from typing import ClassVar, Self

from skip.expression import Const, Var
from skip.steps import Step, Switch


@dataclass
class Source:
    """The lines of a function body, and the names of its variables."""

    counts: Counter[Var] = field(default_factory=Counter)  # uses of each variable
    names: dict[Var, str] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)
    depth: int = 1

    case_depth: ClassVar[int]  # how much deeper the lines of a case are than the switch

    def add(self, line: str) -> None:
        self.lines.append("    " * self.depth + line)

    def name(self, var: Var) -> str:
        """Return a name for a variable, unique among those in use.

        It ends with _ and maybe a number: no keyword does, and no name of a library or a runtime.
        """
        if var not in self.names:
            taken = self.names.values()
            names = (f"{var.hint}_{number}" if number > 1 else f"{var.hint}_" for number in count(1))
            self.names[var] = next(name for name in names if name not in taken)
        return self.names[var]

    def cases(
        self, step: Switch, write: Callable[[Self, list[Step]], None]
    ) -> tuple[list[tuple[list[Const], list[str]]], list[str]]:
        """Return the lines that `write` writes for each case of a switch and its default. Equal cases are merged."""
        default = self.branch(step.default, write)
        groups: list[tuple[list[Const], list[str]]] = []
        for value, steps in step.cases:
            lines = self.branch(steps, write)
            same = next((values for values, others in groups if others == lines), None)
            if same is not None:
                same.append(value)
            elif lines or default:
                groups.append(([value], lines))
        return groups, default

    def branch(self, steps: list[Step], write: Callable[[Self, list[Step]], None]) -> list[str]:
        """Return the lines for steps of one branch: other branches can use the same names."""
        out = replace(self, lines=[], names=dict(self.names), depth=self.depth + self.case_depth)
        write(out, steps)
        return out.lines
