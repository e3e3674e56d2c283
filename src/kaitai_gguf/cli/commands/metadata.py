"""`kaitai-gguf metadata`: list the keys and their values."""

import json
import sys
from typing import Any

import click

from kaitai_gguf import GGUFFile, StringArray
from kaitai_gguf.cli import canonical, completion
from kaitai_gguf.cli.files import open_model, write_file
from kaitai_gguf.cli.options import PIPES, file_argument, form_options, output_option, write_options
from kaitai_gguf.cli.output import describe_type, describe_value, print_json, printable
from kaitai_gguf.cli.safe_names import as_text
from kaitai_gguf.cli.selection import is_pattern, matching
from kaitai_gguf.cli.table import print_table


@click.command(epilog=PIPES)
@file_argument
@click.argument("key", required=False, shell_complete=completion.keys)
@form_options
@click.option("--json-object", is_flag=True, help="Print one JSON object with the values by key, for jq.")
@click.option("--raw", is_flag=True, help="Print the exact bytes of a string, without a newline after it.")
@output_option("PATH", "Write the value of KEY to a file.")
@write_options
def command(
    *, file: str, key: str | None, as_json: bool, json_object: bool, raw: bool, output: str | None, **how: Any
) -> None:
    """List the metadata of FILE, or print one value in full.

    KEY may be a pattern, such as 'tokenizer.*', to list the keys that match. Quote it for the shell.

    A string is printed with a newline after it, and a terminal shows control characters escaped. --raw and --output
    give its exact bytes: `set FILE KEY=@PATH` restores it. Arrays are printed one element per line.

    --json prints types with the values, and only a hash of a long array in a list; --json-object prints all
    values without types. Strings that are not UTF-8 are {"base64": "..."}.

    Exit status: 1 if no key matches, 2 if FILE can't be read.

    \b
    Examples:
      kaitai-gguf metadata model.gguf
      kaitai-gguf metadata model.gguf '*.attention.*'
      kaitai-gguf metadata model.gguf tokenizer.chat_template
      kaitai-gguf metadata model.gguf general.name --output name.txt
      kaitai-gguf metadata model.gguf --json-object | jq '.["general.name"]'
    """
    is_exact = raw or output is not None
    if (as_json or json_object) and (is_exact or as_json == json_object):
        raise click.UsageError("give only one of --json, --json-object, and --raw or --output")
    with open_model(file) as model:
        metadata = model.metadata
        is_list = key is None or is_pattern(metadata, key)
        if is_list and is_exact:
            raise click.UsageError("--raw and --output need a KEY, not a pattern")
        keys = [*metadata] if key is None else matching(metadata, key)
        if json_object:
            print_json({as_text(each): _plain(canonical.typed_value(model, each, full=True)) for each in keys})
        elif as_json:
            rows = [canonical.key_value(model, each, full=not is_list) for each in keys]
            print_json(rows if is_list else rows[0])
        elif is_list:
            cells = [(each, describe_type(metadata.entry(each)), describe_value(metadata[each])) for each in keys]
            print_table(["key", "type", "value"], cells, cut="value")
        elif output is not None:
            write_file(output, _content(model, keys[0]), **how)
        elif isinstance(value := metadata[keys[0]], str) and not raw:
            lines = map(printable, value.split("\n")) if sys.stdout.isatty() else ()
            click.echo("\n".join(lines) or metadata.raw(keys[0]))
        else:
            click.echo(_content(model, keys[0]), nl=False)


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
    return item if isinstance(item, str) else json.dumps(_plain(item))


def _plain(item: Any) -> Any:
    """Return a value of the canonical JSON without its type and those of nested arrays."""
    if isinstance(item, list):
        return [_plain(inner) for inner in item]
    return _plain(item["value"]) if isinstance(item, dict) and "value" in item else item
