// This is a generated file! Please edit source .ksy file and use kaitai-struct-compiler to rebuild

#include "gguf.h"
#include "kaitai/exceptions.h"
const std::set<gguf_t::ggml_type_t> gguf_t::_values_ggml_type_t{
    gguf_t::GGML_TYPE_F32,
    gguf_t::GGML_TYPE_F16,
    gguf_t::GGML_TYPE_Q4_0,
    gguf_t::GGML_TYPE_Q4_1,
    gguf_t::GGML_TYPE_Q5_0,
    gguf_t::GGML_TYPE_Q5_1,
    gguf_t::GGML_TYPE_Q8_0,
    gguf_t::GGML_TYPE_Q8_1,
    gguf_t::GGML_TYPE_Q2_K,
    gguf_t::GGML_TYPE_Q3_K,
    gguf_t::GGML_TYPE_Q4_K,
    gguf_t::GGML_TYPE_Q5_K,
    gguf_t::GGML_TYPE_Q6_K,
    gguf_t::GGML_TYPE_Q8_K,
    gguf_t::GGML_TYPE_IQ2_XXS,
    gguf_t::GGML_TYPE_IQ2_XS,
    gguf_t::GGML_TYPE_IQ3_XXS,
    gguf_t::GGML_TYPE_IQ1_S,
    gguf_t::GGML_TYPE_IQ4_NL,
    gguf_t::GGML_TYPE_IQ3_S,
    gguf_t::GGML_TYPE_IQ2_S,
    gguf_t::GGML_TYPE_IQ4_XS,
    gguf_t::GGML_TYPE_I8,
    gguf_t::GGML_TYPE_I16,
    gguf_t::GGML_TYPE_I32,
    gguf_t::GGML_TYPE_I64,
    gguf_t::GGML_TYPE_F64,
    gguf_t::GGML_TYPE_IQ1_M,
    gguf_t::GGML_TYPE_BF16,
    gguf_t::GGML_TYPE_TQ1_0,
    gguf_t::GGML_TYPE_TQ2_0,
    gguf_t::GGML_TYPE_MXFP4,
    gguf_t::GGML_TYPE_NVFP4,
    gguf_t::GGML_TYPE_Q1_0,
    gguf_t::GGML_TYPE_Q2_0,
};
bool gguf_t::_is_defined_ggml_type_t(gguf_t::ggml_type_t v) {
    return gguf_t::_values_ggml_type_t.find(v) != gguf_t::_values_ggml_type_t.end();
}
const std::set<gguf_t::value_type_t> gguf_t::_values_value_type_t{
    gguf_t::VALUE_TYPE_UINT8,
    gguf_t::VALUE_TYPE_INT8,
    gguf_t::VALUE_TYPE_UINT16,
    gguf_t::VALUE_TYPE_INT16,
    gguf_t::VALUE_TYPE_UINT32,
    gguf_t::VALUE_TYPE_INT32,
    gguf_t::VALUE_TYPE_FLOAT32,
    gguf_t::VALUE_TYPE_BOOL,
    gguf_t::VALUE_TYPE_STRING,
    gguf_t::VALUE_TYPE_ARRAY,
    gguf_t::VALUE_TYPE_UINT64,
    gguf_t::VALUE_TYPE_INT64,
    gguf_t::VALUE_TYPE_FLOAT64,
};
bool gguf_t::_is_defined_value_type_t(gguf_t::value_type_t v) {
    return gguf_t::_values_value_type_t.find(v) != gguf_t::_values_value_type_t.end();
}

gguf_t::gguf_t(kaitai::kstream* p__io, kaitai::kstruct* p__parent, gguf_t* p__root) : kaitai::kstruct(p__io) {
    m__parent = p__parent;
    m__root = p__root ? p__root : this;
    m_body = nullptr;
    f_is_be = false;
    f_version = false;
    f_version_be = false;
    f_version_le = false;
    _read();
}

void gguf_t::_read() {
    m_magic = m__io->read_bytes(4);
    if (!(m_magic == std::string("\x47\x47\x55\x46", 4))) {
        throw kaitai::validation_not_equal_error<std::string>(std::string("\x47\x47\x55\x46", 4), m_magic, m__io, std::string("/seq/0"));
    }
    m_body = std::unique_ptr<gguf_body_t>(new gguf_body_t(m__io, this, m__root));
}

gguf_t::~gguf_t() {
    _clean_up();
}

void gguf_t::_clean_up() {
    if (f_version_be) {
    }
    if (f_version_le) {
    }
}

gguf_t::array_elements_t::array_elements_t(kaitai::kstream* p__io, gguf_t::gguf_array_t* p__parent, gguf_t* p__root) : kaitai::kstruct(p__io) {
    m__parent = p__parent;
    m__root = p__root;
    m_items = nullptr;
    _read();
}

void gguf_t::array_elements_t::_read() {
    m_items = std::unique_ptr<std::vector<std::unique_ptr<gguf_array_t>>>(new std::vector<std::unique_ptr<gguf_array_t>>());
    const int l_items = _parent()->num_elements()->as_int();
    for (int i = 0; i < l_items; i++) {
        m_items->push_back(std::move(std::unique_ptr<gguf_array_t>(new gguf_array_t(m__io, this, m__root))));
    }
}

gguf_t::array_elements_t::~array_elements_t() {
    _clean_up();
}

void gguf_t::array_elements_t::_clean_up() {
}

gguf_t::dim_t::dim_t(kaitai::kstream* p__io, gguf_t::tensor_info_t* p__parent, gguf_t* p__root) : kaitai::kstruct(p__io) {
    m__parent = p__parent;
    m__root = p__root;
    m__is_le = -1;
    f_value = false;
    _read();
}

void gguf_t::dim_t::_read() {
    {
        bool on = _root()->is_be();
        if (on == true) {
            m__is_le = false;
        }
        else if (on == false) {
            m__is_le = true;
        }
    }

    if (m__is_le == -1) {
        throw kaitai::undecided_endianness_error("/types/dim");
    } else if (m__is_le == 1) {
        _read_le();
    } else {
        _read_be();
    }
}

