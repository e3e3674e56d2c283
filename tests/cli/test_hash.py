"""`kaitai-gguf hash`: printed, written, checked."""

import os
from pathlib import Path

import pytest
from support.commands import cells, fails, output, raw_characters, run, strict_json
from support.gguf_bytes import Model, TensorSpec

import kaitai_gguf
from cli.conftest import SPLIT, Save


def manifest_of(path: Path, *options: str) -> Path:
    manifest = path.with_suffix(".json")
    assert output("hash", path, "--output", manifest, "--force", *options) == f"{manifest}\n"
    return manifest


def differences(path: Path, manifest: Path) -> list[list[str]]:
    result = run("hash", path, "--check", manifest)
    document = strict_json(run("hash", path, "--check", manifest, "--json").stdout)
    rows = cells(result.stdout)
    assert (result.exit_code, document["same"]) == (1, False)
    assert [[row["kind"], row["differs"]] for row in document["differences"]] == [row[::2] for row in rows]
    return rows


def test_hashes_are_printed_as_lines_and_as_the_manifest(model: Path) -> None:
    hashes = kaitai_gguf.digest(model)
    rows = [(hashes.files[0], "model.gguf"), *((digest, name) for name, digest in hashes.tensors.items())]
    assert output("hash", model).splitlines() == ["digest\tname", *map("\t".join, rows)]
    document = strict_json(output("hash", model, "--json"))
    assert document == strict_json(manifest_of(model).read_text())
    assert document["files"][0].items() >= {"name": "model.gguf", "nbytes": 21248}.items()
    assert document["tensors"][0].items() >= {"name": "token_embd.weight", "type": "Q8_0", "dims": [256, 8]}.items()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--algorithm", "xxh3"], "1 file, 12 tensors"),
        (["--only", "tensors"], "12 tensors"),
        (["--only", "file"], "1 file"),
    ],
    ids=str,
)
def test_a_manifest_matches_its_model(options: list[str], words: str, model: Path) -> None:
    manifest = manifest_of(model, *options)
    assert output("hash", model, "--check", manifest) == f"matches the manifest: {words}\n"
    assert strict_json(output("hash", model, "--check", manifest, "--json")) == {"same": True, "differences": []}


def test_what_changed_is_named(model: Path) -> None:
    manifest, data = manifest_of(model), model.read_bytes()
    place = 8416 + 4896
    model.write_bytes(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :])
    tensor = ["tensor", "blk.0.attn_norm.weight", "its bytes"]
    assert differences(model, manifest) == [tensor, ["file", "model.gguf", "its bytes"]]
    model.write_bytes(data.replace(b"Tiny AllQuants", b"Tiny allquants"))
    assert differences(model, manifest) == [["file", "model.gguf", "bytes outside the tensors"]]


def test_tensors_that_were_changed_removed_and_added(save: Save) -> None:
    one, two = (
        Model(tensors=[TensorSpec("a", dims, 24, 0), TensorSpec(other, (4,), 24, 32)], data=bytes(64))
        for dims, other in (((4,), "b"), ((2, 2), b"\xff\x1b[31m\n"))
    )
    path = save(two, "two.gguf")
    assert differences(path, manifest_of(save(one), "--only", "tensors")) == [
        ["tensor", "a", "its dims"],
        ["tensor", "b", "is missing"],
        ["tensor", r"\udcff\x1b[31m\n", "is not in the manifest"],
    ]
    assert not raw_characters(output("hash", path))
    assert strict_json(output("hash", path, "--json"))["tensors"][1]["name"] == {"base64": "/xtbMzFtCg=="}
    output("hash", path, "--check", manifest_of(path))


def test_tensors_may_move_to_other_files(model: Path) -> None:
    assert output("hash", SPLIT[1], "--check", manifest_of(model, "--only", "tensors"))
    ((_, _, words),) = differences(SPLIT[1], manifest_of(model, "--only", "file"))
    assert words == "the model has 3 files, the manifest has 1"


@pytest.mark.parametrize(
    "text",
    [
        "{", "[]", "\xff", "[" * 10000, '{"algorithm": "md5", "files": [], "tensors": []}',
        '{"algorithm": "sha256", "files": [{"name": "x", "nbytes": 1}], "tensors": []}',
        '{"algorithm": "sha256", "files": [], "tensors": [{"name": {"base64": "!"}}]}',
    ],
)  # fmt: skip
def test_files_that_are_not_manifests(text: str, model: Path) -> None:
    path = model.with_suffix(".json")
    path.write_text(text, "latin-1")
    words = "its algorithm is 'md5', expected one of" if "md5" in text else "is not a manifest of hashes"
    fails(words, "hash", model, "--check", path)


def test_what_can_not_be_a_manifest_is_not_read(model: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Reading a device would never end, and a pipe without a writer would block."""
    os.mkfifo(tmp_path / "pipe")
    for path in (Path("/dev/zero"), tmp_path / "pipe", tmp_path):
        fails(f"{path}: is not a regular file", "hash", model, "--check", path)
    manifest = manifest_of(model)
    size = manifest.stat().st_size
    monkeypatch.setattr("kaitai_gguf.cli.commands.hash.LARGEST", size - 1)
    words = f"{manifest}: is too large to be a manifest: it has more than {size - 1:,} bytes"
    fails(words, "hash", model, "--check", manifest)
    fails("--check can't be combined with", "hash", model, "--check", manifest, "--only", "file")
