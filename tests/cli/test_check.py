"""`kaitai-gguf check`: what is wrong with files."""

import os
import shutil
from pathlib import Path
from typing import Any

import pytest
from rules.build import NAME, good, with_key
from support.commands import ENVIRONMENT, fails, output, raw_characters, run, strict_json, terminal
from support.gguf_bytes import Array

from kaitai_gguf import RULES

NO_REASON = (
    "no reason found why llama.cpp would refuse it (not checked: the tensors of the blocks, the shapes of most tensors)"
)


@pytest.fixture
def fine(tmp_path: Path) -> Path:
    path = tmp_path / NAME
    path.write_bytes(good().build())
    return path


@pytest.fixture
def wrong(tmp_path: Path) -> Path:
    """Write a file with an error, a warning and a note."""
    path = tmp_path / "wrong.gguf"
    model = with_key("x", "array", Array("array", []), with_key("A", "uint8", 1))
    path.write_bytes(model.build())
    return path


def test_a_line_for_each_finding(fine: Path, wrong: Path, tmp_path: Path) -> None:
    assert output("check", fine) == f"{fine}: 0 errors, 0 warnings, 0 notes; {NO_REASON}\n"
    result = run("check", wrong)
    assert (result.exit_code, result.stderr) == (1, "")
    lines = result.stdout.splitlines()
    assert [line.partition("[")[2] for line in lines] == [
        "key-charset]", "nested-array, refused by ggml, llama.cpp]", "empty-array]", "",
    ]  # fmt: skip
    offset = wrong.read_bytes().index(b"A\0\0\0\0") - 8
    assert lines[0].startswith(f"{wrong}: byte {offset:#x}, /metadata/17/key: error: the key 'A' does not consist of")
    assert lines[-1] == f"{wrong}: 1 error, 1 warning, 1 note; llama.cpp would not load it: nested-array"
    fine.write_bytes(fine.read_bytes()[:-100])
    verdict = "llama.cpp would read the header, but not load it as a model: missing-data"
    assert run("check", fine).stdout.endswith(f"{fine}: 1 error, 0 warnings, 0 notes; {verdict}\n")


def test_exit_status_and_files_that_can_not_be_read(fine: Path, wrong: Path, tmp_path: Path) -> None:
    assert run("check", fine, wrong).exit_code == 1
    assert run("check", wrong, "--ignore", "key-charset").exit_code == 0
    assert run("check", wrong, "--ignore", "key-charset", "--strict").exit_code == 1
    assert run("check", wrong, "--select", "file-name", "--strict").exit_code == 0
    missing = tmp_path / "missing.gguf"
    result = run("check", missing, tmp_path, fine)
    assert (result.exit_code, result.stdout) == (2, f"{fine}: 0 errors, 0 warnings, 0 notes; {NO_REASON}\n")
    assert result.stderr == (
        f"kaitai-gguf: {missing}: no such file\nkaitai-gguf: {tmp_path}: is a directory, not a GGUF file\n"
    )


def test_patterns(fine: Path, wrong: Path, tmp_path: Path) -> None:
    document = strict_json(run("check", tmp_path / "*.gguf", fine, "--format", "json").stdout)
    assert [row["file"] for row in document["files"]] == [str(fine), str(wrong)]
    (tmp_path / "a" / "b").mkdir(parents=True)
    shutil.copy(fine, tmp_path / "a" / "b")
    assert run("check", tmp_path / "**" / "*.gguf").stdout.count(f"{fine.name}:") == 2
    (tmp_path / "[a].gguf").write_bytes(good().build())
    assert run("check", tmp_path / "[a].gguf").stdout.startswith(str(tmp_path / "[a].gguf"))


def test_select_and_ignore(wrong: Path) -> None:
    def rules(*options: str) -> list[str]:
        results: list[Any] = sarif(wrong, *options)["results"]
        document = strict_json(run("check", wrong, "--json", *options).stdout)
        assert "would not load it: nested-array" in document["files"][0]["llama_cpp"]["verdict"]
        assert [row["ruleId"] for row in results] == [row["rule"] for row in document["files"][0]["findings"]]
        return [row["ruleId"] for row in results]

    assert rules() == ["key-charset", "nested-array", "empty-array"]
    assert rules("--pedantic") == ["file-name", "key-charset", "nested-array", "empty-array"]
    assert rules("--select", "file-name", "--select", "empty-array") == ["file-name", "empty-array"]
    assert rules("--ignore", "key-charset", "--ignore", "empty-array") == ["nested-array"]
    fails("no rule 'key-charsets'; did you mean 'key-charset'?", "check", wrong, "--select", "key-charsets")


