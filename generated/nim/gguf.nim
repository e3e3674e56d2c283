import kaitai_struct_nim_runtime
import options

type
  Gguf* = ref object of KaitaiStruct
    `magic`*: seq[byte]
    `body`*: Gguf_GgufBody
    `parent`*: KaitaiStruct
    `isBeInst`: bool
    `isBeInstFlag`: bool
    `versionInst`: int
    `versionInstFlag`: bool
    `versionBeInst`: uint32
    `versionBeInstFlag`: bool
    `versionLeInst`: uint32
    `versionLeInstFlag`: bool
  Gguf_GgmlType* = enum
    f32 = 0
    f16 = 1
    q4_0 = 2
    q4_1 = 3
    q5_0 = 6
    q5_1 = 7
    q8_0 = 8
    q8_1 = 9
    q2_k = 10
    q3_k = 11
    q4_k = 12
    q5_k = 13
    q6_k = 14
    q8_k = 15
    iq2_xxs = 16
    iq2_xs = 17
    iq3_xxs = 18
    iq1_s = 19
    iq4_nl = 20
    iq3_s = 21
    iq2_s = 22
    iq4_xs = 23
    i8 = 24
    i16 = 25
    i32 = 26
    i64 = 27
    f64 = 28
    iq1_m = 29
    bf16 = 30
    tq1_0 = 34
    tq2_0 = 35
    mxfp4 = 39
    nvfp4 = 40
    q1_0 = 41
    q2_0 = 42
  Gguf_ValueType* = enum
    uint8_type = 0
    int8_type = 1
    uint16_type = 2
    int16_type = 3
    uint32_type = 4
    int32_type = 5
    float32_type = 6
    bool_type = 7
    string_type = 8
    array_type = 9
    uint64_type = 10
    int64_type = 11
    float64_type = 12
  Gguf_ArrayElements* = ref object of KaitaiStruct
    `items`*: seq[Gguf_GgufArray]
    `parent`*: Gguf_GgufArray
  Gguf_Dim* = ref object of KaitaiStruct
    `valueU4`*: uint32
    `valueU8`*: uint64
    `parent`*: Gguf_TensorInfo
    `valueInst`: uint64
    `valueInstFlag`: bool
  Gguf_Elements1* = ref object of KaitaiStruct
    `data`*: seq[byte]
    `parent`*: Gguf_GgufArray
  Gguf_Elements2* = ref object of KaitaiStruct
    `data`*: seq[byte]
    `parent`*: Gguf_GgufArray
  Gguf_Elements4* = ref object of KaitaiStruct
    `data`*: seq[byte]
    `parent`*: Gguf_GgufArray
  Gguf_Elements8* = ref object of KaitaiStruct
    `data`*: seq[byte]
    `parent`*: Gguf_GgufArray
  Gguf_GgufArray* = ref object of KaitaiStruct
    `elementType`*: Gguf_ValueType
    `numElements`*: Gguf_Length
    `elements`*: KaitaiStruct
    `parent`*: KaitaiStruct
  Gguf_GgufBody* = ref object of KaitaiStruct
    `version`*: uint32
    `numTensors`*: Gguf_Length
    `numMetadata`*: Gguf_Length
    `metadata`*: seq[Gguf_KeyValue]
    `tensors`*: seq[Gguf_TensorInfo]
    `headerEnd`*: Gguf_Position
    `parent`*: Gguf
    `alignmentInst`: int64
    `alignmentInstFlag`: bool
    `alignmentSearchInst`: seq[seq[byte]]
    `alignmentSearchInstFlag`: bool
    `lenHeaderInst`: int64
    `lenHeaderInstFlag`: bool
    `ofsTensorDataInst`: int64
    `ofsTensorDataInstFlag`: bool
  Gguf_GgufString* = ref object of KaitaiStruct
    `lenData`*: Gguf_Length
    `data`*: seq[byte]
    `parent`*: KaitaiStruct
    `valueInst`: string
    `valueInstFlag`: bool
  Gguf_KeyValue* = ref object of KaitaiStruct
    `key`*: Gguf_GgufString
    `valueType`*: Gguf_ValueType
    `value`*: KaitaiStruct
    `parent`*: Gguf_GgufBody
    `alignmentInst`: int64
    `alignmentInstFlag`: bool
    `isAlignmentInst`: bool
    `isAlignmentInstFlag`: bool
  Gguf_Length* = ref object of KaitaiStruct
    `valueU4`*: uint32
    `valueU8`*: uint64
    `parent`*: KaitaiStruct
    `asIntInst`: int32
    `asIntInstFlag`: bool
    `valueInst`: uint64
    `valueInstFlag`: bool
  Gguf_Position* = ref object of KaitaiStruct
    `parent`*: Gguf_GgufBody
    `valueInst`: int64
    `valueInstFlag`: bool
  Gguf_StringElements* = ref object of KaitaiStruct
    `items`*: seq[Gguf_GgufString]
    `parent`*: Gguf_GgufArray
  Gguf_TensorInfo* = ref object of KaitaiStruct
    `name`*: Gguf_GgufString
    `numDims`*: uint32
    `dims`*: seq[Gguf_Dim]
    `typeId`*: uint32
    `ofsData`*: uint64
    `parent`*: Gguf_GgufBody
    `ggmlTypeInst`: Gguf_GgmlType
    `ggmlTypeInstFlag`: bool
  Gguf_ValueF4* = ref object of KaitaiStruct
    `value`*: float32
    `parent`*: Gguf_KeyValue
  Gguf_ValueF8* = ref object of KaitaiStruct
    `value`*: float64
    `parent`*: Gguf_KeyValue
  Gguf_ValueS1* = ref object of KaitaiStruct
    `value`*: int8
    `parent`*: Gguf_KeyValue
  Gguf_ValueS2* = ref object of KaitaiStruct
    `value`*: int16
    `parent`*: Gguf_KeyValue
  Gguf_ValueS4* = ref object of KaitaiStruct
    `value`*: int32
    `parent`*: Gguf_KeyValue
  Gguf_ValueS8* = ref object of KaitaiStruct
    `value`*: int64
    `parent`*: Gguf_KeyValue
  Gguf_ValueU1* = ref object of KaitaiStruct
    `value`*: uint8
    `parent`*: Gguf_KeyValue
  Gguf_ValueU2* = ref object of KaitaiStruct
    `value`*: uint16
    `parent`*: Gguf_KeyValue
  Gguf_ValueU4* = ref object of KaitaiStruct
    `value`*: uint32
    `parent`*: Gguf_KeyValue
    `asS8Inst`: int64
    `asS8InstFlag`: bool
  Gguf_ValueU8* = ref object of KaitaiStruct
    `value`*: uint64
    `parent`*: Gguf_KeyValue

