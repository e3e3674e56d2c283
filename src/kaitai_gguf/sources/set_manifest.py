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
"""

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from kaitai_gguf.sources.sidecar_names import beside, first_of_set

__all__ = ["complete", "current", "is_published", "manifest_of", "write_manifest"]

_LARGEST = 1 << 26  # bytes: enough for 99,999 names of the greatest length
_VERSION = 1


def manifest_of(path: Path) -> Path | None:
    """Return the path of the manifest of the set that a shard's path belongs to; None if the path is not a shard's."""
    first = first_of_set(path)
    return None if first is None else beside(first, "set")


def current(path: Path) -> Path:
    """Return where the file of this name is now: under its temporary name if its set is half published."""
    manifest = manifest_of(path)
    if manifest is None:
        return path
    temporary = _read(manifest).get(path.name)
    if temporary is not None and (staged := path.with_name(temporary)).exists():
        return staged
    return path


def is_published(path: str) -> bool:
    """Return whether the set that a path belongs to is being published, or its publication was interrupted."""
    manifest = manifest_of(Path(path))
    return manifest is not None and manifest.exists()


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
    half_written = beside(first_of_set(next(iter(staged))) or manifest, "set~")
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
    """Finish publishing the set that a path belongs to, if its publication was interrupted."""
    manifest = manifest_of(path)
    if manifest is None:
        return
    folder, names = path.parent, list(_read(manifest).items())
    for first, temporary in names[:1]:  # step 3
        if (folder / temporary).exists():
            (folder / first).unlink(missing_ok=True)
    for name, temporary in [*names[1:], *names[:1]]:  # step 4
        with suppress(FileNotFoundError):  # renamed before the interruption
            (folder / temporary).replace(folder / name)
    manifest.unlink(missing_ok=True)


def _read(manifest: Path) -> dict[str, str]:
    """Return the temporary names by final name; empty without a manifest, or if this library did not write it."""
    try:
        if not manifest.is_file() or manifest.stat().st_size > _LARGEST:
            return {}
        import json

        document = json.loads(manifest.read_text(encoding="utf-8", errors="surrogateescape"))
        names = document["files"] if document["version"] == _VERSION else {}
        is_ours = all(
            manifest_of(manifest.with_name(name)) == manifest and _is_hidden_name(temporary)
            for name, temporary in names.items()
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return {}
    return dict(names) if is_ours else {}


def _is_hidden_name(name: str) -> bool:
    """Return whether this can be a temporary name. A name in another folder never is."""
    return name.startswith(".") and name not in (".", "..") and Path(name).name == name
