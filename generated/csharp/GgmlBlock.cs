// This is a generated file! Please edit source .ksy file and use kaitai-struct-compiler to rebuild

using System.Collections.Generic;

namespace Kaitai
{

    /// <summary>
    /// A GGML tensor is a sequence of rows, and a row is a sequence of blocks of one
    /// type. Plain types have one element per block. A quantized type packs 32 to 256
    /// elements into a block: small integers together with the scale (and minimum or
    /// offset) that turns them back into numbers. Blocks have no padding.
    /// 
    /// Each type here is named after a value of the enum `ggml_type` in `gguf.ksy`,
    /// and describes one block. Fields of 16 and 32 bits are in the byte order of the
    /// file; these types read little-endian files.
    /// 
    /// Three extra keys hold facts that Kaitai Struct can't express: `-num-elements`
    /// is the number of elements in a block, `-float` the floating-point format of
    /// the bits that `type` reads as an integer, and `-removed-types` lists the
    /// numbers of types that ggml has removed, but that old files still use.
    /// 
    /// Field names are those of GGML: `d` is the scale of the block, `dmin` and `m`
    /// belong to its minimum, `s` is d times the sum of `qs`, `qs` are the low bits
    /// of the quants, and `qh` the high ones.
    /// </summary>
    /// <remarks>
    /// Reference: <a href="https://github.com/ggml-org/ggml/blob/d99724f2/src/ggml-common.h">Source</a>
    /// </remarks>
    /// <remarks>
    /// Reference: <a href="https://github.com/ggml-org/ggml/blob/d99724f2/include/ggml.h">Source</a>
    /// </remarks>
    public partial class GgmlBlock : KaitaiStruct
    {
        public static GgmlBlock FromFile(string fileName)
        {
            return new GgmlBlock(new KaitaiStream(fileName));
        }

        public GgmlBlock(KaitaiStream p__io, KaitaiStruct p__parent = null, GgmlBlock p__root = null) : base(p__io)
        {
            m_parent = p__parent;
            m_root = p__root ?? this;
            _read();
        }
        private void _read()
        {
        }
        public partial class Bf16 : KaitaiStruct
        {
            public static Bf16 FromFile(string fileName)
            {
                return new Bf16(new KaitaiStream(fileName));
            }

            public Bf16(KaitaiStream p__io, KaitaiStruct p__parent = null, GgmlBlock p__root = null) : base(p__io)
            {
                m_parent = p__parent;
                m_root = p__root;
                _read();
            }
            private void _read()
            {
                _value = m_io.ReadU2le();
            }
            private ushort _value;
            private GgmlBlock m_root;
            private KaitaiStruct m_parent;
            public ushort Value { get { return _value; } }
            public GgmlBlock M_Root { get { return m_root; } }
            public KaitaiStruct M_Parent { get { return m_parent; } }
        }
        public partial class F16 : KaitaiStruct
        {
            public static F16 FromFile(string fileName)
            {
                return new F16(new KaitaiStream(fileName));
            }

            public F16(KaitaiStream p__io, KaitaiStruct p__parent = null, GgmlBlock p__root = null) : base(p__io)
            {
                m_parent = p__parent;
                m_root = p__root;
                _read();
            }
            private void _read()
            {
                _value = m_io.ReadU2le();
            }
            private ushort _value;
            private GgmlBlock m_root;
            private KaitaiStruct m_parent;
            public ushort Value { get { return _value; } }
            public GgmlBlock M_Root { get { return m_root; } }
            public KaitaiStruct M_Parent { get { return m_parent; } }
        }
        public partial class F32 : KaitaiStruct
        {
            public static F32 FromFile(string fileName)
            {
                return new F32(new KaitaiStream(fileName));
            }

            public F32(KaitaiStream p__io, KaitaiStruct p__parent = null, GgmlBlock p__root = null) : base(p__io)
            {
                m_parent = p__parent;
                m_root = p__root;
                _read();
            }
            private void _read()
            {
                _value = m_io.ReadF4le();
            }
            private float _value;
            private GgmlBlock m_root;
            private KaitaiStruct m_parent;
            public float Value { get { return _value; } }
            public GgmlBlock M_Root { get { return m_root; } }
            public KaitaiStruct M_Parent { get { return m_parent; } }
        }
        public partial class F64 : KaitaiStruct
        {
            public static F64 FromFile(string fileName)
            {
                return new F64(new KaitaiStream(fileName));
            }

            public F64(KaitaiStream p__io, KaitaiStruct p__parent = null, GgmlBlock p__root = null) : base(p__io)
            {
                m_parent = p__parent;
                m_root = p__root;
                _read();
            }
            private void _read()
            {
                _value = m_io.ReadF8le();
            }
            private double _value;
            private GgmlBlock m_root;
            private KaitaiStruct m_parent;
            public double Value { get { return _value; } }
            public GgmlBlock M_Root { get { return m_root; } }
            public KaitaiStruct M_Parent { get { return m_parent; } }
        }
        public partial class I16 : KaitaiStruct
        {
            public static I16 FromFile(string fileName)
            {
                return new I16(new KaitaiStream(fileName));
            }

