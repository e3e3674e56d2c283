"""`kaitai-gguf check`: check files against the rules of the format."""

import os
from difflib import get_close_matches
from glob import glob
from itertools import chain
from pathlib import Path

import click

import kaitai_gguf
from kaitai_gguf.cli.files import source_of
from kaitai_gguf.cli.findings import Checked, document, print_text, sarif
from kaitai_gguf.cli.options import FAILED, PIPES, SAYS_NO, without_file_url
from kaitai_gguf.cli.output import print_json, progress, warn
from kaitai_gguf.rules import PEDANTIC, Checker
from kaitai_gguf.sources.urls import shown as shown_path


def rule(id: str) -> str:
    if id not in kaitai_gguf.RULES:
        close = get_close_matches(id, kaitai_gguf.RULES, 1)
        raise click.BadParameter(f"no rule {id!r}" + (f"; did you mean {close[0]!r}?" if close else ""))
    return id


@click.command(epilog=PIPES)
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option("--deep", is_flag=True, help="Also check the tensor data for NaN and infinities.")
@click.option(
    "--format", "form", type=click.Choice(["text", "json", "sarif"]), help="The output format; text by default."
)
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@click.option("--strict", is_flag=True, help="Exit with status 1 for warnings, too.")
@click.option("--pedantic", is_flag=True, help="Also check the names of files.")
@click.option("--select", multiple=True, metavar="RULE", type=rule, help="Show only this rule. Can be repeated.")
@click.option("--ignore", multiple=True, metavar="RULE", type=rule, help="Don't show this rule. Can be repeated.")
@click.pass_context
def command(
    ctx: click.Context,
    *,
    files: tuple[str, ...],
    deep: bool,
    form: str | None,
    as_json: bool,
    strict: bool,
    pedantic: bool,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
) -> None:
    """Check files against the rules of the format.

    The findings include the reasons why llama.cpp would refuse a file. An error means that the file is
    invalid, a warning that some reader refuses it, a note that it breaks a convention. docs/rules.md lists all
    rules, and how to fix what they find.

    FILE may be a pattern. For a shard of a model, the command also checks that the other shards exist and
    belong to the same model, and that no edit of them was interrupted. The file's name is checked against
    the naming convention only with --pedantic or --select file-name.

    A file without findings may still not load in llama.cpp: the rules check few of the tensors that an
    architecture needs.

    Exit status: 0 if no errors are shown, 1 if there are any (with --strict, also for warnings), 2 if a file
    can't be read.

    \b
    Examples:
      kaitai-gguf check model.gguf
      kaitai-gguf check '*.gguf' --strict --ignore file-name
      kaitai-gguf check model.gguf --deep --format sarif
    """
    if as_json and form not in (None, "json"):
        raise click.UsageError(f"--json and --format {form} can't be given together")
    shown = set(select or set(kaitai_gguf.RULES) - (set() if pedantic else PEDANTIC)) - set(ignore)
    with Checker() as checker:
        checked = [_check(checker, path, deep, shown) for path in _paths(files)]
    if as_json or form == "json":
        print_json(document(checked))
    elif form == "sarif":
        print_json(sarif(checked))
    else:
        print_text(checked)
    unread = [each for each in checked if each.error is not None]
    for each in unread:
        warn(f"{each.file}: {each.error}" if each.file else str(each.error))
    if unread:
        ctx.exit(FAILED)
    bad = {"error", "warning"} if strict else {"error"}
    if any(finding.severity in bad for each in checked for finding in each.shown):
        ctx.exit(SAYS_NO)


def _paths(files: tuple[str, ...]) -> list[str]:
    """Return the files that match the patterns. An existing file is not taken for a pattern."""
    files = tuple(map(without_file_url, files))
    matches = [[file] if os.path.lexists(file) else sorted(glob(file)) or [file] for file in files]
    return list(dict.fromkeys(chain.from_iterable(matches)))


def _check(checker: Checker, path: str, deep: bool, shown: set[str]) -> Checked:
    """Check one file. If it can't be read, return the error, so that the other files are still checked."""
    try:
        with progress("checking", Path(path).stat().st_size if deep and Path(path).is_file() else 0) as advance:
            options = {"deep": deep, "pedantic": not shown.isdisjoint(PEDANTIC)}
            return Checked(shown_path(path), checker.check(source_of(path), progress=advance, **options), shown)
    except kaitai_gguf.FileError as error:
        return Checked(shown_path(path), [], shown, str(error.strerror))
