// This is a generated file! Please edit source .ksy file and use kaitai-struct-compiler to rebuild

#include "ggml_block.h"

ggml_block_t::ggml_block_t(kaitai::kstream* p__io, kaitai::kstruct* p__parent, ggml_block_t* p__root) : kaitai::kstruct(p__io) {
    m__parent = p__parent;
    m__root = p__root ? p__root : this;
    _read();
}

void ggml_block_t::_read() {
}

ggml_block_t::~ggml_block_t() {
    _clean_up();
}

void ggml_block_t::_clean_up() {
}

ggml_block_t::bf16_t::bf16_t(kaitai::kstream* p__io, kaitai::kstruct* p__parent, ggml_block_t* p__root) : kaitai::kstruct(p__io) {
    m__parent = p__parent;
    m__root = p__root;
    _read();
}

void ggml_block_t::bf16_t::_read() {
    m_value = m__io->read_u2le();
}

ggml_block_t::bf16_t::~bf16_t() {
    _clean_up();
}

void ggml_block_t::bf16_t::_clean_up() {
}

ggml_block_t::f16_t::f16_t(kaitai::kstream* p__io, kaitai::kstruct* p__parent, ggml_block_t* p__root) : kaitai::kstruct(p__io) {
    m__parent = p__parent;
    m__root = p__root;
    _read();
}

void ggml_block_t::f16_t::_read() {
    m_value = m__io->read_u2le();
}

ggml_block_t::f16_t::~f16_t() {
    _clean_up();
}

void ggml_block_t::f16_t::_clean_up() {
}

ggml_block_t::f32_t::f32_t(kaitai::kstream* p__io, kaitai::kstruct* p__parent, ggml_block_t* p__root) : kaitai::kstruct(p__io) {
    m__parent = p__parent;
    m__root = p__root;
    _read();
}

void ggml_block_t::f32_t::_read() {
    m_value = m__io->read_f4le();
}

ggml_block_t::f32_t::~f32_t() {
    _clean_up();
}

void ggml_block_t::f32_t::_clean_up() {
}

ggml_block_t::f64_t::f64_t(kaitai::kstream* p__io, kaitai::kstruct* p__parent, ggml_block_t* p__root) : kaitai::kstruct(p__io) {
    m__parent = p__parent;
    m__root = p__root;
    _read();
}

void ggml_block_t::f64_t::_read() {
    m_value = m__io->read_f8le();
}

ggml_block_t::f64_t::~f64_t() {
    _clean_up();
}

void ggml_block_t::f64_t::_clean_up() {
}

ggml_block_t::i16_t::i16_t(kaitai::kstream* p__io, kaitai::kstruct* p__parent, ggml_block_t* p__root) : kaitai::kstruct(p__io) {
    m__parent = p__parent;
    m__root = p__root;
    _read();
}

void ggml_block_t::i16_t::_read() {
    m_value = m__io->read_s2le();
}

ggml_block_t::i16_t::~i16_t() {
    _clean_up();
}

void ggml_block_t::i16_t::_clean_up() {
}

ggml_block_t::i32_t::i32_t(kaitai::kstream* p__io, kaitai::kstruct* p__parent, ggml_block_t* p__root) : kaitai::kstruct(p__io) {
    m__parent = p__parent;
    m__root = p__root;
    _read();
}

void ggml_block_t::i32_t::_read() {
    m_value = m__io->read_s4le();
}

ggml_block_t::i32_t::~i32_t() {
    _clean_up();
}

void ggml_block_t::i32_t::_clean_up() {
}

ggml_block_t::i64_t::i64_t(kaitai::kstream* p__io, kaitai::kstruct* p__parent, ggml_block_t* p__root) : kaitai::kstruct(p__io) {
    m__parent = p__parent;
    m__root = p__root;
    _read();
}

void ggml_block_t::i64_t::_read() {
    m_value = m__io->read_s8le();
}

ggml_block_t::i64_t::~i64_t() {
    _clean_up();
}

void ggml_block_t::i64_t::_clean_up() {
}

ggml_block_t::i8_t::i8_t(kaitai::kstream* p__io, kaitai::kstruct* p__parent, ggml_block_t* p__root) : kaitai::kstruct(p__io) {
    m__parent = p__parent;
    m__root = p__root;
    _read();
}

