<?php
// This is a generated file! Please edit source .ksy file and use kaitai-struct-compiler to rebuild

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
 */

namespace {
    class GgmlBlock extends \Kaitai\Struct\Struct {
        public function __construct(\Kaitai\Struct\Stream $_io, ?\Kaitai\Struct\Struct $_parent = null, ?\GgmlBlock $_root = null) {
            parent::__construct($_io, $_parent, $_root === null ? $this : $_root);
            $this->_read();
        }

        private function _read() {
        }
    }
}

namespace GgmlBlock {
    class Bf16 extends \Kaitai\Struct\Struct {
        public function __construct(\Kaitai\Struct\Stream $_io, ?\Kaitai\Struct\Struct $_parent = null, ?\GgmlBlock $_root = null) {
            parent::__construct($_io, $_parent, $_root);
            $this->_read();
        }

        private function _read() {
            $this->_m_value = $this->_io->readU2le();
        }
        protected $_m_value;
        public function value() { return $this->_m_value; }
    }
}

namespace GgmlBlock {
    class F16 extends \Kaitai\Struct\Struct {
        public function __construct(\Kaitai\Struct\Stream $_io, ?\Kaitai\Struct\Struct $_parent = null, ?\GgmlBlock $_root = null) {
            parent::__construct($_io, $_parent, $_root);
            $this->_read();
        }

        private function _read() {
            $this->_m_value = $this->_io->readU2le();
        }
        protected $_m_value;
        public function value() { return $this->_m_value; }
    }
}

namespace GgmlBlock {
    class F32 extends \Kaitai\Struct\Struct {
        public function __construct(\Kaitai\Struct\Stream $_io, ?\Kaitai\Struct\Struct $_parent = null, ?\GgmlBlock $_root = null) {
            parent::__construct($_io, $_parent, $_root);
            $this->_read();
        }

        private function _read() {
            $this->_m_value = $this->_io->readF4le();
        }
        protected $_m_value;
        public function value() { return $this->_m_value; }
    }
}

namespace GgmlBlock {
    class F64 extends \Kaitai\Struct\Struct {
        public function __construct(\Kaitai\Struct\Stream $_io, ?\Kaitai\Struct\Struct $_parent = null, ?\GgmlBlock $_root = null) {
            parent::__construct($_io, $_parent, $_root);
            $this->_read();
        }

        private function _read() {
            $this->_m_value = $this->_io->readF8le();
        }
        protected $_m_value;
        public function value() { return $this->_m_value; }
    }
}

namespace GgmlBlock {
    class I16 extends \Kaitai\Struct\Struct {
        public function __construct(\Kaitai\Struct\Stream $_io, ?\Kaitai\Struct\Struct $_parent = null, ?\GgmlBlock $_root = null) {
            parent::__construct($_io, $_parent, $_root);
            $this->_read();
        }

        private function _read() {
            $this->_m_value = $this->_io->readS2le();
        }
        protected $_m_value;
        public function value() { return $this->_m_value; }
    }
}

namespace GgmlBlock {
    class I32 extends \Kaitai\Struct\Struct {
        public function __construct(\Kaitai\Struct\Stream $_io, ?\Kaitai\Struct\Struct $_parent = null, ?\GgmlBlock $_root = null) {
            parent::__construct($_io, $_parent, $_root);
            $this->_read();
        }

        private function _read() {
            $this->_m_value = $this->_io->readS4le();
        }
        protected $_m_value;
        public function value() { return $this->_m_value; }
    }
}

namespace GgmlBlock {
    class I64 extends \Kaitai\Struct\Struct {
        public function __construct(\Kaitai\Struct\Stream $_io, ?\Kaitai\Struct\Struct $_parent = null, ?\GgmlBlock $_root = null) {
            parent::__construct($_io, $_parent, $_root);
            $this->_read();
        }

        private function _read() {
            $this->_m_value = $this->_io->readS8le();
        }
        protected $_m_value;
        public function value() { return $this->_m_value; }
    }
}

