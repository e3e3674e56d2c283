"""Run the tasks of a scan: on threads of this process, or on the workers of a Dask cluster."""

import threading
from collections.abc import Callable
from concurrent.futures import CancelledError, ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from types import TracebackType
from typing import Any, Protocol, Self

from kaitai_gguf.catalog.packages import distributed
from kaitai_gguf.catalog.parts import Part, Task, combined, failed_part, read_part
from kaitai_gguf.errors import CatalogError, GGUFError
from kaitai_gguf.sources.urls import hub_token, scheme_of
from kaitai_gguf.threads import Pending

__all__ = ["DaskRunner", "Runner", "ThreadRunner"]


class Runner(Protocol):
    """A context manager. Leaving it cancels the tasks that have not completed."""

    most: int
    """The most tasks that are submitted at a time, including those whose parts are not written yet."""

    def submit(self, task: Task) -> Pending[Part]:
        """Start to read a part."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


class ThreadRunner:
    """Threads of this process."""

    def __init__(self, threads: int) -> None:
        self.most = threads + 1
        self._pool = ThreadPoolExecutor(threads)
        self._stopped = threading.Event()

    def submit(self, task: Task) -> Pending[Part]:
        return self._pool.submit(read_part, task, self._stopped.is_set)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None:
            self._stopped.set()
        self._pool.shutdown(cancel_futures=True)


class DaskRunner:
    """The workers of a Dask cluster. Each part is a task; at most two tasks for each of their threads are in flight.

    Dask gives a task whose worker dies to another worker, as often as its setting `allowed-failures` allows. After
    that, the files are read one by one, and each file that still kills its workers becomes a row with an error.
    """

    def __init__(self, client: Any) -> None:
        """`client` is a `distributed.Client`, which stays open. Raises TypeError for anything else."""
        if not isinstance(client, distributed().Client) or client.asynchronous:
            raise TypeError(f"expected a distributed.Client that is not asynchronous, not {client!r:.60}")
        self._client = client
        self.most = 2 * max(1, sum(_called(client.nthreads).values()))
        self._pending: set[_DaskPart] = set()

    def submit(self, task: Task) -> Pending[Part]:
        pending = _DaskPart(self._client, _with_token(task), self._pending.discard)
        self._pending.add(pending)
        return pending

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for pending in tuple(self._pending):
            pending.cancel()


class _DaskPart:
    """A part that a worker reads."""

    def __init__(self, client: Any, task: Task, done: Callable[["_DaskPart"], None]) -> None:
        self._client = client
        self._task = task
        self._done = done
        self._future = self._submitted(task)

    def _submitted(self, task: Task) -> Any:
        return _called(partial(self._client.submit, read_part, task, pure=False))

    def cancel(self) -> None:
        try:
            self._future.cancel()
        except Exception:  # the cluster may be gone; the scan ends anyway
            self._done(self)

    def result(self) -> Part:
        """Wait for the part. Raises `CatalogError` if the workers can't be used."""
        try:
            return self._checked(_called(self._future.result))
        except distributed().KilledWorker:
            return self._one_by_one()
        finally:
            self._done(self)

    def add_done_callback(self, callback: Callable[[Any], Any]) -> None:
        _called(partial(self._future.add_done_callback, lambda _: callback(self)))

    def _one_by_one(self) -> Part:
        """Read the files one by one, to find the one that kills its workers."""
        parts = []
        for source in self._task.sources:
            task = replace(self._task, sources=(source,))
            try:
                parts.append(self._checked(_called(self._submitted(task).result)))
            except distributed().KilledWorker:
                message = "the workers that read it were killed, or ran out of memory"
                parts.append(failed_part(source, CatalogError(message)))
        return combined(self._task.sources, parts, [])

    def _checked(self, part: Any) -> Part:
        if not isinstance(part, Part) or part.schema_version != Part.schema_version:
            raise CatalogError("the workers have another version of kaitai-gguf than this process")
        return part


def _with_token(task: Task) -> Task:
    """Return a task with this process's token for the hub, so that workers need none of their own."""
    if not any(scheme_of(source) == "hf" for source in task.sources):
        return task
    return replace(task, options=replace(task.options, hub_token=hub_token()))


def _called(function: Callable[[], Any]) -> Any:
    """Call a function of Dask. All its errors except `KilledWorker` become `CatalogError`."""
    try:
        return function()
    except (GGUFError, distributed().KilledWorker):
        raise
    except (Exception, CancelledError) as error:  # of a scheduler, a worker or the network
        message = f"the workers can't be used: {type(error).__name__}: {error}"
    raise CatalogError(message)
