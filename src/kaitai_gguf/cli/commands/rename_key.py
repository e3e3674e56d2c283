"""`kaitai-gguf rename-key`: rename keys."""

from typing import Any

import click

import kaitai_gguf
from kaitai_gguf.cli import completion
from kaitai_gguf.cli.differences import Renamed
from kaitai_gguf.cli.options import edit_options, edited_file_argument
from kaitai_gguf.cli.saving import save_edits
from kaitai_gguf.cli.selection import new_names
from kaitai_gguf.cli.values import warn_of_key


@click.command()
@edited_file_argument
@click.argument("old", shell_complete=completion.keys)
@click.argument("new")
@edit_options
def command(*, file: str, old: str, new: str, **how: Any) -> None:
    """Rename the key OLD of FILE to NEW. Its value, type and position in the order are kept.

    With a * in OLD and in NEW, all keys that match are renamed; the * stands for the same text in both. Quote
    them for the shell.

    A warning is printed if NEW is undocumented and does not begin with the architecture, or
    looks like a misspelled key.

    Exit status: 1 if OLD matches nothing, 2 if NEW already exists. In both cases nothing is written.

    \b
    Examples:
      kaitai-gguf rename-key model.gguf general.name general.basename --in-place
      kaitai-gguf rename-key model.gguf 'llama.*' 'qwen2.*' --in-place
    """
    with kaitai_gguf.edit(file) as editor:
        names = new_names(editor.metadata, old, new, "key")
        for before, after in names.items():
            editor.metadata.rename(before, after)
        warn_of_key(editor.metadata, next(iter(names.values())))
        save_edits(editor, file, **how, renamed=Renamed("key", names))
