"""A file is unmapped with its last view, without waiting for the garbage collector, or at once if that is asked for."""

import gc
import os
import pickle
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.open_files import needs_maps, uses

import kaitai_gguf
from kaitai_gguf import ClosedError, GGUFFile, Metadata, ViewsInUseError
from kaitai_gguf.sources import Source

pytestmark = needs_maps

METADATA = {"text": "a", "floats": [1.5, 2.5], "strings": ["a", "b"], "nested": [[1], [2]]}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "model.gguf"
    kaitai_gguf.write(path, METADATA, {"t": np.arange(64, dtype=np.float32), "u": np.zeros(32, np.float32)})
    return path


@pytest.fixture(autouse=True)
def no_collector() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def touch(model: GGUFFile) -> None:
    """Read everything in the model."""
    for key in model.metadata:
        _ = model.metadata[key], model.metadata.entry(key), model.metadata.raw(key)
    _ = list(model.metadata["strings"]), model.metadata["strings"] == ["a", "b"], repr(model.metadata["nested"])
    _ = model.metadata["nested"].tolist()
    tensor = model.tensors["t"]
    _ = tensor.data.sum(), tensor.blocks, tensor.dequantize(), repr(tensor)


def read(path: Path) -> None:
    touch(kaitai_gguf.open(path))


def edit(path: Path) -> None:
    with kaitai_gguf.edit(path) as editor:
        touch(editor.model)
        editor.metadata["text"] = "b"
        editor.commit()
        editor.metadata["text"] = "long" * 50


def compare(path: Path) -> None:
    with kaitai_gguf.open(path) as one, kaitai_gguf.open(path) as other:
        kaitai_gguf.diff(one, other, values=True)
        kaitai_gguf.digest(one)
        kaitai_gguf.converted_header(other, version=2)


USES: list[Callable[[Path], Any]] = [
    read,
    edit,
    compare,
    lambda path: kaitai_gguf.check(path, deep=True),
    lambda path: list(kaitai_gguf.explain(path)),
]


@pytest.mark.parametrize("use", USES)
def test_nothing_keeps_the_file(path: Path, use: Callable[[Path], Any]) -> None:
    data = path.read_bytes()
    use(path)
    assert uses(path) == 0
    for broken in (data[:150], b"nope" + data, b"", data.replace(b"floats", b"nested")):  # the last has a key twice
        path.write_bytes(broken)
        with suppress(kaitai_gguf.FormatError):
            use(path)
        assert uses(path) == 0


def views_of_views(model: GGUFFile) -> Any:
    position = model.tensors["t"].position
    kept = model.buffer[position + 4 :: 4], model.buffer[position:-1], memoryview(model.buffer)
    kept[2].release()
    return kept


VIEWS: list[tuple[Callable[[GGUFFile], Any], list[str]]] = [
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
    (views_of_views, []),
]


@pytest.mark.parametrize(("view", "owners"), VIEWS)
def test_views_that_are_alive(path: Path, view: Callable[[GGUFFile], Any], owners: list[str]) -> None:
    """They keep the file mapped after it is closed, and open if it is to be unmapped: the error names them."""
    with kaitai_gguf.open(path) as model:
        kept = view(model)
        touch(model)
    assert uses(path) == 2
    assert len(kept)
    del kept
    assert uses(path) == 0
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
    tensor, values, metadata = model.tensors["t"], model.tensors["t"].dequantize(), model.metadata
    model.close(release=True)
    model.close(release=True)
    assert (model.closed, uses(path), values.sum()) == (True, 0, 2016)
    for access in (lambda: tensor.data, lambda: metadata["text"]):
        with pytest.raises(ClosedError):
            access()


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
    assert uses(tmp_path) == 0


# Threads


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


def test_another_thread_has_just_unmapped_the_file(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    metadata = kaitai_gguf.open(path).metadata
    strings, nested, entry = metadata["strings"], metadata["nested"], metadata.entry("text")
    assert (strings[0], nested.tolist()) == ("a", [[1], [2]])
    metadata._handle.source.release()
    monkeypatch.setattr(Metadata, "entry", lambda self, key: entry)
    uses: list[Callable[[], object]] = [
        lambda: metadata.raw("text"),
        lambda: metadata["text"],
        lambda: list(metadata),
        lambda: strings[0],
        lambda: strings.raw(0),
        strings.tobytes,
        strings.tolist,
        nested.tobytes,
    ]
    for use in uses:
        with pytest.raises(ClosedError, match=r"^the file is closed$"):
            use()


@pytest.mark.parametrize("release", [False, True])
def test_other_threads_read_while_one_closes(release: bool, path: Path) -> None:
    def work(model: GGUFFile, started: threading.Event) -> None:
        with suppress(ClosedError):
            while True:
                assert model.tensors["t"].data.sum() == 2016
                assert (model.metadata["text"], model.metadata.raw("text")) == ("a", b"a")
                assert list(model.metadata["strings"]) == ["a", "b"]
                started.set()

    closed = 0
    with ThreadPoolExecutor(2) as pool:
        for _ in range(50):
            model, started = kaitai_gguf.open(path), threading.Event()
            jobs = [pool.submit(work, model, started) for _ in range(1 if release else 2)]
            assert started.wait(20)
            with suppress(ViewsInUseError):
                model.close(release=release)
                closed += 1
            model.close()
            for job in jobs:
                job.result()
    assert closed > 0


def test_other_threads_make_tuples_while_one_releases(path: Path) -> None:
    """A tuple that something else refers to while it is made can't be finished."""
    stop = threading.Event()

    def work() -> None:
        while not stop.is_set():
            assert len(tuple(number for number in range(50))) == 50

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(1) as pool, kaitai_gguf.open(path) as model:
            job, view = pool.submit(work), model.tensors["t"].data
            for _ in range(10):
                with pytest.raises(ViewsInUseError):
                    model.close(release=True)
            assert view[1] == 1
            stop.set()
            job.result()
    finally:
        stop.set()
        sys.setswitchinterval(interval)


# Files that another program truncates


@pytest.mark.parametrize("is_file_object", [False, True])
def test_what_was_read_into_memory_stays(is_file_object: bool, path: Path) -> None:
    with path.open("rb") as file, kaitai_gguf.open(file if is_file_object else path, mmap=False) as model:
        tensor, view = model.tensors["t"], model.tensors["t"].data
        os.truncate(path, 0)
        assert (model.metadata["text"], model.metadata["strings"].tolist()) == ("a", ["a", "b"])
        assert tensor.data.tolist() == tensor.dequantize().tolist() == list(range(64))
        model.close(release=True)  # nothing is mapped
        assert view[2] == 2


@pytest.mark.skipif(not hasattr(signal, "SIGBUS"), reason="the system has no SIGBUS")
def test_a_command_that_maps_dies_and_says_so(path: Path) -> None:
    """The file is truncated after its first field was printed."""
    code = """if 1:
        import importlib, os, sys
        from kaitai_gguf.cli import main

        command = importlib.import_module("kaitai_gguf.cli.commands.explain")
        explain = command.explain

        def shrinking(file, *arguments, **options):
            fields = explain(file, *arguments, **options)
            yield next(fields)
            os.truncate(file, 0)
            yield from fields

        command.explain = shrinking
        main(["explain", *sys.argv[1:]])
    """
    done = subprocess.run([sys.executable, "-c", code, path], capture_output=True, text=True, check=False)
    assert done.returncode == -signal.SIGBUS
    assert "Bus error" in done.stderr
