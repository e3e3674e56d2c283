"""The generated parsers of four languages print what `kaitai-gguf dump --json --full` prints."""

import json
from typing import Any

import numpy as np
import pytest
from support.gguf_bytes import CODES, Array, Model, TensorSpec
from toolchains import ROOT, Language

import kaitai_gguf
from kaitai_gguf.cli import canonical

EXTREMES = {
    "uint8": [0, 255], "int8": [-128, 127], "uint16": [0, 65535], "int16": [-32768, 32767],
    "uint32": [0, 2**32 - 1], "int32": [-(2**31), 2**31 - 1], "bool": [0, 1],
    "uint64": [0, 2**53 + 1, 2**64 - 1], "int64": [-(2**63), -(2**32), 2**63 - 1],
    "float32": [0.1, -0.0, float("nan"), float("inf"), float("-inf"), 1e-45],
    "float64": [0.1, -0.0, float("nan"), float("inf"), float("-inf"), 5e-324],
}  # fmt: skip


def made_models() -> dict[str, Model]:
    metadata: list[tuple[str | bytes, str, Any]] = [(f"x.{type}", type, EXTREMES[type][-1]) for type in CODES]
    metadata += [(f"x.array.{type}", "array", Array(type, EXTREMES[type])) for type in CODES]
    metadata += [(b"x.\xff", "string", b"\xff\xfe"), ("x.texts", "array", Array("string", ["", b"a\xff", "☃"]))]
    metadata += [("x.nested", "array", Array("array", [Array("array", [Array("int8", [1])]), Array("string", ["a"])]))]
    metadata += [("general.alignment", "uint32", 64)]
    tensors = [TensorSpec("scalar", (), 0, 0), TensorSpec("new", (3, 2), 77, 64), TensorSpec("gone", (32,), 4, 128)]
    tensors += [TensorSpec("empty", (0, 4), 12, 192), TensorSpec("q", (256, 2), 12, 256)]
    words = Array("string", [f"token-{i}" for i in range(30_000)])
    return {
        **{f"extremes-v{version}": Model(metadata, tensors, b"", version, alignment=64) for version in (1, 2, 3)},
        "extremes-big": Model(metadata, tensors, b"", 3, "big", 64),
        "vocabulary": Model([("tokenizer.ggml.tokens", "array", words)]),
        "empty": Model(),
    }


MODELS = {path.stem: path.read_bytes() for path in sorted((ROOT / "tests" / "data" / "models").glob("*.gguf"))}
MODELS |= {name: model.build() for name, model in made_models().items()}


def with_floats(row: Any) -> Any:
    """Return the document with all floats parsed, because languages format numbers differently."""
    if isinstance(row, list):
        return [with_floats(item) for item in row]
    if not isinstance(row, dict):
        return row
    for name, number in (("float32", np.float32), ("float64", np.float64)):
        if name in (row.get("type"), row.get("element_type")) and "value" in row:
            values = row["value"] if isinstance(row["value"], list) else [row["value"]]
            return row | {"value": [item if isinstance(item, str) else str(number(item)) for item in values]}
    return {key: with_floats(item) for key, item in row.items()}


@pytest.fixture(scope="module")
def printed(language: Language, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Return the documents that one process prints for all files."""
    paths = [tmp_path_factory.mktemp("corpus") / f"{name}.gguf" for name in MODELS]
    for path, data in zip(paths, MODELS.values(), strict=True):
        path.write_bytes(data)
    done = language.run(*paths)
    assert done.returncode == 0, done.stderr
    return dict(zip(MODELS, map(json.loads, done.stdout.splitlines()), strict=True))


@pytest.mark.parametrize("name", MODELS)
def test_every_language_prints_the_same(name: str, printed: dict[str, Any]) -> None:
    with kaitai_gguf.open(MODELS[name]) as model:
        expected = json.loads(json.dumps(canonical.document(model, full=True)))
    assert with_floats(printed[name]) == with_floats(expected)