            public I16(KaitaiStream p__io, KaitaiStruct p__parent = null, GgmlBlock p__root = null) : base(p__io)
            {
                m_parent = p__parent;
                m_root = p__root;
                _read();
            }
            private void _read()
            {
                _value = m_io.ReadS2le();
            }
            private short _value;
            private GgmlBlock m_root;
            private KaitaiStruct m_parent;
            public short Value { get { return _value; } }
            public GgmlBlock M_Root { get { return m_root; } }
            public KaitaiStruct M_Parent { get { return m_parent; } }
        }
        public partial class I32 : KaitaiStruct
        {
            public static I32 FromFile(string fileName)
            {
                return new I32(new KaitaiStream(fileName));
            }

            public I32(KaitaiStream p__io, KaitaiStruct p__parent = null, GgmlBlock p__root = null) : base(p__io)
            {
                m_parent = p__parent;
                m_root = p__root;
                _read();
            }
            private void _read()
            {
                _value = m_io.ReadS4le();
            }
            private int _value;
            private GgmlBlock m_root;
            private KaitaiStruct m_parent;
            public int Value { get { return _value; } }
            public GgmlBlock M_Root { get { return m_root; } }
            public KaitaiStruct M_Parent { get { return m_parent; } }
        }
        public partial class I64 : KaitaiStruct
        {
            public static I64 FromFile(string fileName)
            {
                return new I64(new KaitaiStream(fileName));
            }

            public I64(KaitaiStream p__io, KaitaiStruct p__parent = null, GgmlBlock p__root = null) : base(p__io)
            {
                m_parent = p__parent;
                m_root = p__root;
                _read();
            }
            private void _read()
            {
                _value = m_io.ReadS8le();
            }
            private long _value;
            private GgmlBlock m_root;
            private KaitaiStruct m_parent;
            public long Value { get { return _value; } }
            public GgmlBlock M_Root { get { return m_root; } }
            public KaitaiStruct M_Parent { get { return m_parent; } }
        }
        public partial class I8 : KaitaiStruct
        {
            public static I8 FromFile(string fileName)
            {
                return new I8(new KaitaiStream(fileName));
            }

            public I8(KaitaiStream p__io, KaitaiStruct p__parent = null, GgmlBlock p__root = null) : base(p__io)
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
            private GgmlBlock m_root;
            private KaitaiStruct m_parent;
            public sbyte Value { get { return _value; } }
            public GgmlBlock M_Root { get { return m_root; } }
            public KaitaiStruct M_Parent { get { return m_parent; } }
        }
        public partial class Iq1M : KaitaiStruct
        {
            public static Iq1M FromFile(string fileName)
            {
                return new Iq1M(new KaitaiStream(fileName));
            }

            public Iq1M(KaitaiStream p__io, KaitaiStruct p__parent = null, GgmlBlock p__root = null) : base(p__io)
            {
                m_parent = p__parent;
                m_root = p__root;
                _read();
            }
            private void _read()
            {
                _qs = new List<byte>();
                for (var i = 0; i < 32; i++)
                {
                    _qs.Add(m_io.ReadU1());
                }
                _qh = new List<byte>();
                for (var i = 0; i < 16; i++)
                {
                    _qh.Add(m_io.ReadU1());
                }
                _scales = new List<byte>();
                for (var i = 0; i < 8; i++)
                {
                    _scales.Add(m_io.ReadU1());
                }
            }
            private List<byte> _qs;
            private List<byte> _qh;
            private List<byte> _scales;
            private GgmlBlock m_root;
            private KaitaiStruct m_parent;
            public List<byte> Qs { get { return _qs; } }
            public List<byte> Qh { get { return _qh; } }
            public List<byte> Scales { get { return _scales; } }
            public GgmlBlock M_Root { get { return m_root; } }
            public KaitaiStruct M_Parent { get { return m_parent; } }
        }
        public partial class Iq1S : KaitaiStruct
        {
            public static Iq1S FromFile(string fileName)
            {
                return new Iq1S(new KaitaiStream(fileName));
            }

            public Iq1S(KaitaiStream p__io, KaitaiStruct p__parent = null, GgmlBlock p__root = null) : base(p__io)
            {
                m_parent = p__parent;
                m_root = p__root;
                _read();
            }
            private void _read()
            {
                _d = m_io.ReadU2le();
                _qs = new List<byte>();
                for (var i = 0; i < 32; i++)
                {
                    _qs.Add(m_io.ReadU1());
                }
                _qh = new List<ushort>();
                for (var i = 0; i < 8; i++)
                {
                    _qh.Add(m_io.ReadU2le());
                }
            }
            private ushort _d;
            private List<byte> _qs;
            private List<ushort> _qh;
            private GgmlBlock m_root;
            private KaitaiStruct m_parent;
            public ushort D { get { return _d; } }
            public List<byte> Qs { get { return _qs; } }
            public List<ushort> Qh { get { return _qh; } }
            public GgmlBlock M_Root { get { return m_root; } }
            public KaitaiStruct M_Parent { get { return m_parent; } }
        }
        public partial class Iq2S : KaitaiStruct
        {
            public static Iq2S FromFile(string fileName)
            {
                return new Iq2S(new KaitaiStream(fileName));
            }

