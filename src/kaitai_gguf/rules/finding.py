"""What a rule says of a file: `Finding`, and the readers that are spoken of."""

from dataclasses import dataclass
from enum import StrEnum

__all__ = ["CHECK_TENSORS", "GGML", "GGML_DATA", "GGUF_PY", "HEADER", "LLAMA_CPP", "READERS", "Finding", "Severity"]

GGML = "ggml"
GGML_DATA = "ggml (with data)"
LLAMA_CPP = "llama.cpp"
CHECK_TENSORS = "llama.cpp --check-tensors"
GGUF_PY = "gguf-py"

READERS = {
    GGML: "`gguf_init_from_file`, which reads the header: llama.cpp, whisper.cpp and others are built on it",
    GGML_DATA: "the same where it is asked to read the tensor data too; it refuses all that ggml does as well",
    LLAMA_CPP: "`llama_model_load_from_file`: ggml, and then what makes a model of the file",
    CHECK_TENSORS: "the same with the option that has it look at the tensor data",
    GGUF_PY: "`gguf.GGUFReader` of the Python package gguf, 0.19",
}

HEADER = (GGML, LLAMA_CPP)
"""Who refuses a header; ggml does so with or without the data."""


class Severity(StrEnum):
    """How bad it is, the worst first."""

    ERROR = "error"
    """The file is not valid."""
    WARNING = "warning"
    """Some reader refuses it, or can't use it as it is."""
    NOTE = "note"
    """It is against a convention."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One rule that a file does not keep, and where."""

    rule: str
    """The id of the rule: a section of docs/rules.md."""
    severity: Severity
    offset: int
    """The byte, from the start of the file, where the offending field starts."""
    path: str
    """The field, e.g. `/metadata/12/value/elements/3`; `/` is the file itself."""
    message: str
    """A sentence. It may quote what the file says: escape it before it is shown."""
    refused_by: tuple[str, ...] = ()
    """Who does not read the file for this reason."""
    count: int = 1
    """In how many places; `offset` and `path` are those of the first."""
