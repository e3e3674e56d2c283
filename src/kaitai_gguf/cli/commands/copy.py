"""`kaitai-gguf copy`: copy a file, some of its tensors, or change the alignment."""

from typing import Any

import click

from kaitai_gguf.cli.files import open_file
from kaitai_gguf.cli.options import PIPES, copy_options, file_argument
from kaitai_gguf.cli.saving import save_converted
from kaitai_gguf.cli.selection import select_tensors, selection_options


@click.command(epilog=PIPES)
@file_argument
@selection_options
@click.option("--alignment", type=click.IntRange(1), metavar="BYTES", help="The alignment of tensors: a power of two.")
@copy_options
def command(
    *, file: str, patterns: tuple[str, ...], exclude: tuple[str, ...], types: tuple[int, ...], **how: Any
) -> None:
    """Copy FILE, all of it or some of its tensors.

    Without other options, the copy is identical byte for byte, unless FILE lacks general.quantization_version,
    which quantized tensors require: every copy has it. With --tensors, --exclude or --only-type, it has all
    metadata, and the tensors that match one of --tensors, match no --exclude, and have one of the types.
    --tensors '' selects none. With --alignment, tensors start at multiples of that many bytes. If FILE is a
    shard, only FILE is copied.

    Exit status: 1 if no tensor is left. Nothing is written then.

    \b
    Examples:
      kaitai-gguf copy model.gguf --output copy.gguf
      kaitai-gguf copy model.gguf --tensors 'blk.0.*' -o first.gguf
      kaitai-gguf copy model.gguf --exclude '*norm*' -o rest.gguf
      kaitai-gguf copy model.gguf --only-type f32 --output f32.gguf
      kaitai-gguf copy model.gguf --tensors '' --output vocabulary.gguf
      kaitai-gguf copy model.gguf --alignment 4096 --output aligned.gguf
    """
    with open_file(file) as model:
        names = None
        if patterns == ("",):
            names = []
        elif patterns or exclude or types:
            names = [tensor.name for tensor in select_tensors(model, patterns, exclude=exclude, types=types)]
        save_converted(model, file, **how, tensors=names)