            public Iq2S(KaitaiStream p__io, KaitaiStruct p__parent = null, GgmlBlock p__root = null) : base(p__io)
            {
                m_parent = p__parent;
                m_root = p__root;
                _read();
            }
            private void _read()
            {
                _d = m_io.ReadU2le();
                _qs = new List<byte>();
                for (var i = 0; i < 64; i++)
                {
                    _qs.Add(m_io.ReadU1());
                }
                _qh = new List<byte>();
                for (var i = 0; i < 8; i++)
                {
                    _qh.Add(m_io.ReadU1());
                }
                _scales = new List<byte>();
                for (var i = 0; i < 8; i++)
                {
                    _scales.Add(m_io.ReadU1());
                }
            }
            private ushort _d;
            private List<byte> _qs;
            private List<byte> _qh;
            private List<byte> _scales;
            private GgmlBlock m_root;
            private KaitaiStruct m_parent;
            public ushort D { get { return _d; } }
            public List<byte> Qs { get { return _qs; } }
            public List<byte> Qh { get { return _qh; } }
            public List<byte> Scales { get { return _scales; } }
            public GgmlBlock M_Root { get { return m_root; } }
            public KaitaiStruct M_Parent { get { return m_parent; } }
        }
        public partial class Iq2Xs : KaitaiStruct
        {
            public static Iq2Xs FromFile(string fileName)
            {
                return new Iq2Xs(new KaitaiStream(fileName));
            }

            public Iq2Xs(KaitaiStream p__io, KaitaiStruct p__parent = null, GgmlBlock p__root = null) : base(p__io)
            {
                m_parent = p__parent;
                m_root = p__root;
                _read();
            }
            private void _read()
            {
                _d = m_io.ReadU2le();
                _qs = new List<ushort>();
                for (var i = 0; i < 32; i++)
                {
                    _qs.Add(m_io.ReadU2le());
                }
                _scales = new List<byte>();
                for (var i = 0; i < 8; i++)
                {
                    _scales.Add(m_io.ReadU1());
                }
            }
            private ushort _d;
            private List<ushort> _qs;
            private List<byte> _scales;
            private GgmlBlock m_root;
            private KaitaiStruct m_parent;
            public ushort D { get { return _d; } }
            public List<ushort> Qs { get { return _qs; } }
            public List<byte> Scales { get { return _scales; } }
            public GgmlBlock M_Root { get { return m_root; } }
            public KaitaiStruct M_Parent { get { return m_parent; } }
        }
        public partial class Iq2Xxs : KaitaiStruct
        {
            public static Iq2Xxs FromFile(string fileName)
            {
                return new Iq2Xxs(new KaitaiStream(fileName));
            }

            public Iq2Xxs(KaitaiStream p__io, KaitaiStruct p__parent = null, GgmlBlock p__root = null) : base(p__io)
            {
                m_parent = p__parent;
                m_root = p__root;
                _read();
            }
            private void _read()
            {
                _d = m_io.ReadU2le();
                _qs = new List<ushort>();
                for (var i = 0; i < 32; i++)
                {
                    _qs.Add(m_io.ReadU2le());
                }
            }
            private ushort _d;
            private List<ushort> _qs;
            private GgmlBlock m_root;
            private KaitaiStruct m_parent;
            public ushort D { get { return _d; } }
            public List<ushort> Qs { get { return _qs; } }
            public GgmlBlock M_Root { get { return m_root; } }
            public KaitaiStruct M_Parent { get { return m_parent; } }
        }
        public partial class Iq3S : KaitaiStruct
        {
            public static Iq3S FromFile(string fileName)
            {
                return new Iq3S(new KaitaiStream(fileName));
            }

            public Iq3S(KaitaiStream p__io, KaitaiStruct p__parent = null, GgmlBlock p__root = null) : base(p__io)
            {
                m_parent = p__parent;
                m_root = p__root;
                _read();
            }
            private void _read()
            {
                _d = m_io.ReadU2le();
                _qs = new List<byte>();
                for (var i = 0; i < 64; i++)
                {
                    _qs.Add(m_io.ReadU1());
                }
                _qh = new List<byte>();
                for (var i = 0; i < 8; i++)
                {
                    _qh.Add(m_io.ReadU1());
                }
                _signs = new List<byte>();
                for (var i = 0; i < 32; i++)
                {
                    _signs.Add(m_io.ReadU1());
                }
                _scales = new List<byte>();
                for (var i = 0; i < 4; i++)
                {
                    _scales.Add(m_io.ReadU1());
                }
            }
            private ushort _d;
            private List<byte> _qs;
            private List<byte> _qh;
            private List<byte> _signs;
            private List<byte> _scales;
            private GgmlBlock m_root;
            private KaitaiStruct m_parent;
            public ushort D { get { return _d; } }
            public List<byte> Qs { get { return _qs; } }
            public List<byte> Qh { get { return _qh; } }
            public List<byte> Signs { get { return _signs; } }
            public List<byte> Scales { get { return _scales; } }
            public GgmlBlock M_Root { get { return m_root; } }
            public KaitaiStruct M_Parent { get { return m_parent; } }
        }
        public partial class Iq3Xxs : KaitaiStruct
        {
            public static Iq3Xxs FromFile(string fileName)
            {
                return new Iq3Xxs(new KaitaiStream(fileName));
            }

