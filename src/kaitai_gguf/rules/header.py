"""Rules on what starts a file: whether the header can be read to its end, the version, byte order and alignment.

If a header can't be read to its end, the only finding is the first error, as nothing after it can be checked. The
functions of these rules are given the error, and return whether it belongs to the rule: the first that matches counts.
"""

from collections.abc import Iterator

from kaitai_gguf.errors import FormatError, NotGGUFError, TruncatedError
from kaitai_gguf.layout_rules import ALIGNMENT_KEY
from kaitai_gguf.reading.handle import source_of
from kaitai_gguf.rules.facts import Facts
from kaitai_gguf.rules.rule import LLAMA_CPP, Place, rule
from kaitai_gguf.rules.shards import named_shards, read
from kaitai_gguf.text import quoted

CONVERT, SWAP = "convert FILE --version 3 --output FIXED", "convert-endian FILE --to little --output FIXED"
ALL = "ggml, llama.cpp, gguf-py"
REPEAT = ("set FILE KEY=VALUE --in-place", "copy FILE --output FIXED")


@rule("unreadable", "error", "ggml/docs/gguf.md#file-structure", refused_by=ALL)
def not_gguf(error: FormatError) -> bool:
    """The file is not GGUF: it does not start with the bytes `GGUF`.

    The finding names the format if it is an older ggml format, safetensors, a git-lfs pointer or a web page.
    Fix: download the file itself, or convert the original model; no command can open this one.
    """
    return isinstance(error, NotGGUFError)


@rule("unreadable", "error", "ggml/docs/gguf.md#file-structure", refused_by="ggml, llama.cpp")
def truncated(error: FormatError) -> bool:
    """The file ends inside the header.

    Either the end is missing, or a length or count is far too large: the finding says which field needs how many
    bytes. gguf-py refuses most of these files, but reads a truncated string at the end as a shorter string.
    Fix: download the file again; no command can open this one.
    """
    return isinstance(error, TruncatedError)


@rule("unreadable", "error", "ggml/docs/gguf.md#file-structure", refused_by=ALL)
def bad_version(error: FormatError) -> bool:
    """The version of the format is not 1, 2 or 3.

    Fix: update the software for a later version. Otherwise, download the damaged file again. No command can open it.
    """
    return error.path == "/version"


@rule("unreadable", "error", "ggml/docs/gguf.md#file-structure", refused_by="ggml, llama.cpp")
def value_type(error: FormatError) -> bool:
    """A value, or the elements of an array, have a type that does not exist.

    There are 13 value types, 0 to 12. The length of a value of any other type is unknown, so nothing after it can be
    read. gguf-py does not check the element type of an empty array.
    Fix: download or convert the file again: it is damaged, or its writer miscounted. No command can open it.
    """
    return error.path.endswith(("/value_type", "/element_type"))


@rule("unreadable", "error", "ggml/docs/gguf.md#file-structure", refused_by="ggml, llama.cpp")
def too_many_dims(error: FormatError) -> bool:
    """A tensor has more than 4 dimensions.

    The documentation reserves the right to allow more in the future; ggml allows 4. gguf-py does not check.
    Fix: convert the original model again with some dimensions merged; no command can open this file.
    """
    return error.path.endswith("/num_dims")


@rule("unreadable", "error", "ggml/src/gguf.cpp", refused_by="ggml, llama.cpp")
def too_large(error: FormatError) -> bool:
    """A length or count is more than 2^30, which is the limit of ggml for strings and arrays.

    Fix: download or convert the file again: it is damaged, or its writer miscounted. No command can open it.
    """
    return error.path.endswith(("/len_data", "/num_elements", "/num_tensors", "/num_metadata"))


@rule("unreadable", "error", "ggml/src/gguf.cpp", refused_by="ggml, llama.cpp")
def nesting(error: FormatError) -> bool:
    """Arrays are nested more than 128 levels deep.

    The documentation sets no limit, but readers need one, because each level uses some of their stack. llama.cpp
    refuses all arrays of arrays: see [nested-array](#nested-array).
    Fix: write the file again, with the tool that made it, with flat arrays; no command can open this one.
    """
    return True  # no other rule matched


