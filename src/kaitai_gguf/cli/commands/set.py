"""`kaitai-gguf set`: values of the metadata."""

import json
import math
from typing import Any

import click

import kaitai_gguf
from kaitai_gguf import Typed, ValueType
from kaitai_gguf.cli.files import read_file
from kaitai_gguf.cli.options import edit_options, file_argument
from kaitai_gguf.cli.output import printable
from kaitai_gguf.cli.saving import save_edits
from kaitai_gguf.text import decode

LONGEST = 1 << 30  # bytes: what the schema allows a string
TYPES = [str(type) for type in ValueType if type is not ValueType.ARRAY]


@click.command()
@file_argument
@click.argument("assignments", nargs=-1, required=True, metavar="KEY=VALUE...")
@click.option(
    "--type",
    "type",
    type=click.Choice([*TYPES, *(f"{name}[]" for name in TYPES)]),
    metavar="TYPE",
    help="The type of all values: uint32, string, float32[] and so on.",
)
@edit_options
def command(*, file: str, assignments: tuple[str, ...], type: str | None, **how: Any) -> None:
    """Set values in the metadata of FILE; new keys are added.

    A value keeps its type unless --type is given. A new key gets the type that it is documented
    to have, or else the one that its value looks like: true, 5, 0.5, [1, 2] as in JSON, or text.
    Text needs no quotes but those of the shell.

    KEY=@PATH takes the value from a file, KEY=@- from the standard input: its exact bytes for a text, JSON
    for the rest. `metadata FILE KEY --output PATH` writes such a file. Write @@ for a text that begins with @.

    The tensor data stays where it is if the header fits in its padding; else the whole file is
    written anew, and replaces the old one when it is complete.

    Exit status: 2 if something is wrong; nothing is written then.

    \b
    Examples:
      kaitai-gguf set model.gguf tokenizer.chat_template=@chat.jinja --in-place
      kaitai-gguf set model.gguf tokenizer.ggml.eos_token_id=7 --output new.gguf
      kaitai-gguf set model.gguf general.name='My model' x.y=1.2 --dry-run
      kaitai-gguf set model.gguf x.flags='[1, 2]' --type uint8[] --in-place
    """
    with kaitai_gguf.edit(file) as editor:
        for assignment in assignments:
            key, equals, text = assignment.partition("=")
            if not equals:
                raise click.UsageError(f"{printable(assignment)} is not KEY=VALUE")
            try:
                _set(editor.metadata, key, text, type)
            except TypeError as error:  # JSON has null and objects
                raise kaitai_gguf.WriteError(str(error)) from None
        save_edits(editor, file, **how)


def _set(metadata: kaitai_gguf.WritableMetadata, key: str, text: str, type: str | None) -> None:
    text = _text(text)
    if type is None:
        known = metadata.expected_type(key)
        is_text = known is not None and known.value_type is ValueType.STRING
        metadata[key] = text if is_text else _parsed(text, must=known is not None)
        return
    element_type = ValueType[type.removesuffix("[]").upper()]
    is_array = type.endswith("[]")
    value = text if element_type is ValueType.STRING and not is_array else _parsed(text, must=True)
    if is_array != isinstance(value, list):
        raise kaitai_gguf.WriteError(f"key {key!r}: {text:.60} is {'no' if is_array else 'an'} array")
    metadata[key] = Typed(value, element_type)


def _text(text: str) -> str:
    """Return the text that is given, or what is in the file that is given."""
    if not text.startswith("@") or text.startswith("@@"):
        return text.removeprefix("@")
    return decode(read_file(text[1:], LONGEST, "a value"))


def _parsed(text: str, must: bool) -> Any:
    """Return the value of JSON, or unless it `must` be JSON, the text itself."""
    try:
        return json.loads(text, parse_float=_number)
    except (ValueError, RecursionError):
        if must:
            words = f"{text[:60]!r} is no number, true, false or list as JSON has them"
            raise kaitai_gguf.WriteError(words) from None
        return text


def _number(text: str) -> float:
    value = float(text)
    if math.isinf(value):
        raise ValueError(f"{text} is too large")
    return value
