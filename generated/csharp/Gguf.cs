// This is a generated file! Please edit source .ksy file and use kaitai-struct-compiler to rebuild

using System.Collections.Generic;
using System;

namespace Kaitai
{

    /// <summary>
    /// GGUF holds the weights of a machine learning model together with everything
    /// needed to run it: a list of typed key-values (architecture, hyperparameters,
    /// the tokenizer's vocabulary), a list of tensor descriptions and, aligned, the
    /// tensor data.
    /// 
    /// This specification covers the header: everything before the tensor data. It
    /// reads versions 1 to 3 in both byte orders. The tensor data starts at
    /// `body.ofs_tensor_data`: at the end of the header, rounded up to a multiple of
    /// the value of the key `general.alignment` (uint32), or of 32 if there is no
    /// such key. Each tensor starts at `ofs_data` from there. Its size follows from
    /// its type and dimensions: see `ggml_block.ksy`.
    /// 
    /// No field states the byte order. The version number reveals it: read in the
    /// wrong byte order, its low 16 bits are zero.
    /// 
    /// Strings are not always valid UTF-8 (tokens of a vocabulary can be parts of
    /// characters), so they are kept as bytes, and decoded on request.
    /// </summary>
    /// <remarks>
    /// Reference: <a href="https://github.com/ggml-org/ggml/blob/d99724f2/docs/gguf.md">Source</a>
    /// </remarks>
    /// <remarks>
    /// Reference: <a href="https://github.com/ggml-org/ggml/blob/d99724f2/src/gguf.cpp">Source</a>
    /// </remarks>
    public partial class Gguf : KaitaiStruct
    {
        public static Gguf FromFile(string fileName)
        {
            return new Gguf(new KaitaiStream(fileName));
        }


        public enum GgmlType
        {
            F32 = 0,
            F16 = 1,
            Q40 = 2,
            Q41 = 3,
            Q50 = 6,
            Q51 = 7,
            Q80 = 8,
            Q81 = 9,
            Q2K = 10,
            Q3K = 11,
            Q4K = 12,
            Q5K = 13,
            Q6K = 14,
            Q8K = 15,
            Iq2Xxs = 16,
            Iq2Xs = 17,
            Iq3Xxs = 18,
            Iq1S = 19,
            Iq4Nl = 20,
            Iq3S = 21,
            Iq2S = 22,
            Iq4Xs = 23,
            I8 = 24,
            I16 = 25,
            I32 = 26,
            I64 = 27,
            F64 = 28,
            Iq1M = 29,
            Bf16 = 30,
            Tq10 = 34,
            Tq20 = 35,
            Mxfp4 = 39,
            Nvfp4 = 40,
            Q10 = 41,
            Q20 = 42,
        }

        public enum ValueType
        {
            Uint8 = 0,
            Int8 = 1,
            Uint16 = 2,
            Int16 = 3,
            Uint32 = 4,
            Int32 = 5,
            Float32 = 6,
            Bool = 7,
            String = 8,
            Array = 9,
            Uint64 = 10,
            Int64 = 11,
            Float64 = 12,
        }
        public Gguf(KaitaiStream p__io, KaitaiStruct p__parent = null, Gguf p__root = null) : base(p__io)
        {
            m_parent = p__parent;
            m_root = p__root ?? this;
            f_isBe = false;
            f_version = false;
            f_versionBe = false;
            f_versionLe = false;
            _read();
        }
        private void _read()
        {
            _magic = m_io.ReadBytes(4);
            if (!((KaitaiStream.ByteArrayCompare(_magic, new byte[] { 71, 71, 85, 70 }) == 0)))
            {
                throw new ValidationNotEqualError(new byte[] { 71, 71, 85, 70 }, _magic, m_io, "/seq/0");
            }
            _body = new GgufBody(m_io, this, m_root);
        }
        public partial class ArrayElements : KaitaiStruct
        {
            public static ArrayElements FromFile(string fileName)
            {
                return new ArrayElements(new KaitaiStream(fileName));
            }

            public ArrayElements(KaitaiStream p__io, Gguf.GgufArray p__parent = null, Gguf p__root = null) : base(p__io)
            {
                m_parent = p__parent;
                m_root = p__root;
                _read();
            }
            private void _read()
            {
                _items = new List<GgufArray>();
                for (var i = 0; i < M_Parent.NumElements.AsInt; i++)
                {
                    _items.Add(new GgufArray(m_io, this, m_root));
                }
            }
            private List<GgufArray> _items;
            private Gguf m_root;
            private Gguf.GgufArray m_parent;
            public List<GgufArray> Items { get { return _items; } }
            public Gguf M_Root { get { return m_root; } }
            public Gguf.GgufArray M_Parent { get { return m_parent; } }
        }

        /// <summary>
        /// A size in elements. 32 bits wide in version 1, 64 bits since version 2.
        /// </summary>
        public partial class Dim : KaitaiStruct
        {
            public static Dim FromFile(string fileName)
            {
                return new Dim(new KaitaiStream(fileName));
            }

            private bool? m_isLe;
            public Dim(KaitaiStream p__io, Gguf.TensorInfo p__parent = null, Gguf p__root = null) : base(p__io)
            {
                m_parent = p__parent;
                m_root = p__root;
                f_value = false;
                _read();
            }
            private void _read()
            {
                {
                    bool on = M_Root.IsBe;
                    if (on == true)
                    {
                        m_isLe = (bool) (false);
                    }
                    else if (on == false)
                    {
                        m_isLe = (bool) (true);
                    }
                }

                if (m_isLe == null) {
                    throw new UndecidedEndiannessError();
                } else if (m_isLe == true) {
                    _readLE();
                } else {
                    _readBE();
                }
            }
            private void _readLE()
            {
                if (M_Root.Version == 1) {
                    _valueU4 = m_io.ReadU4le();
                }
                if (M_Root.Version != 1) {
                    _valueU8 = m_io.ReadU8le();
                }
            }
            private void _readBE()
            {
                if (M_Root.Version == 1) {
                    _valueU4 = m_io.ReadU4be();
                }
                if (M_Root.Version != 1) {
                    _valueU8 = m_io.ReadU8be();
                }
            }
            private bool f_value;
            private ulong _value;
            public ulong Value
            {
                get
                {
                    if (f_value)
                        return _value;
                    f_value = true;
                    _value = (ulong) ((M_Root.Version == 1 ? ((ulong) (ValueU4)) : ((ulong) (ValueU8))));
                    return _value;
                }
            }
            private uint? _valueU4;
            private ulong? _valueU8;
            private Gguf m_root;
            private Gguf.TensorInfo m_parent;
            public uint? ValueU4 { get { return _valueU4; } }
            public ulong? ValueU8 { get { return _valueU8; } }
            public Gguf M_Root { get { return m_root; } }
            public Gguf.TensorInfo M_Parent { get { return m_parent; } }
        }

