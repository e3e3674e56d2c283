"""What the findings say about llama.cpp: that it refuses a file, or that no reason for that was found."""

from typing import Any

import kaitai_gguf

GGML, LLAMA_CPP = "ggml", "llama.cpp"

NOT_CHECKED = ("the tensors of the blocks", "the shapes of most tensors")
"""What llama.cpp requires, and no rule checks."""


class Verdict:
    """llama.cpp reads the header of a file with ggml, and then makes a model of it: it may fail at either."""

    def __init__(self, findings: list[kaitai_gguf.Finding]) -> None:
        self.unread = _rules(findings, GGML)
        """The rules because of which the header is not read."""
        self.unloaded = _rules(findings, LLAMA_CPP)
        """The rules because of which no model is made of it."""

    def words(self) -> str:
        if self.unread:
            return f"llama.cpp would not load it: {', '.join(self.unread)}"
        if self.unloaded:
            return f"llama.cpp would read the header, but not load it as a model: {', '.join(self.unloaded)}"
        return f"no reason found why llama.cpp would refuse it (not checked: {', '.join(NOT_CHECKED)})"

    def document(self) -> dict[str, Any]:
        """Return the verdict for programs; `loads` is False or, for unknown, None."""
        return {
            "reads_header": not self.unread,
            "loads": False if self.unloaded else None,
            "because_of": self.unread or self.unloaded,
            "verdict": self.words(),
            "not_checked": list(NOT_CHECKED),
        }


def _rules(findings: list[kaitai_gguf.Finding], reader: str) -> list[str]:
    return list(dict.fromkeys(finding.rule for finding in findings if reader in finding.refused_by))
