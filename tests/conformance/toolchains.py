"""Build and run the programs of each language."""

import os
import re
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

from compiler import SHORT_RUN

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
GENERATED = ROOT / "generated"
JAVA_LIBRARIES = HERE / "java" / "build" / "lib"
NODE_MODULES = HERE / "javascript" / "node_modules"
# For Maven, javac and the programs in Java, which end before the JVM's optimizations pay off.
ENVIRONMENT = os.environ | {"JAVA_TOOL_OPTIONS": " ".join(SHORT_RUN)}


@dataclass(frozen=True)
class Language:
    """The commands for one language. `build` runs in `directory`; `limited` is `run` with a limit on memory."""

    name: str
    run: list[str]
    limited: list[str]
    tools: list[str] = field(default_factory=list)
    build: list[list[str]] = field(default_factory=list)

    @property
    def directory(self) -> Path:
        return HERE / self.name


def _java(*options: str) -> list[str]:
    return ["java", *options, "-cp", f"{HERE / 'java' / 'build' / 'classes'}:{JAVA_LIBRARIES}/*:{GENERATED}", "Dump"]


def _shell(limit: str, command: list[str]) -> list[str]:
    return ["sh", "-c", f'{limit}; exec "$@"', "sh", *command]


PYTHON = sys.executable
_PYTHON = [PYTHON, str(HERE / "python" / "dump.py")]
_NODE = str(HERE / "javascript" / "dump.js")
_GO = [str(HERE / "go" / "build" / "dump")]

LANGUAGES = {
    "python": Language("python", _PYTHON, _shell("ulimit -v 250000", _PYTHON)),
    "javascript": Language(
        "javascript",
        ["node", _NODE],
        ["node", "--max-old-space-size=32", _NODE],
        ["node", "npm"],
        [["npm", "ci", "--silent"]],
    ),
    "go": Language(
        "go",
        _GO,
        # Go's runtime allocates a string before it reads it, which takes address space but no memory.
        _shell("ulimit -v 8000000", _GO),
        ["go"],
        [["go", "build", "-overlay", "overlay.json", "-o", "build/dump", "."]],
    ),
    "java": Language(
        "java",
        _java(),
        _java("-Xmx32m"),
        ["java", "javac", "mvn"],
        [
            ["mvn", "-q", "-B", "dependency:copy-dependencies", f"-DoutputDirectory={JAVA_LIBRARIES}"],
            ["javac", "-cp", "build/lib/*", "-sourcepath", str(GENERATED / "java"), "-d", "build/classes", "Dump.java"],
        ],
    ),
}


def run(command: list[str], *paths: Path, timeout: float = 120) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*command, *map(str, paths)],
        env=ENVIRONMENT | {"NODE_PATH": str(NODE_MODULES)},
        capture_output=True,
        text=True,
        check=False,
        timeout=timeout,
    )


def refusals(command: list[str], files: dict[str, bytes], directory: Path) -> dict[str, str]:
    """Run a program once on files that it must not print, and return its errors by the names of the files."""
    paths = [directory / name for name in files]
    for path, data in zip(paths, files.values(), strict=True):
        path.write_bytes(data)
    done = run(command, *paths)
    assert (done.returncode, done.stdout) == (1, ""), done.stderr
    return dict(re.findall(rf"^{re.escape(str(directory))}/([^:]+): (.+)$", done.stderr, re.MULTILINE))
