import kaitai_struct_nim_runtime
import options

type
  GgmlBlock* = ref object of KaitaiStruct
    `parent`*: KaitaiStruct
  GgmlBlock_Bf16* = ref object of KaitaiStruct
    `value`*: uint16
    `parent`*: KaitaiStruct
  GgmlBlock_F16* = ref object of KaitaiStruct
    `value`*: uint16
    `parent`*: KaitaiStruct
  GgmlBlock_F32* = ref object of KaitaiStruct
    `value`*: float32
    `parent`*: KaitaiStruct
  GgmlBlock_F64* = ref object of KaitaiStruct
    `value`*: float64
    `parent`*: KaitaiStruct
  GgmlBlock_I16* = ref object of KaitaiStruct
    `value`*: int16
    `parent`*: KaitaiStruct
  GgmlBlock_I32* = ref object of KaitaiStruct
    `value`*: int32
    `parent`*: KaitaiStruct
  GgmlBlock_I64* = ref object of KaitaiStruct
    `value`*: int64
    `parent`*: KaitaiStruct
  GgmlBlock_I8* = ref object of KaitaiStruct
    `value`*: int8
    `parent`*: KaitaiStruct
  GgmlBlock_Iq1M* = ref object of KaitaiStruct
    `qs`*: seq[uint8]
    `qh`*: seq[uint8]
    `scales`*: seq[uint8]
    `parent`*: KaitaiStruct
  GgmlBlock_Iq1S* = ref object of KaitaiStruct
    `d`*: uint16
    `qs`*: seq[uint8]
    `qh`*: seq[uint16]
    `parent`*: KaitaiStruct
  GgmlBlock_Iq2S* = ref object of KaitaiStruct
    `d`*: uint16
    `qs`*: seq[uint8]
    `qh`*: seq[uint8]
    `scales`*: seq[uint8]
    `parent`*: KaitaiStruct
  GgmlBlock_Iq2Xs* = ref object of KaitaiStruct
    `d`*: uint16
    `qs`*: seq[uint16]
    `scales`*: seq[uint8]
    `parent`*: KaitaiStruct
  GgmlBlock_Iq2Xxs* = ref object of KaitaiStruct
    `d`*: uint16
    `qs`*: seq[uint16]
    `parent`*: KaitaiStruct
  GgmlBlock_Iq3S* = ref object of KaitaiStruct
    `d`*: uint16
    `qs`*: seq[uint8]
    `qh`*: seq[uint8]
    `signs`*: seq[uint8]
    `scales`*: seq[uint8]
    `parent`*: KaitaiStruct
  GgmlBlock_Iq3Xxs* = ref object of KaitaiStruct
    `d`*: uint16
    `qs`*: seq[uint8]
    `parent`*: KaitaiStruct
  GgmlBlock_Iq4Nl* = ref object of KaitaiStruct
    `d`*: uint16
    `qs`*: seq[uint8]
    `parent`*: KaitaiStruct
  GgmlBlock_Iq4Xs* = ref object of KaitaiStruct
    `d`*: uint16
    `scalesH`*: uint16
    `scalesL`*: seq[uint8]
    `qs`*: seq[uint8]
    `parent`*: KaitaiStruct
  GgmlBlock_Mxfp4* = ref object of KaitaiStruct
    `e`*: uint8
    `qs`*: seq[uint8]
    `parent`*: KaitaiStruct
  GgmlBlock_Nvfp4* = ref object of KaitaiStruct
    `d`*: seq[uint8]
    `qs`*: seq[uint8]
    `parent`*: KaitaiStruct
  GgmlBlock_Q10* = ref object of KaitaiStruct
    `d`*: uint16
    `qs`*: seq[uint8]
    `parent`*: KaitaiStruct
  GgmlBlock_Q20* = ref object of KaitaiStruct
    `d`*: uint16
    `qs`*: seq[uint8]
    `parent`*: KaitaiStruct
  GgmlBlock_Q2K* = ref object of KaitaiStruct
    `scales`*: seq[uint8]
    `qs`*: seq[uint8]
    `d`*: uint16
    `dmin`*: uint16
    `parent`*: KaitaiStruct
  GgmlBlock_Q3K* = ref object of KaitaiStruct
    `hmask`*: seq[uint8]
    `qs`*: seq[uint8]
    `scales`*: seq[uint8]
    `d`*: uint16
    `parent`*: KaitaiStruct
  GgmlBlock_Q40* = ref object of KaitaiStruct
    `d`*: uint16
    `qs`*: seq[uint8]
    `parent`*: KaitaiStruct
  GgmlBlock_Q41* = ref object of KaitaiStruct
    `d`*: uint16
    `m`*: uint16
    `qs`*: seq[uint8]
    `parent`*: KaitaiStruct
  GgmlBlock_Q4K* = ref object of KaitaiStruct
    `d`*: uint16
    `dmin`*: uint16
    `scales`*: seq[uint8]
    `qs`*: seq[uint8]
    `parent`*: KaitaiStruct
  GgmlBlock_Q50* = ref object of KaitaiStruct
    `d`*: uint16
    `qh`*: seq[uint8]
    `qs`*: seq[uint8]
    `parent`*: KaitaiStruct
  GgmlBlock_Q51* = ref object of KaitaiStruct
    `d`*: uint16
    `m`*: uint16
    `qh`*: seq[uint8]
    `qs`*: seq[uint8]
    `parent`*: KaitaiStruct
  GgmlBlock_Q5K* = ref object of KaitaiStruct
    `d`*: uint16
    `dmin`*: uint16
    `scales`*: seq[uint8]
    `qh`*: seq[uint8]
    `qs`*: seq[uint8]
    `parent`*: KaitaiStruct
  GgmlBlock_Q6K* = ref object of KaitaiStruct
    `ql`*: seq[uint8]
    `qh`*: seq[uint8]
    `scales`*: seq[int8]
    `d`*: uint16
    `parent`*: KaitaiStruct
  GgmlBlock_Q80* = ref object of KaitaiStruct
    `d`*: uint16
    `qs`*: seq[int8]
    `parent`*: KaitaiStruct
  GgmlBlock_Q81* = ref object of KaitaiStruct
    `d`*: uint16
    `s`*: uint16
    `qs`*: seq[int8]
    `parent`*: KaitaiStruct
  GgmlBlock_Q8K* = ref object of KaitaiStruct
    `d`*: float32
    `qs`*: seq[int8]
    `bsums`*: seq[int16]
    `parent`*: KaitaiStruct
  GgmlBlock_Tq10* = ref object of KaitaiStruct
    `qs`*: seq[uint8]
    `qh`*: seq[uint8]
    `d`*: uint16
    `parent`*: KaitaiStruct
  GgmlBlock_Tq20* = ref object of KaitaiStruct
    `qs`*: seq[uint8]
    `d`*: uint16
    `parent`*: KaitaiStruct

