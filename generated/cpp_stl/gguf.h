#pragma once

// This is a generated file! Please edit source .ksy file and use kaitai-struct-compiler to rebuild

class gguf_t;

#include "kaitai/kaitaistruct.h"
#include <stdint.h>
#include <memory>
#include <set>
#include <vector>

#if KAITAI_STRUCT_VERSION < 11000L
#error "Incompatible Kaitai Struct C++/STL API: version 0.11 or later is required"
#endif

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
 * \sa https://github.com/ggml-org/ggml/blob/d99724f2/docs/gguf.md Source
 * \sa https://github.com/ggml-org/ggml/blob/d99724f2/src/gguf.cpp Source
 */

class gguf_t : public kaitai::kstruct {

public:
    class array_elements_t;
    class dim_t;
    class elements_1_t;
    class elements_2_t;
    class elements_4_t;
    class elements_8_t;
    class gguf_array_t;
    class gguf_body_t;
    class gguf_string_t;
    class key_value_t;
    class length_t;
    class string_elements_t;
    class tensor_info_t;
    class value_f4_t;
    class value_f8_t;
    class value_s1_t;
    class value_s2_t;
    class value_s4_t;
    class value_s8_t;
    class value_u1_t;
    class value_u2_t;
    class value_u4_t;
    class value_u8_t;

    enum ggml_type_t {
        GGML_TYPE_F32 = 0,
        GGML_TYPE_F16 = 1,
        GGML_TYPE_Q4_0 = 2,
        GGML_TYPE_Q4_1 = 3,
        GGML_TYPE_Q5_0 = 6,
        GGML_TYPE_Q5_1 = 7,
        GGML_TYPE_Q8_0 = 8,
        GGML_TYPE_Q8_1 = 9,
        GGML_TYPE_Q2_K = 10,
        GGML_TYPE_Q3_K = 11,
        GGML_TYPE_Q4_K = 12,
        GGML_TYPE_Q5_K = 13,
        GGML_TYPE_Q6_K = 14,
        GGML_TYPE_Q8_K = 15,
        GGML_TYPE_IQ2_XXS = 16,
        GGML_TYPE_IQ2_XS = 17,
        GGML_TYPE_IQ3_XXS = 18,
        GGML_TYPE_IQ1_S = 19,
        GGML_TYPE_IQ4_NL = 20,
        GGML_TYPE_IQ3_S = 21,
        GGML_TYPE_IQ2_S = 22,
        GGML_TYPE_IQ4_XS = 23,
        GGML_TYPE_I8 = 24,
        GGML_TYPE_I16 = 25,
        GGML_TYPE_I32 = 26,
        GGML_TYPE_I64 = 27,
        GGML_TYPE_F64 = 28,
        GGML_TYPE_IQ1_M = 29,
        GGML_TYPE_BF16 = 30,
        GGML_TYPE_TQ1_0 = 34,
        GGML_TYPE_TQ2_0 = 35,
        GGML_TYPE_MXFP4 = 39,
        GGML_TYPE_NVFP4 = 40,
        GGML_TYPE_Q1_0 = 41,
        GGML_TYPE_Q2_0 = 42
    };
    static bool _is_defined_ggml_type_t(ggml_type_t v);

private:
    static const std::set<ggml_type_t> _values_ggml_type_t;

public:

    enum value_type_t {
        VALUE_TYPE_UINT8 = 0,
        VALUE_TYPE_INT8 = 1,
        VALUE_TYPE_UINT16 = 2,
        VALUE_TYPE_INT16 = 3,
        VALUE_TYPE_UINT32 = 4,
        VALUE_TYPE_INT32 = 5,
        VALUE_TYPE_FLOAT32 = 6,
        VALUE_TYPE_BOOL = 7,
        VALUE_TYPE_STRING = 8,
        VALUE_TYPE_ARRAY = 9,
        VALUE_TYPE_UINT64 = 10,
        VALUE_TYPE_INT64 = 11,
        VALUE_TYPE_FLOAT64 = 12
    };
    static bool _is_defined_value_type_t(value_type_t v);

private:
    static const std::set<value_type_t> _values_value_type_t;

public:

    gguf_t(kaitai::kstream* p__io, kaitai::kstruct* p__parent = nullptr, gguf_t* p__root = nullptr);

private:
    void _read();
    void _clean_up();

public:
    ~gguf_t();

    class array_elements_t : public kaitai::kstruct {

    public:

