"""Tokens as the text that they stand for."""

from collections.abc import Callable

SPACE = "\u2581"  # how SentencePiece writes a space

_PRINTED = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
_OTHERS = [byte for byte in range(256) if byte not in _PRINTED]
_BYTES = {0x100 + number: byte for number, byte in enumerate(_OTHERS)}
"""What GPT-2 writes for the bytes that don't print as themselves in Latin-1: the characters from U+0100 on."""


def reader(tokenizer: object) -> Callable[[str], str]:
    """Return the function that makes text of a token, given the value of tokenizer.ggml.model."""
    return _byte_level if tokenizer == "gpt2" else _sentence_piece


def _byte_level(token: str) -> str:
    try:
        return token.translate(_BYTES).encode("latin-1").decode()
    except UnicodeError:  # some other token, or part of a character
        return token


def _sentence_piece(token: str) -> str:
    return token.replace(SPACE, " ")
