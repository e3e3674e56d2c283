"""The fixes of docs/rules.md: after each command, the rule finds nothing in the files that broke it."""

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from support.commands import run
from support.gguf_bytes import TensorSpec

import kaitai_gguf
from kaitai_gguf import RULES, Finding, check
from kaitai_gguf.reading.header import Header
from rules.build import NAME, with_tensor
from rules.cases import CASES, REFUSED_BY_OPEN
from rules.test_rules import written

INTRODUCTION = (Path(__file__).parents[2] / "docs" / "rules.md").read_text(encoding="utf-8").partition("\n## ")[0]
PLACEHOLDER = re.compile(r"\b[A-Z][A-Z_]+\b")
WRITING = [
    *("set FILE a=1", "unset FILE general.architecture", "rename-key FILE general.architecture a.b"),
    *("rename-tensor FILE token_embd.weight t", "copy FILE --tensors *", "convert FILE --version 2"),
    *("convert-endian FILE", "merge FILE", "split FILE --max-tensors 1"),
]
"""Each command that writes, with what it needs."""


def findings(rule: str, path: Path) -> list[Finding]:
    return [finding for finding in check(path) if finding.rule == rule]


def named(finding: Finding, data: bytes) -> dict[str, str]:
    """Return the key or the tensor that a finding is about."""
    _, kind, *rest = finding.path.split("/")
    if kind == "metadata" and rest:
        return {"KEY": Header(data).keys[int(rest[0])]}
    return {"TENSOR": Header(data).names[int(rest[0])]} if kind == "tensors" and rest else {}


def arguments(command: str, chosen: dict[str, Any]) -> list[str]:
    """Split a command into words, and replace placeholders. One that is a whole word can become several words."""
    words: list[str] = []
    for word in shlex.split(command):
        choice = chosen.get(word)
        words += choice if isinstance(choice, list) else [PLACEHOLDER.sub(lambda match: chosen[match[0]], word)]
    return words


@pytest.mark.parametrize("rule", [id for id, rule in RULES.items() if rule.fixes])
def test_every_command_fixes_what_the_rule_finds(rule: str, tmp_path: Path) -> None:
    fixes, tried = RULES[rule].fixes, set()
    for number, broken in enumerate(CASES[rule]):
        applicable = range(len(fixes)) if broken.fixes is None else broken.fixes
        assert applicable, f"no fix applies to case {number}"
        for which in applicable:
            folder = tmp_path / f"{number}-{which}"
            folder.mkdir()
            path, fixed, values = written(broken, folder), folder / "fixed.gguf", folder / "values.json"
            (finding, *_) = findings(rule, path)
            chosen = {"FILE": str(path), "FIXED": str(fixed), **named(finding, broken.data), **broken.choices}
            values.write_text(str(chosen.get("JSON")), encoding="utf-8")
            program, *command = arguments(fixes[which], chosen | {"JSON": str(values)})
            assert program == "kaitai-gguf"
            result = run(*command)
            assert result.exit_code == 0, (command, result.output)
            assert findings(rule, fixed if "FIXED" in fixes[which] else path) == []
            tried.add(which)
    assert tried == set(range(len(fixes))), "no case used one of the fixes"


def test_commands_are_in_fixes_and_their_placeholders_are_explained() -> None:
    """Only commands in fixes are tested, so there must be none elsewhere in the text."""
    assert sum(len(rule.fixes) for rule in RULES.values()) > 50
    for rule in RULES.values():
        assert rule.text.count("kaitai-gguf ") == len(rule.fixes)
        assert set(PLACEHOLDER.findall("".join(rule.fixes))) <= set(PLACEHOLDER.findall(INTRODUCTION))


def test_a_name_with_a_nul_is_fixed_in_python(tmp_path: Path) -> None:
    path = tmp_path / NAME
    path.write_bytes(with_tensor(TensorSpec("a\0b", (8,), 0, 192), 32).build())
    with kaitai_gguf.edit(path) as editor:
        editor.tensors.rename("a\0b", "a")
        editor.commit()
    assert findings("name-nul", path) == []


@pytest.mark.parametrize("rule", REFUSED_BY_OPEN)
def test_no_command_opens_what_open_refuses(rule: str, tmp_path: Path) -> None:
    assert "no command can open" in RULES[rule].text.lower()
    path, fixed = tmp_path / NAME, tmp_path / "fixed.gguf"
    path.write_bytes(CASES[rule][0].data)
    for command in WRITING:
        assert run(*command.replace("FILE", str(path)).split(), "--output", fixed).exit_code == 2
        assert not fixed.exists()
