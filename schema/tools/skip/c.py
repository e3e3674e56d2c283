"""Writes the index once more, as C: the same walks and tables, with every bound checked where it is met.

One header, to be included by whoever calls it. `skip_indexes` and `skip_tables` list what there is.
"""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from skip.expression import Binary, Const, Expr, Ternary, Unary, Unsupported, Var
from skip.fold import Folder
from skip.source import flat
from skip.steps import (
    Bytes,
    Call,
    Check,
    If,
    Loop,
    Number,
    Step,
    Switch,
    defined,
    free_variables,
    uses,
)

HEADER = """\
/* This is a generated file! Please edit schema/{file} and run `make generate`. */

#ifndef SKIP_INDEX_H
#define SKIP_INDEX_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* What a walk ends with. One that is refused has to be done again by someone who can say why. */
enum {{ SKIP_REFUSED = 0, SKIP_DONE = 1, SKIP_NO_MEMORY = 2 }};

/* The positions of the items that were walked over. */
typedef struct {{
    uint64_t *data;
    size_t size;
}} skip_list;

/* Room for `size` more; the count has been held against the bytes that are left. */
static inline int skip_reserve(skip_list *list, uint64_t size)
{{
    uint64_t *grown;
    if (size > SIZE_MAX / sizeof(uint64_t) - list->size) return 0;
    grown = (uint64_t *)realloc(list->data, (list->size + (size_t)size + 1) * sizeof(uint64_t));
    if (grown == NULL) return 0;
    list->data = grown;
    return 1;
}}

static inline uint64_t skip_u1(const uint8_t *p, int be)
{{
    (void)be;
    return p[0];
}}

static inline uint64_t skip_u2(const uint8_t *p, int be)
{{
    return be ? (uint64_t)p[0] << 8 | p[1] : (uint64_t)p[1] << 8 | p[0];
}}

static inline uint64_t skip_u4(const uint8_t *p, int be)
{{
    return be ? skip_u2(p, be) << 16 | skip_u2(p + 2, be) : skip_u2(p + 2, be) << 16 | skip_u2(p, be);
}}

static inline uint64_t skip_u8(const uint8_t *p, int be)
{{
    return be ? skip_u4(p, be) << 32 | skip_u4(p + 4, be) : skip_u4(p + 4, be) << 32 | skip_u4(p, be);
}}

/* Sums and products that stay at the largest number rather than wrap: no file has that many bytes. */
static inline uint64_t skip_add(uint64_t a, uint64_t b)
{{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}}

static inline uint64_t skip_mul(uint64_t a, uint64_t b)
{{
    return b != 0 && a > UINT64_MAX / b ? UINT64_MAX : a * b;
}}

typedef int (*skip_index)(const uint8_t *buf, uint64_t end, uint64_t pos, int be, const uint64_t *args,
                          skip_list *found, uint64_t *stop);
typedef int (*skip_row)(const uint8_t *buf, uint64_t end, uint64_t pos, int be, uint64_t *row);

typedef struct {{
    const char *layout, *type;
    int num_args, num_lists;
    skip_index walk;
}} skip_index_entry;

typedef struct {{
    const char *layout, *type;
    int num_fields;
    const int *widths; /* of the fields, in numbers; a row has the sum of them */
    skip_row read;
}} skip_table_entry;
"""

UNUSED = "    (void)buf, (void)end, (void)be;\n"
OPERATORS = {"==": "==", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">=", "and": "&&", "or": "||"}


