"""Save a model that a command has changed, unless it is a dry run, and print the changes."""

from pathlib import Path
from typing import Any

import click

import kaitai_gguf
from kaitai_gguf.cli.differences import Renamed, document, print_differences
from kaitai_gguf.cli.files import check_target, noting_written, written_document
from kaitai_gguf.cli.output import print_json, progress, warn
from kaitai_gguf.writing.atomic import is_file_of, real_path
from kaitai_gguf.writing.guards import check_content_addressed, check_not_open, check_shard
from kaitai_gguf.writing.paths import as_given


def save_edits(
    editor: kaitai_gguf.Editor,
    file: str,
    *,
    output: str | None,
    in_place: bool,
    force: bool,
    rewrite: bool,
    allow_padding: bool,
    verify: bool,
    dry_run: bool,
    as_json: bool,
    renamed: Renamed | None = None,
) -> None:
    """Write the edits, and read the header back. `renamed` is for commands that only change a name."""
    if rewrite and not in_place:
        raise click.UsageError("--rewrite needs --in-place")
    target = _target(file, output, in_place, force, dry_run)
    path = None if dry_run else target
    model, header, is_copied = editor.model, editor.header, output is not None or rewrite or not editor.fits
    if dry_run:
        _check_replaced(model, target, header)
    with _header(model) as before, kaitai_gguf.open(header) as after:
        differences = kaitai_gguf.diff(before, after, data=False)
        if dry_run and in_place and differences and not is_copied:
            with as_given(file):
                check_not_open(real_path(file))
        if path is not None:
            nbytes = model.nbytes - model.data_offset if is_copied and (output or differences) else 0
            with noting_written(path), progress("writing", nbytes) as advance:
                options: dict[str, Any] = {"allow_padding": allow_padding, "verify": verify, "progress": advance}
                editor.commit(output, overwrite=force, rewrite=rewrite, **options)
            with kaitai_gguf.open(path, shards=False) as written:
                if written.buffer[: len(header)] != header:
                    raise kaitai_gguf.GGUFError("the header was not written correctly")
        _report(path, before, after, differences, as_json=as_json, renamed=renamed)
        if not differences:
            warn("nothing changes")
    if dry_run:
        editor.discard()  # or the end of the block would write the changes


def save_converted(
    model: kaitai_gguf.GGUFFile,
    file: str,
    *,
    output: str | None,
    in_place: bool | None = None,
    force: bool,
    allow_padding: bool,
    verify: bool,
    dry_run: bool,
    as_json: bool,
    **options: Any,
) -> None:
    """Write the result of `kaitai_gguf.convert`. `in_place` is None for commands without --in-place."""
    target = _target(file, output, in_place, force, dry_run)
    path = None if dry_run else target
    options["allow_padding"] = allow_padding
    with _header(model) as before, kaitai_gguf.converted_header(model, **options) as after:
        if dry_run:
            _check_replaced(model, target, bytes(after.buffer))
        differences = kaitai_gguf.diff(model, after, data=False)
        if path is not None:
            with noting_written(path), progress("writing", model.tensors.data_nbytes) as advance:
                overwrite = bool(in_place) or force
                kaitai_gguf.convert(model, path, overwrite=overwrite, verify=verify, progress=advance, **options)
        _report(path, before if model.closed else model, after, differences, as_json=as_json)


def _report(
    path: Path | None,
    before: kaitai_gguf.GGUFFile,
    after: kaitai_gguf.GGUFFile,
    differences: kaitai_gguf.Differences,
    *,
    as_json: bool,
    renamed: Renamed | None = None,
) -> None:
    """Print the changes; as JSON, also the file that was written. `path` is None for a dry run."""
    if not as_json:
        print_differences(before, after, differences, renamed)
        return
    written = None if path is None else written_document(path)
    facts = {"keys": len(after.metadata), "tensors": len(after.tensors)}
    print_json({"written": written} | facts | {"changes": document(before, after, differences, renamed)})


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


def _check_replaced(model: kaitai_gguf.GGUFFile, target: Path | None, header: bytes) -> None:
    """Refuse to replace a file of the model by one with which the model could not be opened."""
    if target is not None:
        path = real_path(target)
        if any(is_file_of(each.source, path) for each in model.shards):
            check_shard(model, path, header, target)


def _header(model: kaitai_gguf.GGUFFile) -> kaitai_gguf.GGUFFile:
    """Return the header as a separate model, since the file may be replaced."""
    return kaitai_gguf.open(bytes(model.buffer[: model.header_nbytes]))
