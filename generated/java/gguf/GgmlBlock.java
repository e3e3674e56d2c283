// This is a generated file! Please edit source .ksy file and use kaitai-struct-compiler to rebuild

package gguf;

import io.kaitai.struct.ByteBufferKaitaiStream;
import io.kaitai.struct.KaitaiStruct;
import io.kaitai.struct.KaitaiStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;


/**
 * A GGML tensor is a sequence of rows, and a row is a sequence of blocks of one
 * type. Plain types have one element per block. A quantized type packs 32 to 256
 * elements into a block: small integers together with the scale (and minimum or
 * offset) that turns them back into numbers. Blocks have no padding.
 * 
 * Each type here is named after a value of the enum `ggml_type` in `gguf.ksy`,
 * and describes one block. Fields of 16 and 32 bits are in the byte order of the
 * file; these types read little-endian files.
 * 
 * Three extra keys hold facts that Kaitai Struct can't express: `-num-elements`
 * is the number of elements in a block, `-float` the floating-point format of
 * the bits that `type` reads as an integer, and `-removed-types` lists the
 * numbers of types that ggml has removed, but that old files still use.
 * 
 * Field names are those of GGML: `d` is the scale of the block, `dmin` and `m`
 * belong to its minimum, `s` is d times the sum of `qs`, `qs` are the low bits
 * of the quants, and `qh` the high ones.
 * @see <a href="https://github.com/ggml-org/ggml/blob/d99724f2/src/ggml-common.h">Source</a>
 * @see <a href="https://github.com/ggml-org/ggml/blob/d99724f2/include/ggml.h">Source</a>
 */
public class GgmlBlock extends KaitaiStruct {
    public static GgmlBlock fromFile(String fileName) throws IOException {
        return new GgmlBlock(new ByteBufferKaitaiStream(fileName));
    }

    public GgmlBlock(KaitaiStream _io) {
        this(_io, null, null);
    }

    public GgmlBlock(KaitaiStream _io, KaitaiStruct _parent) {
        this(_io, _parent, null);
    }

    public GgmlBlock(KaitaiStream _io, KaitaiStruct _parent, GgmlBlock _root) {
        super(_io);
        this._parent = _parent;
        this._root = _root == null ? this : _root;
        _read();
    }
    private void _read() {
    }

    public void _fetchInstances() {
    }
    public static class Bf16 extends KaitaiStruct {
        public static Bf16 fromFile(String fileName) throws IOException {
            return new Bf16(new ByteBufferKaitaiStream(fileName));
        }

        public Bf16(KaitaiStream _io) {
            this(_io, null, null);
        }

        public Bf16(KaitaiStream _io, KaitaiStruct _parent) {
            this(_io, _parent, null);
        }

        public Bf16(KaitaiStream _io, KaitaiStruct _parent, GgmlBlock _root) {
            super(_io);
            this._parent = _parent;
            this._root = _root;
            _read();
        }
        private void _read() {
            this.value = this._io.readU2le();
        }

        public void _fetchInstances() {
        }
        private int value;
        private GgmlBlock _root;
        private KaitaiStruct _parent;
        public int value() { return value; }
        public GgmlBlock _root() { return _root; }
        public KaitaiStruct _parent() { return _parent; }
    }
    public static class F16 extends KaitaiStruct {
        public static F16 fromFile(String fileName) throws IOException {
            return new F16(new ByteBufferKaitaiStream(fileName));
        }

        public F16(KaitaiStream _io) {
            this(_io, null, null);
        }

        public F16(KaitaiStream _io, KaitaiStruct _parent) {
            this(_io, _parent, null);
        }

        public F16(KaitaiStream _io, KaitaiStruct _parent, GgmlBlock _root) {
            super(_io);
            this._parent = _parent;
            this._root = _root;
            _read();
        }
        private void _read() {
            this.value = this._io.readU2le();
        }

        public void _fetchInstances() {
        }
        private int value;
        private GgmlBlock _root;
        private KaitaiStruct _parent;
        public int value() { return value; }
        public GgmlBlock _root() { return _root; }
        public KaitaiStruct _parent() { return _parent; }
    }
    public static class F32 extends KaitaiStruct {
        public static F32 fromFile(String fileName) throws IOException {
            return new F32(new ByteBufferKaitaiStream(fileName));
        }

        public F32(KaitaiStream _io) {
            this(_io, null, null);
        }

        public F32(KaitaiStream _io, KaitaiStruct _parent) {
            this(_io, _parent, null);
        }

        public F32(KaitaiStream _io, KaitaiStruct _parent, GgmlBlock _root) {
            super(_io);
            this._parent = _parent;
            this._root = _root;
            _read();
        }
        private void _read() {
            this.value = this._io.readF4le();
        }

        public void _fetchInstances() {
        }
        private float value;
        private GgmlBlock _root;
        private KaitaiStruct _parent;
        public float value() { return value; }
        public GgmlBlock _root() { return _root; }
        public KaitaiStruct _parent() { return _parent; }
    }
    public static class F64 extends KaitaiStruct {
        public static F64 fromFile(String fileName) throws IOException {
            return new F64(new ByteBufferKaitaiStream(fileName));
        }

        public F64(KaitaiStream _io) {
            this(_io, null, null);
        }

        public F64(KaitaiStream _io, KaitaiStruct _parent) {
            this(_io, _parent, null);
        }

        public F64(KaitaiStream _io, KaitaiStruct _parent, GgmlBlock _root) {
            super(_io);
            this._parent = _parent;
            this._root = _root;
            _read();
        }
        private void _read() {
            this.value = this._io.readF8le();
        }

        public void _fetchInstances() {
        }
        private double value;
        private GgmlBlock _root;
        private KaitaiStruct _parent;
        public double value() { return value; }
        public GgmlBlock _root() { return _root; }
        public KaitaiStruct _parent() { return _parent; }
    }
    public static class I16 extends KaitaiStruct {
        public static I16 fromFile(String fileName) throws IOException {
            return new I16(new ByteBufferKaitaiStream(fileName));
        }

        public I16(KaitaiStream _io) {
            this(_io, null, null);
        }

