"""The moves that are compiled, where the package was built with a C compiler; numpy makes the same ones elsewhere."""

from typing import Any

__all__ = ["MOVES"]


def _load() -> Any:
    try:
        from kaitai_gguf import _moves
    except ImportError:
        return None
    return _moves


MOVES = _load()
"""The module `_moves`, or None."""