void ggml_block_t::i8_t::_read() {
    m_value = m__io->read_s1();
}

ggml_block_t::i8_t::~i8_t() {
    _clean_up();
}

void ggml_block_t::i8_t::_clean_up() {
}

ggml_block_t::iq1_m_t::iq1_m_t(kaitai::kstream* p__io, kaitai::kstruct* p__parent, ggml_block_t* p__root) : kaitai::kstruct(p__io) {
    m__parent = p__parent;
    m__root = p__root;
    m_qs = nullptr;
    m_qh = nullptr;
    m_scales = nullptr;
    _read();
}

void ggml_block_t::iq1_m_t::_read() {
    m_qs = std::unique_ptr<std::vector<uint8_t>>(new std::vector<uint8_t>());
    const int l_qs = 32;
    for (int i = 0; i < l_qs; i++) {
        m_qs->push_back(std::move(m__io->read_u1()));
    }
    m_qh = std::unique_ptr<std::vector<uint8_t>>(new std::vector<uint8_t>());
    const int l_qh = 16;
    for (int i = 0; i < l_qh; i++) {
        m_qh->push_back(std::move(m__io->read_u1()));
    }
    m_scales = std::unique_ptr<std::vector<uint8_t>>(new std::vector<uint8_t>());
    const int l_scales = 8;
    for (int i = 0; i < l_scales; i++) {
        m_scales->push_back(std::move(m__io->read_u1()));
    }
}

ggml_block_t::iq1_m_t::~iq1_m_t() {
    _clean_up();
}

void ggml_block_t::iq1_m_t::_clean_up() {
}

ggml_block_t::iq1_s_t::iq1_s_t(kaitai::kstream* p__io, kaitai::kstruct* p__parent, ggml_block_t* p__root) : kaitai::kstruct(p__io) {
    m__parent = p__parent;
    m__root = p__root;
    m_qs = nullptr;
    m_qh = nullptr;
    _read();
}

void ggml_block_t::iq1_s_t::_read() {
    m_d = m__io->read_u2le();
    m_qs = std::unique_ptr<std::vector<uint8_t>>(new std::vector<uint8_t>());
    const int l_qs = 32;
    for (int i = 0; i < l_qs; i++) {
        m_qs->push_back(std::move(m__io->read_u1()));
    }
    m_qh = std::unique_ptr<std::vector<uint16_t>>(new std::vector<uint16_t>());
    const int l_qh = 8;
    for (int i = 0; i < l_qh; i++) {
        m_qh->push_back(std::move(m__io->read_u2le()));
    }
}

ggml_block_t::iq1_s_t::~iq1_s_t() {
    _clean_up();
}

void ggml_block_t::iq1_s_t::_clean_up() {
}

ggml_block_t::iq2_s_t::iq2_s_t(kaitai::kstream* p__io, kaitai::kstruct* p__parent, ggml_block_t* p__root) : kaitai::kstruct(p__io) {
    m__parent = p__parent;
    m__root = p__root;
    m_qs = nullptr;
    m_qh = nullptr;
    m_scales = nullptr;
    _read();
}

void ggml_block_t::iq2_s_t::_read() {
    m_d = m__io->read_u2le();
    m_qs = std::unique_ptr<std::vector<uint8_t>>(new std::vector<uint8_t>());
    const int l_qs = 64;
    for (int i = 0; i < l_qs; i++) {
        m_qs->push_back(std::move(m__io->read_u1()));
    }
    m_qh = std::unique_ptr<std::vector<uint8_t>>(new std::vector<uint8_t>());
    const int l_qh = 8;
    for (int i = 0; i < l_qh; i++) {
        m_qh->push_back(std::move(m__io->read_u1()));
    }
    m_scales = std::unique_ptr<std::vector<uint8_t>>(new std::vector<uint8_t>());
    const int l_scales = 8;
    for (int i = 0; i < l_scales; i++) {
        m_scales->push_back(std::move(m__io->read_u1()));
    }
}

ggml_block_t::iq2_s_t::~iq2_s_t() {
    _clean_up();
}

void ggml_block_t::iq2_s_t::_clean_up() {
}

