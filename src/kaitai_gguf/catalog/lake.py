"""A catalog on disk or object storage: one Delta Lake table, with one row for each file.

Scans are safe against each other by optimistic concurrency. Each of their commits names the same application
transaction, so of two commits that are based on the same version, Delta Lake refuses the second. The scan that was
refused loads the newer version and tries again; each file then has one row.
"""

import os
import random
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, NamedTuple

from kaitai_gguf.catalog.tables import SCHEMA_VERSION, TABLES, arrow, delta, flattened, row_schema, schema
from kaitai_gguf.errors import CatalogError, GGUFError
from kaitai_gguf.sources import Path
from kaitai_gguf.sources.urls import is_url, local_path, shown

_VERSION = "kaitai_gguf.catalog.version"
_APPLICATION = "kaitai_gguf.catalog"
_NAMES_OF_S3FS = {"key": "access_key_id", "secret": "secret_access_key", "token": "session_token"}
_TRIES = 100  # of a commit; each one that fails means that another scan has made progress
_KEYS = 4096  # in a predicate
# More data files than this below so many bytes are joined: 521 files with 100,000 rows add 0.6 s to an aggregate.
_SMALL_FILES, _SMALL = 1000, 8 << 20


class Known(NamedTuple):
    """What a scan needs to know about the row of a file that it may not have to read again."""

    revision: str | None
    nbytes: int
    has_error: bool
    is_checked: bool


def table(output: Path, name: str, *, storage_options: Mapping[str, str] | None = None) -> Any:
    """Return a table of a catalog, as a `pyarrow.dataset.Dataset`.

    output           the folder or URL that `scan` wrote.
    name             "files", "metadata", "tensors", or "findings", which is empty unless files were checked.
    storage_options  options of deltalake for a URL, such as credentials.

    "files" is read when it is queried; the others are loaded into memory. To query those of very many files, unnest
    the columns of `deltalake.DeltaTable(output)`: see docs/catalog.md. Raises `CatalogError` if the output is not a
    catalog; ValueError for another name; `MissingPackageError` without pyarrow or deltalake.
    """
    import pyarrow.dataset as ds

    if name not in TABLES:
        raise ValueError(f"{name!r} is not one of the tables {', '.join(TABLES)}")
    lake = Lake.existing(output, storage_options)
    if lake is None:
        raise CatalogError(f"{_shown(output)}: this is not a catalog: it has no Delta Lake table")
    with _errors(output):
        dataset = lake.dataset()
        if name == "files":
            return dataset.replace_schema(schema("files"))
        rows = dataset.to_batches(columns=["source", name], use_threads=not is_url(os.fsdecode(output)))
        batches = [flattened(batch, name) for batch in rows]
        return ds.dataset(arrow().Table.from_batches(batches, schema(name)))


