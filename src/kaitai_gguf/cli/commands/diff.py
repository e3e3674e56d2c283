"""`kaitai-gguf diff`: compare two models."""

import click

import kaitai_gguf
from kaitai_gguf.cli.differences import document, print_differences
from kaitai_gguf.cli.files import source_of
from kaitai_gguf.cli.options import PIPES, SAYS_NO, GGUFPath, form_options
from kaitai_gguf.cli.output import print_json, progress


@click.command(epilog=PIPES.replace("FILE", "A or B"))
@click.argument("before", type=GGUFPath(), metavar="A")
@click.argument("after", type=GGUFPath(), metavar="B")
@click.option("--values", is_flag=True, help="Measure how far apart the values of tensors are.")
@click.option("--no-data", is_flag=True, help="Compare only the headers.")
@form_options
def command(before: str, after: str, values: bool, no_data: bool, as_json: bool) -> None:
    """Compare two models: keys, tensors, data.

    Values are compared, not stored bytes: byte order, format version and the number of files make no
    difference, apart from the keys that state them. Numbers are equal if their bits are. The order of keys and
    tensors in the header doesn't matter. If both models are single files, the offsets of tensors are compared
    too: a tensor whose data was moved differs.

    \b
    --values dequantizes tensors of equal shape whose data or type differs:
      max abs   the largest |B - A|
      relative  the square root of the sum of (B - A)² over the sum of A²

    Exit status: 0 if nothing differs, 1 if something does, 2 if a file can't be read.

    \b
    Examples:
      kaitai-gguf diff model.gguf other.gguf
      kaitai-gguf diff model.gguf other.gguf --values --json
    """
    if values and no_data:
        raise click.UsageError("--values and --no-data can't be given together")
    context = click.get_current_context()
    context.meta["file"] = before
    with kaitai_gguf.open(source_of(before)) as one:
        context.meta["file"] = after
        with kaitai_gguf.open(source_of(after)) as other:
            context.meta["file"] = None
            with progress("comparing", 0 if no_data else one.tensors.data_nbytes) as advance:
                differences = kaitai_gguf.diff(one, other, data=not no_data, values=values, progress=advance)
            if as_json:
                print_json(document(one, other, differences))
            else:
                print_differences(one, other, differences)
    if differences:
        context.exit(SAYS_NO)
