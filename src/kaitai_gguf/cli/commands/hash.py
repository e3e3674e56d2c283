"""`kaitai-gguf hash`: hash tensors and files, and write and check manifests."""

import errno
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, Self

import click

import kaitai_gguf
from kaitai_gguf import Digests, FileError, GGUFFile
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


class Difference(NamedTuple):
    kind: str
    """ "file" or "tensor"."""
    name: str
    differs: str

    def document(self) -> dict[str, Any]:
        return {"kind": self.kind, "name": canonical.text(self.name), "differs": self.differs}


@dataclass(frozen=True)
class Manifest:
    """The hashes of a model, as JSON:

        {"algorithm": "sha256",
         "files": [{"name": "model.gguf", "nbytes": 21248, "digest": "…"}],
         "tensors": [{"name": "output.weight", "type": "Q6_K", "dims": [256, 8], "nbytes": 1680, "digest": "…"}]}

    Files are compared by position, not by name, so a file may be renamed.
    """

    algorithm: str
    files: list[dict[str, Any]]
    tensors: dict[str, dict[str, Any]]
    """By name, with the same members as in JSON, except the name."""

    @classmethod
    def of(cls, model: GGUFFile, digests: Digests) -> Self:
        files = [
            {"name": canonical.text(Path(file.name or "-").name), "nbytes": file.nbytes, "digest": digest}
            for file, digest in zip(model.shards, digests.files, strict=bool(digests.files))
        ]
        tensors = {}
        for name, digest in digests.tensors.items():
            tensor = model.tensors[name]
            facts = {"type": tensor.type_name, "dims": list(tensor.dims), "nbytes": tensor.nbytes}
            tensors[name] = facts | {"digest": digest}
        return cls(digests.algorithm, files, tensors)

    def document(self) -> dict[str, Any]:
        rows = [{"name": canonical.text(name)} | facts for name, facts in self.tensors.items()]
        return {"algorithm": self.algorithm, "files": self.files, "tensors": rows}

    def rows(self) -> list[tuple[str, str]]:
        """Return the digest and name of each file and tensor."""
        files = [(file["digest"], canonical.parsed_text(file["name"])) for file in self.files]
        return files + [(facts["digest"], name) for name, facts in self.tensors.items()]


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
        text = json.dumps(manifest.document(), indent=1) + "\n"
        write_file(output, text.encode(), force=force, dry_run=dry_run, as_json=as_json)
    elif as_json:
        print_json(manifest.document())
    else:
        print_table([manifest.algorithm, "file or tensor"], manifest.rows())


def _hash(model: kaitai_gguf.GGUFFile, algorithm: str, *, files: bool, tensors: bool) -> Manifest:
    nbytes = (model.nbytes if files else 0) + (model.tensors.data_nbytes if tensors else 0)
    with progress("hashing", nbytes) as advance:
        digests = kaitai_gguf.digest(model, algorithm, files=files, tensors=tensors, progress=advance)
    return Manifest.of(model, digests)


def _check(file: str, expected: Manifest, as_json: bool) -> None:
    with kaitai_gguf.open(source_of(file)) as model:
        actual = _hash(model, expected.algorithm, files=bool(expected.files), tensors=bool(expected.tensors))
    differences = _compare(expected, actual)
    if as_json:
        print_json({"same": not differences, "differences": [difference.document() for difference in differences]})
    elif differences:
        print_table(["what", "name", "differs"], differences)
    else:
        checked = [counted(len(expected.files), "file")] if expected.files else []
        checked += [counted(len(expected.tensors), "tensor")] if expected.tensors else []
        click.echo(f"matches the manifest: {', '.join(checked) or 'nothing'}")
    if differences:
        click.get_current_context().exit(SAYS_NO)


def _load(path: str) -> Manifest:
    """Return the manifest in a file. Raises `FileError` if it can't be read, or is not a manifest."""
    data = read_file(path, LARGEST, "a manifest", regular=True)
    try:
        document = json.loads(data)
        algorithm = document["algorithm"]
        if algorithm not in kaitai_gguf.HASHES:
            message = f"its algorithm is {algorithm!r}, expected one of {', '.join(kaitai_gguf.HASHES)}"
            raise FileError(errno.EINVAL, message, path)
        files = [{key: file[key] for key in ("name", "nbytes", "digest")} for file in document["files"]]
        keys = ("type", "dims", "nbytes", "digest")
        tensors = {
            canonical.parsed_text(tensor["name"]): {key: tensor[key] for key in keys} for tensor in document["tensors"]
        }
        manifest = Manifest(algorithm, files, tensors)
        if not all(isinstance(digest, str) for digest, _ in manifest.rows()):
            raise TypeError
    except FileError:
        raise
    except (ValueError, TypeError, KeyError, RecursionError):
        raise FileError(errno.EINVAL, "is not a manifest of hashes", path) from None
    return manifest


def _compare(expected: Manifest, actual: Manifest) -> list[Difference]:
    """Return what differs, tensors first. Files or tensors are compared only if `expected` has any."""
    differences = []
    for name, facts in expected.tensors.items():
        differs = _tensor_difference(facts, actual.tensors.get(name))
        if differs:
            differences.append(Difference("tensor", name, differs))
    if expected.tensors:
        new = [name for name in actual.tensors if name not in expected.tensors]
        differences += [Difference("tensor", name, "is not in the manifest") for name in new]
    if expected.files and len(expected.files) != len(actual.files):
        differs = f"the model has {len(actual.files)} files, the manifest has {len(expected.files)}"
        return [*differences, Difference("file", canonical.parsed_text(actual.files[0]["name"]), differs)]
    differs = "its bytes" if differences or not expected.tensors else "its bytes, of no tensor"
    return differences + [
        Difference("file", canonical.parsed_text(after["name"]), differs)
        for before, after in zip(expected.files, actual.files, strict=bool(expected.files))
        if before["digest"] != after["digest"]
    ]


def _tensor_difference(expected: dict[str, Any], actual: dict[str, Any] | None) -> str:
    if actual is None:
        return "is missing"
    names = {"type": "its type", "dims": "its dims", "digest": "its bytes"}
    return ", ".join(name for key, name in names.items() if expected[key] != actual[key])
