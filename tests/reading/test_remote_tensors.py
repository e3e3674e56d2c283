"""Tensors of remote models: which ranges are fetched, and that the data equals that of a local file."""

import copy
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.fault_server import FaultServer, reset, serving, short, status
from support.gguf_bytes import F32, Q4_0, Model, TensorSpec
from support.remote_models import COLUMNS, NAMES, NUMBERS, ROWS, far, shard

import kaitai_gguf
from kaitai_gguf import ClosedError, FileError, GGUFFile, MissingDataError, TensorNotFound
from kaitai_gguf.sources import http

MODELS = Path(__file__).parents[1] / "data" / "models"
BLOCKS = NAMES[3]
ROW = COLUMNS * 4


@pytest.fixture
def server() -> Iterator[FaultServer]:
    with serving() as server:
        yield server


@pytest.fixture
def model(server: FaultServer) -> Iterator[GGUFFile]:
    """Open a model, and clear the list of requests."""
    with kaitai_gguf.open(server.put(far())) as model:
        server.requests.clear()
        yield model


@pytest.fixture
def local() -> GGUFFile:
    return kaitai_gguf.open(far())


def spans(server: FaultServer) -> list[tuple[int, int]]:
    return [span for request in server.requests if (span := request.span) is not None]


# One tensor


@pytest.mark.parametrize("name", [NAMES[0], BLOCKS])
@pytest.mark.parametrize(
    "use", [lambda tensor: tensor.data, lambda tensor: tensor.blocks, np.asarray], ids=["data", "blocks", "asarray"]
)
def test_a_tensor_is_one_request(
    model: GGUFFile, local: GGUFFile, server: FaultServer, name: str, use: Callable[[Any], Any]
) -> None:
    tensor = model.tensors[name]
    np.testing.assert_array_equal(use(tensor), use(local.tensors[name]))
    assert spans(server) == [(tensor.position, tensor.position + (tensor.nbytes or 0))]
    assert server.num_bytes == tensor.nbytes


def test_it_is_fetched_on_each_access(model: GGUFFile, server: FaultServer) -> None:
    tensor = model.tensors[NAMES[0]]
    one, two = tensor.data, tensor.data
    assert len(server.requests) == 2
    assert not np.shares_memory(one, two)
    assert not one.flags.writeable


def test_facts_take_no_request(model: GGUFFile, server: FaultServer) -> None:
    for tensor in model.tensors.values():
        assert (tensor.shape, tensor.n_elements, tensor.dtype, len(tensor)) == ((ROWS, COLUMNS), 2048, np.float32, ROWS)
        assert repr(tensor)
        assert tensor._repr_html_()
    assert model._repr_html_()
    assert server.requests == []


def test_data_that_came_with_the_header_takes_no_request(server: FaultServer) -> None:
    from support.remote_models import small

    with kaitai_gguf.open(server.put(small())) as model:
        np.testing.assert_array_equal(model.tensors[NAMES[0]].data, NUMBERS[0])
        assert len(model.fetch(NAMES)) == 6
    assert len(server.requests) == 1


# Rows

SLICES = [slice(3, 7), slice(60, 200), slice(None, None, 20), slice(5, 5), slice(-2, None), slice(None, None, -1)]


@pytest.mark.parametrize("name", [NAMES[0], BLOCKS])
@pytest.mark.parametrize("rows", [*SLICES, [5], [9, 3, 3], np.arange(1, 64, 2), []], ids=str)
def test_rows(model: GGUFFile, local: GGUFFile, server: FaultServer, name: str, rows: Any) -> None:
    tensor = model.tensors[name]
    expected = local.tensors[name].dequantize(rows=rows)
    np.testing.assert_array_equal(tensor.dequantize(rows=rows), expected)
    size = (tensor.nbytes or 0) // ROWS
    numbers = np.unique(np.arange(ROWS)[rows if not isinstance(rows, list) else np.array(rows, int)])
    if len(numbers):  # gaps are small here, so one request gets all rows
        assert spans(server) == [(tensor.position + numbers[0] * size, tensor.position + (numbers[-1] + 1) * size)]
    else:
        assert server.requests == []


@pytest.mark.parametrize("name", [NAMES[0], BLOCKS])
@pytest.mark.parametrize("index", [*SLICES, 0, -1, 63], ids=str)
def test_slices(model: GGUFFile, local: GGUFFile, server: FaultServer, name: str, index: Any) -> None:
    np.testing.assert_array_equal(model.tensors[name][index], local.tensors[name][index])
    if not isinstance(index, slice):
        size = (model.tensors[name].nbytes or 0) // ROWS
        assert server.num_bytes == size


@pytest.mark.parametrize("index", [64, -65, "x", (1, 2), None, [1]], ids=str)
def test_an_index_that_is_not_valid(model: GGUFFile, local: GGUFFile, server: FaultServer, index: Any) -> None:
    for name in (NAMES[0], BLOCKS):
        with pytest.raises((IndexError, TypeError)) as there:
            model.tensors[name][index]
        with pytest.raises((IndexError, TypeError)) as here:
            local.tensors[name][index]
        assert (type(there.value), str(there.value)) == (type(here.value), str(here.value))
    assert server.requests == []


