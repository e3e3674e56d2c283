"""`kaitai-gguf tensors`: list the tensors."""

from collections.abc import Callable
from operator import attrgetter
from typing import Any

import click

from kaitai_gguf import Tensor
from kaitai_gguf.cli import canonical, completion
from kaitai_gguf.cli.files import open_model
from kaitai_gguf.cli.options import PIPES, file_argument, form_options
from kaitai_gguf.cli.output import counted, describe_shape, in_columns, print_json
from kaitai_gguf.cli.selection import select_tensors, type_option
from kaitai_gguf.cli.table import Nbytes, print_table
from kaitai_gguf.text import human_bytes, human_count

COLUMNS: dict[str, Callable[[Tensor, int], object]] = {
    "name": lambda tensor, _: tensor.name,
    "shape": lambda tensor, _: describe_shape(tensor.shape),
    "dims": lambda tensor, _: describe_shape(tensor.dims),
    "type": lambda tensor, _: tensor.type_name,
    "type_id": lambda tensor, _: tensor.type_id,
    "elements": lambda tensor, _: tensor.n_elements,
    "nbytes": lambda tensor, _: "?" if tensor.nbytes is None else Nbytes(tensor.nbytes),
    "offset": lambda tensor, _: tensor.offset,
    "position": lambda tensor, _: tensor.position,
    "block": lambda tensor, _: "" if tensor.block is None else tensor.block,
    "role": lambda tensor, _: tensor.role,
    "shard": lambda _, shard: shard,
}
"""The columns, as functions of a tensor and the number of its shard, counted from 1 as in file names."""

DEFAULT = ["name", "shape", "type", "nbytes", "offset"]
SORT_KEYS: dict[str, Callable[[Tensor], Any]] = {
    "name": attrgetter("name"),
    "type": attrgetter("type_name"),
    **dict.fromkeys(["nbytes", "size"], lambda tensor: tensor.nbytes or 0),
    "offset": attrgetter("offset"),
}


def columns(text: str) -> list[str]:
    """Parse a comma-separated list of column names."""
    names = [name.strip().lower() for name in text.split(",")]
    for name in names:
        if name not in COLUMNS:
            raise click.BadParameter(f"{name!r} is not a column; the columns are {', '.join(COLUMNS)}")
    return names


@click.command(epilog=PIPES)
@file_argument
@click.argument("pattern", required=False, shell_complete=completion.tensors)
@click.option("--regex", is_flag=True, help="PATTERN is a Python regular expression, found anywhere in a name.")
@type_option
@click.option("--columns", type=columns, metavar="A,B,…", help=f"The columns to show: {', '.join(COLUMNS)}.")
@click.option(
    "--sort", type=click.Choice(["file", *SORT_KEYS]), default="file", help="The order; by default that of the file."
)
@click.option("--reverse", is_flag=True, help="Reverse the order.")
@form_options
def command(
    *, file: str, pattern: str | None, columns: list[str] | None, sort: str, reverse: bool, as_json: bool, **how: Any
) -> None:
    r"""List the tensors of FILE whose names match PATTERN.

    PATTERN is a glob for the whole name: '*attn*' matches names that contain attn. shape is in numpy order
    (the row length is last), dims in ggml's (the row length is first). offset counts from the start of the
    tensor data, position from the start of the file. A terminal shows sizes in KiB, MiB and so on, and a line
    with totals; a pipe and JSON get exact bytes. For a model in several files, shard is the number of the file
    with the tensor.

    Exit status: 1 if no tensor matches, 2 if FILE can't be read.

    \b
    Examples:
      kaitai-gguf tensors model.gguf
      kaitai-gguf tensors model.gguf 'blk.0.*' --sort size --reverse
      kaitai-gguf tensors model.gguf --regex 'blk\.[0-3]\.ffn'
      kaitai-gguf tensors model.gguf --type q8_0 --columns name,elements,position
    """
    if how["regex"] and pattern is None:
        raise click.UsageError("--regex needs a PATTERN")
    if as_json and columns is not None:
        raise click.UsageError("--columns applies to the table; --json always has all columns")
    with open_model(file) as model:
        chosen = select_tensors(model, () if pattern is None else (pattern,), **how)
        if sort != "file":
            chosen.sort(key=SORT_KEYS[sort])
        chosen = chosen[::-1] if reverse else chosen
        shards = [model.tensors.shard_of(tensor.name) + 1 for tensor in chosen]
        is_split = len(model.shards) > 1
        if as_json:
            rows = [canonical.tensor_row(tensor) | {"shape": list(tensor.shape)} for tensor in chosen]
            numbers = [{"shard": shard} if is_split else {} for shard in shards]
            print_json([row | number for row, number in zip(rows, numbers, strict=True)])
            return
        names = columns or (DEFAULT + ["shard"] * is_split)
        cells = ([COLUMNS[name](*pair) for name in names] for pair in zip(chosen, shards, strict=True))
        print_table(names, cells, right=[name for name in names if name not in ("name", "type", "role")])
        if in_columns():
            parameters = human_count(sum(tensor.n_elements for tensor in chosen))
            nbytes = human_bytes(sum(tensor.nbytes or 0 for tensor in chosen))
            click.echo(f"{counted(len(chosen), 'tensor')}, {parameters} parameters, {nbytes}")
