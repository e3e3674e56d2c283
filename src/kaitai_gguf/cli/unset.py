"""`kaitai-gguf unset`: removes keys."""

import click

import kaitai_gguf
from kaitai_gguf.cli.output import file_argument
from kaitai_gguf.cli.writing import commit, dry_run_option, force_option, in_place_option, output_option


@click.command()
@file_argument
@click.argument("keys", nargs=-1, required=True, metavar="KEY...")
@output_option
@in_place_option
@force_option
@dry_run_option
def command(
    *, file: str, keys: tuple[str, ...], output: str | None, in_place: bool, force: bool, dry_run: bool
) -> None:
    """Remove keys, with their values, from the metadata of FILE.

    Exit status: 2 if one of them is not there, and nothing is written then.

    \b
    Examples:
      kaitai-gguf unset model.gguf general.description --in-place
      kaitai-gguf unset model.gguf tokenizer.chat_template --output without.gguf
    """
    with kaitai_gguf.edit(file) as editor:
        for key in keys:
            del editor.metadata[key]
        commit(editor, file, output=output, in_place=in_place, force=force, dry_run=dry_run)