def test_deep(tmp_path: Path) -> None:
    path, model = tmp_path / NAME, good()
    model.data = b"\0\0\xc0\x7f" + model.data[4:]
    path.write_bytes(model.build())
    assert run("check", path, "--strict").exit_code == 0
    assert run("check", path, "--deep", "--strict").exit_code == 1


def test_a_terminal_gets_colors(wrong: Path, fine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    status, shown = terminal("check", wrong, fine, columns=300)
    assert status == 1
    for text in ("\x1b[31m\x1b[1merror", "\x1b[33m\x1b[1mwarning", "\x1b[36m\x1b[1mnote", "\x1b[31m\x1b[1m1 error"):
        assert text in shown
    assert f"{fine}: 0 errors, 0 warnings, 0 notes; " in shown
    monkeypatch.setitem(ENVIRONMENT, "NO_COLOR", "1")
    assert terminal("check", wrong, fine)[1].replace("\r\n", "\n") == run("check", wrong, fine).stdout


def test_json(wrong: Path, fine: Path, tmp_path: Path) -> None:
    missing = tmp_path / "missing.gguf"
    first, second, third = strict_json(run("check", wrong, missing, fine, "--format", "json").stdout)["files"]
    assert first["counts"] == {"error": 1, "warning": 1, "note": 1}
    assert first["llama_cpp"] == {
        "reads_header": False,
        "loads": False,
        "because_of": ["nested-array"],
        "verdict": "llama.cpp would not load it: nested-array",
        "not_checked": ["the tensors of the blocks", "the shapes of most tensors"],
    }
    assert first["findings"][1] == {
        "rule": "nested-array",
        "severity": "warning",
        "offset": first["findings"][2]["offset"],
        "path": "/metadata/18/value",
        "message": "the value of 'x' is an array of arrays, which llama.cpp does not read",
        "refused_by": ["ggml", "llama.cpp"],
        "count": 1,
    }
    assert second == {"file": str(missing), "error": "no such file"}
    loads = {"reads_header": True, "loads": None, "because_of": [], "verdict": NO_REASON}  # never True
    assert third["llama_cpp"] == first["llama_cpp"] | loads


def sarif(*arguments: object) -> Any:
    document = strict_json(run("check", *arguments, "--format", "sarif").stdout)
    assert document["version"] == "2.1.0"
    (only,) = document["runs"]
    return only


def test_sarif(wrong: Path, fine: Path, tmp_path: Path) -> None:
    found = sarif(wrong)
    rules = found["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == list(RULES)
    result = found["results"][0]
    assert rules[result["ruleIndex"]]["id"] == result["ruleId"] == "key-charset"
    assert result["level"] == rules[result["ruleIndex"]]["defaultConfiguration"]["level"] == "error"
    (location,) = result["locations"]
    assert location["physicalLocation"]["artifactLocation"] == {"uri": wrong.as_uri(), "index": 0}
    assert location["physicalLocation"]["region"] == {"byteOffset": wrong.read_bytes().index(b"A\0\0\0\0") - 8}
    assert location["logicalLocations"] == [{"fullyQualifiedName": "/metadata/17/key"}]
    assert found["artifacts"][0]["properties"]["llamaCpp"]["loads"] is False
    assert found["invocations"] == [{"executionSuccessful": True, "toolExecutionNotifications": []}]
    found = sarif(fine, tmp_path / "missing.gguf")
    (invocation,) = found["invocations"]
    assert not invocation["executionSuccessful"]
    (notification,) = invocation["toolExecutionNotifications"]
    assert notification["message"] == {"text": "no such file"}
    assert notification["locations"][0]["physicalLocation"]["artifactLocation"]["index"] == 1
    assert found["results"] == []


@pytest.mark.parametrize(
    ("name", "uri"),
    [(b"a b#?%.gguf", "a%20b%23%3F%25.gguf"), ("ü.gguf".encode(), "%C3%BC.gguf"), (b"\xff.gguf", "%FF.gguf")],
)
def test_names_of_files(name: bytes, uri: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """SARIF has links, so brackets are escaped in messages, besides what can't be printed."""
    (tmp_path / "x:y").mkdir()
    monkeypatch.chdir(tmp_path)
    Path(os.fsdecode(b"x:y/" + name)).write_bytes(with_key("[link](x){0}\n\x1b", "bool", 1).build())
    for form in ("text", "json", "sarif"):
        result = run("check", os.fsdecode(b"x:y/" + name), "--format", form)
        assert (result.exit_code, result.stderr) == (1, "")
        assert raw_characters(result.stdout) == set()
    (only,) = strict_json(result.stdout)["runs"]
    assert only["artifacts"][0]["location"] == {"uri": f"x%3Ay/{uri}"}
    assert "\\[link](x){{0}}\\\\n" in only["results"][0]["message"]["text"]
