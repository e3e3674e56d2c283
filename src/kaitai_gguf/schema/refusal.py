"""Turn refusals of the index into errors with a readable message."""

from kaitai_gguf_schema.types import MAGIC

from kaitai_gguf.errors import FormatError, NotGGUFError, TruncatedError
from kaitai_gguf.schema.scanner import Buffer, Refused
from kaitai_gguf.sources.identify import identify


def not_gguf(buf: Buffer) -> FormatError | None:
    """Return an error if the bytes do not start like GGUF, naming the format that they look like."""
    start = bytes(buf[:256])
    if start.startswith(MAGIC):
        return None
    if not start:
        return TruncatedError("the file is empty", offset=0, path="/magic", needed=len(MAGIC))
    if MAGIC.startswith(start):
        message = f"the file ends after {len(start)} bytes, inside the magic"
        return TruncatedError(message, offset=0, path="/magic", needed=len(MAGIC))
    reason = identify(start) or f"it starts with {repr(start[:4])[1:]} instead of {repr(MAGIC)[1:]}"
    return NotGGUFError(f"not a GGUF file: {reason}", offset=0, path="/magic")


def refusal(refused: Refused, nbytes: int, expected: int) -> FormatError:
    """Return the error for a refusal, with offset and path.

    nbytes    the size of the file.
    expected  the expected size of the header in bytes; 0 if unknown.
    """
    # In the schema, the fields after the magic are in a type `body`, which users need not know about.
    path = refused.path.removeprefix("/body").replace("/version_le", "/version")
    if refused.kind == "end":
        reason = f"needs {refused.needed - refused.pos} bytes, and {max(nbytes - refused.pos, 0)} are left"
        message = f"the file is cut off: {_subject(path)} {reason}"
        return TruncatedError(message, offset=refused.pos, path=path, needed=refused.needed, expected=expected)
    return FormatError(f"{_subject(path)} {refused.reason}", offset=refused.pos, path=path)


def _subject(path: str) -> str:
    """Return a path in words: "value of key-value 12" for `/metadata/12/value`."""
    parts = path.strip("/").split("/")
    for name, item in (("metadata", "key-value"), ("tensors", "tensor info")):
        if parts[0] == name and len(parts) > 1:
            field = "/".join(parts[2:])
            return f"{field} of {item} {parts[1]}" if field else f"{item} {parts[1]}"
    return "/".join(parts)
