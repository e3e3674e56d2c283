"""`kaitai-gguf rename-key`: rename a key."""

from typing import Any

import click

import kaitai_gguf
from kaitai_gguf.cli.differences import Renamed
from kaitai_gguf.cli.options import edit_options, edited_file_argument
from kaitai_gguf.cli.saving import save_edits
from kaitai_gguf.cli.values import warn_of_key
from kaitai_gguf.suggestions import did_you_mean


@click.command()
@edited_file_argument
@click.argument("old")
@click.argument("new")
@edit_options
def command(*, file: str, old: str, new: str, **how: Any) -> None:
    """Rename the key OLD of FILE to NEW. Its value, type and position in the order are kept.

    A warning is printed if NEW is undocumented and does not begin with the architecture, or
    looks like a misspelled key.

    Exit status: 2 if OLD does not exist or NEW already exists. In that case nothing is written.

    \b
    Examples:
      kaitai-gguf rename-key model.gguf general.name general.basename --in-place
      kaitai-gguf rename-key model.gguf general.name general.basename --dry-run
    """
    with kaitai_gguf.edit(file) as editor:
        if old not in editor.metadata:
            raise kaitai_gguf.KeyNotFound(f"no key {old!r} in the metadata{did_you_mean(old, editor.metadata)}")
        editor.metadata.rename(old, new)
        warn_of_key(editor.metadata, new)
        save_edits(editor, file, **how, renamed=Renamed("key", old, new))
