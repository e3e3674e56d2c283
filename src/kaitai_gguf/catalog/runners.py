"""Read the files of a scan: on threads of this process, or on the workers of a Dask cluster."""

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import astuple, dataclass, field, replace
from functools import partial
from typing import Any, NamedTuple

from kaitai_gguf.catalog.lake import Known
from kaitai_gguf.catalog.rows import Options, error_row, row_of
from kaitai_gguf.catalog.tables import arrow, distributed, row_schema
from kaitai_gguf.errors import CatalogError, GGUFError
from kaitai_gguf.sources.opening import version_of
from kaitai_gguf.sources.urls import hub_token, is_url, scheme_of
from kaitai_gguf.threads import Pending

__all__ = ["File", "Part", "Runner", "Summary", "Task", "runner"]

REMOTE_AT_ONCE = 32  # files of a task that are not on this machine, and are read at once


@dataclass(frozen=True)
class Summary:
    """What a scan has done so far, or in total."""

    files: int = 0
    """How many files have rows."""
    nbytes: int = 0
    """The size of these files in bytes. Only their headers are read."""
    errors: int = 0
    """How many of them could not be read."""
    reused: int = 0
    """How many of them have not changed since an earlier scan, and were not read again."""

    def __add__(self, other: "Summary") -> "Summary":
        return Summary(*(one + more for one, more in zip(astuple(self), astuple(other), strict=True)))


class File(NamedTuple):
    """A file to be read, unless it still has the revision of the row that is known."""

    source: str
    key: str
    known: Known | None


@dataclass(frozen=True)
class Task:
    """Files to be read. Their URLs may hold credentials, and schedulers log tasks, so `repr` omits them."""

    files: tuple[File, ...] = field(repr=False)
    options: Options


class Part(NamedTuple):
    """The result of a task: the rows of the files that were read, as a `pyarrow.Table`, and what was done."""

    rows: Any
    summary: Summary


def read_part(task: Task, is_stopped: Callable[[], bool] = lambda: False) -> Part:
    """Read the headers of some files. Files are skipped once `is_stopped` returns True."""

    def read(file: File) -> Any:
        if is_stopped() or (file.known is not None and _is_unchanged(file, file.known, task.options)):
            return None
        return row_of(file.source, file.key, task.options)

    if any(is_url(file.source) for file in task.files):
        with ThreadPoolExecutor(REMOTE_AT_ONCE) as pool:
            rows = list(pool.map(read, task.files))
    else:
        rows = list(map(read, task.files))
    unchanged = [file.known for file, row in zip(task.files, rows, strict=True) if row is None and file.known]
    reused = Summary(
        len(unchanged), sum(row.nbytes for row in unchanged), sum(row.has_error for row in unchanged), len(unchanged)
    )
    return _part([row for row in rows if row is not None], reused)


def _is_unchanged(file: File, known: Known, options: Options) -> bool:
    try:
        return version_of(file.source, options.of(file.source)) == known.revision
    except (GGUFError, ValueError):
        return False


def _part(rows: Sequence[Any], reused: Summary) -> Part:
    table = arrow().Table.from_batches(rows, row_schema()).combine_chunks()
    read = Summary(len(rows), sum(filter(None, table["nbytes"].to_pylist())), len(rows) - table["error"].null_count)
    return Part(table, read + reused)


class Runner(NamedTuple):
    """Something that runs tasks."""

    submit: Callable[[Task], Pending[Part]]
    """Starts to read files."""
    most: int
    """The most tasks that are submitted at a time, including those whose results were not taken yet."""


@contextmanager
def runner(client: Any, threads: int) -> Iterator[Runner]:
    """Yield a runner: threads of this process, or of the workers of a `distributed.Client`. Cancels tasks in the end.

    Each task of a cluster has a thread of this process, which waits for it.
    """
    stopped = threading.Event()
    cluster = None if client is None else _Cluster(client)
    read: Callable[[Task], Part] = partial(read_part, is_stopped=stopped.is_set)
    if cluster is not None:
        read = cluster.read
    most = threads + 1 if cluster is None else cluster.most
    with ThreadPoolExecutor(threads if cluster is None else most) as pool:
        try:
            yield Runner(lambda task: pool.submit(read, task), most)
        finally:
            stopped.set()
            if cluster is not None:
                cluster.cancel()
            pool.shutdown(wait=False, cancel_futures=True)


class _Cluster:
    """The workers of a Dask cluster. At most two tasks for each of their threads are in flight."""

    def __init__(self, client: Any) -> None:
        if not isinstance(client, distributed().Client) or client.asynchronous:
            raise TypeError(f"expected a distributed.Client that is not asynchronous, not {client!r:.60}")
        self._client = client
        self._futures: set[Any] = set()
        self.most = 2 * max(1, sum(_called(client.nthreads).values()))

    def read(self, task: Task) -> Part:
        """Have a worker read some files, and wait. Raises `CatalogError` if the workers can't be used.

        Dask gives a task whose worker dies to another worker, as often as its setting `allowed-failures` allows. After
        that, the files are read one by one, and each file that still kills its workers becomes a row with an error.
        """
        if any(scheme_of(file.source) == "hf" for file in task.files):  # so that workers need no token of their own
            task = replace(task, options=replace(task.options, hub_token=hub_token()))
        try:
            part = _called(partial(self._result, task))
        except distributed().KilledWorker:
            if len(task.files) > 1:
                parts = [self.read(replace(task, files=(file,))) for file in task.files]
                rows = arrow().concat_tables([part.rows for part in parts])
                return Part(rows, sum((part.summary for part in parts), Summary()))
            ((source, key, _),) = task.files
            error = CatalogError("the workers that read it were killed, or ran out of memory")
            return _part([error_row(source, key, error)], Summary())
        if not isinstance(part, Part) or not part.rows.schema.equals(row_schema()):
            raise CatalogError("the workers have another version of kaitai-gguf than this process")
        return part

    def _result(self, task: Task) -> Any:
        future = self._client.submit(read_part, task, pure=False)
        self._futures.add(future)
        try:
            return future.result()
        finally:
            self._futures.discard(future)

    def cancel(self) -> None:
        """Cancel the tasks that have not completed."""
        with suppress(Exception):  # the cluster may be gone; the scan ends anyway
            self._client.cancel(list(self._futures))


def _called(function: Callable[[], Any]) -> Any:
    """Call a function of Dask. All its errors except `KilledWorker` become `CatalogError`."""
    try:
        return function()
    except (GGUFError, distributed().KilledWorker):
        raise
    except (Exception, CancelledError) as error:  # of a scheduler, a worker or the network
        message = f"the workers can't be used: {type(error).__name__}: {error}"
    raise CatalogError(message)
