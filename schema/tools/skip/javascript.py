"""Generate the index as a JavaScript module. It is exact, like the one in Python, and fast.

`index_T` returns positions, `row_T` reads the fields of one item, `pack_T` returns the bytes of one, and `trace_T`
reports the position of each field to a `Trace`.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from skip.expression import Binary, Const, Expr, Unsupported, Var, at, binary, bounds
from skip.fields import fields
from skip.fold import Folder
from skip.index import Index
from skip.javascript_source import JavaScriptSource, in_words, quoted
from skip.packing import argument, packed_fields
from skip.python import PythonSource
from skip.steps import (
    Bytes,
    Call,
    If,
    Loop,
    Number,
    Step,
    Struct,
    Switch,
    free_variables,
    is_nested,
    kept_loops,
    outliving,
    run,
    uses,
)

RUNTIME = (Path(__file__).parent / "runtime.js").read_text().partition("\n\n")[2]
HEADER = """\
// This is a generated file! Please edit schema/{file} and run `make generate`.

/**
 * An index of {file_id} data: a class for each layout, chosen by `layout(bytes)`.
 *
 * `index_…` reads the data once and returns positions. Lengths and counts are checked against the bytes that are left
 * before anything is skipped or repeated. `Refused` has the position and the reason if data is not valid.
 *
 * @module
 */

