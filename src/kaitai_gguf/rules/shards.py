"""Rules on models in several files, and on the names of files."""

import re
from collections.abc import Iterator

from kaitai_gguf.reading.shards import COUNT_KEY, NUMBER_KEY, TENSORS_KEY, shard_name
from kaitai_gguf.rules.facts import Facts
from kaitai_gguf.rules.finding import ERROR, LLAMA_CPP, NOTE, WARNING
from kaitai_gguf.rules.references import LOADER, NAMING, SPLIT
from kaitai_gguf.rules.rule import Place, rule
from kaitai_gguf.sources.sidecar_names import shard_match
from kaitai_gguf.standard_values import is_shard
from kaitai_gguf.text import quoted

_SIZE = r"(\d+x)?(\d+\.)?\d+[A-Za-z](-[A-Za-z]+(\d+\.)?\d+[A-Za-z]+)?"
_NAME = re.compile(
    r"((mmproj|mtp)-)?"
    r"[A-Za-z0-9\s]+(-[A-Za-z0-9\s]+)*"  # base name
    rf"-{_SIZE}(-[A-Za-z0-9\s-]+)?"  # size label and fine-tune
    r"-v\d+(\.\d+)*"
    r"(-(?!LoRA|vocab)\w+)?"  # encoding
    r"(-(LoRA|vocab))?"
    r"(-\d{5}-of-\d{5})?\.gguf",
    re.ASCII,
)


@rule("shard-keys", WARNING, LOADER, refused_by=(LLAMA_CPP,), fixes=["set FILE KEY=VALUE --type TYPE --in-place"])
def shard_keys(facts: Facts) -> Iterator[Place]:
    """A shard lacks one of `split.no`, `split.count` and `split.tensors.count`.

    They are the number of this shard, the number of shards, and the number of tensors in all shards.

    Fix: set the missing key, or split the original model again.
    """
    existing = [key for key in (NUMBER_KEY, COUNT_KEY, TENSORS_KEY) if facts.number(key) is not None]
    if existing and (is_shard(facts.header.get) or COUNT_KEY not in existing):
        for key in (NUMBER_KEY, COUNT_KEY, TENSORS_KEY):
            if key not in existing:
                yield facts.missing_key(f"{existing[0]} is set, but {key} is missing")


@rule("shard-number", ERROR, SPLIT, refused_by=(LLAMA_CPP,), fixes=["set FILE split.no=VALUE --in-place"])
def shard_number(facts: Facts) -> Iterator[Place]:
    """`split.no` is not between 0 and `split.count` - 1.

    Shards are numbered from 0 in the metadata, and from 1 in the names of the files.

    Fix: set the right number, or split the original model again.
    """
    number, count = facts.header.integer(NUMBER_KEY), facts.header.integer(COUNT_KEY)
    if number is not None and count is not None and not 0 <= number < max(count, 1):
        place = facts.value_place(NUMBER_KEY, f"{NUMBER_KEY} is {number}, and {COUNT_KEY} is {count}")
        yield place._replace(refused_by=(LLAMA_CPP,) if count > 1 else ())


@rule("shard-tensors", ERROR, SPLIT, refused_by=(LLAMA_CPP,), fixes=["set FILE split.tensors.count=VALUE --in-place"])
def shard_tensors(facts: Facts) -> Iterator[Place]:
    """`split.tensors.count` is less than the number of tensors in this shard alone.

    It is the number of tensors in all shards.

    Fix: set the right number in all shards, or split the original model again.
    """
    total, here = facts.header.integer(TENSORS_KEY), len(facts.tensors.position)
    if total is not None and total < here and is_shard(facts.header.get):
        yield facts.value_place(TENSORS_KEY, f"{TENSORS_KEY} is {total}, but this shard alone has {here} tensors")


@rule("shard-name", WARNING, LOADER, refused_by=(LLAMA_CPP,))
def name_of_shard(facts: Facts) -> Iterator[Place]:
    """The name of the file and its keys disagree about which shard it is.

    llama.cpp is given the first shard, and finds the other shards by their names: `…-00002-of-00003.gguf`.

    Fix: rename the file.
    """
    if facts.name is None:
        return
    name = f"the file name {quoted(facts.name)}"
    number, count = facts.header.integer(NUMBER_KEY), facts.header.integer(COUNT_KEY)
    if count is None and shard_match(facts.name):
        yield Place(0, "/", f"{name} is that of a shard, but {COUNT_KEY} is missing", refused_by=())
    if number is not None and count is not None and is_shard(facts.header.get):
        expected = shard_name("", number + 1, count)
        if not facts.name.endswith(expected):
            message = f"{name} does not end in {expected}, which {NUMBER_KEY} and {COUNT_KEY} say"
            yield Place(0, "/", message)


@rule("file-name", NOTE, NAMING)
def file_name(facts: Facts) -> Iterator[Place]:
    """The name of the file does not follow the naming convention.

    The convention is `[<Sidecar>-]<BaseName>-<SizeLabel>[-<FineTune>]-<Version>[-<Encoding>][-<Type>][-<Shard>].gguf`,
    e.g. `Mixtral-8x7B-v0.1-Q2_K.gguf`. Base name, size label and version are required.

    Fix: rename the file.
    """
    if facts.name is not None and not _NAME.fullmatch(facts.name):
        message = f"the file name {quoted(facts.name)} does not have the form BaseName-SizeLabel-Version….gguf"
        yield Place(0, "/", message)
