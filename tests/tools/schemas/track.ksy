meta:
  id: track
  title: A format of the tests in both byte orders and several versions
  license: CC0-1.0
  ks-version: '0.11'
seq:
  - id: magic
    contents: TRK!
  - id: body
    type: track_body
instances:
  order:
    pos: 4
    type: u2le
  is_be:
    value: order == 0x4d4d
  version_le:
    pos: 6
    type: u2le
  version_be:
    pos: 6
    type: u2be
  version:
    value: 'is_be ? version_be : version_le'
  flags_le:
    pos: 8
    type: u2le
  flags_be:
    pos: 8
    type: u2be
  is_wide:
    value: '(is_be ? flags_be : flags_le) & 1 != 0'
types:
  track_body:
    meta:
      endian:
        switch-on: _root.is_be
        cases:
          true: be
          false: le
    seq:
      - id: order
        type: u2
        valid:
          any-of: [0x4949, 0x4d4d]
      - id: version
        type: u2
        valid:
          any-of: [1, 2, 3]
      - id: flags
        type: u2
      - id: num_points
        type: count
      - id: num_laps
        type: count
      - id: points
        type: point
        repeat: expr
        repeat-expr: num_points.value
      - id: laps
        type: lap
        repeat: expr
        repeat-expr: num_laps.value
      - id: trailer
        type:
          switch-on: _root.version
          cases:
            1: short_trailer
            _: long_trailer
  count:
    meta:
      endian:
        switch-on: _root.is_be
        cases:
          true: be
          false: le
    seq:
      - id: narrow
        type: u2
        valid:
          max: 300
        if: not _root.is_wide
      - id: wide
        type: u8
        valid:
          min: 0
          max: 300
        if: _root.is_wide
    instances:
      value:
        value: '_root.is_wide ? wide.as<u4> : narrow.as<u4>'
  point:
    meta:
      endian:
        switch-on: _root.is_be
        cases:
          true: be
          false: le
    seq:
      - id: x
        type: s2
        if: _root.version == 1
      - id: precise_x
        type: f8
        if: _root.version != 1
      - id: y
        type: f4
  lap:
    meta:
      endian:
        switch-on: _root.is_be
        cases:
          true: be
          false: le
    seq:
      - id: name
        type: name
      - id: rank
        type: s1
      - id: num_marks
        type: u2
      - id: marks
        type: u4
        repeat: expr
        repeat-expr: num_marks
      - id: note
        size: '_root.is_wide ? 4 : num_marks'
      - id: aliases
        type: name
        repeat: expr
        repeat-expr: num_marks % 4
      - id: seconds
        type: u8
        if: num_marks == 1 and _root.version > 1
  name:
    seq:
      - id: len_data
        type: count
      - id: data
        size: len_data.value
  short_trailer:
    meta:
      endian:
        switch-on: _root.is_be
        cases:
          true: be
          false: le
    seq:
      - id: num_laps
        type: u2
        valid: _parent.num_laps.value
  long_trailer:
    meta:
      endian:
        switch-on: _root.is_be
        cases:
          true: be
          false: le
    seq:
      - id: len_data
        type: u4
      - id: data
        size: len_data
      - id: is_done
        type: u1
        valid: 1
        if: _root.version == 3
