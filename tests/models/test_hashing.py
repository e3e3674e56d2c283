"""Hashes of tensors and files, and `identities`: the same in every version, byte order and split of a model."""

import hashlib
import json
import struct
import sys
from pathlib import Path

import pytest
import xxhash
from support.gguf_bytes import Array, Model, TensorSpec

import kaitai_gguf
from kaitai_gguf import MissingDataError, MissingPackageError, UnknownTypeError, digest
from kaitai_gguf.models.identities import identities

MODELS = Path(__file__).parents[1] / "data" / "models"
SPLIT = sorted(MODELS.glob("split5-*.gguf"))


@pytest.mark.parametrize("path", [path for path in MODELS.glob("*.gguf") if path not in SPLIT], ids=lambda p: p.stem)
def test_sha256_is_what_the_writer_recorded(path: Path) -> None:
    expected = json.loads(path.with_suffix(".expected.json").read_text())
    result = digest(path)
    assert list(result.tensors.items()) == [(row["name"], row["sha256"]) for row in expected["tensors"]]
    assert result.files == (hashlib.sha256(path.read_bytes()).hexdigest(),)


@pytest.mark.parametrize("threads", [None, 1, 5])
def test_xxh3_has_64_bits_whatever_the_number_of_threads(threads: int | None) -> None:
    with kaitai_gguf.open(MODELS / "many-tensors.gguf") as model:
        told: list[int] = []
        result = digest(model, "xxh3", threads=threads, progress=told.append)
        assert result.files == (xxhash.xxh3_64_hexdigest(model.buffer),)
        tensors = model.tensors.items()
        assert list(result.tensors.items()) == [(name, xxhash.xxh3_64_hexdigest(each.data)) for name, each in tensors]
        assert sum(told) == model.nbytes + sum(tensor.nbytes or 0 for _, tensor in tensors)


def test_each_shard_has_a_hash_and_the_first_the_identities() -> None:
    result = digest(SPLIT[2])
    assert result.files == tuple(hashlib.sha256(path.read_bytes()).hexdigest() for path in SPLIT)
    assert result.tensors == digest(MODELS / "split-source.gguf").tensors
    with kaitai_gguf.open(SPLIT[0]) as model, kaitai_gguf.open(SPLIT[0], shards=False) as first:
        assert identities(model) == identities(first)


def test_data_that_is_not_available() -> None:
    for type_id, error in ((77, UnknownTypeError), (0, MissingDataError)):
        model = kaitai_gguf.open(Model(tensors=[TensorSpec("it", (32,), type_id, 0)]).build())
        with pytest.raises(error, match="tensor 'it'"):
            digest(model)
        assert digest(model, tensors=False).tensors == {}


def test_algorithms_that_are_not_available(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "xxhash", None)
    with pytest.raises(MissingPackageError, match=r"pip install .kaitai-gguf\[hash\]."):
        digest(MODELS / "v1.gguf", "xxh3")
    with pytest.raises(ValueError, match="algorithm must be one of sha256, xxh3, not 'md5'"):
        digest(MODELS / "v1.gguf", "md5")
    assert digest(MODELS / "v1.gguf").algorithm == "sha256"


# Identities

METADATA = [
    ("general.name", "string", "x"),
    ("tokenizer.chat_template", "string", "{{ messages }}"),
    ("tokenizer.chat_template.tools", "string", "{{ tools }}"),
    ("tokenizer.ggml.model", "string", "gpt2"),
    ("a", "array", Array("array", [Array("float32", [1.5]), Array("string", ["ö"])])),
]
TENSORS = [TensorSpec("b", (4, 2), 0, 0), TensorSpec("a", (4,), 0, 32)]


def of(model: Model) -> tuple[str | None, ...]:
    result = identities(kaitai_gguf.open(model.build()))
    return result.metadata, result.tokenizer, result.chat_template, result.tensors


def test_neither_form_nor_order_matters() -> None:
    expected = of(Model(METADATA, TENSORS, bytes(64)))
    for form in ({"version": 1}, {"version": 2}, {"byte_order": "big"}):
        assert of(Model(METADATA, TENSORS, bytes(64), **form)) == expected  # type: ignore[arg-type]
    swapped = [TensorSpec("a", (4,), 0, 0), TensorSpec("b", (4, 2), 0, 32)]
    assert of(Model(METADATA[::-1], swapped, bytes(64))) == expected


def test_what_is_hashed() -> None:
    def string(text: str) -> bytes:
        return struct.pack("<Q", len(text)) + text.encode()

    def sha256(*parts: bytes) -> str:
        return hashlib.sha256(b"".join(parts)).hexdigest()

    key_values = [
        ("k", "uint32", 7),
        ("tokenizer.ggml.model", "string", "gpt2"),
        ("tokenizer.chat_template", "string", "t"),
    ]
    number = string("k") + struct.pack("<II", 4, 7)
    template = string("tokenizer.chat_template") + struct.pack("<I", 8) + string("t")
    tokenizer = string("tokenizer.ggml.model") + struct.pack("<I", 8) + string("gpt2")
    tensors = [string("a") + struct.pack("<IQI", 1, 4, 0), string("b") + struct.pack("<IQQI", 2, 4, 2, 0)]
    assert of(Model(key_values, TENSORS, bytes(64))) == (
        sha256(number, template, tokenizer),
        sha256(tokenizer),
        sha256(b"t"),
        sha256(*tensors),
    )


def test_names_are_ordered_by_their_bytes() -> None:
    names: list[bytes] = ["\uffff".encode(), "\U00010000".encode(), b"\xff", b"a"]
    tensors = [TensorSpec(name, (1,), 0, 32 * place) for place, name in enumerate(names)]
    infos = [struct.pack("<Q", len(name)) + name + struct.pack("<IQI", 1, 1, 0) for name in sorted(names)]
    assert of(Model(tensors=tensors, data=bytes(128)))[3] == hashlib.sha256(b"".join(infos)).hexdigest()


def test_what_a_file_does_not_have() -> None:
    result = identities(kaitai_gguf.open(Model([("tokenizer.chat_template", "uint8", 1)]).build()))
    assert (result.tokenizer, result.chat_template) == (None, None)
    assert result.tensors == hashlib.sha256(b"").hexdigest()
