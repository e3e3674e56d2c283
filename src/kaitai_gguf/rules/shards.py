"""Rules on the names of files, and on shards: those of a model are checked for any one of them.

The other shards are found by name, as in llama.cpp, but in a listing of the folder: a file may claim any number of
shards. Only their headers are read.
"""

import os
import re
from collections.abc import Iterator
from itertools import count, islice

from kaitai_gguf.errors import SHORTAGES, FileError, FormatError, ShardError
from kaitai_gguf.layout_rules import is_shard
from kaitai_gguf.models.fitting import fits
from kaitai_gguf.reading import shards
from kaitai_gguf.reading.file import GGUFFile
from kaitai_gguf.reading.shards import COUNT_KEY, NUMBER_KEY, TENSORS_KEY, ShardName, name_of_shard, parse_shard_name
from kaitai_gguf.rules.facts import Facts
from kaitai_gguf.rules.rule import LLAMA_CPP, Place, rule
from kaitai_gguf.sources.sidecar_names import shard_match
from kaitai_gguf.text import quoted

NAMED = 3  # files that a message names
LOADER, SPLIT = "llama.cpp/src/llama-model-loader.cpp", "llama.cpp/tools/gguf-split/gguf-split.cpp"
SET_VALUE, SET_KEY = "set FILE KEY=VALUE --in-place", "set FILE KEY=VALUE --type TYPE --in-place"
SET_NUMBER, SET_TENSORS = "set FILE split.no=VALUE --in-place", "set FILE split.tensors.count=VALUE --in-place"
KEYS = (NUMBER_KEY, COUNT_KEY, TENSORS_KEY)

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


@rule("shards", "warning", LOADER, refused_by="llama.cpp", fixes=[SET_KEY])
def shard_keys(facts: Facts) -> Iterator[Place]:
    """A shard lacks one of `split.no`, `split.count` and `split.tensors.count`.

    They are the number of this shard, the number of shards, and the number of tensors in all shards.
    Fix: set the missing key, or split the original model again.
    """
    existing = [key for key in KEYS if facts.has(key)]
    if existing and (is_shard(facts.header.get) or COUNT_KEY not in existing):
        for key in KEYS:
            if key not in existing:
                yield facts.missing_key(f"{existing[0]} is set, but {key} is missing")


@rule("shards", "error", SPLIT, refused_by="llama.cpp", fixes=[SET_NUMBER])
def shard_number(facts: Facts) -> Iterator[Place]:
    """`split.no` is not between 0 and `split.count` - 1.

    Shards are numbered from 0 in the metadata, and from 1 in the names of the files.
    Fix: set the right number, or split the original model again.
    """
    number, count = facts.header.integer(NUMBER_KEY), facts.header.integer(COUNT_KEY)
    if number is not None and count is not None and not 0 <= number < max(count, 1):
        place = facts.value_place(NUMBER_KEY, f"{NUMBER_KEY} is {number}, and {COUNT_KEY} is {count}")
        yield place._replace(refused_by=(LLAMA_CPP,) if count > 1 else ())


@rule("shards", "error", SPLIT, refused_by="llama.cpp", fixes=[SET_TENSORS])
def shard_tensors(facts: Facts) -> Iterator[Place]:
    """`split.tensors.count` is less than the number of tensors in this shard alone.

    It is the number of tensors in all shards.
    Fix: set the right number in all shards, or split the original model again.
    """
    total, here = facts.header.integer(TENSORS_KEY), len(facts.tensors.position)
    if total is not None and total < here and is_shard(facts.header.get):
        yield facts.value_place(TENSORS_KEY, f"{TENSORS_KEY} is {total}, but this shard alone has {here} tensors")


@rule("shards", "warning", LOADER, refused_by="llama.cpp")
def shard_name(facts: Facts) -> Iterator[Place]:
    """The name of the file and its keys disagree about which shard it is.

    llama.cpp is given the first shard, and finds the other shards by their names: `…-00002-of-00003.gguf`.
    Fix: rename the file.
    """
    number, count = facts.header.integer(NUMBER_KEY), facts.header.integer(COUNT_KEY)
    name = f"the file name {quoted(facts.name or '')}"
    if facts.name is not None and count is None and shard_match(facts.name):
        yield Place("/", f"{name} is that of a shard, but {COUNT_KEY} is missing", 0, refused_by=())
    if facts.name is not None and number is not None and count is not None and is_shard(facts.header.get):
        expected = shards.shard_name("", number + 1, count)
        if not facts.name.endswith(expected):
            yield Place("/", f"{name} does not end in {expected}, which {NUMBER_KEY} and {COUNT_KEY} say", 0)


