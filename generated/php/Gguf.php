<?php
// This is a generated file! Please edit source .ksy file and use kaitai-struct-compiler to rebuild

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
 */

namespace {
    class Gguf extends \Kaitai\Struct\Struct {
        public function __construct(\Kaitai\Struct\Stream $_io, ?\Kaitai\Struct\Struct $_parent = null, ?\Gguf $_root = null) {
            parent::__construct($_io, $_parent, $_root === null ? $this : $_root);
            $this->_read();
        }

        private function _read() {
            $this->_m_magic = $this->_io->readBytes(4);
            if (!($this->_m_magic == "\x47\x47\x55\x46")) {
                throw new \Kaitai\Struct\Error\ValidationNotEqualError("\x47\x47\x55\x46", $this->_m_magic, $this->_io, "/seq/0");
            }
            $this->_m_body = new \Gguf\GgufBody($this->_io, $this, $this->_root);
        }
        protected $_m_isBe;

        /**
         * Whether all of the file, tensor data included, is big-endian.
         */
        public function isBe() {
            if ($this->_m_isBe !== null)
                return $this->_m_isBe;
            $this->_m_isBe = ($this->versionLe() & 65535) == 0;
            return $this->_m_isBe;
        }
        protected $_m_version;
        public function version() {
            if ($this->_m_version !== null)
                return $this->_m_version;
            $this->_m_version = ($this->isBe() ? $this->versionBe() : $this->versionLe());
            return $this->_m_version;
        }
        protected $_m_versionBe;
        public function versionBe() {
            if ($this->_m_versionBe !== null)
                return $this->_m_versionBe;
            $_pos = $this->_io->pos();
            $this->_io->seek(4);
            $this->_m_versionBe = $this->_io->readU4be();
            $this->_io->seek($_pos);
            return $this->_m_versionBe;
        }
        protected $_m_versionLe;
        public function versionLe() {
            if ($this->_m_versionLe !== null)
                return $this->_m_versionLe;
            $_pos = $this->_io->pos();
            $this->_io->seek(4);
            $this->_m_versionLe = $this->_io->readU4le();
            $this->_io->seek($_pos);
            return $this->_m_versionLe;
        }
        protected $_m_magic;
        protected $_m_body;

        /**
         * The same bytes in both byte orders.
         */
        public function magic() { return $this->_m_magic; }
        public function body() { return $this->_m_body; }
    }
}

namespace Gguf {
    class ArrayElements extends \Kaitai\Struct\Struct {
        public function __construct(\Kaitai\Struct\Stream $_io, ?\Gguf\GgufArray $_parent = null, ?\Gguf $_root = null) {
            parent::__construct($_io, $_parent, $_root);
            $this->_read();
        }

        private function _read() {
            $this->_m_items = [];
            $n = $this->_parent()->numElements()->asInt();
            for ($i = 0; $i < $n; $i++) {
                $this->_m_items[] = new \Gguf\GgufArray($this->_io, $this, $this->_root);
            }
        }
        protected $_m_items;
        public function items() { return $this->_m_items; }
    }
}

/**
 * A size in elements. 32 bits wide in version 1, 64 bits since version 2.
 */

namespace Gguf {
    class Dim extends \Kaitai\Struct\Struct {
        protected $_m__is_le;

        public function __construct(\Kaitai\Struct\Stream $_io, ?\Gguf\TensorInfo $_parent = null, ?\Gguf $_root = null) {
            parent::__construct($_io, $_parent, $_root);
            $this->_read();
        }

        private function _read() {
            switch ($this->_root()->isBe()) {
                case true:
                    $this->_m__is_le = false;
                    break;
                case false:
                    $this->_m__is_le = true;
                    break;
            }

            if (is_null($this->_m__is_le)) {
                throw new \Kaitai\Struct\Error\UndecidedEndiannessError;
            } else if ($this->_m__is_le) {
                $this->_readLE();
            } else {
                $this->_readBE();
            }
        }

        private function _readLE() {
            if ($this->_root()->version() == 1) {
                $this->_m_valueU4 = $this->_io->readU4le();
            }
            if ($this->_root()->version() != 1) {
                $this->_m_valueU8 = $this->_io->readU8le();
            }
        }

        private function _readBE() {
            if ($this->_root()->version() == 1) {
                $this->_m_valueU4 = $this->_io->readU4be();
            }
            if ($this->_root()->version() != 1) {
                $this->_m_valueU8 = $this->_io->readU8be();
            }
        }
        protected $_m_value;
        public function value() {
            if ($this->_m_value !== null)
                return $this->_m_value;
            $this->_m_value = ($this->_root()->version() == 1 ? $this->valueU4() : $this->valueU8());
            return $this->_m_value;
        }
        protected $_m_valueU4;
        protected $_m_valueU8;
        public function valueU4() { return $this->_m_valueU4; }
        public function valueU8() { return $this->_m_valueU8; }
    }
}

/**
 * Numbers of 1 byte each, in the file's byte order.
 */

namespace Gguf {
    class Elements1 extends \Kaitai\Struct\Struct {
        public function __construct(\Kaitai\Struct\Stream $_io, ?\Gguf\GgufArray $_parent = null, ?\Gguf $_root = null) {
            parent::__construct($_io, $_parent, $_root);
            $this->_read();
        }

        private function _read() {
            $this->_m_data = $this->_io->readBytes($this->_parent()->numElements()->value());
        }
        protected $_m_data;
        public function data() { return $this->_m_data; }
    }
}

/**
 * Numbers of 2 bytes each, in the file's byte order.
 */

namespace Gguf {
    class Elements2 extends \Kaitai\Struct\Struct {
        public function __construct(\Kaitai\Struct\Stream $_io, ?\Gguf\GgufArray $_parent = null, ?\Gguf $_root = null) {
            parent::__construct($_io, $_parent, $_root);
            $this->_read();
        }

