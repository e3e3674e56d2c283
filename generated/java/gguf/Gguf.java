// This is a generated file! Please edit source .ksy file and use kaitai-struct-compiler to rebuild

package gguf;

import io.kaitai.struct.ByteBufferKaitaiStream;
import io.kaitai.struct.KaitaiStruct;
import io.kaitai.struct.KaitaiStream;
import java.io.IOException;
import java.util.Map;
import java.util.HashMap;
import java.util.Arrays;
import java.util.ArrayList;
import java.util.List;
import java.nio.charset.StandardCharsets;


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
 * @see <a href="https://github.com/ggml-org/ggml/blob/d99724f2/docs/gguf.md">Source</a>
 * @see <a href="https://github.com/ggml-org/ggml/blob/d99724f2/src/gguf.cpp">Source</a>
 */
public class Gguf extends KaitaiStruct {
    public static Gguf fromFile(String fileName) throws IOException {
        return new Gguf(new ByteBufferKaitaiStream(fileName));
    }

    public enum GgmlType {
        F32(0),
        F16(1),
        Q4_0(2),
        Q4_1(3),
        Q5_0(6),
        Q5_1(7),
        Q8_0(8),
        Q8_1(9),
        Q2_K(10),
        Q3_K(11),
        Q4_K(12),
        Q5_K(13),
        Q6_K(14),
        Q8_K(15),
        IQ2_XXS(16),
        IQ2_XS(17),
        IQ3_XXS(18),
        IQ1_S(19),
        IQ4_NL(20),
        IQ3_S(21),
        IQ2_S(22),
        IQ4_XS(23),
        I8(24),
        I16(25),
        I32(26),
        I64(27),
        F64(28),
        IQ1_M(29),
        BF16(30),
        TQ1_0(34),
        TQ2_0(35),
        MXFP4(39),
        NVFP4(40),
        Q1_0(41),
        Q2_0(42);

        private final long id;
        GgmlType(long id) { this.id = id; }
        public long id() { return id; }
        private static final Map<Long, GgmlType> byId = new HashMap<Long, GgmlType>(35);
        static {
            for (GgmlType e : GgmlType.values())
                byId.put(e.id(), e);
        }
        public static GgmlType byId(long id) { return byId.get(id); }
    }

    public enum ValueType {
        UINT8(0),
        INT8(1),
        UINT16(2),
        INT16(3),
        UINT32(4),
        INT32(5),
        FLOAT32(6),
        BOOL(7),
        STRING(8),
        ARRAY(9),
        UINT64(10),
        INT64(11),
        FLOAT64(12);

        private final long id;
        ValueType(long id) { this.id = id; }
        public long id() { return id; }
        private static final Map<Long, ValueType> byId = new HashMap<Long, ValueType>(13);
        static {
            for (ValueType e : ValueType.values())
                byId.put(e.id(), e);
        }
        public static ValueType byId(long id) { return byId.get(id); }
    }

    public Gguf(KaitaiStream _io) {
        this(_io, null, null);
    }

    public Gguf(KaitaiStream _io, KaitaiStruct _parent) {
        this(_io, _parent, null);
    }

    public Gguf(KaitaiStream _io, KaitaiStruct _parent, Gguf _root) {
        super(_io);
        this._parent = _parent;
        this._root = _root == null ? this : _root;
        _read();
    }
    private void _read() {
        this.magic = this._io.readBytes(4);
        if (!(Arrays.equals(this.magic, new byte[] { 71, 71, 85, 70 }))) {
            throw new KaitaiStream.ValidationNotEqualError(new byte[] { 71, 71, 85, 70 }, this.magic, this._io, "/seq/0");
        }
        this.body = new GgufBody(this._io, this, _root);
    }

    public void _fetchInstances() {
        this.body._fetchInstances();
        versionBe();
        if (this.versionBe != null) {
        }
        versionLe();
        if (this.versionLe != null) {
        }
    }
    public static class ArrayElements extends KaitaiStruct {
        public static ArrayElements fromFile(String fileName) throws IOException {
            return new ArrayElements(new ByteBufferKaitaiStream(fileName));
        }

        public ArrayElements(KaitaiStream _io) {
            this(_io, null, null);
        }

        public ArrayElements(KaitaiStream _io, Gguf.GgufArray _parent) {
            this(_io, _parent, null);
        }

        public ArrayElements(KaitaiStream _io, Gguf.GgufArray _parent, Gguf _root) {
            super(_io);
            this._parent = _parent;
            this._root = _root;
            _read();
        }
        private void _read() {
            this.items = new ArrayList<GgufArray>();
            for (int i = 0; i < _parent().numElements().asInt(); i++) {
                this.items.add(new GgufArray(this._io, this, _root));
            }
        }

        public void _fetchInstances() {
            for (int i = 0; i < this.items.size(); i++) {
                this.items.get(((Number) (i)).intValue())._fetchInstances();
            }
        }
        private List<GgufArray> items;
        private Gguf _root;
        private Gguf.GgufArray _parent;
        public List<GgufArray> items() { return items; }
        public Gguf _root() { return _root; }
        public Gguf.GgufArray _parent() { return _parent; }
    }

    /**
     * A size in elements. 32 bits wide in version 1, 64 bits since version 2.
     */
    public static class Dim extends KaitaiStruct {
        public static Dim fromFile(String fileName) throws IOException {
            return new Dim(new ByteBufferKaitaiStream(fileName));
        }
        private Boolean _is_le;

        public Dim(KaitaiStream _io) {
            this(_io, null, null);
        }

        public Dim(KaitaiStream _io, Gguf.TensorInfo _parent) {
            this(_io, _parent, null);
        }

        public Dim(KaitaiStream _io, Gguf.TensorInfo _parent, Gguf _root) {
            super(_io);
            this._parent = _parent;
            this._root = _root;
            _read();
        }
        private void _read() {
            {
                boolean on = _root().isBe();
                if (on == true) {
                    this._is_le = false;
                }
                else if (on == false) {
                    this._is_le = true;
                }
            }

            if (_is_le == null) {
                throw new KaitaiStream.UndecidedEndiannessError();
            } else if (_is_le) {
                _readLE();
            } else {
                _readBE();
            }
        }
        private void _readLE() {
            if (_root().version() == 1) {
                this.valueU4 = this._io.readU4le();
            }
            if (_root().version() != 1) {
                this.valueU8 = this._io.readU8le();
            }
        }
        private void _readBE() {
            if (_root().version() == 1) {
                this.valueU4 = this._io.readU4be();
            }
            if (_root().version() != 1) {
                this.valueU8 = this._io.readU8be();
            }
        }

        public void _fetchInstances() {
            if (_root().version() == 1) {
            }
            if (_root().version() != 1) {
            }
        }
        private Long value;
        public Long value() {
            if (this.value != null)
                return this.value;
            this.value = ((Number) ((_root().version() == 1 ? ((Number) (valueU4())).longValue() : ((Number) (valueU8())).longValue()))).longValue();
            return this.value;
        }
        private Long valueU4;
        private Long valueU8;
        private Gguf _root;
        private Gguf.TensorInfo _parent;
        public Long valueU4() { return valueU4; }
        public Long valueU8() { return valueU8; }
        public Gguf _root() { return _root; }
        public Gguf.TensorInfo _parent() { return _parent; }
    }