        public I16(KaitaiStream _io, KaitaiStruct _parent) {
            this(_io, _parent, null);
        }

        public I16(KaitaiStream _io, KaitaiStruct _parent, GgmlBlock _root) {
            super(_io);
            this._parent = _parent;
            this._root = _root;
            _read();
        }
        private void _read() {
            this.value = this._io.readS2le();
        }

        public void _fetchInstances() {
        }
        private short value;
        private GgmlBlock _root;
        private KaitaiStruct _parent;
        public short value() { return value; }
        public GgmlBlock _root() { return _root; }
        public KaitaiStruct _parent() { return _parent; }
    }
    public static class I32 extends KaitaiStruct {
        public static I32 fromFile(String fileName) throws IOException {
            return new I32(new ByteBufferKaitaiStream(fileName));
        }

        public I32(KaitaiStream _io) {
            this(_io, null, null);
        }

        public I32(KaitaiStream _io, KaitaiStruct _parent) {
            this(_io, _parent, null);
        }

        public I32(KaitaiStream _io, KaitaiStruct _parent, GgmlBlock _root) {
            super(_io);
            this._parent = _parent;
            this._root = _root;
            _read();
        }
        private void _read() {
            this.value = this._io.readS4le();
        }

        public void _fetchInstances() {
        }
        private int value;
        private GgmlBlock _root;
        private KaitaiStruct _parent;
        public int value() { return value; }
        public GgmlBlock _root() { return _root; }
        public KaitaiStruct _parent() { return _parent; }
    }
    public static class I64 extends KaitaiStruct {
        public static I64 fromFile(String fileName) throws IOException {
            return new I64(new ByteBufferKaitaiStream(fileName));
        }

        public I64(KaitaiStream _io) {
            this(_io, null, null);
        }

        public I64(KaitaiStream _io, KaitaiStruct _parent) {
            this(_io, _parent, null);
        }

        public I64(KaitaiStream _io, KaitaiStruct _parent, GgmlBlock _root) {
            super(_io);
            this._parent = _parent;
            this._root = _root;
            _read();
        }
        private void _read() {
            this.value = this._io.readS8le();
        }

        public void _fetchInstances() {
        }
        private long value;
        private GgmlBlock _root;
        private KaitaiStruct _parent;
        public long value() { return value; }
        public GgmlBlock _root() { return _root; }
        public KaitaiStruct _parent() { return _parent; }
    }
    public static class I8 extends KaitaiStruct {
        public static I8 fromFile(String fileName) throws IOException {
            return new I8(new ByteBufferKaitaiStream(fileName));
        }

        public I8(KaitaiStream _io) {
            this(_io, null, null);
        }

        public I8(KaitaiStream _io, KaitaiStruct _parent) {
            this(_io, _parent, null);
        }

        public I8(KaitaiStream _io, KaitaiStruct _parent, GgmlBlock _root) {
            super(_io);
            this._parent = _parent;
            this._root = _root;
            _read();
        }
        private void _read() {
            this.value = this._io.readS1();
        }

        public void _fetchInstances() {
        }
        private byte value;
        private GgmlBlock _root;
        private KaitaiStruct _parent;
        public byte value() { return value; }
        public GgmlBlock _root() { return _root; }
        public KaitaiStruct _parent() { return _parent; }
    }
    public static class Iq1M extends KaitaiStruct {
        public static Iq1M fromFile(String fileName) throws IOException {
            return new Iq1M(new ByteBufferKaitaiStream(fileName));
        }

        public Iq1M(KaitaiStream _io) {
            this(_io, null, null);
        }

        public Iq1M(KaitaiStream _io, KaitaiStruct _parent) {
            this(_io, _parent, null);
        }

        public Iq1M(KaitaiStream _io, KaitaiStruct _parent, GgmlBlock _root) {
            super(_io);
            this._parent = _parent;
            this._root = _root;
            _read();
        }
        private void _read() {
            this.qs = new ArrayList<Integer>();
            for (int i = 0; i < 32; i++) {
                this.qs.add(this._io.readU1());
            }
            this.qh = new ArrayList<Integer>();
            for (int i = 0; i < 16; i++) {
                this.qh.add(this._io.readU1());
            }
            this.scales = new ArrayList<Integer>();
            for (int i = 0; i < 8; i++) {
                this.scales.add(this._io.readU1());
            }
        }

        public void _fetchInstances() {
            for (int i = 0; i < this.qs.size(); i++) {
            }
            for (int i = 0; i < this.qh.size(); i++) {
            }
            for (int i = 0; i < this.scales.size(); i++) {
            }
        }
        private List<Integer> qs;
        private List<Integer> qh;
        private List<Integer> scales;
        private GgmlBlock _root;
        private KaitaiStruct _parent;
        public List<Integer> qs() { return qs; }
        public List<Integer> qh() { return qh; }
        public List<Integer> scales() { return scales; }
        public GgmlBlock _root() { return _root; }
        public KaitaiStruct _parent() { return _parent; }
    }
    public static class Iq1S extends KaitaiStruct {
        public static Iq1S fromFile(String fileName) throws IOException {
            return new Iq1S(new ByteBufferKaitaiStream(fileName));
        }

        public Iq1S(KaitaiStream _io) {
            this(_io, null, null);
        }

        public Iq1S(KaitaiStream _io, KaitaiStruct _parent) {
            this(_io, _parent, null);
        }

        public Iq1S(KaitaiStream _io, KaitaiStruct _parent, GgmlBlock _root) {
            super(_io);
            this._parent = _parent;
            this._root = _root;
            _read();
        }
        private void _read() {
            this.d = this._io.readU2le();
            this.qs = new ArrayList<Integer>();
            for (int i = 0; i < 32; i++) {
                this.qs.add(this._io.readU1());
            }
            this.qh = new ArrayList<Integer>();
            for (int i = 0; i < 8; i++) {
                this.qh.add(this._io.readU2le());
            }
        }