        private function _read() {
            $this->_m_data = $this->_io->readBytes($this->_parent()->numElements()->value() * 2);
        }
        protected $_m_data;
        public function data() { return $this->_m_data; }
    }
}

/**
 * Numbers of 4 bytes each, in the file's byte order.
 */

namespace Gguf {
    class Elements4 extends \Kaitai\Struct\Struct {
        public function __construct(\Kaitai\Struct\Stream $_io, ?\Gguf\GgufArray $_parent = null, ?\Gguf $_root = null) {
            parent::__construct($_io, $_parent, $_root);
            $this->_read();
        }

        private function _read() {
            $this->_m_data = $this->_io->readBytes($this->_parent()->numElements()->value() * 4);
        }
        protected $_m_data;
        public function data() { return $this->_m_data; }
    }
}

/**
 * Numbers of 8 bytes each, in the file's byte order.
 */

namespace Gguf {
    class Elements8 extends \Kaitai\Struct\Struct {
        public function __construct(\Kaitai\Struct\Stream $_io, ?\Gguf\GgufArray $_parent = null, ?\Gguf $_root = null) {
            parent::__construct($_io, $_parent, $_root);
            $this->_read();
        }

        private function _read() {
            $this->_m_data = $this->_io->readBytes($this->_parent()->numElements()->value() * 8);
        }
        protected $_m_data;
        public function data() { return $this->_m_data; }
    }
}

/**
 * Elements of one type, without padding. They can be arrays themselves,
 * each with its own element type and count.
 */

namespace Gguf {
    class GgufArray extends \Kaitai\Struct\Struct {
        protected $_m__is_le;

        public function __construct(\Kaitai\Struct\Stream $_io, ?\Kaitai\Struct\Struct $_parent = null, ?\Gguf $_root = null) {
            parent::__construct($_io, $_parent, $_root);
            $this->_read();
        }

        private function _read() {
            switch ($this->_root()->isBe()) {
                case true:
                    $this->_m__is_le = false;
                    break;
                case false:
                    $this->_m__is_le = true;
                    break;
            }

            if (is_null($this->_m__is_le)) {
                throw new \Kaitai\Struct\Error\UndecidedEndiannessError;
            } else if ($this->_m__is_le) {
                $this->_readLE();
            } else {
                $this->_readBE();
            }
        }

        private function _readLE() {
            $this->_m_elementType = $this->_io->readU4le();
            if (!\Gguf\ValueType::isDefined($this->_m_elementType)) {
                throw new \Kaitai\Struct\Error\ValidationNotInEnumError($this->_m_elementType, $this->_io, "/types/gguf_array/seq/0");
            }
            $this->_m_numElements = new \Gguf\Length($this->_io, $this, $this->_root);
            switch ($this->elementType()) {
                case \Gguf\ValueType::ARRAY:
                    $this->_m_elements = new \Gguf\ArrayElements($this->_io, $this, $this->_root);
                    break;
                case \Gguf\ValueType::BOOL:
                    $this->_m_elements = new \Gguf\Elements1($this->_io, $this, $this->_root);
                    break;
                case \Gguf\ValueType::FLOAT32:
                    $this->_m_elements = new \Gguf\Elements4($this->_io, $this, $this->_root);
                    break;
                case \Gguf\ValueType::FLOAT64:
                    $this->_m_elements = new \Gguf\Elements8($this->_io, $this, $this->_root);
                    break;
                case \Gguf\ValueType::INT16:
                    $this->_m_elements = new \Gguf\Elements2($this->_io, $this, $this->_root);
                    break;
                case \Gguf\ValueType::INT32:
                    $this->_m_elements = new \Gguf\Elements4($this->_io, $this, $this->_root);
                    break;
                case \Gguf\ValueType::INT64:
                    $this->_m_elements = new \Gguf\Elements8($this->_io, $this, $this->_root);
                    break;
                case \Gguf\ValueType::INT8:
                    $this->_m_elements = new \Gguf\Elements1($this->_io, $this, $this->_root);
                    break;
                case \Gguf\ValueType::STRING:
                    $this->_m_elements = new \Gguf\StringElements($this->_io, $this, $this->_root);
                    break;
                case \Gguf\ValueType::UINT16:
                    $this->_m_elements = new \Gguf\Elements2($this->_io, $this, $this->_root);
                    break;
                case \Gguf\ValueType::UINT32:
                    $this->_m_elements = new \Gguf\Elements4($this->_io, $this, $this->_root);
                    break;
                case \Gguf\ValueType::UINT64:
                    $this->_m_elements = new \Gguf\Elements8($this->_io, $this, $this->_root);
                    break;
                case \Gguf\ValueType::UINT8:
                    $this->_m_elements = new \Gguf\Elements1($this->_io, $this, $this->_root);
                    break;
            }
        }

