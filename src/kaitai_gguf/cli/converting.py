"""What the commands share that write a whole file anew."""

from pathlib import Path
from typing import Any

import kaitai_gguf
from kaitai_gguf.cli.changes import print_changes
from kaitai_gguf.cli.progress import progress


def write(
    model: kaitai_gguf.GGUFFile, path: Path | None, force: bool, allow_padding: bool = False, **options: Any
) -> None:
    """Writes what `kaitai_gguf.convert` makes with these options, unless there is no path, and prints what changes."""
    # A copy of the header, since the model may be gone when its file is replaced.
    before = kaitai_gguf.open(bytes(model.buffer[: model.header_nbytes]))
    with before, kaitai_gguf.converted_header(model, **options) as header:
        found = kaitai_gguf.diff(model, header, data=False)
        if path is not None:
            with progress("writing", model.tensors.data_nbytes) as advance:
                kaitai_gguf.convert(
                    model, path, overwrite=force, allow_padding=allow_padding, progress=advance, **options
                )
        print_changes(model if not model.closed else before, header, found)