        public void _fetchInstances() {
            for (int i = 0; i < this.qs.size(); i++) {
            }
            for (int i = 0; i < this.qh.size(); i++) {
            }
        }
        private int d;
        private List<Integer> qs;
        private List<Integer> qh;
        private GgmlBlock _root;
        private KaitaiStruct _parent;
        public int d() { return d; }
        public List<Integer> qs() { return qs; }
        public List<Integer> qh() { return qh; }
        public GgmlBlock _root() { return _root; }
        public KaitaiStruct _parent() { return _parent; }
    }
    public static class Iq2S extends KaitaiStruct {
        public static Iq2S fromFile(String fileName) throws IOException {
            return new Iq2S(new ByteBufferKaitaiStream(fileName));
        }

        public Iq2S(KaitaiStream _io) {
            this(_io, null, null);
        }

        public Iq2S(KaitaiStream _io, KaitaiStruct _parent) {
            this(_io, _parent, null);
        }

        public Iq2S(KaitaiStream _io, KaitaiStruct _parent, GgmlBlock _root) {
            super(_io);
            this._parent = _parent;
            this._root = _root;
            _read();
        }
        private void _read() {
            this.d = this._io.readU2le();
            this.qs = new ArrayList<Integer>();
            for (int i = 0; i < 64; i++) {
                this.qs.add(this._io.readU1());
            }
            this.qh = new ArrayList<Integer>();
            for (int i = 0; i < 8; i++) {
                this.qh.add(this._io.readU1());
            }
            this.scales = new ArrayList<Integer>();
            for (int i = 0; i < 8; i++) {
                this.scales.add(this._io.readU1());
            }
        }

        public void _fetchInstances() {
            for (int i = 0; i < this.qs.size(); i++) {
            }
            for (int i = 0; i < this.qh.size(); i++) {
            }
            for (int i = 0; i < this.scales.size(); i++) {
            }
        }
        private int d;
        private List<Integer> qs;
        private List<Integer> qh;
        private List<Integer> scales;
        private GgmlBlock _root;
        private KaitaiStruct _parent;
        public int d() { return d; }
        public List<Integer> qs() { return qs; }
        public List<Integer> qh() { return qh; }
        public List<Integer> scales() { return scales; }
        public GgmlBlock _root() { return _root; }
        public KaitaiStruct _parent() { return _parent; }
    }
    public static class Iq2Xs extends KaitaiStruct {
        public static Iq2Xs fromFile(String fileName) throws IOException {
            return new Iq2Xs(new ByteBufferKaitaiStream(fileName));
        }

        public Iq2Xs(KaitaiStream _io) {
            this(_io, null, null);
        }

        public Iq2Xs(KaitaiStream _io, KaitaiStruct _parent) {
            this(_io, _parent, null);
        }

        public Iq2Xs(KaitaiStream _io, KaitaiStruct _parent, GgmlBlock _root) {
            super(_io);
            this._parent = _parent;
            this._root = _root;
            _read();
        }
        private void _read() {
            this.d = this._io.readU2le();
            this.qs = new ArrayList<Integer>();
            for (int i = 0; i < 32; i++) {
                this.qs.add(this._io.readU2le());
            }
            this.scales = new ArrayList<Integer>();
            for (int i = 0; i < 8; i++) {
                this.scales.add(this._io.readU1());
            }
        }

        public void _fetchInstances() {
            for (int i = 0; i < this.qs.size(); i++) {
            }
            for (int i = 0; i < this.scales.size(); i++) {
            }
        }
        private int d;
        private List<Integer> qs;
        private List<Integer> scales;
        private GgmlBlock _root;
        private KaitaiStruct _parent;
        public int d() { return d; }
        public List<Integer> qs() { return qs; }
        public List<Integer> scales() { return scales; }
        public GgmlBlock _root() { return _root; }
        public KaitaiStruct _parent() { return _parent; }
    }
    public static class Iq2Xxs extends KaitaiStruct {
        public static Iq2Xxs fromFile(String fileName) throws IOException {
            return new Iq2Xxs(new ByteBufferKaitaiStream(fileName));
        }

        public Iq2Xxs(KaitaiStream _io) {
            this(_io, null, null);
        }

        public Iq2Xxs(KaitaiStream _io, KaitaiStruct _parent) {
            this(_io, _parent, null);
        }

        public Iq2Xxs(KaitaiStream _io, KaitaiStruct _parent, GgmlBlock _root) {
            super(_io);
            this._parent = _parent;
            this._root = _root;
            _read();
        }
        private void _read() {
            this.d = this._io.readU2le();
            this.qs = new ArrayList<Integer>();
            for (int i = 0; i < 32; i++) {
                this.qs.add(this._io.readU2le());
            }
        }

        public void _fetchInstances() {
            for (int i = 0; i < this.qs.size(); i++) {
            }
        }
        private int d;
        private List<Integer> qs;
        private GgmlBlock _root;
        private KaitaiStruct _parent;
        public int d() { return d; }
        public List<Integer> qs() { return qs; }
        public GgmlBlock _root() { return _root; }
        public KaitaiStruct _parent() { return _parent; }
    }
    public static class Iq3S extends KaitaiStruct {
        public static Iq3S fromFile(String fileName) throws IOException {
            return new Iq3S(new ByteBufferKaitaiStream(fileName));
        }

        public Iq3S(KaitaiStream _io) {
            this(_io, null, null);
        }

        public Iq3S(KaitaiStream _io, KaitaiStruct _parent) {
            this(_io, _parent, null);
        }

        public Iq3S(KaitaiStream _io, KaitaiStruct _parent, GgmlBlock _root) {
            super(_io);
            this._parent = _parent;
            this._root = _root;
            _read();
        }
        private void _read() {
            this.d = this._io.readU2le();
            this.qs = new ArrayList<Integer>();
            for (int i = 0; i < 64; i++) {
                this.qs.add(this._io.readU1());
            }
            this.qh = new ArrayList<Integer>();
            for (int i = 0; i < 8; i++) {
                this.qh.add(this._io.readU1());
            }
            this.signs = new ArrayList<Integer>();
            for (int i = 0; i < 32; i++) {
                this.signs.add(this._io.readU1());
            }
            this.scales = new ArrayList<Integer>();
            for (int i = 0; i < 4; i++) {
                this.scales.add(this._io.readU1());
            }
        }

