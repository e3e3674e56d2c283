"""Sets of files that replace another set of the same names all at once.

No system renames several files together, so that a program that is killed among the renames would leave shards of two
models under one name. Therefore:

    1. All new files are complete under temporary names, and on the disk.
    2. A manifest, `.NAME.kaitai-gguf-set` with the NAME of the first shard, says which becomes which.
    3. The old first shard is removed: without it no program opens the old set, or a mixture.
    4. The others are renamed, the first one last.
    5. The manifest is removed.

`current` finds, from step 2 on, each file of the new set wherever it is by then. Whoever wants to write one of them
completes the set first, with `complete`, under the lock that writers of its files share.
"""

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from kaitai_gguf.sources.sidecar_names import beside, first_of_set

__all__ = ["complete", "current", "is_published", "manifest_of", "write_manifest"]

_LARGEST = 1 << 26  # bytes: of 99,999 names, each as long as names get
_VERSION = 1


def manifest_of(path: Path) -> Path | None:
    """Where the manifest of a set is while it is published; None for a path that is not that of a shard."""
    first = first_of_set(path)
    return None if first is None else beside(first, "set")


def current(path: Path) -> Path:
    """Return where the bytes of a path are: under a temporary name if they are that of a set that is half published."""
    manifest = manifest_of(path)
    if manifest is None:
        return path
    temporary = _read(manifest).get(path.name)
    if temporary is not None and (there := path.with_name(temporary)).exists():
        return there
    return path


def is_published(path: str) -> bool:
    """Whether the set that a path belongs to is being published right now."""
    manifest = manifest_of(Path(path))
    return manifest is not None and manifest.exists()


def write_manifest(staged: Mapping[Path, Path]) -> Path | None:
    """Make the manifest of files that are about to be published, by target; None if they are not shards of one set.

    The targets are in the order of the shards.
    """
    manifests = {manifest_of(target) for target in staged}
    manifest = manifests.pop() if len(manifests) == 1 else None
    if manifest is None or len(staged) < 2:
        return None
    import json  # is not needed to read a file

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
    """Publish what is left of the set that a path belongs to, if its publication was interrupted."""
    manifest = manifest_of(path)
    if manifest is None:
        return
    folder, names = path.parent, list(_read(manifest).items())
    for first, temporary in names[:1]:  # step 3
        if (folder / temporary).exists():
            (folder / first).unlink(missing_ok=True)
    for name, temporary in [*names[1:], *names[:1]]:  # step 4
        with suppress(FileNotFoundError):  # done before a crash
            (folder / temporary).replace(folder / name)
    manifest.unlink(missing_ok=True)


def _read(manifest: Path) -> dict[str, str]:
    """The temporary name of each file, by its name; empty if there is no manifest, or if it is not one of ours."""
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
    """Whether this can be a temporary name: never one in another folder."""
    return name.startswith(".") and name not in (".", "..") and Path(name).name == name
