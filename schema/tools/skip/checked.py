"""Writes `check_T`: a walk in small steps, that says where and why a T can't be read."""

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from skip.fold import Folder
from skip.source import Source, condition, expectation, reaches_call, readers
from skip.steps import Bytes, Call, If, Loop, Number, Step, Struct, Switch, defined, free_variables, uses


class CheckedWalk:
    """`check_T` for a type and all that it is made of: slow, exact about what is wrong and where."""

    def __init__(self, folder: Folder) -> None:
        self.folder = folder
        self.functions: dict[str, str] = {}
        self.todo: list[str] = []

    def sources(self, names: Iterable[str]) -> Iterable[str]:
        self.todo = list(names)
        while self.todo:
            name = self.todo.pop(0)
            if f"check_{name}" not in self.functions:
                self.function(name, self.folder.fold(name)[1])
        return self.functions.values()

    def function(self, name: str, steps: list[Step]) -> str:
        """Writes the function of a type, and gives back its name: a type can be folded in several ways."""
        out = Source(counts=Counter(uses(steps)))
        arguments = [out.name(var) for var in free_variables(steps)]
        self.walk(out, steps)
        out.add("return pos")
        given = ["buf: Buffer", "pos: int", *(["depth: int"] if reaches_call(steps) else [])]
        given += [f"{argument}: int" for argument in arguments]
        body = "\n".join([*readers(out), *out.lines]) + "\n"
        if name in self.folder.depths:
            limit = self.folder.depths[name]
            body = (
                f"        if depth > {limit}:\n"
                f'            raise Refused("depth", pos, "", "is nested more than {limit} levels deep")\n' + body
            )
        called, number = f"check_{name}", 1
        while (source := f"    def {called}(self, {', '.join(given)}) -> int:\n{body}") != self.functions.get(
            called, source
        ):
            number += 1
            called = f"check_{name}{number}"
        self.functions[called] = source
        return called

    def walk(self, out: Source, steps: list[Step]) -> None:
        for step in steps:
            match step:
                case Number():
                    self.number(out, step)
                case Bytes():
                    self.bytes(out, step)
                case Struct():
                    self.struct(out, step)
                case Call():
                    self.todo.append(step.type)
                    with self.within(out, f'"{step.id}"'):
                        out.add(f"pos = self.check_{step.type}(buf, pos, depth + 1)")
                case Loop():
                    self.loop(out, step)
                case Switch():
                    self.switch(out, step)
                case If():
                    with out.block(f"if {out.expr(step.condition)}:"):
                        self.walk(out, step.steps)

    def number(self, out: Source, step: Number) -> None:
        out.add(f'need(buf, pos, {step.size}, "{step.id}")')
        if out.counts[step.var]:
            out.add(f"{out.name(step.var)} = {out.read(step)}")
        for check in step.checks:
            with out.block(f"if {condition(out, step, check, self.folder.enums)}:"):
                says = f'f"is {{{out.name(step.var)}}}, expected {expectation(out, check)}"'
                out.add(f'raise Refused("invalid", pos, "/{step.id}", {says})')
        out.add(f"pos += {step.size}")

    def bytes(self, out: Source, step: Bytes) -> None:
        size = out.expr(step.size)
        out.add(f'need(buf, pos, {size}, "{step.id}")')
        if step.contents is not None:
            with out.block(f"if buf[pos : pos + {size}] != {step.contents!r}:"):
                says = f'f"is {{bytes(buf[pos : pos + {size}])!r}}, expected {step.contents!r}"'
                out.add(f'raise Refused("invalid", pos, "/{step.id}", {says})')
        out.add(f"pos += {size}")

    def struct(self, out: Source, step: Struct, field: str | None = None) -> None:
        match step.steps:
            case [Number() | Bytes() | Struct() | Loop() | Switch() as only] if field is None:
                # a field alone in its type goes by the name of the attribute that holds it
                self.walk(out, [replace(only, id=step.id)])
                return
        with self.within(out, field or f'"{step.id}"'):
            inside = Counter(uses(step.steps))
            if not step.type or any(out.counts[var] > inside[var] for var in defined(step.steps)):
                # numbers of this structure are used around it
                self.walk(out, step.steps)
                return
            name = self.function(step.type, step.steps)
            passed = ", depth" if reaches_call(step.steps) else ""
            passed += "".join(f", {out.name(var)}" for var in free_variables(step.steps))
            out.add(f"pos = self.{name}(buf, pos{passed})")

    @contextmanager
    def within(self, out: Source, field: str) -> Iterator[None]:
        """Whatever is refused inside happened in this field."""
        with out.block("try:"):
            yield
        with out.block("except Refused as refused:"):
            out.add(f"raise refused.within({field}) from None")

    def loop(self, out: Source, step: Loop) -> None:
        count = out.expr(step.count)
        out.add(f'need(buf, pos, {out.expr(step.count, 8)} * {step.item_size}, "{step.id}")')
        with out.block(f"for item in range({count}):"):
            field = f'f"{step.id}/{{item}}"'
            match step.steps:
                case [Struct() as struct]:
                    self.struct(out, struct, field)
                case [Call() as call]:
                    self.todo.append(call.type)
                    with self.within(out, field):
                        out.add(f"pos = self.check_{call.type}(buf, pos, depth + 1)")
                case _:
                    with self.within(out, field):
                        self.walk(out, step.steps)

    def switch(self, out: Source, step: Switch) -> None:
        on = out.expr(step.on)
        word = "if"
        for values, steps in step.cases:
            test = f"{on} == {values[0]}" if len(values) == 1 else f"{on} in ({', '.join(map(str, values))})"
            with out.block(f"{word} {test}:"):
                self.walk(out, steps)
            word = "elif"
        if step.default:
            with out.block("else:"):
                self.walk(out, step.default)
