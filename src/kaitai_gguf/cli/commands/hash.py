"""`kaitai-gguf hash`: hash tensors and files, and write and check manifests."""

import errno
import json
from pathlib import Path
from typing import Any

import click

import kaitai_gguf
from kaitai_gguf import FileError, GGUFFile
from kaitai_gguf.cli import canonical
from kaitai_gguf.cli.files import check_target, open_model, read_file, source_of, write_file
from kaitai_gguf.cli.options import PIPES, SAYS_NO, InputPath, file_argument, form_options, output_option, write_options
from kaitai_gguf.cli.output import counted, print_json, progress
from kaitai_gguf.cli.table import print_table

LARGEST = 1 << 28  # bytes: enough for a million tensors


Manifest = dict[str, Any]
"""The hashes of a model, as JSON:

    {"algorithm": "sha256",
     "files": [{"name": "model.gguf", "nbytes": 21248, "digest": "…"}],
     "tensors": [{"name": "output.weight", "type": "Q6_K", "dims": [256, 8], "nbytes": 1680, "digest": "…"}]}

Files are compared by position, not by name, so a file may be renamed.
"""

FACTS = {"type": "its type", "dims": "its dims", "digest": "its bytes"}
"""What a manifest and a tensor have to agree on, and how a difference is called."""


@click.command(epilog=PIPES)
@file_argument
@click.option("--algorithm", type=click.Choice(kaitai_gguf.HASHES), help="The hash to use; sha256 by default.")
@click.option("--only", type=click.Choice(["tensors", "file"]), help="Hash only the tensors, or only the file.")
@output_option("MANIFEST", "Write the hashes to this file.")
@click.option("--check", type=InputPath(), metavar="MANIFEST", help="Check FILE against the hashes in this file.")
@write_options
@form_options
def command(
    *, file: str, algorithm: str | None, only: str | None, output: str | None, check: str | None, **how: Any
) -> None:
    """Hash each tensor of FILE, and the file as a whole.

    The stored bytes are hashed, so a byte-swapped file has different hashes. For a file, sha256
    is the hash that sha256sum prints, and xxh3 the one that `xxhsum -H3` prints. xxh3 is much
    faster, but does not protect against malicious changes; it needs pip install 'kaitai-gguf[hash]'. If an edit
    of FILE was interrupted, the bytes before the edit are hashed.

    --check compares FILE with a manifest that --output has written, and lists what differs.

    Exit status: 1 if --check finds differences, 2 if a file can't be read.

    \b
    Examples:
      kaitai-gguf hash model.gguf
      kaitai-gguf hash model.gguf --only tensors --algorithm xxh3
      kaitai-gguf hash model.gguf --output hashes.json
      kaitai-gguf hash model.gguf --check model.json
    """
    if check is not None:
        if (output, algorithm, only) != (None, None, None):
            raise click.UsageError("--check can't be combined with --algorithm, --only or --output")
        _check(file, _load(check), how["as_json"])
        return
    if output is not None:
        check_target(output, how["force"])  # fail before the work is done
    with open_model(file) as model:
        manifest = _hash(model, algorithm or "sha256", files=only != "tensors", tensors=only != "file")
    if output is not None:
        write_file(output, f"{json.dumps(manifest, indent=1)}\n".encode(), **how)
    elif how["as_json"]:
        print_json(manifest)
    else:
        rows = [(each["digest"], _name(each)) for each in manifest["files"] + manifest["tensors"]]
        print_table(["digest", "name"], rows)


def _hash(model: GGUFFile, algorithm: str, *, files: bool, tensors: bool) -> Manifest:
    nbytes = (model.nbytes if files else 0) + (model.tensors.data_nbytes if tensors else 0)
    with progress("hashing", nbytes) as advance:
        digests = kaitai_gguf.digest(model, algorithm, files=files, tensors=tensors, progress=advance)
    of_files = [
        {"name": canonical.text(Path(file.name or "-").name), "nbytes": file.nbytes, "digest": digest}
        for file, digest in zip(model.shards, digests.files, strict=files)
    ]
    of_tensors: list[dict[str, Any]] = []
    for name, digest in digests.tensors.items():
        tensor = model.tensors[name]
        row = {"type": tensor.type_name, "dims": list(tensor.dims), "nbytes": tensor.nbytes, "digest": digest}
        of_tensors.append({"name": canonical.text(name), **row})
    return {"algorithm": algorithm, "files": of_files, "tensors": of_tensors}


def _name(row: dict[str, Any]) -> str:
    return canonical.parsed_text(row["name"])


def _check(file: str, expected: Manifest, as_json: bool) -> None:
    counts = {"file": len(expected["files"]), "tensor": len(expected["tensors"])}
    with kaitai_gguf.open(source_of(file)) as model:
        actual = _hash(model, expected["algorithm"], files=counts["file"] > 0, tensors=counts["tensor"] > 0)
    rows = _compare(expected, actual)
    if as_json:
        differences = [{"kind": kind, "name": canonical.text(name), "differs": differs} for kind, name, differs in rows]
        print_json({"same": not rows, "differences": differences})
    elif rows:
        print_table(["kind", "name", "differs"], rows)
    else:
        checked = ", ".join(counted(number, what) for what, number in counts.items() if number)
        click.echo(f"matches the manifest: {checked or 'nothing'}")
    if rows:
        click.get_current_context().exit(SAYS_NO)


def _load(path: str) -> Manifest:
    """Return the manifest in a file. Raises `FileError` if it can't be read, or is not a manifest."""
    data = read_file(path, LARGEST, "a manifest", regular=True)
    try:
        manifest: Manifest = json.loads(data)
        _compare(manifest, manifest)  # raises an error for what is missing
        algorithm = manifest["algorithm"]
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise FileError(errno.EINVAL, "is not a manifest of hashes", path) from None
    if algorithm not in kaitai_gguf.HASHES:
        message = f"its algorithm is {algorithm!r}, expected one of {', '.join(kaitai_gguf.HASHES)}"
        raise FileError(errno.EINVAL, message, path)
    return manifest


def _compare(expected: Manifest, actual: Manifest) -> list[tuple[str, str, str]]:
    """Return what differs: kind, name, difference. Files or tensors are compared only if `expected` has any."""
    rows = []
    before, after = ({_name(each): each for each in manifest["tensors"]} for manifest in (expected, actual))
    for name, facts in before.items():
        differs = "is missing"
        if name in after:
            differs = ", ".join(label for fact, label in FACTS.items() if facts[fact] != after[name][fact])
        if differs:
            rows.append(("tensor", name, differs))
    rows += [("tensor", name, "is not in the manifest") for name in after if name not in before]
    files = actual["files"]
    if expected["files"] and len(expected["files"]) != len(files):
        differs = f"the model has {len(files)} files, the manifest has {len(expected['files'])}"
        return [*rows, ("file", _name(files[0]), differs)]
    differs = "its bytes" if rows or not before else "bytes outside the tensors"
    pairs = zip(expected["files"], files, strict=True)
    return rows + [("file", _name(new), differs) for old, new in pairs if old["digest"] != new["digest"]]
