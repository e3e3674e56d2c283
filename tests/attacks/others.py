"""Files of other formats that are mistaken for GGUF, and the expected errors."""

from support.gguf_bytes import header

OTHERS = {
    "magic-reversed": (b"FUGG" + header()[4:], "the magic is reversed"),
    "ggml": (b"lmgg" + bytes(28), "GGML"),
    "ggmf": (b"fmgg\x01\x00\x00\x00" + bytes(24), "GGMF"),
    "ggjt": (b"tjgg\x03\x00\x00\x00" + bytes(24), "GGJT"),
    "ggla": (b"algg\x01\x00\x00\x00" + bytes(24), "GGLA"),
    "safetensors": (b"\x3e" + bytes(7) + b'{"w":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}', "safetensors"),
    "git-lfs": (b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n", "git lfs pull"),
    "html": (b"<!DOCTYPE html>\n<html><title>404</title></html>", "HTML"),
    "html-after-blanks": (b"\r\n\r\n  <HTML><body>Sign in</body></HTML>", "HTML"),
    "zip": (b"PK\x03\x04\x14\x00\x00\x00archive/data.pkl", "zip"),
    "gzip": (b"\x1f\x8b\x08\x00" + bytes(20), "gzip"),
    "json": (b'{"error": "Repository not found"}', "JSON"),
    "lower-case": (b"gguf" + header()[4:], "'gguf' instead of 'GGUF'"),
    "zeros": (bytes(64), r"'\x00\x00\x00\x00' instead of 'GGUF'"),
    "escape-sequence": (b"\x1b]0;\x07" + bytes(20), r"'\x1b]0;' instead"),
    "one-byte": (b"X", "'X' instead"),
}