        private function _readBE() {
            $this->_m_elementType = $this->_io->readU4be();
            if (!\Gguf\ValueType::isDefined($this->_m_elementType)) {
                throw new \Kaitai\Struct\Error\ValidationNotInEnumError($this->_m_elementType, $this->_io, "/types/gguf_array/seq/0");
            }
            $this->_m_numElements = new \Gguf\Length($this->_io, $this, $this->_root);
            switch ($this->elementType()) {
                case \Gguf\ValueType::ARRAY:
                    $this->_m_elements = new \Gguf\ArrayElements($this->_io, $this, $this->_root);
                    break;
                case \Gguf\ValueType::BOOL:
                    $this->_m_elements = new \Gguf\Elements1($this->_io, $this, $this->_root);
                    break;
                case \Gguf\ValueType::FLOAT32:
                    $this->_m_elements = new \Gguf\Elements4($this->_io, $this, $this->_root);
                    break;
                case \Gguf\ValueType::FLOAT64:
                    $this->_m_elements = new \Gguf\Elements8($this->_io, $this, $this->_root);
                    break;
                case \Gguf\ValueType::INT16:
                    $this->_m_elements = new \Gguf\Elements2($this->_io, $this, $this->_root);
                    break;
                case \Gguf\ValueType::INT32:
                    $this->_m_elements = new \Gguf\Elements4($this->_io, $this, $this->_root);
                    break;
                case \Gguf\ValueType::INT64:
                    $this->_m_elements = new \Gguf\Elements8($this->_io, $this, $this->_root);
                    break;
                case \Gguf\ValueType::INT8:
                    $this->_m_elements = new \Gguf\Elements1($this->_io, $this, $this->_root);
                    break;
                case \Gguf\ValueType::STRING:
                    $this->_m_elements = new \Gguf\StringElements($this->_io, $this, $this->_root);
                    break;
                case \Gguf\ValueType::UINT16:
                    $this->_m_elements = new \Gguf\Elements2($this->_io, $this, $this->_root);
                    break;
                case \Gguf\ValueType::UINT32:
                    $this->_m_elements = new \Gguf\Elements4($this->_io, $this, $this->_root);
                    break;
                case \Gguf\ValueType::UINT64:
                    $this->_m_elements = new \Gguf\Elements8($this->_io, $this, $this->_root);
                    break;
                case \Gguf\ValueType::UINT8:
                    $this->_m_elements = new \Gguf\Elements1($this->_io, $this, $this->_root);
                    break;
            }
        }
        protected $_m_elementType;
        protected $_m_numElements;
        protected $_m_elements;
        public function elementType() { return $this->_m_elementType; }
        public function numElements() { return $this->_m_numElements; }
        public function elements() { return $this->_m_elements; }
    }
}

namespace Gguf {
    class GgufBody extends \Kaitai\Struct\Struct {
        protected $_m__is_le;

        public function __construct(\Kaitai\Struct\Stream $_io, ?\Gguf $_parent = null, ?\Gguf $_root = null) {
            parent::__construct($_io, $_parent, $_root);
            $this->_read();
        }

        private function _read() {
            switch ($this->_root()->isBe()) {
                case true:
                    $this->_m__is_le = false;
                    break;
                case false:
                    $this->_m__is_le = true;
                    break;
            }

            if (is_null($this->_m__is_le)) {
                throw new \Kaitai\Struct\Error\UndecidedEndiannessError;
            } else if ($this->_m__is_le) {
                $this->_readLE();
            } else {
                $this->_readBE();
            }
        }

        private function _readLE() {
            $this->_m_version = $this->_io->readU4le();
            if (!( (($this->_m_version == 1) || ($this->_m_version == 2) || ($this->_m_version == 3)) )) {
                throw new \Kaitai\Struct\Error\ValidationNotAnyOfError($this->_m_version, $this->_io, "/types/gguf_body/seq/0");
            }
            $this->_m_numTensors = new \Gguf\Length($this->_io, $this, $this->_root);
            $this->_m_numMetadata = new \Gguf\Length($this->_io, $this, $this->_root);
            $this->_m_metadata = [];
            $n = $this->numMetadata()->asInt();
            for ($i = 0; $i < $n; $i++) {
                $this->_m_metadata[] = new \Gguf\KeyValue($this->_io, $this, $this->_root);
            }
            $this->_m_tensors = [];
            $n = $this->numTensors()->asInt();
            for ($i = 0; $i < $n; $i++) {
                $this->_m_tensors[] = new \Gguf\TensorInfo($this->_io, $this, $this->_root);
            }
            if ($this->lenHeader() < 0) {
                $this->_m_headerEnd = $this->_io->readBytes(0);
            }
        }

        private function _readBE() {
            $this->_m_version = $this->_io->readU4be();
            if (!( (($this->_m_version == 1) || ($this->_m_version == 2) || ($this->_m_version == 3)) )) {
                throw new \Kaitai\Struct\Error\ValidationNotAnyOfError($this->_m_version, $this->_io, "/types/gguf_body/seq/0");
            }
            $this->_m_numTensors = new \Gguf\Length($this->_io, $this, $this->_root);
            $this->_m_numMetadata = new \Gguf\Length($this->_io, $this, $this->_root);
            $this->_m_metadata = [];
            $n = $this->numMetadata()->asInt();
            for ($i = 0; $i < $n; $i++) {
                $this->_m_metadata[] = new \Gguf\KeyValue($this->_io, $this, $this->_root);
            }
            $this->_m_tensors = [];
            $n = $this->numTensors()->asInt();
            for ($i = 0; $i < $n; $i++) {
                $this->_m_tensors[] = new \Gguf\TensorInfo($this->_io, $this, $this->_root);
            }
            if ($this->lenHeader() < 0) {
                $this->_m_headerEnd = $this->_io->readBytes(0);
            }
        }
        protected $_m_alignment;

        /**
         * Offsets of tensors are multiples of this power of two.
         */
        public function alignment() {
            if ($this->_m_alignment !== null)
                return $this->_m_alignment;
            $this->_m_alignment = (count($this->metadata()) > 0 ? $this->metadata()[count($this->alignmentSearch()) - 1]->alignment() : 32);
            return $this->_m_alignment;
        }
        protected $_m_alignmentSearch;

        /**
         * Reads nothing. Has one item for each key-value up to and including the
         * first alignment, or for all of them if there is none.
         */
        public function alignmentSearch() {
            if ($this->_m_alignmentSearch !== null)
                return $this->_m_alignmentSearch;
            if (count($this->metadata()) > 0) {
                if ($this->_m__is_le) {
                    $this->_m_alignmentSearch = [];
                    $i = 0;
                    do {
                        $_ = $this->_io->readBytes(0);
                        $this->_m_alignmentSearch[] = $_;
                        $i++;
                    } while (!( (($this->metadata()[count($this->alignmentSearch()) - 1]->isAlignment()) || (count($this->alignmentSearch()) == count($this->metadata()))) ));
                } else {
                    $this->_m_alignmentSearch = [];
                    $i = 0;
                    do {
                        $_ = $this->_io->readBytes(0);
                        $this->_m_alignmentSearch[] = $_;
                        $i++;
                    } while (!( (($this->metadata()[count($this->alignmentSearch()) - 1]->isAlignment()) || (count($this->alignmentSearch()) == count($this->metadata()))) ));
                }
            }
            return $this->_m_alignmentSearch;
        }
        protected $_m_lenHeader;

