"""A catalog on disk: generations, one of which is named by the file CURRENT.

    DIR/CURRENT                              the name of the generation that readers use
    DIR/generation-000001/generation.json    how its files were read
    DIR/generation-000001/TABLE/part-*.parquet

A part is complete when its file in the table `files`, which is written last, has its name. A part that is the same as
in an earlier generation is a hard link.
"""

import json
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from kaitai_gguf.catalog.packages import arrow, parquet
from kaitai_gguf.catalog.parts import Part
from kaitai_gguf.catalog.rows import Options
from kaitai_gguf.catalog.tables import SCHEMA_VERSION, TABLES, schema
from kaitai_gguf.errors import CatalogError, FileError, reported
from kaitai_gguf.sources import Path as GivenPath
from kaitai_gguf.writing.atomic import sync_folder

__all__ = ["Generation", "current", "generations", "new_generation", "publish", "table"]

CURRENT = "CURRENT"
_NAME = re.compile(r"generation-(\d{6,})")
_FACTS = "generation.json"
_TABLES_OF_PARTS = [name for name in reversed(TABLES) if name != "tokenizers"]  # `files` last


def table(directory: GivenPath, name: str) -> Any:
    """Return a table of the current generation of a catalog, as a `pyarrow.dataset.Dataset`.

    directory  what `scan` wrote.
    name       "files", "metadata", "tensors", "tokenizers", or "findings", which is empty unless files were checked.

    Raises `CatalogError` if the folder has no complete catalog, or an older version wrote it without the table;
    ValueError for another name; `MissingPackageError` without pyarrow.
    """
    arrow()
    import pyarrow.dataset as ds

    if name not in TABLES:
        raise ValueError(f"{name!r} is not one of the tables {', '.join(TABLES)}")
    root = Path(os.fsdecode(directory))
    generation = current(root)
    if generation is None:
        raise CatalogError(f"{root}: there is no complete catalog in this folder")
    files = [str(path) for path in generation.files(name)]
    if not files:
        raise CatalogError(f"{root}: the catalog has no table {name!r}; scan again")
    try:
        return ds.dataset(files, schema=schema(name), format="parquet")
    except (OSError, arrow().ArrowException) as error:
        message = f"{root}: the table {name!r} can't be read: {error}"
    raise CatalogError(message)


def current(root: Path) -> "Generation | None":
    """Return the generation that readers use; None before the first is complete. Raises `CatalogError`."""
    try:
        name = (root / CURRENT).read_text("utf-8").strip()
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise CatalogError(f"{root / CURRENT}: can't be read: {reason}") from None
    if not _NAME.fullmatch(name) or not (root / name).is_dir():
        raise CatalogError(f"{root / CURRENT}: does not name a generation of this catalog")
    return Generation(root / name)


def generations(root: Path) -> list["Generation"]:
    """Return all generations, complete or not, the latest first; none if the folder does not exist.

    Raises `CatalogError` if the folder contains other files.
    """
    try:
        with reported(root):
            names = sorted(os.listdir(root)) if root.exists() else []
    except FileError as error:
        raise CatalogError(f"{root}: can't be read: {error.strerror}") from None
    numbers = {int(match[1]): name for name in names if (match := _NAME.fullmatch(name))}
    others = [name for name in names if not name.startswith(".") and name != CURRENT and name not in numbers.values()]
    if others and CURRENT not in names:
        raise CatalogError(f"{root}: has other files, such as {others[0]!r}; give a new folder, or one with a catalog")
    return [Generation(root / numbers[number]) for number in sorted(numbers, reverse=True)]


@contextmanager
def new_generation(root: Path, options: Options) -> Iterator["Generation"]:
    """Create the folder of a generation, and remove it if the block fails before a part is complete.

    Raises `FileError`.
    """
    numbers = [generation.number for generation in generations(root)]
    generation = Generation(root / f"generation-{max(numbers, default=0) + 1:06}")
    try:
        with reported(generation.path):
            for name in TABLES:
                (generation.path / name).mkdir(parents=True)
            _write(generation.path / _FACTS, json.dumps(_facts(options)).encode())
        yield generation
    except BaseException:
        if not generation.parts():
            shutil.rmtree(generation.path, ignore_errors=True)
        raise


