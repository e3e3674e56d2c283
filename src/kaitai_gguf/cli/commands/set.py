"""`kaitai-gguf set`: set values in the metadata."""

import warnings
from typing import Any

import click

import kaitai_gguf
from kaitai_gguf.cli.files import read_file
from kaitai_gguf.cli.options import InputPath, edit_options, edited_file_argument
from kaitai_gguf.cli.output import printable, warn
from kaitai_gguf.cli.saving import save_edits
from kaitai_gguf.cli.tokenizer_options import LONGEST, chat_templates, replace_templates, set_token, special_token_key
from kaitai_gguf.cli.values import TYPES, doubts_of_guess, doubts_of_key, doubts_of_value, set_text
from kaitai_gguf.text import decode, quoted


@click.command()
@edited_file_argument
@click.argument("assignments", nargs=-1, metavar="[KEY=VALUE]...")
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
    JSON for other types. `metadata FILE KEY --output PATH` writes such a file for a string;
    `metadata FILE KEY --json` prints other values, with their types. Write @@ for a string that
    begins with @.

    Warnings are printed for likely mistakes: an undocumented key, a value that is not among the
    documented ones, a key that is set twice. Options are applied after KEY=VALUE.

    --in-place writes only the header if it fits into the space before the tensor data. Otherwise it
    writes a new file, which replaces the old one when it is complete.

    Exit status: 2 on any error. In that case nothing is written, unless the message names a file
    that was written: the changes can't always be printed afterwards.

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
    tokens = [(special_token_key(name), token) for name, token in special_tokens]
    with kaitai_gguf.edit(file) as editor:
        metadata, before = editor.metadata, set(editor.metadata)
        with warnings.catch_warnings(action="ignore", category=UserWarning):  # `_warn` has those of this command
            for key, text in texts:
                set_text(metadata, key, _text(text), type)
        for key, token in tokens:
            set_token(metadata, key, token)
        templates = chat_templates(template) if template is not None else {}
        if templates:
            replace_templates(metadata, templates)
        origins: dict[str, list[str]] = {}
        for key, origin in [
            *((key, "") for key, _ in texts),
            *((key, "--special-token") for key, _ in tokens),
            *((key, "--chat-template") for key in templates),
        ]:
            origins.setdefault(key, []).append(origin)
        _warn(metadata, origins, before, is_guessed=type is None)
        save_edits(editor, file, **how)


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


def _warn(
    metadata: kaitai_gguf.WritableMetadata, origins: dict[str, list[str]], before: set[str], *, is_guessed: bool
) -> None:
    """Print warnings about likely mistakes. `origins` has the options that set each key, in order."""
    for key, options in origins.items():
        if len(options) > 1:
            winner = "the last value" if len(set(options)) == 1 else f"the value of {options[-1]}"
            warn(f"the key {quoted(key)} is set {len(options)} times; {winner} is used")
        if key not in before:
            for doubt in doubts_of_key(metadata, key):
                warn(doubt)
            if is_guessed:
                for doubt in doubts_of_guess(metadata, key):
                    warn(doubt)
        for doubt in doubts_of_value(metadata, key):
            warn(doubt)
