"""`kaitai-gguf hash`: hash tensors and files, and write and check manifests."""

import errno
import json
from pathlib import Path
from typing import Any

import click

import kaitai_gguf
from kaitai_gguf import FileError, GGUFFile, Tensor
from kaitai_gguf.cli import canonical
from kaitai_gguf.cli.files import check_target, open_model, read_file, source_of, write_file
from kaitai_gguf.cli.options import (
    PIPES,
    SAYS_NO,
    InputPath,
    dry_run_option,
    file_argument,
    force_option,
    json_option,
    output_option,
)
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


@click.command(epilog=PIPES)
@file_argument
@click.option("--algorithm", type=click.Choice(kaitai_gguf.HASHES), help="The hash to use; sha256 by default.")
@click.option("--only", type=click.Choice(["tensors", "file"]), help="Hash only the tensors, or only the file.")
@output_option("MANIFEST", "Write the hashes to this file.")
@click.option("--check", type=InputPath(), metavar="MANIFEST", help="Check FILE against the hashes in this file.")
@force_option
@dry_run_option
@json_option
def command(
    *,
    file: str,
    algorithm: str | None,
    only: str | None,
    output: str | None,
    check: str | None,
    force: bool,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Hash each tensor of FILE, and the file as a whole.

    The stored bytes are hashed, so a byte-swapped file has different hashes. For a file, sha256
    is the hash that sha256sum prints, and xxh3 the one that `xxhsum -H3` prints. xxh3 is much
    faster, but does not protect against malicious changes; it needs pip install xxhash. If an edit
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
        if output is not None or algorithm is not None or only is not None:
            raise click.UsageError("--check can't be combined with --algorithm, --only or --output")
        _check(file, _load(check), as_json)
        return
    if output is not None:
        check_target(output, force)  # fail before the work is done
    with open_model(file) as model:
        manifest = _hash(model, algorithm or "sha256", files=only != "tensors", tensors=only != "file")
    if output is not None:
        text = json.dumps(manifest, indent=1) + "\n"
        write_file(output, text.encode(), force=force, dry_run=dry_run, as_json=as_json)
    elif as_json:
        print_json(manifest)
    else:
        rows = [(each["digest"], _name(each)) for each in manifest["files"] + manifest["tensors"]]
        print_table([manifest["algorithm"], "file or tensor"], rows)


def _hash(model: GGUFFile, algorithm: str, *, files: bool, tensors: bool) -> Manifest:
    nbytes = (model.nbytes if files else 0) + (model.tensors.data_nbytes if tensors else 0)
    with progress("hashing", nbytes) as advance:
        digests = kaitai_gguf.digest(model, algorithm, files=files, tensors=tensors, progress=advance)
    shards = zip(model.shards, digests.files, strict=bool(digests.files))
    return {
        "algorithm": digests.algorithm,
        "files": [
            {"name": canonical.text(Path(file.name or "-").name), "nbytes": file.nbytes, "digest": digest}
            for file, digest in shards
        ],
        "tensors": [_facts(model.tensors[name]) | {"digest": digest} for name, digest in digests.tensors.items()],
    }


def _facts(tensor: Tensor) -> dict[str, Any]:
    name = canonical.text(tensor.name)
    return {"name": name, "type": tensor.type_name, "dims": list(tensor.dims), "nbytes": tensor.nbytes}


def _name(row: dict[str, Any]) -> str:
    return canonical.parsed_text(row["name"])


def _check(file: str, expected: Manifest, as_json: bool) -> None:
    n_files, n_tensors = len(expected["files"]), len(expected["tensors"])
    with kaitai_gguf.open(source_of(file)) as model:
        actual = _hash(model, expected["algorithm"], files=n_files > 0, tensors=n_tensors > 0)
    rows = _compare(expected, actual)
    if as_json:
        differences = [{"kind": kind, "name": canonical.text(name), "differs": differs} for kind, name, differs in rows]
        print_json({"same": not rows, "differences": differences})
    elif rows:
        print_table(["what", "name", "differs"], rows)
    else:
        checked = [counted(number, what) for number, what in ((n_files, "file"), (n_tensors, "tensor")) if number]
        click.echo(f"matches the manifest: {', '.join(checked) or 'nothing'}")
    if rows:
        click.get_current_context().exit(SAYS_NO)


def _load(path: str) -> Manifest:
    """Return the manifest in a file. Raises `FileError` if it can't be read, or is not a manifest."""
    data = read_file(path, LARGEST, "a manifest", regular=True)
    try:
        manifest: Manifest = json.loads(data)
        digests = [each["digest"] for each in manifest["files"] + manifest["tensors"] if isinstance(_name(each), str)]
        is_valid = all(isinstance(digest, str) for digest in digests)
        is_valid = is_valid and all({"type", "dims"} <= each.keys() for each in manifest["tensors"])
        algorithm = manifest["algorithm"]
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        is_valid = False
    if not is_valid:
        raise FileError(errno.EINVAL, "is not a manifest of hashes", path)
    if algorithm not in kaitai_gguf.HASHES:
        message = f"its algorithm is {algorithm!r}, expected one of {', '.join(kaitai_gguf.HASHES)}"
        raise FileError(errno.EINVAL, message, path)
    return manifest


def _compare(expected: Manifest, actual: Manifest) -> list[tuple[str, str, str]]:
    """Return what differs: kind, name, difference. Files or tensors are compared only if `expected` has any."""
    rows = []
    before, after = ({_name(each): each for each in manifest["tensors"]} for manifest in (expected, actual))
    labels = {"type": "its type", "dims": "its dims", "digest": "its bytes"}
    for name, facts in before.items():
        differs = "is missing"
        if name in after:
            differs = ", ".join(label for key, label in labels.items() if facts[key] != after[name][key])
        if differs:
            rows.append(("tensor", name, differs))
    rows += [("tensor", name, "is not in the manifest") for name in after if name not in before]
    files = actual["files"]
    if expected["files"] and len(expected["files"]) != len(files):
        differs = f"the model has {len(files)} files, the manifest has {len(expected['files'])}"
        return [*rows, ("file", _name(files[0]), differs)]
    differs = "its bytes" if rows or not before else "its bytes, of no tensor"
    pairs = zip(expected["files"], files, strict=True)
    return rows + [("file", _name(new), differs) for old, new in pairs if old["digest"] != new["digest"]]
