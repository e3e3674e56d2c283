"""`kaitai-gguf convert-endian`: the other byte order."""

import click

import kaitai_gguf
from kaitai_gguf.cli.converting import write
from kaitai_gguf.cli.output import file_argument
from kaitai_gguf.cli.writing import dry_run_option, force_option, in_place_option, output_option, target


@click.command()
@file_argument
@click.option(
    "--to", type=click.Choice(["little", "big"]), help="The byte order; if not given, the one that FILE isn't in."
)
@output_option
@in_place_option
@force_option
@dry_run_option
def command(*, file: str, to: str | None, output: str | None, in_place: bool, force: bool, dry_run: bool) -> None:
    """Convert FILE to the other byte order: metadata, and the data of tensors of every type.

    Within the blocks of quantized tensors each field is converted, by its width. Converted twice, a file is
    what it was. Of a model in several files it is this one.

    Exit status: 2 if FILE has a tensor of a type that isn't known; nothing is written then.

    \b
    Examples:
      kaitai-gguf convert-endian model.gguf --output model-be.gguf
      kaitai-gguf convert-endian model.gguf --to big --in-place
    """
    path = None if dry_run else target(file, output, in_place)
    with kaitai_gguf.open(file, shards=False) as model:
        other = "big" if model.byte_order == "little" else "little"
        write(model, path, in_place or force, byte_order=to or other)
