meta:
  id: ggml_block
  title: The blocks that GGML stores tensors in
  application: llama.cpp
  license: CC0-1.0
  ks-version: '0.11'
  endian: le
doc: |
  A GGML tensor is a sequence of rows, and a row is a sequence of blocks of one
  type. Plain types have one element per block. A quantized type packs 32 to 256
  elements into a block: small integers together with the scale (and minimum or
  offset) that turns them back into numbers. Blocks have no padding.

  Each type here is named after a value of the enum `ggml_type` in `gguf.ksy`,
  and describes one block. Fields of 16 and 32 bits are in the byte order of the
  file; these types read little-endian files.

  Three extra keys hold facts that Kaitai Struct can't express: `-num-elements`
  is the number of elements in a block, `-float` the floating-point format of
  the bits that `type` reads as an integer, and `-removed-types` lists the
  numbers of types that ggml has removed, but that old files still use.

  Field names are those of GGML: `d` is the scale of the block, `dmin` and `m`
  belong to its minimum, `s` is d times the sum of `qs`, `qs` are the low bits
  of the quants, and `qh` the high ones.
doc-ref:
  - https://github.com/ggml-org/ggml/blob/d99724f2/src/ggml-common.h
  - https://github.com/ggml-org/ggml/blob/d99724f2/include/ggml.h
-removed-types:
  4: q4_2
  5: q4_3
  31: q4_0_4_4
  32: q4_0_4_8
  33: q4_0_8_8
  36: iq4_nl_4_4
  37: iq4_nl_4_8
  38: iq4_nl_8_8
