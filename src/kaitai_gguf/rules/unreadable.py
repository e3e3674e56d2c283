"""Headers that can't be read to their end: the only finding is the first error, as nothing after it can be checked.

Each of these functions is given the error, and returns whether it belongs to the rule. The first that matches counts.
"""

from kaitai_gguf.errors import FormatError, NotGGUFError, TruncatedError
from kaitai_gguf.rules.finding import ERROR, GGUF_PY, HEADER
from kaitai_gguf.rules.references import GGUF_CPP, STRUCTURE
from kaitai_gguf.rules.rule import rule


@rule("not-gguf", ERROR, STRUCTURE, refused_by=(*HEADER, GGUF_PY))
def not_gguf(error: FormatError) -> bool:
    """The file is not GGUF: it does not start with the bytes `GGUF`.

    The finding names the format if it is an older ggml format, safetensors, a git-lfs pointer or a web page.

    Fix: download the file itself, or convert the original model; no command can open this one.
    """
    return isinstance(error, NotGGUFError)


@rule("truncated", ERROR, STRUCTURE, refused_by=HEADER)
def truncated(error: FormatError) -> bool:
    """The file ends inside the header.

    Either the end is missing, or a length or count is far too large: the finding says which field needs how many
    bytes. gguf-py refuses most of these files, but reads a truncated string at the end as a shorter string.

    Fix: download the file again; no command can open this one.
    """
    return isinstance(error, TruncatedError)


@rule("bad-version", ERROR, STRUCTURE, refused_by=(*HEADER, GGUF_PY))
def bad_version(error: FormatError) -> bool:
    """The version of the format is not 1, 2 or 3.

    Fix: update the software for a later version. Otherwise, download the damaged file again. No command can open it.
    """
    return error.path == "/version"


@rule("value-type", ERROR, STRUCTURE, refused_by=HEADER)
def value_type(error: FormatError) -> bool:
    """A value, or the elements of an array, have a type that does not exist.

    There are 13 value types, 0 to 12. The length of a value of any other type is unknown, so nothing after it can be
    read. gguf-py does not check the element type of an empty array.

    Fix: download or convert the file again: it is damaged, or its writer miscounted. No command can open it.
    """
    return error.path.endswith(("/value_type", "/element_type"))


@rule("too-many-dims", ERROR, STRUCTURE, refused_by=HEADER)
def too_many_dims(error: FormatError) -> bool:
    """A tensor has more than 4 dimensions.

    The documentation reserves the right to allow more in the future; ggml allows 4. gguf-py does not check.

    Fix: convert the original model again with some dimensions merged; no command can open this file.
    """
    return error.path.endswith("/num_dims")


@rule("too-large", ERROR, GGUF_CPP, refused_by=HEADER)
def too_large(error: FormatError) -> bool:
    """A length or count is more than 2^30, which is the limit of ggml for strings and arrays.

    Fix: download or convert the file again: it is damaged, or its writer miscounted. No command can open it.
    """
    return error.path.endswith(("/len_data", "/num_elements", "/num_tensors", "/num_metadata"))


@rule("nesting", ERROR, GGUF_CPP, refused_by=HEADER)
def nesting(error: FormatError) -> bool:
    """Arrays are nested more than 128 levels deep.

    The documentation sets no limit, but readers need one, because each level uses some of their stack. llama.cpp
    refuses all arrays of arrays: see [nested-array](#nested-array).

    Fix: write the file again, with the tool that made it, with flat arrays; no command can open this one.
    """
    return True  # no other rule matched
