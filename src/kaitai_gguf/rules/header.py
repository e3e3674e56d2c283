"""Rules on the magic, the version, the byte order and the alignment."""

from collections.abc import Iterator

from kaitai_gguf.layout_rules import ALIGNMENT_KEY
from kaitai_gguf.rules.facts import Facts
from kaitai_gguf.rules.finding import ERROR, GGUF_PY, HEADER, LLAMA_CPP, WARNING
from kaitai_gguf.rules.references import DOCS, GENERAL, GGUF_CPP, STRUCTURE
from kaitai_gguf.rules.rule import Place, rule
from kaitai_gguf.rules.whole_set import existing, read
from kaitai_gguf.text import quoted

CONVERT, SWAP = "convert FILE --version 3 --output FIXED", "convert-endian FILE --to little --output FIXED"


@rule(
    "interrupted-edit",
    ERROR,
    STRUCTURE,
    refused_by=(*HEADER, GGUF_PY),
    fixes=["set FILE KEY=VALUE --in-place", "copy FILE --output FIXED"],
)
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
        yield Place(0, "/magic", "an edit was interrupted: the old header is read from the journal beside the file")
    found = existing(facts)
    if found is not None:
        own, files = found
        for name, shard in read(facts, files)[0].items():
            if name != files[own.number] and shard.source.is_restored:
                message = f"an edit of {quoted(name)} was interrupted: its old header is read from its journal"
                yield Place(0, "/", message, refused_by=(LLAMA_CPP,))


@rule("version-1", WARNING, GGUF_CPP, refused_by=(*HEADER, GGUF_PY), fixes=[CONVERT])
def version_1(facts: Facts) -> Iterator[Place]:
    """The file is of version 1, whose lengths and counts are 32 bits wide.

    llama.cpp wrote such files in August 2023, and stopped reading them in November of that year.

    Fix: convert the file to version 3.
    """
    if facts.header.version == 1:
        yield facts.place("/version", "the file is of version 1, which llama.cpp no longer reads")


@rule("big-endian", WARNING, GGUF_CPP, refused_by=HEADER, fixes=[SWAP])
def big_endian(facts: Facts) -> Iterator[Place]:
    """The file is big-endian: ggml reads only files in the byte order of the machine it runs on.

    Such a file is right for a big-endian machine (s390x). Nearly all other machines refuse it.

    Fix: convert the header and the tensor data to little-endian.
    """
    if facts.header.byte_order == "big":
        yield facts.place("/version", "the file is big-endian: llama.cpp reads it only on a big-endian machine")


@rule("big-endian-version", ERROR, f"{DOCS}#v3", fixes=[CONVERT, SWAP])
def big_endian_version(facts: Facts) -> Iterator[Place]:
    """The file is big-endian, and its version allows only little-endian files.

    Version 3 is version 2 with big-endian files allowed; nothing else changed.

    Fix: convert the file to version 3, or to little-endian.
    """
    if facts.header.byte_order == "big" and facts.header.version < 3:
        message = f"the file is big-endian and of version {facts.header.version}: only version 3 allows that"
        yield facts.place("/version", message)


@rule("alignment-type", ERROR, GENERAL, refused_by=(*HEADER, GGUF_PY))
def alignment_type(facts: Facts) -> Iterator[Place]:
    """`general.alignment` is not of type uint32.

    It determines where the tensor data starts, so readers refuse the file instead of guessing.

    Fix: write the file again with the tool that made it; no command can open this one.
    """
    return _alignment(facts, "value_type")


@rule("alignment-power", ERROR, GGUF_CPP, refused_by=(*HEADER, GGUF_PY))
def alignment_power(facts: Facts) -> Iterator[Place]:
    """`general.alignment` is not a power of two.

    The documentation allows any multiple of 8, but readers use bit masks, and refuse anything that is not a power of
    two. An alignment of 0 has crashed readers that divide by it.

    Fix: write the file again, with the tool that made it, with an alignment of 32; no command can open this one.
    """
    return _alignment(facts, "value")


@rule("alignment-multiple", ERROR, GENERAL, fixes=["copy FILE --alignment 32 --output FIXED"])
def alignment_multiple(facts: Facts) -> Iterator[Place]:
    """`general.alignment` is not a multiple of 8.

    Readers accept 1, 2 and 4 as well, but a processor may not be able to load 8-byte numbers from such addresses.

    Fix: copy the file with another alignment.
    """
    if facts.header.alignment is not None and facts.header.alignment % 8:
        yield facts.value_place(ALIGNMENT_KEY, f"{ALIGNMENT_KEY} is {facts.header.alignment}, expected a multiple of 8")


def _alignment(facts: Facts, field: str) -> Iterator[Place]:
    number, breach = facts.number(ALIGNMENT_KEY), facts.header.alignment_breach
    if number is not None and breach is not None and breach[0] == field:
        yield facts.key_value_place(number, *breach)