    /**
     * Numbers of 1 byte each, in the file's byte order.
     */
    public static class Elements1 extends KaitaiStruct {
        public static Elements1 fromFile(String fileName) throws IOException {
            return new Elements1(new ByteBufferKaitaiStream(fileName));
        }

        public Elements1(KaitaiStream _io) {
            this(_io, null, null);
        }

        public Elements1(KaitaiStream _io, Gguf.GgufArray _parent) {
            this(_io, _parent, null);
        }

        public Elements1(KaitaiStream _io, Gguf.GgufArray _parent, Gguf _root) {
            super(_io);
            this._parent = _parent;
            this._root = _root;
            _read();
        }
        private void _read() {
            this.data = this._io.readBytes(_parent().numElements().value());
        }

        public void _fetchInstances() {
        }
        private byte[] data;
        private Gguf _root;
        private Gguf.GgufArray _parent;
        public byte[] data() { return data; }
        public Gguf _root() { return _root; }
        public Gguf.GgufArray _parent() { return _parent; }
    }

    /**
     * Numbers of 2 bytes each, in the file's byte order.
     */
    public static class Elements2 extends KaitaiStruct {
        public static Elements2 fromFile(String fileName) throws IOException {
            return new Elements2(new ByteBufferKaitaiStream(fileName));
        }

        public Elements2(KaitaiStream _io) {
            this(_io, null, null);
        }

        public Elements2(KaitaiStream _io, Gguf.GgufArray _parent) {
            this(_io, _parent, null);
        }

        public Elements2(KaitaiStream _io, Gguf.GgufArray _parent, Gguf _root) {
            super(_io);
            this._parent = _parent;
            this._root = _root;
            _read();
        }
        private void _read() {
            this.data = this._io.readBytes(_parent().numElements().value() * 2);
        }

        public void _fetchInstances() {
        }
        private byte[] data;
        private Gguf _root;
        private Gguf.GgufArray _parent;
        public byte[] data() { return data; }
        public Gguf _root() { return _root; }
        public Gguf.GgufArray _parent() { return _parent; }
    }

    /**
     * Numbers of 4 bytes each, in the file's byte order.
     */
    public static class Elements4 extends KaitaiStruct {
        public static Elements4 fromFile(String fileName) throws IOException {
            return new Elements4(new ByteBufferKaitaiStream(fileName));
        }

        public Elements4(KaitaiStream _io) {
            this(_io, null, null);
        }

        public Elements4(KaitaiStream _io, Gguf.GgufArray _parent) {
            this(_io, _parent, null);
        }

        public Elements4(KaitaiStream _io, Gguf.GgufArray _parent, Gguf _root) {
            super(_io);
            this._parent = _parent;
            this._root = _root;
            _read();
        }
        private void _read() {
            this.data = this._io.readBytes(_parent().numElements().value() * 4);
        }

        public void _fetchInstances() {
        }
        private byte[] data;
        private Gguf _root;
        private Gguf.GgufArray _parent;
        public byte[] data() { return data; }
        public Gguf _root() { return _root; }
        public Gguf.GgufArray _parent() { return _parent; }
    }

    /**
     * Numbers of 8 bytes each, in the file's byte order.
     */
    public static class Elements8 extends KaitaiStruct {
        public static Elements8 fromFile(String fileName) throws IOException {
            return new Elements8(new ByteBufferKaitaiStream(fileName));
        }

        public Elements8(KaitaiStream _io) {
            this(_io, null, null);
        }

        public Elements8(KaitaiStream _io, Gguf.GgufArray _parent) {
            this(_io, _parent, null);
        }

        public Elements8(KaitaiStream _io, Gguf.GgufArray _parent, Gguf _root) {
            super(_io);
            this._parent = _parent;
            this._root = _root;
            _read();
        }
        private void _read() {
            this.data = this._io.readBytes(_parent().numElements().value() * 8);
        }

        public void _fetchInstances() {
        }
        private byte[] data;
        private Gguf _root;
        private Gguf.GgufArray _parent;
        public byte[] data() { return data; }
        public Gguf _root() { return _root; }
        public Gguf.GgufArray _parent() { return _parent; }
    }

    /**
     * Elements of one type, without padding. They can be arrays themselves,
     * each with its own element type and count.
     */
    public static class GgufArray extends KaitaiStruct {
        public static GgufArray fromFile(String fileName) throws IOException {
            return new GgufArray(new ByteBufferKaitaiStream(fileName));
        }
        private Boolean _is_le;

        public GgufArray(KaitaiStream _io) {
            this(_io, null, null);
        }

        public GgufArray(KaitaiStream _io, KaitaiStruct _parent) {
            this(_io, _parent, null);
        }

        public GgufArray(KaitaiStream _io, KaitaiStruct _parent, Gguf _root) {
            super(_io);
            this._parent = _parent;
            this._root = _root;
            _read();
        }
        private void _read() {
            {
                boolean on = _root().isBe();
                if (on == true) {
                    this._is_le = false;
                }
                else if (on == false) {
                    this._is_le = true;
                }
            }

            if (_is_le == null) {
                throw new KaitaiStream.UndecidedEndiannessError();
            } else if (_is_le) {
                _readLE();
            } else {
                _readBE();
            }
        }
        private void _readLE() {
            this.elementType = Gguf.ValueType.byId(this._io.readU4le());
            if (this.elementType == null) {
                throw new KaitaiStream.ValidationNotInEnumError(this.elementType, this._io, "/types/gguf_array/seq/0");
            }
            this.numElements = new Length(this._io, this, _root);
            {
                ValueType on = elementType();
                if (on != null) {
                    switch (elementType()) {
                    case ARRAY: {
                        this.elements = new ArrayElements(this._io, this, _root);
                        break;
                    }
                    case BOOL: {
                        this.elements = new Elements1(this._io, this, _root);
                        break;
                    }
                    case FLOAT32: {
                        this.elements = new Elements4(this._io, this, _root);
                        break;
                    }
                    case FLOAT64: {
                        this.elements = new Elements8(this._io, this, _root);
                        break;
                    }
                    case INT16: {
                        this.elements = new Elements2(this._io, this, _root);
                        break;
                    }
                    case INT32: {
                        this.elements = new Elements4(this._io, this, _root);
                        break;
                    }
                    case INT64: {
                        this.elements = new Elements8(this._io, this, _root);
                        break;
                    }
                    case INT8: {
                        this.elements = new Elements1(this._io, this, _root);
                        break;
                    }
                    case STRING: {
                        this.elements = new StringElements(this._io, this, _root);
                        break;
                    }
                    case UINT16: {
                        this.elements = new Elements2(this._io, this, _root);
                        break;
                    }
                    case UINT32: {
                        this.elements = new Elements4(this._io, this, _root);
                        break;
                    }
                    case UINT64: {
                        this.elements = new Elements8(this._io, this, _root);
                        break;
                    }
                    case UINT8: {
                        this.elements = new Elements1(this._io, this, _root);
                        break;
                    }
                    }
                }
            }
        }
        private void _readBE() {
            this.elementType = Gguf.ValueType.byId(this._io.readU4be());
            if (this.elementType == null) {
                throw new KaitaiStream.ValidationNotInEnumError(this.elementType, this._io, "/types/gguf_array/seq/0");
            }
            this.numElements = new Length(this._io, this, _root);
            {
                ValueType on = elementType();
                if (on != null) {
                    switch (elementType()) {
                    case ARRAY: {
                        this.elements = new ArrayElements(this._io, this, _root);
                        break;
                    }
                    case BOOL: {
                        this.elements = new Elements1(this._io, this, _root);
                        break;
                    }
                    case FLOAT32: {
                        this.elements = new Elements4(this._io, this, _root);
                        break;
                    }
                    case FLOAT64: {
                        this.elements = new Elements8(this._io, this, _root);
                        break;
                    }
                    case INT16: {
                        this.elements = new Elements2(this._io, this, _root);
                        break;
                    }
                    case INT32: {
                        this.elements = new Elements4(this._io, this, _root);
                        break;
                    }
                    case INT64: {
                        this.elements = new Elements8(this._io, this, _root);
                        break;
                    }
                    case INT8: {
                        this.elements = new Elements1(this._io, this, _root);
                        break;
                    }
                    case STRING: {
                        this.elements = new StringElements(this._io, this, _root);
                        break;
                    }
                    case UINT16: {
                        this.elements = new Elements2(this._io, this, _root);
                        break;
                    }
                    case UINT32: {
                        this.elements = new Elements4(this._io, this, _root);
                        break;
                    }
                    case UINT64: {
                        this.elements = new Elements8(this._io, this, _root);
                        break;
                    }
                    case UINT8: {
                        this.elements = new Elements1(this._io, this, _root);
                        break;
                    }
                    }
                }
            }
        }

