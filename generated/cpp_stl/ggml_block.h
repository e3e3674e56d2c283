#pragma once

// This is a generated file! Please edit source .ksy file and use kaitai-struct-compiler to rebuild

class ggml_block_t;

#include "kaitai/kaitaistruct.h"
#include <stdint.h>
#include <memory>
#include <vector>

#if KAITAI_STRUCT_VERSION < 11000L
#error "Incompatible Kaitai Struct C++/STL API: version 0.11 or later is required"
#endif

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
 * \sa https://github.com/ggml-org/ggml/blob/d99724f2/src/ggml-common.h Source
 * \sa https://github.com/ggml-org/ggml/blob/d99724f2/include/ggml.h Source
 */

class ggml_block_t : public kaitai::kstruct {

public:
    class bf16_t;
    class f16_t;
    class f32_t;
    class f64_t;
    class i16_t;
    class i32_t;
    class i64_t;
    class i8_t;
    class iq1_m_t;
    class iq1_s_t;
    class iq2_s_t;
    class iq2_xs_t;
    class iq2_xxs_t;
    class iq3_s_t;
    class iq3_xxs_t;
    class iq4_nl_t;
    class iq4_xs_t;
    class mxfp4_t;
    class nvfp4_t;
    class q1_0_t;
    class q2_0_t;
    class q2_k_t;
    class q3_k_t;
    class q4_0_t;
    class q4_1_t;
    class q4_k_t;
    class q5_0_t;
    class q5_1_t;
    class q5_k_t;
    class q6_k_t;
    class q8_0_t;
    class q8_1_t;
    class q8_k_t;
    class tq1_0_t;
    class tq2_0_t;

    ggml_block_t(kaitai::kstream* p__io, kaitai::kstruct* p__parent = nullptr, ggml_block_t* p__root = nullptr);

private:
    void _read();
    void _clean_up();

public:
    ~ggml_block_t();

    class bf16_t : public kaitai::kstruct {

    public:

        bf16_t(kaitai::kstream* p__io, kaitai::kstruct* p__parent = nullptr, ggml_block_t* p__root = nullptr);

    private:
        void _read();
        void _clean_up();

    public:
        ~bf16_t();

    private:
        uint16_t m_value;
        ggml_block_t* m__root;
        kaitai::kstruct* m__parent;

    public:
        uint16_t value() const { return m_value; }
        ggml_block_t* _root() const { return m__root; }
        kaitai::kstruct* _parent() const { return m__parent; }
    };

    class f16_t : public kaitai::kstruct {

    public:

        f16_t(kaitai::kstream* p__io, kaitai::kstruct* p__parent = nullptr, ggml_block_t* p__root = nullptr);

    private:
        void _read();
        void _clean_up();

    public:
        ~f16_t();

    private:
        uint16_t m_value;
        ggml_block_t* m__root;
        kaitai::kstruct* m__parent;

    public:
        uint16_t value() const { return m_value; }
        ggml_block_t* _root() const { return m__root; }
        kaitai::kstruct* _parent() const { return m__parent; }
    };

    class f32_t : public kaitai::kstruct {

    public:

        f32_t(kaitai::kstream* p__io, kaitai::kstruct* p__parent = nullptr, ggml_block_t* p__root = nullptr);

    private:
        void _read();
        void _clean_up();

    public:
        ~f32_t();

    private:
        float m_value;
        ggml_block_t* m__root;
        kaitai::kstruct* m__parent;

    public:
        float value() const { return m_value; }
        ggml_block_t* _root() const { return m__root; }
        kaitai::kstruct* _parent() const { return m__parent; }
    };

    class f64_t : public kaitai::kstruct {

    public:

        f64_t(kaitai::kstream* p__io, kaitai::kstruct* p__parent = nullptr, ggml_block_t* p__root = nullptr);

    private:
        void _read();
        void _clean_up();

    public:
        ~f64_t();

    private:
        double m_value;
        ggml_block_t* m__root;
        kaitai::kstruct* m__parent;

    public:
        double value() const { return m_value; }
        ggml_block_t* _root() const { return m__root; }
        kaitai::kstruct* _parent() const { return m__parent; }
    };

    class i16_t : public kaitai::kstruct {

    public:

        i16_t(kaitai::kstream* p__io, kaitai::kstruct* p__parent = nullptr, ggml_block_t* p__root = nullptr);

