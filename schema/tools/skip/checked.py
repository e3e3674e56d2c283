"""Writes `check_T`: a walk in small steps, that says where and why a T can't be read."""

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import count

from skip.expression import Binary, Const, Var, binary, bounds
from skip.fold import Folder
from skip.python import PythonSource, escaped, in_words, quoted
from skip.steps import (
    Bytes,
    Call,
    If,
    Loop,
    Number,
    Step,
    Struct,
    Switch,
    free_variables,
    is_nested,
    outliving,
    run,
    uses,
)


class CheckedWalk:
    """`check_T` for types and all that they are made of: slow, exact about what is wrong and where.

    A step goes by a `field`: its id, or what it is the item of and `{item}`. A field alone in its type
    goes by the name of the attribute that holds it, unless it is a structure that has fields to name.
    """

    def __init__(self, folder: Folder, names: Iterable[str]) -> None:
        self.folder = folder
        self.names = [*names, *folder.called(names)]
        self.functions: dict[str, str] = {}  # without their names

    def sources(self) -> Iterator[str]:
        for name in self.names:
            self.own(name)
        for called, source in self.functions.items():
            yield f"    def {called}{source}"

    def own(self, name: str) -> None:
        """Writes `check_T`. A T inside of a structure that it takes numbers from can come out otherwise."""
        if f"check_{name}" not in self.functions:
            self.functions[f"check_{name}"] = self.function(name, self.folder.fold(name)[1])

    def inside(self, name: str, steps: list[Step]) -> str:
        """Writes the function of a type as it is inside of another, and gives back its name."""
        if name in self.names:
            self.own(name)
        source = self.function(name, steps)
        others = {f"check_{other}" for other in self.names if other != name}
        numbered = (f"check_{name}{number}" if number > 1 else f"check_{name}" for number in count(1))
        return next(
            called
            for called in numbered
            if called not in others and self.functions.setdefault(called, source) == source
        )

    def function(self, name: str, steps: list[Step]) -> str:
        """The source of a function, without its name."""
        out = PythonSource(counts=Counter(uses(steps)))
        arguments = [out.name(var) for var in free_variables(steps)]
        self.walk(out, steps)
        given = ["buf: Buffer", "pos: int", *(["depth: int"] if is_nested(steps) else [])]
        given += [f"{argument}: int" for argument in arguments]
        head = [f"(self, {', '.join(given)}) -> int:"]
        if limit := self.folder.depths.get(name):
            head.append(f"        if depth > {limit}:")
            head.append(f'            raise Refused("depth", pos, "", "is nested more than {limit} levels deep")')
        return "\n".join([*head, *out.aliases(), *out.lines, "        return pos"]) + "\n"

    def walk(self, out: PythonSource, steps: list[Step]) -> None:
        for step in steps:
            self.step(out, step, step.id)

    def step(self, out: PythonSource, step: Step, field: str) -> None:
        match step:
            case Number():
                self.number(out, step, field)
            case Bytes():
                self.bytes(out, step, field)
            case Struct(type="") | Struct(steps=[Number() | Bytes() | Loop() | Switch()]):
                for inner in step.steps:
                    self.step(out, inner, field)
            case Struct():
                with self.within(out, field):
                    self.struct(out, step)
            case Call():
                with self.within(out, field):
                    out.add(f"pos = self.check_{step.type}(buf, pos, depth + 1)")
            case Loop() if step.steps:
                self.loop(out, step, field)
            case Switch():
                out.choose(step, lambda branch, steps: self.each(branch, steps, field))
            case If():
                for var in outliving(step.steps, out.counts):
                    out.assign(var, "0")  # it may be passed on before the condition is asked for again
                with out.when(step.condition):
                    self.each(out, step.steps, field)

    def each(self, out: PythonSource, steps: list[Step], field: str) -> None:
        for step in steps:
            self.step(out, step, field)

    def number(self, out: PythonSource, step: Number, field: str) -> None:
        self.need(out, step.size, field)
        if out.counts[step.var]:
            out.assign(step.var, out.read(step))
        for check in step.checks:
            with out.when(check.refuses):
                self.refuse(out, field, f"is {{{out.name(step.var)}}}, expected {in_words(out, check)}")
        out.add(f"pos += {step.size}")

    def bytes(self, out: PythonSource, step: Bytes, field: str) -> None:
        size = out.expr(step.size)
        if bounds(step.size)[0] < 0:
            with out.when(Binary("<", step.size, Const(0))):
                self.refuse(out, field, f"has a size of {{{size}}}")
        self.need(out, size, field)
        if step.contents:
            with out.block(f"if buf[pos : pos + {size}] != {step.contents!r}"):
                expected = escaped(repr(step.contents))
                self.refuse(out, field, f"is {{bytes(buf[pos : pos + {size}])!r}}, expected {expected}")
        out.add(f"pos += {size}")

    def struct(self, out: PythonSource, step: Struct) -> None:
        if outliving(step.steps, out.counts):
            self.walk(out, step.steps)
            return
        name = self.inside(step.type, step.steps)
        passed = ", depth" if is_nested(step.steps) else ""
        passed += "".join(f", {out.name(var)}" for var in free_variables(step.steps))
        out.add(f"pos = self.{name}(buf, pos{passed})")

    def loop(self, out: PythonSource, step: Loop, field: str) -> None:
        self.need(out, out.expr(binary("*", step.count, Const(step.item_size))), field)
        item = Var("item")
        items = out.expr(step.count)
        if found := run(step.steps, out.counts):
            length, limit = found
            known = f"{out.reader(length, 'chain_')}, buf, pos, {items}, {out.expr(limit)}"
            out.add(f"{out.name(item)}, pos = sound({known})")
            items = f"{out.name(item)}, {items}"
        with out.block(f"for {out.name(item)} in range({items})"):
            self.each(out, step.steps, f"{field}/{{{out.name(item)}}}")
        del out.names[item]

    def need(self, out: PythonSource, size: int | str, field: str) -> None:
        out.add(f"need(buf, pos, {size}, {quoted(field)})")

    def refuse(self, out: PythonSource, field: str, reason: str) -> None:
        out.add(f'raise Refused("invalid", pos, {quoted("/" + field)}, f"{reason}")')

    @contextmanager
    def within(self, out: PythonSource, field: str) -> Iterator[None]:
        """Whatever is refused inside happened in this field."""
        with out.block("try"):
            yield
        with out.block("except Refused as refused"):
            out.add(f"raise refused.within({quoted(field)}) from None")
