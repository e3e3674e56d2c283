"""What was found in files, as text and as JSON."""

from collections import Counter
from typing import Any

import click

import kaitai_gguf
from kaitai_gguf.cli.output import counted, printable
from kaitai_gguf.cli.safe_names import as_text
from kaitai_gguf.cli.verdict import Verdict


class Checked:
    """One file, and what was found in it."""

    def __init__(
        self, file: str, findings: list[kaitai_gguf.Finding], shown: set[str], error: str | None = None
    ) -> None:
        self.file = file
        self.shown = [finding for finding in findings if finding.rule in shown]
        self.verdict = Verdict(findings)
        """That of all findings, including those that aren't shown."""
        self.error = error
        """Why it can't be read."""

    def counts(self) -> dict[kaitai_gguf.Severity, int]:
        found = Counter(finding.severity for finding in self.shown)
        return {severity: found[severity] for severity in kaitai_gguf.Severity}


def print_text(checked: list[Checked]) -> None:
    """Print a line for each finding, in the style of compilers, and one for each file."""
    for each in checked:
        if each.error is None:
            file = printable(each.file)
            for finding in each.shown:
                place = f"{file}: byte {finding.offset:#x}, {finding.path}"
                refused = f", refused by {', '.join(finding.refused_by)}" if finding.refused_by else ""
                click.echo(f"{place}: {finding.severity}: {printable(finding.message)} [{finding.rule}{refused}]")
            found = [counted(number, severity) for severity, number in each.counts().items() if number]
            click.echo(f"{file}: {', '.join(found) or 'nothing found'}; {each.verdict.words()}")


def document(checked: list[Checked]) -> dict[str, Any]:
    """Return what was found, for programs."""
    return {"files": [_file(each) for each in checked]}


def _file(checked: Checked) -> dict[str, Any]:
    if checked.error is not None:
        return {"file": as_text(checked.file), "error": as_text(checked.error)}
    return {
        "file": as_text(checked.file),
        "counts": {severity.value: number for severity, number in checked.counts().items()},
        "llama_cpp": checked.verdict.document(),
        "findings": [
            {
                "rule": finding.rule,
                "severity": finding.severity.value,
                "offset": finding.offset,
                "path": finding.path,
                "message": as_text(finding.message),
                "refused_by": list(finding.refused_by),
                "count": finding.count,
            }
            for finding in checked.shown
        ],
    }
