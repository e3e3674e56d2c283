"""Generate `layout`, which detects the byte order and the constants of some data."""

from collections.abc import Callable
from typing import Any

from skip.expression import Binary, Expr, Name, Ternary, Unsupported, Var, at, bounds, operands, variables
from skip.fold import NUMBER
from skip.python import ORDERS, PythonSource, quoted
from skip.scope import Evaluator, Scope, as_number, know
from skip.steps import INTEGERS, Number

PARSED_KEYS = {"pos", "type", "enum", "doc", "doc-ref"}


class Choice(Evaluator):
    """Generates `layout`, which computes the root instances that the choice depends on, each under its own name.

    They are integers at a fixed position, or calculated from such. What one is calculated from is read
    even if only one side of a condition asks for it, so neither side may be the first to need more data.
    """

    def __init__(self, ksy: dict[str, Any]) -> None:
        super().__init__(ksy, {})
        self.out = PythonSource(depth=1)
        self.known: dict[str, Var] = {}
        self.spans: dict[Var, tuple[int, int]] = {}  # the data that each depends on
        self.switches = {
            f"/types/{name}/meta/endian": spec["meta"]["endian"]
            for name, spec in ksy.get("types", {}).items()
            if isinstance(spec.get("meta", {}).get("endian"), dict)
        }

    def source(self, constants: list[str], layouts: dict[tuple[int | bool, ...], str]) -> str:
        """Return the source. `layouts` maps values of the constants to class names."""
        endian = f", {self.endian()}" if self.switches else ""
        layout = self.layout(constants, layouts) if constants else "Layout"
        known = ", ".join(f'"{id}": {self.out.name(self.known[id])}' for id in constants)
        self.out.add(f"return {layout}({{{known}}}{endian})")
        head = [
            "def layout(buf: Buffer) -> Any:",
            '    """The layout that the data has; `Refused` if there is none."""',
        ]
        return "\n".join([*head, *self.out.lines]) + "\n"

    def layout(self, constants: list[str], layouts: dict[tuple[int | bool, ...], str]) -> str:
        computed = [self.root_instance(id) for id in constants]
        value = ", ".join(map(self.out.expr, computed))
        shown = {str(row[0] if len(row) == 1 else row): name for row, name in layouts.items()}
        table = ", ".join(f"{row}: {name}" for row, name in shown.items())
        key = value if len(constants) == 1 else f"({value})"
        found = Var("found")
        self.out.assign(found, f"{{{table}}}.get({key})")
        self.refuse_none(found, computed[0], f"is {{{value}}}, expected {' or '.join(shown)}")
        return self.out.name(found)

    def endian(self) -> str:
        """Write code that detects the byte order, and return the name of the variable."""
        on, cases, default = self.order()
        endian, value = Var("endian"), self.out.expr(on)
        orders = {key: quoted(ORDERS[order]) for key, order in cases.items()}
        if [type(key) for key in orders] == [bool, bool]:
            self.out.assign(endian, f"{orders[True]} if {value} else {orders[False]}")
            return self.out.name(endian)
        table = "{" + ", ".join(f"{key}: {order}" for key, order in orders.items()) + "}"
        self.out.assign(endian, f"{table}.get({value}{f', {quoted(ORDERS[default])}' if default else ''})")
        if not default:
            expected = " or ".join(map(str, orders))
            self.refuse_none(endian, variables(on)[0], f"is {{{value}}}, expected {expected}")
        return self.out.name(endian)

    def order(self) -> tuple[Expr, dict[int | bool, Any], Any]:
        """Return the expression that decides the byte order, the order for each value, and the default."""
        (place, switch), *others = self.switches.items()
        for other, different in others:
            if different != switch:
                raise Unsupported(f"{other}: another choice than {place}")
        with at(place):
            on = self.evaluate(switch["switch-on"], Scope("", {}))
            if not variables(on) or any(var not in self.spans for var in variables(on)):
                raise Unsupported("a choice that depends on something else than instances of the root")
            self.span(on)
            return on, *self.cases(switch, Scope("", {}))

    def refuse_none(self, chosen: Var, by: Var, reason: str) -> None:
        with self.out.block(f"if {self.out.name(chosen)} is None"):
            place = f'{self.spans[by][0]}, "/{by.hint}"'
            self.out.add(f'raise Refused("invalid", {place}, f"{reason}")')

    # Instances of the root

    def root_instance(self, id: str) -> Var:
        with at(f"/instances/{id}"):
            self.number(Name(id), self.root)
        return self.known[id]

    def _instance(self, id: str, scope: Scope) -> Expr | Scope:
        if scope is not self.root:
            return super()._instance(id, scope)
        if id not in self.known:
            with at(f"/instances/{id}"):
                spec = self.ksy["instances"][id]
                self.known[id] = self.calculated(id) if "value" in spec else self.read(id, spec)
        return self.known[id]

    def calculated(self, id: str) -> Var:
        expr = as_number(super()._instance(id, self.root))
        var = Var(id, *bounds(expr))
        self.spans[var] = self.span(expr)
        self.out.define(var, self.out.expr(expr))
        return var

    def read(self, id: str, spec: dict[str, Any]) -> Var:
        know(spec, PARSED_KEYS, f"/instances/{id}")
        match, pos = NUMBER.fullmatch(str(spec.get("type"))), spec.get("pos")
        if not match or match[1] not in INTEGERS or not isinstance(pos, int) or pos < 0:
            raise Unsupported("an instance that is not an integer at a fixed position")
        endian = "le" if match[1][1] == "1" else match[2] or self.ksy["meta"].get("endian")
        if endian not in ("le", "be"):
            raise Unsupported(f"{match[1]} without a byte order")
        var = Var(id, *INTEGERS[match[1]])
        number = Number(id, match[1], endian, var, [])
        self.spans[var] = pos, pos + number.size
        self.read_at(number, pos)
        return var

    def read_at(self, number: Number, pos: int) -> None:
        self.out.add(f'need(buf, {pos}, {number.size}, "{number.id}")')
        self.out.define(number.var, f"{self.out.reader(number)}(buf, {pos})[0]")

    def span(self, expr: Expr) -> tuple[int, int]:
        start = min((self.spans[var][0] for var in variables(expr)), default=0)
        end = self.reach(expr, max)
        if end > self.reach(expr, min):
            raise Unsupported("a condition, one side of which needs more data than the other")
        return start, end

    def reach(self, expr: Expr, pick: Callable[[int, int], int]) -> int:
        """Return how many bytes are needed: with `pick` max at most, with min in any case."""
        match expr:
            case Var():
                return self.spans[expr][1]
            case Ternary():
                sides = pick(self.reach(expr.if_true, pick), self.reach(expr.if_false, pick))
                return max(self.reach(expr.condition, pick), sides)
            case Binary(op="and" | "or"):
                left = self.reach(expr.left, pick)
                return max(left, pick(left, self.reach(expr.right, pick)))
        return max((self.reach(part, pick) for part in operands(expr)), default=0)
