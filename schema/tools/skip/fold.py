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
)
from skip.steps import (
    NUMBER_SIZES,
    Bytes,
    Call,
    Check,
    If,
    Loop,
    Number,
    Step,
    Struct,
    Switch,
    constant_size,
    least_size,
    lone_number,
    same_steps,
)

TYPE_KEYS = {"meta", "doc", "doc-ref", "params", "seq", "instances", "types", "enums", "to-string"}
ATTRIBUTE_KEYS = {
    "id", "type", "size", "contents", "enum", "encoding", "valid", "repeat", "repeat-expr", "if", "doc", "doc-ref",
}  # fmt: skip
INTERNAL_TYPES = {"str"}


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
                raise (
                    unsupported if str(unsupported).startswith("/") else Unsupported(f"{place}: {unsupported}")
                ) from None
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
            return [Bytes(id, binary("*", count, Const(constant)), item=lone_number(steps), count=count)]
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
                return Ternary(condition, self._number_of(expr.if_true, scope), self._number_of(expr.if_false, scope))

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
        self.values = _Always(self.var)


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
