"""`MOVES`: the module `_moves`, or None where the package was built without a C compiler and numpy does the same."""

from typing import Any

try:
    from kaitai_gguf import _moves
except ImportError:
    _moves = None  # type: ignore[assignment]

__all__ = ["MOVES"]

MOVES: Any = _moves
