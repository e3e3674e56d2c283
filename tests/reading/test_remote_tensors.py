"""Tensors of remote models: which ranges are fetched, and that the data equals that of a local file."""

import copy
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.fault_server import FaultServer
from support.gguf_bytes import F32, Q4_0, Model, TensorSpec
from support.remote_models import COLUMNS, NAMES, NUMBERS, ROWS, far, small

import kaitai_gguf
from kaitai_gguf import ClosedError, FileError, GGUFFile, MissingDataError, TensorNotFound
from kaitai_gguf.reading.handle import source_of
from kaitai_gguf.threads import map_threads

MODELS = Path(__file__).parents[1] / "data" / "models"
FLOATS, BLOCKS = NAMES[0], NAMES[3]


@pytest.fixture
def model(server: FaultServer) -> Iterator[GGUFFile]:
    """Open a model, and clear the list of requests."""
    with kaitai_gguf.open(server.put(far())) as model:
        server.requests.clear()
        yield model


def test_each_access_to_a_tensor_is_one_request(model: GGUFFile, server: FaultServer) -> None:
    local = kaitai_gguf.open(far())
    for tensor in model.tensors.values():
        assert (tensor.shape, tensor.n_elements, tensor.dtype, len(tensor)) == ((ROWS, COLUMNS), 2048, np.float32, ROWS)
        assert repr(tensor)
    assert model._repr_html_()
    assert server.requests == []
    uses: list[Callable[[Any], Any]] = [lambda tensor: tensor.data, lambda tensor: tensor.blocks, np.asarray]
    for name in (FLOATS, BLOCKS):
        tensor = model.tensors[name]
        for use in uses:
            np.testing.assert_array_equal(use(tensor), use(local.tensors[name]))
        assert server.spans == [(tensor.position, tensor.position + (tensor.nbytes or 0))] * 3
        assert not np.shares_memory(tensor.data, tensor.data)
        assert not tensor.data.flags.writeable
        server.requests.clear()


def test_data_that_came_with_the_header_takes_no_request(server: FaultServer) -> None:
    with kaitai_gguf.open(server.put(small())) as model:
        np.testing.assert_array_equal(model.tensors[FLOATS].data, NUMBERS[0])
        assert len(model.fetch(NAMES)) == 6
    assert len(server.requests) == 1


SLICES = [slice(3, 7), slice(60, 200), slice(None, None, 20), slice(5, 5), slice(-2, None), slice(None, None, -1)]


@pytest.mark.parametrize("rows", [*SLICES, [5], [9, 3, 3], np.arange(1, 64, 2), [], 0, -1], ids=str)
def test_rows(model: GGUFFile, server: FaultServer, rows: Any) -> None:
    """Gaps are small here, so one request fetches all rows."""
    local = kaitai_gguf.open(far())
    numbers = np.arange(ROWS)[np.array(rows, int) if isinstance(rows, list) else rows].reshape(-1)
    for name in (FLOATS, BLOCKS):
        server.requests.clear()
        tensor, expected = model.tensors[name], local.tensors[name]
        if not isinstance(rows, int):
            np.testing.assert_array_equal(tensor.dequantize(rows=rows), expected.dequantize(rows=rows))
        if isinstance(rows, int | slice):
            np.testing.assert_array_equal(tensor[rows], expected[rows])
        size = (tensor.nbytes or 0) // ROWS
        positions = tensor.position + size * numbers
        assert set(server.spans) == ({(positions.min(), positions.max() + size)} if len(numbers) else set())


def odd_shapes() -> bytes:
    """Return a model with tensors of 0, 1 and 3 dims, empty ones, and blocks, all far from the header."""
    shapes = [((), F32), ((7,), F32), ((64,), Q4_0), ((32, 3, 4), F32), ((32, 3, 4), Q4_0), ((32, 0), F32), ((0,), F32)]
    offset = 2 << 20
    tensors = [TensorSpec(f"t{i}", *shape, offset + 2048 * i) for i, shape in enumerate(shapes)]
    data = bytes(offset) + np.random.default_rng(0).random(len(shapes) * 512, np.float32).astype("<f4").tobytes()
    return Model([("general.architecture", "string", "llama")], tensors, data).build()


