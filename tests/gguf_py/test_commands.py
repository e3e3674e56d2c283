"""gguf-py's own commands give the same output and files with our reader."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from gguf_py.files import EXAMPLE, MODELS

COMMANDS = {
    "dump": ("gguf_dump", ["m.gguf"], ""),
    "dump as JSON with arrays": ("gguf_dump", ["m.gguf", "--json", "--json-array"], ""),
    "dump as Markdown": ("gguf_dump", ["m.gguf", "--markdown"], ""),
    "hash": ("gguf_hash", ["m.gguf"], ""),
    "set a value": ("gguf_set_metadata", ["m.gguf", "general.file_type", "1", "--force"], ""),
    "set a value that is missing": ("gguf_set_metadata", ["m.gguf", "none", "7", "--force"], ""),
    "new metadata": ("gguf_new_metadata", ["m.gguf", "n.gguf", "--chat-template", "{{x}}"], ""),
    "convert the byte order": ("gguf_convert_endian", ["m.gguf", "big"], "YES\n"),
    "convert it back": ("gguf_convert_endian", ["m.gguf", "little"], "YES\n"),
}


def cases() -> list[tuple[str, Path]]:
    """Return each command on the sample, and the main commands on other kinds of files."""
    others = {
        "dump": "tiny-be",
        "dump as JSON with arrays": "nested-arrays",
        "dump as Markdown": "empty-arrays",
        "new metadata": "tiny-allquants",
        "convert the byte order": "v2",
        "convert it back": "tiny-be",
    }
    return [(name, EXAMPLE) for name in COMMANDS if not name.startswith("convert")] + [
        (name, MODELS / f"{stem}.gguf") for name, stem in others.items()
    ]


@pytest.mark.parametrize(("name", "path"), cases(), ids=lambda each: getattr(each, "stem", each))
def test_the_same_output_and_files(name: str, path: Path, tmp_path: Path) -> None:
    script, arguments, stdin = COMMANDS[name]
    results = []
    for runner in ([], ["-m", "kaitai_gguf.gguf_py"]):
        folder = tmp_path / f"{len(runner)}"
        folder.mkdir()
        shutil.copy(path, folder / "m.gguf")
        command = [sys.executable, *runner, "-m", f"gguf.scripts.{script}", *arguments]
        done = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, check=False, input=stdin, timeout=300
        )
        files = {file.name: file.read_bytes() for file in folder.iterdir()}
        has_progress = "%|" in done.stderr  # a progress bar contains times
        results.append((done.returncode, done.stdout, has_progress or done.stderr, files))
    theirs, ours = results
    assert ours == theirs
    assert ours[0] == (1 if "none" in arguments else 0), ours[2]
    assert ours[1] or ours[2]
    is_changed = ours[3] != {"m.gguf": path.read_bytes()}
    assert is_changed == (name.startswith(("set a value", "new", "convert")) and "none" not in arguments)
