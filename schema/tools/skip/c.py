"""Generate the same indexes and tables as C.

The result is one header, which callers include. `skip_entries` lists its functions.
"""

import re
from collections import Counter
from pathlib import Path

from skip.c_source import CSource, read
from skip.expression import Expr, Unsupported, Var, at, bounds
from skip.fields import fields
from skip.fold import Folder
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

MAX_ROW = 64  # numbers that callers have memory for
RUNTIME = (Path(__file__).parent / "runtime.h").read_text()


class CIndex:
    """Generates `index_T`, or `skip_T` for a type that contains itself.

    Every step is merged with its neighbours, and errors have no description.
    """

    def __init__(self, folder: Folder, layout: str, name: str, targets: list[str], *, recursive: bool = False) -> None:
        self.folder, self.layout, self.type, self.recursive = folder, layout, name, recursive
        self.name = f"{'skip' if recursive else 'index'}_{name}_{layout}".lower()
        self.steps = folder.fold(name)[1]
        self.arguments = free_variables(self.steps)
        self.kept = kept_loops(name, self.steps, targets)
        self.entry = f"{len(self.arguments)}, {len(targets)}, {self.name}"

    def head(self) -> str:
        given = "uint64_t *at, int be, int depth"
        if not self.recursive:
            given = "uint64_t pos, int be, const uint64_t *args,\n    skip_list *found, uint64_t *stop"
        return f"static int {self.name}(const uint8_t *buf, uint64_t end, {given})"

    def source(self) -> str:
        out = CSource(Counter(uses(self.steps)))
        given = "".join(f"    uint64_t {out.name(var)} = args[{i}];\n" for i, var in enumerate(self.arguments))
        out.declared.clear()
        with at(f"/types/{self.type}"):
            self.write(out, self.steps)
        if self.recursive:
            too_deep = f"depth > {self.folder.depths[self.type]}"
            return function(self.head(), "    uint64_t pos = *at;\n", too_deep, out, "    *at = pos;\n")
        return function(self.head(), given, "pos > end", out, "    *stop = pos;\n")

    def write(self, out: CSource, steps: list[Step]) -> None:
        leaves = flat(steps)
        for i, (step, unused) in enumerate(zip(leaves, spent(leaves, out.counts), strict=True)):
            out.expect_run(leaves[i:])
            self.step(out, step)
            for var in unused:
                out.names.pop(var, None)  # another number may get its name
        out.flush()

    def step(self, out: CSource, step: Step) -> None:
        match step:
            case Number():
                out.number(step)
            case Bytes():
                if step.contents:
                    out.expect(step.contents)
                out.skip(step.size)
            case Loop() if step.steps:
                self.loop(out, step)
            case Switch():
                out.flush()
                out.choose(step, self.write)
            case If():
                out.flush()
                for var in outliving(step.steps, out.counts):
                    out.assign(var, "0")
                with out.block(f"if ({out.expr(step.condition)})"):
                    self.write(out, step.steps)
            case Call():
                out.flush()
                depth = "depth + 1" if self.recursive else str(1 + (self.type in self.folder.depths))
                callee = f"skip_{step.type}_{self.layout}".lower()
                out.refuse(f"{callee}(buf, end, &pos, be, {depth}) != SKIP_DONE")
                out.known = 0

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
            self.write(out, step.steps)
        del out.names[i]