            public Iq3Xxs(KaitaiStream p__io, KaitaiStruct p__parent = null, GgmlBlock p__root = null) : base(p__io)
            {
                m_parent = p__parent;
                m_root = p__root;
                _read();
            }
            private void _read()
            {
                _d = m_io.ReadU2le();
                _qs = new List<byte>();
                for (var i = 0; i < 96; i++)
                {
                    _qs.Add(m_io.ReadU1());
                }
            }
            private ushort _d;
            private List<byte> _qs;
            private GgmlBlock m_root;
            private KaitaiStruct m_parent;
            public ushort D { get { return _d; } }
            public List<byte> Qs { get { return _qs; } }
            public GgmlBlock M_Root { get { return m_root; } }
            public KaitaiStruct M_Parent { get { return m_parent; } }
        }
        public partial class Iq4Nl : KaitaiStruct
        {
            public static Iq4Nl FromFile(string fileName)
            {
                return new Iq4Nl(new KaitaiStream(fileName));
            }

            public Iq4Nl(KaitaiStream p__io, KaitaiStruct p__parent = null, GgmlBlock p__root = null) : base(p__io)
            {
                m_parent = p__parent;
                m_root = p__root;
                _read();
            }
            private void _read()
            {
                _d = m_io.ReadU2le();
                _qs = new List<byte>();
                for (var i = 0; i < 16; i++)
                {
                    _qs.Add(m_io.ReadU1());
                }
            }
            private ushort _d;
            private List<byte> _qs;
            private GgmlBlock m_root;
            private KaitaiStruct m_parent;
            public ushort D { get { return _d; } }
            public List<byte> Qs { get { return _qs; } }
            public GgmlBlock M_Root { get { return m_root; } }
            public KaitaiStruct M_Parent { get { return m_parent; } }
        }
        public partial class Iq4Xs : KaitaiStruct
        {
            public static Iq4Xs FromFile(string fileName)
            {
                return new Iq4Xs(new KaitaiStream(fileName));
            }

            public Iq4Xs(KaitaiStream p__io, KaitaiStruct p__parent = null, GgmlBlock p__root = null) : base(p__io)
            {
                m_parent = p__parent;
                m_root = p__root;
                _read();
            }
            private void _read()
            {
                _d = m_io.ReadU2le();
                _scalesH = m_io.ReadU2le();
                _scalesL = new List<byte>();
                for (var i = 0; i < 4; i++)
                {
                    _scalesL.Add(m_io.ReadU1());
                }
                _qs = new List<byte>();
                for (var i = 0; i < 128; i++)
                {
                    _qs.Add(m_io.ReadU1());
                }
            }
            private ushort _d;
            private ushort _scalesH;
            private List<byte> _scalesL;
            private List<byte> _qs;
            private GgmlBlock m_root;
            private KaitaiStruct m_parent;
            public ushort D { get { return _d; } }
            public ushort ScalesH { get { return _scalesH; } }
            public List<byte> ScalesL { get { return _scalesL; } }
            public List<byte> Qs { get { return _qs; } }
            public GgmlBlock M_Root { get { return m_root; } }
            public KaitaiStruct M_Parent { get { return m_parent; } }
        }
        public partial class Mxfp4 : KaitaiStruct
        {
            public static Mxfp4 FromFile(string fileName)
            {
                return new Mxfp4(new KaitaiStream(fileName));
            }

            public Mxfp4(KaitaiStream p__io, KaitaiStruct p__parent = null, GgmlBlock p__root = null) : base(p__io)
            {
                m_parent = p__parent;
                m_root = p__root;
                _read();
            }
            private void _read()
            {
                _e = m_io.ReadU1();
                _qs = new List<byte>();
                for (var i = 0; i < 16; i++)
                {
                    _qs.Add(m_io.ReadU1());
                }
            }
            private byte _e;
            private List<byte> _qs;
            private GgmlBlock m_root;
            private KaitaiStruct m_parent;
            public byte E { get { return _e; } }
            public List<byte> Qs { get { return _qs; } }
            public GgmlBlock M_Root { get { return m_root; } }
            public KaitaiStruct M_Parent { get { return m_parent; } }
        }
        public partial class Nvfp4 : KaitaiStruct
        {
            public static Nvfp4 FromFile(string fileName)
            {
                return new Nvfp4(new KaitaiStream(fileName));
            }

