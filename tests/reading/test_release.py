"""close(release=True): the file is unmapped when it returns, or the error names what still uses it."""

import pickle
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kaitai_gguf
from kaitai_gguf import GGUFFile, ViewsInUseError
from kaitai_gguf.sources import Source

METADATA = {"text": "a", "floats": [1.5, 2.5], "strings": ["a", "b"], "nested": [[1], [2]]}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "model.gguf"
    kaitai_gguf.write(path, METADATA, {"t": np.arange(64, dtype=np.float32), "u": np.zeros(32, np.float32)})
    return path


def is_mapped(path: Path) -> bool:
    return str(path) in Path("/proc/self/maps").read_text()


def test_release_unmaps(path: Path) -> None:
    model = kaitai_gguf.open(path)
    kept = model.tensors["t"], model.metadata["text"], model.tensors["t"].dequantize(), model.metadata
    assert [len(model.metadata[key]) for key in METADATA] == [1, 2, 2, 2]
    assert len(model.tensors["t"].data) == 2 * len(model.tensors["u"].blocks)
    assert is_mapped(path)
    model.close(release=True)
    assert not is_mapped(path)
    assert model.closed
    assert kept[2].sum() == 2016
    with pytest.raises(kaitai_gguf.ClosedError):
        _ = kept[0].data
    model.close(release=True)


@pytest.mark.parametrize(
    ("view", "owners"),
    [
        (lambda model: model.tensors["t"].data, ["tensor 't'"]),
        (lambda model: model.tensors["t"].data[3:][::2], ["tensor 't'"]),
        (lambda model: model.tensors["t"].blocks, ["tensor 't'"]),
        (lambda model: np.asarray(model.tensors["t"]), ["tensor 't'"]),
        (lambda model: [model.tensors["u"].data, model.tensors["t"][:2]], ["tensor 't'", "tensor 'u'"]),
        (lambda model: model.metadata["floats"], ["key 'floats'"]),
        (lambda model: model.metadata["strings"], ["key 'strings'"]),
        (lambda model: model.metadata["nested"][0], []),
        (lambda model: model.buffer[:4], []),
        (lambda model: next(model.chunks(16)), []),
    ],
)
def test_views_that_are_alive_are_named(path: Path, view: Callable[[GGUFFile], Any], owners: list[str]) -> None:
    model = kaitai_gguf.open(path)
    kept = view(model)
    with pytest.raises(ViewsInUseError) as caught:
        model.close(release=True)
    assert caught.value.owners == owners
    assert ", ".join(owners) in str(caught.value)
    assert isinstance(caught.value, BufferError)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)
    assert len(kept)
    assert model.tensors["t"].data[1] == 1, "it stays open"
    del kept
    model.close(release=True)
    assert not is_mapped(path)


def test_the_views_of_one_shard_keep_all_of_them_open(tmp_path: Path) -> None:
    with kaitai_gguf.open(Path(__file__).parents[2] / "examples/sample.gguf") as sample:
        kaitai_gguf.split(sample, tmp_path / "s", max_tensors=4)
    model = kaitai_gguf.open(tmp_path / "s-00001-of-00003.gguf")
    name = next(iter(model.shards[2].tensors))
    view = memoryview(model.tensors[name].blocks.view(np.uint8))
    with pytest.raises(ViewsInUseError, match=f"tensor '{name}'"):
        model.close(release=True)
    assert all(len(tensor.data) for tensor in model.tensors.values())
    view.release()
    model.close(release=True)
    assert not is_mapped(tmp_path)


def test_there_is_nothing_to_unmap_without_a_map(path: Path) -> None:
    for source in (path.read_bytes(), path):
        model = kaitai_gguf.open(source, mmap=False)
        view = model.tensors["t"].data
        model.close(release=True)
        assert view[2] == 2


def test_a_view_of_a_view_of_the_file_is_not_taken_for_a_tensor(path: Path) -> None:
    with kaitai_gguf.open(path) as model:
        position = model.tensors["t"].position
        kept = model.buffer[position + 4 :: 4], model.buffer[position:-1], memoryview(model.buffer)
        kept[2].release()
        with pytest.raises(ViewsInUseError) as caught:
            model.close(release=True)
        assert caught.value.owners == []


def test_a_view_that_another_thread_has_just_made(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = kaitai_gguf.open(path)

    def release(source: Source) -> None:
        raise BufferError

    with monkeypatch.context() as patch:
        patch.setattr(Source, "release", release)
        with pytest.raises(ViewsInUseError):
            model.close(release=True)
    assert model.tensors["t"].data[2] == 2, "it stays open"
    model.close(release=True)


@pytest.mark.parametrize("release", [False, True])
def test_other_threads_read_while_one_closes(release: bool, path: Path) -> None:
    closed, errors = 0, list[BaseException]()

    def work(model: GGUFFile, started: threading.Event) -> None:
        try:
            while True:
                assert model.tensors["t"].data.sum() == 2016
                assert model.metadata["text"] == "a"
                assert list(model.metadata["strings"]) == ["a", "b"]
                started.set()
        except kaitai_gguf.ClosedError:
            pass
        except BaseException as error:
            errors.append(error)

    for _ in range(50):
        model, started = kaitai_gguf.open(path), threading.Event()
        threads = [threading.Thread(target=work, args=(model, started)) for _ in range(1 if release else 2)]
        for thread in threads:
            thread.start()
        started.wait()
        with suppress(ViewsInUseError):
            model.close(release=release)
            closed += 1
        model.close()
        for thread in threads:
            thread.join()
    assert errors == []
    assert closed > 0


def test_other_threads_make_tuples_while_one_releases(path: Path) -> None:
    """A tuple that something else refers to while it is made can't be finished."""
    errors: list[BaseException] = []
    stop = threading.Event()

    def work() -> None:
        try:
            while not stop.is_set():
                assert len(tuple(number for number in range(50))) == 50
        except BaseException as error:
            errors.append(error)

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    thread = threading.Thread(target=work)
    thread.start()
    try:
        with kaitai_gguf.open(path) as model:
            view = model.tensors["t"].data
            for _ in range(10):
                with pytest.raises(ViewsInUseError):
                    model.close(release=True)
            assert view[1] == 1
    finally:
        stop.set()
        thread.join()
        sys.setswitchinterval(interval)
    assert errors == []