        /// <summary>
        /// Numbers of 1 byte each, in the file's byte order.
        /// </summary>
        public partial class Elements1 : KaitaiStruct
        {
            public static Elements1 FromFile(string fileName)
            {
                return new Elements1(new KaitaiStream(fileName));
            }

            public Elements1(KaitaiStream p__io, Gguf.GgufArray p__parent = null, Gguf p__root = null) : base(p__io)
            {
                m_parent = p__parent;
                m_root = p__root;
                _read();
            }
            private void _read()
            {
                _data = m_io.ReadBytes(M_Parent.NumElements.Value);
            }
            private byte[] _data;
            private Gguf m_root;
            private Gguf.GgufArray m_parent;
            public byte[] Data { get { return _data; } }
            public Gguf M_Root { get { return m_root; } }
            public Gguf.GgufArray M_Parent { get { return m_parent; } }
        }

        /// <summary>
        /// Numbers of 2 bytes each, in the file's byte order.
        /// </summary>
        public partial class Elements2 : KaitaiStruct
        {
            public static Elements2 FromFile(string fileName)
            {
                return new Elements2(new KaitaiStream(fileName));
            }

            public Elements2(KaitaiStream p__io, Gguf.GgufArray p__parent = null, Gguf p__root = null) : base(p__io)
            {
                m_parent = p__parent;
                m_root = p__root;
                _read();
            }
            private void _read()
            {
                _data = m_io.ReadBytes(M_Parent.NumElements.Value * 2);
            }
            private byte[] _data;
            private Gguf m_root;
            private Gguf.GgufArray m_parent;
            public byte[] Data { get { return _data; } }
            public Gguf M_Root { get { return m_root; } }
            public Gguf.GgufArray M_Parent { get { return m_parent; } }
        }

        /// <summary>
        /// Numbers of 4 bytes each, in the file's byte order.
        /// </summary>
        public partial class Elements4 : KaitaiStruct
        {
            public static Elements4 FromFile(string fileName)
            {
                return new Elements4(new KaitaiStream(fileName));
            }

            public Elements4(KaitaiStream p__io, Gguf.GgufArray p__parent = null, Gguf p__root = null) : base(p__io)
            {
                m_parent = p__parent;
                m_root = p__root;
                _read();
            }
            private void _read()
            {
                _data = m_io.ReadBytes(M_Parent.NumElements.Value * 4);
            }
            private byte[] _data;
            private Gguf m_root;
            private Gguf.GgufArray m_parent;
            public byte[] Data { get { return _data; } }
            public Gguf M_Root { get { return m_root; } }
            public Gguf.GgufArray M_Parent { get { return m_parent; } }
        }

        /// <summary>
        /// Numbers of 8 bytes each, in the file's byte order.
        /// </summary>
        public partial class Elements8 : KaitaiStruct
        {
            public static Elements8 FromFile(string fileName)
            {
                return new Elements8(new KaitaiStream(fileName));
            }

            public Elements8(KaitaiStream p__io, Gguf.GgufArray p__parent = null, Gguf p__root = null) : base(p__io)
            {
                m_parent = p__parent;
                m_root = p__root;
                _read();
            }
            private void _read()
            {
                _data = m_io.ReadBytes(M_Parent.NumElements.Value * 8);
            }
            private byte[] _data;
            private Gguf m_root;
            private Gguf.GgufArray m_parent;
            public byte[] Data { get { return _data; } }
            public Gguf M_Root { get { return m_root; } }
            public Gguf.GgufArray M_Parent { get { return m_parent; } }
        }

        /// <summary>
        /// Elements of one type, without padding. They can be arrays themselves,
        /// each with its own element type and count.
        /// </summary>
        public partial class GgufArray : KaitaiStruct
        {
            public static GgufArray FromFile(string fileName)
            {
                return new GgufArray(new KaitaiStream(fileName));
            }

