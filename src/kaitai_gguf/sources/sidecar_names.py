"""Names of the hidden files beside a model that is being written: its lock, journal and temporary file."""

import os
import re
from collections.abc import Iterator
from glob import escape
from pathlib import Path

NAME_MAX = 255  # bytes: the longest file name on nearly every file system
KEPT = 100  # bytes kept of a name that is too long
_RANDOM = 16  # hexadecimal digits in the name of a temporary file


def beside(path: Path, kind: str) -> Path:
    """Return `.NAME.kaitai-gguf-KIND` in the folder of a path. A NAME that is too long is cut and hashed."""
    name, ending = os.fsencode(path.name), f".kaitai-gguf-{kind}".encode()
    if 1 + len(name) + len(ending) > NAME_MAX:
        import hashlib  # takes a few milliseconds, and few names are that long

        start = name[:KEPT].decode("utf-8", "ignore").encode()  # whole characters only
        name = start + b"-" + hashlib.sha256(name).hexdigest()[:16].encode()
    return path.with_name(os.fsdecode(b"." + name + ending))


def temporary_beside(path: Path) -> Path:
    """Return a new path for a temporary file, which belongs to the lock for writing `path`."""
    return beside(first_of_set(path) or path, f"{os.urandom(_RANDOM // 2).hex()}.tmp")


def temporary_files(path: Path) -> Iterator[Path]:
    """Yield the existing temporary files that belong to the lock for writing `path`."""
    start = temporary_beside(path).name[: -_RANDOM - len(".tmp")]
    return path.parent.glob(escape(start) + "[0-9a-f]" * _RANDOM + ".tmp")


def shard_match(path: str) -> re.Match[str] | None:
    """Match llama.cpp's file name of a shard: the model's name, the shard's number from 1, the number of shards."""
    if "-of-" not in path:  # most files are not shards, and compiling the pattern takes longer
        return None
    return re.fullmatch(r"(.*)-(\d{5})-of-(\d{5})\.gguf", path, re.ASCII | re.DOTALL)


def first_of_set(path: Path) -> Path | None:
    """Return the path of the first shard in the set that a shard's path belongs to; None if it is not a shard's."""
    match = shard_match(path.name)
    return path.with_name(f"{match[1]}-00001-of-{match[3]}.gguf") if match else None
