"""Manifests: the hashes of a model as JSON, and what differs between two of them.

    {"algorithm": "sha256",
     "files": [{"name": "model.gguf", "nbytes": 21248, "digest": "…"}],
     "tensors": [{"name": "output.weight", "type": "Q6_K", "dims": [256, 8], "nbytes": 1680, "digest": "…"}]}

Names that are not UTF-8 are given as in all JSON of the commands. Names of files are there to be read, no more: files
are told apart by their order, so that a file may be renamed.
"""

import base64
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import kaitai_gguf
from kaitai_gguf import Digests, GGUFError, GGUFFile
from kaitai_gguf.cli import canonical
from kaitai_gguf.cli.whole import read_regular
from kaitai_gguf.writing.atomic import Staging

LARGEST = 1 << 28  # bytes: those of a million tensors


@dataclass(frozen=True)
class Difference:
    kind: str
    """ "file" or "tensor"."""
    name: str
    words: str

    def document(self) -> dict[str, Any]:
        return {"kind": self.kind, "name": canonical.text(self.name), "differs": self.words}


@dataclass(frozen=True)
class Manifest:
    algorithm: str
    files: list[dict[str, Any]]
    tensors: dict[str, dict[str, Any]]
    """By name; with all that JSON has of one but its name."""

    @classmethod
    def of(cls, model: GGUFFile, digests: Digests) -> "Manifest":
        files = [
            {"name": canonical.text(Path(file.name or "").name), "nbytes": file.nbytes, "digest": digest}
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

    def file_rows(self) -> list[tuple[str, str]]:
        return [(_name(file["name"]), file["digest"]) for file in self.files]

    def tensor_rows(self) -> list[tuple[str, str]]:
        return [(name, facts["digest"]) for name, facts in self.tensors.items()]


def save(path: str, manifest: Manifest, force: bool) -> None:
    with Staging(force) as staging, staging.file(Path(path)) as file:
        file.write(json.dumps(manifest.document(), indent=1).encode() + b"\n")


def load(path: str) -> Manifest:
    """Raises `FileError` if it can't be read, `GGUFError` if it is no manifest."""
    data = read_regular(path, LARGEST, "a manifest")
    try:
        document = json.loads(data)
        if document["algorithm"] not in kaitai_gguf.HASHES:
            raise GGUFError(
                f"{path}: its hashes are {document['algorithm']!r}, none of {', '.join(kaitai_gguf.HASHES)}"
            )
        files = [{key: file[key] for key in ("name", "nbytes", "digest")} for file in document["files"]]
        keys = ("type", "dims", "nbytes", "digest")
        tensors = {_name(tensor["name"]): {key: tensor[key] for key in keys} for tensor in document["tensors"]}
        manifest = Manifest(document["algorithm"], files, tensors)
        if not all(isinstance(digest, str) for _, digest in [*manifest.file_rows(), *manifest.tensor_rows()]):
            raise TypeError
    except GGUFError:
        raise
    except (ValueError, TypeError, KeyError, RecursionError):
        raise GGUFError(f"{path}: is no manifest of hashes") from None
    return manifest


def compare(expected: Manifest, found: Manifest) -> list[Difference]:
    """What differs, tensors first. Only what the expected one has is asked of the found one."""
    differences = []
    for name, facts in expected.tensors.items():
        words = _words(facts, found.tensors.get(name))
        if words:
            differences.append(Difference("tensor", name, words))
    if expected.tensors:
        new = [name for name in found.tensors if name not in expected.tensors]
        differences += [Difference("tensor", name, "is not in the manifest") for name in new]
    if expected.files and len(expected.files) != len(found.files):
        words = f"there are {len(found.files)} files, and {len(expected.files)} in the manifest"
        differences.append(Difference("file", found.file_rows()[0][0], words))
        return differences
    for mine, theirs in zip(expected.files, found.files, strict=bool(expected.files)):
        if mine["digest"] != theirs["digest"]:
            tensors_too = any(difference.kind == "tensor" for difference in differences)
            words = "its bytes" if tensors_too or not expected.tensors else "its bytes, of no tensor"
            differences.append(Difference("file", _name(theirs["name"]), words))
    return differences


def _words(expected: dict[str, Any], found: dict[str, Any] | None) -> str:
    if found is None:
        return "is missing"
    names = {"type": "its type", "dims": "its dims", "digest": "its bytes"}
    return ", ".join(words for key, words in names.items() if expected[key] != found[key])


def _name(text: str | dict[str, str]) -> str:
    """The name that JSON has, as text or in base64."""
    if isinstance(text, str):
        return text
    return base64.b64decode(text["base64"], validate=True).decode("utf-8", "surrogateescape")