            private bool? m_isLe;
            public GgufArray(KaitaiStream p__io, KaitaiStruct p__parent = null, Gguf p__root = null) : base(p__io)
            {
                m_parent = p__parent;
                m_root = p__root;
                _read();
            }
            private void _read()
            {
                {
                    bool on = M_Root.IsBe;
                    if (on == true)
                    {
                        m_isLe = (bool) (false);
                    }
                    else if (on == false)
                    {
                        m_isLe = (bool) (true);
                    }
                }

                if (m_isLe == null) {
                    throw new UndecidedEndiannessError();
                } else if (m_isLe == true) {
                    _readLE();
                } else {
                    _readBE();
                }
            }
            private void _readLE()
            {
                _elementType = ((Gguf.ValueType) m_io.ReadU4le());
                if (!Enum.IsDefined(typeof(ValueType), _elementType))
                {
                    throw new ValidationNotInEnumError(_elementType, m_io, "/types/gguf_array/seq/0");
                }
                _numElements = new Length(m_io, this, m_root);
                switch (ElementType) {
                case Gguf.ValueType.Array: {
                    _elements = new ArrayElements(m_io, this, m_root);
                    break;
                }
                case Gguf.ValueType.Bool: {
                    _elements = new Elements1(m_io, this, m_root);
                    break;
                }
                case Gguf.ValueType.Float32: {
                    _elements = new Elements4(m_io, this, m_root);
                    break;
                }
                case Gguf.ValueType.Float64: {
                    _elements = new Elements8(m_io, this, m_root);
                    break;
                }
                case Gguf.ValueType.Int16: {
                    _elements = new Elements2(m_io, this, m_root);
                    break;
                }
                case Gguf.ValueType.Int32: {
                    _elements = new Elements4(m_io, this, m_root);
                    break;
                }
                case Gguf.ValueType.Int64: {
                    _elements = new Elements8(m_io, this, m_root);
                    break;
                }
                case Gguf.ValueType.Int8: {
                    _elements = new Elements1(m_io, this, m_root);
                    break;
                }
                case Gguf.ValueType.String: {
                    _elements = new StringElements(m_io, this, m_root);
                    break;
                }
                case Gguf.ValueType.Uint16: {
                    _elements = new Elements2(m_io, this, m_root);
                    break;
                }
                case Gguf.ValueType.Uint32: {
                    _elements = new Elements4(m_io, this, m_root);
                    break;
                }
                case Gguf.ValueType.Uint64: {
                    _elements = new Elements8(m_io, this, m_root);
                    break;
                }
                case Gguf.ValueType.Uint8: {
                    _elements = new Elements1(m_io, this, m_root);
                    break;
                }
                }
            }
            private void _readBE()
            {
                _elementType = ((Gguf.ValueType) m_io.ReadU4be());
                if (!Enum.IsDefined(typeof(ValueType), _elementType))
                {
                    throw new ValidationNotInEnumError(_elementType, m_io, "/types/gguf_array/seq/0");
                }
                _numElements = new Length(m_io, this, m_root);
                switch (ElementType) {
                case Gguf.ValueType.Array: {
                    _elements = new ArrayElements(m_io, this, m_root);
                    break;
                }
                case Gguf.ValueType.Bool: {
                    _elements = new Elements1(m_io, this, m_root);
                    break;
                }
                case Gguf.ValueType.Float32: {
                    _elements = new Elements4(m_io, this, m_root);
                    break;
                }
                case Gguf.ValueType.Float64: {
                    _elements = new Elements8(m_io, this, m_root);
                    break;
                }
                case Gguf.ValueType.Int16: {
                    _elements = new Elements2(m_io, this, m_root);
                    break;
                }
                case Gguf.ValueType.Int32: {
                    _elements = new Elements4(m_io, this, m_root);
                    break;
                }
                case Gguf.ValueType.Int64: {
                    _elements = new Elements8(m_io, this, m_root);
                    break;
                }
                case Gguf.ValueType.Int8: {
                    _elements = new Elements1(m_io, this, m_root);
                    break;
                }
                case Gguf.ValueType.String: {
                    _elements = new StringElements(m_io, this, m_root);
                    break;
                }
                case Gguf.ValueType.Uint16: {
                    _elements = new Elements2(m_io, this, m_root);
                    break;
                }
                case Gguf.ValueType.Uint32: {
                    _elements = new Elements4(m_io, this, m_root);
                    break;
                }
                case Gguf.ValueType.Uint64: {
                    _elements = new Elements8(m_io, this, m_root);
                    break;
                }
                case Gguf.ValueType.Uint8: {
                    _elements = new Elements1(m_io, this, m_root);
                    break;
                }
                }
            }
            private ValueType _elementType;
            private Length _numElements;
            private KaitaiStruct _elements;
            private Gguf m_root;
            private KaitaiStruct m_parent;
            public ValueType ElementType { get { return _elementType; } }
            public Length NumElements { get { return _numElements; } }
            public KaitaiStruct Elements { get { return _elements; } }
            public Gguf M_Root { get { return m_root; } }
            public KaitaiStruct M_Parent { get { return m_parent; } }
        }
        public partial class GgufBody : KaitaiStruct
        {
            public static GgufBody FromFile(string fileName)
            {
                return new GgufBody(new KaitaiStream(fileName));
            }

            private bool? m_isLe;
            public GgufBody(KaitaiStream p__io, Gguf p__parent = null, Gguf p__root = null) : base(p__io)
            {
                m_parent = p__parent;
                m_root = p__root;
                f_alignment = false;
                f_alignmentSearch = false;
                f_lenHeader = false;
                f_ofsTensorData = false;
                _read();
            }
            private void _read()
            {
                {
                    bool on = M_Root.IsBe;
                    if (on == true)
                    {
                        m_isLe = (bool) (false);
                    }
                    else if (on == false)
                    {
                        m_isLe = (bool) (true);
                    }
                }

                if (m_isLe == null) {
                    throw new UndecidedEndiannessError();
                } else if (m_isLe == true) {
                    _readLE();
                } else {
                    _readBE();
                }
            }
            private void _readLE()
            {
                _version = m_io.ReadU4le();
                if (!( ((_version == 1) || (_version == 2) || (_version == 3)) ))
                {
                    throw new ValidationNotAnyOfError(_version, m_io, "/types/gguf_body/seq/0");
                }
                _numTensors = new Length(m_io, this, m_root);
                _numMetadata = new Length(m_io, this, m_root);
                _metadata = new List<KeyValue>();
                for (var i = 0; i < NumMetadata.AsInt; i++)
                {
                    _metadata.Add(new KeyValue(m_io, this, m_root));
                }
                _tensors = new List<TensorInfo>();
                for (var i = 0; i < NumTensors.AsInt; i++)
                {
                    _tensors.Add(new TensorInfo(m_io, this, m_root));
                }
                if (LenHeader < 0) {
                    _headerEnd = m_io.ReadBytes(0);
                }
            }
            private void _readBE()
            {
                _version = m_io.ReadU4be();
                if (!( ((_version == 1) || (_version == 2) || (_version == 3)) ))
                {
                    throw new ValidationNotAnyOfError(_version, m_io, "/types/gguf_body/seq/0");
                }
                _numTensors = new Length(m_io, this, m_root);
                _numMetadata = new Length(m_io, this, m_root);
                _metadata = new List<KeyValue>();
                for (var i = 0; i < NumMetadata.AsInt; i++)
                {
                    _metadata.Add(new KeyValue(m_io, this, m_root));
                }
                _tensors = new List<TensorInfo>();
                for (var i = 0; i < NumTensors.AsInt; i++)
                {
                    _tensors.Add(new TensorInfo(m_io, this, m_root));
                }
                if (LenHeader < 0) {
                    _headerEnd = m_io.ReadBytes(0);
                }
            }
            private bool f_alignment;
            private long _alignment;

            /// <summary>
            /// Offsets of tensors are multiples of this power of two.
            /// </summary>
            public long Alignment
            {
                get
                {
                    if (f_alignment)
                        return _alignment;
                    f_alignment = true;
                    _alignment = (long) ((Metadata.Count > 0 ? Metadata[AlignmentSearch.Count - 1].Alignment : ((long) (32))));
                    return _alignment;
                }
            }
            private bool f_alignmentSearch;
            private List<byte[]> _alignmentSearch;

