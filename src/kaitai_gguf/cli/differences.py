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
    """A key or a tensor that was only renamed."""

    what: Literal["key", "tensor"]
    before: str
    after: str


def print_differences(
    before: GGUFFile, after: GGUFFile, differences: Differences, renamed: Renamed | None = None
) -> None:
    """Print a line for each difference, one for a new name, and warnings for tensors that can't be compared."""
    differences = _without(differences, renamed)
    rows = [("header", name.replace("_", " "), f"{one} → {other}") for name, (one, other) in differences.facts.items()]
    rows += [("key", each.key, _key_change(before, after, each)) for each in differences.keys]
    rows += [("tensor", each.name, change) for each in differences.tensors for change in _tensor_changes(each)]
    if renamed is not None and renamed.before != renamed.after:
        rows.append((renamed.what, renamed.before, f"renamed to {renamed.after}"))
    if rows:
        print_table(["what", "name", "change"], rows)
    for name in differences.not_compared:
        warn(f"tensor {name!r} has an unknown type: its data was not compared")


def document(
    before: GGUFFile, after: GGUFFile, differences: Differences, renamed: Renamed | None = None
) -> dict[str, Any]:
    """Return the differences for JSON; with `renamed`, also the names before and after."""
    is_same, differences = not differences, _without(differences, renamed)
    rows = [] if renamed is None or is_same else [renamed._asdict()]
    names = [row | {name: canonical.text(row[name]) for name in ("before", "after")} for row in rows]
    return {
        "same": is_same,
        "header": {name: {"before": one, "after": other} for name, (one, other) in differences.facts.items()},
        "keys": [_key_document(before, after, each) for each in differences.keys],
        "tensors": [_tensor_document(each) for each in differences.tensors],
        "not_compared": [canonical.text(name) for name in differences.not_compared],
    } | ({} if renamed is None else {"renamed": names})


def _without(differences: Differences, renamed: Renamed | None) -> Differences:
    """Return the differences without those that a new name explains."""
    if renamed is None:
        return differences
    keys, tensors = differences.keys, differences.tensors
    if renamed.what == "key":
        keys = tuple(each for each in keys if each.key not in renamed[1:])
    else:
        tensors = tuple(each for each in tensors if each.name not in renamed[1:])
    return replace(differences, keys=keys, tensors=tensors)


# Text


def _key_change(before: GGUFFile, after: GGUFFile, change: KeyDifference) -> str:
    if change.before is None:
        return f"added: {_typed_value(after, change.key)}"
    if change.after is None:
        return f"removed: {_typed_value(before, change.key)}"
    if change.elements is None:
        return f"{_typed_value(before, change.key)} → {_typed_value(after, change.key)}"
    one, other = change.elements.lengths
    lengths = f"{one} → {other} elements, " if one != other else ""
    shown = ", ".join(
        f"[{index}] {describe_value(old, 30)} → {describe_value(new, 30)}" for index, old, new in change.elements.first
    )
    count = f"{lengths}{change.elements.count} of {max(one, other)} elements differ"
    return f"{count}: {shown}" if shown else count


def _typed_value(model: GGUFFile, key: str) -> str:
    return f"{describe_type(model.metadata.entry(key))} {describe_value(model.metadata[key])}"


def _tensor_changes(change: TensorDifference) -> Iterator[str]:
    one, other = change.before, change.after
    if one is None or other is None:
        tensor = one or other
        assert tensor is not None
        yield f"{'added' if one is None else 'removed'}: {tensor.type_name} {describe_shape(tensor.shape)}"
        return
    texts = {
        "type": f"type: {one.type_name} → {other.type_name}",
        "dims": f"shape: {describe_shape(one.shape)} → {describe_shape(other.shape)}",
        "offset": f"offset: {one.offset} → {other.offset}",
        "data": "data differ",
    }
    yield ", ".join(texts[each] for each in change.changes)
    if change.errors is not None:
        errors = change.errors
        not_finite = f", {errors.not_finite} of them not finite" if errors.not_finite else ""
        yield (
            f"values: {errors.differing} of {one.n_elements} differ{not_finite}, "
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
        {"index": index, "before": _element(old), "after": _element(new)} for index, old, new in change.elements.first
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