            public Nvfp4(KaitaiStream p__io, KaitaiStruct p__parent = null, GgmlBlock p__root = null) : base(p__io)
            {
                m_parent = p__parent;
                m_root = p__root;
                _read();
            }
            private void _read()
            {
                _d = new List<byte>();
                for (var i = 0; i < 4; i++)
                {
                    _d.Add(m_io.ReadU1());
                }
                _qs = new List<byte>();
                for (var i = 0; i < 32; i++)
                {
                    _qs.Add(m_io.ReadU1());
                }
            }
            private List<byte> _d;
            private List<byte> _qs;
            private GgmlBlock m_root;
            private KaitaiStruct m_parent;
            public List<byte> D { get { return _d; } }
            public List<byte> Qs { get { return _qs; } }
            public GgmlBlock M_Root { get { return m_root; } }
            public KaitaiStruct M_Parent { get { return m_parent; } }
        }
        public partial class Q10 : KaitaiStruct
        {
            public static Q10 FromFile(string fileName)
            {
                return new Q10(new KaitaiStream(fileName));
            }

            public Q10(KaitaiStream p__io, KaitaiStruct p__parent = null, GgmlBlock p__root = null) : base(p__io)
            {
                m_parent = p__parent;
                m_root = p__root;
                _read();
            }
            private void _read()
            {
                _d = m_io.ReadU2le();
                _qs = new List<byte>();
                for (var i = 0; i < 16; i++)
                {
                    _qs.Add(m_io.ReadU1());
                }
            }
            private ushort _d;
            private List<byte> _qs;
            private GgmlBlock m_root;
            private KaitaiStruct m_parent;
            public ushort D { get { return _d; } }
            public List<byte> Qs { get { return _qs; } }
            public GgmlBlock M_Root { get { return m_root; } }
            public KaitaiStruct M_Parent { get { return m_parent; } }
        }
        public partial class Q20 : KaitaiStruct
        {
            public static Q20 FromFile(string fileName)
            {
                return new Q20(new KaitaiStream(fileName));
            }

            public Q20(KaitaiStream p__io, KaitaiStruct p__parent = null, GgmlBlock p__root = null) : base(p__io)
            {
                m_parent = p__parent;
                m_root = p__root;
                _read();
            }
            private void _read()
            {
                _d = m_io.ReadU2le();
                _qs = new List<byte>();
                for (var i = 0; i < 16; i++)
                {
                    _qs.Add(m_io.ReadU1());
                }
            }
            private ushort _d;
            private List<byte> _qs;
            private GgmlBlock m_root;
            private KaitaiStruct m_parent;
            public ushort D { get { return _d; } }
            public List<byte> Qs { get { return _qs; } }
            public GgmlBlock M_Root { get { return m_root; } }
            public KaitaiStruct M_Parent { get { return m_parent; } }
        }
        public partial class Q2K : KaitaiStruct
        {
            public static Q2K FromFile(string fileName)
            {
                return new Q2K(new KaitaiStream(fileName));
            }

            public Q2K(KaitaiStream p__io, KaitaiStruct p__parent = null, GgmlBlock p__root = null) : base(p__io)
            {
                m_parent = p__parent;
                m_root = p__root;
                _read();
            }
            private void _read()
            {
                _scales = new List<byte>();
                for (var i = 0; i < 16; i++)
                {
                    _scales.Add(m_io.ReadU1());
                }
                _qs = new List<byte>();
                for (var i = 0; i < 64; i++)
                {
                    _qs.Add(m_io.ReadU1());
                }
                _d = m_io.ReadU2le();
                _dmin = m_io.ReadU2le();
            }
            private List<byte> _scales;
            private List<byte> _qs;
            private ushort _d;
            private ushort _dmin;
            private GgmlBlock m_root;
            private KaitaiStruct m_parent;
            public List<byte> Scales { get { return _scales; } }
            public List<byte> Qs { get { return _qs; } }
            public ushort D { get { return _d; } }
            public ushort Dmin { get { return _dmin; } }
            public GgmlBlock M_Root { get { return m_root; } }
            public KaitaiStruct M_Parent { get { return m_parent; } }
        }
        public partial class Q3K : KaitaiStruct
        {
            public static Q3K FromFile(string fileName)
            {
                return new Q3K(new KaitaiStream(fileName));
            }

