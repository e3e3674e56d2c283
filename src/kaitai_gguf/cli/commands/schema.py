"""`kaitai-gguf schema`: the .ksy files, to take to another language."""

from importlib import resources
from pathlib import Path

import click

from kaitai_gguf.cli.files import write_file
from kaitai_gguf.cli.options import force_option, output_option

SCHEMAS = ["gguf", "ggml_block"]


@click.command()
@click.argument("name", type=click.Choice(SCHEMAS), default="gguf")
@output_option("PATH", "Copy it to this file or directory instead of printing it.")
@force_option
def command(name: str, output: str | None, force: bool) -> None:
    """Print a Kaitai Struct schema: gguf (the header) or ggml_block (the quantized blocks).

    \b
    Examples:
      kaitai-gguf schema > gguf.ksy
      kaitai-gguf schema ggml_block --output .
    """
    data = resources.files("kaitai_gguf_schema").joinpath(f"{name}.ksy").read_bytes()
    if output is None:
        click.echo(data, nl=False)
    else:
        write_file(Path(output, f"{name}.ksy") if Path(output).is_dir() else output, data, force)
