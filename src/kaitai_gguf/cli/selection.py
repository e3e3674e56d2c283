"""Select tensors by patterns of their names, and by type; select keys by patterns."""

import re
from collections.abc import Collection, Iterable, Sequence
from difflib import get_close_matches
from fnmatch import fnmatchcase
from typing import Any

import click

from kaitai_gguf import GGMLType, GGUFFile, Tensor
from kaitai_gguf.cli import completion
from kaitai_gguf.cli.options import NoMatchError, Option, together
from kaitai_gguf.suggestions import did_you_mean
from kaitai_gguf.types import type_name


def tensor_type(text: str) -> int:
    """Parse a tensor type, given by its name in any case or by its number."""
    if text.isascii() and text.isdigit():
        return int(text)
    ids = {type_name(id).upper(): id for id in range(256)}  # including types that ggml has removed
    if text.upper() not in ids:
        close = get_close_matches(text.upper(), GGMLType.__members__, 1)
        hint = f"did you mean {close[0]}?" if close else f"the types are {', '.join(GGMLType.__members__)}"
        raise click.BadParameter(f"{text!r} is not a tensor type; {hint}")
    return ids[text.upper()]


def _repeated(names: str, argument: str, metavar: str, help: str, **options: Any) -> Option:
    help = f"{help} Can be repeated."
    return click.option(*names.split(), argument, multiple=True, metavar=metavar, help=help, **options)


type_option = _repeated(
    "--type --only-type", "types", "TYPE", "Only tensors of this type, such as q4_k or F32.", type=tensor_type
)

selection_options = together(
    _repeated("--tensors", "patterns", "GLOB", "Only tensors whose names match.", shell_complete=completion.tensors),
    _repeated("--exclude", "exclude", "GLOB", "Skip tensors whose names match.", shell_complete=completion.tensors),
    type_option,
)
"""The options for the arguments of `select_tensors`."""


def select_tensors(
    model: GGUFFile,
    patterns: Sequence[str] = (),
    *,
    exclude: Sequence[str] = (),
    types: Sequence[int] = (),
    regex: bool = False,
) -> list[Tensor]:
    """Return the tensors whose names match one of the patterns but none of `exclude`, and that have one of the types.

    Without patterns, all names match; without types, all types do. `regex` says that patterns are regular expressions
    to be found anywhere in a name. Raises `NoMatchError` if a filter was given and no
    tensor is left.
    """
    searches = [compiled(pattern).search for pattern in patterns] if regex else []
    named = [
        tensor
        for name, tensor in model.tensors.items()
        if not patterns or (any(search(name) for search in searches) if regex else _matches(name, patterns))
    ]
    if patterns and not named:
        hint = "" if regex else _hint(model.tensors, patterns)
        raise NoMatchError(f"no tensor matches {_listed(patterns)}{hint}")
    kept = [tensor for tensor in named if not _matches(tensor.name, exclude)]
    if exclude and not kept:
        raise NoMatchError(f"no tensor is left after excluding {_listed(exclude)}")
    chosen = [tensor for tensor in kept if not types or tensor.type_id in types]
    if types and not chosen:
        existing = ", ".join(dict.fromkeys(tensor.type_name for tensor in kept))
        hint = f"; the types of matching tensors are {existing}" if existing else ""
        raise NoMatchError(f"no tensor has type {' or '.join(map(type_name, types))}{hint}")
    return chosen


def compiled(pattern: str) -> re.Pattern[str]:
    """Return a regular expression. Raises `BadParameter`."""
    try:
        return re.compile(pattern)
    except re.error as error:
        raise click.BadParameter(f"{pattern!r} is not a regular expression: {error}") from None


def _matches(name: str, patterns: Iterable[str]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)


def _listed(patterns: Sequence[str]) -> str:
    return " or ".join(map(repr, patterns))


def _hint(names: Collection[str], patterns: Sequence[str]) -> str:
    """Return the end of a sentence that suggests the pattern that was probably meant."""
    if not names:
        return ": the file has no tensors"
    for pattern in filter(None, patterns):
        wide = f"*{pattern.strip('*')}*"
        if any(fnmatchcase(name, wide) for name in names):
            return f"; did you mean {wide!r}?"
        if any(fnmatchcase(name.lower(), wide.lower()) for name in names):
            return "; names are case-sensitive"
    return did_you_mean(patterns[0], names)


# Keys, and names to change


def is_pattern(names: Collection[str], text: str) -> bool:
    """Return whether a text is a shell pattern, and not itself a name."""
    return re.search(r"[*?]|\[.+\]", text) is not None and text not in names


def matching(names: Collection[str], pattern: str, what: str = "key") -> list[str]:
    """Return the name itself, or all names that match the pattern. Raises `NoMatchError`."""
    if is_pattern(names, pattern):
        matches = [name for name in names if fnmatchcase(name, pattern)]
        if not matches:
            raise NoMatchError(f"no {what} matches {pattern!r}")
        return matches
    if pattern not in names:
        where = "metadata" if what == "key" else "file"
        raise NoMatchError(f"no {what} {pattern!r} in the {where}{did_you_mean(pattern, names)}")
    return [pattern]


def new_names(names: Collection[str], old: str, new: str, what: str) -> dict[str, str]:
    """Return old name → new name. A * in both stands for any text, which is kept. Raises `NoMatchError`."""
    matches = matching(names, old, what)
    if not is_pattern(names, old):
        return {old: new}
    if (old.count("*"), new.count("*")) != (1, 1):
        raise click.UsageError("to rename by pattern, OLD and NEW need one * each")
    start, _, end = old.partition("*")
    return {name: new.replace("*", name[len(start) : len(name) - len(end)]) for name in matches}
