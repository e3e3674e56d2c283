"""The command `kaitai-gguf`. Each subcommand is a module of its own, built on the public API alone."""

import faulthandler
import io
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn

import click

import kaitai_gguf
from kaitai_gguf.cli.options import FAILED, INTERRUPTED, SAYS_NO, NoMatchError
from kaitai_gguf.cli.output import warn
from kaitai_gguf.sources.urls import shown

COMMANDS = [
    "info", "metadata", "tensors", "tensor", "tokens", "export", "dump", "explain", "view", "diff", "hash", "check",
    "catalog", "schema",
    "set", "unset", "rename-key", "rename-tensor", "copy", "convert", "convert-endian", "split", "merge",
]  # fmt: skip
"""In the order of the help: those that read, then those that write."""

OPTIONS = {
    "allow_padding=True": "--allow-padding",
    "overwrite=True replaces it": "--force overwrites it",
    "overwrite=True": "--force",
    "Typed(…)": "--type",
    'Typed([], "string")': "--type string[]",
    "it starts with b": "it starts with ",
    "instead of b'": "instead of '",
    ", or by open() in this one: close it, or replace the file by a new one": ": close it, or give --rewrite",
}
"""What an error of the library tells a program to write, and what that is in a shell."""


class LazyGroup(click.Group):
    """Imports a command when it is called, so that one costs no time of another."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return COMMANDS

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"kaitai_gguf.cli.commands.{cmd_name.replace('-', '_')}").command
        return command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        with _reported(ctx):  # --help and --version print here
            return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        with _reported(ctx):
            return super().invoke(ctx)


@contextmanager
def _reported(ctx: click.Context) -> Iterator[None]:
    """End with a line and a status for whatever goes wrong with the file, or with the output."""
    _prepare_stdout()
    with suppress(AttributeError, OSError, RuntimeError, ValueError):  # there may be no stderr, or it is not a file
        faulthandler.enable()  # a file that is cut short while it is mapped kills the process, but not without a word
    with suppress(ValueError):  # not in the main thread
        signal.signal(signal.SIGTERM, _end)
    try:
        yield
        sys.stdout.flush()
    except kaitai_gguf.GGUFError as error:
        warn(error_message(error, ctx.meta.get("file")))
        ctx.exit(SAYS_NO if isinstance(error, NoMatchError) else FAILED)
    except KeyboardInterrupt:
        click.echo(err=True)  # ends the line on which the terminal has written ^C
        warn("interrupted")
        ctx.exit(INTERRUPTED)
    except BrokenPipeError:
        _discard_output()  # whoever read it has seen enough
        ctx.exit(0)
    except OSError as error:
        _discard_output()
        warn(f"can't write the output: {error.strerror}")
        ctx.exit(FAILED)


def _end(number: int, _: object) -> NoReturn:
    """End as if killed, but remove what was half written."""
    sys.exit(128 + number)


def _prepare_stdout() -> None:
    """Make sure that there is an output that takes any character, and raises an error when it is full."""
    if sys.stdout is None:
        sys.stdout = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - it is to stay open
    if isinstance(sys.stdout, io.TextIOWrapper):
        if isinstance(sys.stdout.buffer, io.RawIOBase):  # PYTHONUNBUFFERED: what a full disk doesn't take is lost there
            buffer = io.BufferedWriter(sys.stdout.buffer)
            sys.stdout = io.TextIOWrapper(buffer, sys.stdout.encoding, line_buffering=True)
        sys.stdout.reconfigure(errors="backslashreplace")


def _discard_output() -> None:
    """Keep Python from writing what is left once more as it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def error_message(error: kaitai_gguf.GGUFError, file: str | None) -> str:
    """Return what went wrong with a file in one line."""
    words = str(error)
    file = shown(file) if file is not None else None
    if isinstance(error, kaitai_gguf.FileError):
        file, words = error.filename, str(error.strerror)
    for in_python, in_shell in OPTIONS.items():
        words = words.replace(in_python, in_shell)
    is_about_file = not isinstance(error, kaitai_gguf.MissingPackageError)
    return f"{file}: {words}" if file and is_about_file else words


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(kaitai_gguf.__version__, prog_name="kaitai-gguf")
def main() -> None:
    """Read, check and write GGUF model files.

    Any version (1 to 3), either byte order. FILE may be - for the standard input, or a
    pipe, which is copied to a temporary file first; set, unset, rename-key, rename-tensor
    and merge need a file with a name. A pipe gets tables as tab-separated values, with
    the names of the columns first.

    Exit status: 0 if all is well, 1 if a command says no, 2 if a file can't be read or
    the arguments are wrong, 130 if Ctrl-C ended the command.
    """