proc read*(_: typedesc[GgmlBlock], io: KaitaiStream, root: KaitaiStruct, parent: KaitaiStruct): GgmlBlock
proc read*(_: typedesc[GgmlBlock_Bf16], io: KaitaiStream, root: KaitaiStruct, parent: KaitaiStruct): GgmlBlock_Bf16
proc read*(_: typedesc[GgmlBlock_F16], io: KaitaiStream, root: KaitaiStruct, parent: KaitaiStruct): GgmlBlock_F16
proc read*(_: typedesc[GgmlBlock_F32], io: KaitaiStream, root: KaitaiStruct, parent: KaitaiStruct): GgmlBlock_F32
proc read*(_: typedesc[GgmlBlock_F64], io: KaitaiStream, root: KaitaiStruct, parent: KaitaiStruct): GgmlBlock_F64
proc read*(_: typedesc[GgmlBlock_I16], io: KaitaiStream, root: KaitaiStruct, parent: KaitaiStruct): GgmlBlock_I16
proc read*(_: typedesc[GgmlBlock_I32], io: KaitaiStream, root: KaitaiStruct, parent: KaitaiStruct): GgmlBlock_I32
proc read*(_: typedesc[GgmlBlock_I64], io: KaitaiStream, root: KaitaiStruct, parent: KaitaiStruct): GgmlBlock_I64
proc read*(_: typedesc[GgmlBlock_I8], io: KaitaiStream, root: KaitaiStruct, parent: KaitaiStruct): GgmlBlock_I8
proc read*(_: typedesc[GgmlBlock_Iq1M], io: KaitaiStream, root: KaitaiStruct, parent: KaitaiStruct): GgmlBlock_Iq1M
proc read*(_: typedesc[GgmlBlock_Iq1S], io: KaitaiStream, root: KaitaiStruct, parent: KaitaiStruct): GgmlBlock_Iq1S
proc read*(_: typedesc[GgmlBlock_Iq2S], io: KaitaiStream, root: KaitaiStruct, parent: KaitaiStruct): GgmlBlock_Iq2S
proc read*(_: typedesc[GgmlBlock_Iq2Xs], io: KaitaiStream, root: KaitaiStruct, parent: KaitaiStruct): GgmlBlock_Iq2Xs
proc read*(_: typedesc[GgmlBlock_Iq2Xxs], io: KaitaiStream, root: KaitaiStruct, parent: KaitaiStruct): GgmlBlock_Iq2Xxs
proc read*(_: typedesc[GgmlBlock_Iq3S], io: KaitaiStream, root: KaitaiStruct, parent: KaitaiStruct): GgmlBlock_Iq3S
proc read*(_: typedesc[GgmlBlock_Iq3Xxs], io: KaitaiStream, root: KaitaiStruct, parent: KaitaiStruct): GgmlBlock_Iq3Xxs
proc read*(_: typedesc[GgmlBlock_Iq4Nl], io: KaitaiStream, root: KaitaiStruct, parent: KaitaiStruct): GgmlBlock_Iq4Nl
proc read*(_: typedesc[GgmlBlock_Iq4Xs], io: KaitaiStream, root: KaitaiStruct, parent: KaitaiStruct): GgmlBlock_Iq4Xs
proc read*(_: typedesc[GgmlBlock_Mxfp4], io: KaitaiStream, root: KaitaiStruct, parent: KaitaiStruct): GgmlBlock_Mxfp4
proc read*(_: typedesc[GgmlBlock_Nvfp4], io: KaitaiStream, root: KaitaiStruct, parent: KaitaiStruct): GgmlBlock_Nvfp4
proc read*(_: typedesc[GgmlBlock_Q10], io: KaitaiStream, root: KaitaiStruct, parent: KaitaiStruct): GgmlBlock_Q10
proc read*(_: typedesc[GgmlBlock_Q20], io: KaitaiStream, root: KaitaiStruct, parent: KaitaiStruct): GgmlBlock_Q20
proc read*(_: typedesc[GgmlBlock_Q2K], io: KaitaiStream, root: KaitaiStruct, parent: KaitaiStruct): GgmlBlock_Q2K
proc read*(_: typedesc[GgmlBlock_Q3K], io: KaitaiStream, root: KaitaiStruct, parent: KaitaiStruct): GgmlBlock_Q3K
proc read*(_: typedesc[GgmlBlock_Q40], io: KaitaiStream, root: KaitaiStruct, parent: KaitaiStruct): GgmlBlock_Q40
proc read*(_: typedesc[GgmlBlock_Q41], io: KaitaiStream, root: KaitaiStruct, parent: KaitaiStruct): GgmlBlock_Q41
proc read*(_: typedesc[GgmlBlock_Q4K], io: KaitaiStream, root: KaitaiStruct, parent: KaitaiStruct): GgmlBlock_Q4K
proc read*(_: typedesc[GgmlBlock_Q50], io: KaitaiStream, root: KaitaiStruct, parent: KaitaiStruct): GgmlBlock_Q50
proc read*(_: typedesc[GgmlBlock_Q51], io: KaitaiStream, root: KaitaiStruct, parent: KaitaiStruct): GgmlBlock_Q51
proc read*(_: typedesc[GgmlBlock_Q5K], io: KaitaiStream, root: KaitaiStruct, parent: KaitaiStruct): GgmlBlock_Q5K
proc read*(_: typedesc[GgmlBlock_Q6K], io: KaitaiStream, root: KaitaiStruct, parent: KaitaiStruct): GgmlBlock_Q6K
proc read*(_: typedesc[GgmlBlock_Q80], io: KaitaiStream, root: KaitaiStruct, parent: KaitaiStruct): GgmlBlock_Q80
proc read*(_: typedesc[GgmlBlock_Q81], io: KaitaiStream, root: KaitaiStruct, parent: KaitaiStruct): GgmlBlock_Q81
proc read*(_: typedesc[GgmlBlock_Q8K], io: KaitaiStream, root: KaitaiStruct, parent: KaitaiStruct): GgmlBlock_Q8K
proc read*(_: typedesc[GgmlBlock_Tq10], io: KaitaiStream, root: KaitaiStruct, parent: KaitaiStruct): GgmlBlock_Tq10
proc read*(_: typedesc[GgmlBlock_Tq20], io: KaitaiStream, root: KaitaiStruct, parent: KaitaiStruct): GgmlBlock_Tq20



