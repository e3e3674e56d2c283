"""`kaitai-gguf unset`: remove keys."""

from itertools import chain
from typing import Any

import click

import kaitai_gguf
from kaitai_gguf.cli import completion
from kaitai_gguf.cli.options import edit_options, edited_file_argument
from kaitai_gguf.cli.saving import save_edits
from kaitai_gguf.cli.selection import matching


@click.command()
@edited_file_argument
@click.argument("keys", nargs=-1, required=True, metavar="KEY...", shell_complete=completion.keys)
@edit_options
def command(*, file: str, keys: tuple[str, ...], **how: Any) -> None:
    """Remove keys, with their values, from the metadata of FILE.

    KEY may be a pattern. Quote it, or the shell may replace it by file names.

    Exit status: 1 if a KEY matches nothing. Nothing is written then.

    \b
    Examples:
      kaitai-gguf unset model.gguf general.license --in-place
      kaitai-gguf unset model.gguf 'tokenizer.*' --output without.gguf
    """
    with kaitai_gguf.edit(file) as editor:
        for key in dict.fromkeys(chain.from_iterable(matching(editor.metadata, key) for key in keys)):
            del editor.metadata[key]
        save_edits(editor, file, **how)