            public Q3K(KaitaiStream p__io, KaitaiStruct p__parent = null, GgmlBlock p__root = null) : base(p__io)
            {
                m_parent = p__parent;
                m_root = p__root;
                _read();
            }
            private void _read()
            {
                _hmask = new List<byte>();
                for (var i = 0; i < 32; i++)
                {
                    _hmask.Add(m_io.ReadU1());
                }
                _qs = new List<byte>();
                for (var i = 0; i < 64; i++)
                {
                    _qs.Add(m_io.ReadU1());
                }
                _scales = new List<byte>();
                for (var i = 0; i < 12; i++)
                {
                    _scales.Add(m_io.ReadU1());
                }
                _d = m_io.ReadU2le();
            }
            private List<byte> _hmask;
            private List<byte> _qs;
            private List<byte> _scales;
            private ushort _d;
            private GgmlBlock m_root;
            private KaitaiStruct m_parent;
            public List<byte> Hmask { get { return _hmask; } }
            public List<byte> Qs { get { return _qs; } }
            public List<byte> Scales { get { return _scales; } }
            public ushort D { get { return _d; } }
            public GgmlBlock M_Root { get { return m_root; } }
            public KaitaiStruct M_Parent { get { return m_parent; } }
        }
        public partial class Q40 : KaitaiStruct
        {
            public static Q40 FromFile(string fileName)
            {
                return new Q40(new KaitaiStream(fileName));
            }

            public Q40(KaitaiStream p__io, KaitaiStruct p__parent = null, GgmlBlock p__root = null) : base(p__io)
            {
                m_parent = p__parent;
                m_root = p__root;
                _read();
            }
            private void _read()
            {
                _d = m_io.ReadU2le();
                _qs = new List<byte>();
                for (var i = 0; i < 16; i++)
                {
                    _qs.Add(m_io.ReadU1());
                }
            }
            private ushort _d;
            private List<byte> _qs;
            private GgmlBlock m_root;
            private KaitaiStruct m_parent;
            public ushort D { get { return _d; } }
            public List<byte> Qs { get { return _qs; } }
            public GgmlBlock M_Root { get { return m_root; } }
            public KaitaiStruct M_Parent { get { return m_parent; } }
        }
        public partial class Q41 : KaitaiStruct
        {
            public static Q41 FromFile(string fileName)
            {
                return new Q41(new KaitaiStream(fileName));
            }

            public Q41(KaitaiStream p__io, KaitaiStruct p__parent = null, GgmlBlock p__root = null) : base(p__io)
            {
                m_parent = p__parent;
                m_root = p__root;
                _read();
            }
            private void _read()
            {
                _d = m_io.ReadU2le();
                _m = m_io.ReadU2le();
                _qs = new List<byte>();
                for (var i = 0; i < 16; i++)
                {
                    _qs.Add(m_io.ReadU1());
                }
            }
            private ushort _d;
            private ushort _m;
            private List<byte> _qs;
            private GgmlBlock m_root;
            private KaitaiStruct m_parent;
            public ushort D { get { return _d; } }
            public ushort M { get { return _m; } }
            public List<byte> Qs { get { return _qs; } }
            public GgmlBlock M_Root { get { return m_root; } }
            public KaitaiStruct M_Parent { get { return m_parent; } }
        }
        public partial class Q4K : KaitaiStruct
        {
            public static Q4K FromFile(string fileName)
            {
                return new Q4K(new KaitaiStream(fileName));
            }

            public Q4K(KaitaiStream p__io, KaitaiStruct p__parent = null, GgmlBlock p__root = null) : base(p__io)
            {
                m_parent = p__parent;
                m_root = p__root;
                _read();
            }
            private void _read()
            {
                _d = m_io.ReadU2le();
                _dmin = m_io.ReadU2le();
                _scales = new List<byte>();
                for (var i = 0; i < 12; i++)
                {
                    _scales.Add(m_io.ReadU1());
                }
                _qs = new List<byte>();
                for (var i = 0; i < 128; i++)
                {
                    _qs.Add(m_io.ReadU1());
                }
            }
            private ushort _d;
            private ushort _dmin;
            private List<byte> _scales;
            private List<byte> _qs;
            private GgmlBlock m_root;
            private KaitaiStruct m_parent;
            public ushort D { get { return _d; } }
            public ushort Dmin { get { return _dmin; } }
            public List<byte> Scales { get { return _scales; } }
            public List<byte> Qs { get { return _qs; } }
            public GgmlBlock M_Root { get { return m_root; } }
            public KaitaiStruct M_Parent { get { return m_parent; } }
        }
        public partial class Q50 : KaitaiStruct
        {
            public static Q50 FromFile(string fileName)
            {
                return new Q50(new KaitaiStream(fileName));
            }

            public Q50(KaitaiStream p__io, KaitaiStruct p__parent = null, GgmlBlock p__root = null) : base(p__io)
            {
                m_parent = p__parent;
                m_root = p__root;
                _read();
            }
            private void _read()
            {
                _d = m_io.ReadU2le();
                _qh = new List<byte>();
                for (var i = 0; i < 4; i++)
                {
                    _qh.Add(m_io.ReadU1());
                }
                _qs = new List<byte>();
                for (var i = 0; i < 16; i++)
                {
                    _qs.Add(m_io.ReadU1());
                }
            }
            private ushort _d;
            private List<byte> _qh;
            private List<byte> _qs;
            private GgmlBlock m_root;
            private KaitaiStruct m_parent;
            public ushort D { get { return _d; } }
            public List<byte> Qh { get { return _qh; } }
            public List<byte> Qs { get { return _qs; } }
            public GgmlBlock M_Root { get { return m_root; } }
            public KaitaiStruct M_Parent { get { return m_parent; } }
        }
        public partial class Q51 : KaitaiStruct
        {
            public static Q51 FromFile(string fileName)
            {
                return new Q51(new KaitaiStream(fileName));
            }