            /// <summary>
            /// Reads nothing. Has one item for each key-value up to and including the
            /// first alignment, or for all of them if there is none.
            /// </summary>
            public List<byte[]> AlignmentSearch
            {
                get
                {
                    if (f_alignmentSearch)
                        return _alignmentSearch;
                    f_alignmentSearch = true;
                    if (Metadata.Count > 0) {
                        if (m_isLe == true) {
                            _alignmentSearch = new List<byte[]>();
                            {
                                var i = 0;
                                byte[] M_;
                                do {
                                    M_ = m_io.ReadBytes(0);
                                    _alignmentSearch.Add(M_);
                                    i++;
                                } while (!( ((Metadata[AlignmentSearch.Count - 1].IsAlignment) || (AlignmentSearch.Count == Metadata.Count)) ));
                            }
                        } else {
                            _alignmentSearch = new List<byte[]>();
                            {
                                var i = 0;
                                byte[] M_;
                                do {
                                    M_ = m_io.ReadBytes(0);
                                    _alignmentSearch.Add(M_);
                                    i++;
                                } while (!( ((Metadata[AlignmentSearch.Count - 1].IsAlignment) || (AlignmentSearch.Count == Metadata.Count)) ));
                            }
                        }
                    }
                    return _alignmentSearch;
                }
            }
            private bool f_lenHeader;
            private long _lenHeader;

            /// <summary>
            /// From the start of the file to the end of the last tensor info.
            /// </summary>
            public long LenHeader
            {
                get
                {
                    if (f_lenHeader)
                        return _lenHeader;
                    f_lenHeader = true;
                    _lenHeader = (long) (((long) (M_Io.Pos)));
                    return _lenHeader;
                }
            }
            private bool f_ofsTensorData;
            private long _ofsTensorData;

            /// <summary>
            /// From the start of the file. A file without tensors may end before.
            /// </summary>
            public long OfsTensorData
            {
                get
                {
                    if (f_ofsTensorData)
                        return _ofsTensorData;
                    f_ofsTensorData = true;
                    _ofsTensorData = (long) (((long) (LenHeader + KaitaiStream.Mod(-(LenHeader), Alignment))));
                    return _ofsTensorData;
                }
            }
            private uint _version;
            private Length _numTensors;
            private Length _numMetadata;
            private List<KeyValue> _metadata;
            private List<TensorInfo> _tensors;
            private byte[] _headerEnd;
            private Gguf m_root;
            private Gguf m_parent;

            /// <summary>
            /// Lengths and counts have 32 bits in version 1, 64 bits in versions 2
            /// and 3. Big-endian files are allowed since version 3.
            /// </summary>
            public uint Version { get { return _version; } }
            public Length NumTensors { get { return _numTensors; } }
            public Length NumMetadata { get { return _numMetadata; } }
            public List<KeyValue> Metadata { get { return _metadata; } }
            public List<TensorInfo> Tensors { get { return _tensors; } }
            public byte[] HeaderEnd { get { return _headerEnd; } }
            public Gguf M_Root { get { return m_root; } }
            public Gguf M_Parent { get { return m_parent; } }
        }
        public partial class GgufString : KaitaiStruct
        {
            public static GgufString FromFile(string fileName)
            {
                return new GgufString(new KaitaiStream(fileName));
            }

            public GgufString(KaitaiStream p__io, KaitaiStruct p__parent = null, Gguf p__root = null) : base(p__io)
            {
                m_parent = p__parent;
                m_root = p__root;
                f_value = false;
                _read();
            }
            private void _read()
            {
                _lenData = new Length(m_io, this, m_root);
                _data = m_io.ReadBytes(LenData.Value);
            }
            private bool f_value;
            private string _value;

            /// <summary>
            /// Bytes that are not UTF-8 are an error or replaced, by language.
            /// </summary>
            public string Value
            {
                get
                {
                    if (f_value)
                        return _value;
                    f_value = true;
                    _value = (string) (System.Text.Encoding.GetEncoding("UTF-8").GetString(Data));
                    return _value;
                }
            }
            private Length _lenData;
            private byte[] _data;
            private Gguf m_root;
            private KaitaiStruct m_parent;
            public Length LenData { get { return _lenData; } }

            /// <summary>
            /// UTF-8 in most cases, with no terminator.
            /// </summary>
            public byte[] Data { get { return _data; } }
            public Gguf M_Root { get { return m_root; } }
            public KaitaiStruct M_Parent { get { return m_parent; } }
        }
        public partial class KeyValue : KaitaiStruct
        {
            public static KeyValue FromFile(string fileName)
            {
                return new KeyValue(new KaitaiStream(fileName));
            }

