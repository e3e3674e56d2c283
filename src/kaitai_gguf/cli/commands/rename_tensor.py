"""`kaitai-gguf rename-tensor`: rename a tensor."""

from typing import Any

import click

import kaitai_gguf
from kaitai_gguf.cli.differences import Renamed
from kaitai_gguf.cli.options import edit_options, edited_file_argument
from kaitai_gguf.cli.saving import save_edits
from kaitai_gguf.suggestions import did_you_mean


@click.command()
@edited_file_argument
@click.argument("old")
@click.argument("new")
@edit_options
def command(*, file: str, old: str, new: str, **how: Any) -> None:
    """Rename the tensor OLD of FILE to NEW. Its data and position in the order are kept.

    Exit status: 2 if OLD does not exist or NEW already exists. In that case nothing is written.

    \b
    Examples:
      kaitai-gguf rename-tensor model.gguf output.weight lm_head.weight --in-place
      kaitai-gguf rename-tensor model.gguf output.weight lm_head.weight --dry-run
    """
    with kaitai_gguf.edit(file) as editor:
        if old not in editor.tensors:
            raise kaitai_gguf.TensorNotFound(f"no tensor {old!r} in the file{did_you_mean(old, editor.tensors)}")
        editor.tensors.rename(old, new)
        save_edits(editor, file, **how, renamed=Renamed("tensor", old, new))
