meta:
  id: parcel
  title: A little-endian format of the tests, with one big-endian part
  license: CC0-1.0
  ks-version: '0.11'
  endian: le
seq:
  - id: magic
    contents: [PCL, 0x1a]
  - id: edition
    type: u1
    valid: 2
  - id: flags
    type: u1
    valid:
      max: 0x0f
  - id: num_shelves
    type: u2
  - id: shelves
    type: shelf
    repeat: expr
    repeat-expr: num_shelves
  - id: label
    type: str
    size: label_width
    encoding: ISO-8859-1
    if: has_label
  - id: seal
    type: u4be
    if: flags & 0b10 != 0 and not num_shelves == 1
instances:
  has_label:
    value: flags & 1 != 0
  label_width:
    value: 'flags < 8 ? 3 : flags / 2'
types:
  shelf:
    seq:
      - id: num_boxes
        type: u1
        valid:
          min: 1
          max: 3
      - id: boxes
        type: box(num_boxes * 2, _parent.flags)
        repeat: expr
        repeat-expr: num_boxes
  box:
    params:
      - id: len_padding
        type: u1
      - id: options
        type: u1
    seq:
      - id: kind
        type: u1
        enum: kind
        valid:
          in-enum: true
      - id: color
        type: u1
        valid:
          any-of: [1, 2, 0x10]
      - id: content
        type:
          switch-on: kind
          cases:
            'kind::grid': grid
            'kind::texts': texts
            'kind::blocks': blocks
            'kind::references': references
            'kind::cut_low': cut(3)
            'kind::cut_high': cut(color)
            _: rest
      - id: padding
        size: len_padding
        if: options & 4 != 0
  grid:
    doc: Big-endian, but the text in it is not.
    meta:
      endian: be
    seq:
      - id: num_rows
        type: u2
      - id: num_columns
        type: u1
      - id: cells
        type: cell
        repeat: expr
        repeat-expr: num_rows * num_columns
      - id: caption
        type: text
      - id: scale
        type: f4
  cell:
    seq:
      - id: x
        type: u2
      - id: y
        type: s4be
  text:
    seq:
      - id: len_data
        type: u2
        valid:
          max: 12
      - id: data
        size: len_data
  texts:
    doc: Consecutive lengths, whose sum can exceed the limit of each.
    seq:
      - id: num_items
        type: u1
      - id: items
        type: text
        repeat: expr
        repeat-expr: num_items
  block:
    seq:
      - id: len_data
        type: u1
      - id: data
        size: len_data
  blocks:
    seq:
      - id: num_items
        type: u4
      - id: items
        type: block
        repeat: expr
        repeat-expr: num_items
  references:
    doc: As many as the shelf has boxes.
    seq:
      - id: numbers
        type: u4
        repeat: expr
        repeat-expr: _parent._parent.num_boxes
      - id: checked
        type: u2
        repeat: expr
        repeat-expr: 2
        valid:
          min: 5
  cut:
    params:
      - id: len_data
        type: u1
    seq:
      - id: data
        size: len_data
      - id: more
        size: 2
        repeat: expr
        repeat-expr: len_data + 1
  rest:
    seq:
      - id: marker
        contents: '..'
      - id: num_triples
        type: u1
      - id: triples
        size: 3
        repeat: expr
        repeat-expr: num_triples
enums:
  kind:
    0: none
    1: grid
    2: texts
    3:
      id: blocks
      doc: Lengths without a limit.
    5: references
    8: cut_low
    9: cut_high
    12: other