void gguf_t::dim_t::_read_le() {
    n_value_u4 = true;
    if (_root()->version() == 1) {
        n_value_u4 = false;
        m_value_u4 = m__io->read_u4le();
    }
    n_value_u8 = true;
    if (_root()->version() != 1) {
        n_value_u8 = false;
        m_value_u8 = m__io->read_u8le();
    }
}

void gguf_t::dim_t::_read_be() {
    n_value_u4 = true;
    if (_root()->version() == 1) {
        n_value_u4 = false;
        m_value_u4 = m__io->read_u4be();
    }
    n_value_u8 = true;
    if (_root()->version() != 1) {
        n_value_u8 = false;
        m_value_u8 = m__io->read_u8be();
    }
}

gguf_t::dim_t::~dim_t() {
    _clean_up();
}

void gguf_t::dim_t::_clean_up() {
    if (!n_value_u4) {
    }
    if (!n_value_u8) {
    }
}

uint64_t gguf_t::dim_t::value() {
    if (f_value)
        return m_value;
    f_value = true;
    m_value = ((_root()->version() == 1) ? (static_cast<uint64_t>(value_u4())) : (static_cast<uint64_t>(value_u8())));
    return m_value;
}

gguf_t::elements_1_t::elements_1_t(kaitai::kstream* p__io, gguf_t::gguf_array_t* p__parent, gguf_t* p__root) : kaitai::kstruct(p__io) {
    m__parent = p__parent;
    m__root = p__root;
    _read();
}

void gguf_t::elements_1_t::_read() {
    m_data = m__io->read_bytes(_parent()->num_elements()->value());
}

gguf_t::elements_1_t::~elements_1_t() {
    _clean_up();
}

void gguf_t::elements_1_t::_clean_up() {
}

gguf_t::elements_2_t::elements_2_t(kaitai::kstream* p__io, gguf_t::gguf_array_t* p__parent, gguf_t* p__root) : kaitai::kstruct(p__io) {
    m__parent = p__parent;
    m__root = p__root;
    _read();
}

void gguf_t::elements_2_t::_read() {
    m_data = m__io->read_bytes(_parent()->num_elements()->value() * 2);
}

gguf_t::elements_2_t::~elements_2_t() {
    _clean_up();
}

void gguf_t::elements_2_t::_clean_up() {
}

gguf_t::elements_4_t::elements_4_t(kaitai::kstream* p__io, gguf_t::gguf_array_t* p__parent, gguf_t* p__root) : kaitai::kstruct(p__io) {
    m__parent = p__parent;
    m__root = p__root;
    _read();
}

void gguf_t::elements_4_t::_read() {
    m_data = m__io->read_bytes(_parent()->num_elements()->value() * 4);
}

gguf_t::elements_4_t::~elements_4_t() {
    _clean_up();
}

void gguf_t::elements_4_t::_clean_up() {
}

gguf_t::elements_8_t::elements_8_t(kaitai::kstream* p__io, gguf_t::gguf_array_t* p__parent, gguf_t* p__root) : kaitai::kstruct(p__io) {
    m__parent = p__parent;
    m__root = p__root;
    _read();
}

void gguf_t::elements_8_t::_read() {
    m_data = m__io->read_bytes(_parent()->num_elements()->value() * 8);
}

gguf_t::elements_8_t::~elements_8_t() {
    _clean_up();
}

void gguf_t::elements_8_t::_clean_up() {
}

gguf_t::gguf_array_t::gguf_array_t(kaitai::kstream* p__io, kaitai::kstruct* p__parent, gguf_t* p__root) : kaitai::kstruct(p__io) {
    m__parent = p__parent;
    m__root = p__root;
    m__is_le = -1;
    m_num_elements = nullptr;
    _read();
}

void gguf_t::gguf_array_t::_read() {
    {
        bool on = _root()->is_be();
        if (on == true) {
            m__is_le = false;
        }
        else if (on == false) {
            m__is_le = true;
        }
    }

    if (m__is_le == -1) {
        throw kaitai::undecided_endianness_error("/types/gguf_array");
    } else if (m__is_le == 1) {
        _read_le();
    } else {
        _read_be();
    }
}

void gguf_t::gguf_array_t::_read_le() {
    m_element_type = static_cast<gguf_t::value_type_t>(m__io->read_u4le());
    if (!gguf_t::_is_defined_value_type_t(m_element_type)) {
        throw kaitai::validation_not_in_enum_error<gguf_t::value_type_t>(m_element_type, m__io, std::string("/types/gguf_array/seq/0"));
    }
    m_num_elements = std::unique_ptr<length_t>(new length_t(m__io, this, m__root));
    n_elements = true;
    switch (element_type()) {
    case gguf_t::VALUE_TYPE_ARRAY: {
        n_elements = false;
        m_elements = std::unique_ptr<array_elements_t>(new array_elements_t(m__io, this, m__root));
        break;
    }
    case gguf_t::VALUE_TYPE_BOOL: {
        n_elements = false;
        m_elements = std::unique_ptr<elements_1_t>(new elements_1_t(m__io, this, m__root));
        break;
    }
    case gguf_t::VALUE_TYPE_FLOAT32: {
        n_elements = false;
        m_elements = std::unique_ptr<elements_4_t>(new elements_4_t(m__io, this, m__root));
        break;
    }
    case gguf_t::VALUE_TYPE_FLOAT64: {
        n_elements = false;
        m_elements = std::unique_ptr<elements_8_t>(new elements_8_t(m__io, this, m__root));
        break;
    }
    case gguf_t::VALUE_TYPE_INT16: {
        n_elements = false;
        m_elements = std::unique_ptr<elements_2_t>(new elements_2_t(m__io, this, m__root));
        break;
    }
    case gguf_t::VALUE_TYPE_INT32: {
        n_elements = false;
        m_elements = std::unique_ptr<elements_4_t>(new elements_4_t(m__io, this, m__root));
        break;
    }
    case gguf_t::VALUE_TYPE_INT64: {
        n_elements = false;
        m_elements = std::unique_ptr<elements_8_t>(new elements_8_t(m__io, this, m__root));
        break;
    }
    case gguf_t::VALUE_TYPE_INT8: {
        n_elements = false;
        m_elements = std::unique_ptr<elements_1_t>(new elements_1_t(m__io, this, m__root));
        break;
    }
    case gguf_t::VALUE_TYPE_STRING: {
        n_elements = false;
        m_elements = std::unique_ptr<string_elements_t>(new string_elements_t(m__io, this, m__root));
        break;
    }
    case gguf_t::VALUE_TYPE_UINT16: {
        n_elements = false;
        m_elements = std::unique_ptr<elements_2_t>(new elements_2_t(m__io, this, m__root));
        break;
    }
    case gguf_t::VALUE_TYPE_UINT32: {
        n_elements = false;
        m_elements = std::unique_ptr<elements_4_t>(new elements_4_t(m__io, this, m__root));
        break;
    }
    case gguf_t::VALUE_TYPE_UINT64: {
        n_elements = false;
        m_elements = std::unique_ptr<elements_8_t>(new elements_8_t(m__io, this, m__root));
        break;
    }
    case gguf_t::VALUE_TYPE_UINT8: {
        n_elements = false;
        m_elements = std::unique_ptr<elements_1_t>(new elements_1_t(m__io, this, m__root));
        break;
    }
    }
}

