"""`kaitai-gguf export`: names of tensors never lead outside the output folder."""

import zipfile
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file
from support.commands import output, process, raw_characters, strict_json
from support.gguf_bytes import Model, TensorSpec

import kaitai_gguf
from cli.conftest import Save, files
from cli.exported import (
    F32,
    same,
)
from kaitai_gguf.cli.canonical import parsed_text
from kaitai_gguf.cli.safe_names import file_names, json_names

HOSTILE = [
    "../../x", "..", ".", "/etc/x", "a/b", "a\\b", "C:\\x", "C:x", "con", "CON.weight", "nul", "com1.x", "a\0b",
    "\x1b[2J", "\n", " ", "-rf", ".hidden", "a" * 300, "a" * 299 + "b", "é" * 150, "x", "X", "x.npy", "names.json", "~",
    "$HOME", "*", "__metadata__", "a_b", "A_B", b"\xff\xfe", "aux.",
]  # fmt: skip


def hostile(save: Save) -> Path:
    specs = [TensorSpec(name, (8,), F32, 32 * i) for i, name in enumerate(HOSTILE)]
    return save(Model([], specs, np.arange(8 * len(HOSTILE), dtype="<f4").tobytes()))


@pytest.mark.parametrize("format", ["npy", "safetensors"])
def test_hostile_names_stay_in_the_folder(format: str, save: Save, tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    path, folder = hostile(save), tmp_path / "deep" / "folder"
    done = process("export", path, "--to", folder, "--format", format)
    assert (done.returncode, done.stderr) == (0, b"")
    assert not raw_characters(done.stdout.decode())
    assert files(tmp_path) == ["deep", "model.gguf"]
    assert files(tmp_path / "deep") == ["folder"]
    assert len({name.lower() for name in files(folder)}) == len(HOSTILE) + 1
    assert all(len(name) < 255 and not name.startswith((".", "-")) for name in files(folder))


def test_names_json_says_which_is_which(save: Save, tmp_path: Path) -> None:
    path, folder = hostile(save), tmp_path / "folder"
    output("export", path, "--to", folder)
    renamed = strict_json((folder / "names.json").read_text())
    assert {"base64": "//4="} in renamed.values()
    with kaitai_gguf.open(path) as model:
        for name, tensor in model.tensors.items():
            file = next((key for key, value in renamed.items() if parsed_text(value) == name), f"{name}.npy")
            assert same(np.load(folder / file), tensor.data)
    assert "x.npy" not in renamed
    assert not {"~.npy", "X.npy"} & set(files(folder))


def test_hostile_names_in_an_archive(save: Save, tmp_path: Path) -> None:
    output("export", hostile(save), "--to", tmp_path / "x.npz")
    with zipfile.ZipFile(tmp_path / "x.npz") as archive:
        members = archive.namelist()
    assert len({name.lower() for name in members}) == len(HOSTILE)
    assert not any(set(name) & set("/\\:\0") or name.startswith(".") for name in members)
    with np.load(tmp_path / "x.npz") as found:
        assert sorted(float(found[name][0]) for name in found.files) == [8.0 * i for i in range(len(HOSTILE))]


def test_hostile_names_in_safetensors(save: Save, tmp_path: Path) -> None:
    output("export", hostile(save), "--to", tmp_path / "x.safetensors")
    found = load_file(tmp_path / "x.safetensors")
    names = [name if isinstance(name, str) else "\\udcff\\udcfe" for name in HOSTILE]
    assert {name: found[name if name != "__metadata__" else "__metadata___"][0] for name in names} == {
        name: 8.0 * i for i, name in enumerate(names)
    }


def test_names_that_were_chosen_to_collide() -> None:
    names = ["a/b", "a\\b", "a:b", "A_B", "a_b"]
    names += [name for name in file_names(names).values() if name not in names]
    assert len({name.lower() for name in file_names(names).values()}) == len(names)
    assert file_names(names)["A_B"] == "A_B"
    assert set(json_names(["\udcff", "\\udcff", "__metadata__", "__metadata___"]).values()) > {"\\udcff"}
    assert json_names(["\udcff", "\\udcff"])["\\udcff"] == "\\udcff"
