"""`kaitai-gguf new`: write a tiny model with random weights."""

from typing import Any

import click

import kaitai_gguf
from kaitai_gguf.cli.files import check_target, print_written
from kaitai_gguf.cli.options import OutputFile, json_option, write_options
from kaitai_gguf.cli.selection import tensor_type
from kaitai_gguf.models.tiny import ARCHITECTURES, tiny_model

KNOWN = click.Choice(sorted(ARCHITECTURES))


@click.command()
@click.argument("file", type=OutputFile())
@click.option("--arch", type=KNOWN, required=True, metavar="NAME", help="The architecture, such as llama or qwen3.")
@click.option("--layers", type=click.IntRange(1, 100), default=2, show_default=True, help="How many blocks it has.")
@click.option("--type", "type", type=tensor_type, metavar="TYPE", help="Convert the matrices to this type: f16, q8_0.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Equal seeds give equal files.")
@write_options
@json_option
def command(
    *, file: str, arch: str, layers: int, type: int | None, seed: int, force: bool, dry_run: bool, as_json: bool
) -> None:
    """Write a tiny model with random weights, for tests.

    llama.cpp loads and runs it. It has 256 numbers per token, four heads and a vocabulary of bytes, which takes any
    text; what it answers is noise. Weights are F32 unless --type is given, 2.4 MB in each block of llama.

    \b
    Examples:
      kaitai-gguf new tiny.gguf --arch llama --layers 2
      kaitai-gguf new tiny-moe.gguf --arch qwen3moe --type q8_0
    """
    check_target(file, force)
    metadata, arrays = tiny_model(arch, layers, seed)
    tensors: dict[str, Any] = dict(arrays)
    if type is not None:
        weights = {name: array for name, array in arrays.items() if array.ndim > 1 and name.endswith(".weight")}
        tensors |= {name: (array, type) for name, array in weights.items()}
    if not dry_run:
        kaitai_gguf.write(file, metadata, tensors, overwrite=force)
    print_written(file, dry_run=dry_run, as_json=as_json)