void gguf_t::gguf_array_t::_read_be() {
    m_element_type = static_cast<gguf_t::value_type_t>(m__io->read_u4be());
    if (!gguf_t::_is_defined_value_type_t(m_element_type)) {
        throw kaitai::validation_not_in_enum_error<gguf_t::value_type_t>(m_element_type, m__io, std::string("/types/gguf_array/seq/0"));
    }
    m_num_elements = std::unique_ptr<length_t>(new length_t(m__io, this, m__root));
    n_elements = true;
    switch (element_type()) {
    case gguf_t::VALUE_TYPE_ARRAY: {
        n_elements = false;
        m_elements = std::unique_ptr<array_elements_t>(new array_elements_t(m__io, this, m__root));
        break;
    }
    case gguf_t::VALUE_TYPE_BOOL: {
        n_elements = false;
        m_elements = std::unique_ptr<elements_1_t>(new elements_1_t(m__io, this, m__root));
        break;
    }
    case gguf_t::VALUE_TYPE_FLOAT32: {
        n_elements = false;
        m_elements = std::unique_ptr<elements_4_t>(new elements_4_t(m__io, this, m__root));
        break;
    }
    case gguf_t::VALUE_TYPE_FLOAT64: {
        n_elements = false;
        m_elements = std::unique_ptr<elements_8_t>(new elements_8_t(m__io, this, m__root));
        break;
    }
    case gguf_t::VALUE_TYPE_INT16: {
        n_elements = false;
        m_elements = std::unique_ptr<elements_2_t>(new elements_2_t(m__io, this, m__root));
        break;
    }
    case gguf_t::VALUE_TYPE_INT32: {
        n_elements = false;
        m_elements = std::unique_ptr<elements_4_t>(new elements_4_t(m__io, this, m__root));
        break;
    }
    case gguf_t::VALUE_TYPE_INT64: {
        n_elements = false;
        m_elements = std::unique_ptr<elements_8_t>(new elements_8_t(m__io, this, m__root));
        break;
    }
    case gguf_t::VALUE_TYPE_INT8: {
        n_elements = false;
        m_elements = std::unique_ptr<elements_1_t>(new elements_1_t(m__io, this, m__root));
        break;
    }
    case gguf_t::VALUE_TYPE_STRING: {
        n_elements = false;
        m_elements = std::unique_ptr<string_elements_t>(new string_elements_t(m__io, this, m__root));
        break;
    }
    case gguf_t::VALUE_TYPE_UINT16: {
        n_elements = false;
        m_elements = std::unique_ptr<elements_2_t>(new elements_2_t(m__io, this, m__root));
        break;
    }
    case gguf_t::VALUE_TYPE_UINT32: {
        n_elements = false;
        m_elements = std::unique_ptr<elements_4_t>(new elements_4_t(m__io, this, m__root));
        break;
    }
    case gguf_t::VALUE_TYPE_UINT64: {
        n_elements = false;
        m_elements = std::unique_ptr<elements_8_t>(new elements_8_t(m__io, this, m__root));
        break;
    }
    case gguf_t::VALUE_TYPE_UINT8: {
        n_elements = false;
        m_elements = std::unique_ptr<elements_1_t>(new elements_1_t(m__io, this, m__root));
        break;
    }
    }
}

gguf_t::gguf_array_t::~gguf_array_t() {
    _clean_up();
}

void gguf_t::gguf_array_t::_clean_up() {
    if (!n_elements) {
    }
}

gguf_t::gguf_body_t::gguf_body_t(kaitai::kstream* p__io, gguf_t* p__parent, gguf_t* p__root) : kaitai::kstruct(p__io) {
    m__parent = p__parent;
    m__root = p__root;
    m__is_le = -1;
    m_num_tensors = nullptr;
    m_num_metadata = nullptr;
    m_metadata = nullptr;
    m_tensors = nullptr;
    m_alignment_search = nullptr;
    f_alignment = false;
    f_alignment_search = false;
    f_len_header = false;
    f_ofs_tensor_data = false;
    _read();
}

void gguf_t::gguf_body_t::_read() {
    {
        bool on = _root()->is_be();
        if (on == true) {
            m__is_le = false;
        }
        else if (on == false) {
            m__is_le = true;
        }
    }

    if (m__is_le == -1) {
        throw kaitai::undecided_endianness_error("/types/gguf_body");
    } else if (m__is_le == 1) {
        _read_le();
    } else {
        _read_be();
    }
}

void gguf_t::gguf_body_t::_read_le() {
    m_version = m__io->read_u4le();
    if (!( ((m_version == 1) || (m_version == 2) || (m_version == 3)) )) {
        throw kaitai::validation_not_any_of_error<uint32_t>(m_version, m__io, std::string("/types/gguf_body/seq/0"));
    }
    m_num_tensors = std::unique_ptr<length_t>(new length_t(m__io, this, m__root));
    m_num_metadata = std::unique_ptr<length_t>(new length_t(m__io, this, m__root));
    m_metadata = std::unique_ptr<std::vector<std::unique_ptr<key_value_t>>>(new std::vector<std::unique_ptr<key_value_t>>());
    const int l_metadata = num_metadata()->as_int();
    for (int i = 0; i < l_metadata; i++) {
        m_metadata->push_back(std::move(std::unique_ptr<key_value_t>(new key_value_t(m__io, this, m__root))));
    }
    m_tensors = std::unique_ptr<std::vector<std::unique_ptr<tensor_info_t>>>(new std::vector<std::unique_ptr<tensor_info_t>>());
    const int l_tensors = num_tensors()->as_int();
    for (int i = 0; i < l_tensors; i++) {
        m_tensors->push_back(std::move(std::unique_ptr<tensor_info_t>(new tensor_info_t(m__io, this, m__root))));
    }
    n_header_end = true;
    if (len_header() < 0) {
        n_header_end = false;
        m_header_end = m__io->read_bytes(0);
    }
}

