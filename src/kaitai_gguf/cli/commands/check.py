"""`kaitai-gguf check`: check files against the rules of the format; the findings as text, JSON and SARIF 2.1.0."""

import os
from contextlib import ExitStack, suppress
from dataclasses import asdict
from glob import glob
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

import click

import kaitai_gguf
from kaitai_gguf import RULES
from kaitai_gguf.cli.files import source_of
from kaitai_gguf.cli.options import FAILED, PIPES, SAYS_NO, without_file_url
from kaitai_gguf.cli.output import counted, print_json, printable, progress, warn
from kaitai_gguf.cli.safe_names import as_text
from kaitai_gguf.reading.info import kind_of
from kaitai_gguf.rules import PEDANTIC, check_one, misfits
from kaitai_gguf.sources.urls import shown
from kaitai_gguf.suggestions import did_you_mean

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json"

NOT_CHECKED = ("the tensors of the blocks", "the shapes of most tensors")
"""What llama.cpp requires but no rule checks."""

COLORS: dict[str, str] = {"error": "red", "warning": "yellow", "note": "cyan"}


class Checked(NamedTuple):
    """A file and its findings."""

    file: str
    shown: list[kaitai_gguf.Finding]
    verdict: dict[str, Any]
    """Whether llama.cpp refuses the file, whatever findings are shown."""
    error: str | None = None
    """Why the file can't be read, if so."""

    @property
    def counts(self) -> dict[kaitai_gguf.Severity, int]:
        return {severity: sum(each.severity is severity for each in self.shown) for severity in kaitai_gguf.Severity}


def rule(id: str) -> str:
    if id not in RULES:
        raise click.BadParameter(f"no rule {id!r}{did_you_mean(id, RULES)}")
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
def command(*, files: tuple[str, ...], form: str | None, as_json: bool, strict: bool, deep: bool, **which: Any) -> None:
    """Check files against the rules of the format.

    The findings include the reasons why llama.cpp would refuse a file. An error means that the file is
    invalid, a warning that some reader refuses it, a note that it breaks a convention. docs/rules.md lists all
    rules, and how to fix what they find.

    With one model and projectors (mmproj) or adapters (LoRA), the command also checks whether these fit the model.

    FILE may be a pattern, in which ** matches any number of folders. For a shard of a model, the command
    also checks that the other shards exist and belong to the same model, and that no edit of them was
    interrupted. The file's name is checked against the naming convention only with --pedantic or
    --select file-name.

    A file without findings may still not load in llama.cpp: the rules check few of the tensors that an
    architecture needs.

    Exit status: 0 if no errors are shown, 1 if there are any (with --strict, also for warnings), 2 if a file
    can't be read.

    \b
    Examples:
      kaitai-gguf check model.gguf
      kaitai-gguf check '*.gguf' --strict --ignore file-name
      kaitai-gguf check model.gguf --deep --format sarif
      kaitai-gguf check model.gguf mmproj.gguf
    """
    if as_json and form not in (None, "json"):
        raise click.UsageError(f"--json and --format {form} can't be given together")
    form = "json" if as_json else form or "text"
    rules, paths = _rules(**which), _paths(files)
    shards: dict[str, Any] = {}  # each shard of a model is read once
    together = _misfits(paths) if len(paths) > 1 and "misfit" in rules else {}
    checked = [_check(path, shards, deep, rules, together.get(path, [])) for path in paths]
    if form == "json":
        print_json({"files": [_document(each) for each in checked]})
    elif form == "sarif":
        print_json(_sarif(checked))
    for each in checked:
        if each.error is not None:
            warn(f"{each.file}: {each.error}" if each.file else each.error)
        elif form == "text":
            _print_text(each)
    if any(each.error is not None for each in checked):
        click.get_current_context().exit(FAILED)
    bad = {"error", "warning"} if strict else {"error"}
    if any(finding.severity in bad for each in checked for finding in each.shown):
        click.get_current_context().exit(SAYS_NO)


def _rules(pedantic: bool, select: tuple[str, ...], ignore: tuple[str, ...]) -> set[str]:
    return set(select or RULES.keys() - (() if pedantic else PEDANTIC)) - set(ignore)


def _paths(files: tuple[str, ...]) -> list[str]:
    """Return the files that match the patterns. An existing file is not taken for a pattern."""
    files = tuple(map(without_file_url, files))
    matches = [[file] if os.path.lexists(file) else sorted(glob(file, recursive=True)) or [file] for file in files]
    return list(dict.fromkeys(chain.from_iterable(matches)))


def _check(path: str, shards: dict[str, Any], deep: bool, rules: set[str], more: list[kaitai_gguf.Finding]) -> Checked:
    """Check one file, and add more findings. If it can't be read, return the error: other files are still checked."""
    try:
        with progress("checking", Path(path).stat().st_size if deep and Path(path).is_file() else 0) as advance:
            options = {"deep": deep, "pedantic": not rules.isdisjoint(PEDANTIC)}
            findings = check_one(source_of(path), shards, progress=advance, **options) + more
    except kaitai_gguf.FileError as error:
        return Checked(shown(path), [], {}, str(error.strerror))
    return Checked(shown(path), [finding for finding in findings if finding.rule in rules], _verdict(findings))


