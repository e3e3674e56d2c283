"""Fold the types of a .ksy to steps, from which an index is generated.

`Folder.fold(type)` inlines the contents of a type, computes what is constant for the given constants
(for example `_root.version`), and returns steps in reading order. A type that contains itself becomes
a call.

The supported part of Kaitai Struct's language; anything else raises `Unsupported`, with its place:

- `meta/endian` of the root: le or be; of other types also a switch on values that `choice.py` can compute.
- `types` of the root only; `enums` of the root only; `params` that are numbers or conditions.
- In `seq`, each with an `id`:
  - zero bytes (`size: 0`), which are left out whatever their `if` is;
  - integers and floats of whole bytes, with `valid`: a value, `any-of`, `min`, `max` or `in-enum`;
    sizes, counts and conditions can't depend on floats;
  - `size` bytes, or a `str` of them; `contents`;
  - types, with arguments; a switch over types, on a number or a condition, with constant cases;
  - `if`, and `repeat: expr` of items that take at least one byte each.
- Types that contain themselves, if `-max-depth` says how deep, without `params`, and without numbers
  of their `_parent` (one that only is inside of such a type may ask for those).
- Expressions of integers, conditions and enum values: all operators, with divisors that can't be 0 and
  shifts of 0 to 63, casts and `.to_i`; names of numbers and structures that were read before (inside of
  the same condition, if they are there under one), parameters, `_parent`, constants of `_root`, and
  calculated `instances` without `if` or `valid`. Instances that are parsed are never indexed.

Keys that begin with a `-`, and all that is documentation, are ignored.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from skip import valid
from skip.expression import (
    Binary,
    Const,
    Expr,
    Limit,
    Ternary,
    Unsupported,
    Var,
    at,
    binary,
    bounds,
    parse_list,
)
from skip.scope import GIVEN, Evaluator, Scope, know
from skip.steps import (
    INTEGERS,
    Bytes,
    Call,
    If,
    Loop,
    Number,
    Step,
    Struct,
    Switch,
    constant_size,
    every,
    flat,
    free_variables,
    least_size,
)

TYPE_KEYS = {"meta", "doc", "doc-ref", "params", "seq", "instances", "to-string"}
ATTRIBUTE_KEYS = {
    "id", "type", "size", "contents", "enum", "encoding", "valid", "repeat", "repeat-expr", "if", "doc", "doc-ref",
}  # fmt: skip
EXPRESSION_KEYS = ("type", "size", "valid", "repeat-expr", "if")
NUMBER = re.compile(r"([us][1248]|f[48])(le|be)?")
REFERENCE = re.compile(r"\s*([a-z_][a-z0-9_]*)\s*(?:\((.*)\))?\s*", re.DOTALL)
LARGE = 1 << 16  # from here on, limits get names
MAX_CALLS = 500  # half of Python's default recursion limit: functions call each other like types contain each other


class Folder(Evaluator):
    """Folds the types of one schema under constants of its root, e.g. `{"version": 1}`."""

    def __init__(
        self,
        ksy: dict[str, Any],
        constants: dict[str, int | bool],
        given: tuple[int, int] = GIVEN,
        decided: dict[str, list[str]] | None = None,
    ) -> None:
        """`decided` maps types to numbers that are not checked, since the choice of the layout has done so."""
        super().__init__(ksy, constants, given)
        self.decided = decided or {}
        self.types: dict[str, dict[str, Any]] = {self.root.type: ksy, **ksy.get("types", {})}
        if self.types[self.root.type] is not ksy:
            raise Unsupported(f"/types/{self.root.type}: a type named as the root is")
        if isinstance(ksy["meta"].get("endian"), dict):
            raise Unsupported("/meta/endian: a root whose byte order the data decides on")
        for name, spec in self.types.items():
            know(spec, TYPE_KEYS | ({"types", "enums"} if spec is ksy else set()), f"/types/{name}")
        self.depths = self._recursive_types()
        self._least_sizes = dict.fromkeys(self.depths, 0)
        self._is_measured = False
        for _ in self.depths:  # each round resolves one more of them
            self._least_sizes = {name: least_size(self.fold(name)[1]) for name in self.depths}
        self._is_measured = True
        for name in self.depths:
            if free := free_variables(self.fold(name)[1]):
                raise Unsupported(f"/types/{name}: a type that contains itself, and {free[0].hint} of its _parent")

    def fold(self, name: str) -> tuple[Scope, list[Step]]:
        """Return the steps of a type, and its scope. What it takes from `_parent` stays a free variable."""
        if name not in self.types:
            raise Unsupported(f"/types/{name}, which is not there")
        scope = Scope(name, self.types[name])
        return scope, self._seq(scope)

    def called(self, names: Iterable[str]) -> list[str]:
        """Return the types that contain themselves and are inside other types."""
        return _reached(names, lambda name: [step.type for step in every(self.fold(name)[1]) if isinstance(step, Call)])

    # Attributes

    def _seq(self, scope: Scope) -> list[Step]:
        steps: list[Step] = []
        for attribute in scope.spec.get("seq", []):
            place = f"/types/{scope.type}/seq/{attribute.get('id')}"
            with at(place):
                know(attribute, ATTRIBUTE_KEYS, place)
                steps += self._attribute(scope, attribute)
        return steps

    def _attribute(self, scope: Scope, attribute: dict[str, Any]) -> list[Step]:
        if not isinstance(attribute.get("id"), str):
            raise Unsupported("an attribute without an id")
        if _is_nothing(attribute):
            return []
        present = self.evaluate(attribute.get("if", True), scope)
        if isinstance(present, Const):
            return self._repeated(scope, attribute) if present.value else []
        with self.given(present):
            return [If(attribute["id"], present, self._repeated(scope, attribute))]

    def _repeated(self, scope: Scope, attribute: dict[str, Any]) -> list[Step]:
        repeat = attribute.get("repeat")
        if repeat is None:
            return [self._value(scope, attribute, attribute.get("type"), scope)]
        if repeat != "expr":
            raise Unsupported(f"repeat: {repeat}")
        item = self._value(scope, attribute, attribute.get("type"), None)
        return [self._loop(attribute["id"], self.evaluate(attribute.get("repeat-expr"), scope), item)]

    def _value(self, scope: Scope, attribute: dict[str, Any], type: Any, known: Scope | None) -> Step:
        """Return the steps for one value of an attribute. Unless repeated, its value has a name in `known`."""
        id = attribute["id"]
        if "contents" in attribute:
            if attribute.keys() & {"size", "type", "valid"}:
                raise Unsupported("contents with a size, a type or a valid")
            contents = _contents(attribute["contents"])
            return Bytes(id, Const(len(contents)), contents)
        if type is None or type == "str":
            if "size" not in attribute or "valid" in attribute:
                raise Unsupported("bytes without a size, or with a valid")
            size = self.evaluate(attribute["size"], scope)
            if bounds(size)[1] < 0:
                raise Unsupported("a size that is negative")
            return Bytes(id, size)
        if "size" in attribute:
            raise Unsupported("a type inside a substream of its own size")
        if isinstance(type, str) and (match := NUMBER.fullmatch(type)):
            number = self._number_step(scope, attribute, *match.groups())
            if known and number.type in INTEGERS:
                known.values[id] = number.var
            return number
        if "valid" in attribute:
            raise Unsupported("valid on a structure, or on a switch")
        if isinstance(type, dict):
            return self._switch(scope, attribute, type)
        return self._struct(scope, id, str(type), known)

    def _loop(self, id: str, count: Expr, item: Step) -> Step:
        if bounds(count)[1] <= 0:
            return Loop(id, Const(0), [], 0)
        constant = constant_size([item])
        if constant is not None:
            if bounds(count)[0] < 0:  # there are no items then
                count = Ternary(binary(">", count, Const(0)), count, Const(0))
            size = binary("*", count, Const(constant))
            match flat([item]):
                case [Number() as number]:
                    return Bytes(id, size, item=number, count=count)
            return Bytes(id, size)
        item_size = least_size([item])
        if item_size == 0 and self._is_measured:
            raise Unsupported("a repeat of items that may have no bytes: nothing would bound its count")
        return Loop(id, count, [item], item_size)

    def _number_step(self, scope: Scope, attribute: dict[str, Any], type: str, endian: str | None) -> Number:
        endian = "le" if type[1] == "1" else endian or self._endian(scope.type)  # irrelevant for one byte
        if endian is None:
            raise Unsupported(f"{type} in a type without meta/endian")
        rules: list[valid.Rule] = []
        if attribute["id"] not in self.decided.get(scope.type, []):
            named = {str(value): Limit(value, name) for name, value in limits(scope.type, scope.spec).items()}
            rules = valid.rules(attribute, lambda v: named.get(str(v)) or self.evaluate(v, scope), self.enums)
        hint = scope.hint or attribute["id"]
        var = Var(hint, *valid.limits(type, rules)) if type in INTEGERS else Var(hint)
        self.needs[var] = self.facts
        checks = list(valid.checks(var, type, rules, attribute.get("enum", "")))
        return Number(attribute["id"], type, endian, var, checks)

    def _struct(self, scope: Scope, id: str, reference: str, known: Scope | None) -> Step:
        name, source = _reference(reference)
        if name not in self.types:
            raise Unsupported(f"the type {reference}")
        if name in self.depths:
            return Call(id, name, self._least_sizes[name])
        arguments = parse_list(source)
        child = Scope(name, self.types[name], scope)
        params = child.spec.get("params", [])
        if len(params) != len(arguments):
            raise Unsupported(f"{len(arguments)} arguments for the {len(params)} params of {name}")
        for param, argument in zip(params, arguments, strict=True):
            child.values[param["id"]] = self.number(argument, scope)
        if sum(self._is_present(attribute, child) for attribute in child.spec.get("seq", [])) == 1:
            child.hint = scope.hint or id
        struct = Struct(id, name, self._seq(child))
        if known:
            known.values[id] = child
        return struct

    def _switch(self, scope: Scope, attribute: dict[str, Any], spec: dict[str, Any]) -> Step:
        id, on = attribute["id"], self.evaluate(spec["switch-on"], scope)
        types, default = self.cases(spec, scope)

        def steps(type: Any) -> list[Step]:
            return [] if type is None else [self._value(scope, {"id": id}, type, None)]

        if isinstance(on, Const):
            return Struct(id, "", steps(types.get(on.value, default)))
        low, high = bounds(on)
        cases = []
        for number, type in types.items():
            if low <= number <= high:
                with self.given(Binary("==", on, Const(number))):
                    cases.append((Const(number), steps(type)))
        return Switch(id, on, cases, steps(default)) if cases else Struct(id, "", steps(default))

    # The schema

    def _endian(self, name: str) -> str | None:
        """Return the byte order of a type, by default that of the root. It does not depend on the type's users."""
        endian = self.types[name].get("meta", {}).get("endian", self.ksy["meta"].get("endian"))
        return "" if isinstance(endian, dict) else endian

    def _is_present(self, attribute: dict[str, Any], scope: Scope) -> bool:
        if _is_nothing(attribute):
            return False
        try:
            return self.evaluate(attribute.get("if", True), scope) != Const(False)
        except Unsupported:
            return True

    def _recursive_types(self) -> dict[str, int]:
        """Return the types that contain themselves and get their own function, with their maximum depth."""
        cyclic = [name for name in self.types if name in self._reachable(name)]
        # A type that takes numbers from its parent is inlined into the function of the parent.
        heads = [name for name in cyclic if not _mentions_parent(self.types[name])]
        for name in cyclic:
            with at(f"/types/{name}"):
                spec = self.types[name]
                if "params" in spec:
                    raise Unsupported("a type that contains itself, and has params")
                if name not in heads and name in self._reachable(name, without=heads):
                    raise Unsupported("a type that contains itself, and numbers of its _parent")
                depth = spec.get("-max-depth")
                if name in heads and not (isinstance(depth, int) and 0 < depth * len(cyclic) <= MAX_CALLS):
                    most = MAX_CALLS // len(cyclic)
                    raise Unsupported(f"a type that contains itself, without a -max-depth of 1 to {most}")
        return {name: self.types[name]["-max-depth"] for name in heads}

    def _reachable(self, name: str, without: Iterable[str] = ()) -> list[str]:
        known = self.types.keys() - set(without)
        return _reached([name], lambda type: [used for used in _types_used(self.types[type]) if used in known])


