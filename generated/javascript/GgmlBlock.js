// This is a generated file! Please edit source .ksy file and use kaitai-struct-compiler to rebuild

(function (root, factory) {
  if (typeof define === 'function' && define.amd) {
    define(['exports', 'kaitai-struct/KaitaiStream'], factory);
  } else if (typeof exports === 'object' && exports !== null && typeof exports.nodeType !== 'number') {
    factory(exports, require('kaitai-struct/KaitaiStream'));
  } else {
    factory(root.GgmlBlock || (root.GgmlBlock = {}), root.KaitaiStream);
  }
})(typeof self !== 'undefined' ? self : this, function (GgmlBlock_, KaitaiStream) {
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
 * @see {@link https://github.com/ggml-org/ggml/blob/d99724f2/src/ggml-common.h|Source}
 * @see {@link https://github.com/ggml-org/ggml/blob/d99724f2/include/ggml.h|Source}
 */

var GgmlBlock = (function() {
  function GgmlBlock(_io, _parent, _root) {
    this._io = _io;
    this._parent = _parent;
    this._root = _root || this;

    this._read();
  }
  GgmlBlock.prototype._read = function() {
  }

  var Bf16 = GgmlBlock.Bf16 = (function() {
    function Bf16(_io, _parent, _root) {
      this._io = _io;
      this._parent = _parent;
      this._root = _root;

      this._read();
    }
    Bf16.prototype._read = function() {
      this.value = this._io.readU2le();
    }

    return Bf16;
  })();

  var F16 = GgmlBlock.F16 = (function() {
    function F16(_io, _parent, _root) {
      this._io = _io;
      this._parent = _parent;
      this._root = _root;

      this._read();
    }
    F16.prototype._read = function() {
      this.value = this._io.readU2le();
    }

    return F16;
  })();

  var F32 = GgmlBlock.F32 = (function() {
    function F32(_io, _parent, _root) {
      this._io = _io;
      this._parent = _parent;
      this._root = _root;

      this._read();
    }
    F32.prototype._read = function() {
      this.value = this._io.readF4le();
    }

    return F32;
  })();

  var F64 = GgmlBlock.F64 = (function() {
    function F64(_io, _parent, _root) {
      this._io = _io;
      this._parent = _parent;
      this._root = _root;

      this._read();
    }
    F64.prototype._read = function() {
      this.value = this._io.readF8le();
    }

    return F64;
  })();

  var I16 = GgmlBlock.I16 = (function() {
    function I16(_io, _parent, _root) {
      this._io = _io;
      this._parent = _parent;
      this._root = _root;

      this._read();
    }
    I16.prototype._read = function() {
      this.value = this._io.readS2le();
    }

    return I16;
  })();

  var I32 = GgmlBlock.I32 = (function() {
    function I32(_io, _parent, _root) {
      this._io = _io;
      this._parent = _parent;
      this._root = _root;

      this._read();
    }
    I32.prototype._read = function() {
      this.value = this._io.readS4le();
    }

    return I32;
  })();

  var I64 = GgmlBlock.I64 = (function() {
    function I64(_io, _parent, _root) {
      this._io = _io;
      this._parent = _parent;
      this._root = _root;

      this._read();
    }
    I64.prototype._read = function() {
      this.value = this._io.readS8le();
    }

    return I64;
  })();

  var I8 = GgmlBlock.I8 = (function() {
    function I8(_io, _parent, _root) {
      this._io = _io;
      this._parent = _parent;
      this._root = _root;

      this._read();
    }
    I8.prototype._read = function() {
      this.value = this._io.readS1();
    }

    return I8;
  })();

  var Iq1M = GgmlBlock.Iq1M = (function() {
    function Iq1M(_io, _parent, _root) {
      this._io = _io;
      this._parent = _parent;
      this._root = _root;

      this._read();
    }
    Iq1M.prototype._read = function() {
      this.qs = [];
      for (var i = 0; i < 32; i++) {
        this.qs.push(this._io.readU1());
      }
      this.qh = [];
      for (var i = 0; i < 16; i++) {
        this.qh.push(this._io.readU1());
      }
      this.scales = [];
      for (var i = 0; i < 8; i++) {
        this.scales.push(this._io.readU1());
      }
    }

    return Iq1M;
  })();

  var Iq1S = GgmlBlock.Iq1S = (function() {
    function Iq1S(_io, _parent, _root) {
      this._io = _io;
      this._parent = _parent;
      this._root = _root;

      this._read();
    }
    Iq1S.prototype._read = function() {
      this.d = this._io.readU2le();
      this.qs = [];
      for (var i = 0; i < 32; i++) {
        this.qs.push(this._io.readU1());
      }
      this.qh = [];
      for (var i = 0; i < 8; i++) {
        this.qh.push(this._io.readU2le());
      }
    }

    return Iq1S;
  })();

  var Iq2S = GgmlBlock.Iq2S = (function() {
    function Iq2S(_io, _parent, _root) {
      this._io = _io;
      this._parent = _parent;
      this._root = _root;

      this._read();
    }
    Iq2S.prototype._read = function() {
      this.d = this._io.readU2le();
      this.qs = [];
      for (var i = 0; i < 64; i++) {
        this.qs.push(this._io.readU1());
      }
      this.qh = [];
      for (var i = 0; i < 8; i++) {
        this.qh.push(this._io.readU1());
      }
      this.scales = [];
      for (var i = 0; i < 8; i++) {
        this.scales.push(this._io.readU1());
      }
    }

    return Iq2S;
  })();

  var Iq2Xs = GgmlBlock.Iq2Xs = (function() {
    function Iq2Xs(_io, _parent, _root) {
      this._io = _io;
      this._parent = _parent;
      this._root = _root;

      this._read();
    }
    Iq2Xs.prototype._read = function() {
      this.d = this._io.readU2le();
      this.qs = [];
      for (var i = 0; i < 32; i++) {
        this.qs.push(this._io.readU2le());
      }
      this.scales = [];
      for (var i = 0; i < 8; i++) {
        this.scales.push(this._io.readU1());
      }
    }

    return Iq2Xs;
  })();

  var Iq2Xxs = GgmlBlock.Iq2Xxs = (function() {
    function Iq2Xxs(_io, _parent, _root) {
      this._io = _io;
      this._parent = _parent;
      this._root = _root;

      this._read();
    }
    Iq2Xxs.prototype._read = function() {
      this.d = this._io.readU2le();
      this.qs = [];
      for (var i = 0; i < 32; i++) {
        this.qs.push(this._io.readU2le());
      }
    }

    return Iq2Xxs;
  })();

  var Iq3S = GgmlBlock.Iq3S = (function() {
    function Iq3S(_io, _parent, _root) {
      this._io = _io;
      this._parent = _parent;
      this._root = _root;

      this._read();
    }
    Iq3S.prototype._read = function() {
      this.d = this._io.readU2le();
      this.qs = [];
      for (var i = 0; i < 64; i++) {
        this.qs.push(this._io.readU1());
      }
      this.qh = [];
      for (var i = 0; i < 8; i++) {
        this.qh.push(this._io.readU1());
      }
      this.signs = [];
      for (var i = 0; i < 32; i++) {
        this.signs.push(this._io.readU1());
      }
      this.scales = [];
      for (var i = 0; i < 4; i++) {
        this.scales.push(this._io.readU1());
      }
    }

    return Iq3S;
  })();

  var Iq3Xxs = GgmlBlock.Iq3Xxs = (function() {
    function Iq3Xxs(_io, _parent, _root) {
      this._io = _io;
      this._parent = _parent;
      this._root = _root;

      this._read();
    }
    Iq3Xxs.prototype._read = function() {
      this.d = this._io.readU2le();
      this.qs = [];
      for (var i = 0; i < 96; i++) {
        this.qs.push(this._io.readU1());
      }
    }

    return Iq3Xxs;
  })();

  var Iq4Nl = GgmlBlock.Iq4Nl = (function() {
    function Iq4Nl(_io, _parent, _root) {
      this._io = _io;
      this._parent = _parent;
      this._root = _root;

      this._read();
    }
    Iq4Nl.prototype._read = function() {
      this.d = this._io.readU2le();
      this.qs = [];
      for (var i = 0; i < 16; i++) {
        this.qs.push(this._io.readU1());
      }
    }

    return Iq4Nl;
  })();

  var Iq4Xs = GgmlBlock.Iq4Xs = (function() {
    function Iq4Xs(_io, _parent, _root) {
      this._io = _io;
      this._parent = _parent;
      this._root = _root;

      this._read();
    }
    Iq4Xs.prototype._read = function() {
      this.d = this._io.readU2le();
      this.scalesH = this._io.readU2le();
      this.scalesL = [];
      for (var i = 0; i < 4; i++) {
        this.scalesL.push(this._io.readU1());
      }
      this.qs = [];
      for (var i = 0; i < 128; i++) {
        this.qs.push(this._io.readU1());
      }
    }

    return Iq4Xs;
  })();

  var Mxfp4 = GgmlBlock.Mxfp4 = (function() {
    function Mxfp4(_io, _parent, _root) {
      this._io = _io;
      this._parent = _parent;
      this._root = _root;

      this._read();
    }
    Mxfp4.prototype._read = function() {
      this.e = this._io.readU1();
      this.qs = [];
      for (var i = 0; i < 16; i++) {
        this.qs.push(this._io.readU1());
      }
    }

    return Mxfp4;
  })();

  var Nvfp4 = GgmlBlock.Nvfp4 = (function() {
    function Nvfp4(_io, _parent, _root) {
      this._io = _io;
      this._parent = _parent;
      this._root = _root;

      this._read();
    }
    Nvfp4.prototype._read = function() {
      this.d = [];
      for (var i = 0; i < 4; i++) {
        this.d.push(this._io.readU1());
      }
      this.qs = [];
      for (var i = 0; i < 32; i++) {
        this.qs.push(this._io.readU1());
      }
    }

    return Nvfp4;
  })();

  var Q10 = GgmlBlock.Q10 = (function() {
    function Q10(_io, _parent, _root) {
      this._io = _io;
      this._parent = _parent;
      this._root = _root;

      this._read();
    }
    Q10.prototype._read = function() {
      this.d = this._io.readU2le();
      this.qs = [];
      for (var i = 0; i < 16; i++) {
        this.qs.push(this._io.readU1());
      }
    }

    return Q10;
  })();

  var Q20 = GgmlBlock.Q20 = (function() {
    function Q20(_io, _parent, _root) {
      this._io = _io;
      this._parent = _parent;
      this._root = _root;

      this._read();
    }
    Q20.prototype._read = function() {
      this.d = this._io.readU2le();
      this.qs = [];
      for (var i = 0; i < 16; i++) {
        this.qs.push(this._io.readU1());
      }
    }

    return Q20;
  })();

  var Q2K = GgmlBlock.Q2K = (function() {
    function Q2K(_io, _parent, _root) {
      this._io = _io;
      this._parent = _parent;
      this._root = _root;

      this._read();
    }
    Q2K.prototype._read = function() {
      this.scales = [];
      for (var i = 0; i < 16; i++) {
        this.scales.push(this._io.readU1());
      }
      this.qs = [];
      for (var i = 0; i < 64; i++) {
        this.qs.push(this._io.readU1());
      }
      this.d = this._io.readU2le();
      this.dmin = this._io.readU2le();
    }

    return Q2K;
  })();

  var Q3K = GgmlBlock.Q3K = (function() {
    function Q3K(_io, _parent, _root) {
      this._io = _io;
      this._parent = _parent;
      this._root = _root;

      this._read();
    }
    Q3K.prototype._read = function() {
      this.hmask = [];
      for (var i = 0; i < 32; i++) {
        this.hmask.push(this._io.readU1());
      }
      this.qs = [];
      for (var i = 0; i < 64; i++) {
        this.qs.push(this._io.readU1());
      }
      this.scales = [];
      for (var i = 0; i < 12; i++) {
        this.scales.push(this._io.readU1());
      }
      this.d = this._io.readU2le();
    }

    return Q3K;
  })();

  var Q40 = GgmlBlock.Q40 = (function() {
    function Q40(_io, _parent, _root) {
      this._io = _io;
      this._parent = _parent;
      this._root = _root;

      this._read();
    }
    Q40.prototype._read = function() {
      this.d = this._io.readU2le();
      this.qs = [];
      for (var i = 0; i < 16; i++) {
        this.qs.push(this._io.readU1());
      }
    }

    return Q40;
  })();

  var Q41 = GgmlBlock.Q41 = (function() {
    function Q41(_io, _parent, _root) {
      this._io = _io;
      this._parent = _parent;
      this._root = _root;

      this._read();
    }
    Q41.prototype._read = function() {
      this.d = this._io.readU2le();
      this.m = this._io.readU2le();
      this.qs = [];
      for (var i = 0; i < 16; i++) {
        this.qs.push(this._io.readU1());
      }
    }

    return Q41;
  })();

  var Q4K = GgmlBlock.Q4K = (function() {
    function Q4K(_io, _parent, _root) {
      this._io = _io;
      this._parent = _parent;
      this._root = _root;

      this._read();
    }
    Q4K.prototype._read = function() {
      this.d = this._io.readU2le();
      this.dmin = this._io.readU2le();
      this.scales = [];
      for (var i = 0; i < 12; i++) {
        this.scales.push(this._io.readU1());
      }
      this.qs = [];
      for (var i = 0; i < 128; i++) {
        this.qs.push(this._io.readU1());
      }
    }

    return Q4K;
  })();

  var Q50 = GgmlBlock.Q50 = (function() {
    function Q50(_io, _parent, _root) {
      this._io = _io;
      this._parent = _parent;
      this._root = _root;

      this._read();
    }
    Q50.prototype._read = function() {
      this.d = this._io.readU2le();
      this.qh = [];
      for (var i = 0; i < 4; i++) {
        this.qh.push(this._io.readU1());
      }
      this.qs = [];
      for (var i = 0; i < 16; i++) {
        this.qs.push(this._io.readU1());
      }
    }

    return Q50;
  })();

  var Q51 = GgmlBlock.Q51 = (function() {
    function Q51(_io, _parent, _root) {
      this._io = _io;
      this._parent = _parent;
      this._root = _root;

      this._read();
    }
    Q51.prototype._read = function() {
      this.d = this._io.readU2le();
      this.m = this._io.readU2le();
      this.qh = [];
      for (var i = 0; i < 4; i++) {
        this.qh.push(this._io.readU1());
      }
      this.qs = [];
      for (var i = 0; i < 16; i++) {
        this.qs.push(this._io.readU1());
      }
    }

    return Q51;
  })();

  var Q5K = GgmlBlock.Q5K = (function() {
    function Q5K(_io, _parent, _root) {
      this._io = _io;
      this._parent = _parent;
      this._root = _root;

      this._read();
    }
    Q5K.prototype._read = function() {
      this.d = this._io.readU2le();
      this.dmin = this._io.readU2le();
      this.scales = [];
      for (var i = 0; i < 12; i++) {
        this.scales.push(this._io.readU1());
      }
      this.qh = [];
      for (var i = 0; i < 32; i++) {
        this.qh.push(this._io.readU1());
      }
      this.qs = [];
      for (var i = 0; i < 128; i++) {
        this.qs.push(this._io.readU1());
      }
    }

    return Q5K;
  })();

  var Q6K = GgmlBlock.Q6K = (function() {
    function Q6K(_io, _parent, _root) {
      this._io = _io;
      this._parent = _parent;
      this._root = _root;

      this._read();
    }
    Q6K.prototype._read = function() {
      this.ql = [];
      for (var i = 0; i < 128; i++) {
        this.ql.push(this._io.readU1());
      }
      this.qh = [];
      for (var i = 0; i < 64; i++) {
        this.qh.push(this._io.readU1());
      }
      this.scales = [];
      for (var i = 0; i < 16; i++) {
        this.scales.push(this._io.readS1());
      }
      this.d = this._io.readU2le();
    }

    return Q6K;
  })();

  var Q80 = GgmlBlock.Q80 = (function() {
    function Q80(_io, _parent, _root) {
      this._io = _io;
      this._parent = _parent;
      this._root = _root;

      this._read();
    }
    Q80.prototype._read = function() {
      this.d = this._io.readU2le();
      this.qs = [];
      for (var i = 0; i < 32; i++) {
        this.qs.push(this._io.readS1());
      }
    }

    return Q80;
  })();

  var Q81 = GgmlBlock.Q81 = (function() {
    function Q81(_io, _parent, _root) {
      this._io = _io;
      this._parent = _parent;
      this._root = _root;

      this._read();
    }
    Q81.prototype._read = function() {
      this.d = this._io.readU2le();
      this.s = this._io.readU2le();
      this.qs = [];
      for (var i = 0; i < 32; i++) {
        this.qs.push(this._io.readS1());
      }
    }

    return Q81;
  })();

  var Q8K = GgmlBlock.Q8K = (function() {
    function Q8K(_io, _parent, _root) {
      this._io = _io;
      this._parent = _parent;
      this._root = _root;

      this._read();
    }
    Q8K.prototype._read = function() {
      this.d = this._io.readF4le();
      this.qs = [];
      for (var i = 0; i < 256; i++) {
        this.qs.push(this._io.readS1());
      }
      this.bsums = [];
      for (var i = 0; i < 16; i++) {
        this.bsums.push(this._io.readS2le());
      }
    }

    return Q8K;
  })();

  var Tq10 = GgmlBlock.Tq10 = (function() {
    function Tq10(_io, _parent, _root) {
      this._io = _io;
      this._parent = _parent;
      this._root = _root;

      this._read();
    }
    Tq10.prototype._read = function() {
      this.qs = [];
      for (var i = 0; i < 48; i++) {
        this.qs.push(this._io.readU1());
      }
      this.qh = [];
      for (var i = 0; i < 4; i++) {
        this.qh.push(this._io.readU1());
      }
      this.d = this._io.readU2le();
    }

    return Tq10;
  })();

  var Tq20 = GgmlBlock.Tq20 = (function() {
    function Tq20(_io, _parent, _root) {
      this._io = _io;
      this._parent = _parent;
      this._root = _root;

      this._read();
    }
    Tq20.prototype._read = function() {
      this.qs = [];
      for (var i = 0; i < 64; i++) {
        this.qs.push(this._io.readU1());
      }
      this.d = this._io.readU2le();
    }

    return Tq20;
  })();

  return GgmlBlock;
})();
GgmlBlock_.GgmlBlock = GgmlBlock;
});
