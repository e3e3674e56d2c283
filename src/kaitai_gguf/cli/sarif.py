"""What was found in files, as SARIF 2.1.0, which code scanning services read."""

import os
from pathlib import Path
from typing import Any
from urllib.parse import quote

import kaitai_gguf
from kaitai_gguf.cli.findings import Checked
from kaitai_gguf.cli.safe_names import as_text

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json"


def sarif(checked: list[Checked]) -> dict[str, Any]:
    """Return one run over all files."""
    indices = {id: index for index, id in enumerate(kaitai_gguf.RULES)}
    failures = [_notification(file, index) for index, file in enumerate(checked) if file.error is not None]
    run: dict[str, Any] = {
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
            _result(finding, file, artifact, indices[finding.rule])
            for artifact, file in enumerate(checked)
            for finding in file.shown
        ],
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _rule(rule: kaitai_gguf.Rule) -> dict[str, Any]:
    return {
        "id": rule.id,
        "shortDescription": {"text": _text(rule.title)},
        "help": {"text": _text(f"{rule.title}\n\n{rule.text}"), "markdown": f"{rule.title}\n\n{rule.text}"},
        "helpUri": rule.source,
        "defaultConfiguration": {"level": rule.severity.value},
        "properties": {"refusedBy": list(rule.refused_by)},
    }


def _artifact(file: Checked) -> dict[str, Any]:
    artifact: dict[str, Any] = {"location": {"uri": uri(file.file)}}
    if file.error is None:
        artifact["properties"] = {"llamaCpp": file.verdict.document()}
    return artifact


def _result(finding: kaitai_gguf.Finding, file: Checked, artifact: int, rule: int) -> dict[str, Any]:
    return {
        "ruleId": finding.rule,
        "ruleIndex": rule,
        "level": finding.severity.value,
        "message": {"text": _text(finding.message)},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": uri(file.file), "index": artifact},
                    "region": {"byteOffset": finding.offset},
                },
                "logicalLocations": [{"fullyQualifiedName": finding.path}],
            }
        ],
        "properties": {"refusedBy": list(finding.refused_by), "count": finding.count},
    }


def _notification(file: Checked, artifact: int) -> dict[str, Any]:
    location = {"physicalLocation": {"artifactLocation": {"uri": uri(file.file), "index": artifact}}}
    return {"level": "error", "message": {"text": _text(file.error or "")}, "locations": [location]}


def uri(path: str) -> str:
    """Return a path as a URI, relative if the path is, whatever bytes it has."""
    if Path(path).is_absolute():
        return Path(path).as_uri()
    return quote(os.fsencode(path.replace(os.sep, "/")))


def _text(text: str) -> str:
    """Escape text so that it contains no link and no placeholder: SARIF messages have a syntax for both."""
    return as_text(text).replace("\\", "\\\\").replace("[", "\\[").replace("{", "{{").replace("}", "}}")
