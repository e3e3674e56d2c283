"""`kaitai-gguf info`: the facts, as words and as JSON."""

from pathlib import Path
from typing import Any

import pytest
from support.commands import cells, output, strict_json
from support.gguf_bytes import Array, Model, TensorSpec

from cli.conftest import ROOT, Save

MODELS = ROOT / "tests" / "data" / "models"
F32, Q4_0, Q4_K, I8 = 0, 2, 12, 24


def rows(path: Path) -> dict[str, str]:
    """The lines by their names; lines without one go on with the one before."""
    found: dict[str, str] = {}
    name = ""
    for line in cells(output("info", path)):
        first, words = line
        name = first or name
        found[name] = f"{found[name]}\n{words}" if name in found else words
    return found


def facts(path: Path) -> Any:
    return strict_json(output("info", path, "--json"))


def test_the_sample_in_words(sample: Path) -> None:
    found = rows(sample)
    assert found.pop("file") == str(sample)
    assert found.pop("quantization").splitlines()[:2] == [
        " 24.5% Q4_0 (109 KiB in 2 tensors)",
        " 19.8% Q5_0 (88 KiB in 1 tensor)",
    ]
    assert found.pop("kinds").splitlines() == [
        " 51.3% feed-forward (228 KiB in 3 tensors)",
        " 38.8% attention (172 KiB in 4 tensors)",
        "  8.3% embedding (37.1 KiB in 1 tensor)",
        "  0.9% output (4 KiB in 1 tensor)",
        "  0.7% norm (3 KiB in 3 tensors)",
    ]
    assert found == {
        "format": "GGUF v3, little-endian, alignment 32",
        "architecture": "llama",
        "name": "Sample",
        "size label": "1M",
        "license": "cc0-1.0",
        "parameters": "726 K in 12 tensors",
        "context length": "512",
        "embedding length": "256",
        "block count": "1",
        "head count": "8",
        "vocabulary": "264 tokens (llama)",
        "layout": "7.44 KiB header with 23 keys, then 445 KiB of tensor data from byte 7,648",
    }


def test_the_sample_as_json(sample: Path) -> None:
    found = facts(sample)
    assert found["general"]["name"] == "Sample"
    assert found["general"]["finetune"] is None
    assert found["hyperparameters"]["embedding_length"] == 256
    assert found["hyperparameters"]["expert_count"] is None
    assert (found["vocabulary"], found["parameters"], found["tensors"]) == (264, 725760, 12)
    assert found["types"][0] == {"type": "Q4_0", "tensors": 2, "nbytes": 111744}
    assert found["file_nbytes"] == sample.stat().st_size == found["data_offset"] + found["data_nbytes"]


WHOLE = [path for path in sorted(MODELS.glob("*.gguf")) if "-of-" not in path.stem]


@pytest.mark.parametrize("path", WHOLE, ids=lambda path: path.stem)
def test_facts_agree_with_a_dump(path: Path) -> None:
    found, document = facts(path), strict_json(output("dump", path))
    for fact in ("version", "byte_order", "alignment", "data_offset"):
        assert found[fact] == document[fact]
    assert found["metadata_keys"] == len(document["metadata"])
    assert found["tensors"] == len(document["tensors"]) == sum(row["tensors"] for row in found["types"])
    assert sum(row["nbytes"] for row in found["types"]) == sum(row["nbytes"] for row in document["tensors"])
    assert found["data_nbytes"] == max(row["offset"] + row["nbytes"] for row in document["tensors"])
    assert found["missing_nbytes"] == 0
    assert found["file_nbytes"] == path.stat().st_size


def test_a_file_of_nothing(save: Save) -> None:
    path = save(Model().header())
    assert rows(path) == {
        "file": str(path),
        "format": "GGUF v3, little-endian, alignment 32",
        "layout": "24 B header with 0 keys",
    }


def test_a_shard_counts_from_1(save: Save) -> None:
    """Under a name that isn't that of a shard, it is not looked for others."""
    path = save((MODELS / "split5-00002-of-00003.gguf").read_bytes())
    assert rows(path)["shard"] == "2 of 3"
    assert (facts(path)["shard"], facts(path)["shard_count"], facts(path)["files"]) == (1, 3, 1)


