"""The skip compiler: from a .ksy to Python functions that walk over its data without reading it.

The official compiler makes a class per type, whose objects hold everything that was read. To find
one value among a million strings, all that is wanted is how far each one reaches. `compile_index`
writes that as source: sizes and counts that are constant are folded, numbers that decide nothing are
skipped, neighbouring skips are one addition, and a run of fixed-size items is one multiplication.

It knows Kaitai Struct's language (the part of it that `fold.py` accepts; the rest is refused by
name), and nothing about the format that it is given. From the schema to the source:

    expression  reads, folds and prints expressions        steps     what a folded type is made of
    scope       what the names in them stand for           valid     what is asked of a number
    fold        from types to steps
    source      what a language offers: python, c_source
    walk        `index_T`, in Python; c: in C              checked   `check_T`, which says what is wrong
    fields      `read_T`, `table_T`, `where_T`             choice    `layout`, which looks at the data
    module      all of it
"""

from skip.expression import Unsupported
from skip.module import Plan, compile_c_index, compile_index

__all__ = ["Plan", "Unsupported", "compile_c_index", "compile_index"]