proc read*(_: typedesc[Gguf], io: KaitaiStream, root: KaitaiStruct, parent: KaitaiStruct): Gguf
proc read*(_: typedesc[Gguf_ArrayElements], io: KaitaiStream, root: KaitaiStruct, parent: Gguf_GgufArray): Gguf_ArrayElements
proc read*(_: typedesc[Gguf_Dim], io: KaitaiStream, root: KaitaiStruct, parent: Gguf_TensorInfo): Gguf_Dim
proc read*(_: typedesc[Gguf_Elements1], io: KaitaiStream, root: KaitaiStruct, parent: Gguf_GgufArray): Gguf_Elements1
proc read*(_: typedesc[Gguf_Elements2], io: KaitaiStream, root: KaitaiStruct, parent: Gguf_GgufArray): Gguf_Elements2
proc read*(_: typedesc[Gguf_Elements4], io: KaitaiStream, root: KaitaiStruct, parent: Gguf_GgufArray): Gguf_Elements4
proc read*(_: typedesc[Gguf_Elements8], io: KaitaiStream, root: KaitaiStruct, parent: Gguf_GgufArray): Gguf_Elements8
proc read*(_: typedesc[Gguf_GgufArray], io: KaitaiStream, root: KaitaiStruct, parent: KaitaiStruct): Gguf_GgufArray
proc read*(_: typedesc[Gguf_GgufBody], io: KaitaiStream, root: KaitaiStruct, parent: Gguf): Gguf_GgufBody
proc read*(_: typedesc[Gguf_GgufString], io: KaitaiStream, root: KaitaiStruct, parent: KaitaiStruct): Gguf_GgufString
proc read*(_: typedesc[Gguf_KeyValue], io: KaitaiStream, root: KaitaiStruct, parent: Gguf_GgufBody): Gguf_KeyValue
proc read*(_: typedesc[Gguf_Length], io: KaitaiStream, root: KaitaiStruct, parent: KaitaiStruct): Gguf_Length
proc read*(_: typedesc[Gguf_Position], io: KaitaiStream, root: KaitaiStruct, parent: Gguf_GgufBody): Gguf_Position
proc read*(_: typedesc[Gguf_StringElements], io: KaitaiStream, root: KaitaiStruct, parent: Gguf_GgufArray): Gguf_StringElements
proc read*(_: typedesc[Gguf_TensorInfo], io: KaitaiStream, root: KaitaiStruct, parent: Gguf_GgufBody): Gguf_TensorInfo
proc read*(_: typedesc[Gguf_ValueF4], io: KaitaiStream, root: KaitaiStruct, parent: Gguf_KeyValue): Gguf_ValueF4
proc read*(_: typedesc[Gguf_ValueF8], io: KaitaiStream, root: KaitaiStruct, parent: Gguf_KeyValue): Gguf_ValueF8
proc read*(_: typedesc[Gguf_ValueS1], io: KaitaiStream, root: KaitaiStruct, parent: Gguf_KeyValue): Gguf_ValueS1
proc read*(_: typedesc[Gguf_ValueS2], io: KaitaiStream, root: KaitaiStruct, parent: Gguf_KeyValue): Gguf_ValueS2
proc read*(_: typedesc[Gguf_ValueS4], io: KaitaiStream, root: KaitaiStruct, parent: Gguf_KeyValue): Gguf_ValueS4
proc read*(_: typedesc[Gguf_ValueS8], io: KaitaiStream, root: KaitaiStruct, parent: Gguf_KeyValue): Gguf_ValueS8
proc read*(_: typedesc[Gguf_ValueU1], io: KaitaiStream, root: KaitaiStruct, parent: Gguf_KeyValue): Gguf_ValueU1
proc read*(_: typedesc[Gguf_ValueU2], io: KaitaiStream, root: KaitaiStruct, parent: Gguf_KeyValue): Gguf_ValueU2
proc read*(_: typedesc[Gguf_ValueU4], io: KaitaiStream, root: KaitaiStruct, parent: Gguf_KeyValue): Gguf_ValueU4
proc read*(_: typedesc[Gguf_ValueU8], io: KaitaiStream, root: KaitaiStruct, parent: Gguf_KeyValue): Gguf_ValueU8