        /**
         * From the start of the file to the end of the last tensor info.
         */
        public function lenHeader() {
            if ($this->_m_lenHeader !== null)
                return $this->_m_lenHeader;
            $this->_m_lenHeader = $this->_io()->pos();
            return $this->_m_lenHeader;
        }
        protected $_m_ofsTensorData;

        /**
         * From the start of the file. A file without tensors may end before.
         */
        public function ofsTensorData() {
            if ($this->_m_ofsTensorData !== null)
                return $this->_m_ofsTensorData;
            $this->_m_ofsTensorData = ($this->lenHeader() + \Kaitai\Struct\Stream::mod(-($this->lenHeader()), $this->alignment()));
            return $this->_m_ofsTensorData;
        }
        protected $_m_version;
        protected $_m_numTensors;
        protected $_m_numMetadata;
        protected $_m_metadata;
        protected $_m_tensors;
        protected $_m_headerEnd;

        /**
         * Lengths and counts have 32 bits in version 1, 64 bits in versions 2
         * and 3. Big-endian files are allowed since version 3.
         */
        public function version() { return $this->_m_version; }
        public function numTensors() { return $this->_m_numTensors; }
        public function numMetadata() { return $this->_m_numMetadata; }
        public function metadata() { return $this->_m_metadata; }
        public function tensors() { return $this->_m_tensors; }
        public function headerEnd() { return $this->_m_headerEnd; }
    }
}

namespace Gguf {
    class GgufString extends \Kaitai\Struct\Struct {
        public function __construct(\Kaitai\Struct\Stream $_io, ?\Kaitai\Struct\Struct $_parent = null, ?\Gguf $_root = null) {
            parent::__construct($_io, $_parent, $_root);
            $this->_read();
        }

        private function _read() {
            $this->_m_lenData = new \Gguf\Length($this->_io, $this, $this->_root);
            $this->_m_data = $this->_io->readBytes($this->lenData()->value());
        }
        protected $_m_value;

        /**
         * Bytes that are not UTF-8 are an error or replaced, by language.
         */
        public function value() {
            if ($this->_m_value !== null)
                return $this->_m_value;
            $this->_m_value = \Kaitai\Struct\Stream::bytesToStr($this->data(), "UTF-8");
            return $this->_m_value;
        }
        protected $_m_lenData;
        protected $_m_data;
        public function lenData() { return $this->_m_lenData; }

        /**
         * UTF-8 in most cases, with no terminator.
         */
        public function data() { return $this->_m_data; }
    }
}

namespace Gguf {
    class KeyValue extends \Kaitai\Struct\Struct {
        protected $_m__is_le;

        public function __construct(\Kaitai\Struct\Stream $_io, ?\Gguf\GgufBody $_parent = null, ?\Gguf $_root = null) {
            parent::__construct($_io, $_parent, $_root);
            $this->_read();
        }

        private function _read() {
            switch ($this->_root()->isBe()) {
                case true:
                    $this->_m__is_le = false;
                    break;
                case false:
                    $this->_m__is_le = true;
                    break;
            }

            if (is_null($this->_m__is_le)) {
                throw new \Kaitai\Struct\Error\UndecidedEndiannessError;
            } else if ($this->_m__is_le) {
                $this->_readLE();
            } else {
                $this->_readBE();
            }
        }

        private function _readLE() {
            $this->_m_key = new \Gguf\GgufString($this->_io, $this, $this->_root);
            $this->_m_valueType = $this->_io->readU4le();
            if (!\Gguf\ValueType::isDefined($this->_m_valueType)) {
                throw new \Kaitai\Struct\Error\ValidationNotInEnumError($this->_m_valueType, $this->_io, "/types/key_value/seq/1");
            }
            switch ($this->valueType()) {
                case \Gguf\ValueType::ARRAY:
                    $this->_m_value = new \Gguf\GgufArray($this->_io, $this, $this->_root);
                    break;
                case \Gguf\ValueType::BOOL:
                    $this->_m_value = new \Gguf\ValueU1($this->_io, $this, $this->_root);
                    break;
                case \Gguf\ValueType::FLOAT32:
                    $this->_m_value = new \Gguf\ValueF4($this->_io, $this, $this->_root);
                    break;
                case \Gguf\ValueType::FLOAT64:
                    $this->_m_value = new \Gguf\ValueF8($this->_io, $this, $this->_root);
                    break;
                case \Gguf\ValueType::INT16:
                    $this->_m_value = new \Gguf\ValueS2($this->_io, $this, $this->_root);
                    break;
                case \Gguf\ValueType::INT32:
                    $this->_m_value = new \Gguf\ValueS4($this->_io, $this, $this->_root);
                    break;
                case \Gguf\ValueType::INT64:
                    $this->_m_value = new \Gguf\ValueS8($this->_io, $this, $this->_root);
                    break;
                case \Gguf\ValueType::INT8:
                    $this->_m_value = new \Gguf\ValueS1($this->_io, $this, $this->_root);
                    break;
                case \Gguf\ValueType::STRING:
                    $this->_m_value = new \Gguf\GgufString($this->_io, $this, $this->_root);
                    break;
                case \Gguf\ValueType::UINT16:
                    $this->_m_value = new \Gguf\ValueU2($this->_io, $this, $this->_root);
                    break;
                case \Gguf\ValueType::UINT32:
                    $this->_m_value = new \Gguf\ValueU4($this->_io, $this, $this->_root);
                    break;
                case \Gguf\ValueType::UINT64:
                    $this->_m_value = new \Gguf\ValueU8($this->_io, $this, $this->_root);
                    break;
                case \Gguf\ValueType::UINT8:
                    $this->_m_value = new \Gguf\ValueU1($this->_io, $this, $this->_root);
                    break;
            }
        }

