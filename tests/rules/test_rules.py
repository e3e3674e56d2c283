"""Each rule reports the files that break it, at the right place, and nothing in a good file."""

from pathlib import Path

import pytest
from support.gguf_bytes import Model, TensorSpec

from kaitai_gguf import RULES, Severity, check
from rules.build import METADATA, NAME, Broken, good, shard, shards, with_key, with_tensor
from rules.cases import CASES, DEEP

EACH = [pytest.param(rule, case, id=f"{rule}-{i}") for rule in CASES for i, case in enumerate(CASES[rule])]


def written(broken: Broken, folder: Path) -> Path:
    for name, data in (broken.others | {broken.name: broken.data}).items():
        (folder / name).write_bytes(data)
    return folder / broken.name


@pytest.mark.parametrize(("rule", "case"), EACH)
def test_found_in_its_place(rule: str, case: Broken, tmp_path: Path) -> None:
    found = check(written(case, tmp_path), deep=rule in DEEP, pedantic=True)
    findings = [finding for finding in found if finding.rule == rule]
    assert (case.offset, case.path) in [(finding.offset, finding.path) for finding in findings]
    for finding in findings:
        assert finding.severity is RULES[rule].severity
        assert finding.refused_by == (RULES[rule].refused_by if case.refused_by is None else case.refused_by)
        assert finding.message
        assert finding.message.isprintable()


GOOD = {
    "model": good(),
    "version 2": good(version=2),
    "vocabulary": Model(list(METADATA)),
    "the longest key": with_key("a" * 65_535, "uint8", 1),
    "the longest name": with_tensor(TensorSpec("a" * 63, (8,), 0, 192), 32),
    "keys of all characters": with_key("a_1.0.b__", "uint8", 1),
    "keys after an architecture with a separator": with_key("llama.a", "uint8", 1),
    "an alignment of 64": Model(
        [*METADATA, ("general.alignment", "uint32", 64)],
        [TensorSpec("a", (16,), 0, 0), TensorSpec("b", (16,), 0, 64)],
        bytes(128),
        alignment=64,
    ),
    "a shard": shard(0, 1, 2),
}
OF_SOME = {"file-type", "missing-quantization-version", "missing-tensor"}  # if a tensor is missing


def test_nothing_in_good_files(tmp_path: Path) -> None:
    path = tmp_path / NAME
    for name, model in GOOD.items():
        path.write_bytes(model.build())
        assert [finding for finding in check(path, deep=True) if finding.rule not in OF_SOME] == [], name
    for name, model in shards().items():
        (tmp_path / name).write_bytes(model.build())
    assert [finding for name in shards() for finding in check(tmp_path / name, pedantic=True)] == []


NAMES = [
    "Mixtral-8x7B-v0.1-KQ2.gguf",  # the first ones are the examples of the documentation
    "Hermes-2-Pro-Llama-3-8B-v1.0-F16.gguf",
    "Phi-3-mini-3.8B-ContextLength4k-instruct-v1.0.gguf",
    "mtp-Qwen3-27B-v1.0-Q4_K_M.gguf",
    "mmproj-Qwen2-VL-7B-v1.0-F16.gguf",
]


@pytest.mark.parametrize("name", [*NAMES, "not-a-known-arrangement.gguf", "Hermes-2-Pro-Llama-3-8B-F16.gguf", "a.bin"])
def test_names_of_files(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(good().build())
    assert [finding.rule for finding in check(tmp_path / name, pedantic=True)] == ["file-name"] * (name not in NAMES)


def test_every_rule_has_a_case_and_what_refuses_a_file_is_a_warning_at_least() -> None:
    assert set(CASES) == set(RULES) - {"misfit"}  # which two files break: tests/models/test_fitting.py
    for rule in RULES.values():
        assert bool(rule.refused_by) >= (rule.severity is Severity.WARNING)
        assert not (rule.refused_by and rule.severity is Severity.NOTE)
