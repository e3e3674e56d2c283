"""`kaitai-gguf schema`: the .ksy files, to take to another language."""

from importlib.resources import files
from pathlib import Path

import click

from kaitai_gguf.cli.output import printable
from kaitai_gguf.writing.atomic import Staging

SCHEMAS = ["gguf", "ggml_block"]


@click.command()
@click.argument("name", type=click.Choice(SCHEMAS), default="gguf")
@click.option("--output", "-o", type=click.Path(), help="Copy it to this file or directory instead of printing it.")
@click.option("--force", is_flag=True, help="Overwrite an existing file.")
def command(name: str, output: str | None, force: bool) -> None:
    """Print a Kaitai Struct schema: gguf (the header) or ggml_block (the quantized blocks).

    \b
    Examples:
      kaitai-gguf schema > gguf.ksy
      kaitai-gguf schema ggml_block --output .
    """
    data = files("kaitai_gguf_schema").joinpath(f"{name}.ksy").read_bytes()
    if output is None:
        click.echo(data, nl=False)
        return
    target = Path(output, f"{name}.ksy") if Path(output).is_dir() else Path(output)
    with Staging(force) as staging, staging.file(target) as file:
        file.write(data)
    click.echo(printable(str(target)))