    private:
        void _read();
        void _clean_up();

    public:
        ~i16_t();

    private:
        int16_t m_value;
        ggml_block_t* m__root;
        kaitai::kstruct* m__parent;

    public:
        int16_t value() const { return m_value; }
        ggml_block_t* _root() const { return m__root; }
        kaitai::kstruct* _parent() const { return m__parent; }
    };

    class i32_t : public kaitai::kstruct {

    public:

        i32_t(kaitai::kstream* p__io, kaitai::kstruct* p__parent = nullptr, ggml_block_t* p__root = nullptr);

    private:
        void _read();
        void _clean_up();

    public:
        ~i32_t();

    private:
        int32_t m_value;
        ggml_block_t* m__root;
        kaitai::kstruct* m__parent;

    public:
        int32_t value() const { return m_value; }
        ggml_block_t* _root() const { return m__root; }
        kaitai::kstruct* _parent() const { return m__parent; }
    };

    class i64_t : public kaitai::kstruct {

    public:

        i64_t(kaitai::kstream* p__io, kaitai::kstruct* p__parent = nullptr, ggml_block_t* p__root = nullptr);

    private:
        void _read();
        void _clean_up();

    public:
        ~i64_t();

    private:
        int64_t m_value;
        ggml_block_t* m__root;
        kaitai::kstruct* m__parent;

    public:
        int64_t value() const { return m_value; }
        ggml_block_t* _root() const { return m__root; }
        kaitai::kstruct* _parent() const { return m__parent; }
    };

    class i8_t : public kaitai::kstruct {

    public:

        i8_t(kaitai::kstream* p__io, kaitai::kstruct* p__parent = nullptr, ggml_block_t* p__root = nullptr);

    private:
        void _read();
        void _clean_up();

    public:
        ~i8_t();

    private:
        int8_t m_value;
        ggml_block_t* m__root;
        kaitai::kstruct* m__parent;

    public:
        int8_t value() const { return m_value; }
        ggml_block_t* _root() const { return m__root; }
        kaitai::kstruct* _parent() const { return m__parent; }
    };

    class iq1_m_t : public kaitai::kstruct {

    public:

        iq1_m_t(kaitai::kstream* p__io, kaitai::kstruct* p__parent = nullptr, ggml_block_t* p__root = nullptr);

    private:
        void _read();
        void _clean_up();

    public:
        ~iq1_m_t();

    private:
        std::unique_ptr<std::vector<uint8_t>> m_qs;
        std::unique_ptr<std::vector<uint8_t>> m_qh;
        std::unique_ptr<std::vector<uint8_t>> m_scales;
        ggml_block_t* m__root;
        kaitai::kstruct* m__parent;

    public:
        std::vector<uint8_t>* qs() const { return m_qs.get(); }
        std::vector<uint8_t>* qh() const { return m_qh.get(); }
        std::vector<uint8_t>* scales() const { return m_scales.get(); }
        ggml_block_t* _root() const { return m__root; }
        kaitai::kstruct* _parent() const { return m__parent; }
    };

    class iq1_s_t : public kaitai::kstruct {

    public:

        iq1_s_t(kaitai::kstream* p__io, kaitai::kstruct* p__parent = nullptr, ggml_block_t* p__root = nullptr);

    private:
        void _read();
        void _clean_up();

    public:
        ~iq1_s_t();

    private:
        uint16_t m_d;
        std::unique_ptr<std::vector<uint8_t>> m_qs;
        std::unique_ptr<std::vector<uint16_t>> m_qh;
        ggml_block_t* m__root;
        kaitai::kstruct* m__parent;

    public:
        uint16_t d() const { return m_d; }
        std::vector<uint8_t>* qs() const { return m_qs.get(); }
        std::vector<uint16_t>* qh() const { return m_qh.get(); }
        ggml_block_t* _root() const { return m__root; }
        kaitai::kstruct* _parent() const { return m__parent; }
    };

    class iq2_s_t : public kaitai::kstruct {

    public:

        iq2_s_t(kaitai::kstream* p__io, kaitai::kstruct* p__parent = nullptr, ggml_block_t* p__root = nullptr);

    private:
        void _read();
        void _clean_up();

    public:
        ~iq2_s_t();