            public Q51(KaitaiStream p__io, KaitaiStruct p__parent = null, GgmlBlock p__root = null) : base(p__io)
            {
                m_parent = p__parent;
                m_root = p__root;
                _read();
            }
            private void _read()
            {
                _d = m_io.ReadU2le();
                _m = m_io.ReadU2le();
                _qh = new List<byte>();
                for (var i = 0; i < 4; i++)
                {
                    _qh.Add(m_io.ReadU1());
                }
                _qs = new List<byte>();
                for (var i = 0; i < 16; i++)
                {
                    _qs.Add(m_io.ReadU1());
                }
            }
            private ushort _d;
            private ushort _m;
            private List<byte> _qh;
            private List<byte> _qs;
            private GgmlBlock m_root;
            private KaitaiStruct m_parent;
            public ushort D { get { return _d; } }
            public ushort M { get { return _m; } }
            public List<byte> Qh { get { return _qh; } }
            public List<byte> Qs { get { return _qs; } }
            public GgmlBlock M_Root { get { return m_root; } }
            public KaitaiStruct M_Parent { get { return m_parent; } }
        }
        public partial class Q5K : KaitaiStruct
        {
            public static Q5K FromFile(string fileName)
            {
                return new Q5K(new KaitaiStream(fileName));
            }

            public Q5K(KaitaiStream p__io, KaitaiStruct p__parent = null, GgmlBlock p__root = null) : base(p__io)
            {
                m_parent = p__parent;
                m_root = p__root;
                _read();
            }
            private void _read()
            {
                _d = m_io.ReadU2le();
                _dmin = m_io.ReadU2le();
                _scales = new List<byte>();
                for (var i = 0; i < 12; i++)
                {
                    _scales.Add(m_io.ReadU1());
                }
                _qh = new List<byte>();
                for (var i = 0; i < 32; i++)
                {
                    _qh.Add(m_io.ReadU1());
                }
                _qs = new List<byte>();
                for (var i = 0; i < 128; i++)
                {
                    _qs.Add(m_io.ReadU1());
                }
            }
            private ushort _d;
            private ushort _dmin;
            private List<byte> _scales;
            private List<byte> _qh;
            private List<byte> _qs;
            private GgmlBlock m_root;
            private KaitaiStruct m_parent;
            public ushort D { get { return _d; } }
            public ushort Dmin { get { return _dmin; } }
            public List<byte> Scales { get { return _scales; } }
            public List<byte> Qh { get { return _qh; } }
            public List<byte> Qs { get { return _qs; } }
            public GgmlBlock M_Root { get { return m_root; } }
            public KaitaiStruct M_Parent { get { return m_parent; } }
        }
        public partial class Q6K : KaitaiStruct
        {
            public static Q6K FromFile(string fileName)
            {
                return new Q6K(new KaitaiStream(fileName));
            }

            public Q6K(KaitaiStream p__io, KaitaiStruct p__parent = null, GgmlBlock p__root = null) : base(p__io)
            {
                m_parent = p__parent;
                m_root = p__root;
                _read();
            }
            private void _read()
            {
                _ql = new List<byte>();
                for (var i = 0; i < 128; i++)
                {
                    _ql.Add(m_io.ReadU1());
                }
                _qh = new List<byte>();
                for (var i = 0; i < 64; i++)
                {
                    _qh.Add(m_io.ReadU1());
                }
                _scales = new List<sbyte>();
                for (var i = 0; i < 16; i++)
                {
                    _scales.Add(m_io.ReadS1());
                }
                _d = m_io.ReadU2le();
            }
            private List<byte> _ql;
            private List<byte> _qh;
            private List<sbyte> _scales;
            private ushort _d;
            private GgmlBlock m_root;
            private KaitaiStruct m_parent;
            public List<byte> Ql { get { return _ql; } }
            public List<byte> Qh { get { return _qh; } }
            public List<sbyte> Scales { get { return _scales; } }
            public ushort D { get { return _d; } }
            public GgmlBlock M_Root { get { return m_root; } }
            public KaitaiStruct M_Parent { get { return m_parent; } }
        }
        public partial class Q80 : KaitaiStruct
        {
            public static Q80 FromFile(string fileName)
            {
                return new Q80(new KaitaiStream(fileName));
            }