        public void _fetchInstances() {
            this.numElements._fetchInstances();
            {
                ValueType on = elementType();
                if (on != null) {
                    switch (elementType()) {
                    case ARRAY: {
                        ((ArrayElements) (this.elements))._fetchInstances();
                        break;
                    }
                    case BOOL: {
                        ((Elements1) (this.elements))._fetchInstances();
                        break;
                    }
                    case FLOAT32: {
                        ((Elements4) (this.elements))._fetchInstances();
                        break;
                    }
                    case FLOAT64: {
                        ((Elements8) (this.elements))._fetchInstances();
                        break;
                    }
                    case INT16: {
                        ((Elements2) (this.elements))._fetchInstances();
                        break;
                    }
                    case INT32: {
                        ((Elements4) (this.elements))._fetchInstances();
                        break;
                    }
                    case INT64: {
                        ((Elements8) (this.elements))._fetchInstances();
                        break;
                    }
                    case INT8: {
                        ((Elements1) (this.elements))._fetchInstances();
                        break;
                    }
                    case STRING: {
                        ((StringElements) (this.elements))._fetchInstances();
                        break;
                    }
                    case UINT16: {
                        ((Elements2) (this.elements))._fetchInstances();
                        break;
                    }
                    case UINT32: {
                        ((Elements4) (this.elements))._fetchInstances();
                        break;
                    }
                    case UINT64: {
                        ((Elements8) (this.elements))._fetchInstances();
                        break;
                    }
                    case UINT8: {
                        ((Elements1) (this.elements))._fetchInstances();
                        break;
                    }
                    }
                }
            }
        }
        private ValueType elementType;
        private Length numElements;
        private KaitaiStruct elements;
        private Gguf _root;
        private KaitaiStruct _parent;
        public ValueType elementType() { return elementType; }
        public Length numElements() { return numElements; }
        public KaitaiStruct elements() { return elements; }
        public Gguf _root() { return _root; }
        public KaitaiStruct _parent() { return _parent; }
    }
    public static class GgufBody extends KaitaiStruct {
        public static GgufBody fromFile(String fileName) throws IOException {
            return new GgufBody(new ByteBufferKaitaiStream(fileName));
        }
        private Boolean _is_le;

        public GgufBody(KaitaiStream _io) {
            this(_io, null, null);
        }

        public GgufBody(KaitaiStream _io, Gguf _parent) {
            this(_io, _parent, null);
        }

        public GgufBody(KaitaiStream _io, Gguf _parent, Gguf _root) {
            super(_io);
            this._parent = _parent;
            this._root = _root;
            _read();
        }
        private void _read() {
            {
                boolean on = _root().isBe();
                if (on == true) {
                    this._is_le = false;
                }
                else if (on == false) {
                    this._is_le = true;
                }
            }

            if (_is_le == null) {
                throw new KaitaiStream.UndecidedEndiannessError();
            } else if (_is_le) {
                _readLE();
            } else {
                _readBE();
            }
        }
        private void _readLE() {
            this.version = this._io.readU4le();
            if (!( ((this.version == 1) || (this.version == 2) || (this.version == 3)) )) {
                throw new KaitaiStream.ValidationNotAnyOfError(this.version, this._io, "/types/gguf_body/seq/0");
            }
            this.numTensors = new Length(this._io, this, _root);
            this.numMetadata = new Length(this._io, this, _root);
            this.metadata = new ArrayList<KeyValue>();
            for (int i = 0; i < numMetadata().asInt(); i++) {
                this.metadata.add(new KeyValue(this._io, this, _root));
            }
            this.tensors = new ArrayList<TensorInfo>();
            for (int i = 0; i < numTensors().asInt(); i++) {
                this.tensors.add(new TensorInfo(this._io, this, _root));
            }
            if (lenHeader() < 0) {
                this.headerEnd = this._io.readBytes(0);
            }
        }
        private void _readBE() {
            this.version = this._io.readU4be();
            if (!( ((this.version == 1) || (this.version == 2) || (this.version == 3)) )) {
                throw new KaitaiStream.ValidationNotAnyOfError(this.version, this._io, "/types/gguf_body/seq/0");
            }
            this.numTensors = new Length(this._io, this, _root);
            this.numMetadata = new Length(this._io, this, _root);
            this.metadata = new ArrayList<KeyValue>();
            for (int i = 0; i < numMetadata().asInt(); i++) {
                this.metadata.add(new KeyValue(this._io, this, _root));
            }
            this.tensors = new ArrayList<TensorInfo>();
            for (int i = 0; i < numTensors().asInt(); i++) {
                this.tensors.add(new TensorInfo(this._io, this, _root));
            }
            if (lenHeader() < 0) {
                this.headerEnd = this._io.readBytes(0);
            }
        }

