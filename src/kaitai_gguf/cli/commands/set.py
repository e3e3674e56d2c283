"""`kaitai-gguf set`: set values in the metadata."""

import errno
import json
import re
import warnings
from pathlib import Path
from typing import Any

import click

import kaitai_gguf
from kaitai_gguf import FileError, StringArray, Typed, ValueType, WritableMetadata, WriteError
from kaitai_gguf.arguments import is_integer
from kaitai_gguf.cli import completion
from kaitai_gguf.cli.files import read_file
from kaitai_gguf.cli.options import InputPath, edit_options, edited_file_argument
from kaitai_gguf.cli.output import printable, quoted_for_shell, warn
from kaitai_gguf.cli.saving import save_edits
from kaitai_gguf.cli.values import TYPES, set_text, warn_of_key, warn_of_value
from kaitai_gguf.llama_cpp import architecture_of, standard_keys
from kaitai_gguf.reading.arrays import TOKENS
from kaitai_gguf.suggestions import did_you_mean
from kaitai_gguf.text import decode, quoted

TEMPLATE, TEMPLATES = "tokenizer.chat_template", "tokenizer.chat_templates"

LONGEST = 1 << 30  # bytes: the longest string that the schema allows

_KEY = re.compile(r"tokenizer\.ggml\.(.+)_token_id")
# Short names, and the correct spelling of "seperator": llama.cpp reads `seperator_token_id`.
_OTHER_NAMES = {"unk": "unknown", "sep": "seperator", "separator": "seperator", "pad": "padding"}


@click.command()
@edited_file_argument
@click.argument("assignments", nargs=-1, metavar="[KEY=VALUE]...", shell_complete=completion.assignments)
@click.option(
    "--type",
    "type",
    type=click.Choice(TYPES, case_sensitive=False),
    metavar="TYPE",
    help="The type of all values, such as uint32, string or float32[].",
)
@click.option(
    "--special-token",
    "special_tokens",
    nargs=2,
    multiple=True,
    metavar="NAME TOKEN",
    help="Set the id of a special token (bos, eos, eot, pad and so on) by its text.",
)
@click.option(
    "--chat-template",
    "template",
    type=InputPath(),
    metavar="PATH",
    help="Set the chat template from a Jinja file or a tokenizer_config.json.",
)
@edit_options
def command(
    *,
    file: str,
    assignments: tuple[str, ...],
    type: str | None,
    special_tokens: tuple[tuple[str, str], ...],
    template: str | None,
    **how: Any,
) -> None:
    """Set values in the metadata of FILE; new keys are added.

    An existing key keeps its type unless --type is given. A new key gets its documented type, or
    else the type that its value looks like: true, 5, 0.5, [1, 2] as in JSON, or text. Text needs
    no quotes except for the shell.

    KEY=@PATH reads the value from a file, KEY=@- from the standard input: exact bytes for a string,
    as `metadata FILE KEY --output PATH` writes them, JSON for other types. Write @@ for a string
    that begins with @.

    Warnings are printed for likely mistakes: an undocumented key, a value that is not among the
    documented ones, a key that is set twice. Options are applied after KEY=VALUE.

    --in-place writes only the header if it fits into the space before the tensor data. Otherwise it
    writes a new file, which replaces the old one when it is complete.

    Exit status: 2 on any error. In that case nothing is written.

    \b
    Examples:
      kaitai-gguf set model.gguf tokenizer.chat_template=@chat.jinja --in-place
      kaitai-gguf set model.gguf --chat-template tokenizer_config.json --in-place
      kaitai-gguf set model.gguf --special-token pad '</s>' --output new.gguf
      kaitai-gguf set model.gguf general.name='My model' llama.x=1.2 --dry-run
      kaitai-gguf set model.gguf llama.x='[1, 2]' --type uint8[] --in-place
    """
    if not assignments and not special_tokens and template is None:
        raise click.UsageError("specify KEY=VALUE, --special-token or --chat-template")
    texts = [_assignment(each) for each in assignments]
    tokens = [(_special_token_key(name), token) for name, token in special_tokens]
    with kaitai_gguf.edit(file) as editor:
        metadata, before = editor.metadata, set(editor.metadata)
        with warnings.catch_warnings(action="ignore", category=UserWarning):  # `warn_of_key` has those of this command
            for key, text in texts:
                set_text(metadata, key, _text(text), type)
        for key, token in tokens:
            _set_token(metadata, key, token)
        templates = [] if template is None else _set_templates(metadata, template)
        changes = [(key, "the last value") for key, _ in texts]
        changes += [(key, "the value of --special-token") for key, _ in tokens]
        changes += [(key, "the value of --chat-template") for key in templates]
        for key, winner in dict(changes).items():
            count = sum(key == each for each, _ in changes)
            if count > 1:
                warn(f"the key {quoted(key)} is set {count} times; {winner} is used")
            if key not in before:
                warn_of_key(metadata, key)
            warn_of_value(metadata, key)
        _warn_of_orphans(metadata, architecture_of(editor.model.metadata), how["output"] or file)
        save_edits(editor, file, **how)


