"""`kaitai-gguf info`: the facts, as text and as JSON."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from support.commands import cells, output, run, strict_json, terminal
from support.gguf_bytes import Array, Model, TensorSpec

import kaitai_gguf
from cli.conftest import SPLIT, Save
from kaitai_gguf.cli.commands.info import COLUMNS

F32, Q4_0, Q4_K, I8 = 0, 2, 12, 24


def rows(path: Path) -> dict[str, str]:
    """Return the lines of the output by name. A line without a name continues the previous one."""
    found: dict[str, str] = {}
    name = ""
    for line in cells(output("info", path)):
        first, words = line
        name = first or name
        found[name] = f"{found[name]}\n{words}" if name in found else words
    return found


def facts(path: Path) -> Any:
    return strict_json(output("info", path, "--json"))


def test_the_sample_in_words_and_in_python(sample: Path) -> None:
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
        "size": "452 KiB, 5.02 bits per weight",
        "file type": "Q8_0, but most weights are Q4_0",
        "feed forward length": "512",
        "head count": "8",
        "vocabulary": "264 tokens (llama)",
        "special tokens": 'bos 1 "<s>", eos 2 "</s>"',
        "chat template": "yes",
        "layout": "7.44 KiB header with 23 keys, then 445 KiB of tensor data from byte 7,648",
        "memory": "10.7 MiB to 14.5 MiB for a context of 4,096 tokens",
    }
    with kaitai_gguf.open(sample) as model:
        info = model.info()
    assert (info.name, info.file_type) == ("Sample", kaitai_gguf.FileType(7, "Q8_0", "Q4_0"))
    assert info.types["Q5_0"] == kaitai_gguf.TensorShare(1, 90112)
    assert info.special_tokens["bos"] == kaitai_gguf.SpecialToken(1, "<s>")


def test_headers_alone_and_data_that_is_missing(save: Save) -> None:
    empty = {"size": "24 B", "format": "GGUF v3, little-endian, alignment 32", "layout": "24 B header with 0 keys"}
    path = save(Model().header())
    assert rows(path) == {"file": str(path)} | empty
    model = Model([], [TensorSpec("t", (1024,), F32, 0)])
    for content, words in ((model.header(), "4.01 KiB"), (Model([], model.tensors, bytes(96)), "3.91 KiB")):
        path = save(content)
        found = facts(path)
        assert found["missing_nbytes"] == found["data_offset"] + 4096 - path.stat().st_size
        assert rows(path)["missing"] == f"the last {words} of the data"


def test_types_and_kinds_by_size(save: Save) -> None:
    types = [(I8, 32), (Q4_K, 512), (Q4_0, 32), (Q4_0, 32), (99, 1)]
    tensors = [TensorSpec(f"t{i}", (size,), type_id, 320 * i) for i, (type_id, size) in enumerate(types)]
    path = save(Model([], tensors, bytes(1600)))
    found = facts(path)
    assert [(row["type"], row["tensors"], row["nbytes"]) for row in found["types"]] == [
        ("Q4_K", 1, 288), ("Q4_0", 2, 36), ("I8", 1, 32), ("type 99", 1, 0),
    ]  # fmt: skip
    assert (found["tensors"], found["parameters"], found["data_nbytes"]) == (5, 32 + 512 + 64 + 1, 1600 - 320)
    assert found["bits_per_weight"] is None
    assert "bits" not in rows(path)["size"]
    assert found["kinds"] == [{"kind": "other", "tensors": 5, "nbytes": 356}]
    assert "kinds" not in rows(path)


def test_values_of_unexpected_types(save: Save) -> None:
    keys = ["general.name", "llama.context_length", "tokenizer.ggml.model", "tokenizer.ggml.tokens", "split.count"]
    strings = Array("string", ["x"])
    values = {"string": "text", "uint64": 2**64 - 1, "float32": float("nan"), "bool": 1, "array": strings}
    for type, value in values.items():
        path = save(model_of(*((key, type, value) for key in [*keys, "split.no"])))
        assert rows(path)
        assert facts(path)
    assert facts(path)["general"]["name"] is None  # arrays of strings are not shown
    assert facts(save(Model([("general.architecture", "float64", float("-inf"))])))["architecture"] == "-Infinity"


# The facts about a model


def model_of(*rows: tuple[str, str, Any], tensors: Sequence[TensorSpec] = (), architecture: str = "llama") -> Model:
    metadata = [("general.architecture", "string", architecture), *rows]
    return Model(metadata, list(tensors), bytes(4096 if tensors else 0))


def test_the_facts_of_a_large_model(save: Save) -> None:
    model = model_of(
        ("llama.attention.head_count", "uint32", 32),
        ("llama.attention.head_count_kv", "uint32", 8),
        ("llama.attention.sliding_window", "uint32", 4096),
        ("llama.rope.freq_base", "float32", 500000.0),
        ("llama.rope.scaling.type", "string", "yarn"),
        ("llama.rope.scaling.factor", "float32", 8.0),
        ("llama.rope.scaling.original_context_length", "uint32", 8192),
        ("llama.expert_count", "uint32", 8),
        ("llama.expert_used_count", "uint32", 2),
        ("tokenizer.ggml.model", "string", "gpt2"),
        ("tokenizer.ggml.pre", "string", "llama-bpe"),
        ("tokenizer.ggml.tokens", "array", Array("string", [b"\xff", "<s>", "</s>"])),
        ("tokenizer.ggml.bos_token_id", "uint32", 1),
        ("tokenizer.ggml.eos_token_id", "uint32", 2),
        ("tokenizer.ggml.fim_pre_token_id", "uint32", 3),
        ("tokenizer.ggml.fim_suf_token_id", "uint32", 0),
        ("tokenizer.chat_template", "string", "{{ messages }}"),
        ("tokenizer.chat_template.tool_use", "string", "{{ tools }}"),
    )
    path = save(model)
    shown = rows(path)
    assert {key: shown[key] for key in list(shown)[4:-1]} == {
        "head count": "32, 8 for keys and values (GQA ratio 4)",
        "sliding window": "4096",
        "experts": "8, 2 used",
        "rope": "base 500000, yarn scaling by 8 from a context of 8192",
        "vocabulary": "3 tokens (gpt2, llama-bpe)",
        "special tokens": 'bos 1 "<s>", eos 2 "</s>", fim pre 3, fim suf 0',
        "chat template": "yes, tool_use",
    }
    found = facts(path)
    assert found["gqa_ratio"] == 4
    assert found["special_tokens"] == {
        "bos": {"id": 1, "text": "<s>"},
        "eos": {"id": 2, "text": "</s>"},
        "fim_pre": {"id": 3, "text": None},
        "fim_suf": {"id": 0, "text": {"base64": "/w=="}},
    }
    assert found["chat_templates"] == ["default", "tool_use"]
    assert found["hyperparameters"]["rope.scaling.factor"] == 8
    assert found["tokenizer_pre"] == "llama-bpe"


@pytest.mark.parametrize(
    ("heads", "kv_heads", "words", "ratio"),
    [
        (32, [8, 0, 4], "32, 0 to 8 by layer for keys and values (GQA ratio 4 to 8 by layer)", [4, None, 8]),
        ([32, 16], [8, 8], "16 to 32 by layer, 8 for keys and values (GQA ratio 2 to 4 by layer)", [4, 2]),
        ([32, 16], [8], "16 to 32 by layer, 8 for keys and values", None),
        (32, [], "32", []),
        (6, 4, "6, 4 for keys and values (GQA ratio 1.5)", 1.5),
        (8, 8, "8", 1),
        (0, 0, "0, 0 for keys and values", None),
    ],
)
def test_heads_by_layer(heads: Any, kv_heads: Any, words: str, ratio: Any, save: Save) -> None:
    def row(key: str, value: Any) -> tuple[str, str, Any]:
        is_array = isinstance(value, list)
        return f"llama.attention.{key}", "array" if is_array else "uint32", Array("int32", value) if is_array else value

    path = save(model_of(row("head_count", heads), row("head_count_kv", kv_heads)))
    assert rows(path)["head count"] == words
    found = facts(path)
    assert found["gqa_ratio"] == ratio
    assert found["hyperparameters"]["attention.head_count_kv"] == kv_heads


MATRIX = [TensorSpec("token_embd.weight", (256, 2), Q4_K, 0), TensorSpec("output_norm.weight", (256,), F32, 288)]


def test_the_file_type(save: Save) -> None:
    for number, words, other in (
        (15, "Q4_K_M", None),
        (7, "Q8_0, but most weights are Q4_K", "Q4_K"),
        (33, "Q4_0_4_4", None),
        (999, "unknown (999)", None),
    ):
        path = save(model_of(("general.file_type", "uint32", number), tensors=MATRIX))
        assert rows(path)["file type"] == words
        assert facts(path)["file_type"]["contradicted_by"] == other


@pytest.mark.parametrize(("count", "is_shard"), [(1, False), (2, True)])
def test_a_shard_alone(count: int, is_shard: bool, save: Save) -> None:
    """It does not contradict the file type. The other shards are not looked for if the name is not that of a shard."""
    split = [("split.no", "uint16", 0), ("split.count", "uint16", count), ("general.file_type", "uint32", 7)]
    path = save(model_of(*split, tensors=MATRIX))
    found = facts(path)
    assert (found["file_type"]["contradicted_by"] is None) is is_shard
    assert (found["shard"], found["shard_count"], found["files"]) == ((0, 2, 1) if is_shard else (None, None, 1))
    assert rows(path).get("shard") == ("1 of 2" if is_shard else None)


def test_encoders(save: Save) -> None:
    model = model_of(
        ("general.type", "string", "mmproj"),
        ("clip.has_vision_encoder", "bool", 1),
        ("clip.projector_type", "string", "mlp"),
        ("clip.vision.block_count", "uint32", 24),
        ("clip.vision.image_size", "uint32", 336),
        ("clip.vision.patch_size", "uint32", 14),
        ("clip.audio.num_mel_bins", "uint32", 128),
        ("clip.audio.projector_type", "string", "ultravox"),
        architecture="clip",
    )
    path = save(model)
    assert rows(path)["type"] == "mmproj"
    assert rows(path)["vision"] == "24 blocks, images of 336 pixels, patches of 14, projector mlp"
    assert rows(path)["audio"] == "128 mel bins, projector ultravox"
    assert facts(path)["encoders"]["vision"]["block_count"] == 24
    assert rows(save(model_of(("llama.vision.block_count", "uint32", 8))))["vision"] == "8 blocks"
    assert rows(save(model_of(("clip.has_audio_encoder", "bool", 1))))["audio"] == "yes"
    assert rows(save(model_of(tensors=[TensorSpec("a.blk.0.attn_q.weight", (8,), F32, 0)])))["audio"] == "yes"
    assert facts(save(model_of()))["encoders"] == {}


# Several files


def test_several_files_are_a_table(sample: Path, save: Save, tmp_path: Path) -> None:
    other, missing = save(model_of(("llama.context_length", "uint32", 8192))), tmp_path / "missing.gguf"
    table = [
        [str(sample), "llama", "Q8_0 (mostly Q4_0)", "725760", "5.02", str(sample.stat().st_size), "512", "1"],
        [str(other), "llama", "", "0", "", str(other.stat().st_size), "8192", "1"],
    ]
    assert cells(output("info", sample, other)) == table
    both = [{"file": str(path)} | facts(path) for path in (sample, other)]
    assert strict_json(output("info", sample, other, "--json")) == both
    result = run("info", missing, sample, other)
    assert (result.exit_code, result.stderr) == (2, f"kaitai-gguf: {missing}: no such file\n")
    assert cells(result.stdout) == table
    error = {"file": str(missing), "error": "no such file"}
    assert strict_json(run("info", missing, sample, other, "--json").stdout) == [error, *both]


def test_a_narrow_terminal_drops_columns(sample: Path) -> None:
    status, seen = terminal("info", sample, SPLIT[0], columns=80)
    header, *rows = (re.sub("\x1b[^m]*m", "", line) for line in seen.splitlines())
    assert (status, len(rows)) == (0, 2)
    assert max(map(len, rows)) <= 80
    assert header.split()[0] == "file"
    assert {"parameters", "file_nbytes"} <= set(header.split()) < set(COLUMNS)
