-- This is a generated file! Please edit source .ksy file and use kaitai-struct-compiler to rebuild
--
-- This file is compatible with Lua 5.3

local class = require("class")
require("kaitaistruct")

-- 
-- A GGML tensor is a sequence of rows, and a row is a sequence of blocks of one
-- type. Plain types have one element per block. A quantized type packs 32 to 256
-- elements into a block: small integers together with the scale (and minimum or
-- offset) that turns them back into numbers. Blocks have no padding.
-- 
-- Each type here is named after a value of the enum `ggml_type` in `gguf.ksy`,
-- and describes one block. Fields of 16 and 32 bits are in the byte order of the
-- file; these types read little-endian files.
-- 
-- Three extra keys hold facts that Kaitai Struct can't express: `-num-elements`
-- is the number of elements in a block, `-float` the floating-point format of
-- the bits that `type` reads as an integer, and `-removed-types` lists the
-- numbers of types that ggml has removed, but that old files still use.
-- 
-- Field names are those of GGML: `d` is the scale of the block, `dmin` and `m`
-- belong to its minimum, `s` is d times the sum of `qs`, `qs` are the low bits
-- of the quants, and `qh` the high ones.
-- See also: Source (https://github.com/ggml-org/ggml/blob/d99724f2/src/ggml-common.h)
-- See also: Source (https://github.com/ggml-org/ggml/blob/d99724f2/include/ggml.h)
GgmlBlock = class.class(KaitaiStruct)

function GgmlBlock:_init(io, parent, root)
  KaitaiStruct._init(self, io)
  self._parent = parent
  self._root = root or self
  self:_read()
end

function GgmlBlock:_read()
end


GgmlBlock.Bf16 = class.class(KaitaiStruct)

function GgmlBlock.Bf16:_init(io, parent, root)
  KaitaiStruct._init(self, io)
  self._parent = parent
  self._root = root
  self:_read()
end

function GgmlBlock.Bf16:_read()
  self.value = self._io:read_u2le()
end


GgmlBlock.F16 = class.class(KaitaiStruct)

function GgmlBlock.F16:_init(io, parent, root)
  KaitaiStruct._init(self, io)
  self._parent = parent
  self._root = root
  self:_read()
end

function GgmlBlock.F16:_read()
  self.value = self._io:read_u2le()
end


GgmlBlock.F32 = class.class(KaitaiStruct)

function GgmlBlock.F32:_init(io, parent, root)
  KaitaiStruct._init(self, io)
  self._parent = parent
  self._root = root
  self:_read()
end

function GgmlBlock.F32:_read()
  self.value = self._io:read_f4le()
end


GgmlBlock.F64 = class.class(KaitaiStruct)

function GgmlBlock.F64:_init(io, parent, root)
  KaitaiStruct._init(self, io)
  self._parent = parent
  self._root = root
  self:_read()
end

function GgmlBlock.F64:_read()
  self.value = self._io:read_f8le()
end


GgmlBlock.I16 = class.class(KaitaiStruct)

function GgmlBlock.I16:_init(io, parent, root)
  KaitaiStruct._init(self, io)
  self._parent = parent
  self._root = root
  self:_read()
end

function GgmlBlock.I16:_read()
  self.value = self._io:read_s2le()
end


GgmlBlock.I32 = class.class(KaitaiStruct)

function GgmlBlock.I32:_init(io, parent, root)
  KaitaiStruct._init(self, io)
  self._parent = parent
  self._root = root
  self:_read()
end

function GgmlBlock.I32:_read()
  self.value = self._io:read_s4le()
end


GgmlBlock.I64 = class.class(KaitaiStruct)

function GgmlBlock.I64:_init(io, parent, root)
  KaitaiStruct._init(self, io)
  self._parent = parent
  self._root = root
  self:_read()
end

function GgmlBlock.I64:_read()
  self.value = self._io:read_s8le()
end


GgmlBlock.I8 = class.class(KaitaiStruct)

function GgmlBlock.I8:_init(io, parent, root)
  KaitaiStruct._init(self, io)
  self._parent = parent
  self._root = root
  self:_read()
end

function GgmlBlock.I8:_read()
  self.value = self._io:read_s1()
end


GgmlBlock.Iq1M = class.class(KaitaiStruct)

function GgmlBlock.Iq1M:_init(io, parent, root)
  KaitaiStruct._init(self, io)
  self._parent = parent
  self._root = root
  self:_read()
end

function GgmlBlock.Iq1M:_read()
  self.qs = {}
  for i = 0, 32 - 1 do
    self.qs[i + 1] = self._io:read_u1()
  end
  self.qh = {}
  for i = 0, 16 - 1 do
    self.qh[i + 1] = self._io:read_u1()
  end
  self.scales = {}
  for i = 0, 8 - 1 do
    self.scales[i + 1] = self._io:read_u1()
  end
end


GgmlBlock.Iq1S = class.class(KaitaiStruct)

function GgmlBlock.Iq1S:_init(io, parent, root)
  KaitaiStruct._init(self, io)
  self._parent = parent
  self._root = root
  self:_read()
end

function GgmlBlock.Iq1S:_read()
  self.d = self._io:read_u2le()
  self.qs = {}
  for i = 0, 32 - 1 do
    self.qs[i + 1] = self._io:read_u1()
  end
  self.qh = {}
  for i = 0, 8 - 1 do
    self.qh[i + 1] = self._io:read_u2le()
  end
end


GgmlBlock.Iq2S = class.class(KaitaiStruct)

function GgmlBlock.Iq2S:_init(io, parent, root)
  KaitaiStruct._init(self, io)
  self._parent = parent
  self._root = root
  self:_read()
end

function GgmlBlock.Iq2S:_read()
  self.d = self._io:read_u2le()
  self.qs = {}
  for i = 0, 64 - 1 do
    self.qs[i + 1] = self._io:read_u1()
  end
  self.qh = {}
  for i = 0, 8 - 1 do
    self.qh[i + 1] = self._io:read_u1()
  end
  self.scales = {}
  for i = 0, 8 - 1 do
    self.scales[i + 1] = self._io:read_u1()
  end
end


GgmlBlock.Iq2Xs = class.class(KaitaiStruct)

function GgmlBlock.Iq2Xs:_init(io, parent, root)
  KaitaiStruct._init(self, io)
  self._parent = parent
  self._root = root
  self:_read()
end

function GgmlBlock.Iq2Xs:_read()
  self.d = self._io:read_u2le()
  self.qs = {}
  for i = 0, 32 - 1 do
    self.qs[i + 1] = self._io:read_u2le()
  end
  self.scales = {}
  for i = 0, 8 - 1 do
    self.scales[i + 1] = self._io:read_u1()
  end
end


GgmlBlock.Iq2Xxs = class.class(KaitaiStruct)

function GgmlBlock.Iq2Xxs:_init(io, parent, root)
  KaitaiStruct._init(self, io)
  self._parent = parent
  self._root = root
  self:_read()
end

function GgmlBlock.Iq2Xxs:_read()
  self.d = self._io:read_u2le()
  self.qs = {}
  for i = 0, 32 - 1 do
    self.qs[i + 1] = self._io:read_u2le()
  end
end


GgmlBlock.Iq3S = class.class(KaitaiStruct)

function GgmlBlock.Iq3S:_init(io, parent, root)
  KaitaiStruct._init(self, io)
  self._parent = parent
  self._root = root
  self:_read()
end

function GgmlBlock.Iq3S:_read()
  self.d = self._io:read_u2le()
  self.qs = {}
  for i = 0, 64 - 1 do
    self.qs[i + 1] = self._io:read_u1()
  end
  self.qh = {}
  for i = 0, 8 - 1 do
    self.qh[i + 1] = self._io:read_u1()
  end
  self.signs = {}
  for i = 0, 32 - 1 do
    self.signs[i + 1] = self._io:read_u1()
  end
  self.scales = {}
  for i = 0, 4 - 1 do
    self.scales[i + 1] = self._io:read_u1()
  end
end


GgmlBlock.Iq3Xxs = class.class(KaitaiStruct)

function GgmlBlock.Iq3Xxs:_init(io, parent, root)
  KaitaiStruct._init(self, io)
  self._parent = parent
  self._root = root
  self:_read()
end

function GgmlBlock.Iq3Xxs:_read()
  self.d = self._io:read_u2le()
  self.qs = {}
  for i = 0, 96 - 1 do
    self.qs[i + 1] = self._io:read_u1()
  end
end


GgmlBlock.Iq4Nl = class.class(KaitaiStruct)

function GgmlBlock.Iq4Nl:_init(io, parent, root)
  KaitaiStruct._init(self, io)
  self._parent = parent
  self._root = root
  self:_read()
end

function GgmlBlock.Iq4Nl:_read()
  self.d = self._io:read_u2le()
  self.qs = {}
  for i = 0, 16 - 1 do
    self.qs[i + 1] = self._io:read_u1()
  end
end


GgmlBlock.Iq4Xs = class.class(KaitaiStruct)

function GgmlBlock.Iq4Xs:_init(io, parent, root)
  KaitaiStruct._init(self, io)
  self._parent = parent
  self._root = root
  self:_read()
end

function GgmlBlock.Iq4Xs:_read()
  self.d = self._io:read_u2le()
  self.scales_h = self._io:read_u2le()
  self.scales_l = {}
  for i = 0, 4 - 1 do
    self.scales_l[i + 1] = self._io:read_u1()
  end
  self.qs = {}
  for i = 0, 128 - 1 do
    self.qs[i + 1] = self._io:read_u1()
  end
end


GgmlBlock.Mxfp4 = class.class(KaitaiStruct)

function GgmlBlock.Mxfp4:_init(io, parent, root)
  KaitaiStruct._init(self, io)
  self._parent = parent
  self._root = root
  self:_read()
end

function GgmlBlock.Mxfp4:_read()
  self.e = self._io:read_u1()
  self.qs = {}
  for i = 0, 16 - 1 do
    self.qs[i + 1] = self._io:read_u1()
  end
end


GgmlBlock.Nvfp4 = class.class(KaitaiStruct)

function GgmlBlock.Nvfp4:_init(io, parent, root)
  KaitaiStruct._init(self, io)
  self._parent = parent
  self._root = root
  self:_read()
end

function GgmlBlock.Nvfp4:_read()
  self.d = {}
  for i = 0, 4 - 1 do
    self.d[i + 1] = self._io:read_u1()
  end
  self.qs = {}
  for i = 0, 32 - 1 do
    self.qs[i + 1] = self._io:read_u1()
  end
end


GgmlBlock.Q10 = class.class(KaitaiStruct)

function GgmlBlock.Q10:_init(io, parent, root)
  KaitaiStruct._init(self, io)
  self._parent = parent
  self._root = root
  self:_read()
end

function GgmlBlock.Q10:_read()
  self.d = self._io:read_u2le()
  self.qs = {}
  for i = 0, 16 - 1 do
    self.qs[i + 1] = self._io:read_u1()
  end
end


GgmlBlock.Q20 = class.class(KaitaiStruct)

function GgmlBlock.Q20:_init(io, parent, root)
  KaitaiStruct._init(self, io)
  self._parent = parent
  self._root = root
  self:_read()
end

function GgmlBlock.Q20:_read()
  self.d = self._io:read_u2le()
  self.qs = {}
  for i = 0, 16 - 1 do
    self.qs[i + 1] = self._io:read_u1()
  end
end


GgmlBlock.Q2K = class.class(KaitaiStruct)

function GgmlBlock.Q2K:_init(io, parent, root)
  KaitaiStruct._init(self, io)
  self._parent = parent
  self._root = root
  self:_read()
end

function GgmlBlock.Q2K:_read()
  self.scales = {}
  for i = 0, 16 - 1 do
    self.scales[i + 1] = self._io:read_u1()
  end
  self.qs = {}
  for i = 0, 64 - 1 do
    self.qs[i + 1] = self._io:read_u1()
  end
  self.d = self._io:read_u2le()
  self.dmin = self._io:read_u2le()
end


GgmlBlock.Q3K = class.class(KaitaiStruct)

function GgmlBlock.Q3K:_init(io, parent, root)
  KaitaiStruct._init(self, io)
  self._parent = parent
  self._root = root
  self:_read()
end

function GgmlBlock.Q3K:_read()
  self.hmask = {}
  for i = 0, 32 - 1 do
    self.hmask[i + 1] = self._io:read_u1()
  end
  self.qs = {}
  for i = 0, 64 - 1 do
    self.qs[i + 1] = self._io:read_u1()
  end
  self.scales = {}
  for i = 0, 12 - 1 do
    self.scales[i + 1] = self._io:read_u1()
  end
  self.d = self._io:read_u2le()
end


GgmlBlock.Q40 = class.class(KaitaiStruct)

function GgmlBlock.Q40:_init(io, parent, root)
  KaitaiStruct._init(self, io)
  self._parent = parent
  self._root = root
  self:_read()
end

function GgmlBlock.Q40:_read()
  self.d = self._io:read_u2le()
  self.qs = {}
  for i = 0, 16 - 1 do
    self.qs[i + 1] = self._io:read_u1()
  end
end


GgmlBlock.Q41 = class.class(KaitaiStruct)

function GgmlBlock.Q41:_init(io, parent, root)
  KaitaiStruct._init(self, io)
  self._parent = parent
  self._root = root
  self:_read()
end

function GgmlBlock.Q41:_read()
  self.d = self._io:read_u2le()
  self.m = self._io:read_u2le()
  self.qs = {}
  for i = 0, 16 - 1 do
    self.qs[i + 1] = self._io:read_u1()
  end
end


GgmlBlock.Q4K = class.class(KaitaiStruct)

function GgmlBlock.Q4K:_init(io, parent, root)
  KaitaiStruct._init(self, io)
  self._parent = parent
  self._root = root
  self:_read()
end

function GgmlBlock.Q4K:_read()
  self.d = self._io:read_u2le()
  self.dmin = self._io:read_u2le()
  self.scales = {}
  for i = 0, 12 - 1 do
    self.scales[i + 1] = self._io:read_u1()
  end
  self.qs = {}
  for i = 0, 128 - 1 do
    self.qs[i + 1] = self._io:read_u1()
  end
end


GgmlBlock.Q50 = class.class(KaitaiStruct)

function GgmlBlock.Q50:_init(io, parent, root)
  KaitaiStruct._init(self, io)
  self._parent = parent
  self._root = root
  self:_read()
end

function GgmlBlock.Q50:_read()
  self.d = self._io:read_u2le()
  self.qh = {}
  for i = 0, 4 - 1 do
    self.qh[i + 1] = self._io:read_u1()
  end
  self.qs = {}
  for i = 0, 16 - 1 do
    self.qs[i + 1] = self._io:read_u1()
  end
end


GgmlBlock.Q51 = class.class(KaitaiStruct)

function GgmlBlock.Q51:_init(io, parent, root)
  KaitaiStruct._init(self, io)
  self._parent = parent
  self._root = root
  self:_read()
end

function GgmlBlock.Q51:_read()
  self.d = self._io:read_u2le()
  self.m = self._io:read_u2le()
  self.qh = {}
  for i = 0, 4 - 1 do
    self.qh[i + 1] = self._io:read_u1()
  end
  self.qs = {}
  for i = 0, 16 - 1 do
    self.qs[i + 1] = self._io:read_u1()
  end
end


GgmlBlock.Q5K = class.class(KaitaiStruct)

function GgmlBlock.Q5K:_init(io, parent, root)
  KaitaiStruct._init(self, io)
  self._parent = parent
  self._root = root
  self:_read()
end

function GgmlBlock.Q5K:_read()
  self.d = self._io:read_u2le()
  self.dmin = self._io:read_u2le()
  self.scales = {}
  for i = 0, 12 - 1 do
    self.scales[i + 1] = self._io:read_u1()
  end
  self.qh = {}
  for i = 0, 32 - 1 do
    self.qh[i + 1] = self._io:read_u1()
  end
  self.qs = {}
  for i = 0, 128 - 1 do
    self.qs[i + 1] = self._io:read_u1()
  end
end


GgmlBlock.Q6K = class.class(KaitaiStruct)

function GgmlBlock.Q6K:_init(io, parent, root)
  KaitaiStruct._init(self, io)
  self._parent = parent
  self._root = root
  self:_read()
end

function GgmlBlock.Q6K:_read()
  self.ql = {}
  for i = 0, 128 - 1 do
    self.ql[i + 1] = self._io:read_u1()
  end
  self.qh = {}
  for i = 0, 64 - 1 do
    self.qh[i + 1] = self._io:read_u1()
  end
  self.scales = {}
  for i = 0, 16 - 1 do
    self.scales[i + 1] = self._io:read_s1()
  end
  self.d = self._io:read_u2le()
end


GgmlBlock.Q80 = class.class(KaitaiStruct)

function GgmlBlock.Q80:_init(io, parent, root)
  KaitaiStruct._init(self, io)
  self._parent = parent
  self._root = root
  self:_read()
end

function GgmlBlock.Q80:_read()
  self.d = self._io:read_u2le()
  self.qs = {}
  for i = 0, 32 - 1 do
    self.qs[i + 1] = self._io:read_s1()
  end
end


GgmlBlock.Q81 = class.class(KaitaiStruct)

function GgmlBlock.Q81:_init(io, parent, root)
  KaitaiStruct._init(self, io)
  self._parent = parent
  self._root = root
  self:_read()
end

function GgmlBlock.Q81:_read()
  self.d = self._io:read_u2le()
  self.s = self._io:read_u2le()
  self.qs = {}
  for i = 0, 32 - 1 do
    self.qs[i + 1] = self._io:read_s1()
  end
end


GgmlBlock.Q8K = class.class(KaitaiStruct)

function GgmlBlock.Q8K:_init(io, parent, root)
  KaitaiStruct._init(self, io)
  self._parent = parent
  self._root = root
  self:_read()
end

function GgmlBlock.Q8K:_read()
  self.d = self._io:read_f4le()
  self.qs = {}
  for i = 0, 256 - 1 do
    self.qs[i + 1] = self._io:read_s1()
  end
  self.bsums = {}
  for i = 0, 16 - 1 do
    self.bsums[i + 1] = self._io:read_s2le()
  end
end


GgmlBlock.Tq10 = class.class(KaitaiStruct)

function GgmlBlock.Tq10:_init(io, parent, root)
  KaitaiStruct._init(self, io)
  self._parent = parent
  self._root = root
  self:_read()
end

function GgmlBlock.Tq10:_read()
  self.qs = {}
  for i = 0, 48 - 1 do
    self.qs[i + 1] = self._io:read_u1()
  end
  self.qh = {}
  for i = 0, 4 - 1 do
    self.qh[i + 1] = self._io:read_u1()
  end
  self.d = self._io:read_u2le()
end


GgmlBlock.Tq20 = class.class(KaitaiStruct)

function GgmlBlock.Tq20:_init(io, parent, root)
  KaitaiStruct._init(self, io)
  self._parent = parent
  self._root = root
  self:_read()
end

function GgmlBlock.Tq20:_read()
  self.qs = {}
  for i = 0, 64 - 1 do
    self.qs[i + 1] = self._io:read_u1()
  end
  self.d = self._io:read_u2le()
end


