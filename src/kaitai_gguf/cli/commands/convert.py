"""`kaitai-gguf convert`: convert to another version of the format."""

from typing import Any

import click

from kaitai_gguf.cli.files import open_file
from kaitai_gguf.cli.options import PIPES, convert_options, file_argument
from kaitai_gguf.cli.saving import save_converted


@click.command(epilog=PIPES)
@file_argument
@click.option("--version", type=click.Choice(["1", "2", "3"]), required=True, help="Target format version.")
@convert_options
def command(*, file: str, version: str, **how: Any) -> None:
    """Convert FILE to another version of the format.

    Lengths and counts have 32 bits in version 1, and 64 bits in later versions. Version 3 is
    version 2, but may be big-endian. If FILE is a shard, only FILE is converted; if its
    model is complete, --in-place is refused, because all shards must have the same version.

    \b
    Examples:
      kaitai-gguf convert model.gguf --version 1 --in-place
      kaitai-gguf convert model.gguf --version 2 --output model-v2.gguf
    """
    with open_file(file) as model:
        save_converted(model, file, **how, version=int(version))
