"""The compiled scanner and other threads: they keep running, and can change the bytes."""

import ctypes
import importlib
import mmap
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


@contextmanager
def no_involuntary_switches() -> Iterator[None]:
    """Prevent Python from switching threads, so that a thread runs only if another releases the GIL."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1000)
    try:
        yield
    finally:
        sys.setswitchinterval(before)


def lets_others_run(call: Callable[[], Any]) -> bool:
    """Return whether another thread, which waits only for the GIL, ran during one of a hundred calls."""
    go, ran = threading.Lock(), []

    def other() -> None:
        with go:
            ran.append(True)

    go.acquire()
    with no_involuntary_switches():
        thread = threading.Thread(target=other)
        thread.start()
        go.release()
        for _ in range(100):
            if ran:
                break
            call()
        result = bool(ran)
    thread.join()
    return result


def test_a_call_that_keeps_the_gil_lets_nobody_run() -> None:
    assert not lets_others_run(lambda: sum(range(1000)))


@pytest.fixture(scope="module")
def many_strings() -> bytes:
    return (3).to_bytes(8, "little").join([b"", *[b"abc"] * STRINGS])


@pytest.mark.parametrize("name", ["index", "table", "join"])
def test_other_threads_run_during_a_scan(scanner: ModuleType, many_strings: bytes, name: str) -> None:
    (positions,), _ = scanner.index("Layout2", "string_elements", False, many_strings, 0, (STRINGS,))
    start, end = scanner.table("Layout2", "gguf_string", False, many_strings, positions)
    arguments = {
        "index": ("Layout2", "string_elements", False, many_strings, 0, (STRINGS,)),
        "table": ("Layout2", "gguf_string", False, many_strings, positions),
        "join": (many_strings, start, end),
    }[name]
    assert lets_others_run(lambda: getattr(scanner, name)(*arguments))


# Bytes that change


@contextmanager
def changing(data: bytes, places: list[int]) -> Iterator[mmap.mmap]:
    """Yield a map in which another thread repeatedly replaces and restores the numbers at these positions."""
    with mmap.mmap(-1, len(data)) as shared:
        shared[:] = data
        numbers = np.frombuffer(shared, np.uint8)
        others = np.frombuffer(data, np.uint8).copy()
        draw = random.Random(7)
        for place in places:
            wrong = draw.choice([0, 1, 5, 9, 77, 1 << 20, (1 << 30) - 1, 1 << 40, (1 << 64) - 8])
            others[place : place + 8] = np.frombuffer(wrong.to_bytes(8, "little"), np.uint8)
        with replacing(numbers, [others, np.frombuffer(data, np.uint8)]):
            yield shared
        del numbers


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


def header() -> tuple[bytes, list[int]]:
    """Return a header, and positions of lengths and counts in it."""
    words = Array("string", [f"word-{i}" for i in range(500)])
    nested = Array("array", [Array("uint32", [1, 2, 3]), words])
    keys = [(f"key-{i}", "string", "value") for i in range(50)]
    tensors = [TensorSpec(f"tensor-{i}", (4, 2), 0, 32 * i) for i in range(50)]
    data = Model([*keys, ("words", "array", words), ("nested", "array", nested)], tensors).build()  # type: ignore[list-item]
    marks = [b"word-250", b"key-40", b"value", b"tensor-30"]
    places = [data.index(mark) - 8 for mark in marks] + [data.rindex(b"word-400") - 8]
    places += [data.index(b"nested") + 6 + 4 + 4, data.index(b"tensor-40") + 9]
    return data, places


def check_columns(columns: tuple[bytes, ...] | None, size: int) -> int:
    """Assert that all texts are within the data. Return the number of rows."""
    if columns is None:
        return 0
    starts, ends = (np.frombuffer(column, np.uint64) for column in columns[:2])
    assert (starts <= ends).all()
    assert (ends <= size).all()
    return len(starts)


def test_an_index_of_bytes_that_change_stays_within_them(scanner: ModuleType) -> None:
    data, places = header()
    indexed = refused = rows = 0
    with changing(data, places) as shared:
        for _ in range(50_000):
            if min(indexed, refused) > 100:
                break
            found = scanner.index("Layout2", "gguf", False, shared, 0, ())
            if found is None:
                refused += 1
                time.sleep(0)
                continue
            indexed += 1
            lists, end = found
            assert end <= len(data)
            for type, each in zip(("key_value", "tensor_info"), lists, strict=True):
                positions = np.frombuffer(each, np.uint64)
                assert (positions[1:] > positions[:-1]).all()
                assert (positions < end).all()
                columns = scanner.table("Layout2", type, False, shared, positions)
                rows += check_columns(columns, len(data))
                if columns is not None:
                    starts, ends = (np.frombuffer(column, np.int64) for column in columns[:2])
                    assert len(scanner.join(shared, starts, ends)) == int((ends - starts + 1).sum())
                    assert len(scanner.hashes(shared, starts, ends)) == 8 * len(positions)
        del found, lists
    assert indexed
    assert refused
    assert rows


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


@pytest.mark.parametrize("name", ["join", "hashes"])
@pytest.mark.parametrize("span", [(-1, 2), (2, 1), (0, 4), (-8, -4), (3, 1 << 62)])
def test_texts_outside_of_the_buffer_are_refused(scanner: ModuleType, name: str, span: tuple[int, int]) -> None:
    starts, ends = (np.array([position], np.int64) for position in span)
    with pytest.raises(IndexError, match="outside of the buffer"):
        getattr(scanner, name)(b"abc", starts, ends)


@pytest.mark.parametrize("number", [3, 1 << 20])
@pytest.mark.parametrize("span", [(2, 1), (0, 4), (-8, -4)])
def test_names_outside_of_the_buffer_are_refused(scanner: ModuleType, number: int, span: tuple[int, int]) -> None:
    mask = (1 << 21) - 1
    starts, ends = (np.full(4, position, np.int64) for position in span)
    numbered = np.array([hash(b"abc") & ~mask | number], np.int64)
    with pytest.raises(IndexError, match="outside of the buffer"):
        scanner.find(b"abc", (numbered, mask, starts, ends), b"abc")
    with pytest.raises(IndexError, match="outside of the buffer"):
        scanner.find(b"abc", (numbered, mask, starts, ends[:3]), b"abc")


def test_a_buffer_may_be_nowhere_if_it_is_empty(scanner: ModuleType) -> None:
    nowhere = (ctypes.c_char * 0).from_address(0)
    numbers = np.zeros(2, np.int64)
    assert scanner.join(nowhere, numbers, numbers) == bytes(2)
    assert scanner.hashes(nowhere, numbers, numbers) == np.array([hash(b"")] * 2).tobytes()
    assert scanner.join(b"", nowhere, nowhere) == b""
    assert scanner.find(nowhere, (np.array([hash(b"") & ~1]), 1, numbers, numbers), b"") == 0
    assert scanner.index("Layout2", "gguf", False, nowhere, 0, ()) is None
    assert scanner.table("Layout2", "gguf_string", False, nowhere, numbers) is None
