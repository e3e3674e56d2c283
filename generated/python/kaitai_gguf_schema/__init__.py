# This is a generated file! Please edit schema/*.ksy and run `make generate`.
"""What is generated from gguf.ksy and ggml_block.ksy. It needs `kaitaistruct`, and nothing else of kaitai_gguf.

- `gguf.Gguf` and `ggml_block.GgmlBlock` read, e.g. `Gguf.from_file("model.gguf")`.
- `read_write.gguf.Gguf` also writes.
- `positions.gguf.Gguf` remembers where each field is, and keeps what it has when it fails.
- `index` finds things without reading them; `packing` makes the bytes of headers; `fields` lists the fields of each
  type, with their documentation; `types` lists the types of values and tensors.
"""