"""


class JavaScriptIndex(Index):
    """Generates `index_T`, `check_T`, `row_T`, `pack_T` and `trace_T` in JavaScript. `plan` is that of the module."""

    def __init__(self, folder: Folder, plan: Any):
        super().__init__(folder, plan.index)
        self.rows, self.traces, self.packs = plan.table, plan.trace, plan.pack

    def sources(self) -> Iterator[str]:
        traces = [self.trace(name) for name in self.traces]  # they may need functions of their own
        inner = [self.inner_trace(name) for name in self.folder.called(self.traces)]
        yield from super().sources()
        for name, targets in self.rows.items():
            yield row(self.folder, name, targets)
        for name, targets in self.packs.items():
            yield pack(self.folder, name, targets)
        yield from traces
        yield from inner

    def method(self, name: str, source: str) -> str:
        return source.replace("$NAME", name, 1)

    def root(self, name: str, targets: list[str]) -> str:
        steps = self.folder.fold(name)[1]
        lists = [Var(target.rpartition(".")[2]) for target in targets]
        self.kept = {loop: lists[number] for loop, number in kept_loops(name, steps, targets).items()}
        self.depth = str(int(name in self.folder.depths))
        out = _source(steps)
        arguments = [out.name(var) for var in free_variables(steps)]
        names = [out.name(var) for var in lists]
        out.declared.clear()
        if targets:
            for each in names:
                out.add(f"const {each} = new Positions();")
            found = ", ".join(f"{each}.taken()" for each in names)
            with out.catching(f"after(error, [{found}])"):
                self.write(out, steps)
            out.add(f"return [{found}, pos];")
        else:
            passed = [*([self.depth] if is_nested(steps) or name in self.folder.depths else []), *arguments]
            out.add(f"return this.check_{name}({', '.join(['pos', *passed])});")
        self.kept, self.depth = {}, "depth"
        result = f"[{'Float64Array, ' * len(lists)}number]" if lists else "number"
        listed = "".join(f"the positions of `{target}`, " for target in targets)
        about = f"{(listed + 'the end').capitalize()}. Throws `Refused`."
        return method(f"index_{name}", ["pos", *arguments], result, out, about=about)

    def function(self, name: str, steps: list[Step]) -> str:
        outer, self.depth = self.depth, "depth"
        out = _source(steps)
        arguments = [out.name(var) for var in free_variables(steps)]
        lists = [out.name(var) for var in self.lists(steps)]
        out.declared.clear()
        limit = self.folder.depths.get(name)
        if limit:
            with out.when(f"depth > {limit}"):
                out.add(f'throw new Refused("depth", pos, "", "is nested more than {limit} levels deep");')
        self.write(out, steps)
        self.depth = outer
        out.add("return pos;")
        given = ["pos", *(["depth"] if limit or is_nested(steps) else []), *arguments]
        return method("$NAME", given, "number", out, lists=lists)

    def call(self, out: PythonSource, step: Call) -> None:
        out.add(f"pos = this.check_{step.type}(pos, {self.deeper()});")

    def number(self, out: PythonSource, step: Number, field: str) -> None:
        assert isinstance(out, JavaScriptSource)
        self.need(out, step.size, field)
        if out.counts[step.var]:
            out.assign(step.var, out.read(step))
        for check in step.checks:
            with out.when(out.expr(check.refuses)):
                self.refuse(out, field, f"is ${{{out.read(step, exact=True)}}}, expected {in_words(out, check)}")
        out.add(f"pos += {step.size};")

    def bytes(self, out: PythonSource, step: Bytes, field: str) -> None:
        size = out.expr(step.size)
        if bounds(step.size)[0] < 0:
            with out.when(out.expr(Binary("<", step.size, Const(0)))):
                self.refuse(out, field, f"has a size of ${{{size}}}")
        self.need(out, size, field)
        if step.contents:
            with out.when(f"!this.matches(pos, {list(step.contents)})"):
                expected = "".join(f"\\\\x{byte:02x}" if not 32 < byte < 127 else chr(byte) for byte in step.contents)
                self.refuse(out, field, f'is ${{this.shown(pos, {size})}}, expected "{_escaped(expected)}"')
        out.add(f"pos += {size};")

    def struct(self, out: PythonSource, step: Struct) -> None:
        if outliving(step.steps, out.counts):
            self.write(out, step.steps)
            return
        passed = ["pos", *([self.depth] if is_nested(step.steps) else [])]
        passed += [out.name(var) for var in [*free_variables(step.steps), *self.lists(step.steps)]]
        out.add(f"pos = this.{self.inside(step.type, step.steps)}({', '.join(passed)});")

    def loop(self, out: PythonSource, step: Loop, field: str) -> None:
        assert isinstance(out, JavaScriptSource)
        self.need(out, out.expr(binary("*", step.count, Const(step.item_size))), field)
        item, count = Var("item"), out.operand(step.count)
        kept = out.name(self.kept[id(step)]) if id(step) in self.kept else None
        if kept:
            out.add(f"{kept}.reserve({count});")
        first = "0"
        if found := run(step.steps, out.counts):
            length, limit = found
            known = f"{length.size}, pos, {count}, {out.expr(limit)}, {out.little(length)}, {kept or 'null'}"
            out.assign(item, f"this.sound({known})")
            out.add("pos = this.next;")
            first = ""
        with out.counting(item, step.count, first):
            if kept:
                out.add(f"{kept}.push(pos);")
            self.write(out, step.steps, f"{field}/${{{out.name(item)}}}")
        del out.names[item]

    def need(self, out: PythonSource, size: int | str, field: str) -> None:
        out.add(f"this.need(pos, {size}, {quoted(field)});")

    def refuse(self, out: PythonSource, field: str, reason: str) -> None:
        out.add(f"this.refuse(pos, {quoted(field)}, `{reason}`);")

    @contextmanager
    def within(self, out: PythonSource, field: str) -> Iterator[None]:
        assert isinstance(out, JavaScriptSource)
        with out.catching(f"within(error, {quoted(field)})"):
            yield

    # Which fields hold a byte: the data was indexed before, and is not checked again

    def trace(self, name: str) -> str:
        steps = self.folder.fold(name)[1]
        if free := free_variables(steps):
            raise Unsupported(f"/types/{name}: a trace that depends on {free[0].hint} of its _parent")
        self.depth = str(int(name in self.folder.depths))
        out = _source(steps)
        with at(f"/types/{name}"):
            self.trace_steps(out, steps)
        out.add("return pos;")
        self.depth = "depth"
        about = "Reports the position of each field of an indexed item. Returns the end."
        return method(f"trace_{name}", ["pos"], "number", out, about=about, is_trace=True)

    def inner_trace(self, name: str) -> str:
        """Return the function of a type that contains itself."""
        steps = self.folder.fold(name)[1]
        out = _source(steps)
        self.trace_steps(out, steps)
        out.add("return pos;")
        return method(f"trace_inner_{name}", ["pos", "depth"], "number", out, is_trace=True)

    def trace_steps(self, out: JavaScriptSource, steps: list[Step], field: str = "") -> None:
        for step in steps:
            self.trace_step(out, step, field or step.id)

    def trace_step(self, out: JavaScriptSource, step: Step, field: str) -> None:
        match step:
            case Number():
                self.need(out, step.size, field)
                if out.counts[step.var]:
                    out.assign(step.var, out.read(step))
                value = out.read(step, exact=True)
                out.add(f'trace.leaf({quoted(field)}, "{step.type}", pos, pos + {step.size}, {value});')
                out.add(f"pos += {step.size};")
            case Bytes(item=Number() as number, count=count) if count is not None:
                self.trace_run(out, step, number, count, field)
            case Bytes():
                out.add(f'trace.leaf({quoted(field)}, "bytes", pos, pos + {out.operand(step.size)});')
                out.add(f"pos += {out.expr(step.size)};")
            case Struct(type="") | Struct(steps=[Number() | Bytes() | Loop() | Switch()]):
                self.trace_steps(out, step.steps, field)
            case Struct():
                self.trace_struct(out, step, field)
            case Call():
                with self.opened(out, field, step.type):
                    out.add(f"pos = this.trace_inner_{step.type}(trace, pos, {self.deeper()});")
            case Loop() if step.steps:
                self.trace_loop(out, step, field)
            case Switch():
                out.choose(step, lambda branch, steps: self.trace_steps(branch, steps, field))
            case If():
                for var in outliving(step.steps, out.counts):
                    out.assign(var, "0")
                with out.when(out.expr(step.condition)):
                    self.trace_steps(out, step.steps, field)

    def trace_struct(self, out: JavaScriptSource, step: Struct, field: str) -> None:
        with self.opened(out, field, step.type):
            if step.type in self.traces and not free_variables(step.steps):
                out.add(f"pos = this.trace_{step.type}(trace, pos);")
            else:
                self.trace_steps(out, step.steps)

    def trace_run(self, out: JavaScriptSource, step: Bytes, number: Number, count: Expr, field: str) -> None:
        item = Var("item")
        with self.opened(out, field, number.type), out.counting(item, count):
            value = out.read(number, exact=True)
            out.add(f'trace.leaf(`${{{out.name(item)}}}`, "{number.type}", pos, pos + {number.size}, {value});')
            out.add(f"pos += {number.size};")
        del out.names[item]

    def trace_loop(self, out: JavaScriptSource, step: Loop, field: str) -> None:
        """Trace only the item that holds the byte."""
        item, end = Var("item"), Var("end")
        match step.steps:
            case [Struct(type=str() as type) as struct] if type and not free_variables(struct.steps):
                passed = f"pos{f', {self.depth}' if is_nested(struct.steps) else ''}"
                skip = f"this.{self.inside(type, struct.steps)}({passed})"
            case [Call(type=type)]:
                skip = f"this.check_{type}(pos, {self.deeper()})"
            case _:
                raise Unsupported(f"a trace of the items of {step.id}")
        with self.opened(out, field, type), out.counting(item, step.count):
            out.assign(end, skip)
            with out.when(f"trace.has(pos, {out.name(end)})"):
                self.trace_item(out, step.steps, f"${{{out.name(item)}}}")
            out.add(f"pos = {out.name(end)};")
        del out.names[item], out.names[end]

    def trace_item(self, out: JavaScriptSource, steps: list[Step], field: str) -> None:
        for step in steps:
            if isinstance(step, Struct):  # an item is a structure, even with only one field
                self.trace_struct(out, step, field)
            else:
                self.trace_step(out, step, field)

    @contextmanager
    def opened(self, out: JavaScriptSource, field: str, type: str) -> Iterator[None]:
        """Make fields that are traced inside the block parts of this field."""
        with out.block(""):
            out.add(f'const field = trace.open({quoted(field)}, "{type}", pos);')
            yield
            out.add("trace.close(field, pos);")


def row(folder: Folder, name: str, targets: list[str]) -> str:
    """Return the source of `row_T`: the fields of one item, up to the first loop or choice."""
    steps = fields(folder, name, targets)
    out = _source([step for step, _ in steps if isinstance(step, Number | Bytes)])
    results: dict[str, str] = {}
    with at(f"/types/{name}"):
        for step, path in steps:
            field = quoted(step.id)
            match step:
                case Number():
                    out.add(f"this.need(pos, {step.size}, {field});")
                    if path or out.counts[step.var]:
                        out.assign(step.var, out.read(step))
                        for check in step.checks:
                            with out.when(out.expr(check.refuses)):
                                out.add(f'this.refuse(pos, {field}, "has changed since it was indexed");')
                    if path:
                        results[out.name(step.var)] = "number"
                    out.add(f"pos += {step.size};")
                case Bytes():
                    size = out.expr(step.size)
                    out.add(f"this.need(pos, {size}, {field});")
                    if path and step.item and step.count is not None:
                        many, count = Var(path.replace(".", "_")), out.operand(step.count)
                        out.define(many, f"new Array({count})")
                        with out.block(f"for (let index = 0; index < {count}; index++)"):
                            each = out.read(step.item, f"pos + index * {step.item.size}")
                            out.add(f"{out.name(many)}[index] = {each};")
                        results[out.name(many)] = "number[]"
                    elif path:
                        start, end = (Var(path.replace(".", "_") + what) for what in ("_start", "_end"))
                        out.assign(start, "pos")
                        out.assign(end, f"pos + {out.operand(step.size)}")
                        results |= {out.name(start): "number", out.name(end): "number"}
                    out.add(f"pos += {size};")
                case _:
                    results["pos"] = "number"
    out.add(f"return [{', '.join(results)}];")
    listed = ", ".join(f"`{target}`" for target in targets)
    about = f"{listed} of the {name} at a position; bytes as their start and end. Throws `Refused`."
    return method(f"row_{name}", ["pos"], f"[{', '.join(results.values())}]", out, about=about)


def pack(folder: Folder, name: str, targets: list[str]) -> str:
    """Return the source of `pack_T`: the bytes of an item, up to the first loop or choice."""
    found, _, lengths = packed_fields(folder, name, targets)
    out = _source([step for step, _ in found])
    parts: list[str] = []
    types = {argument(path): "number" for _, path in found if path}
    with at(f"/types/{name}"):
        for step, path in found:
            match step:
                case Number(type=type) if type[0] in "us" and (path or step.var in lengths):
                    value = f"{lengths[step.var]}.length" if step.var in lengths else argument(path)
                    out.names[step.var] = value
                    for check in step.checks:
                        text = f"{step.var.hint} is ${{{value}}}, expected {in_words(out, check)}"
                        out.add(f"if ({out.expr(check.refuses)}) throw new RangeError(`{text}`);")
                    parts.append(f'["{step.type}", {value}, {out.little(step)}]')
                case Bytes(item=Number() as item):
                    types[argument(path)] = "number[]"
                    many = f'["{item.type}", each, {out.little(item)}]'
                    parts.append(f"...{argument(path)}.map((each) => /** @type {{NumberPart}} */ ({many}))")
                case Bytes(contents=None):
                    types[argument(path)] = "Uint8Array"
                    parts.append(argument(path))
                case Bytes(contents=bytes() as contents):
                    parts.append(f"Uint8Array.of({', '.join(map(str, contents))})")
                case _:
                    raise Unsupported(f"{step.id} in a packer")
    out.lines += ["    return packed([", *(f"      {part}," for part in parts), "    ]);"]
    listed = ", ".join(f"`{target}`" for target in targets)
    about = f"The bytes of a {name} of {listed}. Throws RangeError."
    return method(f"pack_{name}", [], "Uint8Array<ArrayBuffer>", out, about=about, types=types)


def _source(steps: list[Step]) -> JavaScriptSource:
    return JavaScriptSource(counts=Counter(uses(steps)))


def method(
    name: str,
    numbers: list[str],
    result: str,
    out: JavaScriptSource,
    *,
    lists: Iterable[str] = (),
    about: str = "",
    is_trace: bool = False,
    types: dict[str, str] | None = None,
) -> str:
    """Return a method of a layout, with the types of its parameters: a Trace, numbers, lists of positions."""
    types = {"trace": "Trace"} if is_trace else types or {}
    types |= dict.fromkeys(numbers, "number") | dict.fromkeys(lists, "Positions")
    comment = [about, ""] if about else []
    comment += [f"@param {{{type}}} {each}" for each, type in types.items()] + [f"@returns {{{result}}}"]
    declared = [each for each in out.declared if each not in types]
    variables = [f"    let {', '.join(f'{each} = 0' for each in declared)};"] if declared else []
    head = ["  /**", *(f"   * {line}".rstrip() for line in comment), "   */", f"  {name}({', '.join(types)}) {{"]
    return "\n".join([*head, *variables, *out.lines, "  }"]) + "\n"


def javascript_module(ksy: dict[str, Any], constants: str, classes: list[str], choice: str) -> str:
    """Return the module with the classes of the layouts."""
    header = HEADER.format(file=ksy["meta"]["id"] + ".ksy", file_id=ksy["meta"]["id"])
    return f"{header}{RUNTIME}\n{constants}\n{''.join(f'{each}{chr(10)}' for each in classes)}{choice}\n"


def _escaped(text: str) -> str:
    return text.replace("`", "\\`").replace("${", "\\${")
