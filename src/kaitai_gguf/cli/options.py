"""Arguments and options that several commands share, and exit statuses."""

import errno
import os
import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import click

from kaitai_gguf import FileIsDirectoryError, FileMissingError, GGUFError
from kaitai_gguf.cli.output import TABLE

SAYS_NO, FAILED = 1, 2  # exit statuses: 1 if a command's answer is no, 2 for errors
INTERRUPTED, PIPE_CLOSED = 130, 141  # what shells report after SIGINT and SIGPIPE: 128 plus the signal's number


INPUTS = "kaitai_gguf.inputs"  # in the context's meta: the files that the command reads


POWERS = {None: 0, "K": 1, "M": 2, "G": 3, "T": 4}


class NoMatchError(GGUFError):
    """Nothing in the file matches the request. The command exits with status 1."""


PIPES = "FILE may be - for the standard input, or a pipe: it is copied to a temporary file first."
"""The end of the help of commands that read with `files.source_of`."""

Command = Callable[..., None]
Option = Callable[[Command], Command]


def without_file_url(value: str) -> str:
    """Return the path that a `file:` URL names; anything else unchanged."""
    if "://" not in value:
        return value
    from kaitai_gguf.sources.urls import local_path  # `--help` does without the library

    return local_path(value)


def size(text: str) -> int:
    """Return a number of bytes, given as `2G` or `1.5Gi`."""
    match = re.fullmatch(r"([0-9]{1,19}(?:\.[0-9]{1,19})?)(?:([KMGT])(i?))?B?", text)
    nbytes = int(Fraction(match[1]) * (1024 if match[3] else 1000) ** POWERS[match[2]]) if match else 0
    if not 0 < nbytes < 1 << 63:
        raise click.BadParameter("expected a number of bytes, at least 1 and less than 2^63: 500M, 2G, 1.5Gi")
    return nbytes


class InputPath(click.Path):
    """The path of a file. Opening it shows whether that is allowed: the error names the file in one line."""

    def __init__(self) -> None:
        super().__init__(readable=False)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        return super().convert(without_file_url(value), param, ctx)


class GGUFPath(InputPath):
    """A path argument, which is remembered for error messages. With `is_named`, it can't be the standard input."""

    name = "file"

    def __init__(self, *, is_named: bool = False) -> None:
        super().__init__()
        self._is_named = is_named

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if value == "-" and self._is_named:
            self.fail("this command can't read the standard input; save it as a file first", param, ctx)
        path = super().convert(value, param, ctx)
        if ctx is not None:
            ctx.meta["file"] = path
            ctx.meta.setdefault(INPUTS, []).append(path)
        return path


class OutputPath(InputPath):
    """A path to write to, or a prefix of such paths. It must not be empty."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if value == "-":
            self.fail("specify a file name; this command can't write to -, the standard output", param, ctx)
        if not value:
            raise FileMissingError(errno.ENOENT, "the path to write to is empty", "")
        return super().convert(value, param, ctx)


class OutputFile(OutputPath):
    """A path to write one file to. It must not be a folder, or end with a slash."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        path = str(super().convert(value, param, ctx))
        if path.endswith(("/", os.sep)) or os.path.isdir(path):
            raise FileIsDirectoryError(errno.EISDIR, "is a folder: specify the name of a file", path)
        return path


def output_option(metavar: str, help: str, *names: str, type: click.Path | None = None) -> Option:
    return click.option("-o", "--output", *names, "output", type=type or OutputFile(), metavar=metavar, help=help)


def together(*options: Option) -> Option:
    def add(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return add


def _set_table(ctx: click.Context, _: click.Parameter, is_given: bool) -> None:
    if is_given:
        ctx.meta[TABLE] = True


file_argument = click.argument("file", type=GGUFPath())
edited_file_argument = click.argument("file", type=GGUFPath(is_named=True))
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")
table_option = click.option(
    "--table", is_flag=True, expose_value=False, callback=_set_table, help="Keep the columns of a table in a pipe."
)
form_options = together(json_option, table_option)
force_option = click.option("--force", is_flag=True, help="Overwrite existing files.")
padding_option = click.option("--allow-padding", is_flag=True, help="Write any amount of padding.")
verify_option = click.option(
    "--verify", is_flag=True, help="Also compare copied tensor data with the source, byte by byte."
)
dry_run_option = click.option("--dry-run", is_flag=True, help="Print what would be written, but write nothing.")
write_options = together(force_option, dry_run_option)

_other_file_option = output_option("FILE", "Write to another file.")
_in_place_option = click.option("--in-place", is_flag=True, help="Change FILE itself.")
_force_in_place_option = click.option(
    "--force", is_flag=True, help="Overwrite an existing --output; with --in-place, change a file in a shared cache."
)
_rewrite_option = click.option(
    "--rewrite", is_flag=True, help="With --in-place: replace FILE by a new file, even while it is open elsewhere."
)
_common = (padding_option, verify_option, dry_run_option, form_options)

edit_options = together(_other_file_option, _in_place_option, _rewrite_option, _force_in_place_option, *_common)
"""The options of commands that edit a header: arguments of `saving.save_edits`."""

convert_options = together(_other_file_option, _in_place_option, _force_in_place_option, *_common)
"""The options of commands that convert a file, to another or in place: arguments of `saving.save_converted`."""

new_file_options = together(force_option, *_common)

copy_options = together(_other_file_option, new_file_options)
"""The options of commands that only write another file: arguments of `saving.save_converted`."""
