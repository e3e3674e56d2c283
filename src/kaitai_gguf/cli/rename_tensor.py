"""`kaitai-gguf rename-tensor`: gives a tensor another name."""

import click

import kaitai_gguf
from kaitai_gguf.cli.output import file_argument
from kaitai_gguf.cli.writing import commit, dry_run_option, force_option, in_place_option, output_option


@click.command()
@file_argument
@click.argument("old")
@click.argument("new")
@output_option
@in_place_option
@force_option
@dry_run_option
def command(*, file: str, old: str, new: str, output: str | None, in_place: bool, force: bool, dry_run: bool) -> None:
    """Rename the tensor OLD of FILE to NEW. Its data is not touched, and neither is its place among the others.

    Exit status: 2 if there is no tensor OLD, or a tensor NEW already; nothing is written then.

    \b
    Examples:
      kaitai-gguf rename-tensor model.gguf output.weight lm_head.weight --in-place
      kaitai-gguf rename-tensor model.gguf output.weight lm_head.weight --dry-run
    """
    with kaitai_gguf.edit(file) as editor:
        editor.tensors.rename(old, new)
        commit(editor, file, output=output, in_place=in_place, force=force, dry_run=dry_run)
