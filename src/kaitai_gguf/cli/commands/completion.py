"""`kaitai-gguf completion`: print a script that completes command lines."""

import click
from click.shell_completion import get_completion_class

PROGRAM, VARIABLE = "kaitai-gguf", "_KAITAI_GGUF_COMPLETE"

# Shells add a space after a completion, which must not come between "KEY=" and the value.
WITHOUT_SPACE = {
    "\n    return 0\n": "\n    [[ ${COMPREPLY[0]-} == *= ]] && compopt -o nospace\n    return 0\n",  # bash
    "compadd -U": 'local -a end; [[ $completions[1] == *= ]] && end=(-S ""); compadd "${end[@]}" -U',  # zsh
}


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def command(ctx: click.Context, shell: str) -> None:
    """Print a script for completion with the tab key.

    It completes commands, options, files, and the keys and tensor names of the file on the line. Add a line to
    ~/.bashrc or ~/.zshrc:

    \b
      eval "$(kaitai-gguf completion bash)"
      eval "$(kaitai-gguf completion zsh)"

    For fish, write the script to a file:

    \b
    Examples:
      kaitai-gguf completion bash
      kaitai-gguf completion fish > kaitai-gguf.fish
    """
    kind = get_completion_class(shell)
    assert kind is not None
    script = kind(ctx.find_root().command, {}, PROGRAM, VARIABLE).source()
    for before, after in WITHOUT_SPACE.items():
        script = script.replace(before, after)
    click.echo(script, nl=False)
