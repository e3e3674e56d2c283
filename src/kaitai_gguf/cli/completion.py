"""Complete keys and tensor names of the file on the command line, for a shell."""

import os
import re
from collections.abc import Iterable

import click

import kaitai_gguf
from kaitai_gguf.llama_cpp import architecture_of, standard_keys

# Shells insert a completion without quotes, so that another character of a name could run a command.
_SAFE = re.compile(r"[A-Za-z0-9._/+@:-]+=?")


def keys(ctx: click.Context, _: click.Parameter, incomplete: str) -> list[str]:
    """Return the keys of the file that begin with what was typed."""
    return _matching(_names(ctx)[0], incomplete)


def tensors(ctx: click.Context, _: click.Parameter, incomplete: str) -> list[str]:
    """Return the names of the file's tensors that begin with what was typed."""
    return _matching(_names(ctx)[1], incomplete)


def assignments(ctx: click.Context, _: click.Parameter, incomplete: str) -> list[str]:
    """Return the keys of the file and documented keys, with an equals sign; nothing for a value.

    Bash passes KEY=VALUE as three words.
    """
    words: tuple[str, ...] = ctx.params.get("assignments") or ()
    before, last = ("", "", *words)[-2:]
    if last == "=" or (last and "=" not in last and before != "="):
        return []
    own, _tensors, architecture = _names(ctx)
    return _matching([f"{key}=" for key in dict.fromkeys([*own, *standard_keys(architecture)])], incomplete)


def _names(ctx: click.Context) -> tuple[list[str], list[str], str | None]:
    """Return the keys, tensors and architecture of the file; nothing if it is remote or can't be read."""
    file = ctx.params.get("file") or next(iter(ctx.args), "")  # an option without its value ends the parsing
    path = os.path.expanduser(file)
    try:
        if not os.path.isfile(path):
            return [], [], None
        with kaitai_gguf.open(path, shards=False) as model:
            return [*model.metadata], [*model.tensors], architecture_of(model.metadata)
    except (kaitai_gguf.GGUFError, ValueError):
        return [], [], None


def _matching(names: Iterable[str], incomplete: str) -> list[str]:
    return [name for name in names if name.startswith(incomplete) and _SAFE.fullmatch(name)]
