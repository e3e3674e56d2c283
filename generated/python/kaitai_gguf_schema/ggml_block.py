# This is a generated file! Please edit source .ksy file and use kaitai-struct-compiler to rebuild
# type: ignore

import kaitaistruct
from kaitaistruct import KaitaiStruct, KaitaiStream, BytesIO


if getattr(kaitaistruct, 'API_VERSION', (0, 9)) < (0, 11):
    raise Exception("Incompatible Kaitai Struct Python API: 0.11 or later is required, but you have %s" % (kaitaistruct.__version__))

class GgmlBlock(KaitaiStruct):
    """A GGML tensor is a sequence of rows, and a row is a sequence of blocks of one
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
    
    .. seealso::
       Source - https://github.com/ggml-org/ggml/blob/d99724f2/src/ggml-common.h
    
    
    .. seealso::
       Source - https://github.com/ggml-org/ggml/blob/d99724f2/include/ggml.h
    """
    def __init__(self, _io, _parent=None, _root=None):
        super(GgmlBlock, self).__init__(_io)
        self._parent = _parent
        self._root = _root or self
        self._read()

    def _read(self):
        pass


    def _fetch_instances(self):
        pass

    class Bf16(KaitaiStruct):
        def __init__(self, _io, _parent=None, _root=None):
            super(GgmlBlock.Bf16, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.value = self._io.read_u2le()


        def _fetch_instances(self):
            pass


    class F16(KaitaiStruct):
        def __init__(self, _io, _parent=None, _root=None):
            super(GgmlBlock.F16, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.value = self._io.read_u2le()


        def _fetch_instances(self):
            pass


    class F32(KaitaiStruct):
        def __init__(self, _io, _parent=None, _root=None):
            super(GgmlBlock.F32, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.value = self._io.read_f4le()


        def _fetch_instances(self):
            pass


    class F64(KaitaiStruct):
        def __init__(self, _io, _parent=None, _root=None):
            super(GgmlBlock.F64, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.value = self._io.read_f8le()


        def _fetch_instances(self):
            pass


    class I16(KaitaiStruct):
        def __init__(self, _io, _parent=None, _root=None):
            super(GgmlBlock.I16, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.value = self._io.read_s2le()


        def _fetch_instances(self):
            pass


    class I32(KaitaiStruct):
        def __init__(self, _io, _parent=None, _root=None):
            super(GgmlBlock.I32, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.value = self._io.read_s4le()


        def _fetch_instances(self):
            pass


    class I64(KaitaiStruct):
        def __init__(self, _io, _parent=None, _root=None):
            super(GgmlBlock.I64, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.value = self._io.read_s8le()


        def _fetch_instances(self):
            pass


    class I8(KaitaiStruct):
        def __init__(self, _io, _parent=None, _root=None):
            super(GgmlBlock.I8, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.value = self._io.read_s1()


        def _fetch_instances(self):
            pass


    class Iq1M(KaitaiStruct):
        def __init__(self, _io, _parent=None, _root=None):
            super(GgmlBlock.Iq1M, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.qs = []
            for i in range(32):
                self.qs.append(self._io.read_u1())

            self.qh = []
            for i in range(16):
                self.qh.append(self._io.read_u1())

            self.scales = []
            for i in range(8):
                self.scales.append(self._io.read_u1())



        def _fetch_instances(self):
            pass
            for i in range(len(self.qs)):
                pass

            for i in range(len(self.qh)):
                pass

            for i in range(len(self.scales)):
                pass



    class Iq1S(KaitaiStruct):
        def __init__(self, _io, _parent=None, _root=None):
            super(GgmlBlock.Iq1S, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.d = self._io.read_u2le()
            self.qs = []
            for i in range(32):
                self.qs.append(self._io.read_u1())

            self.qh = []
            for i in range(8):
                self.qh.append(self._io.read_u2le())



        def _fetch_instances(self):
            pass
            for i in range(len(self.qs)):
                pass

            for i in range(len(self.qh)):
                pass



    class Iq2S(KaitaiStruct):
        def __init__(self, _io, _parent=None, _root=None):
            super(GgmlBlock.Iq2S, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.d = self._io.read_u2le()
            self.qs = []
            for i in range(64):
                self.qs.append(self._io.read_u1())

            self.qh = []
            for i in range(8):
                self.qh.append(self._io.read_u1())

            self.scales = []
            for i in range(8):
                self.scales.append(self._io.read_u1())



        def _fetch_instances(self):
            pass
            for i in range(len(self.qs)):
                pass

            for i in range(len(self.qh)):
                pass

            for i in range(len(self.scales)):
                pass



    class Iq2Xs(KaitaiStruct):
        def __init__(self, _io, _parent=None, _root=None):
            super(GgmlBlock.Iq2Xs, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.d = self._io.read_u2le()
            self.qs = []
            for i in range(32):
                self.qs.append(self._io.read_u2le())

            self.scales = []
            for i in range(8):
                self.scales.append(self._io.read_u1())



        def _fetch_instances(self):
            pass
            for i in range(len(self.qs)):
                pass

            for i in range(len(self.scales)):
                pass



    class Iq2Xxs(KaitaiStruct):
        def __init__(self, _io, _parent=None, _root=None):
            super(GgmlBlock.Iq2Xxs, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.d = self._io.read_u2le()
            self.qs = []
            for i in range(32):
                self.qs.append(self._io.read_u2le())



        def _fetch_instances(self):
            pass
            for i in range(len(self.qs)):
                pass



    class Iq3S(KaitaiStruct):
        def __init__(self, _io, _parent=None, _root=None):
            super(GgmlBlock.Iq3S, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.d = self._io.read_u2le()
            self.qs = []
            for i in range(64):
                self.qs.append(self._io.read_u1())

            self.qh = []
            for i in range(8):
                self.qh.append(self._io.read_u1())

            self.signs = []
            for i in range(32):
                self.signs.append(self._io.read_u1())

            self.scales = []
            for i in range(4):
                self.scales.append(self._io.read_u1())



        def _fetch_instances(self):
            pass
            for i in range(len(self.qs)):
                pass

            for i in range(len(self.qh)):
                pass

            for i in range(len(self.signs)):
                pass

            for i in range(len(self.scales)):
                pass



    class Iq3Xxs(KaitaiStruct):
        def __init__(self, _io, _parent=None, _root=None):
            super(GgmlBlock.Iq3Xxs, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.d = self._io.read_u2le()
            self.qs = []
            for i in range(96):
                self.qs.append(self._io.read_u1())



        def _fetch_instances(self):
            pass
            for i in range(len(self.qs)):
                pass



    class Iq4Nl(KaitaiStruct):
        def __init__(self, _io, _parent=None, _root=None):
            super(GgmlBlock.Iq4Nl, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.d = self._io.read_u2le()
            self.qs = []
            for i in range(16):
                self.qs.append(self._io.read_u1())



        def _fetch_instances(self):
            pass
            for i in range(len(self.qs)):
                pass



    class Iq4Xs(KaitaiStruct):
        def __init__(self, _io, _parent=None, _root=None):
            super(GgmlBlock.Iq4Xs, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.d = self._io.read_u2le()
            self.scales_h = self._io.read_u2le()
            self.scales_l = []
            for i in range(4):
                self.scales_l.append(self._io.read_u1())

            self.qs = []
            for i in range(128):
                self.qs.append(self._io.read_u1())



        def _fetch_instances(self):
            pass
            for i in range(len(self.scales_l)):
                pass

            for i in range(len(self.qs)):
                pass



    class Mxfp4(KaitaiStruct):
        def __init__(self, _io, _parent=None, _root=None):
            super(GgmlBlock.Mxfp4, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.e = self._io.read_u1()
            self.qs = []
            for i in range(16):
                self.qs.append(self._io.read_u1())



        def _fetch_instances(self):
            pass
            for i in range(len(self.qs)):
                pass



    class Nvfp4(KaitaiStruct):
        def __init__(self, _io, _parent=None, _root=None):
            super(GgmlBlock.Nvfp4, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.d = []
            for i in range(4):
                self.d.append(self._io.read_u1())

            self.qs = []
            for i in range(32):
                self.qs.append(self._io.read_u1())



        def _fetch_instances(self):
            pass
            for i in range(len(self.d)):
                pass

            for i in range(len(self.qs)):
                pass



    class Q10(KaitaiStruct):
        def __init__(self, _io, _parent=None, _root=None):
            super(GgmlBlock.Q10, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.d = self._io.read_u2le()
            self.qs = []
            for i in range(16):
                self.qs.append(self._io.read_u1())



        def _fetch_instances(self):
            pass
            for i in range(len(self.qs)):
                pass



    class Q20(KaitaiStruct):
        def __init__(self, _io, _parent=None, _root=None):
            super(GgmlBlock.Q20, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.d = self._io.read_u2le()
            self.qs = []
            for i in range(16):
                self.qs.append(self._io.read_u1())



        def _fetch_instances(self):
            pass
            for i in range(len(self.qs)):
                pass



    class Q2K(KaitaiStruct):
        def __init__(self, _io, _parent=None, _root=None):
            super(GgmlBlock.Q2K, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.scales = []
            for i in range(16):
                self.scales.append(self._io.read_u1())

            self.qs = []
            for i in range(64):
                self.qs.append(self._io.read_u1())

            self.d = self._io.read_u2le()
            self.dmin = self._io.read_u2le()


        def _fetch_instances(self):
            pass
            for i in range(len(self.scales)):
                pass

            for i in range(len(self.qs)):
                pass



    class Q3K(KaitaiStruct):
        def __init__(self, _io, _parent=None, _root=None):
            super(GgmlBlock.Q3K, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.hmask = []
            for i in range(32):
                self.hmask.append(self._io.read_u1())

            self.qs = []
            for i in range(64):
                self.qs.append(self._io.read_u1())

            self.scales = []
            for i in range(12):
                self.scales.append(self._io.read_u1())

            self.d = self._io.read_u2le()


        def _fetch_instances(self):
            pass
            for i in range(len(self.hmask)):
                pass

            for i in range(len(self.qs)):
                pass

            for i in range(len(self.scales)):
                pass



    class Q40(KaitaiStruct):
        def __init__(self, _io, _parent=None, _root=None):
            super(GgmlBlock.Q40, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.d = self._io.read_u2le()
            self.qs = []
            for i in range(16):
                self.qs.append(self._io.read_u1())



        def _fetch_instances(self):
            pass
            for i in range(len(self.qs)):
                pass



    class Q41(KaitaiStruct):
        def __init__(self, _io, _parent=None, _root=None):
            super(GgmlBlock.Q41, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.d = self._io.read_u2le()
            self.m = self._io.read_u2le()
            self.qs = []
            for i in range(16):
                self.qs.append(self._io.read_u1())



        def _fetch_instances(self):
            pass
            for i in range(len(self.qs)):
                pass



    class Q4K(KaitaiStruct):
        def __init__(self, _io, _parent=None, _root=None):
            super(GgmlBlock.Q4K, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.d = self._io.read_u2le()
            self.dmin = self._io.read_u2le()
            self.scales = []
            for i in range(12):
                self.scales.append(self._io.read_u1())

            self.qs = []
            for i in range(128):
                self.qs.append(self._io.read_u1())



        def _fetch_instances(self):
            pass
            for i in range(len(self.scales)):
                pass

            for i in range(len(self.qs)):
                pass



    class Q50(KaitaiStruct):
        def __init__(self, _io, _parent=None, _root=None):
            super(GgmlBlock.Q50, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.d = self._io.read_u2le()
            self.qh = []
            for i in range(4):
                self.qh.append(self._io.read_u1())

            self.qs = []
            for i in range(16):
                self.qs.append(self._io.read_u1())



        def _fetch_instances(self):
            pass
            for i in range(len(self.qh)):
                pass

            for i in range(len(self.qs)):
                pass



    class Q51(KaitaiStruct):
        def __init__(self, _io, _parent=None, _root=None):
            super(GgmlBlock.Q51, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.d = self._io.read_u2le()
            self.m = self._io.read_u2le()
            self.qh = []
            for i in range(4):
                self.qh.append(self._io.read_u1())

            self.qs = []
            for i in range(16):
                self.qs.append(self._io.read_u1())



        def _fetch_instances(self):
            pass
            for i in range(len(self.qh)):
                pass

            for i in range(len(self.qs)):
                pass



    class Q5K(KaitaiStruct):
        def __init__(self, _io, _parent=None, _root=None):
            super(GgmlBlock.Q5K, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.d = self._io.read_u2le()
            self.dmin = self._io.read_u2le()
            self.scales = []
            for i in range(12):
                self.scales.append(self._io.read_u1())

            self.qh = []
            for i in range(32):
                self.qh.append(self._io.read_u1())

            self.qs = []
            for i in range(128):
                self.qs.append(self._io.read_u1())



        def _fetch_instances(self):
            pass
            for i in range(len(self.scales)):
                pass

            for i in range(len(self.qh)):
                pass

            for i in range(len(self.qs)):
                pass



    class Q6K(KaitaiStruct):
        def __init__(self, _io, _parent=None, _root=None):
            super(GgmlBlock.Q6K, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.ql = []
            for i in range(128):
                self.ql.append(self._io.read_u1())

            self.qh = []
            for i in range(64):
                self.qh.append(self._io.read_u1())

            self.scales = []
            for i in range(16):
                self.scales.append(self._io.read_s1())

            self.d = self._io.read_u2le()


        def _fetch_instances(self):
            pass
            for i in range(len(self.ql)):
                pass

            for i in range(len(self.qh)):
                pass

            for i in range(len(self.scales)):
                pass



    class Q80(KaitaiStruct):
        def __init__(self, _io, _parent=None, _root=None):
            super(GgmlBlock.Q80, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.d = self._io.read_u2le()
            self.qs = []
            for i in range(32):
                self.qs.append(self._io.read_s1())



        def _fetch_instances(self):
            pass
            for i in range(len(self.qs)):
                pass



    class Q81(KaitaiStruct):
        def __init__(self, _io, _parent=None, _root=None):
            super(GgmlBlock.Q81, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.d = self._io.read_u2le()
            self.s = self._io.read_u2le()
            self.qs = []
            for i in range(32):
                self.qs.append(self._io.read_s1())



        def _fetch_instances(self):
            pass
            for i in range(len(self.qs)):
                pass



    class Q8K(KaitaiStruct):
        def __init__(self, _io, _parent=None, _root=None):
            super(GgmlBlock.Q8K, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.d = self._io.read_f4le()
            self.qs = []
            for i in range(256):
                self.qs.append(self._io.read_s1())

            self.bsums = []
            for i in range(16):
                self.bsums.append(self._io.read_s2le())



        def _fetch_instances(self):
            pass
            for i in range(len(self.qs)):
                pass

            for i in range(len(self.bsums)):
                pass



    class Tq10(KaitaiStruct):
        def __init__(self, _io, _parent=None, _root=None):
            super(GgmlBlock.Tq10, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.qs = []
            for i in range(48):
                self.qs.append(self._io.read_u1())

            self.qh = []
            for i in range(4):
                self.qh.append(self._io.read_u1())

            self.d = self._io.read_u2le()


        def _fetch_instances(self):
            pass
            for i in range(len(self.qs)):
                pass

            for i in range(len(self.qh)):
                pass



    class Tq20(KaitaiStruct):
        def __init__(self, _io, _parent=None, _root=None):
            super(GgmlBlock.Tq20, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.qs = []
            for i in range(64):
                self.qs.append(self._io.read_u1())

            self.d = self._io.read_u2le()


        def _fetch_instances(self):
            pass
            for i in range(len(self.qs)):
                pass