def _misfits(paths: list[str]) -> dict[str, list[kaitai_gguf.Finding]]:
    """Return why projectors and adapters do not fit the model, by path, if exactly one of the files is a model."""
    models: dict[str | None, kaitai_gguf.GGUFFile] = {}  # by the first shard
    others: dict[str, kaitai_gguf.GGUFFile] = {}
    with ExitStack() as stack:
        for path in paths:
            if "://" in path or os.path.isfile(path):  # pipes can be read only once
                with suppress(kaitai_gguf.GGUFError):
                    file = stack.enter_context(kaitai_gguf.open(path))
                    if kind_of(file.metadata) == "model":
                        models[file.shards[0].name] = file
                    else:
                        others[path] = file
            if len(models) > 1:
                return {}
        return {path: misfits(model, other) for model in models.values() for path, other in others.items()}


def _verdict(findings: list[kaitai_gguf.Finding]) -> dict[str, Any]:
    """Return whether llama.cpp refuses a file. `loads` is False, or None for unknown.

    llama.cpp reads the header with ggml, and then loads the model: either may fail.
    """
    unread, unloaded = (
        list(dict.fromkeys(finding.rule for finding in findings if reader in finding.refused_by))
        for reader in ("ggml", "llama.cpp")
    )
    verdict = f"no reason found why llama.cpp would refuse it (not checked: {', '.join(NOT_CHECKED)})"
    if unread or unloaded:
        would = "would not load it" if unread else "would read the header, but not load it as a model"
        verdict = f"llama.cpp {would}: {', '.join(unread or unloaded)}"
    return {
        "reads_header": not unread,
        "loads": False if unloaded else None,
        "because_of": unread or unloaded,
        "verdict": verdict,
        "not_checked": list(NOT_CHECKED),
    }


def _print_text(checked: Checked) -> None:
    """Print a line for each finding, in the style of compilers, and a summary; in color on a terminal."""
    file = printable(checked.file)
    for finding in checked.shown:
        place = f"{file}: byte {finding.offset:#x}, {finding.path}"
        refused = f", refused by {', '.join(finding.refused_by)}" if finding.refused_by else ""
        severity = _colored(finding.severity, finding.severity)
        click.echo(f"{place}: {severity}: {printable(finding.message)} [{finding.rule}{refused}]")
    counts = [(counted(number, severity), severity) for severity, number in checked.counts.items()]
    texts = (text if text[0] == "0" else _colored(text, severity) for text, severity in counts)
    click.echo(f"{file}: {', '.join(texts)}; {checked.verdict['verdict']}")


def _colored(text: str, severity: kaitai_gguf.Severity) -> str:
    """Return a text in the color of a severity. click removes colors if the output is not a terminal."""
    return text if os.environ.get("NO_COLOR") else click.style(text, COLORS[severity], bold=True)


def _document(checked: Checked) -> dict[str, Any]:
    if checked.error is not None:
        return {"file": as_text(checked.file), "error": as_text(checked.error)}
    return {
        "file": as_text(checked.file),
        "counts": checked.counts,
        "llama_cpp": checked.verdict,
        "findings": [asdict(finding) | {"message": as_text(finding.message)} for finding in checked.shown],
    }


# SARIF


def _sarif(checked: list[Checked]) -> dict[str, Any]:
    """Return a SARIF log with one run over all files."""
    artifacts: list[dict[str, Any]] = []
    failures, results = [], []
    for index, file in enumerate(checked):
        place = {"artifactLocation": {"uri": _uri(file.file), "index": index}}
        artifacts.append({"location": {"uri": _uri(file.file)}})
        if file.error is None:
            artifacts[-1]["properties"] = {"llamaCpp": file.verdict}
        else:
            locations = [{"physicalLocation": place}]
            failures.append({"level": "error", "message": _message(file.error), "locations": locations})
        results += [_result(finding, place) for finding in file.shown]
    rules = [_rule(rule) for rule in RULES.values()]
    run = {
        "tool": {"driver": {"name": "kaitai-gguf", "version": kaitai_gguf.__version__, "rules": rules}},
        "invocations": [{"executionSuccessful": not failures, "toolExecutionNotifications": failures}],
        "artifacts": artifacts,
        "results": results,
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _rule(rule: kaitai_gguf.Rule) -> dict[str, Any]:
    text = f"{rule.title}\n\n{rule.text}"
    return {
        "id": rule.id,
        "shortDescription": _message(rule.title),
        "help": _message(text) | {"markdown": text},
        "helpUri": rule.source,
        "defaultConfiguration": {"level": rule.severity},
        "properties": {"refusedBy": list(rule.refused_by)},
    }


def _result(finding: kaitai_gguf.Finding, place: dict[str, Any]) -> dict[str, Any]:
    location = {
        "physicalLocation": place | {"region": {"byteOffset": finding.offset}},
        "logicalLocations": [{"fullyQualifiedName": finding.path}],
    }
    return {
        "ruleId": finding.rule,
        "ruleIndex": list(RULES).index(finding.rule),
        "level": finding.severity,
        "message": _message(finding.message),
        "locations": [location],
        "properties": {"refusedBy": list(finding.refused_by), "count": finding.count},
    }


def _uri(path: str) -> str:
    """Return a path as a URI, relative if the path is. Any bytes are allowed in the path."""
    if Path(path).is_absolute():
        return Path(path).as_uri()
    return quote(os.fsencode(path.replace(os.sep, "/")))


def _message(text: str) -> dict[str, str]:
    """Return a message. The syntax that SARIF has for links and placeholders is escaped."""
    return {"text": as_text(text).replace("\\", "\\\\").replace("[", "\\[").replace("{", "{{").replace("}", "}}")}