def publish(root: Path, generation: "Generation") -> None:
    """Make a generation the current one, and remove all but this one and the one before."""
    previous = current(root)
    for folder in (*generation.path.iterdir(), generation.path, root):
        sync_folder(folder)
    with reported(root / CURRENT):
        _write(root / CURRENT, f"{generation.path.name}\n".encode())
    sync_folder(root)
    kept = {generation.path, *([previous.path] if previous else [])}
    for each in generations(root):
        if each.path not in kept:
            with suppress(OSError):
                (each.path / _FACTS).unlink()  # or the next scan would reuse the rest if this is interrupted
            shutil.rmtree(each.path, ignore_errors=True)


def _facts(options: Options) -> dict[str, Any]:
    """Return what the rows depend on besides the files."""
    facts = {"check": options.check, "max_header_nbytes": options.max_header_nbytes}
    return {"schema_version": SCHEMA_VERSION} | facts


class Generation:
    """The folder of a generation."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def number(self) -> int:
        return int(self.path.name.rpartition("-")[2])

    def is_like(self, options: Options) -> bool:
        """Whether its files were read with the same options, by this version."""
        try:
            return bool(json.loads((self.path / _FACTS).read_bytes()) == _facts(options))
        except (OSError, ValueError):
            return False

    def files(self, name: str) -> list[Path]:
        """Return the files of a table, in order."""
        return sorted((self.path / name).glob("part-*.parquet"))

    def parts(self) -> list[str]:
        """Return the names of the parts that are complete."""
        names = [path.name for path in self.files("files")]
        return [name for name in names if all((self.path / table / name).exists() for table in _TABLES_OF_PARTS)]

    def read(self, name: str, part: str, columns: list[str] | None = None) -> Any:
        """Return a table of a part. Raises `CatalogError`."""
        path = self.path / name / part
        try:
            return parquet().read_table(path, columns=columns, partitioning=None)
        except (OSError, arrow().ArrowException) as error:
            message = f"{path}: can't be read: {error}"
        raise CatalogError(message)

    def write(self, name: str, part: Part) -> None:
        """Write a part. Raises `FileError`."""
        for sha256, data in part.tokenizers.items():
            self._write("tokenizers", _tokenizer(sha256), data)
        for table in reversed(part.tables):
            self._write(table, name, part.tables[table])

    def write_empty(self, name: str) -> None:
        """Write an empty part for each table without parts, so that tools can see its columns."""
        for table in TABLES:
            if not self.files(table):
                buffer = arrow().BufferOutputStream()
                parquet().write_table(schema(table).empty_table(), buffer)
                self._write(table, name, buffer.getvalue())

    def link(self, other: "Generation", part: str, name: str) -> bool:
        """Link a part of another generation under a name. Return False if it is not complete."""
        return all(self._link(other.path / table / part, self.path / table / name) for table in _TABLES_OF_PARTS)

    def link_tokenizer(self, sha256: str, others: list["Generation"]) -> bool:
        """Link a list of tokens, unless it exists. Return False if no generation has it."""
        path = self.path / "tokenizers" / _tokenizer(sha256)
        return path.exists() or any(
            self._link(other.path / "tokenizers" / _tokenizer(sha256), path) for other in others
        )

    def _link(self, existing: Path, path: Path) -> bool:
        try:
            os.link(existing, path)
        except FileNotFoundError:
            return False
        except OSError:  # a file system without links
            with reported(path):
                self._write(path.parent.name, path.name, existing.read_bytes())
        return True

    def _write(self, table: str, name: str, data: Any) -> None:
        path = self.path / table / name
        with reported(path):
            if table != "tokenizers" or not path.exists():
                _write(path, data)


def _tokenizer(sha256: str) -> str:
    return f"part-{sha256}.parquet"


def _write(path: Path, data: Any) -> None:
    """Write a file under a temporary name, and rename it. No other process writes to the generation."""
    temporary = path.with_name(f".{path.name}.tmp")
    try:
        with temporary.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except BaseException:
        with suppress(OSError):
            temporary.unlink()
        raise


def unique(values: Any) -> Iterator[str]:
    """Yield each string of a column once."""
    yield from (value for value in values.unique().to_pylist() if value is not None)
