"""The scripts of `kaitai-gguf completion`, in the shells."""

import os
import subprocess
from pathlib import Path

import pytest
from integration.conftest import find
from support.commands import COMMAND, ENVIRONMENT

SAMPLE = Path(__file__).parents[2] / "examples" / "sample.gguf"
SHELLS = {
    "bash": """
        compopt() { echo "$@"; }
        complete_word() {
            COMPREPLY=() COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
            _kaitai_gguf_completion "$1"
            echo "${COMPREPLY[@]}"
        }
        eval "$(kaitai-gguf completion bash)"
        complete_word kaitai-gguf set "$FILE" general.na
        complete_word kaitai-gguf metadata "$FILE" general.na
        """,
    "zsh": """
        compdef() { : }
        compadd() { [[ $1 == -S && -z $2 ]] && echo -o nospace; echo $completions }
        complete_word() { words=("$@") CURRENT=$#; _kaitai_gguf_completion }
        eval "$(kaitai-gguf completion zsh)"
        complete_word kaitai-gguf set "$FILE" general.na
        complete_word kaitai-gguf metadata "$FILE" general.na
        """,
    "fish": """
        kaitai-gguf completion fish | source
        complete -C "kaitai-gguf set $FILE general.na"
        complete -C "kaitai-gguf metadata $FILE general.na"
        """,  # fish itself adds no space after an equals sign
}


@pytest.mark.parametrize("shell", SHELLS)
def test_a_key_is_completed(shell: str, tmp_path: Path) -> None:
    program = tmp_path / "kaitai-gguf"
    program.write_text(f'#!/bin/sh\nexec {COMMAND[0]} -m kaitai_gguf "$@"\n')
    program.chmod(0o755)
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    environment = ENVIRONMENT | {"PATH": path, "FILE": str(SAMPLE), "HOME": str(tmp_path)}
    command = [find(shell, shell), "-c", SHELLS[shell]]
    done = subprocess.run(command, check=False, env=environment, capture_output=True, text=True, timeout=60)
    nospace = "" if shell == "fish" else "-o nospace\n"
    assert (done.stdout, done.stderr) == (f"{nospace}general.name=\ngeneral.name\n", "")