    private:
        uint16_t m_d;
        std::unique_ptr<std::vector<uint8_t>> m_qs;
        std::unique_ptr<std::vector<uint8_t>> m_qh;
        std::unique_ptr<std::vector<uint8_t>> m_scales;
        ggml_block_t* m__root;
        kaitai::kstruct* m__parent;

    public:
        uint16_t d() const { return m_d; }
        std::vector<uint8_t>* qs() const { return m_qs.get(); }
        std::vector<uint8_t>* qh() const { return m_qh.get(); }
        std::vector<uint8_t>* scales() const { return m_scales.get(); }
        ggml_block_t* _root() const { return m__root; }
        kaitai::kstruct* _parent() const { return m__parent; }
    };

    class iq2_xs_t : public kaitai::kstruct {

    public:

        iq2_xs_t(kaitai::kstream* p__io, kaitai::kstruct* p__parent = nullptr, ggml_block_t* p__root = nullptr);

    private:
        void _read();
        void _clean_up();

    public:
        ~iq2_xs_t();

    private:
        uint16_t m_d;
        std::unique_ptr<std::vector<uint16_t>> m_qs;
        std::unique_ptr<std::vector<uint8_t>> m_scales;
        ggml_block_t* m__root;
        kaitai::kstruct* m__parent;

    public:
        uint16_t d() const { return m_d; }
        std::vector<uint16_t>* qs() const { return m_qs.get(); }
        std::vector<uint8_t>* scales() const { return m_scales.get(); }
        ggml_block_t* _root() const { return m__root; }
        kaitai::kstruct* _parent() const { return m__parent; }
    };

    class iq2_xxs_t : public kaitai::kstruct {

    public:

        iq2_xxs_t(kaitai::kstream* p__io, kaitai::kstruct* p__parent = nullptr, ggml_block_t* p__root = nullptr);

    private:
        void _read();
        void _clean_up();

    public:
        ~iq2_xxs_t();

    private:
        uint16_t m_d;
        std::unique_ptr<std::vector<uint16_t>> m_qs;
        ggml_block_t* m__root;
        kaitai::kstruct* m__parent;

    public:
        uint16_t d() const { return m_d; }
        std::vector<uint16_t>* qs() const { return m_qs.get(); }
        ggml_block_t* _root() const { return m__root; }
        kaitai::kstruct* _parent() const { return m__parent; }
    };

    class iq3_s_t : public kaitai::kstruct {

    public:

        iq3_s_t(kaitai::kstream* p__io, kaitai::kstruct* p__parent = nullptr, ggml_block_t* p__root = nullptr);

    private:
        void _read();
        void _clean_up();

    public:
        ~iq3_s_t();

    private:
        uint16_t m_d;
        std::unique_ptr<std::vector<uint8_t>> m_qs;
        std::unique_ptr<std::vector<uint8_t>> m_qh;
        std::unique_ptr<std::vector<uint8_t>> m_signs;
        std::unique_ptr<std::vector<uint8_t>> m_scales;
        ggml_block_t* m__root;
        kaitai::kstruct* m__parent;

    public:
        uint16_t d() const { return m_d; }
        std::vector<uint8_t>* qs() const { return m_qs.get(); }
        std::vector<uint8_t>* qh() const { return m_qh.get(); }
        std::vector<uint8_t>* signs() const { return m_signs.get(); }
        std::vector<uint8_t>* scales() const { return m_scales.get(); }
        ggml_block_t* _root() const { return m__root; }
        kaitai::kstruct* _parent() const { return m__parent; }
    };

    class iq3_xxs_t : public kaitai::kstruct {

    public:

        iq3_xxs_t(kaitai::kstream* p__io, kaitai::kstruct* p__parent = nullptr, ggml_block_t* p__root = nullptr);

    private:
        void _read();
        void _clean_up();

    public:
        ~iq3_xxs_t();

    private:
        uint16_t m_d;
        std::unique_ptr<std::vector<uint8_t>> m_qs;
        ggml_block_t* m__root;
        kaitai::kstruct* m__parent;

    public:
        uint16_t d() const { return m_d; }
        std::vector<uint8_t>* qs() const { return m_qs.get(); }
        ggml_block_t* _root() const { return m__root; }
        kaitai::kstruct* _parent() const { return m__parent; }
    };

    class iq4_nl_t : public kaitai::kstruct {

    public:

