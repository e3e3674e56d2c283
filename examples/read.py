"""A short tour of the library: `python examples/read.py [FILE]`."""

import sys
from pathlib import Path

import kaitai_gguf

path = sys.argv[1] if len(sys.argv) > 1 else Path(__file__).with_name("sample.gguf")

with kaitai_gguf.open(path) as model:
    print(model.version, model.byte_order, model.alignment, model.data_offset)

    architecture = model.metadata["general.architecture"]
    print(architecture, model.metadata[f"{architecture}.context_length"])

    tokens = model.metadata["tokenizer.ggml.tokens"]  # a sequence that decodes strings on demand
    print(len(tokens), tokens[0], tokens[-2:].tolist())

    tensor = model.tensors["blk.0.attn_v.weight"]
    print(tensor.type.name, tensor.shape, tensor.nbytes)
    print(tensor.data.shape, tensor.data.dtype)  # rows of blocks, as in the file
    print(tensor.blocks["d"][0, :4])  # the scales of the first four blocks

    embedding = model.tensors["output.weight"].data  # bfloat16, not copied
    print(embedding.dtype, embedding.shape, float(embedding[0, 0]))
