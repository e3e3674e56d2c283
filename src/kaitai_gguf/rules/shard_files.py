"""The files of a model in several, found from any one of them.

They are found by name, as in llama.cpp, but in a listing of the folder: a file may claim any number of shards.
"""

import os

from kaitai_gguf.errors import SHORTAGES, FileError, FormatError, ShardError
from kaitai_gguf.reading.file import GGUFFile
from kaitai_gguf.reading.shards import ShardName, name_of_shard, parse_shard_name
from kaitai_gguf.rules.facts import Facts
from kaitai_gguf.sources import set_manifest


def existing(facts: Facts) -> tuple[ShardName, dict[int, str]] | None:
    """Return the name of a shard, and those of all shards in its folder, in order and by number from 1.

    None if the file is not a shard, or is not named like one.
    """
    if facts.path is None or set_manifest.is_published(facts.path):  # another program is replacing all files of the set
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