@pytest.mark.parametrize("rows", [[64], [-65], ["x"], [1.5], np.zeros(3, bool), [[1, 2]]], ids=str)
def test_rows_that_are_not_valid(model: GGUFFile, local: GGUFFile, server: FaultServer, rows: Any) -> None:
    for name in (NAMES[0], BLOCKS):
        with pytest.raises(Exception) as here:
            local.tensors[name].dequantize(rows=rows)
        with pytest.raises(type(here.value)) as there:
            model.tensors[name].dequantize(rows=rows)
        assert str(there.value) == str(here.value)
    assert server.requests == []


def odd_shapes() -> bytes:
    """Return a model with tensors of 0, 1 and 3 dims, empty ones, and blocks, all far from the header."""
    shapes = [((), F32), ((7,), F32), ((64,), Q4_0), ((32, 3, 4), F32), ((32, 3, 4), Q4_0), ((32, 0), F32), ((0,), F32)]
    tensors, offset = [], 2 << 20
    for number, (dims, type) in enumerate(shapes):
        tensors.append(TensorSpec(f"t{number}", dims, type, offset))
        offset += 2048
    data = bytes(2 << 20) + np.random.default_rng(0).random(len(shapes) * 512, np.float32).tobytes()
    return Model([("general.architecture", "string", "llama")], tensors, data).build()


@pytest.mark.parametrize("byte_order", ["little", "big"])
def test_odd_shapes(server: FaultServer, byte_order: str) -> None:
    uses: list[Callable[[Any], Any]] = [
        lambda tensor: tensor.data,
        lambda tensor: tensor.blocks,
        lambda tensor: tensor.dequantize(),
        lambda tensor: tensor[0],
        lambda tensor: tensor[1:3],
        lambda tensor: tensor[::2],
        lambda tensor: tensor[::-1],
        lambda tensor: tensor.dequantize(rows=slice(0, 1)),
        lambda tensor: tensor.dequantize(rows=[0]),
        lambda tensor: tensor.dequantize(np.float16, rows=slice(None)),
        lambda tensor: tensor.__array__(np.float64),
    ]
    data = odd_shapes()
    if byte_order == "big":
        path = MODELS / "tiny-be.gguf"
        data = path.read_bytes()
    count = 0
    with kaitai_gguf.open(server.put(data)) as there, kaitai_gguf.open(data) as here:
        for name in here.tensors:
            for use in uses:
                assert outcome(use, there.tensors[name]) == outcome(use, here.tensors[name]), (name, count)
                count += 1
    assert count > 20


def outcome(use: Callable[[Any], Any], tensor: Any) -> tuple[Any, ...]:
    try:
        result = np.asarray(use(tensor))
    except Exception as error:
        return type(error), str(error)
    return result.shape, result.dtype, result.tobytes()


def test_all_types(server: FaultServer) -> None:
    count = 0
    for name in ("tiny-allquants", "tiny-newquants", "tiny-be"):
        data = (MODELS / f"{name}.gguf").read_bytes()
        # Keep only the header in the buffer, so that all tensor data has to be fetched.
        with kaitai_gguf.open(server.put(data)) as there, kaitai_gguf.open(data) as here:
            there.source.buffer = there.source.buffer[: there.header_nbytes]
            for tensor in here.tensors.values():
                np.testing.assert_array_equal(there.tensors[tensor.name].data, tensor.data)
                np.testing.assert_array_equal(
                    there.tensors[tensor.name].dequantize(rows=slice(0, 2)), tensor.dequantize(rows=slice(0, 2))
                )
                count += 1
    assert count > 30
    assert len(server.requests) > count


# Several tensors


def test_tensors_are_fetched_together(model: GGUFFile, server: FaultServer) -> None:
    found = model.fetch([NAMES[2], NAMES[0], NAMES[1]])
    assert list(found) == [NAMES[2], NAMES[0], NAMES[1]]
    for name, expected in zip(NAMES, NUMBERS, strict=False):
        np.testing.assert_array_equal(found[name], expected)
    start = model.tensors[NAMES[0]].position
    assert spans(server) == [(start, start + 3 * ROWS * ROW)]