proc isBe*(this: Gguf): bool
proc version*(this: Gguf): int
proc versionBe*(this: Gguf): uint32
proc versionLe*(this: Gguf): uint32
proc value*(this: Gguf_Dim): uint64
proc alignment*(this: Gguf_GgufBody): int64
proc alignmentSearch*(this: Gguf_GgufBody): seq[seq[byte]]
proc lenHeader*(this: Gguf_GgufBody): int64
proc ofsTensorData*(this: Gguf_GgufBody): int64
proc value*(this: Gguf_GgufString): string
proc alignment*(this: Gguf_KeyValue): int64
proc isAlignment*(this: Gguf_KeyValue): bool
proc asInt*(this: Gguf_Length): int32
proc value*(this: Gguf_Length): uint64
proc value*(this: Gguf_Position): int64
proc ggmlType*(this: Gguf_TensorInfo): Gguf_GgmlType
proc asS8*(this: Gguf_ValueU4): int64


##[
GGUF holds the weights of a machine learning model together with everything
needed to run it: a list of typed key-values (architecture, hyperparameters,
the tokenizer's vocabulary), a list of tensor descriptions and, aligned, the
tensor data.

This specification covers the header: everything before the tensor data. It
reads versions 1 to 3 in little-endian byte order. The tensor data starts at
`body.ofs_tensor_data`: at the end of the header, rounded up to a multiple of
the value of the key `general.alignment` (uint32), or of 32 if there is no
such key. Each tensor starts at `ofs_data` from there. Its size follows from
its type and dimensions: see `ggml_block.ksy`.

No field states the byte order. The version number reveals it: read in the
wrong byte order, its low 16 bits are zero.

Strings are not always valid UTF-8 (tokens of a vocabulary can be parts of
characters), so they are kept as bytes, and decoded on request.

@see <a href="https://github.com/ggml-org/ggml/blob/d99724f2/docs/gguf.md">Source</a>
@see <a href="https://github.com/ggml-org/ggml/blob/d99724f2/src/gguf.cpp">Source</a>
]##
proc read*(_: typedesc[Gguf], io: KaitaiStream, root: KaitaiStruct, parent: KaitaiStruct): Gguf =
  template this: untyped = result
  this = new(Gguf)
  let root = if root == nil: cast[Gguf](this) else: cast[Gguf](root)
  this.io = io
  this.root = root
  this.parent = parent


  ##[
  The same bytes in both byte orders.
  ]##
  let magicExpr = this.io.readBytes(int(4))
  this.magic = magicExpr
  let bodyExpr = Gguf_GgufBody.read(this.io, this.root, this)
  this.body = bodyExpr

proc isBe(this: Gguf): bool = 

  ##[
  Whether all of the file, tensor data included, is big-endian.
  ]##
  if this.isBeInstFlag:
    return this.isBeInst
  let isBeInstExpr = bool((this.versionLe and 65535) == 0)
  this.isBeInst = isBeInstExpr
  this.isBeInstFlag = true
  return this.isBeInst

proc version(this: Gguf): int = 
  if this.versionInstFlag:
    return this.versionInst
  let versionInstExpr = int((if this.isBe: this.versionBe else: this.versionLe))
  this.versionInst = versionInstExpr
  this.versionInstFlag = true
  return this.versionInst

proc versionBe(this: Gguf): uint32 = 
  if this.versionBeInstFlag:
    return this.versionBeInst
  let pos = this.io.pos()
  this.io.seek(int(4))
  let versionBeInstExpr = this.io.readU4be()
  this.versionBeInst = versionBeInstExpr
  this.io.seek(pos)
  this.versionBeInstFlag = true
  return this.versionBeInst

proc versionLe(this: Gguf): uint32 = 
  if this.versionLeInstFlag:
    return this.versionLeInst
  let pos = this.io.pos()
  this.io.seek(int(4))
  let versionLeInstExpr = this.io.readU4le()
  this.versionLeInst = versionLeInstExpr
  this.io.seek(pos)
  this.versionLeInstFlag = true
  return this.versionLeInst

proc fromFile*(_: typedesc[Gguf], filename: string): Gguf =
  Gguf.read(newKaitaiFileStream(filename), nil, nil)

proc read*(_: typedesc[Gguf_ArrayElements], io: KaitaiStream, root: KaitaiStruct, parent: Gguf_GgufArray): Gguf_ArrayElements =
  template this: untyped = result
  this = new(Gguf_ArrayElements)
  let root = if root == nil: cast[Gguf](this) else: cast[Gguf](root)
  this.io = io
  this.root = root
  this.parent = parent

  for i in 0 ..< int(this.parent.numElements.asInt):
    let it = Gguf_GgufArray.read(this.io, this.root, this)
    this.items.add(it)

proc fromFile*(_: typedesc[Gguf_ArrayElements], filename: string): Gguf_ArrayElements =
  Gguf_ArrayElements.read(newKaitaiFileStream(filename), nil, nil)


##[
A size in elements. 32 bits wide in version 1, 64 bits since version 2.
]##
proc read*(_: typedesc[Gguf_Dim], io: KaitaiStream, root: KaitaiStruct, parent: Gguf_TensorInfo): Gguf_Dim =
  template this: untyped = result
  this = new(Gguf_Dim)
  let root = if root == nil: cast[Gguf](this) else: cast[Gguf](root)
  this.io = io
  this.root = root
  this.parent = parent

  if Gguf(this.root).version == 1:
    let valueU4Expr = this.io.readU4le()
    this.valueU4 = valueU4Expr
  if Gguf(this.root).version != 1:
    let valueU8Expr = this.io.readU8le()
    this.valueU8 = valueU8Expr

