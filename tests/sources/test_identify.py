"""Formats that are mistaken for GGUF."""

import pytest

from kaitai_gguf.sources.identify import identify


@pytest.mark.parametrize(
    ("start", "name"),
    [
        (b"FUGG\x03\0\0\0", "the magic is reversed: FUGG instead of GGUF"),
        ((0x67676D6C).to_bytes(4, "little"), "GGML file"),
        ((0x67676D66).to_bytes(4, "little"), "GGMF file"),
        ((0x67676A74).to_bytes(4, "little"), "GGJT file"),
        ((0x67676C61).to_bytes(4, "little"), "GGLA file"),
        (b'\x80\x01\0\0\0\0\0\0{"__metadata__"', "safetensors"),
        (b"version https://git-lfs.github.com/spec/v1\noid", "git-lfs pointer"),
        (b"<!DOCTYPE html><html>", "HTML"),
        (b"\n  <html lang=en>", "HTML"),
        (b"<!-- 404 -->\n<head><title>", "HTML"),
        (b'<?xml version="1.0"?><!DOCTYPE html PUBLIC', "HTML"),
        (b'\xef\xbb\xbf<?xml version="1.0"?><Error><Code>AccessDenied</Code>', "XML"),
        (b"PK\x03\x04\x14\0", "zip archive"),
        (b'{"error": "not found"}', "JSON"),
    ],
)
def test_relatives_are_named(start: bytes, name: str) -> None:
    assert name in (identify(start) or "")


@pytest.mark.parametrize("start", [b"", b"\0" * 64, b"abcdefgh", b"<|endoftext|>", b"<3 <headline> html", b"< 5"])
def test_foreign_files_are_not(start: bytes) -> None:
    assert identify(start) is None
