# This is a generated file! Please edit source .ksy file and use kaitai-struct-compiler to rebuild

require 'kaitai/struct/struct'

unless Gem::Version.new(Kaitai::Struct::VERSION) >= Gem::Version.new('0.11')
  raise "Incompatible Kaitai Struct Ruby API: 0.11 or later is required, but you have #{Kaitai::Struct::VERSION}"
end


##
# GGUF holds the weights of a machine learning model together with everything
# needed to run it: a list of typed key-values (architecture, hyperparameters,
# the tokenizer's vocabulary), a list of tensor descriptions and, aligned, the
# tensor data.
# 
# This specification covers the header: everything before the tensor data. It
# reads versions 1 to 3 in both byte orders. The tensor data starts at
# `body.ofs_tensor_data`: at the end of the header, rounded up to a multiple of
# the value of the key `general.alignment` (uint32), or of 32 if there is no
# such key. Each tensor starts at `ofs_data` from there. Its size follows from
# its type and dimensions: see `ggml_block.ksy`.
# 
# No field states the byte order. The version number reveals it: read in the
# wrong byte order, its low 16 bits are zero.
# 
# Strings are not always valid UTF-8 (tokens of a vocabulary can be parts of
# characters), so they are kept as bytes, and decoded on request.
# @see https://github.com/ggml-org/ggml/blob/d99724f2/docs/gguf.md Source
# @see https://github.com/ggml-org/ggml/blob/d99724f2/src/gguf.cpp Source
class Gguf < Kaitai::Struct::Struct

  GGML_TYPE = {
    0 => :ggml_type_f32,
    1 => :ggml_type_f16,
    2 => :ggml_type_q4_0,
    3 => :ggml_type_q4_1,
    6 => :ggml_type_q5_0,
    7 => :ggml_type_q5_1,
    8 => :ggml_type_q8_0,
    9 => :ggml_type_q8_1,
    10 => :ggml_type_q2_k,
    11 => :ggml_type_q3_k,
    12 => :ggml_type_q4_k,
    13 => :ggml_type_q5_k,
    14 => :ggml_type_q6_k,
    15 => :ggml_type_q8_k,
    16 => :ggml_type_iq2_xxs,
    17 => :ggml_type_iq2_xs,
    18 => :ggml_type_iq3_xxs,
    19 => :ggml_type_iq1_s,
    20 => :ggml_type_iq4_nl,
    21 => :ggml_type_iq3_s,
    22 => :ggml_type_iq2_s,
    23 => :ggml_type_iq4_xs,
    24 => :ggml_type_i8,
    25 => :ggml_type_i16,
    26 => :ggml_type_i32,
    27 => :ggml_type_i64,
    28 => :ggml_type_f64,
    29 => :ggml_type_iq1_m,
    30 => :ggml_type_bf16,
    34 => :ggml_type_tq1_0,
    35 => :ggml_type_tq2_0,
    39 => :ggml_type_mxfp4,
    40 => :ggml_type_nvfp4,
    41 => :ggml_type_q1_0,
    42 => :ggml_type_q2_0,
  }
  I__GGML_TYPE = GGML_TYPE.invert

  VALUE_TYPE = {
    0 => :value_type_uint8,
    1 => :value_type_int8,
    2 => :value_type_uint16,
    3 => :value_type_int16,
    4 => :value_type_uint32,
    5 => :value_type_int32,
    6 => :value_type_float32,
    7 => :value_type_bool,
    8 => :value_type_string,
    9 => :value_type_array,
    10 => :value_type_uint64,
    11 => :value_type_int64,
    12 => :value_type_float64,
  }
  I__VALUE_TYPE = VALUE_TYPE.invert
  def initialize(_io, _parent = nil, _root = nil)
    super(_io, _parent, _root || self)
    _read
  end

  def _read
    @magic = @_io.read_bytes(4)
    raise Kaitai::Struct::ValidationNotEqualError.new([71, 71, 85, 70].pack('C*'), @magic, @_io, "/seq/0") if not @magic == [71, 71, 85, 70].pack('C*')
    @body = GgufBody.new(@_io, self, @_root)
    self
  end
  class ArrayElements < Kaitai::Struct::Struct
    def initialize(_io, _parent = nil, _root = nil)
      super(_io, _parent, _root)
      _read
    end

    def _read
      @items = []
      (_parent.num_elements.as_int).times { |i|
        @items << GgufArray.new(@_io, self, @_root)
      }
      self
    end
    attr_reader :items
  end

  ##
  # A size in elements. 32 bits wide in version 1, 64 bits since version 2.
  class Dim < Kaitai::Struct::Struct
    def initialize(_io, _parent = nil, _root = nil)
      super(_io, _parent, _root)
      _read
    end

    def _read
      case _root.is_be
      when true
        @_is_le = false
      when false
        @_is_le = true
      end

      if @_is_le == true
        _read_le
      elsif @_is_le == false
        _read_be
      else
        raise Kaitai::Struct::UndecidedEndiannessError.new("/types/dim")
      end
      self
    end

    def _read_le
      if _root.version == 1
        @value_u4 = @_io.read_u4le
      end
      if _root.version != 1
        @value_u8 = @_io.read_u8le
      end
      self
    end

    def _read_be
      if _root.version == 1
        @value_u4 = @_io.read_u4be
      end
      if _root.version != 1
        @value_u8 = @_io.read_u8be
      end
      self
    end
    def value
      return @value unless @value.nil?
      @value = (_root.version == 1 ? value_u4 : value_u8)
      @value
    end
    attr_reader :value_u4
    attr_reader :value_u8
  end

  ##
  # Numbers of 1 byte each, in the file's byte order.
  class Elements1 < Kaitai::Struct::Struct
    def initialize(_io, _parent = nil, _root = nil)
      super(_io, _parent, _root)
      _read
    end

    def _read
      @data = @_io.read_bytes(_parent.num_elements.value)
      self
    end
    attr_reader :data
  end

  ##
  # Numbers of 2 bytes each, in the file's byte order.
  class Elements2 < Kaitai::Struct::Struct
    def initialize(_io, _parent = nil, _root = nil)
      super(_io, _parent, _root)
      _read
    end

    def _read
      @data = @_io.read_bytes(_parent.num_elements.value * 2)
      self
    end
    attr_reader :data
  end

  ##
  # Numbers of 4 bytes each, in the file's byte order.
  class Elements4 < Kaitai::Struct::Struct
    def initialize(_io, _parent = nil, _root = nil)
      super(_io, _parent, _root)
      _read
    end

    def _read
      @data = @_io.read_bytes(_parent.num_elements.value * 4)
      self
    end
    attr_reader :data
  end

  ##
  # Numbers of 8 bytes each, in the file's byte order.
  class Elements8 < Kaitai::Struct::Struct
    def initialize(_io, _parent = nil, _root = nil)
      super(_io, _parent, _root)
      _read
    end

    def _read
      @data = @_io.read_bytes(_parent.num_elements.value * 8)
      self
    end
    attr_reader :data
  end

  ##
  # Elements of one type, without padding. They can be arrays themselves,
  # each with its own element type and count.
  class GgufArray < Kaitai::Struct::Struct
    def initialize(_io, _parent = nil, _root = nil)
      super(_io, _parent, _root)
      _read
    end

    def _read
      case _root.is_be
      when true
        @_is_le = false
      when false
        @_is_le = true
      end

      if @_is_le == true
        _read_le
      elsif @_is_le == false
        _read_be
      else
        raise Kaitai::Struct::UndecidedEndiannessError.new("/types/gguf_array")
      end
      self
    end

    def _read_le
      @element_type = Kaitai::Struct::Stream::resolve_enum(Gguf::VALUE_TYPE, @_io.read_u4le)
      raise Kaitai::Struct::ValidationNotInEnumError.new(@element_type, @_io, "/types/gguf_array/seq/0") if not Gguf::I__VALUE_TYPE.key?(@element_type)
      @num_elements = Length.new(@_io, self, @_root)
      case element_type
      when :value_type_array
        @elements = ArrayElements.new(@_io, self, @_root)
      when :value_type_bool
        @elements = Elements1.new(@_io, self, @_root)
      when :value_type_float32
        @elements = Elements4.new(@_io, self, @_root)
      when :value_type_float64
        @elements = Elements8.new(@_io, self, @_root)
      when :value_type_int16
        @elements = Elements2.new(@_io, self, @_root)
      when :value_type_int32
        @elements = Elements4.new(@_io, self, @_root)
      when :value_type_int64
        @elements = Elements8.new(@_io, self, @_root)
      when :value_type_int8
        @elements = Elements1.new(@_io, self, @_root)
      when :value_type_string
        @elements = StringElements.new(@_io, self, @_root)
      when :value_type_uint16
        @elements = Elements2.new(@_io, self, @_root)
      when :value_type_uint32
        @elements = Elements4.new(@_io, self, @_root)
      when :value_type_uint64
        @elements = Elements8.new(@_io, self, @_root)
      when :value_type_uint8
        @elements = Elements1.new(@_io, self, @_root)
      end
      self
    end

    def _read_be
      @element_type = Kaitai::Struct::Stream::resolve_enum(Gguf::VALUE_TYPE, @_io.read_u4be)
      raise Kaitai::Struct::ValidationNotInEnumError.new(@element_type, @_io, "/types/gguf_array/seq/0") if not Gguf::I__VALUE_TYPE.key?(@element_type)
      @num_elements = Length.new(@_io, self, @_root)
      case element_type
      when :value_type_array
        @elements = ArrayElements.new(@_io, self, @_root)
      when :value_type_bool
        @elements = Elements1.new(@_io, self, @_root)
      when :value_type_float32
        @elements = Elements4.new(@_io, self, @_root)
      when :value_type_float64
        @elements = Elements8.new(@_io, self, @_root)
      when :value_type_int16
        @elements = Elements2.new(@_io, self, @_root)
      when :value_type_int32
        @elements = Elements4.new(@_io, self, @_root)
      when :value_type_int64
        @elements = Elements8.new(@_io, self, @_root)
      when :value_type_int8
        @elements = Elements1.new(@_io, self, @_root)
      when :value_type_string
        @elements = StringElements.new(@_io, self, @_root)
      when :value_type_uint16
        @elements = Elements2.new(@_io, self, @_root)
      when :value_type_uint32
        @elements = Elements4.new(@_io, self, @_root)
      when :value_type_uint64
        @elements = Elements8.new(@_io, self, @_root)
      when :value_type_uint8
        @elements = Elements1.new(@_io, self, @_root)
      end
      self
    end
    attr_reader :element_type
    attr_reader :num_elements
    attr_reader :elements
  end
  class GgufBody < Kaitai::Struct::Struct
    def initialize(_io, _parent = nil, _root = nil)
      super(_io, _parent, _root)
      _read
    end

    def _read
      case _root.is_be
      when true
        @_is_le = false
      when false
        @_is_le = true
      end

      if @_is_le == true
        _read_le
      elsif @_is_le == false
        _read_be
      else
        raise Kaitai::Struct::UndecidedEndiannessError.new("/types/gguf_body")
      end
      self
    end

    def _read_le
      @version = @_io.read_u4le
      raise Kaitai::Struct::ValidationNotAnyOfError.new(@version, @_io, "/types/gguf_body/seq/0") if not  ((@version == 1) || (@version == 2) || (@version == 3)) 
      @num_tensors = Length.new(@_io, self, @_root)
      @num_metadata = Length.new(@_io, self, @_root)
      @metadata = []
      (num_metadata.as_int).times { |i|
        @metadata << KeyValue.new(@_io, self, @_root)
      }
      @tensors = []
      (num_tensors.as_int).times { |i|
        @tensors << TensorInfo.new(@_io, self, @_root)
      }
      if len_header < 0
        @header_end = @_io.read_bytes(0)
      end
      self
    end

    def _read_be
      @version = @_io.read_u4be
      raise Kaitai::Struct::ValidationNotAnyOfError.new(@version, @_io, "/types/gguf_body/seq/0") if not  ((@version == 1) || (@version == 2) || (@version == 3)) 
      @num_tensors = Length.new(@_io, self, @_root)
      @num_metadata = Length.new(@_io, self, @_root)
      @metadata = []
      (num_metadata.as_int).times { |i|
        @metadata << KeyValue.new(@_io, self, @_root)
      }
      @tensors = []
      (num_tensors.as_int).times { |i|
        @tensors << TensorInfo.new(@_io, self, @_root)
      }
      if len_header < 0
        @header_end = @_io.read_bytes(0)
      end
      self
    end

    ##
    # Offsets of tensors are multiples of this power of two.
    def alignment
      return @alignment unless @alignment.nil?
      @alignment = (metadata.length > 0 ? metadata[alignment_search.length - 1].alignment : 32)
      @alignment
    end

    ##
    # Reads nothing. Has one item for each key-value up to and including the
    # first alignment, or for all of them if there is none.
    def alignment_search
      return @alignment_search unless @alignment_search.nil?
      if metadata.length > 0
        if @_is_le
          @alignment_search = []
          i = 0
          begin
            _ = @_io.read_bytes(0)
            @alignment_search << _
            i += 1
          end until  ((metadata[alignment_search.length - 1].is_alignment) || (alignment_search.length == metadata.length)) 
        else
          @alignment_search = []
          i = 0
          begin
            _ = @_io.read_bytes(0)
            @alignment_search << _
            i += 1
          end until  ((metadata[alignment_search.length - 1].is_alignment) || (alignment_search.length == metadata.length)) 
        end
      end
      @alignment_search
    end

    ##
    # From the start of the file to the end of the last tensor info.
    def len_header
      return @len_header unless @len_header.nil?
      @len_header = _io.pos
      @len_header
    end

    ##
    # From the start of the file. A file without tensors may end before.
    def ofs_tensor_data
      return @ofs_tensor_data unless @ofs_tensor_data.nil?
      @ofs_tensor_data = (len_header + -(len_header) % alignment)
      @ofs_tensor_data
    end

    ##
    # Lengths and counts have 32 bits in version 1, 64 bits in versions 2
    # and 3. Big-endian files are allowed since version 3.
    attr_reader :version
    attr_reader :num_tensors
    attr_reader :num_metadata
    attr_reader :metadata
    attr_reader :tensors
    attr_reader :header_end
  end
  class GgufString < Kaitai::Struct::Struct
    def initialize(_io, _parent = nil, _root = nil)
      super(_io, _parent, _root)
      _read
    end

    def _read
      @len_data = Length.new(@_io, self, @_root)
      @data = @_io.read_bytes(len_data.value)
      self
    end

    ##
    # Bytes that are not UTF-8 are an error or replaced, by language.
    def value
      return @value unless @value.nil?
      @value = (data).force_encoding("UTF-8")
      @value
    end
    attr_reader :len_data

    ##
    # UTF-8 in most cases, with no terminator.
    attr_reader :data
  end
  class KeyValue < Kaitai::Struct::Struct
    def initialize(_io, _parent = nil, _root = nil)
      super(_io, _parent, _root)
      _read
    end

    def _read
      case _root.is_be
      when true
        @_is_le = false
      when false
        @_is_le = true
      end

      if @_is_le == true
        _read_le
      elsif @_is_le == false
        _read_be
      else
        raise Kaitai::Struct::UndecidedEndiannessError.new("/types/key_value")
      end
      self
    end

    def _read_le
      @key = GgufString.new(@_io, self, @_root)
      @value_type = Kaitai::Struct::Stream::resolve_enum(Gguf::VALUE_TYPE, @_io.read_u4le)
      raise Kaitai::Struct::ValidationNotInEnumError.new(@value_type, @_io, "/types/key_value/seq/1") if not Gguf::I__VALUE_TYPE.key?(@value_type)
      case value_type
      when :value_type_array
        @value = GgufArray.new(@_io, self, @_root)
      when :value_type_bool
        @value = ValueU1.new(@_io, self, @_root)
      when :value_type_float32
        @value = ValueF4.new(@_io, self, @_root)
      when :value_type_float64
        @value = ValueF8.new(@_io, self, @_root)
      when :value_type_int16
        @value = ValueS2.new(@_io, self, @_root)
      when :value_type_int32
        @value = ValueS4.new(@_io, self, @_root)
      when :value_type_int64
        @value = ValueS8.new(@_io, self, @_root)
      when :value_type_int8
        @value = ValueS1.new(@_io, self, @_root)
      when :value_type_string
        @value = GgufString.new(@_io, self, @_root)
      when :value_type_uint16
        @value = ValueU2.new(@_io, self, @_root)
      when :value_type_uint32
        @value = ValueU4.new(@_io, self, @_root)
      when :value_type_uint64
        @value = ValueU8.new(@_io, self, @_root)
      when :value_type_uint8
        @value = ValueU1.new(@_io, self, @_root)
      end
      self
    end

    def _read_be
      @key = GgufString.new(@_io, self, @_root)
      @value_type = Kaitai::Struct::Stream::resolve_enum(Gguf::VALUE_TYPE, @_io.read_u4be)
      raise Kaitai::Struct::ValidationNotInEnumError.new(@value_type, @_io, "/types/key_value/seq/1") if not Gguf::I__VALUE_TYPE.key?(@value_type)
      case value_type
      when :value_type_array
        @value = GgufArray.new(@_io, self, @_root)
      when :value_type_bool
        @value = ValueU1.new(@_io, self, @_root)
      when :value_type_float32
        @value = ValueF4.new(@_io, self, @_root)
      when :value_type_float64
        @value = ValueF8.new(@_io, self, @_root)
      when :value_type_int16
        @value = ValueS2.new(@_io, self, @_root)
      when :value_type_int32
        @value = ValueS4.new(@_io, self, @_root)
      when :value_type_int64
        @value = ValueS8.new(@_io, self, @_root)
      when :value_type_int8
        @value = ValueS1.new(@_io, self, @_root)
      when :value_type_string
        @value = GgufString.new(@_io, self, @_root)
      when :value_type_uint16
        @value = ValueU2.new(@_io, self, @_root)
      when :value_type_uint32
        @value = ValueU4.new(@_io, self, @_root)
      when :value_type_uint64
        @value = ValueU8.new(@_io, self, @_root)
      when :value_type_uint8
        @value = ValueU1.new(@_io, self, @_root)
      end
      self
    end

    ##
    # The value if this is the alignment, otherwise the default.
    def alignment
      return @alignment unless @alignment.nil?
      @alignment = (is_alignment ? value.value : 32)
      @alignment
    end

    ##
    # Whether the key is `general.alignment`, with the required type.
    def is_alignment
      return @is_alignment unless @is_alignment.nil?
      @is_alignment =  ((value_type == :value_type_uint32) && (key.data == [103, 101, 110, 101, 114, 97, 108, 46, 97, 108, 105, 103, 110, 109, 101, 110, 116].pack('C*'))) 
      @is_alignment
    end

    ##
    # Unique in the file. By the specification at most 65535 bytes of ASCII,
    # `lower_snake_case` segments joined by `.`; not all writers comply.
    attr_reader :key
    attr_reader :value_type
    attr_reader :value
  end

  ##
  # A count of bytes or items. 32 bits wide in version 1, 64 bits since
  # version 2. At most 2^30, which is ggml's limit for strings and arrays.
  class Length < Kaitai::Struct::Struct
    def initialize(_io, _parent = nil, _root = nil)
      super(_io, _parent, _root)
      _read
    end

    def _read
      case _root.is_be
      when true
        @_is_le = false
      when false
        @_is_le = true
      end

      if @_is_le == true
        _read_le
      elsif @_is_le == false
        _read_be
      else
        raise Kaitai::Struct::UndecidedEndiannessError.new("/types/length")
      end
      self
    end

    def _read_le
      if _root.version == 1
        @value_u4 = @_io.read_u4le
        raise Kaitai::Struct::ValidationGreaterThanError.new(1073741824, @value_u4, @_io, "/types/length/seq/0") if not @value_u4 <= 1073741824
      end
      if _root.version != 1
        @value_u8 = @_io.read_u8le
        raise Kaitai::Struct::ValidationLessThanError.new(0, @value_u8, @_io, "/types/length/seq/1") if not @value_u8 >= 0
        raise Kaitai::Struct::ValidationGreaterThanError.new(1073741824, @value_u8, @_io, "/types/length/seq/1") if not @value_u8 <= 1073741824
      end
      self
    end

    def _read_be
      if _root.version == 1
        @value_u4 = @_io.read_u4be
        raise Kaitai::Struct::ValidationGreaterThanError.new(1073741824, @value_u4, @_io, "/types/length/seq/0") if not @value_u4 <= 1073741824
      end
      if _root.version != 1
        @value_u8 = @_io.read_u8be
        raise Kaitai::Struct::ValidationLessThanError.new(0, @value_u8, @_io, "/types/length/seq/1") if not @value_u8 >= 0
        raise Kaitai::Struct::ValidationGreaterThanError.new(1073741824, @value_u8, @_io, "/types/length/seq/1") if not @value_u8 <= 1073741824
      end
      self
    end

    ##
    # The same as `value`, in a type that all languages can repeat by.
    def as_int
      return @as_int unless @as_int.nil?
      @as_int = (_root.version == 1 ? value_u4 : value_u8)
      @as_int
    end
    def value
      return @value unless @value.nil?
      @value = (_root.version == 1 ? value_u4 : value_u8)
      @value
    end
    attr_reader :value_u4
    attr_reader :value_u8
  end
  class StringElements < Kaitai::Struct::Struct
    def initialize(_io, _parent = nil, _root = nil)
      super(_io, _parent, _root)
      _read
    end

    def _read
      @items = []
      (_parent.num_elements.as_int).times { |i|
        @items << GgufString.new(@_io, self, @_root)
      }
      self
    end
    attr_reader :items
  end
  class TensorInfo < Kaitai::Struct::Struct
    def initialize(_io, _parent = nil, _root = nil)
      super(_io, _parent, _root)
      _read
    end

    def _read
      case _root.is_be
      when true
        @_is_le = false
      when false
        @_is_le = true
      end

      if @_is_le == true
        _read_le
      elsif @_is_le == false
        _read_be
      else
        raise Kaitai::Struct::UndecidedEndiannessError.new("/types/tensor_info")
      end
      self
    end

    def _read_le
      @name = GgufString.new(@_io, self, @_root)
      @num_dims = @_io.read_u4le
      raise Kaitai::Struct::ValidationGreaterThanError.new(4, @num_dims, @_io, "/types/tensor_info/seq/1") if not @num_dims <= 4
      @dims = []
      (num_dims).times { |i|
        @dims << Dim.new(@_io, self, @_root)
      }
      @type_id = @_io.read_u4le
      @ofs_data = @_io.read_u8le
      self
    end

    def _read_be
      @name = GgufString.new(@_io, self, @_root)
      @num_dims = @_io.read_u4be
      raise Kaitai::Struct::ValidationGreaterThanError.new(4, @num_dims, @_io, "/types/tensor_info/seq/1") if not @num_dims <= 4
      @dims = []
      (num_dims).times { |i|
        @dims << Dim.new(@_io, self, @_root)
      }
      @type_id = @_io.read_u4be
      @ofs_data = @_io.read_u8be
      self
    end
    def ggml_type
      return @ggml_type unless @ggml_type.nil?
      @ggml_type = Kaitai::Struct::Stream::resolve_enum(Gguf::GGML_TYPE, type_id)
      @ggml_type
    end

    ##
    # Unique in the file. By the specification at most 64 bytes; ggml
    # accepts at most 63, and some writers exceed both.
    attr_reader :name

    ##
    # A tensor without dimensions holds one element.
    attr_reader :num_dims

    ##
    # In elements. The first is the row length, which varies fastest: numpy
    # and most others use the reverse order.
    attr_reader :dims

    ##
    # New types come with most releases of ggml, so a number that is not in
    # the enum does not make a file invalid.
    attr_reader :type_id

    ##
    # In bytes, from the start of the tensor data. A multiple of the
    # alignment.
    attr_reader :ofs_data
  end
  class ValueF4 < Kaitai::Struct::Struct
    def initialize(_io, _parent = nil, _root = nil)
      super(_io, _parent, _root)
      _read
    end

    def _read
      case _root.is_be
      when true
        @_is_le = false
      when false
        @_is_le = true
      end

      if @_is_le == true
        _read_le
      elsif @_is_le == false
        _read_be
      else
        raise Kaitai::Struct::UndecidedEndiannessError.new("/types/value_f4")
      end
      self
    end

    def _read_le
      @value = @_io.read_f4le
      self
    end

    def _read_be
      @value = @_io.read_f4be
      self
    end
    attr_reader :value
  end
  class ValueF8 < Kaitai::Struct::Struct
    def initialize(_io, _parent = nil, _root = nil)
      super(_io, _parent, _root)
      _read
    end

    def _read
      case _root.is_be
      when true
        @_is_le = false
      when false
        @_is_le = true
      end

      if @_is_le == true
        _read_le
      elsif @_is_le == false
        _read_be
      else
        raise Kaitai::Struct::UndecidedEndiannessError.new("/types/value_f8")
      end
      self
    end

    def _read_le
      @value = @_io.read_f8le
      self
    end

    def _read_be
      @value = @_io.read_f8be
      self
    end
    attr_reader :value
  end
  class ValueS1 < Kaitai::Struct::Struct
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
  class ValueS2 < Kaitai::Struct::Struct
    def initialize(_io, _parent = nil, _root = nil)
      super(_io, _parent, _root)
      _read
    end

    def _read
      case _root.is_be
      when true
        @_is_le = false
      when false
        @_is_le = true
      end

      if @_is_le == true
        _read_le
      elsif @_is_le == false
        _read_be
      else
        raise Kaitai::Struct::UndecidedEndiannessError.new("/types/value_s2")
      end
      self
    end

    def _read_le
      @value = @_io.read_s2le
      self
    end

    def _read_be
      @value = @_io.read_s2be
      self
    end
    attr_reader :value
  end
  class ValueS4 < Kaitai::Struct::Struct
    def initialize(_io, _parent = nil, _root = nil)
      super(_io, _parent, _root)
      _read
    end

    def _read
      case _root.is_be
      when true
        @_is_le = false
      when false
        @_is_le = true
      end

      if @_is_le == true
        _read_le
      elsif @_is_le == false
        _read_be
      else
        raise Kaitai::Struct::UndecidedEndiannessError.new("/types/value_s4")
      end
      self
    end

    def _read_le
      @value = @_io.read_s4le
      self
    end

    def _read_be
      @value = @_io.read_s4be
      self
    end
    attr_reader :value
  end
  class ValueS8 < Kaitai::Struct::Struct
    def initialize(_io, _parent = nil, _root = nil)
      super(_io, _parent, _root)
      _read
    end

    def _read
      case _root.is_be
      when true
        @_is_le = false
      when false
        @_is_le = true
      end

      if @_is_le == true
        _read_le
      elsif @_is_le == false
        _read_be
      else
        raise Kaitai::Struct::UndecidedEndiannessError.new("/types/value_s8")
      end
      self
    end

    def _read_le
      @value = @_io.read_s8le
      self
    end

    def _read_be
      @value = @_io.read_s8be
      self
    end
    attr_reader :value
  end
  class ValueU1 < Kaitai::Struct::Struct
    def initialize(_io, _parent = nil, _root = nil)
      super(_io, _parent, _root)
      _read
    end

    def _read
      @value = @_io.read_u1
      self
    end
    attr_reader :value
  end
  class ValueU2 < Kaitai::Struct::Struct
    def initialize(_io, _parent = nil, _root = nil)
      super(_io, _parent, _root)
      _read
    end

    def _read
      case _root.is_be
      when true
        @_is_le = false
      when false
        @_is_le = true
      end

      if @_is_le == true
        _read_le
      elsif @_is_le == false
        _read_be
      else
        raise Kaitai::Struct::UndecidedEndiannessError.new("/types/value_u2")
      end
      self
    end

    def _read_le
      @value = @_io.read_u2le
      self
    end

    def _read_be
      @value = @_io.read_u2be
      self
    end
    attr_reader :value
  end
  class ValueU4 < Kaitai::Struct::Struct
    def initialize(_io, _parent = nil, _root = nil)
      super(_io, _parent, _root)
      _read
    end

    def _read
      case _root.is_be
      when true
        @_is_le = false
      when false
        @_is_le = true
      end

      if @_is_le == true
        _read_le
      elsif @_is_le == false
        _read_be
      else
        raise Kaitai::Struct::UndecidedEndiannessError.new("/types/value_u4")
      end
      self
    end

    def _read_le
      @value = @_io.read_u4le
      self
    end

    def _read_be
      @value = @_io.read_u4be
      self
    end
    attr_reader :value
  end
  class ValueU8 < Kaitai::Struct::Struct
    def initialize(_io, _parent = nil, _root = nil)
      super(_io, _parent, _root)
      _read
    end

    def _read
      case _root.is_be
      when true
        @_is_le = false
      when false
        @_is_le = true
      end

      if @_is_le == true
        _read_le
      elsif @_is_le == false
        _read_be
      else
        raise Kaitai::Struct::UndecidedEndiannessError.new("/types/value_u8")
      end
      self
    end

    def _read_le
      @value = @_io.read_u8le
      self
    end

    def _read_be
      @value = @_io.read_u8be
      self
    end
    attr_reader :value
  end

  ##
  # Whether all of the file, tensor data included, is big-endian.
  def is_be
    return @is_be unless @is_be.nil?
    @is_be = version_le & 65535 == 0
    @is_be
  end
  def version
    return @version unless @version.nil?
    @version = (is_be ? version_be : version_le)
    @version
  end
  def version_be
    return @version_be unless @version_be.nil?
    _pos = @_io.pos
    @_io.seek(4)
    @version_be = @_io.read_u4be
    @_io.seek(_pos)
    @version_be
  end
  def version_le
    return @version_le unless @version_le.nil?
    _pos = @_io.pos
    @_io.seek(4)
    @version_le = @_io.read_u4le
    @_io.seek(_pos)
    @version_le
  end

  ##
  # The same bytes in both byte orders.
  attr_reader :magic
  attr_reader :body
end
