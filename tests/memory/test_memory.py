"""`memory`: its result, and arguments and files that it refuses."""

import re
from typing import Any

import pytest
from memory.headers import headers
from support.commands import run
from support.gguf_bytes import Model, TensorSpec

import kaitai_gguf
from kaitai_gguf import memory

LLAMA: dict[str, Any] = {
    "general.architecture": "llama",
    "llama.context_length": 1000,
    "llama.embedding_length": 64,
    "llama.block_count": 2,
    "llama.feed_forward_length": 128,
    "llama.attention.head_count": 4,
    "llama.attention.layer_norm_rms_epsilon": 1e-5,
}
F32 = 0


def built(tensors: bool = True, **rows: Any) -> bytes:
    """Return the header of a model; a row of None is left out."""
    names = {key.replace("_ARCH_", "llama."): value for key, value in rows.items()}
    types = {bool: "bool", int: "uint32", float: "float32", str: "string"}
    keys = [(key, types[type(value)], value) for key, value in (LLAMA | names).items() if value is not None]
    specs = [
        TensorSpec("token_embd.weight", (64, 100), F32, 0),
        TensorSpec("blk.1.attn_q.weight", (64, 64), F32, 64 * 100 * 4),
    ]
    return Model(keys, specs if tensors else []).build()


def test_the_parts_of_a_model() -> None:
    result = memory(headers()["real/mistral-Q8_0.gguf"], ctx_size=5000)
    assert result.ctx_size == 5120  # a multiple of 256
    assert result.context == 32 * 5120 * 2 * 8 * 128 * 2 == sum(layer.context or 0 for layer in result.layers)
    assert result.context_range == (result.context, result.context)
    assert 0.9 * result.weights < sum(layer.weights for layer in result.layers) < result.weights
    assert result.total[0] == result.weights + result.context + result.compute[0]
    assert result.total[1] - result.total[0] == result.compute[1] - result.compute[0]
    assert re.fullmatch(
        r"<Memory of llama for 5,120 tokens>\n"
        r"  weights +[\d.]+ GiB   [\d,]+ bytes\n"
        r"  context +640 MiB   671,088,640 bytes\n"
        r"  compute +[\d.]+ MiB to [\d.]+ MiB   [\d,]+ to [\d,]+ bytes\n"
        r"  total +[\d.]+ GiB(?: to [\d.]+ GiB)?   [\d,]+ to [\d,]+ bytes",
        repr(result),
    )


def test_the_context_is_the_trained_one_by_default() -> None:
    assert memory(built()).ctx_size == 1024
    sentences = " ".join(memory(built(), ctx_size=2048).assumptions)
    assert "longer than the 1,000 tokens that the model was trained for" in sentences


@pytest.mark.parametrize("architecture", ["warp-drive", "eagle3"])
def test_what_is_not_known_is_a_range(architecture: str) -> None:
    rows = {
        key.replace("llama.", f"{architecture}."): value
        for key, value in LLAMA.items()
        if key != "general.architecture"
    }
    result = memory(built(**{"general.architecture": architecture}, **rows), ctx_size=1024)
    most = 2 * 1024 * 2 * 64 * 2  # layers, tokens, K and V, values, bytes
    assert (result.context, result.context_range) == (None, (0, most))
    assert [layer.context for layer in result.layers] == [None, None]
    assert any("is not known" in sentence for sentence in result.assumptions)


@pytest.mark.parametrize(
    ("file", "message"),
    [
        ({"general.architecture": None}, "has no general.architecture"),
        ({"general.architecture": "clip"}, "runs beside one: its kind is projector"),
        ({"general.type": "adapter"}, "runs beside one: its kind is adapter"),
        ({"tensors": False}, "has no tensors"),
        ({"_ARCH_block_count": None}, "llama.block_count is missing, without which llama.cpp loads no such model"),
        ({"_ARCH_block_count": 513}, "llama.block_count is 513, which llama.cpp refuses"),
        ({"_ARCH_attention.head_count": -1.0}, "llama.attention.head_count is -1.0, expected a number of at least 0"),
        ({"_ARCH_context_length": "4k"}, "llama.context_length is '4k', expected a number of at least 0"),
    ],
)
def test_files_that_are_refused(file: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        memory(built(**file))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"ctx_size": 0}, "ctx_size must be at least 1, not 0"),
        ({"parallel": 257}, "parallel must be at most 256, not 257"),
        ({"ubatch_size": 0}, "ubatch_size must be at least 1, not 0"),
        ({"flash_attn": "yes"}, "flash_attn must be 'auto', 'on' or 'off', not 'yes'"),
        ({"cache_type_k": "q4_K"}, "cache_type_k: llama.cpp has no cache of Q4_K; the types are F32, F16"),
        ({"cache_type_v": "q8_0", "flash_attn": "off"}, "refuses a V cache of Q8_0 without flash attention"),
        ({"cache_type_k": "q8_0"}, "refuses a K cache of Q8_0: heads of 16 values are not whole blocks of 32"),
    ],
)
def test_arguments_that_are_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        memory(built(), **arguments)


def test_arguments_of_a_wrong_type() -> None:
    with pytest.raises(TypeError, match="ctx_size must be an integer, not '4k'"):
        memory(built(), ctx_size="4k")  # type: ignore[arg-type]


def test_a_model_stays_open() -> None:
    with kaitai_gguf.open(built()) as model:
        assert memory(model).weights == memory(model).weights == 64 * 100 * 4 + 64 * 64 * 4


def test_the_command(tmp_path: Any) -> None:
    path = tmp_path / "model.gguf"
    path.write_bytes(headers()["real/mistral-Q8_0.gguf"])
    expected = memory(path, ctx_size=4096)
    lines = run("memory", str(path), "-c", "4096", "-c", "8192").stdout.splitlines()
    assert lines[0].split("\t") == ["file", "ctx_size", "weights", "context", "compute", "total"]
    ranges = (
        " to ".join(map(str, dict.fromkeys(each)))
        for each in (expected.context_range, expected.compute, expected.total)
    )
    assert lines[1].split("\t") == [str(path), "4096", str(expected.weights), *ranges]
    assert [line.split("\t")[1] for line in lines[1:]] == ["4096", "8192"]


def test_a_file_that_is_no_model_leaves_the_others(tmp_path: Any) -> None:
    paths = [tmp_path / name for name in ("vocabulary.gguf", "model.gguf", "missing.gguf")]
    paths[0].write_bytes(built(tensors=False))
    paths[1].write_bytes(headers()["real/mistral-Q8_0.gguf"])
    result = run("memory", *map(str, paths), "-c", "4096")
    assert (result.exit_code, len(result.stdout.splitlines())) == (2, 2)
    assert f"{paths[0]}: the file has no tensors" in result.stderr
    assert f"{paths[2]}: no such file" in result.stderr


def test_the_longest_context_that_fits(tmp_path: Any) -> None:
    path = tmp_path / "model.gguf"
    path.write_bytes(headers()["real/mistral-Q8_0.gguf"])
    (row,) = run("memory", str(path), "--fit", "12GiB").stdout.splitlines()[1:]
    tokens = int(row.split("\t")[1])
    assert memory(path, ctx_size=tokens).total[1] <= 12 << 30 < memory(path, ctx_size=tokens + 256).total[1]
    result = run("memory", str(path), "--fit", "1GiB")
    assert result.exit_code == 1
    assert "does not fit into 1 GiB, even with a context of 256 tokens" in result.stderr