        public void _fetchInstances() {
            for (int i = 0; i < this.qs.size(); i++) {
            }
            for (int i = 0; i < this.qh.size(); i++) {
            }
            for (int i = 0; i < this.signs.size(); i++) {
            }
            for (int i = 0; i < this.scales.size(); i++) {
            }
        }
        private int d;
        private List<Integer> qs;
        private List<Integer> qh;
        private List<Integer> signs;
        private List<Integer> scales;
        private GgmlBlock _root;
        private KaitaiStruct _parent;
        public int d() { return d; }
        public List<Integer> qs() { return qs; }
        public List<Integer> qh() { return qh; }
        public List<Integer> signs() { return signs; }
        public List<Integer> scales() { return scales; }
        public GgmlBlock _root() { return _root; }
        public KaitaiStruct _parent() { return _parent; }
    }
    public static class Iq3Xxs extends KaitaiStruct {
        public static Iq3Xxs fromFile(String fileName) throws IOException {
            return new Iq3Xxs(new ByteBufferKaitaiStream(fileName));
        }

        public Iq3Xxs(KaitaiStream _io) {
            this(_io, null, null);
        }

        public Iq3Xxs(KaitaiStream _io, KaitaiStruct _parent) {
            this(_io, _parent, null);
        }

        public Iq3Xxs(KaitaiStream _io, KaitaiStruct _parent, GgmlBlock _root) {
            super(_io);
            this._parent = _parent;
            this._root = _root;
            _read();
        }
        private void _read() {
            this.d = this._io.readU2le();
            this.qs = new ArrayList<Integer>();
            for (int i = 0; i < 96; i++) {
                this.qs.add(this._io.readU1());
            }
        }

        public void _fetchInstances() {
            for (int i = 0; i < this.qs.size(); i++) {
            }
        }
        private int d;
        private List<Integer> qs;
        private GgmlBlock _root;
        private KaitaiStruct _parent;
        public int d() { return d; }
        public List<Integer> qs() { return qs; }
        public GgmlBlock _root() { return _root; }
        public KaitaiStruct _parent() { return _parent; }
    }
    public static class Iq4Nl extends KaitaiStruct {
        public static Iq4Nl fromFile(String fileName) throws IOException {
            return new Iq4Nl(new ByteBufferKaitaiStream(fileName));
        }

        public Iq4Nl(KaitaiStream _io) {
            this(_io, null, null);
        }

        public Iq4Nl(KaitaiStream _io, KaitaiStruct _parent) {
            this(_io, _parent, null);
        }

        public Iq4Nl(KaitaiStream _io, KaitaiStruct _parent, GgmlBlock _root) {
            super(_io);
            this._parent = _parent;
            this._root = _root;
            _read();
        }
        private void _read() {
            this.d = this._io.readU2le();
            this.qs = new ArrayList<Integer>();
            for (int i = 0; i < 16; i++) {
                this.qs.add(this._io.readU1());
            }
        }

        public void _fetchInstances() {
            for (int i = 0; i < this.qs.size(); i++) {
            }
        }
        private int d;
        private List<Integer> qs;
        private GgmlBlock _root;
        private KaitaiStruct _parent;
        public int d() { return d; }
        public List<Integer> qs() { return qs; }
        public GgmlBlock _root() { return _root; }
        public KaitaiStruct _parent() { return _parent; }
    }
    public static class Iq4Xs extends KaitaiStruct {
        public static Iq4Xs fromFile(String fileName) throws IOException {
            return new Iq4Xs(new ByteBufferKaitaiStream(fileName));
        }

        public Iq4Xs(KaitaiStream _io) {
            this(_io, null, null);
        }

        public Iq4Xs(KaitaiStream _io, KaitaiStruct _parent) {
            this(_io, _parent, null);
        }

        public Iq4Xs(KaitaiStream _io, KaitaiStruct _parent, GgmlBlock _root) {
            super(_io);
            this._parent = _parent;
            this._root = _root;
            _read();
        }
        private void _read() {
            this.d = this._io.readU2le();
            this.scalesH = this._io.readU2le();
            this.scalesL = new ArrayList<Integer>();
            for (int i = 0; i < 4; i++) {
                this.scalesL.add(this._io.readU1());
            }
            this.qs = new ArrayList<Integer>();
            for (int i = 0; i < 128; i++) {
                this.qs.add(this._io.readU1());
            }
        }

        public void _fetchInstances() {
            for (int i = 0; i < this.scalesL.size(); i++) {
            }
            for (int i = 0; i < this.qs.size(); i++) {
            }
        }
        private int d;
        private int scalesH;
        private List<Integer> scalesL;
        private List<Integer> qs;
        private GgmlBlock _root;
        private KaitaiStruct _parent;
        public int d() { return d; }
        public int scalesH() { return scalesH; }
        public List<Integer> scalesL() { return scalesL; }
        public List<Integer> qs() { return qs; }
        public GgmlBlock _root() { return _root; }
        public KaitaiStruct _parent() { return _parent; }
    }
    public static class Mxfp4 extends KaitaiStruct {
        public static Mxfp4 fromFile(String fileName) throws IOException {
            return new Mxfp4(new ByteBufferKaitaiStream(fileName));
        }

        public Mxfp4(KaitaiStream _io) {
            this(_io, null, null);
        }

        public Mxfp4(KaitaiStream _io, KaitaiStruct _parent) {
            this(_io, _parent, null);
        }

        public Mxfp4(KaitaiStream _io, KaitaiStruct _parent, GgmlBlock _root) {
            super(_io);
            this._parent = _parent;
            this._root = _root;
            _read();
        }
        private void _read() {
            this.e = this._io.readU1();
            this.qs = new ArrayList<Integer>();
            for (int i = 0; i < 16; i++) {
                this.qs.add(this._io.readU1());
            }
        }

        public void _fetchInstances() {
            for (int i = 0; i < this.qs.size(); i++) {
            }
        }
        private int e;
        private List<Integer> qs;
        private GgmlBlock _root;
        private KaitaiStruct _parent;
        public int e() { return e; }
        public List<Integer> qs() { return qs; }
        public GgmlBlock _root() { return _root; }
        public KaitaiStruct _parent() { return _parent; }
    }
    public static class Nvfp4 extends KaitaiStruct {
        public static Nvfp4 fromFile(String fileName) throws IOException {
            return new Nvfp4(new ByteBufferKaitaiStream(fileName));
        }

