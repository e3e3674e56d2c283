"""`kaitai-gguf check`: check files against the rules of the format; the findings as text, JSON and SARIF 2.1.0."""

import os
from collections import Counter
from dataclasses import asdict, dataclass
from difflib import get_close_matches
from glob import glob
from itertools import chain
from pathlib import Path
from typing import Any
from urllib.parse import quote

import click

import kaitai_gguf
from kaitai_gguf.cli.files import source_of
from kaitai_gguf.cli.options import FAILED, PIPES, SAYS_NO, without_file_url
from kaitai_gguf.cli.output import counted, print_json, printable, progress, warn
from kaitai_gguf.cli.safe_names import as_text
from kaitai_gguf.rules import PEDANTIC, Checker
from kaitai_gguf.sources.urls import shown as shown_path

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json"

NOT_CHECKED = ("the tensors of the blocks", "the shapes of most tensors")
"""What llama.cpp requires but no rule checks."""

COLORS: dict[str, str] = {"error": "red", "warning": "yellow", "note": "cyan"}


@dataclass
class Checked:
    """A file and its findings."""

    file: str
    findings: list[kaitai_gguf.Finding]
    """All findings. The verdict depends on all of them, shown or not."""
    rules: set[str]
    """The rules whose findings are shown."""
    error: str | None = None
    """Why the file can't be read, if so."""

    @property
    def shown(self) -> list[kaitai_gguf.Finding]:
        return [finding for finding in self.findings if finding.rule in self.rules]

    def counts(self) -> dict[kaitai_gguf.Severity, int]:
        counts = Counter(finding.severity for finding in self.shown)
        return {severity: counts[severity] for severity in kaitai_gguf.Severity}

    def verdict(self) -> dict[str, Any]:
        """Return whether llama.cpp refuses the file. `loads` is False, or None for unknown.

        llama.cpp reads the header with ggml, and then loads the model: either may fail.
        """
        unread, unloaded = self._refused_by("ggml"), self._refused_by("llama.cpp")
        if unread:
            verdict = f"llama.cpp would not load it: {', '.join(unread)}"
        elif unloaded:
            verdict = f"llama.cpp would read the header, but not load it as a model: {', '.join(unloaded)}"
        else:
            verdict = f"no reason found why llama.cpp would refuse it (not checked: {', '.join(NOT_CHECKED)})"
        return {
            "reads_header": not unread,
            "loads": False if unloaded else None,
            "because_of": unread or unloaded,
            "verdict": verdict,
            "not_checked": list(NOT_CHECKED),
        }

    def _refused_by(self, reader: str) -> list[str]:
        return list(dict.fromkeys(finding.rule for finding in self.findings if reader in finding.refused_by))


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
        print_json(_document(checked))
    elif form == "sarif":
        print_json(_sarif(checked))
    else:
        _print_text(checked)
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


# Text


def _print_text(checked: list[Checked]) -> None:
    """Print a line for each finding, in the style of compilers, and a summary for each file; in color on a terminal."""
    for each in checked:
        if each.error is None:
            file = printable(each.file)
            for finding in each.shown:
                place = f"{file}: byte {finding.offset:#x}, {finding.path}"
                refused = f", refused by {', '.join(finding.refused_by)}" if finding.refused_by else ""
                severity = _colored(finding.severity, finding.severity)
                click.echo(f"{place}: {severity}: {printable(finding.message)} [{finding.rule}{refused}]")
            counts = [
                _colored(counted(number, severity), severity, number) for severity, number in each.counts().items()
            ]
            click.echo(f"{file}: {', '.join(counts)}; {each.verdict()['verdict']}")


def _colored(text: str, severity: kaitai_gguf.Severity, number: int = 1) -> str:
    """Return a text in the color of a severity; unchanged for zero findings, and if NO_COLOR is set.

    click removes colors if the output is not a terminal.
    """
    return click.style(text, COLORS[severity], bold=True) if number and not os.environ.get("NO_COLOR") else text


# JSON


def _document(checked: list[Checked]) -> dict[str, Any]:
    return {"files": [_file(each) for each in checked]}


def _file(checked: Checked) -> dict[str, Any]:
    if checked.error is not None:
        return {"file": as_text(checked.file), "error": as_text(checked.error)}
    return {
        "file": as_text(checked.file),
        "counts": checked.counts(),
        "llama_cpp": checked.verdict(),
        "findings": [asdict(finding) | {"message": as_text(finding.message)} for finding in checked.shown],
    }


# SARIF


def _sarif(checked: list[Checked]) -> dict[str, Any]:
    """Return a SARIF log with one run over all files."""
    indices = {id: index for index, id in enumerate(kaitai_gguf.RULES)}
    failures = [
        {
            "level": "error",
            "message": {"text": _message(file.error)},
            "locations": [{"physicalLocation": {"artifactLocation": _location(file, index)}}],
        }
        for index, file in enumerate(checked)
        if file.error is not None
    ]
    run = {
        "tool": {
            "driver": {
                "name": "kaitai-gguf",
                "version": kaitai_gguf.__version__,
                "rules": [_rule(rule) for rule in kaitai_gguf.RULES.values()],
            }
        },
        "invocations": [{"executionSuccessful": not failures, "toolExecutionNotifications": failures}],
        "artifacts": [_artifact(file) for file in checked],
        "results": [
            _result(finding, indices[finding.rule], _location(file, index))
            for index, file in enumerate(checked)
            for finding in file.shown
        ],
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _rule(rule: kaitai_gguf.Rule) -> dict[str, Any]:
    text = f"{rule.title}\n\n{rule.text}"
    return {
        "id": rule.id,
        "shortDescription": {"text": _message(rule.title)},
        "help": {"text": _message(text), "markdown": text},
        "helpUri": rule.source,
        "defaultConfiguration": {"level": rule.severity},
        "properties": {"refusedBy": list(rule.refused_by)},
    }


def _artifact(file: Checked) -> dict[str, Any]:
    location = {"location": {"uri": _uri(file.file)}}
    return location | ({"properties": {"llamaCpp": file.verdict()}} if file.error is None else {})


def _result(finding: kaitai_gguf.Finding, rule: int, location: dict[str, Any]) -> dict[str, Any]:
    return {
        "ruleId": finding.rule,
        "ruleIndex": rule,
        "level": finding.severity,
        "message": {"text": _message(finding.message)},
        "locations": [
            {
                "physicalLocation": {"artifactLocation": location, "region": {"byteOffset": finding.offset}},
                "logicalLocations": [{"fullyQualifiedName": finding.path}],
            }
        ],
        "properties": {"refusedBy": list(finding.refused_by), "count": finding.count},
    }


def _location(file: Checked, index: int) -> dict[str, Any]:
    return {"uri": _uri(file.file), "index": index}


def _uri(path: str) -> str:
    """Return a path as a URI, relative if the path is. Any bytes are allowed in the path."""
    if Path(path).is_absolute():
        return Path(path).as_uri()
    return quote(os.fsencode(path.replace(os.sep, "/")))


def _message(text: str) -> str:
    """Escape the syntax that SARIF messages have for links and placeholders."""
    return as_text(text).replace("\\", "\\\\").replace("[", "\\[").replace("{", "{{").replace("}", "}}")
