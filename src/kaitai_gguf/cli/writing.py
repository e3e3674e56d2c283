"""What the commands that write share: where to, whether at all, and a look at what was written."""

from collections.abc import Callable
from pathlib import Path

import click
import numpy as np

import kaitai_gguf
from kaitai_gguf.cli.changes import print_changes
from kaitai_gguf.cli.progress import progress
from kaitai_gguf.reading.chunks import PIECE
from kaitai_gguf.writing.atomic import real_path
from kaitai_gguf.writing.guards import check_content_addressed

output_option = click.option("--output", type=click.Path(), metavar="FILE", help="Write to another file.")
in_place_option = click.option("--in-place", is_flag=True, help="Change FILE itself.")
force_option = click.option("--force", is_flag=True, help="Overwrite --output if it exists.")
force_in_place_option = click.option(
    "--force", is_flag=True, help="Overwrite --output if it exists; with --in-place, change a file of a shared cache."
)
padding_option = click.option("--allow-padding", is_flag=True, help="Write any amount of padding.")
dry_run_option = click.option("--dry-run", is_flag=True, help="Print what would change, and write nothing.")
rewrite_option = click.option(
    "--rewrite", is_flag=True, help="With --in-place: replace FILE by a new one, also while it is open elsewhere."
)


Command = Callable[..., None]


def edit_options(command: Command) -> Command:
    """The options of the commands that edit a header; `commit` takes them."""
    in_place = (in_place_option, rewrite_option)
    return _with_options(command, output_option, *in_place, force_in_place_option, padding_option, dry_run_option)


def convert_options(command: Command) -> Command:
    """The options of the commands that write a file anew, or in its own place; `converting.write` takes them."""
    return _with_options(command, output_option, in_place_option, force_in_place_option, padding_option, dry_run_option)


def copy_options(command: Command) -> Command:
    """The options of the commands that write another file; `converting.write` takes them."""
    return _with_options(command, output_option, force_option, padding_option, dry_run_option)


def _with_options(command: Command, *options: Callable[[Command], Command]) -> Command:
    for option in reversed(options):
        command = option(command)
    return command


def target(file: str, output: str | None, in_place: bool, force: bool = False) -> Path:
    """Where to write. Refuses to do so without being told where."""
    if output is not None and in_place:
        raise click.UsageError("--output and --in-place are two different places")
    if output is None and not in_place:
        raise click.UsageError("specify --output FILE or --in-place")
    if output is None and not force:
        check_content_addressed(real_path(file))
    return Path(file if output is None else output)


def commit(
    editor: kaitai_gguf.Editor,
    file: str,
    *,
    output: str | None,
    in_place: bool,
    force: bool,
    rewrite: bool,
    allow_padding: bool,
    dry_run: bool,
) -> None:
    """Writes what was edited, reads it back, and prints a line for each change."""
    if rewrite and not in_place:
        raise click.UsageError("--rewrite needs --in-place")
    path = target(file, output, in_place, force) if not dry_run else None
    model, header, is_copied = editor.model, editor.header, output is not None or rewrite or not editor.fits
    # Of a copy, since the header of the file itself may be another one in a moment.
    with kaitai_gguf.open(bytes(model.buffer[: model.header_nbytes])) as before, kaitai_gguf.open(header) as after:
        found = kaitai_gguf.diff(before, after, data=False)
        if path is not None:
            nbytes = model.nbytes - model.data_offset if is_copied and (output or found) else 0
            with progress("writing", nbytes) as advance:
                editor.commit(output, overwrite=force, rewrite=rewrite, allow_padding=allow_padding, progress=advance)
            with progress("checking", nbytes) as advance, kaitai_gguf.open(path, shards=False) as written:
                _check(written, header, model if nbytes > 0 and not model.closed else None, advance)
        print_changes(before, after, found)
    if dry_run:
        editor.discard()  # or leaving it would write the changes


def _check(
    written: kaitai_gguf.GGUFFile,
    header: bytes,
    source: kaitai_gguf.GGUFFile | None,
    advance: Callable[[int], None],
) -> None:
    """Refuses a file that isn't what should have been written: a header, and the tensor data that was copied."""
    if written.buffer[: len(header)] != header:
        raise kaitai_gguf.GGUFError("the header that was written reads back as another one")
    if source is None:
        return
    one, other = (model.nbytes - model.data_offset for model in (source, written))
    if one != other:
        raise kaitai_gguf.GGUFError(f"{other} bytes of tensor data were written, expected {one}")
    for mine, theirs in zip(*(model.chunks(PIECE, model.data_offset) for model in (source, written)), strict=True):
        if not np.array_equal(mine, theirs):
            raise kaitai_gguf.GGUFError("the tensor data that was written reads back as another one")
        advance(len(mine))
