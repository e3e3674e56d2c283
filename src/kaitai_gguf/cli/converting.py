"""What the commands share that write a whole file anew."""

from typing import Any

import kaitai_gguf
from kaitai_gguf.cli.changes import print_changes
from kaitai_gguf.cli.progress import progress
from kaitai_gguf.cli.writing import target


def write(
    model: kaitai_gguf.GGUFFile,
    file: str,
    *,
    output: str | None,
    in_place: bool = False,
    force: bool,
    allow_padding: bool,
    dry_run: bool,
    **options: Any,
) -> None:
    """Writes what `kaitai_gguf.convert` makes with these options, unless it is a dry run, and prints what changes."""
    path = None if dry_run else target(file, output, in_place, force)
    # A copy of the header, since the model may be gone when its file is replaced.
    before = kaitai_gguf.open(bytes(model.buffer[: model.header_nbytes]))
    with before, kaitai_gguf.converted_header(model, allow_padding=allow_padding, **options) as header:
        found = kaitai_gguf.diff(model, header, data=False)
        if path is not None:
            with progress("writing", model.tensors.data_nbytes) as advance:
                kaitai_gguf.convert(
                    model,
                    path,
                    overwrite=in_place or force,
                    allow_padding=allow_padding,
                    progress=advance,
                    **options,
                )
        print_changes(before if model.closed else model, header, found)