        iq4_nl_t(kaitai::kstream* p__io, kaitai::kstruct* p__parent = nullptr, ggml_block_t* p__root = nullptr);

    private:
        void _read();
        void _clean_up();

    public:
        ~iq4_nl_t();

    private:
        uint16_t m_d;
        std::unique_ptr<std::vector<uint8_t>> m_qs;
        ggml_block_t* m__root;
        kaitai::kstruct* m__parent;

    public:
        uint16_t d() const { return m_d; }
        std::vector<uint8_t>* qs() const { return m_qs.get(); }
        ggml_block_t* _root() const { return m__root; }
        kaitai::kstruct* _parent() const { return m__parent; }
    };

    class iq4_xs_t : public kaitai::kstruct {

    public:

        iq4_xs_t(kaitai::kstream* p__io, kaitai::kstruct* p__parent = nullptr, ggml_block_t* p__root = nullptr);

    private:
        void _read();
        void _clean_up();

    public:
        ~iq4_xs_t();

    private:
        uint16_t m_d;
        uint16_t m_scales_h;
        std::unique_ptr<std::vector<uint8_t>> m_scales_l;
        std::unique_ptr<std::vector<uint8_t>> m_qs;
        ggml_block_t* m__root;
        kaitai::kstruct* m__parent;

    public:
        uint16_t d() const { return m_d; }
        uint16_t scales_h() const { return m_scales_h; }
        std::vector<uint8_t>* scales_l() const { return m_scales_l.get(); }
        std::vector<uint8_t>* qs() const { return m_qs.get(); }
        ggml_block_t* _root() const { return m__root; }
        kaitai::kstruct* _parent() const { return m__parent; }
    };

    class mxfp4_t : public kaitai::kstruct {

    public:

        mxfp4_t(kaitai::kstream* p__io, kaitai::kstruct* p__parent = nullptr, ggml_block_t* p__root = nullptr);

    private:
        void _read();
        void _clean_up();

    public:
        ~mxfp4_t();

    private:
        uint8_t m_e;
        std::unique_ptr<std::vector<uint8_t>> m_qs;
        ggml_block_t* m__root;
        kaitai::kstruct* m__parent;

    public:
        uint8_t e() const { return m_e; }
        std::vector<uint8_t>* qs() const { return m_qs.get(); }
        ggml_block_t* _root() const { return m__root; }
        kaitai::kstruct* _parent() const { return m__parent; }
    };

    class nvfp4_t : public kaitai::kstruct {

    public:

        nvfp4_t(kaitai::kstream* p__io, kaitai::kstruct* p__parent = nullptr, ggml_block_t* p__root = nullptr);

    private:
        void _read();
        void _clean_up();

    public:
        ~nvfp4_t();

    private:
        std::unique_ptr<std::vector<uint8_t>> m_d;
        std::unique_ptr<std::vector<uint8_t>> m_qs;
        ggml_block_t* m__root;
        kaitai::kstruct* m__parent;

    public:
        std::vector<uint8_t>* d() const { return m_d.get(); }
        std::vector<uint8_t>* qs() const { return m_qs.get(); }
        ggml_block_t* _root() const { return m__root; }
        kaitai::kstruct* _parent() const { return m__parent; }
    };

    class q1_0_t : public kaitai::kstruct {

    public:

        q1_0_t(kaitai::kstream* p__io, kaitai::kstruct* p__parent = nullptr, ggml_block_t* p__root = nullptr);

    private:
        void _read();
        void _clean_up();

    public:
        ~q1_0_t();

    private:
        uint16_t m_d;
        std::unique_ptr<std::vector<uint8_t>> m_qs;
        ggml_block_t* m__root;
        kaitai::kstruct* m__parent;

    public:
        uint16_t d() const { return m_d; }
        std::vector<uint8_t>* qs() const { return m_qs.get(); }
        ggml_block_t* _root() const { return m__root; }
        kaitai::kstruct* _parent() const { return m__parent; }
    };

    class q2_0_t : public kaitai::kstruct {

    public:

        q2_0_t(kaitai::kstream* p__io, kaitai::kstruct* p__parent = nullptr, ggml_block_t* p__root = nullptr);

    private:
        void _read();
        void _clean_up();

    public:
        ~q2_0_t();

    private:
        uint16_t m_d;
        std::unique_ptr<std::vector<uint8_t>> m_qs;
        ggml_block_t* m__root;
        kaitai::kstruct* m__parent;

