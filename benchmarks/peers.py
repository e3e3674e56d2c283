"""The readers to compare, each in its own process. One that is not available is left out, with a message."""

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from benchmarks import ggml
from benchmarks.harness import Contender

HERE = Path(__file__).parent
PYTHON = [sys.executable, "-m", "benchmarks.readers"]


class Reader:
    """A process with the protocol of readers.py."""

    def __init__(self, name: str, command: list[str], **environment: str) -> None:
        self.name = name
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=HERE.parent,
            env=os.environ | environment,
        )  # fmt: skip
        self._outputs: dict[Path, dict[str, str]] = {}

    def ask(self, operation: str, path: Path) -> Any:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(f"{operation.replace(' ', '_')} {path}\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            raise RuntimeError(f"{self.name} ended when it was asked for {operation} of {path}")
        return json.loads(answer)

    def output(self, path: Path) -> dict[str, str]:
        if path not in self._outputs:
            self._outputs[path] = self.ask("output", path)
        return self._outputs[path]

    def doing(self, operation: str, path: Path) -> Contender:
        return Contender(lambda: float(self.ask(operation, path)), lambda: self.output(path))

    def stop(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()


@contextmanager
def readers(*names: str) -> Iterator[dict[str, Reader]]:
    """Yield those of the named readers that are available, by name."""
    commands = {
        "llama.cpp": [*PYTHON, "llama.cpp"] if ggml.library("portable") else None,
        "kaitai_gguf": [*PYTHON, "ours"],
        "pure Python": [*PYTHON, "ours"],
        "drop-in": [*PYTHON, "drop-in"],
        "C index": c_index(),
        "JavaScript": in_javascript("javascript"),
        "gguf-py": [*PYTHON, "gguf-py"],
        "@huggingface/gguf": in_javascript("huggingface") if (HERE / "node_modules").exists() else None,
        "transformers": [*PYTHON, "transformers"] if importlib.util.find_spec("transformers") else None,
        "gguf-parser-go": built("gguf_parser_go"),
        "ggus": built("rust/release/ggus"),
    }
    with ExitStack() as stack:
        result = {}
        for name in names:
            command = commands[name]
            if command is None:
                print(f"left out: {name}, which is not installed (see `make bench-all`)", flush=True)
                continue
            scanner = "python" if name == "pure Python" else "compiled"
            result[name] = Reader(name, command, **({"KAITAI_GGUF_SCANNER": scanner} if "ours" in command else {}))
            stack.callback(result[name].stop)
        yield result


def c_index() -> list[str] | None:
    """Build the program around the generated C index, like the extension module. Return None without a C compiler."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        return None
    program = HERE / "build" / "c_index"
    program.parent.mkdir(exist_ok=True)
    subprocess.run([compiler, "-std=c99", "-O2", str(HERE / "c_index.c"), "-o", str(program)], check=True)
    return [str(program)]


def built(program: str) -> list[str] | None:
    """Return the command for a program that `make bench-all` builds, or None if it did not."""
    path = HERE / "build" / program
    return [str(path)] if path.exists() else None


def in_javascript(name: str) -> list[str] | None:
    node = shutil.which("node")
    return [node, str(HERE / "readers.mjs"), name] if node else None
