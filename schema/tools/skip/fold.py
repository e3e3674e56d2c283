"""From a .ksy to the steps that walk over its data: how far each type reaches, and nothing else.

`Folder.fold(type)` inlines what a type is made of, computes what is constant under the given
constants (`_root.version`, say), and gives back steps in reading order. A type that contains itself
becomes a call. A construct that can't be walked over raises `Unsupported`, naming its place.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from skip.expression import (
    Binary,
    Const,
    EnumValue,
    Expr,
    Member,
    Name,
    Ternary,
    Unary,
    Unsupported,
    Var,
    binary,
    parse,
    unary,
    variables,
)

NUMBER_SIZES = {f"{kind}{size}": size for kind in "us" for size in (1, 2, 4, 8)} | {"f4": 4, "f8": 8}
TYPE_KEYS = {"meta", "doc", "doc-ref", "params", "seq", "instances", "types", "enums", "to-string"}
ATTRIBUTE_KEYS = {
    "id", "type", "size", "contents", "enum", "encoding", "valid", "repeat", "repeat-expr", "if", "doc", "doc-ref",
}  # fmt: skip
INTERNAL_TYPES = {"str"}


@dataclass
class Check:
    """What `valid` asks of a number: `kind` is min, max, any-of, in-enum or expr."""

    kind: str
    expected: Any


@dataclass
class Number:
    id: str
    type: str
    endian: str  # "le", "be", or "" for the byte order that the file decides on
    var: Var
    checks: list[Check]
    enum: str | None = None

    @property
    def size(self) -> int:
        return NUMBER_SIZES[self.type]


@dataclass
class Bytes:
    id: str
    size: Expr
    contents: bytes | None = None
    item: Number | None = None  # of a repeated number: the number, and how often
    count: Expr | None = None


@dataclass
class Struct:
    id: str
    type: str
    steps: list["Step"]


@dataclass
class Call:
    """A type that contains itself."""

    id: str
    type: str
    least: int  # bytes


@dataclass
class Loop:
    id: str
    count: Expr
    steps: list["Step"]
    item_size: int = 0  # bytes that an item takes at least


@dataclass
class Switch:
    id: str
    on: Expr
    cases: list[tuple[list[int], list["Step"]]]
    default: list["Step"] | None


@dataclass
class If:
    condition: Expr
    steps: list["Step"]


Step = Number | Bytes | Struct | Call | Loop | Switch | If


@dataclass(eq=False)
class Scope:
    """The names that an expression inside one type sees."""

    type: str
    spec: dict[str, Any]
    parent: "Scope | None"
    endian: str | None
    hint: str | None = None  # a number alone in its type is named as the attribute that holds it
    values: dict[str, "Expr | Scope"] = field(default_factory=dict)


class Folder:
    """Folds the types of one schema under constants of its root, e.g. `{"version": 1}`."""

    def __init__(self, ksy: dict[str, Any], constants: dict[str, int | bool]) -> None:
        self.ksy = ksy
        self.types: dict[str, dict[str, Any]] = {ksy["meta"]["id"]: ksy, **ksy.get("types", {})}
        self.enums: dict[str, dict[int, str]] = {
            name: {number: spec["id"] if isinstance(spec, dict) else spec for number, spec in enum.items()}
            for name, enum in ksy.get("enums", {}).items()
        }
        self.constants = constants
        self.root = Scope(ksy["meta"]["id"], ksy, None, None)
        self.depths = self._recursive_types()
        self._least_sizes: dict[str, int] = {}
        for name, spec in self.types.items():
            self._know(spec, TYPE_KEYS, f"/types/{name}")
            if spec is not ksy and "types" in spec:
                raise Unsupported(f"/types/{name}/types: a type inside a type")

    def fold(self, name: str) -> tuple[Scope, list[Step]]:
        """The steps of a type, and its scope. What it takes from `_parent` stays a free variable."""
        scope = Scope(name, self.types[name], None, self._endian(name, None))
        return scope, self._seq(scope)

    def _least(self, name: str) -> int:
        if name not in self._least_sizes:
            self._least_sizes[name] = 1  # while it is being folded: a loop of items counts as empty anyway
            self._least_sizes[name] = least_size(self.fold(name)[1])
        return self._least_sizes[name]

    # Types and attributes

    def _seq(self, scope: Scope) -> list[Step]:
        steps: list[Step] = []
        for attribute in scope.spec.get("seq", []):
            place = f"/types/{scope.type}/seq/{attribute.get('id')}"
            try:
                steps += self._attribute(scope, attribute, place)
            except Unsupported as unsupported:
                raise unsupported if str(unsupported).startswith("/") else Unsupported(f"{place}: {unsupported}") from None
        return steps

    def _attribute(self, scope: Scope, attribute: dict[str, Any], place: str) -> list[Step]:
        self._know(attribute, ATTRIBUTE_KEYS, place)
        if "id" not in attribute:
            raise Unsupported("an attribute without an id")
        present = self.evaluate(attribute.get("if", True), scope)
        if isinstance(present, Const) and not present.value:
            return []
        repeat = attribute.get("repeat")
        if repeat not in (None, "expr"):
            raise Unsupported(f"repeat: {repeat}")
        steps = self._value(scope, attribute, repeated=repeat is not None)
        if repeat:
            steps = self._loop(attribute["id"], self.evaluate(attribute["repeat-expr"], scope), steps)
        return steps if isinstance(present, Const) else [If(present, steps)]

    def _value(self, scope: Scope, attribute: dict[str, Any], repeated: bool) -> list[Step]:
        id, type = attribute["id"], attribute.get("type")
        if "contents" in attribute:
            contents = attribute["contents"]
            parts = contents if isinstance(contents, list) else [contents]
            data = b"".join(part.encode() if isinstance(part, str) else bytes([part]) for part in parts)
            return [Bytes(id, Const(len(data)), data)]
        if isinstance(type, dict):
            return [self._switch(scope, id, type, repeated)]
        if type is None or type in INTERNAL_TYPES:
            if "size" not in attribute or "valid" in attribute:
                raise Unsupported("bytes without a size, or with a valid")
            return [Bytes(id, self.evaluate(attribute["size"], scope))]
        if "size" in attribute:
            raise Unsupported("a type inside a substream of its own size")
        if type[:2] in NUMBER_SIZES:
            return [self._number(scope, attribute, type, repeated)]
        if "valid" in attribute:
            raise Unsupported("valid on a structure")
        return self._struct(scope, id, type, repeated)

    def _number(self, scope: Scope, attribute: dict[str, Any], type: str, repeated: bool) -> Number:
        id, kind, endian = attribute["id"], type[:2], type[2:]
        if kind not in ("u1", "s1") and not endian:
            if scope.endian is None:
                raise Unsupported(f"{type} in a type without meta/endian")
            endian = scope.endian
        var = Var(scope.hint or id)
        if not repeated:
            scope.values[id] = var
        checks = self._checks(scope, attribute.get("valid"), attribute.get("enum"), kind)
        return Number(id, kind, "" if endian == "switch" else endian or "le", var, checks, attribute.get("enum"))

    def _struct(self, scope: Scope, id: str, reference: str, repeated: bool) -> list[Step]:
        name, arguments = _call(reference)
        if name not in self.types:
            raise Unsupported(f"the type {name}")
        if name in self.depths:
            return [Call(id, name, self._least(name))]
        child = Scope(name, self.types[name], scope, self._endian(name, scope))
        for param, argument in zip(self.types[name].get("params", []), arguments, strict=True):
            child.values[param["id"]] = self.evaluate(argument, scope)
        if sum(self._is_present(attribute, child) for attribute in child.spec.get("seq", [])) == 1:
            child.hint = scope.hint or id
        if not repeated:
            scope.values[id] = child
        return [Struct(id, name, self._seq(child))]

    def _loop(self, id: str, count: Expr, steps: list[Step]) -> list[Step]:
        item_size = least_size(steps)
        constant = constant_size(steps)
        if constant is not None:
            return [Bytes(id, binary("*", count, Const(constant)), item=_lone_number(steps), count=count)]
        if item_size == 0:
            raise Unsupported("a repeat of items that may have no bytes: nothing would bound its count")
        return [Loop(id, count, steps, item_size)]

    def _switch(self, scope: Scope, id: str, spec: dict[str, Any], repeated: bool) -> Switch | Struct:
        on = self.evaluate(spec["switch-on"], scope)
        cases: list[tuple[list[int], list[Step]]] = []
        default = None
        for key, type in spec["cases"].items():
            steps = self._value(scope, {"id": id, "type": type}, repeated=True)
            if key == "_":
                default = steps
                continue
            value = self.evaluate(key, scope)
            if not isinstance(value, Const):
                raise Unsupported(f"the case {key}, which is not constant")
            if isinstance(on, Const) and value == on:
                return Struct(id, "", steps)
            same = next((case for case in cases if same_steps(case[1], steps)), None)
            if same:
                same[0].append(value.value)
            else:
                cases.append(([value.value], steps))
        return Switch(id, on, cases, default)

    def _checks(self, scope: Scope, valid: Any, enum: str | None, kind: str) -> list[Check]:
        if valid is None:
            return []
        if not isinstance(valid, dict):
            valid = {"eq": valid}
        checks = []
        for key, expected in valid.items():
            if key == "in-enum":
                checks.append(Check("in-enum", enum))
            elif key == "any-of":
                checks.append(Check("any-of", [self.evaluate(item, scope) for item in expected]))
            elif key == "eq":
                checks.append(Check("any-of", [self.evaluate(expected, scope)]))
            elif key in ("min", "max"):
                bound = self.evaluate(expected, scope)
                if not (key == "min" and kind[0] == "u" and bound == Const(0)):
                    checks.append(Check(key, bound))
            else:
                raise Unsupported(f"valid/{key}")
        return checks

    # Expressions

    def evaluate(self, source: Any, scope: Scope) -> Expr:
        return self._number_of(parse(source), scope)

    def _evaluate(self, expr: Expr, scope: Scope) -> Expr | Scope:
        match expr:
            case Const() | Var():
                return expr
            case EnumValue():
                numbers = {id: number for number, id in self.enums.get(expr.enum, {}).items()}
                if expr.id not in numbers:
                    raise Unsupported(f"the enum value {expr.enum}::{expr.id}")
                return Const(numbers[expr.id])
            case Name():
                return self._name(expr.id, scope)
            case Member():
                owner = self._evaluate(expr.object, scope)
                if not isinstance(owner, Scope):
                    raise Unsupported(f"the member {expr.id} of a number")
                return self._name(expr.id, owner)
            case Unary():
                return unary(expr.op, self._number_of(expr.operand, scope))
            case Binary():
                return binary(expr.op, self._number_of(expr.left, scope), self._number_of(expr.right, scope))
            case Ternary():
                condition = self._number_of(expr.condition, scope)
                if isinstance(condition, Const):
                    return self._evaluate(expr.if_true if condition.value else expr.if_false, scope)
                return Ternary(
                    condition, self._number_of(expr.if_true, scope), self._number_of(expr.if_false, scope)
                )

    def _number_of(self, expr: Expr, scope: Scope) -> Expr:
        value = self._evaluate(expr, scope)
        if isinstance(value, _Free):
            return value.var
        if isinstance(value, Scope):
            raise Unsupported("a structure where a number is wanted")
        return value

    def _name(self, id: str, scope: Scope) -> Expr | Scope:
        if id == "_root":
            return self.root
        if id == "_parent":
            if scope.parent is None:
                # The type is walked on its own: what it takes from its parent is given by the caller.
                scope.parent = _Unknown(scope.type)
            return scope.parent
        if scope is self.root and id in self.constants:
            return Const(self.constants[id])
        if id in scope.values:
            return scope.values[id]
        instance = scope.spec.get("instances", {}).get(id)
        if instance is not None and "value" in instance:
            return self._evaluate(parse(instance["value"]), scope)
        if isinstance(scope, _Unknown):
            return scope.free(id)
        raise Unsupported(f"the name {id}, which is not a number read before, a parameter or a calculated instance")

    # The schema

    def _endian(self, name: str, scope: Scope | None) -> str | None:
        endian = self.types[name].get("meta", {}).get("endian") or (scope and scope.endian)
        endian = endian or self.ksy["meta"].get("endian")
        return "switch" if isinstance(endian, dict) else endian

    def _is_present(self, attribute: dict[str, Any], scope: Scope) -> bool:
        try:
            return self.evaluate(attribute.get("if", True), scope) != Const(False)
        except Unsupported:
            return True

    def _recursive_types(self) -> dict[str, int]:
        """The types that contain themselves and get a function of their own, with their deepest nesting."""
        cyclic = [name for name in self.types if name in self._reachable(name)]
        # One that takes numbers from its parent is written into the function of that parent.
        heads = [name for name in cyclic if not _mentions_parent(self.types[name])]
        for name in cyclic:
            spec = self.types[name]
            if "params" in spec or (name in heads and "-max-depth" not in spec):
                raise Unsupported(f"/types/{name}: a type that contains itself, with params or without -max-depth")
            if name not in heads and name in self._reachable(name, without=heads):
                raise Unsupported(f"/types/{name}: a type that contains itself, and numbers of its _parent")
        return {name: self.types[name]["-max-depth"] for name in heads}

    def _reachable(self, name: str, without: list[str] | None = None) -> set[str]:
        found: set[str] = set()
        todo = [name]
        while todo:
            for used in _types_used(self.types[todo.pop()]):
                if used in self.types and used not in found and used not in (without or []):
                    found.add(used)
                    todo.append(used)
        return found

    def _know(self, spec: dict[str, Any], keys: set[str], place: str) -> None:
        unknown = [key for key in spec if key not in keys and not key.startswith("-")]
        if unknown:
            raise Unsupported(f"{place}/{unknown[0]}")


class _Unknown(Scope):
    """The parent of a type that is walked on its own; every number asked of it is a free variable."""

    def __init__(self, type: str) -> None:
        super().__init__(f"parent of {type}", {}, None, None)

    def free(self, id: str) -> "Expr | Scope":
        value = self.values[id] = _Free(id)
        return value


class _Free(Scope):
    """Something taken from an unknown parent: one number, whichever way it is asked for."""

    def __init__(self, id: str) -> None:
        super().__init__(id, {}, None, None)
        self.var = Var(id)
        self.values = _Always(self.var)  # type: ignore[assignment]


class _Always(dict[str, Any]):
    def __init__(self, value: Any) -> None:
        super().__init__()
        self.value = value

    def __contains__(self, key: object) -> bool:
        return True

    def __getitem__(self, key: str) -> Any:
        return self.value


def _call(reference: str) -> tuple[str, list[str]]:
    name, _, arguments = reference.partition("(")
    return name.strip(), [part for part in arguments.rstrip(") ").split(",") if part.strip()]


def _mentions_parent(spec: dict[str, Any]) -> bool:
    return "_parent" in str(spec.get("seq")) + str(spec.get("instances"))


def _types_used(spec: dict[str, Any]) -> Iterator[str]:
    for attribute in spec.get("seq", []):
        type = attribute.get("type")
        names = type["cases"].values() if isinstance(type, dict) else [type]
        yield from (_call(name)[0] for name in names if name)


# Facts about steps


def constant_size(steps: list[Step]) -> int | None:
    """How many bytes the steps take, if that is always the same and nothing in them is to be checked."""
    total = 0
    for step in steps:
        match step:
            case Number(checks=[]):
                total += step.size
            case Bytes(size=Const(), contents=None):
                total += step.size.value
            case Struct():
                inner = constant_size(step.steps)
                if inner is None:
                    return None
                total += inner
            case _:
                return None
    return total


def _lone_number(steps: list[Step]) -> Number | None:
    match steps:
        case [Number()]:
            return steps[0]
        case [Struct()]:
            return _lone_number(steps[0].steps)
    return None


def least_size(steps: list[Step]) -> int:
    """How many bytes the steps take at least."""
    total = 0
    for step in steps:
        match step:
            case Number():
                total += step.size
            case Bytes(size=Const()):
                total += step.size.value
            case Struct():
                total += least_size(step.steps)
            case Call():
                total += step.least
            case Switch(cases=cases, default=default):
                total += min([least_size(inner) for _, inner in cases] + [least_size(default or [])])
            case _:
                pass
    return total


def same_steps(one: list[Step], other: list[Step]) -> bool:
    """Whether two cases of a switch walk alike (they may read as different types)."""
    return len(one) == len(other) and all(map(_same, one, other))


def _same(one: Step, other: Step) -> bool:
    sizes = constant_size([one]), constant_size([other])
    if None not in sizes:
        return sizes[0] == sizes[1]
    match one, other:
        case Struct(), Struct():
            return one.type == other.type or same_steps(one.steps, other.steps)
        case Bytes(), Bytes():
            return one.size == other.size and one.contents == other.contents
        case Call(), Call():
            return one.type == other.type
    return False


def uses(steps: list[Step]) -> Iterator[Var]:
    """Every use of a variable in the steps."""
    for step in steps:
        match step:
            case Number():
                yield from _uses_in_checks(step)
            case Bytes():
                yield from variables(step.size)
            case Struct():
                yield from uses(step.steps)
            case Loop():
                yield from variables(step.count)
                yield from uses(step.steps)
            case Switch():
                yield from variables(step.on)
                for _, inner in step.cases:
                    yield from uses(inner)
                yield from uses(step.default or [])
            case If():
                yield from variables(step.condition)
                yield from uses(step.steps)


def _uses_in_checks(number: Number) -> Iterator[Var]:
    for check in number.checks:
        yield number.var
        for expected in check.expected if isinstance(check.expected, list) else [check.expected]:
            if isinstance(expected, Expr):
                yield from variables(expected)


def defined(steps: list[Step]) -> set[Var]:
    """The variables that the steps read."""
    found: set[Var] = set()
    for step in steps:
        match step:
            case Number():
                found.add(step.var)
            case Struct() | Loop() | If():
                found |= defined(step.steps)
            case Switch():
                for _, inner in step.cases:
                    found |= defined(inner)
                found |= defined(step.default or [])
    return found


def free_variables(steps: list[Step]) -> list[Var]:
    """What the steps use and do not read: the arguments of a function that walks over them."""
    known = defined(steps)
    return list(dict.fromkeys(var for var in uses(steps) if var not in known))
