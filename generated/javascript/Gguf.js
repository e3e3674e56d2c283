// This is a generated file! Please edit source .ksy file and use kaitai-struct-compiler to rebuild

(function (root, factory) {
  if (typeof define === 'function' && define.amd) {
    define(['exports', 'kaitai-struct/KaitaiStream'], factory);
  } else if (typeof exports === 'object' && exports !== null && typeof exports.nodeType !== 'number') {
    factory(exports, require('kaitai-struct/KaitaiStream'));
  } else {
    factory(root.Gguf || (root.Gguf = {}), root.KaitaiStream);
  }
})(typeof self !== 'undefined' ? self : this, function (Gguf_, KaitaiStream) {
/**
 * GGUF holds the weights of a machine learning model together with everything
 * needed to run it: a list of typed key-values (architecture, hyperparameters,
 * the tokenizer's vocabulary), a list of tensor descriptions and, aligned, the
 * tensor data.
 * 
 * This specification covers the header: everything before the tensor data. It
 * reads versions 1 to 3 in both byte orders. The tensor data starts at
 * `body.ofs_tensor_data`: at the end of the header, rounded up to a multiple of
 * the value of the key `general.alignment` (uint32), or of 32 if there is no
 * such key. Each tensor starts at `ofs_data` from there. Its size follows from
 * its type and dimensions: see `ggml_block.ksy`.
 * 
 * No field states the byte order. The version number reveals it: read in the
 * wrong byte order, its low 16 bits are zero.
 * 
 * Strings are not always valid UTF-8 (tokens of a vocabulary can be parts of
 * characters), so they are kept as bytes, and decoded on request.
 * @see {@link https://github.com/ggml-org/ggml/blob/d99724f2/docs/gguf.md|Source}
 * @see {@link https://github.com/ggml-org/ggml/blob/d99724f2/src/gguf.cpp|Source}
 */

var Gguf = (function() {
  Gguf.GgmlType = Object.freeze({
    F32: 0,
    F16: 1,
    Q4_0: 2,
    Q4_1: 3,
    Q5_0: 6,
    Q5_1: 7,
    Q8_0: 8,
    Q8_1: 9,
    Q2_K: 10,
    Q3_K: 11,
    Q4_K: 12,
    Q5_K: 13,
    Q6_K: 14,
    Q8_K: 15,
    IQ2_XXS: 16,
    IQ2_XS: 17,
    IQ3_XXS: 18,
    IQ1_S: 19,
    IQ4_NL: 20,
    IQ3_S: 21,
    IQ2_S: 22,
    IQ4_XS: 23,
    I8: 24,
    I16: 25,
    I32: 26,
    I64: 27,
    F64: 28,
    IQ1_M: 29,
    BF16: 30,
    TQ1_0: 34,
    TQ2_0: 35,
    MXFP4: 39,
    NVFP4: 40,
    Q1_0: 41,
    Q2_0: 42,

    0: "F32",
    1: "F16",
    2: "Q4_0",
    3: "Q4_1",
    6: "Q5_0",
    7: "Q5_1",
    8: "Q8_0",
    9: "Q8_1",
    10: "Q2_K",
    11: "Q3_K",
    12: "Q4_K",
    13: "Q5_K",
    14: "Q6_K",
    15: "Q8_K",
    16: "IQ2_XXS",
    17: "IQ2_XS",
    18: "IQ3_XXS",
    19: "IQ1_S",
    20: "IQ4_NL",
    21: "IQ3_S",
    22: "IQ2_S",
    23: "IQ4_XS",
    24: "I8",
    25: "I16",
    26: "I32",
    27: "I64",
    28: "F64",
    29: "IQ1_M",
    30: "BF16",
    34: "TQ1_0",
    35: "TQ2_0",
    39: "MXFP4",
    40: "NVFP4",
    41: "Q1_0",
    42: "Q2_0",
  });

  Gguf.ValueType = Object.freeze({
    UINT8: 0,
    INT8: 1,
    UINT16: 2,
    INT16: 3,
    UINT32: 4,
    INT32: 5,
    FLOAT32: 6,
    BOOL: 7,
    STRING: 8,
    ARRAY: 9,
    UINT64: 10,
    INT64: 11,
    FLOAT64: 12,

    0: "UINT8",
    1: "INT8",
    2: "UINT16",
    3: "INT16",
    4: "UINT32",
    5: "INT32",
    6: "FLOAT32",
    7: "BOOL",
    8: "STRING",
    9: "ARRAY",
    10: "UINT64",
    11: "INT64",
    12: "FLOAT64",
  });

  function Gguf(_io, _parent, _root) {
    this._io = _io;
    this._parent = _parent;
    this._root = _root || this;

    this._read();
  }
  Gguf.prototype._read = function() {
    this.magic = this._io.readBytes(4);
    if (!((KaitaiStream.byteArrayCompare(this.magic, new Uint8Array([71, 71, 85, 70])) == 0))) {
      throw new KaitaiStream.ValidationNotEqualError(new Uint8Array([71, 71, 85, 70]), this.magic, this._io, "/seq/0");
    }
    this.body = new GgufBody(this._io, this, this._root);
  }

  var ArrayElements = Gguf.ArrayElements = (function() {
    function ArrayElements(_io, _parent, _root) {
      this._io = _io;
      this._parent = _parent;
      this._root = _root;

      this._read();
    }
    ArrayElements.prototype._read = function() {
      this.items = [];
      for (var i = 0; i < this._parent.numElements.asInt; i++) {
        this.items.push(new GgufArray(this._io, this, this._root));
      }
    }

    return ArrayElements;
  })();

  /**
   * A size in elements. 32 bits wide in version 1, 64 bits since version 2.
   */

  var Dim = Gguf.Dim = (function() {
    function Dim(_io, _parent, _root) {
      this._io = _io;
      this._parent = _parent;
      this._root = _root;

      this._read();
    }
    Dim.prototype._read = function() {
      switch (this._root.isBe) {
      case true:
        this._is_le = false;
        break;
      case false:
        this._is_le = true;
        break;
      }

      if (this._is_le === true) {
        this._readLE();
      } else if (this._is_le === false) {
        this._readBE();
      } else {
        throw new KaitaiStream.UndecidedEndiannessError();
      }
    }
    Dim.prototype._readLE = function() {
      if (this._root.version == 1) {
        this.valueU4 = this._io.readU4le();
      }
      if (this._root.version != 1) {
        this.valueU8 = this._io.readU8le();
      }
    }
    Dim.prototype._readBE = function() {
      if (this._root.version == 1) {
        this.valueU4 = this._io.readU4be();
      }
      if (this._root.version != 1) {
        this.valueU8 = this._io.readU8be();
      }
    }
    Object.defineProperty(Dim.prototype, 'value', {
      get: function() {
        if (this._m_value !== undefined)
          return this._m_value;
        this._m_value = (this._root.version == 1 ? this.valueU4 : this.valueU8);
        return this._m_value;
      }
    });

    return Dim;
  })();

  /**
   * Numbers of 1 byte each, in the file's byte order.
   */

  var Elements1 = Gguf.Elements1 = (function() {
    function Elements1(_io, _parent, _root) {
      this._io = _io;
      this._parent = _parent;
      this._root = _root;

      this._read();
    }
    Elements1.prototype._read = function() {
      this.data = this._io.readBytes(this._parent.numElements.value);
    }

    return Elements1;
  })();

  /**
   * Numbers of 2 bytes each, in the file's byte order.
   */

  var Elements2 = Gguf.Elements2 = (function() {
    function Elements2(_io, _parent, _root) {
      this._io = _io;
      this._parent = _parent;
      this._root = _root;

      this._read();
    }
    Elements2.prototype._read = function() {
      this.data = this._io.readBytes(this._parent.numElements.value * 2);
    }

    return Elements2;
  })();

  /**
   * Numbers of 4 bytes each, in the file's byte order.
   */

  var Elements4 = Gguf.Elements4 = (function() {
    function Elements4(_io, _parent, _root) {
      this._io = _io;
      this._parent = _parent;
      this._root = _root;

      this._read();
    }
    Elements4.prototype._read = function() {
      this.data = this._io.readBytes(this._parent.numElements.value * 4);
    }

    return Elements4;
  })();

  /**
   * Numbers of 8 bytes each, in the file's byte order.
   */

  var Elements8 = Gguf.Elements8 = (function() {
    function Elements8(_io, _parent, _root) {
      this._io = _io;
      this._parent = _parent;
      this._root = _root;

      this._read();
    }
    Elements8.prototype._read = function() {
      this.data = this._io.readBytes(this._parent.numElements.value * 8);
    }

    return Elements8;
  })();

  /**
   * Elements of one type, without padding. They can be arrays themselves,
   * each with its own element type and count.
   */

  var GgufArray = Gguf.GgufArray = (function() {
    function GgufArray(_io, _parent, _root) {
      this._io = _io;
      this._parent = _parent;
      this._root = _root;

      this._read();
    }
    GgufArray.prototype._read = function() {
      switch (this._root.isBe) {
      case true:
        this._is_le = false;
        break;
      case false:
        this._is_le = true;
        break;
      }

      if (this._is_le === true) {
        this._readLE();
      } else if (this._is_le === false) {
        this._readBE();
      } else {
        throw new KaitaiStream.UndecidedEndiannessError();
      }
    }
    GgufArray.prototype._readLE = function() {
      this.elementType = this._io.readU4le();
      if (!Object.prototype.hasOwnProperty.call(Gguf.ValueType, this.elementType)) {
        throw new KaitaiStream.ValidationNotInEnumError(this.elementType, this._io, "/types/gguf_array/seq/0");
      }
      this.numElements = new Length(this._io, this, this._root);
      switch (this.elementType) {
      case Gguf.ValueType.ARRAY:
        this.elements = new ArrayElements(this._io, this, this._root);
        break;
      case Gguf.ValueType.BOOL:
        this.elements = new Elements1(this._io, this, this._root);
        break;
      case Gguf.ValueType.FLOAT32:
        this.elements = new Elements4(this._io, this, this._root);
        break;
      case Gguf.ValueType.FLOAT64:
        this.elements = new Elements8(this._io, this, this._root);
        break;
      case Gguf.ValueType.INT16:
        this.elements = new Elements2(this._io, this, this._root);
        break;
      case Gguf.ValueType.INT32:
        this.elements = new Elements4(this._io, this, this._root);
        break;
      case Gguf.ValueType.INT64:
        this.elements = new Elements8(this._io, this, this._root);
        break;
      case Gguf.ValueType.INT8:
        this.elements = new Elements1(this._io, this, this._root);
        break;
      case Gguf.ValueType.STRING:
        this.elements = new StringElements(this._io, this, this._root);
        break;
      case Gguf.ValueType.UINT16:
        this.elements = new Elements2(this._io, this, this._root);
        break;
      case Gguf.ValueType.UINT32:
        this.elements = new Elements4(this._io, this, this._root);
        break;
      case Gguf.ValueType.UINT64:
        this.elements = new Elements8(this._io, this, this._root);
        break;
      case Gguf.ValueType.UINT8:
        this.elements = new Elements1(this._io, this, this._root);
        break;
      }
    }
    GgufArray.prototype._readBE = function() {
      this.elementType = this._io.readU4be();
      if (!Object.prototype.hasOwnProperty.call(Gguf.ValueType, this.elementType)) {
        throw new KaitaiStream.ValidationNotInEnumError(this.elementType, this._io, "/types/gguf_array/seq/0");
      }
      this.numElements = new Length(this._io, this, this._root);
      switch (this.elementType) {
      case Gguf.ValueType.ARRAY:
        this.elements = new ArrayElements(this._io, this, this._root);
        break;
      case Gguf.ValueType.BOOL:
        this.elements = new Elements1(this._io, this, this._root);
        break;
      case Gguf.ValueType.FLOAT32:
        this.elements = new Elements4(this._io, this, this._root);
        break;
      case Gguf.ValueType.FLOAT64:
        this.elements = new Elements8(this._io, this, this._root);
        break;
      case Gguf.ValueType.INT16:
        this.elements = new Elements2(this._io, this, this._root);
        break;
      case Gguf.ValueType.INT32:
        this.elements = new Elements4(this._io, this, this._root);
        break;
      case Gguf.ValueType.INT64:
        this.elements = new Elements8(this._io, this, this._root);
        break;
      case Gguf.ValueType.INT8:
        this.elements = new Elements1(this._io, this, this._root);
        break;
      case Gguf.ValueType.STRING:
        this.elements = new StringElements(this._io, this, this._root);
        break;
      case Gguf.ValueType.UINT16:
        this.elements = new Elements2(this._io, this, this._root);
        break;
      case Gguf.ValueType.UINT32:
        this.elements = new Elements4(this._io, this, this._root);
        break;
      case Gguf.ValueType.UINT64:
        this.elements = new Elements8(this._io, this, this._root);
        break;
      case Gguf.ValueType.UINT8:
        this.elements = new Elements1(this._io, this, this._root);
        break;
      }
    }

    return GgufArray;
  })();

  var GgufBody = Gguf.GgufBody = (function() {
    function GgufBody(_io, _parent, _root) {
      this._io = _io;
      this._parent = _parent;
      this._root = _root;

      this._read();
    }
    GgufBody.prototype._read = function() {
      switch (this._root.isBe) {
      case true:
        this._is_le = false;
        break;
      case false:
        this._is_le = true;
        break;
      }

      if (this._is_le === true) {
        this._readLE();
      } else if (this._is_le === false) {
        this._readBE();
      } else {
        throw new KaitaiStream.UndecidedEndiannessError();
      }
    }
    GgufBody.prototype._readLE = function() {
      this.version = this._io.readU4le();
      if (!( ((this.version == 1) || (this.version == 2) || (this.version == 3)) )) {
        throw new KaitaiStream.ValidationNotAnyOfError(this.version, this._io, "/types/gguf_body/seq/0");
      }
      this.numTensors = new Length(this._io, this, this._root);
      this.numMetadata = new Length(this._io, this, this._root);
      this.metadata = [];
      for (var i = 0; i < this.numMetadata.asInt; i++) {
        this.metadata.push(new KeyValue(this._io, this, this._root));
      }
      this.tensors = [];
      for (var i = 0; i < this.numTensors.asInt; i++) {
        this.tensors.push(new TensorInfo(this._io, this, this._root));
      }
      if (this.lenHeader < 0) {
        this.headerEnd = this._io.readBytes(0);
      }
    }
    GgufBody.prototype._readBE = function() {
      this.version = this._io.readU4be();
      if (!( ((this.version == 1) || (this.version == 2) || (this.version == 3)) )) {
        throw new KaitaiStream.ValidationNotAnyOfError(this.version, this._io, "/types/gguf_body/seq/0");
      }
      this.numTensors = new Length(this._io, this, this._root);
      this.numMetadata = new Length(this._io, this, this._root);
      this.metadata = [];
      for (var i = 0; i < this.numMetadata.asInt; i++) {
        this.metadata.push(new KeyValue(this._io, this, this._root));
      }
      this.tensors = [];
      for (var i = 0; i < this.numTensors.asInt; i++) {
        this.tensors.push(new TensorInfo(this._io, this, this._root));
      }
      if (this.lenHeader < 0) {
        this.headerEnd = this._io.readBytes(0);
      }
    }

    /**
     * Offsets of tensors are multiples of this power of two.
     */
    Object.defineProperty(GgufBody.prototype, 'alignment', {
      get: function() {
        if (this._m_alignment !== undefined)
          return this._m_alignment;
        this._m_alignment = (this.metadata.length > 0 ? this.metadata[this.alignmentSearch.length - 1].alignment : 32);
        return this._m_alignment;
      }
    });

    /**
     * Reads nothing. Has one item for each key-value up to and including the
     * first alignment, or for all of them if there is none.
     */
    Object.defineProperty(GgufBody.prototype, 'alignmentSearch', {
      get: function() {
        if (this._m_alignmentSearch !== undefined)
          return this._m_alignmentSearch;
        if (this.metadata.length > 0) {
          if (this._is_le) {
            this._m_alignmentSearch = [];
            var i = 0;
            do {
              var _ = this._io.readBytes(0);
              this._m_alignmentSearch.push(_);
              i++;
            } while (!( ((this.metadata[this.alignmentSearch.length - 1].isAlignment) || (this.alignmentSearch.length == this.metadata.length)) ));
          } else {
            this._m_alignmentSearch = [];
            var i = 0;
            do {
              var _ = this._io.readBytes(0);
              this._m_alignmentSearch.push(_);
              i++;
            } while (!( ((this.metadata[this.alignmentSearch.length - 1].isAlignment) || (this.alignmentSearch.length == this.metadata.length)) ));
          }
        }
        return this._m_alignmentSearch;
      }
    });

    /**
     * From the start of the file to the end of the last tensor info.
     */
    Object.defineProperty(GgufBody.prototype, 'lenHeader', {
      get: function() {
        if (this._m_lenHeader !== undefined)
          return this._m_lenHeader;
        this._m_lenHeader = this._io.pos;
        return this._m_lenHeader;
      }
    });

    /**
     * From the start of the file. A file without tensors may end before.
     */
    Object.defineProperty(GgufBody.prototype, 'ofsTensorData', {
      get: function() {
        if (this._m_ofsTensorData !== undefined)
          return this._m_ofsTensorData;
        this._m_ofsTensorData = (this.lenHeader + KaitaiStream.mod(-(this.lenHeader), this.alignment));
        return this._m_ofsTensorData;
      }
    });

    /**
     * Lengths and counts have 32 bits in version 1, 64 bits in versions 2
     * and 3. Big-endian files are allowed since version 3.
     */

    return GgufBody;
  })();

  var GgufString = Gguf.GgufString = (function() {
    function GgufString(_io, _parent, _root) {
      this._io = _io;
      this._parent = _parent;
      this._root = _root;

      this._read();
    }
    GgufString.prototype._read = function() {
      this.lenData = new Length(this._io, this, this._root);
      this.data = this._io.readBytes(this.lenData.value);
    }

    /**
     * Bytes that are not UTF-8 are an error or replaced, by language.
     */
    Object.defineProperty(GgufString.prototype, 'value', {
      get: function() {
        if (this._m_value !== undefined)
          return this._m_value;
        this._m_value = KaitaiStream.bytesToStr(this.data, "UTF-8");
        return this._m_value;
      }
    });

    /**
     * UTF-8 in most cases, with no terminator.
     */

    return GgufString;
  })();

  var KeyValue = Gguf.KeyValue = (function() {
    function KeyValue(_io, _parent, _root) {
      this._io = _io;
      this._parent = _parent;
      this._root = _root;

      this._read();
    }
    KeyValue.prototype._read = function() {
      switch (this._root.isBe) {
      case true:
        this._is_le = false;
        break;
      case false:
        this._is_le = true;
        break;
      }

      if (this._is_le === true) {
        this._readLE();
      } else if (this._is_le === false) {
        this._readBE();
      } else {
        throw new KaitaiStream.UndecidedEndiannessError();
      }
    }
    KeyValue.prototype._readLE = function() {
      this.key = new GgufString(this._io, this, this._root);
      this.valueType = this._io.readU4le();
      if (!Object.prototype.hasOwnProperty.call(Gguf.ValueType, this.valueType)) {
        throw new KaitaiStream.ValidationNotInEnumError(this.valueType, this._io, "/types/key_value/seq/1");
      }
      switch (this.valueType) {
      case Gguf.ValueType.ARRAY:
        this.value = new GgufArray(this._io, this, this._root);
        break;
      case Gguf.ValueType.BOOL:
        this.value = new ValueU1(this._io, this, this._root);
        break;
      case Gguf.ValueType.FLOAT32:
        this.value = new ValueF4(this._io, this, this._root);
        break;
      case Gguf.ValueType.FLOAT64:
        this.value = new ValueF8(this._io, this, this._root);
        break;
      case Gguf.ValueType.INT16:
        this.value = new ValueS2(this._io, this, this._root);
        break;
      case Gguf.ValueType.INT32:
        this.value = new ValueS4(this._io, this, this._root);
        break;
      case Gguf.ValueType.INT64:
        this.value = new ValueS8(this._io, this, this._root);
        break;
      case Gguf.ValueType.INT8:
        this.value = new ValueS1(this._io, this, this._root);
        break;
      case Gguf.ValueType.STRING:
        this.value = new GgufString(this._io, this, this._root);
        break;
      case Gguf.ValueType.UINT16:
        this.value = new ValueU2(this._io, this, this._root);
        break;
      case Gguf.ValueType.UINT32:
        this.value = new ValueU4(this._io, this, this._root);
        break;
      case Gguf.ValueType.UINT64:
        this.value = new ValueU8(this._io, this, this._root);
        break;
      case Gguf.ValueType.UINT8:
        this.value = new ValueU1(this._io, this, this._root);
        break;
      }
    }
    KeyValue.prototype._readBE = function() {
      this.key = new GgufString(this._io, this, this._root);
      this.valueType = this._io.readU4be();
      if (!Object.prototype.hasOwnProperty.call(Gguf.ValueType, this.valueType)) {
        throw new KaitaiStream.ValidationNotInEnumError(this.valueType, this._io, "/types/key_value/seq/1");
      }
      switch (this.valueType) {
      case Gguf.ValueType.ARRAY:
        this.value = new GgufArray(this._io, this, this._root);
        break;
      case Gguf.ValueType.BOOL:
        this.value = new ValueU1(this._io, this, this._root);
        break;
      case Gguf.ValueType.FLOAT32:
        this.value = new ValueF4(this._io, this, this._root);
        break;
      case Gguf.ValueType.FLOAT64:
        this.value = new ValueF8(this._io, this, this._root);
        break;
      case Gguf.ValueType.INT16:
        this.value = new ValueS2(this._io, this, this._root);
        break;
      case Gguf.ValueType.INT32:
        this.value = new ValueS4(this._io, this, this._root);
        break;
      case Gguf.ValueType.INT64:
        this.value = new ValueS8(this._io, this, this._root);
        break;
      case Gguf.ValueType.INT8:
        this.value = new ValueS1(this._io, this, this._root);
        break;
      case Gguf.ValueType.STRING:
        this.value = new GgufString(this._io, this, this._root);
        break;
      case Gguf.ValueType.UINT16:
        this.value = new ValueU2(this._io, this, this._root);
        break;
      case Gguf.ValueType.UINT32:
        this.value = new ValueU4(this._io, this, this._root);
        break;
      case Gguf.ValueType.UINT64:
        this.value = new ValueU8(this._io, this, this._root);
        break;
      case Gguf.ValueType.UINT8:
        this.value = new ValueU1(this._io, this, this._root);
        break;
      }
    }

    /**
     * The value if this is the alignment, otherwise the default.
     */
    Object.defineProperty(KeyValue.prototype, 'alignment', {
      get: function() {
        if (this._m_alignment !== undefined)
          return this._m_alignment;
        this._m_alignment = (this.isAlignment ? this.value.value : 32);
        return this._m_alignment;
      }
    });

    /**
     * Whether the key is `general.alignment`, with the required type.
     */
    Object.defineProperty(KeyValue.prototype, 'isAlignment', {
      get: function() {
        if (this._m_isAlignment !== undefined)
          return this._m_isAlignment;
        this._m_isAlignment =  ((this.valueType == Gguf.ValueType.UINT32) && ((KaitaiStream.byteArrayCompare(this.key.data, new Uint8Array([103, 101, 110, 101, 114, 97, 108, 46, 97, 108, 105, 103, 110, 109, 101, 110, 116])) == 0))) ;
        return this._m_isAlignment;
      }
    });

    /**
     * Unique in the file. By the specification at most 65535 bytes of ASCII,
     * `lower_snake_case` segments joined by `.`; not all writers comply.
     */

    return KeyValue;
  })();

  /**
   * A count of bytes or items. 32 bits wide in version 1, 64 bits since
   * version 2. At most 2^30, which is ggml's limit for strings and arrays.
   */

  var Length = Gguf.Length = (function() {
    function Length(_io, _parent, _root) {
      this._io = _io;
      this._parent = _parent;
      this._root = _root;

      this._read();
    }
    Length.prototype._read = function() {
      switch (this._root.isBe) {
      case true:
        this._is_le = false;
        break;
      case false:
        this._is_le = true;
        break;
      }

      if (this._is_le === true) {
        this._readLE();
      } else if (this._is_le === false) {
        this._readBE();
      } else {
        throw new KaitaiStream.UndecidedEndiannessError();
      }
    }
    Length.prototype._readLE = function() {
      if (this._root.version == 1) {
        this.valueU4 = this._io.readU4le();
        if (!(this.valueU4 <= 1073741824)) {
          throw new KaitaiStream.ValidationGreaterThanError(1073741824, this.valueU4, this._io, "/types/length/seq/0");
        }
      }
      if (this._root.version != 1) {
        this.valueU8 = this._io.readU8le();
        if (!(this.valueU8 >= 0)) {
          throw new KaitaiStream.ValidationLessThanError(0, this.valueU8, this._io, "/types/length/seq/1");
        }
        if (!(this.valueU8 <= 1073741824)) {
          throw new KaitaiStream.ValidationGreaterThanError(1073741824, this.valueU8, this._io, "/types/length/seq/1");
        }
      }
    }
    Length.prototype._readBE = function() {
      if (this._root.version == 1) {
        this.valueU4 = this._io.readU4be();
        if (!(this.valueU4 <= 1073741824)) {
          throw new KaitaiStream.ValidationGreaterThanError(1073741824, this.valueU4, this._io, "/types/length/seq/0");
        }
      }
      if (this._root.version != 1) {
        this.valueU8 = this._io.readU8be();
        if (!(this.valueU8 >= 0)) {
          throw new KaitaiStream.ValidationLessThanError(0, this.valueU8, this._io, "/types/length/seq/1");
        }
        if (!(this.valueU8 <= 1073741824)) {
          throw new KaitaiStream.ValidationGreaterThanError(1073741824, this.valueU8, this._io, "/types/length/seq/1");
        }
      }
    }

    /**
     * The same as `value`, in a type that all languages can repeat by.
     */
    Object.defineProperty(Length.prototype, 'asInt', {
      get: function() {
        if (this._m_asInt !== undefined)
          return this._m_asInt;
        this._m_asInt = (this._root.version == 1 ? this.valueU4 : this.valueU8);
        return this._m_asInt;
      }
    });
    Object.defineProperty(Length.prototype, 'value', {
      get: function() {
        if (this._m_value !== undefined)
          return this._m_value;
        this._m_value = (this._root.version == 1 ? this.valueU4 : this.valueU8);
        return this._m_value;
      }
    });

    return Length;
  })();

  var StringElements = Gguf.StringElements = (function() {
    function StringElements(_io, _parent, _root) {
      this._io = _io;
      this._parent = _parent;
      this._root = _root;

      this._read();
    }
    StringElements.prototype._read = function() {
      this.items = [];
      for (var i = 0; i < this._parent.numElements.asInt; i++) {
        this.items.push(new GgufString(this._io, this, this._root));
      }
    }

    return StringElements;
  })();

  var TensorInfo = Gguf.TensorInfo = (function() {
    function TensorInfo(_io, _parent, _root) {
      this._io = _io;
      this._parent = _parent;
      this._root = _root;

      this._read();
    }
    TensorInfo.prototype._read = function() {
      switch (this._root.isBe) {
      case true:
        this._is_le = false;
        break;
      case false:
        this._is_le = true;
        break;
      }

      if (this._is_le === true) {
        this._readLE();
      } else if (this._is_le === false) {
        this._readBE();
      } else {
        throw new KaitaiStream.UndecidedEndiannessError();
      }
    }
    TensorInfo.prototype._readLE = function() {
      this.name = new GgufString(this._io, this, this._root);
      this.numDims = this._io.readU4le();
      if (!(this.numDims <= 4)) {
        throw new KaitaiStream.ValidationGreaterThanError(4, this.numDims, this._io, "/types/tensor_info/seq/1");
      }
      this.dims = [];
      for (var i = 0; i < this.numDims; i++) {
        this.dims.push(new Dim(this._io, this, this._root));
      }
      this.typeId = this._io.readU4le();
      this.ofsData = this._io.readU8le();
    }
    TensorInfo.prototype._readBE = function() {
      this.name = new GgufString(this._io, this, this._root);
      this.numDims = this._io.readU4be();
      if (!(this.numDims <= 4)) {
        throw new KaitaiStream.ValidationGreaterThanError(4, this.numDims, this._io, "/types/tensor_info/seq/1");
      }
      this.dims = [];
      for (var i = 0; i < this.numDims; i++) {
        this.dims.push(new Dim(this._io, this, this._root));
      }
      this.typeId = this._io.readU4be();
      this.ofsData = this._io.readU8be();
    }
    Object.defineProperty(TensorInfo.prototype, 'ggmlType', {
      get: function() {
        if (this._m_ggmlType !== undefined)
          return this._m_ggmlType;
        this._m_ggmlType = this.typeId;
        return this._m_ggmlType;
      }
    });

    /**
     * Unique in the file. By the specification at most 64 bytes; ggml
     * accepts at most 63, and some writers exceed both.
     */

    /**
     * A tensor without dimensions holds one element.
     */

    /**
     * In elements. The first is the row length, which varies fastest: numpy
     * and most others use the reverse order.
     */

    /**
     * New types come with most releases of ggml, so a number that is not in
     * the enum does not make a file invalid.
     */

    /**
     * In bytes, from the start of the tensor data. A multiple of the
     * alignment.
     */

    return TensorInfo;
  })();

  var ValueF4 = Gguf.ValueF4 = (function() {
    function ValueF4(_io, _parent, _root) {
      this._io = _io;
      this._parent = _parent;
      this._root = _root;

      this._read();
    }
    ValueF4.prototype._read = function() {
      switch (this._root.isBe) {
      case true:
        this._is_le = false;
        break;
      case false:
        this._is_le = true;
        break;
      }

      if (this._is_le === true) {
        this._readLE();
      } else if (this._is_le === false) {
        this._readBE();
      } else {
        throw new KaitaiStream.UndecidedEndiannessError();
      }
    }
    ValueF4.prototype._readLE = function() {
      this.value = this._io.readF4le();
    }
    ValueF4.prototype._readBE = function() {
      this.value = this._io.readF4be();
    }

    return ValueF4;
  })();

  var ValueF8 = Gguf.ValueF8 = (function() {
    function ValueF8(_io, _parent, _root) {
      this._io = _io;
      this._parent = _parent;
      this._root = _root;

      this._read();
    }
    ValueF8.prototype._read = function() {
      switch (this._root.isBe) {
      case true:
        this._is_le = false;
        break;
      case false:
        this._is_le = true;
        break;
      }

      if (this._is_le === true) {
        this._readLE();
      } else if (this._is_le === false) {
        this._readBE();
      } else {
        throw new KaitaiStream.UndecidedEndiannessError();
      }
    }
    ValueF8.prototype._readLE = function() {
      this.value = this._io.readF8le();
    }
    ValueF8.prototype._readBE = function() {
      this.value = this._io.readF8be();
    }

    return ValueF8;
  })();

  var ValueS1 = Gguf.ValueS1 = (function() {
    function ValueS1(_io, _parent, _root) {
      this._io = _io;
      this._parent = _parent;
      this._root = _root;

      this._read();
    }
    ValueS1.prototype._read = function() {
      this.value = this._io.readS1();
    }

    return ValueS1;
  })();

  var ValueS2 = Gguf.ValueS2 = (function() {
    function ValueS2(_io, _parent, _root) {
      this._io = _io;
      this._parent = _parent;
      this._root = _root;

      this._read();
    }
    ValueS2.prototype._read = function() {
      switch (this._root.isBe) {
      case true:
        this._is_le = false;
        break;
      case false:
        this._is_le = true;
        break;
      }

      if (this._is_le === true) {
        this._readLE();
      } else if (this._is_le === false) {
        this._readBE();
      } else {
        throw new KaitaiStream.UndecidedEndiannessError();
      }
    }
    ValueS2.prototype._readLE = function() {
      this.value = this._io.readS2le();
    }
    ValueS2.prototype._readBE = function() {
      this.value = this._io.readS2be();
    }

    return ValueS2;
  })();

  var ValueS4 = Gguf.ValueS4 = (function() {
    function ValueS4(_io, _parent, _root) {
      this._io = _io;
      this._parent = _parent;
      this._root = _root;

      this._read();
    }
    ValueS4.prototype._read = function() {
      switch (this._root.isBe) {
      case true:
        this._is_le = false;
        break;
      case false:
        this._is_le = true;
        break;
      }

      if (this._is_le === true) {
        this._readLE();
      } else if (this._is_le === false) {
        this._readBE();
      } else {
        throw new KaitaiStream.UndecidedEndiannessError();
      }
    }
    ValueS4.prototype._readLE = function() {
      this.value = this._io.readS4le();
    }
    ValueS4.prototype._readBE = function() {
      this.value = this._io.readS4be();
    }

    return ValueS4;
  })();

  var ValueS8 = Gguf.ValueS8 = (function() {
    function ValueS8(_io, _parent, _root) {
      this._io = _io;
      this._parent = _parent;
      this._root = _root;

      this._read();
    }
    ValueS8.prototype._read = function() {
      switch (this._root.isBe) {
      case true:
        this._is_le = false;
        break;
      case false:
        this._is_le = true;
        break;
      }

      if (this._is_le === true) {
        this._readLE();
      } else if (this._is_le === false) {
        this._readBE();
      } else {
        throw new KaitaiStream.UndecidedEndiannessError();
      }
    }
    ValueS8.prototype._readLE = function() {
      this.value = this._io.readS8le();
    }
    ValueS8.prototype._readBE = function() {
      this.value = this._io.readS8be();
    }

    return ValueS8;
  })();

  var ValueU1 = Gguf.ValueU1 = (function() {
    function ValueU1(_io, _parent, _root) {
      this._io = _io;
      this._parent = _parent;
      this._root = _root;

      this._read();
    }
    ValueU1.prototype._read = function() {
      this.value = this._io.readU1();
    }

    return ValueU1;
  })();

  var ValueU2 = Gguf.ValueU2 = (function() {
    function ValueU2(_io, _parent, _root) {
      this._io = _io;
      this._parent = _parent;
      this._root = _root;

      this._read();
    }
    ValueU2.prototype._read = function() {
      switch (this._root.isBe) {
      case true:
        this._is_le = false;
        break;
      case false:
        this._is_le = true;
        break;
      }

      if (this._is_le === true) {
        this._readLE();
      } else if (this._is_le === false) {
        this._readBE();
      } else {
        throw new KaitaiStream.UndecidedEndiannessError();
      }
    }
    ValueU2.prototype._readLE = function() {
      this.value = this._io.readU2le();
    }
    ValueU2.prototype._readBE = function() {
      this.value = this._io.readU2be();
    }

    return ValueU2;
  })();

  var ValueU4 = Gguf.ValueU4 = (function() {
    function ValueU4(_io, _parent, _root) {
      this._io = _io;
      this._parent = _parent;
      this._root = _root;

      this._read();
    }
    ValueU4.prototype._read = function() {
      switch (this._root.isBe) {
      case true:
        this._is_le = false;
        break;
      case false:
        this._is_le = true;
        break;
      }

      if (this._is_le === true) {
        this._readLE();
      } else if (this._is_le === false) {
        this._readBE();
      } else {
        throw new KaitaiStream.UndecidedEndiannessError();
      }
    }
    ValueU4.prototype._readLE = function() {
      this.value = this._io.readU4le();
    }
    ValueU4.prototype._readBE = function() {
      this.value = this._io.readU4be();
    }

    return ValueU4;
  })();

  var ValueU8 = Gguf.ValueU8 = (function() {
    function ValueU8(_io, _parent, _root) {
      this._io = _io;
      this._parent = _parent;
      this._root = _root;

      this._read();
    }
    ValueU8.prototype._read = function() {
      switch (this._root.isBe) {
      case true:
        this._is_le = false;
        break;
      case false:
        this._is_le = true;
        break;
      }

      if (this._is_le === true) {
        this._readLE();
      } else if (this._is_le === false) {
        this._readBE();
      } else {
        throw new KaitaiStream.UndecidedEndiannessError();
      }
    }
    ValueU8.prototype._readLE = function() {
      this.value = this._io.readU8le();
    }
    ValueU8.prototype._readBE = function() {
      this.value = this._io.readU8be();
    }

    return ValueU8;
  })();

  /**
   * Whether all of the file, tensor data included, is big-endian.
   */
  Object.defineProperty(Gguf.prototype, 'isBe', {
    get: function() {
      if (this._m_isBe !== undefined)
        return this._m_isBe;
      this._m_isBe = (this.versionLe & 65535) == 0;
      return this._m_isBe;
    }
  });
  Object.defineProperty(Gguf.prototype, 'version', {
    get: function() {
      if (this._m_version !== undefined)
        return this._m_version;
      this._m_version = (this.isBe ? this.versionBe : this.versionLe);
      return this._m_version;
    }
  });
  Object.defineProperty(Gguf.prototype, 'versionBe', {
    get: function() {
      if (this._m_versionBe !== undefined)
        return this._m_versionBe;
      var _pos = this._io.pos;
      this._io.seek(4);
      this._m_versionBe = this._io.readU4be();
      this._io.seek(_pos);
      return this._m_versionBe;
    }
  });
  Object.defineProperty(Gguf.prototype, 'versionLe', {
    get: function() {
      if (this._m_versionLe !== undefined)
        return this._m_versionLe;
      var _pos = this._io.pos;
      this._io.seek(4);
      this._m_versionLe = this._io.readU4le();
      this._io.seek(_pos);
      return this._m_versionLe;
    }
  });

  /**
   * The same bytes in both byte orders.
   */

  return Gguf;
})();
Gguf_.Gguf = Gguf;
});