        public void _fetchInstances() {
            this.numTensors._fetchInstances();
            this.numMetadata._fetchInstances();
            for (int i = 0; i < this.metadata.size(); i++) {
                this.metadata.get(((Number) (i)).intValue())._fetchInstances();
            }
            for (int i = 0; i < this.tensors.size(); i++) {
                this.tensors.get(((Number) (i)).intValue())._fetchInstances();
            }
            if (lenHeader() < 0) {
            }
            alignmentSearch();
            if (this.alignmentSearch != null) {
                for (int i = 0; i < this.alignmentSearch.size(); i++) {
                }
            }
        }
        private Long alignment;

        /**
         * Offsets of tensors are multiples of this power of two.
         */
        public Long alignment() {
            if (this.alignment != null)
                return this.alignment;
            this.alignment = ((Number) ((metadata().size() > 0 ? metadata().get(((Number) (alignmentSearch().size() - 1)).intValue()).alignment() : ((long) 32)))).longValue();
            return this.alignment;
        }
        private List<byte[]> alignmentSearch;

        /**
         * Reads nothing. Has one item for each key-value up to and including the
         * first alignment, or for all of them if there is none.
         */
        public List<byte[]> alignmentSearch() {
            if (this.alignmentSearch != null)
                return this.alignmentSearch;
            if (metadata().size() > 0) {
                if (_is_le) {
                    this.alignmentSearch = new ArrayList<byte[]>();
                    {
                        byte[] _it;
                        int i = 0;
                        do {
                            _it = this._io.readBytes(0);
                            this.alignmentSearch.add(_it);
                            i++;
                        } while (!( ((metadata().get(((Number) (alignmentSearch().size() - 1)).intValue()).isAlignment()) || (alignmentSearch().size() == metadata().size())) ));
                    }
                } else {
                    this.alignmentSearch = new ArrayList<byte[]>();
                    {
                        byte[] _it;
                        int i = 0;
                        do {
                            _it = this._io.readBytes(0);
                            this.alignmentSearch.add(_it);
                            i++;
                        } while (!( ((metadata().get(((Number) (alignmentSearch().size() - 1)).intValue()).isAlignment()) || (alignmentSearch().size() == metadata().size())) ));
                    }
                }
            }
            return this.alignmentSearch;
        }
        private Long lenHeader;

        /**
         * From the start of the file to the end of the last tensor info.
         */
        public Long lenHeader() {
            if (this.lenHeader != null)
                return this.lenHeader;
            this.lenHeader = ((Number) (((Number) (_io().pos())).longValue())).longValue();
            return this.lenHeader;
        }
        private Long ofsTensorData;

        /**
         * From the start of the file. A file without tensors may end before.
         */
        public Long ofsTensorData() {
            if (this.ofsTensorData != null)
                return this.ofsTensorData;
            this.ofsTensorData = ((Number) (((Number) (lenHeader() + KaitaiStream.mod(-(lenHeader()), alignment()))).longValue())).longValue();
            return this.ofsTensorData;
        }
        private long version;
        private Length numTensors;
        private Length numMetadata;
        private List<KeyValue> metadata;
        private List<TensorInfo> tensors;
        private byte[] headerEnd;
        private Gguf _root;
        private Gguf _parent;

        /**
         * Lengths and counts have 32 bits in version 1, 64 bits in versions 2
         * and 3. Big-endian files are allowed since version 3.
         */
        public long version() { return version; }
        public Length numTensors() { return numTensors; }
        public Length numMetadata() { return numMetadata; }
        public List<KeyValue> metadata() { return metadata; }
        public List<TensorInfo> tensors() { return tensors; }
        public byte[] headerEnd() { return headerEnd; }
        public Gguf _root() { return _root; }
        public Gguf _parent() { return _parent; }
    }
    public static class GgufString extends KaitaiStruct {
        public static GgufString fromFile(String fileName) throws IOException {
            return new GgufString(new ByteBufferKaitaiStream(fileName));
        }

        public GgufString(KaitaiStream _io) {
            this(_io, null, null);
        }

        public GgufString(KaitaiStream _io, KaitaiStruct _parent) {
            this(_io, _parent, null);
        }

        public GgufString(KaitaiStream _io, KaitaiStruct _parent, Gguf _root) {
            super(_io);
            this._parent = _parent;
            this._root = _root;
            _read();
        }
        private void _read() {
            this.lenData = new Length(this._io, this, _root);
            this.data = this._io.readBytes(lenData().value());
        }

        public void _fetchInstances() {
            this.lenData._fetchInstances();
        }
        private String value;

        /**
         * Bytes that are not UTF-8 are an error or replaced, by language.
         */
        public String value() {
            if (this.value != null)
                return this.value;
            this.value = new String(data(), StandardCharsets.UTF_8);
            return this.value;
        }
        private Length lenData;
        private byte[] data;
        private Gguf _root;
        private KaitaiStruct _parent;
        public Length lenData() { return lenData; }

        /**
         * UTF-8 in most cases, with no terminator.
         */
        public byte[] data() { return data; }
        public Gguf _root() { return _root; }
        public KaitaiStruct _parent() { return _parent; }
    }
    public static class KeyValue extends KaitaiStruct {
        public static KeyValue fromFile(String fileName) throws IOException {
            return new KeyValue(new ByteBufferKaitaiStream(fileName));
        }
        private Boolean _is_le;

        public KeyValue(KaitaiStream _io) {
            this(_io, null, null);
        }

        public KeyValue(KaitaiStream _io, Gguf.GgufBody _parent) {
            this(_io, _parent, null);
        }

