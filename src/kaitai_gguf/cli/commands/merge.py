"""`kaitai-gguf merge`: merge shards into one file."""

from typing import Any

import click

import kaitai_gguf
from kaitai_gguf.cli.options import GGUFPath, copy_options
from kaitai_gguf.cli.saving import save_converted


@click.command()
@click.argument("files", nargs=-1, required=True, type=GGUFPath(is_named=True), metavar="FILE...")
@copy_options
def command(*, files: tuple[str, ...], **how: Any) -> None:
    """Merge the shards of a model into one file.

    Specify one shard if they are named the way llama.cpp names them, or all of them, in any order, with any names.
    If shards are missing, duplicated, or from another model, the error lists them, and nothing is written. The
    split.* keys are dropped, so that merging restores the original file unless it had gaps between tensors.

    \b
    Examples:
      kaitai-gguf merge model-00001-of-00003.gguf --output whole.gguf
      kaitai-gguf merge model-*.gguf --output whole.gguf
    """
    click.get_current_context().meta["file"] = files[0] if len(files) == 1 else None
    with kaitai_gguf.open(files[0] if len(files) == 1 else list(files)) as model:
        if len(model.shards) == 1:
            raise kaitai_gguf.ShardError("the model is in one file: nothing to merge")
        save_converted(model, files[0], **how)