@dataclass
class CSource:
    """Lines of a C function. `pending` bytes are still to be added to `pos`, from which `known` are there."""

    counts: Counter[Var]
    names: dict[Var, str] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)
    pending: int = 0
    known: int = 0
    depth: int = 1
    loops: int = 0

    def add(self, line: str) -> None:
        self.lines.append("    " * self.depth + line)

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        self.add(head + " {" if head else "{")
        self.depth += 1
        self.known = 0
        yield
        self.known = 0
        self.depth -= 1
        self.add("}")

    def refuse_if(self, condition: str) -> None:
        self.add(f"if ({condition}) return SKIP_REFUSED;")

    def need(self, size: int) -> None:
        if size > self.known:
            self.refuse_if(f"end - pos < {size}")
            self.known = size

    def flush(self) -> None:
        if self.pending:
            self.need(self.pending)
            self.add(f"pos += {self.pending};")
            self.known -= self.pending
            self.pending = 0

    def name(self, var: Var) -> str:
        if var not in self.names:
            taken = set(self.names.values())
            self.names[var] = next(n for n in [var.hint, *(f"{var.hint}{i}" for i in range(2, 999))] if n not in taken)
        return self.names[var]

    def read(self, number: Number) -> str:
        """The number at the position; it is in a variable of its own after this."""
        if number.type[0] != "u":
            raise Unsupported(f"{number.id}: C needs unsigned numbers for what it reads, not {number.type}")
        here = f"pos + {self.pending}" if self.pending else "pos"
        self.need(self.pending + number.size)
        name = self.name(number.var)
        endian = {"": "be", "le": "0", "be": "1"}[number.endian]
        self.add(f"{name} = skip_{number.type}(buf + {here}, {endian});")
        self.pending += number.size
        return name

    def expr(self, expr: Expr) -> str:
        match expr:
            case Const(value):
                if value < 0:
                    raise Unsupported(f"the negative number {value} in C")
                return f"{int(value)}u" if value < 1 << 31 else f"UINT64_C({int(value)})"
            case Var():
                return self.name(expr)
            case Binary("+", left, right):
                return f"skip_add({self.expr(left)}, {self.expr(right)})"
            case Binary("*", left, right):
                return f"skip_mul({self.expr(left)}, {self.expr(right)})"
            case Binary(op, left, right) if op in OPERATORS:
                return f"({self.expr(left)} {OPERATORS[op]} {self.expr(right)})"
            case Unary("not", operand):
                return f"!{self.expr(operand)}"
            case Ternary(condition, if_true, if_false):
                return f"({self.expr(condition)} ? {self.expr(if_true)} : {self.expr(if_false)})"
        raise Unsupported(f"{expr} in C")

    def skip(self, size: Expr) -> None:
        if isinstance(size, Const):
            self.pending += size.value
            return
        self.flush()
        amount = self.expr(size)
        if amount.startswith("skip_") or "?" in amount:
            self.add(f"size = {amount};")
            amount = "size"
        self.refuse_if(f"{amount} > end - pos")
        self.add(f"pos += {amount};")
        self.known = 0


