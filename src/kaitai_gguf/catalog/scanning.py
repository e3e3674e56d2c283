"""`scan`: bring the catalog of many files up to date."""

from collections.abc import Callable, Mapping
from itertools import islice
from typing import Any

from kaitai_gguf.arguments import integer
from kaitai_gguf.catalog.lake import Known, Lake
from kaitai_gguf.catalog.rows import Options
from kaitai_gguf.catalog.runners import File, Runner, Summary, Task
from kaitai_gguf.catalog.sources import Listing, Sources
from kaitai_gguf.catalog.tables import arrow, delta
from kaitai_gguf.sources import Path
from kaitai_gguf.sources.remote import MAX_HEADER_NBYTES

TASK_FILES = 64  # in a task
COMMIT_FILES, COMMIT_NBYTES = 2048, 8 << 20  # rows, and their size in memory, that are committed together


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
    """Read the headers of many files, and write their rows to a Delta Lake table.

    sources            folders, patterns, URLs and lists of these: see `expanded`.
    output             the folder or URL (`s3://`, `gs://`, `abfs://`) of the table, which is created or brought up to
                       date.
    client             a `distributed.Client` whose workers read the files; None for threads of this process.
    progress           called with a `Summary` after each 64 files.
    check              whether to check the rules of the format, which fills the table `findings`.
    refresh            whether to read all files again, even those that have not changed since the last scan.
    threads            how many threads read files; 1 by default. More threads help only if the disk is slow.
    storage_options    options for URLs: of sources as in `kaitai_gguf.open`, of the output as in `deltalake`. They are
                       sent to the workers, but written nowhere.
    max_header_nbytes  the most bytes to read of each file.

    A file that can't be read is a row with an error. Rows are committed as files are read, about 2,000 at a time, and
    rows of files that are no longer under the sources are removed at the end. If a scan is interrupted or killed, what
    it has committed remains, and the next one goes on. Several scans may write to one table at once.

    Raises `CatalogError` if the output can't be written to, contains other files or another table, or if the workers
    can't be used; `FileError` if a list can't be read; `MissingPackageError` without pyarrow or deltalake, or without
    Dask if a client is given.
    """
    arrow(), delta()
    options = Options(check, storage_options, integer(max_header_nbytes, "max_header_nbytes"))
    if options.max_header_nbytes < 1:
        raise ValueError(f"max_header_nbytes must be at least 1, not {max_header_nbytes}")
    if threads is not None and integer(threads, "threads") < 1:
        raise ValueError(f"threads must be at least 1, not {threads}")
    listing = Listing(sources, storage_options)
    lake = Lake.created(output, storage_options)
    known: dict[str, Known] = lake.known()
    earlier = frozenset(known)  # rows that another scan adds meanwhile are not removed
    done = Summary()
    waiting: list[Any] = []  # tables of rows that are not committed yet

    def task(files: list[tuple[str, str]]) -> Task:
        return Task(tuple(File(source, key, reusable(known.get(key))) for source, key in files), options)

    def reusable(row: Known | None) -> Known | None:
        is_usable = row is not None and row.revision is not None and not refresh and (row.is_checked or not check)
        return row if is_usable else None

    files = iter(listing)
    with Runner(client, threads or 1) as runner:
        tasks = map(task, iter(lambda: list(islice(files, TASK_FILES)), []))
        for part in runner.completed(tasks):
            waiting.append(part.rows)
            rows = sum(each.num_rows for each in waiting)
            if rows >= COMMIT_FILES or sum(each.nbytes for each in waiting) >= COMMIT_NBYTES:
                lake.put(arrow().concat_tables(waiting), known)
                waiting.clear()
            done += part.summary
            if progress is not None:
                progress(done)
    if waiting:
        lake.put(arrow().concat_tables(waiting), known)
    if earlier:
        lake.remove([row[0] for row in lake.names() if row[0] in earlier and listing.is_gone(*row)], known)
    lake.compact()
    return done
