"""Write sample.gguf with gguf-py: a llama model with one layer, small enough to commit.

python examples/make_sample.py examples/sample.gguf
"""

import sys
from pathlib import Path

import gguf
import numpy as np

EMBEDDING, FEED_FORWARD, HEADS = 256, 512, 8
TOKENS = ["<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256)), "▁the", "▁quick", "▁brown", "▁fox", "🦊"]


def main(path: str) -> None:
    writer = gguf.GGUFWriter(path, "llama")
    add_metadata(writer)
    random = np.random.default_rng(0)
    for name, shape, type in tensors():
        values = random.normal(0, 0.05, shape).astype(np.float32)
        writer.add_tensor(name, gguf.quants.quantize(values, type), raw_dtype=type)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def add_metadata(writer: gguf.GGUFWriter) -> None:
    writer.add_name("Sample")
    writer.add_description("One layer of random weights, to try kaitai_gguf on.")
    writer.add_license("cc0-1.0")
    writer.add_size_label("1M")
    writer.add_file_type(gguf.LlamaFileType.MOSTLY_Q8_0)
    writer.add_quantization_version(gguf.GGML_QUANT_VERSION)
    writer.add_context_length(512)
    writer.add_embedding_length(EMBEDDING)
    writer.add_block_count(1)
    writer.add_feed_forward_length(FEED_FORWARD)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(HEADS)
    writer.add_rope_dimension_count(EMBEDDING // HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_tokenizer_model("llama")
    writer.add_token_list(TOKENS)
    writer.add_token_scores([-float(i) for i in range(len(TOKENS))])
    writer.add_token_types([2, 3, 3, *[6] * 256, *[1] * (len(TOKENS) - 259)])
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_add_bos_token(True)
    writer.add_chat_template("{% for message in messages %}{{ message.role }}: {{ message.content }}\n{% endfor %}")


def tensors() -> list[tuple[str, tuple[int, ...], gguf.GGMLQuantizationType]]:
    q = gguf.GGMLQuantizationType
    return [
        ("token_embd.weight", (len(TOKENS), EMBEDDING), q.Q4_0),
        ("blk.0.attn_norm.weight", (EMBEDDING,), q.F32),
        ("blk.0.attn_q.weight", (EMBEDDING, EMBEDDING), q.Q5_1),
        ("blk.0.attn_k.weight", (EMBEDDING, EMBEDDING), q.Q4_1),
        ("blk.0.attn_v.weight", (EMBEDDING, EMBEDDING), q.Q8_0),
        ("blk.0.attn_output.weight", (EMBEDDING, EMBEDDING), q.TQ2_0),
        ("blk.0.ffn_norm.weight", (EMBEDDING,), q.F32),
        ("blk.0.ffn_gate.weight", (FEED_FORWARD, EMBEDDING), q.MXFP4),
        ("blk.0.ffn_up.weight", (FEED_FORWARD, EMBEDDING), q.Q4_0),
        ("blk.0.ffn_down.weight", (EMBEDDING, FEED_FORWARD), q.Q5_0),
        ("output_norm.weight", (EMBEDDING,), q.F32),
        ("output.weight", (8, EMBEDDING), q.BF16),
    ]


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(f"usage: python {Path(sys.argv[0]).name} FILE")
    main(sys.argv[1])