            private bool? m_isLe;
            public KeyValue(KaitaiStream p__io, Gguf.GgufBody p__parent = null, Gguf p__root = null) : base(p__io)
            {
                m_parent = p__parent;
                m_root = p__root;
                f_alignment = false;
                f_isAlignment = false;
                _read();
            }
            private void _read()
            {
                {
                    bool on = M_Root.IsBe;
                    if (on == true)
                    {
                        m_isLe = (bool) (false);
                    }
                    else if (on == false)
                    {
                        m_isLe = (bool) (true);
                    }
                }

                if (m_isLe == null) {
                    throw new UndecidedEndiannessError();
                } else if (m_isLe == true) {
                    _readLE();
                } else {
                    _readBE();
                }
            }
            private void _readLE()
            {
                _key = new GgufString(m_io, this, m_root);
                _valueType = ((Gguf.ValueType) m_io.ReadU4le());
                if (!Enum.IsDefined(typeof(ValueType), _valueType))
                {
                    throw new ValidationNotInEnumError(_valueType, m_io, "/types/key_value/seq/1");
                }
                switch (ValueType) {
                case Gguf.ValueType.Array: {
                    _value = new GgufArray(m_io, this, m_root);
                    break;
                }
                case Gguf.ValueType.Bool: {
                    _value = new ValueU1(m_io, this, m_root);
                    break;
                }
                case Gguf.ValueType.Float32: {
                    _value = new ValueF4(m_io, this, m_root);
                    break;
                }
                case Gguf.ValueType.Float64: {
                    _value = new ValueF8(m_io, this, m_root);
                    break;
                }
                case Gguf.ValueType.Int16: {
                    _value = new ValueS2(m_io, this, m_root);
                    break;
                }
                case Gguf.ValueType.Int32: {
                    _value = new ValueS4(m_io, this, m_root);
                    break;
                }
                case Gguf.ValueType.Int64: {
                    _value = new ValueS8(m_io, this, m_root);
                    break;
                }
                case Gguf.ValueType.Int8: {
                    _value = new ValueS1(m_io, this, m_root);
                    break;
                }
                case Gguf.ValueType.String: {
                    _value = new GgufString(m_io, this, m_root);
                    break;
                }
                case Gguf.ValueType.Uint16: {
                    _value = new ValueU2(m_io, this, m_root);
                    break;
                }
                case Gguf.ValueType.Uint32: {
                    _value = new ValueU4(m_io, this, m_root);
                    break;
                }
                case Gguf.ValueType.Uint64: {
                    _value = new ValueU8(m_io, this, m_root);
                    break;
                }
                case Gguf.ValueType.Uint8: {
                    _value = new ValueU1(m_io, this, m_root);
                    break;
                }
                }
            }
            private void _readBE()
            {
                _key = new GgufString(m_io, this, m_root);
                _valueType = ((Gguf.ValueType) m_io.ReadU4be());
                if (!Enum.IsDefined(typeof(ValueType), _valueType))
                {
                    throw new ValidationNotInEnumError(_valueType, m_io, "/types/key_value/seq/1");
                }
                switch (ValueType) {
                case Gguf.ValueType.Array: {
                    _value = new GgufArray(m_io, this, m_root);
                    break;
                }
                case Gguf.ValueType.Bool: {
                    _value = new ValueU1(m_io, this, m_root);
                    break;
                }
                case Gguf.ValueType.Float32: {
                    _value = new ValueF4(m_io, this, m_root);
                    break;
                }
                case Gguf.ValueType.Float64: {
                    _value = new ValueF8(m_io, this, m_root);
                    break;
                }
                case Gguf.ValueType.Int16: {
                    _value = new ValueS2(m_io, this, m_root);
                    break;
                }
                case Gguf.ValueType.Int32: {
                    _value = new ValueS4(m_io, this, m_root);
                    break;
                }
                case Gguf.ValueType.Int64: {
                    _value = new ValueS8(m_io, this, m_root);
                    break;
                }
                case Gguf.ValueType.Int8: {
                    _value = new ValueS1(m_io, this, m_root);
                    break;
                }
                case Gguf.ValueType.String: {
                    _value = new GgufString(m_io, this, m_root);
                    break;
                }
                case Gguf.ValueType.Uint16: {
                    _value = new ValueU2(m_io, this, m_root);
                    break;
                }
                case Gguf.ValueType.Uint32: {
                    _value = new ValueU4(m_io, this, m_root);
                    break;
                }
                case Gguf.ValueType.Uint64: {
                    _value = new ValueU8(m_io, this, m_root);
                    break;
                }
                case Gguf.ValueType.Uint8: {
                    _value = new ValueU1(m_io, this, m_root);
                    break;
                }
                }
            }
            private bool f_alignment;
            private long _alignment;

            /// <summary>
            /// The value if this is the alignment, otherwise the default.
            /// </summary>
            public long Alignment
            {
                get
                {
                    if (f_alignment)
                        return _alignment;
                    f_alignment = true;
                    _alignment = (long) ((IsAlignment ? ((long) (((Gguf.ValueU4) (Value)).Value)) : ((long) (32))));
                    return _alignment;
                }
            }
            private bool f_isAlignment;
            private bool _isAlignment;

            /// <summary>
            /// Whether the key is `general.alignment`, with the required type.
            /// </summary>
            public bool IsAlignment
            {
                get
                {
                    if (f_isAlignment)
                        return _isAlignment;
                    f_isAlignment = true;
                    _isAlignment = (bool) ( ((ValueType == Gguf.ValueType.Uint32) && ((KaitaiStream.ByteArrayCompare(Key.Data, new byte[] { 103, 101, 110, 101, 114, 97, 108, 46, 97, 108, 105, 103, 110, 109, 101, 110, 116 }) == 0))) );
                    return _isAlignment;
                }
            }
            private GgufString _key;
            private ValueType _valueType;
            private KaitaiStruct _value;
            private Gguf m_root;
            private Gguf.GgufBody m_parent;

            /// <summary>
            /// Unique in the file. By the specification at most 65535 bytes of ASCII,
            /// `lower_snake_case` segments joined by `.`; not all writers comply.
            /// </summary>
            public GgufString Key { get { return _key; } }
            public ValueType ValueType { get { return _valueType; } }
            public KaitaiStruct Value { get { return _value; } }
            public Gguf M_Root { get { return m_root; } }
            public Gguf.GgufBody M_Parent { get { return m_parent; } }
        }

        /// <summary>
        /// A count of bytes or items. 32 bits wide in version 1, 64 bits since
        /// version 2. At most 2^30, which is ggml's limit for strings and arrays.
        /// </summary>
        public partial class Length : KaitaiStruct
        {
            public static Length FromFile(string fileName)
            {
                return new Length(new KaitaiStream(fileName));
            }

            private bool? m_isLe;
            public Length(KaitaiStream p__io, KaitaiStruct p__parent = null, Gguf p__root = null) : base(p__io)
            {
                m_parent = p__parent;
                m_root = p__root;
                f_asInt = false;
                f_value = false;
                _read();
            }
            private void _read()
            {
                {
                    bool on = M_Root.IsBe;
                    if (on == true)
                    {
                        m_isLe = (bool) (false);
                    }
                    else if (on == false)
                    {
                        m_isLe = (bool) (true);
                    }
                }

                if (m_isLe == null) {
                    throw new UndecidedEndiannessError();
                } else if (m_isLe == true) {
                    _readLE();
                } else {
                    _readBE();
                }
            }
            private void _readLE()
            {
                if (M_Root.Version == 1) {
                    _valueU4 = m_io.ReadU4le();
                    if (!(_valueU4 <= 1073741824))
                    {
                        throw new ValidationGreaterThanError(1073741824, _valueU4, m_io, "/types/length/seq/0");
                    }
                }
                if (M_Root.Version != 1) {
                    _valueU8 = m_io.ReadU8le();
                    if (!(_valueU8 >= 0))
                    {
                        throw new ValidationLessThanError(0, _valueU8, m_io, "/types/length/seq/1");
                    }
                    if (!(_valueU8 <= 1073741824))
                    {
                        throw new ValidationGreaterThanError(1073741824, _valueU8, m_io, "/types/length/seq/1");
                    }
                }
            }
            private void _readBE()
            {
                if (M_Root.Version == 1) {
                    _valueU4 = m_io.ReadU4be();
                    if (!(_valueU4 <= 1073741824))
                    {
                        throw new ValidationGreaterThanError(1073741824, _valueU4, m_io, "/types/length/seq/0");
                    }
                }
                if (M_Root.Version != 1) {
                    _valueU8 = m_io.ReadU8be();
                    if (!(_valueU8 >= 0))
                    {
                        throw new ValidationLessThanError(0, _valueU8, m_io, "/types/length/seq/1");
                    }
                    if (!(_valueU8 <= 1073741824))
                    {
                        throw new ValidationGreaterThanError(1073741824, _valueU8, m_io, "/types/length/seq/1");
                    }
                }
            }
            private bool f_asInt;
            private int _asInt;

