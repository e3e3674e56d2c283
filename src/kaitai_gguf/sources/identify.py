"""Recognize files that are not GGUF but are often mistaken for it."""

INTERRUPTED = b"GGU~"
"""The magic of a file whose header is being edited in place."""

# The first bytes of each format. The magics of ggml's older formats are little-endian uint32.
SIGNATURES: list[tuple[bytes, str]] = [
    (INTERRUPTED, "a GGUF file whose last change was interrupted, and its journal is missing"),
    (b"FUGG", "a GGUF file with its magic in the wrong byte order"),
    (b"lmgg", "a GGML file (unversioned), a format that came before GGUF: convert the original model again"),
    (b"fmgg", "a GGMF file, a format that came before GGUF: convert the original model again"),
    (b"tjgg", "a GGJT file, a format that came before GGUF: convert the original model again"),
    (b"algg", "a GGLA file, a LoRA adapter from before GGUF: convert the original adapter again"),
    (b"version https://git-lfs", "a git-lfs pointer, not the file itself: run `git lfs pull`"),
    (b"PK\x03\x04", "a zip archive, as PyTorch saves models"),
    (b"\x80\x02", "a Python pickle, as older PyTorch saves models"),
    (b"\x1f\x8b", "gzip-compressed: unpack it first"),
    (b"\x28\xb5\x2f\xfd", "zstd-compressed: unpack it first"),
    (b"\x89HDF\r\n", "an HDF5 file, as Keras saves models"),
]


def identify(start: bytes) -> str | None:
    """Return a description of the format that the first bytes of a file belong to; None if it is not recognized."""
    for signature, name in SIGNATURES:
        if start.startswith(signature):
            return name
    if len(start) > 8 and start[8:9] == b"{" and int.from_bytes(start[:8], "little") < 1 << 32:
        return "a safetensors file"
    text = start.lstrip()[:64].lower()
    if text.startswith((b"<!doctype html", b"<html", b"<?xml", b"<")):
        return "an HTML or XML page: the download link gave a web page instead of the file"
    if text.startswith((b"{", b"[")):
        return "JSON text"
    return None