class Lake:
    """A Delta Lake table at one version, which each change moves to the newest."""

    def __init__(self, output: Path, delta_table: Any) -> None:
        self._output = output
        self._table = delta_table
        self._has_changed = False
        version = delta_table.metadata().configuration.get(_VERSION)
        if version != str(SCHEMA_VERSION):
            kind = f"a catalog of version {version}" if version else "a Delta Lake table of another program"
            hint = f"; this release writes version {SCHEMA_VERSION}: scan into a new folder" if version else ""
            raise CatalogError(f"{_shown(output)}: has {kind}{hint}")

    @classmethod
    def existing(cls, output: Path, storage_options: Mapping[str, str] | None) -> "Lake | None":
        """Return the table; None if there is none. Raises `CatalogError`."""
        options = _options(output, storage_options)
        with _errors(output):
            location = _location(output)
            if not delta().DeltaTable.is_deltatable(location, options):
                return None
            return cls(output, delta().DeltaTable(location, storage_options=options))

    @classmethod
    def created(cls, output: Path, storage_options: Mapping[str, str] | None) -> "Lake":
        """Return the table, which is created if there is none. Raises `CatalogError`."""
        location = _location(output)
        _refuse_other_files(location)
        lake = cls.existing(output, storage_options)
        if lake is not None:
            return lake
        with _errors(output):
            configuration = {_VERSION: str(SCHEMA_VERSION), "delta.dataSkippingNumIndexedCols": "4"}
            try:
                created = delta().DeltaTable.create(
                    location,
                    row_schema(),
                    storage_options=_options(output, storage_options),
                    configuration=configuration,
                    raise_if_key_not_exists=False,
                )
            except delta().exceptions.DeltaError:
                lake = cls.existing(output, storage_options)  # another scan may have created it
                if lake is None:
                    raise
                return lake
            return cls(output, created)

    def dataset(self) -> Any:
        """Return all rows as a `pyarrow.dataset.Dataset`.

        Local files are read by pyarrow: when its threads use the file system of deltalake 1.6, the process may abort at
        its end ("terminate called without an active exception").
        """
        from pyarrow import fs

        location = _location(self._output)
        folder = None if is_url(location) else fs.SubTreeFileSystem(location, fs.LocalFileSystem())
        return self._table.to_pyarrow_dataset(filesystem=folder)

    def known(self) -> dict[str, Known]:
        """Return what is known about each file, by key."""
        rows = self._query("key, revision, nbytes, error IS NOT NULL, n_errors IS NOT NULL")
        return {key: Known(revision, nbytes or 0, *others) for key, revision, nbytes, *others in rows}

    def names(self) -> Iterator[tuple[Any, ...]]:
        """Yield the key, the source, and the path if it is not UTF-8, of each row."""
        return self._query("key, source, source_bytes")

    def _query(self, columns: str) -> Iterator[tuple[Any, ...]]:
        """Yield the values of some columns of each row. A dataset of pyarrow takes 50 MB more."""
        with _errors(self._output):
            query = delta().QueryBuilder().register("files", self._table).execute(f"SELECT {columns} FROM files")
            for batch in arrow().RecordBatchReader.from_stream(query):
                yield from zip(*(column.to_pylist() for column in batch.columns), strict=True)

    def put(self, rows: Any, known: dict[str, Known]) -> None:
        """Write rows in one transaction; they replace rows with the same keys.

        `known` are the rows that this scan found, which become those of the newest version if another scan committed.
        """
        keys = rows["key"].to_pylist()
        if not keys:
            return

        def write() -> None:
            is_update = any(key in known for key in keys)
            mode = {"mode": "overwrite", "predicate": _among(keys)} if is_update else {"mode": "append"}
            delta().write_deltalake(
                self._table,
                rows,
                **mode,
                commit_properties=self._transaction(),
                writer_properties=_writer_properties(),
            )

        self._committed(write, known)

    def remove(self, keys: Sequence[str], known: dict[str, Known]) -> None:
        """Remove the rows with these keys."""
        for start in range(0, len(keys), _KEYS):
            predicate = _among(keys[start : start + _KEYS])
            self._committed(partial(self._delete, predicate), known)

    def _delete(self, predicate: str) -> None:
        self._table.delete(predicate, commit_properties=self._transaction())

    def compact(self) -> None:
        """Join many small data files into larger ones, and delete files that no version of the last week needs.

        Does nothing if this object has changed nothing.
        """
        if not self._has_changed:
            return
        with _errors(self._output):
            sizes = self._table.get_add_actions(flatten=True)["size_bytes"].to_pylist()
            if sum(size < _SMALL for size in sizes) <= _SMALL_FILES:
                return
            try:
                self._table.optimize.compact(
                    max_concurrent_tasks=1,
                    writer_properties=_writer_properties(),
                    commit_properties=self._transaction(),
                )
                self._table.vacuum(dry_run=False)
            except delta().exceptions.CommitFailedError:
                pass  # another scan is writing, and will compact

    def _transaction(self) -> Any:
        version = self._table.version() + 1
        return delta().CommitProperties(app_transactions=[delta().Transaction(_APPLICATION, version)])

    def _committed(self, write: Callable[[], object], known: dict[str, Known]) -> None:
        """Call a function that commits, again if another scan has committed in the meantime."""
        for number in range(_TRIES):
            with _errors(self._output):
                try:
                    write()
                    self._has_changed = True
                    return
                except delta().exceptions.CommitFailedError:
                    if number == _TRIES - 1:
                        raise
                time.sleep(random.uniform(0, 0.05))
                self._table.update_incremental()
            newer = self.known()
            known.clear()
            known.update(newer)


def _writer_properties() -> Any:
    """Return how data files are written. Small groups of rows limit memory: a row may have thousands of tensors."""
    return delta().WriterProperties(compression="ZSTD", max_row_group_size=512)


def _among(keys: Iterable[str]) -> str:
    listed = ", ".join(f"'{key}'" for key in keys)  # which are hexadecimal
    return f"key IN ({listed})"


def _location(output: Path) -> str:
    path = os.fsdecode(output)
    return path if is_url(path) else os.path.abspath(local_path(path))


def _shown(output: Path) -> str:
    return shown(os.fsdecode(output))


def _options(output: Path, storage_options: Mapping[str, Any] | None) -> dict[str, str] | None:
    """Return the options for deltalake: the texts, with names of s3fs translated, and http if an endpoint uses it."""
    if not is_url(os.fsdecode(output)):
        return None
    given = (storage_options or {}).items()
    options = {_NAMES_OF_S3FS.get(name, name): value for name, value in given if isinstance(value, str)}
    if any(value.startswith("http://") for value in options.values()):
        options.setdefault("allow_http", "true")
    return options


def _refuse_other_files(location: str) -> None:
    """Raise `CatalogError` for a folder that has files but no table, or for a file in its place."""
    if is_url(location):
        return
    try:
        names = sorted(os.listdir(location))
    except FileNotFoundError:
        return
    except OSError as error:
        message = f"{location}: can't be read: {error.strerror}"
        raise CatalogError(message) from None
    if names and "_delta_log" not in names:
        raise CatalogError(
            f"{location}: has other files, such as {names[0]!r}, and no catalog; specify an empty folder"
        )


@contextmanager
def _errors(output: Path) -> Iterator[None]:
    """Raise errors of deltalake and pyarrow as `CatalogError`."""
    try:
        yield
        return
    except GGUFError:
        raise
    except (delta().exceptions.DeltaError, arrow().ArrowException, OSError, ValueError) as error:
        message = f"{_shown(output)}: {str(error).partition(chr(10))[0]}"
    except BaseException as error:
        if type(error).__name__ != "PanicException":  # of Rust code
            raise
        message = "a process that was forked after a catalog was used can't use one; start it with spawn or forkserver"
        if "fork" not in str(error).lower():
            message = f"{_shown(output)}: deltalake failed: {error}"
    raise CatalogError(message)
