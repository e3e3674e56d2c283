# Two whole files, to test the byte order that is found at run time
meta:
  id: gguf_byte_orders
  imports:
    - /ml/gguf
seq:
  - id: little
    size: 256
    type: gguf
  - id: big
    size: 256
    type: gguf
