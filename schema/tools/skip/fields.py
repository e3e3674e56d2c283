"""Generate `table_T` in Python: the fields of many items of a type, up to the first loop or choice."""

from collections import Counter
from dataclasses import dataclass

from skip.expression import (
    PRECEDENCE,
    Binary,
    Const,
    Expr,
    OneOf,
    Ternary,
    Unary,
    Unsupported,
    Var,
    at,
    bounds,
    operands,
)
from skip.fold import Folder
from skip.python import PythonSource
from skip.steps import INTEGERS, Bytes, Check, Number, Step, flat, free_variables, named, uses

LEAST, MOST = INTEGERS["s8"]  # the range of numpy's integers


def compile_table(folder: Folder, name: str, targets: list[str]) -> str:
    """Return the source of `table_T`.

    A number gives its value, bytes their start and end, a run of numbers a row of them filled up with
    zeros; anything else, which must come last, its position.

    It is for items that have been indexed, and checks again what a program relies on: the data may
    have changed since then.
    """
    steps = fields(folder, name, targets)
    out = TableSource(counts=Counter(uses([step for step, _ in steps if isinstance(step, Bytes)])))
    results: list[str] = []
    with at(f"/types/{name}"):
        for step, path in steps:
            results += _field(out, step, path)
    head = [
        f"    def table_{name}(self, data: Array, pos: Array) -> tuple[{', '.join(['Array'] * len(results))}]:",
        f'        """{", ".join(f"`{target}`" for target in targets)} of the {name} at each position."""',
    ]
    given = ", ".join(results) + ("," if len(results) == 1 else "")
    return "\n".join([*head, *out.aliases(), *out.lines, f"        return {given}"]) + "\n"


def fields(folder: Folder, name: str, targets: list[str]) -> list[tuple[Step, str]]:
    """Return the fields of a type up to the last target, each with its target path, or ""."""
    steps = folder.fold(name)[1]
    paths = {id(step): target for target in targets for step in named(steps, target.split("."))}
    missing = [target for target in targets if target not in paths.values()]
    found: list[tuple[Step, str]] = []
    with at(f"/types/{name}"):
        if free := free_variables(steps):
            raise Unsupported(f"fields that depend on {free[0].hint} of its _parent")
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


@dataclass
class TableSource(PythonSource):
    """Source for many positions at once. `pending` bytes and then `terms` are still to be added to `pos`."""

    pending: int = 0
    terms: tuple[str, ...] = ()

    def expr(self, expr: Expr, level: int = 0) -> str:
        _refuse_in_table(expr)
        return super().expr(expr, level)

    @property
    def here(self) -> str:
        if self.terms:
            self.flush()
        return f"pos + {self.pending}" if self.pending else "pos"

    def skip(self, size: Expr) -> None:
        if isinstance(size, Const):
            self.pending += size.value
        else:
            self.terms = (*self.terms, self.expr(size, PRECEDENCE["*"]))

    def flush(self) -> None:
        if self.pending or self.terms:
            self.add(" + ".join(["pos = pos", *([str(self.pending)] if self.pending else []), *self.terms]))
            self.pending, self.terms = 0, ()

    def keep(self, path: str, what: str, value: str) -> str:
        """Return the current position under a separate name, since `pos` will change."""
        var = Var(path.replace(".", "_") + what)
        self.assign(var, value)
        return self.name(var)


def _refuse_in_table(expr: Expr) -> None:
    """Refuse expressions for which numpy would compute other results than Python."""
    match expr:
        case Ternary() | OneOf() | Unary(op="not") | Binary(op="and" | "or"):
            raise Unsupported("a condition in a table")
        case Const(value) if not LEAST <= value <= MOST:
            raise Unsupported(f"the number {value} in a table")
        case Binary(op="/" | "%" | ">>"):  # the other operators are exact modulo 2^64, and so are their results
            if not all(LEAST <= bounds(part)[0] <= bounds(part)[1] <= MOST for part in operands(expr)):
                raise Unsupported("a division, in a table, of what may not fit into 64 bits")
    for part in operands(expr):
        _refuse_in_table(part)


def _field(out: TableSource, step: Step, path: str) -> list[str]:
    """Read or skip one field, and return the names of its values."""
    match step:
        case Number():
            if path or out.counts[step.var]:
                _number(out, step)
            out.pending += step.size
            return [out.name(step.var)] if path else []
        case Bytes() if not path:
            out.skip(step.size)
            return []
        case Bytes(item=Number() as item, count=count) if count is not None:
            here, counts = out.here, out.expr(count)
            if isinstance(count, Const):
                counts = f"np.full(len(pos), {counts})"
            row = out.keep(path, "", f"{out.reader(item, 'runs_')}(data, {here}, {counts})")
            out.skip(step.size)
            return [row]
        case Bytes():
            start = out.keep(path, "_start", out.here)
            out.skip(step.size)
            out.flush()
            out.add(f'refuse_any(({start} > pos) | (pos > len(data)), {start}, "{step.id}")')
            return [start, out.keep(path, "_end", "pos")]
    out.flush()
    return ["pos"]


def _number(out: TableSource, step: Number) -> None:
    """Read a number, and check it before it becomes part of a position."""
    name, here = out.name(step.var), out.here
    out.add(f"{name} = {out.reader(step, 'each_')}(data, {here})")
    for check in filter(_is_limit, step.checks):
        out.add(f'refuse_any({out.expr(check.refuses)}, {here}, "{step.var.hint}")')
    if out.counts[step.var]:
        out.add(f"{name} = {name}.astype(np.int64)")


def _is_limit(check: Check) -> bool:
    """Return whether numpy computes the same result for a condition as Python."""
    match check.refuses:
        case Binary(op="<" | ">", left=Var(), right=Const(value)):
            return LEAST <= value <= MOST
    return False