class CRow:
    """Generates the function that reads one row of `table_T`. It checks what it reads, like the index."""

    def __init__(self, folder: Folder, layout: str, name: str, targets: list[str]) -> None:
        self.type, self.name = name, f"row_{name}_{layout}".lower()
        self.fields = fields(folder, name, targets)
        self.widths: list[int] = []

    @property
    def entry(self) -> str:
        return f"{len(self.widths)}, {self.name}_widths, {self.name}"

    def source(self) -> str:
        out = CSource(Counter(uses([step for step, _ in self.fields if isinstance(step, Number | Bytes)])))
        with at(f"/types/{self.type}"):
            for i, (step, path) in enumerate(self.fields):
                out.expect_run([step for step, _ in self.fields[i:]])
                self.field(out, step, bool(path))
            if sum(self.widths) > MAX_ROW:
                raise Unsupported(f"a row of {sum(self.widths)} numbers in C")
        head = f"static int {self.name}(const uint8_t *buf, uint64_t end, uint64_t pos, int be, uint64_t *row)"
        widths = f"static const int {self.name}_widths[] = {{{', '.join(map(str, self.widths))}}};\n\n"
        return widths + function(head, "", "pos > end", out)

    def field(self, out: CSource, step: Step, wanted: bool) -> None:
        match step:
            case Number():
                out.number(step, wanted)
                if wanted:
                    self.keep(out, out.name(step.var))
            case Bytes() if not wanted:
                out.skip(step.size)
            case Bytes(item=Number() as item, count=count) if count is not None:
                self.run(out, step.size, item, count)
            case _:
                self.position(out)
                if isinstance(step, Bytes):
                    out.skip(step.size)
                    self.position(out)

    def position(self, out: CSource) -> None:
        out.flush()
        self.keep(out, "pos")

    def keep(self, out: CSource, value: str) -> None:
        out.add(f"row[{sum(self.widths)}] = {value};")
        self.widths.append(1)

    def run(self, out: CSource, size: Expr, item: Number, count: Expr) -> None:
        """Write a repeated number as a row padded with zeros."""
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


def function(head: str, given: str, wrong: str, out: CSource, stop: str = "") -> str:
    """Return a function. Unused parameters are marked, since compilers warn about them."""
    body = f"    if ({wrong}) return SKIP_REFUSED;\n" + "\n".join([*out.lines, ""]) + stop
    parameters = re.findall(r"(\w+)[,)]", head)
    unused = [f"(void){name}" for name in parameters if not re.search(rf"\b{name}\b", given + body)]
    declared = f"    uint64_t {', '.join(out.declared)};\n" if out.declared else ""
    marked = f"    {', '.join(unused)};\n" if unused else ""
    return f"{head}\n{{\n{given}{declared}{marked}{body}    return SKIP_DONE;\n}}\n"


def compile_c(layouts: dict[str, Folder], index: dict[str, list[str]], table: dict[str, list[str]]) -> str:
    """Return the functions and the list of them. `layouts` has the layout classes by name, with a folder for each."""
    prototypes, functions, entries = "", "", ""
    for layout, folder in layouts.items():
        skips = [CIndex(folder, layout, name, [], recursive=True) for name in folder.called(index)]
        indexes = {name: CIndex(folder, layout, name, targets) for name, targets in index.items()}
        rows = {name: CRow(folder, layout, name, targets) for name, targets in table.items()}
        prototypes += "".join(f"{skip.head()};\n" for skip in skips)
        functions += "".join(f"\n{each.source()}" for each in (*skips, *indexes.values()))
        functions += "".join(f"\n{row.source()}" for row in rows.values())
        for name in dict.fromkeys([*index, *table]):
            index_entry = indexes[name].entry if name in index else "0, 0, NULL"
            row_entry = rows[name].entry if name in table else "0, NULL, NULL"
            entries += f'    {{"{layout}", "{name}", {index_entry}, {row_entry}}},\n'
    return f"\n{prototypes}{functions}\nstatic const skip_entry skip_entries[] = {{\n{entries}    {{0}},\n}};\n"


def c_header(file: str, constants: str, text: str) -> str:
    """Return the header with functions, after what they call."""
    about = f"/* This is a generated file! Please edit schema/{file} and run `make generate`. */\n"
    guard = "\n#ifndef SKIP_INDEX_H\n#define SKIP_INDEX_H\n\n"
    return about + guard + _runtime(constants + text) + (f"\n{constants}" if constants else "") + text + "\n#endif\n"


def _runtime(text: str) -> str:
    """Return the runtime, without functions that are not called."""
    kept: list[str] = []
    for part in reversed(RUNTIME.split("\n\n")[1:]):
        function = re.search(r"^static inline .*?(\w+)\(", part, re.MULTILINE)
        if function is None or any(f"{function[1]}(" in each for each in [text, *kept]):
            kept.insert(0, part)
    return "\n\n".join(kept)
