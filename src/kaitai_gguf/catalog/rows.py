"""`read_rows`: one model file as rows of all tables. A pure function, which threads and Dask workers run."""

import errno
import os
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from kaitai_gguf.catalog.file_facts import facts_of
from kaitai_gguf.catalog.header_columns import Columns, KeyValueColumns, TensorColumns, batch_of
from kaitai_gguf.catalog.packages import arrow
from kaitai_gguf.catalog.sources import shown_source, source_of
from kaitai_gguf.catalog.tables import TABLES, schema
from kaitai_gguf.catalog.text_columns import readable, text_columns
from kaitai_gguf.errors import (
    FileAccessError,
    FileError,
    FileIsDirectoryError,
    FormatError,
    NotGGUFError,
    TruncatedError,
)
from kaitai_gguf.reading.arrays import TOKENS
from kaitai_gguf.reading.file import GGUFFile, read
from kaitai_gguf.sources import Path, Source
from kaitai_gguf.sources.opening import opened_by_ranges
from kaitai_gguf.sources.remote import MAX_HEADER_NBYTES
from kaitai_gguf.sources.urls import is_url, scheme_of
from kaitai_gguf.text import encode

__all__ = ["Options", "Rows", "batch", "error_rows", "read_rows", "rows_of"]

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


@dataclass
class Rows:
    """The rows of one file. Those of `files` and `findings` are dicts, since there are few of them."""

    file: dict[str, Any]
    metadata: Columns | None = None
    tensors: Columns | None = None
    tokens: list[str] | None = None
    """The list of tokens, unless it has been read already."""
    findings: list[dict[str, Any]] = field(default_factory=list)


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
    options = Options(check, storage_options, max_header_nbytes)
    rows = rows_of(source_of(source), options)
    return {table: batch(table, [rows]) for table in TABLES}


def batch(table: str, rows: Sequence[Rows]) -> Any:
    """Return the rows of several files in a table, as a `pyarrow.RecordBatch`."""
    columns: list[Columns] = []
    match table:
        case "files":
            return arrow().RecordBatch.from_pylist([each.file for each in rows], schema(table))
        case "findings":
            return arrow().RecordBatch.from_pylist(list(chain(*(each.findings for each in rows))), schema(table))
        case "metadata":
            columns = [each.metadata for each in rows if each.metadata is not None]
        case "tensors":
            columns = [each.tensors for each in rows if each.tensors is not None]
        case "tokenizers":
            columns = [_tokenizer(each.file["tokens_sha256"], each.tokens) for each in rows if each.tokens is not None]
    return batch_of(table, columns) if columns else arrow().RecordBatch.from_pylist([], schema(table))


def _tokenizer(sha256: str, tokens: list[str]) -> Columns:
    pa = arrow()
    text, raw = text_columns(tokens)
    raw_tokens = None if raw.null_count == len(raw) else list(map(encode, tokens))
    text_list = pa.ListArray.from_arrays(pa.array([0, len(tokens)], pa.int32()), text)
    return [[sha256], [len(tokens)], text_list, pa.array([raw_tokens], pa.list_(pa.binary()))]


def rows_of(source: str, options: Options, known_tokenizers: Container[str] = ()) -> Rows:
    """Return the rows of a file, or the row of its error. Lists of tokens in `known_tokenizers` are left out."""
    use = _Reading(source, options, known_tokenizers)
    try:
        return opened_by_ranges(source, use, options.of(source), options.max_header_nbytes)
    except Exception as error:  # no file may end the scan of the others
        rows = error_rows(source, _cause(source, error), use.source)
        if options.check and isinstance(error, FormatError):
            _add_findings(rows, use.findings_of(error))
        return rows


def _cause(source: str, error: Exception) -> Exception:
    """Return why a folder can't be listed, if the error is that of a folder, which `expanded` yields like a file."""
    if not isinstance(error, FileIsDirectoryError):
        return error
    try:
        os.scandir(source).close()
    except OSError as reason:
        kind = FileAccessError if isinstance(reason, PermissionError) else FileError
        return kind(reason.errno, f"the folder can't be listed: {reason.strerror}", source)
    return error


class _Reading:
    """Makes rows of a source, and remembers it for the row of an error."""

    def __init__(self, source: str, options: Options, known_tokenizers: Container[str]) -> None:
        self._name = source
        self._options = options
        self._known_tokenizers = known_tokenizers
        self.source: Source | None = None
        self._findings: list[Any] | None = None

    def findings_of(self, error: FormatError) -> list[Any]:
        """Return the findings of a header that can be read to its end, or else the error that prevents it."""
        from kaitai_gguf.rules import finding_of

        return [finding_of(error)] if self._findings is None else self._findings

    def _read(self, source: Source) -> GGUFFile:
        try:
            return read(source)
        except (NotGGUFError, TruncatedError):
            raise
        except FormatError:
            if self._options.check:
                from kaitai_gguf.rules import check_source

                self._findings = check_source(source)
            raise

    def __call__(self, source: Source) -> Rows:
        self.source = source
        model = self._read(source)
        items = len(model.metadata) + len(model.tensors)
        if items > MAX_ITEMS:
            message = f"has {items:,} key-values and tensors, more than the {MAX_ITEMS:,} that are read"
            raise FileError(errno.EFBIG, message, self._name)
        identity = _identity(self._name, source)
        file = identity["source"]
        key_values, tensors = KeyValueColumns(model), TensorColumns(model)
        rows = Rows(identity | facts_of(model, key_values, tensors))
        rows.metadata, rows.tensors = key_values.columns(file), tensors.columns(file)
        tokenizer = rows.file["tokens_sha256"]
        if tokenizer is not None and tokenizer not in self._known_tokenizers:
            rows.tokens = key_values.values(TOKENS)
        if self._options.check:
            from kaitai_gguf.rules import check_source

            _add_findings(rows, check_source(source))
        return rows


def _identity(name: str, source: Source | None) -> dict[str, Any]:
    """Return the columns that identify the file, which a file with an error has too."""
    text, raw = (column.to_pylist()[0] for column in text_columns([shown_source(name)]))
    row: dict[str, Any] = {"source": text, "source_bytes": raw}
    if source is not None and source.ranges is not None:
        row |= {"revision": source.ranges.version, "nbytes": source.nbytes}
    return row


def _add_findings(rows: Rows, findings: list[Any]) -> None:
    file = rows.file["source"]
    rows.findings = [
        {
            "file": file,
            "rule": each.rule,
            "severity": str(each.severity),
            "offset": each.offset,
            "path": readable(each.path),
            "message": readable(each.message),
            "count": each.count,
        }
        for each in findings
    ]
    severities = [row["severity"] for row in rows.findings]
    rows.file |= {"n_errors": severities.count("error"), "n_warnings": severities.count("warning")}


def error_rows(source: str, error: BaseException, opened: Source | None = None) -> Rows:
    """Return the row of a file that could not be read, and why."""
    identity = _identity(source, opened)
    row: dict[str, Any] = {"error": readable(str(error)) or type(error).__name__, "error_type": type(error).__name__}
    if isinstance(error, FormatError):
        row |= {"error_offset": error.offset, "error_path": readable(error.path)}
    else:
        identity["revision"] = None  # the error may be temporary, so the next scan reads the file again
    if isinstance(error, FileError):
        row["error"] = readable(str(error.strerror))
    return Rows(identity | row)
