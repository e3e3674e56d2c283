"""`kaitai-gguf tensors`: a list of the tensors."""

from collections.abc import Callable
from fnmatch import fnmatchcase
from typing import Any

import click

import kaitai_gguf
from kaitai_gguf.cli import canonical
from kaitai_gguf.cli.files import open_model
from kaitai_gguf.cli.options import PIPES, file_argument, json_option
from kaitai_gguf.cli.output import describe_shape, print_json
from kaitai_gguf.cli.table import print_table

SORT_KEYS: dict[str, Callable[[kaitai_gguf.Tensor], Any]] = {
    "name": lambda tensor: tensor.name,
    "type": lambda tensor: tensor.type_name,
    "bytes": lambda tensor: tensor.nbytes or 0,
    "offset": lambda tensor: tensor.offset,
}


@click.command(epilog=PIPES)
@file_argument
@click.argument("pattern", default="*")
@click.option(
    "--sort", type=click.Choice(["file", *SORT_KEYS]), default="file", help="What to sort by (default: file order)."
)
@click.option("--reverse", is_flag=True, help="Reverse the order.")
@json_option
def command(file: str, pattern: str, sort: str, reverse: bool, as_json: bool) -> None:
    """List the tensors of FILE whose names match PATTERN.

    Shapes are in numpy order (rows last), sizes in bytes, offsets from the start of the tensor data.
    For a model in several files, a last column has the number of the shard that a tensor is in.

    \b
    Examples:
      kaitai-gguf tensors model.gguf
      kaitai-gguf tensors model.gguf 'blk.0.*' --sort bytes --reverse
    """
    with open_model(file) as model:
        chosen = [tensor for name, tensor in model.tensors.items() if fnmatchcase(name, pattern)]
        if sort != "file":
            chosen.sort(key=SORT_KEYS[sort])
        if reverse:
            chosen.reverse()
        if as_json:
            print_json([canonical.tensor_row(tensor) | _shard(model, tensor) for tensor in chosen])
            return
        rows = []
        for tensor in chosen:
            size = "?" if tensor.nbytes is None else tensor.nbytes
            row = (tensor.name, describe_shape(tensor.shape), tensor.type_name, size, tensor.offset)
            rows.append((*row, *_shard(model, tensor).values()))
        columns = ["name", "shape", "type", "bytes", "offset", "shard"][: 6 if len(model.shards) > 1 else 5]
        print_table(columns, rows, right=["shape", "bytes", "offset", "shard"])


def _shard(model: kaitai_gguf.GGUFFile, tensor: kaitai_gguf.Tensor) -> dict[str, int]:
    """Return the shard that a tensor is in, counted from 1 as in the names of files; nothing for a single file."""
    return {"shard": model.shards.index(model.file_of(tensor.name)) + 1} if len(model.shards) > 1 else {}