def test_gaps_and_large_tensors(server: FaultServer) -> None:
    mib = 1 << 20
    places = [(0, 256), (256 + mib, 256), (512 + 2 * mib + 32, 256), (4 * mib, 20 * mib)]  # offsets and sizes
    tensors = [TensorSpec(f"t{number}", (size // 4,), F32, offset) for number, (offset, size) in enumerate(places)]
    data = Model([("general.architecture", "string", "x")], tensors, bytes(24 * mib)).build()
    with kaitai_gguf.open(server.put(data)) as model:
        model.source.buffer = model.source.buffer[: model.header_nbytes]
        server.requests.clear()
        assert [array.nbytes for array in model.fetch(["t0", "t1", "t2", "t3"]).values()] == [
            size for _, size in places
        ]
        start = model.data_offset
    first = (start, start + 512 + mib)
    third = (start + places[2][0], start + places[2][0] + 256)
    fourth = start + 4 * mib
    expected = [first, third, (fourth, fourth + 16 * mib), (fourth + 16 * mib, fourth + 20 * mib)]
    assert sorted(spans(server)) == expected


def test_one_name_twice_and_none(model: GGUFFile, server: FaultServer) -> None:
    assert list(model.fetch([NAMES[0], NAMES[0]])) == [NAMES[0]]
    assert len(server.requests) == 1
    assert model.fetch([]) == {}
    with pytest.raises(TensorNotFound):
        model.fetch([NAMES[0], "nothing"])
    assert len(server.requests) == 1


def test_tensors_of_shards_are_fetched(server: FaultServer) -> None:
    for number in range(2):
        server.put(shard(number, 2), f"/m-{number + 1:05d}-of-00002.gguf")
    with kaitai_gguf.open(server.url("/m-00001-of-00002.gguf")) as model:
        for file in model.shards:
            file.source.buffer = file.source.buffer[: file.header_nbytes]
        server.requests.clear()
        assert {name: array.flat[0] for name, array in model.fetch(["t1", "t0"]).items()} == {"t1": 1, "t0": 0}
    assert {request.path for request in server.requests} == {"/m-00001-of-00002.gguf", "/m-00002-of-00002.gguf"}


def test_fetch_of_a_local_model(local: GGUFFile) -> None:
    found = local.fetch([NAMES[1], BLOCKS])
    np.testing.assert_array_equal(found[NAMES[1]], NUMBERS[1])
    assert np.shares_memory(found[BLOCKS], local.tensors[BLOCKS].data)


# Faults


def test_a_fault_while_a_tensor_is_fetched(
    model: GGUFFile, server: FaultServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http, "BACK_OFF", 0.0)
    server.faults = [status(503), short(5000), reset]
    np.testing.assert_array_equal(model.tensors[NAMES[0]].data, NUMBERS[0])
    assert server.num_bytes == ROWS * ROW
    server.faults = [status(503)] * 99
    with pytest.raises(FileError, match="tried 5 times"):
        model.fetch(NAMES)
    server.faults = []
    assert len(model.fetch(NAMES)) == 6


@pytest.mark.parametrize(
    "use",
    [
        lambda model: model.tensors[NAMES[0]].data,
        lambda model: model.tensors[BLOCKS].dequantize(),
        lambda model: model.tensors[BLOCKS].dequantize(rows=[1]),
        lambda model: model.tensors[BLOCKS][1:2],
        lambda model: model.fetch(NAMES),
        lambda model: list(model.chunks(1 << 20)),
        kaitai_gguf.digest,
    ],
    ids=["data", "dequantize", "rows", "slice", "fetch", "chunks", "digest"],
)
def test_a_model_that_is_replaced(model: GGUFFile, server: FaultServer, use: Callable[[GGUFFile], object]) -> None:
    server.put(far("other"))
    with pytest.raises(FileError, match="was replaced while"):
        use(model)


def test_a_model_that_is_closed(model: GGUFFile, server: FaultServer) -> None:
    tensor = model.tensors[NAMES[0]]
    array = tensor.data
    model.close()
    with pytest.raises(ClosedError):
        _ = tensor.data
    np.testing.assert_array_equal(array, NUMBERS[0])
    assert len(server.requests) == 1


def test_data_that_is_missing(server: FaultServer) -> None:
    with kaitai_gguf.open(server.put(far()[:-5000])) as model:
        with pytest.raises(MissingDataError):
            _ = model.tensors[NAMES[5]].data
        with pytest.raises(MissingDataError):
            model.fetch(NAMES)
    assert len(server.requests) == 1


# Copies, threads, chunks


def test_a_copy_reads_the_same_file(model: GGUFFile, server: FaultServer) -> None:
    tensor = copy.deepcopy(model.tensors[NAMES[1]])
    np.testing.assert_array_equal(tensor.data, NUMBERS[1])
    np.testing.assert_array_equal(copy.copy(model).tensors[NAMES[0]].data, NUMBERS[0])


def test_threads(model: GGUFFile) -> None:
    failures: list[str] = []

    def work(number: int) -> None:
        for _ in range(5):
            if not np.array_equal(model.tensors[NAMES[number % 3]].data, NUMBERS[number % 3]):
                failures.append(NAMES[number % 3])

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


def test_chunks_have_all_bytes(model: GGUFFile, server: FaultServer) -> None:
    for nbytes in (1 << 20, 1 << 25, 1000):
        assert b"".join(chunk.tobytes() for chunk in model.chunks(nbytes)) == far()
    assert list(model.chunks(100, start=model.nbytes)) == []


def test_hashes_and_differences(model: GGUFFile, local: GGUFFile) -> None:
    assert kaitai_gguf.digest(model) == kaitai_gguf.digest(local)
    assert not kaitai_gguf.diff(model, local)
