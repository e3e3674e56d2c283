"""The fixes of docs/rules.md: after each command, the rule finds nothing in the files that broke it."""

import json
import re
import shlex
from collections import Counter
from pathlib import Path

import pytest
from support.commands import output, run
from support.gguf_bytes import TensorSpec

import kaitai_gguf
from kaitai_gguf import RULES, Finding, check
from kaitai_gguf.reading.header import Header
from rules.build import NAME, with_tensor
from rules.cases import CASES, DEEP, NAMES, REFUSED_BY_OPEN
from rules.choices import CHOICES, NOT_FOR, Choices

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
WITH_COMMANDS = sorted(set(RULES) - WITHOUT_COMMANDS)


def found(rule: str, path: Path) -> list[Finding]:
    return [finding for finding in check(path, deep=rule in DEEP) if finding.rule == rule]


def named(finding: Finding, data: bytes) -> Choices:
    """Return the key or the tensor that a finding is about."""
    _, kind, *rest = finding.path.split("/")
    if kind == "metadata" and rest:
        return {"KEY": Header(data).keys[int(rest[0])]}
    if kind == "tensors" and rest:
        return {"TENSOR": Header(data).names[int(rest[0])]}
    return {}


def arguments(command: str, chosen: Choices) -> list[str]:
    """Split a command into words, and replace placeholders. One that is a whole word can become several words."""
    words: list[str] = []
    for word in shlex.split(command):
        choice = chosen.get(word)
        if isinstance(choice, list):
            words += choice
        else:
            words.append(PLACEHOLDER.sub(lambda match: text(chosen[match[0]]), word))
    return words


def text(choice: str | list[str]) -> str:
    assert isinstance(choice, str)
    return choice


def fix(lines: str, chosen: Choices) -> int:
    """Run the commands of a fix, and return their number."""
    commands = [arguments(line, chosen) for line in lines.splitlines()]
    for program, command, *rest in commands:
        assert program == "kaitai-gguf"
        result = run(command, *rest)
        assert result.exit_code == 0, (command, result.output)
    return len(commands)


@pytest.mark.parametrize("rule", WITH_COMMANDS)
def test_every_command_fixes_what_the_rule_finds(rule: str, tmp_path: Path) -> None:
    ran: Counter[int] = Counter()
    choices = CHOICES.get(rule, [{}] * len(CASES[rule]))
    for number, (case, choice) in enumerate(zip(CASES[rule], choices, strict=True)):
        broken, before = case(), sum(ran.values())
        for which, lines in enumerate(RULES[rule].fixes):
            if (rule, number, which) in NOT_FOR:
                continue
            folder = tmp_path / f"{number}-{which}"
            folder.mkdir()
            path, fixed = folder / NAMES.get(case.__name__, NAME), folder / "fixed.gguf"
            path.write_bytes(broken.data)
            for name, data in broken.others.items():
                (folder / name).write_bytes(data)
            (finding, *_) = found(rule, path)
            chosen: Choices = {"FILE": str(path), "FIXED": str(fixed), **named(finding, broken.data), **choice}
            if "JSON" in chosen:
                (folder / "values.json").write_text(text(chosen["JSON"]), encoding="utf-8")
                chosen["JSON"] = str(folder / "values.json")
            ran[which] += fix(lines, chosen)
            assert found(rule, fixed if "FIXED" in lines else path) == []
        assert sum(ran.values()) > before, f"no fix was tried with case {number}"
    for which, lines in enumerate(RULES[rule].fixes):
        assert ran[which] >= len(lines.splitlines()), f"no case used this fix: {lines}"
    assert ran


def test_the_rules_without_commands() -> None:
    assert {id for id, rule in RULES.items() if not rule.fixes} == WITHOUT_COMMANDS


def test_every_command_line_is_in_a_fix() -> None:
    """Only commands in fixes are tested, so there must be none elsewhere in the text."""
    for rule in RULES.values():
        in_fixes = sum(len(lines.splitlines()) for lines in rule.fixes)
        assert rule.text.count("kaitai-gguf ") == in_fixes


def test_the_choices_are_for_rules_and_cases() -> None:
    assert set(CHOICES) <= set(WITH_COMMANDS)
    for rule, number, which in NOT_FOR:
        assert number < len(CASES[rule])
        assert which < len(RULES[rule].fixes)


def test_the_page_explains_every_placeholder() -> None:
    used = {match for rule in RULES.values() for lines in rule.fixes for match in PLACEHOLDER.findall(lines)}
    assert used == set(PLACEHOLDERS)
    introduction = (Path(__file__).parents[2] / "docs" / "rules.md").read_text(encoding="utf-8").partition("\n## ")[0]
    assert used <= set(PLACEHOLDER.findall(introduction))


def test_the_existing_array_is_a_value_of_metadata(tmp_path: Path) -> None:
    path, values = tmp_path / NAME, tmp_path / "values.json"
    path.write_bytes(CASES["token-type"][0]().data)
    types = json.loads(output("metadata", path, "tokenizer.ggml.token_type", "--json"))["value"]
    values.write_text(json.dumps([each if 1 <= each <= 6 else 1 for each in types]))
    output("set", path, f"tokenizer.ggml.token_type=@{values}", "--in-place")
    assert found("token-type", path) == []


def test_a_name_with_a_nul_is_fixed_in_python(tmp_path: Path) -> None:
    path = tmp_path / NAME
    path.write_bytes(with_tensor(TensorSpec("a\0b", (8,), 0, 192), 32).build())
    assert found("name-nul", path)
    with kaitai_gguf.edit(path) as editor:
        editor.tensors.rename("a\0b", "a")
        editor.commit()
    assert found("name-nul", path) == []


@pytest.mark.parametrize("rule", REFUSED_BY_OPEN)
def test_no_command_opens_what_open_refuses(rule: str, tmp_path: Path) -> None:
    path, fixed = tmp_path / NAME, tmp_path / "fixed.gguf"
    for case in CASES[rule]:
        path.write_bytes(case().data)
        for command, options in COMMANDS.items():
            assert run(command, path, *options, "--output", fixed).exit_code == 2
            assert not fixed.exists()
    assert "no command can open" in RULES[rule].text.lower()