ggml_block_t::iq2_xs_t::iq2_xs_t(kaitai::kstream* p__io, kaitai::kstruct* p__parent, ggml_block_t* p__root) : kaitai::kstruct(p__io) {
    m__parent = p__parent;
    m__root = p__root;
    m_qs = nullptr;
    m_scales = nullptr;
    _read();
}

void ggml_block_t::iq2_xs_t::_read() {
    m_d = m__io->read_u2le();
    m_qs = std::unique_ptr<std::vector<uint16_t>>(new std::vector<uint16_t>());
    const int l_qs = 32;
    for (int i = 0; i < l_qs; i++) {
        m_qs->push_back(std::move(m__io->read_u2le()));
    }
    m_scales = std::unique_ptr<std::vector<uint8_t>>(new std::vector<uint8_t>());
    const int l_scales = 8;
    for (int i = 0; i < l_scales; i++) {
        m_scales->push_back(std::move(m__io->read_u1()));
    }
}

ggml_block_t::iq2_xs_t::~iq2_xs_t() {
    _clean_up();
}

void ggml_block_t::iq2_xs_t::_clean_up() {
}

ggml_block_t::iq2_xxs_t::iq2_xxs_t(kaitai::kstream* p__io, kaitai::kstruct* p__parent, ggml_block_t* p__root) : kaitai::kstruct(p__io) {
    m__parent = p__parent;
    m__root = p__root;
    m_qs = nullptr;
    _read();
}

void ggml_block_t::iq2_xxs_t::_read() {
    m_d = m__io->read_u2le();
    m_qs = std::unique_ptr<std::vector<uint16_t>>(new std::vector<uint16_t>());
    const int l_qs = 32;
    for (int i = 0; i < l_qs; i++) {
        m_qs->push_back(std::move(m__io->read_u2le()));
    }
}

ggml_block_t::iq2_xxs_t::~iq2_xxs_t() {
    _clean_up();
}

void ggml_block_t::iq2_xxs_t::_clean_up() {
}

ggml_block_t::iq3_s_t::iq3_s_t(kaitai::kstream* p__io, kaitai::kstruct* p__parent, ggml_block_t* p__root) : kaitai::kstruct(p__io) {
    m__parent = p__parent;
    m__root = p__root;
    m_qs = nullptr;
    m_qh = nullptr;
    m_signs = nullptr;
    m_scales = nullptr;
    _read();
}

void ggml_block_t::iq3_s_t::_read() {
    m_d = m__io->read_u2le();
    m_qs = std::unique_ptr<std::vector<uint8_t>>(new std::vector<uint8_t>());
    const int l_qs = 64;
    for (int i = 0; i < l_qs; i++) {
        m_qs->push_back(std::move(m__io->read_u1()));
    }
    m_qh = std::unique_ptr<std::vector<uint8_t>>(new std::vector<uint8_t>());
    const int l_qh = 8;
    for (int i = 0; i < l_qh; i++) {
        m_qh->push_back(std::move(m__io->read_u1()));
    }
    m_signs = std::unique_ptr<std::vector<uint8_t>>(new std::vector<uint8_t>());
    const int l_signs = 32;
    for (int i = 0; i < l_signs; i++) {
        m_signs->push_back(std::move(m__io->read_u1()));
    }
    m_scales = std::unique_ptr<std::vector<uint8_t>>(new std::vector<uint8_t>());
    const int l_scales = 4;
    for (int i = 0; i < l_scales; i++) {
        m_scales->push_back(std::move(m__io->read_u1()));
    }
}

ggml_block_t::iq3_s_t::~iq3_s_t() {
    _clean_up();
}

void ggml_block_t::iq3_s_t::_clean_up() {
}

ggml_block_t::iq3_xxs_t::iq3_xxs_t(kaitai::kstream* p__io, kaitai::kstruct* p__parent, ggml_block_t* p__root) : kaitai::kstruct(p__io) {
    m__parent = p__parent;
    m__root = p__root;
    m_qs = nullptr;
    _read();
}

void ggml_block_t::iq3_xxs_t::_read() {
    m_d = m__io->read_u2le();
    m_qs = std::unique_ptr<std::vector<uint8_t>>(new std::vector<uint8_t>());
    const int l_qs = 96;
    for (int i = 0; i < l_qs; i++) {
        m_qs->push_back(std::move(m__io->read_u1()));
    }
}

