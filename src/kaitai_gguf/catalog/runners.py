"""Read the files of a scan: on threads of this process, or on the workers of a Dask cluster."""

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import astuple, dataclass, field, replace
from functools import partial
from itertools import islice
from typing import Any, NamedTuple, Self, TypeVar

from kaitai_gguf.catalog.lake import Known
from kaitai_gguf.catalog.rows import Options, error_row, row_of
from kaitai_gguf.catalog.tables import arrow, distributed, row_schema
from kaitai_gguf.errors import CatalogError, GGUFError
from kaitai_gguf.sources.opening import version_of
from kaitai_gguf.sources.urls import hub_token, is_url, scheme_of

T = TypeVar("T")

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


class Runner:
    """Reads files on threads of this process, or on the workers of a `distributed.Client`; cancels tasks in the end."""

    def __init__(self, client: Any, threads: int) -> None:
        """Raises `CatalogError` if the workers can't be used, TypeError if this is not a client."""
        self._stopped = threading.Event()
        self._read = read_part
        self._is_here = client is None
        self._most = threads + 1  # tasks that are submitted at a time, with those whose results were not taken yet
        if client is None:
            self._read = partial(read_part, is_stopped=self._stopped.is_set)
            self._pool: Any = ThreadPoolExecutor(threads)
        elif not isinstance(client, distributed().Client) or client.asynchronous:
            raise TypeError(f"expected a distributed.Client that is not asynchronous, not {client!r:.60}")
        else:
            self._most = 2 * max(1, sum(_called(client.nthreads).values()))
            self._pool = client.get_executor(pure=False)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stopped.set()
        if self._is_here:
            self._pool.shutdown(wait=False, cancel_futures=True)
        else:
            with suppress(Exception):  # the cluster may be gone; the scan ends anyway
                self._pool.shutdown(wait=False)

    def completed(self, tasks: Iterable[Task]) -> Iterator[Part]:
        """Yield the result of each task, the first to complete first. Raises `CatalogError`."""
        tasks, pending = iter(tasks), dict[Future[Part], Task]()
        while True:
            for task in islice(tasks, self._most - len(pending)):
                pending[self._submit(task)] = task
            if not pending:
                return
            done, _ = wait(pending, return_when=FIRST_COMPLETED)
            while done:
                future = done.pop()
                yield self._result(pending.pop(future), future)

    def _submit(self, task: Task) -> "Future[Part]":
        if not self._is_here and any(scheme_of(file.source) == "hf" for file in task.files):
            task = replace(task, options=replace(task.options, hub_token=hub_token()))  # workers may have none
        submit: Callable[[], Future[Part]] = partial(self._pool.submit, self._read, task)
        return submit() if self._is_here else _called(submit)

    def _result(self, task: Task, future: "Future[Part]") -> Part:
        """Wait for the result of a task. Raises `CatalogError` if the workers can't be used.

        Dask gives a task whose worker dies to another worker, as often as its setting `allowed-failures` allows. After
        that, the files are read one by one, and each file that still kills its workers becomes a row with an error.
        """
        if self._is_here:
            return future.result()
        try:
            part = _called(future.result)
        except distributed().KilledWorker:
            if len(task.files) > 1:
                alone = [replace(task, files=(file,)) for file in task.files]
                parts = [self._result(each, self._submit(each)) for each in alone]
                rows = arrow().concat_tables([part.rows for part in parts])
                return Part(rows, sum((part.summary for part in parts), Summary()))
            ((source, key, _),) = task.files
            error = CatalogError("the workers that read it were killed, or ran out of memory")
            return _part([error_row(source, key, error)], Summary())
        if not isinstance(part, Part) or not part.rows.schema.equals(row_schema()):
            raise CatalogError("the workers have another version of kaitai-gguf than this process")
        return part


def _called(function: Callable[[], T]) -> T:
    """Call a function of Dask. All its errors except `KilledWorker` become `CatalogError`."""
    try:
        return function()
    except (GGUFError, distributed().KilledWorker):
        raise
    except (Exception, CancelledError) as error:  # of a scheduler, a worker or the network
        message = f"the workers can't be used: {type(error).__name__}: {error}"
    raise CatalogError(message)
