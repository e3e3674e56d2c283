"""`kaitai-gguf metadata`: list the keys and their values."""

import json
import sys
from typing import Any

import click

from kaitai_gguf import GGUFFile, StringArray
from kaitai_gguf.cli import canonical
from kaitai_gguf.cli.files import open_model, write_file
from kaitai_gguf.cli.options import PIPES, file_argument, form_options, output_option, write_options
from kaitai_gguf.cli.output import describe_type, describe_value, print_json, printable
from kaitai_gguf.cli.selection import is_pattern, matching_keys
from kaitai_gguf.cli.table import print_table


@click.command(epilog=PIPES)
@file_argument
@click.argument("key", required=False)
@form_options
@click.option("--raw", is_flag=True, help="Print the exact bytes of a string, even to a terminal.")
@output_option("PATH", "Write the value of KEY to a file.")
@write_options
def command(*, file: str, key: str | None, as_json: bool, raw: bool, output: str | None, **how: Any) -> None:
    """List the metadata of FILE, or print one value in full.

    KEY may be a pattern, such as 'tokenizer.*', to list the keys that match. Quote it for the shell.

    A terminal shows a string with control characters escaped. A pipe, --output and --raw get its exact bytes,
    without an added newline: `set FILE KEY=@PATH` restores it. Arrays are printed one element per line.

    Exit status: 1 if no key matches a pattern, 2 if FILE can't be read or has no such KEY.

    \b
    Examples:
      kaitai-gguf metadata model.gguf
      kaitai-gguf metadata model.gguf '*.attention.*'
      kaitai-gguf metadata model.gguf tokenizer.chat_template
      kaitai-gguf metadata model.gguf general.name --output name.txt
      kaitai-gguf metadata model.gguf tokenizer.ggml.tokens --json
    """
    is_exact = raw or output is not None
    if as_json and is_exact:
        raise click.UsageError("--json can't be combined with --raw or --output")
    with open_model(file) as model:
        metadata = model.metadata
        is_list = key is None or is_pattern(metadata, key)
        if is_list and is_exact:
            raise click.UsageError("--raw and --output need a KEY, not a pattern")
        keys = [*metadata] if key is None else matching_keys(metadata, key)
        if is_list:
            if as_json:
                print_json([canonical.key_value(model, each, full=False) for each in keys])
            else:
                rows = [(each, describe_type(metadata.entry(each)), describe_value(metadata[each])) for each in keys]
                print_table(["key", "type", "value"], rows, cut="value")
            return
        (key,) = keys
        value = metadata[key]
        if as_json:
            print_json(canonical.key_value(model, key, full=True))
        elif output is not None:
            write_file(output, _content(model, key), **how)
        elif isinstance(value, str) and sys.stdout.isatty() and not raw:
            click.echo("\n".join(map(printable, value.split("\n"))))
        else:
            click.echo(_content(model, key), nl=False)


def _content(model: GGUFFile, key: str) -> bytes:
    """Return the exact bytes of a string, a line for any other scalar, or a line for each element of an array."""
    value = model.metadata[key]
    if isinstance(value, str):
        return model.metadata.raw(key)
    if isinstance(value, StringArray):
        lines = map(printable, value)
    else:
        items = canonical.typed_value(model, key, full=True)["value"]
        lines = map(_line, items if isinstance(items, list) else [items])
    return "".join(f"{line}\n" for line in lines).encode()


def _line(item: Any) -> str:
    """Return JSON without the element types of nested arrays, and with NaN and Infinity without quotes."""
    return item if isinstance(item, str) else json.dumps(_values(item))


def _values(item: Any) -> Any:
    return [_values(inner) for inner in item["value"]] if isinstance(item, dict) and "value" in item else item