def _warn_of_orphans(metadata: WritableMetadata, old: str | None, file: str) -> None:
    """Warn about the keys of the old architecture, which programs don't read after the architecture was changed."""
    new = architecture_of(metadata)
    orphans = [key for key in metadata if old and key.startswith(f"{old}.")]
    if old != new and new and orphans:
        names = ", ".join(orphans[:3]) + (f" and {len(orphans) - 3} more" if len(orphans) > 3 else "")
        words = " ".join(map(quoted_for_shell, [file, f"{old}.*", f"{new}.*"]))
        warn(f"readers of {new} ignore {names}; rename them: kaitai-gguf rename-key {words} --in-place")


def _assignment(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals:
        raise click.UsageError(f"{printable(text)} is not KEY=VALUE")
    return key, value


def _text(text: str) -> str:
    """Return the text itself, or for `@PATH` the text in a file."""
    if not text.startswith("@") or text.startswith("@@"):
        return text.removeprefix("@")
    return decode(read_file(text[1:], LONGEST, "a value"))


def _special_token_key(name: str) -> str:
    """Return the key of a special token: `tokenizer.ggml.eos_token_id` for "eos"."""
    names = {match[1] for match in map(_KEY.fullmatch, standard_keys()) if match}
    name = _OTHER_NAMES.get(name, name)
    if name not in names:
        shown = sorted({*names, *_OTHER_NAMES} - {"seperator"})
        raise click.UsageError(f"--special-token takes one of {', '.join(shown)}, not {name!r}")
    return f"tokenizer.ggml.{name}_token_id"


def _set_token(metadata: WritableMetadata, key: str, token: str) -> None:
    """Set a key to the id of a token, as uint32 if its value was not an integer. Raises `WriteError`."""
    texts, existing = metadata.get(TOKENS), metadata.get(key)
    if not isinstance(texts, list | StringArray):
        raise WriteError(f"key {key!r}: the file has no vocabulary to look up {quoted(token)} in; set {key}=ID")
    if token not in texts:
        special = [text for text in texts if text.startswith(("<", "["))]  # comparing all would take seconds
        raise WriteError(f"key {key!r}: no token {quoted(token)} in the vocabulary{did_you_mean(token, special)}")
    id = texts.index(token)
    metadata[key] = id if is_integer(existing) or existing is None else Typed(id, ValueType.UINT32)


def _set_templates(metadata: WritableMetadata, path: str) -> list[str]:
    """Replace all chat templates by those in a file, and return their keys. Raises `FileError`.

    The file is Jinja, or JSON with a `chat_template`, which transformers writes as `tokenizer_config.json` and
    `chat_template.json`. Several templates are stored the way llama.cpp's converter does.
    """
    text = decode(read_file(path, LONGEST, "a chat template"))
    named = _named_templates(text, path) if Path(path).suffix.lower() == ".json" else {"default": text}
    others = [name for name in named if name != "default"]
    new: dict[str, Any] = {f"{TEMPLATE}.{name}" if name in others else TEMPLATE: each for name, each in named.items()}
    if others:
        new[TEMPLATES] = others
    for key in list(metadata):
        if (key in (TEMPLATE, TEMPLATES) or key.startswith(f"{TEMPLATE}.")) and key not in new:
            del metadata[key]
    metadata.update({key: Typed(value, ValueType.STRING) for key, value in new.items()})
    return list(new)


def _named_templates(text: str, path: str) -> dict[str, str]:
    """Return the templates in a JSON document by name, with names that are valid in a key. Raises `FileError`."""
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise FileError(errno.EINVAL, f"is not valid JSON: {error}", path) from None
    value = document.get("chat_template") if isinstance(document, dict) else None
    rows = value if isinstance(value, list) else [{"name": "default", "template": value}]
    named = {
        re.sub("[^A-Za-z0-9]", "_", row["name"]): row["template"]
        for row in rows
        if isinstance(row, dict) and isinstance(row.get("name"), str) and isinstance(row.get("template"), str)
    }
    named.pop("", None)
    if not named:
        raise FileError(errno.EINVAL, "has no chat_template", path)
    return named
