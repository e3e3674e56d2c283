"""Writes folded steps as Python source: one class per layout, with these methods.

- `index_T(buf)` walks over a T and gives the positions of what the plan asks for, and its end;
- `read_T(buf, pos)` gives the fields of one T that the plan asks for, `table_T(data, pos)` those of
  many at once, as numpy arrays;
- `check_T(buf, pos)` walks in small steps, and says where and why a T can't be read. An index that
  fails leaves the telling to it.
"""

import keyword
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from skip.expression import Const, Expr, Unsupported, Var, to_python, variables
from skip.fold import (
    Bytes,
    Call,
    Check,
    Folder,
    If,
    Loop,
    Number,
    Step,
    Struct,
    Switch,
    defined,
    free_variables,
    uses,
)

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


class FastWalk:
    """`index_T`: every step merged with its neighbours, nothing said about what went wrong."""

    def __init__(self, folder: Folder, name: str, targets: list[str]) -> None:
        self.folder, self.type, self.targets = folder, name, targets
        _, self.steps = folder.fold(name)
        self.recursive = name in folder.depths and not targets
        self.arguments = free_variables(self.steps)
        self.found: list[str] = []

    def source(self) -> str:
        out = Source(counts=Counter(uses(self.steps)))
        arguments = [out.name(var) for var in self.arguments]
        self.walk(out, self.steps, "")
        out.flush()
        if missing := set(self.targets) - set(self.found):
            raise Unsupported(f"/types/{self.type}: no repeated {', '.join(sorted(missing))} to index")
        if not self.recursive:
            out.add("if pos > len(buf):")
            out.add("    raise Refused")
        lists = [_last(target) for target in self.targets]
        out.add(f"return {', '.join([*lists, 'pos'])}")
        name = f"_skip_{self.type}" if self.recursive else f"_index_{self.type}"
        given = ["buf: Buffer", "pos: int", *(["depth: int"] if self.recursive else []), *(f"{a}: int" for a in arguments)]
        result = f"tuple[{'list[int], ' * len(lists)}int]" if lists else "int"
        head = [f"    def {name}(self, {', '.join(given)}) -> {result}:"]
        if self.recursive:
            head += [f"        if depth > {self.folder.depths[self.type]}:", "            raise Refused"]
        head += _readers(out)
        head += [f"        {name}: list[int] = []" for name in lists]
        body = "\n".join([*head, *out.lines]) + "\n"
        return body if self.recursive else body + "\n" + self._public(arguments, lists, result)

    def _public(self, arguments: list[str], lists: list[str], result: str) -> str:
        given = "".join(f", {argument}: int" for argument in arguments)
        passed = "".join(f", {argument}" for argument in arguments)
        listed = "".join(f"the positions of `{target}`, " for target in self.targets)
        depth = ", 0" if reaches_call(self.steps) else ""
        return f'''\
    def index_{self.type}(self, buf: Buffer, pos: int{given}) -> {result}:
        """{(listed + "the end").capitalize()}. Raises `Refused`."""
        try:
            return self._index_{self.type}(buf, pos{passed})
        except (error, OverflowError, Refused):
            self.check_{self.type}(buf, pos{depth}{passed})
            raise Refused("other", pos, "", "can't be walked over") from None
'''

    def walk(self, out: Source, steps: list[Step], path: str) -> None:
        steps = flat(steps, path)
        spent = None
        for i, (inner, step) in enumerate(steps):
            following = steps[i + 1][1] if i + 1 < len(steps) else None
            match step:
                case Number():
                    self.number(out, step, following)
                    if _is_size_of(step.var, following) and out.counts[step.var] == 1 + len(step.checks):
                        spent = step.var
                case Bytes():
                    self.bytes(out, step)
                    out.names.pop(spent, None)  # another length may have its name
                case Loop():
                    self.loop(out, step, inner)
                case Switch():
                    self.switch(out, step, inner)
                case If():
                    out.flush()
                    with out.block(f"if {out.expr(step.condition)}:"):
                        self.walk(out, step.steps, path)
                        out.flush()
                case Call():
                    out.flush()
                    depth = "depth + 1" if self.recursive else "1"
                    out.add(f"pos = self._skip_{step.type}(buf, pos, {depth})")

    def number(self, out: Source, step: Number, following: Step | None) -> None:
        if out.counts[step.var] == 1 and not step.checks and _is_size_of(step.var, following):
            out.names[step.var] = out.read(step)  # read where it is used
        elif out.counts[step.var]:
            out.add(f"{out.name(step.var)} = {out.read(step)}")
            self.check(out, step)
        out.pending += step.size

    def check(self, out: Source, step: Number) -> None:
        if step.checks:
            with out.block(f"if {' or '.join(condition(out, step, c, self.folder.enums) for c in step.checks)}:"):
                out.add("raise Refused")

    def bytes(self, out: Source, step: Bytes) -> None:
        if step.contents is not None:
            with out.block(f"if buf[{out.here} : {out.here} + {len(step.contents)}] != {step.contents!r}:"):
                out.add("raise Refused")
        out.skip(step.size)

    def loop(self, out: Source, step: Loop, path: str) -> None:
        out.flush()
        count = out.expr(step.count)
        with out.block(f"if {out.expr(step.count, 8)} * {step.item_size} > len(buf) - pos:"):
            out.add("raise Refused")
        target = path if path in self.targets else None
        if target:
            self.found.append(path)
        if run := _run(step.steps, out.counts):
            self.run(out, step, run, count, target)
            return
        with out.block(f"for _ in range({count}):"):
            if target:
                out.add(f"{_last(target)}.append(pos)")
            self.walk(out, step.steps, path)
            out.flush()

    def run(self, out: Source, step: Loop, length: Number, count: str, target: str | None) -> None:
        """Items that are a length and that many bytes: no item can be over the limit if all together aren't."""
        limits = [check.expected for check in length.checks]
        unchecked = replace(length, checks=[])
        steps = [unchecked if inner is length else inner for _, inner in flat(step.steps, "")]
        if limits:
            out.add("start = pos")
        with out.block(f"for _ in range({count}):"):
            if target:
                out.add(f"{_last(target)}.append(pos)")
            self.walk(out, steps, "")
            out.flush()
        if limits:
            with out.block(f"if pos - start > {out.expr(limits[0])}:"):
                out.add("pos = start")
                with out.block(f"for _ in range({count}):"):
                    out.add(f"{out.name(length.var)} = {out.read(length)}")
                    self.check(out, length)
                    out.pending += length.size
                    for _, inner in flat(step.steps, ""):
                        if isinstance(inner, Bytes):
                            self.bytes(out, inner)
                    out.flush()
        out.names.pop(length.var, None)

    def switch(self, out: Source, step: Switch, path: str) -> None:
        out.flush()
        on = out.expr(step.on)
        word = "if"
        for values, steps in step.cases:
            test = f"{on} == {values[0]}" if len(values) == 1 else f"{on} in ({', '.join(map(str, values))})"
            self.branch(out, f"{word} {test}:", steps, path)
            word = "elif"
        if step.default:
            self.branch(out, "else:", step.default, path)

    def branch(self, out: Source, head: str, steps: list[Step], path: str) -> None:
        with out.block(head):
            before = len(out.lines)
            self.walk(out, steps, path)
            out.flush()
            if len(out.lines) == before:
                out.add("pass")


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
        body = "\n".join([*_readers(out), *out.lines]) + "\n"
        if name in self.folder.depths:
            limit = self.folder.depths[name]
            body = (
                f"        if depth > {limit}:\n"
                f'            raise Refused("depth", pos, "", "is nested more than {limit} levels deep")\n' + body
            )
        called, number = f"check_{name}", 1
        while (source := f"    def {called}(self, {', '.join(given)}) -> int:\n{body}") != self.functions.get(called, source):
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