void gguf_t::gguf_body_t::_read_be() {
    m_version = m__io->read_u4be();
    if (!( ((m_version == 1) || (m_version == 2) || (m_version == 3)) )) {
        throw kaitai::validation_not_any_of_error<uint32_t>(m_version, m__io, std::string("/types/gguf_body/seq/0"));
    }
    m_num_tensors = std::unique_ptr<length_t>(new length_t(m__io, this, m__root));
    m_num_metadata = std::unique_ptr<length_t>(new length_t(m__io, this, m__root));
    m_metadata = std::unique_ptr<std::vector<std::unique_ptr<key_value_t>>>(new std::vector<std::unique_ptr<key_value_t>>());
    const int l_metadata = num_metadata()->as_int();
    for (int i = 0; i < l_metadata; i++) {
        m_metadata->push_back(std::move(std::unique_ptr<key_value_t>(new key_value_t(m__io, this, m__root))));
    }
    m_tensors = std::unique_ptr<std::vector<std::unique_ptr<tensor_info_t>>>(new std::vector<std::unique_ptr<tensor_info_t>>());
    const int l_tensors = num_tensors()->as_int();
    for (int i = 0; i < l_tensors; i++) {
        m_tensors->push_back(std::move(std::unique_ptr<tensor_info_t>(new tensor_info_t(m__io, this, m__root))));
    }
    n_header_end = true;
    if (len_header() < 0) {
        n_header_end = false;
        m_header_end = m__io->read_bytes(0);
    }
}

gguf_t::gguf_body_t::~gguf_body_t() {
    _clean_up();
}

void gguf_t::gguf_body_t::_clean_up() {
    if (!n_header_end) {
    }
    if (f_alignment_search && !n_alignment_search) {
    }
}

int64_t gguf_t::gguf_body_t::alignment() {
    if (f_alignment)
        return m_alignment;
    f_alignment = true;
    m_alignment = ((metadata()->size() > 0) ? (metadata()->at(alignment_search()->size() - 1)->alignment()) : (static_cast<int64_t>(32)));
    return m_alignment;
}

std::vector<std::string>* gguf_t::gguf_body_t::alignment_search() {
    if (f_alignment_search)
        return m_alignment_search.get();
    f_alignment_search = true;
    n_alignment_search = true;
    if (metadata()->size() > 0) {
        n_alignment_search = false;
        if (m__is_le == 1) {
            m_alignment_search = std::unique_ptr<std::vector<std::string>>(new std::vector<std::string>());
            {
                int i = 0;
                std::string _;
                do {
                    _ = m__io->read_bytes(0);
                    m_alignment_search->push_back(_);
                    i++;
                } while (!( ((metadata()->at(alignment_search()->size() - 1)->is_alignment()) || (alignment_search()->size() == metadata()->size())) ));
            }
        } else {
            m_alignment_search = std::unique_ptr<std::vector<std::string>>(new std::vector<std::string>());
            {
                int i = 0;
                std::string _;
                do {
                    _ = m__io->read_bytes(0);
                    m_alignment_search->push_back(_);
                    i++;
                } while (!( ((metadata()->at(alignment_search()->size() - 1)->is_alignment()) || (alignment_search()->size() == metadata()->size())) ));
            }
        }
    }
    return m_alignment_search.get();
}

int64_t gguf_t::gguf_body_t::len_header() {
    if (f_len_header)
        return m_len_header;
    f_len_header = true;
    m_len_header = static_cast<int64_t>(_io()->pos());
    return m_len_header;
}

int64_t gguf_t::gguf_body_t::ofs_tensor_data() {
    if (f_ofs_tensor_data)
        return m_ofs_tensor_data;
    f_ofs_tensor_data = true;
    m_ofs_tensor_data = static_cast<int64_t>(len_header() + kaitai::kstream::mod(-(len_header()), alignment()));
    return m_ofs_tensor_data;
}

gguf_t::gguf_string_t::gguf_string_t(kaitai::kstream* p__io, kaitai::kstruct* p__parent, gguf_t* p__root) : kaitai::kstruct(p__io) {
    m__parent = p__parent;
    m__root = p__root;
    m_len_data = nullptr;
    f_value = false;
    _read();
}

void gguf_t::gguf_string_t::_read() {
    m_len_data = std::unique_ptr<length_t>(new length_t(m__io, this, m__root));
    m_data = m__io->read_bytes(len_data()->value());
}

gguf_t::gguf_string_t::~gguf_string_t() {
    _clean_up();
}

void gguf_t::gguf_string_t::_clean_up() {
}

std::string gguf_t::gguf_string_t::value() {
    if (f_value)
        return m_value;
    f_value = true;
    m_value = kaitai::kstream::bytes_to_str(data(), "UTF-8");
    return m_value;
}

gguf_t::key_value_t::key_value_t(kaitai::kstream* p__io, gguf_t::gguf_body_t* p__parent, gguf_t* p__root) : kaitai::kstruct(p__io) {
    m__parent = p__parent;
    m__root = p__root;
    m__is_le = -1;
    m_key = nullptr;
    f_alignment = false;
    f_is_alignment = false;
    _read();
}

void gguf_t::key_value_t::_read() {
    {
        bool on = _root()->is_be();
        if (on == true) {
            m__is_le = false;
        }
        else if (on == false) {
            m__is_le = true;
        }
    }

    if (m__is_le == -1) {
        throw kaitai::undecided_endianness_error("/types/key_value");
    } else if (m__is_le == 1) {
        _read_le();
    } else {
        _read_be();
    }
}

