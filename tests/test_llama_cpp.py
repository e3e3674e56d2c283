"""What llama.cpp knows: llama.cpp's own sources, gguf-py and models of all architectures check it."""

import os
import tarfile
from contextlib import suppress
from pathlib import Path

import gguf
import llama_cpp_facts
import pytest
from gguf.constants import LlamaFileType, PoolingType, RopeScalingType

import kaitai_gguf
from kaitai_gguf import GGMLType, ValueType, standard_key
from kaitai_gguf.llama_cpp import facts, file_type_name, file_types, standard_keys
from kaitai_gguf.types import KeyType

STRING, ARRAY, INT32, UINT32 = ValueType.STRING, ValueType.ARRAY, ValueType.INT32, ValueType.UINT32
FLOAT32 = ValueType.FLOAT32
HEADERS = Path(__file__).parent / "data" / "llama-cpp-headers.tar.xz"


def types_of(key: str) -> tuple[KeyType, ...]:
    known = standard_key(key)
    return () if known is None else known.types


@pytest.mark.parametrize(
    ("key", "first", "others"),
    [
        ("general.architecture", KeyType(STRING), []),
        ("general.tags", KeyType(ARRAY, STRING), []),
        ("general.base_model.12.name", KeyType(STRING), []),
        ("general.dataset.0.repo_url", KeyType(STRING), []),
        ("tokenizer.chat_template.tool_use", KeyType(STRING), []),
        ("tokenizer.ggml.scores", KeyType(ARRAY, FLOAT32), [KeyType(ARRAY, INT32)]),
        ("split.no", KeyType(ValueType.UINT16), []),
        ("llama.block_count", KeyType(UINT32), []),
        ("any.name.block_count", KeyType(UINT32), []),
        ("llama.rope.freq_base", KeyType(FLOAT32), []),
        # Types that llama.cpp loads as well.
        ("llama.expert_feed_forward_length", None, [KeyType(ARRAY, UINT32)]),
        ("llama.decoder_start_token_id", None, [KeyType(INT32)]),
        ("llama.rope.dimension_sections", None, [KeyType(INT32)]),
        ("llama.swiglu_clamp_exp", None, [KeyType(FLOAT32)]),
        ("xielu.beta", None, [KeyType(FLOAT32)]),
    ],
)
def test_the_type_to_write_and_others(key: str, first: KeyType | None, others: list[KeyType]) -> None:
    types = types_of(key)
    assert types[0] == (first or types[0])
    assert set(others) <= set(types)


def test_other_keys() -> None:
    keys = ["", "x", ".", "general", "block_count", ".block_count", "[arch].block_count", "general.block_count"]
    templates = ["general.base_model.a.name", "general.base_model.{id}.name", "tokenizer.chat_template."]
    for key in (*keys, *templates, "." * 100_000, "a" + ".block_count" * 1000):
        assert standard_key(key) is None, key[:40]
    with pytest.raises(TypeError, match="must be a str"):
        standard_key(1)  # type: ignore[arg-type]


def test_a_key_is_described() -> None:
    known = standard_key("mamba.ssm.conv_kernel")
    assert known is not None
    assert (known.key, known.values) == ("[arch].ssm.conv_kernel", ())
    assert known.source.startswith("llama.cpp/")
    assert "convolution" in known.description
    assert {"mamba", "jamba"} <= known.architectures < facts()["architectures"].keys()
    common, general = standard_key("x.block_count"), standard_key("general.type")
    assert common is not None
    assert general is not None
    assert len(common.architectures) > 140
    assert (general.architectures, general.values[:2]) == (frozenset(), ("model", "adapter"))
    assert [str(each) for each in types_of("llama.attention.head_count")] == [
        *("uint32", "uint64", "array of int32", "array of uint32", "array of uint64")
    ]


def test_all_keys_have_types_and_a_description() -> None:
    keys = [*standard_keys("llama"), "general.dataset.0.name"]
    assert len(keys) > 350
    for key in keys:
        known = standard_key(key)
        assert known is not None, key
        assert known.types, key
        assert known.description, key


def test_what_gguf_py_writes(tmp_path: Path) -> None:
    """The types that gguf-py's `add_*` methods write, for all methods that take a number, a text or a list of texts."""
    writer = gguf.GGUFWriter(tmp_path / "model.gguf", "llama")
    for name in dir(writer):
        if name.startswith("add_") and not name.startswith(("add_key", "add_tensor")):
            for value in (1, "a", ["a"]):
                with suppress(Exception):  # other types, or more arguments
                    getattr(writer, name)(value)
                    break
    types = {key: ValueType(value.type) for key, value in writer.kv_data[0].items()}
    allowed = {key: [each.value_type for each in types_of(key)] for key in types}
    assert sum(map(bool, allowed.values())) > 150
    assert {key for key, type in types.items() if allowed[key] and type not in allowed[key]} == set()


def test_file_types_are_those_of_gguf_py() -> None:
    known = {each.value: each.name for each in LlamaFileType if each is not LlamaFileType.GUESSED}
    current = {number: name for number, (name, type) in file_types().items() if type is not None}
    assert known.items() <= current.items()
    assert {type for _, type in file_types().values()} <= {*GGMLType.__members__, None}


@pytest.mark.parametrize(
    ("number", "name"), [(15, "Q4_K_M"), (0, "F32"), (1, "F16"), (38, "MXFP4_MOE"), (33, "Q4_0_4_4"), (1000, None)]
)
def test_names_of_file_types(number: int, name: str | None) -> None:
    assert file_type_name(number) == name


def test_values_are_those_of_gguf_py() -> None:
    types = {value for name, value in vars(gguf.GGUFType).items() if name.isupper()}
    for key, values in {
        "llama.rope.scaling.type": {each.value for each in RopeScalingType},
        "llama.pooling_type": {each.value for each in PoolingType},
        "general.type": types,
        "general.name": set(),
    }.items():
        known = standard_key(key)
        assert known is not None
        assert set(known.values) == values


def test_models_of_all_architectures() -> None:
    """The headers are those of all models that llama.cpp's own test of architectures saves and loads again."""
    count = 0
    with tarfile.open(HEADERS) as archive:
        for header in filter(None, map(archive.extractfile, archive)):
            model = kaitai_gguf.open(header.read())
            assert [name for name in model.tensors if not kaitai_gguf.tensor_role(name).is_known] == []
            assert [key for key in model.metadata if standard_key(key) is None] == []
            count += 1
    assert count == 128


SDIST = os.environ.get("LLAMA_CPP_SOURCES")  # an unpacked sdist of llama-cpp-python


@pytest.mark.skipif(SDIST is None, reason="LLAMA_CPP_SOURCES does not name an unpacked sdist")
def test_the_file_is_that_of_the_sources() -> None:
    assert llama_cpp_facts.as_text(llama_cpp_facts.facts(Path(SDIST or ""))) == llama_cpp_facts.FACTS.read_text("utf-8")
