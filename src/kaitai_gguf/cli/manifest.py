"""Manifests: the hashes of a model as JSON, and comparison of two manifests.

    {"algorithm": "sha256",
     "files": [{"name": "model.gguf", "nbytes": 21248, "digest": "…"}],
     "tensors": [{"name": "output.weight", "type": "Q6_K", "dims": [256, 8], "nbytes": 1680, "digest": "…"}]}

Names that are not UTF-8 are encoded as in all JSON of the commands. Files are compared by position, not by name, so a
file may be renamed.
"""

import errno
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, Self

import kaitai_gguf
from kaitai_gguf import Digests, FileError, GGUFFile
from kaitai_gguf.cli import canonical
from kaitai_gguf.cli.files import read_file

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


def load(path: str) -> Manifest:
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


def compare(expected: Manifest, actual: Manifest) -> list[Difference]:
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
