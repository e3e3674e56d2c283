"""The files in `files/`, with the verdicts in `verdicts.json`."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
FILES, VERDICTS = HERE / "files", HERE / "verdicts.json"


@dataclass(frozen=True)
class Case:
    """A file of the corpus. README.md says what a verdict contains."""

    data: bytes
    verdict: dict[str, Any]

    @property
    def opens(self) -> bool:
        return bool(self.verdict["open"])


CASES: dict[str, Case] = {
    name.removesuffix(".gguf"): Case((FILES / name).read_bytes(), verdict)
    for name, verdict in json.loads(VERDICTS.read_text()).items()
}