        public Nvfp4(KaitaiStream _io) {
            this(_io, null, null);
        }

        public Nvfp4(KaitaiStream _io, KaitaiStruct _parent) {
            this(_io, _parent, null);
        }

        public Nvfp4(KaitaiStream _io, KaitaiStruct _parent, GgmlBlock _root) {
            super(_io);
            this._parent = _parent;
            this._root = _root;
            _read();
        }
        private void _read() {
            this.d = new ArrayList<Integer>();
            for (int i = 0; i < 4; i++) {
                this.d.add(this._io.readU1());
            }
            this.qs = new ArrayList<Integer>();
            for (int i = 0; i < 32; i++) {
                this.qs.add(this._io.readU1());
            }
        }

        public void _fetchInstances() {
            for (int i = 0; i < this.d.size(); i++) {
            }
            for (int i = 0; i < this.qs.size(); i++) {
            }
        }
        private List<Integer> d;
        private List<Integer> qs;
        private GgmlBlock _root;
        private KaitaiStruct _parent;
        public List<Integer> d() { return d; }
        public List<Integer> qs() { return qs; }
        public GgmlBlock _root() { return _root; }
        public KaitaiStruct _parent() { return _parent; }
    }
    public static class Q10 extends KaitaiStruct {
        public static Q10 fromFile(String fileName) throws IOException {
            return new Q10(new ByteBufferKaitaiStream(fileName));
        }

        public Q10(KaitaiStream _io) {
            this(_io, null, null);
        }

        public Q10(KaitaiStream _io, KaitaiStruct _parent) {
            this(_io, _parent, null);
        }

        public Q10(KaitaiStream _io, KaitaiStruct _parent, GgmlBlock _root) {
            super(_io);
            this._parent = _parent;
            this._root = _root;
            _read();
        }
        private void _read() {
            this.d = this._io.readU2le();
            this.qs = new ArrayList<Integer>();
            for (int i = 0; i < 16; i++) {
                this.qs.add(this._io.readU1());
            }
        }

        public void _fetchInstances() {
            for (int i = 0; i < this.qs.size(); i++) {
            }
        }
        private int d;
        private List<Integer> qs;
        private GgmlBlock _root;
        private KaitaiStruct _parent;
        public int d() { return d; }
        public List<Integer> qs() { return qs; }
        public GgmlBlock _root() { return _root; }
        public KaitaiStruct _parent() { return _parent; }
    }
    public static class Q20 extends KaitaiStruct {
        public static Q20 fromFile(String fileName) throws IOException {
            return new Q20(new ByteBufferKaitaiStream(fileName));
        }

        public Q20(KaitaiStream _io) {
            this(_io, null, null);
        }

        public Q20(KaitaiStream _io, KaitaiStruct _parent) {
            this(_io, _parent, null);
        }

        public Q20(KaitaiStream _io, KaitaiStruct _parent, GgmlBlock _root) {
            super(_io);
            this._parent = _parent;
            this._root = _root;
            _read();
        }
        private void _read() {
            this.d = this._io.readU2le();
            this.qs = new ArrayList<Integer>();
            for (int i = 0; i < 16; i++) {
                this.qs.add(this._io.readU1());
            }
        }

        public void _fetchInstances() {
            for (int i = 0; i < this.qs.size(); i++) {
            }
        }
        private int d;
        private List<Integer> qs;
        private GgmlBlock _root;
        private KaitaiStruct _parent;
        public int d() { return d; }
        public List<Integer> qs() { return qs; }
        public GgmlBlock _root() { return _root; }
        public KaitaiStruct _parent() { return _parent; }
    }
    public static class Q2K extends KaitaiStruct {
        public static Q2K fromFile(String fileName) throws IOException {
            return new Q2K(new ByteBufferKaitaiStream(fileName));
        }

        public Q2K(KaitaiStream _io) {
            this(_io, null, null);
        }

        public Q2K(KaitaiStream _io, KaitaiStruct _parent) {
            this(_io, _parent, null);
        }

        public Q2K(KaitaiStream _io, KaitaiStruct _parent, GgmlBlock _root) {
            super(_io);
            this._parent = _parent;
            this._root = _root;
            _read();
        }
        private void _read() {
            this.scales = new ArrayList<Integer>();
            for (int i = 0; i < 16; i++) {
                this.scales.add(this._io.readU1());
            }
            this.qs = new ArrayList<Integer>();
            for (int i = 0; i < 64; i++) {
                this.qs.add(this._io.readU1());
            }
            this.d = this._io.readU2le();
            this.dmin = this._io.readU2le();
        }

        public void _fetchInstances() {
            for (int i = 0; i < this.scales.size(); i++) {
            }
            for (int i = 0; i < this.qs.size(); i++) {
            }
        }
        private List<Integer> scales;
        private List<Integer> qs;
        private int d;
        private int dmin;
        private GgmlBlock _root;
        private KaitaiStruct _parent;
        public List<Integer> scales() { return scales; }
        public List<Integer> qs() { return qs; }
        public int d() { return d; }
        public int dmin() { return dmin; }
        public GgmlBlock _root() { return _root; }
        public KaitaiStruct _parent() { return _parent; }
    }
    public static class Q3K extends KaitaiStruct {
        public static Q3K fromFile(String fileName) throws IOException {
            return new Q3K(new ByteBufferKaitaiStream(fileName));
        }

        public Q3K(KaitaiStream _io) {
            this(_io, null, null);
        }

        public Q3K(KaitaiStream _io, KaitaiStruct _parent) {
            this(_io, _parent, null);
        }

        public Q3K(KaitaiStream _io, KaitaiStruct _parent, GgmlBlock _root) {
            super(_io);
            this._parent = _parent;
            this._root = _root;
            _read();
        }
        private void _read() {
            this.hmask = new ArrayList<Integer>();
            for (int i = 0; i < 32; i++) {
                this.hmask.add(this._io.readU1());
            }
            this.qs = new ArrayList<Integer>();
            for (int i = 0; i < 64; i++) {
                this.qs.add(this._io.readU1());
            }
            this.scales = new ArrayList<Integer>();
            for (int i = 0; i < 12; i++) {
                this.scales.add(this._io.readU1());
            }
            this.d = this._io.readU2le();
        }

