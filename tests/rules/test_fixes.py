"""The fixes of docs/rules.md: after each command, the rule finds nothing in the files that broke it."""

import json
import re
import shlex
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from support.commands import output, run
from support.gguf_bytes import TensorSpec

import kaitai_gguf
from kaitai_gguf import RULES, Finding, check
from kaitai_gguf.reading.header import Header
from rules.build import NAME, with_tensor
from rules.cases import CASES, DEEP, REFUSED_BY_OPEN
from rules.test_rules import written

PLACEHOLDERS = ("FILE", "FIXED", "KEY", "TENSOR", "VALUE", "TYPE", "NAME", "NEW_KEY", "PATTERN", "JSON")
COMMANDS: dict[str, list[str]] = {
    "set": ["a=1"],
    "unset": ["general.architecture"],
    "rename-key": ["general.architecture", "a.b"],
    "rename-tensor": ["token_embd.weight", "t"],
    "copy": ["--tensors", "*"],
    "convert": ["--version", "2"],
    "convert-endian": [],
    "merge": [],
    "split": ["--max-tensors", "1"],
}
"""The commands that write, and what else they need."""

PLACEHOLDER = re.compile(r"\b[A-Z][A-Z_]+\b")

WITHOUT_COMMANDS = {
    *REFUSED_BY_OPEN,
    # the missing or correct data is not in the file
    *("tokenizer-length", "missing-tokens", "missing-merges", "missing-tokenizer", "embedding-shape"),
    *("removed-type", "unknown-type", "scalar-tensor", "missing-data", "shard-missing", *DEEP),
    # the fix is another file name, another reader, Python code, or nothing
    *("shard-name", "file-name", "new-type", "name-nul", "architecture-separator"),
}


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


@pytest.mark.parametrize("rule", sorted(set(RULES) - WITHOUT_COMMANDS))
def test_every_command_fixes_what_the_rule_finds(rule: str, tmp_path: Path) -> None:
    tried: Counter[int] = Counter()
    for number, broken in enumerate(CASES[rule]):
        fixes = range(len(RULES[rule].fixes)) if broken.fixes is None else broken.fixes
        assert fixes, f"no fix applies to case {number}"
        for which in fixes:
            folder = tmp_path / f"{number}-{which}"
            folder.mkdir()
            path, fixed = written(broken, folder), folder / "fixed.gguf"
            (finding, *_) = findings(rule, path)
            chosen = {"FILE": str(path), "FIXED": str(fixed), **named(finding, broken.data), **broken.choices}
            if "JSON" in chosen:
                (folder / "values.json").write_text(str(chosen["JSON"]), encoding="utf-8")
                chosen["JSON"] = str(folder / "values.json")
            program, *command = arguments(RULES[rule].fixes[which], chosen)
            assert program == "kaitai-gguf"
            result = run(*command)
            assert result.exit_code == 0, (command, result.output)
            assert findings(rule, fixed if "FIXED" in RULES[rule].fixes[which] else path) == []
            tried[which] += 1
    assert set(tried) == set(range(len(RULES[rule].fixes))), "no case used one of the fixes"


def test_the_rules_without_commands() -> None:
    assert {id for id, rule in RULES.items() if not rule.fixes} == WITHOUT_COMMANDS


def test_every_command_line_is_in_a_fix() -> None:
    """Only commands in fixes are tested, so there must be none elsewhere in the text."""
    for rule in RULES.values():
        assert rule.text.count("kaitai-gguf ") == len(rule.fixes)


def test_the_page_explains_every_placeholder() -> None:
    used = {match for rule in RULES.values() for line in rule.fixes for match in PLACEHOLDER.findall(line)}
    assert used == set(PLACEHOLDERS)
    introduction = (Path(__file__).parents[2] / "docs" / "rules.md").read_text(encoding="utf-8").partition("\n## ")[0]
    assert used <= set(PLACEHOLDER.findall(introduction))


def test_the_existing_array_is_a_value_of_metadata(tmp_path: Path) -> None:
    path, values = written(CASES["token-type"][0], tmp_path), tmp_path / "values.json"
    types = json.loads(output("metadata", path, "tokenizer.ggml.token_type", "--json"))["value"]
    values.write_text(json.dumps([each if 1 <= each <= 6 else 1 for each in types]))
    output("set", path, f"tokenizer.ggml.token_type=@{values}", "--in-place")
    assert findings("token-type", path) == []


def test_a_name_with_a_nul_is_fixed_in_python(tmp_path: Path) -> None:
    path = tmp_path / NAME
    path.write_bytes(with_tensor(TensorSpec("a\0b", (8,), 0, 192), 32).build())
    assert findings("name-nul", path)
    with kaitai_gguf.edit(path) as editor:
        editor.tensors.rename("a\0b", "a")
        editor.commit()
    assert findings("name-nul", path) == []


@pytest.mark.parametrize("rule", REFUSED_BY_OPEN)
def test_no_command_opens_what_open_refuses(rule: str, tmp_path: Path) -> None:
    path, fixed = tmp_path / NAME, tmp_path / "fixed.gguf"
    for case in CASES[rule]:
        path.write_bytes(case.data)
        for command, options in COMMANDS.items():
            assert run(command, path, *options, "--output", fixed).exit_code == 2
            assert not fixed.exists()
    assert "no command can open" in RULES[rule].text.lower()