ggml_block_t::iq3_xxs_t::~iq3_xxs_t() {
    _clean_up();
}

void ggml_block_t::iq3_xxs_t::_clean_up() {
}

ggml_block_t::iq4_nl_t::iq4_nl_t(kaitai::kstream* p__io, kaitai::kstruct* p__parent, ggml_block_t* p__root) : kaitai::kstruct(p__io) {
    m__parent = p__parent;
    m__root = p__root;
    m_qs = nullptr;
    _read();
}

void ggml_block_t::iq4_nl_t::_read() {
    m_d = m__io->read_u2le();
    m_qs = std::unique_ptr<std::vector<uint8_t>>(new std::vector<uint8_t>());
    const int l_qs = 16;
    for (int i = 0; i < l_qs; i++) {
        m_qs->push_back(std::move(m__io->read_u1()));
    }
}

ggml_block_t::iq4_nl_t::~iq4_nl_t() {
    _clean_up();
}

void ggml_block_t::iq4_nl_t::_clean_up() {
}

ggml_block_t::iq4_xs_t::iq4_xs_t(kaitai::kstream* p__io, kaitai::kstruct* p__parent, ggml_block_t* p__root) : kaitai::kstruct(p__io) {
    m__parent = p__parent;
    m__root = p__root;
    m_scales_l = nullptr;
    m_qs = nullptr;
    _read();
}

void ggml_block_t::iq4_xs_t::_read() {
    m_d = m__io->read_u2le();
    m_scales_h = m__io->read_u2le();
    m_scales_l = std::unique_ptr<std::vector<uint8_t>>(new std::vector<uint8_t>());
    const int l_scales_l = 4;
    for (int i = 0; i < l_scales_l; i++) {
        m_scales_l->push_back(std::move(m__io->read_u1()));
    }
    m_qs = std::unique_ptr<std::vector<uint8_t>>(new std::vector<uint8_t>());
    const int l_qs = 128;
    for (int i = 0; i < l_qs; i++) {
        m_qs->push_back(std::move(m__io->read_u1()));
    }
}

ggml_block_t::iq4_xs_t::~iq4_xs_t() {
    _clean_up();
}

void ggml_block_t::iq4_xs_t::_clean_up() {
}

ggml_block_t::mxfp4_t::mxfp4_t(kaitai::kstream* p__io, kaitai::kstruct* p__parent, ggml_block_t* p__root) : kaitai::kstruct(p__io) {
    m__parent = p__parent;
    m__root = p__root;
    m_qs = nullptr;
    _read();
}

void ggml_block_t::mxfp4_t::_read() {
    m_e = m__io->read_u1();
    m_qs = std::unique_ptr<std::vector<uint8_t>>(new std::vector<uint8_t>());
    const int l_qs = 16;
    for (int i = 0; i < l_qs; i++) {
        m_qs->push_back(std::move(m__io->read_u1()));
    }
}

ggml_block_t::mxfp4_t::~mxfp4_t() {
    _clean_up();
}

void ggml_block_t::mxfp4_t::_clean_up() {
}

ggml_block_t::nvfp4_t::nvfp4_t(kaitai::kstream* p__io, kaitai::kstruct* p__parent, ggml_block_t* p__root) : kaitai::kstruct(p__io) {
    m__parent = p__parent;
    m__root = p__root;
    m_d = nullptr;
    m_qs = nullptr;
    _read();
}

void ggml_block_t::nvfp4_t::_read() {
    m_d = std::unique_ptr<std::vector<uint8_t>>(new std::vector<uint8_t>());
    const int l_d = 4;
    for (int i = 0; i < l_d; i++) {
        m_d->push_back(std::move(m__io->read_u1()));
    }
    m_qs = std::unique_ptr<std::vector<uint8_t>>(new std::vector<uint8_t>());
    const int l_qs = 32;
    for (int i = 0; i < l_qs; i++) {
        m_qs->push_back(std::move(m__io->read_u1()));
    }
}

ggml_block_t::nvfp4_t::~nvfp4_t() {
    _clean_up();
}

