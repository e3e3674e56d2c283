meta:
  id: tree
  title: A big-endian format of the tests, of types that contain themselves
  license: CC0-1.0
  ks-version: '0.11'
  endian: be
seq:
  - id: num_roots
    type: u1
  - id: roots
    type: node
    repeat: expr
    repeat-expr: num_roots
  - id: end
    contents: [0xff]
types:
  node:
    -max-depth: 5
    seq:
      - id: shape
        type: u1
        enum: shape
        valid:
          in-enum: true
      - id: len_name
        type: u1
      - id: name
        size: len_name
      - id: num_children
        type: u2
      - id: content
        type:
          switch-on: shape
          cases:
            'shape::leaf': leaf
            'shape::branch': children
            'shape::pair': pair
      - id: twin
        type: node
        if: len_name == 2
  leaf:
    seq:
      - id: data
        size: _parent.num_children * 3
  children:
    seq:
      - id: items
        type: node
        repeat: expr
        repeat-expr: _parent.num_children
  pair:
    -max-depth: 4
    seq:
      - id: weight
        type: u2
        valid:
          max: 500
      - id: left
        type: node
      - id: right
        type: node
enums:
  shape:
    0: leaf
    1: branch
    2: pair
    3: stump
