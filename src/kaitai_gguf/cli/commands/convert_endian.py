"""`kaitai-gguf convert-endian`: convert to the other byte order."""

from typing import Any

import click

from kaitai_gguf.cli.files import open_file
from kaitai_gguf.cli.options import PIPES, convert_options, file_argument
from kaitai_gguf.cli.saving import save_converted


@click.command(epilog=PIPES)
@file_argument
@click.option("--to", type=click.Choice(["little", "big"]), help="Target byte order; by default the other one.")
@convert_options
def command(*, file: str, to: str | None, **how: Any) -> None:
    """Convert FILE to the other byte order.

    Converts metadata and tensor data of every type. In the blocks of quantized tensors, each field is
    byte-swapped by itself. Converting twice restores the file. If FILE is a shard, only FILE is converted; if
    its model is complete, --in-place is refused, because all shards must have the same byte order.

    Exit status: 2 if FILE has a tensor of an unknown type. Nothing is written then.

    \b
    Examples:
      kaitai-gguf convert-endian model.gguf --output model-be.gguf
      kaitai-gguf convert-endian model.gguf --to big --in-place
    """
    with open_file(file) as model:
        other = "big" if model.byte_order == "little" else "little"
        save_converted(model, file, **how, byte_order=to or other)
