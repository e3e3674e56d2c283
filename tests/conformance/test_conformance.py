"""The generated parsers of four languages print what `kaitai-gguf dump --json --full` prints.

They refuse the same files: with an ordinary error of the language, and in little memory.
"""

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from attacks.corpus import CASES
from support import eager
from support.gguf_bytes import ARRAY, CODES, STRING, UINT64, V3, Array, Model, TensorSpec
from toolchains import ROOT, Language

import kaitai_gguf
from kaitai_gguf.cli import canonical

pytestmark = pytest.mark.xdist_group("conformance")
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
MODELS |= {"no-bytes": CASES["found/nothing-times-2-to-the-61"].data, "order": CASES["opened/order-big-endian"].data}


def with_floats(row: Any) -> Any:
    """Return the document with all floats parsed, because languages format numbers differently."""
    if isinstance(row, list):
        return [with_floats(item) for item in row]
    if not isinstance(row, dict):
        return row
    kind = {row.get("type"), row.get("element_type")} & {"float32", "float64"}
    if kind and "value" in row:
        number = getattr(np, kind.pop())
        values = row["value"] if isinstance(row["value"], list) else [row["value"]]
        return row | {"value": [item if isinstance(item, str) else str(number(item)) for item in values]}
    return {key: with_floats(item) for key, item in row.items()}


@pytest.fixture(scope="module")
def printed(language: Language, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Return the documents that one process prints for all files."""
    done = language.run(MODELS, tmp_path_factory.mktemp("corpus"))
    assert done.returncode == 0, done.stderr
    return dict(zip(MODELS, map(json.loads, done.stdout.splitlines()), strict=True))


@pytest.mark.parametrize("name", MODELS)
def test_every_language_prints_the_same(name: str, printed: dict[str, Any]) -> None:
    with kaitai_gguf.open(MODELS[name]) as model:
        expected = json.loads(json.dumps(canonical.document(model, full=True)))
    assert with_floats(printed[name]) == with_floats(expected)


# Files that are refused

LIMIT = 2**30  # of the schema
ENDED = {  # files of a few bytes, whose numbers the schema allows
    "tensors": V3.header(num_tensors=LIMIT),
    "key-values": V3.header(num_metadata=LIMIT),
    "text": V3.header([V3.key_value(STRING, V3.string(b"v", LIMIT))]),
    "array-past-32-bits": V3.header([V3.key_value(ARRAY, V3.array(UINT64, LIMIT // 2))]),
    "array-of-strings": V3.header([V3.key_value(ARRAY, V3.array(STRING, LIMIT, V3.string(b"v")))]),
    "array-of-arrays": V3.header([V3.key_value(ARRAY, V3.array(ARRAY, LIMIT, V3.array(STRING, 0)))]),
}
END_OF_FILE = {"python": "requested", "javascript": "requested", "go": "EOF", "java": "BufferUnderflowException"}
LEFT_OUT = (
    "refused/nested-1",  # only this project's own code has a limit on nesting
    "refused/array-wraps-32-bits", "refused/array-in-array-longer",  # Go allocates 4 GB for each before it reads
)  # fmt: skip


def is_refused(data: bytes) -> bool:
    try:
        eager.parse(data)
    except eager.Refused:
        return True
    return False


def test_attacks(language: Language, tmp_path: Path) -> None:
    cases = {name.replace("/", "-"): case.data for name, case in CASES.items() if not name.startswith(LEFT_OUT)}
    refused = ENDED | {name: data for name, data in cases.items() if is_refused(data)}
    assert len(refused) > 150
    done = language.run(refused, tmp_path)
    assert (done.returncode, done.stdout) == (1, ""), done.stderr
    errors = dict(re.findall(rf"^{re.escape(str(tmp_path))}/([^:]+): (.+)$", done.stderr, re.MULTILINE))
    assert errors.keys() == refused.keys()
    assert [name for name in ENDED if END_OF_FILE[language.name] not in errors[name]] == []