##[
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

@see <a href="https://github.com/ggml-org/ggml/blob/d99724f2/src/ggml-common.h">Source</a>
@see <a href="https://github.com/ggml-org/ggml/blob/d99724f2/include/ggml.h">Source</a>
]##
proc read*(_: typedesc[GgmlBlock], io: KaitaiStream, root: KaitaiStruct, parent: KaitaiStruct): GgmlBlock =
  template this: untyped = result
  this = new(GgmlBlock)
  let root = if root == nil: cast[GgmlBlock](this) else: cast[GgmlBlock](root)
  this.io = io
  this.root = root
  this.parent = parent


proc fromFile*(_: typedesc[GgmlBlock], filename: string): GgmlBlock =
  GgmlBlock.read(newKaitaiFileStream(filename), nil, nil)

proc read*(_: typedesc[GgmlBlock_Bf16], io: KaitaiStream, root: KaitaiStruct, parent: KaitaiStruct): GgmlBlock_Bf16 =
  template this: untyped = result
  this = new(GgmlBlock_Bf16)
  let root = if root == nil: cast[GgmlBlock](this) else: cast[GgmlBlock](root)
  this.io = io
  this.root = root
  this.parent = parent

  let valueExpr = this.io.readU2le()
  this.value = valueExpr

proc fromFile*(_: typedesc[GgmlBlock_Bf16], filename: string): GgmlBlock_Bf16 =
  GgmlBlock_Bf16.read(newKaitaiFileStream(filename), nil, nil)

proc read*(_: typedesc[GgmlBlock_F16], io: KaitaiStream, root: KaitaiStruct, parent: KaitaiStruct): GgmlBlock_F16 =
  template this: untyped = result
  this = new(GgmlBlock_F16)
  let root = if root == nil: cast[GgmlBlock](this) else: cast[GgmlBlock](root)
  this.io = io
  this.root = root
  this.parent = parent

  let valueExpr = this.io.readU2le()
  this.value = valueExpr

proc fromFile*(_: typedesc[GgmlBlock_F16], filename: string): GgmlBlock_F16 =
  GgmlBlock_F16.read(newKaitaiFileStream(filename), nil, nil)

proc read*(_: typedesc[GgmlBlock_F32], io: KaitaiStream, root: KaitaiStruct, parent: KaitaiStruct): GgmlBlock_F32 =
  template this: untyped = result
  this = new(GgmlBlock_F32)
  let root = if root == nil: cast[GgmlBlock](this) else: cast[GgmlBlock](root)
  this.io = io
  this.root = root
  this.parent = parent

  let valueExpr = this.io.readF4le()
  this.value = valueExpr

proc fromFile*(_: typedesc[GgmlBlock_F32], filename: string): GgmlBlock_F32 =
  GgmlBlock_F32.read(newKaitaiFileStream(filename), nil, nil)

