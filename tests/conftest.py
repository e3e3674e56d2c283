"""Settings for all tests."""

import gc
import signal
from collections.abc import Iterator

import pytest
from hypothesis import settings
from support.fault_server import FaultServer, serving

# A shell starts background jobs with SIGINT ignored, and the programs that tests interrupt would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)

# No deadline: speed is measured in benchmarks/, and test machines are busy. `make fuzz` tries more examples.
settings.register_profile("project", deadline=None, max_examples=50)
settings.load_profile("project")


def pytest_collection_finish() -> None:
    """Exclude all modules and test items from garbage collection, which is faster without them."""
    gc.collect()
    gc.freeze()


def pytest_unconfigure() -> None:
    gc.unfreeze()  # extension modules report objects that are not freed at the end as leaks


@pytest.fixture
def server() -> Iterator[FaultServer]:
    with serving() as server:
        yield server
