"""Open models, and read and write the other files of commands."""

import errno
import os
import stat
import sys
from pathlib import Path

import click

import kaitai_gguf
from kaitai_gguf import FileError
from kaitai_gguf.cli.output import printable, warn
from kaitai_gguf.writing.atomic import Staging, reported

CHUNK = 1 << 20  # bytes: a file without end is not given all the memory that it may take at once


def open_model(path: str) -> kaitai_gguf.GGUFFile:
    """Open a whole model. If some of its shards are missing, open the one file, and print a line that says so."""
    try:
        return kaitai_gguf.open(path)
    except kaitai_gguf.MissingShardError as error:
        if not os.path.isfile(path):
            raise  # a pattern does not say which of the shards to open
        warn(f"{path}: {error}; this is of the one file alone")
        return kaitai_gguf.open(path, shards=False)


def missing_nbytes(file: kaitai_gguf.GGUFFile) -> int:
    """Return how many bytes of tensor data should be in a file, and are not."""
    end = file.data_offset + file.tensors.data_nbytes if file.tensors.data_nbytes else 0
    return max(0, end - file.nbytes)


def read_file(path: str, most: int, what: str, *, regular: bool = False) -> bytearray:
    """Return the bytes of a file, of the standard input for "-".

    Raises `FileError`, also for more than `most` bytes, and with `regular` for devices and pipes.
    """
    data = bytearray()
    with reported(Path(path)):
        if regular and not stat.S_ISREG(os.stat(path).st_mode):
            raise FileError(errno.EINVAL, "is not a regular file", path)
        if path == "-" and sys.stdin is None:
            raise FileError(errno.EBADF, "the standard input is closed", path)
        with click.open_file(path, "rb") as file:
            while chunk := file.read(min(most + 1 - len(data), CHUNK)):
                data += chunk
    if len(data) > most:
        raise FileError(errno.EFBIG, f"is too large to be {what}: it has more than {most:,} bytes", path)
    return data


def write_file(path: str | Path, data: bytes, force: bool) -> None:
    """Write a file, whole or not at all, and print its path."""
    with Staging(force) as staging, staging.file(Path(path)) as file:
        file.write(data)
    click.echo(printable(str(path)))
