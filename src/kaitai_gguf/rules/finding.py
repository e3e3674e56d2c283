"""`Finding`, `Severity`, and the readers that findings name."""

from dataclasses import dataclass
from enum import StrEnum

GGML = "ggml"
GGML_DATA = "ggml (with data)"
LLAMA_CPP = "llama.cpp"
CHECK_TENSORS = "llama.cpp --check-tensors"
GGUF_PY = "gguf-py"

HEADER = (GGML, LLAMA_CPP)
"""The readers that refuse a bad header; ggml refuses it with or without the data."""


class Severity(StrEnum):
    """How bad a finding is, from worst to mildest."""

    ERROR = "error"
    """The file is not valid."""
    WARNING = "warning"
    """Some reader refuses the file, or can't use it unchanged."""
    NOTE = "note"
    """The file breaks a convention."""


ERROR, WARNING, NOTE = Severity


@dataclass(frozen=True, slots=True)
class Finding:
    """One rule that a file breaks, and where."""

    rule: str
    """The id of the rule: a section of docs/rules.md."""
    severity: Severity
    offset: int
    """The byte, from the start of the file, where the offending field starts."""
    path: str
    """The field, e.g. `/metadata/12/value/elements/3`; `/` is the file itself."""
    message: str
    """A sentence. It may quote text of the file: escape it before showing it."""
    refused_by: tuple[str, ...] = ()
    """The readers that refuse the file for this reason."""
    count: int = 1
    """The number of places; `offset` and `path` are those of the first."""
