"""The compiled scanner and other threads: they keep running, and can change the bytes."""

import ctypes
import importlib
import os
import random
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from support.gguf_bytes import Array, Model, TensorSpec

STRINGS = 300_000  # a scan takes a few milliseconds


@pytest.fixture(scope="module")
def scanner() -> ModuleType:
    try:
        return importlib.import_module("kaitai_gguf._scanner")
    except ImportError:
        if os.environ.get("CI") == "true":
            raise
        pytest.skip("the compiled scanner was not built")


# The GIL


def lets_others_run(call: Callable[[], Any]) -> bool:
    """Return whether another thread, which waits only for the GIL, ran during one of a hundred calls."""
    go, ran = threading.Lock(), threading.Event()

    def other() -> None:
        with go:
            ran.set()

    thread, before = threading.Thread(target=other), sys.getswitchinterval()
    go.acquire()
    thread.start()
    sys.setswitchinterval(1000)  # a thread runs only if another releases the GIL
    try:
        go.release()
        for _ in range(100):
            if ran.is_set():
                break
            call()
        return ran.is_set()
    finally:
        sys.setswitchinterval(before)
        thread.join()


@pytest.mark.parametrize("name", [None, "index", "table", "join"])
def test_other_threads_run_during_a_scan(scanner: ModuleType, name: str | None) -> None:
    data = (3).to_bytes(8, "little").join([b"", *[b"abc"] * STRINGS])
    of_index = ("Layout2", "string_elements", False, data, 0, (STRINGS,))
    (positions,), _ = scanner.index(*of_index)
    of_table = ("Layout2", "gguf_string", False, data, positions)
    of_join = (data, *scanner.table(*of_table))
    calls: dict[str | None, Callable[[], Any]] = {
        None: lambda: sum(range(1000)),  # keeps the GIL
        "index": lambda: scanner.index(*of_index),
        "table": lambda: scanner.table(*of_table),
        "join": lambda: scanner.join(*of_join),
    }
    has_gil = getattr(sys, "_is_gil_enabled", lambda: True)()
    assert lets_others_run(calls[name]) == (name is not None or not has_gil)


# Bytes that change


@contextmanager
def replacing(target: Any, contents: list[Any]) -> Iterator[None]:
    """Start a thread that repeatedly writes one of the contents to an array, at random."""
    stop, draw = threading.Event(), random.Random(8)

    def replace() -> None:
        while not stop.is_set():
            target[:] = draw.choice(contents)

    thread = threading.Thread(target=replace)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def header() -> tuple[bytes, bytes]:
    """Return a header, and one with other lengths and counts at some places."""
    words = Array("string", [f"word-{i}" for i in range(500)])
    nested = Array("array", [Array("uint32", [1, 2, 3]), words])
    keys = [(f"key-{i}", "string", "value") for i in range(50)]
    tensors = [TensorSpec(f"tensor-{i}", (4, 2), 0, 32 * i) for i in range(50)]
    data = Model([*keys, ("words", "array", words), ("nested", "array", nested)], tensors).build()  # type: ignore[list-item]
    marks = [b"word-250", b"key-40", b"value", b"tensor-30"]
    places = [data.index(mark) - 8 for mark in marks] + [data.rindex(b"word-400") - 8]
    places += [data.index(b"nested") + 6 + 4 + 4, data.index(b"tensor-40") + 9]
    other, draw = bytearray(data), random.Random(7)
    for place in places:
        wrong = draw.choice([0, 1, 5, 9, 77, 1 << 20, (1 << 30) - 1, 1 << 40, (1 << 64) - 8])
        other[place : place + 8] = wrong.to_bytes(8, "little")
    return data, bytes(other)


def test_an_index_of_bytes_that_change_stays_within_them(scanner: ModuleType) -> None:
    data, other = header()
    indexed = refused = rows = 0
    shared = np.frombuffer(bytearray(data), np.uint8)
    with replacing(shared, [np.frombuffer(each, np.uint8) for each in (data, other)]):
        for _ in range(50_000):
            if min(indexed, refused) > 100:
                break
            result = scanner.index("Layout2", "gguf", False, shared, 0, ())
            if result is None:
                refused += 1
                time.sleep(0)
                continue
            indexed += 1
            lists, end = result
            assert end <= len(data)
            for type, each in zip(("key_value", "tensor_info"), lists, strict=True):
                positions = np.frombuffer(each, np.uint64)
                assert (positions[1:] > positions[:-1]).all()
                assert (positions < end).all()
                columns = scanner.table("Layout2", type, False, shared, positions)
                if columns is not None:
                    starts, ends = (np.frombuffer(column, np.int64) for column in columns[:2])
                    assert ((starts >= 0) & (starts <= ends) & (ends <= len(data))).all()
                    assert len(scanner.join(shared, starts, ends)) == int((ends - starts + 1).sum())
                    assert len(scanner.hashes(shared, starts, ends)) == 8 * len(positions)
                    rows += len(starts)
    assert min(indexed, refused, rows) > 0


def test_positions_that_change_write_nothing_beyond_the_text(scanner: ModuleType) -> None:
    data = bytes(1 << 11)
    starts, ends = np.zeros(4096, np.int64), np.ones(4096, np.int64)
    joined, refused = 0, 0
    with replacing(ends[2048:], [1 << 11, 1]):
        for _ in range(300):
            try:
                joined += len(scanner.join(data, starts, ends)) >= 2 * len(starts)
            except IndexError:
                refused += 1
    assert joined + refused == 300


@pytest.mark.parametrize("span", [(-1, 2), (2, 1), (0, 4), (-8, -4), (3, 1 << 62)])
def test_texts_outside_of_the_buffer_are_refused(scanner: ModuleType, span: tuple[int, int]) -> None:
    mask = (1 << 21) - 1
    starts, ends = (np.full(4, position, np.int64) for position in span)
    calls = [lambda: scanner.join(b"abc", starts, ends), lambda: scanner.hashes(b"abc", starts, ends)]
    for number in (3, 1 << 20):
        numbered = np.array([hash(b"abc") & ~mask | number], np.int64)
        for columns in ((starts, ends), (starts, ends[:3])):
            calls.append(lambda names=(numbered, mask, *columns): scanner.find(b"abc", names, b"abc"))  # type: ignore[misc]
    for call in calls:
        with pytest.raises(IndexError, match="outside of the buffer"):
            call()


def test_a_buffer_may_be_nowhere_if_it_is_empty(scanner: ModuleType) -> None:
    nowhere = (ctypes.c_char * 0).from_address(0)
    numbers = np.zeros(2, np.int64)
    assert scanner.join(nowhere, numbers, numbers) == bytes(2)
    assert scanner.hashes(nowhere, numbers, numbers) == np.array([hash(b"")] * 2).tobytes()
    assert scanner.join(b"", nowhere, nowhere) == b""
    assert scanner.find(nowhere, (np.array([hash(b"") & ~1]), 1, numbers, numbers), b"") == 0
    assert scanner.index("Layout2", "gguf", False, nowhere, 0, ()) is None
    assert scanner.table("Layout2", "gguf_string", False, nowhere, numbers) is None