void ggml_block_t::nvfp4_t::_clean_up() {
}

ggml_block_t::q1_0_t::q1_0_t(kaitai::kstream* p__io, kaitai::kstruct* p__parent, ggml_block_t* p__root) : kaitai::kstruct(p__io) {
    m__parent = p__parent;
    m__root = p__root;
    m_qs = nullptr;
    _read();
}

void ggml_block_t::q1_0_t::_read() {
    m_d = m__io->read_u2le();
    m_qs = std::unique_ptr<std::vector<uint8_t>>(new std::vector<uint8_t>());
    const int l_qs = 16;
    for (int i = 0; i < l_qs; i++) {
        m_qs->push_back(std::move(m__io->read_u1()));
    }
}

ggml_block_t::q1_0_t::~q1_0_t() {
    _clean_up();
}

void ggml_block_t::q1_0_t::_clean_up() {
}

ggml_block_t::q2_0_t::q2_0_t(kaitai::kstream* p__io, kaitai::kstruct* p__parent, ggml_block_t* p__root) : kaitai::kstruct(p__io) {
    m__parent = p__parent;
    m__root = p__root;
    m_qs = nullptr;
    _read();
}

void ggml_block_t::q2_0_t::_read() {
    m_d = m__io->read_u2le();
    m_qs = std::unique_ptr<std::vector<uint8_t>>(new std::vector<uint8_t>());
    const int l_qs = 16;
    for (int i = 0; i < l_qs; i++) {
        m_qs->push_back(std::move(m__io->read_u1()));
    }
}

ggml_block_t::q2_0_t::~q2_0_t() {
    _clean_up();
}

void ggml_block_t::q2_0_t::_clean_up() {
}

ggml_block_t::q2_k_t::q2_k_t(kaitai::kstream* p__io, kaitai::kstruct* p__parent, ggml_block_t* p__root) : kaitai::kstruct(p__io) {
    m__parent = p__parent;
    m__root = p__root;
    m_scales = nullptr;
    m_qs = nullptr;
    _read();
}

void ggml_block_t::q2_k_t::_read() {
    m_scales = std::unique_ptr<std::vector<uint8_t>>(new std::vector<uint8_t>());
    const int l_scales = 16;
    for (int i = 0; i < l_scales; i++) {
        m_scales->push_back(std::move(m__io->read_u1()));
    }
    m_qs = std::unique_ptr<std::vector<uint8_t>>(new std::vector<uint8_t>());
    const int l_qs = 64;
    for (int i = 0; i < l_qs; i++) {
        m_qs->push_back(std::move(m__io->read_u1()));
    }
    m_d = m__io->read_u2le();
    m_dmin = m__io->read_u2le();
}

ggml_block_t::q2_k_t::~q2_k_t() {
    _clean_up();
}

void ggml_block_t::q2_k_t::_clean_up() {
}

ggml_block_t::q3_k_t::q3_k_t(kaitai::kstream* p__io, kaitai::kstruct* p__parent, ggml_block_t* p__root) : kaitai::kstruct(p__io) {
    m__parent = p__parent;
    m__root = p__root;
    m_hmask = nullptr;
    m_qs = nullptr;
    m_scales = nullptr;
    _read();
}

void ggml_block_t::q3_k_t::_read() {
    m_hmask = std::unique_ptr<std::vector<uint8_t>>(new std::vector<uint8_t>());
    const int l_hmask = 32;
    for (int i = 0; i < l_hmask; i++) {
        m_hmask->push_back(std::move(m__io->read_u1()));
    }
    m_qs = std::unique_ptr<std::vector<uint8_t>>(new std::vector<uint8_t>());
    const int l_qs = 64;
    for (int i = 0; i < l_qs; i++) {
        m_qs->push_back(std::move(m__io->read_u1()));
    }
    m_scales = std::unique_ptr<std::vector<uint8_t>>(new std::vector<uint8_t>());
    const int l_scales = 12;
    for (int i = 0; i < l_scales; i++) {
        m_scales->push_back(std::move(m__io->read_u1()));
    }
    m_d = m__io->read_u2le();
}

ggml_block_t::q3_k_t::~q3_k_t() {
    _clean_up();
}

