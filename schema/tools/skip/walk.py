"""A walk over all that a type is made of: what the languages share, and `index_T` in Python."""

from abc import ABC, abstractmethod
from collections import Counter
from typing import Generic, TypeVar

from skip.expression import Binary, Const, Expr, Unsupported, Var, binary, bounds, variables
from skip.fold import Folder
from skip.python import PythonSource
from skip.source import Source
from skip.steps import (
    Bytes,
    Call,
    If,
    Loop,
    Number,
    Step,
    Switch,
    flat,
    free_variables,
    is_nested,
    named,
    outliving,
    run,
    spent,
    uses,
)

S = TypeVar("S", bound=Source)


class Walk(ABC, Generic[S]):
    """Every step merged with its neighbours, nothing said about what went wrong.

    The positions of the items of each repeated field in `targets` are kept. What is written is a
    function to be called from outside, or the one by which a type that contains itself is skipped.
    """

    def __init__(self, folder: Folder, name: str, targets: list[str], *, recursive: bool = False) -> None:
        self.folder, self.type, self.targets, self.recursive = folder, name, targets, recursive
        self.steps = folder.fold(name)[1]
        self.arguments = free_variables(self.steps)
        # by the identity of a loop: the number of the list that its positions are kept in
        self.kept = {
            id(step): number
            for number, target in enumerate(targets)
            for step in named(self.steps, target.split("."))
            if isinstance(step, Loop)
        }
        if missing := [target for number, target in enumerate(targets) if number not in self.kept.values()]:
            raise Unsupported(f"/types/{name}: no repeated {', '.join(missing)} to index")

    @property
    def next_depth(self) -> str:
        """How deep a type that contains itself is, when it is met."""
        return "depth + 1" if self.recursive else str(first_depth(self.folder, self.type) + 1)

    def walk(self, out: S, steps: list[Step]) -> None:
        leaves = flat(steps)
        for i, (step, unused) in enumerate(zip(leaves, spent(leaves, out.counts), strict=True)):
            self.step(out, step, leaves[i + 1] if i + 1 < len(leaves) else None)
            for var in unused:
                out.names.pop(var, None)  # another number may have its name
        out.flush()

    def step(self, out: S, step: Step, following: Step | None) -> None:
        match step:
            case Number():
                self.number(out, step, following)
            case Bytes():
                self.bytes(out, step)
            case Loop() if step.steps:
                self.loop(out, step)
            case Switch():
                out.flush()
                out.choose(step, self.walk)
            case If():
                out.flush()
                for var in outliving(step.steps, out.counts):
                    out.assign(var, "0")
                with out.when(step.condition):
                    self.walk(out, step.steps)
            case Call():
                out.flush()
                self.call(out, step)

    def number(self, out: S, step: Number, _: Step | None) -> None:
        if out.counts[step.var]:
            out.assign(step.var, out.read(step))
            out.refuse_if(*(check.refuses for check in step.checks))
        out.pending += step.size

    def bytes(self, out: S, step: Bytes) -> None:
        if step.contents:
            out.expect(step.contents)
        out.skip(step.size)

    @abstractmethod
    def loop(self, out: S, step: Loop) -> None: ...

    @abstractmethod
    def call(self, out: S, step: Call) -> None: ...


