"""The skip compiler: from a .ksy to Python functions that walk over its data without reading it.

The official compiler makes a class per type, whose objects hold everything that was read. To find
one value among a million strings, all that is wanted is how far each one reaches. `compile_index`
writes that as source: sizes and counts that are constant are folded, numbers that decide nothing are
skipped, neighbouring skips are one addition, and a run of fixed-size items is one multiplication.

It knows Kaitai Struct's language (the part of it that `fold.py` accepts; the rest is refused by
name), and nothing about the format that it is given.
"""

from skip.expression import Unsupported
from skip.module import Plan, compile_c_index, compile_index

__all__ = ["Plan", "Unsupported", "compile_c_index", "compile_index"]
