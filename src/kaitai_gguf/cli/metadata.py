"""`kaitai-gguf metadata`: the keys and their values."""

import json
from typing import Any

import click
import numpy as np

import kaitai_gguf
from kaitai_gguf.cli import canonical
from kaitai_gguf.cli.output import (
    describe_value,
    file_argument,
    json_option,
    open_model,
    print_json,
    print_table,
    printable,
)


@click.command()
@file_argument
@click.argument("key", required=False)
@json_option
def command(file: str, key: str | None, as_json: bool) -> None:
    """List the metadata of FILE, or print the value of one KEY in full.

    \b
    Examples:
      kaitai-gguf metadata model.gguf
      kaitai-gguf metadata model.gguf tokenizer.chat_template
      kaitai-gguf metadata model.gguf tokenizer.ggml.tokens --json
    """
    with open_model(file) as model:
        if as_json:
            whole = canonical.key_value(model, key, full=True) if key is not None else None
            print_json(whole or [canonical.key_value(model, each, full=False) for each in model.metadata])
        elif key is None:
            _print_all(model)
        else:
            _print_one(model, key)


def _print_all(model: kaitai_gguf.GGUFFile) -> None:
    rows = []
    for key, value in model.metadata.items():
        entry = model.metadata.entry(key)
        type = entry.value_type.name.lower()
        if entry.element_type is not None:
            type = f"{entry.element_type.name.lower()}[{entry.count}]"
        rows.append((key, type, describe_value(value)))
    print_table(["key", "type", "value"], rows)


def _print_one(model: kaitai_gguf.GGUFFile, key: str) -> None:
    """Text with its line breaks, one element of an array a line."""
    value = model.metadata[key]
    if isinstance(value, str):
        click.echo("\n".join(printable(line) for line in value.split("\n")))
    elif isinstance(value, np.ndarray | kaitai_gguf.StringArray | kaitai_gguf.NestedArray):
        for shown, item in zip(value, canonical.elements(value, full=True), strict=True):
            click.echo(printable(shown) if isinstance(shown, str) else _compact(item))
    else:
        click.echo(_compact(canonical.key_value(model, key, full=True)["value"]))


def _compact(item: Any) -> str:
    """JSON on a line, numbers in words without their quotes."""
    return item if isinstance(item, str) else json.dumps(_values(item))


def _values(item: Any) -> Any:
    """A nested array without the types of its elements."""
    if isinstance(item, dict) and "value" in item:
        return [_values(inner) for inner in item["value"]]
    return item
