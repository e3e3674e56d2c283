"""Files with a few changes, and noise: only a `GGUFError` may be raised. `make fuzz` runs longer."""

from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings, strategies as st
from support.gguf_bytes import FORMS

from attacks.corpus import CASES
from attacks.exercise import exercise
from attacks.mutate import mutant

MODELS = sorted((Path(__file__).parents[1] / "data" / "models").glob("*.gguf"))
FILES = {path.stem: path.read_bytes() for path in MODELS if path.stat().st_size < 50_000}
SEEDS = [data for data in FILES.values() if len(data) < 5_000]
SEEDS += [case.data for case in CASES.values() if case.opens and len(case.data) < 5_000]
pytestmark = [
    pytest.mark.filterwarnings("error"),
    pytest.mark.filterwarnings("ignore::hypothesis.errors.HypothesisWarning"),  # on Python 3.14, about itself
]


@pytest.mark.parametrize("start", [0, 500])
def test_only_gguf_errors_escape_from_mutated_files(start: int) -> None:
    opened = sum(exercise(mutant(Random(seed), SEEDS)) for seed in range(start, start + 500))
    assert 50 < opened < 450  # neither too many mutations nor too few


@settings(max_examples=200, derandomize=True, deadline=None)
@given(st.sampled_from(sorted(FORMS)), st.binary(max_size=200))
def test_only_gguf_errors_escape_from_noise(form: str, noise: bytes) -> None:
    exercise(FORMS[form].header(num_metadata=1, num_tensors=1) + noise)
