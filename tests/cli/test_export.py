"""`kaitai-gguf export`: exact values, and complete files or none."""

import json
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from safetensors.numpy import load_file
from support import commands
from support.commands import output, process, raw_characters, run, strict_json
from support.gguf_bytes import Model, TensorSpec

import kaitai_gguf
from cli.conftest import MODELS, Save, files
from kaitai_gguf.cli.canonical import parsed_text
from kaitai_gguf.cli.commands import export as export_command
from kaitai_gguf.cli.safe_names import file_names, json_names

F32, F16, Q4_0, UNKNOWN = 0, 1, 2, 77


def fails(words: str, *arguments: object) -> None:
    commands.fails(words, "export", *arguments)


def export(*arguments: object) -> None:
    """Run `export`, which must succeed. Output on stderr is allowed."""
    result = run("export", *arguments)
    assert result.exit_code == 0, result.stderr


def same(one: Any, other: Any) -> bool:
    """Return whether two arrays are equal bit for bit, NaN included. Byte order is ignored."""
    one, other = (each.astype(each.dtype.newbyteorder("<")) for each in map(np.asarray, (one, other)))
    return bool(one.dtype == other.dtype and one.shape == other.shape and one.tobytes() == other.tobytes())


def little(tensor: kaitai_gguf.Tensor) -> np.ndarray[Any, np.dtype[Any]]:
    """Return `data` as it would be in a little-endian file."""
    if tensor.data.dtype != np.uint8:
        return tensor.data.astype(tensor.data.dtype.newbyteorder("<"))
    blocks = tensor.blocks
    return np.frombuffer(blocks.astype(blocks.dtype.newbyteorder("<")).tobytes(), np.uint8).reshape(tensor.data.shape)


# Exported values equal those that the library reads


@pytest.mark.parametrize("stem", ["tiny-allquants", "tiny-be", "split5-00001-of-00003", "v1"])
def test_stored_values_are_exact(stem: str, tmp_path: Path) -> None:
    path = MODELS / f"{stem}.gguf"
    for target in ("x.safetensors", "x.npz", "y.npz", "raw"):
        export(path, "--to", tmp_path / target, *(["--format", "raw"] if target == "raw" else []))
    assert (tmp_path / "x.npz").read_bytes() == (tmp_path / "y.npz").read_bytes()
    found = load_file(tmp_path / "x.safetensors")
    with kaitai_gguf.open(path) as model, np.load(tmp_path / "x.npz", allow_pickle=False) as archive:
        assert set(found) == set(archive.files) == set(model.tensors)
        for name, tensor in model.tensors.items():
            assert same(found[name], little(tensor))
            assert same(archive[name], tensor.dequantize() if tensor.type_name == "BF16" else little(tensor))
            assert (tmp_path / "raw" / f"{name}.bin").read_bytes() == little(tensor).tobytes()


@pytest.mark.parametrize("dtype", ["float32", "float16", "float64", None])
@pytest.mark.parametrize("name", ["tiny-allquants", "tiny-be"])
def test_dequantized_values_are_exact(name: str, dtype: str | None, tmp_path: Path) -> None:
    path = MODELS / f"{name}.gguf"
    export(path, "--to", tmp_path / "x.npz", "--dequantize", *(["--dtype", dtype] if dtype else []))
    with kaitai_gguf.open(path) as model, np.load(tmp_path / "x.npz", allow_pickle=False) as found:
        assert set(found.files) == set(model.tensors) != set()
        for key, tensor in model.tensors.items():
            is_kept = tensor.data.dtype.kind == "i" or (dtype is None and tensor.data.dtype.kind == "f")
            assert same(found[key], little(tensor) if is_kept else tensor.dequantize(dtype or "float32"))


def test_a_folder_of_bfloat16_in_safetensors(sample: Path, tmp_path: Path) -> None:
    words = ["--format", "safetensors", "--dequantize", "--dtype", "bfloat16"]
    output("export", sample, "--to", tmp_path / "f", *words)
    with kaitai_gguf.open(sample) as model:
        assert files(tmp_path / "f") == sorted(f"{name}.safetensors" for name in model.tensors)
        for name, tensor in model.tensors.items():
            (found,) = load_file(tmp_path / "f" / f"{name}.safetensors").values()
            assert same(found, tensor.dequantize(ml_dtypes.bfloat16))


@pytest.mark.parametrize("suffix", [".raw", ".NPY"])
def test_a_file_of_one_tensor(suffix: str, sample: Path, tmp_path: Path) -> None:
    path = tmp_path / f"x{suffix}"
    output("export", sample, "--to", path, "--tensors", "output_norm.weight")
    with kaitai_gguf.open(sample) as model:
        expected = model.tensors["output_norm.weight"].data
    assert same(np.load(path) if suffix == ".NPY" else np.fromfile(path, "<f4"), expected)
    assert files(tmp_path) == [path.name]