    public:
        uint16_t d() const { return m_d; }
        std::vector<uint8_t>* qs() const { return m_qs.get(); }
        ggml_block_t* _root() const { return m__root; }
        kaitai::kstruct* _parent() const { return m__parent; }
    };

    class q2_k_t : public kaitai::kstruct {

    public:

        q2_k_t(kaitai::kstream* p__io, kaitai::kstruct* p__parent = nullptr, ggml_block_t* p__root = nullptr);

    private:
        void _read();
        void _clean_up();

    public:
        ~q2_k_t();

    private:
        std::unique_ptr<std::vector<uint8_t>> m_scales;
        std::unique_ptr<std::vector<uint8_t>> m_qs;
        uint16_t m_d;
        uint16_t m_dmin;
        ggml_block_t* m__root;
        kaitai::kstruct* m__parent;

    public:
        std::vector<uint8_t>* scales() const { return m_scales.get(); }
        std::vector<uint8_t>* qs() const { return m_qs.get(); }
        uint16_t d() const { return m_d; }
        uint16_t dmin() const { return m_dmin; }
        ggml_block_t* _root() const { return m__root; }
        kaitai::kstruct* _parent() const { return m__parent; }
    };

    class q3_k_t : public kaitai::kstruct {

    public:

        q3_k_t(kaitai::kstream* p__io, kaitai::kstruct* p__parent = nullptr, ggml_block_t* p__root = nullptr);

    private:
        void _read();
        void _clean_up();

    public:
        ~q3_k_t();

    private:
        std::unique_ptr<std::vector<uint8_t>> m_hmask;
        std::unique_ptr<std::vector<uint8_t>> m_qs;
        std::unique_ptr<std::vector<uint8_t>> m_scales;
        uint16_t m_d;
        ggml_block_t* m__root;
        kaitai::kstruct* m__parent;

    public:
        std::vector<uint8_t>* hmask() const { return m_hmask.get(); }
        std::vector<uint8_t>* qs() const { return m_qs.get(); }
        std::vector<uint8_t>* scales() const { return m_scales.get(); }
        uint16_t d() const { return m_d; }
        ggml_block_t* _root() const { return m__root; }
        kaitai::kstruct* _parent() const { return m__parent; }
    };

    class q4_0_t : public kaitai::kstruct {

    public:

        q4_0_t(kaitai::kstream* p__io, kaitai::kstruct* p__parent = nullptr, ggml_block_t* p__root = nullptr);

    private:
        void _read();
        void _clean_up();

    public:
        ~q4_0_t();

    private:
        uint16_t m_d;
        std::unique_ptr<std::vector<uint8_t>> m_qs;
        ggml_block_t* m__root;
        kaitai::kstruct* m__parent;

    public:
        uint16_t d() const { return m_d; }
        std::vector<uint8_t>* qs() const { return m_qs.get(); }
        ggml_block_t* _root() const { return m__root; }
        kaitai::kstruct* _parent() const { return m__parent; }
    };

    class q4_1_t : public kaitai::kstruct {

    public:

        q4_1_t(kaitai::kstream* p__io, kaitai::kstruct* p__parent = nullptr, ggml_block_t* p__root = nullptr);

    private:
        void _read();
        void _clean_up();

    public:
        ~q4_1_t();

    private:
        uint16_t m_d;
        uint16_t m_m;
        std::unique_ptr<std::vector<uint8_t>> m_qs;
        ggml_block_t* m__root;
        kaitai::kstruct* m__parent;

    public:
        uint16_t d() const { return m_d; }
        uint16_t m() const { return m_m; }
        std::vector<uint8_t>* qs() const { return m_qs.get(); }
        ggml_block_t* _root() const { return m__root; }
        kaitai::kstruct* _parent() const { return m__parent; }
    };

    class q4_k_t : public kaitai::kstruct {

    public:

        q4_k_t(kaitai::kstream* p__io, kaitai::kstruct* p__parent = nullptr, ggml_block_t* p__root = nullptr);

    private:
        void _read();
        void _clean_up();

    public:
        ~q4_k_t();

    private:
        uint16_t m_d;
        uint16_t m_dmin;
        std::unique_ptr<std::vector<uint8_t>> m_scales;
        std::unique_ptr<std::vector<uint8_t>> m_qs;
        ggml_block_t* m__root;
        kaitai::kstruct* m__parent;