        private function _readBE() {
            $this->_m_key = new \Gguf\GgufString($this->_io, $this, $this->_root);
            $this->_m_valueType = $this->_io->readU4be();
            if (!\Gguf\ValueType::isDefined($this->_m_valueType)) {
                throw new \Kaitai\Struct\Error\ValidationNotInEnumError($this->_m_valueType, $this->_io, "/types/key_value/seq/1");
            }
            switch ($this->valueType()) {
                case \Gguf\ValueType::ARRAY:
                    $this->_m_value = new \Gguf\GgufArray($this->_io, $this, $this->_root);
                    break;
                case \Gguf\ValueType::BOOL:
                    $this->_m_value = new \Gguf\ValueU1($this->_io, $this, $this->_root);
                    break;
                case \Gguf\ValueType::FLOAT32:
                    $this->_m_value = new \Gguf\ValueF4($this->_io, $this, $this->_root);
                    break;
                case \Gguf\ValueType::FLOAT64:
                    $this->_m_value = new \Gguf\ValueF8($this->_io, $this, $this->_root);
                    break;
                case \Gguf\ValueType::INT16:
                    $this->_m_value = new \Gguf\ValueS2($this->_io, $this, $this->_root);
                    break;
                case \Gguf\ValueType::INT32:
                    $this->_m_value = new \Gguf\ValueS4($this->_io, $this, $this->_root);
                    break;
                case \Gguf\ValueType::INT64:
                    $this->_m_value = new \Gguf\ValueS8($this->_io, $this, $this->_root);
                    break;
                case \Gguf\ValueType::INT8:
                    $this->_m_value = new \Gguf\ValueS1($this->_io, $this, $this->_root);
                    break;
                case \Gguf\ValueType::STRING:
                    $this->_m_value = new \Gguf\GgufString($this->_io, $this, $this->_root);
                    break;
                case \Gguf\ValueType::UINT16:
                    $this->_m_value = new \Gguf\ValueU2($this->_io, $this, $this->_root);
                    break;
                case \Gguf\ValueType::UINT32:
                    $this->_m_value = new \Gguf\ValueU4($this->_io, $this, $this->_root);
                    break;
                case \Gguf\ValueType::UINT64:
                    $this->_m_value = new \Gguf\ValueU8($this->_io, $this, $this->_root);
                    break;
                case \Gguf\ValueType::UINT8:
                    $this->_m_value = new \Gguf\ValueU1($this->_io, $this, $this->_root);
                    break;
            }
        }
        protected $_m_alignment;

        /**
         * The value if this is the alignment, otherwise the default.
         */
        public function alignment() {
            if ($this->_m_alignment !== null)
                return $this->_m_alignment;
            $this->_m_alignment = ($this->isAlignment() ? $this->value()->value() : 32);
            return $this->_m_alignment;
        }
        protected $_m_isAlignment;

        /**
         * Whether the key is `general.alignment`, with the required type.
         */
        public function isAlignment() {
            if ($this->_m_isAlignment !== null)
                return $this->_m_isAlignment;
            $this->_m_isAlignment =  (($this->valueType() == \Gguf\ValueType::UINT32) && ($this->key()->data() == "\x67\x65\x6E\x65\x72\x61\x6C\x2E\x61\x6C\x69\x67\x6E\x6D\x65\x6E\x74")) ;
            return $this->_m_isAlignment;
        }
        protected $_m_key;
        protected $_m_valueType;
        protected $_m_value;

        /**
         * Unique in the file. By the specification at most 65535 bytes of ASCII,
         * `lower_snake_case` segments joined by `.`; not all writers comply.
         */
        public function key() { return $this->_m_key; }
        public function valueType() { return $this->_m_valueType; }
        public function value() { return $this->_m_value; }
    }
}

/**
 * A count of bytes or items. 32 bits wide in version 1, 64 bits since
 * version 2. At most 2^30, which is ggml's limit for strings and arrays.
 */

namespace Gguf {
    class Length extends \Kaitai\Struct\Struct {
        protected $_m__is_le;

        public function __construct(\Kaitai\Struct\Stream $_io, ?\Kaitai\Struct\Struct $_parent = null, ?\Gguf $_root = null) {
            parent::__construct($_io, $_parent, $_root);
            $this->_read();
        }

        private function _read() {
            switch ($this->_root()->isBe()) {
                case true:
                    $this->_m__is_le = false;
                    break;
                case false:
                    $this->_m__is_le = true;
                    break;
            }

            if (is_null($this->_m__is_le)) {
                throw new \Kaitai\Struct\Error\UndecidedEndiannessError;
            } else if ($this->_m__is_le) {
                $this->_readLE();
            } else {
                $this->_readBE();
            }
        }

        private function _readLE() {
            if ($this->_root()->version() == 1) {
                $this->_m_valueU4 = $this->_io->readU4le();
                if (!($this->_m_valueU4 <= 1073741824)) {
                    throw new \Kaitai\Struct\Error\ValidationGreaterThanError(1073741824, $this->_m_valueU4, $this->_io, "/types/length/seq/0");
                }
            }
            if ($this->_root()->version() != 1) {
                $this->_m_valueU8 = $this->_io->readU8le();
                if (!($this->_m_valueU8 >= 0)) {
                    throw new \Kaitai\Struct\Error\ValidationLessThanError(0, $this->_m_valueU8, $this->_io, "/types/length/seq/1");
                }
                if (!($this->_m_valueU8 <= 1073741824)) {
                    throw new \Kaitai\Struct\Error\ValidationGreaterThanError(1073741824, $this->_m_valueU8, $this->_io, "/types/length/seq/1");
                }
            }
        }