        public void _fetchInstances() {
            for (int i = 0; i < this.hmask.size(); i++) {
            }
            for (int i = 0; i < this.qs.size(); i++) {
            }
            for (int i = 0; i < this.scales.size(); i++) {
            }
        }
        private List<Integer> hmask;
        private List<Integer> qs;
        private List<Integer> scales;
        private int d;
        private GgmlBlock _root;
        private KaitaiStruct _parent;
        public List<Integer> hmask() { return hmask; }
        public List<Integer> qs() { return qs; }
        public List<Integer> scales() { return scales; }
        public int d() { return d; }
        public GgmlBlock _root() { return _root; }
        public KaitaiStruct _parent() { return _parent; }
    }
    public static class Q40 extends KaitaiStruct {
        public static Q40 fromFile(String fileName) throws IOException {
            return new Q40(new ByteBufferKaitaiStream(fileName));
        }

        public Q40(KaitaiStream _io) {
            this(_io, null, null);
        }

        public Q40(KaitaiStream _io, KaitaiStruct _parent) {
            this(_io, _parent, null);
        }

        public Q40(KaitaiStream _io, KaitaiStruct _parent, GgmlBlock _root) {
            super(_io);
            this._parent = _parent;
            this._root = _root;
            _read();
        }
        private void _read() {
            this.d = this._io.readU2le();
            this.qs = new ArrayList<Integer>();
            for (int i = 0; i < 16; i++) {
                this.qs.add(this._io.readU1());
            }
        }

        public void _fetchInstances() {
            for (int i = 0; i < this.qs.size(); i++) {
            }
        }
        private int d;
        private List<Integer> qs;
        private GgmlBlock _root;
        private KaitaiStruct _parent;
        public int d() { return d; }
        public List<Integer> qs() { return qs; }
        public GgmlBlock _root() { return _root; }
        public KaitaiStruct _parent() { return _parent; }
    }
    public static class Q41 extends KaitaiStruct {
        public static Q41 fromFile(String fileName) throws IOException {
            return new Q41(new ByteBufferKaitaiStream(fileName));
        }

        public Q41(KaitaiStream _io) {
            this(_io, null, null);
        }

        public Q41(KaitaiStream _io, KaitaiStruct _parent) {
            this(_io, _parent, null);
        }

        public Q41(KaitaiStream _io, KaitaiStruct _parent, GgmlBlock _root) {
            super(_io);
            this._parent = _parent;
            this._root = _root;
            _read();
        }
        private void _read() {
            this.d = this._io.readU2le();
            this.m = this._io.readU2le();
            this.qs = new ArrayList<Integer>();
            for (int i = 0; i < 16; i++) {
                this.qs.add(this._io.readU1());
            }
        }

        public void _fetchInstances() {
            for (int i = 0; i < this.qs.size(); i++) {
            }
        }
        private int d;
        private int m;
        private List<Integer> qs;
        private GgmlBlock _root;
        private KaitaiStruct _parent;
        public int d() { return d; }
        public int m() { return m; }
        public List<Integer> qs() { return qs; }
        public GgmlBlock _root() { return _root; }
        public KaitaiStruct _parent() { return _parent; }
    }
    public static class Q4K extends KaitaiStruct {
        public static Q4K fromFile(String fileName) throws IOException {
            return new Q4K(new ByteBufferKaitaiStream(fileName));
        }

        public Q4K(KaitaiStream _io) {
            this(_io, null, null);
        }

        public Q4K(KaitaiStream _io, KaitaiStruct _parent) {
            this(_io, _parent, null);
        }

        public Q4K(KaitaiStream _io, KaitaiStruct _parent, GgmlBlock _root) {
            super(_io);
            this._parent = _parent;
            this._root = _root;
            _read();
        }
        private void _read() {
            this.d = this._io.readU2le();
            this.dmin = this._io.readU2le();
            this.scales = new ArrayList<Integer>();
            for (int i = 0; i < 12; i++) {
                this.scales.add(this._io.readU1());
            }
            this.qs = new ArrayList<Integer>();
            for (int i = 0; i < 128; i++) {
                this.qs.add(this._io.readU1());
            }
        }

        public void _fetchInstances() {
            for (int i = 0; i < this.scales.size(); i++) {
            }
            for (int i = 0; i < this.qs.size(); i++) {
            }
        }
        private int d;
        private int dmin;
        private List<Integer> scales;
        private List<Integer> qs;
        private GgmlBlock _root;
        private KaitaiStruct _parent;
        public int d() { return d; }
        public int dmin() { return dmin; }
        public List<Integer> scales() { return scales; }
        public List<Integer> qs() { return qs; }
        public GgmlBlock _root() { return _root; }
        public KaitaiStruct _parent() { return _parent; }
    }
    public static class Q50 extends KaitaiStruct {
        public static Q50 fromFile(String fileName) throws IOException {
            return new Q50(new ByteBufferKaitaiStream(fileName));
        }

        public Q50(KaitaiStream _io) {
            this(_io, null, null);
        }

        public Q50(KaitaiStream _io, KaitaiStruct _parent) {
            this(_io, _parent, null);
        }

        public Q50(KaitaiStream _io, KaitaiStruct _parent, GgmlBlock _root) {
            super(_io);
            this._parent = _parent;
            this._root = _root;
            _read();
        }
        private void _read() {
            this.d = this._io.readU2le();
            this.qh = new ArrayList<Integer>();
            for (int i = 0; i < 4; i++) {
                this.qh.add(this._io.readU1());
            }
            this.qs = new ArrayList<Integer>();
            for (int i = 0; i < 16; i++) {
                this.qs.add(this._io.readU1());
            }
        }

