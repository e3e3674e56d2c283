"""The skip compiler: generates functions from a .ksy that find the positions of items without reading them.

The official compiler generates a class for each type, whose objects hold everything that was read. To find one value
among a million strings, only the end of each string is needed. `compile_index` generates functions for that in Python,
`compile_c_index` in C, `compile_javascript_index` in JavaScript: constant sizes and counts are folded, numbers that
nothing depends on are not read, and a run of fixed-size items is one multiplication. The Python index is exact: it
reports what is wrong with invalid data, and where. The C index is fast, and only refuses. The JavaScript index does
both, and packs. `compile_packing` generates the reverse for simple types in Python: from fields to bytes.

The compiler supports a part of Kaitai Struct's language (`fold.py` lists it, and refuses the rest by name), and knows
nothing about the format. From the schema to the source:

    expression  parse, fold and print expressions          steps     the steps of a folded type
    scope       resolve names in expressions               valid     rules for numbers
    fold        from types to steps
    source      lines and names: python, c_source, javascript_source
    index       `index_T` in Python                        fields    `table_T` in Python
    c           both in C                                  choice    `layout`, which inspects the data
    packing     fields to bytes in Python                  module    whole modules
    javascript  all of these in JavaScript                 runtime   .py, .h and .js: the beginning of generated code
"""

from skip.expression import Unsupported
from skip.module import Plan, compile_c_index, compile_index, compile_javascript_index, compile_packing

__all__ = ["Plan", "Unsupported", "compile_c_index", "compile_index", "compile_javascript_index", "compile_packing"]