proc read*(_: typedesc[GgmlBlock_F64], io: KaitaiStream, root: KaitaiStruct, parent: KaitaiStruct): GgmlBlock_F64 =
  template this: untyped = result
  this = new(GgmlBlock_F64)
  let root = if root == nil: cast[GgmlBlock](this) else: cast[GgmlBlock](root)
  this.io = io
  this.root = root
  this.parent = parent

  let valueExpr = this.io.readF8le()
  this.value = valueExpr

proc fromFile*(_: typedesc[GgmlBlock_F64], filename: string): GgmlBlock_F64 =
  GgmlBlock_F64.read(newKaitaiFileStream(filename), nil, nil)

proc read*(_: typedesc[GgmlBlock_I16], io: KaitaiStream, root: KaitaiStruct, parent: KaitaiStruct): GgmlBlock_I16 =
  template this: untyped = result
  this = new(GgmlBlock_I16)
  let root = if root == nil: cast[GgmlBlock](this) else: cast[GgmlBlock](root)
  this.io = io
  this.root = root
  this.parent = parent

  let valueExpr = this.io.readS2le()
  this.value = valueExpr

proc fromFile*(_: typedesc[GgmlBlock_I16], filename: string): GgmlBlock_I16 =
  GgmlBlock_I16.read(newKaitaiFileStream(filename), nil, nil)

proc read*(_: typedesc[GgmlBlock_I32], io: KaitaiStream, root: KaitaiStruct, parent: KaitaiStruct): GgmlBlock_I32 =
  template this: untyped = result
  this = new(GgmlBlock_I32)
  let root = if root == nil: cast[GgmlBlock](this) else: cast[GgmlBlock](root)
  this.io = io
  this.root = root
  this.parent = parent

  let valueExpr = this.io.readS4le()
  this.value = valueExpr

proc fromFile*(_: typedesc[GgmlBlock_I32], filename: string): GgmlBlock_I32 =
  GgmlBlock_I32.read(newKaitaiFileStream(filename), nil, nil)

proc read*(_: typedesc[GgmlBlock_I64], io: KaitaiStream, root: KaitaiStruct, parent: KaitaiStruct): GgmlBlock_I64 =
  template this: untyped = result
  this = new(GgmlBlock_I64)
  let root = if root == nil: cast[GgmlBlock](this) else: cast[GgmlBlock](root)
  this.io = io
  this.root = root
  this.parent = parent

  let valueExpr = this.io.readS8le()
  this.value = valueExpr

proc fromFile*(_: typedesc[GgmlBlock_I64], filename: string): GgmlBlock_I64 =
  GgmlBlock_I64.read(newKaitaiFileStream(filename), nil, nil)

proc read*(_: typedesc[GgmlBlock_I8], io: KaitaiStream, root: KaitaiStruct, parent: KaitaiStruct): GgmlBlock_I8 =
  template this: untyped = result
  this = new(GgmlBlock_I8)
  let root = if root == nil: cast[GgmlBlock](this) else: cast[GgmlBlock](root)
  this.io = io
  this.root = root
  this.parent = parent

  let valueExpr = this.io.readS1()
  this.value = valueExpr

proc fromFile*(_: typedesc[GgmlBlock_I8], filename: string): GgmlBlock_I8 =
  GgmlBlock_I8.read(newKaitaiFileStream(filename), nil, nil)

proc read*(_: typedesc[GgmlBlock_Iq1M], io: KaitaiStream, root: KaitaiStruct, parent: KaitaiStruct): GgmlBlock_Iq1M =
  template this: untyped = result
  this = new(GgmlBlock_Iq1M)
  let root = if root == nil: cast[GgmlBlock](this) else: cast[GgmlBlock](root)
  this.io = io
  this.root = root
  this.parent = parent

  for i in 0 ..< int(32):
    let it = this.io.readU1()
    this.qs.add(it)
  for i in 0 ..< int(16):
    let it = this.io.readU1()
    this.qh.add(it)
  for i in 0 ..< int(8):
    let it = this.io.readU1()
    this.scales.add(it)

proc fromFile*(_: typedesc[GgmlBlock_Iq1M], filename: string): GgmlBlock_Iq1M =
  GgmlBlock_Iq1M.read(newKaitaiFileStream(filename), nil, nil)

proc read*(_: typedesc[GgmlBlock_Iq1S], io: KaitaiStream, root: KaitaiStruct, parent: KaitaiStruct): GgmlBlock_Iq1S =
  template this: untyped = result
  this = new(GgmlBlock_Iq1S)
  let root = if root == nil: cast[GgmlBlock](this) else: cast[GgmlBlock](root)
  this.io = io
  this.root = root
  this.parent = parent

  let dExpr = this.io.readU2le()
  this.d = dExpr
  for i in 0 ..< int(32):
    let it = this.io.readU1()
    this.qs.add(it)
  for i in 0 ..< int(8):
    let it = this.io.readU2le()
    this.qh.add(it)

proc fromFile*(_: typedesc[GgmlBlock_Iq1S], filename: string): GgmlBlock_Iq1S =
  GgmlBlock_Iq1S.read(newKaitaiFileStream(filename), nil, nil)

proc read*(_: typedesc[GgmlBlock_Iq2S], io: KaitaiStream, root: KaitaiStruct, parent: KaitaiStruct): GgmlBlock_Iq2S =
  template this: untyped = result
  this = new(GgmlBlock_Iq2S)
  let root = if root == nil: cast[GgmlBlock](this) else: cast[GgmlBlock](root)
  this.io = io
  this.root = root
  this.parent = parent

  let dExpr = this.io.readU2le()
  this.d = dExpr
  for i in 0 ..< int(64):
    let it = this.io.readU1()
    this.qs.add(it)
  for i in 0 ..< int(8):
    let it = this.io.readU1()
    this.qh.add(it)
  for i in 0 ..< int(8):
    let it = this.io.readU1()
    this.scales.add(it)