        private function _readBE() {
            if ($this->_root()->version() == 1) {
                $this->_m_valueU4 = $this->_io->readU4be();
                if (!($this->_m_valueU4 <= 1073741824)) {
                    throw new \Kaitai\Struct\Error\ValidationGreaterThanError(1073741824, $this->_m_valueU4, $this->_io, "/types/length/seq/0");
                }
            }
            if ($this->_root()->version() != 1) {
                $this->_m_valueU8 = $this->_io->readU8be();
                if (!($this->_m_valueU8 >= 0)) {
                    throw new \Kaitai\Struct\Error\ValidationLessThanError(0, $this->_m_valueU8, $this->_io, "/types/length/seq/1");
                }
                if (!($this->_m_valueU8 <= 1073741824)) {
                    throw new \Kaitai\Struct\Error\ValidationGreaterThanError(1073741824, $this->_m_valueU8, $this->_io, "/types/length/seq/1");
                }
            }
        }
        protected $_m_asInt;

        /**
         * The same as `value`, in a type that all languages can repeat by.
         */
        public function asInt() {
            if ($this->_m_asInt !== null)
                return $this->_m_asInt;
            $this->_m_asInt = ($this->_root()->version() == 1 ? $this->valueU4() : $this->valueU8());
            return $this->_m_asInt;
        }
        protected $_m_value;
        public function value() {
            if ($this->_m_value !== null)
                return $this->_m_value;
            $this->_m_value = ($this->_root()->version() == 1 ? $this->valueU4() : $this->valueU8());
            return $this->_m_value;
        }
        protected $_m_valueU4;
        protected $_m_valueU8;
        public function valueU4() { return $this->_m_valueU4; }
        public function valueU8() { return $this->_m_valueU8; }
    }
}

namespace Gguf {
    class StringElements extends \Kaitai\Struct\Struct {
        public function __construct(\Kaitai\Struct\Stream $_io, ?\Gguf\GgufArray $_parent = null, ?\Gguf $_root = null) {
            parent::__construct($_io, $_parent, $_root);
            $this->_read();
        }

        private function _read() {
            $this->_m_items = [];
            $n = $this->_parent()->numElements()->asInt();
            for ($i = 0; $i < $n; $i++) {
                $this->_m_items[] = new \Gguf\GgufString($this->_io, $this, $this->_root);
            }
        }
        protected $_m_items;
        public function items() { return $this->_m_items; }
    }
}

namespace Gguf {
    class TensorInfo extends \Kaitai\Struct\Struct {
        protected $_m__is_le;

        public function __construct(\Kaitai\Struct\Stream $_io, ?\Gguf\GgufBody $_parent = null, ?\Gguf $_root = null) {
            parent::__construct($_io, $_parent, $_root);
            $this->_read();
        }

        private function _read() {
            switch ($this->_root()->isBe()) {
                case true:
                    $this->_m__is_le = false;
                    break;
                case false:
                    $this->_m__is_le = true;
                    break;
            }

            if (is_null($this->_m__is_le)) {
                throw new \Kaitai\Struct\Error\UndecidedEndiannessError;
            } else if ($this->_m__is_le) {
                $this->_readLE();
            } else {
                $this->_readBE();
            }
        }

        private function _readLE() {
            $this->_m_name = new \Gguf\GgufString($this->_io, $this, $this->_root);
            $this->_m_numDims = $this->_io->readU4le();
            if (!($this->_m_numDims <= 4)) {
                throw new \Kaitai\Struct\Error\ValidationGreaterThanError(4, $this->_m_numDims, $this->_io, "/types/tensor_info/seq/1");
            }
            $this->_m_dims = [];
            $n = $this->numDims();
            for ($i = 0; $i < $n; $i++) {
                $this->_m_dims[] = new \Gguf\Dim($this->_io, $this, $this->_root);
            }
            $this->_m_typeId = $this->_io->readU4le();
            $this->_m_ofsData = $this->_io->readU8le();
        }

        private function _readBE() {
            $this->_m_name = new \Gguf\GgufString($this->_io, $this, $this->_root);
            $this->_m_numDims = $this->_io->readU4be();
            if (!($this->_m_numDims <= 4)) {
                throw new \Kaitai\Struct\Error\ValidationGreaterThanError(4, $this->_m_numDims, $this->_io, "/types/tensor_info/seq/1");
            }
            $this->_m_dims = [];
            $n = $this->numDims();
            for ($i = 0; $i < $n; $i++) {
                $this->_m_dims[] = new \Gguf\Dim($this->_io, $this, $this->_root);
            }
            $this->_m_typeId = $this->_io->readU4be();
            $this->_m_ofsData = $this->_io->readU8be();
        }
        protected $_m_ggmlType;
        public function ggmlType() {
            if ($this->_m_ggmlType !== null)
                return $this->_m_ggmlType;
            $this->_m_ggmlType = $this->typeId();
            return $this->_m_ggmlType;
        }
        protected $_m_name;
        protected $_m_numDims;
        protected $_m_dims;
        protected $_m_typeId;
        protected $_m_ofsData;

        /**
         * Unique in the file. By the specification at most 64 bytes; ggml
         * accepts at most 63, and some writers exceed both.
         */
        public function name() { return $this->_m_name; }

        /**
         * A tensor without dimensions holds one element.
         */
        public function numDims() { return $this->_m_numDims; }

        /**
         * In elements. The first is the row length, which varies fastest: numpy
         * and most others use the reverse order.
         */
        public function dims() { return $this->_m_dims; }

        /**
         * New types come with most releases of ggml, so a number that is not in
         * the enum does not make a file invalid.
         */
        public function typeId() { return $this->_m_typeId; }

        /**
         * In bytes, from the start of the tensor data. A multiple of the
         * alignment.
         */
        public function ofsData() { return $this->_m_ofsData; }
    }
}

namespace Gguf {
    class ValueF4 extends \Kaitai\Struct\Struct {
        protected $_m__is_le;

