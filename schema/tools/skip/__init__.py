"""The skip compiler: from a .ksy to functions that find where things are without reading them.

The official compiler makes a class per type, whose objects hold everything that was read. To find
one value among a million strings, all that is wanted is how far each one reaches. `compile_index`
writes that as Python source, `compile_c_index` as C: sizes and counts that are constant are folded,
numbers that decide nothing are not read, and a run of fixed-size items is one multiplication. The index in
Python is exact: it says what is wrong with data that is not valid, and where. The one in C is fast, and
only refuses. The one in JavaScript (`compile_javascript_index`) is both. `compile_packing` writes the way back
for simple types: from fields to bytes.

It knows Kaitai Struct's language (the part of it that `fold.py` accepts; the rest is refused by
name), and nothing about the format that it is given. From the schema to the source:

    expression  reads, folds and prints expressions        steps     what a folded type is made of
    scope       what the names in them stand for           valid     what is asked of a number
    fold        from types to steps
    source      what a language offers: python, c_source, javascript_source
    index       `index_T`, in Python                       fields    `table_T`
    c           all of that in C                           choice    `layout`, which looks at the data
    packing     fields to bytes, in Python                 module    all of it
    javascript  all of that in JavaScript                  runtime   .py, .h and .js: what generated code begins with
"""

from skip.expression import Unsupported
from skip.module import Plan, compile_c_index, compile_index, compile_javascript_index, compile_packing

__all__ = ["Plan", "Unsupported", "compile_c_index", "compile_index", "compile_javascript_index", "compile_packing"]
