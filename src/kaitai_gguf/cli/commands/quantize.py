"""`kaitai-gguf quantize`: change the types of a model's weights."""

from pathlib import Path
from typing import Any

import click

import kaitai_gguf
from kaitai_gguf.cli.files import check_target, source_of, written_document
from kaitai_gguf.cli.options import PIPES, InputPath, file_argument, form_options, output_option, write_options
from kaitai_gguf.cli.output import print_json, progress, warn
from kaitai_gguf.cli.table import Nbytes, print_table
from kaitai_gguf.models.mixes import MIX_OF_TYPE


def override(text: str) -> tuple[str, str]:
    pattern, _, type = text.rpartition("=")
    if not pattern:
        raise click.BadParameter(f"expected REGEX=TYPE, such as 'ffn_down=Q6_K', not {text!r}")
    return pattern, type


@click.command(epilog=PIPES)
@file_argument
@click.argument("type")
@output_option("FILE", "Write to this file.")
@click.option(
    "--tensor-type",
    "types",
    multiple=True,
    type=override,
    metavar="REGEX=TYPE",
    help="Another type for weights whose names match. The first match counts.",
)
@click.option("--imatrix", type=InputPath(), metavar="FILE", help="An importance matrix of llama-imatrix (GGUF).")
@click.option("--threads", type=click.IntRange(1), metavar="N", help="At most so many threads.")
@write_options
@form_options
def command(
    *, file: str, type: str, output: str | None, force: bool, dry_run: bool, as_json: bool, **options: Any
) -> None:
    """Quantize the weights of FILE to TYPE.

    TYPE is a tensor type for all weights: F16, Q8_0, Q4_K, …; or a mix of llama.cpp: Q2_K_S, Q3_K_S, Q3_K_M,
    Q3_K_L, Q4_K_S, Q4_K_M, Q5_K_S, Q5_K_M or MXFP4_MOE. Unlike in llama-quantize without --pure, Q4_K is not
    an alias of Q4_K_M. Norms, biases and some small weights stay as they are. Weights whose rows are not made
    of whole blocks get the type that llama.cpp takes instead. The bytes are those of llama-quantize.

    The table shows the tensors by their types before and after. FILE may be a shard: all shards become one
    file. To quantize a quantized model again loses precision twice: start from F16, BF16 or F32.

    \b
    Examples:
      kaitai-gguf quantize model.gguf Q4_K_M --output model-q4_k_m.gguf
      kaitai-gguf quantize model.gguf Q4_K --tensor-type 'ffn=Q6_K' -o q4_k.gguf
      kaitai-gguf quantize hf://ORG/REPO/F16.gguf Q4_K --imatrix IMATRIX -o q.gguf
      kaitai-gguf quantize hf://ORG/REPO/F16.gguf Q5_K_M --dry-run
    """
    if output is None and not dry_run:
        raise click.UsageError("specify --output FILE")
    if output is not None:
        check_target(output, force)
    options["types"], threads = dict(options["types"]), options.pop("threads")
    with kaitai_gguf.open(source_of(file)) as model:
        planned = kaitai_gguf.plan_quantization(model, type, **options)
        rows = _rows(model, planned)
        if output is not None and not dry_run:
            with progress("writing", sum(each.nbytes for each in planned)) as advance:
                options |= {"threads": threads, "overwrite": force, "progress": advance}
                kaitai_gguf.quantize_model(model, output, type, **options)
    mix = MIX_OF_TYPE.get(type.upper())
    if mix is not None:
        warn(f"{type} is one type for all weights; llama-quantize without --pure means the mix {mix}")
    columns = ["before", "after", "tensors", "nbytes_before", "nbytes_after"]
    if as_json:
        written = None if output is None or dry_run else written_document(Path(output))
        tensors = [{"name": each.name, "type": each.type.name, "nbytes": each.nbytes} for each in planned]
        print_json({"written": written, "tensors": tensors})
    else:
        total = "all", "", len(planned), Nbytes(sum(row[3] for row in rows)), Nbytes(sum(row[4] for row in rows))
        print_table(columns, [*rows, total], right=columns[2:])


def _rows(
    model: kaitai_gguf.GGUFFile, planned: list[kaitai_gguf.PlannedTensor]
) -> list[tuple[str, str, int, Nbytes, Nbytes]]:
    """Return types before and after, the number of tensors, and their sizes before and after."""
    groups: dict[tuple[str, str], tuple[int, int, int]] = {}
    for each in planned:
        tensor = model.tensors[each.name]
        count, old, new = groups.get(types := (tensor.type_name, each.type.name), (0, 0, 0))
        groups[types] = count + 1, old + (tensor.nbytes or 0), new + each.nbytes
    return [(*types, count, Nbytes(old), Nbytes(new)) for types, (count, old, new) in groups.items()]