        array_elements_t(kaitai::kstream* p__io, gguf_t::gguf_array_t* p__parent = nullptr, gguf_t* p__root = nullptr);

    private:
        void _read();
        void _clean_up();

    public:
        ~array_elements_t();

    private:
        std::unique_ptr<std::vector<std::unique_ptr<gguf_array_t>>> m_items;
        gguf_t* m__root;
        gguf_t::gguf_array_t* m__parent;

    public:
        std::vector<std::unique_ptr<gguf_array_t>>* items() const { return m_items.get(); }
        gguf_t* _root() const { return m__root; }
        gguf_t::gguf_array_t* _parent() const { return m__parent; }
    };

    /**
     * A size in elements. 32 bits wide in version 1, 64 bits since version 2.
     */

    class dim_t : public kaitai::kstruct {

    public:

        dim_t(kaitai::kstream* p__io, gguf_t::tensor_info_t* p__parent = nullptr, gguf_t* p__root = nullptr);

    private:
        int m__is_le;

    public:

    private:
        void _read();
        void _read_le();
        void _read_be();
        void _clean_up();

    public:
        ~dim_t();

    private:
        bool f_value;
        uint64_t m_value;

    public:
        uint64_t value();

    private:
        uint32_t m_value_u4;
        bool n_value_u4;

    public:
        bool _is_null_value_u4() { value_u4(); return n_value_u4; };

    private:
        uint64_t m_value_u8;
        bool n_value_u8;

    public:
        bool _is_null_value_u8() { value_u8(); return n_value_u8; };

    private:
        gguf_t* m__root;
        gguf_t::tensor_info_t* m__parent;

    public:
        uint32_t value_u4() const { return m_value_u4; }
        uint64_t value_u8() const { return m_value_u8; }
        gguf_t* _root() const { return m__root; }
        gguf_t::tensor_info_t* _parent() const { return m__parent; }
    };

    /**
     * Numbers of 1 byte each, in the file's byte order.
     */

    class elements_1_t : public kaitai::kstruct {

    public:

        elements_1_t(kaitai::kstream* p__io, gguf_t::gguf_array_t* p__parent = nullptr, gguf_t* p__root = nullptr);

    private:
        void _read();
        void _clean_up();

    public:
        ~elements_1_t();

    private:
        std::string m_data;
        gguf_t* m__root;
        gguf_t::gguf_array_t* m__parent;

    public:
        std::string data() const { return m_data; }
        gguf_t* _root() const { return m__root; }
        gguf_t::gguf_array_t* _parent() const { return m__parent; }
    };

    /**
     * Numbers of 2 bytes each, in the file's byte order.
     */

    class elements_2_t : public kaitai::kstruct {

    public:

        elements_2_t(kaitai::kstream* p__io, gguf_t::gguf_array_t* p__parent = nullptr, gguf_t* p__root = nullptr);

    private:
        void _read();
        void _clean_up();

    public:
        ~elements_2_t();

    private:
        std::string m_data;
        gguf_t* m__root;
        gguf_t::gguf_array_t* m__parent;

    public:
        std::string data() const { return m_data; }
        gguf_t* _root() const { return m__root; }
        gguf_t::gguf_array_t* _parent() const { return m__parent; }
    };

    /**
     * Numbers of 4 bytes each, in the file's byte order.
     */

    class elements_4_t : public kaitai::kstruct {

    public:

        elements_4_t(kaitai::kstream* p__io, gguf_t::gguf_array_t* p__parent = nullptr, gguf_t* p__root = nullptr);

    private:
        void _read();
        void _clean_up();

    public:
        ~elements_4_t();

    private:
        std::string m_data;
        gguf_t* m__root;
        gguf_t::gguf_array_t* m__parent;

    public:
        std::string data() const { return m_data; }
        gguf_t* _root() const { return m__root; }
        gguf_t::gguf_array_t* _parent() const { return m__parent; }
    };

    /**
     * Numbers of 8 bytes each, in the file's byte order.
     */

    class elements_8_t : public kaitai::kstruct {

    public:

        elements_8_t(kaitai::kstream* p__io, gguf_t::gguf_array_t* p__parent = nullptr, gguf_t* p__root = nullptr);

    private:
        void _read();
        void _clean_up();

    public:
        ~elements_8_t();

    private:
        std::string m_data;
        gguf_t* m__root;
        gguf_t::gguf_array_t* m__parent;

