"""Generate `index_T` in Python: where a T ends, where the items in it start, and what is wrong with it."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count

from skip.expression import Binary, Const, Var, binary, bounds
from skip.fold import Folder
from skip.python import PythonSource, escaped, in_words, literal, quoted
from skip.steps import (
    Bytes,
    Call,
    If,
    Loop,
    Number,
    Step,
    Struct,
    Switch,
    every,
    free_variables,
    is_nested,
    kept_loops,
    outliving,
    run,
    uses,
)


class Index:
    """Generates `index_T` for types, and `check_T` for the types that they contain.

    A step goes by a `field`: its id, or what it is the item of and `{item}`. A field alone in its type
    goes by the name of the attribute that holds it, unless it is a structure that has fields to name.
    """

    def __init__(self, folder: Folder, index: dict[str, list[str]]) -> None:
        """`index` maps types to the repeated fields whose item positions are kept."""
        self.folder = folder
        self.index = index
        self.names = dict.fromkeys([*(name for name in index if not index[name]), *folder.called(index)])
        self.functions: dict[str, str] = {}  # sources without the function names
        self.kept: dict[int, Var] = {}  # the list that keeps the positions of a loop, by the identity of the loop
        self.depth = "depth"

    def sources(self) -> Iterator[str]:
        roots = [self.root(name, targets) for name, targets in self.index.items()]
        for name in self.names:
            self.own(name)
        yield from roots
        for called, source in self.functions.items():
            yield self.method(called, source)

    def method(self, name: str, source: str) -> str:
        return f"    def {name}{source}"

    def root(self, name: str, targets: list[str]) -> str:
        """Return the source of `index_T`."""
        steps = self.folder.fold(name)[1]
        lists = [Var(target.rpartition(".")[2]) for target in targets]
        self.kept = {loop: lists[number] for loop, number in kept_loops(name, steps, targets).items()}
        self.depth = str(int(name in self.folder.depths))  # each type that contains itself is a level
        out = PythonSource(counts=Counter(uses(steps)))
        names = [out.name(var) for var in lists]
        arguments = [out.name(var) for var in free_variables(steps)]
        if targets:
            for each in names:
                out.add(f'{each} = array("q")')
            with out.block("try"):
                self.write(out, steps)
            with out.block("except Refused as refused"):
                out.add(f"refused.found = [{', '.join(names)}]")
                out.add("raise")
            out.add(f"return {', '.join(names)}, pos")
        else:
            passed = [*([self.depth] if is_nested(steps) or name in self.folder.depths else []), *arguments]
            out.add(f"return self.check_{name}({', '.join(['buf', 'pos', *passed])})")
        self.kept, self.depth = {}, "depth"
        given = ["buf: Buffer", "pos: int", *(f"{argument}: int" for argument in arguments)]
        result = f"tuple[{'Positions, ' * len(lists)}int]" if lists else "int"
        listed = "".join(f"the positions of `{target}`, " for target in targets)
        head = [
            f"    def index_{name}(self, {', '.join(given)}) -> {result}:",
            f'        """{(listed + "the end").capitalize()}. Raises `Refused`."""',
        ]
        return "\n".join([*head, *out.aliases(), *out.lines]) + "\n"

    def own(self, name: str) -> None:
        """Write `check_T`. Its source can differ for a T that takes numbers from the structure around it."""
        if f"check_{name}" not in self.functions:
            self.functions[f"check_{name}"] = self.function(name, self.folder.fold(name)[1])

    def inside(self, name: str, steps: list[Step]) -> str:
        """Write the function of a type inside another type, and return its name."""
        if name in self.names:
            self.own(name)
        source = self.function(name, steps)
        others = {f"check_{other}" for other in self.names if other != name}
        numbered = (f"check_{name}{number}" if number > 1 else f"check_{name}" for number in count(1))
        free = (called for called in numbered if called not in others)
        return next(called for called in free if self.functions.setdefault(called, source) == source)

    def function(self, name: str, steps: list[Step]) -> str:
        """Return the source of a function, without its name."""
        outer, self.depth = self.depth, "depth"
        out = PythonSource(counts=Counter(uses(steps)))
        arguments = [f"{out.name(var)}: int" for var in free_variables(steps)]
        arguments += [f"{out.name(var)}: Positions" for var in self.lists(steps)]
        self.write(out, steps)
        self.depth = outer
        limit = self.folder.depths.get(name)
        given = ["buf: Buffer", "pos: int", *(["depth: int"] if limit or is_nested(steps) else []), *arguments]
        head = [f"(self, {', '.join(given)}) -> int:"]
        if limit:
            head.append(f"        if depth > {limit}:")
            head.append(f'            raise Refused("depth", pos, "", "is nested more than {limit} levels deep")')
        return "\n".join([*head, *out.aliases(), *out.lines, "        return pos"]) + "\n"

    def lists(self, steps: list[Step]) -> list[Var]:
        """Return the lists of positions that are kept for the steps."""
        return list(dict.fromkeys(self.kept[id(step)] for step in every(steps) if id(step) in self.kept))

    def write(self, out: PythonSource, steps: list[Step], field: str = "") -> None:
        """Write steps under their own ids, or all under one field."""
        for step in steps:
            self.step(out, step, field or step.id)

    def step(self, out: PythonSource, step: Step, field: str) -> None:
        match step:
            case Number():
                self.number(out, step, field)
            case Bytes():
                self.bytes(out, step, field)
            case Struct(type="") | Struct(steps=[Number() | Bytes() | Loop() | Switch()]):
                self.write(out, step.steps, field)
            case Struct():
                with self.within(out, field):
                    self.struct(out, step)
            case Call():
                with self.within(out, field):
                    self.call(out, step)
            case Loop() if step.steps:
                self.loop(out, step, field)
            case Switch():
                out.choose(step, lambda branch, steps: self.write(branch, steps, field))
            case If():
                for var in outliving(step.steps, out.counts):
                    out.assign(var, "0")  # it may be passed on before the condition is checked again
                with out.when(out.expr(step.condition)):
                    self.write(out, step.steps, field)

    def call(self, out: PythonSource, step: Call) -> None:
        out.add(f"pos = self.check_{step.type}(buf, pos, {self.deeper()})")

    def deeper(self) -> str:
        """Return the depth of nested structures."""
        return str(int(self.depth) + 1) if self.depth.isdigit() else f"{self.depth} + 1"

    def number(self, out: PythonSource, step: Number, field: str) -> None:
        self.need(out, step.size, field)
        if out.counts[step.var]:
            out.assign(step.var, f"{out.reader(step)}(buf, pos)[0]")
        for check in step.checks:
            with out.block(f"if {out.expr(check.refuses)}"):
                self.refuse(out, field, f"is {{{out.name(step.var)}}}, expected {in_words(out, check)}")
        out.add(f"pos += {step.size}")

    def bytes(self, out: PythonSource, step: Bytes, field: str) -> None:
        size = out.expr(step.size)
        if bounds(step.size)[0] < 0:
            with out.block(f"if {out.expr(Binary('<', step.size, Const(0)))}"):
                self.refuse(out, field, f"has a size of {{{size}}}")
        self.need(out, size, field)
        if step.contents:
            with out.block(f"if buf[pos : pos + {size}] != {literal(step.contents)}"):
                expected = escaped(repr(step.contents))
                self.refuse(out, field, f"is {{bytes(buf[pos : pos + {size}])!r}}, expected {expected}")
        out.add(f"pos += {size}")

    def struct(self, out: PythonSource, step: Struct) -> None:
        if outliving(step.steps, out.counts):
            self.write(out, step.steps)
            return
        name = self.inside(step.type, step.steps)
        passed = f", {self.depth}" if is_nested(step.steps) else ""
        passed += "".join(f", {out.name(var)}" for var in [*free_variables(step.steps), *self.lists(step.steps)])
        out.add(f"pos = self.{name}(buf, pos{passed})")

    def loop(self, out: PythonSource, step: Loop, field: str) -> None:
        self.need(out, out.expr(binary("*", step.count, Const(step.item_size))), field)
        item = Var("item")
        items = out.expr(step.count)
        kept = out.name(self.kept[id(step)]) if id(step) in self.kept else None
        if found := run(step.steps, out.counts):
            length, limit = found
            known = f"{out.reader(length, 'chain_')}, buf, pos, {items}, {out.expr(limit)}"
            out.add(f"{out.name(item)}, pos = sound({known}{f', found={kept}' if kept else ''})")
            items = f"{out.name(item)}, {items}"
        with out.block(f"for {out.name(item)} in range({items})"):
            if kept:
                out.add(f"{kept}.append(pos)")
            self.write(out, step.steps, f"{field}/{{{out.name(item)}}}")
        del out.names[item]

    def need(self, out: PythonSource, size: int | str, field: str) -> None:
        out.add(f"need(buf, pos, {size}, {quoted(field)})")

    def refuse(self, out: PythonSource, field: str, reason: str) -> None:
        out.add(f'raise Refused("invalid", pos, {quoted("/" + field)}, f"{reason}")')

    @contextmanager
    def within(self, out: PythonSource, field: str) -> Iterator[None]:
        """Add this field to the path of refusals inside the block."""
        with out.block("try"):
            yield
        with out.block("except Refused as refused"):
            out.add(f"raise refused.within({quoted(field)}) from None")
