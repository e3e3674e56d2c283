# This is a generated file! Please edit source .ksy file and use kaitai-struct-compiler to rebuild
# type: ignore

import kaitaistruct
from kaitaistruct import ReadWriteKaitaiStruct, KaitaiStream, BytesIO
from enum import IntEnum


if getattr(kaitaistruct, 'API_VERSION', (0, 9)) < (0, 11):
    raise Exception("Incompatible Kaitai Struct Python API: 0.11 or later is required, but you have %s" % (kaitaistruct.__version__))

class Gguf(ReadWriteKaitaiStruct):
    """GGUF holds the weights of a machine learning model together with everything
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
    
    .. seealso::
       Source - https://github.com/ggml-org/ggml/blob/d99724f2/docs/gguf.md
    
    
    .. seealso::
       Source - https://github.com/ggml-org/ggml/blob/d99724f2/src/gguf.cpp
    """

    class GgmlType(IntEnum):
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

    class ValueType(IntEnum):
        uint8 = 0
        int8 = 1
        uint16 = 2
        int16 = 3
        uint32 = 4
        int32 = 5
        float32 = 6
        bool = 7
        string = 8
        array = 9
        uint64 = 10
        int64 = 11
        float64 = 12
    def __init__(self, _io=None, _parent=None, _root=None):
        super(Gguf, self).__init__(_io)
        self._parent = _parent
        self._root = _root or self
        self._should_write_version_be = False
        self.version_be__enabled = True
        self._should_write_version_le = False
        self.version_le__enabled = True

    def _read(self):
        self.magic = self._io.read_bytes(4)
        if not self.magic == b"\x47\x47\x55\x46":
            raise kaitaistruct.ValidationNotEqualError(b"\x47\x47\x55\x46", self.magic, self._io, u"/seq/0")
        self.body = Gguf.GgufBody(self._io, self, self._root)
        self.body._read()
        self._dirty = False


    def _fetch_instances(self):
        pass
        self.body._fetch_instances()
        _ = self.version_be
        if hasattr(self, '_m_version_be'):
            pass

        _ = self.version_le
        if hasattr(self, '_m_version_le'):
            pass



    def _write__seq(self, io=None):
        super(Gguf, self)._write__seq(io)
        self._should_write_version_be = self.version_be__enabled
        self._should_write_version_le = self.version_le__enabled
        self._io.write_bytes(self.magic)
        self.body._write__seq(self._io)


    def _check(self):
        if len(self.magic) != 4:
            raise kaitaistruct.ConsistencyError(u"magic", 4, len(self.magic))
        if not self.magic == b"\x47\x47\x55\x46":
            raise kaitaistruct.ValidationNotEqualError(b"\x47\x47\x55\x46", self.magic, None, u"/seq/0")
        if self.body._root != self._root:
            raise kaitaistruct.ConsistencyError(u"body", self._root, self.body._root)
        if self.body._parent != self:
            raise kaitaistruct.ConsistencyError(u"body", self, self.body._parent)
        if self.version_be__enabled:
            pass

        if self.version_le__enabled:
            pass

        self._dirty = False

    class ArrayElements(ReadWriteKaitaiStruct):
        def __init__(self, _io=None, _parent=None, _root=None):
            super(Gguf.ArrayElements, self).__init__(_io)
            self._parent = _parent
            self._root = _root

        def _read(self):
            self.items = []
            for i in range(self._parent.num_elements.as_int):
                _t_items = Gguf.GgufArray(self._io, self, self._root)
                try:
                    _t_items._read()
                finally:
                    self.items.append(_t_items)

            self._dirty = False


        def _fetch_instances(self):
            pass
            for i in range(len(self.items)):
                pass
                self.items[i]._fetch_instances()



        def _write__seq(self, io=None):
            super(Gguf.ArrayElements, self)._write__seq(io)
            for i in range(len(self.items)):
                pass
                self.items[i]._write__seq(self._io)



        def _check(self):
            if len(self.items) != self._parent.num_elements.as_int:
                raise kaitaistruct.ConsistencyError(u"items", self._parent.num_elements.as_int, len(self.items))
            for i in range(len(self.items)):
                pass
                if self.items[i]._root != self._root:
                    raise kaitaistruct.ConsistencyError(u"items", self._root, self.items[i]._root)
                if self.items[i]._parent != self:
                    raise kaitaistruct.ConsistencyError(u"items", self, self.items[i]._parent)

            self._dirty = False


    class Dim(ReadWriteKaitaiStruct):
        """A size in elements. 32 bits wide in version 1, 64 bits since version 2."""
        def __init__(self, _io=None, _parent=None, _root=None):
            super(Gguf.Dim, self).__init__(_io)
            self._parent = _parent
            self._root = _root

        def _read(self):
            _on = self._root.is_be
            if _on == True:
                pass
                self._is_le = False
            elif _on == False:
                pass
                self._is_le = True
            if not hasattr(self, '_is_le'):
                raise kaitaistruct.UndecidedEndiannessError("/types/dim")
            elif self._is_le == True:
                self._read_le()
            elif self._is_le == False:
                self._read_be()
            self._dirty = False

        def _read_le(self):
            if self._root.version == 1:
                pass
                self.value_u4 = self._io.read_u4le()

            if self._root.version != 1:
                pass
                self.value_u8 = self._io.read_u8le()

            self._dirty = False

        def _read_be(self):
            if self._root.version == 1:
                pass
                self.value_u4 = self._io.read_u4be()

            if self._root.version != 1:
                pass
                self.value_u8 = self._io.read_u8be()

            self._dirty = False


        def _fetch_instances(self):
            pass
            if self._root.version == 1:
                pass

            if self._root.version != 1:
                pass



        def _write__seq(self, io=None):
            super(Gguf.Dim, self)._write__seq(io)
            if not hasattr(self, '_is_le'):
                raise kaitaistruct.UndecidedEndiannessError("/types/dim")
            elif self._is_le == True:
                self._write__seq_le()
            elif self._is_le == False:
                self._write__seq_be()


        def _write__seq_le(self):
            if self._root.version == 1:
                pass
                self._io.write_u4le(self.value_u4)

            if self._root.version != 1:
                pass
                self._io.write_u8le(self.value_u8)



        def _write__seq_be(self):
            if self._root.version == 1:
                pass
                self._io.write_u4be(self.value_u4)

            if self._root.version != 1:
                pass
                self._io.write_u8be(self.value_u8)



        def _check(self):
            if self._root.version == 1:
                pass

            if self._root.version != 1:
                pass

            self._dirty = False

        @property
        def value(self):
            if hasattr(self, '_m_value'):
                return self._m_value

            self._m_value = (self.value_u4 if self._root.version == 1 else self.value_u8)
            return getattr(self, '_m_value', None)

        def _invalidate_value(self):
            del self._m_value

    class Elements1(ReadWriteKaitaiStruct):
        """Numbers of 1 byte each, in the file's byte order."""
        def __init__(self, _io=None, _parent=None, _root=None):
            super(Gguf.Elements1, self).__init__(_io)
            self._parent = _parent
            self._root = _root

        def _read(self):
            self.data = self._io.read_bytes(self._parent.num_elements.value)
            self._dirty = False


        def _fetch_instances(self):
            pass


        def _write__seq(self, io=None):
            super(Gguf.Elements1, self)._write__seq(io)
            self._io.write_bytes(self.data)


        def _check(self):
            if len(self.data) != self._parent.num_elements.value:
                raise kaitaistruct.ConsistencyError(u"data", self._parent.num_elements.value, len(self.data))
            self._dirty = False


    class Elements2(ReadWriteKaitaiStruct):
        """Numbers of 2 bytes each, in the file's byte order."""
        def __init__(self, _io=None, _parent=None, _root=None):
            super(Gguf.Elements2, self).__init__(_io)
            self._parent = _parent
            self._root = _root

        def _read(self):
            self.data = self._io.read_bytes(self._parent.num_elements.value * 2)
            self._dirty = False


        def _fetch_instances(self):
            pass


        def _write__seq(self, io=None):
            super(Gguf.Elements2, self)._write__seq(io)
            self._io.write_bytes(self.data)


        def _check(self):
            if len(self.data) != self._parent.num_elements.value * 2:
                raise kaitaistruct.ConsistencyError(u"data", self._parent.num_elements.value * 2, len(self.data))
            self._dirty = False


    class Elements4(ReadWriteKaitaiStruct):
        """Numbers of 4 bytes each, in the file's byte order."""
        def __init__(self, _io=None, _parent=None, _root=None):
            super(Gguf.Elements4, self).__init__(_io)
            self._parent = _parent
            self._root = _root

        def _read(self):
            self.data = self._io.read_bytes(self._parent.num_elements.value * 4)
            self._dirty = False


        def _fetch_instances(self):
            pass


        def _write__seq(self, io=None):
            super(Gguf.Elements4, self)._write__seq(io)
            self._io.write_bytes(self.data)


        def _check(self):
            if len(self.data) != self._parent.num_elements.value * 4:
                raise kaitaistruct.ConsistencyError(u"data", self._parent.num_elements.value * 4, len(self.data))
            self._dirty = False


    class Elements8(ReadWriteKaitaiStruct):
        """Numbers of 8 bytes each, in the file's byte order."""
        def __init__(self, _io=None, _parent=None, _root=None):
            super(Gguf.Elements8, self).__init__(_io)
            self._parent = _parent
            self._root = _root

        def _read(self):
            self.data = self._io.read_bytes(self._parent.num_elements.value * 8)
            self._dirty = False


        def _fetch_instances(self):
            pass


        def _write__seq(self, io=None):
            super(Gguf.Elements8, self)._write__seq(io)
            self._io.write_bytes(self.data)


        def _check(self):
            if len(self.data) != self._parent.num_elements.value * 8:
                raise kaitaistruct.ConsistencyError(u"data", self._parent.num_elements.value * 8, len(self.data))
            self._dirty = False


    class GgufArray(ReadWriteKaitaiStruct):
        """Elements of one type, without padding. They can be arrays themselves,
        each with its own element type and count.
        """
        def __init__(self, _io=None, _parent=None, _root=None):
            super(Gguf.GgufArray, self).__init__(_io)
            self._parent = _parent
            self._root = _root

        def _read(self):
            _on = self._root.is_be
            if _on == True:
                pass
                self._is_le = False
            elif _on == False:
                pass
                self._is_le = True
            if not hasattr(self, '_is_le'):
                raise kaitaistruct.UndecidedEndiannessError("/types/gguf_array")
            elif self._is_le == True:
                self._read_le()
            elif self._is_le == False:
                self._read_be()
            self._dirty = False

        def _read_le(self):
            self.element_type = KaitaiStream.resolve_enum(Gguf.ValueType, self._io.read_u4le())
            if not isinstance(self.element_type, Gguf.ValueType):
                raise kaitaistruct.ValidationNotInEnumError(self.element_type, self._io, u"/types/gguf_array/seq/0")
            self.num_elements = Gguf.Length(self._io, self, self._root)
            self.num_elements._read()
            _on = self.element_type
            if _on == Gguf.ValueType.array:
                pass
                self.elements = Gguf.ArrayElements(self._io, self, self._root)
                self.elements._read()
            elif _on == Gguf.ValueType.bool:
                pass
                self.elements = Gguf.Elements1(self._io, self, self._root)
                self.elements._read()
            elif _on == Gguf.ValueType.float32:
                pass
                self.elements = Gguf.Elements4(self._io, self, self._root)
                self.elements._read()
            elif _on == Gguf.ValueType.float64:
                pass
                self.elements = Gguf.Elements8(self._io, self, self._root)
                self.elements._read()
            elif _on == Gguf.ValueType.int16:
                pass
                self.elements = Gguf.Elements2(self._io, self, self._root)
                self.elements._read()
            elif _on == Gguf.ValueType.int32:
                pass
                self.elements = Gguf.Elements4(self._io, self, self._root)
                self.elements._read()
            elif _on == Gguf.ValueType.int64:
                pass
                self.elements = Gguf.Elements8(self._io, self, self._root)
                self.elements._read()
            elif _on == Gguf.ValueType.int8:
                pass
                self.elements = Gguf.Elements1(self._io, self, self._root)
                self.elements._read()
            elif _on == Gguf.ValueType.string:
                pass
                self.elements = Gguf.StringElements(self._io, self, self._root)
                self.elements._read()
            elif _on == Gguf.ValueType.uint16:
                pass
                self.elements = Gguf.Elements2(self._io, self, self._root)
                self.elements._read()
            elif _on == Gguf.ValueType.uint32:
                pass
                self.elements = Gguf.Elements4(self._io, self, self._root)
                self.elements._read()
            elif _on == Gguf.ValueType.uint64:
                pass
                self.elements = Gguf.Elements8(self._io, self, self._root)
                self.elements._read()
            elif _on == Gguf.ValueType.uint8:
                pass
                self.elements = Gguf.Elements1(self._io, self, self._root)
                self.elements._read()
            self._dirty = False

        def _read_be(self):
            self.element_type = KaitaiStream.resolve_enum(Gguf.ValueType, self._io.read_u4be())
            if not isinstance(self.element_type, Gguf.ValueType):
                raise kaitaistruct.ValidationNotInEnumError(self.element_type, self._io, u"/types/gguf_array/seq/0")
            self.num_elements = Gguf.Length(self._io, self, self._root)
            self.num_elements._read()
            _on = self.element_type
            if _on == Gguf.ValueType.array:
                pass
                self.elements = Gguf.ArrayElements(self._io, self, self._root)
                self.elements._read()
            elif _on == Gguf.ValueType.bool:
                pass
                self.elements = Gguf.Elements1(self._io, self, self._root)
                self.elements._read()
            elif _on == Gguf.ValueType.float32:
                pass
                self.elements = Gguf.Elements4(self._io, self, self._root)
                self.elements._read()
            elif _on == Gguf.ValueType.float64:
                pass
                self.elements = Gguf.Elements8(self._io, self, self._root)
                self.elements._read()
            elif _on == Gguf.ValueType.int16:
                pass
                self.elements = Gguf.Elements2(self._io, self, self._root)
                self.elements._read()
            elif _on == Gguf.ValueType.int32:
                pass
                self.elements = Gguf.Elements4(self._io, self, self._root)
                self.elements._read()
            elif _on == Gguf.ValueType.int64:
                pass
                self.elements = Gguf.Elements8(self._io, self, self._root)
                self.elements._read()
            elif _on == Gguf.ValueType.int8:
                pass
                self.elements = Gguf.Elements1(self._io, self, self._root)
                self.elements._read()
            elif _on == Gguf.ValueType.string:
                pass
                self.elements = Gguf.StringElements(self._io, self, self._root)
                self.elements._read()
            elif _on == Gguf.ValueType.uint16:
                pass
                self.elements = Gguf.Elements2(self._io, self, self._root)
                self.elements._read()
            elif _on == Gguf.ValueType.uint32:
                pass
                self.elements = Gguf.Elements4(self._io, self, self._root)
                self.elements._read()
            elif _on == Gguf.ValueType.uint64:
                pass
                self.elements = Gguf.Elements8(self._io, self, self._root)
                self.elements._read()
            elif _on == Gguf.ValueType.uint8:
                pass
                self.elements = Gguf.Elements1(self._io, self, self._root)
                self.elements._read()
            self._dirty = False


        def _fetch_instances(self):
            pass
            self.num_elements._fetch_instances()
            _on = self.element_type
            if _on == Gguf.ValueType.array:
                pass
                self.elements._fetch_instances()
            elif _on == Gguf.ValueType.bool:
                pass
                self.elements._fetch_instances()
            elif _on == Gguf.ValueType.float32:
                pass
                self.elements._fetch_instances()
            elif _on == Gguf.ValueType.float64:
                pass
                self.elements._fetch_instances()
            elif _on == Gguf.ValueType.int16:
                pass
                self.elements._fetch_instances()
            elif _on == Gguf.ValueType.int32:
                pass
                self.elements._fetch_instances()
            elif _on == Gguf.ValueType.int64:
                pass
                self.elements._fetch_instances()
            elif _on == Gguf.ValueType.int8:
                pass
                self.elements._fetch_instances()
            elif _on == Gguf.ValueType.string:
                pass
                self.elements._fetch_instances()
            elif _on == Gguf.ValueType.uint16:
                pass
                self.elements._fetch_instances()
            elif _on == Gguf.ValueType.uint32:
                pass
                self.elements._fetch_instances()
            elif _on == Gguf.ValueType.uint64:
                pass
                self.elements._fetch_instances()
            elif _on == Gguf.ValueType.uint8:
                pass
                self.elements._fetch_instances()


        def _write__seq(self, io=None):
            super(Gguf.GgufArray, self)._write__seq(io)
            if not hasattr(self, '_is_le'):
                raise kaitaistruct.UndecidedEndiannessError("/types/gguf_array")
            elif self._is_le == True:
                self._write__seq_le()
            elif self._is_le == False:
                self._write__seq_be()


        def _write__seq_le(self):
            self._io.write_u4le(int(self.element_type))
            self.num_elements._write__seq(self._io)
            _on = self.element_type
            if _on == Gguf.ValueType.array:
                pass
                self.elements._write__seq(self._io)
            elif _on == Gguf.ValueType.bool:
                pass
                self.elements._write__seq(self._io)
            elif _on == Gguf.ValueType.float32:
                pass
                self.elements._write__seq(self._io)
            elif _on == Gguf.ValueType.float64:
                pass
                self.elements._write__seq(self._io)
            elif _on == Gguf.ValueType.int16:
                pass
                self.elements._write__seq(self._io)
            elif _on == Gguf.ValueType.int32:
                pass
                self.elements._write__seq(self._io)
            elif _on == Gguf.ValueType.int64:
                pass
                self.elements._write__seq(self._io)
            elif _on == Gguf.ValueType.int8:
                pass
                self.elements._write__seq(self._io)
            elif _on == Gguf.ValueType.string:
                pass
                self.elements._write__seq(self._io)
            elif _on == Gguf.ValueType.uint16:
                pass
                self.elements._write__seq(self._io)
            elif _on == Gguf.ValueType.uint32:
                pass
                self.elements._write__seq(self._io)
            elif _on == Gguf.ValueType.uint64:
                pass
                self.elements._write__seq(self._io)
            elif _on == Gguf.ValueType.uint8:
                pass
                self.elements._write__seq(self._io)


        def _write__seq_be(self):
            self._io.write_u4be(int(self.element_type))
            self.num_elements._write__seq(self._io)
            _on = self.element_type
            if _on == Gguf.ValueType.array:
                pass
                self.elements._write__seq(self._io)
            elif _on == Gguf.ValueType.bool:
                pass
                self.elements._write__seq(self._io)
            elif _on == Gguf.ValueType.float32:
                pass
                self.elements._write__seq(self._io)
            elif _on == Gguf.ValueType.float64:
                pass
                self.elements._write__seq(self._io)
            elif _on == Gguf.ValueType.int16:
                pass
                self.elements._write__seq(self._io)
            elif _on == Gguf.ValueType.int32:
                pass
                self.elements._write__seq(self._io)
            elif _on == Gguf.ValueType.int64:
                pass
                self.elements._write__seq(self._io)
            elif _on == Gguf.ValueType.int8:
                pass
                self.elements._write__seq(self._io)
            elif _on == Gguf.ValueType.string:
                pass
                self.elements._write__seq(self._io)
            elif _on == Gguf.ValueType.uint16:
                pass
                self.elements._write__seq(self._io)
            elif _on == Gguf.ValueType.uint32:
                pass
                self.elements._write__seq(self._io)
            elif _on == Gguf.ValueType.uint64:
                pass
                self.elements._write__seq(self._io)
            elif _on == Gguf.ValueType.uint8:
                pass
                self.elements._write__seq(self._io)


        def _check(self):
            if not isinstance(self.element_type, Gguf.ValueType):
                raise kaitaistruct.ValidationNotInEnumError(self.element_type, None, u"/types/gguf_array/seq/0")
            if self.num_elements._root != self._root:
                raise kaitaistruct.ConsistencyError(u"num_elements", self._root, self.num_elements._root)
            if self.num_elements._parent != self:
                raise kaitaistruct.ConsistencyError(u"num_elements", self, self.num_elements._parent)
            _on = self.element_type
            if _on == Gguf.ValueType.array:
                pass
                if self.elements._root != self._root:
                    raise kaitaistruct.ConsistencyError(u"elements", self._root, self.elements._root)
                if self.elements._parent != self:
                    raise kaitaistruct.ConsistencyError(u"elements", self, self.elements._parent)
            elif _on == Gguf.ValueType.bool:
                pass
                if self.elements._root != self._root:
                    raise kaitaistruct.ConsistencyError(u"elements", self._root, self.elements._root)
                if self.elements._parent != self:
                    raise kaitaistruct.ConsistencyError(u"elements", self, self.elements._parent)
            elif _on == Gguf.ValueType.float32:
                pass
                if self.elements._root != self._root:
                    raise kaitaistruct.ConsistencyError(u"elements", self._root, self.elements._root)
                if self.elements._parent != self:
                    raise kaitaistruct.ConsistencyError(u"elements", self, self.elements._parent)
            elif _on == Gguf.ValueType.float64:
                pass
                if self.elements._root != self._root:
                    raise kaitaistruct.ConsistencyError(u"elements", self._root, self.elements._root)
                if self.elements._parent != self:
                    raise kaitaistruct.ConsistencyError(u"elements", self, self.elements._parent)
            elif _on == Gguf.ValueType.int16:
                pass
                if self.elements._root != self._root:
                    raise kaitaistruct.ConsistencyError(u"elements", self._root, self.elements._root)
                if self.elements._parent != self:
                    raise kaitaistruct.ConsistencyError(u"elements", self, self.elements._parent)
            elif _on == Gguf.ValueType.int32:
                pass
                if self.elements._root != self._root:
                    raise kaitaistruct.ConsistencyError(u"elements", self._root, self.elements._root)
                if self.elements._parent != self:
                    raise kaitaistruct.ConsistencyError(u"elements", self, self.elements._parent)
            elif _on == Gguf.ValueType.int64:
                pass
                if self.elements._root != self._root:
                    raise kaitaistruct.ConsistencyError(u"elements", self._root, self.elements._root)
                if self.elements._parent != self:
                    raise kaitaistruct.ConsistencyError(u"elements", self, self.elements._parent)
            elif _on == Gguf.ValueType.int8:
                pass
                if self.elements._root != self._root:
                    raise kaitaistruct.ConsistencyError(u"elements", self._root, self.elements._root)
                if self.elements._parent != self:
                    raise kaitaistruct.ConsistencyError(u"elements", self, self.elements._parent)
            elif _on == Gguf.ValueType.string:
                pass
                if self.elements._root != self._root:
                    raise kaitaistruct.ConsistencyError(u"elements", self._root, self.elements._root)
                if self.elements._parent != self:
                    raise kaitaistruct.ConsistencyError(u"elements", self, self.elements._parent)
            elif _on == Gguf.ValueType.uint16:
                pass
                if self.elements._root != self._root:
                    raise kaitaistruct.ConsistencyError(u"elements", self._root, self.elements._root)
                if self.elements._parent != self:
                    raise kaitaistruct.ConsistencyError(u"elements", self, self.elements._parent)
            elif _on == Gguf.ValueType.uint32:
                pass
                if self.elements._root != self._root:
                    raise kaitaistruct.ConsistencyError(u"elements", self._root, self.elements._root)
                if self.elements._parent != self:
                    raise kaitaistruct.ConsistencyError(u"elements", self, self.elements._parent)
            elif _on == Gguf.ValueType.uint64:
                pass
                if self.elements._root != self._root:
                    raise kaitaistruct.ConsistencyError(u"elements", self._root, self.elements._root)
                if self.elements._parent != self:
                    raise kaitaistruct.ConsistencyError(u"elements", self, self.elements._parent)
            elif _on == Gguf.ValueType.uint8:
                pass
                if self.elements._root != self._root:
                    raise kaitaistruct.ConsistencyError(u"elements", self._root, self.elements._root)
                if self.elements._parent != self:
                    raise kaitaistruct.ConsistencyError(u"elements", self, self.elements._parent)
            self._dirty = False


    class GgufBody(ReadWriteKaitaiStruct):
        def __init__(self, _io=None, _parent=None, _root=None):
            super(Gguf.GgufBody, self).__init__(_io)
            self._parent = _parent
            self._root = _root

        def _read(self):
            _on = self._root.is_be
            if _on == True:
                pass
                self._is_le = False
            elif _on == False:
                pass
                self._is_le = True
            if not hasattr(self, '_is_le'):
                raise kaitaistruct.UndecidedEndiannessError("/types/gguf_body")
            elif self._is_le == True:
                self._read_le()
            elif self._is_le == False:
                self._read_be()
            self._dirty = False

        def _read_le(self):
            self.version = self._io.read_u4le()
            if not  ((self.version == 1) or (self.version == 2) or (self.version == 3)) :
                raise kaitaistruct.ValidationNotAnyOfError(self.version, self._io, u"/types/gguf_body/seq/0")
            self.num_tensors = Gguf.Length(self._io, self, self._root)
            self.num_tensors._read()
            self.num_metadata = Gguf.Length(self._io, self, self._root)
            self.num_metadata._read()
            self.metadata = []
            for i in range(self.num_metadata.as_int):
                _t_metadata = Gguf.KeyValue(self._io, self, self._root)
                try:
                    _t_metadata._read()
                finally:
                    self.metadata.append(_t_metadata)

            self.tensors = []
            for i in range(self.num_tensors.as_int):
                _t_tensors = Gguf.TensorInfo(self._io, self, self._root)
                try:
                    _t_tensors._read()
                finally:
                    self.tensors.append(_t_tensors)

            if self.len_header < 0:
                pass
                self.header_end = self._io.read_bytes(0)

            self._dirty = False

        def _read_be(self):
            self.version = self._io.read_u4be()
            if not  ((self.version == 1) or (self.version == 2) or (self.version == 3)) :
                raise kaitaistruct.ValidationNotAnyOfError(self.version, self._io, u"/types/gguf_body/seq/0")
            self.num_tensors = Gguf.Length(self._io, self, self._root)
            self.num_tensors._read()
            self.num_metadata = Gguf.Length(self._io, self, self._root)
            self.num_metadata._read()
            self.metadata = []
            for i in range(self.num_metadata.as_int):
                _t_metadata = Gguf.KeyValue(self._io, self, self._root)
                try:
                    _t_metadata._read()
                finally:
                    self.metadata.append(_t_metadata)

            self.tensors = []
            for i in range(self.num_tensors.as_int):
                _t_tensors = Gguf.TensorInfo(self._io, self, self._root)
                try:
                    _t_tensors._read()
                finally:
                    self.tensors.append(_t_tensors)

            if self.len_header < 0:
                pass
                self.header_end = self._io.read_bytes(0)

            self._dirty = False


        def _fetch_instances(self):
            pass
            self.num_tensors._fetch_instances()
            self.num_metadata._fetch_instances()
            for i in range(len(self.metadata)):
                pass
                self.metadata[i]._fetch_instances()

            for i in range(len(self.tensors)):
                pass
                self.tensors[i]._fetch_instances()

            if self.len_header < 0:
                pass



        def _write__seq(self, io=None):
            super(Gguf.GgufBody, self)._write__seq(io)
            if not hasattr(self, '_is_le'):
                raise kaitaistruct.UndecidedEndiannessError("/types/gguf_body")
            elif self._is_le == True:
                self._write__seq_le()
            elif self._is_le == False:
                self._write__seq_be()


        def _write__seq_le(self):
            self._io.write_u4le(self.version)
            self.num_tensors._write__seq(self._io)
            self.num_metadata._write__seq(self._io)
            for i in range(len(self.metadata)):
                pass
                self.metadata[i]._write__seq(self._io)

            for i in range(len(self.tensors)):
                pass
                self.tensors[i]._write__seq(self._io)

            if self.len_header < 0:
                pass
                if len(self.header_end) != 0:
                    raise kaitaistruct.ConsistencyError(u"header_end", 0, len(self.header_end))
                self._io.write_bytes(self.header_end)



        def _write__seq_be(self):
            self._io.write_u4be(self.version)
            self.num_tensors._write__seq(self._io)
            self.num_metadata._write__seq(self._io)
            for i in range(len(self.metadata)):
                pass
                self.metadata[i]._write__seq(self._io)

            for i in range(len(self.tensors)):
                pass
                self.tensors[i]._write__seq(self._io)

            if self.len_header < 0:
                pass
                if len(self.header_end) != 0:
                    raise kaitaistruct.ConsistencyError(u"header_end", 0, len(self.header_end))
                self._io.write_bytes(self.header_end)



        def _check(self):
            if not  ((self.version == 1) or (self.version == 2) or (self.version == 3)) :
                raise kaitaistruct.ValidationNotAnyOfError(self.version, None, u"/types/gguf_body/seq/0")
            if self.num_tensors._root != self._root:
                raise kaitaistruct.ConsistencyError(u"num_tensors", self._root, self.num_tensors._root)
            if self.num_tensors._parent != self:
                raise kaitaistruct.ConsistencyError(u"num_tensors", self, self.num_tensors._parent)
            if self.num_metadata._root != self._root:
                raise kaitaistruct.ConsistencyError(u"num_metadata", self._root, self.num_metadata._root)
            if self.num_metadata._parent != self:
                raise kaitaistruct.ConsistencyError(u"num_metadata", self, self.num_metadata._parent)
            if len(self.metadata) != self.num_metadata.as_int:
                raise kaitaistruct.ConsistencyError(u"metadata", self.num_metadata.as_int, len(self.metadata))
            for i in range(len(self.metadata)):
                pass
                if self.metadata[i]._root != self._root:
                    raise kaitaistruct.ConsistencyError(u"metadata", self._root, self.metadata[i]._root)
                if self.metadata[i]._parent != self:
                    raise kaitaistruct.ConsistencyError(u"metadata", self, self.metadata[i]._parent)

            if len(self.tensors) != self.num_tensors.as_int:
                raise kaitaistruct.ConsistencyError(u"tensors", self.num_tensors.as_int, len(self.tensors))
            for i in range(len(self.tensors)):
                pass
                if self.tensors[i]._root != self._root:
                    raise kaitaistruct.ConsistencyError(u"tensors", self._root, self.tensors[i]._root)
                if self.tensors[i]._parent != self:
                    raise kaitaistruct.ConsistencyError(u"tensors", self, self.tensors[i]._parent)

            self._dirty = False

        @property
        def len_header(self):
            """From the start of the file to the end of the last tensor info."""
            if hasattr(self, '_m_len_header'):
                return self._m_len_header

            self._m_len_header = self._io.pos()
            return getattr(self, '_m_len_header', None)

        def _invalidate_len_header(self):
            del self._m_len_header

    class GgufString(ReadWriteKaitaiStruct):
        def __init__(self, _io=None, _parent=None, _root=None):
            super(Gguf.GgufString, self).__init__(_io)
            self._parent = _parent
            self._root = _root

        def _read(self):
            self.len_data = Gguf.Length(self._io, self, self._root)
            self.len_data._read()
            self.data = self._io.read_bytes(self.len_data.value)
            self._dirty = False


        def _fetch_instances(self):
            pass
            self.len_data._fetch_instances()


        def _write__seq(self, io=None):
            super(Gguf.GgufString, self)._write__seq(io)
            self.len_data._write__seq(self._io)
            self._io.write_bytes(self.data)


        def _check(self):
            if self.len_data._root != self._root:
                raise kaitaistruct.ConsistencyError(u"len_data", self._root, self.len_data._root)
            if self.len_data._parent != self:
                raise kaitaistruct.ConsistencyError(u"len_data", self, self.len_data._parent)
            if len(self.data) != self.len_data.value:
                raise kaitaistruct.ConsistencyError(u"data", self.len_data.value, len(self.data))
            self._dirty = False

        @property
        def value(self):
            """Bytes that are not UTF-8 are an error or replaced, by language."""
            if hasattr(self, '_m_value'):
                return self._m_value

            self._m_value = (self.data).decode(u"UTF-8")
            return getattr(self, '_m_value', None)

        def _invalidate_value(self):
            del self._m_value

    class KeyValue(ReadWriteKaitaiStruct):
        def __init__(self, _io=None, _parent=None, _root=None):
            super(Gguf.KeyValue, self).__init__(_io)
            self._parent = _parent
            self._root = _root

        def _read(self):
            _on = self._root.is_be
            if _on == True:
                pass
                self._is_le = False
            elif _on == False:
                pass
                self._is_le = True
            if not hasattr(self, '_is_le'):
                raise kaitaistruct.UndecidedEndiannessError("/types/key_value")
            elif self._is_le == True:
                self._read_le()
            elif self._is_le == False:
                self._read_be()
            self._dirty = False

        def _read_le(self):
            self.key = Gguf.GgufString(self._io, self, self._root)
            self.key._read()
            self.value_type = KaitaiStream.resolve_enum(Gguf.ValueType, self._io.read_u4le())
            if not isinstance(self.value_type, Gguf.ValueType):
                raise kaitaistruct.ValidationNotInEnumError(self.value_type, self._io, u"/types/key_value/seq/1")
            _on = self.value_type
            if _on == Gguf.ValueType.array:
                pass
                self.value = Gguf.GgufArray(self._io, self, self._root)
                self.value._read()
            elif _on == Gguf.ValueType.bool:
                pass
                self.value = Gguf.ValueU1(self._io, self, self._root)
                self.value._read()
            elif _on == Gguf.ValueType.float32:
                pass
                self.value = Gguf.ValueF4(self._io, self, self._root)
                self.value._read()
            elif _on == Gguf.ValueType.float64:
                pass
                self.value = Gguf.ValueF8(self._io, self, self._root)
                self.value._read()
            elif _on == Gguf.ValueType.int16:
                pass
                self.value = Gguf.ValueS2(self._io, self, self._root)
                self.value._read()
            elif _on == Gguf.ValueType.int32:
                pass
                self.value = Gguf.ValueS4(self._io, self, self._root)
                self.value._read()
            elif _on == Gguf.ValueType.int64:
                pass
                self.value = Gguf.ValueS8(self._io, self, self._root)
                self.value._read()
            elif _on == Gguf.ValueType.int8:
                pass
                self.value = Gguf.ValueS1(self._io, self, self._root)
                self.value._read()
            elif _on == Gguf.ValueType.string:
                pass
                self.value = Gguf.GgufString(self._io, self, self._root)
                self.value._read()
            elif _on == Gguf.ValueType.uint16:
                pass
                self.value = Gguf.ValueU2(self._io, self, self._root)
                self.value._read()
            elif _on == Gguf.ValueType.uint32:
                pass
                self.value = Gguf.ValueU4(self._io, self, self._root)
                self.value._read()
            elif _on == Gguf.ValueType.uint64:
                pass
                self.value = Gguf.ValueU8(self._io, self, self._root)
                self.value._read()
            elif _on == Gguf.ValueType.uint8:
                pass
                self.value = Gguf.ValueU1(self._io, self, self._root)
                self.value._read()
            self._dirty = False

        def _read_be(self):
            self.key = Gguf.GgufString(self._io, self, self._root)
            self.key._read()
            self.value_type = KaitaiStream.resolve_enum(Gguf.ValueType, self._io.read_u4be())
            if not isinstance(self.value_type, Gguf.ValueType):
                raise kaitaistruct.ValidationNotInEnumError(self.value_type, self._io, u"/types/key_value/seq/1")
            _on = self.value_type
            if _on == Gguf.ValueType.array:
                pass
                self.value = Gguf.GgufArray(self._io, self, self._root)
                self.value._read()
            elif _on == Gguf.ValueType.bool:
                pass
                self.value = Gguf.ValueU1(self._io, self, self._root)
                self.value._read()
            elif _on == Gguf.ValueType.float32:
                pass
                self.value = Gguf.ValueF4(self._io, self, self._root)
                self.value._read()
            elif _on == Gguf.ValueType.float64:
                pass
                self.value = Gguf.ValueF8(self._io, self, self._root)
                self.value._read()
            elif _on == Gguf.ValueType.int16:
                pass
                self.value = Gguf.ValueS2(self._io, self, self._root)
                self.value._read()
            elif _on == Gguf.ValueType.int32:
                pass
                self.value = Gguf.ValueS4(self._io, self, self._root)
                self.value._read()
            elif _on == Gguf.ValueType.int64:
                pass
                self.value = Gguf.ValueS8(self._io, self, self._root)
                self.value._read()
            elif _on == Gguf.ValueType.int8:
                pass
                self.value = Gguf.ValueS1(self._io, self, self._root)
                self.value._read()
            elif _on == Gguf.ValueType.string:
                pass
                self.value = Gguf.GgufString(self._io, self, self._root)
                self.value._read()
            elif _on == Gguf.ValueType.uint16:
                pass
                self.value = Gguf.ValueU2(self._io, self, self._root)
                self.value._read()
            elif _on == Gguf.ValueType.uint32:
                pass
                self.value = Gguf.ValueU4(self._io, self, self._root)
                self.value._read()
            elif _on == Gguf.ValueType.uint64:
                pass
                self.value = Gguf.ValueU8(self._io, self, self._root)
                self.value._read()
            elif _on == Gguf.ValueType.uint8:
                pass
                self.value = Gguf.ValueU1(self._io, self, self._root)
                self.value._read()
            self._dirty = False


        def _fetch_instances(self):
            pass
            self.key._fetch_instances()
            _on = self.value_type
            if _on == Gguf.ValueType.array:
                pass
                self.value._fetch_instances()
            elif _on == Gguf.ValueType.bool:
                pass
                self.value._fetch_instances()
            elif _on == Gguf.ValueType.float32:
                pass
                self.value._fetch_instances()
            elif _on == Gguf.ValueType.float64:
                pass
                self.value._fetch_instances()
            elif _on == Gguf.ValueType.int16:
                pass
                self.value._fetch_instances()
            elif _on == Gguf.ValueType.int32:
                pass
                self.value._fetch_instances()
            elif _on == Gguf.ValueType.int64:
                pass
                self.value._fetch_instances()
            elif _on == Gguf.ValueType.int8:
                pass
                self.value._fetch_instances()
            elif _on == Gguf.ValueType.string:
                pass
                self.value._fetch_instances()
            elif _on == Gguf.ValueType.uint16:
                pass
                self.value._fetch_instances()
            elif _on == Gguf.ValueType.uint32:
                pass
                self.value._fetch_instances()
            elif _on == Gguf.ValueType.uint64:
                pass
                self.value._fetch_instances()
            elif _on == Gguf.ValueType.uint8:
                pass
                self.value._fetch_instances()


        def _write__seq(self, io=None):
            super(Gguf.KeyValue, self)._write__seq(io)
            if not hasattr(self, '_is_le'):
                raise kaitaistruct.UndecidedEndiannessError("/types/key_value")
            elif self._is_le == True:
                self._write__seq_le()
            elif self._is_le == False:
                self._write__seq_be()


        def _write__seq_le(self):
            self.key._write__seq(self._io)
            self._io.write_u4le(int(self.value_type))
            _on = self.value_type
            if _on == Gguf.ValueType.array:
                pass
                self.value._write__seq(self._io)
            elif _on == Gguf.ValueType.bool:
                pass
                self.value._write__seq(self._io)
            elif _on == Gguf.ValueType.float32:
                pass
                self.value._write__seq(self._io)
            elif _on == Gguf.ValueType.float64:
                pass
                self.value._write__seq(self._io)
            elif _on == Gguf.ValueType.int16:
                pass
                self.value._write__seq(self._io)
            elif _on == Gguf.ValueType.int32:
                pass
                self.value._write__seq(self._io)
            elif _on == Gguf.ValueType.int64:
                pass
                self.value._write__seq(self._io)
            elif _on == Gguf.ValueType.int8:
                pass
                self.value._write__seq(self._io)
            elif _on == Gguf.ValueType.string:
                pass
                self.value._write__seq(self._io)
            elif _on == Gguf.ValueType.uint16:
                pass
                self.value._write__seq(self._io)
            elif _on == Gguf.ValueType.uint32:
                pass
                self.value._write__seq(self._io)
            elif _on == Gguf.ValueType.uint64:
                pass
                self.value._write__seq(self._io)
            elif _on == Gguf.ValueType.uint8:
                pass
                self.value._write__seq(self._io)


        def _write__seq_be(self):
            self.key._write__seq(self._io)
            self._io.write_u4be(int(self.value_type))
            _on = self.value_type
            if _on == Gguf.ValueType.array:
                pass
                self.value._write__seq(self._io)
            elif _on == Gguf.ValueType.bool:
                pass
                self.value._write__seq(self._io)
            elif _on == Gguf.ValueType.float32:
                pass
                self.value._write__seq(self._io)
            elif _on == Gguf.ValueType.float64:
                pass
                self.value._write__seq(self._io)
            elif _on == Gguf.ValueType.int16:
                pass
                self.value._write__seq(self._io)
            elif _on == Gguf.ValueType.int32:
                pass
                self.value._write__seq(self._io)
            elif _on == Gguf.ValueType.int64:
                pass
                self.value._write__seq(self._io)
            elif _on == Gguf.ValueType.int8:
                pass
                self.value._write__seq(self._io)
            elif _on == Gguf.ValueType.string:
                pass
                self.value._write__seq(self._io)
            elif _on == Gguf.ValueType.uint16:
                pass
                self.value._write__seq(self._io)
            elif _on == Gguf.ValueType.uint32:
                pass
                self.value._write__seq(self._io)
            elif _on == Gguf.ValueType.uint64:
                pass
                self.value._write__seq(self._io)
            elif _on == Gguf.ValueType.uint8:
                pass
                self.value._write__seq(self._io)


        def _check(self):
            if self.key._root != self._root:
                raise kaitaistruct.ConsistencyError(u"key", self._root, self.key._root)
            if self.key._parent != self:
                raise kaitaistruct.ConsistencyError(u"key", self, self.key._parent)
            if not isinstance(self.value_type, Gguf.ValueType):
                raise kaitaistruct.ValidationNotInEnumError(self.value_type, None, u"/types/key_value/seq/1")
            _on = self.value_type
            if _on == Gguf.ValueType.array:
                pass
                if self.value._root != self._root:
                    raise kaitaistruct.ConsistencyError(u"value", self._root, self.value._root)
                if self.value._parent != self:
                    raise kaitaistruct.ConsistencyError(u"value", self, self.value._parent)
            elif _on == Gguf.ValueType.bool:
                pass
                if self.value._root != self._root:
                    raise kaitaistruct.ConsistencyError(u"value", self._root, self.value._root)
                if self.value._parent != self:
                    raise kaitaistruct.ConsistencyError(u"value", self, self.value._parent)
            elif _on == Gguf.ValueType.float32:
                pass
                if self.value._root != self._root:
                    raise kaitaistruct.ConsistencyError(u"value", self._root, self.value._root)
                if self.value._parent != self:
                    raise kaitaistruct.ConsistencyError(u"value", self, self.value._parent)
            elif _on == Gguf.ValueType.float64:
                pass
                if self.value._root != self._root:
                    raise kaitaistruct.ConsistencyError(u"value", self._root, self.value._root)
                if self.value._parent != self:
                    raise kaitaistruct.ConsistencyError(u"value", self, self.value._parent)
            elif _on == Gguf.ValueType.int16:
                pass
                if self.value._root != self._root:
                    raise kaitaistruct.ConsistencyError(u"value", self._root, self.value._root)
                if self.value._parent != self:
                    raise kaitaistruct.ConsistencyError(u"value", self, self.value._parent)
            elif _on == Gguf.ValueType.int32:
                pass
                if self.value._root != self._root:
                    raise kaitaistruct.ConsistencyError(u"value", self._root, self.value._root)
                if self.value._parent != self:
                    raise kaitaistruct.ConsistencyError(u"value", self, self.value._parent)
            elif _on == Gguf.ValueType.int64:
                pass
                if self.value._root != self._root:
                    raise kaitaistruct.ConsistencyError(u"value", self._root, self.value._root)
                if self.value._parent != self:
                    raise kaitaistruct.ConsistencyError(u"value", self, self.value._parent)
            elif _on == Gguf.ValueType.int8:
                pass
                if self.value._root != self._root:
                    raise kaitaistruct.ConsistencyError(u"value", self._root, self.value._root)
                if self.value._parent != self:
                    raise kaitaistruct.ConsistencyError(u"value", self, self.value._parent)
            elif _on == Gguf.ValueType.string:
                pass
                if self.value._root != self._root:
                    raise kaitaistruct.ConsistencyError(u"value", self._root, self.value._root)
                if self.value._parent != self:
                    raise kaitaistruct.ConsistencyError(u"value", self, self.value._parent)
            elif _on == Gguf.ValueType.uint16:
                pass
                if self.value._root != self._root:
                    raise kaitaistruct.ConsistencyError(u"value", self._root, self.value._root)
                if self.value._parent != self:
                    raise kaitaistruct.ConsistencyError(u"value", self, self.value._parent)
            elif _on == Gguf.ValueType.uint32:
                pass
                if self.value._root != self._root:
                    raise kaitaistruct.ConsistencyError(u"value", self._root, self.value._root)
                if self.value._parent != self:
                    raise kaitaistruct.ConsistencyError(u"value", self, self.value._parent)
            elif _on == Gguf.ValueType.uint64:
                pass
                if self.value._root != self._root:
                    raise kaitaistruct.ConsistencyError(u"value", self._root, self.value._root)
                if self.value._parent != self:
                    raise kaitaistruct.ConsistencyError(u"value", self, self.value._parent)
            elif _on == Gguf.ValueType.uint8:
                pass
                if self.value._root != self._root:
                    raise kaitaistruct.ConsistencyError(u"value", self._root, self.value._root)
                if self.value._parent != self:
                    raise kaitaistruct.ConsistencyError(u"value", self, self.value._parent)
            self._dirty = False

        @property
        def alignment(self):
            """The value if this is the alignment, otherwise the default."""
            if hasattr(self, '_m_alignment'):
                return self._m_alignment

            self._m_alignment = (self.value.value if self.is_alignment else 32)
            return getattr(self, '_m_alignment', None)

        def _invalidate_alignment(self):
            del self._m_alignment
        @property
        def is_alignment(self):
            """Whether the key is `general.alignment`, with the required type."""
            if hasattr(self, '_m_is_alignment'):
                return self._m_is_alignment

            self._m_is_alignment =  ((self.value_type == Gguf.ValueType.uint32) and (self.key.data == b"\x67\x65\x6E\x65\x72\x61\x6C\x2E\x61\x6C\x69\x67\x6E\x6D\x65\x6E\x74")) 
            return getattr(self, '_m_is_alignment', None)

        def _invalidate_is_alignment(self):
            del self._m_is_alignment

    class Length(ReadWriteKaitaiStruct):
        """A count of bytes or items. 32 bits wide in version 1, 64 bits since
        version 2. At most 2^30, which is ggml's limit for strings and arrays.
        """
        def __init__(self, _io=None, _parent=None, _root=None):
            super(Gguf.Length, self).__init__(_io)
            self._parent = _parent
            self._root = _root

        def _read(self):
            _on = self._root.is_be
            if _on == True:
                pass
                self._is_le = False
            elif _on == False:
                pass
                self._is_le = True
            if not hasattr(self, '_is_le'):
                raise kaitaistruct.UndecidedEndiannessError("/types/length")
            elif self._is_le == True:
                self._read_le()
            elif self._is_le == False:
                self._read_be()
            self._dirty = False

        def _read_le(self):
            if self._root.version == 1:
                pass
                self.value_u4 = self._io.read_u4le()
                if not self.value_u4 <= 1073741824:
                    raise kaitaistruct.ValidationGreaterThanError(1073741824, self.value_u4, self._io, u"/types/length/seq/0")

            if self._root.version != 1:
                pass
                self.value_u8 = self._io.read_u8le()
                if not self.value_u8 >= 0:
                    raise kaitaistruct.ValidationLessThanError(0, self.value_u8, self._io, u"/types/length/seq/1")
                if not self.value_u8 <= 1073741824:
                    raise kaitaistruct.ValidationGreaterThanError(1073741824, self.value_u8, self._io, u"/types/length/seq/1")

            self._dirty = False

        def _read_be(self):
            if self._root.version == 1:
                pass
                self.value_u4 = self._io.read_u4be()
                if not self.value_u4 <= 1073741824:
                    raise kaitaistruct.ValidationGreaterThanError(1073741824, self.value_u4, self._io, u"/types/length/seq/0")

            if self._root.version != 1:
                pass
                self.value_u8 = self._io.read_u8be()
                if not self.value_u8 >= 0:
                    raise kaitaistruct.ValidationLessThanError(0, self.value_u8, self._io, u"/types/length/seq/1")
                if not self.value_u8 <= 1073741824:
                    raise kaitaistruct.ValidationGreaterThanError(1073741824, self.value_u8, self._io, u"/types/length/seq/1")

            self._dirty = False


        def _fetch_instances(self):
            pass
            if self._root.version == 1:
                pass

            if self._root.version != 1:
                pass



        def _write__seq(self, io=None):
            super(Gguf.Length, self)._write__seq(io)
            if not hasattr(self, '_is_le'):
                raise kaitaistruct.UndecidedEndiannessError("/types/length")
            elif self._is_le == True:
                self._write__seq_le()
            elif self._is_le == False:
                self._write__seq_be()


        def _write__seq_le(self):
            if self._root.version == 1:
                pass
                self._io.write_u4le(self.value_u4)

            if self._root.version != 1:
                pass
                self._io.write_u8le(self.value_u8)



        def _write__seq_be(self):
            if self._root.version == 1:
                pass
                self._io.write_u4be(self.value_u4)

            if self._root.version != 1:
                pass
                self._io.write_u8be(self.value_u8)



        def _check(self):
            if self._root.version == 1:
                pass
                if not self.value_u4 <= 1073741824:
                    raise kaitaistruct.ValidationGreaterThanError(1073741824, self.value_u4, None, u"/types/length/seq/0")

            if self._root.version != 1:
                pass
                if not self.value_u8 >= 0:
                    raise kaitaistruct.ValidationLessThanError(0, self.value_u8, None, u"/types/length/seq/1")
                if not self.value_u8 <= 1073741824:
                    raise kaitaistruct.ValidationGreaterThanError(1073741824, self.value_u8, None, u"/types/length/seq/1")

            self._dirty = False

        @property
        def as_int(self):
            """The same as `value`, in a type that all languages can repeat by."""
            if hasattr(self, '_m_as_int'):
                return self._m_as_int

            self._m_as_int = (self.value_u4 if self._root.version == 1 else self.value_u8)
            return getattr(self, '_m_as_int', None)

        def _invalidate_as_int(self):
            del self._m_as_int
        @property
        def value(self):
            if hasattr(self, '_m_value'):
                return self._m_value

            self._m_value = (self.value_u4 if self._root.version == 1 else self.value_u8)
            return getattr(self, '_m_value', None)

        def _invalidate_value(self):
            del self._m_value

    class StringElements(ReadWriteKaitaiStruct):
        def __init__(self, _io=None, _parent=None, _root=None):
            super(Gguf.StringElements, self).__init__(_io)
            self._parent = _parent
            self._root = _root

        def _read(self):
            self.items = []
            for i in range(self._parent.num_elements.as_int):
                _t_items = Gguf.GgufString(self._io, self, self._root)
                try:
                    _t_items._read()
                finally:
                    self.items.append(_t_items)

            self._dirty = False


        def _fetch_instances(self):
            pass
            for i in range(len(self.items)):
                pass
                self.items[i]._fetch_instances()



        def _write__seq(self, io=None):
            super(Gguf.StringElements, self)._write__seq(io)
            for i in range(len(self.items)):
                pass
                self.items[i]._write__seq(self._io)



        def _check(self):
            if len(self.items) != self._parent.num_elements.as_int:
                raise kaitaistruct.ConsistencyError(u"items", self._parent.num_elements.as_int, len(self.items))
            for i in range(len(self.items)):
                pass
                if self.items[i]._root != self._root:
                    raise kaitaistruct.ConsistencyError(u"items", self._root, self.items[i]._root)
                if self.items[i]._parent != self:
                    raise kaitaistruct.ConsistencyError(u"items", self, self.items[i]._parent)

            self._dirty = False


    class TensorInfo(ReadWriteKaitaiStruct):
        def __init__(self, _io=None, _parent=None, _root=None):
            super(Gguf.TensorInfo, self).__init__(_io)
            self._parent = _parent
            self._root = _root

        def _read(self):
            _on = self._root.is_be
            if _on == True:
                pass
                self._is_le = False
            elif _on == False:
                pass
                self._is_le = True
            if not hasattr(self, '_is_le'):
                raise kaitaistruct.UndecidedEndiannessError("/types/tensor_info")
            elif self._is_le == True:
                self._read_le()
            elif self._is_le == False:
                self._read_be()
            self._dirty = False

        def _read_le(self):
            self.name = Gguf.GgufString(self._io, self, self._root)
            self.name._read()
            self.num_dims = self._io.read_u4le()
            if not self.num_dims <= 4:
                raise kaitaistruct.ValidationGreaterThanError(4, self.num_dims, self._io, u"/types/tensor_info/seq/1")
            self.dims = []
            for i in range(self.num_dims):
                _t_dims = Gguf.Dim(self._io, self, self._root)
                try:
                    _t_dims._read()
                finally:
                    self.dims.append(_t_dims)

            self.type_id = self._io.read_u4le()
            self.ofs_data = self._io.read_u8le()
            self._dirty = False

        def _read_be(self):
            self.name = Gguf.GgufString(self._io, self, self._root)
            self.name._read()
            self.num_dims = self._io.read_u4be()
            if not self.num_dims <= 4:
                raise kaitaistruct.ValidationGreaterThanError(4, self.num_dims, self._io, u"/types/tensor_info/seq/1")
            self.dims = []
            for i in range(self.num_dims):
                _t_dims = Gguf.Dim(self._io, self, self._root)
                try:
                    _t_dims._read()
                finally:
                    self.dims.append(_t_dims)

            self.type_id = self._io.read_u4be()
            self.ofs_data = self._io.read_u8be()
            self._dirty = False


        def _fetch_instances(self):
            pass
            self.name._fetch_instances()
            for i in range(len(self.dims)):
                pass
                self.dims[i]._fetch_instances()



        def _write__seq(self, io=None):
            super(Gguf.TensorInfo, self)._write__seq(io)
            if not hasattr(self, '_is_le'):
                raise kaitaistruct.UndecidedEndiannessError("/types/tensor_info")
            elif self._is_le == True:
                self._write__seq_le()
            elif self._is_le == False:
                self._write__seq_be()


        def _write__seq_le(self):
            self.name._write__seq(self._io)
            self._io.write_u4le(self.num_dims)
            for i in range(len(self.dims)):
                pass
                self.dims[i]._write__seq(self._io)

            self._io.write_u4le(self.type_id)
            self._io.write_u8le(self.ofs_data)


        def _write__seq_be(self):
            self.name._write__seq(self._io)
            self._io.write_u4be(self.num_dims)
            for i in range(len(self.dims)):
                pass
                self.dims[i]._write__seq(self._io)

            self._io.write_u4be(self.type_id)
            self._io.write_u8be(self.ofs_data)


        def _check(self):
            if self.name._root != self._root:
                raise kaitaistruct.ConsistencyError(u"name", self._root, self.name._root)
            if self.name._parent != self:
                raise kaitaistruct.ConsistencyError(u"name", self, self.name._parent)
            if not self.num_dims <= 4:
                raise kaitaistruct.ValidationGreaterThanError(4, self.num_dims, None, u"/types/tensor_info/seq/1")
            if len(self.dims) != self.num_dims:
                raise kaitaistruct.ConsistencyError(u"dims", self.num_dims, len(self.dims))
            for i in range(len(self.dims)):
                pass
                if self.dims[i]._root != self._root:
                    raise kaitaistruct.ConsistencyError(u"dims", self._root, self.dims[i]._root)
                if self.dims[i]._parent != self:
                    raise kaitaistruct.ConsistencyError(u"dims", self, self.dims[i]._parent)

            self._dirty = False

        @property
        def ggml_type(self):
            if hasattr(self, '_m_ggml_type'):
                return self._m_ggml_type

            self._m_ggml_type = KaitaiStream.resolve_enum(Gguf.GgmlType, self.type_id)
            return getattr(self, '_m_ggml_type', None)

        def _invalidate_ggml_type(self):
            del self._m_ggml_type

    class ValueF4(ReadWriteKaitaiStruct):
        def __init__(self, _io=None, _parent=None, _root=None):
            super(Gguf.ValueF4, self).__init__(_io)
            self._parent = _parent
            self._root = _root

        def _read(self):
            _on = self._root.is_be
            if _on == True:
                pass
                self._is_le = False
            elif _on == False:
                pass
                self._is_le = True
            if not hasattr(self, '_is_le'):
                raise kaitaistruct.UndecidedEndiannessError("/types/value_f4")
            elif self._is_le == True:
                self._read_le()
            elif self._is_le == False:
                self._read_be()
            self._dirty = False

        def _read_le(self):
            self.value = self._io.read_f4le()
            self._dirty = False

        def _read_be(self):
            self.value = self._io.read_f4be()
            self._dirty = False


        def _fetch_instances(self):
            pass


        def _write__seq(self, io=None):
            super(Gguf.ValueF4, self)._write__seq(io)
            if not hasattr(self, '_is_le'):
                raise kaitaistruct.UndecidedEndiannessError("/types/value_f4")
            elif self._is_le == True:
                self._write__seq_le()
            elif self._is_le == False:
                self._write__seq_be()


        def _write__seq_le(self):
            self._io.write_f4le(self.value)


        def _write__seq_be(self):
            self._io.write_f4be(self.value)


        def _check(self):
            self._dirty = False


    class ValueF8(ReadWriteKaitaiStruct):
        def __init__(self, _io=None, _parent=None, _root=None):
            super(Gguf.ValueF8, self).__init__(_io)
            self._parent = _parent
            self._root = _root

        def _read(self):
            _on = self._root.is_be
            if _on == True:
                pass
                self._is_le = False
            elif _on == False:
                pass
                self._is_le = True
            if not hasattr(self, '_is_le'):
                raise kaitaistruct.UndecidedEndiannessError("/types/value_f8")
            elif self._is_le == True:
                self._read_le()
            elif self._is_le == False:
                self._read_be()
            self._dirty = False

        def _read_le(self):
            self.value = self._io.read_f8le()
            self._dirty = False

        def _read_be(self):
            self.value = self._io.read_f8be()
            self._dirty = False


        def _fetch_instances(self):
            pass


        def _write__seq(self, io=None):
            super(Gguf.ValueF8, self)._write__seq(io)
            if not hasattr(self, '_is_le'):
                raise kaitaistruct.UndecidedEndiannessError("/types/value_f8")
            elif self._is_le == True:
                self._write__seq_le()
            elif self._is_le == False:
                self._write__seq_be()


        def _write__seq_le(self):
            self._io.write_f8le(self.value)


        def _write__seq_be(self):
            self._io.write_f8be(self.value)


        def _check(self):
            self._dirty = False


    class ValueS1(ReadWriteKaitaiStruct):
        def __init__(self, _io=None, _parent=None, _root=None):
            super(Gguf.ValueS1, self).__init__(_io)
            self._parent = _parent
            self._root = _root

        def _read(self):
            self.value = self._io.read_s1()
            self._dirty = False


        def _fetch_instances(self):
            pass


        def _write__seq(self, io=None):
            super(Gguf.ValueS1, self)._write__seq(io)
            self._io.write_s1(self.value)


        def _check(self):
            self._dirty = False


    class ValueS2(ReadWriteKaitaiStruct):
        def __init__(self, _io=None, _parent=None, _root=None):
            super(Gguf.ValueS2, self).__init__(_io)
            self._parent = _parent
            self._root = _root

        def _read(self):
            _on = self._root.is_be
            if _on == True:
                pass
                self._is_le = False
            elif _on == False:
                pass
                self._is_le = True
            if not hasattr(self, '_is_le'):
                raise kaitaistruct.UndecidedEndiannessError("/types/value_s2")
            elif self._is_le == True:
                self._read_le()
            elif self._is_le == False:
                self._read_be()
            self._dirty = False

        def _read_le(self):
            self.value = self._io.read_s2le()
            self._dirty = False

        def _read_be(self):
            self.value = self._io.read_s2be()
            self._dirty = False


        def _fetch_instances(self):
            pass


        def _write__seq(self, io=None):
            super(Gguf.ValueS2, self)._write__seq(io)
            if not hasattr(self, '_is_le'):
                raise kaitaistruct.UndecidedEndiannessError("/types/value_s2")
            elif self._is_le == True:
                self._write__seq_le()
            elif self._is_le == False:
                self._write__seq_be()


        def _write__seq_le(self):
            self._io.write_s2le(self.value)


        def _write__seq_be(self):
            self._io.write_s2be(self.value)


        def _check(self):
            self._dirty = False


    class ValueS4(ReadWriteKaitaiStruct):
        def __init__(self, _io=None, _parent=None, _root=None):
            super(Gguf.ValueS4, self).__init__(_io)
            self._parent = _parent
            self._root = _root

        def _read(self):
            _on = self._root.is_be
            if _on == True:
                pass
                self._is_le = False
            elif _on == False:
                pass
                self._is_le = True
            if not hasattr(self, '_is_le'):
                raise kaitaistruct.UndecidedEndiannessError("/types/value_s4")
            elif self._is_le == True:
                self._read_le()
            elif self._is_le == False:
                self._read_be()
            self._dirty = False

        def _read_le(self):
            self.value = self._io.read_s4le()
            self._dirty = False

        def _read_be(self):
            self.value = self._io.read_s4be()
            self._dirty = False


        def _fetch_instances(self):
            pass


        def _write__seq(self, io=None):
            super(Gguf.ValueS4, self)._write__seq(io)
            if not hasattr(self, '_is_le'):
                raise kaitaistruct.UndecidedEndiannessError("/types/value_s4")
            elif self._is_le == True:
                self._write__seq_le()
            elif self._is_le == False:
                self._write__seq_be()


        def _write__seq_le(self):
            self._io.write_s4le(self.value)


        def _write__seq_be(self):
            self._io.write_s4be(self.value)


        def _check(self):
            self._dirty = False


    class ValueS8(ReadWriteKaitaiStruct):
        def __init__(self, _io=None, _parent=None, _root=None):
            super(Gguf.ValueS8, self).__init__(_io)
            self._parent = _parent
            self._root = _root

        def _read(self):
            _on = self._root.is_be
            if _on == True:
                pass
                self._is_le = False
            elif _on == False:
                pass
                self._is_le = True
            if not hasattr(self, '_is_le'):
                raise kaitaistruct.UndecidedEndiannessError("/types/value_s8")
            elif self._is_le == True:
                self._read_le()
            elif self._is_le == False:
                self._read_be()
            self._dirty = False

        def _read_le(self):
            self.value = self._io.read_s8le()
            self._dirty = False

        def _read_be(self):
            self.value = self._io.read_s8be()
            self._dirty = False


        def _fetch_instances(self):
            pass


        def _write__seq(self, io=None):
            super(Gguf.ValueS8, self)._write__seq(io)
            if not hasattr(self, '_is_le'):
                raise kaitaistruct.UndecidedEndiannessError("/types/value_s8")
            elif self._is_le == True:
                self._write__seq_le()
            elif self._is_le == False:
                self._write__seq_be()


        def _write__seq_le(self):
            self._io.write_s8le(self.value)


        def _write__seq_be(self):
            self._io.write_s8be(self.value)


        def _check(self):
            self._dirty = False


    class ValueU1(ReadWriteKaitaiStruct):
        def __init__(self, _io=None, _parent=None, _root=None):
            super(Gguf.ValueU1, self).__init__(_io)
            self._parent = _parent
            self._root = _root

        def _read(self):
            self.value = self._io.read_u1()
            self._dirty = False


        def _fetch_instances(self):
            pass


        def _write__seq(self, io=None):
            super(Gguf.ValueU1, self)._write__seq(io)
            self._io.write_u1(self.value)


        def _check(self):
            self._dirty = False


    class ValueU2(ReadWriteKaitaiStruct):
        def __init__(self, _io=None, _parent=None, _root=None):
            super(Gguf.ValueU2, self).__init__(_io)
            self._parent = _parent
            self._root = _root

        def _read(self):
            _on = self._root.is_be
            if _on == True:
                pass
                self._is_le = False
            elif _on == False:
                pass
                self._is_le = True
            if not hasattr(self, '_is_le'):
                raise kaitaistruct.UndecidedEndiannessError("/types/value_u2")
            elif self._is_le == True:
                self._read_le()
            elif self._is_le == False:
                self._read_be()
            self._dirty = False

        def _read_le(self):
            self.value = self._io.read_u2le()
            self._dirty = False

        def _read_be(self):
            self.value = self._io.read_u2be()
            self._dirty = False


        def _fetch_instances(self):
            pass


        def _write__seq(self, io=None):
            super(Gguf.ValueU2, self)._write__seq(io)
            if not hasattr(self, '_is_le'):
                raise kaitaistruct.UndecidedEndiannessError("/types/value_u2")
            elif self._is_le == True:
                self._write__seq_le()
            elif self._is_le == False:
                self._write__seq_be()


        def _write__seq_le(self):
            self._io.write_u2le(self.value)


        def _write__seq_be(self):
            self._io.write_u2be(self.value)


        def _check(self):
            self._dirty = False


    class ValueU4(ReadWriteKaitaiStruct):
        def __init__(self, _io=None, _parent=None, _root=None):
            super(Gguf.ValueU4, self).__init__(_io)
            self._parent = _parent
            self._root = _root

        def _read(self):
            _on = self._root.is_be
            if _on == True:
                pass
                self._is_le = False
            elif _on == False:
                pass
                self._is_le = True
            if not hasattr(self, '_is_le'):
                raise kaitaistruct.UndecidedEndiannessError("/types/value_u4")
            elif self._is_le == True:
                self._read_le()
            elif self._is_le == False:
                self._read_be()
            self._dirty = False

        def _read_le(self):
            self.value = self._io.read_u4le()
            self._dirty = False

        def _read_be(self):
            self.value = self._io.read_u4be()
            self._dirty = False


        def _fetch_instances(self):
            pass


        def _write__seq(self, io=None):
            super(Gguf.ValueU4, self)._write__seq(io)
            if not hasattr(self, '_is_le'):
                raise kaitaistruct.UndecidedEndiannessError("/types/value_u4")
            elif self._is_le == True:
                self._write__seq_le()
            elif self._is_le == False:
                self._write__seq_be()


        def _write__seq_le(self):
            self._io.write_u4le(self.value)


        def _write__seq_be(self):
            self._io.write_u4be(self.value)


        def _check(self):
            self._dirty = False


    class ValueU8(ReadWriteKaitaiStruct):
        def __init__(self, _io=None, _parent=None, _root=None):
            super(Gguf.ValueU8, self).__init__(_io)
            self._parent = _parent
            self._root = _root

        def _read(self):
            _on = self._root.is_be
            if _on == True:
                pass
                self._is_le = False
            elif _on == False:
                pass
                self._is_le = True
            if not hasattr(self, '_is_le'):
                raise kaitaistruct.UndecidedEndiannessError("/types/value_u8")
            elif self._is_le == True:
                self._read_le()
            elif self._is_le == False:
                self._read_be()
            self._dirty = False

        def _read_le(self):
            self.value = self._io.read_u8le()
            self._dirty = False

        def _read_be(self):
            self.value = self._io.read_u8be()
            self._dirty = False


        def _fetch_instances(self):
            pass


        def _write__seq(self, io=None):
            super(Gguf.ValueU8, self)._write__seq(io)
            if not hasattr(self, '_is_le'):
                raise kaitaistruct.UndecidedEndiannessError("/types/value_u8")
            elif self._is_le == True:
                self._write__seq_le()
            elif self._is_le == False:
                self._write__seq_be()


        def _write__seq_le(self):
            self._io.write_u8le(self.value)


        def _write__seq_be(self):
            self._io.write_u8be(self.value)


        def _check(self):
            self._dirty = False


    @property
    def is_be(self):
        """Whether all of the file, tensor data included, is big-endian."""
        if hasattr(self, '_m_is_be'):
            return self._m_is_be

        self._m_is_be = self.version_le & 65535 == 0
        return getattr(self, '_m_is_be', None)

    def _invalidate_is_be(self):
        del self._m_is_be
    @property
    def version(self):
        if hasattr(self, '_m_version'):
            return self._m_version

        self._m_version = (self.version_be if self.is_be else self.version_le)
        return getattr(self, '_m_version', None)

    def _invalidate_version(self):
        del self._m_version
    @property
    def version_be(self):
        if self._should_write_version_be:
            self._write_version_be()
        if hasattr(self, '_m_version_be'):
            return self._m_version_be

        if not self.version_be__enabled:
            return None

        _pos = self._io.pos()
        self._io.seek(4)
        self._m_version_be = self._io.read_u4be()
        self._io.seek(_pos)
        return getattr(self, '_m_version_be', None)

    @version_be.setter
    def version_be(self, v):
        self._dirty = True
        self._m_version_be = v

    def _write_version_be(self):
        self._should_write_version_be = False
        _pos = self._io.pos()
        self._io.seek(4)
        self._io.write_u4be(self._m_version_be)
        self._io.seek(_pos)

    @property
    def version_le(self):
        if self._should_write_version_le:
            self._write_version_le()
        if hasattr(self, '_m_version_le'):
            return self._m_version_le

        if not self.version_le__enabled:
            return None

        _pos = self._io.pos()
        self._io.seek(4)
        self._m_version_le = self._io.read_u4le()
        self._io.seek(_pos)
        return getattr(self, '_m_version_le', None)

    @version_le.setter
    def version_le(self, v):
        self._dirty = True
        self._m_version_le = v

    def _write_version_le(self):
        self._should_write_version_le = False
        _pos = self._io.pos()
        self._io.seek(4)
        self._io.write_u4le(self._m_version_le)
        self._io.seek(_pos)


