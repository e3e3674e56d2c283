"""The differences between two models, as a table and as JSON."""

from collections.abc import Iterator
from dataclasses import asdict, replace
from typing import Any, Literal, NamedTuple

import numpy as np

from kaitai_gguf import Differences, GGUFFile, KeyDifference, TensorDifference
from kaitai_gguf.cli import canonical
from kaitai_gguf.cli.output import describe_shape, describe_type, describe_value, format_number, warn
from kaitai_gguf.cli.table import print_table


class Renamed(NamedTuple):
    """A key or a tensor that has another name, and is otherwise the same."""

    what: Literal["key", "tensor"]
    before: str
    after: str


def print_differences(before: GGUFFile, after: GGUFFile, found: Differences, renamed: Renamed | None = None) -> None:
    """Print a line for each difference, and one for a new name. What could not be compared goes to stderr."""
    found = _without(found, renamed)
    rows = [("header", name.replace("_", " "), f"{one} → {other}") for name, (one, other) in found.facts.items()]
    rows += [("key", each.key, _key_words(before, after, each)) for each in found.keys]
    rows += [("tensor", each.name, words) for each in found.tensors for words in _tensor_words(each)]
    if renamed is not None and renamed.before != renamed.after:
        rows.append((renamed.what, renamed.before, f"renamed to {renamed.after}"))
    if rows:
        print_table(["what", "name", "change"], rows)
    for name in found.not_compared:
        warn(f"tensor {name!r} is of a type that isn't known, and its data was not compared")


def document(before: GGUFFile, after: GGUFFile, found: Differences, renamed: Renamed | None = None) -> dict[str, Any]:
    """Return the differences; with `renamed`, also the names before and after."""
    is_same, found = not found, _without(found, renamed)
    rows = [] if renamed is None or is_same else [renamed._asdict()]
    names = [row | {name: canonical.text(row[name]) for name in ("before", "after")} for row in rows]
    return {
        "same": is_same,
        "header": {name: {"before": one, "after": other} for name, (one, other) in found.facts.items()},
        "keys": [_key_document(before, after, each) for each in found.keys],
        "tensors": [_tensor_document(each) for each in found.tensors],
        "not_compared": [canonical.text(name) for name in found.not_compared],
    } | ({} if renamed is None else {"renamed": names})


def _without(found: Differences, renamed: Renamed | None) -> Differences:
    """Return the differences without those that a new name explains."""
    if renamed is None:
        return found
    keys, tensors = found.keys, found.tensors
    if renamed.what == "key":
        keys = tuple(each for each in keys if each.key not in renamed[1:])
    else:
        tensors = tuple(each for each in tensors if each.name not in renamed[1:])
    return replace(found, keys=keys, tensors=tensors)


# Words


def _key_words(before: GGUFFile, after: GGUFFile, change: KeyDifference) -> str:
    if change.before is None:
        return f"added: {_value_words(after, change.key)}"
    if change.after is None:
        return f"removed: {_value_words(before, change.key)}"
    if change.elements is None:
        return f"{_value_words(before, change.key)} → {_value_words(after, change.key)}"
    one, other = change.elements.lengths
    lengths = f"{one} → {other} elements, " if one != other else ""
    shown = ", ".join(
        f"[{index}] {describe_value(mine, 30)} → {describe_value(theirs, 30)}"
        for index, mine, theirs in change.elements.first
    )
    words = f"{lengths}{change.elements.count} of {max(one, other)} elements differ"
    return f"{words}: {shown}" if shown else words


def _value_words(model: GGUFFile, key: str) -> str:
    return f"{describe_type(model.metadata.entry(key))} {describe_value(model.metadata[key])}"


def _tensor_words(change: TensorDifference) -> Iterator[str]:
    one, other = change.before, change.after
    if one is None or other is None:
        tensor = one or other
        assert tensor is not None
        yield f"{'added' if one is None else 'removed'}: {tensor.type_name} {describe_shape(tensor.shape)}"
        return
    words = {
        "type": f"type: {one.type_name} → {other.type_name}",
        "dims": f"shape: {describe_shape(one.shape)} → {describe_shape(other.shape)}",
        "offset": f"offset: {one.offset} → {other.offset}",
        "data": "data differ",
    }
    yield ", ".join(words[each] for each in change.changes)
    if change.errors is not None:
        errors = change.errors
        odd = f", {errors.not_finite} of them not finite" if errors.not_finite else ""
        yield (
            f"values: {errors.differing} of {one.n_elements} differ{odd}, "
            f"max abs {format_number(errors.max_abs)}, relative {format_number(errors.relative)}"
        )


# JSON


def _key_document(before: GGUFFile, after: GGUFFile, change: KeyDifference) -> dict[str, Any]:
    row = {
        "key": canonical.text(change.key),
        "before": canonical.typed_value(before, change.key, full=False) if change.before else None,
        "after": canonical.typed_value(after, change.key, full=False) if change.after else None,
    }
    if change.elements is None:
        return row
    first = [
        {"index": index, "before": _element(mine), "after": _element(theirs)}
        for index, mine, theirs in change.elements.first
    ]
    return row | {"differing": change.elements.count, "first": first}


def _element(item: Any) -> Any:
    if isinstance(item, str):
        return canonical.text(item)
    if isinstance(item, np.generic):
        return canonical.elements(np.asarray(item).reshape(1), full=False)[0]
    return canonical.elements(item, full=False)


def _tensor_document(change: TensorDifference) -> dict[str, Any]:
    row: dict[str, Any] = {
        "name": canonical.text(change.name),
        "before": None if change.before is None else canonical.tensor_info(change.before),
        "after": None if change.after is None else canonical.tensor_info(change.after),
        "changes": list(change.changes),
    }
    if change.errors is not None:
        row["values"] = {name: canonical.number(value) for name, value in asdict(change.errors).items()}
    return row
