"""The files of a model in several, found from any one of them.

They are found by name, as in llama.cpp, but in a listing of the folder: a file may claim any number of shards.
"""

import os
from typing import NamedTuple

from kaitai_gguf.errors import SHORTAGES, FileError, FormatError
from kaitai_gguf.reading.shards import COUNT_KEY, ShardName, parse_shard_name
from kaitai_gguf.rules.facts import Facts
from kaitai_gguf.sources import set_manifest


class Shard(NamedTuple):
    """One file of a model in several."""

    name: str
    number: int  # from 1, by its name
    facts: Facts


def existing(facts: Facts) -> tuple[ShardName, dict[int, str]] | None:
    """Return the name of a shard, and those of all shards in its folder, in order and by number from 1.

    None if the file is not one of several by its name and its keys.
    """
    own = parse_shard_name(os.path.basename(facts.path or ""))
    if facts.path is None or own is None or own.of < 2 or facts.integer(COUNT_KEY) != own.of:
        return None
    if set_manifest.is_published(facts.path):
        return None  # another program is replacing all files of the set
    folder, file = os.path.split(facts.path)
    try:
        listing = os.listdir(folder or os.curdir)
    except OSError as error:  # the folder may allow opening its files, but not listing them
        if error.errno in SHORTAGES:
            raise FileError(error.errno, error.strerror, facts.path) from None
        return None
    files = {own.number: file}
    for other in listing:
        name = parse_shard_name(other)
        if name is not None and (name.prefix, name.of) == (own.prefix, own.of):
            files.setdefault(name.number, other)
    return own, dict(sorted(files.items()))


def read(facts: Facts, files: dict[int, str]) -> tuple[list[Shard], dict[str, str]]:
    """Return the shards that can be read, and the reasons why the others can't be, by name.

    Raises `FileError` if the system is out of file handles or memory.
    """
    shards, unreadable = [], {}
    for number, name in files.items():
        path = os.path.join(os.path.dirname(facts.path or ""), name)
        try:
            shards.append(Shard(name, number, facts.shard(path)))
        except FormatError as error:
            unreadable[name] = str(error)
        except FileError as error:
            if error.errno in SHORTAGES:
                raise
            unreadable[name] = error.strerror or str(error)
    return shards, unreadable
