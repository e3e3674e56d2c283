"""`kaitai-gguf hash`: printed, written, checked."""

import hashlib
import json
import os
from pathlib import Path

import pytest
from support.commands import cells, output, raw_characters, run, strict_json
from support.gguf_bytes import Model, TensorSpec

from cli.conftest import SOURCE, SPLIT, Save


def manifest_of(path: Path, *options: str) -> Path:
    manifest = path.with_suffix(".json")
    assert output("hash", path, "--output", manifest, *options) == f"{manifest}\n"
    return manifest


def differences(path: Path, manifest: Path) -> list[tuple[str, str, str]]:
    result = run("hash", path, "--check", manifest)
    rows = [tuple(row) for row in cells(result.stdout)]
    document = strict_json(run("hash", path, "--check", manifest, "--json").stdout)
    assert (result.exit_code, document["same"]) == (1, False)
    assert [tuple(row.values()) for row in document["differences"]] == rows
    return rows  # type: ignore[return-value]


def test_a_line_for_the_file_and_each_tensor(model: Path) -> None:
    names, *lines = output("hash", model).splitlines()
    assert names == "sha256\tfile or tensor"
    assert lines[0] == f"{hashlib.sha256(model.read_bytes()).hexdigest()}\tmodel.gguf"
    expected = json.loads(SOURCE.with_suffix(".expected.json").read_text())["tensors"]
    assert lines[1:] == [f"{row['sha256']}\t{row['name']}" for row in expected]


def test_json_is_the_manifest(model: Path) -> None:
    document = strict_json(output("hash", model, "--json"))
    assert document == strict_json(manifest_of(model).read_text())
    assert document["files"][0].items() >= {"name": "model.gguf", "nbytes": 21248}.items()
    assert document["tensors"][0].items() >= {"name": "token_embd.weight", "type": "Q8_0", "dims": [256, 8]}.items()


@pytest.mark.parametrize("options", [[], ["--algorithm", "xxh3"], ["--only", "tensors"], ["--only", "file"]], ids=str)
def test_what_was_written_is_found_again(options: list[str], model: Path) -> None:
    manifest = manifest_of(model, *options)
    assert output("hash", model, "--check", manifest).startswith("matches the manifest: ")
    assert strict_json(output("hash", model, "--check", manifest, "--json")) == {"same": True, "differences": []}


def test_a_tensor_that_differs_is_named(model: Path) -> None:
    manifest = manifest_of(model)
    data = bytearray(model.read_bytes())
    data[8416 + 4896] ^= 1
    model.write_bytes(data)
    assert differences(model, manifest) == [
        ("tensor", "blk.0.attn_norm.weight", "its bytes"),
        ("file", "model.gguf", "its bytes"),
    ]


def test_a_header_that_differs_is_told_apart(model: Path) -> None:
    manifest, of_tensors = manifest_of(model), model.with_name("tensors.json")
    output("hash", model, "--only", "tensors", "--output", of_tensors)
    model.write_bytes(model.read_bytes().replace(b"Tiny AllQuants", b"Tiny allquants"))
    assert differences(model, manifest) == [("file", "model.gguf", "its bytes, of no tensor")]
    assert output("hash", model, "--check", of_tensors) == "matches the manifest: 12 tensors\n"


def test_tensors_that_came_and_went(save: Save) -> None:
    one = save(Model(tensors=[TensorSpec("a", (4,), 24, 0), TensorSpec("b", (4,), 24, 32)], data=bytes(64)), "one.gguf")
    two = save(
        Model(tensors=[TensorSpec("a", (2, 2), 24, 0), TensorSpec("c", (4,), 24, 32)], data=bytes(64)), "two.gguf"
    )
    assert differences(two, manifest_of(one, "--only", "tensors")) == [
        ("tensor", "a", "its dims"),
        ("tensor", "b", "is missing"),
        ("tensor", "c", "is not in the manifest"),
    ]


def test_tensors_may_move_to_other_files(model: Path) -> None:
    assert output("hash", SPLIT[1], "--check", manifest_of(model, "--only", "tensors"))
    assert differences(SPLIT[1], manifest_of(model, "--only", "file", "--force"))[0][2] == (
        "the model has 3 files, the manifest has 1"
    )


def test_names_that_are_not_text(save: Save) -> None:
    path = save(Model(tensors=[TensorSpec(b"\xff\x1b[31m\n", (4,), 24, 0)], data=bytes(32)))
    assert not raw_characters(output("hash", path))
    manifest = manifest_of(path)
    assert strict_json(manifest.read_text())["tensors"][0]["name"] == {"base64": "/xtbMzFtCg=="}
    assert run("hash", path, "--check", manifest).exit_code == 0


@pytest.mark.parametrize(
    "text",
    [
        "", "{", "[]", "{}", "\xff", "[" * 10000, '{"algorithm": "md5", "files": [], "tensors": []}',
        '{"algorithm": "sha256", "files": [{"name": "x", "nbytes": 1}], "tensors": []}',
        '{"algorithm": "sha256", "files": [], "tensors": [{"name": {"base64": "!"}}]}',
    ],
)  # fmt: skip
def test_what_is_no_manifest(text: str, model: Path) -> None:
    path = model.with_suffix(".json")
    path.write_text(text, "latin-1")
    result = run("hash", model, "--check", path)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "manifest" in result.stderr or "md5" in result.stderr


def test_options_that_do_not_go_together(model: Path) -> None:
    for options in (["--output", "x"], ["--algorithm", "xxh3"], ["--only", "file"]):
        assert run("hash", model, "--check", "x.json", *options).exit_code == 2


def test_a_manifest_is_a_regular_file(model: Path, tmp_path: Path) -> None:
    """Reading a device would never end, and a pipe without a writer would block."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path in (Path("/dev/zero"), pipe, tmp_path):
        result = run("hash", model, "--check", path)
        assert (result.exit_code, result.stderr) == (2, f"kaitai-gguf: {path}: is not a regular file\n")


def test_a_manifest_has_a_size(model: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    sparse = tmp_path / "sparse.json"
    with sparse.open("wb") as file:
        file.truncate(1 << 40)
    says = "is too large to be a manifest: it has more than"
    result = run("hash", model, "--check", sparse)
    assert (result.exit_code, result.stderr) == (2, f"kaitai-gguf: {sparse}: {says} 268,435,456 bytes\n")
    manifest = manifest_of(model)
    monkeypatch.setattr("kaitai_gguf.cli.commands.hash.LARGEST", manifest.stat().st_size)
    assert run("hash", model, "--check", manifest).exit_code == 0
    monkeypatch.setattr("kaitai_gguf.cli.commands.hash.LARGEST", manifest.stat().st_size - 1)
    assert says in run("hash", model, "--check", manifest).stderr
