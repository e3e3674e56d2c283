"""Rules on all shards of a model: they are checked for any one of them, with the headers of the others.

The others are found by name, as in llama.cpp, but in a listing of the folder: a file may claim any number of shards.
"""

import os
from collections.abc import Iterator
from itertools import count, islice

from kaitai_gguf.errors import SHORTAGES, FileError, FormatError, ShardError
from kaitai_gguf.reading.file import GGUFFile
from kaitai_gguf.reading.shards import ShardName, breaches, name_of_shard, parse_shard_name, shard_name
from kaitai_gguf.rules.facts import Facts
from kaitai_gguf.rules.finding import ERROR, LLAMA_CPP, WARNING
from kaitai_gguf.rules.references import LOADER
from kaitai_gguf.rules.rule import Place, rule
from kaitai_gguf.text import quoted

NAMED = 3  # files that a message names


def existing(facts: Facts) -> tuple[ShardName, dict[int, str]] | None:
    """Return the name of a shard, and those of all shards in its folder, in order and by number from 1.

    None if the file is not a shard, or is not named like one.
    """
    if facts.path is None:
        return None
    folder, file = os.path.split(facts.path)
    try:
        own = name_of_shard(file, facts.header)
        listing = os.listdir(folder or os.curdir) if own is not None else []
    except ShardError:
        return None
    except OSError as error:  # the folder may allow opening its files, but not listing them
        if error.errno in SHORTAGES:
            raise FileError(error.errno, error.strerror, facts.path) from None
        return None
    if own is None:
        return None
    files = {own.number: file}
    for other in listing:
        name = parse_shard_name(other)
        if name is not None and (name.prefix, name.of) == (own.prefix, own.of):
            files.setdefault(name.number, other)
    return own, dict(sorted(files.items()))


def read(facts: Facts, files: dict[int, str]) -> tuple[dict[str, GGUFFile], dict[str, str]]:
    """Return the shards that can be opened, and the reasons why the others can't be, by name.

    Raises `FileError` if the system is out of file handles or memory.
    """
    shards, unreadable = {}, {}
    for name in files.values():
        path = os.path.join(os.path.dirname(facts.path or ""), name)
        try:
            shards[name] = facts.shard(path).file
        except FormatError as error:
            unreadable[name] = str(error)
        except FileError as error:
            if error.errno in SHORTAGES:
                raise
            unreadable[name] = error.strerror or str(error)
    return shards, unreadable


@rule("shard-missing", WARNING, LOADER, refused_by=(LLAMA_CPP,))
def shard_missing(facts: Facts) -> Iterator[Place]:
    """Another shard of the model is missing.

    This is checked if the file is given by its path and is named like a shard. The other shards must be in the same
    folder.

    Fix: download the missing files to the folder.
    """
    found = existing(facts)
    if found is None or len(found[1]) == found[0].of:
        return
    own, files = found
    missing = own.of - len(files)
    names = (quoted(shard_name(own.prefix, number, own.of)) for number in count(1) if number not in files)
    shown = ", ".join(islice(names, min(missing, NAMED)))
    more = f" and {missing - NAMED:,} more" if missing > NAMED else ""
    message = f"{missing:,} of {own.of:,} shards {'is' if missing == 1 else 'are'} missing: {shown}{more}"
    yield _place(message)._replace(total=missing)


@rule("shard-set", ERROR, LOADER, refused_by=(LLAMA_CPP,), fixes=["set FILE KEY=VALUE --in-place"])
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
        yield _place(str(error))
    except FormatError:
        return
    found = existing(facts)
    if found is None:
        return
    shards, unreadable = read(facts, found[1])
    for name, reason in unreadable.items():
        yield _place(f"{quoted(name)} can't be read: {reason}")
    for breach in breaches(list(shards.values()), list(shards)):
        yield _place(breach.message)._replace(refused_by=(LLAMA_CPP,) if breach.is_refused_by_llama_cpp else ())


def _place(message: str) -> Place:
    return Place(0, "/", message)