        public void _fetchInstances() {
            for (int i = 0; i < this.qh.size(); i++) {
            }
            for (int i = 0; i < this.qs.size(); i++) {
            }
        }
        private int d;
        private List<Integer> qh;
        private List<Integer> qs;
        private GgmlBlock _root;
        private KaitaiStruct _parent;
        public int d() { return d; }
        public List<Integer> qh() { return qh; }
        public List<Integer> qs() { return qs; }
        public GgmlBlock _root() { return _root; }
        public KaitaiStruct _parent() { return _parent; }
    }
    public static class Q51 extends KaitaiStruct {
        public static Q51 fromFile(String fileName) throws IOException {
            return new Q51(new ByteBufferKaitaiStream(fileName));
        }

        public Q51(KaitaiStream _io) {
            this(_io, null, null);
        }

        public Q51(KaitaiStream _io, KaitaiStruct _parent) {
            this(_io, _parent, null);
        }

        public Q51(KaitaiStream _io, KaitaiStruct _parent, GgmlBlock _root) {
            super(_io);
            this._parent = _parent;
            this._root = _root;
            _read();
        }
        private void _read() {
            this.d = this._io.readU2le();
            this.m = this._io.readU2le();
            this.qh = new ArrayList<Integer>();
            for (int i = 0; i < 4; i++) {
                this.qh.add(this._io.readU1());
            }
            this.qs = new ArrayList<Integer>();
            for (int i = 0; i < 16; i++) {
                this.qs.add(this._io.readU1());
            }
        }

        public void _fetchInstances() {
            for (int i = 0; i < this.qh.size(); i++) {
            }
            for (int i = 0; i < this.qs.size(); i++) {
            }
        }
        private int d;
        private int m;
        private List<Integer> qh;
        private List<Integer> qs;
        private GgmlBlock _root;
        private KaitaiStruct _parent;
        public int d() { return d; }
        public int m() { return m; }
        public List<Integer> qh() { return qh; }
        public List<Integer> qs() { return qs; }
        public GgmlBlock _root() { return _root; }
        public KaitaiStruct _parent() { return _parent; }
    }
    public static class Q5K extends KaitaiStruct {
        public static Q5K fromFile(String fileName) throws IOException {
            return new Q5K(new ByteBufferKaitaiStream(fileName));
        }

        public Q5K(KaitaiStream _io) {
            this(_io, null, null);
        }

        public Q5K(KaitaiStream _io, KaitaiStruct _parent) {
            this(_io, _parent, null);
        }

        public Q5K(KaitaiStream _io, KaitaiStruct _parent, GgmlBlock _root) {
            super(_io);
            this._parent = _parent;
            this._root = _root;
            _read();
        }
        private void _read() {
            this.d = this._io.readU2le();
            this.dmin = this._io.readU2le();
            this.scales = new ArrayList<Integer>();
            for (int i = 0; i < 12; i++) {
                this.scales.add(this._io.readU1());
            }
            this.qh = new ArrayList<Integer>();
            for (int i = 0; i < 32; i++) {
                this.qh.add(this._io.readU1());
            }
            this.qs = new ArrayList<Integer>();
            for (int i = 0; i < 128; i++) {
                this.qs.add(this._io.readU1());
            }
        }

        public void _fetchInstances() {
            for (int i = 0; i < this.scales.size(); i++) {
            }
            for (int i = 0; i < this.qh.size(); i++) {
            }
            for (int i = 0; i < this.qs.size(); i++) {
            }
        }
        private int d;
        private int dmin;
        private List<Integer> scales;
        private List<Integer> qh;
        private List<Integer> qs;
        private GgmlBlock _root;
        private KaitaiStruct _parent;
        public int d() { return d; }
        public int dmin() { return dmin; }
        public List<Integer> scales() { return scales; }
        public List<Integer> qh() { return qh; }
        public List<Integer> qs() { return qs; }
        public GgmlBlock _root() { return _root; }
        public KaitaiStruct _parent() { return _parent; }
    }
    public static class Q6K extends KaitaiStruct {
        public static Q6K fromFile(String fileName) throws IOException {
            return new Q6K(new ByteBufferKaitaiStream(fileName));
        }

        public Q6K(KaitaiStream _io) {
            this(_io, null, null);
        }

        public Q6K(KaitaiStream _io, KaitaiStruct _parent) {
            this(_io, _parent, null);
        }

        public Q6K(KaitaiStream _io, KaitaiStruct _parent, GgmlBlock _root) {
            super(_io);
            this._parent = _parent;
            this._root = _root;
            _read();
        }
        private void _read() {
            this.ql = new ArrayList<Integer>();
            for (int i = 0; i < 128; i++) {
                this.ql.add(this._io.readU1());
            }
            this.qh = new ArrayList<Integer>();
            for (int i = 0; i < 64; i++) {
                this.qh.add(this._io.readU1());
            }
            this.scales = new ArrayList<Byte>();
            for (int i = 0; i < 16; i++) {
                this.scales.add(this._io.readS1());
            }
            this.d = this._io.readU2le();
        }

        public void _fetchInstances() {
            for (int i = 0; i < this.ql.size(); i++) {
            }
            for (int i = 0; i < this.qh.size(); i++) {
            }
            for (int i = 0; i < this.scales.size(); i++) {
            }
        }
        private List<Integer> ql;
        private List<Integer> qh;
        private List<Byte> scales;
        private int d;
        private GgmlBlock _root;
        private KaitaiStruct _parent;
        public List<Integer> ql() { return ql; }
        public List<Integer> qh() { return qh; }
        public List<Byte> scales() { return scales; }
        public int d() { return d; }
        public GgmlBlock _root() { return _root; }
        public KaitaiStruct _parent() { return _parent; }
    }
    public static class Q80 extends KaitaiStruct {
        public static Q80 fromFile(String fileName) throws IOException {
            return new Q80(new ByteBufferKaitaiStream(fileName));
        }

        public Q80(KaitaiStream _io) {
            this(_io, null, null);
        }

        public Q80(KaitaiStream _io, KaitaiStruct _parent) {
            this(_io, _parent, null);
        }

        public Q80(KaitaiStream _io, KaitaiStruct _parent, GgmlBlock _root) {
            super(_io);
            this._parent = _parent;
            this._root = _root;
            _read();
        }
        private void _read() {
            this.d = this._io.readU2le();
            this.qs = new ArrayList<Byte>();
            for (int i = 0; i < 32; i++) {
                this.qs.add(this._io.readS1());
            }
        }

