"""`kaitai-gguf split`: split a model into several files."""

from pathlib import Path
from typing import Any

import click

import kaitai_gguf
from kaitai_gguf.cli.files import check_target, source_of, written_document
from kaitai_gguf.cli.options import PIPES, OutputPath, file_argument, new_file_options, output_option, size
from kaitai_gguf.cli.output import print_json, progress
from kaitai_gguf.cli.safe_names import as_text
from kaitai_gguf.cli.table import Nbytes, print_table
from kaitai_gguf.models.splitting import check_prefix


@click.command(epilog=PIPES)
@file_argument
@output_option("PREFIX", "Prefix of the names of the files.", type=OutputPath())
@click.option(
    "--max-size", "max_nbytes", type=size, metavar="SIZE", help="The most tensor data in a file: 500M, 2G, 1.5Gi."
)
@click.option("--max-tensors", type=click.IntRange(1), metavar="N", help="The most tensors in a file.")
@click.option("--no-tensor-first-split", is_flag=True, help="Write only metadata to the first file.")
@new_file_options
def command(
    *, file: str, output: str | None, no_tensor_first_split: bool, force: bool, dry_run: bool, as_json: bool, **how: Any
) -> None:
    """Split a model into several files.

    The files are named PREFIX-00001-of-00003.gguf and so on, the way llama.cpp names them. The first file
    has all metadata; all files have split.no, split.count and split.tensors.count. G is a billion bytes, as
    in llama.cpp, and Gi is 2^30. A tensor larger than --max-size gets its own file. If FILE is a shard, its
    whole model is split again.

    Either all files appear or none does. --dry-run prints their names.

    \b
    Examples:
      kaitai-gguf split model.gguf --max-size 2G --output model
      kaitai-gguf split model.gguf --max-tensors 128 --output part --dry-run
    """
    limits = {name: how.pop(name) for name in ("max_nbytes", "max_tensors")}
    if None not in limits.values():
        raise click.UsageError("--max-size and --max-tensors can't be given together")
    if not any(limits.values()):
        raise click.UsageError("specify how large the files may be: --max-size SIZE, or --max-tensors N")
    if output is None and not dry_run:
        raise click.UsageError("specify --output PREFIX")
    if output is not None:
        check_prefix(output)
    prefix = output or ("model" if file == "-" else Path(file).with_suffix("").name)
    limits["tensors_in_first"] = not no_tensor_first_split
    with kaitai_gguf.open(source_of(file)) as model:
        planned = kaitai_gguf.plan_split(model, **limits)
        paths = kaitai_gguf.shard_names(prefix, len(planned))
        for path in [] if output is None else paths:
            check_target(path, force, replaces_input=len(paths) == 1, follows=False)
        if not dry_run:
            with progress("writing", model.tensors.data_nbytes) as advance:
                kaitai_gguf.split(model, prefix, overwrite=force, progress=advance, **limits, **how)
    rows = [(path, len(shard.tensors), Nbytes(shard.nbytes)) for path, shard in zip(paths, planned, strict=True)]
    if as_json:
        written = None if dry_run else [written_document(path) for path in paths]
        shards = [{"file": as_text(path), "tensors": count, "data_nbytes": nbytes} for path, count, nbytes in rows]
        print_json({"written": written, "shards": shards})
    else:
        print_table(["file", "tensors", "data_nbytes"], rows, right=["tensors", "data_nbytes"])
