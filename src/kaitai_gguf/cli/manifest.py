"""Manifests: the hashes of a model as JSON, and what differs between two of them.

    {"algorithm": "sha256",
     "files": [{"name": "model.gguf", "nbytes": 21248, "digest": "…"}],
     "tensors": [{"name": "output.weight", "type": "Q6_K", "dims": [256, 8], "nbytes": 1680, "digest": "…"}]}

Names that are not UTF-8 are given as in all JSON of the commands. Files are compared in their order, not by name, so
that a file may be renamed.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, Self

import kaitai_gguf
from kaitai_gguf import Digests, GGUFError, GGUFFile
from kaitai_gguf.cli import canonical
from kaitai_gguf.cli.files import read_file

LARGEST = 1 << 28  # bytes: those of a million tensors


class Difference(NamedTuple):
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


def load(path: str) -> Manifest:
    """Return the manifest in a file. Raises `FileError` if it can't be read, `GGUFError` if it is not a manifest."""
    data = read_file(path, LARGEST, "a manifest", regular=True)
    try:
        document = json.loads(data)
        algorithm = document["algorithm"]
        if algorithm not in kaitai_gguf.HASHES:
            raise GGUFError(f"{path}: its hashes are {algorithm!r}, expected one of {', '.join(kaitai_gguf.HASHES)}")
        files = [{key: file[key] for key in ("name", "nbytes", "digest")} for file in document["files"]]
        keys = ("type", "dims", "nbytes", "digest")
        tensors = {
            canonical.parsed_text(tensor["name"]): {key: tensor[key] for key in keys} for tensor in document["tensors"]
        }
        manifest = Manifest(algorithm, files, tensors)
        if not all(isinstance(digest, str) for digest, _ in manifest.rows()):
            raise TypeError
    except GGUFError:
        raise
    except (ValueError, TypeError, KeyError, RecursionError):
        raise GGUFError(f"{path}: is not a manifest of hashes") from None
    return manifest


def compare(expected: Manifest, found: Manifest) -> list[Difference]:
    """Return what differs, tensors first. Only what the expected one has is compared."""
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
        return [*differences, Difference("file", canonical.parsed_text(found.files[0]["name"]), words)]
    words = "its bytes" if differences or not expected.tensors else "its bytes, of no tensor"
    return differences + [
        Difference("file", canonical.parsed_text(after["name"]), words)
        for before, after in zip(expected.files, found.files, strict=bool(expected.files))
        if before["digest"] != after["digest"]
    ]


def _words(expected: dict[str, Any], found: dict[str, Any] | None) -> str:
    if found is None:
        return "is missing"
    names = {"type": "its type", "dims": "its dims", "digest": "its bytes"}
    return ", ".join(words for key, words in names.items() if expected[key] != found[key])