        public void _fetchInstances() {
            for (int i = 0; i < this.qs.size(); i++) {
            }
        }
        private int d;
        private List<Byte> qs;
        private GgmlBlock _root;
        private KaitaiStruct _parent;
        public int d() { return d; }
        public List<Byte> qs() { return qs; }
        public GgmlBlock _root() { return _root; }
        public KaitaiStruct _parent() { return _parent; }
    }
    public static class Q81 extends KaitaiStruct {
        public static Q81 fromFile(String fileName) throws IOException {
            return new Q81(new ByteBufferKaitaiStream(fileName));
        }

        public Q81(KaitaiStream _io) {
            this(_io, null, null);
        }

        public Q81(KaitaiStream _io, KaitaiStruct _parent) {
            this(_io, _parent, null);
        }

        public Q81(KaitaiStream _io, KaitaiStruct _parent, GgmlBlock _root) {
            super(_io);
            this._parent = _parent;
            this._root = _root;
            _read();
        }
        private void _read() {
            this.d = this._io.readU2le();
            this.s = this._io.readU2le();
            this.qs = new ArrayList<Byte>();
            for (int i = 0; i < 32; i++) {
                this.qs.add(this._io.readS1());
            }
        }

        public void _fetchInstances() {
            for (int i = 0; i < this.qs.size(); i++) {
            }
        }
        private int d;
        private int s;
        private List<Byte> qs;
        private GgmlBlock _root;
        private KaitaiStruct _parent;
        public int d() { return d; }
        public int s() { return s; }
        public List<Byte> qs() { return qs; }
        public GgmlBlock _root() { return _root; }
        public KaitaiStruct _parent() { return _parent; }
    }
    public static class Q8K extends KaitaiStruct {
        public static Q8K fromFile(String fileName) throws IOException {
            return new Q8K(new ByteBufferKaitaiStream(fileName));
        }

        public Q8K(KaitaiStream _io) {
            this(_io, null, null);
        }

        public Q8K(KaitaiStream _io, KaitaiStruct _parent) {
            this(_io, _parent, null);
        }

        public Q8K(KaitaiStream _io, KaitaiStruct _parent, GgmlBlock _root) {
            super(_io);
            this._parent = _parent;
            this._root = _root;
            _read();
        }
        private void _read() {
            this.d = this._io.readF4le();
            this.qs = new ArrayList<Byte>();
            for (int i = 0; i < 256; i++) {
                this.qs.add(this._io.readS1());
            }
            this.bsums = new ArrayList<Short>();
            for (int i = 0; i < 16; i++) {
                this.bsums.add(this._io.readS2le());
            }
        }

        public void _fetchInstances() {
            for (int i = 0; i < this.qs.size(); i++) {
            }
            for (int i = 0; i < this.bsums.size(); i++) {
            }
        }
        private float d;
        private List<Byte> qs;
        private List<Short> bsums;
        private GgmlBlock _root;
        private KaitaiStruct _parent;
        public float d() { return d; }
        public List<Byte> qs() { return qs; }
        public List<Short> bsums() { return bsums; }
        public GgmlBlock _root() { return _root; }
        public KaitaiStruct _parent() { return _parent; }
    }
    public static class Tq10 extends KaitaiStruct {
        public static Tq10 fromFile(String fileName) throws IOException {
            return new Tq10(new ByteBufferKaitaiStream(fileName));
        }

        public Tq10(KaitaiStream _io) {
            this(_io, null, null);
        }

        public Tq10(KaitaiStream _io, KaitaiStruct _parent) {
            this(_io, _parent, null);
        }

        public Tq10(KaitaiStream _io, KaitaiStruct _parent, GgmlBlock _root) {
            super(_io);
            this._parent = _parent;
            this._root = _root;
            _read();
        }
        private void _read() {
            this.qs = new ArrayList<Integer>();
            for (int i = 0; i < 48; i++) {
                this.qs.add(this._io.readU1());
            }
            this.qh = new ArrayList<Integer>();
            for (int i = 0; i < 4; i++) {
                this.qh.add(this._io.readU1());
            }
            this.d = this._io.readU2le();
        }

        public void _fetchInstances() {
            for (int i = 0; i < this.qs.size(); i++) {
            }
            for (int i = 0; i < this.qh.size(); i++) {
            }
        }
        private List<Integer> qs;
        private List<Integer> qh;
        private int d;
        private GgmlBlock _root;
        private KaitaiStruct _parent;
        public List<Integer> qs() { return qs; }
        public List<Integer> qh() { return qh; }
        public int d() { return d; }
        public GgmlBlock _root() { return _root; }
        public KaitaiStruct _parent() { return _parent; }
    }
    public static class Tq20 extends KaitaiStruct {
        public static Tq20 fromFile(String fileName) throws IOException {
            return new Tq20(new ByteBufferKaitaiStream(fileName));
        }

        public Tq20(KaitaiStream _io) {
            this(_io, null, null);
        }

        public Tq20(KaitaiStream _io, KaitaiStruct _parent) {
            this(_io, _parent, null);
        }

        public Tq20(KaitaiStream _io, KaitaiStruct _parent, GgmlBlock _root) {
            super(_io);
            this._parent = _parent;
            this._root = _root;
            _read();
        }
        private void _read() {
            this.qs = new ArrayList<Integer>();
            for (int i = 0; i < 64; i++) {
                this.qs.add(this._io.readU1());
            }
            this.d = this._io.readU2le();
        }

        public void _fetchInstances() {
            for (int i = 0; i < this.qs.size(); i++) {
            }
        }
        private List<Integer> qs;
        private int d;
        private GgmlBlock _root;
        private KaitaiStruct _parent;
        public List<Integer> qs() { return qs; }
        public int d() { return d; }
        public GgmlBlock _root() { return _root; }
        public KaitaiStruct _parent() { return _parent; }
    }
    private GgmlBlock _root;
    private KaitaiStruct _parent;
    public GgmlBlock _root() { return _root; }
    public KaitaiStruct _parent() { return _parent; }
}