proc fromFile*(_: typedesc[GgmlBlock_Iq2S], filename: string): GgmlBlock_Iq2S =
  GgmlBlock_Iq2S.read(newKaitaiFileStream(filename), nil, nil)

proc read*(_: typedesc[GgmlBlock_Iq2Xs], io: KaitaiStream, root: KaitaiStruct, parent: KaitaiStruct): GgmlBlock_Iq2Xs =
  template this: untyped = result
  this = new(GgmlBlock_Iq2Xs)
  let root = if root == nil: cast[GgmlBlock](this) else: cast[GgmlBlock](root)
  this.io = io
  this.root = root
  this.parent = parent

  let dExpr = this.io.readU2le()
  this.d = dExpr
  for i in 0 ..< int(32):
    let it = this.io.readU2le()
    this.qs.add(it)
  for i in 0 ..< int(8):
    let it = this.io.readU1()
    this.scales.add(it)

proc fromFile*(_: typedesc[GgmlBlock_Iq2Xs], filename: string): GgmlBlock_Iq2Xs =
  GgmlBlock_Iq2Xs.read(newKaitaiFileStream(filename), nil, nil)

proc read*(_: typedesc[GgmlBlock_Iq2Xxs], io: KaitaiStream, root: KaitaiStruct, parent: KaitaiStruct): GgmlBlock_Iq2Xxs =
  template this: untyped = result
  this = new(GgmlBlock_Iq2Xxs)
  let root = if root == nil: cast[GgmlBlock](this) else: cast[GgmlBlock](root)
  this.io = io
  this.root = root
  this.parent = parent

  let dExpr = this.io.readU2le()
  this.d = dExpr
  for i in 0 ..< int(32):
    let it = this.io.readU2le()
    this.qs.add(it)

proc fromFile*(_: typedesc[GgmlBlock_Iq2Xxs], filename: string): GgmlBlock_Iq2Xxs =
  GgmlBlock_Iq2Xxs.read(newKaitaiFileStream(filename), nil, nil)

proc read*(_: typedesc[GgmlBlock_Iq3S], io: KaitaiStream, root: KaitaiStruct, parent: KaitaiStruct): GgmlBlock_Iq3S =
  template this: untyped = result
  this = new(GgmlBlock_Iq3S)
  let root = if root == nil: cast[GgmlBlock](this) else: cast[GgmlBlock](root)
  this.io = io
  this.root = root
  this.parent = parent

  let dExpr = this.io.readU2le()
  this.d = dExpr
  for i in 0 ..< int(64):
    let it = this.io.readU1()
    this.qs.add(it)
  for i in 0 ..< int(8):
    let it = this.io.readU1()
    this.qh.add(it)
  for i in 0 ..< int(32):
    let it = this.io.readU1()
    this.signs.add(it)
  for i in 0 ..< int(4):
    let it = this.io.readU1()
    this.scales.add(it)

proc fromFile*(_: typedesc[GgmlBlock_Iq3S], filename: string): GgmlBlock_Iq3S =
  GgmlBlock_Iq3S.read(newKaitaiFileStream(filename), nil, nil)

proc read*(_: typedesc[GgmlBlock_Iq3Xxs], io: KaitaiStream, root: KaitaiStruct, parent: KaitaiStruct): GgmlBlock_Iq3Xxs =
  template this: untyped = result
  this = new(GgmlBlock_Iq3Xxs)
  let root = if root == nil: cast[GgmlBlock](this) else: cast[GgmlBlock](root)
  this.io = io
  this.root = root
  this.parent = parent

  let dExpr = this.io.readU2le()
  this.d = dExpr
  for i in 0 ..< int(96):
    let it = this.io.readU1()
    this.qs.add(it)

proc fromFile*(_: typedesc[GgmlBlock_Iq3Xxs], filename: string): GgmlBlock_Iq3Xxs =
  GgmlBlock_Iq3Xxs.read(newKaitaiFileStream(filename), nil, nil)

proc read*(_: typedesc[GgmlBlock_Iq4Nl], io: KaitaiStream, root: KaitaiStruct, parent: KaitaiStruct): GgmlBlock_Iq4Nl =
  template this: untyped = result
  this = new(GgmlBlock_Iq4Nl)
  let root = if root == nil: cast[GgmlBlock](this) else: cast[GgmlBlock](root)
  this.io = io
  this.root = root
  this.parent = parent

  let dExpr = this.io.readU2le()
  this.d = dExpr
  for i in 0 ..< int(16):
    let it = this.io.readU1()
    this.qs.add(it)

proc fromFile*(_: typedesc[GgmlBlock_Iq4Nl], filename: string): GgmlBlock_Iq4Nl =
  GgmlBlock_Iq4Nl.read(newKaitaiFileStream(filename), nil, nil)

proc read*(_: typedesc[GgmlBlock_Iq4Xs], io: KaitaiStream, root: KaitaiStruct, parent: KaitaiStruct): GgmlBlock_Iq4Xs =
  template this: untyped = result
  this = new(GgmlBlock_Iq4Xs)
  let root = if root == nil: cast[GgmlBlock](this) else: cast[GgmlBlock](root)
  this.io = io
  this.root = root
  this.parent = parent

  let dExpr = this.io.readU2le()
  this.d = dExpr
  let scalesHExpr = this.io.readU2le()
  this.scalesH = scalesHExpr
  for i in 0 ..< int(4):
    let it = this.io.readU1()
    this.scalesL.add(it)
  for i in 0 ..< int(128):
    let it = this.io.readU1()
    this.qs.add(it)