void gguf_t::key_value_t::_read_le() {
    m_key = std::unique_ptr<gguf_string_t>(new gguf_string_t(m__io, this, m__root));
    m_value_type = static_cast<gguf_t::value_type_t>(m__io->read_u4le());
    if (!gguf_t::_is_defined_value_type_t(m_value_type)) {
        throw kaitai::validation_not_in_enum_error<gguf_t::value_type_t>(m_value_type, m__io, std::string("/types/key_value/seq/1"));
    }
    n_value = true;
    switch (value_type()) {
    case gguf_t::VALUE_TYPE_ARRAY: {
        n_value = false;
        m_value = std::unique_ptr<gguf_array_t>(new gguf_array_t(m__io, this, m__root));
        break;
    }
    case gguf_t::VALUE_TYPE_BOOL: {
        n_value = false;
        m_value = std::unique_ptr<value_u1_t>(new value_u1_t(m__io, this, m__root));
        break;
    }
    case gguf_t::VALUE_TYPE_FLOAT32: {
        n_value = false;
        m_value = std::unique_ptr<value_f4_t>(new value_f4_t(m__io, this, m__root));
        break;
    }
    case gguf_t::VALUE_TYPE_FLOAT64: {
        n_value = false;
        m_value = std::unique_ptr<value_f8_t>(new value_f8_t(m__io, this, m__root));
        break;
    }
    case gguf_t::VALUE_TYPE_INT16: {
        n_value = false;
        m_value = std::unique_ptr<value_s2_t>(new value_s2_t(m__io, this, m__root));
        break;
    }
    case gguf_t::VALUE_TYPE_INT32: {
        n_value = false;
        m_value = std::unique_ptr<value_s4_t>(new value_s4_t(m__io, this, m__root));
        break;
    }
    case gguf_t::VALUE_TYPE_INT64: {
        n_value = false;
        m_value = std::unique_ptr<value_s8_t>(new value_s8_t(m__io, this, m__root));
        break;
    }
    case gguf_t::VALUE_TYPE_INT8: {
        n_value = false;
        m_value = std::unique_ptr<value_s1_t>(new value_s1_t(m__io, this, m__root));
        break;
    }
    case gguf_t::VALUE_TYPE_STRING: {
        n_value = false;
        m_value = std::unique_ptr<gguf_string_t>(new gguf_string_t(m__io, this, m__root));
        break;
    }
    case gguf_t::VALUE_TYPE_UINT16: {
        n_value = false;
        m_value = std::unique_ptr<value_u2_t>(new value_u2_t(m__io, this, m__root));
        break;
    }
    case gguf_t::VALUE_TYPE_UINT32: {
        n_value = false;
        m_value = std::unique_ptr<value_u4_t>(new value_u4_t(m__io, this, m__root));
        break;
    }
    case gguf_t::VALUE_TYPE_UINT64: {
        n_value = false;
        m_value = std::unique_ptr<value_u8_t>(new value_u8_t(m__io, this, m__root));
        break;
    }
    case gguf_t::VALUE_TYPE_UINT8: {
        n_value = false;
        m_value = std::unique_ptr<value_u1_t>(new value_u1_t(m__io, this, m__root));
        break;
    }
    }
}

void gguf_t::key_value_t::_read_be() {
    m_key = std::unique_ptr<gguf_string_t>(new gguf_string_t(m__io, this, m__root));
    m_value_type = static_cast<gguf_t::value_type_t>(m__io->read_u4be());
    if (!gguf_t::_is_defined_value_type_t(m_value_type)) {
        throw kaitai::validation_not_in_enum_error<gguf_t::value_type_t>(m_value_type, m__io, std::string("/types/key_value/seq/1"));
    }
    n_value = true;
    switch (value_type()) {
    case gguf_t::VALUE_TYPE_ARRAY: {
        n_value = false;
        m_value = std::unique_ptr<gguf_array_t>(new gguf_array_t(m__io, this, m__root));
        break;
    }
    case gguf_t::VALUE_TYPE_BOOL: {
        n_value = false;
        m_value = std::unique_ptr<value_u1_t>(new value_u1_t(m__io, this, m__root));
        break;
    }
    case gguf_t::VALUE_TYPE_FLOAT32: {
        n_value = false;
        m_value = std::unique_ptr<value_f4_t>(new value_f4_t(m__io, this, m__root));
        break;
    }
    case gguf_t::VALUE_TYPE_FLOAT64: {
        n_value = false;
        m_value = std::unique_ptr<value_f8_t>(new value_f8_t(m__io, this, m__root));
        break;
    }
    case gguf_t::VALUE_TYPE_INT16: {
        n_value = false;
        m_value = std::unique_ptr<value_s2_t>(new value_s2_t(m__io, this, m__root));
        break;
    }
    case gguf_t::VALUE_TYPE_INT32: {
        n_value = false;
        m_value = std::unique_ptr<value_s4_t>(new value_s4_t(m__io, this, m__root));
        break;
    }
    case gguf_t::VALUE_TYPE_INT64: {
        n_value = false;
        m_value = std::unique_ptr<value_s8_t>(new value_s8_t(m__io, this, m__root));
        break;
    }
    case gguf_t::VALUE_TYPE_INT8: {
        n_value = false;
        m_value = std::unique_ptr<value_s1_t>(new value_s1_t(m__io, this, m__root));
        break;
    }
    case gguf_t::VALUE_TYPE_STRING: {
        n_value = false;
        m_value = std::unique_ptr<gguf_string_t>(new gguf_string_t(m__io, this, m__root));
        break;
    }
    case gguf_t::VALUE_TYPE_UINT16: {
        n_value = false;
        m_value = std::unique_ptr<value_u2_t>(new value_u2_t(m__io, this, m__root));
        break;
    }
    case gguf_t::VALUE_TYPE_UINT32: {
        n_value = false;
        m_value = std::unique_ptr<value_u4_t>(new value_u4_t(m__io, this, m__root));
        break;
    }
    case gguf_t::VALUE_TYPE_UINT64: {
        n_value = false;
        m_value = std::unique_ptr<value_u8_t>(new value_u8_t(m__io, this, m__root));
        break;
    }
    case gguf_t::VALUE_TYPE_UINT8: {
        n_value = false;
        m_value = std::unique_ptr<value_u1_t>(new value_u1_t(m__io, this, m__root));
        break;
    }
    }
}