proc value(this: Gguf_Dim): uint64 = 
  if this.valueInstFlag:
    return this.valueInst
  let valueInstExpr = uint64((if Gguf(this.root).version == 1: (uint64(this.valueU4)) else: (uint64(this.valueU8))))
  this.valueInst = valueInstExpr
  this.valueInstFlag = true
  return this.valueInst

proc fromFile*(_: typedesc[Gguf_Dim], filename: string): Gguf_Dim =
  Gguf_Dim.read(newKaitaiFileStream(filename), nil, nil)


##[
Numbers of 1 byte each, in the file's byte order.
]##
proc read*(_: typedesc[Gguf_Elements1], io: KaitaiStream, root: KaitaiStruct, parent: Gguf_GgufArray): Gguf_Elements1 =
  template this: untyped = result
  this = new(Gguf_Elements1)
  let root = if root == nil: cast[Gguf](this) else: cast[Gguf](root)
  this.io = io
  this.root = root
  this.parent = parent

  let dataExpr = this.io.readBytes(int(this.parent.numElements.value))
  this.data = dataExpr

proc fromFile*(_: typedesc[Gguf_Elements1], filename: string): Gguf_Elements1 =
  Gguf_Elements1.read(newKaitaiFileStream(filename), nil, nil)


##[
Numbers of 2 bytes each, in the file's byte order.
]##
proc read*(_: typedesc[Gguf_Elements2], io: KaitaiStream, root: KaitaiStruct, parent: Gguf_GgufArray): Gguf_Elements2 =
  template this: untyped = result
  this = new(Gguf_Elements2)
  let root = if root == nil: cast[Gguf](this) else: cast[Gguf](root)
  this.io = io
  this.root = root
  this.parent = parent

  let dataExpr = this.io.readBytes(int(this.parent.numElements.value * 2))
  this.data = dataExpr

proc fromFile*(_: typedesc[Gguf_Elements2], filename: string): Gguf_Elements2 =
  Gguf_Elements2.read(newKaitaiFileStream(filename), nil, nil)


##[
Numbers of 4 bytes each, in the file's byte order.
]##
proc read*(_: typedesc[Gguf_Elements4], io: KaitaiStream, root: KaitaiStruct, parent: Gguf_GgufArray): Gguf_Elements4 =
  template this: untyped = result
  this = new(Gguf_Elements4)
  let root = if root == nil: cast[Gguf](this) else: cast[Gguf](root)
  this.io = io
  this.root = root
  this.parent = parent

  let dataExpr = this.io.readBytes(int(this.parent.numElements.value * 4))
  this.data = dataExpr

proc fromFile*(_: typedesc[Gguf_Elements4], filename: string): Gguf_Elements4 =
  Gguf_Elements4.read(newKaitaiFileStream(filename), nil, nil)


##[
Numbers of 8 bytes each, in the file's byte order.
]##
proc read*(_: typedesc[Gguf_Elements8], io: KaitaiStream, root: KaitaiStruct, parent: Gguf_GgufArray): Gguf_Elements8 =
  template this: untyped = result
  this = new(Gguf_Elements8)
  let root = if root == nil: cast[Gguf](this) else: cast[Gguf](root)
  this.io = io
  this.root = root
  this.parent = parent

  let dataExpr = this.io.readBytes(int(this.parent.numElements.value * 8))
  this.data = dataExpr

proc fromFile*(_: typedesc[Gguf_Elements8], filename: string): Gguf_Elements8 =
  Gguf_Elements8.read(newKaitaiFileStream(filename), nil, nil)


##[
Elements of one type, without padding. They can be arrays themselves,
each with its own element type and count.

]##
proc read*(_: typedesc[Gguf_GgufArray], io: KaitaiStream, root: KaitaiStruct, parent: KaitaiStruct): Gguf_GgufArray =
  template this: untyped = result
  this = new(Gguf_GgufArray)
  let root = if root == nil: cast[Gguf](this) else: cast[Gguf](root)
  this.io = io
  this.root = root
  this.parent = parent

  let elementTypeExpr = Gguf_ValueType(this.io.readU4le())
  this.elementType = elementTypeExpr
  let numElementsExpr = Gguf_Length.read(this.io, this.root, this)
  this.numElements = numElementsExpr
  block:
    let on = this.elementType
    if on == gguf.array_type:
      let elementsExpr = Gguf_ArrayElements.read(this.io, this.root, this)
      this.elements = elementsExpr
    elif on == gguf.bool_type:
      let elementsExpr = Gguf_Elements1.read(this.io, this.root, this)
      this.elements = elementsExpr
    elif on == gguf.float32_type:
      let elementsExpr = Gguf_Elements4.read(this.io, this.root, this)
      this.elements = elementsExpr
    elif on == gguf.float64_type:
      let elementsExpr = Gguf_Elements8.read(this.io, this.root, this)
      this.elements = elementsExpr
    elif on == gguf.int16_type:
      let elementsExpr = Gguf_Elements2.read(this.io, this.root, this)
      this.elements = elementsExpr
    elif on == gguf.int32_type:
      let elementsExpr = Gguf_Elements4.read(this.io, this.root, this)
      this.elements = elementsExpr
    elif on == gguf.int64_type:
      let elementsExpr = Gguf_Elements8.read(this.io, this.root, this)
      this.elements = elementsExpr
    elif on == gguf.int8_type:
      let elementsExpr = Gguf_Elements1.read(this.io, this.root, this)
      this.elements = elementsExpr
    elif on == gguf.string_type:
      let elementsExpr = Gguf_StringElements.read(this.io, this.root, this)
      this.elements = elementsExpr
    elif on == gguf.uint16_type:
      let elementsExpr = Gguf_Elements2.read(this.io, this.root, this)
      this.elements = elementsExpr
    elif on == gguf.uint32_type:
      let elementsExpr = Gguf_Elements4.read(this.io, this.root, this)
      this.elements = elementsExpr
    elif on == gguf.uint64_type:
      let elementsExpr = Gguf_Elements8.read(this.io, this.root, this)
      this.elements = elementsExpr
    elif on == gguf.uint8_type:
      let elementsExpr = Gguf_Elements1.read(this.io, this.root, this)
      this.elements = elementsExpr