            /// <summary>
            /// The same as `value`, in a type that all languages can repeat by.
            /// </summary>
            public int AsInt
            {
                get
                {
                    if (f_asInt)
                        return _asInt;
                    f_asInt = true;
                    _asInt = (int) ((M_Root.Version == 1 ? ((int) (ValueU4)) : ((int) (ValueU8))));
                    return _asInt;
                }
            }
            private bool f_value;
            private ulong _value;
            public ulong Value
            {
                get
                {
                    if (f_value)
                        return _value;
                    f_value = true;
                    _value = (ulong) ((M_Root.Version == 1 ? ((ulong) (ValueU4)) : ((ulong) (ValueU8))));
                    return _value;
                }
            }
            private uint? _valueU4;
            private ulong? _valueU8;
            private Gguf m_root;
            private KaitaiStruct m_parent;
            public uint? ValueU4 { get { return _valueU4; } }
            public ulong? ValueU8 { get { return _valueU8; } }
            public Gguf M_Root { get { return m_root; } }
            public KaitaiStruct M_Parent { get { return m_parent; } }
        }
        public partial class StringElements : KaitaiStruct
        {
            public static StringElements FromFile(string fileName)
            {
                return new StringElements(new KaitaiStream(fileName));
            }

            public StringElements(KaitaiStream p__io, Gguf.GgufArray p__parent = null, Gguf p__root = null) : base(p__io)
            {
                m_parent = p__parent;
                m_root = p__root;
                _read();
            }
            private void _read()
            {
                _items = new List<GgufString>();
                for (var i = 0; i < M_Parent.NumElements.AsInt; i++)
                {
                    _items.Add(new GgufString(m_io, this, m_root));
                }
            }
            private List<GgufString> _items;
            private Gguf m_root;
            private Gguf.GgufArray m_parent;
            public List<GgufString> Items { get { return _items; } }
            public Gguf M_Root { get { return m_root; } }
            public Gguf.GgufArray M_Parent { get { return m_parent; } }
        }
        public partial class TensorInfo : KaitaiStruct
        {
            public static TensorInfo FromFile(string fileName)
            {
                return new TensorInfo(new KaitaiStream(fileName));
            }

            private bool? m_isLe;
            public TensorInfo(KaitaiStream p__io, Gguf.GgufBody p__parent = null, Gguf p__root = null) : base(p__io)
            {
                m_parent = p__parent;
                m_root = p__root;
                f_ggmlType = false;
                _read();
            }
            private void _read()
            {
                {
                    bool on = M_Root.IsBe;
                    if (on == true)
                    {
                        m_isLe = (bool) (false);
                    }
                    else if (on == false)
                    {
                        m_isLe = (bool) (true);
                    }
                }

                if (m_isLe == null) {
                    throw new UndecidedEndiannessError();
                } else if (m_isLe == true) {
                    _readLE();
                } else {
                    _readBE();
                }
            }
            private void _readLE()
            {
                _name = new GgufString(m_io, this, m_root);
                _numDims = m_io.ReadU4le();
                if (!(_numDims <= 4))
                {
                    throw new ValidationGreaterThanError(4, _numDims, m_io, "/types/tensor_info/seq/1");
                }
                _dims = new List<Dim>();
                for (var i = 0; i < NumDims; i++)
                {
                    _dims.Add(new Dim(m_io, this, m_root));
                }
                _typeId = m_io.ReadU4le();
                _ofsData = m_io.ReadU8le();
            }
            private void _readBE()
            {
                _name = new GgufString(m_io, this, m_root);
                _numDims = m_io.ReadU4be();
                if (!(_numDims <= 4))
                {
                    throw new ValidationGreaterThanError(4, _numDims, m_io, "/types/tensor_info/seq/1");
                }
                _dims = new List<Dim>();
                for (var i = 0; i < NumDims; i++)
                {
                    _dims.Add(new Dim(m_io, this, m_root));
                }
                _typeId = m_io.ReadU4be();
                _ofsData = m_io.ReadU8be();
            }
            private bool f_ggmlType;
            private GgmlType _ggmlType;
            public GgmlType GgmlType
            {
                get
                {
                    if (f_ggmlType)
                        return _ggmlType;
                    f_ggmlType = true;
                    _ggmlType = (GgmlType) (((Gguf.GgmlType) TypeId));
                    return _ggmlType;
                }
            }
            private GgufString _name;
            private uint _numDims;
            private List<Dim> _dims;
            private uint _typeId;
            private ulong _ofsData;
            private Gguf m_root;
            private Gguf.GgufBody m_parent;

            /// <summary>
            /// Unique in the file. By the specification at most 64 bytes; ggml
            /// accepts at most 63, and some writers exceed both.
            /// </summary>
            public GgufString Name { get { return _name; } }

            /// <summary>
            /// A tensor without dimensions holds one element.
            /// </summary>
            public uint NumDims { get { return _numDims; } }

            /// <summary>
            /// In elements. The first is the row length, which varies fastest: numpy
            /// and most others use the reverse order.
            /// </summary>
            public List<Dim> Dims { get { return _dims; } }

            /// <summary>
            /// New types come with most releases of ggml, so a number that is not in
            /// the enum does not make a file invalid.
            /// </summary>
            public uint TypeId { get { return _typeId; } }

            /// <summary>
            /// In bytes, from the start of the tensor data. A multiple of the
            /// alignment.
            /// </summary>
            public ulong OfsData { get { return _ofsData; } }
            public Gguf M_Root { get { return m_root; } }
            public Gguf.GgufBody M_Parent { get { return m_parent; } }
        }
        public partial class ValueF4 : KaitaiStruct
        {
            public static ValueF4 FromFile(string fileName)
            {
                return new ValueF4(new KaitaiStream(fileName));
            }