void ggml_block_t::q3_k_t::_clean_up() {
}

ggml_block_t::q4_0_t::q4_0_t(kaitai::kstream* p__io, kaitai::kstruct* p__parent, ggml_block_t* p__root) : kaitai::kstruct(p__io) {
    m__parent = p__parent;
    m__root = p__root;
    m_qs = nullptr;
    _read();
}

void ggml_block_t::q4_0_t::_read() {
    m_d = m__io->read_u2le();
    m_qs = std::unique_ptr<std::vector<uint8_t>>(new std::vector<uint8_t>());
    const int l_qs = 16;
    for (int i = 0; i < l_qs; i++) {
        m_qs->push_back(std::move(m__io->read_u1()));
    }
}

ggml_block_t::q4_0_t::~q4_0_t() {
    _clean_up();
}

void ggml_block_t::q4_0_t::_clean_up() {
}

ggml_block_t::q4_1_t::q4_1_t(kaitai::kstream* p__io, kaitai::kstruct* p__parent, ggml_block_t* p__root) : kaitai::kstruct(p__io) {
    m__parent = p__parent;
    m__root = p__root;
    m_qs = nullptr;
    _read();
}

void ggml_block_t::q4_1_t::_read() {
    m_d = m__io->read_u2le();
    m_m = m__io->read_u2le();
    m_qs = std::unique_ptr<std::vector<uint8_t>>(new std::vector<uint8_t>());
    const int l_qs = 16;
    for (int i = 0; i < l_qs; i++) {
        m_qs->push_back(std::move(m__io->read_u1()));
    }
}

ggml_block_t::q4_1_t::~q4_1_t() {
    _clean_up();
}

void ggml_block_t::q4_1_t::_clean_up() {
}

ggml_block_t::q4_k_t::q4_k_t(kaitai::kstream* p__io, kaitai::kstruct* p__parent, ggml_block_t* p__root) : kaitai::kstruct(p__io) {
    m__parent = p__parent;
    m__root = p__root;
    m_scales = nullptr;
    m_qs = nullptr;
    _read();
}

void ggml_block_t::q4_k_t::_read() {
    m_d = m__io->read_u2le();
    m_dmin = m__io->read_u2le();
    m_scales = std::unique_ptr<std::vector<uint8_t>>(new std::vector<uint8_t>());
    const int l_scales = 12;
    for (int i = 0; i < l_scales; i++) {
        m_scales->push_back(std::move(m__io->read_u1()));
    }
    m_qs = std::unique_ptr<std::vector<uint8_t>>(new std::vector<uint8_t>());
    const int l_qs = 128;
    for (int i = 0; i < l_qs; i++) {
        m_qs->push_back(std::move(m__io->read_u1()));
    }
}

ggml_block_t::q4_k_t::~q4_k_t() {
    _clean_up();
}

void ggml_block_t::q4_k_t::_clean_up() {
}

ggml_block_t::q5_0_t::q5_0_t(kaitai::kstream* p__io, kaitai::kstruct* p__parent, ggml_block_t* p__root) : kaitai::kstruct(p__io) {
    m__parent = p__parent;
    m__root = p__root;
    m_qh = nullptr;
    m_qs = nullptr;
    _read();
}

void ggml_block_t::q5_0_t::_read() {
    m_d = m__io->read_u2le();
    m_qh = std::unique_ptr<std::vector<uint8_t>>(new std::vector<uint8_t>());
    const int l_qh = 4;
    for (int i = 0; i < l_qh; i++) {
        m_qh->push_back(std::move(m__io->read_u1()));
    }
    m_qs = std::unique_ptr<std::vector<uint8_t>>(new std::vector<uint8_t>());
    const int l_qs = 16;
    for (int i = 0; i < l_qs; i++) {
        m_qs->push_back(std::move(m__io->read_u1()));
    }
}

ggml_block_t::q5_0_t::~q5_0_t() {
    _clean_up();
}

void ggml_block_t::q5_0_t::_clean_up() {
}

ggml_block_t::q5_1_t::q5_1_t(kaitai::kstream* p__io, kaitai::kstruct* p__parent, ggml_block_t* p__root) : kaitai::kstruct(p__io) {
    m__parent = p__parent;
    m__root = p__root;
    m_qh = nullptr;
    m_qs = nullptr;
    _read();
}

