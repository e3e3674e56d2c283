"""Names of the hidden files that stand beside a model while it is written: its lock, its journal, its manifest."""

import os
import re
from pathlib import Path

__all__ = ["SHARD", "beside", "first_of_set"]

SHARD = re.compile(r"(.*)-(\d{5})-of-(\d{5})\.gguf", re.ASCII | re.DOTALL)
"""What llama.cpp calls a shard: the name before it, its number from 1, and how many there are."""

NAME_MAX = 255  # bytes that a file name may have on nearly every file system
KEPT = 100  # bytes of a name that is too long to be kept whole


def beside(path: Path, kind: str) -> Path:
    """Return `.NAME.kaitai-gguf-KIND` in the folder of a path; a NAME that is too long for that is cut and hashed."""
    name, ending = os.fsencode(path.name), f".kaitai-gguf-{kind}".encode()
    if 1 + len(name) + len(ending) > NAME_MAX:
        import hashlib  # takes a few milliseconds, and few names are that long

        start = name[:KEPT].decode("utf-8", "ignore").encode()  # no character is cut in the middle
        name = start + b"-" + hashlib.sha256(name).hexdigest()[:16].encode()
    return path.with_name(os.fsdecode(b"." + name + ending))


def first_of_set(path: Path) -> Path | None:
    """Return the path of the first shard of the set that a path belongs to by its name; None for any other name."""
    match = SHARD.fullmatch(path.name)
    return path.with_name(f"{match[1]}-00001-of-{match[3]}.gguf") if match else None
