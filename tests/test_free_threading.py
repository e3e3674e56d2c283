"""Many threads on one model, one editor, and one `close`: what a Python without the GIL runs at once."""

import importlib
import shutil
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kaitai_gguf

SAMPLE = Path(__file__).parents[1] / "examples" / "sample.gguf"
THREADS = 16


def at_once(work: Callable[[int], Any]) -> list[Any]:
    """Run `work` on all threads, which begin together; return the results."""
    begin, results, errors = threading.Barrier(THREADS), [None] * THREADS, list[BaseException]()

    def run(number: int) -> None:
        try:
            begin.wait(60)
            results[number] = work(number)
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]
    return results


def everything(model: kaitai_gguf.GGUFFile) -> list[bytes]:
    """Return what a program reads from a model, as bytes that can be compared."""
    values = [repr(model.metadata.to_dict()).encode(), repr(model.info()).encode()]
    tokens = model.metadata["tokenizer.ggml.tokens"]
    values += ["".join(tokens).encode(), str(tokens.index(tokens[len(tokens) // 2])).encode()]
    for name, tensor in model.tensors.items():
        values += [name.encode(), tensor.data.tobytes(), tensor.dequantize(threads=2).tobytes()]
    return [*values, model.tensors["output.weight"][0].tobytes()]


def test_one_model() -> None:
    for _ in range(5):
        with kaitai_gguf.open(SAMPLE) as model:
            first, *others = at_once(lambda _, model=model: everything(model))  # type: ignore[misc]
        assert all(other == first for other in others)
    with kaitai_gguf.open(SAMPLE) as model:
        assert everything(model) == first


def test_one_editor(tmp_path: Path) -> None:
    path = tmp_path / "model.gguf"
    shutil.copy(SAMPLE, path)
    with kaitai_gguf.edit(path) as editor:

        def change(number: int) -> None:
            for step in range(50):
                editor.metadata[f"test.{number}.{step}"] = np.uint32(step)
            editor.metadata["test.last"] = number

        at_once(change)
    with kaitai_gguf.open(path) as model:
        for number in range(THREADS):
            assert [model.metadata[f"test.{number}.{step}"] for step in range(50)] == [*range(50)]
        assert model.metadata["test.last"] in range(THREADS)


@pytest.mark.parametrize("release", [False, True])
def test_one_close(release: bool) -> None:
    for _ in range(20):
        model = kaitai_gguf.open(SAMPLE)

        def work(number: int, model: kaitai_gguf.GGUFFile = model) -> str:
            try:
                if number == 0:
                    model.close(release=release)
                else:
                    everything(model)
            except (kaitai_gguf.ClosedError, BufferError) as error:  # BufferError: another thread has a view
                return type(error).__name__
            return "done"

        results = at_once(work)
        assert results[0] == "done" or release
        model.close()
        with pytest.raises(kaitai_gguf.ClosedError):
            everything(model)


@pytest.mark.skipif(getattr(sys, "_is_gil_enabled", lambda: True)(), reason="this Python has a GIL")
def test_the_extension_modules_need_no_gil() -> None:
    for name in ("_scanner", "_kernels"):
        importlib.import_module(f"kaitai_gguf.{name}")
    assert not sys._is_gil_enabled()  # type: ignore[attr-defined]