        public KeyValue(KaitaiStream _io, Gguf.GgufBody _parent, Gguf _root) {
            super(_io);
            this._parent = _parent;
            this._root = _root;
            _read();
        }
        private void _read() {
            {
                boolean on = _root().isBe();
                if (on == true) {
                    this._is_le = false;
                }
                else if (on == false) {
                    this._is_le = true;
                }
            }

            if (_is_le == null) {
                throw new KaitaiStream.UndecidedEndiannessError();
            } else if (_is_le) {
                _readLE();
            } else {
                _readBE();
            }
        }
        private void _readLE() {
            this.key = new GgufString(this._io, this, _root);
            this.valueType = Gguf.ValueType.byId(this._io.readU4le());
            if (this.valueType == null) {
                throw new KaitaiStream.ValidationNotInEnumError(this.valueType, this._io, "/types/key_value/seq/1");
            }
            {
                ValueType on = valueType();
                if (on != null) {
                    switch (valueType()) {
                    case ARRAY: {
                        this.value = new GgufArray(this._io, this, _root);
                        break;
                    }
                    case BOOL: {
                        this.value = new ValueU1(this._io, this, _root);
                        break;
                    }
                    case FLOAT32: {
                        this.value = new ValueF4(this._io, this, _root);
                        break;
                    }
                    case FLOAT64: {
                        this.value = new ValueF8(this._io, this, _root);
                        break;
                    }
                    case INT16: {
                        this.value = new ValueS2(this._io, this, _root);
                        break;
                    }
                    case INT32: {
                        this.value = new ValueS4(this._io, this, _root);
                        break;
                    }
                    case INT64: {
                        this.value = new ValueS8(this._io, this, _root);
                        break;
                    }
                    case INT8: {
                        this.value = new ValueS1(this._io, this, _root);
                        break;
                    }
                    case STRING: {
                        this.value = new GgufString(this._io, this, _root);
                        break;
                    }
                    case UINT16: {
                        this.value = new ValueU2(this._io, this, _root);
                        break;
                    }
                    case UINT32: {
                        this.value = new ValueU4(this._io, this, _root);
                        break;
                    }
                    case UINT64: {
                        this.value = new ValueU8(this._io, this, _root);
                        break;
                    }
                    case UINT8: {
                        this.value = new ValueU1(this._io, this, _root);
                        break;
                    }
                    }
                }
            }
        }
        private void _readBE() {
            this.key = new GgufString(this._io, this, _root);
            this.valueType = Gguf.ValueType.byId(this._io.readU4be());
            if (this.valueType == null) {
                throw new KaitaiStream.ValidationNotInEnumError(this.valueType, this._io, "/types/key_value/seq/1");
            }
            {
                ValueType on = valueType();
                if (on != null) {
                    switch (valueType()) {
                    case ARRAY: {
                        this.value = new GgufArray(this._io, this, _root);
                        break;
                    }
                    case BOOL: {
                        this.value = new ValueU1(this._io, this, _root);
                        break;
                    }
                    case FLOAT32: {
                        this.value = new ValueF4(this._io, this, _root);
                        break;
                    }
                    case FLOAT64: {
                        this.value = new ValueF8(this._io, this, _root);
                        break;
                    }
                    case INT16: {
                        this.value = new ValueS2(this._io, this, _root);
                        break;
                    }
                    case INT32: {
                        this.value = new ValueS4(this._io, this, _root);
                        break;
                    }
                    case INT64: {
                        this.value = new ValueS8(this._io, this, _root);
                        break;
                    }
                    case INT8: {
                        this.value = new ValueS1(this._io, this, _root);
                        break;
                    }
                    case STRING: {
                        this.value = new GgufString(this._io, this, _root);
                        break;
                    }
                    case UINT16: {
                        this.value = new ValueU2(this._io, this, _root);
                        break;
                    }
                    case UINT32: {
                        this.value = new ValueU4(this._io, this, _root);
                        break;
                    }
                    case UINT64: {
                        this.value = new ValueU8(this._io, this, _root);
                        break;
                    }
                    case UINT8: {
                        this.value = new ValueU1(this._io, this, _root);
                        break;
                    }
                    }
                }
            }
        }

        public void _fetchInstances() {
            this.key._fetchInstances();
            {
                ValueType on = valueType();
                if (on != null) {
                    switch (valueType()) {
                    case ARRAY: {
                        ((GgufArray) (this.value))._fetchInstances();
                        break;
                    }
                    case BOOL: {
                        ((ValueU1) (this.value))._fetchInstances();
                        break;
                    }
                    case FLOAT32: {
                        ((ValueF4) (this.value))._fetchInstances();
                        break;
                    }
                    case FLOAT64: {
                        ((ValueF8) (this.value))._fetchInstances();
                        break;
                    }
                    case INT16: {
                        ((ValueS2) (this.value))._fetchInstances();
                        break;
                    }
                    case INT32: {
                        ((ValueS4) (this.value))._fetchInstances();
                        break;
                    }
                    case INT64: {
                        ((ValueS8) (this.value))._fetchInstances();
                        break;
                    }
                    case INT8: {
                        ((ValueS1) (this.value))._fetchInstances();
                        break;
                    }
                    case STRING: {
                        ((GgufString) (this.value))._fetchInstances();
                        break;
                    }
                    case UINT16: {
                        ((ValueU2) (this.value))._fetchInstances();
                        break;
                    }
                    case UINT32: {
                        ((ValueU4) (this.value))._fetchInstances();
                        break;
                    }
                    case UINT64: {
                        ((ValueU8) (this.value))._fetchInstances();
                        break;
                    }
                    case UINT8: {
                        ((ValueU1) (this.value))._fetchInstances();
                        break;
                    }
                    }
                }
            }
        }
        private Long alignment;

        /**
         * The value if this is the alignment, otherwise the default.
         */
        public Long alignment() {
            if (this.alignment != null)
                return this.alignment;
            this.alignment = ((Number) ((isAlignment() ? ((Number) (((Gguf.ValueU4) (value())).value())).longValue() : ((long) 32)))).longValue();
            return this.alignment;
        }
        private Boolean isAlignment;

        /**
         * Whether the key is `general.alignment`, with the required type.
         */
        public Boolean isAlignment() {
            if (this.isAlignment != null)
                return this.isAlignment;
            this.isAlignment =  ((valueType() == Gguf.ValueType.UINT32) && (Arrays.equals(key().data(), new byte[] { 103, 101, 110, 101, 114, 97, 108, 46, 97, 108, 105, 103, 110, 109, 101, 110, 116 }))) ;
            return this.isAlignment;
        }
        private GgufString key;
        private ValueType valueType;
        private KaitaiStruct value;
        private Gguf _root;
        private Gguf.GgufBody _parent;

        /**
         * Unique in the file. By the specification at most 65535 bytes of ASCII,
         * `lower_snake_case` segments joined by `.`; not all writers comply.
         */
        public GgufString key() { return key; }
        public ValueType valueType() { return valueType; }
        public KaitaiStruct value() { return value; }
        public Gguf _root() { return _root; }
        public Gguf.GgufBody _parent() { return _parent; }
    }

    /**
     * A count of bytes or items. 32 bits wide in version 1, 64 bits since
     * version 2. At most 2^30, which is ggml's limit for strings and arrays.
     */
    public static class Length extends KaitaiStruct {
        public static Length fromFile(String fileName) throws IOException {
            return new Length(new ByteBufferKaitaiStream(fileName));
        }
        private Boolean _is_le;

        public Length(KaitaiStream _io) {
            this(_io, null, null);
        }

        public Length(KaitaiStream _io, KaitaiStruct _parent) {
            this(_io, _parent, null);
        }

