# This is a generated file! Please edit source .ksy file and use kaitai-struct-compiler to rebuild
# type: ignore

import kaitaistruct
from kaitaistruct import KaitaiStruct, KaitaiStream, BytesIO
from enum import IntEnum
import collections


if getattr(kaitaistruct, 'API_VERSION', (0, 9)) < (0, 11):
    raise Exception("Incompatible Kaitai Struct Python API: 0.11 or later is required, but you have %s" % (kaitaistruct.__version__))

class Gguf(KaitaiStruct):
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
    SEQ_FIELDS = ["magic", "body"]
    def __init__(self, _io, _parent=None, _root=None):
        super(Gguf, self).__init__(_io)
        self._parent = _parent
        self._root = _root or self
        self._debug = collections.defaultdict(dict)

    def _read(self):
        self._debug['magic']['start'] = self._io.pos()
        self.magic = self._io.read_bytes(4)
        self._debug['magic']['end'] = self._io.pos()
        if not self.magic == b"\x47\x47\x55\x46":
            raise kaitaistruct.ValidationNotEqualError(b"\x47\x47\x55\x46", self.magic, self._io, u"/seq/0")
        self._debug['body']['start'] = self._io.pos()
        self.body = Gguf.GgufBody(self._io, self, self._root)
        self.body._read()
        self._debug['body']['end'] = self._io.pos()


    def _fetch_instances(self):
        pass
        self.body._fetch_instances()
        _ = self.version_be
        if hasattr(self, '_m_version_be'):
            pass

        _ = self.version_le
        if hasattr(self, '_m_version_le'):
            pass


    class ArrayElements(KaitaiStruct):
        SEQ_FIELDS = ["items"]
        def __init__(self, _io, _parent=None, _root=None):
            super(Gguf.ArrayElements, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['items']['start'] = self._io.pos()
            self._debug['items']['arr'] = []
            self.items = []
            for i in range(self._parent.num_elements.as_int):
                self._debug['items']['arr'].append({'start': self._io.pos()})
                _t_items = Gguf.GgufArray(self._io, self, self._root)
                try:
                    _t_items._read()
                finally:
                    self.items.append(_t_items)
                self._debug['items']['arr'][i]['end'] = self._io.pos()

            self._debug['items']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass
            for i in range(len(self.items)):
                pass
                self.items[i]._fetch_instances()



    class Dim(KaitaiStruct):
        """A size in elements. 32 bits wide in version 1, 64 bits since version 2."""
        SEQ_FIELDS = ["value_u4", "value_u8"]
        def __init__(self, _io, _parent=None, _root=None):
            super(Gguf.Dim, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

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

        def _read_le(self):
            if self._root.version == 1:
                pass
                self._debug['value_u4']['start'] = self._io.pos()
                self.value_u4 = self._io.read_u4le()
                self._debug['value_u4']['end'] = self._io.pos()

            if self._root.version != 1:
                pass
                self._debug['value_u8']['start'] = self._io.pos()
                self.value_u8 = self._io.read_u8le()
                self._debug['value_u8']['end'] = self._io.pos()


        def _read_be(self):
            if self._root.version == 1:
                pass
                self._debug['value_u4']['start'] = self._io.pos()
                self.value_u4 = self._io.read_u4be()
                self._debug['value_u4']['end'] = self._io.pos()

            if self._root.version != 1:
                pass
                self._debug['value_u8']['start'] = self._io.pos()
                self.value_u8 = self._io.read_u8be()
                self._debug['value_u8']['end'] = self._io.pos()



        def _fetch_instances(self):
            pass
            if self._root.version == 1:
                pass

            if self._root.version != 1:
                pass


        @property
        def value(self):
            if hasattr(self, '_m_value'):
                return self._m_value

            self._m_value = (self.value_u4 if self._root.version == 1 else self.value_u8)
            return getattr(self, '_m_value', None)


    class Elements1(KaitaiStruct):
        """Numbers of 1 byte each, in the file's byte order."""
        SEQ_FIELDS = ["data"]
        def __init__(self, _io, _parent=None, _root=None):
            super(Gguf.Elements1, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['data']['start'] = self._io.pos()
            self.data = self._io.read_bytes(self._parent.num_elements.value)
            self._debug['data']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class Elements2(KaitaiStruct):
        """Numbers of 2 bytes each, in the file's byte order."""
        SEQ_FIELDS = ["data"]
        def __init__(self, _io, _parent=None, _root=None):
            super(Gguf.Elements2, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['data']['start'] = self._io.pos()
            self.data = self._io.read_bytes(self._parent.num_elements.value * 2)
            self._debug['data']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class Elements4(KaitaiStruct):
        """Numbers of 4 bytes each, in the file's byte order."""
        SEQ_FIELDS = ["data"]
        def __init__(self, _io, _parent=None, _root=None):
            super(Gguf.Elements4, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['data']['start'] = self._io.pos()
            self.data = self._io.read_bytes(self._parent.num_elements.value * 4)
            self._debug['data']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class Elements8(KaitaiStruct):
        """Numbers of 8 bytes each, in the file's byte order."""
        SEQ_FIELDS = ["data"]
        def __init__(self, _io, _parent=None, _root=None):
            super(Gguf.Elements8, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['data']['start'] = self._io.pos()
            self.data = self._io.read_bytes(self._parent.num_elements.value * 8)
            self._debug['data']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class GgufArray(KaitaiStruct):
        """Elements of one type, without padding. They can be arrays themselves,
        each with its own element type and count.
        """
        SEQ_FIELDS = ["element_type", "num_elements", "elements"]
        def __init__(self, _io, _parent=None, _root=None):
            super(Gguf.GgufArray, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

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

        def _read_le(self):
            self._debug['element_type']['start'] = self._io.pos()
            self.element_type = KaitaiStream.resolve_enum(Gguf.ValueType, self._io.read_u4le())
            self._debug['element_type']['end'] = self._io.pos()
            if not isinstance(self.element_type, Gguf.ValueType):
                raise kaitaistruct.ValidationNotInEnumError(self.element_type, self._io, u"/types/gguf_array/seq/0")
            self._debug['num_elements']['start'] = self._io.pos()
            self.num_elements = Gguf.Length(self._io, self, self._root)
            self.num_elements._read()
            self._debug['num_elements']['end'] = self._io.pos()
            self._debug['elements']['start'] = self._io.pos()
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
            self._debug['elements']['end'] = self._io.pos()

        def _read_be(self):
            self._debug['element_type']['start'] = self._io.pos()
            self.element_type = KaitaiStream.resolve_enum(Gguf.ValueType, self._io.read_u4be())
            self._debug['element_type']['end'] = self._io.pos()
            if not isinstance(self.element_type, Gguf.ValueType):
                raise kaitaistruct.ValidationNotInEnumError(self.element_type, self._io, u"/types/gguf_array/seq/0")
            self._debug['num_elements']['start'] = self._io.pos()
            self.num_elements = Gguf.Length(self._io, self, self._root)
            self.num_elements._read()
            self._debug['num_elements']['end'] = self._io.pos()
            self._debug['elements']['start'] = self._io.pos()
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
            self._debug['elements']['end'] = self._io.pos()


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


    class GgufBody(KaitaiStruct):
        SEQ_FIELDS = ["version", "num_tensors", "num_metadata", "metadata", "tensors", "header_end"]
        def __init__(self, _io, _parent=None, _root=None):
            super(Gguf.GgufBody, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

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

        def _read_le(self):
            self._debug['version']['start'] = self._io.pos()
            self.version = self._io.read_u4le()
            self._debug['version']['end'] = self._io.pos()
            if not  ((self.version == 1) or (self.version == 2) or (self.version == 3)) :
                raise kaitaistruct.ValidationNotAnyOfError(self.version, self._io, u"/types/gguf_body/seq/0")
            self._debug['num_tensors']['start'] = self._io.pos()
            self.num_tensors = Gguf.Length(self._io, self, self._root)
            self.num_tensors._read()
            self._debug['num_tensors']['end'] = self._io.pos()
            self._debug['num_metadata']['start'] = self._io.pos()
            self.num_metadata = Gguf.Length(self._io, self, self._root)
            self.num_metadata._read()
            self._debug['num_metadata']['end'] = self._io.pos()
            self._debug['metadata']['start'] = self._io.pos()
            self._debug['metadata']['arr'] = []
            self.metadata = []
            for i in range(self.num_metadata.as_int):
                self._debug['metadata']['arr'].append({'start': self._io.pos()})
                _t_metadata = Gguf.KeyValue(self._io, self, self._root)
                try:
                    _t_metadata._read()
                finally:
                    self.metadata.append(_t_metadata)
                self._debug['metadata']['arr'][i]['end'] = self._io.pos()

            self._debug['metadata']['end'] = self._io.pos()
            self._debug['tensors']['start'] = self._io.pos()
            self._debug['tensors']['arr'] = []
            self.tensors = []
            for i in range(self.num_tensors.as_int):
                self._debug['tensors']['arr'].append({'start': self._io.pos()})
                _t_tensors = Gguf.TensorInfo(self._io, self, self._root)
                try:
                    _t_tensors._read()
                finally:
                    self.tensors.append(_t_tensors)
                self._debug['tensors']['arr'][i]['end'] = self._io.pos()

            self._debug['tensors']['end'] = self._io.pos()
            if self.len_header < 0:
                pass
                self._debug['header_end']['start'] = self._io.pos()
                self.header_end = self._io.read_bytes(0)
                self._debug['header_end']['end'] = self._io.pos()


        def _read_be(self):
            self._debug['version']['start'] = self._io.pos()
            self.version = self._io.read_u4be()
            self._debug['version']['end'] = self._io.pos()
            if not  ((self.version == 1) or (self.version == 2) or (self.version == 3)) :
                raise kaitaistruct.ValidationNotAnyOfError(self.version, self._io, u"/types/gguf_body/seq/0")
            self._debug['num_tensors']['start'] = self._io.pos()
            self.num_tensors = Gguf.Length(self._io, self, self._root)
            self.num_tensors._read()
            self._debug['num_tensors']['end'] = self._io.pos()
            self._debug['num_metadata']['start'] = self._io.pos()
            self.num_metadata = Gguf.Length(self._io, self, self._root)
            self.num_metadata._read()
            self._debug['num_metadata']['end'] = self._io.pos()
            self._debug['metadata']['start'] = self._io.pos()
            self._debug['metadata']['arr'] = []
            self.metadata = []
            for i in range(self.num_metadata.as_int):
                self._debug['metadata']['arr'].append({'start': self._io.pos()})
                _t_metadata = Gguf.KeyValue(self._io, self, self._root)
                try:
                    _t_metadata._read()
                finally:
                    self.metadata.append(_t_metadata)
                self._debug['metadata']['arr'][i]['end'] = self._io.pos()

            self._debug['metadata']['end'] = self._io.pos()
            self._debug['tensors']['start'] = self._io.pos()
            self._debug['tensors']['arr'] = []
            self.tensors = []
            for i in range(self.num_tensors.as_int):
                self._debug['tensors']['arr'].append({'start': self._io.pos()})
                _t_tensors = Gguf.TensorInfo(self._io, self, self._root)
                try:
                    _t_tensors._read()
                finally:
                    self.tensors.append(_t_tensors)
                self._debug['tensors']['arr'][i]['end'] = self._io.pos()

            self._debug['tensors']['end'] = self._io.pos()
            if self.len_header < 0:
                pass
                self._debug['header_end']['start'] = self._io.pos()
                self.header_end = self._io.read_bytes(0)
                self._debug['header_end']['end'] = self._io.pos()



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

            _ = self.alignment_search
            if hasattr(self, '_m_alignment_search'):
                pass
                for i in range(len(self._m_alignment_search)):
                    pass



        @property
        def alignment(self):
            """Offsets of tensors are multiples of this power of two."""
            if hasattr(self, '_m_alignment'):
                return self._m_alignment

            self._m_alignment = (self.metadata[len(self.alignment_search) - 1].alignment if len(self.metadata) > 0 else 32)
            return getattr(self, '_m_alignment', None)

        @property
        def alignment_search(self):
            """Reads nothing. Has one item for each key-value up to and including the
            first alignment, or for all of them if there is none.
            """
            if hasattr(self, '_m_alignment_search'):
                return self._m_alignment_search

            if len(self.metadata) > 0:
                pass
                self._debug['_m_alignment_search']['start'] = self._io.pos()
                self._debug['_m_alignment_search']['arr'] = []
                if self._is_le:
                    self._m_alignment_search = []
                    i = 0
                    while True:
                        self._debug['_m_alignment_search']['arr'].append({'start': self._io.pos()})
                        _ = self._io.read_bytes(0)
                        self._m_alignment_search.append(_)
                        self._debug['_m_alignment_search']['arr'][len(self._m_alignment_search) - 1]['end'] = self._io.pos()
                        if  ((self.metadata[len(self.alignment_search) - 1].is_alignment) or (len(self.alignment_search) == len(self.metadata))) :
                            break
                        i += 1
                else:
                    self._m_alignment_search = []
                    i = 0
                    while True:
                        self._debug['_m_alignment_search']['arr'].append({'start': self._io.pos()})
                        _ = self._io.read_bytes(0)
                        self._m_alignment_search.append(_)
                        self._debug['_m_alignment_search']['arr'][len(self._m_alignment_search) - 1]['end'] = self._io.pos()
                        if  ((self.metadata[len(self.alignment_search) - 1].is_alignment) or (len(self.alignment_search) == len(self.metadata))) :
                            break
                        i += 1
                self._debug['_m_alignment_search']['end'] = self._io.pos()

            return getattr(self, '_m_alignment_search', None)

        @property
        def len_header(self):
            """From the start of the file to the end of the last tensor info."""
            if hasattr(self, '_m_len_header'):
                return self._m_len_header

            self._m_len_header = self._io.pos()
            return getattr(self, '_m_len_header', None)

        @property
        def ofs_tensor_data(self):
            """From the start of the file. A file without tensors may end before."""
            if hasattr(self, '_m_ofs_tensor_data'):
                return self._m_ofs_tensor_data

            self._m_ofs_tensor_data = (self.len_header + -(self.len_header) % self.alignment)
            return getattr(self, '_m_ofs_tensor_data', None)


    class GgufString(KaitaiStruct):
        SEQ_FIELDS = ["len_data", "data"]
        def __init__(self, _io, _parent=None, _root=None):
            super(Gguf.GgufString, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['len_data']['start'] = self._io.pos()
            self.len_data = Gguf.Length(self._io, self, self._root)
            self.len_data._read()
            self._debug['len_data']['end'] = self._io.pos()
            self._debug['data']['start'] = self._io.pos()
            self.data = self._io.read_bytes(self.len_data.value)
            self._debug['data']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass
            self.len_data._fetch_instances()

        @property
        def value(self):
            """Bytes that are not UTF-8 are an error or replaced, by language."""
            if hasattr(self, '_m_value'):
                return self._m_value

            self._m_value = (self.data).decode(u"UTF-8")
            return getattr(self, '_m_value', None)


    class KeyValue(KaitaiStruct):
        SEQ_FIELDS = ["key", "value_type", "value"]
        def __init__(self, _io, _parent=None, _root=None):
            super(Gguf.KeyValue, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

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

        def _read_le(self):
            self._debug['key']['start'] = self._io.pos()
            self.key = Gguf.GgufString(self._io, self, self._root)
            self.key._read()
            self._debug['key']['end'] = self._io.pos()
            self._debug['value_type']['start'] = self._io.pos()
            self.value_type = KaitaiStream.resolve_enum(Gguf.ValueType, self._io.read_u4le())
            self._debug['value_type']['end'] = self._io.pos()
            if not isinstance(self.value_type, Gguf.ValueType):
                raise kaitaistruct.ValidationNotInEnumError(self.value_type, self._io, u"/types/key_value/seq/1")
            self._debug['value']['start'] = self._io.pos()
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
            self._debug['value']['end'] = self._io.pos()

        def _read_be(self):
            self._debug['key']['start'] = self._io.pos()
            self.key = Gguf.GgufString(self._io, self, self._root)
            self.key._read()
            self._debug['key']['end'] = self._io.pos()
            self._debug['value_type']['start'] = self._io.pos()
            self.value_type = KaitaiStream.resolve_enum(Gguf.ValueType, self._io.read_u4be())
            self._debug['value_type']['end'] = self._io.pos()
            if not isinstance(self.value_type, Gguf.ValueType):
                raise kaitaistruct.ValidationNotInEnumError(self.value_type, self._io, u"/types/key_value/seq/1")
            self._debug['value']['start'] = self._io.pos()
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
            self._debug['value']['end'] = self._io.pos()


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

        @property
        def alignment(self):
            """The value if this is the alignment, otherwise the default."""
            if hasattr(self, '_m_alignment'):
                return self._m_alignment

            self._m_alignment = (self.value.value if self.is_alignment else 32)
            return getattr(self, '_m_alignment', None)

        @property
        def is_alignment(self):
            """Whether the key is `general.alignment`, with the required type."""
            if hasattr(self, '_m_is_alignment'):
                return self._m_is_alignment

            self._m_is_alignment =  ((self.value_type == Gguf.ValueType.uint32) and (self.key.data == b"\x67\x65\x6E\x65\x72\x61\x6C\x2E\x61\x6C\x69\x67\x6E\x6D\x65\x6E\x74")) 
            return getattr(self, '_m_is_alignment', None)


    class Length(KaitaiStruct):
        """A count of bytes or items. 32 bits wide in version 1, 64 bits since
        version 2. At most 2^30, which is ggml's limit for strings and arrays.
        """
        SEQ_FIELDS = ["value_u4", "value_u8"]
        def __init__(self, _io, _parent=None, _root=None):
            super(Gguf.Length, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

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

        def _read_le(self):
            if self._root.version == 1:
                pass
                self._debug['value_u4']['start'] = self._io.pos()
                self.value_u4 = self._io.read_u4le()
                self._debug['value_u4']['end'] = self._io.pos()
                if not self.value_u4 <= 1073741824:
                    raise kaitaistruct.ValidationGreaterThanError(1073741824, self.value_u4, self._io, u"/types/length/seq/0")

            if self._root.version != 1:
                pass
                self._debug['value_u8']['start'] = self._io.pos()
                self.value_u8 = self._io.read_u8le()
                self._debug['value_u8']['end'] = self._io.pos()
                if not self.value_u8 >= 0:
                    raise kaitaistruct.ValidationLessThanError(0, self.value_u8, self._io, u"/types/length/seq/1")
                if not self.value_u8 <= 1073741824:
                    raise kaitaistruct.ValidationGreaterThanError(1073741824, self.value_u8, self._io, u"/types/length/seq/1")


        def _read_be(self):
            if self._root.version == 1:
                pass
                self._debug['value_u4']['start'] = self._io.pos()
                self.value_u4 = self._io.read_u4be()
                self._debug['value_u4']['end'] = self._io.pos()
                if not self.value_u4 <= 1073741824:
                    raise kaitaistruct.ValidationGreaterThanError(1073741824, self.value_u4, self._io, u"/types/length/seq/0")

            if self._root.version != 1:
                pass
                self._debug['value_u8']['start'] = self._io.pos()
                self.value_u8 = self._io.read_u8be()
                self._debug['value_u8']['end'] = self._io.pos()
                if not self.value_u8 >= 0:
                    raise kaitaistruct.ValidationLessThanError(0, self.value_u8, self._io, u"/types/length/seq/1")
                if not self.value_u8 <= 1073741824:
                    raise kaitaistruct.ValidationGreaterThanError(1073741824, self.value_u8, self._io, u"/types/length/seq/1")



        def _fetch_instances(self):
            pass
            if self._root.version == 1:
                pass

            if self._root.version != 1:
                pass


        @property
        def as_int(self):
            """The same as `value`, in a type that all languages can repeat by."""
            if hasattr(self, '_m_as_int'):
                return self._m_as_int

            self._m_as_int = (self.value_u4 if self._root.version == 1 else self.value_u8)
            return getattr(self, '_m_as_int', None)

        @property
        def value(self):
            if hasattr(self, '_m_value'):
                return self._m_value

            self._m_value = (self.value_u4 if self._root.version == 1 else self.value_u8)
            return getattr(self, '_m_value', None)


    class StringElements(KaitaiStruct):
        SEQ_FIELDS = ["items"]
        def __init__(self, _io, _parent=None, _root=None):
            super(Gguf.StringElements, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['items']['start'] = self._io.pos()
            self._debug['items']['arr'] = []
            self.items = []
            for i in range(self._parent.num_elements.as_int):
                self._debug['items']['arr'].append({'start': self._io.pos()})
                _t_items = Gguf.GgufString(self._io, self, self._root)
                try:
                    _t_items._read()
                finally:
                    self.items.append(_t_items)
                self._debug['items']['arr'][i]['end'] = self._io.pos()

            self._debug['items']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass
            for i in range(len(self.items)):
                pass
                self.items[i]._fetch_instances()



    class TensorInfo(KaitaiStruct):
        SEQ_FIELDS = ["name", "num_dims", "dims", "type_id", "ofs_data"]
        def __init__(self, _io, _parent=None, _root=None):
            super(Gguf.TensorInfo, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

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

        def _read_le(self):
            self._debug['name']['start'] = self._io.pos()
            self.name = Gguf.GgufString(self._io, self, self._root)
            self.name._read()
            self._debug['name']['end'] = self._io.pos()
            self._debug['num_dims']['start'] = self._io.pos()
            self.num_dims = self._io.read_u4le()
            self._debug['num_dims']['end'] = self._io.pos()
            if not self.num_dims <= 4:
                raise kaitaistruct.ValidationGreaterThanError(4, self.num_dims, self._io, u"/types/tensor_info/seq/1")
            self._debug['dims']['start'] = self._io.pos()
            self._debug['dims']['arr'] = []
            self.dims = []
            for i in range(self.num_dims):
                self._debug['dims']['arr'].append({'start': self._io.pos()})
                _t_dims = Gguf.Dim(self._io, self, self._root)
                try:
                    _t_dims._read()
                finally:
                    self.dims.append(_t_dims)
                self._debug['dims']['arr'][i]['end'] = self._io.pos()

            self._debug['dims']['end'] = self._io.pos()
            self._debug['type_id']['start'] = self._io.pos()
            self.type_id = self._io.read_u4le()
            self._debug['type_id']['end'] = self._io.pos()
            self._debug['ofs_data']['start'] = self._io.pos()
            self.ofs_data = self._io.read_u8le()
            self._debug['ofs_data']['end'] = self._io.pos()

        def _read_be(self):
            self._debug['name']['start'] = self._io.pos()
            self.name = Gguf.GgufString(self._io, self, self._root)
            self.name._read()
            self._debug['name']['end'] = self._io.pos()
            self._debug['num_dims']['start'] = self._io.pos()
            self.num_dims = self._io.read_u4be()
            self._debug['num_dims']['end'] = self._io.pos()
            if not self.num_dims <= 4:
                raise kaitaistruct.ValidationGreaterThanError(4, self.num_dims, self._io, u"/types/tensor_info/seq/1")
            self._debug['dims']['start'] = self._io.pos()
            self._debug['dims']['arr'] = []
            self.dims = []
            for i in range(self.num_dims):
                self._debug['dims']['arr'].append({'start': self._io.pos()})
                _t_dims = Gguf.Dim(self._io, self, self._root)
                try:
                    _t_dims._read()
                finally:
                    self.dims.append(_t_dims)
                self._debug['dims']['arr'][i]['end'] = self._io.pos()

            self._debug['dims']['end'] = self._io.pos()
            self._debug['type_id']['start'] = self._io.pos()
            self.type_id = self._io.read_u4be()
            self._debug['type_id']['end'] = self._io.pos()
            self._debug['ofs_data']['start'] = self._io.pos()
            self.ofs_data = self._io.read_u8be()
            self._debug['ofs_data']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass
            self.name._fetch_instances()
            for i in range(len(self.dims)):
                pass
                self.dims[i]._fetch_instances()


        @property
        def ggml_type(self):
            if hasattr(self, '_m_ggml_type'):
                return self._m_ggml_type

            self._m_ggml_type = KaitaiStream.resolve_enum(Gguf.GgmlType, self.type_id)
            return getattr(self, '_m_ggml_type', None)


    class ValueF4(KaitaiStruct):
        SEQ_FIELDS = ["value"]
        def __init__(self, _io, _parent=None, _root=None):
            super(Gguf.ValueF4, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

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

        def _read_le(self):
            self._debug['value']['start'] = self._io.pos()
            self.value = self._io.read_f4le()
            self._debug['value']['end'] = self._io.pos()

        def _read_be(self):
            self._debug['value']['start'] = self._io.pos()
            self.value = self._io.read_f4be()
            self._debug['value']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class ValueF8(KaitaiStruct):
        SEQ_FIELDS = ["value"]
        def __init__(self, _io, _parent=None, _root=None):
            super(Gguf.ValueF8, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

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

        def _read_le(self):
            self._debug['value']['start'] = self._io.pos()
            self.value = self._io.read_f8le()
            self._debug['value']['end'] = self._io.pos()

        def _read_be(self):
            self._debug['value']['start'] = self._io.pos()
            self.value = self._io.read_f8be()
            self._debug['value']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class ValueS1(KaitaiStruct):
        SEQ_FIELDS = ["value"]
        def __init__(self, _io, _parent=None, _root=None):
            super(Gguf.ValueS1, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['value']['start'] = self._io.pos()
            self.value = self._io.read_s1()
            self._debug['value']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class ValueS2(KaitaiStruct):
        SEQ_FIELDS = ["value"]
        def __init__(self, _io, _parent=None, _root=None):
            super(Gguf.ValueS2, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

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

        def _read_le(self):
            self._debug['value']['start'] = self._io.pos()
            self.value = self._io.read_s2le()
            self._debug['value']['end'] = self._io.pos()

        def _read_be(self):
            self._debug['value']['start'] = self._io.pos()
            self.value = self._io.read_s2be()
            self._debug['value']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class ValueS4(KaitaiStruct):
        SEQ_FIELDS = ["value"]
        def __init__(self, _io, _parent=None, _root=None):
            super(Gguf.ValueS4, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

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

        def _read_le(self):
            self._debug['value']['start'] = self._io.pos()
            self.value = self._io.read_s4le()
            self._debug['value']['end'] = self._io.pos()

        def _read_be(self):
            self._debug['value']['start'] = self._io.pos()
            self.value = self._io.read_s4be()
            self._debug['value']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class ValueS8(KaitaiStruct):
        SEQ_FIELDS = ["value"]
        def __init__(self, _io, _parent=None, _root=None):
            super(Gguf.ValueS8, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

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

        def _read_le(self):
            self._debug['value']['start'] = self._io.pos()
            self.value = self._io.read_s8le()
            self._debug['value']['end'] = self._io.pos()

        def _read_be(self):
            self._debug['value']['start'] = self._io.pos()
            self.value = self._io.read_s8be()
            self._debug['value']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class ValueU1(KaitaiStruct):
        SEQ_FIELDS = ["value"]
        def __init__(self, _io, _parent=None, _root=None):
            super(Gguf.ValueU1, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

        def _read(self):
            self._debug['value']['start'] = self._io.pos()
            self.value = self._io.read_u1()
            self._debug['value']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class ValueU2(KaitaiStruct):
        SEQ_FIELDS = ["value"]
        def __init__(self, _io, _parent=None, _root=None):
            super(Gguf.ValueU2, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

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

        def _read_le(self):
            self._debug['value']['start'] = self._io.pos()
            self.value = self._io.read_u2le()
            self._debug['value']['end'] = self._io.pos()

        def _read_be(self):
            self._debug['value']['start'] = self._io.pos()
            self.value = self._io.read_u2be()
            self._debug['value']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class ValueU4(KaitaiStruct):
        SEQ_FIELDS = ["value"]
        def __init__(self, _io, _parent=None, _root=None):
            super(Gguf.ValueU4, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

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

        def _read_le(self):
            self._debug['value']['start'] = self._io.pos()
            self.value = self._io.read_u4le()
            self._debug['value']['end'] = self._io.pos()

        def _read_be(self):
            self._debug['value']['start'] = self._io.pos()
            self.value = self._io.read_u4be()
            self._debug['value']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    class ValueU8(KaitaiStruct):
        SEQ_FIELDS = ["value"]
        def __init__(self, _io, _parent=None, _root=None):
            super(Gguf.ValueU8, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._debug = collections.defaultdict(dict)

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

        def _read_le(self):
            self._debug['value']['start'] = self._io.pos()
            self.value = self._io.read_u8le()
            self._debug['value']['end'] = self._io.pos()

        def _read_be(self):
            self._debug['value']['start'] = self._io.pos()
            self.value = self._io.read_u8be()
            self._debug['value']['end'] = self._io.pos()


        def _fetch_instances(self):
            pass


    @property
    def is_be(self):
        """Whether all of the file, tensor data included, is big-endian."""
        if hasattr(self, '_m_is_be'):
            return self._m_is_be

        self._m_is_be = self.version_le & 65535 == 0
        return getattr(self, '_m_is_be', None)

    @property
    def version(self):
        if hasattr(self, '_m_version'):
            return self._m_version

        self._m_version = (self.version_be if self.is_be else self.version_le)
        return getattr(self, '_m_version', None)

    @property
    def version_be(self):
        if hasattr(self, '_m_version_be'):
            return self._m_version_be

        _pos = self._io.pos()
        self._io.seek(4)
        self._debug['_m_version_be']['start'] = self._io.pos()
        self._m_version_be = self._io.read_u4be()
        self._debug['_m_version_be']['end'] = self._io.pos()
        self._io.seek(_pos)
        return getattr(self, '_m_version_be', None)

    @property
    def version_le(self):
        if hasattr(self, '_m_version_le'):
            return self._m_version_le

        _pos = self._io.pos()
        self._io.seek(4)
        self._debug['_m_version_le']['start'] = self._io.pos()
        self._m_version_le = self._io.read_u4le()
        self._debug['_m_version_le']['end'] = self._io.pos()
        self._io.seek(_pos)
        return getattr(self, '_m_version_le', None)


