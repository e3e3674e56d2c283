"""Replace a set of files by another set of the same names, all at once.

No operating system renames several files together: a program killed between two renames would leave shards of two
models under one name. So a set is published in five steps:

    1. All new files are complete under temporary names, and on the disk.
    2. A manifest, `.NAME.kaitai-gguf-set` with the NAME of the first shard, maps final names to temporary names.
    3. The old first shard is removed. Without it, no program opens the old set or a mixture.
    4. The new files are renamed, the first shard last.
    5. The manifest is removed.

From step 2 on, `current` finds each file of the new set under either name. A program that wants to write one of these
files first finishes the publication with `complete`, under the lock that all writers of the set share.

A manifest may come from a stranger, in the folder of a downloaded model. So it counts only if all its names are those
of one set and of its temporary files, and it is ignored, and left alone, otherwise.
"""

import os
import re
import stat
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from kaitai_gguf.errors import FileAccessError, FileError
from kaitai_gguf.sources.sidecar_names import beside, first_of_set, is_temporary, shard_match, temporary_beside

__all__ = ["complete", "current", "is_published", "manifest_of", "staged_names", "write_manifest"]

_VERSION = 1


def manifest_of(path: Path) -> Path | None:
    """Return the path of the manifest of the set that a shard's path belongs to; None if the path is not a shard's."""
    first = first_of_set(path)
    return None if first is None else beside(first, "set")


def staged_names(path: Path) -> set[str]:
    """Return the final names of the shards that still have their temporary names, as their set is half published.

    `path` is that of any shard of the set. Raises `FileError` if the manifest can't be read.
    """
    return {name for name, temporary in _read(path).items() if _staged(path, temporary)}


def current(path: Path) -> Path:
    """Return where the file of this name is now: under its temporary name if its set is half published.

    Raises `FileError` if the manifest can't be read.
    """
    temporary = _read(path).get(path.name)
    staged = None if temporary is None else _staged(path, temporary)
    return staged or path


def is_published(path: str) -> bool:
    """Return whether the set that a path belongs to is being published, or its publication was interrupted."""
    return bool(_read(Path(path)))


def write_manifest(staged: Mapping[Path, Path]) -> Path | None:
    """Write the manifest of a set and return its path; None, without writing, if the files are not shards of one set.

    `staged` maps final paths, in the order of the shards, to temporary paths.
    """
    manifests = {manifest_of(target) for target in staged}
    manifest = manifests.pop() if len(manifests) == 1 else None
    if manifest is None or len(staged) < 2:
        return None
    import json  # not needed for reading

    names = {target.name: temporary.name for target, temporary in staged.items()}
    half_written = temporary_beside(next(iter(staged)))
    try:
        with half_written.open("w", encoding="utf-8", errors="surrogateescape") as file:
            json.dump({"version": _VERSION, "files": names}, file)
            file.flush()
            os.fsync(file.fileno())
        half_written.replace(manifest)
    except BaseException:
        with suppress(OSError):
            half_written.unlink()
        raise
    return manifest


def complete(path: Path) -> None:
    """Finish publishing the set that a path belongs to, if its publication was interrupted.

    Raises `FileError` if the manifest can't be read.
    """
    manifest, names = manifest_of(path), list(_read(path).items())
    if manifest is None or not names:
        return
    for first, temporary in names[:1]:  # step 3
        if _staged(path, temporary):
            path.with_name(first).unlink(missing_ok=True)
    for name, temporary in [*names[1:], *names[:1]]:  # step 4
        staged = _staged(path, temporary)
        if staged:  # or it was renamed before the interruption
            staged.replace(path.with_name(name))
    manifest.unlink(missing_ok=True)


def _staged(path: Path, temporary: str) -> Path | None:
    """Return the path of a temporary file of the set; None if there is no regular file of this name."""
    staged = path.with_name(temporary)
    try:
        return staged if stat.S_ISREG(staged.lstat().st_mode) else None
    except FileNotFoundError:
        return None


def _read(path: Path) -> dict[str, str]:
    """Return the temporary names by final name; empty without a manifest, or if this library did not write it."""
    match, manifest = shard_match(path.name), manifest_of(path)
    if match is None or manifest is None:
        return {}
    try:
        status = manifest.lstat()
    except OSError:
        return {}
    if not stat.S_ISREG(status.st_mode):
        return {}
    import json

    # All names have the same length.
    nbytes = len(json.dumps(path.name)) + len(json.dumps(temporary_beside(path).name)) + len(": , ")
    if status.st_size > int(match[3]) * nbytes + len(json.dumps({"version": _VERSION, "files": {}})):
        return {}
    try:
        text = manifest.read_text(encoding="utf-8", errors="surrogateescape")
    except FileNotFoundError:  # the publication has just been completed
        return {}
    except OSError as error:
        kind = FileAccessError if isinstance(error, PermissionError) else FileError
        raise kind(error.errno, f"can't be read: {error.strerror}", str(manifest)) from None
    try:
        document = json.loads(text)
        names = document["files"] if document["version"] == _VERSION else {}
        is_ours = all(_is_of_set(name, match) and is_temporary(temporary, path) for name, temporary in names.items())
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return {}
    return dict(names) if is_ours else {}


def _is_of_set(name: str, match: re.Match[str]) -> bool:
    """Return whether a name is that of a shard in the same set as the shard whose name was matched."""
    own = shard_match(name)
    return own is not None and own.group(1, 3) == match.group(1, 3)
