"""`kaitai-gguf set`: values of the metadata."""

from typing import Any

import click

import kaitai_gguf
from kaitai_gguf.cli.files import read_file
from kaitai_gguf.cli.options import edit_options, edited_file_argument
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
    help="The type of all values: uint32, string, float32[] and so on.",
)
@click.option(
    "--special-token",
    "special_tokens",
    nargs=2,
    multiple=True,
    metavar="NAME TOKEN",
    help="Set the id of bos, eos, eot, pad and so on by the text of the token.",
)
@click.option(
    "--chat-template",
    "template",
    type=click.Path(),
    metavar="PATH",
    help="Set the chat template to that of a Jinja file or tokenizer_config.json.",
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

    A value keeps its type unless --type is given. A new key gets the type that it is documented
    to have, or else the one that its value looks like: true, 5, 0.5, [1, 2] as in JSON, or text.
    Text needs no quotes but those of the shell.

    KEY=@PATH takes the value from a file, KEY=@- from the standard input: its exact bytes for a text, JSON
    for the rest. `metadata FILE KEY --output PATH` writes such a file of a text, and `metadata FILE KEY --json`
    prints one of anything else, with its type. Write @@ for a text that begins with @.

    There is a warning for what looks like a mistake: a key that is not documented, a value that
    the documentation does not list, a key that is set twice. Options are applied after KEY=VALUE.

    The tensor data stays where it is if the header fits in its padding; else the whole file is
    written anew, and replaces the old one when it is complete.

    Exit status: 2 if something is wrong; nothing is written then.

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
    """Return the text that is given, or what is in the file that is given."""
    if not text.startswith("@") or text.startswith("@@"):
        return text.removeprefix("@")
    return decode(read_file(text[1:], LONGEST, "a value"))


def _warn(
    metadata: kaitai_gguf.WritableMetadata, origins: dict[str, list[str]], before: set[str], *, is_guessed: bool
) -> None:
    """Print what looks like a mistake. `origins` has for each key the options that set it, in their order."""
    for key, options in origins.items():
        if len(options) > 1:
            winner = "the last value" if len(set(options)) == 1 else f"the value of {options[-1]}"
            warn(f"the key {quoted(key)} is set {len(options)} times; {winner} counts")
        if key not in before:
            for doubt in doubts_of_key(metadata, key):
                warn(doubt)
            if is_guessed:
                for doubt in doubts_of_guess(metadata, key):
                    warn(doubt)
        for doubt in doubts_of_value(metadata, key):
            warn(doubt)
