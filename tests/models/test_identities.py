"""`identities`: a model has the same identities in every version, byte order and split."""

import hashlib
import struct
from pathlib import Path

from support.gguf_bytes import Array, Model, TensorSpec

import kaitai_gguf
from kaitai_gguf.models.identities import identities

SAMPLE = Path(__file__).parents[2] / "examples" / "sample.gguf"

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


def test_of_several_files_those_of_the_first(tmp_path: Path) -> None:
    kaitai_gguf.split(SAMPLE, tmp_path / "m", max_nbytes=200_000)
    first = sorted(tmp_path.glob("*.gguf"))[0]
    with kaitai_gguf.open(first) as model, kaitai_gguf.open(first, shards=False) as alone:
        assert len(model.shards) > 1
        assert identities(model) == identities(alone)
