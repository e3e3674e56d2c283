"""`scan`: write a catalog of many files, complete or not at all."""

import os
import pathlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from kaitai_gguf.arguments import integer
from kaitai_gguf.catalog.generations import CURRENT, Generation, current, generations, new_generation, publish, unique
from kaitai_gguf.catalog.packages import arrow
from kaitai_gguf.catalog.parts import Part, Task, combined, file_name, slices
from kaitai_gguf.catalog.reuse import Earlier
from kaitai_gguf.catalog.rows import Options
from kaitai_gguf.catalog.runners import DaskRunner, Runner, ThreadRunner
from kaitai_gguf.catalog.sources import Sources, check_sources, expanded
from kaitai_gguf.errors import CatalogError, reported
from kaitai_gguf.sources import Path
from kaitai_gguf.sources.locks import WriterLock
from kaitai_gguf.sources.remote import MAX_HEADER_NBYTES
from kaitai_gguf.sources.urls import local_path
from kaitai_gguf.threads import as_completed
from kaitai_gguf.writing.atomic import real_path
from kaitai_gguf.writing.paths import as_given

__all__ = ["Summary", "scan"]


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


class _Job(NamedTuple):
    """A part to be made."""

    name: str
    sources: tuple[str, ...]
    unchanged: list[str]
    missing: tuple[str, ...]


def scan(
    sources: Sources,
    output: Path,
    *,
    client: Any = None,
    progress: Callable[[Summary], None] | None = None,
    check: bool = False,
    refresh: bool = False,
    threads: int | None = None,
    storage_options: Mapping[str, Any] | None = None,
    max_header_nbytes: int = MAX_HEADER_NBYTES,
) -> Summary:
    """Read the headers of many files, and write their rows to a catalog of Parquet files.

    sources            folders, patterns, URLs and lists of these: see `expanded`.
    output             the folder of the catalog. It is created, or gets a new generation.
    client             a `distributed.Client` whose workers read the files; None for threads of this process.
    progress           called with a `Summary` after each part of about 128 files.
    check              whether to check the rules of the format, which fills the table `findings`.
    refresh            whether to read all files again, even those that have not changed since the last scan.
    threads            how many threads read parts; 1 by default. More threads help only if the disk is slow.
    storage_options    options for URLs, as in `kaitai_gguf.open`. They are sent to the workers, but written nowhere.
    max_header_nbytes  the most bytes to read of each file.

    A file that can't be read is a row with an error. Until the scan is complete, `table` returns the previous catalog.
    If a scan is interrupted, the next one reuses the parts that were complete. The catalog depends only on the files,
    not on how many threads or workers read them.

    Raises `CatalogError` if the folder contains other files, or if the workers can't be used; `FileError` if a list
    can't be read, the folder can't be written to, or another scan is writing to it; `MissingPackageError` without
    pyarrow, or without Dask if a client is given.
    """
    arrow()
    root = real_path(output)
    options = Options(check, storage_options, integer(max_header_nbytes, "max_header_nbytes"))
    if options.max_header_nbytes < 1:
        raise ValueError(f"max_header_nbytes must be at least 1, not {max_header_nbytes}")
    check_sources(sources)
    runner = _runner(client, threads)
    given = pathlib.Path(local_path(os.fsdecode(output)))
    generations(given)  # refuses a folder with other files, before anything is written
    current(given)
    with as_given(given), ExitStack() as stack:
        with reported(root):
            root.mkdir(parents=True, exist_ok=True)
        stack.enter_context(WriterLock(root / CURRENT))
        earlier = Earlier([] if refresh else generations(root), options)
        generation = stack.enter_context(new_generation(root, options))
        stack.enter_context(runner)
        files = expanded(sources, storage_options)
        summary = _Scan(generation, earlier, options, progress).run(files, runner)
        publish(root, generation)
        return summary


def _runner(client: Any, threads: int | None) -> Runner:
    if threads is not None and integer(threads, "threads") < 1:
        raise ValueError(f"threads must be at least 1, not {threads}")
    if client is not None:
        return DaskRunner(client)
    return ThreadRunner(threads or 1)


class _Scan:
    """One scan: makes the parts of a generation, each as soon as its files have been read."""

    def __init__(
        self,
        generation: Generation,
        earlier: Earlier,
        options: Options,
        progress: Callable[[Summary], None] | None,
    ) -> None:
        self._generation = generation
        self._earlier = earlier
        self._options = options
        self._progress = progress or (lambda _: None)
        self._summary = Summary()

    def run(self, files: Iterator[str], runner: Runner) -> Summary:
        for job, part in as_completed(lambda job: self._begun(job, runner), self._jobs(files), runner.most):
            self._finish(job, part)
        self._generation.write_empty(file_name(0, ()))
        return self._summary

    def _jobs(self, files: Iterator[str]) -> Iterator[_Job]:
        for number, sources in enumerate(slices(files)):
            unchanged = self._earlier.unchanged(sources)
            known = set(unchanged)
            missing = tuple(source for source in sources if source not in known)
            yield _Job(file_name(number, sources), sources, unchanged, missing)

    def _begun(self, job: _Job, runner: Runner) -> Any:
        return runner.submit(Task(job.missing, self._options)) if job.missing else _Nothing()

    def _finish(self, job: _Job, part: Part | None) -> None:
        if part is None and self._is_linked(job):
            part = self._read_back(job)
        else:
            if job.unchanged:
                parts = [] if part is None else [part]
                part = combined(job.sources, parts, self._earlier.rows(job.unchanged))
            assert part is not None
            self._generation.write(job.name, part)
        if job.unchanged:
            self._link_tokenizers(job)
        self._summary = Summary(
            self._summary.files + part.n_files,
            self._summary.nbytes + part.nbytes,
            self._summary.errors + part.n_errors,
            self._summary.reused + len(job.unchanged),
        )
        self._progress(replace(self._summary))

    def _is_linked(self, job: _Job) -> bool:
        existing = self._earlier.part_of(job.sources, job.name)
        return existing is not None and self._generation.link(*existing, job.name)

    def _read_back(self, job: _Job) -> Part:
        """Return the counts of a part that was linked: it has no tables."""
        table = self._generation.read("files", job.name, ["nbytes", "error"])
        nbytes = sum(size or 0 for size in table["nbytes"].to_pylist())
        return Part({}, {}, table.num_rows, table.num_rows - table["error"].null_count, nbytes)

    def _link_tokenizers(self, job: _Job) -> None:
        """Link the lists of tokens that the rows refer to."""
        for sha256 in unique(self._generation.read("files", job.name, ["tokens_sha256"])["tokens_sha256"]):
            if not self._generation.link_tokenizer(sha256, self._earlier.generations):
                raise CatalogError(f"{self._generation.path}: the tokenizer {sha256} is missing; scan with refresh")


class _Nothing:
    """The result of a job for which nothing has to be read."""

    def result(self) -> None:
        return None

    def add_done_callback(self, callback: Callable[[Any], Any]) -> None:
        callback(self)
