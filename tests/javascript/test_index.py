"""The JavaScript index finds and refuses the same as the Python index and the official parser."""

import json
from random import Random
from typing import Any

import pytest
from attacks.corpus import CASES
from attacks.mutate import mutant
from hypothesis import given
from support import strategies
from support.gguf_bytes import Model, TensorSpec
from support.node import ROOT, Worker
from support.scanners import PYTHON

import kaitai_gguf
from kaitai_gguf import FormatError, NotGGUFError
from kaitai_gguf.cli import canonical
from kaitai_gguf.reading.header import Header

pytestmark = pytest.mark.xdist_group("javascript")  # which shares a Node.js process
FILES = {path.stem: path.read_bytes() for path in sorted((ROOT / "tests" / "data" / "models").glob("*.gguf"))}
SEEDS = [data for data in FILES.values() if len(data) < 5_000]
SEEDS += [case.data for case in CASES.values() if case.opens and len(case.data) < 5_000]


def check_index(data: bytes, worker: Worker) -> bool:
    """Assert that both indexes find the same or refuse for the same reason. Return whether they accept the data."""
    answer = worker.ask("index", data)
    if answer.error is None:
        header = Header(data, PYTHON)
        assert answer.result == {
            "version": header.version,
            "isLittleEndian": header.byte_order == "little",
            "metadata": header.metadata.tolist(),
            "tensors": header.tensors.tolist(),
            "end": header.end,
        }
        return True
    with pytest.raises(FormatError) as caught:
        Header(data, PYTHON)
    error = caught.value
    assert answer.place == (error.offset, error.path)
    assert answer.error["name"] == type(error).__name__
    assert answer.error.get("needed") == getattr(error, "needed", None)
    # Python recognizes more of the formats that are mistaken for GGUF.
    assert answer.error["message"] == str(error) or isinstance(error, NotGGUFError)
    return False


def check_official(data: bytes, worker: Worker) -> bool:
    """Assert that index and official parser agree in JavaScript. Return whether they accept the data."""
    result = worker.ask("official", data).result
    assert result in ("accepted", "refused")
    return bool(result == "accepted")


def check_open(data: bytes, worker: Worker) -> bool:
    """Assert that both give the same canonical JSON or the same error. Return whether the file opens."""
    answer = worker.ask("canonical", data)
    if answer.error and "beyond 2^53" in answer.error["message"]:
        return False
    if answer.error:
        with pytest.raises(FormatError) as caught:
            kaitai_gguf.open(data)
        assert answer.place == (caught.value.offset, caught.value.path)
        return False
    with kaitai_gguf.open(data) as model:
        document = canonical.document(model, full=True)
    assert answer.result == json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    return True


CHECKS = pytest.mark.parametrize("check", [check_index, check_official, check_open])


@CHECKS
def test_models(check: Any, worker: Worker) -> None:
    assert FILES
    assert [name for name, data in FILES.items() if not check(data, worker)] == []


@CHECKS
def test_attacks(check: Any, worker: Worker) -> None:
    limit = 1 << 20 if check is check_official else 1 << 40
    cases = [case.data for case in CASES.values() if len(case.data) < limit]
    assert 0 < sum(check(data, worker) for data in cases) < len(cases)


@CHECKS
def test_changed_files(check: Any, worker: Worker) -> None:
    assert 50 < sum(check(mutant(Random(seed), SEEDS), worker) for seed in range(1000)) < 900


@given(model=strategies.models())
def test_valid_models(model: Model, worker: Worker) -> None:
    assert check_index(model.build(), worker)
    assert check_official(model.build(), worker)


@pytest.mark.parametrize(
    ("dims", "offset", "path"),
    [((1 << 60, 0), 0, "dims"), ((1 << 27, 1 << 26), 0, "dims"), ((1,), 1 << 53, "ofs_data")],
)
def test_what_no_number_holds_is_refused(dims: tuple[int, ...], offset: int, path: str, worker: Worker) -> None:
    exact = Model([("big", "uint64", (1 << 64) - 1)], [TensorSpec("t", ((1 << 53) - 1024,), 24, 0)]).build()
    assert check_open(exact, worker)
    data = Model([], [TensorSpec("t", dims, 24, offset)]).build()
    answer = worker.ask("canonical", data)
    assert answer.error is not None
    assert "beyond 2^53" in answer.error["message"]
    assert answer.place == (Header(data).position(f"/tensors/0/{path}"), f"/tensors/0/{path}")


@pytest.mark.parametrize("name", ["v1", "tiny-be", "nested-arrays"])
def test_each_byte_is_explained_as_in_python(name: str, worker: Worker) -> None:
    fields = worker.ask("fields", FILES[name]).result
    with kaitai_gguf.open(FILES[name]) as model:
        assert len(fields) == model.header_nbytes
        expected = [field for field in kaitai_gguf.explain(model, elements=None) for _ in range(field.start, field.end)]
    for position, path, start, end in fields:
        assert (path, start, end) == (expected[position].path, expected[position].start, expected[position].end)