    public:
        std::string data() const { return m_data; }
        gguf_t* _root() const { return m__root; }
        gguf_t::gguf_array_t* _parent() const { return m__parent; }
    };

    /**
     * Elements of one type, without padding. They can be arrays themselves,
     * each with its own element type and count.
     */

    class gguf_array_t : public kaitai::kstruct {

    public:

        gguf_array_t(kaitai::kstream* p__io, kaitai::kstruct* p__parent = nullptr, gguf_t* p__root = nullptr);

    private:
        int m__is_le;

    public:

    private:
        void _read();
        void _read_le();
        void _read_be();
        void _clean_up();

    public:
        ~gguf_array_t();

    private:
        value_type_t m_element_type;
        std::unique_ptr<length_t> m_num_elements;
        std::unique_ptr<kaitai::kstruct> m_elements;
        bool n_elements;

    public:
        bool _is_null_elements() { elements(); return n_elements; };

    private:
        gguf_t* m__root;
        kaitai::kstruct* m__parent;

    public:
        value_type_t element_type() const { return m_element_type; }
        length_t* num_elements() const { return m_num_elements.get(); }
        kaitai::kstruct* elements() const { return m_elements.get(); }
        gguf_t* _root() const { return m__root; }
        kaitai::kstruct* _parent() const { return m__parent; }
    };

    class gguf_body_t : public kaitai::kstruct {

    public:

        gguf_body_t(kaitai::kstream* p__io, gguf_t* p__parent = nullptr, gguf_t* p__root = nullptr);

    private:
        int m__is_le;

    public:

    private:
        void _read();
        void _read_le();
        void _read_be();
        void _clean_up();

    public:
        ~gguf_body_t();

    private:
        bool f_alignment;
        int64_t m_alignment;

    public:

        /**
         * Offsets of tensors are multiples of this power of two.
         */
        int64_t alignment();

    private:
        bool f_alignment_search;
        std::unique_ptr<std::vector<std::string>> m_alignment_search;
        bool n_alignment_search;

    public:
        bool _is_null_alignment_search() { alignment_search(); return n_alignment_search; };

    private:

    public:

        /**
         * Reads nothing. Has one item for each key-value up to and including the
         * first alignment, or for all of them if there is none.
         */
        std::vector<std::string>* alignment_search();

    private:
        bool f_len_header;
        int64_t m_len_header;

    public:

        /**
         * From the start of the file to the end of the last tensor info.
         */
        int64_t len_header();

    private:
        bool f_ofs_tensor_data;
        int64_t m_ofs_tensor_data;

    public:

        /**
         * From the start of the file. A file without tensors may end before.
         */
        int64_t ofs_tensor_data();

    private:
        uint32_t m_version;
        std::unique_ptr<length_t> m_num_tensors;
        std::unique_ptr<length_t> m_num_metadata;
        std::unique_ptr<std::vector<std::unique_ptr<key_value_t>>> m_metadata;
        std::unique_ptr<std::vector<std::unique_ptr<tensor_info_t>>> m_tensors;
        std::string m_header_end;
        bool n_header_end;

    public:
        bool _is_null_header_end() { header_end(); return n_header_end; };

    private:
        gguf_t* m__root;
        gguf_t* m__parent;

    public:

        /**
         * Lengths and counts have 32 bits in version 1, 64 bits in versions 2
         * and 3. Big-endian files are allowed since version 3.
         */
        uint32_t version() const { return m_version; }
        length_t* num_tensors() const { return m_num_tensors.get(); }
        length_t* num_metadata() const { return m_num_metadata.get(); }
        std::vector<std::unique_ptr<key_value_t>>* metadata() const { return m_metadata.get(); }
        std::vector<std::unique_ptr<tensor_info_t>>* tensors() const { return m_tensors.get(); }
        std::string header_end() const { return m_header_end; }
        gguf_t* _root() const { return m__root; }
        gguf_t* _parent() const { return m__parent; }
    };

    class gguf_string_t : public kaitai::kstruct {

    public:

        gguf_string_t(kaitai::kstream* p__io, kaitai::kstruct* p__parent = nullptr, gguf_t* p__root = nullptr);

    private:
        void _read();
        void _clean_up();

    public:
        ~gguf_string_t();

    private:
        bool f_value;
        std::string m_value;

    public:

        /**
         * Bytes that are not UTF-8 are an error or replaced, by language.
         */
        std::string value();

