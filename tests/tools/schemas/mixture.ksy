meta:
  id: mixture
  title: A format of the tests, of constructs that the other formats don't have
  license: CC0-1.0
  ks-version: '0.11'
  endian: le
seq:
  - id: num_items
    type: u1
  - id: items
    type: item
    repeat: expr
    repeat-expr: num_items
types:
  item:
    seq:
      - id: kind
        type: u1
        valid:
          max: 10
      - id: content
        type:
          switch-on: kind
          cases:
            0: u4_pair
            1: conditions
            2: nothing
            3: optional
            4: like_cases
            5: like_default
            6: impossible_cases
            7: condition
            8: constant
            9: around
            10: marks
      - id: tree
        type: node
        if: kind == 0
  u4_pair:
    doc: Its name looks like that of a number.
    seq:
      - id: a
        type: u4
      - id: b
        type: u4
  conditions:
    seq:
      - id: a
        type: u1
      - id: b
        type: u1
      - id: x
        type: u1
        if: not a == 1
      - id: y
        type: u2
        if: '(not (a == 1)) == (b == 2)'
      - id: z
        type: u4
        if: not (a == 1) or b == 2
  nothing:
    doc: Conditions of what takes no bytes.
    seq:
      - id: n
        type: u1
      - id: w
        size: 0
        if: position < 0
      - id: x
        size: 0
        if: n == 1
      - id: y
        type: u4
        repeat: expr
        repeat-expr: 0
        if: n == 1
      - id: z
        type: empty
        if: n == 1
    instances:
      position:
        value: _io.pos
  empty:
    seq: []
  optional:
    seq:
      - id: num_texts
        type: u1
      - id: texts
        type: optional_text
        repeat: expr
        repeat-expr: num_texts
  optional_text:
    doc: A length that is missing is not that of the text before.
    seq:
      - id: flag
        type: u1
      - id: len_data
        type: u1
        if: flag == 1
      - id: data
        size: len_data
        if: flag == 1
  like_cases:
    doc: Types that differ in what their contents ask of them.
    seq:
      - id: case
        type: u1
        valid:
          max: 2
      - id: value
        type:
          switch-on: case
          cases:
            1: first
            2: second
  first:
    seq:
      - id: p
        type: u1
      - id: q
        type: u1
      - id: data
        type: sized
    instances:
      len_data:
        value: p
  second:
    seq:
      - id: p
        type: u1
      - id: q
        type: u1
      - id: data
        type: sized
    instances:
      len_data:
        value: q
  sized:
    seq:
      - id: data
        size: _parent.as<first>.len_data
  like_default:
    seq:
      - id: case
        type: u1
      - id: value
        type:
          switch-on: case
          cases:
            0: u2
            1: s2
            _: u2
  impossible_cases:
    seq:
      - id: case
        type: u1
        valid:
          min: 1
          max: 3
      - id: one
        type:
          switch-on: case
          cases:
            0: u2
            1: u4
            2: u4
            3: u4
            _: u2
      - id: two
        type:
          switch-on: case
          cases:
            0: u2
            _: u4
        repeat: expr
        repeat-expr: 1
  condition:
    seq:
      - id: number
        type: u1
      - id: value
        type:
          switch-on: number > 4
          cases:
            true: u2
            false: u4
  constant:
    doc: Cases that are chosen when the index is generated.
    seq:
      - id: nodes
        type:
          switch-on: 1
          cases:
            1: node
            _: u8
        repeat: expr
        repeat-expr: 2
      - id: text
        type:
          switch-on: 1
          cases:
            1: optional_text
            2: u8
      - id: numbers
        type:
          switch-on: 1
          cases:
            1: u2
        repeat: expr
        repeat-expr: 2
  around:
    doc: Numbers inside of structures that are used around them.
    seq:
      - id: a
        type: head
      - id: b
        type: head
      - id: data
        size: a.n * b.n
  head:
    seq:
      - id: n
        type: u1
        valid:
          max: 3
      - id: m
        type: u1
  marks:
    seq:
      - id: numbers_and_text
        contents: [0x89, PNG, "\n", 0]
      - id: letters
        contents: Zoë
  node:
    -max-depth: 4
    doc: A name like _parent, which is not the parent.
    seq:
      - id: num_nodes
        type: u1
        valid:
          max: 3
      - id: nodes
        type: node
        repeat: expr
        repeat-expr: num_nodes
      - id: no_parent
        type: u1
      - id: mark
        contents: '.'
        if: no_parent == 1
