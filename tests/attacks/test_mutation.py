"""Real files with a few changes: only a `GGUFError` may be raised."""

from pathlib import Path
from random import Random
from time import process_time

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from support.gguf_bytes import FORMS, Form

import kaitai_gguf
from attacks.cases import CASES
from attacks.exercise import exercise
from attacks.layout import ENOUGH, layout
from attacks.mutate import in_form, mutant
from attacks.outcome import touch
from kaitai_gguf import FormatError

MODELS = sorted((Path(__file__).parents[1] / "data" / "models").glob("*.gguf"))
FILES = {path.stem: path.read_bytes() for path in MODELS if path.stat().st_size < 50_000}
HEADERS = {name: data[: kaitai_gguf.open(data).header_nbytes] for name, data in FILES.items()}
NUMBERS = [0, 1, 2, 4, 5, 8, 9, 12, 13, 31, 32, 43, 127, 128, 255, 2**15, 2**16, 2**30, 2**30 + 1, 2**31]
WIDE = [2**32 - 1, 2**32, 2**60, 2**62, 2**63 - 1, 2**63, 2**64 - 64, 2**64 - 32, 2**64 - 1]


@st.composite
def edits(draw: st.DrawFn, data: bytearray) -> None:
    """Change the data in one place."""
    at = draw(st.sampled_from(range(8, len(data))))
    match draw(st.sampled_from(["byte", "byte", "bit", "u4", "u8", "cut", "drop", "insert", "swap"])):
        case "byte":
            data[at] = draw(st.integers(0, 255))
        case "bit":
            data[at] ^= 1 << draw(st.integers(0, 7))
        case "u4":
            data[at : at + 4] = FORMS["v3"].u4(draw(st.sampled_from(NUMBERS)))
        case "u8":
            data[at : at + 8] = FORMS["v3"].u8(draw(st.sampled_from(NUMBERS + WIDE)))
        case "cut":
            del data[at:]
        case "drop":
            del data[at : at + draw(st.integers(1, 16))]
        case "insert":
            data[at:at] = draw(st.binary(min_size=1, max_size=16))
        case "swap":
            data[at : at + 8] = data[at : at + 8][::-1]


@st.composite
def mutants(draw: st.DrawFn) -> bytes:
    """Change one to three places in the header of a file."""
    name = draw(st.sampled_from(sorted(FILES)))
    data = bytearray(HEADERS[name])
    for _ in range(draw(st.integers(1, 3))):
        if len(data) > 8:
            draw(edits(data))
    return bytes(data + FILES[name][len(HEADERS[name]) :])


def check(data: bytes) -> None:
    try:
        model = kaitai_gguf.open(data)
    except FormatError as error:
        offset, path = error.offset, error.path
    else:
        touch(model)
        return
    assert 0 <= offset <= len(data)
    assert path.startswith("/")


@pytest.mark.filterwarnings("error")
@settings(max_examples=200, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck))
@given(mutants())
def test_only_gguf_errors_escape_from_changed_files(data: bytes) -> None:
    check(data)


@pytest.mark.filterwarnings("error")
@settings(max_examples=200, derandomize=True, deadline=None)
@given(st.sampled_from(sorted(FORMS)), st.binary(max_size=200))
def test_only_gguf_errors_escape_from_noise(form: str, noise: bytes) -> None:
    start = FORMS[form].header(num_metadata=1, num_tensors=1)
    check(start + noise)


@pytest.mark.parametrize("name", ["v1", "empty-arrays", "split5-00003-of-00003"])
@pytest.mark.filterwarnings("error")
def test_every_byte_of_a_header_set_to_255(name: str) -> None:
    data = bytearray(FILES[name])
    for at in range(4, len(HEADERS[name])):
        kept, data[at] = data[at], 255
        check(bytes(data))
        data[at] = kept


SEEDS = [data for data in FILES.values() if len(data) < 5_000]
SEEDS += [case.data for case in CASES.values() if case.refusal is None and len(case.data) < 5_000]
SLOW = 1.0  # seconds of processor time, for files of a few thousand bytes


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("start", range(0, 2000, 500))
def test_only_gguf_errors_escape_from_files_changed_knowingly(start: int) -> None:
    """A deterministic fuzz run that mutates fields, items and counts. `make fuzz` runs longer."""
    opened = 0
    for seed in range(start, start + 500):
        data = mutant(Random(seed), SEEDS)
        before = process_time()
        opened += exercise(data)
        assert process_time() - before < SLOW, seed
    assert 50 < opened < 450  # neither too many mutations nor too few


def test_a_layout_is_all_of_a_header() -> None:
    for data in FILES.values():
        found = layout(data)
        model = kaitai_gguf.open(data)
        assert (len(found.metadata), len(found.tensors)) == (len(model.metadata), len(model.tensors)) or (
            len(found.fields) == ENOUGH
        )
        assert [each.start for each in found.fields[1:]] == [each.end for each in found.fields[:-1]]


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_a_file_in_another_form_says_the_same(form: Form) -> None:
    source = FORMS["v3"].file([FORMS["v3"].key_value(4, FORMS["v3"].u4(7))], [FORMS["v3"].tensor((2, 3))], bytes(24))
    model = kaitai_gguf.open(in_form(layout(source), form))
    assert (model.version, model.byte_order == "big") == (form.version, form.order == ">")
    assert (list(model.metadata), model.tensors["t"].dims) == (["k"], (2, 3))


def test_unchanged_files_open() -> None:
    for data in FILES.values():
        touch(kaitai_gguf.open(data))
