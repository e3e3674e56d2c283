"""The tokenizer options of `set`: ids of special tokens by their text, and chat templates from files of other tools."""

import errno
import json
import re
from pathlib import Path
from typing import Any

import click
import numpy as np

from kaitai_gguf import FileError, Typed, ValueType, WritableMetadata, WriteError
from kaitai_gguf.cli.files import read_file
from kaitai_gguf.standard_keys import standard_keys
from kaitai_gguf.suggestions import did_you_mean
from kaitai_gguf.text import decode, quoted

TOKENS = "tokenizer.ggml.tokens"
TOKEN_TYPES = "tokenizer.ggml.token_type"
TEMPLATE, TEMPLATES = "tokenizer.chat_template", "tokenizer.chat_templates"

LONGEST = 1 << 30  # bytes: the longest string that the schema allows

_KEY = re.compile(r"tokenizer\.ggml\.(.+)_token_id")
# Short names, and the correct spelling of "seperator": llama.cpp reads `seperator_token_id`.
_OTHER_NAMES = {"unk": "unknown", "sep": "seperator", "separator": "seperator", "pad": "padding"}
_SPECIAL_TYPES = (2, 3, 4)  # unknown, control, user-defined


def special_token_key(name: str) -> str:
    """Return the key of a special token: `tokenizer.ggml.eos_token_id` for "eos"."""
    names = [match[1] for match in map(_KEY.fullmatch, standard_keys()) if match]
    name = _OTHER_NAMES.get(name, name)
    if name not in names:
        shown = sorted({*names, *_OTHER_NAMES} - {"seperator"})
        raise click.UsageError(f"--special-token takes one of {', '.join(shown)}, not {name!r}")
    return f"tokenizer.ggml.{name}_token_id"


def set_token(metadata: WritableMetadata, key: str, token: str) -> None:
    """Set a key to the id of a token, as uint32 if its value was not an integer. Raises `WriteError`."""
    id = _id(metadata, key, token)
    existing = metadata.get(key)
    is_integer = isinstance(existing, int) and not isinstance(existing, bool)
    metadata[key] = id if is_integer or existing is None else Typed(id, ValueType.UINT32)


def replace_templates(metadata: WritableMetadata, templates: dict[str, Any]) -> None:
    """Set the chat templates of a file and remove all others."""
    existing = [key for key in metadata if key in (TEMPLATE, TEMPLATES) or key.startswith(f"{TEMPLATE}.")]
    for key in set(existing) - set(templates):
        del metadata[key]
    metadata.update(templates)


def _id(metadata: WritableMetadata, key: str, token: str) -> int:
    """Return the id of a token. Raises `WriteError`, which names the key, for an unknown token."""
    tokens = metadata.get(TOKENS)
    if tokens is None or isinstance(tokens, str | int | float | np.ndarray):
        raise WriteError(f"key {key!r}: the file has no vocabulary to look up {quoted(token)} in; set {key}=ID")
    texts = list(tokens)
    try:
        return texts.index(token)
    except ValueError:
        suggestion = did_you_mean(token, _special(metadata, texts))
        raise WriteError(f"key {key!r}: no token {quoted(token)} in the vocabulary{suggestion}") from None


def _special(metadata: WritableMetadata, texts: list[str]) -> list[str]:
    """Return the tokens that are not ordinary text, as far as the file tells: comparing all would take seconds."""
    types = np.asarray(metadata.get(TOKEN_TYPES, ()))
    if types.shape == (len(texts),):
        return [texts[number] for number in np.flatnonzero(np.isin(types, _SPECIAL_TYPES)).tolist()]
    return [text for text in texts if text.startswith(("<", "["))]


def chat_templates(path: str) -> dict[str, Any]:
    """Return the keys and values to set for the chat templates in a file: Jinja, or JSON with a `chat_template`.

    transformers writes such JSON as `tokenizer_config.json` and `chat_template.json`. Several templates are stored the
    way llama.cpp's converter does. Raises `FileError`.
    """
    text = decode(read_file(path, LONGEST, "a chat template"))
    if Path(path).suffix.lower() != ".json":
        return {TEMPLATE: Typed(text, ValueType.STRING)}
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise FileError(errno.EINVAL, f"is not valid JSON: {error}", path) from None
    value = document.get("chat_template") if isinstance(document, dict) else None
    named = {"default": value} if isinstance(value, str) else _named(value)
    if not named:
        raise FileError(errno.EINVAL, "has no chat_template", path)
    values = {TEMPLATE if name == "default" else f"{TEMPLATE}.{name}": text for name, text in named.items()}
    others = [name for name in named if name != "default"]
    return {key: Typed(text, ValueType.STRING) for key, text in values.items()} | (
        {TEMPLATES: Typed(others, ValueType.STRING)} if others else {}
    )


def _named(value: Any) -> dict[str, str]:
    """Return the templates in a JSON list by name, with names that are valid in a key."""
    rows = [row for row in value if isinstance(row, dict)] if isinstance(value, list) else []
    return {
        re.sub("[^A-Za-z0-9]", "_", row["name"]): row["template"]
        for row in rows
        if isinstance(row.get("name"), str) and row["name"] and isinstance(row.get("template"), str)
    }