@pytest.mark.parametrize("suffix", ["npz", "safetensors"])
def test_scalars_and_empty_tensors(suffix: str, save: Save, tmp_path: Path) -> None:
    specs = [TensorSpec("scalar", (), F32, 0), TensorSpec("none", (0, 5), F32, 32), TensorSpec("q", (0,), Q4_0, 32)]
    target = tmp_path / f"x.{suffix}"
    output("export", save(Model([], specs, bytes(32))), "--to", target)
    found = load_file(target) if suffix == "safetensors" else np.load(target)
    assert {name: found[name].shape for name in found} == {"scalar": (), "none": (5, 0), "q": (0,)}


def test_safetensors_says_what_it_was_and_aligns_the_widest_types_first(save: Save, tmp_path: Path) -> None:
    metadata = [
        ("general.name", "string", "n\0\u2028"),
        ("general.raw", "string", b"\xff"),
        ("general.count", "uint32", 1),
        ("other", "string", "x"),
    ]
    specs = [TensorSpec("q", (32,), Q4_0, 0), TensorSpec("h", (1,), F16, 32), TensorSpec("f", (1,), F32, 64)]
    output("export", save(Model(metadata, specs, bytes(96))), "--to", tmp_path / "x.safetensors")
    raw = (tmp_path / "x.safetensors").read_bytes()
    size = int.from_bytes(raw[:8], "little")
    header = json.loads(raw[8 : 8 + size])
    assert header.pop("__metadata__") == {
        "general.name": "n\0\u2028",
        "general.raw": "\\udcff",
        "gguf.types": '{"q": "Q4_0", "h": "F16", "f": "F32"}',
        "gguf.shapes": '{"q": [32]}',
    }
    assert size % 8 == 0
    assert {name: info["data_offsets"][0] for name, info in header.items()} == {"f": 0, "h": 4, "q": 6}


def test_a_warning_about_bfloat16(sample: Path, tmp_path: Path) -> None:
    result = run("export", sample, "--to", tmp_path / "x.npy", "--tensors", "output.weight")
    assert result.stderr == "kaitai-gguf: npy has no bfloat16: 1 BF16 tensor converted to float32\n"
    assert result.stdout == ("name\tkey\tdtype\tshape\tnbytes\noutput.weight\toutput.weight\tfloat32\t8 × 256\t8192\n")


# Refusals: an error, and nothing is written


@pytest.mark.parametrize("is_link", [False, True])
@pytest.mark.parametrize(("name", "leads_to"), [("a_x.npy", "file"), ("b.npy", "folder"), ("names.json", "missing")])
def test_existing_files_need_force(name: str, leads_to: str, is_link: bool, save: Save, tmp_path: Path) -> None:
    """Links that another program has planted in a folder are not followed. The folder may be a link itself."""
    model = save(Model([], [TensorSpec("a/x", (4,), F32, 0), TensorSpec("b", (4,), F32, 32)], bytes(48)))
    folder, outside, link = tmp_path / "out", tmp_path / "outside", tmp_path / "link"
    for each in (folder, outside, outside / "folder"):
        each.mkdir()
    (outside / "file").write_bytes(b"precious")
    link.symlink_to("out")
    if is_link:
        (folder / name).symlink_to(outside / leads_to)
    else:
        (folder / name).write_text("mine")
    fails(f"{name}: already exists; --force overwrites it", model, "--to", link)
    assert files(folder) == [name]
    export(model, "--to", link, "--force")
    assert files(folder) == ["a_x.npy", "b.npy", "names.json"]
    assert not (folder / name).is_symlink()
    assert (files(outside), files(outside / "folder")) == (["file", "folder"], [])
    assert (outside / "file").read_bytes() == b"precious"


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
@pytest.mark.parametrize("to", ["folder", "there", "x.npz"])
def test_nothing_is_left_of_a_failure(
    to: str, error: BaseException, sample: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "output.weight.npy").write_text("mine")
    write, calls = export_command.Item.write, []

    def failing(*arguments: Any) -> None:
        calls.append(arguments)
        write(*arguments)
        if len(calls) == 4:
            raise error

    monkeypatch.setattr(export_command.Item, "write", failing)
    result = run("export", sample, "--to", tmp_path / to, "--force")
    assert len(calls) == 4
    assert result.exit_code != 0
    assert files(tmp_path) == ["there"]
    assert files(tmp_path / "there") == ["output.weight.npy"]
    assert (tmp_path / "there" / "output.weight.npy").read_text() == "mine"
    if isinstance(error, OSError):
        assert (result.exit_code, "No space left on device" in result.stderr) == (2, True)


