"""The command `kaitai-gguf`. Each subcommand is a separate module in `commands`."""

import errno
import faulthandler
import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn

import click

import kaitai_gguf
from kaitai_gguf.cli.options import FAILED, INTERRUPTED, PIPE_CLOSED, SAYS_NO, NoMatchError
from kaitai_gguf.cli.output import discard, printable, quoted_for_shell, warn

COMMANDS = [
    "info", "memory", "metadata", "tensors", "tensor", "tokens", "export", "dump", "explain", "view", "diff", "hash",
    "check", "catalog", "schema", "completion",
    "new", "set", "unset", "rename-key", "rename-tensor", "copy", "convert", "convert-endian", "quantize", "split",
    "merge",
]  # fmt: skip
"""The order in the help: commands that read, then commands that write."""

HINTS = {
    "OVERWRITE": "--force overwrites it",
    "CHANGE_SHARED": "give --force to change this one",
    "REPLACE_OPEN": ": close it, or give --rewrite",
    "ALLOW_PADDING": "--allow-padding permits that",
    "CHANGE_TYPE": "--type changes the type",
    "EMPTY_ARRAY": "give it one, for example with --type string[]",
}
"""What the command prints for a `Hint`, by the name of the hint."""

MISSING = (NoMatchError, kaitai_gguf.KeyNotFound, kaitai_gguf.TensorNotFound, kaitai_gguf.FieldNotFound)
"""The errors for names and patterns that nothing in a file matches."""


class LazyGroup(click.Group):
    """A group that imports a command only when it is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return COMMANDS

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"kaitai_gguf.cli.commands.{cmd_name.replace('-', '_')}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name in COMMANDS or name.startswith("-") or ctx.resilient_parsing:  # for completion
            return super().resolve_command(ctx, args)
        if name.lower().endswith(".gguf") or os.path.exists(name):
            ctx.fail(f"{printable(name)} is a file, not a command: try `kaitai-gguf info {quoted_for_shell(name)}`")
        from kaitai_gguf.suggestions import did_you_mean  # `--help` does without the library

        ctx.fail(f"no command {printable(repr(name))}{did_you_mean(name, COMMANDS)}")

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        with _reported(ctx):  # --help and --version print here
            return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        with _reported(ctx):
            return super().invoke(ctx)


@contextmanager
def _reported(ctx: click.Context) -> Iterator[None]:
    """Turn errors of the library and of the output into one line on stderr and an exit status."""
    _prepare_stdout()
    with suppress(AttributeError, OSError, RuntimeError, ValueError):  # stderr may be missing, or not a file
        faulthandler.enable()  # truncating a mapped file kills the process: this at least prints why
    try:
        yield
        sys.stdout.flush()
    except kaitai_gguf.GGUFError as error:
        _end(ctx, error_message(error, ctx.meta.get("file")), SAYS_NO if isinstance(error, MISSING) else FAILED)
    except KeyboardInterrupt:
        click.echo(err=True)  # ends the line on which the terminal has written ^C
        _end(ctx, "interrupted", INTERRUPTED)
    except BrokenPipeError:
        discard(sys.stdout)
        ctx.exit(PIPE_CLOSED)
    except MemoryError:
        _end(ctx, "out of memory", FAILED)
    except OSError as error:
        if error.errno == errno.ENOMEM:
            _end(ctx, "out of memory", FAILED)
        discard(sys.stdout)
        _end(ctx, f"can't write the output: {error.strerror}", FAILED)


def _end(ctx: click.Context, message: str, status: int) -> NoReturn:
    """Print a message, and exit."""
    warn(message)
    ctx.exit(status)


def _prepare_stdout() -> None:
    """Ensure that stdout exists, accepts any character, and raises an error if the disk is full."""
    if sys.stdout is None:
        sys.stdout = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - stays open
    if isinstance(sys.stdout, io.TextIOWrapper):
        if isinstance(sys.stdout.buffer, io.RawIOBase):  # PYTHONUNBUFFERED: short writes to a full disk go unnoticed
            buffer = io.BufferedWriter(sys.stdout.buffer)
            sys.stdout = io.TextIOWrapper(buffer, sys.stdout.encoding, line_buffering=True)
        sys.stdout.reconfigure(errors="backslashreplace")


def error_message(error: kaitai_gguf.GGUFError, file: str | None) -> str:
    """Return the line to print for an error: the file and the message."""
    from kaitai_gguf.sources.urls import shown  # `--help` does without the library

    message = str(error)
    file = shown(file) if file is not None else None
    if isinstance(error, kaitai_gguf.FileError):
        file, message = error.filename, str(error.strerror)
    if error.hint is not None:
        message = message.removesuffix(error.hint) + HINTS[error.hint.name]
    is_about_file = not isinstance(error, kaitai_gguf.MissingPackageError)
    return f"{file}: {message}" if file and is_about_file else message


def _print_version(ctx: click.Context, _: click.Parameter, is_asked: bool) -> None:
    if is_asked and not ctx.resilient_parsing:
        from kaitai_gguf.dequantize.compiled import KERNELS  # imports numpy
        from kaitai_gguf.llama_cpp import facts

        source, kernels = facts()["source"], "numpy" if KERNELS is None else "compiled"
        is_slow = KERNELS is None or (kaitai_gguf.scanner == "python" and not os.environ.get("KAITAI_GGUF_SCANNER"))
        note = "; the package was built without a C compiler, so both are slower" if is_slow else ""
        click.echo(f"kaitai-gguf, version {kaitai_gguf.__version__}")
        click.echo(f"scanner: {kaitai_gguf.scanner}, kernels: {kernels}{note}")
        click.echo(f"facts about llama.cpp {source['release']} (commit {source['commit']})")
        ctx.exit()


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_print_version,
    help="Show the version, the scanner and kernels in use, and the release of llama.cpp whose names are known.",
)  # fmt: skip
def main() -> None:
    """Read, check, edit and write GGUF model files.

    All versions (1 to 3) and both byte orders are supported. FILE may be - for the standard
    input, or a pipe: it is copied to a temporary file first. The commands set, unset,
    rename-key, rename-tensor and merge need a named file. Tables are printed to a pipe as
    tab-separated values, with a header line; --table keeps their columns.

    Exit status: 0 on success; 1 if the answer is no: nothing matches, a key or tensor does not
    exist, models differ, or a check finds errors; 2 if a file can't be read or written, the output
    can't be printed, or the arguments are invalid; 130 if Ctrl-C ended the command, 143 if SIGTERM
    did, 129 if SIGHUP did; 141 if the reader of a pipe closed it before it had read all output.
    """
