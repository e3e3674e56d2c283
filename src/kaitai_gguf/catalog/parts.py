"""Parts of a catalog: the rows of some files, read and encoded as Parquet by a thread or by a worker of Dask."""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from io import BytesIO
from typing import Any

from kaitai_gguf.catalog.packages import arrow, parquet
from kaitai_gguf.catalog.rows import Options, Rows, batch, error_rows, rows_of
from kaitai_gguf.catalog.sources import shown_source
from kaitai_gguf.catalog.tables import SCHEMA_VERSION, TABLES, schema
from kaitai_gguf.catalog.text_columns import readable
from kaitai_gguf.sources.urls import is_url
from kaitai_gguf.threads import in_order

__all__ = ["Part", "Tables", "Task", "combined", "failed_part", "file_name", "read_part", "slices"]

MEAN_FILES = 128  # in a part
MOST_FILES = 512  # in a part
REMOTE_AT_ONCE = 32  # files of a part that are not on this machine, and are read at once

_GROUP_ROWS = 1 << 16  # rows of a group of rows in Parquet
_GROUP_NBYTES = 8 << 20  # bytes of headers whose rows are kept before they are encoded
_COMPRESSION = "zstd"

Tables = Mapping[str, Any]  # pyarrow.Table by name


def slices(sources: Iterable[str]) -> Iterator[tuple[str, ...]]:
    """Divide files into parts at boundaries that depend on their names, so that a new file changes only one part."""
    part: list[str] = []
    for source in sources:
        part.append(source)
        ends = int.from_bytes(hashlib.sha256(_name(source)).digest()[:4], "big") % MEAN_FILES == 0
        if ends or len(part) == MOST_FILES:
            yield tuple(part)
            part = []
    if part:
        yield tuple(part)


def file_name(number: int, sources: Sequence[str]) -> str:
    """Return the file name of a part in each table: its number, and a hash of the names of its files."""
    names = b"".join(len(name).to_bytes(8, "little") + name for name in map(_name, sources))
    return f"part-{number:06}-{hashlib.sha256(names).hexdigest()[:16]}.parquet"


def _name(source: str) -> bytes:
    return shown_source(source).encode("utf-8", "surrogateescape")


@dataclass(frozen=True)
class Task:
    """Files to be read. Their URLs may hold credentials, and schedulers log tasks, so `repr` omits them."""

    sources: tuple[str, ...] = field(repr=False)
    options: Options


@dataclass
class Part:
    """Some files, as Parquet."""

    tables: dict[str, bytes]
    """The file of each table but `tokenizers`."""
    tokenizers: dict[str, bytes]
    """The file of each list of tokens, by its SHA-256."""
    n_files: int = 0
    n_errors: int = 0
    nbytes: int = 0
    """The size of all files."""
    schema_version: int = SCHEMA_VERSION


def read_part(task: Task, stop: Callable[[], bool] = lambda: False) -> Part:
    """Read the headers of some files. Files are skipped once `stop` returns True."""
    tokenizers: dict[str, bytes] = {}
    read = partial(rows_of, options=task.options, known_tokenizers=tokenizers)
    if any(map(is_url, task.sources)):
        return _encoded(_read_together(read, task.sources, stop), tokenizers)
    return _encoded((read(source) for source in task.sources if not stop()), tokenizers)


def _read_together(read: Callable[[str], Rows], sources: Sequence[str], stop: Callable[[], bool]) -> Iterator[Rows]:
    with ThreadPoolExecutor(REMOTE_AT_ONCE) as pool:
        jobs = (source for source in sources if not stop())
        for _, rows in in_order(lambda source: pool.submit(read, source), jobs, 2 * REMOTE_AT_ONCE):
            yield rows


def failed_part(source: str, error: BaseException) -> Part:
    """Return the part of one file that could not be read."""
    return _encoded(iter([error_rows(source, error)]), {})


def _encoded(all_rows: Iterator[Rows], tokenizers: dict[str, bytes]) -> Part:
    buffers = {table: BytesIO() for table in TABLES if table != "tokenizers"}
    writers = {table: _writer(table, buffer) for table, buffer in buffers.items()}
    part = Part({}, tokenizers)
    for group in _groups(_without_tokens(all_rows, tokenizers)):
        for table, writer in writers.items():
            rows = batch(table, group)
            if rows.num_rows:
                writer.write_batch(rows, row_group_size=_GROUP_ROWS)
        part.n_files += len(group)
        part.n_errors += sum(rows.file.get("error") is not None for rows in group)
        part.nbytes += sum(rows.file.get("nbytes") or 0 for rows in group)
    for table, writer in writers.items():
        writer.close()
        part.tables[table] = buffers[table].getvalue()
    return part


def _without_tokens(all_rows: Iterator[Rows], tokenizers: dict[str, bytes]) -> Iterator[Rows]:
    """Encode each list of tokens the first time it appears, so that it is not read again."""
    for rows in all_rows:
        if rows.tokens is not None:
            tokens = arrow().Table.from_batches([batch("tokenizers", [rows])])
            tokenizers.setdefault(rows.file["tokens_sha256"], encoded("tokenizers", tokens))
            rows.tokens = None
        yield rows


def _groups(all_rows: Iterator[Rows]) -> Iterator[list[Rows]]:
    """Yield rows to be encoded together. The limit on the bytes of their headers limits memory."""
    group: list[Rows] = []
    nbytes = 0
    for rows in all_rows:
        group.append(rows)
        nbytes += rows.file.get("header_nbytes") or 0
        if nbytes >= _GROUP_NBYTES:
            yield group
            group, nbytes = [], 0
    if group:
        yield group


def encoded(name: str, table: Any) -> bytes:
    """Return a table as a file of Parquet."""
    buffer = BytesIO()
    with _writer(name, buffer) as writer:
        writer.write_table(table, row_group_size=_GROUP_ROWS)
    return buffer.getvalue()


def _writer(table: str, buffer: BytesIO) -> Any:
    return parquet().ParquetWriter(buffer, schema(table), compression=_COMPRESSION)


def combined(sources: Sequence[str], parts: Sequence[Part], reused: Sequence[Tables]) -> Part:
    """Combine parts and reused rows into one part, with the files in the order of `sources`."""
    pa = arrow()
    import pyarrow.compute as pc

    order = pa.array([readable(shown_source(source)) for source in sources], pa.string())
    result = Part({}, {sha256: data for part in parts for sha256, data in part.tokenizers.items()})
    for name in TABLES:
        if name == "tokenizers":
            continue
        tables = [parquet().read_table(BytesIO(part.tables[name])) for part in parts]
        tables += [each[name] for each in reused]
        table = pa.concat_tables(tables)
        places = pc.index_in(table["source" if name == "files" else "file"], value_set=order)
        table = table.take(pc.sort_indices(places))  # which is stable
        result.tables[name] = encoded(name, table)
        if name == "files":
            result.n_files = table.num_rows
            result.n_errors = table.num_rows - table["error"].null_count
            result.nbytes = pc.sum(table["nbytes"]).as_py() or 0
    return result
