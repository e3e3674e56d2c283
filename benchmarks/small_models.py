"""Small files with the headers of large models: 30 keys and 300 tensors each, and no tensor data.

    python benchmarks/small_models.py FOLDER COUNT

They differ in name, size and mix of types, like the files of a collection. Their tensors are named as in llama models.
"""

import random
import struct
import sys
from collections.abc import Iterator
from pathlib import Path

KEYS, TENSORS = 30, 300
F32, Q4_K, Q6_K, Q8_0 = 0, 12, 14, 8
ROLES = ["attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate", "ffn_up", "ffn_down", "attn_norm", "ffn_norm"]
TOKENS = 64


def main() -> None:
    folder, count = Path(sys.argv[1]), int(sys.argv[2])
    print(f"{write(folder, count)} files in {folder}")


def write(folder: Path, count: int) -> int:
    """Write `count` files into a folder, in subfolders of 1,000. Return their number."""
    for number in range(count):
        path = folder / f"{number // 1000:03}" / f"model-{number:06}.gguf"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(model(number))
    return count


def model(number: int) -> bytes:
    """Return the bytes of one file. The same number always gives the same file."""
    chance = random.Random(number)
    key_values = list(metadata(number, chance))
    infos = list(tensors(chance))
    assert (len(key_values), len(infos)) == (KEYS, TENSORS)
    counts = struct.pack("<4sIQQ", b"GGUF", 3, len(infos), len(key_values))
    header = counts + b"".join(key_values) + b"".join(infos)
    return header + bytes(-len(header) % 32)


def metadata(number: int, chance: random.Random) -> Iterator[bytes]:
    arch = chance.choice(["llama", "qwen2", "gemma3"])
    yield text("general.architecture", arch)
    yield text("general.name", f"Model {number}")
    yield text("general.type", "model")
    yield text("general.license", chance.choice(["apache-2.0", "mit", "llama3"]))
    yield text("general.size_label", chance.choice(["1B", "7B", "70B"]))
    yield text("tokenizer.ggml.model", "gpt2")
    yield text("tokenizer.ggml.pre", "llama-bpe")
    yield text("tokenizer.chat_template", "{% for message in messages %}{{ message.content }}{% endfor %}" * 8)
    for name in ("context_length", "embedding_length", "block_count", "feed_forward_length", "vocab_size",
                 "attention.head_count", "attention.head_count_kv", "rope.dimension_count"):  # fmt: skip
        yield uint32(f"{arch}.{name}", 1 << chance.randrange(4, 12))
    for name in ("rope.freq_base", "attention.layer_norm_rms_epsilon"):
        yield key(f"{arch}.{name}", 6) + struct.pack("<f", 1e-5)
    for name in ("bos", "eos", "padding", "unknown"):
        yield uint32(f"tokenizer.ggml.{name}_token_id", chance.randrange(TOKENS))
    for name in ("add_bos_token", "add_eos_token", "add_space_prefix"):
        yield key(f"tokenizer.ggml.{name}", 7) + bytes([chance.randrange(2)])
    yield uint32("general.file_type", 15)
    yield uint32("general.quantization_version", 2)
    tokens = b"".join(string(f"token-{index}") for index in range(TOKENS))
    yield key("tokenizer.ggml.tokens", 9) + struct.pack("<IQ", 8, TOKENS) + tokens
    yield key("tokenizer.ggml.scores", 9) + struct.pack("<IQ", 6, TOKENS) + bytes(4 * TOKENS)
    yield key("tokenizer.ggml.token_type", 9) + struct.pack("<IQ", 5, TOKENS) + bytes(4 * TOKENS)


def tensors(chance: random.Random) -> Iterator[bytes]:
    size = 256 << chance.randrange(1, 5)
    names = ["token_embd.weight", "output.weight", "output_norm.weight"]
    names += [f"blk.{block}.{role}.weight" for block in range(33) for role in ROLES]
    offset = 0
    for name in names:
        if "norm" in name:
            dims, type_id, nbytes = [size], F32, 4 * size
        else:
            type_id, block_nbytes = chance.choice([(Q4_K, 144), (Q4_K, 144), (Q4_K, 144), (Q6_K, 210)])
            dims, nbytes = [size, size], size * size // 256 * block_nbytes
        yield string(name) + struct.pack(f"<I{len(dims)}QIQ", len(dims), *dims, type_id, offset)
        offset += nbytes + -nbytes % 32


def string(value: str) -> bytes:
    return struct.pack("<Q", len(value)) + value.encode()


def key(name: str, type_id: int) -> bytes:
    return string(name) + struct.pack("<I", type_id)


def text(name: str, value: str) -> bytes:
    return key(name, 8) + string(value)


def uint32(name: str, value: int) -> bytes:
    return key(name, 4) + struct.pack("<I", value)


if __name__ == "__main__":
    main()
