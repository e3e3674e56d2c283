"""`kaitai-gguf dump`: print the whole header as canonical JSON."""

import click

from kaitai_gguf.cli import canonical
from kaitai_gguf.cli.files import open_file
from kaitai_gguf.cli.options import PIPES, file_argument
from kaitai_gguf.cli.output import print_json


@click.command(epilog=PIPES)
@file_argument
@click.option("--full", is_flag=True, help="Print whole arrays, however long.")
@click.option("--json", is_flag=True, help="Print JSON on one line, for programs, instead of indented.")
def command(file: str, full: bool, json: bool) -> None:
    """Print the header of FILE as canonical JSON.

    Without --full, arrays of more than 64 elements are printed as their count and the SHA-256
    of their bytes in the file. Strings that are not UTF-8 are printed in base64. For a model
    in several files, only the header of FILE is printed.

    \b
    Example:
      kaitai-gguf dump model.gguf --json | jq .alignment
    """
    with open_file(file) as model:
        print_json(canonical.document(model, full), indent=None if json else 1)
