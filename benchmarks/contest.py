"""Contenders side by side: each in a process of its own, asked in turn, so that a slow spell hits all."""

import os
import shutil
import statistics
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path

HERE = Path(__file__).parent
BUDGET = 20.0  # seconds that one contender may take for one operation on one file, after the first round


class Contender:
    """A worker process that answers questions."""

    def __init__(self, name: str, command: list[str], **environment: str) -> None:
        self.name = name
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=os.environ | environment
        )

    def ask(self, operation: str, path: Path) -> float | None:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(f"{operation.replace(' ', '_')} {path}\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            raise RuntimeError(f"{self.name} has ended")
        return None if answer.startswith("None") else float(answer)

    def stop(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()


def contenders() -> list[Contender]:
    """Ours in both forms, and each peer that is installed; says which aren't."""
    python, worker = sys.executable, str(HERE / "worker.py")
    found = [
        Contender("ours", [python, worker, "ours"], KAITAI_GGUF_SCANNER="compiled"),
        Contender("ours, pure Python", [python, worker, "ours"], KAITAI_GGUF_SCANNER="python"),
        Contender("gguf-py", [python, worker, "gguf-py"]),
    ]
    if find_spec("llama_cpp") is None:
        print("left out: llama.cpp (the package llama-cpp-python is not installed)")
    else:
        found.insert(0, Contender("llama.cpp", [python, worker, "llama.cpp"]))
    if program := c_index():
        found.append(Contender("C index", [str(program)]))
    else:
        print("left out: the C index (there is no C compiler)")
    node = shutil.which("node")
    if node:
        found.append(Contender("JavaScript", [node, str(HERE / "javascript.mjs")]))
    if node and (HERE / "node_modules").exists():
        found.append(Contender("@huggingface/gguf", [node, str(HERE / "huggingface.mjs")]))
    else:
        print("left out: @huggingface/gguf (Node.js or the package is not installed)")
    return found


def c_index() -> Path | None:
    """The program around the generated C index, built as the extension module is; None without a C compiler."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        return None
    program = HERE / "build" / "c_index"
    program.parent.mkdir(exist_ok=True)
    subprocess.run([compiler, "-std=c99", "-O2", str(HERE / "c_index.c"), "-o", str(program)], check=True)
    return program


def compare(contestants: list[Contender], operation: str, path: Path, rounds: int) -> dict[str, dict[str, float]]:
    """Best and median of each contender that knows the operation, in what it answers with."""
    answers: dict[str, list[float]] = {}
    spent = dict.fromkeys((contender.name for contender in contestants), 0.0)
    for number in range(rounds + 1):
        for contender in contestants:
            if spent[contender.name] > BUDGET and answers.get(contender.name):
                continue
            start = time.monotonic()
            answer = contender.ask(operation, path)
            spent[contender.name] += time.monotonic() - start
            slow = spent[contender.name] > BUDGET  # then there is no second round to warm up for
            if answer is not None and (number or slow):
                answers.setdefault(contender.name, []).append(answer)
    return {
        each.name: {
            "best": min(answers[each.name]),
            "median": statistics.median(answers[each.name]),
            "rounds": len(answers[each.name]),
        }
        for each in contestants
        if each.name in answers
    }