void ggml_block_t::q5_1_t::_read() {
    m_d = m__io->read_u2le();
    m_m = m__io->read_u2le();
    m_qh = std::unique_ptr<std::vector<uint8_t>>(new std::vector<uint8_t>());
    const int l_qh = 4;
    for (int i = 0; i < l_qh; i++) {
        m_qh->push_back(std::move(m__io->read_u1()));
    }
    m_qs = std::unique_ptr<std::vector<uint8_t>>(new std::vector<uint8_t>());
    const int l_qs = 16;
    for (int i = 0; i < l_qs; i++) {
        m_qs->push_back(std::move(m__io->read_u1()));
    }
}

ggml_block_t::q5_1_t::~q5_1_t() {
    _clean_up();
}

void ggml_block_t::q5_1_t::_clean_up() {
}

ggml_block_t::q5_k_t::q5_k_t(kaitai::kstream* p__io, kaitai::kstruct* p__parent, ggml_block_t* p__root) : kaitai::kstruct(p__io) {
    m__parent = p__parent;
    m__root = p__root;
    m_scales = nullptr;
    m_qh = nullptr;
    m_qs = nullptr;
    _read();
}

void ggml_block_t::q5_k_t::_read() {
    m_d = m__io->read_u2le();
    m_dmin = m__io->read_u2le();
    m_scales = std::unique_ptr<std::vector<uint8_t>>(new std::vector<uint8_t>());
    const int l_scales = 12;
    for (int i = 0; i < l_scales; i++) {
        m_scales->push_back(std::move(m__io->read_u1()));
    }
    m_qh = std::unique_ptr<std::vector<uint8_t>>(new std::vector<uint8_t>());
    const int l_qh = 32;
    for (int i = 0; i < l_qh; i++) {
        m_qh->push_back(std::move(m__io->read_u1()));
    }
    m_qs = std::unique_ptr<std::vector<uint8_t>>(new std::vector<uint8_t>());
    const int l_qs = 128;
    for (int i = 0; i < l_qs; i++) {
        m_qs->push_back(std::move(m__io->read_u1()));
    }
}

ggml_block_t::q5_k_t::~q5_k_t() {
    _clean_up();
}

void ggml_block_t::q5_k_t::_clean_up() {
}

ggml_block_t::q6_k_t::q6_k_t(kaitai::kstream* p__io, kaitai::kstruct* p__parent, ggml_block_t* p__root) : kaitai::kstruct(p__io) {
    m__parent = p__parent;
    m__root = p__root;
    m_ql = nullptr;
    m_qh = nullptr;
    m_scales = nullptr;
    _read();
}

void ggml_block_t::q6_k_t::_read() {
    m_ql = std::unique_ptr<std::vector<uint8_t>>(new std::vector<uint8_t>());
    const int l_ql = 128;
    for (int i = 0; i < l_ql; i++) {
        m_ql->push_back(std::move(m__io->read_u1()));
    }
    m_qh = std::unique_ptr<std::vector<uint8_t>>(new std::vector<uint8_t>());
    const int l_qh = 64;
    for (int i = 0; i < l_qh; i++) {
        m_qh->push_back(std::move(m__io->read_u1()));
    }
    m_scales = std::unique_ptr<std::vector<int8_t>>(new std::vector<int8_t>());
    const int l_scales = 16;
    for (int i = 0; i < l_scales; i++) {
        m_scales->push_back(std::move(m__io->read_s1()));
    }
    m_d = m__io->read_u2le();
}

ggml_block_t::q6_k_t::~q6_k_t() {
    _clean_up();
}

void ggml_block_t::q6_k_t::_clean_up() {
}

ggml_block_t::q8_0_t::q8_0_t(kaitai::kstream* p__io, kaitai::kstruct* p__parent, ggml_block_t* p__root) : kaitai::kstruct(p__io) {
    m__parent = p__parent;
    m__root = p__root;
    m_qs = nullptr;
    _read();
}

void ggml_block_t::q8_0_t::_read() {
    m_d = m__io->read_u2le();
    m_qs = std::unique_ptr<std::vector<int8_t>>(new std::vector<int8_t>());
    const int l_qs = 32;
    for (int i = 0; i < l_qs; i++) {
        m_qs->push_back(std::move(m__io->read_s1()));
    }
}