def test_data_that_is_missing(save: Save) -> None:
    tensors = [TensorSpec("t", (1024,), F32, 0)]
    path = save(Model([], tensors, bytes(96)))
    assert rows(path)["missing"] == "the last 3.91 KiB of the data"
    assert facts(path)["missing_nbytes"] == 4000


def test_a_header_alone_misses_all_of_the_data(save: Save) -> None:
    model = Model([], [TensorSpec("t", (1024,), F32, 0)])
    found = facts(save(model.header()))
    assert found["missing_nbytes"] == 4096 + found["data_offset"] - found["header_nbytes"]


@pytest.mark.parametrize("tensors", [[], [TensorSpec("t", (0,), F32, 0)]], ids=["none", "empty"])
def test_where_there_is_no_data_none_is_missing(tensors: list[TensorSpec], save: Save) -> None:
    path = save(Model([], tensors).header())
    assert "missing" not in rows(path)
    assert facts(path)["missing_nbytes"] == 0


def test_types_come_by_their_size(save: Save) -> None:
    tensors = [
        TensorSpec("a", (32,), I8, 0),
        TensorSpec("b", (512,), Q4_K, 32),
        TensorSpec("c", (32,), Q4_0, 320),
        TensorSpec("d", (32,), Q4_0, 352),
    ]
    found = facts(save(Model([], tensors, bytes(384))))
    assert [(row["type"], row["tensors"], row["nbytes"]) for row in found["types"]] == [
        ("Q4_K", 1, 288),
        ("Q4_0", 2, 36),
        ("I8", 1, 32),
    ]
    assert found["parameters"] == 32 + 512 + 64


def test_kinds_without_a_known_name_are_for_programs_alone(save: Save) -> None:
    path = save(Model([], [TensorSpec("a", (32,), I8, 0), TensorSpec("b", (32,), I8, 32)], bytes(64)))
    assert facts(path)["kinds"] == [{"kind": "other", "tensors": 2, "nbytes": 64}]
    assert "kinds" not in rows(path)


def test_types_that_are_not_known_are_named(save: Save) -> None:
    path = save(Model([], [TensorSpec("a", (32,), 99, 0), TensorSpec("b", (32,), 31, 32)], bytes(64)))
    assert [row["type"] for row in facts(path)["types"]] == ["type 99", "Q4_0_4_4"]
    assert "type 99" in rows(path)["quantization"]


@pytest.mark.parametrize(("count", "words"), [(0, "0 tokens"), (262_144, "262,144 tokens")], ids=["none", "many"])
def test_the_vocabulary_is_counted(count: int, words: str, save: Save) -> None:
    path = save(Model([("tokenizer.ggml.tokens", "array", Array("uint8", [1] * count))]))
    assert rows(path)["vocabulary"] == words


def test_more_parameters_than_64_bits_hold(save: Save) -> None:
    tensors = [TensorSpec(f"t{i}", (2**62,), 99, 32 * i) for i in range(8)]
    path = save(Model([], tensors))
    assert facts(path)["parameters"] == 2**65
    assert rows(path)["parameters"] == "36,893,488 T in 8 tensors"


KEYS = [
    "general.architecture",
    "general.name",
    "general.license",
    "llama.context_length",
    "tokenizer.ggml.model",
    "tokenizer.ggml.tokens",
    "split.no",
    "split.count",
]
VALUES: dict[str, Any] = {
    "string": "text",
    "uint64": 2**64 - 1,
    "int8": -1,
    "float32": float("nan"),
    "float64": float("-inf"),
    "bool": 1,
    "array": Array("string", ["x"]),
}


@pytest.mark.parametrize("key", KEYS)
def test_a_value_of_any_type_is_taken(key: str, save: Save) -> None:
    metadata = [("general.architecture", "string", "llama")] if key != "general.architecture" else []
    for type, value in VALUES.items():
        path = save(Model([*metadata, (key, type, value)]))
        assert rows(path)
        assert facts(path)


def test_arrays_are_not_shown(save: Save) -> None:
    assert facts(save(Model([("general.name", "array", Array("string", ["x"]))])))["general"]["name"] is None
