"""Headers that can't be walked over: what is found is the first reason, and nothing after it can be looked at."""

from collections.abc import Callable, Iterator

from kaitai_gguf.errors import FormatError, NotGGUFError, TruncatedError
from kaitai_gguf.rules.finding import GGUF_PY, HEADER, Severity
from kaitai_gguf.rules.rule import RULES, Place, Rule, rule
from kaitai_gguf.rules.sources import GGUF_CPP, STRUCTURE

__all__ = ["UNREADABLE", "place"]

UNREADABLE: list[Rule] = []
"""The rules that look at an error, not at facts: exactly one of them finds something."""

Kind = Callable[[FormatError], bool]


def place(error: FormatError) -> Place:
    return Place(error.offset, error.path, str(error).removesuffix(f" (at byte {error.offset:#x})"))


def unreadable(id: str, source: str, refused_by: tuple[str, ...] = HEADER) -> Callable[[Kind], Kind]:
    """Makes a rule of a function that says whether an error is of its kind, and of no earlier kind."""

    def register(is_kind: Kind) -> Kind:
        def places(error: FormatError) -> Iterator[Place]:
            if is_kind(error) and not any(any(earlier.places(error)) for earlier in before):
                yield place(error)

        places.__doc__ = is_kind.__doc__
        rule(id, Severity.ERROR, source=source, refused_by=refused_by)(places)
        before = tuple(UNREADABLE)
        UNREADABLE.append(RULES[id])
        return is_kind

    return register


@unreadable("not-gguf", STRUCTURE, (*HEADER, GGUF_PY))
def not_gguf(error: FormatError) -> bool:
    """The file is not GGUF: it does not start with the bytes `GGUF`.

    The finding names the format if it is one that is often taken for GGUF: an older ggml format, safetensors,
    a pointer of git-lfs, a web page.

    To mend it, download the file itself, or convert the original model.
    """
    return isinstance(error, NotGGUFError)


@unreadable("truncated", STRUCTURE)
def truncated(error: FormatError) -> bool:
    """The file ends inside the header.

    Either the end is missing, or a length or count is far too large: the finding says which field needs how many
    bytes. gguf-py refuses most of these files, but takes a last string that is cut off for a shorter one.

    To mend it, download the file again.
    """
    return isinstance(error, TruncatedError)


@unreadable("bad-version", STRUCTURE, (*HEADER, GGUF_PY))
def bad_version(error: FormatError) -> bool:
    """The version of the format is none that there is: 1, 2 or 3.

    To mend it, update the software if the version is a later one; any other number means that the file is damaged.
    """
    return error.path == "/version"


@unreadable("value-type", STRUCTURE)
def value_type(error: FormatError) -> bool:
    """A value, or the elements of an array, have a type that does not exist.

    There are 13 types of values, 0 to 12. Nothing tells how long a value of another type is, so that nothing after
    it can be found. gguf-py does not look at the element type of an empty array.

    To mend it, write the file again: it is damaged, or its writer lost count of the bytes before.
    """
    return error.path.endswith(("/value_type", "/element_type"))


@unreadable("too-many-dims", STRUCTURE)
def too_many_dims(error: FormatError) -> bool:
    """A tensor has more than 4 dimensions.

    The documentation reserves the right to allow more one day; ggml has room for 4. gguf-py does not look.

    To mend it, merge dimensions, and say so in the metadata.
    """
    return error.path.endswith("/num_dims")


@unreadable("too-large", GGUF_CPP)
def too_large(error: FormatError) -> bool:
    """A length or count is more than 2^30, which is what ggml allows for strings and arrays.

    To mend it, write the file again: it is damaged, or its writer lost count of the bytes before.
    """
    return error.path.endswith(("/len_data", "/num_elements", "/num_tensors", "/num_metadata"))


@unreadable("nesting", GGUF_CPP)
def nesting(error: FormatError) -> bool:
    """Arrays are in arrays more than 128 levels deep.

    The documentation has no limit, but a reader needs one, as each level takes some of its stack. llama.cpp refuses
    any array of arrays, see [nested-array](#nested-array).

    To mend it, flatten the arrays.
    """
    return True  # the last kind there is