    private:
        std::unique_ptr<length_t> m_len_data;
        std::string m_data;
        gguf_t* m__root;
        kaitai::kstruct* m__parent;

    public:
        length_t* len_data() const { return m_len_data.get(); }

        /**
         * UTF-8 in most cases, with no terminator.
         */
        std::string data() const { return m_data; }
        gguf_t* _root() const { return m__root; }
        kaitai::kstruct* _parent() const { return m__parent; }
    };

    class key_value_t : public kaitai::kstruct {

    public:

        key_value_t(kaitai::kstream* p__io, gguf_t::gguf_body_t* p__parent = nullptr, gguf_t* p__root = nullptr);

    private:
        int m__is_le;

    public:

    private:
        void _read();
        void _read_le();
        void _read_be();
        void _clean_up();

    public:
        ~key_value_t();

    private:
        bool f_alignment;
        int64_t m_alignment;

    public:

        /**
         * The value if this is the alignment, otherwise the default.
         */
        int64_t alignment();

    private:
        bool f_is_alignment;
        bool m_is_alignment;

    public:

        /**
         * Whether the key is `general.alignment`, with the required type.
         */
        bool is_alignment();

    private:
        std::unique_ptr<gguf_string_t> m_key;
        value_type_t m_value_type;
        std::unique_ptr<kaitai::kstruct> m_value;
        bool n_value;

    public:
        bool _is_null_value() { value(); return n_value; };

    private:
        gguf_t* m__root;
        gguf_t::gguf_body_t* m__parent;

    public:

        /**
         * Unique in the file. By the specification at most 65535 bytes of ASCII,
         * `lower_snake_case` segments joined by `.`; not all writers comply.
         */
        gguf_string_t* key() const { return m_key.get(); }
        value_type_t value_type() const { return m_value_type; }
        kaitai::kstruct* value() const { return m_value.get(); }
        gguf_t* _root() const { return m__root; }
        gguf_t::gguf_body_t* _parent() const { return m__parent; }
    };

    /**
     * A count of bytes or items. 32 bits wide in version 1, 64 bits since
     * version 2. At most 2^30, which is ggml's limit for strings and arrays.
     */

    class length_t : public kaitai::kstruct {

    public:

        length_t(kaitai::kstream* p__io, kaitai::kstruct* p__parent = nullptr, gguf_t* p__root = nullptr);

    private:
        int m__is_le;

    public:

    private:
        void _read();
        void _read_le();
        void _read_be();
        void _clean_up();

    public:
        ~length_t();

    private:
        bool f_as_int;
        int32_t m_as_int;

    public:

        /**
         * The same as `value`, in a type that all languages can repeat by.
         */
        int32_t as_int();

    private:
        bool f_value;
        uint64_t m_value;

    public:
        uint64_t value();

    private:
        uint32_t m_value_u4;
        bool n_value_u4;

    public:
        bool _is_null_value_u4() { value_u4(); return n_value_u4; };

    private:
        uint64_t m_value_u8;
        bool n_value_u8;

    public:
        bool _is_null_value_u8() { value_u8(); return n_value_u8; };

    private:
        gguf_t* m__root;
        kaitai::kstruct* m__parent;

    public:
        uint32_t value_u4() const { return m_value_u4; }
        uint64_t value_u8() const { return m_value_u8; }
        gguf_t* _root() const { return m__root; }
        kaitai::kstruct* _parent() const { return m__parent; }
    };

    class string_elements_t : public kaitai::kstruct {

    public:

        string_elements_t(kaitai::kstream* p__io, gguf_t::gguf_array_t* p__parent = nullptr, gguf_t* p__root = nullptr);

    private:
        void _read();
        void _clean_up();

    public:
        ~string_elements_t();

    private:
        std::unique_ptr<std::vector<std::unique_ptr<gguf_string_t>>> m_items;
        gguf_t* m__root;
        gguf_t::gguf_array_t* m__parent;

    public:
        std::vector<std::unique_ptr<gguf_string_t>>* items() const { return m_items.get(); }
        gguf_t* _root() const { return m__root; }
        gguf_t::gguf_array_t* _parent() const { return m__parent; }
    };

    class tensor_info_t : public kaitai::kstruct {

    public:

        tensor_info_t(kaitai::kstream* p__io, gguf_t::gguf_body_t* p__parent = nullptr, gguf_t* p__root = nullptr);

    private:
        int m__is_le;

    public:

    private:
        void _read();
        void _read_le();
        void _read_be();
        void _clean_up();

