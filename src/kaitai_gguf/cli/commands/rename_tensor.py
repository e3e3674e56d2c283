"""`kaitai-gguf rename-tensor`: rename tensors."""

from typing import Any

import click

import kaitai_gguf
from kaitai_gguf.cli import completion
from kaitai_gguf.cli.differences import Renamed
from kaitai_gguf.cli.options import edit_options, edited_file_argument
from kaitai_gguf.cli.saving import save_edits
from kaitai_gguf.cli.selection import new_names


@click.command()
@edited_file_argument
@click.argument("old", shell_complete=completion.tensors)
@click.argument("new")
@edit_options
def command(*, file: str, old: str, new: str, **how: Any) -> None:
    """Rename the tensor OLD of FILE to NEW. Its data and position in the order are kept.

    With a * in OLD and in NEW, all tensors that match are renamed; the * stands for the same text in both.

    Exit status: 1 if OLD matches nothing, 2 if NEW already exists. In both cases nothing is written.

    \b
    Examples:
      kaitai-gguf rename-tensor model.gguf output.weight lm_head.weight --in-place
      kaitai-gguf rename-tensor model.gguf 'blk.*' 'layers.*' --dry-run
    """
    with kaitai_gguf.edit(file) as editor:
        names = new_names(editor.tensors, old, new, "tensor")
        for before, after in names.items():
            editor.tensors.rename(before, after)
        save_edits(editor, file, **how, renamed=Renamed("tensor", names))
