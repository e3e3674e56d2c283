"""Errors that also inherit from what gguf-py raises for the same file, so that its callers catch them."""

import re

from kaitai_gguf.errors import FormatError, TruncatedError

_KEY = re.compile(r"/metadata/\d+/key")


class TruncatedHeaderError(TruncatedError, IndexError):
    """The file ends before its header does. Also an IndexError, as in gguf-py."""


class InvalidKeyError(FormatError, KeyError):
    """A key is duplicated or empty. Also a KeyError, as in gguf-py."""

    __str__ = ValueError.__str__  # KeyError shows its message in quotes


def as_in_gguf_py(error: FormatError) -> None:
    """Give an error a class that also inherits from what gguf-py raises, and the phrases of gguf-py's message.

    llama.cpp's tests of its reader look for these phrases. The error stays the same object: a new one would keep the
    frames of the old one, and thereby the lock, alive.
    """
    message = str(error)
    if isinstance(error, TruncatedError):
        error.__class__ = TruncatedHeaderError
        error.args = (message.replace(" needs ", " requires at least ", 1),)
    elif error.path.endswith("/num_dims"):
        error.args = (message.replace("expected at most 4", "which exceeds GGML_MAX_DIMS (4)", 1),)
    elif _KEY.fullmatch(error.path):
        error.__class__ = InvalidKeyError
