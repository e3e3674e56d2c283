"""Build and run the programs of each language."""

import os
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
    """The commands for one language: `limited` sets a limit on memory, `build` runs in the folder of that name."""

    name: str
    program: list[str]
    limited: list[str]
    tools: list[str] = field(default_factory=list)
    build: list[list[str]] = field(default_factory=list)

    def run(self, files: dict[str, bytes], directory: Path) -> subprocess.CompletedProcess[str]:
        """Write the files, and run the program on them with its limit on memory."""
        for name, data in files.items():
            (directory / name).write_bytes(data)
        environment = ENVIRONMENT | {"NODE_PATH": str(HERE / "javascript" / "node_modules")}
        command = [*self.limited, *self.program, *(str(directory / name) for name in files)]
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