proc fromFile*(_: typedesc[GgmlBlock_Iq4Xs], filename: string): GgmlBlock_Iq4Xs =
  GgmlBlock_Iq4Xs.read(newKaitaiFileStream(filename), nil, nil)

proc read*(_: typedesc[GgmlBlock_Mxfp4], io: KaitaiStream, root: KaitaiStruct, parent: KaitaiStruct): GgmlBlock_Mxfp4 =
  template this: untyped = result
  this = new(GgmlBlock_Mxfp4)
  let root = if root == nil: cast[GgmlBlock](this) else: cast[GgmlBlock](root)
  this.io = io
  this.root = root
  this.parent = parent

  let eExpr = this.io.readU1()
  this.e = eExpr
  for i in 0 ..< int(16):
    let it = this.io.readU1()
    this.qs.add(it)

proc fromFile*(_: typedesc[GgmlBlock_Mxfp4], filename: string): GgmlBlock_Mxfp4 =
  GgmlBlock_Mxfp4.read(newKaitaiFileStream(filename), nil, nil)

proc read*(_: typedesc[GgmlBlock_Nvfp4], io: KaitaiStream, root: KaitaiStruct, parent: KaitaiStruct): GgmlBlock_Nvfp4 =
  template this: untyped = result
  this = new(GgmlBlock_Nvfp4)
  let root = if root == nil: cast[GgmlBlock](this) else: cast[GgmlBlock](root)
  this.io = io
  this.root = root
  this.parent = parent

  for i in 0 ..< int(4):
    let it = this.io.readU1()
    this.d.add(it)
  for i in 0 ..< int(32):
    let it = this.io.readU1()
    this.qs.add(it)

proc fromFile*(_: typedesc[GgmlBlock_Nvfp4], filename: string): GgmlBlock_Nvfp4 =
  GgmlBlock_Nvfp4.read(newKaitaiFileStream(filename), nil, nil)

proc read*(_: typedesc[GgmlBlock_Q10], io: KaitaiStream, root: KaitaiStruct, parent: KaitaiStruct): GgmlBlock_Q10 =
  template this: untyped = result
  this = new(GgmlBlock_Q10)
  let root = if root == nil: cast[GgmlBlock](this) else: cast[GgmlBlock](root)
  this.io = io
  this.root = root
  this.parent = parent

  let dExpr = this.io.readU2le()
  this.d = dExpr
  for i in 0 ..< int(16):
    let it = this.io.readU1()
    this.qs.add(it)

proc fromFile*(_: typedesc[GgmlBlock_Q10], filename: string): GgmlBlock_Q10 =
  GgmlBlock_Q10.read(newKaitaiFileStream(filename), nil, nil)

proc read*(_: typedesc[GgmlBlock_Q20], io: KaitaiStream, root: KaitaiStruct, parent: KaitaiStruct): GgmlBlock_Q20 =
  template this: untyped = result
  this = new(GgmlBlock_Q20)
  let root = if root == nil: cast[GgmlBlock](this) else: cast[GgmlBlock](root)
  this.io = io
  this.root = root
  this.parent = parent

  let dExpr = this.io.readU2le()
  this.d = dExpr
  for i in 0 ..< int(16):
    let it = this.io.readU1()
    this.qs.add(it)

proc fromFile*(_: typedesc[GgmlBlock_Q20], filename: string): GgmlBlock_Q20 =
  GgmlBlock_Q20.read(newKaitaiFileStream(filename), nil, nil)

proc read*(_: typedesc[GgmlBlock_Q2K], io: KaitaiStream, root: KaitaiStruct, parent: KaitaiStruct): GgmlBlock_Q2K =
  template this: untyped = result
  this = new(GgmlBlock_Q2K)
  let root = if root == nil: cast[GgmlBlock](this) else: cast[GgmlBlock](root)
  this.io = io
  this.root = root
  this.parent = parent

  for i in 0 ..< int(16):
    let it = this.io.readU1()
    this.scales.add(it)
  for i in 0 ..< int(64):
    let it = this.io.readU1()
    this.qs.add(it)
  let dExpr = this.io.readU2le()
  this.d = dExpr
  let dminExpr = this.io.readU2le()
  this.dmin = dminExpr

proc fromFile*(_: typedesc[GgmlBlock_Q2K], filename: string): GgmlBlock_Q2K =
  GgmlBlock_Q2K.read(newKaitaiFileStream(filename), nil, nil)

proc read*(_: typedesc[GgmlBlock_Q3K], io: KaitaiStream, root: KaitaiStruct, parent: KaitaiStruct): GgmlBlock_Q3K =
  template this: untyped = result
  this = new(GgmlBlock_Q3K)
  let root = if root == nil: cast[GgmlBlock](this) else: cast[GgmlBlock](root)
  this.io = io
  this.root = root
  this.parent = parent

  for i in 0 ..< int(32):
    let it = this.io.readU1()
    this.hmask.add(it)
  for i in 0 ..< int(64):
    let it = this.io.readU1()
    this.qs.add(it)
  for i in 0 ..< int(12):
    let it = this.io.readU1()
    this.scales.add(it)
  let dExpr = this.io.readU2le()
  this.d = dExpr

