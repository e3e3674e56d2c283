"""`kaitai-gguf tensors`: what tensors there are."""

from collections.abc import Callable
from fnmatch import fnmatchcase
from typing import Any

import click

import kaitai_gguf
from kaitai_gguf.cli import canonical
from kaitai_gguf.cli.output import file_argument, json_option, print_json, print_table

SORT_KEYS: dict[str, Callable[[kaitai_gguf.Tensor], Any]] = {
    "name": lambda tensor: tensor.name,
    "type": lambda tensor: tensor.type_name,
    "bytes": lambda tensor: tensor.nbytes or 0,
    "offset": lambda tensor: tensor.offset,
}


@click.command()
@file_argument
@click.argument("pattern", default="*")
@click.option(
    "--sort", type=click.Choice(["file", *SORT_KEYS]), default="file", help="What to sort by (default: file order)."
)
@click.option("--reverse", is_flag=True, help="The last first.")
@json_option
def command(file: str, pattern: str, sort: str, reverse: bool, as_json: bool) -> None:
    """List the tensors of FILE whose names match PATTERN.

    Shapes are in numpy order (rows last), sizes in bytes, offsets from the start of the tensor data.

    \b
    Examples:
      kaitai-gguf tensors model.gguf
      kaitai-gguf tensors model.gguf 'blk.0.*' --sort bytes --reverse
    """
    with kaitai_gguf.open(file) as model:
        chosen = [tensor for name, tensor in model.tensors.items() if fnmatchcase(name, pattern)]
        if sort != "file":
            chosen.sort(key=SORT_KEYS[sort])
        if reverse:
            chosen.reverse()
        if as_json:
            print_json([canonical.tensor_info(tensor) for tensor in chosen])
            return
        rows = [
            (
                tensor.name,
                " × ".join(map(str, tensor.shape)) or "scalar",
                tensor.type_name,
                "?" if tensor.nbytes is None else str(tensor.nbytes),
                str(tensor.offset),
            )
            for tensor in chosen
        ]
        print_table(["name", "shape", "type", "bytes", "offset"], rows, right=["shape", "bytes", "offset"])
