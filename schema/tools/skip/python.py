"""Source in Python."""

import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from typing import ClassVar, Self

from skip.expression import Expr, Var, one_of, to_python, variables
from skip.source import Source
from skip.steps import Check, Number, Step, Switch

STRUCT_CODES = {
    "u1": "B", "s1": "b", "u2": "H", "s2": "h", "u4": "I", "s4": "i", "u8": "Q", "s8": "q", "f4": "f", "f8": "d",
}  # fmt: skip
READERS = {  # prefixes of their names, and how they are created from a struct code
    "": "Struct({}).unpack_from",
    "each_": "each({})",
    "runs_": "runs({})",
    "chain_": "chain({})",
    "pack_": "Struct({}).pack",
}
ORDERS = {"": "", "le": "<", "be": ">"}


@dataclass
class PythonSource(Source):
    """The body of a method of a layout."""

    depth: int = 2
    readers: set[str] = field(default_factory=set)  # readers of the layout, created for its byte order

    case_depth: ClassVar[int] = 1

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        self.add(f"{head}:")
        before = len(self.lines)
        self.depth += 1
        yield
        if len(self.lines) == before:
            self.add("pass")
        self.depth -= 1

    def when(self, condition: str) -> AbstractContextManager[None]:
        return self.block(f"if {condition}")

    def expr(self, expr: Expr, level: int = 0) -> str:
        for var in variables(expr):
            self.name(var)
        return to_python(expr, self.names, level)

    def reader(self, number: Number, prefix: str = "") -> str:
        reader = prefix + number.type + (number.endian if number.size > 1 else "")
        if not number.endian:
            self.readers.add(reader)
        return reader

    def assign(self, var: Var, value: str) -> None:
        self.add(f"{self.name(var)} = {value}")

    def define(self, var: Var, value: str) -> None:
        """Return a variable that keeps its value."""
        self.assign(var, value)

    def choose(self, step: Switch, write: Callable[[Self, list[Step]], None]) -> None:
        """Write a switch, with `write` for each case."""
        groups, default = self.cases(step, write)
        word = "if"
        for values, lines in groups:
            with self.block(f"{word} {self.expr(one_of(step.on, values))}"):
                self.lines += lines
            word = "elif"
        if default:
            with self.block("else"):
                self.lines += default

    def aliases(self) -> list[str]:
        """Return assignments of the layout's readers to local names."""
        return [f"        {reader} = self.{reader}" for reader in sorted(self.readers)]


def in_words(out: PythonSource, check: Check) -> str:
    """Return what a check expects, as part of an f-string."""
    values = (out.expr(value) for value in check.values)
    return check.wanted.format(*(value if value.lstrip("-").isdigit() else f"{{{value}}}" for value in values))


def quoted(text: str) -> str:
    """Return a string literal: an f-string if it has braces."""
    return f'f"{text}"' if "{" in text else f'"{text}"'


def literal(contents: bytes) -> str:
    """Return a bytes literal, in double quotes if it has none."""
    source = repr(contents)
    return source if '"' in source or "\\'" in source else f'b"{source[2:-1]}"'


def escaped(text: str) -> str:
    """Return text escaped for an f-string."""
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("{", "{{").replace("}", "}}")


def module_readers(text: str) -> str:
    """Return the definitions of the readers with a fixed byte order that a source calls."""
    called = set(re.findall(r"\b(?:each_|runs_|chain_|pack_)?[usf][1248](?:le|be)?(?=[(,])", text))
    return "".join(
        f"{reader} = {make.format(quoted(ORDERS[endian] + code))}\n"
        for reader, make, code, endian in _readers()
        if reader in called and (endian or code in "Bb")
    )


def own_readers(text: str) -> str:
    """Return the definitions of the readers that the methods in a source take from their layout."""
    taken = set(re.findall(r"= self\.(\w+)\n", text))
    return "".join(
        f"        self.{reader} = {make.format(f'endian + {quoted(code)}')}\n"
        for reader, make, code, _ in _readers()
        if reader in taken
    )


def _readers() -> Iterator[tuple[str, str, str, str]]:
    for kind, code in STRUCT_CODES.items():
        for endian in ORDERS:
            for prefix, make in READERS.items():
                yield prefix + kind + endian, make, code, endian