@pytest.mark.parametrize(("type_id", "words"), [(UNKNOWN, "is unknown"), (F32, "is not in the file")])
@pytest.mark.parametrize("to", ["x.npz", "folder"])
def test_unreadable_tensors(to: str, type_id: int, words: str, save: Save, tmp_path: Path) -> None:
    path = save(Model([], [TensorSpec("good", (8,), F32, 0), TensorSpec("bad", (8,), type_id, 32)], bytes(32)))
    fails(f"{path}: tensor 'bad': ", path, "--to", tmp_path / to)
    fails(words, path, "--to", tmp_path / to)
    assert files(tmp_path) == ["model.gguf"]
    output("export", path, "--to", tmp_path / to, "--tensors", "good")


def test_no_tensors(save: Save, tmp_path: Path) -> None:
    commands.fails("has no tensors", "export", save(Model()), "-o", tmp_path / "x.npz", status=1)
    assert files(tmp_path) == ["model.gguf"]


def test_a_dry_run_of_an_export(sample: Path, tmp_path: Path) -> None:
    for target in ("x.safetensors", "folder/"):
        words = ["export", sample, "-o", f"{tmp_path}/{target}", "--tensors", "*norm*"]
        said, facts = output(*words, "--dry-run"), strict_json(output(*words, "--dry-run", "--json"))
        assert files(tmp_path) == ([] if target == "x.safetensors" else ["x.safetensors"])
        assert facts["written"] is None
        assert output(*words) == said
        written = strict_json(output(*words, "--json", "--force"))
        assert written["tensors"] == facts["tensors"]
        for file in written["written"]:
            assert Path(file["file"]).stat().st_size == file["nbytes"]
        assert run(*words, "--dry-run").exit_code == 2  # the files exist now


# Names of tensors never lead outside the output folder

HOSTILE = [
    "../../x", "..", ".", "/etc/x", "a/b", "a\\b", "C:\\x", "C:x", "con", "CON.weight", "nul", "com1.x", "a\0b",
    "\x1b[2J", "\n", " ", "-rf", ".hidden", "a" * 300, "a" * 299 + "b", "é" * 150, "x", "X", "x.npy", "names.json", "~",
    "$HOME", "*", "__metadata__", "a_b", "A_B", b"\xff\xfe", "aux.",
]  # fmt: skip


def hostile(save: Save) -> Path:
    specs = [TensorSpec(name, (8,), F32, 32 * i) for i, name in enumerate(HOSTILE)]
    return save(Model([], specs, np.arange(8 * len(HOSTILE), dtype="<f4").tobytes()))


def test_hostile_names_stay_in_the_folder(save: Save, tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    path, folder = hostile(save), tmp_path / "deep" / "folder"
    done = process("export", path, "--to", folder)
    assert (done.returncode, done.stderr) == (0, b"")
    assert not raw_characters(done.stdout.decode())
    assert files(tmp_path) == ["deep", "model.gguf"]
    assert files(tmp_path / "deep") == ["folder"]
    assert len({name.lower() for name in files(folder)}) == len(HOSTILE) + 1
    assert all(len(name) < 255 and not name.startswith((".", "-")) for name in files(folder))
    renamed = strict_json((folder / "names.json").read_text())
    assert {"base64": "//4="} in renamed.values()
    with kaitai_gguf.open(path) as model:
        for name, tensor in model.tensors.items():
            file = next((key for key, value in renamed.items() if parsed_text(value) == name), f"{name}.npy")
            assert same(np.load(folder / file), tensor.data)
    assert "x.npy" not in renamed
    assert not {"~.npy", "X.npy"} & set(files(folder))


def test_hostile_names_in_archives(save: Save, tmp_path: Path) -> None:
    for suffix in ("npz", "safetensors"):
        output("export", hostile(save), "--to", tmp_path / f"x.{suffix}")
    with np.load(tmp_path / "x.npz") as found:
        assert sorted(float(found[name][0]) for name in found.files) == [8.0 * i for i in range(len(HOSTILE))]
        assert len({name.lower() for name in found.files}) == len(HOSTILE)
        assert not any(set(name) & set("/\\:\0") or name.startswith(".") for name in found.files)
    found = load_file(tmp_path / "x.safetensors")
    renamed = {"__metadata__": "__metadata___", b"\xff\xfe": "\\udcff\\udcfe"}
    assert [found[renamed.get(name, name)][0] for name in HOSTILE] == [8.0 * i for i in range(len(HOSTILE))]


def test_names_that_were_chosen_to_collide() -> None:
    names = ["a/b", "a\\b", "a:b", "A_B", "a_b"]
    names += [name for name in file_names(names).values() if name not in names]
    assert len({name.lower() for name in file_names(names).values()}) == len(names)
    assert file_names(names)["A_B"] == "A_B"
    assert set(json_names(["\udcff", "\\udcff", "__metadata__", "__metadata___"]).values()) > {"\\udcff"}
    assert json_names(["\udcff", "\\udcff"])["\\udcff"] == "\\udcff"
