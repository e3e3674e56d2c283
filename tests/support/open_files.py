"""Which files this process has open or mapped, on systems that list them."""

import os
from pathlib import Path

import pytest

needs_maps = pytest.mark.skipif(
    not Path("/proc/self/maps").exists(), reason="the system does not list memory maps and descriptors"
)


def uses(path: Path | str) -> int:
    """Return the number of maps and descriptors of a file, or of files in a directory, in this process."""
    mapped = Path("/proc/self/maps").read_text().count(str(path))
    descriptors = (f"/proc/self/fd/{number}" for number in os.listdir("/proc/self/fd"))
    return mapped + sum(os.path.realpath(each).startswith(str(path)) for each in descriptors)