        public function __construct(\Kaitai\Struct\Stream $_io, ?\Gguf\KeyValue $_parent = null, ?\Gguf $_root = null) {
            parent::__construct($_io, $_parent, $_root);
            $this->_read();
        }

        private function _read() {
            switch ($this->_root()->isBe()) {
                case true:
                    $this->_m__is_le = false;
                    break;
                case false:
                    $this->_m__is_le = true;
                    break;
            }

            if (is_null($this->_m__is_le)) {
                throw new \Kaitai\Struct\Error\UndecidedEndiannessError;
            } else if ($this->_m__is_le) {
                $this->_readLE();
            } else {
                $this->_readBE();
            }
        }

        private function _readLE() {
            $this->_m_value = $this->_io->readF4le();
        }

        private function _readBE() {
            $this->_m_value = $this->_io->readF4be();
        }
        protected $_m_value;
        public function value() { return $this->_m_value; }
    }
}

namespace Gguf {
    class ValueF8 extends \Kaitai\Struct\Struct {
        protected $_m__is_le;

        public function __construct(\Kaitai\Struct\Stream $_io, ?\Gguf\KeyValue $_parent = null, ?\Gguf $_root = null) {
            parent::__construct($_io, $_parent, $_root);
            $this->_read();
        }

        private function _read() {
            switch ($this->_root()->isBe()) {
                case true:
                    $this->_m__is_le = false;
                    break;
                case false:
                    $this->_m__is_le = true;
                    break;
            }

            if (is_null($this->_m__is_le)) {
                throw new \Kaitai\Struct\Error\UndecidedEndiannessError;
            } else if ($this->_m__is_le) {
                $this->_readLE();
            } else {
                $this->_readBE();
            }
        }

        private function _readLE() {
            $this->_m_value = $this->_io->readF8le();
        }

        private function _readBE() {
            $this->_m_value = $this->_io->readF8be();
        }
        protected $_m_value;
        public function value() { return $this->_m_value; }
    }
}

namespace Gguf {
    class ValueS1 extends \Kaitai\Struct\Struct {
        public function __construct(\Kaitai\Struct\Stream $_io, ?\Gguf\KeyValue $_parent = null, ?\Gguf $_root = null) {
            parent::__construct($_io, $_parent, $_root);
            $this->_read();
        }

        private function _read() {
            $this->_m_value = $this->_io->readS1();
        }
        protected $_m_value;
        public function value() { return $this->_m_value; }
    }
}

namespace Gguf {
    class ValueS2 extends \Kaitai\Struct\Struct {
        protected $_m__is_le;

        public function __construct(\Kaitai\Struct\Stream $_io, ?\Gguf\KeyValue $_parent = null, ?\Gguf $_root = null) {
            parent::__construct($_io, $_parent, $_root);
            $this->_read();
        }

        private function _read() {
            switch ($this->_root()->isBe()) {
                case true:
                    $this->_m__is_le = false;
                    break;
                case false:
                    $this->_m__is_le = true;
                    break;
            }

            if (is_null($this->_m__is_le)) {
                throw new \Kaitai\Struct\Error\UndecidedEndiannessError;
            } else if ($this->_m__is_le) {
                $this->_readLE();
            } else {
                $this->_readBE();
            }
        }

        private function _readLE() {
            $this->_m_value = $this->_io->readS2le();
        }

        private function _readBE() {
            $this->_m_value = $this->_io->readS2be();
        }
        protected $_m_value;
        public function value() { return $this->_m_value; }
    }
}

namespace Gguf {
    class ValueS4 extends \Kaitai\Struct\Struct {
        protected $_m__is_le;

        public function __construct(\Kaitai\Struct\Stream $_io, ?\Gguf\KeyValue $_parent = null, ?\Gguf $_root = null) {
            parent::__construct($_io, $_parent, $_root);
            $this->_read();
        }

        private function _read() {
            switch ($this->_root()->isBe()) {
                case true:
                    $this->_m__is_le = false;
                    break;
                case false:
                    $this->_m__is_le = true;
                    break;
            }

            if (is_null($this->_m__is_le)) {
                throw new \Kaitai\Struct\Error\UndecidedEndiannessError;
            } else if ($this->_m__is_le) {
                $this->_readLE();
            } else {
                $this->_readBE();
            }
        }

        private function _readLE() {
            $this->_m_value = $this->_io->readS4le();
        }

        private function _readBE() {
            $this->_m_value = $this->_io->readS4be();
        }
        protected $_m_value;
        public function value() { return $this->_m_value; }
    }
}

namespace Gguf {
    class ValueS8 extends \Kaitai\Struct\Struct {
        protected $_m__is_le;

        public function __construct(\Kaitai\Struct\Stream $_io, ?\Gguf\KeyValue $_parent = null, ?\Gguf $_root = null) {
            parent::__construct($_io, $_parent, $_root);
            $this->_read();
        }

        private function _read() {
            switch ($this->_root()->isBe()) {
                case true:
                    $this->_m__is_le = false;
                    break;
                case false:
                    $this->_m__is_le = true;
                    break;
            }

            if (is_null($this->_m__is_le)) {
                throw new \Kaitai\Struct\Error\UndecidedEndiannessError;
            } else if ($this->_m__is_le) {
                $this->_readLE();
            } else {
                $this->_readBE();
            }
        }

        private function _readLE() {
            $this->_m_value = $this->_io->readS8le();
        }

        private function _readBE() {
            $this->_m_value = $this->_io->readS8be();
        }
        protected $_m_value;
        public function value() { return $this->_m_value; }
    }
}

namespace Gguf {
    class ValueU1 extends \Kaitai\Struct\Struct {
        public function __construct(\Kaitai\Struct\Stream $_io, ?\Gguf\KeyValue $_parent = null, ?\Gguf $_root = null) {
            parent::__construct($_io, $_parent, $_root);
            $this->_read();
        }

