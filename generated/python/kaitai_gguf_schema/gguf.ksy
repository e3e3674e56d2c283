meta:
  id: gguf
  title: GGUF, the model file format of GGML
  application:
    - llama.cpp
    - whisper.cpp
    - stable-diffusion.cpp
  file-extension: gguf
  license: CC0-1.0
  ks-version: '0.11'
doc: |
  GGUF holds the weights of a machine learning model together with everything
  needed to run it: a list of typed key-values (architecture, hyperparameters,
  the tokenizer's vocabulary), a list of tensor descriptions and, aligned, the
  tensor data.

  This specification covers the header: everything before the tensor data. It
  reads versions 1 to 3 in both byte orders. The tensor data starts at
  `body.ofs_tensor_data`: at the end of the header, rounded up to a multiple of
  the value of the key `general.alignment` (uint32), or of 32 if there is no
  such key. Each tensor starts at `ofs_data` from there. Its size follows from
  its type and dimensions: see `ggml_block.ksy`.

  No field states the byte order. The version number reveals it: read in the
  wrong byte order, its low 16 bits are zero.

  Strings are not always valid UTF-8 (tokens of a vocabulary can be parts of
  characters), so they are kept as bytes, and decoded on request.
doc-ref:
  - https://github.com/ggml-org/ggml/blob/d99724f2/docs/gguf.md
  - https://github.com/ggml-org/ggml/blob/d99724f2/src/gguf.cpp
-webide-representation: 'GGUF version {version:dec}'
seq:
  - id: magic
    contents: GGUF
    doc: The same bytes in both byte orders.
  - id: body
    type: gguf_body
instances:
  version_le:
    pos: 4
    type: u4le
  version_be:
    pos: 4
    type: u4be
  is_be:
    value: (version_le & 0xffff) == 0
    doc: Whether all of the file, tensor data included, is big-endian.
  version:
    value: 'is_be ? version_be : version_le'
types:
  gguf_body:
    meta:
      endian:
        switch-on: _root.is_be
        cases:
          true: be
          false: le
    seq:
      - id: version
        type: u4
        valid:
          any-of:
            - 1
            - 2
            - 3
        doc: |
          Lengths and counts have 32 bits in version 1, 64 bits in versions 2
          and 3. Big-endian files are allowed since version 3.
      - id: num_tensors
        -orig-id: tensor_count
        type: length
      - id: num_metadata
        -orig-id: metadata_kv_count
        type: length
      - id: metadata
        -orig-id: metadata_kv
        type: key_value
        repeat: expr
        repeat-expr: num_metadata.as_int
      - id: tensors
        -orig-id: tensor_infos
        type: tensor_info
        repeat: expr
        repeat-expr: num_tensors.as_int
      - id: header_end
        size: 0
        if: len_header < 0 # never true; evaluates `len_header` at this position
    instances:
      len_header:
        value: _io.pos.as<s8>
        doc: From the start of the file to the end of the last tensor info.
      alignment_search:
        size: 0
        repeat: until
        repeat-until: |
          metadata[alignment_search.size - 1].is_alignment
          or alignment_search.size == metadata.size
        if: metadata.size > 0
        doc: |
          Reads nothing. Has one item for each key-value up to and including the
          first alignment, or for all of them if there is none.
      alignment:
        value: |
          metadata.size > 0
          ? metadata[alignment_search.size - 1].alignment : 32.as<s8>
        doc: Offsets of tensors are multiples of this power of two.
      ofs_tensor_data:
        value: (len_header + (-len_header) % alignment).as<s8>
        doc: From the start of the file. A file without tensors may end before.
  length:
    meta:
      endian:
        switch-on: _root.is_be
        cases:
          true: be
          false: le
    doc: |
      A count of bytes or items. 32 bits wide in version 1, 64 bits since
      version 2. At most 2^30, which is ggml's limit for strings and arrays.
    seq:
      - id: value_u4
        type: u4
        valid:
          max: 0x40000000
        if: _root.version == 1
      - id: value_u8
        type: u8
        valid:
          min: 0 # for languages without an unsigned 64-bit integer
          max: 0x40000000
        if: _root.version != 1
    instances:
      value:
        value: '_root.version == 1 ? value_u4.as<u8> : value_u8.as<u8>'
      as_int:
        value: '_root.version == 1 ? value_u4.as<s4> : value_u8.as<s4>'
        doc: The same as `value`, in a type that all languages can repeat by.
    -webide-representation: '{value:dec}'
  gguf_string:
    -orig-id: gguf_string_t
    seq:
      - id: len_data
        -orig-id: len
        type: length
      - id: data
        -orig-id: string
        size: len_data.value
        doc: UTF-8 in most cases, with no terminator.
    instances:
      value:
        value: data.to_s("UTF-8")
        doc: Bytes that are not UTF-8 are an error or replaced, by language.
    -webide-representation: '{value}'
  key_value:
    meta:
      endian:
        switch-on: _root.is_be
        cases:
          true: be
          false: le
    -orig-id: gguf_metadata_kv_t
    seq:
      - id: key
        type: gguf_string
        doc: |
          Unique in the file. By the specification at most 65535 bytes of ASCII,
          `lower_snake_case` segments joined by `.`; not all writers comply.
      - id: value_type
        type: u4
        enum: value_type
        valid:
          in-enum: true
      - id: value
        type:
          switch-on: value_type
          cases:
            'value_type::uint8': value_u1
            'value_type::int8': value_s1
            'value_type::uint16': value_u2
            'value_type::int16': value_s2
            'value_type::uint32': value_u4
            'value_type::int32': value_s4
            'value_type::float32': value_f4
            'value_type::bool': value_u1
            'value_type::string': gguf_string
            'value_type::array': gguf_array
            'value_type::uint64': value_u8
            'value_type::int64': value_s8
            'value_type::float64': value_f8
    instances:
      is_alignment:
        value: |
          value_type == value_type::uint32 and key.data == [
            0x67, 0x65, 0x6e, 0x65, 0x72, 0x61, 0x6c, 0x2e, 0x61,
            0x6c, 0x69, 0x67, 0x6e, 0x6d, 0x65, 0x6e, 0x74
          ]
        doc: Whether the key is `general.alignment`, with the required type.
      alignment:
        value: 'is_alignment ? value.as<value_u4>.value.as<s8> : 32.as<s8>'
        doc: The value if this is the alignment, otherwise the default.
    -webide-representation: '{key}: {value}'
  value_u1:
    seq:
      - id: value
        type: u1
    -webide-representation: '{value:dec}'
  value_s1:
    seq:
      - id: value
        type: s1
    -webide-representation: '{value:dec}'
  value_u2:
    meta:
      endian:
        switch-on: _root.is_be
        cases:
          true: be
          false: le
    seq:
      - id: value
        type: u2
    -webide-representation: '{value:dec}'
  value_s2:
    meta:
      endian:
        switch-on: _root.is_be
        cases:
          true: be
          false: le
    seq:
      - id: value
        type: s2
    -webide-representation: '{value:dec}'
  value_u4:
    meta:
      endian:
        switch-on: _root.is_be
        cases:
          true: be
          false: le
    seq:
      - id: value
        type: u4
    -webide-representation: '{value:dec}'
  value_s4:
    meta:
      endian:
        switch-on: _root.is_be
        cases:
          true: be
          false: le
    seq:
      - id: value
        type: s4
    -webide-representation: '{value:dec}'
  value_u8:
    meta:
      endian:
        switch-on: _root.is_be
        cases:
          true: be
          false: le
    seq:
      - id: value
        type: u8
    -webide-representation: '{value:dec}'
  value_s8:
    meta:
      endian:
        switch-on: _root.is_be
        cases:
          true: be
          false: le
    seq:
      - id: value
        type: s8
    -webide-representation: '{value:dec}'
  value_f4:
    meta:
      endian:
        switch-on: _root.is_be
        cases:
          true: be
          false: le
    seq:
      - id: value
        type: f4
    -webide-representation: '{value}'
  value_f8:
    meta:
      endian:
        switch-on: _root.is_be
        cases:
          true: be
          false: le
    seq:
      - id: value
        type: f8
    -webide-representation: '{value}'
  gguf_array:
    meta:
      endian:
        switch-on: _root.is_be
        cases:
          true: be
          false: le
    -max-depth: 128
    doc: |
      Elements of one type, without padding. They can be arrays themselves,
      each with its own element type and count.
    seq:
      - id: element_type
        -orig-id: type
        type: u4
        enum: value_type
        valid:
          in-enum: true
      - id: num_elements
        -orig-id: len
        type: length
      - id: elements
        -orig-id: array
        type:
          switch-on: element_type
          cases:
            'value_type::uint8': elements_1
            'value_type::int8': elements_1
            'value_type::uint16': elements_2
            'value_type::int16': elements_2
            'value_type::uint32': elements_4
            'value_type::int32': elements_4
            'value_type::float32': elements_4
            'value_type::bool': elements_1
            'value_type::string': string_elements
            'value_type::array': array_elements
            'value_type::uint64': elements_8
            'value_type::int64': elements_8
            'value_type::float64': elements_8
    -webide-representation: '{num_elements} × {element_type}'
  elements_1:
    doc: Numbers of 1 byte each, in the file's byte order.
    seq:
      - id: data
        size: _parent.num_elements.value
  elements_2:
    doc: Numbers of 2 bytes each, in the file's byte order.
    seq:
      - id: data
        size: _parent.num_elements.value * 2
  elements_4:
    doc: Numbers of 4 bytes each, in the file's byte order.
    seq:
      - id: data
        size: _parent.num_elements.value * 4
  elements_8:
    doc: Numbers of 8 bytes each, in the file's byte order.
    seq:
      - id: data
        size: _parent.num_elements.value * 8
  string_elements:
    seq:
      - id: items
        type: gguf_string
        repeat: expr
        repeat-expr: _parent.num_elements.as_int
  array_elements:
    seq:
      - id: items
        type: gguf_array
        repeat: expr
        repeat-expr: _parent.num_elements.as_int
  tensor_info:
    meta:
      endian:
        switch-on: _root.is_be
        cases:
          true: be
          false: le
    -orig-id: gguf_tensor_info_t
    seq:
      - id: name
        type: gguf_string
        doc: |
          Unique in the file. By the specification at most 64 bytes; ggml
          accepts at most 63, and some writers exceed both.
      - id: num_dims
        -orig-id: n_dimensions
        type: u4
        valid:
          max: 4
        doc: A tensor without dimensions holds one element.
      - id: dims
        -orig-id: dimensions
        type: dim
        repeat: expr
        repeat-expr: num_dims
        doc: |
          In elements. The first is the row length, which varies fastest: numpy
          and most others use the reverse order.
      - id: type_id
        -orig-id: type
        type: u4
        doc: |
          New types come with most releases of ggml, so a number that is not in
          the enum does not make a file invalid.
      - id: ofs_data
        -orig-id: offset
        type: u8
        doc: |
          In bytes, from the start of the tensor data. A multiple of the
          alignment.
    instances:
      ggml_type:
        value: type_id
        enum: ggml_type
    -webide-representation: '{name}: {ggml_type} {dims}'
  dim:
    meta:
      endian:
        switch-on: _root.is_be
        cases:
          true: be
          false: le
    doc: A size in elements. 32 bits wide in version 1, 64 bits since version 2.
    seq:
      - id: value_u4
        type: u4
        if: _root.version == 1
      - id: value_u8
        type: u8
        if: _root.version != 1
    instances:
      value:
        value: '_root.version == 1 ? value_u4.as<u8> : value_u8.as<u8>'
    -webide-representation: '{value:dec}'
enums:
  value_type:
    0: uint8
    1: int8
    2: uint16
    3: int16
    4: uint32
    5: int32
    6: float32
    7:
      id: bool
      doc: One byte, 0 or 1.
    8: string
    9: array
    10: uint64
    11: int64
    12: float64
  ggml_type:
    0: f32
    1: f16
    2: q4_0
    3: q4_1
    # 4 and 5 were Q4_2 and Q4_3, removed before GGUF
    6: q5_0
    7: q5_1
    8: q8_0
    9: q8_1
    10: q2_k
    11: q3_k
    12: q4_k
    13: q5_k
    14: q6_k
    15: q8_k
    16: iq2_xxs
    17: iq2_xs
    18: iq3_xxs
    19: iq1_s
    20: iq4_nl
    21: iq3_s
    22: iq2_s
    23: iq4_xs
    24: i8
    25: i16
    26: i32
    27: i64
    28: f64
    29: iq1_m
    30: bf16
    # 31 to 33 were Q4_0_4_4, Q4_0_4_8 and Q4_0_8_8, now made at load time
    34: tq1_0
    35: tq2_0
    # 36 to 38 were IQ4_NL_4_4, IQ4_NL_4_8 and IQ4_NL_8_8, likewise
    39: mxfp4
    40: nvfp4
    41: q1_0
    42: q2_0