proc fromFile*(_: typedesc[Gguf_GgufArray], filename: string): Gguf_GgufArray =
  Gguf_GgufArray.read(newKaitaiFileStream(filename), nil, nil)

proc read*(_: typedesc[Gguf_GgufBody], io: KaitaiStream, root: KaitaiStruct, parent: Gguf): Gguf_GgufBody =
  template this: untyped = result
  this = new(Gguf_GgufBody)
  let root = if root == nil: cast[Gguf](this) else: cast[Gguf](root)
  this.io = io
  this.root = root
  this.parent = parent


  ##[
  Lengths and counts have 32 bits in version 1, 64 bits in versions 2
and 3. Big-endian files are allowed since version 3.

  ]##
  let versionExpr = this.io.readU4le()
  this.version = versionExpr
  let numTensorsExpr = Gguf_Length.read(this.io, this.root, this)
  this.numTensors = numTensorsExpr
  let numMetadataExpr = Gguf_Length.read(this.io, this.root, this)
  this.numMetadata = numMetadataExpr
  for i in 0 ..< int(this.numMetadata.asInt):
    let it = Gguf_KeyValue.read(this.io, this.root, this)
    this.metadata.add(it)
  for i in 0 ..< int(this.numTensors.asInt):
    let it = Gguf_TensorInfo.read(this.io, this.root, this)
    this.tensors.add(it)
  let headerEndExpr = Gguf_Position.read(this.io, this.root, this)
  this.headerEnd = headerEndExpr

proc alignment(this: Gguf_GgufBody): int64 = 

  ##[
  Offsets of tensors are multiples of this power of two.
  ]##
  if this.alignmentInstFlag:
    return this.alignmentInst
  let alignmentInstExpr = int64((if len(this.metadata) > 0: this.metadata[len(this.alignmentSearch) - 1].alignment else: (int64(32))))
  this.alignmentInst = alignmentInstExpr
  this.alignmentInstFlag = true
  return this.alignmentInst

proc alignmentSearch(this: Gguf_GgufBody): seq[seq[byte]] = 

  ##[
  Reads nothing. Has one item for each key-value up to and including the
first alignment, or for all of them if there is none.

  ]##
  if this.alignmentSearchInstFlag:
    return this.alignmentSearchInst
  if len(this.metadata) > 0:
    block:
      var i: int
      while true:
        let it = this.io.readBytes(int(0))
        this.alignmentSearchInst.add(it)
        if  ((this.metadata[i].isAlignment) or (i == len(this.metadata) - 1)) :
          break
        inc i
  this.alignmentSearchInstFlag = true
  return this.alignmentSearchInst

proc lenHeader(this: Gguf_GgufBody): int64 = 

  ##[
  From the start of the file to the end of the last tensor info.
  ]##
  if this.lenHeaderInstFlag:
    return this.lenHeaderInst
  let lenHeaderInstExpr = int64(this.headerEnd.value)
  this.lenHeaderInst = lenHeaderInstExpr
  this.lenHeaderInstFlag = true
  return this.lenHeaderInst

proc ofsTensorData(this: Gguf_GgufBody): int64 = 

  ##[
  From the start of the file. A file without tensors may end before.
  ]##
  if this.ofsTensorDataInstFlag:
    return this.ofsTensorDataInst
  let ofsTensorDataInstExpr = int64((int64(this.lenHeader + -(this.lenHeader) %%% this.alignment)))
  this.ofsTensorDataInst = ofsTensorDataInstExpr
  this.ofsTensorDataInstFlag = true
  return this.ofsTensorDataInst

proc fromFile*(_: typedesc[Gguf_GgufBody], filename: string): Gguf_GgufBody =
  Gguf_GgufBody.read(newKaitaiFileStream(filename), nil, nil)

proc read*(_: typedesc[Gguf_GgufString], io: KaitaiStream, root: KaitaiStruct, parent: KaitaiStruct): Gguf_GgufString =
  template this: untyped = result
  this = new(Gguf_GgufString)
  let root = if root == nil: cast[Gguf](this) else: cast[Gguf](root)
  this.io = io
  this.root = root
  this.parent = parent

  let lenDataExpr = Gguf_Length.read(this.io, this.root, this)
  this.lenData = lenDataExpr

  ##[
  UTF-8 in most cases, with no terminator.
  ]##
  let dataExpr = this.io.readBytes(int(this.lenData.value))
  this.data = dataExpr

proc value(this: Gguf_GgufString): string = 

  ##[
  Bytes that are not UTF-8 are an error or replaced, by language.
  ]##
  if this.valueInstFlag:
    return this.valueInst
  let valueInstExpr = string(encode(this.data, "UTF-8"))
  this.valueInst = valueInstExpr
  this.valueInstFlag = true
  return this.valueInst

