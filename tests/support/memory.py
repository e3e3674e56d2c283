"""Memory use of a process."""

import re
import sys
from pathlib import Path


def peak() -> int:
    """Return the peak resident memory of this process in bytes.

    On Linux, `ru_maxrss` is not used: it starts at the peak of the parent process, which can be higher.
    """
    if sys.platform.startswith("linux"):
        (kilobytes,) = re.findall(r"^VmHWM:\s+(\d+) kB$", Path("/proc/self/status").read_text(), re.MULTILINE)
        return int(kilobytes) << 10
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
