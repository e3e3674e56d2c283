"""Recognize files that are not GGUF but are often mistaken for it."""

import re

INTERRUPTED = b"GGU~"
"""The magic of a file whose header is being edited in place."""

# The first bytes of each format. The magics of ggml's older formats are little-endian uint32.
SIGNATURES: list[tuple[bytes, str]] = [
    (INTERRUPTED, "its last change was interrupted, and its journal is missing"),
    (b"FUGG", "the magic is reversed: FUGG instead of GGUF"),
    (b"lmgg", "it is a GGML file (unversioned), a format that came before GGUF: convert the original model again"),
    (b"fmgg", "it is a GGMF file, a format that came before GGUF: convert the original model again"),
    (b"tjgg", "it is a GGJT file, a format that came before GGUF: convert the original model again"),
    (b"algg", "it is a GGLA file, a LoRA adapter from before GGUF: convert the original adapter again"),
    (b"version https://git-lfs", "it is a git-lfs pointer, not the file itself: run `git lfs pull`"),
    (b"PK\x03\x04", "it is a zip archive, as PyTorch saves models"),
    (b"\x80\x02", "it is a Python pickle, as older PyTorch saves models"),
    (b"\x1f\x8b", "it is gzip-compressed: unpack it first"),
    (b"\x28\xb5\x2f\xfd", "it is zstd-compressed: unpack it first"),
    (b"\x89HDF\r\n", "it is an HDF5 file, as Keras saves models"),
]


def identify(start: bytes) -> str | None:
    """Return a clause that names the format that the first bytes of a file belong to; None if it is not recognized."""
    for signature, name in SIGNATURES:
        if start.startswith(signature):
            return name
    if len(start) > 8 and start[8:9] == b"{" and int.from_bytes(start[:8], "little") < 1 << 32:
        return "it is a safetensors file"
    text = start.removeprefix(b"\xef\xbb\xbf").lstrip().lower()
    if text.startswith(b"<") and re.search(rb"<(!doctype\s+html|html|head|body)[\s>]", text):
        return "it is an HTML page: the download link gave a web page instead of the file"
    if text.startswith(b"<?xml"):
        return "it is an XML document: the download link may have given a server's error message"
    if text.startswith((b"{", b"[")):
        return "it is JSON text"
    return None
