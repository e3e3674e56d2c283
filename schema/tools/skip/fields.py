"""Writes `table_T`: what the fields of many Ts are."""

from collections import Counter
from collections.abc import Iterable

from skip.expression import Binary, Const, Unsupported, Var, at
from skip.fold import Folder
from skip.python import PythonSource
from skip.steps import INTEGERS, Bytes, Check, Number, Step, flat, free_variables, named, uses


def fold_alone(folder: Folder, name: str) -> list[Step]:
    """The steps of a type that takes nothing from its parent."""
    steps = folder.fold(name)[1]
    if free := free_variables(steps):
        raise Unsupported(f"/types/{name}: fields that depend on {free[0].hint} of its _parent")
    return steps


def fields(folder: Folder, name: str, targets: list[str]) -> list[tuple[Step, str]]:
    """The fields of a type up to the last that is wanted, each with the path that it is wanted by, or ""."""
    steps = fold_alone(folder, name)
    paths = {id(step): target for target in targets for step in named(steps, target.split("."))}
    missing = [target for target in targets if target not in paths.values()]
    found: list[tuple[Step, str]] = []
    with at(f"/types/{name}"):
        if missing or not targets:
            raise Unsupported(f"no field {', '.join(missing)} to read")
        for step in flat(steps):
            found.append((step, paths.get(id(step), "")))
            if found[-1][1] == targets[-1]:
                break
            if not isinstance(step, Number | Bytes):
                raise Unsupported(f"reading past {step.id}")
        if [path for _, path in found if path] != targets:
            raise Unsupported(f"fields that are not in their order: {', '.join(targets)}")
    return found


def sizes(steps: Iterable[Step]) -> Counter[Var]:
    """What the sizes of fields that are not walked over, and so not checked, depend on."""
    return Counter(uses([step for step in steps if isinstance(step, Bytes)]))


def is_limit(check: Check) -> bool:
    """Whether numpy computes a condition for many numbers at once as Python does for one."""
    least, most = INTEGERS["s8"]
    match check.refuses:
        case Binary(op="<" | ">", left=Var(), right=Const(value)):
            return least <= value <= most
    return False


def pass_over(out: PythonSource, step: Step) -> None:
    """Skips a number, which is read if a size depends on it, or bytes."""
    match step:
        case Number():
            if out.counts[step.var]:
                out.assign(step.var, out.read(step))
            out.pending += step.size
        case Bytes():
            out.skip(step.size)


class FieldTable:
    """`table_T`: the fields of many items of a type, up to the first loop or choice.

    A number gives its value, bytes their start and end, a run of numbers a row of them filled up with
    zeros; anything else, which must come last, its position.

    It is for items that have been indexed, and checks again what a program relies on: the data may
    have changed since then.
    """

    def __init__(self, folder: Folder, name: str, targets: list[str]) -> None:
        self.type, self.targets = name, targets
        self.fields = fields(folder, name, targets)

    def source(self) -> str:
        out = PythonSource(counts=sizes(step for step, _ in self.fields), is_table=True)
        results: list[str] = []
        with at(f"/types/{self.type}"):
            for step, path in self.fields:
                results += self.field(out, step, path)
        listed = ", ".join(f"`{target}`" for target in self.targets)
        result = f"tuple[{', '.join(['Array'] * len(results))}]"
        head = [
            f"    def table_{self.type}(self, data: Array, pos: Array) -> {result}:",
            f'        """{listed} of the {self.type} at each position."""',
            *out.aliases(),
        ]
        given = ", ".join(results) + ("," if len(results) == 1 else "")
        return "\n".join([*head, *out.lines, f"        return {given}"]) + "\n"

    def field(self, out: PythonSource, step: Step, path: str) -> list[str]:
        """Reads or skips one field; the names of what it gives."""
        match step:
            case Number() if path or out.counts[step.var]:
                self.number(out, step)
                return [out.name(step.var)] if path else []
            case _ if not path:
                pass_over(out, step)
                return []
            case Bytes(item=Number() as item, count=count) if count is not None:
                here, counts = out.here, out.expr(count)
                if isinstance(count, Const):
                    counts = f"np.full(len(pos), {counts})"
                row = self.keep(out, path, "", f"{out.reader(item, 'runs_')}(data, {here}, {counts})")
                out.skip(step.size)
                return [row]
            case Bytes():
                start = self.keep(out, path, "_start", out.here)
                out.skip(step.size)
                out.flush()
                out.add(f'refuse_any(({start} > pos) | (pos > len(data)), {start}, "{step.id}")')
                return [start, self.keep(out, path, "_end", "pos")]
        out.flush()
        return ["pos"]

    def number(self, out: PythonSource, step: Number) -> None:
        """Reads a number, and checks it before it becomes part of a position."""
        name, here = out.name(step.var), out.here
        out.add(f"{name} = {out.reader(step, 'each_')}(data, {here})")
        for check in filter(is_limit, step.checks):
            out.add(f'refuse_any({out.expr(check.refuses)}, {here}, "{step.var.hint}")')
        if out.counts[step.var]:
            out.add(f"{name} = {name}.astype(np.int64)")
        out.pending += step.size

    def keep(self, out: PythonSource, path: str, what: str, value: str) -> str:
        """What will move on, under a name of its own."""
        var = Var(path.replace(".", "_") + what)
        out.assign(var, value)
        return out.name(var)