USES: list[Callable[[Any], Any]] = [
    lambda tensor: tensor.data,
    lambda tensor: tensor.blocks,
    lambda tensor: tensor.dequantize(),
    lambda tensor: tensor.dequantize(np.float16, rows=slice(None)),
    lambda tensor: tensor.__array__(np.float64),
    *[lambda tensor, index=index: tensor[index] for index in (0, slice(1, 3), slice(None, None, -1))],
    # refused:
    *[lambda tensor, index=index: tensor[index] for index in (64, -65, "x", (1, 2), None, [1])],
    *[
        lambda tensor, rows=rows: tensor.dequantize(rows=rows)
        for rows in ([0], [64], [-65], ["x"], [1.5], np.zeros(3, bool), [[1, 2]])
    ],
]


@pytest.mark.parametrize("name", ["odd shapes", "tiny-allquants", "tiny-newquants", "tiny-be"])
def test_all_types_and_shapes(server: FaultServer, name: str) -> None:
    data = odd_shapes() if name == "odd shapes" else (MODELS / f"{name}.gguf").read_bytes()
    outcomes = []
    with kaitai_gguf.open(server.put(data)) as remote, kaitai_gguf.open(data) as local:
        source_of(remote).buffer = source_of(remote).buffer[: remote.header_nbytes]  # all tensor data has to be fetched
        for tensor in local.tensors.values():
            for number, use in enumerate(USES):
                outcomes.append(outcome(use, tensor))
                assert outcome(use, remote.tensors[tensor.name]) == outcomes[-1], (tensor.name, number)
    assert 20 < sum(isinstance(each[0], tuple) for each in outcomes) < len(outcomes)
    assert len(server.requests) > len(outcomes) // 4


def outcome(use: Callable[[Any], Any], tensor: Any) -> tuple[Any, ...]:
    try:
        result = np.asarray(use(tensor))
    except Exception as error:
        return type(error), str(error)
    return result.shape, result.dtype, result.tobytes()


def test_tensors_are_fetched_together(model: GGUFFile, server: FaultServer) -> None:
    arrays = model.fetch([NAMES[2], NAMES[0], NAMES[1], NAMES[0]])
    assert list(arrays) == [NAMES[2], NAMES[0], NAMES[1]]
    for name, expected in zip(NAMES, NUMBERS, strict=False):
        np.testing.assert_array_equal(arrays[name], expected)
    start = model.tensors[FLOATS].position
    assert server.spans == [(start, start + 3 * ROWS * COLUMNS * 4)]
    assert model.fetch([]) == {}
    with pytest.raises(TensorNotFound):
        model.fetch([FLOATS, "nothing"])
    assert len(server.requests) == 1


def test_data_that_is_not_available(model: GGUFFile, server: FaultServer) -> None:
    tensor, array = model.tensors[FLOATS], model.tensors[FLOATS].data
    with kaitai_gguf.open(server.put(far()[:-5000], "/cut")) as cut:
        for use in (lambda: cut.tensors[NAMES[5]].data, lambda: cut.fetch(NAMES)):
            with pytest.raises(MissingDataError):
                use()
    assert len(server.requests) == 2
    server.put(far("other"))
    uses: list[Callable[[], object]] = [
        lambda: tensor.data,
        lambda: model.tensors[BLOCKS].dequantize(rows=[1]),
        lambda: model.fetch(NAMES),
        lambda: list(model.chunks(1 << 20)),
    ]
    for use in uses:
        with pytest.raises(FileError, match="was replaced while"):
            use()
    model.close()
    with pytest.raises(ClosedError):
        _ = tensor.data
    np.testing.assert_array_equal(array, NUMBERS[0])


def test_copies_and_threads_read_the_same_file(model: GGUFFile) -> None:
    np.testing.assert_array_equal(copy.deepcopy(model.tensors[NAMES[1]]).data, NUMBERS[1])
    np.testing.assert_array_equal(copy.copy(model).tensors[FLOATS].data, NUMBERS[0])
    for number, array in enumerate(map_threads(lambda job: model.tensors[NAMES[job % 3]].data, range(40), 8)):
        np.testing.assert_array_equal(array, NUMBERS[number % 3])


def test_all_bytes(model: GGUFFile) -> None:
    for nbytes in (1 << 20, 1 << 25, 1000):
        assert b"".join(chunk.tobytes() for chunk in model.chunks(nbytes)) == far()
    assert list(model.chunks(100, start=model.nbytes)) == []
