"""Writes `read_T`, `table_T` and `where_T`: what the fields of a T are, for one, for many, and where."""

from collections import Counter

from skip.expression import Const, Unsupported, Var
from skip.fold import Folder
from skip.source import Source, flat, readers
from skip.steps import Bytes, If, Number, Step, free_variables, uses


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
        result = f"tuple[{', '.join([integer] * len(results))}]"
        head = [
            f"    def {name}_{self.type}(self, {buffer}, pos: {integer}) -> {result}:",
            f'        """{listed} of the {self.type} at {"each" if self.table else "a"} position."""',
            *readers(out),
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


class FieldPlaces:
    """`where_T`: where each field of one T starts, up to the first loop or choice. For messages."""

    def __init__(self, folder: Folder, name: str) -> None:
        self.type = name
        _, self.steps = folder.fold(name)

    def source(self) -> str:
        out = Source(counts=Counter(uses(self.steps)))
        for step in self.steps:
            if isinstance(step, If):
                break
            out.add(f'places["{step.id}"] = {out.here}')
            if not all(self.passed(out, inner) for _, inner in flat([step], "")):
                break
        head = [
            f"    def where_{self.type}(self, buf: Buffer, pos: int) -> dict[str, int]:",
            f'        """Where the fields of the {self.type} at a position start."""',
            *readers(out),
            "        places: dict[str, int] = {}",
        ]
        return "\n".join([*head, *out.lines, "        return places"]) + "\n"

    def passed(self, out: Source, step: Step) -> bool:
        """Walks over a number or bytes; False for anything else."""
        match step:
            case Number():
                if out.counts[step.var]:
                    out.add(f"{out.name(step.var)} = {out.read(step)}")
                out.pending += step.size
            case Bytes():
                out.skip(step.size)
            case _:
                return False
        return True