proc fromFile*(_: typedesc[Gguf_GgufString], filename: string): Gguf_GgufString =
  Gguf_GgufString.read(newKaitaiFileStream(filename), nil, nil)

proc read*(_: typedesc[Gguf_KeyValue], io: KaitaiStream, root: KaitaiStruct, parent: Gguf_GgufBody): Gguf_KeyValue =
  template this: untyped = result
  this = new(Gguf_KeyValue)
  let root = if root == nil: cast[Gguf](this) else: cast[Gguf](root)
  this.io = io
  this.root = root
  this.parent = parent


  ##[
  Unique in the file. By the specification at most 65535 bytes of ASCII,
`lower_snake_case` segments joined by `.`; not all writers comply.

  ]##
  let keyExpr = Gguf_GgufString.read(this.io, this.root, this)
  this.key = keyExpr
  let valueTypeExpr = Gguf_ValueType(this.io.readU4le())
  this.valueType = valueTypeExpr
  block:
    let on = this.valueType
    if on == gguf.array_type:
      let valueExpr = Gguf_GgufArray.read(this.io, this.root, this)
      this.value = valueExpr
    elif on == gguf.bool_type:
      let valueExpr = Gguf_ValueU1.read(this.io, this.root, this)
      this.value = valueExpr
    elif on == gguf.float32_type:
      let valueExpr = Gguf_ValueF4.read(this.io, this.root, this)
      this.value = valueExpr
    elif on == gguf.float64_type:
      let valueExpr = Gguf_ValueF8.read(this.io, this.root, this)
      this.value = valueExpr
    elif on == gguf.int16_type:
      let valueExpr = Gguf_ValueS2.read(this.io, this.root, this)
      this.value = valueExpr
    elif on == gguf.int32_type:
      let valueExpr = Gguf_ValueS4.read(this.io, this.root, this)
      this.value = valueExpr
    elif on == gguf.int64_type:
      let valueExpr = Gguf_ValueS8.read(this.io, this.root, this)
      this.value = valueExpr
    elif on == gguf.int8_type:
      let valueExpr = Gguf_ValueS1.read(this.io, this.root, this)
      this.value = valueExpr
    elif on == gguf.string_type:
      let valueExpr = Gguf_GgufString.read(this.io, this.root, this)
      this.value = valueExpr
    elif on == gguf.uint16_type:
      let valueExpr = Gguf_ValueU2.read(this.io, this.root, this)
      this.value = valueExpr
    elif on == gguf.uint32_type:
      let valueExpr = Gguf_ValueU4.read(this.io, this.root, this)
      this.value = valueExpr
    elif on == gguf.uint64_type:
      let valueExpr = Gguf_ValueU8.read(this.io, this.root, this)
      this.value = valueExpr
    elif on == gguf.uint8_type:
      let valueExpr = Gguf_ValueU1.read(this.io, this.root, this)
      this.value = valueExpr

proc alignment(this: Gguf_KeyValue): int64 = 

  ##[
  The value if this is the alignment, otherwise the default.
  ]##
  if this.alignmentInstFlag:
    return this.alignmentInst
  let alignmentInstExpr = int64((if this.isAlignment: (Gguf_ValueU4(this.value)).asS8 else: (int64(32))))
  this.alignmentInst = alignmentInstExpr
  this.alignmentInstFlag = true
  return this.alignmentInst