        public Length(KaitaiStream _io, KaitaiStruct _parent, Gguf _root) {
            super(_io);
            this._parent = _parent;
            this._root = _root;
            _read();
        }
        private void _read() {
            {
                boolean on = _root().isBe();
                if (on == true) {
                    this._is_le = false;
                }
                else if (on == false) {
                    this._is_le = true;
                }
            }

            if (_is_le == null) {
                throw new KaitaiStream.UndecidedEndiannessError();
            } else if (_is_le) {
                _readLE();
            } else {
                _readBE();
            }
        }
        private void _readLE() {
            if (_root().version() == 1) {
                this.valueU4 = this._io.readU4le();
                if (!(this.valueU4 <= 1073741824)) {
                    throw new KaitaiStream.ValidationGreaterThanError(1073741824, this.valueU4, this._io, "/types/length/seq/0");
                }
            }
            if (_root().version() != 1) {
                this.valueU8 = this._io.readU8le();
                if (!(this.valueU8 >= 0)) {
                    throw new KaitaiStream.ValidationLessThanError(0, this.valueU8, this._io, "/types/length/seq/1");
                }
                if (!(this.valueU8 <= 1073741824)) {
                    throw new KaitaiStream.ValidationGreaterThanError(1073741824, this.valueU8, this._io, "/types/length/seq/1");
                }
            }
        }
        private void _readBE() {
            if (_root().version() == 1) {
                this.valueU4 = this._io.readU4be();
                if (!(this.valueU4 <= 1073741824)) {
                    throw new KaitaiStream.ValidationGreaterThanError(1073741824, this.valueU4, this._io, "/types/length/seq/0");
                }
            }
            if (_root().version() != 1) {
                this.valueU8 = this._io.readU8be();
                if (!(this.valueU8 >= 0)) {
                    throw new KaitaiStream.ValidationLessThanError(0, this.valueU8, this._io, "/types/length/seq/1");
                }
                if (!(this.valueU8 <= 1073741824)) {
                    throw new KaitaiStream.ValidationGreaterThanError(1073741824, this.valueU8, this._io, "/types/length/seq/1");
                }
            }
        }

        public void _fetchInstances() {
            if (_root().version() == 1) {
            }
            if (_root().version() != 1) {
            }
        }
        private Integer asInt;

        /**
         * The same as `value`, in a type that all languages can repeat by.
         */
        public Integer asInt() {
            if (this.asInt != null)
                return this.asInt;
            this.asInt = ((Number) ((_root().version() == 1 ? ((Number) (valueU4())).intValue() : ((Number) (valueU8())).intValue()))).intValue();
            return this.asInt;
        }
        private Long value;
        public Long value() {
            if (this.value != null)
                return this.value;
            this.value = ((Number) ((_root().version() == 1 ? ((Number) (valueU4())).longValue() : ((Number) (valueU8())).longValue()))).longValue();
            return this.value;
        }
        private Long valueU4;
        private Long valueU8;
        private Gguf _root;
        private KaitaiStruct _parent;
        public Long valueU4() { return valueU4; }
        public Long valueU8() { return valueU8; }
        public Gguf _root() { return _root; }
        public KaitaiStruct _parent() { return _parent; }
    }
    public static class StringElements extends KaitaiStruct {
        public static StringElements fromFile(String fileName) throws IOException {
            return new StringElements(new ByteBufferKaitaiStream(fileName));
        }

        public StringElements(KaitaiStream _io) {
            this(_io, null, null);
        }

        public StringElements(KaitaiStream _io, Gguf.GgufArray _parent) {
            this(_io, _parent, null);
        }

        public StringElements(KaitaiStream _io, Gguf.GgufArray _parent, Gguf _root) {
            super(_io);
            this._parent = _parent;
            this._root = _root;
            _read();
        }
        private void _read() {
            this.items = new ArrayList<GgufString>();
            for (int i = 0; i < _parent().numElements().asInt(); i++) {
                this.items.add(new GgufString(this._io, this, _root));
            }
        }

        public void _fetchInstances() {
            for (int i = 0; i < this.items.size(); i++) {
                this.items.get(((Number) (i)).intValue())._fetchInstances();
            }
        }
        private List<GgufString> items;
        private Gguf _root;
        private Gguf.GgufArray _parent;
        public List<GgufString> items() { return items; }
        public Gguf _root() { return _root; }
        public Gguf.GgufArray _parent() { return _parent; }
    }
    public static class TensorInfo extends KaitaiStruct {
        public static TensorInfo fromFile(String fileName) throws IOException {
            return new TensorInfo(new ByteBufferKaitaiStream(fileName));
        }
        private Boolean _is_le;

        public TensorInfo(KaitaiStream _io) {
            this(_io, null, null);
        }

        public TensorInfo(KaitaiStream _io, Gguf.GgufBody _parent) {
            this(_io, _parent, null);
        }

        public TensorInfo(KaitaiStream _io, Gguf.GgufBody _parent, Gguf _root) {
            super(_io);
            this._parent = _parent;
            this._root = _root;
            _read();
        }
        private void _read() {
            {
                boolean on = _root().isBe();
                if (on == true) {
                    this._is_le = false;
                }
                else if (on == false) {
                    this._is_le = true;
                }
            }

            if (_is_le == null) {
                throw new KaitaiStream.UndecidedEndiannessError();
            } else if (_is_le) {
                _readLE();
            } else {
                _readBE();
            }
        }
        private void _readLE() {
            this.name = new GgufString(this._io, this, _root);
            this.numDims = this._io.readU4le();
            if (!(this.numDims <= 4)) {
                throw new KaitaiStream.ValidationGreaterThanError(4, this.numDims, this._io, "/types/tensor_info/seq/1");
            }
            this.dims = new ArrayList<Dim>();
            for (int i = 0; i < numDims(); i++) {
                this.dims.add(new Dim(this._io, this, _root));
            }
            this.typeId = this._io.readU4le();
            this.ofsData = this._io.readU8le();
        }
        private void _readBE() {
            this.name = new GgufString(this._io, this, _root);
            this.numDims = this._io.readU4be();
            if (!(this.numDims <= 4)) {
                throw new KaitaiStream.ValidationGreaterThanError(4, this.numDims, this._io, "/types/tensor_info/seq/1");
            }
            this.dims = new ArrayList<Dim>();
            for (int i = 0; i < numDims(); i++) {
                this.dims.add(new Dim(this._io, this, _root));
            }
            this.typeId = this._io.readU4be();
            this.ofsData = this._io.readU8be();
        }

        public void _fetchInstances() {
            this.name._fetchInstances();
            for (int i = 0; i < this.dims.size(); i++) {
                this.dims.get(((Number) (i)).intValue())._fetchInstances();
            }
        }
        private GgmlType ggmlType;
        public GgmlType ggmlType() {
            if (this.ggmlType != null)
                return this.ggmlType;
            this.ggmlType = Gguf.GgmlType.byId(typeId());
            return this.ggmlType;
        }
        private GgufString name;
        private long numDims;
        private List<Dim> dims;
        private long typeId;
        private long ofsData;
        private Gguf _root;
        private Gguf.GgufBody _parent;

        /**
         * Unique in the file. By the specification at most 64 bytes; ggml
         * accepts at most 63, and some writers exceed both.
         */
        public GgufString name() { return name; }

        /**
         * A tensor without dimensions holds one element.
         */
        public long numDims() { return numDims; }

        /**
         * In elements. The first is the row length, which varies fastest: numpy
         * and most others use the reverse order.
         */
        public List<Dim> dims() { return dims; }

        /**
         * New types come with most releases of ggml, so a number that is not in
         * the enum does not make a file invalid.
         */
        public long typeId() { return typeId; }

        /**
         * In bytes, from the start of the tensor data. A multiple of the
         * alignment.
         */
        public long ofsData() { return ofsData; }
        public Gguf _root() { return _root; }
        public Gguf.GgufBody _parent() { return _parent; }
    }
    public static class ValueF4 extends KaitaiStruct {
        public static ValueF4 fromFile(String fileName) throws IOException {
            return new ValueF4(new ByteBufferKaitaiStream(fileName));
        }
        private Boolean _is_le;