namespace GgmlBlock {
    class I8 extends \Kaitai\Struct\Struct {
        public function __construct(\Kaitai\Struct\Stream $_io, ?\Kaitai\Struct\Struct $_parent = null, ?\GgmlBlock $_root = null) {
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

namespace GgmlBlock {
    class Iq1M extends \Kaitai\Struct\Struct {
        public function __construct(\Kaitai\Struct\Stream $_io, ?\Kaitai\Struct\Struct $_parent = null, ?\GgmlBlock $_root = null) {
            parent::__construct($_io, $_parent, $_root);
            $this->_read();
        }

        private function _read() {
            $this->_m_qs = [];
            $n = 32;
            for ($i = 0; $i < $n; $i++) {
                $this->_m_qs[] = $this->_io->readU1();
            }
            $this->_m_qh = [];
            $n = 16;
            for ($i = 0; $i < $n; $i++) {
                $this->_m_qh[] = $this->_io->readU1();
            }
            $this->_m_scales = [];
            $n = 8;
            for ($i = 0; $i < $n; $i++) {
                $this->_m_scales[] = $this->_io->readU1();
            }
        }
        protected $_m_qs;
        protected $_m_qh;
        protected $_m_scales;
        public function qs() { return $this->_m_qs; }
        public function qh() { return $this->_m_qh; }
        public function scales() { return $this->_m_scales; }
    }
}

namespace GgmlBlock {
    class Iq1S extends \Kaitai\Struct\Struct {
        public function __construct(\Kaitai\Struct\Stream $_io, ?\Kaitai\Struct\Struct $_parent = null, ?\GgmlBlock $_root = null) {
            parent::__construct($_io, $_parent, $_root);
            $this->_read();
        }

        private function _read() {
            $this->_m_d = $this->_io->readU2le();
            $this->_m_qs = [];
            $n = 32;
            for ($i = 0; $i < $n; $i++) {
                $this->_m_qs[] = $this->_io->readU1();
            }
            $this->_m_qh = [];
            $n = 8;
            for ($i = 0; $i < $n; $i++) {
                $this->_m_qh[] = $this->_io->readU2le();
            }
        }
        protected $_m_d;
        protected $_m_qs;
        protected $_m_qh;
        public function d() { return $this->_m_d; }
        public function qs() { return $this->_m_qs; }
        public function qh() { return $this->_m_qh; }
    }
}

namespace GgmlBlock {
    class Iq2S extends \Kaitai\Struct\Struct {
        public function __construct(\Kaitai\Struct\Stream $_io, ?\Kaitai\Struct\Struct $_parent = null, ?\GgmlBlock $_root = null) {
            parent::__construct($_io, $_parent, $_root);
            $this->_read();
        }

        private function _read() {
            $this->_m_d = $this->_io->readU2le();
            $this->_m_qs = [];
            $n = 64;
            for ($i = 0; $i < $n; $i++) {
                $this->_m_qs[] = $this->_io->readU1();
            }
            $this->_m_qh = [];
            $n = 8;
            for ($i = 0; $i < $n; $i++) {
                $this->_m_qh[] = $this->_io->readU1();
            }
            $this->_m_scales = [];
            $n = 8;
            for ($i = 0; $i < $n; $i++) {
                $this->_m_scales[] = $this->_io->readU1();
            }
        }
        protected $_m_d;
        protected $_m_qs;
        protected $_m_qh;
        protected $_m_scales;
        public function d() { return $this->_m_d; }
        public function qs() { return $this->_m_qs; }
        public function qh() { return $this->_m_qh; }
        public function scales() { return $this->_m_scales; }
    }
}

namespace GgmlBlock {
    class Iq2Xs extends \Kaitai\Struct\Struct {
        public function __construct(\Kaitai\Struct\Stream $_io, ?\Kaitai\Struct\Struct $_parent = null, ?\GgmlBlock $_root = null) {
            parent::__construct($_io, $_parent, $_root);
            $this->_read();
        }

        private function _read() {
            $this->_m_d = $this->_io->readU2le();
            $this->_m_qs = [];
            $n = 32;
            for ($i = 0; $i < $n; $i++) {
                $this->_m_qs[] = $this->_io->readU2le();
            }
            $this->_m_scales = [];
            $n = 8;
            for ($i = 0; $i < $n; $i++) {
                $this->_m_scales[] = $this->_io->readU1();
            }
        }
        protected $_m_d;
        protected $_m_qs;
        protected $_m_scales;
        public function d() { return $this->_m_d; }
        public function qs() { return $this->_m_qs; }
        public function scales() { return $this->_m_scales; }
    }
}

namespace GgmlBlock {
    class Iq2Xxs extends \Kaitai\Struct\Struct {
        public function __construct(\Kaitai\Struct\Stream $_io, ?\Kaitai\Struct\Struct $_parent = null, ?\GgmlBlock $_root = null) {
            parent::__construct($_io, $_parent, $_root);
            $this->_read();
        }

        private function _read() {
            $this->_m_d = $this->_io->readU2le();
            $this->_m_qs = [];
            $n = 32;
            for ($i = 0; $i < $n; $i++) {
                $this->_m_qs[] = $this->_io->readU2le();
            }
        }
        protected $_m_d;
        protected $_m_qs;
        public function d() { return $this->_m_d; }
        public function qs() { return $this->_m_qs; }
    }
}

namespace GgmlBlock {
    class Iq3S extends \Kaitai\Struct\Struct {
        public function __construct(\Kaitai\Struct\Stream $_io, ?\Kaitai\Struct\Struct $_parent = null, ?\GgmlBlock $_root = null) {
            parent::__construct($_io, $_parent, $_root);
            $this->_read();
        }

        private function _read() {
            $this->_m_d = $this->_io->readU2le();
            $this->_m_qs = [];
            $n = 64;
            for ($i = 0; $i < $n; $i++) {
                $this->_m_qs[] = $this->_io->readU1();
            }
            $this->_m_qh = [];
            $n = 8;
            for ($i = 0; $i < $n; $i++) {
                $this->_m_qh[] = $this->_io->readU1();
            }
            $this->_m_signs = [];
            $n = 32;
            for ($i = 0; $i < $n; $i++) {
                $this->_m_signs[] = $this->_io->readU1();
            }
            $this->_m_scales = [];
            $n = 4;
            for ($i = 0; $i < $n; $i++) {
                $this->_m_scales[] = $this->_io->readU1();
            }
        }
        protected $_m_d;
        protected $_m_qs;
        protected $_m_qh;
        protected $_m_signs;
        protected $_m_scales;
        public function d() { return $this->_m_d; }
        public function qs() { return $this->_m_qs; }
        public function qh() { return $this->_m_qh; }
        public function signs() { return $this->_m_signs; }
        public function scales() { return $this->_m_scales; }
    }
}

namespace GgmlBlock {
    class Iq3Xxs extends \Kaitai\Struct\Struct {
        public function __construct(\Kaitai\Struct\Stream $_io, ?\Kaitai\Struct\Struct $_parent = null, ?\GgmlBlock $_root = null) {
            parent::__construct($_io, $_parent, $_root);
            $this->_read();
        }

        private function _read() {
            $this->_m_d = $this->_io->readU2le();
            $this->_m_qs = [];
            $n = 96;
            for ($i = 0; $i < $n; $i++) {
                $this->_m_qs[] = $this->_io->readU1();
            }
        }
        protected $_m_d;
        protected $_m_qs;
        public function d() { return $this->_m_d; }
        public function qs() { return $this->_m_qs; }
    }
}

namespace GgmlBlock {
    class Iq4Nl extends \Kaitai\Struct\Struct {
        public function __construct(\Kaitai\Struct\Stream $_io, ?\Kaitai\Struct\Struct $_parent = null, ?\GgmlBlock $_root = null) {
            parent::__construct($_io, $_parent, $_root);
            $this->_read();
        }

        private function _read() {
            $this->_m_d = $this->_io->readU2le();
            $this->_m_qs = [];
            $n = 16;
            for ($i = 0; $i < $n; $i++) {
                $this->_m_qs[] = $this->_io->readU1();
            }
        }
        protected $_m_d;
        protected $_m_qs;
        public function d() { return $this->_m_d; }
        public function qs() { return $this->_m_qs; }
    }
}

namespace GgmlBlock {
    class Iq4Xs extends \Kaitai\Struct\Struct {
        public function __construct(\Kaitai\Struct\Stream $_io, ?\Kaitai\Struct\Struct $_parent = null, ?\GgmlBlock $_root = null) {
            parent::__construct($_io, $_parent, $_root);
            $this->_read();
        }

        private function _read() {
            $this->_m_d = $this->_io->readU2le();
            $this->_m_scalesH = $this->_io->readU2le();
            $this->_m_scalesL = [];
            $n = 4;
            for ($i = 0; $i < $n; $i++) {
                $this->_m_scalesL[] = $this->_io->readU1();
            }
            $this->_m_qs = [];
            $n = 128;
            for ($i = 0; $i < $n; $i++) {
                $this->_m_qs[] = $this->_io->readU1();
            }
        }
        protected $_m_d;
        protected $_m_scalesH;
        protected $_m_scalesL;
        protected $_m_qs;
        public function d() { return $this->_m_d; }
        public function scalesH() { return $this->_m_scalesH; }
        public function scalesL() { return $this->_m_scalesL; }
        public function qs() { return $this->_m_qs; }
    }
}

namespace GgmlBlock {
    class Mxfp4 extends \Kaitai\Struct\Struct {
        public function __construct(\Kaitai\Struct\Stream $_io, ?\Kaitai\Struct\Struct $_parent = null, ?\GgmlBlock $_root = null) {
            parent::__construct($_io, $_parent, $_root);
            $this->_read();
        }

        private function _read() {
            $this->_m_e = $this->_io->readU1();
            $this->_m_qs = [];
            $n = 16;
            for ($i = 0; $i < $n; $i++) {
                $this->_m_qs[] = $this->_io->readU1();
            }
        }
        protected $_m_e;
        protected $_m_qs;
        public function e() { return $this->_m_e; }
        public function qs() { return $this->_m_qs; }
    }
}

namespace GgmlBlock {
    class Nvfp4 extends \Kaitai\Struct\Struct {
        public function __construct(\Kaitai\Struct\Stream $_io, ?\Kaitai\Struct\Struct $_parent = null, ?\GgmlBlock $_root = null) {
            parent::__construct($_io, $_parent, $_root);
            $this->_read();
        }

        private function _read() {
            $this->_m_d = [];
            $n = 4;
            for ($i = 0; $i < $n; $i++) {
                $this->_m_d[] = $this->_io->readU1();
            }
            $this->_m_qs = [];
            $n = 32;
            for ($i = 0; $i < $n; $i++) {
                $this->_m_qs[] = $this->_io->readU1();
            }
        }
        protected $_m_d;
        protected $_m_qs;
        public function d() { return $this->_m_d; }
        public function qs() { return $this->_m_qs; }
    }
}

namespace GgmlBlock {
    class Q10 extends \Kaitai\Struct\Struct {
        public function __construct(\Kaitai\Struct\Stream $_io, ?\Kaitai\Struct\Struct $_parent = null, ?\GgmlBlock $_root = null) {
            parent::__construct($_io, $_parent, $_root);
            $this->_read();
        }

        private function _read() {
            $this->_m_d = $this->_io->readU2le();
            $this->_m_qs = [];
            $n = 16;
            for ($i = 0; $i < $n; $i++) {
                $this->_m_qs[] = $this->_io->readU1();
            }
        }
        protected $_m_d;
        protected $_m_qs;
        public function d() { return $this->_m_d; }
        public function qs() { return $this->_m_qs; }
    }
}

namespace GgmlBlock {
    class Q20 extends \Kaitai\Struct\Struct {
        public function __construct(\Kaitai\Struct\Stream $_io, ?\Kaitai\Struct\Struct $_parent = null, ?\GgmlBlock $_root = null) {
            parent::__construct($_io, $_parent, $_root);
            $this->_read();
        }

        private function _read() {
            $this->_m_d = $this->_io->readU2le();
            $this->_m_qs = [];
            $n = 16;
            for ($i = 0; $i < $n; $i++) {
                $this->_m_qs[] = $this->_io->readU1();
            }
        }
        protected $_m_d;
        protected $_m_qs;
        public function d() { return $this->_m_d; }
        public function qs() { return $this->_m_qs; }
    }
}

namespace GgmlBlock {
    class Q2K extends \Kaitai\Struct\Struct {
        public function __construct(\Kaitai\Struct\Stream $_io, ?\Kaitai\Struct\Struct $_parent = null, ?\GgmlBlock $_root = null) {
            parent::__construct($_io, $_parent, $_root);
            $this->_read();
        }

        private function _read() {
            $this->_m_scales = [];
            $n = 16;
            for ($i = 0; $i < $n; $i++) {
                $this->_m_scales[] = $this->_io->readU1();
            }
            $this->_m_qs = [];
            $n = 64;
            for ($i = 0; $i < $n; $i++) {
                $this->_m_qs[] = $this->_io->readU1();
            }
            $this->_m_d = $this->_io->readU2le();
            $this->_m_dmin = $this->_io->readU2le();
        }
        protected $_m_scales;
        protected $_m_qs;
        protected $_m_d;
        protected $_m_dmin;
        public function scales() { return $this->_m_scales; }
        public function qs() { return $this->_m_qs; }
        public function d() { return $this->_m_d; }
        public function dmin() { return $this->_m_dmin; }
    }
}

namespace GgmlBlock {
    class Q3K extends \Kaitai\Struct\Struct {
        public function __construct(\Kaitai\Struct\Stream $_io, ?\Kaitai\Struct\Struct $_parent = null, ?\GgmlBlock $_root = null) {
            parent::__construct($_io, $_parent, $_root);
            $this->_read();
        }

        private function _read() {
            $this->_m_hmask = [];
            $n = 32;
            for ($i = 0; $i < $n; $i++) {
                $this->_m_hmask[] = $this->_io->readU1();
            }
            $this->_m_qs = [];
            $n = 64;
            for ($i = 0; $i < $n; $i++) {
                $this->_m_qs[] = $this->_io->readU1();
            }
            $this->_m_scales = [];
            $n = 12;
            for ($i = 0; $i < $n; $i++) {
                $this->_m_scales[] = $this->_io->readU1();
            }
            $this->_m_d = $this->_io->readU2le();
        }
        protected $_m_hmask;
        protected $_m_qs;
        protected $_m_scales;
        protected $_m_d;
        public function hmask() { return $this->_m_hmask; }
        public function qs() { return $this->_m_qs; }
        public function scales() { return $this->_m_scales; }
        public function d() { return $this->_m_d; }
    }
}

namespace GgmlBlock {
    class Q40 extends \Kaitai\Struct\Struct {
        public function __construct(\Kaitai\Struct\Stream $_io, ?\Kaitai\Struct\Struct $_parent = null, ?\GgmlBlock $_root = null) {
            parent::__construct($_io, $_parent, $_root);
            $this->_read();
        }

        private function _read() {
            $this->_m_d = $this->_io->readU2le();
            $this->_m_qs = [];
            $n = 16;
            for ($i = 0; $i < $n; $i++) {
                $this->_m_qs[] = $this->_io->readU1();
            }
        }
        protected $_m_d;
        protected $_m_qs;
        public function d() { return $this->_m_d; }
        public function qs() { return $this->_m_qs; }
    }
}

namespace GgmlBlock {
    class Q41 extends \Kaitai\Struct\Struct {
        public function __construct(\Kaitai\Struct\Stream $_io, ?\Kaitai\Struct\Struct $_parent = null, ?\GgmlBlock $_root = null) {
            parent::__construct($_io, $_parent, $_root);
            $this->_read();
        }

        private function _read() {
            $this->_m_d = $this->_io->readU2le();
            $this->_m_m = $this->_io->readU2le();
            $this->_m_qs = [];
            $n = 16;
            for ($i = 0; $i < $n; $i++) {
                $this->_m_qs[] = $this->_io->readU1();
            }
        }
        protected $_m_d;
        protected $_m_m;
        protected $_m_qs;
        public function d() { return $this->_m_d; }
        public function m() { return $this->_m_m; }
        public function qs() { return $this->_m_qs; }
    }
}

namespace GgmlBlock {
    class Q4K extends \Kaitai\Struct\Struct {
        public function __construct(\Kaitai\Struct\Stream $_io, ?\Kaitai\Struct\Struct $_parent = null, ?\GgmlBlock $_root = null) {
            parent::__construct($_io, $_parent, $_root);
            $this->_read();
        }

        private function _read() {
            $this->_m_d = $this->_io->readU2le();
            $this->_m_dmin = $this->_io->readU2le();
            $this->_m_scales = [];
            $n = 12;
            for ($i = 0; $i < $n; $i++) {
                $this->_m_scales[] = $this->_io->readU1();
            }
            $this->_m_qs = [];
            $n = 128;
            for ($i = 0; $i < $n; $i++) {
                $this->_m_qs[] = $this->_io->readU1();
            }
        }
        protected $_m_d;
        protected $_m_dmin;
        protected $_m_scales;
        protected $_m_qs;
        public function d() { return $this->_m_d; }
        public function dmin() { return $this->_m_dmin; }
        public function scales() { return $this->_m_scales; }
        public function qs() { return $this->_m_qs; }
    }
}

namespace GgmlBlock {
    class Q50 extends \Kaitai\Struct\Struct {
        public function __construct(\Kaitai\Struct\Stream $_io, ?\Kaitai\Struct\Struct $_parent = null, ?\GgmlBlock $_root = null) {
            parent::__construct($_io, $_parent, $_root);
            $this->_read();
        }

        private function _read() {
            $this->_m_d = $this->_io->readU2le();
            $this->_m_qh = [];
            $n = 4;
            for ($i = 0; $i < $n; $i++) {
                $this->_m_qh[] = $this->_io->readU1();
            }
            $this->_m_qs = [];
            $n = 16;
            for ($i = 0; $i < $n; $i++) {
                $this->_m_qs[] = $this->_io->readU1();
            }
        }
        protected $_m_d;
        protected $_m_qh;
        protected $_m_qs;
        public function d() { return $this->_m_d; }
        public function qh() { return $this->_m_qh; }
        public function qs() { return $this->_m_qs; }
    }
}

namespace GgmlBlock {
    class Q51 extends \Kaitai\Struct\Struct {
        public function __construct(\Kaitai\Struct\Stream $_io, ?\Kaitai\Struct\Struct $_parent = null, ?\GgmlBlock $_root = null) {
            parent::__construct($_io, $_parent, $_root);
            $this->_read();
        }

        private function _read() {
            $this->_m_d = $this->_io->readU2le();
            $this->_m_m = $this->_io->readU2le();
            $this->_m_qh = [];
            $n = 4;
            for ($i = 0; $i < $n; $i++) {
                $this->_m_qh[] = $this->_io->readU1();
            }
            $this->_m_qs = [];
            $n = 16;
            for ($i = 0; $i < $n; $i++) {
                $this->_m_qs[] = $this->_io->readU1();
            }
        }
        protected $_m_d;
        protected $_m_m;
        protected $_m_qh;
        protected $_m_qs;
        public function d() { return $this->_m_d; }
        public function m() { return $this->_m_m; }
        public function qh() { return $this->_m_qh; }
        public function qs() { return $this->_m_qs; }
    }
}

namespace GgmlBlock {
    class Q5K extends \Kaitai\Struct\Struct {
        public function __construct(\Kaitai\Struct\Stream $_io, ?\Kaitai\Struct\Struct $_parent = null, ?\GgmlBlock $_root = null) {
            parent::__construct($_io, $_parent, $_root);
            $this->_read();
        }

        private function _read() {
            $this->_m_d = $this->_io->readU2le();
            $this->_m_dmin = $this->_io->readU2le();
            $this->_m_scales = [];
            $n = 12;
            for ($i = 0; $i < $n; $i++) {
                $this->_m_scales[] = $this->_io->readU1();
            }
            $this->_m_qh = [];
            $n = 32;
            for ($i = 0; $i < $n; $i++) {
                $this->_m_qh[] = $this->_io->readU1();
            }
            $this->_m_qs = [];
            $n = 128;
            for ($i = 0; $i < $n; $i++) {
                $this->_m_qs[] = $this->_io->readU1();
            }
        }
        protected $_m_d;
        protected $_m_dmin;
        protected $_m_scales;
        protected $_m_qh;
        protected $_m_qs;
        public function d() { return $this->_m_d; }
        public function dmin() { return $this->_m_dmin; }
        public function scales() { return $this->_m_scales; }
        public function qh() { return $this->_m_qh; }
        public function qs() { return $this->_m_qs; }
    }
}

namespace GgmlBlock {
    class Q6K extends \Kaitai\Struct\Struct {
        public function __construct(\Kaitai\Struct\Stream $_io, ?\Kaitai\Struct\Struct $_parent = null, ?\GgmlBlock $_root = null) {
            parent::__construct($_io, $_parent, $_root);
            $this->_read();
        }

        private function _read() {
            $this->_m_ql = [];
            $n = 128;
            for ($i = 0; $i < $n; $i++) {
                $this->_m_ql[] = $this->_io->readU1();
            }
            $this->_m_qh = [];
            $n = 64;
            for ($i = 0; $i < $n; $i++) {
                $this->_m_qh[] = $this->_io->readU1();
            }
            $this->_m_scales = [];
            $n = 16;
            for ($i = 0; $i < $n; $i++) {
                $this->_m_scales[] = $this->_io->readS1();
            }
            $this->_m_d = $this->_io->readU2le();
        }
        protected $_m_ql;
        protected $_m_qh;
        protected $_m_scales;
        protected $_m_d;
        public function ql() { return $this->_m_ql; }
        public function qh() { return $this->_m_qh; }
        public function scales() { return $this->_m_scales; }
        public function d() { return $this->_m_d; }
    }
}

namespace GgmlBlock {
    class Q80 extends \Kaitai\Struct\Struct {
        public function __construct(\Kaitai\Struct\Stream $_io, ?\Kaitai\Struct\Struct $_parent = null, ?\GgmlBlock $_root = null) {
            parent::__construct($_io, $_parent, $_root);
            $this->_read();
        }

        private function _read() {
            $this->_m_d = $this->_io->readU2le();
            $this->_m_qs = [];
            $n = 32;
            for ($i = 0; $i < $n; $i++) {
                $this->_m_qs[] = $this->_io->readS1();
            }
        }
        protected $_m_d;
        protected $_m_qs;
        public function d() { return $this->_m_d; }
        public function qs() { return $this->_m_qs; }
    }
}

namespace GgmlBlock {
    class Q81 extends \Kaitai\Struct\Struct {
        public function __construct(\Kaitai\Struct\Stream $_io, ?\Kaitai\Struct\Struct $_parent = null, ?\GgmlBlock $_root = null) {
            parent::__construct($_io, $_parent, $_root);
            $this->_read();
        }

        private function _read() {
            $this->_m_d = $this->_io->readU2le();
            $this->_m_s = $this->_io->readU2le();
            $this->_m_qs = [];
            $n = 32;
            for ($i = 0; $i < $n; $i++) {
                $this->_m_qs[] = $this->_io->readS1();
            }
        }
        protected $_m_d;
        protected $_m_s;
        protected $_m_qs;
        public function d() { return $this->_m_d; }
        public function s() { return $this->_m_s; }
        public function qs() { return $this->_m_qs; }
    }
}

namespace GgmlBlock {
    class Q8K extends \Kaitai\Struct\Struct {
        public function __construct(\Kaitai\Struct\Stream $_io, ?\Kaitai\Struct\Struct $_parent = null, ?\GgmlBlock $_root = null) {
            parent::__construct($_io, $_parent, $_root);
            $this->_read();
        }

        private function _read() {
            $this->_m_d = $this->_io->readF4le();
            $this->_m_qs = [];
            $n = 256;
            for ($i = 0; $i < $n; $i++) {
                $this->_m_qs[] = $this->_io->readS1();
            }
            $this->_m_bsums = [];
            $n = 16;
            for ($i = 0; $i < $n; $i++) {
                $this->_m_bsums[] = $this->_io->readS2le();
            }
        }
        protected $_m_d;
        protected $_m_qs;
        protected $_m_bsums;
        public function d() { return $this->_m_d; }
        public function qs() { return $this->_m_qs; }
        public function bsums() { return $this->_m_bsums; }
    }
}

namespace GgmlBlock {
    class Tq10 extends \Kaitai\Struct\Struct {
        public function __construct(\Kaitai\Struct\Stream $_io, ?\Kaitai\Struct\Struct $_parent = null, ?\GgmlBlock $_root = null) {
            parent::__construct($_io, $_parent, $_root);
            $this->_read();
        }

        private function _read() {
            $this->_m_qs = [];
            $n = 48;
            for ($i = 0; $i < $n; $i++) {
                $this->_m_qs[] = $this->_io->readU1();
            }
            $this->_m_qh = [];
            $n = 4;
            for ($i = 0; $i < $n; $i++) {
                $this->_m_qh[] = $this->_io->readU1();
            }
            $this->_m_d = $this->_io->readU2le();
        }
        protected $_m_qs;
        protected $_m_qh;
        protected $_m_d;
        public function qs() { return $this->_m_qs; }
        public function qh() { return $this->_m_qh; }
        public function d() { return $this->_m_d; }
    }
}

namespace GgmlBlock {
    class Tq20 extends \Kaitai\Struct\Struct {
        public function __construct(\Kaitai\Struct\Stream $_io, ?\Kaitai\Struct\Struct $_parent = null, ?\GgmlBlock $_root = null) {
            parent::__construct($_io, $_parent, $_root);
            $this->_read();
        }

        private function _read() {
            $this->_m_qs = [];
            $n = 64;
            for ($i = 0; $i < $n; $i++) {
                $this->_m_qs[] = $this->_io->readU1();
            }
            $this->_m_d = $this->_io->readU2le();
        }
        protected $_m_qs;
        protected $_m_d;
        public function qs() { return $this->_m_qs; }
        public function d() { return $this->_m_d; }
    }
}
