-- This is a generated file! Please edit source .ksy file and use kaitai-struct-compiler to rebuild
--
-- This file is compatible with Lua 5.3

local class = require("class")
require("kaitaistruct")
local enum = require("enum")
local utils = require("utils")
local str_decode = require("string_decode")

-- 
-- GGUF holds the weights of a machine learning model together with everything
-- needed to run it: a list of typed key-values (architecture, hyperparameters,
-- the tokenizer's vocabulary), a list of tensor descriptions and, aligned, the
-- tensor data.
-- 
-- This specification covers the header: everything before the tensor data. It
-- reads versions 1 to 3 in both byte orders. The tensor data starts at
-- `body.ofs_tensor_data`: at the end of the header, rounded up to a multiple of
-- the value of the key `general.alignment` (uint32), or of 32 if there is no
-- such key. Each tensor starts at `ofs_data` from there. Its size follows from
-- its type and dimensions: see `ggml_block.ksy`.
-- 
-- No field states the byte order. The version number reveals it: read in the
-- wrong byte order, its low 16 bits are zero.
-- 
-- Strings are not always valid UTF-8 (tokens of a vocabulary can be parts of
-- characters), so they are kept as bytes, and decoded on request.
-- See also: Source (https://github.com/ggml-org/ggml/blob/d99724f2/docs/gguf.md)
-- See also: Source (https://github.com/ggml-org/ggml/blob/d99724f2/src/gguf.cpp)
Gguf = class.class(KaitaiStruct)

Gguf.GgmlType = enum.Enum {
  f32 = 0,
  f16 = 1,
  q4_0 = 2,
  q4_1 = 3,
  q5_0 = 6,
  q5_1 = 7,
  q8_0 = 8,
  q8_1 = 9,
  q2_k = 10,
  q3_k = 11,
  q4_k = 12,
  q5_k = 13,
  q6_k = 14,
  q8_k = 15,
  iq2_xxs = 16,
  iq2_xs = 17,
  iq3_xxs = 18,
  iq1_s = 19,
  iq4_nl = 20,
  iq3_s = 21,
  iq2_s = 22,
  iq4_xs = 23,
  i8 = 24,
  i16 = 25,
  i32 = 26,
  i64 = 27,
  f64 = 28,
  iq1_m = 29,
  bf16 = 30,
  tq1_0 = 34,
  tq2_0 = 35,
  mxfp4 = 39,
  nvfp4 = 40,
  q1_0 = 41,
  q2_0 = 42,
}

Gguf.ValueType = enum.Enum {
  uint8 = 0,
  int8 = 1,
  uint16 = 2,
  int16 = 3,
  uint32 = 4,
  int32 = 5,
  float32 = 6,
  bool = 7,
  string = 8,
  array = 9,
  uint64 = 10,
  int64 = 11,
  float64 = 12,
}

function Gguf:_init(io, parent, root)
  KaitaiStruct._init(self, io)
  self._parent = parent
  self._root = root or self
  self:_read()
end

function Gguf:_read()
  self.magic = self._io:read_bytes(4)
  if not(self.magic == "\071\071\085\070") then
    error("not equal, expected " .. "\071\071\085\070" .. ", but got " .. self.magic)
  end
  self.body = Gguf.GgufBody(self._io, self, self._root)
end

-- 
-- Whether all of the file, tensor data included, is big-endian.
Gguf.property.is_be = {}
function Gguf.property.is_be:get()
  if self._m_is_be ~= nil then
    return self._m_is_be
  end

  self._m_is_be = self.version_le & 65535 == 0
  return self._m_is_be
end

Gguf.property.version = {}
function Gguf.property.version:get()
  if self._m_version ~= nil then
    return self._m_version
  end

  self._m_version = utils.box_unwrap((self.is_be) and utils.box_wrap(self.version_be) or (self.version_le))
  return self._m_version
end

Gguf.property.version_be = {}
function Gguf.property.version_be:get()
  if self._m_version_be ~= nil then
    return self._m_version_be
  end

  local _pos = self._io:pos()
  self._io:seek(4)
  self._m_version_be = self._io:read_u4be()
  self._io:seek(_pos)
  return self._m_version_be
end

Gguf.property.version_le = {}
function Gguf.property.version_le:get()
  if self._m_version_le ~= nil then
    return self._m_version_le
  end

  local _pos = self._io:pos()
  self._io:seek(4)
  self._m_version_le = self._io:read_u4le()
  self._io:seek(_pos)
  return self._m_version_le
end

-- 
-- The same bytes in both byte orders.

Gguf.ArrayElements = class.class(KaitaiStruct)

function Gguf.ArrayElements:_init(io, parent, root)
  KaitaiStruct._init(self, io)
  self._parent = parent
  self._root = root
  self:_read()
end

function Gguf.ArrayElements:_read()
  self.items = {}
  for i = 0, self._parent.num_elements.as_int - 1 do
    self.items[i + 1] = Gguf.GgufArray(self._io, self, self._root)
  end
end


-- 
-- A size in elements. 32 bits wide in version 1, 64 bits since version 2.
Gguf.Dim = class.class(KaitaiStruct)

function Gguf.Dim:_init(io, parent, root)
  KaitaiStruct._init(self, io)
  self._parent = parent
  self._root = root
  self:_read()
end

function Gguf.Dim:_read()
  local _on = self._root.is_be
  if _on == true then
    self._is_le = false
  elseif _on == false then
    self._is_le = true
  end

  if self._is_le == true then
    self:_read_le()
  elseif self._is_le == false then
    self:_read_be()
  else
    error("unable to decide endianness")
  end
end

function Gguf.Dim:_read_le()
  if self._root.version == 1 then
    self.value_u4 = self._io:read_u4le()
  end
  if self._root.version ~= 1 then
    self.value_u8 = self._io:read_u8le()
  end
end

function Gguf.Dim:_read_be()
  if self._root.version == 1 then
    self.value_u4 = self._io:read_u4be()
  end
  if self._root.version ~= 1 then
    self.value_u8 = self._io:read_u8be()
  end
end

Gguf.Dim.property.value = {}
function Gguf.Dim.property.value:get()
  if self._m_value ~= nil then
    return self._m_value
  end

  self._m_value = utils.box_unwrap((self._root.version == 1) and utils.box_wrap(self.value_u4) or (self.value_u8))
  return self._m_value
end


-- 
-- Numbers of 1 byte each, in the file's byte order.
Gguf.Elements1 = class.class(KaitaiStruct)

function Gguf.Elements1:_init(io, parent, root)
  KaitaiStruct._init(self, io)
  self._parent = parent
  self._root = root
  self:_read()
end

function Gguf.Elements1:_read()
  self.data = self._io:read_bytes(self._parent.num_elements.value)
end


-- 
-- Numbers of 2 bytes each, in the file's byte order.
Gguf.Elements2 = class.class(KaitaiStruct)

function Gguf.Elements2:_init(io, parent, root)
  KaitaiStruct._init(self, io)
  self._parent = parent
  self._root = root
  self:_read()
end

function Gguf.Elements2:_read()
  self.data = self._io:read_bytes(self._parent.num_elements.value * 2)
end


-- 
-- Numbers of 4 bytes each, in the file's byte order.
Gguf.Elements4 = class.class(KaitaiStruct)

function Gguf.Elements4:_init(io, parent, root)
  KaitaiStruct._init(self, io)
  self._parent = parent
  self._root = root
  self:_read()
end

function Gguf.Elements4:_read()
  self.data = self._io:read_bytes(self._parent.num_elements.value * 4)
end


-- 
-- Numbers of 8 bytes each, in the file's byte order.
Gguf.Elements8 = class.class(KaitaiStruct)

function Gguf.Elements8:_init(io, parent, root)
  KaitaiStruct._init(self, io)
  self._parent = parent
  self._root = root
  self:_read()
end

function Gguf.Elements8:_read()
  self.data = self._io:read_bytes(self._parent.num_elements.value * 8)
end


-- 
-- Elements of one type, without padding. They can be arrays themselves,
-- each with its own element type and count.
Gguf.GgufArray = class.class(KaitaiStruct)

function Gguf.GgufArray:_init(io, parent, root)
  KaitaiStruct._init(self, io)
  self._parent = parent
  self._root = root
  self:_read()
end

function Gguf.GgufArray:_read()
  local _on = self._root.is_be
  if _on == true then
    self._is_le = false
  elseif _on == false then
    self._is_le = true
  end

  if self._is_le == true then
    self:_read_le()
  elseif self._is_le == false then
    self:_read_be()
  else
    error("unable to decide endianness")
  end
end

function Gguf.GgufArray:_read_le()
  self.element_type = Gguf.ValueType(self._io:read_u4le())
  if self.element_type == nil then
    error("ValidationNotInEnumError")
  end
  self.num_elements = Gguf.Length(self._io, self, self._root)
  local _on = self.element_type
  if _on == Gguf.ValueType.array then
    self.elements = Gguf.ArrayElements(self._io, self, self._root)
  elseif _on == Gguf.ValueType.bool then
    self.elements = Gguf.Elements1(self._io, self, self._root)
  elseif _on == Gguf.ValueType.float32 then
    self.elements = Gguf.Elements4(self._io, self, self._root)
  elseif _on == Gguf.ValueType.float64 then
    self.elements = Gguf.Elements8(self._io, self, self._root)
  elseif _on == Gguf.ValueType.int16 then
    self.elements = Gguf.Elements2(self._io, self, self._root)
  elseif _on == Gguf.ValueType.int32 then
    self.elements = Gguf.Elements4(self._io, self, self._root)
  elseif _on == Gguf.ValueType.int64 then
    self.elements = Gguf.Elements8(self._io, self, self._root)
  elseif _on == Gguf.ValueType.int8 then
    self.elements = Gguf.Elements1(self._io, self, self._root)
  elseif _on == Gguf.ValueType.string then
    self.elements = Gguf.StringElements(self._io, self, self._root)
  elseif _on == Gguf.ValueType.uint16 then
    self.elements = Gguf.Elements2(self._io, self, self._root)
  elseif _on == Gguf.ValueType.uint32 then
    self.elements = Gguf.Elements4(self._io, self, self._root)
  elseif _on == Gguf.ValueType.uint64 then
    self.elements = Gguf.Elements8(self._io, self, self._root)
  elseif _on == Gguf.ValueType.uint8 then
    self.elements = Gguf.Elements1(self._io, self, self._root)
  end
end

function Gguf.GgufArray:_read_be()
  self.element_type = Gguf.ValueType(self._io:read_u4be())
  if self.element_type == nil then
    error("ValidationNotInEnumError")
  end
  self.num_elements = Gguf.Length(self._io, self, self._root)
  local _on = self.element_type
  if _on == Gguf.ValueType.array then
    self.elements = Gguf.ArrayElements(self._io, self, self._root)
  elseif _on == Gguf.ValueType.bool then
    self.elements = Gguf.Elements1(self._io, self, self._root)
  elseif _on == Gguf.ValueType.float32 then
    self.elements = Gguf.Elements4(self._io, self, self._root)
  elseif _on == Gguf.ValueType.float64 then
    self.elements = Gguf.Elements8(self._io, self, self._root)
  elseif _on == Gguf.ValueType.int16 then
    self.elements = Gguf.Elements2(self._io, self, self._root)
  elseif _on == Gguf.ValueType.int32 then
    self.elements = Gguf.Elements4(self._io, self, self._root)
  elseif _on == Gguf.ValueType.int64 then
    self.elements = Gguf.Elements8(self._io, self, self._root)
  elseif _on == Gguf.ValueType.int8 then
    self.elements = Gguf.Elements1(self._io, self, self._root)
  elseif _on == Gguf.ValueType.string then
    self.elements = Gguf.StringElements(self._io, self, self._root)
  elseif _on == Gguf.ValueType.uint16 then
    self.elements = Gguf.Elements2(self._io, self, self._root)
  elseif _on == Gguf.ValueType.uint32 then
    self.elements = Gguf.Elements4(self._io, self, self._root)
  elseif _on == Gguf.ValueType.uint64 then
    self.elements = Gguf.Elements8(self._io, self, self._root)
  elseif _on == Gguf.ValueType.uint8 then
    self.elements = Gguf.Elements1(self._io, self, self._root)
  end
end


Gguf.GgufBody = class.class(KaitaiStruct)

function Gguf.GgufBody:_init(io, parent, root)
  KaitaiStruct._init(self, io)
  self._parent = parent
  self._root = root
  self:_read()
end

function Gguf.GgufBody:_read()
  local _on = self._root.is_be
  if _on == true then
    self._is_le = false
  elseif _on == false then
    self._is_le = true
  end

  if self._is_le == true then
    self:_read_le()
  elseif self._is_le == false then
    self:_read_be()
  else
    error("unable to decide endianness")
  end
end

function Gguf.GgufBody:_read_le()
  self.version = self._io:read_u4le()
  if not( ((self.version == 1) or (self.version == 2) or (self.version == 3)) ) then
    error("ValidationNotAnyOfError")
  end
  self.num_tensors = Gguf.Length(self._io, self, self._root)
  self.num_metadata = Gguf.Length(self._io, self, self._root)
  self.metadata = {}
  for i = 0, self.num_metadata.as_int - 1 do
    self.metadata[i + 1] = Gguf.KeyValue(self._io, self, self._root)
  end
  self.tensors = {}
  for i = 0, self.num_tensors.as_int - 1 do
    self.tensors[i + 1] = Gguf.TensorInfo(self._io, self, self._root)
  end
  if self.len_header < 0 then
    self.header_end = self._io:read_bytes(0)
  end
end

function Gguf.GgufBody:_read_be()
  self.version = self._io:read_u4be()
  if not( ((self.version == 1) or (self.version == 2) or (self.version == 3)) ) then
    error("ValidationNotAnyOfError")
  end
  self.num_tensors = Gguf.Length(self._io, self, self._root)
  self.num_metadata = Gguf.Length(self._io, self, self._root)
  self.metadata = {}
  for i = 0, self.num_metadata.as_int - 1 do
    self.metadata[i + 1] = Gguf.KeyValue(self._io, self, self._root)
  end
  self.tensors = {}
  for i = 0, self.num_tensors.as_int - 1 do
    self.tensors[i + 1] = Gguf.TensorInfo(self._io, self, self._root)
  end
  if self.len_header < 0 then
    self.header_end = self._io:read_bytes(0)
  end
end

-- 
-- Offsets of tensors are multiples of this power of two.
Gguf.GgufBody.property.alignment = {}
function Gguf.GgufBody.property.alignment:get()
  if self._m_alignment ~= nil then
    return self._m_alignment
  end

  self._m_alignment = utils.box_unwrap((#self.metadata > 0) and utils.box_wrap(self.metadata[(#self.alignment_search - 1) + 1].alignment) or (32))
  return self._m_alignment
end

-- 
-- Reads nothing. Has one item for each key-value up to and including the
-- first alignment, or for all of them if there is none.
Gguf.GgufBody.property.alignment_search = {}
function Gguf.GgufBody.property.alignment_search:get()
  if self._m_alignment_search ~= nil then
    return self._m_alignment_search
  end

  if #self.metadata > 0 then
    if self._is_le then
      self._m_alignment_search = {}
      local i = 0
      while true do
        local _ = self._io:read_bytes(0)
        self._m_alignment_search[i + 1] = _
        if  ((self.metadata[(#self.alignment_search - 1) + 1].is_alignment) or (#self.alignment_search == #self.metadata))  then
          break
        end
        i = i + 1
      end
    else
      self._m_alignment_search = {}
      local i = 0
      while true do
        local _ = self._io:read_bytes(0)
        self._m_alignment_search[i + 1] = _
        if  ((self.metadata[(#self.alignment_search - 1) + 1].is_alignment) or (#self.alignment_search == #self.metadata))  then
          break
        end
        i = i + 1
      end
    end
  end
  return self._m_alignment_search
end

-- 
-- From the start of the file to the end of the last tensor info.
Gguf.GgufBody.property.len_header = {}
function Gguf.GgufBody.property.len_header:get()
  if self._m_len_header ~= nil then
    return self._m_len_header
  end

  self._m_len_header = self._io:pos()
  return self._m_len_header
end

-- 
-- From the start of the file. A file without tensors may end before.
Gguf.GgufBody.property.ofs_tensor_data = {}
function Gguf.GgufBody.property.ofs_tensor_data:get()
  if self._m_ofs_tensor_data ~= nil then
    return self._m_ofs_tensor_data
  end

  self._m_ofs_tensor_data = (self.len_header + -(self.len_header) % self.alignment)
  return self._m_ofs_tensor_data
end

-- 
-- Lengths and counts have 32 bits in version 1, 64 bits in versions 2
-- and 3. Big-endian files are allowed since version 3.

Gguf.GgufString = class.class(KaitaiStruct)

function Gguf.GgufString:_init(io, parent, root)
  KaitaiStruct._init(self, io)
  self._parent = parent
  self._root = root
  self:_read()
end

function Gguf.GgufString:_read()
  self.len_data = Gguf.Length(self._io, self, self._root)
  self.data = self._io:read_bytes(self.len_data.value)
end

-- 
-- Bytes that are not UTF-8 are an error or replaced, by language.
Gguf.GgufString.property.value = {}
function Gguf.GgufString.property.value:get()
  if self._m_value ~= nil then
    return self._m_value
  end

  self._m_value = str_decode.decode(self.data, "UTF-8")
  return self._m_value
end

-- 
-- UTF-8 in most cases, with no terminator.

Gguf.KeyValue = class.class(KaitaiStruct)

function Gguf.KeyValue:_init(io, parent, root)
  KaitaiStruct._init(self, io)
  self._parent = parent
  self._root = root
  self:_read()
end

function Gguf.KeyValue:_read()
  local _on = self._root.is_be
  if _on == true then
    self._is_le = false
  elseif _on == false then
    self._is_le = true
  end

  if self._is_le == true then
    self:_read_le()
  elseif self._is_le == false then
    self:_read_be()
  else
    error("unable to decide endianness")
  end
end

function Gguf.KeyValue:_read_le()
  self.key = Gguf.GgufString(self._io, self, self._root)
  self.value_type = Gguf.ValueType(self._io:read_u4le())
  if self.value_type == nil then
    error("ValidationNotInEnumError")
  end
  local _on = self.value_type
  if _on == Gguf.ValueType.array then
    self.value = Gguf.GgufArray(self._io, self, self._root)
  elseif _on == Gguf.ValueType.bool then
    self.value = Gguf.ValueU1(self._io, self, self._root)
  elseif _on == Gguf.ValueType.float32 then
    self.value = Gguf.ValueF4(self._io, self, self._root)
  elseif _on == Gguf.ValueType.float64 then
    self.value = Gguf.ValueF8(self._io, self, self._root)
  elseif _on == Gguf.ValueType.int16 then
    self.value = Gguf.ValueS2(self._io, self, self._root)
  elseif _on == Gguf.ValueType.int32 then
    self.value = Gguf.ValueS4(self._io, self, self._root)
  elseif _on == Gguf.ValueType.int64 then
    self.value = Gguf.ValueS8(self._io, self, self._root)
  elseif _on == Gguf.ValueType.int8 then
    self.value = Gguf.ValueS1(self._io, self, self._root)
  elseif _on == Gguf.ValueType.string then
    self.value = Gguf.GgufString(self._io, self, self._root)
  elseif _on == Gguf.ValueType.uint16 then
    self.value = Gguf.ValueU2(self._io, self, self._root)
  elseif _on == Gguf.ValueType.uint32 then
    self.value = Gguf.ValueU4(self._io, self, self._root)
  elseif _on == Gguf.ValueType.uint64 then
    self.value = Gguf.ValueU8(self._io, self, self._root)
  elseif _on == Gguf.ValueType.uint8 then
    self.value = Gguf.ValueU1(self._io, self, self._root)
  end
end

function Gguf.KeyValue:_read_be()
  self.key = Gguf.GgufString(self._io, self, self._root)
  self.value_type = Gguf.ValueType(self._io:read_u4be())
  if self.value_type == nil then
    error("ValidationNotInEnumError")
  end
  local _on = self.value_type
  if _on == Gguf.ValueType.array then
    self.value = Gguf.GgufArray(self._io, self, self._root)
  elseif _on == Gguf.ValueType.bool then
    self.value = Gguf.ValueU1(self._io, self, self._root)
  elseif _on == Gguf.ValueType.float32 then
    self.value = Gguf.ValueF4(self._io, self, self._root)
  elseif _on == Gguf.ValueType.float64 then
    self.value = Gguf.ValueF8(self._io, self, self._root)
  elseif _on == Gguf.ValueType.int16 then
    self.value = Gguf.ValueS2(self._io, self, self._root)
  elseif _on == Gguf.ValueType.int32 then
    self.value = Gguf.ValueS4(self._io, self, self._root)
  elseif _on == Gguf.ValueType.int64 then
    self.value = Gguf.ValueS8(self._io, self, self._root)
  elseif _on == Gguf.ValueType.int8 then
    self.value = Gguf.ValueS1(self._io, self, self._root)
  elseif _on == Gguf.ValueType.string then
    self.value = Gguf.GgufString(self._io, self, self._root)
  elseif _on == Gguf.ValueType.uint16 then
    self.value = Gguf.ValueU2(self._io, self, self._root)
  elseif _on == Gguf.ValueType.uint32 then
    self.value = Gguf.ValueU4(self._io, self, self._root)
  elseif _on == Gguf.ValueType.uint64 then
    self.value = Gguf.ValueU8(self._io, self, self._root)
  elseif _on == Gguf.ValueType.uint8 then
    self.value = Gguf.ValueU1(self._io, self, self._root)
  end
end

-- 
-- The value if this is the alignment, otherwise the default.
Gguf.KeyValue.property.alignment = {}
function Gguf.KeyValue.property.alignment:get()
  if self._m_alignment ~= nil then
    return self._m_alignment
  end

  self._m_alignment = utils.box_unwrap((self.is_alignment) and utils.box_wrap(self.value.value) or (32))
  return self._m_alignment
end

-- 
-- Whether the key is `general.alignment`, with the required type.
Gguf.KeyValue.property.is_alignment = {}
function Gguf.KeyValue.property.is_alignment:get()
  if self._m_is_alignment ~= nil then
    return self._m_is_alignment
  end

  self._m_is_alignment =  ((self.value_type == Gguf.ValueType.uint32) and (self.key.data == "\103\101\110\101\114\097\108\046\097\108\105\103\110\109\101\110\116")) 
  return self._m_is_alignment
end

-- 
-- Unique in the file. By the specification at most 65535 bytes of ASCII,
-- `lower_snake_case` segments joined by `.`; not all writers comply.

-- 
-- A count of bytes or items. 32 bits wide in version 1, 64 bits since
-- version 2. At most 2^30, which is ggml's limit for strings and arrays.
Gguf.Length = class.class(KaitaiStruct)

function Gguf.Length:_init(io, parent, root)
  KaitaiStruct._init(self, io)
  self._parent = parent
  self._root = root
  self:_read()
end

function Gguf.Length:_read()
  local _on = self._root.is_be
  if _on == true then
    self._is_le = false
  elseif _on == false then
    self._is_le = true
  end

  if self._is_le == true then
    self:_read_le()
  elseif self._is_le == false then
    self:_read_be()
  else
    error("unable to decide endianness")
  end
end

function Gguf.Length:_read_le()
  if self._root.version == 1 then
    self.value_u4 = self._io:read_u4le()
    if not(self.value_u4 <= 1073741824) then
      error("ValidationGreaterThanError")
    end
  end
  if self._root.version ~= 1 then
    self.value_u8 = self._io:read_u8le()
    if not(self.value_u8 >= 0) then
      error("ValidationLessThanError")
    end
    if not(self.value_u8 <= 1073741824) then
      error("ValidationGreaterThanError")
    end
  end
end

function Gguf.Length:_read_be()
  if self._root.version == 1 then
    self.value_u4 = self._io:read_u4be()
    if not(self.value_u4 <= 1073741824) then
      error("ValidationGreaterThanError")
    end
  end
  if self._root.version ~= 1 then
    self.value_u8 = self._io:read_u8be()
    if not(self.value_u8 >= 0) then
      error("ValidationLessThanError")
    end
    if not(self.value_u8 <= 1073741824) then
      error("ValidationGreaterThanError")
    end
  end
end

-- 
-- The same as `value`, in a type that all languages can repeat by.
Gguf.Length.property.as_int = {}
function Gguf.Length.property.as_int:get()
  if self._m_as_int ~= nil then
    return self._m_as_int
  end

  self._m_as_int = utils.box_unwrap((self._root.version == 1) and utils.box_wrap(self.value_u4) or (self.value_u8))
  return self._m_as_int
end

Gguf.Length.property.value = {}
function Gguf.Length.property.value:get()
  if self._m_value ~= nil then
    return self._m_value
  end

  self._m_value = utils.box_unwrap((self._root.version == 1) and utils.box_wrap(self.value_u4) or (self.value_u8))
  return self._m_value
end


Gguf.StringElements = class.class(KaitaiStruct)

function Gguf.StringElements:_init(io, parent, root)
  KaitaiStruct._init(self, io)
  self._parent = parent
  self._root = root
  self:_read()
end

function Gguf.StringElements:_read()
  self.items = {}
  for i = 0, self._parent.num_elements.as_int - 1 do
    self.items[i + 1] = Gguf.GgufString(self._io, self, self._root)
  end
end


Gguf.TensorInfo = class.class(KaitaiStruct)

function Gguf.TensorInfo:_init(io, parent, root)
  KaitaiStruct._init(self, io)
  self._parent = parent
  self._root = root
  self:_read()
end

function Gguf.TensorInfo:_read()
  local _on = self._root.is_be
  if _on == true then
    self._is_le = false
  elseif _on == false then
    self._is_le = true
  end

  if self._is_le == true then
    self:_read_le()
  elseif self._is_le == false then
    self:_read_be()
  else
    error("unable to decide endianness")
  end
end

function Gguf.TensorInfo:_read_le()
  self.name = Gguf.GgufString(self._io, self, self._root)
  self.num_dims = self._io:read_u4le()
  if not(self.num_dims <= 4) then
    error("ValidationGreaterThanError")
  end
  self.dims = {}
  for i = 0, self.num_dims - 1 do
    self.dims[i + 1] = Gguf.Dim(self._io, self, self._root)
  end
  self.type_id = self._io:read_u4le()
  self.ofs_data = self._io:read_u8le()
end

function Gguf.TensorInfo:_read_be()
  self.name = Gguf.GgufString(self._io, self, self._root)
  self.num_dims = self._io:read_u4be()
  if not(self.num_dims <= 4) then
    error("ValidationGreaterThanError")
  end
  self.dims = {}
  for i = 0, self.num_dims - 1 do
    self.dims[i + 1] = Gguf.Dim(self._io, self, self._root)
  end
  self.type_id = self._io:read_u4be()
  self.ofs_data = self._io:read_u8be()
end

Gguf.TensorInfo.property.ggml_type = {}
function Gguf.TensorInfo.property.ggml_type:get()
  if self._m_ggml_type ~= nil then
    return self._m_ggml_type
  end

  self._m_ggml_type = Gguf.GgmlType(self.type_id)
  return self._m_ggml_type
end

-- 
-- Unique in the file. By the specification at most 64 bytes; ggml
-- accepts at most 63, and some writers exceed both.
-- 
-- A tensor without dimensions holds one element.
-- 
-- In elements. The first is the row length, which varies fastest: numpy
-- and most others use the reverse order.
-- 
-- New types come with most releases of ggml, so a number that is not in
-- the enum does not make a file invalid.
-- 
-- In bytes, from the start of the tensor data. A multiple of the
-- alignment.

Gguf.ValueF4 = class.class(KaitaiStruct)

function Gguf.ValueF4:_init(io, parent, root)
  KaitaiStruct._init(self, io)
  self._parent = parent
  self._root = root
  self:_read()
end

function Gguf.ValueF4:_read()
  local _on = self._root.is_be
  if _on == true then
    self._is_le = false
  elseif _on == false then
    self._is_le = true
  end

  if self._is_le == true then
    self:_read_le()
  elseif self._is_le == false then
    self:_read_be()
  else
    error("unable to decide endianness")
  end
end

function Gguf.ValueF4:_read_le()
  self.value = self._io:read_f4le()
end

function Gguf.ValueF4:_read_be()
  self.value = self._io:read_f4be()
end


Gguf.ValueF8 = class.class(KaitaiStruct)

function Gguf.ValueF8:_init(io, parent, root)
  KaitaiStruct._init(self, io)
  self._parent = parent
  self._root = root
  self:_read()
end

function Gguf.ValueF8:_read()
  local _on = self._root.is_be
  if _on == true then
    self._is_le = false
  elseif _on == false then
    self._is_le = true
  end

  if self._is_le == true then
    self:_read_le()
  elseif self._is_le == false then
    self:_read_be()
  else
    error("unable to decide endianness")
  end
end

function Gguf.ValueF8:_read_le()
  self.value = self._io:read_f8le()
end

function Gguf.ValueF8:_read_be()
  self.value = self._io:read_f8be()
end


Gguf.ValueS1 = class.class(KaitaiStruct)

function Gguf.ValueS1:_init(io, parent, root)
  KaitaiStruct._init(self, io)
  self._parent = parent
  self._root = root
  self:_read()
end

function Gguf.ValueS1:_read()
  self.value = self._io:read_s1()
end


Gguf.ValueS2 = class.class(KaitaiStruct)

function Gguf.ValueS2:_init(io, parent, root)
  KaitaiStruct._init(self, io)
  self._parent = parent
  self._root = root
  self:_read()
end

function Gguf.ValueS2:_read()
  local _on = self._root.is_be
  if _on == true then
    self._is_le = false
  elseif _on == false then
    self._is_le = true
  end

  if self._is_le == true then
    self:_read_le()
  elseif self._is_le == false then
    self:_read_be()
  else
    error("unable to decide endianness")
  end
end

function Gguf.ValueS2:_read_le()
  self.value = self._io:read_s2le()
end

function Gguf.ValueS2:_read_be()
  self.value = self._io:read_s2be()
end


Gguf.ValueS4 = class.class(KaitaiStruct)

function Gguf.ValueS4:_init(io, parent, root)
  KaitaiStruct._init(self, io)
  self._parent = parent
  self._root = root
  self:_read()
end

function Gguf.ValueS4:_read()
  local _on = self._root.is_be
  if _on == true then
    self._is_le = false
  elseif _on == false then
    self._is_le = true
  end

  if self._is_le == true then
    self:_read_le()
  elseif self._is_le == false then
    self:_read_be()
  else
    error("unable to decide endianness")
  end
end

function Gguf.ValueS4:_read_le()
  self.value = self._io:read_s4le()
end

function Gguf.ValueS4:_read_be()
  self.value = self._io:read_s4be()
end


Gguf.ValueS8 = class.class(KaitaiStruct)

function Gguf.ValueS8:_init(io, parent, root)
  KaitaiStruct._init(self, io)
  self._parent = parent
  self._root = root
  self:_read()
end

function Gguf.ValueS8:_read()
  local _on = self._root.is_be
  if _on == true then
    self._is_le = false
  elseif _on == false then
    self._is_le = true
  end

  if self._is_le == true then
    self:_read_le()
  elseif self._is_le == false then
    self:_read_be()
  else
    error("unable to decide endianness")
  end
end

function Gguf.ValueS8:_read_le()
  self.value = self._io:read_s8le()
end

function Gguf.ValueS8:_read_be()
  self.value = self._io:read_s8be()
end


Gguf.ValueU1 = class.class(KaitaiStruct)

function Gguf.ValueU1:_init(io, parent, root)
  KaitaiStruct._init(self, io)
  self._parent = parent
  self._root = root
  self:_read()
end

function Gguf.ValueU1:_read()
  self.value = self._io:read_u1()
end


Gguf.ValueU2 = class.class(KaitaiStruct)

function Gguf.ValueU2:_init(io, parent, root)
  KaitaiStruct._init(self, io)
  self._parent = parent
  self._root = root
  self:_read()
end

function Gguf.ValueU2:_read()
  local _on = self._root.is_be
  if _on == true then
    self._is_le = false
  elseif _on == false then
    self._is_le = true
  end

  if self._is_le == true then
    self:_read_le()
  elseif self._is_le == false then
    self:_read_be()
  else
    error("unable to decide endianness")
  end
end

function Gguf.ValueU2:_read_le()
  self.value = self._io:read_u2le()
end

function Gguf.ValueU2:_read_be()
  self.value = self._io:read_u2be()
end


Gguf.ValueU4 = class.class(KaitaiStruct)

function Gguf.ValueU4:_init(io, parent, root)
  KaitaiStruct._init(self, io)
  self._parent = parent
  self._root = root
  self:_read()
end

function Gguf.ValueU4:_read()
  local _on = self._root.is_be
  if _on == true then
    self._is_le = false
  elseif _on == false then
    self._is_le = true
  end

  if self._is_le == true then
    self:_read_le()
  elseif self._is_le == false then
    self:_read_be()
  else
    error("unable to decide endianness")
  end
end

function Gguf.ValueU4:_read_le()
  self.value = self._io:read_u4le()
end

function Gguf.ValueU4:_read_be()
  self.value = self._io:read_u4be()
end


Gguf.ValueU8 = class.class(KaitaiStruct)

function Gguf.ValueU8:_init(io, parent, root)
  KaitaiStruct._init(self, io)
  self._parent = parent
  self._root = root
  self:_read()
end

function Gguf.ValueU8:_read()
  local _on = self._root.is_be
  if _on == true then
    self._is_le = false
  elseif _on == false then
    self._is_le = true
  end

  if self._is_le == true then
    self:_read_le()
  elseif self._is_le == false then
    self:_read_be()
  else
    error("unable to decide endianness")
  end
end

function Gguf.ValueU8:_read_le()
  self.value = self._io:read_u8le()
end

function Gguf.ValueU8:_read_be()
  self.value = self._io:read_u8be()
end


