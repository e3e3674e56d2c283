"""What the index refuses, as errors that a person understands."""

from typing import NoReturn

from kaitai_gguf_schema.types import MAGIC

from kaitai_gguf.errors import FormatError, NotGGUFError, TruncatedError
from kaitai_gguf.schema.scanner import Buffer, Refused
from kaitai_gguf.sources.identify import identify

__all__ = ["check_magic", "refuse"]


def check_magic(buf: Buffer) -> None:
    """Refuses what does not start as GGUF, with what it looks like instead."""
    start = bytes(buf[:256])
    if start.startswith(MAGIC):
        return
    if not start:
        raise TruncatedError("the file is empty", offset=0, path="/magic", needed=len(MAGIC))
    if MAGIC.startswith(start):
        message = f"the file ends after {len(start)} bytes, inside the magic"
        raise TruncatedError(message, offset=0, path="/magic", needed=len(MAGIC))
    looks = identify(start)
    reason = f"it is {looks}" if looks else f"it starts with {start[:4]!r} instead of {MAGIC!r}"
    raise NotGGUFError(f"not a GGUF file: {reason}", offset=0, path="/magic")


def refuse(refused: Refused, nbytes: int, expected: int) -> NoReturn:
    """Raise what was refused as a `FormatError` with its place.

    nbytes    the size of the file.
    expected  how many bytes the header is expected to take.
    """
    # The schema has the fields after the magic in a type of their own, which means nothing to a user.
    path = refused.path.removeprefix("/body").replace("/version_le", "/version")
    if refused.kind == "end":
        reason = f"needs {refused.needed - refused.pos} bytes, and {max(nbytes - refused.pos, 0)} are left"
        message = f"the file is cut off: {_subject(path)} {reason}"
        raise TruncatedError(message, offset=refused.pos, path=path, needed=refused.needed, expected=expected)
    raise FormatError(f"{_subject(path)} {refused.reason}", offset=refused.pos, path=path)


def _subject(path: str) -> str:
    """A path in words: `/metadata/12/value` is "value of key-value 12"."""
    parts = path.strip("/").split("/")
    for name, item in (("metadata", "key-value"), ("tensors", "tensor info")):
        if parts[0] == name and len(parts) > 1:
            field = "/".join(parts[2:])
            return f"{field} of {item} {parts[1]}" if field else f"{item} {parts[1]}"
    return "/".join(parts)