class FieldRead:
    """`read_T` and `table_T`: the fields of a type up to the first loop or choice.

    A number gives its value, bytes their start and end, a run of numbers (in a table) a row of them
    filled up with zeros; anything else, which must come last, its position.
    """

    def __init__(self, folder: Folder, name: str, targets: list[str], table: bool) -> None:
        self.type, self.targets, self.table = name, targets, table
        _, self.steps = folder.fold(name)
        if free_variables(self.steps):
            raise Unsupported(f"/types/{name}: fields that depend on _parent")

    def source(self) -> str:
        out = Source(counts=Counter(uses(self.steps)), table=self.table)
        results: list[str] = []
        for path, step in flat(self.steps, ""):
            found = self.field(out, step, path, path in self.targets)
            results += found
            if not found and not isinstance(step, Number | Bytes):
                raise Unsupported(f"/types/{self.type}: reading past {path}")
            if path == self.targets[-1]:
                break
        else:
            raise Unsupported(f"/types/{self.type}: no field {self.targets[-1]} to read")
        integer = "Array" if self.table else "int"
        name, buffer = ("table", "data: Array") if self.table else ("read", "buf: Buffer")
        listed = ", ".join(f"`{target}`" for target in self.targets)
        head = [
            f"    def {name}_{self.type}(self, {buffer}, pos: {integer}) -> tuple[{', '.join([integer] * len(results))}]:",
            f'        """{listed} of the {self.type} at {"each" if self.table else "a"} position."""',
            *_readers(out),
        ]
        return "\n".join([*head, *out.lines, f"        return {', '.join(results)}"]) + "\n"

    def field(self, out: Source, step: Step, path: str, wanted: bool) -> list[str]:
        """Reads or skips one field; the names of what it gives."""
        match step:
            case Number():
                if wanted or out.counts[step.var]:
                    out.add(f"{out.name(step.var)} = {out.read(step)}")
                out.pending += step.size
                return [out.name(step.var)] if wanted else []
            case Bytes(item=Number() as item) if wanted and self.table:
                here, count = out.here, out.expr(step.count or Const(0))
                name = out.name(Var(path.replace(".", "_")))
                out.add(f"{name} = {out.reader(item, 'runs_')}(data, {here}, {count})")
                out.skip(step.size)
                return [name]
            case Bytes() if wanted:
                start = self.keep(out, path, "start", out.here)
                out.skip(step.size)
                out.flush()
                return [start, self.keep(out, path, "end", "pos")]
            case Bytes():
                out.skip(step.size)
                return []
        out.flush()
        return ["pos"] if wanted else []

    def keep(self, out: Source, path: str, what: str, here: str) -> str:
        """The position under a name of its own, as it will move on."""
        name = out.name(Var(f"{path}_{what}".replace(".", "_")))
        out.add(f"{name} = {here}")
        return name