proc isAlignment(this: Gguf_KeyValue): bool = 

  ##[
  Whether the key is `general.alignment`, with the required type.
  ]##
  if this.isAlignmentInstFlag:
    return this.isAlignmentInst
  let isAlignmentInstExpr = bool( ((this.valueType == gguf.uint32_type) and (this.key.data == @[103'u8, 101'u8, 110'u8, 101'u8, 114'u8, 97'u8, 108'u8, 46'u8, 97'u8, 108'u8, 105'u8, 103'u8, 110'u8, 109'u8, 101'u8, 110'u8, 116'u8])) )
  this.isAlignmentInst = isAlignmentInstExpr
  this.isAlignmentInstFlag = true
  return this.isAlignmentInst

proc fromFile*(_: typedesc[Gguf_KeyValue], filename: string): Gguf_KeyValue =
  Gguf_KeyValue.read(newKaitaiFileStream(filename), nil, nil)


##[
A count of bytes or items. 32 bits wide in version 1, 64 bits since
version 2. At most 2^30, which is ggml's limit for strings and arrays.

]##
proc read*(_: typedesc[Gguf_Length], io: KaitaiStream, root: KaitaiStruct, parent: KaitaiStruct): Gguf_Length =
  template this: untyped = result
  this = new(Gguf_Length)
  let root = if root == nil: cast[Gguf](this) else: cast[Gguf](root)
  this.io = io
  this.root = root
  this.parent = parent

  if Gguf(this.root).version == 1:
    let valueU4Expr = this.io.readU4le()
    this.valueU4 = valueU4Expr
  if Gguf(this.root).version != 1:
    let valueU8Expr = this.io.readU8le()
    this.valueU8 = valueU8Expr

proc asInt(this: Gguf_Length): int32 = 

  ##[
  The same as `value`, in a type that all languages can repeat by.
  ]##
  if this.asIntInstFlag:
    return this.asIntInst
  let asIntInstExpr = int32((if Gguf(this.root).version == 1: (int32(this.valueU4)) else: (int32(this.valueU8))))
  this.asIntInst = asIntInstExpr
  this.asIntInstFlag = true
  return this.asIntInst

proc value(this: Gguf_Length): uint64 = 
  if this.valueInstFlag:
    return this.valueInst
  let valueInstExpr = uint64((if Gguf(this.root).version == 1: (uint64(this.valueU4)) else: (uint64(this.valueU8))))
  this.valueInst = valueInstExpr
  this.valueInstFlag = true
  return this.valueInst

proc fromFile*(_: typedesc[Gguf_Length], filename: string): Gguf_Length =
  Gguf_Length.read(newKaitaiFileStream(filename), nil, nil)

proc read*(_: typedesc[Gguf_Position], io: KaitaiStream, root: KaitaiStruct, parent: Gguf_GgufBody): Gguf_Position =
  template this: untyped = result
  this = new(Gguf_Position)
  let root = if root == nil: cast[Gguf](this) else: cast[Gguf](root)
  this.io = io
  this.root = root
  this.parent = parent


proc value(this: Gguf_Position): int64 = 
  if this.valueInstFlag:
    return this.valueInst
  let valueInstExpr = int64((int64(this.io.pos)))
  this.valueInst = valueInstExpr
  this.valueInstFlag = true
  return this.valueInst

proc fromFile*(_: typedesc[Gguf_Position], filename: string): Gguf_Position =
  Gguf_Position.read(newKaitaiFileStream(filename), nil, nil)

proc read*(_: typedesc[Gguf_StringElements], io: KaitaiStream, root: KaitaiStruct, parent: Gguf_GgufArray): Gguf_StringElements =
  template this: untyped = result
  this = new(Gguf_StringElements)
  let root = if root == nil: cast[Gguf](this) else: cast[Gguf](root)
  this.io = io
  this.root = root
  this.parent = parent

  for i in 0 ..< int(this.parent.numElements.asInt):
    let it = Gguf_GgufString.read(this.io, this.root, this)
    this.items.add(it)

proc fromFile*(_: typedesc[Gguf_StringElements], filename: string): Gguf_StringElements =
  Gguf_StringElements.read(newKaitaiFileStream(filename), nil, nil)

proc read*(_: typedesc[Gguf_TensorInfo], io: KaitaiStream, root: KaitaiStruct, parent: Gguf_GgufBody): Gguf_TensorInfo =
  template this: untyped = result
  this = new(Gguf_TensorInfo)
  let root = if root == nil: cast[Gguf](this) else: cast[Gguf](root)
  this.io = io
  this.root = root
  this.parent = parent


  ##[
  Unique in the file. By the specification at most 64 bytes; ggml
accepts at most 63, and some writers exceed both.

  ]##
  let nameExpr = Gguf_GgufString.read(this.io, this.root, this)
  this.name = nameExpr

  ##[
  A tensor without dimensions holds one element.
  ]##
  let numDimsExpr = this.io.readU4le()
  this.numDims = numDimsExpr

  ##[
  In elements. The first is the row length, which varies fastest: numpy
and most others use the reverse order.

  ]##
  for i in 0 ..< int(this.numDims):
    let it = Gguf_Dim.read(this.io, this.root, this)
    this.dims.add(it)

  ##[
  New types come with most releases of ggml, so a number that is not in
the enum does not make a file invalid.

  ]##
  let typeIdExpr = this.io.readU4le()
  this.typeId = typeIdExpr

  ##[
  In bytes, from the start of the tensor data. A multiple of the
alignment.

  ]##
  let ofsDataExpr = this.io.readU8le()
  this.ofsData = ofsDataExpr

proc ggmlType(this: Gguf_TensorInfo): Gguf_GgmlType = 
  if this.ggmlTypeInstFlag:
    return this.ggmlTypeInst
  let ggmlTypeInstExpr = Gguf_GgmlType(Gguf_GgmlType(this.typeId))
  this.ggmlTypeInst = ggmlTypeInstExpr
  this.ggmlTypeInstFlag = true
  return this.ggmlTypeInst

proc fromFile*(_: typedesc[Gguf_TensorInfo], filename: string): Gguf_TensorInfo =
  Gguf_TensorInfo.read(newKaitaiFileStream(filename), nil, nil)

proc read*(_: typedesc[Gguf_ValueF4], io: KaitaiStream, root: KaitaiStruct, parent: Gguf_KeyValue): Gguf_ValueF4 =
  template this: untyped = result
  this = new(Gguf_ValueF4)
  let root = if root == nil: cast[Gguf](this) else: cast[Gguf](root)
  this.io = io
  this.root = root
  this.parent = parent

  let valueExpr = this.io.readF4le()
  this.value = valueExpr

proc fromFile*(_: typedesc[Gguf_ValueF4], filename: string): Gguf_ValueF4 =
  Gguf_ValueF4.read(newKaitaiFileStream(filename), nil, nil)

proc read*(_: typedesc[Gguf_ValueF8], io: KaitaiStream, root: KaitaiStruct, parent: Gguf_KeyValue): Gguf_ValueF8 =
  template this: untyped = result
  this = new(Gguf_ValueF8)
  let root = if root == nil: cast[Gguf](this) else: cast[Gguf](root)
  this.io = io
  this.root = root
  this.parent = parent

  let valueExpr = this.io.readF8le()
  this.value = valueExpr

proc fromFile*(_: typedesc[Gguf_ValueF8], filename: string): Gguf_ValueF8 =
  Gguf_ValueF8.read(newKaitaiFileStream(filename), nil, nil)