        public ValueF4(KaitaiStream _io) {
            this(_io, null, null);
        }

        public ValueF4(KaitaiStream _io, Gguf.KeyValue _parent) {
            this(_io, _parent, null);
        }

        public ValueF4(KaitaiStream _io, Gguf.KeyValue _parent, Gguf _root) {
            super(_io);
            this._parent = _parent;
            this._root = _root;
            _read();
        }
        private void _read() {
            {
                boolean on = _root().isBe();
                if (on == true) {
                    this._is_le = false;
                }
                else if (on == false) {
                    this._is_le = true;
                }
            }

            if (_is_le == null) {
                throw new KaitaiStream.UndecidedEndiannessError();
            } else if (_is_le) {
                _readLE();
            } else {
                _readBE();
            }
        }
        private void _readLE() {
            this.value = this._io.readF4le();
        }
        private void _readBE() {
            this.value = this._io.readF4be();
        }

        public void _fetchInstances() {
        }
        private float value;
        private Gguf _root;
        private Gguf.KeyValue _parent;
        public float value() { return value; }
        public Gguf _root() { return _root; }
        public Gguf.KeyValue _parent() { return _parent; }
    }
    public static class ValueF8 extends KaitaiStruct {
        public static ValueF8 fromFile(String fileName) throws IOException {
            return new ValueF8(new ByteBufferKaitaiStream(fileName));
        }
        private Boolean _is_le;

        public ValueF8(KaitaiStream _io) {
            this(_io, null, null);
        }

        public ValueF8(KaitaiStream _io, Gguf.KeyValue _parent) {
            this(_io, _parent, null);
        }

        public ValueF8(KaitaiStream _io, Gguf.KeyValue _parent, Gguf _root) {
            super(_io);
            this._parent = _parent;
            this._root = _root;
            _read();
        }
        private void _read() {
            {
                boolean on = _root().isBe();
                if (on == true) {
                    this._is_le = false;
                }
                else if (on == false) {
                    this._is_le = true;
                }
            }

            if (_is_le == null) {
                throw new KaitaiStream.UndecidedEndiannessError();
            } else if (_is_le) {
                _readLE();
            } else {
                _readBE();
            }
        }
        private void _readLE() {
            this.value = this._io.readF8le();
        }
        private void _readBE() {
            this.value = this._io.readF8be();
        }

        public void _fetchInstances() {
        }
        private double value;
        private Gguf _root;
        private Gguf.KeyValue _parent;
        public double value() { return value; }
        public Gguf _root() { return _root; }
        public Gguf.KeyValue _parent() { return _parent; }
    }
    public static class ValueS1 extends KaitaiStruct {
        public static ValueS1 fromFile(String fileName) throws IOException {
            return new ValueS1(new ByteBufferKaitaiStream(fileName));
        }

        public ValueS1(KaitaiStream _io) {
            this(_io, null, null);
        }

        public ValueS1(KaitaiStream _io, Gguf.KeyValue _parent) {
            this(_io, _parent, null);
        }

        public ValueS1(KaitaiStream _io, Gguf.KeyValue _parent, Gguf _root) {
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
        private Gguf _root;
        private Gguf.KeyValue _parent;
        public byte value() { return value; }
        public Gguf _root() { return _root; }
        public Gguf.KeyValue _parent() { return _parent; }
    }
    public static class ValueS2 extends KaitaiStruct {
        public static ValueS2 fromFile(String fileName) throws IOException {
            return new ValueS2(new ByteBufferKaitaiStream(fileName));
        }
        private Boolean _is_le;

        public ValueS2(KaitaiStream _io) {
            this(_io, null, null);
        }

        public ValueS2(KaitaiStream _io, Gguf.KeyValue _parent) {
            this(_io, _parent, null);
        }

        public ValueS2(KaitaiStream _io, Gguf.KeyValue _parent, Gguf _root) {
            super(_io);
            this._parent = _parent;
            this._root = _root;
            _read();
        }
        private void _read() {
            {
                boolean on = _root().isBe();
                if (on == true) {
                    this._is_le = false;
                }
                else if (on == false) {
                    this._is_le = true;
                }
            }

            if (_is_le == null) {
                throw new KaitaiStream.UndecidedEndiannessError();
            } else if (_is_le) {
                _readLE();
            } else {
                _readBE();
            }
        }
        private void _readLE() {
            this.value = this._io.readS2le();
        }
        private void _readBE() {
            this.value = this._io.readS2be();
        }

        public void _fetchInstances() {
        }
        private short value;
        private Gguf _root;
        private Gguf.KeyValue _parent;
        public short value() { return value; }
        public Gguf _root() { return _root; }
        public Gguf.KeyValue _parent() { return _parent; }
    }
    public static class ValueS4 extends KaitaiStruct {
        public static ValueS4 fromFile(String fileName) throws IOException {
            return new ValueS4(new ByteBufferKaitaiStream(fileName));
        }
        private Boolean _is_le;

        public ValueS4(KaitaiStream _io) {
            this(_io, null, null);
        }

        public ValueS4(KaitaiStream _io, Gguf.KeyValue _parent) {
            this(_io, _parent, null);
        }

        public ValueS4(KaitaiStream _io, Gguf.KeyValue _parent, Gguf _root) {
            super(_io);
            this._parent = _parent;
            this._root = _root;
            _read();
        }
        private void _read() {
            {
                boolean on = _root().isBe();
                if (on == true) {
                    this._is_le = false;
                }
                else if (on == false) {
                    this._is_le = true;
                }
            }

            if (_is_le == null) {
                throw new KaitaiStream.UndecidedEndiannessError();
            } else if (_is_le) {
                _readLE();
            } else {
                _readBE();
            }
        }
        private void _readLE() {
            this.value = this._io.readS4le();
        }
        private void _readBE() {
            this.value = this._io.readS4be();
        }

        public void _fetchInstances() {
        }
        private int value;
        private Gguf _root;
        private Gguf.KeyValue _parent;
        public int value() { return value; }
        public Gguf _root() { return _root; }
        public Gguf.KeyValue _parent() { return _parent; }
    }
    public static class ValueS8 extends KaitaiStruct {
        public static ValueS8 fromFile(String fileName) throws IOException {
            return new ValueS8(new ByteBufferKaitaiStream(fileName));
        }
        private Boolean _is_le;

        public ValueS8(KaitaiStream _io) {
            this(_io, null, null);
        }

        public ValueS8(KaitaiStream _io, Gguf.KeyValue _parent) {
            this(_io, _parent, null);
        }

        public ValueS8(KaitaiStream _io, Gguf.KeyValue _parent, Gguf _root) {
            super(_io);
            this._parent = _parent;
            this._root = _root;
            _read();
        }
        private void _read() {
            {
                boolean on = _root().isBe();
                if (on == true) {
                    this._is_le = false;
                }
                else if (on == false) {
                    this._is_le = true;
                }
            }

            if (_is_le == null) {
                throw new KaitaiStream.UndecidedEndiannessError();
            } else if (_is_le) {
                _readLE();
            } else {
                _readBE();
            }
        }
        private void _readLE() {
            this.value = this._io.readS8le();
        }
        private void _readBE() {
            this.value = this._io.readS8be();
        }

