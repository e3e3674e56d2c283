"""Decode tokens to the text that they stand for."""

from collections.abc import Callable

SPACE = "\u2581"  # how SentencePiece writes a space

_PRINTED = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
_OTHERS = [byte for byte in range(256) if byte not in _PRINTED]
_BYTES = {0x100 + number: byte for number, byte in enumerate(_OTHERS)}
"""GPT-2's characters, from U+0100 on, for the bytes that are not printable in Latin-1."""


def reader(tokenizer: str | None) -> Callable[[str], str]:
    """Return the function that decodes a token, given the value of tokenizer.ggml.model."""
    return _byte_level if tokenizer == "gpt2" else _sentence_piece


def _byte_level(token: str) -> str:
    try:
        return token.translate(_BYTES).encode("latin-1").decode()
    except UnicodeError:  # another kind of token, or part of a character
        return token


def _sentence_piece(token: str) -> str:
    return token.replace(SPACE, " ")