proc read*(_: typedesc[Gguf_ValueS1], io: KaitaiStream, root: KaitaiStruct, parent: Gguf_KeyValue): Gguf_ValueS1 =
  template this: untyped = result
  this = new(Gguf_ValueS1)
  let root = if root == nil: cast[Gguf](this) else: cast[Gguf](root)
  this.io = io
  this.root = root
  this.parent = parent

  let valueExpr = this.io.readS1()
  this.value = valueExpr

proc fromFile*(_: typedesc[Gguf_ValueS1], filename: string): Gguf_ValueS1 =
  Gguf_ValueS1.read(newKaitaiFileStream(filename), nil, nil)

proc read*(_: typedesc[Gguf_ValueS2], io: KaitaiStream, root: KaitaiStruct, parent: Gguf_KeyValue): Gguf_ValueS2 =
  template this: untyped = result
  this = new(Gguf_ValueS2)
  let root = if root == nil: cast[Gguf](this) else: cast[Gguf](root)
  this.io = io
  this.root = root
  this.parent = parent

  let valueExpr = this.io.readS2le()
  this.value = valueExpr

proc fromFile*(_: typedesc[Gguf_ValueS2], filename: string): Gguf_ValueS2 =
  Gguf_ValueS2.read(newKaitaiFileStream(filename), nil, nil)

proc read*(_: typedesc[Gguf_ValueS4], io: KaitaiStream, root: KaitaiStruct, parent: Gguf_KeyValue): Gguf_ValueS4 =
  template this: untyped = result
  this = new(Gguf_ValueS4)
  let root = if root == nil: cast[Gguf](this) else: cast[Gguf](root)
  this.io = io
  this.root = root
  this.parent = parent

  let valueExpr = this.io.readS4le()
  this.value = valueExpr

proc fromFile*(_: typedesc[Gguf_ValueS4], filename: string): Gguf_ValueS4 =
  Gguf_ValueS4.read(newKaitaiFileStream(filename), nil, nil)

proc read*(_: typedesc[Gguf_ValueS8], io: KaitaiStream, root: KaitaiStruct, parent: Gguf_KeyValue): Gguf_ValueS8 =
  template this: untyped = result
  this = new(Gguf_ValueS8)
  let root = if root == nil: cast[Gguf](this) else: cast[Gguf](root)
  this.io = io
  this.root = root
  this.parent = parent

  let valueExpr = this.io.readS8le()
  this.value = valueExpr

proc fromFile*(_: typedesc[Gguf_ValueS8], filename: string): Gguf_ValueS8 =
  Gguf_ValueS8.read(newKaitaiFileStream(filename), nil, nil)

proc read*(_: typedesc[Gguf_ValueU1], io: KaitaiStream, root: KaitaiStruct, parent: Gguf_KeyValue): Gguf_ValueU1 =
  template this: untyped = result
  this = new(Gguf_ValueU1)
  let root = if root == nil: cast[Gguf](this) else: cast[Gguf](root)
  this.io = io
  this.root = root
  this.parent = parent

  let valueExpr = this.io.readU1()
  this.value = valueExpr

proc fromFile*(_: typedesc[Gguf_ValueU1], filename: string): Gguf_ValueU1 =
  Gguf_ValueU1.read(newKaitaiFileStream(filename), nil, nil)

proc read*(_: typedesc[Gguf_ValueU2], io: KaitaiStream, root: KaitaiStruct, parent: Gguf_KeyValue): Gguf_ValueU2 =
  template this: untyped = result
  this = new(Gguf_ValueU2)
  let root = if root == nil: cast[Gguf](this) else: cast[Gguf](root)
  this.io = io
  this.root = root
  this.parent = parent

  let valueExpr = this.io.readU2le()
  this.value = valueExpr

proc fromFile*(_: typedesc[Gguf_ValueU2], filename: string): Gguf_ValueU2 =
  Gguf_ValueU2.read(newKaitaiFileStream(filename), nil, nil)

proc read*(_: typedesc[Gguf_ValueU4], io: KaitaiStream, root: KaitaiStruct, parent: Gguf_KeyValue): Gguf_ValueU4 =
  template this: untyped = result
  this = new(Gguf_ValueU4)
  let root = if root == nil: cast[Gguf](this) else: cast[Gguf](root)
  this.io = io
  this.root = root
  this.parent = parent

  let valueExpr = this.io.readU4le()
  this.value = valueExpr

proc asS8(this: Gguf_ValueU4): int64 = 
  if this.asS8InstFlag:
    return this.asS8Inst
  let asS8InstExpr = int64((int64(this.value)))
  this.asS8Inst = asS8InstExpr
  this.asS8InstFlag = true
  return this.asS8Inst

proc fromFile*(_: typedesc[Gguf_ValueU4], filename: string): Gguf_ValueU4 =
  Gguf_ValueU4.read(newKaitaiFileStream(filename), nil, nil)

proc read*(_: typedesc[Gguf_ValueU8], io: KaitaiStream, root: KaitaiStruct, parent: Gguf_KeyValue): Gguf_ValueU8 =
  template this: untyped = result
  this = new(Gguf_ValueU8)
  let root = if root == nil: cast[Gguf](this) else: cast[Gguf](root)
  this.io = io
  this.root = root
  this.parent = parent

  let valueExpr = this.io.readU8le()
  this.value = valueExpr

proc fromFile*(_: typedesc[Gguf_ValueU8], filename: string): Gguf_ValueU8 =
  Gguf_ValueU8.read(newKaitaiFileStream(filename), nil, nil)

