"""Assumptions that the tests rely on."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from support.about import about
from support.memory import peak


@pytest.mark.xdist_group("suite")
def test_groups_are_kept_together(request: pytest.FixtureRequest) -> None:
    """If pytest-xdist ignored groups, it would say nothing, but each process would build everything again."""
    if not request.config.getoption("loadgroup", False):
        pytest.skip("tests are not distributed by group")
    assert request.node.nodeid.endswith("@suite")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows does not report the peak memory")
def test_the_peak_of_a_process_is_its_own() -> None:
    assert len(b"x" * (200 << 20)) < peak()
    code = "from support.memory import peak; print(peak())"
    here = os.environ | {"PYTHONPATH": str(Path(__file__).parent)}
    done = subprocess.run([sys.executable, "-c", code], env=here, capture_output=True, text=True, check=True)
    assert 1 << 20 < int(done.stdout) < 100 << 20


def test_a_failure_in_a_loop_names_the_case() -> None:
    with pytest.raises(AssertionError) as caught, about("seven"):
        raise AssertionError
    assert caught.value.__notes__ == ["case: seven"]