            private bool? m_isLe;
            public ValueF4(KaitaiStream p__io, Gguf.KeyValue p__parent = null, Gguf p__root = null) : base(p__io)
            {
                m_parent = p__parent;
                m_root = p__root;
                _read();
            }
            private void _read()
            {
                {
                    bool on = M_Root.IsBe;
                    if (on == true)
                    {
                        m_isLe = (bool) (false);
                    }
                    else if (on == false)
                    {
                        m_isLe = (bool) (true);
                    }
                }

                if (m_isLe == null) {
                    throw new UndecidedEndiannessError();
                } else if (m_isLe == true) {
                    _readLE();
                } else {
                    _readBE();
                }
            }
            private void _readLE()
            {
                _value = m_io.ReadF4le();
            }
            private void _readBE()
            {
                _value = m_io.ReadF4be();
            }
            private float _value;
            private Gguf m_root;
            private Gguf.KeyValue m_parent;
            public float Value { get { return _value; } }
            public Gguf M_Root { get { return m_root; } }
            public Gguf.KeyValue M_Parent { get { return m_parent; } }
        }
        public partial class ValueF8 : KaitaiStruct
        {
            public static ValueF8 FromFile(string fileName)
            {
                return new ValueF8(new KaitaiStream(fileName));
            }

            private bool? m_isLe;
            public ValueF8(KaitaiStream p__io, Gguf.KeyValue p__parent = null, Gguf p__root = null) : base(p__io)
            {
                m_parent = p__parent;
                m_root = p__root;
                _read();
            }
            private void _read()
            {
                {
                    bool on = M_Root.IsBe;
                    if (on == true)
                    {
                        m_isLe = (bool) (false);
                    }
                    else if (on == false)
                    {
                        m_isLe = (bool) (true);
                    }
                }

                if (m_isLe == null) {
                    throw new UndecidedEndiannessError();
                } else if (m_isLe == true) {
                    _readLE();
                } else {
                    _readBE();
                }
            }
            private void _readLE()
            {
                _value = m_io.ReadF8le();
            }
            private void _readBE()
            {
                _value = m_io.ReadF8be();
            }
            private double _value;
            private Gguf m_root;
            private Gguf.KeyValue m_parent;
            public double Value { get { return _value; } }
            public Gguf M_Root { get { return m_root; } }
            public Gguf.KeyValue M_Parent { get { return m_parent; } }
        }
        public partial class ValueS1 : KaitaiStruct
        {
            public static ValueS1 FromFile(string fileName)
            {
                return new ValueS1(new KaitaiStream(fileName));
            }

            public ValueS1(KaitaiStream p__io, Gguf.KeyValue p__parent = null, Gguf p__root = null) : base(p__io)
            {
                m_parent = p__parent;
                m_root = p__root;
                _read();
            }
            private void _read()
            {
                _value = m_io.ReadS1();
            }
            private sbyte _value;
            private Gguf m_root;
            private Gguf.KeyValue m_parent;
            public sbyte Value { get { return _value; } }
            public Gguf M_Root { get { return m_root; } }
            public Gguf.KeyValue M_Parent { get { return m_parent; } }
        }
        public partial class ValueS2 : KaitaiStruct
        {
            public static ValueS2 FromFile(string fileName)
            {
                return new ValueS2(new KaitaiStream(fileName));
            }

            private bool? m_isLe;
            public ValueS2(KaitaiStream p__io, Gguf.KeyValue p__parent = null, Gguf p__root = null) : base(p__io)
            {
                m_parent = p__parent;
                m_root = p__root;
                _read();
            }
            private void _read()
            {
                {
                    bool on = M_Root.IsBe;
                    if (on == true)
                    {
                        m_isLe = (bool) (false);
                    }
                    else if (on == false)
                    {
                        m_isLe = (bool) (true);
                    }
                }

                if (m_isLe == null) {
                    throw new UndecidedEndiannessError();
                } else if (m_isLe == true) {
                    _readLE();
                } else {
                    _readBE();
                }
            }
            private void _readLE()
            {
                _value = m_io.ReadS2le();
            }
            private void _readBE()
            {
                _value = m_io.ReadS2be();
            }
            private short _value;
            private Gguf m_root;
            private Gguf.KeyValue m_parent;
            public short Value { get { return _value; } }
            public Gguf M_Root { get { return m_root; } }
            public Gguf.KeyValue M_Parent { get { return m_parent; } }
        }
        public partial class ValueS4 : KaitaiStruct
        {
            public static ValueS4 FromFile(string fileName)
            {
                return new ValueS4(new KaitaiStream(fileName));
            }

            private bool? m_isLe;
            public ValueS4(KaitaiStream p__io, Gguf.KeyValue p__parent = null, Gguf p__root = null) : base(p__io)
            {
                m_parent = p__parent;
                m_root = p__root;
                _read();
            }
            private void _read()
            {
                {
                    bool on = M_Root.IsBe;
                    if (on == true)
                    {
                        m_isLe = (bool) (false);
                    }
                    else if (on == false)
                    {
                        m_isLe = (bool) (true);
                    }
                }

                if (m_isLe == null) {
                    throw new UndecidedEndiannessError();
                } else if (m_isLe == true) {
                    _readLE();
                } else {
                    _readBE();
                }
            }
            private void _readLE()
            {
                _value = m_io.ReadS4le();
            }
            private void _readBE()
            {
                _value = m_io.ReadS4be();
            }
            private int _value;
            private Gguf m_root;
            private Gguf.KeyValue m_parent;
            public int Value { get { return _value; } }
            public Gguf M_Root { get { return m_root; } }
            public Gguf.KeyValue M_Parent { get { return m_parent; } }
        }
        public partial class ValueS8 : KaitaiStruct
        {
            public static ValueS8 FromFile(string fileName)
            {
                return new ValueS8(new KaitaiStream(fileName));
            }

            private bool? m_isLe;
            public ValueS8(KaitaiStream p__io, Gguf.KeyValue p__parent = null, Gguf p__root = null) : base(p__io)
            {
                m_parent = p__parent;
                m_root = p__root;
                _read();
            }
            private void _read()
            {
                {
                    bool on = M_Root.IsBe;
                    if (on == true)
                    {
                        m_isLe = (bool) (false);
                    }
                    else if (on == false)
                    {
                        m_isLe = (bool) (true);
                    }
                }

                if (m_isLe == null) {
                    throw new UndecidedEndiannessError();
                } else if (m_isLe == true) {
                    _readLE();
                } else {
                    _readBE();
                }
            }
            private void _readLE()
            {
                _value = m_io.ReadS8le();
            }
            private void _readBE()
            {
                _value = m_io.ReadS8be();
            }
            private long _value;
            private Gguf m_root;
            private Gguf.KeyValue m_parent;
            public long Value { get { return _value; } }
            public Gguf M_Root { get { return m_root; } }
            public Gguf.KeyValue M_Parent { get { return m_parent; } }
        }
        public partial class ValueU1 : KaitaiStruct
        {
            public static ValueU1 FromFile(string fileName)
            {
                return new ValueU1(new KaitaiStream(fileName));
            }