    public:
        ~tensor_info_t();

    private:
        bool f_ggml_type;
        ggml_type_t m_ggml_type;

    public:
        ggml_type_t ggml_type();

    private:
        std::unique_ptr<gguf_string_t> m_name;
        uint32_t m_num_dims;
        std::unique_ptr<std::vector<std::unique_ptr<dim_t>>> m_dims;
        uint32_t m_type_id;
        uint64_t m_ofs_data;
        gguf_t* m__root;
        gguf_t::gguf_body_t* m__parent;

    public:

        /**
         * Unique in the file. By the specification at most 64 bytes; ggml
         * accepts at most 63, and some writers exceed both.
         */
        gguf_string_t* name() const { return m_name.get(); }

        /**
         * A tensor without dimensions holds one element.
         */
        uint32_t num_dims() const { return m_num_dims; }

        /**
         * In elements. The first is the row length, which varies fastest: numpy
         * and most others use the reverse order.
         */
        std::vector<std::unique_ptr<dim_t>>* dims() const { return m_dims.get(); }

        /**
         * New types come with most releases of ggml, so a number that is not in
         * the enum does not make a file invalid.
         */
        uint32_t type_id() const { return m_type_id; }

        /**
         * In bytes, from the start of the tensor data. A multiple of the
         * alignment.
         */
        uint64_t ofs_data() const { return m_ofs_data; }
        gguf_t* _root() const { return m__root; }
        gguf_t::gguf_body_t* _parent() const { return m__parent; }
    };

    class value_f4_t : public kaitai::kstruct {

    public:

        value_f4_t(kaitai::kstream* p__io, gguf_t::key_value_t* p__parent = nullptr, gguf_t* p__root = nullptr);

    private:
        int m__is_le;

    public:

    private:
        void _read();
        void _read_le();
        void _read_be();
        void _clean_up();

    public:
        ~value_f4_t();

    private:
        float m_value;
        gguf_t* m__root;
        gguf_t::key_value_t* m__parent;

    public:
        float value() const { return m_value; }
        gguf_t* _root() const { return m__root; }
        gguf_t::key_value_t* _parent() const { return m__parent; }
    };

    class value_f8_t : public kaitai::kstruct {

    public:

        value_f8_t(kaitai::kstream* p__io, gguf_t::key_value_t* p__parent = nullptr, gguf_t* p__root = nullptr);

    private:
        int m__is_le;

    public:

    private:
        void _read();
        void _read_le();
        void _read_be();
        void _clean_up();

    public:
        ~value_f8_t();

    private:
        double m_value;
        gguf_t* m__root;
        gguf_t::key_value_t* m__parent;

    public:
        double value() const { return m_value; }
        gguf_t* _root() const { return m__root; }
        gguf_t::key_value_t* _parent() const { return m__parent; }
    };

    class value_s1_t : public kaitai::kstruct {

    public:

        value_s1_t(kaitai::kstream* p__io, gguf_t::key_value_t* p__parent = nullptr, gguf_t* p__root = nullptr);

    private:
        void _read();
        void _clean_up();

    public:
        ~value_s1_t();

    private:
        int8_t m_value;
        gguf_t* m__root;
        gguf_t::key_value_t* m__parent;

    public:
        int8_t value() const { return m_value; }
        gguf_t* _root() const { return m__root; }
        gguf_t::key_value_t* _parent() const { return m__parent; }
    };

    class value_s2_t : public kaitai::kstruct {

    public:

        value_s2_t(kaitai::kstream* p__io, gguf_t::key_value_t* p__parent = nullptr, gguf_t* p__root = nullptr);

    private:
        int m__is_le;

    public:

    private:
        void _read();
        void _read_le();
        void _read_be();
        void _clean_up();

    public:
        ~value_s2_t();

    private:
        int16_t m_value;
        gguf_t* m__root;
        gguf_t::key_value_t* m__parent;

    public:
        int16_t value() const { return m_value; }
        gguf_t* _root() const { return m__root; }
        gguf_t::key_value_t* _parent() const { return m__parent; }
    };

    class value_s4_t : public kaitai::kstruct {

    public:

        value_s4_t(kaitai::kstream* p__io, gguf_t::key_value_t* p__parent = nullptr, gguf_t* p__root = nullptr);

    private:
        int m__is_le;

    public:

    private:
        void _read();
        void _read_le();
        void _read_be();
        void _clean_up();

    public:
        ~value_s4_t();

