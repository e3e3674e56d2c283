"""`kaitai-gguf schema`: print the .ksy files, for use in other languages."""

import os
from importlib import resources
from pathlib import Path
from typing import Any

import click

from kaitai_gguf.cli.files import write_file
from kaitai_gguf.cli.options import OutputPath, output_option, write_options

SCHEMAS = ["gguf", "ggml_block"]


@click.command()
@click.argument("name", type=click.Choice(SCHEMAS), default="gguf")
@output_option("PATH", "Write it to this file or folder instead of printing it.", type=OutputPath())
@write_options
def command(name: str, output: str | None, **how: Any) -> None:
    """Print a Kaitai Struct schema: gguf or ggml_block.

    gguf, the default, describes the header; ggml_block describes the quantized blocks.

    \b
    Examples:
      kaitai-gguf schema > gguf.ksy
      kaitai-gguf schema ggml_block --output .
    """
    data = resources.files("kaitai_gguf_schema").joinpath(f"{name}.ksy").read_bytes()
    if output is None:
        click.echo(data, nl=False)
    else:
        is_folder = output.endswith(("/", os.sep)) or Path(output).is_dir()
        write_file(Path(output, f"{name}.ksy") if is_folder else output, data, **how)
