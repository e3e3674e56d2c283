"""`kaitai-gguf copy`: the same file, or some of its tensors, or another alignment."""

from fnmatch import fnmatchcase
from typing import Any

import click

import kaitai_gguf
from kaitai_gguf.cli.options import copy_options, file_argument
from kaitai_gguf.cli.saving import save_converted


@click.command()
@file_argument
@click.option("--tensors", "pattern", metavar="GLOB", help="Only tensors whose names match; '' for none.")
@click.option("--alignment", type=click.IntRange(1), metavar="BYTES", help="The alignment of tensors: a power of two.")
@copy_options
def command(*, file: str, pattern: str | None, alignment: int | None, **how: Any) -> None:
    """Copy FILE, and read back what was written.

    With no other options the copy is the same byte for byte. With --tensors it has some of the
    tensors, one after the other, and all of the metadata; with --alignment tensors start at multiples of it.
    Of a model in several files, only FILE is copied.

    \b
    Examples:
      kaitai-gguf copy model.gguf --output copy.gguf
      kaitai-gguf copy model.gguf --tensors 'blk.0.*' --output first.gguf
      kaitai-gguf copy model.gguf --tensors '' --output vocabulary.gguf
      kaitai-gguf copy model.gguf --alignment 4096 --output aligned.gguf
    """
    with kaitai_gguf.open(file, shards=False) as model:
        names = None if pattern is None else [name for name in model.tensors if fnmatchcase(name, pattern)]
        if pattern and not names:
            raise kaitai_gguf.TensorNotFound(f"no tensor matches {pattern!r}")
        save_converted(model, file, **how, tensors=names, alignment=alignment)