            public ValueU1(KaitaiStream p__io, Gguf.KeyValue p__parent = null, Gguf p__root = null) : base(p__io)
            {
                m_parent = p__parent;
                m_root = p__root;
                _read();
            }
            private void _read()
            {
                _value = m_io.ReadU1();
            }
            private byte _value;
            private Gguf m_root;
            private Gguf.KeyValue m_parent;
            public byte Value { get { return _value; } }
            public Gguf M_Root { get { return m_root; } }
            public Gguf.KeyValue M_Parent { get { return m_parent; } }
        }
        public partial class ValueU2 : KaitaiStruct
        {
            public static ValueU2 FromFile(string fileName)
            {
                return new ValueU2(new KaitaiStream(fileName));
            }

            private bool? m_isLe;
            public ValueU2(KaitaiStream p__io, Gguf.KeyValue p__parent = null, Gguf p__root = null) : base(p__io)
            {
                m_parent = p__parent;
                m_root = p__root;
                _read();
            }
            private void _read()
            {
                {
                    bool on = M_Root.IsBe;
                    if (on == true)
                    {
                        m_isLe = (bool) (false);
                    }
                    else if (on == false)
                    {
                        m_isLe = (bool) (true);
                    }
                }

                if (m_isLe == null) {
                    throw new UndecidedEndiannessError();
                } else if (m_isLe == true) {
                    _readLE();
                } else {
                    _readBE();
                }
            }
            private void _readLE()
            {
                _value = m_io.ReadU2le();
            }
            private void _readBE()
            {
                _value = m_io.ReadU2be();
            }
            private ushort _value;
            private Gguf m_root;
            private Gguf.KeyValue m_parent;
            public ushort Value { get { return _value; } }
            public Gguf M_Root { get { return m_root; } }
            public Gguf.KeyValue M_Parent { get { return m_parent; } }
        }
        public partial class ValueU4 : KaitaiStruct
        {
            public static ValueU4 FromFile(string fileName)
            {
                return new ValueU4(new KaitaiStream(fileName));
            }

            private bool? m_isLe;
            public ValueU4(KaitaiStream p__io, Gguf.KeyValue p__parent = null, Gguf p__root = null) : base(p__io)
            {
                m_parent = p__parent;
                m_root = p__root;
                _read();
            }
            private void _read()
            {
                {
                    bool on = M_Root.IsBe;
                    if (on == true)
                    {
                        m_isLe = (bool) (false);
                    }
                    else if (on == false)
                    {
                        m_isLe = (bool) (true);
                    }
                }

                if (m_isLe == null) {
                    throw new UndecidedEndiannessError();
                } else if (m_isLe == true) {
                    _readLE();
                } else {
                    _readBE();
                }
            }
            private void _readLE()
            {
                _value = m_io.ReadU4le();
            }
            private void _readBE()
            {
                _value = m_io.ReadU4be();
            }
            private uint _value;
            private Gguf m_root;
            private Gguf.KeyValue m_parent;
            public uint Value { get { return _value; } }
            public Gguf M_Root { get { return m_root; } }
            public Gguf.KeyValue M_Parent { get { return m_parent; } }
        }
        public partial class ValueU8 : KaitaiStruct
        {
            public static ValueU8 FromFile(string fileName)
            {
                return new ValueU8(new KaitaiStream(fileName));
            }

            private bool? m_isLe;
            public ValueU8(KaitaiStream p__io, Gguf.KeyValue p__parent = null, Gguf p__root = null) : base(p__io)
            {
                m_parent = p__parent;
                m_root = p__root;
                _read();
            }
            private void _read()
            {
                {
                    bool on = M_Root.IsBe;
                    if (on == true)
                    {
                        m_isLe = (bool) (false);
                    }
                    else if (on == false)
                    {
                        m_isLe = (bool) (true);
                    }
                }

                if (m_isLe == null) {
                    throw new UndecidedEndiannessError();
                } else if (m_isLe == true) {
                    _readLE();
                } else {
                    _readBE();
                }
            }
            private void _readLE()
            {
                _value = m_io.ReadU8le();
            }
            private void _readBE()
            {
                _value = m_io.ReadU8be();
            }
            private ulong _value;
            private Gguf m_root;
            private Gguf.KeyValue m_parent;
            public ulong Value { get { return _value; } }
            public Gguf M_Root { get { return m_root; } }
            public Gguf.KeyValue M_Parent { get { return m_parent; } }
        }
        private bool f_isBe;
        private bool _isBe;

        /// <summary>
        /// Whether all of the file, tensor data included, is big-endian.
        /// </summary>
        public bool IsBe
        {
            get
            {
                if (f_isBe)
                    return _isBe;
                f_isBe = true;
                _isBe = (bool) ((VersionLe & 65535) == 0);
                return _isBe;
            }
        }
        private bool f_version;
        private int _version;
        public int Version
        {
            get
            {
                if (f_version)
                    return _version;
                f_version = true;
                _version = (int) ((IsBe ? VersionBe : VersionLe));
                return _version;
            }
        }
        private bool f_versionBe;
        private uint _versionBe;
        public uint VersionBe
        {
            get
            {
                if (f_versionBe)
                    return _versionBe;
                f_versionBe = true;
                long _pos = m_io.Pos;
                m_io.Seek(4);
                _versionBe = m_io.ReadU4be();
                m_io.Seek(_pos);
                return _versionBe;
            }
        }
        private bool f_versionLe;
        private uint _versionLe;
        public uint VersionLe
        {
            get
            {
                if (f_versionLe)
                    return _versionLe;
                f_versionLe = true;
                long _pos = m_io.Pos;
                m_io.Seek(4);
                _versionLe = m_io.ReadU4le();
                m_io.Seek(_pos);
                return _versionLe;
            }
        }
        private byte[] _magic;
        private GgufBody _body;
        private Gguf m_root;
        private KaitaiStruct m_parent;

        /// <summary>
        /// The same bytes in both byte orders.
        /// </summary>
        public byte[] Magic { get { return _magic; } }
        public GgufBody Body { get { return _body; } }
        public Gguf M_Root { get { return m_root; } }
        public KaitaiStruct M_Parent { get { return m_parent; } }
    }
}