gguf_t::key_value_t::~key_value_t() {
    _clean_up();
}

void gguf_t::key_value_t::_clean_up() {
    if (!n_value) {
    }
}

int64_t gguf_t::key_value_t::alignment() {
    if (f_alignment)
        return m_alignment;
    f_alignment = true;
    m_alignment = ((is_alignment()) ? (static_cast<int64_t>(static_cast<gguf_t::value_u4_t*>(value())->value())) : (static_cast<int64_t>(32)));
    return m_alignment;
}

bool gguf_t::key_value_t::is_alignment() {
    if (f_is_alignment)
        return m_is_alignment;
    f_is_alignment = true;
    m_is_alignment =  ((value_type() == gguf_t::VALUE_TYPE_UINT32) && (key()->data() == std::string("\x67\x65\x6E\x65\x72\x61\x6C\x2E\x61\x6C\x69\x67\x6E\x6D\x65\x6E\x74", 17))) ;
    return m_is_alignment;
}

gguf_t::length_t::length_t(kaitai::kstream* p__io, kaitai::kstruct* p__parent, gguf_t* p__root) : kaitai::kstruct(p__io) {
    m__parent = p__parent;
    m__root = p__root;
    m__is_le = -1;
    f_as_int = false;
    f_value = false;
    _read();
}

void gguf_t::length_t::_read() {
    {
        bool on = _root()->is_be();
        if (on == true) {
            m__is_le = false;
        }
        else if (on == false) {
            m__is_le = true;
        }
    }

    if (m__is_le == -1) {
        throw kaitai::undecided_endianness_error("/types/length");
    } else if (m__is_le == 1) {
        _read_le();
    } else {
        _read_be();
    }
}

void gguf_t::length_t::_read_le() {
    n_value_u4 = true;
    if (_root()->version() == 1) {
        n_value_u4 = false;
        m_value_u4 = m__io->read_u4le();
        if (!(m_value_u4 <= 1073741824)) {
            throw kaitai::validation_greater_than_error<uint32_t>(1073741824, m_value_u4, m__io, std::string("/types/length/seq/0"));
        }
    }
    n_value_u8 = true;
    if (_root()->version() != 1) {
        n_value_u8 = false;
        m_value_u8 = m__io->read_u8le();
        if (!(m_value_u8 >= 0)) {
            throw kaitai::validation_less_than_error<uint64_t>(0, m_value_u8, m__io, std::string("/types/length/seq/1"));
        }
        if (!(m_value_u8 <= 1073741824)) {
            throw kaitai::validation_greater_than_error<uint64_t>(1073741824, m_value_u8, m__io, std::string("/types/length/seq/1"));
        }
    }
}

void gguf_t::length_t::_read_be() {
    n_value_u4 = true;
    if (_root()->version() == 1) {
        n_value_u4 = false;
        m_value_u4 = m__io->read_u4be();
        if (!(m_value_u4 <= 1073741824)) {
            throw kaitai::validation_greater_than_error<uint32_t>(1073741824, m_value_u4, m__io, std::string("/types/length/seq/0"));
        }
    }
    n_value_u8 = true;
    if (_root()->version() != 1) {
        n_value_u8 = false;
        m_value_u8 = m__io->read_u8be();
        if (!(m_value_u8 >= 0)) {
            throw kaitai::validation_less_than_error<uint64_t>(0, m_value_u8, m__io, std::string("/types/length/seq/1"));
        }
        if (!(m_value_u8 <= 1073741824)) {
            throw kaitai::validation_greater_than_error<uint64_t>(1073741824, m_value_u8, m__io, std::string("/types/length/seq/1"));
        }
    }
}

gguf_t::length_t::~length_t() {
    _clean_up();
}

void gguf_t::length_t::_clean_up() {
    if (!n_value_u4) {
    }
    if (!n_value_u8) {
    }
}

int32_t gguf_t::length_t::as_int() {
    if (f_as_int)
        return m_as_int;
    f_as_int = true;
    m_as_int = ((_root()->version() == 1) ? (static_cast<int32_t>(value_u4())) : (static_cast<int32_t>(value_u8())));
    return m_as_int;
}

uint64_t gguf_t::length_t::value() {
    if (f_value)
        return m_value;
    f_value = true;
    m_value = ((_root()->version() == 1) ? (static_cast<uint64_t>(value_u4())) : (static_cast<uint64_t>(value_u8())));
    return m_value;
}

gguf_t::string_elements_t::string_elements_t(kaitai::kstream* p__io, gguf_t::gguf_array_t* p__parent, gguf_t* p__root) : kaitai::kstruct(p__io) {
    m__parent = p__parent;
    m__root = p__root;
    m_items = nullptr;
    _read();
}

void gguf_t::string_elements_t::_read() {
    m_items = std::unique_ptr<std::vector<std::unique_ptr<gguf_string_t>>>(new std::vector<std::unique_ptr<gguf_string_t>>());
    const int l_items = _parent()->num_elements()->as_int();
    for (int i = 0; i < l_items; i++) {
        m_items->push_back(std::move(std::unique_ptr<gguf_string_t>(new gguf_string_t(m__io, this, m__root))));
    }
}

gguf_t::string_elements_t::~string_elements_t() {
    _clean_up();
}

void gguf_t::string_elements_t::_clean_up() {
}

gguf_t::tensor_info_t::tensor_info_t(kaitai::kstream* p__io, gguf_t::gguf_body_t* p__parent, gguf_t* p__root) : kaitai::kstruct(p__io) {
    m__parent = p__parent;
    m__root = p__root;
    m__is_le = -1;
    m_name = nullptr;
    m_dims = nullptr;
    f_ggml_type = false;
    _read();
}

void gguf_t::tensor_info_t::_read() {
    {
        bool on = _root()->is_be();
        if (on == true) {
            m__is_le = false;
        }
        else if (on == false) {
            m__is_le = true;
        }
    }

    if (m__is_le == -1) {
        throw kaitai::undecided_endianness_error("/types/tensor_info");
    } else if (m__is_le == 1) {
        _read_le();
    } else {
        _read_be();
    }
}

