"""Converting models, and converting them back."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from support.gguf_bytes import Model, TensorSpec
from support.strategies import models
from writing.build import original

import kaitai_gguf
from kaitai_gguf import FileError, GGUFFile, ShardError, UnknownTypeError, WriteError, convert, converted_header, diff
from kaitai_gguf.models.conversion import read_back
from kaitai_gguf.reading.handle import source_of
from kaitai_gguf.writing.sink import Sink

MODELS = Path(__file__).parents[1] / "data" / "models"
PATHS = sorted(MODELS.glob("*.gguf"))
SPLIT = [path for path in PATHS if "-of-" in path.name]
OTHER = {"little": "big", "big": "little"}


def opened(path: Path) -> GGUFFile:
    return kaitai_gguf.open(path, shards=False)


def converted(source: Path | bytes, target: Path, **options: Any) -> Path:
    with kaitai_gguf.open(source, shards=False) as model:
        convert(model, target, **options)
    return target


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_there_and_back(path: Path, tmp_path: Path) -> None:
    with opened(path) as model:
        order = OTHER[model.byte_order]
        back: dict[str, Any] = {"version": model.version, "byte_order": model.byte_order}
    options: list[dict[str, Any]] = [{}, {"byte_order": order}, {"version": 1}, {"version": 2, "alignment": None}]
    for number, each in enumerate(options):
        there = converted(path, tmp_path / f"there{number}.gguf", **each)
        with opened(there) as model:
            assert all(getattr(model, name) == value for name, value in each.items() if value is not None)
        assert converted(there, tmp_path / f"back{number}.gguf", **back).read_bytes() == original(path)


@given(models())
def test_any_model_there_and_back(tmp_path_factory: pytest.TempPathFactory, model: Model) -> None:
    """Gaps and padding survive, except padding without data after it if the other header needs no padding."""
    folder = tmp_path_factory.mktemp("model")
    original = model.build()
    options: dict[str, Any] = {"version": 4 - model.version, "byte_order": OTHER[model.byte_order]}
    there = converted(original, folder / "there.gguf", **options)
    differences = diff(original, there)
    assert not differences
    assert set(differences.facts) == {"byte_order"} | ({"version"} if model.version != 2 else set())
    back = converted(there, folder / "back.gguf", version=model.version, byte_order=model.byte_order)
    found = back.read_bytes()
    assert found == original or (found == model.header() and not model.data)


@pytest.mark.parametrize(
    ("nbytes", "padding", "expected"),
    [(24, 16, 0), (24, 5, 0), (0, 8, 8), (0, 5, 8)],  # version 1 needs no padding after 24 bytes, and 24 after none
)
def test_padding_at_the_end_of_a_file_to_version_1_and_back(
    nbytes: int, padding: int, expected: int, tmp_path: Path
) -> None:
    """It is the only part of a file that may be lost or completed."""
    model = Model([("general.name", "string", "x" * nbytes)])
    there = converted(model.header() + bytes(padding), tmp_path / "there.gguf", version=1)
    back = converted(there, tmp_path / "back.gguf", version=3)
    assert back.read_bytes() == model.header() + bytes(expected)


@pytest.mark.parametrize("alignment", [8, 4096])
def test_another_alignment(alignment: int, tmp_path: Path) -> None:
    path = converted(MODELS / "split-source.gguf", tmp_path / "aligned.gguf", alignment=alignment)
    with opened(path) as model, opened(MODELS / "split-source.gguf") as source:
        assert model.metadata["general.alignment"] == model.alignment == alignment
        assert {tensor.position % alignment for tensor in model.tensors.values()} == {0}
        assert [each.key for each in diff(source, model).keys] == ["general.alignment"]
    assert opened(converted(path, tmp_path / "back.gguf", alignment=32)).alignment == 32


def test_some_tensors_alone(tmp_path: Path) -> None:
    names = ["output.weight", "token_embd.weight"]
    path = converted(MODELS / "split-source.gguf", tmp_path / "some.gguf", tensors=names)
    with opened(path) as model, opened(MODELS / "split-source.gguf") as source:
        assert list(model.tensors) == names
        assert model.tensors["output.weight"].data.tobytes() == source.tensors["output.weight"].data.tobytes()
        assert diff(source, model).keys == ()
    assert len(opened(converted(MODELS / "v2.gguf", tmp_path / "none.gguf", tensors=[])).tensors) == 0


def test_shards(tmp_path: Path) -> None:
    """The shards of a model become one file, and a shard alone stays one."""
    told: list[int] = []
    with kaitai_gguf.open(SPLIT[1]) as model:
        convert(model, tmp_path / "one.gguf", byte_order="big", progress=told.append)
        assert sum(told) >= sum(tensor.nbytes or 0 for tensor in model.tensors.values())
    assert not diff(opened(MODELS / "split-source.gguf"), opened(tmp_path / "one.gguf"))
    path = converted(SPLIT[1], tmp_path / "shard.gguf", byte_order="big")
    assert opened(path).metadata["split.no"] == 1


def test_in_its_own_place(tmp_path: Path) -> None:
    path = tmp_path / "model.gguf"
    original = (MODELS / "tiny-allquants.gguf").read_bytes()
    path.write_bytes(original)
    path.chmod(0o640)
    with pytest.raises(FileError, match="already exists"):
        converted(path, path, byte_order="big")
    assert (path.read_bytes(), list(tmp_path.iterdir())) == (original, [path])
    converted(path, path, byte_order="big", overwrite=True)
    assert opened(path).byte_order == "big"
    assert path.stat().st_mode & 0o777 == 0o640
    converted(path, path, byte_order="little", overwrite=True)
    assert path.read_bytes() == original


# Files that another program changes


def replaced(path: Path) -> None:
    """Replace a file, as `mv` does."""
    other = path.with_name("other.gguf")
    other.write_bytes((MODELS / "v1.gguf").read_bytes())
    other.replace(path)


def edited(path: Path) -> None:
    with kaitai_gguf.edit(path) as editor:
        editor.metadata["x.new"] = "x"
        editor.commit(rewrite=True)


@pytest.mark.parametrize(("change", "is_link"), [(replaced, True), (edited, False)], ids=["replaced", "edited"])
def test_a_file_that_another_program_changed(change: Callable[[Path], None], is_link: bool, tmp_path: Path) -> None:
    """It is not replaced by a conversion of what it was before: the change would be lost."""
    path = given = tmp_path / "model.gguf"
    path.write_bytes((MODELS / "split-source.gguf").read_bytes())
    if is_link:
        given = tmp_path / "link.gguf"
        given.symlink_to(path)
    with kaitai_gguf.open(given) as model:
        change(path)
        after = path.read_bytes()
        for overwrite in (
            lambda: convert(model, given, version=2, overwrite=True),
            lambda: convert(model, given, overwrite=True),
            lambda: kaitai_gguf.write(given, model.metadata, model.tensors),
        ):
            with pytest.raises(FileError, match="was changed by another program since it was opened"):
                overwrite()
        assert path.read_bytes() == after
        convert(model, tmp_path / "copy.gguf")
    assert (tmp_path / "copy.gguf").read_bytes() == (MODELS / "split-source.gguf").read_bytes()


def test_a_file_that_is_changed_during_the_conversion(tmp_path: Path) -> None:
    path = tmp_path / "model.gguf"
    path.write_bytes((MODELS / "split-source.gguf").read_bytes())
    with pytest.raises(FileError, match="was changed by another program"):
        convert(path, path, byte_order="big", overwrite=True, progress=lambda _: replaced(path))
    assert path.read_bytes() == (MODELS / "v1.gguf").read_bytes()
    assert list(tmp_path.iterdir()) == [path]


@pytest.fixture
def shards(tmp_path: Path) -> list[Path]:
    paths = [tmp_path / f"m-{number:05}-of-00003.gguf" for number in (1, 2, 3)]
    for path, source in zip(paths, SPLIT, strict=True):
        path.write_bytes(source.read_bytes())
    return paths


@pytest.mark.parametrize(("options", "number"), [({"version": 2}, 0), ({"byte_order": "big"}, 1), ({"tensors": []}, 1)])
def test_a_shard_in_its_own_place(options: dict[str, Any], number: int, shards: list[Path]) -> None:
    """It is refused if the model could not be opened any more."""
    before = shards[number].read_bytes()
    with pytest.raises(ShardError, match="the model could not be opened with this change"):
        converted(shards[number], shards[number], overwrite=True, **options)
    assert shards[number].read_bytes() == before
    assert sorted(shards[0].parent.iterdir()) == shards
    converted(shards[number], shards[0].with_name("other.gguf"), **options)
    converted(shards[0], shards[0], overwrite=True, alignment=64)
    with kaitai_gguf.open(shards[0]) as model:
        assert (len(model.shards), model.alignment) == (3, 64)


# Refusals


def test_conversions_that_are_refused(tmp_path: Path) -> None:
    unknown = Model(tensors=[TensorSpec("new", (32,), 77, 0)], data=bytes(range(64))).build()
    truncated = (MODELS / "split-source.gguf").read_bytes()[:-2000]
    cases: list[tuple[bytes | Path, dict[str, Any], type[Exception], str]] = [
        (unknown, {"byte_order": "big"}, UnknownTypeError, "tensor 'new'"),
        (unknown, {"alignment": 64}, UnknownTypeError, "tensor 'new'"),
        (unknown, {"tensors": ["new"]}, UnknownTypeError, "tensor 'new'"),
        (truncated, {}, kaitai_gguf.MissingDataError, r"'blk\.0\.ffn_up\.weight'"),
        (MODELS / "v1.gguf", {"version": 4}, WriteError, "4"),
        (MODELS / "v1.gguf", {"alignment": 24}, WriteError, "24"),
        (MODELS / "v2.gguf", {"tensors": ["nope"]}, kaitai_gguf.TensorNotFound, "nope"),
    ]
    for source, options, error, words in cases:
        with pytest.raises(error, match=words):
            converted(source, tmp_path / "x.gguf", **options)
    assert list(tmp_path.iterdir()) == []
    assert converted(unknown, tmp_path / "copy.gguf", version=2).read_bytes()[4:8] == b"\2\0\0\0"


def test_an_empty_tensor_beyond_the_end_of_the_file(tmp_path: Path) -> None:
    data = Model(tensors=[TensorSpec("t", (1,), 0, 0), TensorSpec("none", (0,), 0, 64)], data=b"data").build()
    there = converted(data, tmp_path / "there.gguf", byte_order="big")
    assert there.read_bytes().endswith(b"\0atad")
    assert converted(there, tmp_path / "back.gguf", byte_order="little").read_bytes() == data


def corrupted(model: GGUFFile, path: Path, place: int) -> Sink:
    """Copy a model, and flip one bit in the copy."""
    with path.open("wb") as file:
        sink = Sink(file)
        sink.copy(source_of(model), 0, model.nbytes, lambda _: None)
        sink.close_sources()
    data = bytearray(path.read_bytes())
    data[place] ^= 1
    path.write_bytes(data)
    return sink


def test_what_was_written_is_read_back(tmp_path: Path) -> None:
    with opened(MODELS / "split-source.gguf") as model:
        for place, words in ((300, "key"), (-500, r"tensor 'blk\.0\.ffn_down\.weight'")):
            with pytest.raises(WriteError, match=words):
                read_back(model, [corrupted(model, tmp_path / "x.gguf", place)])


@pytest.mark.parametrize("place", [-500, -70_000])
def test_what_was_moved_is_compared_on_demand(place: int, tmp_path: Path) -> None:
    source = Model(tensors=[TensorSpec("t", (1 << 17,), 24, 0)], data=os.urandom(1 << 17)).build()
    (tmp_path / "source.gguf").write_bytes(source)
    with opened(tmp_path / "source.gguf") as model:
        sink = corrupted(model, tmp_path / "x.gguf", place)
        assert [copy.is_moved for copy in sink.copies] == [True]
        read_back(model, [sink])
        with pytest.raises(WriteError, match="tensor 't' was not written correctly"):
            read_back(model, [sink], verify=True)


@pytest.mark.parametrize("options", [{"version": 1}, {"byte_order": "big", "alignment": 4096}], ids=str)
def test_a_converted_header_is_that_of_the_file(options: dict[str, Any], tmp_path: Path) -> None:
    for path in PATHS:
        with opened(path) as model, converted_header(model, **options) as header:
            convert(model, tmp_path / path.name, **options)
            assert (tmp_path / path.name).read_bytes().startswith(bytes(header.buffer))
