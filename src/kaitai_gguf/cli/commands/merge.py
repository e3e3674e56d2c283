"""`kaitai-gguf merge`: shards as one file."""

from typing import Any

import click

import kaitai_gguf
from kaitai_gguf.cli.options import GGUFPath, copy_options
from kaitai_gguf.cli.saving import save_converted


@click.command()
@click.argument("files", nargs=-1, required=True, type=GGUFPath(), metavar="FILE...")
@copy_options
def command(*, files: tuple[str, ...], **how: Any) -> None:
    """Merge the shards of a model into one file.

    FILE is one of them, called as llama.cpp calls them, or they are all given, in any order, under any name.
    Shards that are missing, there twice, or of another model are named, and nothing is written then. The keys
    that say that the model was split are left out: what was split without gaps is the same file again.

    \b
    Examples:
      kaitai-gguf merge model-00001-of-00003.gguf --output whole.gguf
      kaitai-gguf merge model-*.gguf --output whole.gguf
    """
    click.get_current_context().meta["file"] = files[0] if len(files) == 1 else None
    with kaitai_gguf.open(files[0] if len(files) == 1 else list(files)) as model:
        if len(model.shards) == 1:
            raise kaitai_gguf.ShardError("is in one file, and there is nothing to merge")
        save_converted(model, files[0], **how)