class FastWalk(Walk[PythonSource]):
    """`index_T`, or `_skip_T` for a type that contains itself."""

    def source(self) -> str:
        out = PythonSource(counts=Counter(uses(self.steps)))
        self.lists = [out.name(Var(target.rpartition(".")[2])) for target in self.targets]
        arguments = [out.name(var) for var in self.arguments]
        self.walk(out, self.steps)
        given = ["buf: Buffer", "pos: int", *(f"{argument}: int" for argument in arguments)]
        result = f"tuple[{'Positions, ' * len(self.lists)}int]" if self.lists else "int"
        if self.recursive:
            head = [
                f"    def _skip_{self.type}(self, {', '.join([*given, 'depth: int'])}) -> int:",
                f"        if depth > {self.folder.depths[self.type]}:",
                "            raise Refused",
            ]
        else:
            head = [f"    def _index_{self.type}(self, {', '.join(given)}) -> {result}:"]
            with out.block("if pos > len(buf)"):
                out.add("raise Refused")
        out.add(f"return {', '.join([*self.lists, 'pos'])}")
        lists = [f'        {name} = array("q")' for name in self.lists]
        body = "\n".join([*head, *out.aliases(), *lists, *out.lines]) + "\n"
        return body if self.recursive else body + "\n" + self.public(arguments, result)

    def public(self, arguments: list[str], result: str) -> str:
        given = "".join(f", {argument}: int" for argument in arguments)
        passed = "".join(f", {argument}" for argument in arguments)
        listed = "".join(f"the positions of `{target}`, " for target in self.targets)
        depth = f", {first_depth(self.folder, self.type)}" if is_nested(self.steps) else ""
        return f'''\
    def index_{self.type}(self, buf: Buffer, pos: int{given}) -> {result}:
        """{(listed + "the end").capitalize()}. Raises `Refused`."""
        try:
            return self._index_{self.type}(buf, pos{passed})
        except (error, OverflowError, Refused):
            self.check_{self.type}(buf, pos{depth}{passed})
            raise Refused("other", pos, "", "can't be walked over") from None
'''

    def number(self, out: PythonSource, step: Number, following: Step | None) -> None:
        is_size = isinstance(following, Bytes) and _is_plain(following.size, step.var)
        if is_size and out.counts[step.var] == 1 and not step.checks:
            out.names[step.var] = out.read(step)  # read where it is used
            out.pending += step.size
        else:
            super().number(out, step, following)

    def bytes(self, out: PythonSource, step: Bytes) -> None:
        if bounds(step.size)[0] < 0:
            out.refuse_if(Binary("<", step.size, Const(0)))
        super().bytes(out, step)

    def loop(self, out: PythonSource, step: Loop) -> None:
        out.flush()
        with out.block(f"if {out.expr(binary('*', step.count, Const(step.item_size)))} > len(buf) - pos"):
            out.add("raise Refused")
        if found := run(step.steps, out.counts):
            self.run(out, step, *found)
        else:
            self.items(out, step, step.steps)

    def items(self, out: PythonSource, step: Loop, steps: list[Step]) -> None:
        with out.block(f"for _ in repeat(None, {out.expr(step.count)})"):
            if id(step) in self.kept:
                out.add(f"{self.lists[self.kept[id(step)]]}.append(pos)")
            self.walk(out, steps)

    def run(self, out: PythonSource, step: Loop, length: Number, limit: Const) -> None:
        """Items that are a length and that many bytes: no item can be over the limit if all together aren't."""
        start = Var("start")
        out.assign(start, "pos")
        kept = f", {self.lists[self.kept[id(step)]]}" if id(step) in self.kept else ""
        out.add(f"pos = {out.reader(length, 'chain_')}(buf, pos, {out.expr(step.count)}{kept})")
        with out.block(f"if pos - {out.name(start)} > {out.expr(limit)}"):
            out.add(f"pos = {out.name(start)}")
            with out.block(f"for _ in repeat(None, {out.expr(step.count)})"):
                self.walk(out, step.steps)
        del out.names[start]

    def call(self, out: PythonSource, step: Call) -> None:
        out.add(f"pos = self._skip_{step.type}(buf, pos, {self.next_depth})")


def first_depth(folder: Folder, name: str) -> int:
    """How deep the function for a type starts: types that contain themselves count as a level of depth each."""
    return 1 if name in folder.depths else 0


def _is_plain(size: Expr, var: Var) -> bool:
    """Whether a size is computed from nothing but a variable, and only once."""
    return variables(size) == [var] and bounds(size)[0] >= 0