    public:
        uint16_t d() const { return m_d; }
        uint16_t dmin() const { return m_dmin; }
        std::vector<uint8_t>* scales() const { return m_scales.get(); }
        std::vector<uint8_t>* qs() const { return m_qs.get(); }
        ggml_block_t* _root() const { return m__root; }
        kaitai::kstruct* _parent() const { return m__parent; }
    };

    class q5_0_t : public kaitai::kstruct {

    public:

        q5_0_t(kaitai::kstream* p__io, kaitai::kstruct* p__parent = nullptr, ggml_block_t* p__root = nullptr);

    private:
        void _read();
        void _clean_up();

    public:
        ~q5_0_t();

    private:
        uint16_t m_d;
        std::unique_ptr<std::vector<uint8_t>> m_qh;
        std::unique_ptr<std::vector<uint8_t>> m_qs;
        ggml_block_t* m__root;
        kaitai::kstruct* m__parent;

    public:
        uint16_t d() const { return m_d; }
        std::vector<uint8_t>* qh() const { return m_qh.get(); }
        std::vector<uint8_t>* qs() const { return m_qs.get(); }
        ggml_block_t* _root() const { return m__root; }
        kaitai::kstruct* _parent() const { return m__parent; }
    };

    class q5_1_t : public kaitai::kstruct {

    public:

        q5_1_t(kaitai::kstream* p__io, kaitai::kstruct* p__parent = nullptr, ggml_block_t* p__root = nullptr);

    private:
        void _read();
        void _clean_up();

    public:
        ~q5_1_t();

    private:
        uint16_t m_d;
        uint16_t m_m;
        std::unique_ptr<std::vector<uint8_t>> m_qh;
        std::unique_ptr<std::vector<uint8_t>> m_qs;
        ggml_block_t* m__root;
        kaitai::kstruct* m__parent;

    public:
        uint16_t d() const { return m_d; }
        uint16_t m() const { return m_m; }
        std::vector<uint8_t>* qh() const { return m_qh.get(); }
        std::vector<uint8_t>* qs() const { return m_qs.get(); }
        ggml_block_t* _root() const { return m__root; }
        kaitai::kstruct* _parent() const { return m__parent; }
    };

    class q5_k_t : public kaitai::kstruct {

    public:

        q5_k_t(kaitai::kstream* p__io, kaitai::kstruct* p__parent = nullptr, ggml_block_t* p__root = nullptr);

    private:
        void _read();
        void _clean_up();

    public:
        ~q5_k_t();

    private:
        uint16_t m_d;
        uint16_t m_dmin;
        std::unique_ptr<std::vector<uint8_t>> m_scales;
        std::unique_ptr<std::vector<uint8_t>> m_qh;
        std::unique_ptr<std::vector<uint8_t>> m_qs;
        ggml_block_t* m__root;
        kaitai::kstruct* m__parent;

    public:
        uint16_t d() const { return m_d; }
        uint16_t dmin() const { return m_dmin; }
        std::vector<uint8_t>* scales() const { return m_scales.get(); }
        std::vector<uint8_t>* qh() const { return m_qh.get(); }
        std::vector<uint8_t>* qs() const { return m_qs.get(); }
        ggml_block_t* _root() const { return m__root; }
        kaitai::kstruct* _parent() const { return m__parent; }
    };

    class q6_k_t : public kaitai::kstruct {

    public:

        q6_k_t(kaitai::kstream* p__io, kaitai::kstruct* p__parent = nullptr, ggml_block_t* p__root = nullptr);

    private:
        void _read();
        void _clean_up();

    public:
        ~q6_k_t();

    private:
        std::unique_ptr<std::vector<uint8_t>> m_ql;
        std::unique_ptr<std::vector<uint8_t>> m_qh;
        std::unique_ptr<std::vector<int8_t>> m_scales;
        uint16_t m_d;
        ggml_block_t* m__root;
        kaitai::kstruct* m__parent;

    public:
        std::vector<uint8_t>* ql() const { return m_ql.get(); }
        std::vector<uint8_t>* qh() const { return m_qh.get(); }
        std::vector<int8_t>* scales() const { return m_scales.get(); }
        uint16_t d() const { return m_d; }
        ggml_block_t* _root() const { return m__root; }
        kaitai::kstruct* _parent() const { return m__parent; }
    };