ggml_block_t::q8_0_t::~q8_0_t() {
    _clean_up();
}

void ggml_block_t::q8_0_t::_clean_up() {
}

ggml_block_t::q8_1_t::q8_1_t(kaitai::kstream* p__io, kaitai::kstruct* p__parent, ggml_block_t* p__root) : kaitai::kstruct(p__io) {
    m__parent = p__parent;
    m__root = p__root;
    m_qs = nullptr;
    _read();
}

void ggml_block_t::q8_1_t::_read() {
    m_d = m__io->read_u2le();
    m_s = m__io->read_u2le();
    m_qs = std::unique_ptr<std::vector<int8_t>>(new std::vector<int8_t>());
    const int l_qs = 32;
    for (int i = 0; i < l_qs; i++) {
        m_qs->push_back(std::move(m__io->read_s1()));
    }
}

ggml_block_t::q8_1_t::~q8_1_t() {
    _clean_up();
}

void ggml_block_t::q8_1_t::_clean_up() {
}

ggml_block_t::q8_k_t::q8_k_t(kaitai::kstream* p__io, kaitai::kstruct* p__parent, ggml_block_t* p__root) : kaitai::kstruct(p__io) {
    m__parent = p__parent;
    m__root = p__root;
    m_qs = nullptr;
    m_bsums = nullptr;
    _read();
}

void ggml_block_t::q8_k_t::_read() {
    m_d = m__io->read_f4le();
    m_qs = std::unique_ptr<std::vector<int8_t>>(new std::vector<int8_t>());
    const int l_qs = 256;
    for (int i = 0; i < l_qs; i++) {
        m_qs->push_back(std::move(m__io->read_s1()));
    }
    m_bsums = std::unique_ptr<std::vector<int16_t>>(new std::vector<int16_t>());
    const int l_bsums = 16;
    for (int i = 0; i < l_bsums; i++) {
        m_bsums->push_back(std::move(m__io->read_s2le()));
    }
}

ggml_block_t::q8_k_t::~q8_k_t() {
    _clean_up();
}

void ggml_block_t::q8_k_t::_clean_up() {
}

ggml_block_t::tq1_0_t::tq1_0_t(kaitai::kstream* p__io, kaitai::kstruct* p__parent, ggml_block_t* p__root) : kaitai::kstruct(p__io) {
    m__parent = p__parent;
    m__root = p__root;
    m_qs = nullptr;
    m_qh = nullptr;
    _read();
}

void ggml_block_t::tq1_0_t::_read() {
    m_qs = std::unique_ptr<std::vector<uint8_t>>(new std::vector<uint8_t>());
    const int l_qs = 48;
    for (int i = 0; i < l_qs; i++) {
        m_qs->push_back(std::move(m__io->read_u1()));
    }
    m_qh = std::unique_ptr<std::vector<uint8_t>>(new std::vector<uint8_t>());
    const int l_qh = 4;
    for (int i = 0; i < l_qh; i++) {
        m_qh->push_back(std::move(m__io->read_u1()));
    }
    m_d = m__io->read_u2le();
}

ggml_block_t::tq1_0_t::~tq1_0_t() {
    _clean_up();
}

void ggml_block_t::tq1_0_t::_clean_up() {
}

ggml_block_t::tq2_0_t::tq2_0_t(kaitai::kstream* p__io, kaitai::kstruct* p__parent, ggml_block_t* p__root) : kaitai::kstruct(p__io) {
    m__parent = p__parent;
    m__root = p__root;
    m_qs = nullptr;
    _read();
}

void ggml_block_t::tq2_0_t::_read() {
    m_qs = std::unique_ptr<std::vector<uint8_t>>(new std::vector<uint8_t>());
    const int l_qs = 64;
    for (int i = 0; i < l_qs; i++) {
        m_qs->push_back(std::move(m__io->read_u1()));
    }
    m_d = m__io->read_u2le();
}

ggml_block_t::tq2_0_t::~tq2_0_t() {
    _clean_up();
}

void ggml_block_t::tq2_0_t::_clean_up() {
}