class CWalk:
    """The C function of `index_T`, or of a type that contains itself."""

    def __init__(self, folder: Folder, layout: str, name: str, targets: list[str]) -> None:
        self.folder, self.layout, self.type, self.targets = folder, layout, name, targets
        _, self.steps = folder.fold(name)
        self.recursive = name in folder.depths and not targets

    @property
    def name(self) -> str:
        return f"{'skip' if self.recursive else 'index'}_{self.type}_{self.layout}".lower()

    def prototype(self) -> str:
        return f"static int {self.name}(const uint8_t *buf, uint64_t end, uint64_t *at, int be, int depth);\n"

    def entry(self) -> str:
        arguments = len(free_variables(self.steps))
        return f'    {{"{self.layout}", "{self.type}", {arguments}, {len(self.targets)}, {self.name}}},\n'

    def source(self) -> str:
        out = CSource(Counter(uses(self.steps)))
        arguments = [out.name(var) for var in free_variables(self.steps)]
        self.walk(out, self.steps, "")
        out.flush()
        local = [out.names[var] for var in out.names if var in defined(self.steps)]
        declared = [*local, *(["size"] if any("size = " in line for line in out.lines) else [])]
        variables = f"    uint64_t {', '.join(declared)};\n" if declared else ""
        counters = "".join(f", i{number}" for number in range(1, out.loops + 1))
        variables = (
            variables.replace(";", counters + ";") if variables else counters.replace(", ", "    uint64_t ", 1) + ";\n"
        )
        body = "\n".join(out.lines) + "\n"
        if self.recursive:
            head = self.prototype().rstrip(";\n") + "\n{\n    uint64_t pos = *at;\n"
            start = UNUSED + f"    if (depth > {self.folder.depths[self.type]}) return SKIP_REFUSED;\n"
            return head + variables + start + body + "    *at = pos;\n    return SKIP_DONE;\n}\n"
        head = (
            f"static int {self.name}(const uint8_t *buf, uint64_t end, uint64_t pos, int be, const uint64_t *args,\n"
            f"    skip_list *found, uint64_t *stop)\n{{\n"
        )
        given = "".join(f"    uint64_t {name} = args[{i}];\n" for i, name in enumerate(arguments))
        start = UNUSED + "    (void)args, (void)found;\n    if (pos > end) return SKIP_REFUSED;\n"
        return head + given + variables + start + body + "    *stop = pos;\n    return SKIP_DONE;\n}\n"

    def walk(self, out: CSource, steps: list[Step], path: str) -> None:
        for inner, step in flat(steps, path):
            match step:
                case Number():
                    self.number(out, step)
                case Bytes():
                    self.bytes(out, step)
                case Loop():
                    self.loop(out, step, inner)
                case Switch():
                    self.switch(out, step, inner)
                case If():
                    out.flush()
                    with out.block(f"if ({out.expr(step.condition)})"):
                        self.walk(out, step.steps, path)
                        out.flush()
                case Call():
                    self.call(out, step)

    def number(self, out: CSource, step: Number) -> None:
        if not out.counts[step.var]:
            out.pending += step.size
            return
        name = out.read(step)
        for check in step.checks:
            out.refuse_if(self.refused(out, name, check))

    def refused(self, out: CSource, name: str, check: Check) -> str:
        match check.kind:
            case "min":
                return f"{name} < {out.expr(check.expected)}"
            case "max":
                return f"{name} > {out.expr(check.expected)}"
            case "any-of":
                return " && ".join(f"{name} != {out.expr(item)}" for item in check.expected)
        members = sorted(self.folder.enums[check.expected])
        if members == list(range(len(members))):
            return f"{name} > {members[-1]}"
        return " && ".join(f"{name} != {member}" for member in members)

    def bytes(self, out: CSource, step: Bytes) -> None:
        if step.contents is not None:
            out.flush()
            out.need(len(step.contents))
            literal = "".join(f"\\x{byte:02x}" for byte in step.contents)
            out.refuse_if(f'memcmp(buf + pos, "{literal}", {len(step.contents)}) != 0')
        out.skip(step.size)

    def loop(self, out: CSource, step: Loop, path: str) -> None:
        out.flush()
        count = out.expr(step.count)
        out.refuse_if(f"{count} > (end - pos) / {step.item_size}")
        out.loops += 1
        counter = f"i{out.loops}"
        found = f"found[{self.targets.index(path)}]" if path in self.targets else None
        if found:
            out.add(f"if (!skip_reserve(&{found}, {count})) return SKIP_NO_MEMORY;")
        with out.block(f"for ({counter} = 0; {counter} < {count}; {counter}++)"):
            if found:
                out.add(f"{found}.data[{found}.size++] = pos;")
            self.walk(out, step.steps, path)
            out.flush()

    def switch(self, out: CSource, step: Switch, path: str) -> None:
        out.flush()
        with out.block(f"switch ({out.expr(step.on)})"):
            for values, steps in step.cases:
                self.case(out, [f"case {value}:" for value in values], steps, path)
            self.case(out, ["default:"], step.default or [], path)

    def case(self, out: CSource, labels: list[str], steps: list[Step], path: str) -> None:
        for label in labels:
            out.add(label)
        out.depth += 1
        out.known = 0
        self.walk(out, steps, path)
        out.flush()
        out.add("break;")
        out.depth -= 1

    def call(self, out: CSource, step: Call) -> None:
        out.flush()
        callee = f"skip_{step.type}_{self.layout}".lower()
        depth = "depth + 1" if self.recursive else "1"
        out.add(f"if ({callee}(buf, end, &pos, be, {depth}) != SKIP_DONE) return SKIP_REFUSED;")
        out.known = 0


