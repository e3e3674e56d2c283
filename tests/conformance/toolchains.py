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
JAVA = HERE / "java" / "build"
# For Maven, javac and the programs in Java, which end before the JVM's optimizations pay off.
ENVIRONMENT = os.environ | {"JAVA_TOOL_OPTIONS": " ".join(SHORT_RUN)}


@dataclass(frozen=True)
class Language:
    """The commands for one language: `limited` sets a limit on memory, `build` runs in `directory`."""

    name: str
    program: list[str]
    limited: list[str]
    tools: list[str] = field(default_factory=list)
    build: list[list[str]] = field(default_factory=list)

    @property
    def directory(self) -> Path:
        return HERE / self.name

    def run(self, *paths: Path) -> subprocess.CompletedProcess[str]:
        """Run the program with its limit on memory."""
        environment = ENVIRONMENT | {"NODE_PATH": str(HERE / "javascript" / "node_modules")}
        command = [*self.limited, *self.program, *map(str, paths)]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=120)


LANGUAGES = [
    Language(
        "python", [sys.executable, str(HERE / "python" / "dump.py")], ["sh", "-c", 'ulimit -v 250000; exec "$@"', "sh"]
    ),
    Language(
        "javascript", [str(HERE / "javascript" / "dump.js")], ["node", "--max-old-space-size=32"], ["node", "npm"],
        [["npm", "ci", "--silent"]],
    ),
    Language(
        # Go's runtime allocates a string before it reads it, which takes address space but no memory.
        "go", [str(HERE / "go" / "build" / "dump")], ["sh", "-c", 'ulimit -v 8000000; exec "$@"', "sh"], ["go"],
        [["go", "build", "-overlay", "overlay.json", "-o", "build/dump", "."]],
    ),
    Language(
        "java", ["-cp", f"{JAVA / 'classes'}:{JAVA / 'lib'}/*:{GENERATED}", "Dump"], ["java", "-Xmx32m"],
        ["java", "javac", "mvn"],
        [
            ["mvn", "-q", "-B", "dependency:copy-dependencies", f"-DoutputDirectory={JAVA / 'lib'}"],
            ["javac", "-cp", "build/lib/*", "-sourcepath", str(GENERATED / "java"), "-d", "build/classes", "Dump.java"],
        ],
    ),
]  # fmt: skip


def refusals(language: Language, files: dict[str, bytes], directory: Path) -> dict[str, str]:
    """Run a program once on files that it must not print, and return its errors by the names of the files."""
    paths = [directory / name for name in files]
    for path, data in zip(paths, files.values(), strict=True):
        path.write_bytes(data)
    done = language.run(*paths)
    assert (done.returncode, done.stdout) == (1, ""), done.stderr
    return dict(re.findall(rf"^{re.escape(str(directory))}/([^:]+): (.+)$", done.stderr, re.MULTILINE))