    private:
        int32_t m_value;
        gguf_t* m__root;
        gguf_t::key_value_t* m__parent;

    public:
        int32_t value() const { return m_value; }
        gguf_t* _root() const { return m__root; }
        gguf_t::key_value_t* _parent() const { return m__parent; }
    };

    class value_s8_t : public kaitai::kstruct {

    public:

        value_s8_t(kaitai::kstream* p__io, gguf_t::key_value_t* p__parent = nullptr, gguf_t* p__root = nullptr);

    private:
        int m__is_le;

    public:

    private:
        void _read();
        void _read_le();
        void _read_be();
        void _clean_up();

    public:
        ~value_s8_t();

    private:
        int64_t m_value;
        gguf_t* m__root;
        gguf_t::key_value_t* m__parent;

    public:
        int64_t value() const { return m_value; }
        gguf_t* _root() const { return m__root; }
        gguf_t::key_value_t* _parent() const { return m__parent; }
    };

    class value_u1_t : public kaitai::kstruct {

    public:

        value_u1_t(kaitai::kstream* p__io, gguf_t::key_value_t* p__parent = nullptr, gguf_t* p__root = nullptr);

    private:
        void _read();
        void _clean_up();

    public:
        ~value_u1_t();

    private:
        uint8_t m_value;
        gguf_t* m__root;
        gguf_t::key_value_t* m__parent;

    public:
        uint8_t value() const { return m_value; }
        gguf_t* _root() const { return m__root; }
        gguf_t::key_value_t* _parent() const { return m__parent; }
    };

    class value_u2_t : public kaitai::kstruct {

    public:

        value_u2_t(kaitai::kstream* p__io, gguf_t::key_value_t* p__parent = nullptr, gguf_t* p__root = nullptr);

    private:
        int m__is_le;

    public:

    private:
        void _read();
        void _read_le();
        void _read_be();
        void _clean_up();

    public:
        ~value_u2_t();

    private:
        uint16_t m_value;
        gguf_t* m__root;
        gguf_t::key_value_t* m__parent;

    public:
        uint16_t value() const { return m_value; }
        gguf_t* _root() const { return m__root; }
        gguf_t::key_value_t* _parent() const { return m__parent; }
    };

    class value_u4_t : public kaitai::kstruct {

    public:

        value_u4_t(kaitai::kstream* p__io, gguf_t::key_value_t* p__parent = nullptr, gguf_t* p__root = nullptr);

    private:
        int m__is_le;

    public:

    private:
        void _read();
        void _read_le();
        void _read_be();
        void _clean_up();

    public:
        ~value_u4_t();

    private:
        uint32_t m_value;
        gguf_t* m__root;
        gguf_t::key_value_t* m__parent;

    public:
        uint32_t value() const { return m_value; }
        gguf_t* _root() const { return m__root; }
        gguf_t::key_value_t* _parent() const { return m__parent; }
    };

    class value_u8_t : public kaitai::kstruct {

    public:

        value_u8_t(kaitai::kstream* p__io, gguf_t::key_value_t* p__parent = nullptr, gguf_t* p__root = nullptr);

    private:
        int m__is_le;

    public:

    private:
        void _read();
        void _read_le();
        void _read_be();
        void _clean_up();

    public:
        ~value_u8_t();

    private:
        uint64_t m_value;
        gguf_t* m__root;
        gguf_t::key_value_t* m__parent;

    public:
        uint64_t value() const { return m_value; }
        gguf_t* _root() const { return m__root; }
        gguf_t::key_value_t* _parent() const { return m__parent; }
    };

private:
    bool f_is_be;
    bool m_is_be;

public:

    /**
     * Whether all of the file, tensor data included, is big-endian.
     */
    bool is_be();

private:
    bool f_version;
    int32_t m_version;

public:
    int32_t version();

private:
    bool f_version_be;
    uint32_t m_version_be;

public:
    uint32_t version_be();

private:
    bool f_version_le;
    uint32_t m_version_le;

public:
    uint32_t version_le();

private:
    std::string m_magic;
    std::unique_ptr<gguf_body_t> m_body;
    gguf_t* m__root;
    kaitai::kstruct* m__parent;

public:

    /**
     * The same bytes in both byte orders.
     */
    std::string magic() const { return m_magic; }
    gguf_body_t* body() const { return m_body.get(); }
    gguf_t* _root() const { return m__root; }
    kaitai::kstruct* _parent() const { return m__parent; }
};
