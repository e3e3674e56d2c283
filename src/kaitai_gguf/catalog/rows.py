"""`read_rows`: one model file as a row of a catalog. A pure function, which threads and Dask workers run."""

import errno
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from kaitai_gguf.catalog.columns import file_columns, key_values, scalars, tensors
from kaitai_gguf.catalog.sources import key_of, source_of
from kaitai_gguf.catalog.tables import TABLES, arrow, flattened, readable, row_schema, text
from kaitai_gguf.errors import FileAccessError, FileError, FileIsDirectoryError, FormatError
from kaitai_gguf.reading.file import read
from kaitai_gguf.rules import Finding, check_one
from kaitai_gguf.sources import Path, Source
from kaitai_gguf.sources.opening import opened_by_ranges
from kaitai_gguf.sources.remote import MAX_HEADER_NBYTES
from kaitai_gguf.sources.urls import is_url, scheme_of, shown

MAX_ITEMS = 1 << 18
"""Key-values and tensors. Real files have a few thousand."""


@dataclass(frozen=True)
class Options:
    """How files are read. No table contains these."""

    check: bool = False
    """Whether the rules of the format are checked: the table `findings`."""
    storage_options: Mapping[str, Any] | None = field(default=None, repr=False)
    """Options for URLs, as in `kaitai_gguf.open`. They may be secret, so `repr` omits them."""
    max_header_nbytes: int = MAX_HEADER_NBYTES
    """A file whose header is larger is a row with an error."""
    hub_token: str | None = field(default=None, repr=False)
    """The token for hf URLs, for workers that have none."""

    def of(self, source: str) -> dict[str, Any]:
        """Return the storage options of a file."""
        if not is_url(source):
            return {}
        token = {"token": self.hub_token} if self.hub_token and scheme_of(source) == "hf" else {}
        return token | dict(self.storage_options or {})


def read_rows(
    source: Path,
    *,
    check: bool = False,
    storage_options: Mapping[str, Any] | None = None,
    max_header_nbytes: int = MAX_HEADER_NBYTES,
) -> dict[str, Any]:
    """Read the header of one file, and return its rows: a `pyarrow.RecordBatch` for each table.

    source             a path or a URL, as `kaitai_gguf.open` takes it; shards are files of their own.
    check              whether to check the rules of the format, which fills the table `findings`.
    storage_options    options for a URL, as in `kaitai_gguf.open`.
    max_header_nbytes  the most bytes to read.

    Nothing is mapped. A file that can't be read is a row of `files` with an error, and no rows elsewhere. Raises
    `MissingPackageError` without pyarrow, TypeError for what is not a path.
    """
    arrow()
    name = source_of(source)
    row = row_of(name, key_of(name), Options(check, storage_options, max_header_nbytes))
    return {table: flattened(row, table) for table in TABLES}


def row_of(source: str, key: str, options: Options) -> Any:
    """Return the row of a file, or the row of its error, as a `pyarrow.RecordBatch`."""
    opened: list[Source] = []

    def read_row(bytes_read: Source) -> Any:
        opened[:] = [bytes_read]
        model = read(bytes_read)
        items = len(model.metadata) + len(model.tensors)
        if items > MAX_ITEMS:
            message = f"has {items:,} key-values and tensors, more than the {MAX_ITEMS:,} that are read"
            raise FileError(errno.EFBIG, message, source)
        values = scalars(model.header)
        columns = _identity(source, key, bytes_read) | file_columns(model, values)
        columns["metadata"] = list(key_values(model.header, values))
        return _row(columns, check_one(bytes_read, {}) if options.check else None, tensors(model.header))

    try:
        return opened_by_ranges(source, read_row, options.of(source), options.max_header_nbytes)
    except Exception as error:  # no file may end the scan of the others
        is_checked = options.check and isinstance(error, FormatError)
        findings = check_one(opened[0], {}) if is_checked else None
        return error_row(source, key, _cause(source, error), opened[0] if opened else None, findings)


def _cause(source: str, error: Exception) -> Exception:
    """Return why a folder can't be listed, if the error is that of a folder, which `expanded` yields like a file."""
    if isinstance(error, FileIsDirectoryError):
        try:
            os.scandir(source).close()
        except OSError as reason:
            kind = FileAccessError if isinstance(reason, PermissionError) else FileError
            return kind(reason.errno, f"the folder can't be listed: {reason.strerror}", source)
    return error


def _identity(name: str, key: str, source: Source | None) -> dict[str, Any]:
    """Return the columns that identify the file, which a file with an error has too."""
    columns: dict[str, Any] = {"key": key, **text("source", shown(name))}
    if source is not None and source.ranges is not None:
        columns |= {"revision": source.ranges.version, "nbytes": source.nbytes}
    return columns


def error_row(
    source: str,
    key: str,
    error: BaseException,
    opened: Source | None = None,
    findings: list[Finding] | None = None,
) -> Any:
    """Return the row of a file that could not be read, and why."""
    columns = _identity(source, key, opened)
    columns |= {"error": readable(str(error)) or type(error).__name__, "error_type": type(error).__name__}
    if isinstance(error, FormatError):
        columns |= {"error_offset": error.offset, "error_path": readable(error.path)}
    else:
        columns["revision"] = None  # the error may be temporary, so the next scan reads the file again
    if isinstance(error, FileError):
        columns["error"] = readable(str(error.strerror))
    return _row(columns | {"metadata": [], "tensors": []}, findings)


def _row(columns: dict[str, Any], findings: list[Finding] | None, tensors: Any = None) -> Any:
    """Return one row of the Delta table as a `pyarrow.RecordBatch`. Raises what pyarrow raises."""
    if findings is not None:
        columns["findings"] = [
            {
                **{name: getattr(each, name) for name in ("rule", "severity", "offset", "count")},
                **{name: readable(getattr(each, name)) for name in ("path", "message")},
            }
            for each in findings
        ]
        columns["n_errors"] = sum(each.severity == "error" for each in findings)
        columns["n_warnings"] = sum(each.severity == "warning" for each in findings)
    row, fields = arrow().RecordBatch.from_pylist([columns], row_schema()), row_schema()
    if tensors is None:
        return row
    index = fields.get_field_index("tensors")
    column = arrow().ListArray.from_arrays([0, len(tensors)], tensors).cast(fields.field(index).type)
    return row.set_column(index, fields.field(index), column)
