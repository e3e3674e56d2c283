"""Writes `index_T`: every step merged with its neighbours, nothing said about what went wrong."""

from collections import Counter
from dataclasses import replace

from skip.expression import Const, Unsupported, Var, variables
from skip.fold import Folder
from skip.source import Source, condition, flat, last, reaches_call, readers
from skip.steps import Bytes, Call, If, Loop, Number, Step, Switch, free_variables, uses


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
        lists = [last(target) for target in self.targets]
        out.add(f"return {', '.join([*lists, 'pos'])}")
        name = f"_skip_{self.type}" if self.recursive else f"_index_{self.type}"
        given = [
            "buf: Buffer",
            "pos: int",
            *(["depth: int"] if self.recursive else []),
            *(f"{a}: int" for a in arguments),
        ]
        result = f"tuple[{'list[int], ' * len(lists)}int]" if lists else "int"
        head = [f"    def {name}(self, {', '.join(given)}) -> {result}:"]
        if self.recursive:
            head += [f"        if depth > {self.folder.depths[self.type]}:", "            raise Refused"]
        head += readers(out)
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
        flattened = flat(steps, path)
        spent = Var("")
        for i, (inner, step) in enumerate(flattened):
            following = flattened[i + 1][1] if i + 1 < len(flattened) else None
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
                out.add(f"{last(target)}.append(pos)")
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
                out.add(f"{last(target)}.append(pos)")
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
