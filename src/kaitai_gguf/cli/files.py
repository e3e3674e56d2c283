"""Open models for commands, and read and write their other files."""

import errno
import mmap
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from io import BufferedReader
from pathlib import Path
from typing import IO, Any, BinaryIO

import click

import kaitai_gguf
from kaitai_gguf import FileError, FileMissingError
from kaitai_gguf.cli.options import INPUTS
from kaitai_gguf.cli.output import print_json, printable, waiting, warn
from kaitai_gguf.cli.safe_names import as_text
from kaitai_gguf.errors import UNREADABLE, reported
from kaitai_gguf.sources.urls import shown
from kaitai_gguf.writing.atomic import Staging, already_exists, as_given, check_folder, real_path

STDIN = "kaitai_gguf.stdin"  # in the context's meta: whether the standard input has been read

WRITER_WAIT = 1.0  # seconds

CHUNK = 1 << 20  # bytes to read at a time, since an endless file must not fill the memory


def source_of(path: str) -> str | memoryview:
    """Return what to pass to `kaitai_gguf.open`: the path itself, or the bytes from "-" or a pipe.

    The bytes are copied to an unnamed temporary file, which is mapped. Raises `FileError`.
    """
    if path != "-" and not _is_pipe(path):
        return path
    import shutil
    import tempfile  # it takes longer to import than to show a file

    with _opened(path) as stream:
        try:
            with tempfile.TemporaryFile() as file:
                shutil.copyfileobj(stream, file, CHUNK)
                file.flush()
                return memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if file.tell() else b"")
        except OSError as error:
            message = f"can't be copied to a temporary file: {error.strerror or error}"
            raise FileError(error.errno, message, path) from None


@contextmanager
def _opened(path: str) -> Iterator[IO[bytes]]:
    """Open a file, a pipe, or the standard input for "-". Raises `FileError`, also for a pipe without a writer."""
    with reported(path, UNREADABLE):
        if path == "-":
            _claim_stdin()
        with _opened_pipe(path) if _is_pipe(path) else click.open_file(path, "rb") as stream:
            yield stream


def _opened_pipe(path: str) -> BufferedReader:
    import select  # few files are pipes

    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)  # a blocking open would wait for a writer
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    poll.poll(WRITER_WAIT * 1000)  # a writer that waits for a reader may take a moment to continue
    os.set_blocking(descriptor, True)
    pipe = open(descriptor, "rb")  # noqa: SIM115 - the caller closes it
    if not pipe.peek(1):
        pipe.close()
        raise FileError(errno.EINVAL, "is a pipe that no program writes to", path)
    return pipe


def _claim_stdin() -> None:
    """Refuse to read the standard input if it is closed, or if this command has already read it."""
    if sys.stdin is None:
        raise FileError(errno.EBADF, "the standard input is closed", "-")
    context = click.get_current_context()
    if context.meta.get(STDIN):
        raise click.UsageError("the standard input can be read only once")
    context.meta[STDIN] = True


def _is_pipe(path: str) -> bool:
    try:
        return stat.S_ISFIFO(os.stat(path).st_mode)
    except (OSError, ValueError):  # opening the path will report it
        return False


def open_file(path: str) -> kaitai_gguf.GGUFFile:
    """Open a single file, "-" or a pipe. Other shards of its model are ignored."""
    return kaitai_gguf.open(source_of(path), shards=False)


def open_model(path: str) -> kaitai_gguf.GGUFFile:
    """Open a whole model from a path, "-" or a pipe.

    If some of its shards are missing, open the one file and print a warning.
    """
    source = source_of(path)
    try:
        with waiting(f"reading {printable(as_text(shown(path)))}") if "://" in path else nullcontext():
            model = kaitai_gguf.open(source)
    except kaitai_gguf.MissingShardError as error:
        if not os.path.isfile(path):
            raise  # with a pattern, it is unclear which shard to open
        warn(f"{path}: {error}; reading this file alone")
        return kaitai_gguf.open(path, shards=False)
    click.get_current_context().meta[INPUTS] += [shard.name or "" for shard in model.shards[1:]]
    return model


def read_file(path: str, most: int, what: str, *, regular: bool = False) -> bytearray:
    """Return the bytes of a file, or of the standard input for "-".

    what     what the file should be, for messages.
    regular  whether to refuse devices and pipes.

    Raises `FileError`, also for more than `most` bytes.
    """
    data = bytearray()
    if not path:
        raise FileMissingError(errno.ENOENT, "the path to read is empty", path)
    if regular:
        with reported(path, UNREADABLE):
            if not stat.S_ISREG(os.stat(path).st_mode):
                raise FileError(errno.EINVAL, "is not a regular file", path)
    with _opened(path) as file:
        while chunk := file.read(min(most + 1 - len(data), CHUNK)):
            data += chunk
    if len(data) > most:
        raise FileError(errno.EFBIG, f"is too large to be {what}: it has more than {most:,} bytes", path)
    return data


def check_target(path: str | Path, force: bool, *, replaces_input: bool = False, follows: bool = True) -> Path:
    """Return the path of a file to be written, with symbolic links resolved. If not `follows`, a link is replaced.

    Raises `FileError` if the file exists, unless `force` allows replacing it; if its folder does not exist; if one of
    them is write-protected; and if it is a file that the command reads, unless `replaces_input` is True.
    """
    with as_given(path):
        target = real_path(path, follows=follows)
        if not replaces_input and _is_input(target):
            raise FileError(errno.EINVAL, "is an input of this command: write to another file", str(path))
        if os.path.islink(path) and not force:  # it may lead nowhere, or to a file that does not exist yet
            raise already_exists(path)
        Staging(force).check(target)
        check_folder(Path(path))  # `target` is valid for `missing/../x`, which the system can't open
    return target


def _is_input(target: Path) -> bool:
    for path in click.get_current_context().meta.get(INPUTS, []):
        with suppress(OSError, ValueError):  # one of them does not exist, or is not a path
            if target.samefile(path):
                return True
    return False


@contextmanager
def new_file(path: str | Path, *, force: bool) -> Iterator[BinaryIO]:
    """Open a file for writing, which appears whole or not at all."""
    target = check_target(path, force)
    with as_given(path), Staging(force) as staging, staging.file(target) as file:
        yield file


def write_file(path: str | Path, data: bytes, *, force: bool, dry_run: bool = False, as_json: bool = False) -> None:
    """Write a file and print its path. A dry run only prints."""
    if dry_run:
        check_target(path, force)
    else:
        with new_file(path, force=force) as file:
            file.write(data)
    print_written(path, dry_run=dry_run, as_json=as_json)


def print_written(path: str | Path, *, dry_run: bool, as_json: bool) -> None:
    """Print the path of a file that was written, or would be without --dry-run."""
    if as_json:
        print_json({"written": None if dry_run else written_document(path)})
    else:
        click.echo(printable(str(path)))


def written_document(path: str | Path) -> dict[str, Any]:
    """Return the name and the size of a written file for JSON."""
    return {"file": as_text(str(path)), "nbytes": Path(path).stat().st_size}