proc fromFile*(_: typedesc[GgmlBlock_Q3K], filename: string): GgmlBlock_Q3K =
  GgmlBlock_Q3K.read(newKaitaiFileStream(filename), nil, nil)

proc read*(_: typedesc[GgmlBlock_Q40], io: KaitaiStream, root: KaitaiStruct, parent: KaitaiStruct): GgmlBlock_Q40 =
  template this: untyped = result
  this = new(GgmlBlock_Q40)
  let root = if root == nil: cast[GgmlBlock](this) else: cast[GgmlBlock](root)
  this.io = io
  this.root = root
  this.parent = parent

  let dExpr = this.io.readU2le()
  this.d = dExpr
  for i in 0 ..< int(16):
    let it = this.io.readU1()
    this.qs.add(it)

proc fromFile*(_: typedesc[GgmlBlock_Q40], filename: string): GgmlBlock_Q40 =
  GgmlBlock_Q40.read(newKaitaiFileStream(filename), nil, nil)

proc read*(_: typedesc[GgmlBlock_Q41], io: KaitaiStream, root: KaitaiStruct, parent: KaitaiStruct): GgmlBlock_Q41 =
  template this: untyped = result
  this = new(GgmlBlock_Q41)
  let root = if root == nil: cast[GgmlBlock](this) else: cast[GgmlBlock](root)
  this.io = io
  this.root = root
  this.parent = parent

  let dExpr = this.io.readU2le()
  this.d = dExpr
  let mExpr = this.io.readU2le()
  this.m = mExpr
  for i in 0 ..< int(16):
    let it = this.io.readU1()
    this.qs.add(it)

proc fromFile*(_: typedesc[GgmlBlock_Q41], filename: string): GgmlBlock_Q41 =
  GgmlBlock_Q41.read(newKaitaiFileStream(filename), nil, nil)

proc read*(_: typedesc[GgmlBlock_Q4K], io: KaitaiStream, root: KaitaiStruct, parent: KaitaiStruct): GgmlBlock_Q4K =
  template this: untyped = result
  this = new(GgmlBlock_Q4K)
  let root = if root == nil: cast[GgmlBlock](this) else: cast[GgmlBlock](root)
  this.io = io
  this.root = root
  this.parent = parent

  let dExpr = this.io.readU2le()
  this.d = dExpr
  let dminExpr = this.io.readU2le()
  this.dmin = dminExpr
  for i in 0 ..< int(12):
    let it = this.io.readU1()
    this.scales.add(it)
  for i in 0 ..< int(128):
    let it = this.io.readU1()
    this.qs.add(it)

proc fromFile*(_: typedesc[GgmlBlock_Q4K], filename: string): GgmlBlock_Q4K =
  GgmlBlock_Q4K.read(newKaitaiFileStream(filename), nil, nil)

proc read*(_: typedesc[GgmlBlock_Q50], io: KaitaiStream, root: KaitaiStruct, parent: KaitaiStruct): GgmlBlock_Q50 =
  template this: untyped = result
  this = new(GgmlBlock_Q50)
  let root = if root == nil: cast[GgmlBlock](this) else: cast[GgmlBlock](root)
  this.io = io
  this.root = root
  this.parent = parent

  let dExpr = this.io.readU2le()
  this.d = dExpr
  for i in 0 ..< int(4):
    let it = this.io.readU1()
    this.qh.add(it)
  for i in 0 ..< int(16):
    let it = this.io.readU1()
    this.qs.add(it)

proc fromFile*(_: typedesc[GgmlBlock_Q50], filename: string): GgmlBlock_Q50 =
  GgmlBlock_Q50.read(newKaitaiFileStream(filename), nil, nil)

proc read*(_: typedesc[GgmlBlock_Q51], io: KaitaiStream, root: KaitaiStruct, parent: KaitaiStruct): GgmlBlock_Q51 =
  template this: untyped = result
  this = new(GgmlBlock_Q51)
  let root = if root == nil: cast[GgmlBlock](this) else: cast[GgmlBlock](root)
  this.io = io
  this.root = root
  this.parent = parent

  let dExpr = this.io.readU2le()
  this.d = dExpr
  let mExpr = this.io.readU2le()
  this.m = mExpr
  for i in 0 ..< int(4):
    let it = this.io.readU1()
    this.qh.add(it)
  for i in 0 ..< int(16):
    let it = this.io.readU1()
    this.qs.add(it)

proc fromFile*(_: typedesc[GgmlBlock_Q51], filename: string): GgmlBlock_Q51 =
  GgmlBlock_Q51.read(newKaitaiFileStream(filename), nil, nil)

proc read*(_: typedesc[GgmlBlock_Q5K], io: KaitaiStream, root: KaitaiStruct, parent: KaitaiStruct): GgmlBlock_Q5K =
  template this: untyped = result
  this = new(GgmlBlock_Q5K)
  let root = if root == nil: cast[GgmlBlock](this) else: cast[GgmlBlock](root)
  this.io = io
  this.root = root
  this.parent = parent

  let dExpr = this.io.readU2le()
  this.d = dExpr
  let dminExpr = this.io.readU2le()
  this.dmin = dminExpr
  for i in 0 ..< int(12):
    let it = this.io.readU1()
    this.scales.add(it)
  for i in 0 ..< int(32):
    let it = this.io.readU1()
    this.qh.add(it)
  for i in 0 ..< int(128):
    let it = this.io.readU1()
    this.qs.add(it)