        private function _read() {
            $this->_m_value = $this->_io->readU1();
        }
        protected $_m_value;
        public function value() { return $this->_m_value; }
    }
}

namespace Gguf {
    class ValueU2 extends \Kaitai\Struct\Struct {
        protected $_m__is_le;

        public function __construct(\Kaitai\Struct\Stream $_io, ?\Gguf\KeyValue $_parent = null, ?\Gguf $_root = null) {
            parent::__construct($_io, $_parent, $_root);
            $this->_read();
        }

        private function _read() {
            switch ($this->_root()->isBe()) {
                case true:
                    $this->_m__is_le = false;
                    break;
                case false:
                    $this->_m__is_le = true;
                    break;
            }

            if (is_null($this->_m__is_le)) {
                throw new \Kaitai\Struct\Error\UndecidedEndiannessError;
            } else if ($this->_m__is_le) {
                $this->_readLE();
            } else {
                $this->_readBE();
            }
        }

        private function _readLE() {
            $this->_m_value = $this->_io->readU2le();
        }

        private function _readBE() {
            $this->_m_value = $this->_io->readU2be();
        }
        protected $_m_value;
        public function value() { return $this->_m_value; }
    }
}

namespace Gguf {
    class ValueU4 extends \Kaitai\Struct\Struct {
        protected $_m__is_le;

        public function __construct(\Kaitai\Struct\Stream $_io, ?\Gguf\KeyValue $_parent = null, ?\Gguf $_root = null) {
            parent::__construct($_io, $_parent, $_root);
            $this->_read();
        }

        private function _read() {
            switch ($this->_root()->isBe()) {
                case true:
                    $this->_m__is_le = false;
                    break;
                case false:
                    $this->_m__is_le = true;
                    break;
            }

            if (is_null($this->_m__is_le)) {
                throw new \Kaitai\Struct\Error\UndecidedEndiannessError;
            } else if ($this->_m__is_le) {
                $this->_readLE();
            } else {
                $this->_readBE();
            }
        }

        private function _readLE() {
            $this->_m_value = $this->_io->readU4le();
        }

        private function _readBE() {
            $this->_m_value = $this->_io->readU4be();
        }
        protected $_m_value;
        public function value() { return $this->_m_value; }
    }
}

namespace Gguf {
    class ValueU8 extends \Kaitai\Struct\Struct {
        protected $_m__is_le;

        public function __construct(\Kaitai\Struct\Stream $_io, ?\Gguf\KeyValue $_parent = null, ?\Gguf $_root = null) {
            parent::__construct($_io, $_parent, $_root);
            $this->_read();
        }

        private function _read() {
            switch ($this->_root()->isBe()) {
                case true:
                    $this->_m__is_le = false;
                    break;
                case false:
                    $this->_m__is_le = true;
                    break;
            }

            if (is_null($this->_m__is_le)) {
                throw new \Kaitai\Struct\Error\UndecidedEndiannessError;
            } else if ($this->_m__is_le) {
                $this->_readLE();
            } else {
                $this->_readBE();
            }
        }

        private function _readLE() {
            $this->_m_value = $this->_io->readU8le();
        }

        private function _readBE() {
            $this->_m_value = $this->_io->readU8be();
        }
        protected $_m_value;
        public function value() { return $this->_m_value; }
    }
}

namespace Gguf {
    class GgmlType {
        const F32 = 0;
        const F16 = 1;
        const Q4_0 = 2;
        const Q4_1 = 3;
        const Q5_0 = 6;
        const Q5_1 = 7;
        const Q8_0 = 8;
        const Q8_1 = 9;
        const Q2_K = 10;
        const Q3_K = 11;
        const Q4_K = 12;
        const Q5_K = 13;
        const Q6_K = 14;
        const Q8_K = 15;
        const IQ2_XXS = 16;
        const IQ2_XS = 17;
        const IQ3_XXS = 18;
        const IQ1_S = 19;
        const IQ4_NL = 20;
        const IQ3_S = 21;
        const IQ2_S = 22;
        const IQ4_XS = 23;
        const I8 = 24;
        const I16 = 25;
        const I32 = 26;
        const I64 = 27;
        const F64 = 28;
        const IQ1_M = 29;
        const BF16 = 30;
        const TQ1_0 = 34;
        const TQ2_0 = 35;
        const MXFP4 = 39;
        const NVFP4 = 40;
        const Q1_0 = 41;
        const Q2_0 = 42;

        private const _VALUES = [0 => true, 1 => true, 2 => true, 3 => true, 6 => true, 7 => true, 8 => true, 9 => true, 10 => true, 11 => true, 12 => true, 13 => true, 14 => true, 15 => true, 16 => true, 17 => true, 18 => true, 19 => true, 20 => true, 21 => true, 22 => true, 23 => true, 24 => true, 25 => true, 26 => true, 27 => true, 28 => true, 29 => true, 30 => true, 34 => true, 35 => true, 39 => true, 40 => true, 41 => true, 42 => true];

        public static function isDefined(int $v): bool {
            return isset(self::_VALUES[$v]);
        }
    }
}

namespace Gguf {
    class ValueType {
        const UINT8 = 0;
        const INT8 = 1;
        const UINT16 = 2;
        const INT16 = 3;
        const UINT32 = 4;
        const INT32 = 5;
        const FLOAT32 = 6;

        /**
         * One byte, 0 or 1.
         */
        const BOOL = 7;
        const STRING = 8;
        const ARRAY = 9;
        const UINT64 = 10;
        const INT64 = 11;
        const FLOAT64 = 12;

        private const _VALUES = [0 => true, 1 => true, 2 => true, 3 => true, 4 => true, 5 => true, 6 => true, 7 => true, 8 => true, 9 => true, 10 => true, 11 => true, 12 => true];

        public static function isDefined(int $v): bool {
            return isset(self::_VALUES[$v]);
        }
    }
}
