# This is a generated file! Please edit source .ksy file and use kaitai-struct-compiler to rebuild

require 'kaitai/struct/struct'

unless Gem::Version.new(Kaitai::Struct::VERSION) >= Gem::Version.new('0.11')
  raise "Incompatible Kaitai Struct Ruby API: 0.11 or later is required, but you have #{Kaitai::Struct::VERSION}"
end


##
# A GGML tensor is a sequence of rows, and a row is a sequence of blocks of one
# type. Plain types have one element per block. A quantized type packs 32 to 256
# elements into a block: small integers together with the scale (and minimum or
# offset) that turns them back into numbers. Blocks have no padding.
# 
# Each type here is named after a value of the enum `ggml_type` in `gguf.ksy`,
# and describes one block. Fields of 16 and 32 bits are in the byte order of the
# file; these types read little-endian files.
# 
# Three extra keys hold facts that Kaitai Struct can't express: `-num-elements`
# is the number of elements in a block, `-float` the floating-point format of
# the bits that `type` reads as an integer, and `-removed-types` lists the
# numbers of types that ggml has removed, but that old files still use.
# 
# Field names are those of GGML: `d` is the scale of the block, `dmin` and `m`
# belong to its minimum, `s` is d times the sum of `qs`, `qs` are the low bits
# of the quants, and `qh` the high ones.
# @see https://github.com/ggml-org/ggml/blob/d99724f2/src/ggml-common.h Source
# @see https://github.com/ggml-org/ggml/blob/d99724f2/include/ggml.h Source
class GgmlBlock < Kaitai::Struct::Struct
  def initialize(_io, _parent = nil, _root = nil)
    super(_io, _parent, _root || self)
    _read
  end

  def _read
    self
  end
  class Bf16 < Kaitai::Struct::Struct
    def initialize(_io, _parent = nil, _root = nil)
      super(_io, _parent, _root)
      _read
    end

    def _read
      @value = @_io.read_u2le
      self
    end
    attr_reader :value
  end
  class F16 < Kaitai::Struct::Struct
    def initialize(_io, _parent = nil, _root = nil)
      super(_io, _parent, _root)
      _read
    end

    def _read
      @value = @_io.read_u2le
      self
    end
    attr_reader :value
  end
  class F32 < Kaitai::Struct::Struct
    def initialize(_io, _parent = nil, _root = nil)
      super(_io, _parent, _root)
      _read
    end

    def _read
      @value = @_io.read_f4le
      self
    end
    attr_reader :value
  end
  class F64 < Kaitai::Struct::Struct
    def initialize(_io, _parent = nil, _root = nil)
      super(_io, _parent, _root)
      _read
    end

    def _read
      @value = @_io.read_f8le
      self
    end
    attr_reader :value
  end
  class I16 < Kaitai::Struct::Struct
    def initialize(_io, _parent = nil, _root = nil)
      super(_io, _parent, _root)
      _read
    end

    def _read
      @value = @_io.read_s2le
      self
    end
    attr_reader :value
  end
  class I32 < Kaitai::Struct::Struct
    def initialize(_io, _parent = nil, _root = nil)
      super(_io, _parent, _root)
      _read
    end

    def _read
      @value = @_io.read_s4le
      self
    end
    attr_reader :value
  end
  class I64 < Kaitai::Struct::Struct
    def initialize(_io, _parent = nil, _root = nil)
      super(_io, _parent, _root)
      _read
    end

    def _read
      @value = @_io.read_s8le
      self
    end
    attr_reader :value
  end
  class I8 < Kaitai::Struct::Struct
    def initialize(_io, _parent = nil, _root = nil)
      super(_io, _parent, _root)
      _read
    end

    def _read
      @value = @_io.read_s1
      self
    end
    attr_reader :value
  end
  class Iq1M < Kaitai::Struct::Struct
    def initialize(_io, _parent = nil, _root = nil)
      super(_io, _parent, _root)
      _read
    end

    def _read
      @qs = []
      (32).times { |i|
        @qs << @_io.read_u1
      }
      @qh = []
      (16).times { |i|
        @qh << @_io.read_u1
      }
      @scales = []
      (8).times { |i|
        @scales << @_io.read_u1
      }
      self
    end
    attr_reader :qs
    attr_reader :qh
    attr_reader :scales
  end
  class Iq1S < Kaitai::Struct::Struct
    def initialize(_io, _parent = nil, _root = nil)
      super(_io, _parent, _root)
      _read
    end

    def _read
      @d = @_io.read_u2le
      @qs = []
      (32).times { |i|
        @qs << @_io.read_u1
      }
      @qh = []
      (8).times { |i|
        @qh << @_io.read_u2le
      }
      self
    end
    attr_reader :d
    attr_reader :qs
    attr_reader :qh
  end
  class Iq2S < Kaitai::Struct::Struct
    def initialize(_io, _parent = nil, _root = nil)
      super(_io, _parent, _root)
      _read
    end

    def _read
      @d = @_io.read_u2le
      @qs = []
      (64).times { |i|
        @qs << @_io.read_u1
      }
      @qh = []
      (8).times { |i|
        @qh << @_io.read_u1
      }
      @scales = []
      (8).times { |i|
        @scales << @_io.read_u1
      }
      self
    end
    attr_reader :d
    attr_reader :qs
    attr_reader :qh
    attr_reader :scales
  end
  class Iq2Xs < Kaitai::Struct::Struct
    def initialize(_io, _parent = nil, _root = nil)
      super(_io, _parent, _root)
      _read
    end

    def _read
      @d = @_io.read_u2le
      @qs = []
      (32).times { |i|
        @qs << @_io.read_u2le
      }
      @scales = []
      (8).times { |i|
        @scales << @_io.read_u1
      }
      self
    end
    attr_reader :d
    attr_reader :qs
    attr_reader :scales
  end
  class Iq2Xxs < Kaitai::Struct::Struct
    def initialize(_io, _parent = nil, _root = nil)
      super(_io, _parent, _root)
      _read
    end

    def _read
      @d = @_io.read_u2le
      @qs = []
      (32).times { |i|
        @qs << @_io.read_u2le
      }
      self
    end
    attr_reader :d
    attr_reader :qs
  end
  class Iq3S < Kaitai::Struct::Struct
    def initialize(_io, _parent = nil, _root = nil)
      super(_io, _parent, _root)
      _read
    end

    def _read
      @d = @_io.read_u2le
      @qs = []
      (64).times { |i|
        @qs << @_io.read_u1
      }
      @qh = []
      (8).times { |i|
        @qh << @_io.read_u1
      }
      @signs = []
      (32).times { |i|
        @signs << @_io.read_u1
      }
      @scales = []
      (4).times { |i|
        @scales << @_io.read_u1
      }
      self
    end
    attr_reader :d
    attr_reader :qs
    attr_reader :qh
    attr_reader :signs
    attr_reader :scales
  end
  class Iq3Xxs < Kaitai::Struct::Struct
    def initialize(_io, _parent = nil, _root = nil)
      super(_io, _parent, _root)
      _read
    end

    def _read
      @d = @_io.read_u2le
      @qs = []
      (96).times { |i|
        @qs << @_io.read_u1
      }
      self
    end
    attr_reader :d
    attr_reader :qs
  end
  class Iq4Nl < Kaitai::Struct::Struct
    def initialize(_io, _parent = nil, _root = nil)
      super(_io, _parent, _root)
      _read
    end

    def _read
      @d = @_io.read_u2le
      @qs = []
      (16).times { |i|
        @qs << @_io.read_u1
      }
      self
    end
    attr_reader :d
    attr_reader :qs
  end
  class Iq4Xs < Kaitai::Struct::Struct
    def initialize(_io, _parent = nil, _root = nil)
      super(_io, _parent, _root)
      _read
    end

    def _read
      @d = @_io.read_u2le
      @scales_h = @_io.read_u2le
      @scales_l = []
      (4).times { |i|
        @scales_l << @_io.read_u1
      }
      @qs = []
      (128).times { |i|
        @qs << @_io.read_u1
      }
      self
    end
    attr_reader :d
    attr_reader :scales_h
    attr_reader :scales_l
    attr_reader :qs
  end
  class Mxfp4 < Kaitai::Struct::Struct
    def initialize(_io, _parent = nil, _root = nil)
      super(_io, _parent, _root)
      _read
    end

    def _read
      @e = @_io.read_u1
      @qs = []
      (16).times { |i|
        @qs << @_io.read_u1
      }
      self
    end
    attr_reader :e
    attr_reader :qs
  end
  class Nvfp4 < Kaitai::Struct::Struct
    def initialize(_io, _parent = nil, _root = nil)
      super(_io, _parent, _root)
      _read
    end

    def _read
      @d = []
      (4).times { |i|
        @d << @_io.read_u1
      }
      @qs = []
      (32).times { |i|
        @qs << @_io.read_u1
      }
      self
    end
    attr_reader :d
    attr_reader :qs
  end
  class Q10 < Kaitai::Struct::Struct
    def initialize(_io, _parent = nil, _root = nil)
      super(_io, _parent, _root)
      _read
    end

    def _read
      @d = @_io.read_u2le
      @qs = []
      (16).times { |i|
        @qs << @_io.read_u1
      }
      self
    end
    attr_reader :d
    attr_reader :qs
  end
  class Q20 < Kaitai::Struct::Struct
    def initialize(_io, _parent = nil, _root = nil)
      super(_io, _parent, _root)
      _read
    end

    def _read
      @d = @_io.read_u2le
      @qs = []
      (16).times { |i|
        @qs << @_io.read_u1
      }
      self
    end
    attr_reader :d
    attr_reader :qs
  end
  class Q2K < Kaitai::Struct::Struct
    def initialize(_io, _parent = nil, _root = nil)
      super(_io, _parent, _root)
      _read
    end

    def _read
      @scales = []
      (16).times { |i|
        @scales << @_io.read_u1
      }
      @qs = []
      (64).times { |i|
        @qs << @_io.read_u1
      }
      @d = @_io.read_u2le
      @dmin = @_io.read_u2le
      self
    end
    attr_reader :scales
    attr_reader :qs
    attr_reader :d
    attr_reader :dmin
  end
  class Q3K < Kaitai::Struct::Struct
    def initialize(_io, _parent = nil, _root = nil)
      super(_io, _parent, _root)
      _read
    end

    def _read
      @hmask = []
      (32).times { |i|
        @hmask << @_io.read_u1
      }
      @qs = []
      (64).times { |i|
        @qs << @_io.read_u1
      }
      @scales = []
      (12).times { |i|
        @scales << @_io.read_u1
      }
      @d = @_io.read_u2le
      self
    end
    attr_reader :hmask
    attr_reader :qs
    attr_reader :scales
    attr_reader :d
  end
  class Q40 < Kaitai::Struct::Struct
    def initialize(_io, _parent = nil, _root = nil)
      super(_io, _parent, _root)
      _read
    end

    def _read
      @d = @_io.read_u2le
      @qs = []
      (16).times { |i|
        @qs << @_io.read_u1
      }
      self
    end
    attr_reader :d
    attr_reader :qs
  end
  class Q41 < Kaitai::Struct::Struct
    def initialize(_io, _parent = nil, _root = nil)
      super(_io, _parent, _root)
      _read
    end

    def _read
      @d = @_io.read_u2le
      @m = @_io.read_u2le
      @qs = []
      (16).times { |i|
        @qs << @_io.read_u1
      }
      self
    end
    attr_reader :d
    attr_reader :m
    attr_reader :qs
  end
  class Q4K < Kaitai::Struct::Struct
    def initialize(_io, _parent = nil, _root = nil)
      super(_io, _parent, _root)
      _read
    end

    def _read
      @d = @_io.read_u2le
      @dmin = @_io.read_u2le
      @scales = []
      (12).times { |i|
        @scales << @_io.read_u1
      }
      @qs = []
      (128).times { |i|
        @qs << @_io.read_u1
      }
      self
    end
    attr_reader :d
    attr_reader :dmin
    attr_reader :scales
    attr_reader :qs
  end
  class Q50 < Kaitai::Struct::Struct
    def initialize(_io, _parent = nil, _root = nil)
      super(_io, _parent, _root)
      _read
    end

    def _read
      @d = @_io.read_u2le
      @qh = []
      (4).times { |i|
        @qh << @_io.read_u1
      }
      @qs = []
      (16).times { |i|
        @qs << @_io.read_u1
      }
      self
    end
    attr_reader :d
    attr_reader :qh
    attr_reader :qs
  end
  class Q51 < Kaitai::Struct::Struct
    def initialize(_io, _parent = nil, _root = nil)
      super(_io, _parent, _root)
      _read
    end

    def _read
      @d = @_io.read_u2le
      @m = @_io.read_u2le
      @qh = []
      (4).times { |i|
        @qh << @_io.read_u1
      }
      @qs = []
      (16).times { |i|
        @qs << @_io.read_u1
      }
      self
    end
    attr_reader :d
    attr_reader :m
    attr_reader :qh
    attr_reader :qs
  end
  class Q5K < Kaitai::Struct::Struct
    def initialize(_io, _parent = nil, _root = nil)
      super(_io, _parent, _root)
      _read
    end

    def _read
      @d = @_io.read_u2le
      @dmin = @_io.read_u2le
      @scales = []
      (12).times { |i|
        @scales << @_io.read_u1
      }
      @qh = []
      (32).times { |i|
        @qh << @_io.read_u1
      }
      @qs = []
      (128).times { |i|
        @qs << @_io.read_u1
      }
      self
    end
    attr_reader :d
    attr_reader :dmin
    attr_reader :scales
    attr_reader :qh
    attr_reader :qs
  end
  class Q6K < Kaitai::Struct::Struct
    def initialize(_io, _parent = nil, _root = nil)
      super(_io, _parent, _root)
      _read
    end

    def _read
      @ql = []
      (128).times { |i|
        @ql << @_io.read_u1
      }
      @qh = []
      (64).times { |i|
        @qh << @_io.read_u1
      }
      @scales = []
      (16).times { |i|
        @scales << @_io.read_s1
      }
      @d = @_io.read_u2le
      self
    end
    attr_reader :ql
    attr_reader :qh
    attr_reader :scales
    attr_reader :d
  end
  class Q80 < Kaitai::Struct::Struct
    def initialize(_io, _parent = nil, _root = nil)
      super(_io, _parent, _root)
      _read
    end

    def _read
      @d = @_io.read_u2le
      @qs = []
      (32).times { |i|
        @qs << @_io.read_s1
      }
      self
    end
    attr_reader :d
    attr_reader :qs
  end
  class Q81 < Kaitai::Struct::Struct
    def initialize(_io, _parent = nil, _root = nil)
      super(_io, _parent, _root)
      _read
    end

    def _read
      @d = @_io.read_u2le
      @s = @_io.read_u2le
      @qs = []
      (32).times { |i|
        @qs << @_io.read_s1
      }
      self
    end
    attr_reader :d
    attr_reader :s
    attr_reader :qs
  end
  class Q8K < Kaitai::Struct::Struct
    def initialize(_io, _parent = nil, _root = nil)
      super(_io, _parent, _root)
      _read
    end

    def _read
      @d = @_io.read_f4le
      @qs = []
      (256).times { |i|
        @qs << @_io.read_s1
      }
      @bsums = []
      (16).times { |i|
        @bsums << @_io.read_s2le
      }
      self
    end
    attr_reader :d
    attr_reader :qs
    attr_reader :bsums
  end
  class Tq10 < Kaitai::Struct::Struct
    def initialize(_io, _parent = nil, _root = nil)
      super(_io, _parent, _root)
      _read
    end

    def _read
      @qs = []
      (48).times { |i|
        @qs << @_io.read_u1
      }
      @qh = []
      (4).times { |i|
        @qh << @_io.read_u1
      }
      @d = @_io.read_u2le
      self
    end
    attr_reader :qs
    attr_reader :qh
    attr_reader :d
  end
  class Tq20 < Kaitai::Struct::Struct
    def initialize(_io, _parent = nil, _root = nil)
      super(_io, _parent, _root)
      _read
    end

    def _read
      @qs = []
      (64).times { |i|
        @qs << @_io.read_u1
      }
      @d = @_io.read_u2le
      self
    end
    attr_reader :qs
    attr_reader :d
  end
end
