"""Writes the index once more, as C: the same indexes and tables.

One header, to be included by whoever calls it. `skip_indexes` and `skip_tables` list what there is.
"""

import re
from collections import Counter
from pathlib import Path

from skip.c_source import CSource, read
from skip.expression import Expr, Unsupported, Var, at, bounds
from skip.fields import fields
from skip.fold import Folder
from skip.index import first_depth
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
    kept_loops,
    outliving,
    spent,
    uses,
)

MAX_ROW = 64  # numbers that whoever calls has room for
RUNTIME = (Path(__file__).parent / "runtime.h").read_text()


class CWalk:
    """`index_T`, or `skip_T` for a type that contains itself.

    Every step is merged with its neighbours, and nothing is said of what went wrong.
    """

    def __init__(self, folder: Folder, layout: str, name: str, targets: list[str], *, recursive: bool = False) -> None:
        self.folder, self.layout, self.type, self.targets, self.recursive = folder, layout, name, targets, recursive
        self.steps = folder.fold(name)[1]
        self.arguments = free_variables(self.steps)
        self.kept = kept_loops(name, self.steps, targets)

    @property
    def name(self) -> str:
        return f"{'skip' if self.recursive else 'index'}_{self.type}_{self.layout}".lower()

    def prototype(self) -> str:
        return f"static int {self.name}(const uint8_t *buf, uint64_t end, uint64_t *at, int be, int depth);\n"

    def entry(self) -> str:
        return f'    {{"{self.layout}", "{self.type}", {len(self.arguments)}, {len(self.targets)}, {self.name}}},\n'

    def source(self) -> str:
        out = CSource(Counter(uses(self.steps)))
        arguments = [out.name(var) for var in self.arguments]
        out.declared.clear()
        with at(f"/types/{self.type}"):
            self.walk(out, self.steps)
        if self.recursive:
            head = self.prototype().rstrip(";\n") + "\n{\n    uint64_t pos = *at;\n"
            start = f"    if (depth > {self.folder.depths[self.type]}) return SKIP_REFUSED;\n"
            stop = "    *at = pos;\n"
        else:
            head = f"static int {self.name}(const uint8_t *buf, uint64_t end, uint64_t pos, int be, "
            head += "const uint64_t *args,\n    skip_list *found, uint64_t *stop)\n{\n"
            head += "".join(f"    uint64_t {name} = args[{i}];\n" for i, name in enumerate(arguments))
            start = "    if (pos > end) return SKIP_REFUSED;\n"
            stop = "    *stop = pos;\n"
        lines = declarations(out) + start + "\n".join([*out.lines, ""]) + stop
        return whole(head, lines)

    @property
    def next_depth(self) -> str:
        """How deep a type that contains itself is, when it is met."""
        return "depth + 1" if self.recursive else str(first_depth(self.folder, self.type) + 1)

    def walk(self, out: CSource, steps: list[Step]) -> None:
        leaves = flat(steps)
        for i, (step, unused) in enumerate(zip(leaves, spent(leaves, out.counts), strict=True)):
            out.expect_run(leaves[i:])
            self.step(out, step)
            for var in unused:
                out.names.pop(var, None)  # another number may have its name
        out.flush()

    def step(self, out: CSource, step: Step) -> None:
        match step:
            case Number():
                self.number(out, step)
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

    def number(self, out: CSource, step: Number) -> None:
        if out.counts[step.var]:
            out.assign(step.var, out.read(step))
            out.refuse_if(*(check.refuses for check in step.checks))
        out.pending += step.size

    def bytes(self, out: CSource, step: Bytes) -> None:
        if step.contents:
            out.expect(step.contents)
        out.skip(step.size)

    def loop(self, out: CSource, step: Loop) -> None:
        out.flush()
        i, count = Var("i"), out.count(step.count)
        out.refuse(f"{count} > (end - pos) / {step.item_size}")
        kept = f"found[{self.kept[id(step)]}]" if id(step) in self.kept else None
        if kept:
            out.add(f"if (!skip_reserve(&{kept}, {count})) return SKIP_NO_MEMORY;")
        with out.block(f"for ({out.name(i)} = 0; {out.name(i)} < {count}; {out.name(i)}++)"):
            if kept:
                out.add(f"{kept}.data[{kept}.size++] = pos;")
            self.walk(out, step.steps)
        del out.names[i]

    def call(self, out: CSource, step: Call) -> None:
        callee = f"skip_{step.type}_{self.layout}".lower()
        out.refuse(f"{callee}(buf, end, &pos, be, {self.next_depth}) != SKIP_DONE")
        out.known = 0