@rule("shards", "note", "ggml/docs/gguf.md#gguf-naming-convention")
def file_name(facts: Facts) -> Iterator[Place]:
    """The name of the file does not follow the naming convention.

    The convention is `[<Sidecar>-]<BaseName>-<SizeLabel>[-<FineTune>]-<Version>[-<Encoding>][-<Type>][-<Shard>].gguf`,
    e.g. `Mixtral-8x7B-v0.1-Q2_K.gguf`. Base name, size label and version are required.
    Fix: rename the file.
    """
    if facts.name is not None and not _NAME.fullmatch(facts.name):
        message = f"the file name {quoted(facts.name)} does not have the form BaseName-SizeLabel-Version….gguf"
        yield Place("/", message, 0)


@rule("whole_set", "warning", LOADER, refused_by="llama.cpp")
def shard_missing(facts: Facts) -> Iterator[Place]:
    """Another shard of the model is missing.

    This is checked if the file is given by its path and is named like a shard. The other shards must be in the same
    folder.
    Fix: download the missing files to the folder.
    """
    own, files = named_shards(facts)
    if own is None or len(files) == own.of:
        return
    missing = own.of - len(files)
    names = (quoted(shards.shard_name(own.prefix, number, own.of)) for number in count(1) if number not in files)
    shown = ", ".join(islice(names, min(missing, NAMED)))
    more = f" and {missing - NAMED:,} more" if missing > NAMED else ""
    message = f"{missing:,} of {own.of:,} shards {'is' if missing == 1 else 'are'} missing: {shown}{more}"
    yield Place("/", message, 0, missing)


@rule("whole_set", "error", LOADER, refused_by="llama.cpp", fixes=[SET_VALUE])
def shard_set(facts: Facts) -> Iterator[Place]:
    """The shards in the folder do not belong to one model.

    This is checked if the file is given by its path and is named like a shard, if `open()` accepts the file alone.
    These are the conditions under which `open()` reads all shards as one model. Every shard must be readable, and have
    the version, byte order, `split.count` and `split.tensors.count` of the first shard. Its `split.no` and its
    `split.count` must match its name. If both have a `general.*` key, the values must be equal. No two shards may have
    a tensor of the same name, and together they must have `split.tensors.count` tensors. llama.cpp checks fewer of
    these conditions.
    Fix: if only the value of a key differs, set it to that of the first shard. FILE is the shard that the finding
    names. Otherwise, download all shards again, or split the original model again.
    """
    if facts.path is None:
        return
    try:
        facts.file  # noqa: B018 - other rules say why `open()` refuses it
        name_of_shard(os.path.basename(facts.path), facts.header)
    except ShardError as error:
        yield Place("/", str(error), 0)
    except FormatError:
        return
    models, unreadable = read(facts, named_shards(facts)[1])
    for name, reason in unreadable.items():
        yield Place("/", f"{quoted(name)} can't be read: {reason}", 0)
    for breach in shards.breaches(list(models.values()), list(models)) if models else ():
        yield Place("/", breach.message, 0, refused_by=(LLAMA_CPP,) if breach.is_refused_by_llama_cpp else ())


def named_shards(facts: Facts) -> tuple[ShardName | None, dict[int, str]]:
    """Return the name of a shard, and those of all shards in its folder, in order and by number from 1.

    None and no names if the file is not a shard, is not named like one, or its folder can't be listed.
    """
    folder, file = os.path.split(facts.path or "")
    try:
        own = name_of_shard(file, facts.header)
        listing = os.listdir(folder or os.curdir) if own is not None else []
    except ShardError:
        return None, {}
    except OSError as error:  # the folder may allow opening its files, but not listing them
        if error.errno in SHORTAGES:
            raise FileError(error.errno, error.strerror, facts.path or "") from None
        return None, {}
    files = {} if own is None else {own.number: file}
    for other in listing:
        name = parse_shard_name(other)
        if own is not None and name is not None and (name.prefix, name.of) == (own.prefix, own.of):
            files.setdefault(name.number, other)
    return own, dict(sorted(files.items()))


def read(facts: Facts, files: dict[int, str]) -> tuple[dict[str, GGUFFile], dict[str, str]]:
    """Return the shards that can be opened, and the reasons why the others can't be, by name.

    Raises `FileError` if the system is out of file handles or memory.
    """
    models, unreadable = {}, {}
    for name in files.values():
        try:
            models[name] = facts.shard(os.path.join(os.path.dirname(facts.path or ""), name)).file
        except FormatError as error:
            unreadable[name] = str(error)
        except FileError as error:
            if error.errno in SHORTAGES:
                raise
            unreadable[name] = error.strerror or str(error)
    return models, unreadable


@rule("together", "error", "llama.cpp/tools/mtmd/mtmd.cpp", refused_by=LLAMA_CPP)
def misfit(model: GGUFFile, other: GGUFFile) -> Iterator[Place]:
    """A projector (mmproj) or an adapter (LoRA) does not fit the model that it is checked with.

    This is checked if `check` gets one model, and projectors or adapters with it. A projector's output must be as wide
    as the model's embeddings; an adapter must be for the model's architecture, and its tensors for the model's.
    Fix: use the projector or the adapter that was made for this model.
    """
    return (Place("/", f"it does not fit the model: {reason}", 0) for reason in fits(model, other).reasons)