def _reached(names: Iterable[str], after: Callable[[str], Iterable[str]]) -> list[str]:
    """Return all names reachable from the given ones."""
    found: dict[str, None] = {}
    todo = list(names)
    while todo:
        new = [name for name in dict.fromkeys(after(todo.pop(0))) if name not in found]
        found |= dict.fromkeys(new)
        todo += new
    return list(found)


def limits(type: str, spec: dict[str, Any]) -> dict[str, int]:
    """Return the large limits in `valid` of the fields of a type, by name."""
    fields = [(attribute.get("id"), attribute.get("valid")) for attribute in spec.get("seq", [])]
    most = {id: valid["max"] for id, valid in fields if isinstance(valid, dict) and isinstance(valid.get("max"), int)}
    if len(set(most.values())) == 1 and len(most) == len(fields):
        most = {"": next(iter(most.values()))}
    return {f"MAX_{type}_{id}".rstrip("_").upper(): value for id, value in most.items() if value >= LARGE}


def _is_nothing(attribute: dict[str, Any]) -> bool:
    """Return whether an attribute takes no bytes, and only makes parsers compute its condition."""
    return attribute.get("size") == 0 and attribute.keys() <= {"id", "size", "if", "doc", "doc-ref"}


def _contents(spec: Any) -> bytes:
    contents = b""
    for part in spec if isinstance(spec, list) else [spec]:
        if isinstance(part, int) and not 0 <= part <= 255:
            raise Unsupported(f"contents: {part}, which is not a byte")
        contents += bytes([part]) if isinstance(part, int) else str(part).encode()
    return contents


def _reference(reference: str) -> tuple[str, str]:
    """Return the name and the arguments in a reference to a type."""
    match = REFERENCE.fullmatch(reference)
    return (match[1], match[2] or "") if match else (reference, "")


def _types_used(spec: dict[str, Any]) -> Iterator[str]:
    for attribute in spec.get("seq", []):
        type = attribute.get("type")
        for reference in type["cases"].values() if isinstance(type, dict) else [type]:
            yield _reference(str(reference))[0]


def _mentions_parent(spec: dict[str, Any]) -> bool:
    """Return whether an index of the type may have to compute an expression that uses the parent."""
    found = [attribute.get(key) for attribute in spec.get("seq", []) for key in EXPRESSION_KEYS]
    found += [instance.get("value") for instance in spec.get("instances", {}).values()]
    return any(re.search(r"\b_parent\b", str(expression)) for expression in found)
