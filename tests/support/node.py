"""A Node.js process that runs the JavaScript package on some bytes and returns the results."""

import base64
import json
import subprocess
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[2]
WORKER = ROOT / "tests" / "javascript" / "worker.mjs"


class Answer(NamedTuple):
    result: Any
    error: dict[str, Any] | None

    @property
    def place(self) -> tuple[int, str]:
        """Return the offset and the path of the error."""
        assert self.error is not None, self.result
        assert "offset" in self.error, self.error["stack"]
        return self.error["offset"], self.error["path"]


class Worker:
    def __init__(self, script: Path = WORKER) -> None:
        self._process = subprocess.Popen(
            ["node", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
        )

    def ask(self, question: str, data: bytes, **more: Any) -> Answer:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        line = json.dumps({"question": question, "data": base64.b64encode(data).decode(), **more})
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()
        answer = json.loads(self._process.stdout.readline())
        return Answer(answer.get("result"), answer.get("error"))

    def stop(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        assert self._process.wait(timeout=60) == 0
