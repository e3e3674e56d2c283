"""The package treats the files of the corpus as `verdicts.json` says."""

import re

import pytest
from support.about import about

import kaitai_gguf
from attacks.corpus import CASES, FILES
from attacks.exercise import exercise
from attacks.verdicts import GGML, verdict


def test_each_file_has_a_verdict() -> None:
    files = {path.relative_to(FILES).as_posix(): path.stat().st_size for path in FILES.rglob("*.gguf")}
    assert files.keys() == {f"{name}.gguf" for name in CASES}
    assert len(files) > 500
    assert sum(files.values()) < 1 << 20
    assert all(case.verdict["about"] for case in CASES.values())


@pytest.mark.parametrize("group", ["refused", "opened", "cve", "found"])
def test_verdicts(group: str) -> None:
    """Run `make verdicts` if a difference is intended."""
    cases = {name: case for name, case in CASES.items() if name.startswith(f"{group}/")}
    assert cases
    for name, case in cases.items():
        with about(name):
            expected = {key: fact for key, fact in case.verdict.items() if key not in ("about", *GGML)}
            assert verdict(case.data) == expected
            assert exercise(case.data) is case.opens
            if not case.opens:
                assert expected["message"].endswith(f"(at byte {expected['offset']:#x})")


def test_the_files_that_only_llama_cpp_refuses_are_explained() -> None:
    page = (FILES.parent / "README.md").read_text()
    explained = re.findall(
        "`([^`]+)`", "".join(re.findall(r"^\| (`.*?) \|", page.partition("Where we differ")[2], re.M))
    )
    opened = [name for name, case in CASES.items() if case.opens and case.verdict["ggml"] != "loads"]
    stricter = {name.removeprefix("opened/").removesuffix("-v3") for name in opened if name.endswith("-v3")}
    assert stricter == set(explained) != set()


def test_check_knows_what_ggml_refuses() -> None:
    for name, case in CASES.items():
        refused = {reader for finding in kaitai_gguf.check(case.data) for reader in finding.refused_by}
        header, data = (case.verdict[reader] != "loads" for reader in GGML)
        assert ("ggml" in refused, bool(refused & set(GGML))) == (header, data), name