    class q8_0_t : public kaitai::kstruct {

    public:

        q8_0_t(kaitai::kstream* p__io, kaitai::kstruct* p__parent = nullptr, ggml_block_t* p__root = nullptr);

    private:
        void _read();
        void _clean_up();

    public:
        ~q8_0_t();

    private:
        uint16_t m_d;
        std::unique_ptr<std::vector<int8_t>> m_qs;
        ggml_block_t* m__root;
        kaitai::kstruct* m__parent;

    public:
        uint16_t d() const { return m_d; }
        std::vector<int8_t>* qs() const { return m_qs.get(); }
        ggml_block_t* _root() const { return m__root; }
        kaitai::kstruct* _parent() const { return m__parent; }
    };

    class q8_1_t : public kaitai::kstruct {

    public:

        q8_1_t(kaitai::kstream* p__io, kaitai::kstruct* p__parent = nullptr, ggml_block_t* p__root = nullptr);

    private:
        void _read();
        void _clean_up();

    public:
        ~q8_1_t();

    private:
        uint16_t m_d;
        uint16_t m_s;
        std::unique_ptr<std::vector<int8_t>> m_qs;
        ggml_block_t* m__root;
        kaitai::kstruct* m__parent;

    public:
        uint16_t d() const { return m_d; }
        uint16_t s() const { return m_s; }
        std::vector<int8_t>* qs() const { return m_qs.get(); }
        ggml_block_t* _root() const { return m__root; }
        kaitai::kstruct* _parent() const { return m__parent; }
    };

    class q8_k_t : public kaitai::kstruct {

    public:

        q8_k_t(kaitai::kstream* p__io, kaitai::kstruct* p__parent = nullptr, ggml_block_t* p__root = nullptr);

    private:
        void _read();
        void _clean_up();

    public:
        ~q8_k_t();

    private:
        float m_d;
        std::unique_ptr<std::vector<int8_t>> m_qs;
        std::unique_ptr<std::vector<int16_t>> m_bsums;
        ggml_block_t* m__root;
        kaitai::kstruct* m__parent;

    public:
        float d() const { return m_d; }
        std::vector<int8_t>* qs() const { return m_qs.get(); }
        std::vector<int16_t>* bsums() const { return m_bsums.get(); }
        ggml_block_t* _root() const { return m__root; }
        kaitai::kstruct* _parent() const { return m__parent; }
    };

    class tq1_0_t : public kaitai::kstruct {

    public:

        tq1_0_t(kaitai::kstream* p__io, kaitai::kstruct* p__parent = nullptr, ggml_block_t* p__root = nullptr);

    private:
        void _read();
        void _clean_up();

    public:
        ~tq1_0_t();

    private:
        std::unique_ptr<std::vector<uint8_t>> m_qs;
        std::unique_ptr<std::vector<uint8_t>> m_qh;
        uint16_t m_d;
        ggml_block_t* m__root;
        kaitai::kstruct* m__parent;

    public:
        std::vector<uint8_t>* qs() const { return m_qs.get(); }
        std::vector<uint8_t>* qh() const { return m_qh.get(); }
        uint16_t d() const { return m_d; }
        ggml_block_t* _root() const { return m__root; }
        kaitai::kstruct* _parent() const { return m__parent; }
    };

    class tq2_0_t : public kaitai::kstruct {

    public:

        tq2_0_t(kaitai::kstream* p__io, kaitai::kstruct* p__parent = nullptr, ggml_block_t* p__root = nullptr);

    private:
        void _read();
        void _clean_up();

    public:
        ~tq2_0_t();

    private:
        std::unique_ptr<std::vector<uint8_t>> m_qs;
        uint16_t m_d;
        ggml_block_t* m__root;
        kaitai::kstruct* m__parent;

    public:
        std::vector<uint8_t>* qs() const { return m_qs.get(); }
        uint16_t d() const { return m_d; }
        ggml_block_t* _root() const { return m__root; }
        kaitai::kstruct* _parent() const { return m__parent; }
    };

private:
    ggml_block_t* m__root;
    kaitai::kstruct* m__parent;

public:
    ggml_block_t* _root() const { return m__root; }
    kaitai::kstruct* _parent() const { return m__parent; }
};
