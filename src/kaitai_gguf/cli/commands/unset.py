"""`kaitai-gguf unset`: removes keys."""

from typing import Any

import click

import kaitai_gguf
from kaitai_gguf.cli.options import edit_options, file_argument
from kaitai_gguf.cli.saving import save_edits


@click.command()
@file_argument
@click.argument("keys", nargs=-1, required=True, metavar="KEY...")
@edit_options
def command(*, file: str, keys: tuple[str, ...], **how: Any) -> None:
    """Remove keys, with their values, from the metadata of FILE.

    Exit status: 2 if one of them does not exist; nothing is written then.

    \b
    Examples:
      kaitai-gguf unset model.gguf general.description --in-place
      kaitai-gguf unset model.gguf tokenizer.chat_template --output without.gguf
    """
    with kaitai_gguf.edit(file) as editor:
        for key in keys:
            del editor.metadata[key]
        save_edits(editor, file, **how)