        public void _fetchInstances() {
        }
        private long value;
        private Gguf _root;
        private Gguf.KeyValue _parent;
        public long value() { return value; }
        public Gguf _root() { return _root; }
        public Gguf.KeyValue _parent() { return _parent; }
    }
    public static class ValueU1 extends KaitaiStruct {
        public static ValueU1 fromFile(String fileName) throws IOException {
            return new ValueU1(new ByteBufferKaitaiStream(fileName));
        }

        public ValueU1(KaitaiStream _io) {
            this(_io, null, null);
        }

        public ValueU1(KaitaiStream _io, Gguf.KeyValue _parent) {
            this(_io, _parent, null);
        }

        public ValueU1(KaitaiStream _io, Gguf.KeyValue _parent, Gguf _root) {
            super(_io);
            this._parent = _parent;
            this._root = _root;
            _read();
        }
        private void _read() {
            this.value = this._io.readU1();
        }

        public void _fetchInstances() {
        }
        private int value;
        private Gguf _root;
        private Gguf.KeyValue _parent;
        public int value() { return value; }
        public Gguf _root() { return _root; }
        public Gguf.KeyValue _parent() { return _parent; }
    }
    public static class ValueU2 extends KaitaiStruct {
        public static ValueU2 fromFile(String fileName) throws IOException {
            return new ValueU2(new ByteBufferKaitaiStream(fileName));
        }
        private Boolean _is_le;

        public ValueU2(KaitaiStream _io) {
            this(_io, null, null);
        }

        public ValueU2(KaitaiStream _io, Gguf.KeyValue _parent) {
            this(_io, _parent, null);
        }

        public ValueU2(KaitaiStream _io, Gguf.KeyValue _parent, Gguf _root) {
            super(_io);
            this._parent = _parent;
            this._root = _root;
            _read();
        }
        private void _read() {
            {
                boolean on = _root().isBe();
                if (on == true) {
                    this._is_le = false;
                }
                else if (on == false) {
                    this._is_le = true;
                }
            }

            if (_is_le == null) {
                throw new KaitaiStream.UndecidedEndiannessError();
            } else if (_is_le) {
                _readLE();
            } else {
                _readBE();
            }
        }
        private void _readLE() {
            this.value = this._io.readU2le();
        }
        private void _readBE() {
            this.value = this._io.readU2be();
        }

        public void _fetchInstances() {
        }
        private int value;
        private Gguf _root;
        private Gguf.KeyValue _parent;
        public int value() { return value; }
        public Gguf _root() { return _root; }
        public Gguf.KeyValue _parent() { return _parent; }
    }
    public static class ValueU4 extends KaitaiStruct {
        public static ValueU4 fromFile(String fileName) throws IOException {
            return new ValueU4(new ByteBufferKaitaiStream(fileName));
        }
        private Boolean _is_le;

        public ValueU4(KaitaiStream _io) {
            this(_io, null, null);
        }

        public ValueU4(KaitaiStream _io, Gguf.KeyValue _parent) {
            this(_io, _parent, null);
        }

        public ValueU4(KaitaiStream _io, Gguf.KeyValue _parent, Gguf _root) {
            super(_io);
            this._parent = _parent;
            this._root = _root;
            _read();
        }
        private void _read() {
            {
                boolean on = _root().isBe();
                if (on == true) {
                    this._is_le = false;
                }
                else if (on == false) {
                    this._is_le = true;
                }
            }

            if (_is_le == null) {
                throw new KaitaiStream.UndecidedEndiannessError();
            } else if (_is_le) {
                _readLE();
            } else {
                _readBE();
            }
        }
        private void _readLE() {
            this.value = this._io.readU4le();
        }
        private void _readBE() {
            this.value = this._io.readU4be();
        }

        public void _fetchInstances() {
        }
        private long value;
        private Gguf _root;
        private Gguf.KeyValue _parent;
        public long value() { return value; }
        public Gguf _root() { return _root; }
        public Gguf.KeyValue _parent() { return _parent; }
    }
    public static class ValueU8 extends KaitaiStruct {
        public static ValueU8 fromFile(String fileName) throws IOException {
            return new ValueU8(new ByteBufferKaitaiStream(fileName));
        }
        private Boolean _is_le;

        public ValueU8(KaitaiStream _io) {
            this(_io, null, null);
        }

        public ValueU8(KaitaiStream _io, Gguf.KeyValue _parent) {
            this(_io, _parent, null);
        }

        public ValueU8(KaitaiStream _io, Gguf.KeyValue _parent, Gguf _root) {
            super(_io);
            this._parent = _parent;
            this._root = _root;
            _read();
        }
        private void _read() {
            {
                boolean on = _root().isBe();
                if (on == true) {
                    this._is_le = false;
                }
                else if (on == false) {
                    this._is_le = true;
                }
            }

            if (_is_le == null) {
                throw new KaitaiStream.UndecidedEndiannessError();
            } else if (_is_le) {
                _readLE();
            } else {
                _readBE();
            }
        }
        private void _readLE() {
            this.value = this._io.readU8le();
        }
        private void _readBE() {
            this.value = this._io.readU8be();
        }

        public void _fetchInstances() {
        }
        private long value;
        private Gguf _root;
        private Gguf.KeyValue _parent;
        public long value() { return value; }
        public Gguf _root() { return _root; }
        public Gguf.KeyValue _parent() { return _parent; }
    }
    private Boolean isBe;

    /**
     * Whether all of the file, tensor data included, is big-endian.
     */
    public Boolean isBe() {
        if (this.isBe != null)
            return this.isBe;
        this.isBe = (versionLe() & 65535) == 0;
        return this.isBe;
    }
    private Integer version;
    public Integer version() {
        if (this.version != null)
            return this.version;
        this.version = ((Number) ((isBe() ? versionBe() : versionLe()))).intValue();
        return this.version;
    }
    private Long versionBe;
    public Long versionBe() {
        if (this.versionBe != null)
            return this.versionBe;
        long _pos = this._io.pos();
        this._io.seek(4);
        this.versionBe = this._io.readU4be();
        this._io.seek(_pos);
        return this.versionBe;
    }
    private Long versionLe;
    public Long versionLe() {
        if (this.versionLe != null)
            return this.versionLe;
        long _pos = this._io.pos();
        this._io.seek(4);
        this.versionLe = this._io.readU4le();
        this._io.seek(_pos);
        return this.versionLe;
    }
    private byte[] magic;
    private GgufBody body;
    private Gguf _root;
    private KaitaiStruct _parent;

    /**
     * The same bytes in both byte orders.
     */
    public byte[] magic() { return magic; }
    public GgufBody body() { return body; }
    public Gguf _root() { return _root; }
    public KaitaiStruct _parent() { return _parent; }
}