void gguf_t::tensor_info_t::_read_le() {
    m_name = std::unique_ptr<gguf_string_t>(new gguf_string_t(m__io, this, m__root));
    m_num_dims = m__io->read_u4le();
    if (!(m_num_dims <= 4)) {
        throw kaitai::validation_greater_than_error<uint32_t>(4, m_num_dims, m__io, std::string("/types/tensor_info/seq/1"));
    }
    m_dims = std::unique_ptr<std::vector<std::unique_ptr<dim_t>>>(new std::vector<std::unique_ptr<dim_t>>());
    const int l_dims = num_dims();
    for (int i = 0; i < l_dims; i++) {
        m_dims->push_back(std::move(std::unique_ptr<dim_t>(new dim_t(m__io, this, m__root))));
    }
    m_type_id = m__io->read_u4le();
    m_ofs_data = m__io->read_u8le();
}

void gguf_t::tensor_info_t::_read_be() {
    m_name = std::unique_ptr<gguf_string_t>(new gguf_string_t(m__io, this, m__root));
    m_num_dims = m__io->read_u4be();
    if (!(m_num_dims <= 4)) {
        throw kaitai::validation_greater_than_error<uint32_t>(4, m_num_dims, m__io, std::string("/types/tensor_info/seq/1"));
    }
    m_dims = std::unique_ptr<std::vector<std::unique_ptr<dim_t>>>(new std::vector<std::unique_ptr<dim_t>>());
    const int l_dims = num_dims();
    for (int i = 0; i < l_dims; i++) {
        m_dims->push_back(std::move(std::unique_ptr<dim_t>(new dim_t(m__io, this, m__root))));
    }
    m_type_id = m__io->read_u4be();
    m_ofs_data = m__io->read_u8be();
}

gguf_t::tensor_info_t::~tensor_info_t() {
    _clean_up();
}

void gguf_t::tensor_info_t::_clean_up() {
}

gguf_t::ggml_type_t gguf_t::tensor_info_t::ggml_type() {
    if (f_ggml_type)
        return m_ggml_type;
    f_ggml_type = true;
    m_ggml_type = static_cast<gguf_t::ggml_type_t>(type_id());
    return m_ggml_type;
}

gguf_t::value_f4_t::value_f4_t(kaitai::kstream* p__io, gguf_t::key_value_t* p__parent, gguf_t* p__root) : kaitai::kstruct(p__io) {
    m__parent = p__parent;
    m__root = p__root;
    m__is_le = -1;
    _read();
}

void gguf_t::value_f4_t::_read() {
    {
        bool on = _root()->is_be();
        if (on == true) {
            m__is_le = false;
        }
        else if (on == false) {
            m__is_le = true;
        }
    }

    if (m__is_le == -1) {
        throw kaitai::undecided_endianness_error("/types/value_f4");
    } else if (m__is_le == 1) {
        _read_le();
    } else {
        _read_be();
    }
}

void gguf_t::value_f4_t::_read_le() {
    m_value = m__io->read_f4le();
}

void gguf_t::value_f4_t::_read_be() {
    m_value = m__io->read_f4be();
}

gguf_t::value_f4_t::~value_f4_t() {
    _clean_up();
}

void gguf_t::value_f4_t::_clean_up() {
}

gguf_t::value_f8_t::value_f8_t(kaitai::kstream* p__io, gguf_t::key_value_t* p__parent, gguf_t* p__root) : kaitai::kstruct(p__io) {
    m__parent = p__parent;
    m__root = p__root;
    m__is_le = -1;
    _read();
}

void gguf_t::value_f8_t::_read() {
    {
        bool on = _root()->is_be();
        if (on == true) {
            m__is_le = false;
        }
        else if (on == false) {
            m__is_le = true;
        }
    }

    if (m__is_le == -1) {
        throw kaitai::undecided_endianness_error("/types/value_f8");
    } else if (m__is_le == 1) {
        _read_le();
    } else {
        _read_be();
    }
}

void gguf_t::value_f8_t::_read_le() {
    m_value = m__io->read_f8le();
}

void gguf_t::value_f8_t::_read_be() {
    m_value = m__io->read_f8be();
}

gguf_t::value_f8_t::~value_f8_t() {
    _clean_up();
}

void gguf_t::value_f8_t::_clean_up() {
}

gguf_t::value_s1_t::value_s1_t(kaitai::kstream* p__io, gguf_t::key_value_t* p__parent, gguf_t* p__root) : kaitai::kstruct(p__io) {
    m__parent = p__parent;
    m__root = p__root;
    _read();
}

void gguf_t::value_s1_t::_read() {
    m_value = m__io->read_s1();
}

gguf_t::value_s1_t::~value_s1_t() {
    _clean_up();
}

void gguf_t::value_s1_t::_clean_up() {
}

gguf_t::value_s2_t::value_s2_t(kaitai::kstream* p__io, gguf_t::key_value_t* p__parent, gguf_t* p__root) : kaitai::kstruct(p__io) {
    m__parent = p__parent;
    m__root = p__root;
    m__is_le = -1;
    _read();
}

void gguf_t::value_s2_t::_read() {
    {
        bool on = _root()->is_be();
        if (on == true) {
            m__is_le = false;
        }
        else if (on == false) {
            m__is_le = true;
        }
    }

    if (m__is_le == -1) {
        throw kaitai::undecided_endianness_error("/types/value_s2");
    } else if (m__is_le == 1) {
        _read_le();
    } else {
        _read_be();
    }
}

void gguf_t::value_s2_t::_read_le() {
    m_value = m__io->read_s2le();
}

void gguf_t::value_s2_t::_read_be() {
    m_value = m__io->read_s2be();
}

gguf_t::value_s2_t::~value_s2_t() {
    _clean_up();
}

void gguf_t::value_s2_t::_clean_up() {
}

gguf_t::value_s4_t::value_s4_t(kaitai::kstream* p__io, gguf_t::key_value_t* p__parent, gguf_t* p__root) : kaitai::kstruct(p__io) {
    m__parent = p__parent;
    m__root = p__root;
    m__is_le = -1;
    _read();
}

