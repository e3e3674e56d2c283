"""The differences between two models, as a table and as JSON."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any, Literal, NamedTuple

import numpy as np

from kaitai_gguf import Differences, GGUFFile, KeyDifference, TensorDifference
from kaitai_gguf.cli import canonical
from kaitai_gguf.cli.output import describe_shape, describe_type, describe_value, format_number, warn
from kaitai_gguf.cli.table import print_table


class Renamed(NamedTuple):
    """Keys or tensors that were only renamed: old name → new name."""

    what: Literal["key", "tensor"]
    names: dict[str, str]


def print_differences(
    before: GGUFFile, after: GGUFFile, differences: Differences, renamed: Renamed | None = None
) -> None:
    """Print a line for each difference or new name, and warnings for tensors that can't be compared."""
    names = renamed.names if renamed else {}
    explained = {*names, *names.values()}
    rows = [("header", name.replace("_", " "), f"{one} → {other}") for name, (one, other) in differences.facts.items()]
    rows += [
        ("key", each.key, _key_change(before, after, each)) for each in differences.keys if each.key not in explained
    ]
    tensors = [each for each in differences.tensors if each.name not in explained]
    rows += [("tensor", each.name, change) for each in tensors for change in _tensor_changes(each)]
    if renamed is not None:
        rows += [(renamed.what, old, f"renamed to {new}") for old, new in names.items() if old != new]
    if rows:
        print_table(["what", "name", "change"], rows)
    for name in differences.not_compared:
        warn(f"tensor {name!r} has an unknown type: its data was not compared")


def document(before: GGUFFile, after: GGUFFile, differences: Differences) -> dict[str, Any]:
    """Return the differences for JSON."""
    return {
        "same": not differences,
        "header": {name: {"before": one, "after": other} for name, (one, other) in differences.facts.items()},
        "keys": [_key_document(before, after, each) for each in differences.keys],
        "tensors": [_tensor_document(each) for each in differences.tensors],
        "not_compared": [canonical.text(name) for name in differences.not_compared],
    }


# Text


def _key_change(before: GGUFFile, after: GGUFFile, change: KeyDifference) -> str:
    old, new = (
        entry and f"{describe_type(entry)} {describe_value(model.metadata[change.key])}"
        for model, entry in ((before, change.before), (after, change.after))
    )
    if old is None or new is None:
        return f"added: {new}" if old is None else f"removed: {old}"
    if change.elements is None:
        return f"{old} → {new}"
    one, other = change.elements.lengths
    lengths = f"{one} → {other} elements, " if one != other else ""
    count = f"{lengths}{change.elements.count} of {max(one, other)} elements differ"
    first = [f"[{i}] {describe_value(old, 30)} → {describe_value(new, 30)}" for i, old, new in change.elements.first]
    return f"{count}: {', '.join(first)}" if first else count


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
    if (errors := change.errors) is not None:
        not_finite = f", {errors.not_finite} of them not finite" if errors.not_finite else ""
        distance = f"max abs {format_number(errors.max_abs)}, relative {format_number(errors.relative)}"
        yield f"values: {errors.differing} of {one.n_elements} differ{not_finite}, {distance}"


# JSON


def _key_document(before: GGUFFile, after: GGUFFile, change: KeyDifference) -> dict[str, Any]:
    row: dict[str, Any] = {
        "key": canonical.text(change.key),
        "before": canonical.typed_value(before, change.key) if change.before else None,
        "after": canonical.typed_value(after, change.key) if change.after else None,
    }
    if change.elements is not None:
        first = [(index, _element(old), _element(new)) for index, old, new in change.elements.first]
        row["differing"] = change.elements.count
        row["first"] = [dict(zip(("index", "before", "after"), each, strict=True)) for each in first]
    return row


def _element(item: Any) -> Any:
    if isinstance(item, str):
        return canonical.text(item)
    if isinstance(item, np.generic):
        return canonical.elements(item.reshape(1))[0]
    return canonical.elements(item)


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
