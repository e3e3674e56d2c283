"""Facts about a run: the machine, its other load, the commit, and the versions of the other readers."""

import json
import os
import platform
import re
import subprocess
import time
from contextlib import suppress
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from benchmarks import ggml

ROOT = Path(__file__).parents[1]
PACKAGES = ["numpy", "gguf", "transformers", "fsspec", "pyarrow", "dask"]
PINNED = {
    "gguf-parser-go": ("go/go.mod", r"gguf-parser-go v(\S+)"),
    "ggus": ("rust/Cargo.toml", r'ggus = "=(.+)"'),
}


class Environment:
    """Facts about the run of one section. Call `facts()` when it has ended."""

    def __init__(self) -> None:
        self.date = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
        self.start = time.monotonic()
        self.load = os.getloadavg()[0]
        self.busy = busy_seconds()
        self.own = own_seconds()

    def facts(self) -> dict[str, Any]:
        seconds = time.monotonic() - self.start
        others = busy_seconds() - self.busy - (own_seconds() - self.own)
        return {
            "date": self.date,
            "commit": commit(),
            "seconds": round(seconds),
            "load average": round(self.load, 1),
            "others": round(max(0.0, others) / seconds, 2),
            "machine": machine(),
            "versions": versions(),
        }


def busy_seconds() -> float:
    """Return the processor time of all programs since the system started, in seconds."""
    with suppress(OSError, ValueError):
        user, nice, system, _, _, irq, softirq, *_ = map(int, Path("/proc/stat").read_text().split("\n")[0].split()[1:])
        return (user + nice + system + irq + softirq) / os.sysconf("SC_CLK_TCK")
    return 0.0


def own_seconds() -> float:
    """Return the processor time of this process and of its children that have ended, in seconds."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def commit() -> str:
    def git(*words: str) -> str:
        return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()

    with suppress(OSError, subprocess.CalledProcessError):
        changed = git("status", "--porcelain", "--", "src", "generated", "schema", "javascript")
        return git("rev-parse", "--short", "HEAD") + (" with changes" if changed else "")
    return "unknown"


def machine() -> str:
    model = platform.processor() or platform.machine()
    with suppress(OSError):
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        model = next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), model)
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return f"{model}, {os.cpu_count()} processors, {memory:.0f} GiB of memory, {platform.system()} {platform.release()}"


def versions() -> dict[str, str]:
    """Return the versions of Python and of the other readers that are installed."""
    result = {"Python": platform.python_version()}
    for package in PACKAGES:
        with suppress(PackageNotFoundError):
            result[package] = version(package)
    if ggml.library("portable"):
        result["ggml"] = f"from llama-cpp-python {ggml.LLAMA_CPP_PYTHON}"
    with suppress(OSError, subprocess.CalledProcessError):
        result["Node.js"] = subprocess.run(["node", "--version"], capture_output=True, text=True, check=True).stdout[
            1:-1
        ]
    for name, (file, pattern) in PINNED.items():
        if match := re.search(pattern, (ROOT / "benchmarks" / file).read_text()):
            result[name] = match[1]
    with suppress(OSError):
        lock = json.loads((ROOT / "benchmarks" / "package-lock.json").read_text())
        result["@huggingface/gguf"] = lock["packages"]["node_modules/@huggingface/gguf"]["version"]
    return result
