"""The JavaScript index finds and refuses the same as the Python index and the official parser."""

import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import TypeVar

import pytest
from attacks.cases import CASES
from attacks.mutate import mutant
from hypothesis import given
from support import strategies
from support.gguf_bytes import Array, Model, TensorSpec
from support.node import Worker
from support.scanners import PYTHON

import kaitai_gguf
from kaitai_gguf import FormatError, NotGGUFError
from kaitai_gguf.cli import canonical
from kaitai_gguf.reading.header import Header

T = TypeVar("T")

ROOT = Path(__file__).parents[2]
FILES = {path.stem: path.read_bytes() for path in sorted((ROOT / "tests" / "data" / "models").glob("*.gguf"))}
SMALL = {name: data for name, data in FILES.items() if len(data) < 50_000}
SEEDS = [data for data in SMALL.values() if len(data) < 5_000]
SEEDS += [case.data for case in CASES.values() if case.refusal is None and len(case.data) < 5_000]


def check_index(data: bytes, worker: Worker) -> bool:
    """Assert that both indexes find the same or refuse for the same reason. Return whether they accept the data."""
    answer = worker.ask("index", data)
    reader, error = by_python(lambda: Header(data, PYTHON))
    if error is not None:
        assert answer.error is not None
        assert answer.place == (error.offset, error.path)
        assert answer.error["name"] == type(error).__name__
        assert answer.error.get("needed") == getattr(error, "needed", None)
        # Python recognizes more of the formats that are mistaken for GGUF.
        assert answer.error["message"] == str(error) or isinstance(error, NotGGUFError)
        return False
    assert reader is not None
    assert answer.result == {
        "version": reader.version,
        "isLittleEndian": reader.byte_order == "little",
        "metadata": reader.metadata.tolist(),
        "tensors": reader.tensors.tolist(),
        "end": reader.end,
    }
    return True


def by_python(function: Callable[[], T]) -> tuple[T | None, FormatError | None]:
    try:
        return function(), None
    except FormatError as error:
        return None, error


@pytest.mark.parametrize("name", FILES)
def test_models(name: str, worker: Worker) -> None:
    assert check_index(FILES[name], worker)
    assert worker.ask("official", FILES[name]).result == "accepted"


def test_attacks(worker: Worker) -> None:
    accepted = sum(check_index(case.data, worker) for case in CASES.values())
    assert 0 < accepted < len(CASES)


def test_attacks_beside_the_official_parser(worker: Worker) -> None:
    data = [case.data for case in CASES.values() if len(case.data) < 1 << 20]
    found = [worker.ask("official", each).result for each in data]
    assert set(found) == {"accepted", "refused"}


def test_files_changed_knowingly(worker: Worker) -> None:
    mutants = [mutant(Random(seed), SEEDS) for seed in range(1000)]
    assert 50 < sum(check_index(each, worker) for each in mutants) < 900
    assert {worker.ask("official", each).result for each in mutants} == {"accepted", "refused"}


@pytest.mark.parametrize("name", ["v1", "nested-arrays"])
def test_headers_cut_off_after_every_byte(name: str, worker: Worker) -> None:
    end = Header(FILES[name]).end
    assert not any(check_index(FILES[name][:size], worker) for size in range(end))
    assert check_index(FILES[name][:end], worker)


@given(model=strategies.models())
def test_valid_models(model: Model, worker: Worker) -> None:
    assert check_index(model.build(), worker)
    assert worker.ask("official", model.build()).result == "accepted"


@given(data=strategies.broken())
def test_broken_models(data: bytes, worker: Worker) -> None:
    result = "accepted" if check_index(data, worker) else "refused"
    assert worker.ask("official", data).result == result


@pytest.mark.parametrize("levels", [128, 129, 10_000])
def test_nested_arrays(levels: int, worker: Worker) -> None:
    header = Model([("deep", "array", Array("array", []))]).header()[:-8]
    level = (1).to_bytes(8, "little") + (9).to_bytes(4, "little")
    assert check_index(header + level * (levels - 1) + bytes(8), worker) == (levels <= 128)


# Whole files


def check_open(data: bytes, worker: Worker) -> bool:
    """Assert that both give the same canonical JSON or the same error. Return whether the file opens."""
    answer = worker.ask("canonical", data)
    if answer.error and "beyond 2^53" in answer.error["message"]:
        return False
    expected, error = by_python(lambda: document(data))
    if error is not None:
        assert answer.place == (error.offset, error.path)
        return False
    assert answer.error is None
    assert answer.result == expected
    return True


def document(data: bytes) -> str:
    with kaitai_gguf.open(data) as model:
        return json.dumps(canonical.document(model, full=True), ensure_ascii=False, separators=(",", ":"))


@pytest.mark.parametrize("name", FILES)
def test_canonical_json_of_models(name: str, worker: Worker) -> None:
    assert check_open(FILES[name], worker)


def test_canonical_json_of_vocabularies(worker: Worker, vocabularies: list[Path]) -> None:
    assert all(check_open(path.read_bytes(), worker) for path in vocabularies)


def test_attacks_open_as_in_python(worker: Worker) -> None:
    assert 0 < sum(check_open(case.data, worker) for case in CASES.values()) < len(CASES)


def test_files_changed_knowingly_open_as_in_python(worker: Worker) -> None:
    opened = sum(check_open(mutant(Random(seed), SEEDS), worker) for seed in range(1000, 2000))
    assert 50 < opened < 900


@pytest.mark.parametrize(
    ("dims", "offset", "path"),
    [
        ((1 << 53, 1), 0, "dims"),
        ((1 << 60, 0), 0, "dims"),
        ((1 << 27, 1 << 26), 0, "dims"),
        ((1,), 1 << 53, "ofs_data"),
    ],
)
def test_what_no_number_holds_is_refused(dims: tuple[int, ...], offset: int, path: str, worker: Worker) -> None:
    data = Model([], [TensorSpec("t", dims, 24, offset)]).build()
    kaitai_gguf.open(data).close()
    answer = worker.ask("canonical", data)
    assert answer.error is not None
    assert "beyond 2^53" in answer.error["message"]
    position = Header(data).position(f"/tensors/0/{path}")
    assert answer.place == (position, f"/tensors/0/{path}")


def test_the_largest_numbers_are_exact(worker: Worker) -> None:
    data = Model([("big", "uint64", (1 << 64) - 1)], [TensorSpec("t", ((1 << 53) - 1024,), 24, 0)]).build()
    assert check_open(data, worker)


@pytest.mark.parametrize("name", ["v1", "tiny-be", "nested-arrays"])
def test_each_byte_is_explained_as_in_python(name: str, worker: Worker) -> None:
    fields = worker.ask("fields", FILES[name]).result
    with kaitai_gguf.open(FILES[name]) as model:
        assert len(fields) == model.header_nbytes
        expected = [field for field in kaitai_gguf.explain(model, elements=None) for _ in range(field.start, field.end)]
    for position, path, start, end in fields:
        assert (path, start, end) == (expected[position].path, expected[position].start, expected[position].end)