proc fromFile*(_: typedesc[GgmlBlock_Q5K], filename: string): GgmlBlock_Q5K =
  GgmlBlock_Q5K.read(newKaitaiFileStream(filename), nil, nil)

proc read*(_: typedesc[GgmlBlock_Q6K], io: KaitaiStream, root: KaitaiStruct, parent: KaitaiStruct): GgmlBlock_Q6K =
  template this: untyped = result
  this = new(GgmlBlock_Q6K)
  let root = if root == nil: cast[GgmlBlock](this) else: cast[GgmlBlock](root)
  this.io = io
  this.root = root
  this.parent = parent

  for i in 0 ..< int(128):
    let it = this.io.readU1()
    this.ql.add(it)
  for i in 0 ..< int(64):
    let it = this.io.readU1()
    this.qh.add(it)
  for i in 0 ..< int(16):
    let it = this.io.readS1()
    this.scales.add(it)
  let dExpr = this.io.readU2le()
  this.d = dExpr

proc fromFile*(_: typedesc[GgmlBlock_Q6K], filename: string): GgmlBlock_Q6K =
  GgmlBlock_Q6K.read(newKaitaiFileStream(filename), nil, nil)

proc read*(_: typedesc[GgmlBlock_Q80], io: KaitaiStream, root: KaitaiStruct, parent: KaitaiStruct): GgmlBlock_Q80 =
  template this: untyped = result
  this = new(GgmlBlock_Q80)
  let root = if root == nil: cast[GgmlBlock](this) else: cast[GgmlBlock](root)
  this.io = io
  this.root = root
  this.parent = parent

  let dExpr = this.io.readU2le()
  this.d = dExpr
  for i in 0 ..< int(32):
    let it = this.io.readS1()
    this.qs.add(it)

proc fromFile*(_: typedesc[GgmlBlock_Q80], filename: string): GgmlBlock_Q80 =
  GgmlBlock_Q80.read(newKaitaiFileStream(filename), nil, nil)

proc read*(_: typedesc[GgmlBlock_Q81], io: KaitaiStream, root: KaitaiStruct, parent: KaitaiStruct): GgmlBlock_Q81 =
  template this: untyped = result
  this = new(GgmlBlock_Q81)
  let root = if root == nil: cast[GgmlBlock](this) else: cast[GgmlBlock](root)
  this.io = io
  this.root = root
  this.parent = parent

  let dExpr = this.io.readU2le()
  this.d = dExpr
  let sExpr = this.io.readU2le()
  this.s = sExpr
  for i in 0 ..< int(32):
    let it = this.io.readS1()
    this.qs.add(it)

proc fromFile*(_: typedesc[GgmlBlock_Q81], filename: string): GgmlBlock_Q81 =
  GgmlBlock_Q81.read(newKaitaiFileStream(filename), nil, nil)

proc read*(_: typedesc[GgmlBlock_Q8K], io: KaitaiStream, root: KaitaiStruct, parent: KaitaiStruct): GgmlBlock_Q8K =
  template this: untyped = result
  this = new(GgmlBlock_Q8K)
  let root = if root == nil: cast[GgmlBlock](this) else: cast[GgmlBlock](root)
  this.io = io
  this.root = root
  this.parent = parent

  let dExpr = this.io.readF4le()
  this.d = dExpr
  for i in 0 ..< int(256):
    let it = this.io.readS1()
    this.qs.add(it)
  for i in 0 ..< int(16):
    let it = this.io.readS2le()
    this.bsums.add(it)

proc fromFile*(_: typedesc[GgmlBlock_Q8K], filename: string): GgmlBlock_Q8K =
  GgmlBlock_Q8K.read(newKaitaiFileStream(filename), nil, nil)

proc read*(_: typedesc[GgmlBlock_Tq10], io: KaitaiStream, root: KaitaiStruct, parent: KaitaiStruct): GgmlBlock_Tq10 =
  template this: untyped = result
  this = new(GgmlBlock_Tq10)
  let root = if root == nil: cast[GgmlBlock](this) else: cast[GgmlBlock](root)
  this.io = io
  this.root = root
  this.parent = parent

  for i in 0 ..< int(48):
    let it = this.io.readU1()
    this.qs.add(it)
  for i in 0 ..< int(4):
    let it = this.io.readU1()
    this.qh.add(it)
  let dExpr = this.io.readU2le()
  this.d = dExpr

proc fromFile*(_: typedesc[GgmlBlock_Tq10], filename: string): GgmlBlock_Tq10 =
  GgmlBlock_Tq10.read(newKaitaiFileStream(filename), nil, nil)

proc read*(_: typedesc[GgmlBlock_Tq20], io: KaitaiStream, root: KaitaiStruct, parent: KaitaiStruct): GgmlBlock_Tq20 =
  template this: untyped = result
  this = new(GgmlBlock_Tq20)
  let root = if root == nil: cast[GgmlBlock](this) else: cast[GgmlBlock](root)
  this.io = io
  this.root = root
  this.parent = parent

  for i in 0 ..< int(64):
    let it = this.io.readU1()
    this.qs.add(it)
  let dExpr = this.io.readU2le()
  this.d = dExpr

proc fromFile*(_: typedesc[GgmlBlock_Tq20], filename: string): GgmlBlock_Tq20 =
  GgmlBlock_Tq20.read(newKaitaiFileStream(filename), nil, nil)