def flat(steps: list[Step], path: str) -> list[tuple[str, Step]]:
    """The steps without the structures around them, each with its path."""
    found: list[tuple[str, Step]] = []
    for step in steps:
        inner = f"{path}.{step.id}" if path and not isinstance(step, If) else getattr(step, "id", path)
        if isinstance(step, Struct):
            # an item of a loop is a structure of the same name, and a field alone in its type goes by the
            # name of the attribute that holds it
            around = path if _last(path) == step.id and len(steps) == 1 else inner
            alone = len(step.steps) == 1 and not isinstance(step.steps[0], If)
            found += [(around, replace(step.steps[0]))] if alone and not isinstance(step.steps[0], Struct) else flat(step.steps, around)
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


def _is_size_of(var: Var, step: Step | None) -> bool:
    return isinstance(step, Bytes) and variables(step.size) == [var]


def _run(steps: list[Step], counts: Counter[Var]) -> Number | None:
    """The length, if the steps are nothing but a length and that many bytes."""
    match [step for _, step in flat(steps, "")]:
        case [Number() as length, Bytes(size=size, contents=None)] if size is length.var:
            checked = [check for check in length.checks if check.kind != "max" or not isinstance(check.expected, Const)]
            if not checked and len(length.checks) <= 1 and counts[length.var] == 1 + len(length.checks):
                counts[length.var] = 1
                return length
    return None


def _readers(out: Source) -> list[str]:
    own = sorted(reader for reader in out.readers if not reader.endswith("e"))
    return [f"        {reader} = self.{reader}" for reader in own]


def _last(path: str) -> str:
    return path.rpartition(".")[2]
