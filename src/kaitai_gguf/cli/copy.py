"""`kaitai-gguf copy`: a file, or some of its tensors, or with another alignment."""

from fnmatch import fnmatchcase

import click

import kaitai_gguf
from kaitai_gguf.cli.converting import write
from kaitai_gguf.cli.output import file_argument
from kaitai_gguf.cli.writing import dry_run_option, force_option, output_option, target


@click.command()
@file_argument
@click.option("--tensors", "pattern", metavar="GLOB", help="Only tensors whose names match; '' for none.")
@click.option("--alignment", type=click.IntRange(1), metavar="BYTES", help="Of tensors: a power of two.")
@output_option
@force_option
@dry_run_option
def command(
    *, file: str, pattern: str | None, alignment: int | None, output: str | None, force: bool, dry_run: bool
) -> None:
    """Copy FILE, and read back what was written.

    With no other options the copy is the same byte for byte. With --tensors it has some of the
    tensors, one after the other, and all of the metadata; with --alignment tensors start at multiples of it.
    Of a model in several files it is this one.

    \b
    Examples:
      kaitai-gguf copy model.gguf --output copy.gguf
      kaitai-gguf copy model.gguf --tensors 'blk.0.*' --output first.gguf
      kaitai-gguf copy model.gguf --tensors '' --output vocabulary.gguf
      kaitai-gguf copy model.gguf --alignment 4096 --output aligned.gguf
    """
    path = None if dry_run else target(file, output, False)
    with kaitai_gguf.open(file, shards=False) as model:
        names = None if pattern is None else [name for name in model.tensors if fnmatchcase(name, pattern)]
        if pattern and not names:
            raise kaitai_gguf.TensorNotFound(f"no tensor matches {pattern!r}")
        write(model, path, force, tensors=names, alignment=alignment)