            public Q80(KaitaiStream p__io, KaitaiStruct p__parent = null, GgmlBlock p__root = null) : base(p__io)
            {
                m_parent = p__parent;
                m_root = p__root;
                _read();
            }
            private void _read()
            {
                _d = m_io.ReadU2le();
                _qs = new List<sbyte>();
                for (var i = 0; i < 32; i++)
                {
                    _qs.Add(m_io.ReadS1());
                }
            }
            private ushort _d;
            private List<sbyte> _qs;
            private GgmlBlock m_root;
            private KaitaiStruct m_parent;
            public ushort D { get { return _d; } }
            public List<sbyte> Qs { get { return _qs; } }
            public GgmlBlock M_Root { get { return m_root; } }
            public KaitaiStruct M_Parent { get { return m_parent; } }
        }
        public partial class Q81 : KaitaiStruct
        {
            public static Q81 FromFile(string fileName)
            {
                return new Q81(new KaitaiStream(fileName));
            }

            public Q81(KaitaiStream p__io, KaitaiStruct p__parent = null, GgmlBlock p__root = null) : base(p__io)
            {
                m_parent = p__parent;
                m_root = p__root;
                _read();
            }
            private void _read()
            {
                _d = m_io.ReadU2le();
                _s = m_io.ReadU2le();
                _qs = new List<sbyte>();
                for (var i = 0; i < 32; i++)
                {
                    _qs.Add(m_io.ReadS1());
                }
            }
            private ushort _d;
            private ushort _s;
            private List<sbyte> _qs;
            private GgmlBlock m_root;
            private KaitaiStruct m_parent;
            public ushort D { get { return _d; } }
            public ushort S { get { return _s; } }
            public List<sbyte> Qs { get { return _qs; } }
            public GgmlBlock M_Root { get { return m_root; } }
            public KaitaiStruct M_Parent { get { return m_parent; } }
        }
        public partial class Q8K : KaitaiStruct
        {
            public static Q8K FromFile(string fileName)
            {
                return new Q8K(new KaitaiStream(fileName));
            }

            public Q8K(KaitaiStream p__io, KaitaiStruct p__parent = null, GgmlBlock p__root = null) : base(p__io)
            {
                m_parent = p__parent;
                m_root = p__root;
                _read();
            }
            private void _read()
            {
                _d = m_io.ReadF4le();
                _qs = new List<sbyte>();
                for (var i = 0; i < 256; i++)
                {
                    _qs.Add(m_io.ReadS1());
                }
                _bsums = new List<short>();
                for (var i = 0; i < 16; i++)
                {
                    _bsums.Add(m_io.ReadS2le());
                }
            }
            private float _d;
            private List<sbyte> _qs;
            private List<short> _bsums;
            private GgmlBlock m_root;
            private KaitaiStruct m_parent;
            public float D { get { return _d; } }
            public List<sbyte> Qs { get { return _qs; } }
            public List<short> Bsums { get { return _bsums; } }
            public GgmlBlock M_Root { get { return m_root; } }
            public KaitaiStruct M_Parent { get { return m_parent; } }
        }
        public partial class Tq10 : KaitaiStruct
        {
            public static Tq10 FromFile(string fileName)
            {
                return new Tq10(new KaitaiStream(fileName));
            }

            public Tq10(KaitaiStream p__io, KaitaiStruct p__parent = null, GgmlBlock p__root = null) : base(p__io)
            {
                m_parent = p__parent;
                m_root = p__root;
                _read();
            }
            private void _read()
            {
                _qs = new List<byte>();
                for (var i = 0; i < 48; i++)
                {
                    _qs.Add(m_io.ReadU1());
                }
                _qh = new List<byte>();
                for (var i = 0; i < 4; i++)
                {
                    _qh.Add(m_io.ReadU1());
                }
                _d = m_io.ReadU2le();
            }
            private List<byte> _qs;
            private List<byte> _qh;
            private ushort _d;
            private GgmlBlock m_root;
            private KaitaiStruct m_parent;
            public List<byte> Qs { get { return _qs; } }
            public List<byte> Qh { get { return _qh; } }
            public ushort D { get { return _d; } }
            public GgmlBlock M_Root { get { return m_root; } }
            public KaitaiStruct M_Parent { get { return m_parent; } }
        }
        public partial class Tq20 : KaitaiStruct
        {
            public static Tq20 FromFile(string fileName)
            {
                return new Tq20(new KaitaiStream(fileName));
            }

            public Tq20(KaitaiStream p__io, KaitaiStruct p__parent = null, GgmlBlock p__root = null) : base(p__io)
            {
                m_parent = p__parent;
                m_root = p__root;
                _read();
            }
            private void _read()
            {
                _qs = new List<byte>();
                for (var i = 0; i < 64; i++)
                {
                    _qs.Add(m_io.ReadU1());
                }
                _d = m_io.ReadU2le();
            }
            private List<byte> _qs;
            private ushort _d;
            private GgmlBlock m_root;
            private KaitaiStruct m_parent;
            public List<byte> Qs { get { return _qs; } }
            public ushort D { get { return _d; } }
            public GgmlBlock M_Root { get { return m_root; } }
            public KaitaiStruct M_Parent { get { return m_parent; } }
        }
        private GgmlBlock m_root;
        private KaitaiStruct m_parent;
        public GgmlBlock M_Root { get { return m_root; } }
        public KaitaiStruct M_Parent { get { return m_parent; } }
    }
}
