"""The files in this directory match the cases, and the package treats them as recorded."""

import json
from typing import Any

import pytest
from support.about import about

import kaitai_gguf
from attacks.cases import CASES
from attacks.exercise import exercise
from attacks.verdicts import FILES, GGML, VERDICTS, document, verdict

KNOWN = json.loads(VERDICTS.read_text())
STALE = "run `make verdicts`"
# The files of version 3 that llama.cpp refuses and we open. README.md has the reasons.
STRICTER = [
    "arrays-of-nothing", "nested", "nested-128", "type-4", "type-31", "type-43", "type-negative",
    "same-offset-unknown", "tensor-name-64", "tensor-name-200", "gap", "gap-at-the-start", "order",
    "no-padding", "offset-behind-the-end", "zero-dim-far-away",
]  # fmt: skip


@pytest.fixture(scope="module")
def verdicts() -> dict[str, dict[str, Any]]:
    return {name: verdict(case) for name, case in CASES.items()}


def test_a_case_ends_as_it_says(verdicts: dict[str, dict[str, Any]]) -> None:
    for name, case in CASES.items():
        found = {key: fact for key, fact in verdicts[name].items() if key not in ("about", "check")}
        if case.refusal is None:
            assert found == {"open": True, "no_data": list(case.no_data)}, name
        else:
            assert found == {"open": False} | vars(case.refusal), name


def test_the_verdicts_are_those_that_are_written_down(verdicts: dict[str, dict[str, Any]]) -> None:
    known = {
        f"{name}.gguf": found | {key: KNOWN[f"{name}.gguf"][key] for key in GGML} for name, found in verdicts.items()
    }
    assert document(known) == VERDICTS.read_text(), STALE


def test_the_files_are_those_of_the_cases() -> None:
    files = {path.relative_to(FILES).as_posix(): path.read_bytes() for path in FILES.rglob("*.gguf")}
    assert files == {f"{name}.gguf": case.data for name, case in CASES.items()}, STALE
    assert sum(map(len, files.values())) < 1 << 20


@pytest.mark.parametrize("group", ["refused", "opened", "cve", "found"])
def test_whatever_is_done_with_a_case_ends_well(group: str) -> None:
    cases = {name: case for name, case in CASES.items() if name.startswith(f"{group}/")}
    assert cases
    for name, case in cases.items():
        with about(name):
            assert exercise(case.data) is (case.refusal is None)


def test_we_open_what_llama_cpp_refuses_for_reasons() -> None:
    opened = {name: case for name, case in CASES.items() if case.refusal is None and name.endswith("-v3")}
    stricter = {name for name in opened if KNOWN[f"{name}.gguf"]["ggml"] != "loads"}
    assert {name.removeprefix("opened/").removesuffix("-v3") for name in stricter} == set(STRICTER)
    page = (FILES.parent / "README.md").read_text()
    assert [name for name in STRICTER if f"`{name}`" not in page] == []


def test_check_knows_what_ggml_makes_of_a_case() -> None:
    for name, case in CASES.items():
        refused = {reader for finding in kaitai_gguf.check(case.data) for reader in finding.refused_by}
        header, data = (KNOWN[f"{name}.gguf"][reader] != "loads" for reader in GGML)
        assert ("ggml" in refused, bool(refused & set(GGML))) == (header, data), name
