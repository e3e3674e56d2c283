"""Save a model that a command has changed, unless it is a dry run, and print the changes."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

import kaitai_gguf
from kaitai_gguf import GGUFFile
from kaitai_gguf.cli.differences import Renamed, document, print_differences
from kaitai_gguf.cli.files import check_target, written_document
from kaitai_gguf.cli.output import print_json, progress, warn
from kaitai_gguf.reading.handle import source_of
from kaitai_gguf.types import Progress
from kaitai_gguf.writing.atomic import as_given, is_file_of, real_path
from kaitai_gguf.writing.guards import check_content_addressed, check_not_open, check_shard


def save_edits(
    editor: kaitai_gguf.Editor,
    file: str,
    *,
    output: str | None,
    in_place: bool,
    force: bool,
    rewrite: bool,
    dry_run: bool,
    as_json: bool,
    renamed: Renamed | None = None,
    **options: Any,
) -> None:
    """Write the edits, and read the header back. `renamed` is for commands that only change a name."""
    if rewrite and not in_place:
        raise click.UsageError("--rewrite needs --in-place")
    target = _target(file, output, in_place, force, dry_run)
    model, header = editor.model, editor.header
    is_new = bytes(model.buffer[: model.header_nbytes]) != header
    is_copied = output is not None or rewrite or not editor.fits
    if dry_run and in_place and is_new and not is_copied:
        with as_given(file):
            check_not_open(real_path(file))

    def write(path: Path, advance: Progress) -> None:
        editor.commit(output, overwrite=force, rewrite=rewrite, progress=advance, **options)
        with kaitai_gguf.open(path, shards=False) as written:
            if written.buffer[: len(header)] != header:
                raise kaitai_gguf.GGUFError("the header was not written correctly")

    with kaitai_gguf.open(header) as after:
        nbytes = model.nbytes - model.data_offset if is_copied else 0
        _save(model, after, target, write, nbytes, dry_run=dry_run, as_json=as_json, renamed=renamed)
    if not is_new:
        warn("nothing changes")
    if dry_run:
        editor.discard()  # or the end of the block would write the changes


def save_converted(
    model: GGUFFile,
    file: str,
    *,
    output: str | None,
    in_place: bool | None = None,
    force: bool,
    verify: bool,
    dry_run: bool,
    as_json: bool,
    **options: Any,
) -> None:
    """Write the result of `kaitai_gguf.convert`. `in_place` is None for commands without --in-place."""
    target = _target(file, output, in_place, force, dry_run)

    def write(path: Path, advance: Progress) -> None:
        kaitai_gguf.convert(model, path, overwrite=bool(in_place) or force, verify=verify, progress=advance, **options)

    with kaitai_gguf.converted_header(model, **options) as after:
        _save(model, after, target, write, model.tensors.data_nbytes, dry_run=dry_run, as_json=as_json)


def _target(file: str, output: str | None, in_place: bool | None, force: bool, dry_run: bool) -> Path | None:
    """Return the path to write, which must be specified unless it is a dry run."""
    if output is not None and in_place:
        raise click.UsageError("--output and --in-place can't be given together")
    if output is None and not in_place:
        if dry_run:
            return None
        raise click.UsageError("specify --output FILE" + ("" if in_place is None else " or --in-place"))
    if output is None and file == "-":
        raise click.UsageError("the standard input can't be changed in place: specify --output FILE")
    path = file if output is None else output
    if output is None and not force:
        check_content_addressed(real_path(file))
    check_target(path, force or output is None, replaces_input=True)  # fail before the work is done, and in a dry run
    return Path(path)


def _save(
    model: GGUFFile,
    after: GGUFFile,
    target: Path | None,
    write: Callable[[Path, Progress], None],
    nbytes: int,
    *,
    dry_run: bool,
    as_json: bool,
    renamed: Renamed | None = None,
) -> None:
    """Write the target unless it is a dry run, and print the changes.

    after   the new header.
    write   writes the new file to a path.
    nbytes  how many bytes of tensor data it writes.
    """
    path = target and real_path(target)
    if dry_run and path and any(is_file_of(source_of(each), path) for each in model.shards):
        check_shard(model, path, bytes(after.buffer), str(target))
    differences = kaitai_gguf.diff(model, after, data=False)
    # The old header is copied, since its file may be replaced.
    with kaitai_gguf.open(bytes(model.buffer[: model.header_nbytes])) as before:
        if target is not None and not dry_run:
            with progress("writing", nbytes) as advance:
                write(target, advance)
        if not as_json:
            print_differences(before, after, differences, renamed)
            return
        written = None if target is None or dry_run else written_document(target)
        facts = {"keys": len(after.metadata), "tensors": len(after.tensors)}
        print_json({"written": written} | facts | {"changes": document(before, after, differences)})