void gguf_t::value_s4_t::_read() {
    {
        bool on = _root()->is_be();
        if (on == true) {
            m__is_le = false;
        }
        else if (on == false) {
            m__is_le = true;
        }
    }

    if (m__is_le == -1) {
        throw kaitai::undecided_endianness_error("/types/value_s4");
    } else if (m__is_le == 1) {
        _read_le();
    } else {
        _read_be();
    }
}

void gguf_t::value_s4_t::_read_le() {
    m_value = m__io->read_s4le();
}

void gguf_t::value_s4_t::_read_be() {
    m_value = m__io->read_s4be();
}

gguf_t::value_s4_t::~value_s4_t() {
    _clean_up();
}

void gguf_t::value_s4_t::_clean_up() {
}

gguf_t::value_s8_t::value_s8_t(kaitai::kstream* p__io, gguf_t::key_value_t* p__parent, gguf_t* p__root) : kaitai::kstruct(p__io) {
    m__parent = p__parent;
    m__root = p__root;
    m__is_le = -1;
    _read();
}

void gguf_t::value_s8_t::_read() {
    {
        bool on = _root()->is_be();
        if (on == true) {
            m__is_le = false;
        }
        else if (on == false) {
            m__is_le = true;
        }
    }

    if (m__is_le == -1) {
        throw kaitai::undecided_endianness_error("/types/value_s8");
    } else if (m__is_le == 1) {
        _read_le();
    } else {
        _read_be();
    }
}

void gguf_t::value_s8_t::_read_le() {
    m_value = m__io->read_s8le();
}

void gguf_t::value_s8_t::_read_be() {
    m_value = m__io->read_s8be();
}

gguf_t::value_s8_t::~value_s8_t() {
    _clean_up();
}

void gguf_t::value_s8_t::_clean_up() {
}

gguf_t::value_u1_t::value_u1_t(kaitai::kstream* p__io, gguf_t::key_value_t* p__parent, gguf_t* p__root) : kaitai::kstruct(p__io) {
    m__parent = p__parent;
    m__root = p__root;
    _read();
}

void gguf_t::value_u1_t::_read() {
    m_value = m__io->read_u1();
}

gguf_t::value_u1_t::~value_u1_t() {
    _clean_up();
}

void gguf_t::value_u1_t::_clean_up() {
}

gguf_t::value_u2_t::value_u2_t(kaitai::kstream* p__io, gguf_t::key_value_t* p__parent, gguf_t* p__root) : kaitai::kstruct(p__io) {
    m__parent = p__parent;
    m__root = p__root;
    m__is_le = -1;
    _read();
}

void gguf_t::value_u2_t::_read() {
    {
        bool on = _root()->is_be();
        if (on == true) {
            m__is_le = false;
        }
        else if (on == false) {
            m__is_le = true;
        }
    }

    if (m__is_le == -1) {
        throw kaitai::undecided_endianness_error("/types/value_u2");
    } else if (m__is_le == 1) {
        _read_le();
    } else {
        _read_be();
    }
}

void gguf_t::value_u2_t::_read_le() {
    m_value = m__io->read_u2le();
}

void gguf_t::value_u2_t::_read_be() {
    m_value = m__io->read_u2be();
}

gguf_t::value_u2_t::~value_u2_t() {
    _clean_up();
}

void gguf_t::value_u2_t::_clean_up() {
}

gguf_t::value_u4_t::value_u4_t(kaitai::kstream* p__io, gguf_t::key_value_t* p__parent, gguf_t* p__root) : kaitai::kstruct(p__io) {
    m__parent = p__parent;
    m__root = p__root;
    m__is_le = -1;
    _read();
}

void gguf_t::value_u4_t::_read() {
    {
        bool on = _root()->is_be();
        if (on == true) {
            m__is_le = false;
        }
        else if (on == false) {
            m__is_le = true;
        }
    }

    if (m__is_le == -1) {
        throw kaitai::undecided_endianness_error("/types/value_u4");
    } else if (m__is_le == 1) {
        _read_le();
    } else {
        _read_be();
    }
}

void gguf_t::value_u4_t::_read_le() {
    m_value = m__io->read_u4le();
}

void gguf_t::value_u4_t::_read_be() {
    m_value = m__io->read_u4be();
}

gguf_t::value_u4_t::~value_u4_t() {
    _clean_up();
}

void gguf_t::value_u4_t::_clean_up() {
}

gguf_t::value_u8_t::value_u8_t(kaitai::kstream* p__io, gguf_t::key_value_t* p__parent, gguf_t* p__root) : kaitai::kstruct(p__io) {
    m__parent = p__parent;
    m__root = p__root;
    m__is_le = -1;
    _read();
}

void gguf_t::value_u8_t::_read() {
    {
        bool on = _root()->is_be();
        if (on == true) {
            m__is_le = false;
        }
        else if (on == false) {
            m__is_le = true;
        }
    }

    if (m__is_le == -1) {
        throw kaitai::undecided_endianness_error("/types/value_u8");
    } else if (m__is_le == 1) {
        _read_le();
    } else {
        _read_be();
    }
}

void gguf_t::value_u8_t::_read_le() {
    m_value = m__io->read_u8le();
}

void gguf_t::value_u8_t::_read_be() {
    m_value = m__io->read_u8be();
}

gguf_t::value_u8_t::~value_u8_t() {
    _clean_up();
}

void gguf_t::value_u8_t::_clean_up() {
}

bool gguf_t::is_be() {
    if (f_is_be)
        return m_is_be;
    f_is_be = true;
    m_is_be = (version_le() & 65535) == 0;
    return m_is_be;
}

int32_t gguf_t::version() {
    if (f_version)
        return m_version;
    f_version = true;
    m_version = ((is_be()) ? (version_be()) : (version_le()));
    return m_version;
}

uint32_t gguf_t::version_be() {
    if (f_version_be)
        return m_version_be;
    f_version_be = true;
    std::streampos _pos = m__io->pos();
    m__io->seek(4);
    m_version_be = m__io->read_u4be();
    m__io->seek(_pos);
    return m_version_be;
}

uint32_t gguf_t::version_le() {
    if (f_version_le)
        return m_version_le;
    f_version_le = true;
    std::streampos _pos = m__io->pos();
    m__io->seek(4);
    m_version_le = m__io->read_u4le();
    m__io->seek(_pos);
    return m_version_le;
}