@rule("header", "error", "ggml/docs/gguf.md#file-structure", refused_by=ALL, fixes=REPEAT)
def interrupted_edit(facts: Facts) -> Iterator[Place]:
    """An edit in place was interrupted: the file starts with the bytes `GGU~`.

    This library reads the old header from a journal, a hidden file in the same folder. Other readers refuse the file,
    so that they don't read half of each header. The other rules are checked with the old header. If the journal is
    missing, the finding is [not-gguf](#not-gguf).

    If the file is given by its path and is named like a shard, the other shards in the folder are checked, too.
    Fix: repeat the edit; any edit in place restores the file first. Or copy the file, with the old header. If the
    finding names another shard, FILE is that shard. A later shard can be restored by setting `split.no` to the value
    that it has.
    """
    if facts.source.is_restored:
        yield Place("/magic", "an edit was interrupted: the old header is read from the journal beside the file", 0)
    own, files = named_shards(facts)
    for name, shard in read(facts, files)[0].items():
        if source_of(shard).is_restored and own is not None and name != files[own.number]:
            message = f"an edit of {quoted(name)} was interrupted: its old header is read from its journal"
            yield Place("/", message, 0, refused_by=(LLAMA_CPP,))


@rule("header", "warning", "ggml/src/gguf.cpp", refused_by=ALL, fixes=[CONVERT])
def version_1(facts: Facts) -> Iterator[Place]:
    """The file is of version 1, whose lengths and counts are 32 bits wide.

    llama.cpp wrote such files in August 2023, and stopped reading them in November of that year.
    Fix: convert the file to version 3.
    """
    if facts.header.version == 1:
        yield Place("/version", "the file is of version 1, which llama.cpp no longer reads")


@rule("header", "warning", "ggml/src/gguf.cpp", refused_by="ggml, llama.cpp", fixes=[SWAP])
def big_endian(facts: Facts) -> Iterator[Place]:
    """The file is big-endian: ggml reads only files in the byte order of the machine it runs on.

    Such a file is right for a big-endian machine (s390x). Nearly all other machines refuse it.
    Fix: convert the header and the tensor data to little-endian.
    """
    if facts.header.byte_order == "big":
        yield Place("/version", "the file is big-endian: llama.cpp reads it only on a big-endian machine")


@rule("header", "error", "ggml/docs/gguf.md#v3", fixes=[CONVERT, SWAP])
def big_endian_version(facts: Facts) -> Iterator[Place]:
    """The file is big-endian, and its version allows only little-endian files.

    Version 3 is version 2 with big-endian files allowed; nothing else changed.
    Fix: convert the file to version 3, or to little-endian.
    """
    if facts.header.byte_order == "big" and facts.header.version < 3:
        message = f"the file is big-endian and of version {facts.header.version}: only version 3 allows that"
        yield Place("/version", message)


@rule("header", "error", "ggml/docs/gguf.md#general", refused_by=ALL)
def alignment_type(facts: Facts) -> Iterator[Place]:
    """`general.alignment` is not of type uint32.

    It determines where the tensor data starts, so readers refuse the file instead of guessing.
    Fix: write the file again with the tool that made it; no command can open this one.
    """
    return _alignment(facts, "value_type")


@rule("header", "error", "ggml/src/gguf.cpp", refused_by=ALL)
def alignment_power(facts: Facts) -> Iterator[Place]:
    """`general.alignment` is not a power of two.

    The documentation allows any multiple of 8, but readers use bit masks, and refuse anything that is not a power of
    two. An alignment of 0 has crashed readers that divide by it.
    Fix: write the file again, with the tool that made it, with an alignment of 32; no command can open this one.
    """
    return _alignment(facts, "value")


@rule("header", "error", "ggml/docs/gguf.md#general", fixes=["copy FILE --alignment 32 --output FIXED"])
def alignment_multiple(facts: Facts) -> Iterator[Place]:
    """`general.alignment` is not a multiple of 8.

    Readers accept 1, 2 and 4 as well, but a processor may not be able to load 8-byte numbers from such addresses.
    Fix: copy the file with another alignment.
    """
    if facts.header.alignment is not None and facts.header.alignment % 8:
        yield facts.value_place(ALIGNMENT_KEY, f"{ALIGNMENT_KEY} is {facts.header.alignment}, expected a multiple of 8")


def _alignment(facts: Facts, field: str) -> Iterator[Place]:
    breach = facts.header.alignment_breach
    if breach is not None and breach[0] == field:
        yield facts.value_place(ALIGNMENT_KEY, breach[1], field)