class CRow:
    """The C function that reads one row of `table_T`."""

    def __init__(self, folder: Folder, layout: str, name: str, targets: list[str]) -> None:
        self.layout, self.type, self.targets = layout, name, targets
        _, self.steps = folder.fold(name)
        self.widths: list[int] = []

    @property
    def name(self) -> str:
        return f"row_{self.type}_{self.layout}".lower()

    def entry(self) -> str:
        return f'    {{"{self.layout}", "{self.type}", {len(self.widths)}, {self.name}_widths, {self.name}}},\n'

    def source(self) -> str:
        out = CSource(Counter(uses(self.steps)))
        limits: dict[Var, int] = {}
        for path, step in flat(self.steps, ""):
            self.field(out, step, path in self.targets, limits)
            if path == self.targets[-1]:
                break
        out.flush()
        declared = [out.names[var] for var in out.names]
        counter = ["i"] if any("i++" in line for line in out.lines) else []
        size = ["size"] if any("size = " in line for line in out.lines) else []
        variables = [*declared, *size, *counter]
        head = f"static int {self.name}(const uint8_t *buf, uint64_t end, uint64_t pos, int be, uint64_t *row)\n{{\n"
        head += f"    uint64_t {', '.join(variables)};\n" if variables else ""
        head += UNUSED + "    if (pos > end) return SKIP_REFUSED;\n"
        widths = f"static const int {self.name}_widths[] = {{{', '.join(map(str, self.widths))}}};\n\n"
        return widths + head + "\n".join(out.lines) + "\n    return SKIP_DONE;\n}\n"

    def field(self, out: CSource, step: Step, wanted: bool, limits: dict[Var, int]) -> None:
        column = sum(self.widths)
        match step:
            case Number():
                self.number(out, step, wanted, limits)
            case Bytes(item=Number() as item, count=Var() as count) if wanted:
                if count not in limits:
                    raise Unsupported(f"{step.id}: a table of runs needs a constant `valid: max` for their length")
                self.widths.append(limits[count])
                out.flush()
                name, size = out.name(count), f"skip_mul({out.name(count)}, {item.size}u)"
                out.refuse_if(f"{name} > {limits[count]} || {size} > end - pos")
                with out.block(f"for (i = 0; i < {limits[count]}; i++)"):
                    value = f"skip_{item.type}(buf + pos + i * {item.size}, be)"
                    out.add(f"row[{column} + i] = i < {name} ? {value} : 0;")
                out.add(f"pos += {size};")
                out.known = 0
            case Bytes():
                if wanted:
                    self.widths += [1, 1]
                    out.flush()
                    out.add(f"row[{column}] = pos;")
                out.skip(step.size)
                if wanted:
                    out.flush()
                    out.add(f"row[{column + 1}] = pos;")
            case _ if wanted:
                self.widths.append(1)
                out.flush()
                out.add(f"row[{column}] = pos;")
            case _:
                raise Unsupported(f"/types/{self.type}: reading past {step}")

    def number(self, out: CSource, step: Number, wanted: bool, limits: dict[Var, int]) -> None:
        if not wanted and not out.counts[step.var]:
            out.pending += step.size
            return
        name = out.read(step)
        for check in step.checks:
            if check.kind == "max" and isinstance(check.expected, Const):
                limits[step.var] = check.expected.value
        if wanted:
            out.add(f"row[{sum(self.widths)}] = {name};")
            self.widths.append(1)


def compile_c(
    file: str,
    layouts: dict[str, Folder],
    index: dict[str, list[str]],
    table: dict[str, list[str]],
) -> str:
    """The header: `layouts` are the names of the layout classes with a folder for each."""
    prototypes, functions = "", ""
    indexes, tables = "", ""
    for layout, folder in layouts.items():
        walks = [CWalk(folder, layout, name, []) for name in folder.depths]
        prototypes += "".join(walk.prototype() for walk in walks)
        entries = [CWalk(folder, layout, name, targets) for name, targets in index.items()]
        rows = [CRow(folder, layout, name, targets) for name, targets in table.items()]
        functions += "".join("\n" + walk.source() for walk in [*walks, *entries])
        functions += "".join("\n" + row.source() for row in rows)
        indexes += "".join(walk.entry() for walk in entries)
        tables += "".join(row.entry() for row in rows)
    listing = f"\nstatic const skip_index_entry skip_indexes[] = {{\n{indexes}    {{0}},\n}};\n"
    listing += f"\nstatic const skip_table_entry skip_tables[] = {{\n{tables}    {{0}},\n}};\n"
    return HEADER.format(file=file) + "\n" + prototypes + functions + listing + "\n#endif\n"