types:
  f32:
    -num-elements: 1
    seq:
      - id: value
        type: f4
  f16:
    -num-elements: 1
    seq:
      - id: value
        type: u2
        -float: float16
  q4_0:
    -num-elements: 32
    seq:
      - id: d
        type: u2
        -float: float16
      - id: qs
        type: u1
        repeat: expr
        repeat-expr: 16
  q4_1:
    -num-elements: 32
    seq:
      - id: d
        type: u2
        -float: float16
      - id: m
        type: u2
        -float: float16
      - id: qs
        type: u1
        repeat: expr
        repeat-expr: 16
  q5_0:
    -num-elements: 32
    seq:
      - id: d
        type: u2
        -float: float16
      - id: qh
        type: u1
        repeat: expr
        repeat-expr: 4
      - id: qs
        type: u1
        repeat: expr
        repeat-expr: 16
  q5_1:
    -num-elements: 32
    seq:
      - id: d
        type: u2
        -float: float16
      - id: m
        type: u2
        -float: float16
      - id: qh
        type: u1
        repeat: expr
        repeat-expr: 4
      - id: qs
        type: u1
        repeat: expr
        repeat-expr: 16
  q8_0:
    -num-elements: 32
    seq:
      - id: d
        type: u2
        -float: float16
      - id: qs
        type: s1
        repeat: expr
        repeat-expr: 32
  q8_1:
    -num-elements: 32
    seq:
      - id: d
        type: u2
        -float: float16
      - id: s
        type: u2
        -float: float16
      - id: qs
        type: s1
        repeat: expr
        repeat-expr: 32
  q2_k:
    -num-elements: 256
    seq:
      - id: scales
        type: u1
        repeat: expr
        repeat-expr: 16
      - id: qs
        type: u1
        repeat: expr
        repeat-expr: 64
      - id: d
        type: u2
        -float: float16
      - id: dmin
        type: u2
        -float: float16
  q3_k:
    -num-elements: 256
    seq:
      - id: hmask
        type: u1
        repeat: expr
        repeat-expr: 32
      - id: qs
        type: u1
        repeat: expr
        repeat-expr: 64
      - id: scales
        type: u1
        repeat: expr
        repeat-expr: 12
      - id: d
        type: u2
        -float: float16
  q4_k:
    -num-elements: 256
    seq:
      - id: d
        type: u2
        -float: float16
      - id: dmin
        type: u2
        -float: float16
      - id: scales
        type: u1
        repeat: expr
        repeat-expr: 12
      - id: qs
        type: u1
        repeat: expr
        repeat-expr: 128
  q5_k:
    -num-elements: 256
    seq:
      - id: d
        type: u2
        -float: float16
      - id: dmin
        type: u2
        -float: float16
      - id: scales
        type: u1
        repeat: expr
        repeat-expr: 12
      - id: qh
        type: u1
        repeat: expr
        repeat-expr: 32
      - id: qs
        type: u1
        repeat: expr
        repeat-expr: 128
  q6_k:
    -num-elements: 256
    seq:
      - id: ql
        type: u1
        repeat: expr
        repeat-expr: 128
      - id: qh
        type: u1
        repeat: expr
        repeat-expr: 64
      - id: scales
        type: s1
        repeat: expr
        repeat-expr: 16
      - id: d
        type: u2
        -float: float16
  q8_k:
    -num-elements: 256
    seq:
      - id: d
        type: f4
      - id: qs
        type: s1
        repeat: expr
        repeat-expr: 256
      - id: bsums
        type: s2
        repeat: expr
        repeat-expr: 16
  iq2_xxs:
    -num-elements: 256
    seq:
      - id: d
        type: u2
        -float: float16
      - id: qs
        type: u2
        repeat: expr
        repeat-expr: 32
  iq2_xs:
    -num-elements: 256
    seq:
      - id: d
        type: u2
        -float: float16
      - id: qs
        type: u2
        repeat: expr
        repeat-expr: 32
      - id: scales
        type: u1
        repeat: expr
        repeat-expr: 8
  iq3_xxs:
    -num-elements: 256
    seq:
      - id: d
        type: u2
        -float: float16
      - id: qs
        type: u1
        repeat: expr
        repeat-expr: 96
  iq1_s:
    -num-elements: 256
    seq:
      - id: d
        type: u2
        -float: float16
      - id: qs
        type: u1
        repeat: expr
        repeat-expr: 32
      - id: qh
        type: u2
        repeat: expr
        repeat-expr: 8
  iq4_nl:
    -num-elements: 32
    seq:
      - id: d
        type: u2
        -float: float16
      - id: qs
        type: u1
        repeat: expr
        repeat-expr: 16
  iq3_s:
    -num-elements: 256
    seq:
      - id: d
        type: u2
        -float: float16
      - id: qs
        type: u1
        repeat: expr
        repeat-expr: 64
      - id: qh
        type: u1
        repeat: expr
        repeat-expr: 8
      - id: signs
        type: u1
        repeat: expr
        repeat-expr: 32
      - id: scales
        type: u1
        repeat: expr
        repeat-expr: 4
  iq2_s:
    -num-elements: 256
    seq:
      - id: d
        type: u2
        -float: float16
      - id: qs
        type: u1
        repeat: expr
        repeat-expr: 64
      - id: qh
        type: u1
        repeat: expr
        repeat-expr: 8
      - id: scales
        type: u1
        repeat: expr
        repeat-expr: 8
  iq4_xs:
    -num-elements: 256
    seq:
      - id: d
        type: u2
        -float: float16
      - id: scales_h
        type: u2
      - id: scales_l
        type: u1
        repeat: expr
        repeat-expr: 4
      - id: qs
        type: u1
        repeat: expr
        repeat-expr: 128
  i8:
    -num-elements: 1
    seq:
      - id: value
        type: s1
  i16:
    -num-elements: 1
    seq:
      - id: value
        type: s2
  i32:
    -num-elements: 1
    seq:
      - id: value
        type: s4
  i64:
    -num-elements: 1
    seq:
      - id: value
        type: s8
  f64:
    -num-elements: 1
    seq:
      - id: value
        type: f8
  iq1_m:
    -num-elements: 256
    seq:
      - id: qs
        type: u1
        repeat: expr
        repeat-expr: 32
      - id: qh
        type: u1
        repeat: expr
        repeat-expr: 16
      - id: scales
        type: u1
        repeat: expr
        repeat-expr: 8
  bf16:
    -num-elements: 1
    seq:
      - id: value
        type: u2
        -float: bfloat16
  tq1_0:
    -num-elements: 256
    seq:
      - id: qs
        type: u1
        repeat: expr
        repeat-expr: 48
      - id: qh
        type: u1
        repeat: expr
        repeat-expr: 4
      - id: d
        type: u2
        -float: float16
  tq2_0:
    -num-elements: 256
    seq:
      - id: qs
        type: u1
        repeat: expr
        repeat-expr: 64
      - id: d
        type: u2
        -float: float16
  mxfp4:
    -num-elements: 32
    seq:
      - id: e
        type: u1
        -float: float8_e8m0fnu
      - id: qs
        type: u1
        repeat: expr
        repeat-expr: 16
  nvfp4:
    -num-elements: 64
    seq:
      - id: d
        type: u1
        -float: float8_e4m3fn
        repeat: expr
        repeat-expr: 4
      - id: qs
        type: u1
        repeat: expr
        repeat-expr: 32
  q1_0:
    -num-elements: 128
    seq:
      - id: d
        type: u2
        -float: float16
      - id: qs
        type: u1
        repeat: expr
        repeat-expr: 16
  q2_0:
    -num-elements: 64
    seq:
      - id: d
        type: u2
        -float: float16
      - id: qs
        type: u1
        repeat: expr
        repeat-expr: 16