class CRow:
    """The function that reads one row of `table_T`. It checks what it reads, as the walk does."""

    def __init__(self, folder: Folder, layout: str, name: str, targets: list[str]) -> None:
        self.layout, self.type = layout, name
        self.fields = fields(folder, name, targets)
        self.widths: list[int] = []

    @property
    def name(self) -> str:
        return f"row_{self.type}_{self.layout}".lower()

    def entry(self) -> str:
        return f'    {{"{self.layout}", "{self.type}", {len(self.widths)}, {self.name}_widths, {self.name}}},\n'

    def source(self) -> str:
        out = CSource(Counter(uses([step for step, _ in self.fields if isinstance(step, Number | Bytes)])))
        with at(f"/types/{self.type}"):
            for i, (step, path) in enumerate(self.fields):
                out.expect_run([step for step, _ in self.fields[i:]])
                self.field(out, step, bool(path))
            if sum(self.widths) > MAX_ROW:
                raise Unsupported(f"a row of {sum(self.widths)} numbers in C")
        head = f"static int {self.name}(const uint8_t *buf, uint64_t end, uint64_t pos, int be, uint64_t *row)\n{{\n"
        lines = declarations(out) + "    if (pos > end) return SKIP_REFUSED;\n" + "\n".join([*out.lines, ""])
        widths = f"static const int {self.name}_widths[] = {{{', '.join(map(str, self.widths))}}};\n\n"
        return widths + whole(head, lines)

    def field(self, out: CSource, step: Step, wanted: bool) -> None:
        match step:
            case Number():
                if wanted or out.counts[step.var]:
                    out.assign(step.var, out.read(step))
                    out.refuse_if(*(check.refuses for check in step.checks))
                out.pending += step.size
                if wanted:
                    self.keep(out, out.name(step.var))
            case Bytes(item=Number() as item, count=count) if wanted and count is not None:
                self.run(out, step.size, item, count)
            case Bytes() if not wanted:
                out.skip(step.size)
            case Bytes():
                out.flush()
                self.keep(out, "pos")
                out.skip(step.size)
                out.flush()
                self.keep(out, "pos")
            case _:
                out.flush()
                self.keep(out, "pos")

    def keep(self, out: CSource, value: str) -> None:
        out.add(f"row[{sum(self.widths)}] = {value};")
        self.widths.append(1)

    def run(self, out: CSource, size: Expr, item: Number, count: Expr) -> None:
        """A row of its own, filled up with zeros."""
        column, limit = sum(self.widths), bounds(count)[1]
        if limit > MAX_ROW:
            raise Unsupported(f"a run of up to {limit} numbers in a row of C; a `valid: max` would limit it")
        self.widths.append(limit)
        whole, i = out.hold(size), Var("i")
        with out.block(f"for ({out.name(i)} = 0; {out.name(i)} < {limit}; {out.name(i)}++)"):
            value = read(item, f"buf + pos + {out.name(i)} * {item.size}")
            out.add(f"row[{column} + {out.name(i)}] = {out.name(i)} < {out.count(count)} ? {value} : 0;")
        del out.names[i]
        out.add(f"pos += {whole};")


def declarations(out: CSource) -> str:
    return f"    uint64_t {', '.join(out.declared)};\n" if out.declared else ""


def whole(head: str, lines: str) -> str:
    """A function, whose parameters need not all be used."""
    parameters = re.findall(r"(\w+)[,)]", head.partition("\n{")[0].partition("(")[2])
    unused = [name for name in parameters if not re.search(rf"\b{name}\b", head.partition("\n{")[2] + lines)]
    marked = f"    {', '.join(f'(void){name}' for name in unused)};\n" if unused else ""
    declared = re.match(r"(    uint64_t [^;]*;\n)*", lines)
    end = declared.end() if declared else 0
    return head + lines[:end] + marked + lines[end:] + "    return SKIP_DONE;\n}\n"


def compile_c(layouts: dict[str, Folder], index: dict[str, list[str]], table: dict[str, list[str]]) -> str:
    """The functions and the lists of them: `layouts` are the names of the layout classes with a folder for each."""
    prototypes, functions = "", ""
    indexes, tables = "", ""
    for layout, folder in layouts.items():
        skips = [CWalk(folder, layout, name, [], recursive=True) for name in folder.called(index)]
        walks = [CWalk(folder, layout, name, targets) for name, targets in index.items()]
        rows = [CRow(folder, layout, name, targets) for name, targets in table.items()]
        prototypes += "".join(skip.prototype() for skip in skips)
        functions += "".join("\n" + walk.source() for walk in [*skips, *walks])
        functions += "".join("\n" + row.source() for row in rows)
        indexes += "".join(walk.entry() for walk in walks)
        tables += "".join(row.entry() for row in rows)
    listing = f"\nstatic const skip_index_entry skip_indexes[] = {{\n{indexes}    {{0}},\n}};\n"
    listing += f"\nstatic const skip_table_entry skip_tables[] = {{\n{tables}    {{0}},\n}};\n"
    return "\n" + prototypes + functions + listing


def c_header(file: str, constants: str, text: str) -> str:
    """The header around functions: what they call comes first."""
    about = f"/* This is a generated file! Please edit schema/{file} and run `make generate`. */\n"
    guard = "\n#ifndef SKIP_INDEX_H\n#define SKIP_INDEX_H\n\n"
    return about + guard + _runtime(constants + text) + (f"\n{constants}" if constants else "") + text + "\n#endif\n"


def _runtime(text: str) -> str:
    """The runtime, without functions that are not called."""
    kept: list[str] = []
    for part in reversed(RUNTIME.split("\n\n")[1:]):
        function = re.search(r"^static inline .*?(\w+)\(", part, re.MULTILINE)
        if function is None or any(f"{function[1]}(" in each for each in [text, *kept]):
            kept.insert(0, part)
    return "\n\n".join(kept)
