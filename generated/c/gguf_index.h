/* This is a generated file! Please edit schema/gguf.ksy and run `make generate`. */

#ifndef SKIP_INDEX_H
#define SKIP_INDEX_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The results of an index. To find out why data was refused, run the index of another language over it. */
enum { SKIP_REFUSED = 0, SKIP_DONE = 1, SKIP_NO_MEMORY = 2 };

/* A list of positions of items. */
typedef struct {
    uint64_t *data;
    size_t size;
} skip_list;

/* Allocates memory for `size` more items. The caller has checked that the remaining bytes have room for them. */
static inline int skip_reserve(skip_list *list, uint64_t size)
{
    uint64_t *grown;
    if (size >= SIZE_MAX / sizeof(uint64_t) - list->size) return 0;
    grown = (uint64_t *)realloc(list->data, (list->size + (size_t)size + 1) * sizeof(uint64_t));
    if (grown == NULL) return 0;
    list->data = grown;
    return 1;
}

/* Returns a number that was just read, and prevents the compiler from reading it again. The buffer may be a map of a
 * file that another process writes to, so the value that was checked must be the value that is used. Without this, a
 * compiler may load from the buffer twice: once for the check and once for the use. */
static inline uint64_t skip_once(uint64_t number)
{
#if defined(__GNUC__)
    __asm__ volatile("" : "+r"(number)); /* no instruction, but hides where the number comes from */
    return number;
#else
    volatile uint64_t kept = number;
    return kept;
#endif
}

static inline uint64_t skip_load2(const uint8_t *p, int be)
{
    return be ? (uint64_t)p[0] << 8 | p[1] : (uint64_t)p[1] << 8 | p[0];
}

static inline uint64_t skip_load4(const uint8_t *p, int be)
{
    return be ? skip_load2(p, be) << 16 | skip_load2(p + 2, be) : skip_load2(p + 2, be) << 16 | skip_load2(p, be);
}

static inline uint64_t skip_load8(const uint8_t *p, int be)
{
    return be ? skip_load4(p, be) << 32 | skip_load4(p + 4, be) : skip_load4(p + 4, be) << 32 | skip_load4(p, be);
}

typedef int (*skip_index)(const uint8_t *buf, uint64_t end, uint64_t pos, int be, const uint64_t *args,
                          skip_list *found, uint64_t *stop);
typedef int (*skip_row)(const uint8_t *buf, uint64_t end, uint64_t pos, int be, uint64_t *row);

/* The functions for a type in a layout: its index, and one that reads a row of a table. Either may be NULL. */
typedef struct {
    const char *layout, *type;
    int num_args, num_lists;
    skip_index index;
    int num_fields;
    const int *widths; /* of the fields, in numbers; a row has their sum */
    skip_row read;
} skip_entry;

#define SKIP_MAX_LENGTH 1073741824u

static int skip_gguf_array_layout1(const uint8_t *buf, uint64_t end, uint64_t *at, int be, int depth);
static int skip_gguf_array_layout2(const uint8_t *buf, uint64_t end, uint64_t *at, int be, int depth);

static int skip_gguf_array_layout1(const uint8_t *buf, uint64_t end, uint64_t *at, int be, int depth)
{
    uint64_t pos = *at;
    uint64_t element_type_, num_elements_, size_, i_, len_data_;
    if (depth > 128) return SKIP_REFUSED;
    if (end - pos < 8) return SKIP_REFUSED;
    element_type_ = skip_once(skip_load4(buf + pos, be));
    if (element_type_ > 12u) return SKIP_REFUSED;
    num_elements_ = skip_once(skip_load4(buf + pos + 4, be));
    if (num_elements_ > SKIP_MAX_LENGTH) return SKIP_REFUSED;
    pos += 8;
    switch (element_type_) {
        case 0:
        case 1:
        case 7:
            if (num_elements_ > end - pos) return SKIP_REFUSED;
            pos += num_elements_;
            break;
        case 2:
        case 3:
            size_ = num_elements_ * 2u;
            if (size_ > end - pos) return SKIP_REFUSED;
            pos += size_;
            break;
        case 4:
        case 5:
        case 6:
            size_ = num_elements_ * 4u;
            if (size_ > end - pos) return SKIP_REFUSED;
            pos += size_;
            break;
        case 8:
            if (num_elements_ > (end - pos) / 4) return SKIP_REFUSED;
            for (i_ = 0; i_ < num_elements_; i_++) {
                if (end - pos < 4) return SKIP_REFUSED;
                len_data_ = skip_once(skip_load4(buf + pos, be));
                if (len_data_ > SKIP_MAX_LENGTH) return SKIP_REFUSED;
                pos += 4;
                if (len_data_ > end - pos) return SKIP_REFUSED;
                pos += len_data_;
            }
            break;
        case 9:
            if (num_elements_ > (end - pos) / 8) return SKIP_REFUSED;
            for (i_ = 0; i_ < num_elements_; i_++) {
                if (skip_gguf_array_layout1(buf, end, &pos, be, depth + 1) != SKIP_DONE) return SKIP_REFUSED;
            }
            break;
        case 10:
        case 11:
        case 12:
            size_ = num_elements_ * 8u;
            if (size_ > end - pos) return SKIP_REFUSED;
            pos += size_;
            break;
        default:
            break;
    }
    *at = pos;
    return SKIP_DONE;
}

static int index_gguf_layout1(const uint8_t *buf, uint64_t end, uint64_t pos, int be, const uint64_t *args,
    skip_list *found, uint64_t *stop)
{
    uint64_t num_tensors_, num_metadata_, i_, len_data_, value_type_, num_dims_, size_;
    (void)args;
    if (pos > end) return SKIP_REFUSED;
    if (end - pos < 16) return SKIP_REFUSED;
    if (memcmp(buf + pos, "GGUF", 4) != 0) return SKIP_REFUSED;
    num_tensors_ = skip_once(skip_load4(buf + pos + 8, be));
    if (num_tensors_ > SKIP_MAX_LENGTH) return SKIP_REFUSED;
    num_metadata_ = skip_once(skip_load4(buf + pos + 12, be));
    if (num_metadata_ > SKIP_MAX_LENGTH) return SKIP_REFUSED;
    pos += 16;
    if (num_metadata_ > (end - pos) / 8) return SKIP_REFUSED;
    if (!skip_reserve(&found[0], num_metadata_)) return SKIP_NO_MEMORY;
    for (i_ = 0; i_ < num_metadata_; i_++) {
        found[0].data[found[0].size++] = pos;
        if (end - pos < 4) return SKIP_REFUSED;
        len_data_ = skip_once(skip_load4(buf + pos, be));
        if (len_data_ > SKIP_MAX_LENGTH) return SKIP_REFUSED;
        pos += 4;
        if (len_data_ > end - pos) return SKIP_REFUSED;
        pos += len_data_;
        if (end - pos < 4) return SKIP_REFUSED;
        value_type_ = skip_once(skip_load4(buf + pos, be));
        if (value_type_ > 12u) return SKIP_REFUSED;
        pos += 4;
        switch (value_type_) {
            case 0:
            case 1:
            case 7:
                if (end - pos < 1) return SKIP_REFUSED;
                pos += 1;
                break;
            case 2:
            case 3:
                if (end - pos < 2) return SKIP_REFUSED;
                pos += 2;
                break;
            case 4:
            case 5:
            case 6:
                if (end - pos < 4) return SKIP_REFUSED;
                pos += 4;
                break;
            case 8:
                if (end - pos < 4) return SKIP_REFUSED;
                len_data_ = skip_once(skip_load4(buf + pos, be));
                if (len_data_ > SKIP_MAX_LENGTH) return SKIP_REFUSED;
                pos += 4;
                if (len_data_ > end - pos) return SKIP_REFUSED;
                pos += len_data_;
                break;
            case 9:
                if (skip_gguf_array_layout1(buf, end, &pos, be, 1) != SKIP_DONE) return SKIP_REFUSED;
                break;
            case 10:
            case 11:
            case 12:
                if (end - pos < 8) return SKIP_REFUSED;
                pos += 8;
                break;
            default:
                break;
        }
    }
    if (num_tensors_ > (end - pos) / 20) return SKIP_REFUSED;
    if (!skip_reserve(&found[1], num_tensors_)) return SKIP_NO_MEMORY;
    for (i_ = 0; i_ < num_tensors_; i_++) {
        found[1].data[found[1].size++] = pos;
        if (end - pos < 4) return SKIP_REFUSED;
        len_data_ = skip_once(skip_load4(buf + pos, be));
        if (len_data_ > SKIP_MAX_LENGTH) return SKIP_REFUSED;
        pos += 4;
        if (len_data_ > end - pos) return SKIP_REFUSED;
        pos += len_data_;
        if (end - pos < 4) return SKIP_REFUSED;
        num_dims_ = skip_once(skip_load4(buf + pos, be));
        if (num_dims_ > 4u) return SKIP_REFUSED;
        pos += 4;
        size_ = num_dims_ * 4u;
        if (size_ > end - pos) return SKIP_REFUSED;
        pos += size_;
        if (end - pos < 12) return SKIP_REFUSED;
        pos += 12;
    }
    *stop = pos;
    return SKIP_DONE;
}

static int index_string_elements_layout1(const uint8_t *buf, uint64_t end, uint64_t pos, int be, const uint64_t *args,
    skip_list *found, uint64_t *stop)
{
    uint64_t num_elements_ = args[0];
    uint64_t i_, len_data_;
    if (pos > end) return SKIP_REFUSED;
    if (num_elements_ > (end - pos) / 4) return SKIP_REFUSED;
    if (!skip_reserve(&found[0], num_elements_)) return SKIP_NO_MEMORY;
    for (i_ = 0; i_ < num_elements_; i_++) {
        found[0].data[found[0].size++] = pos;
        if (end - pos < 4) return SKIP_REFUSED;
        len_data_ = skip_once(skip_load4(buf + pos, be));
        if (len_data_ > SKIP_MAX_LENGTH) return SKIP_REFUSED;
        pos += 4;
        if (len_data_ > end - pos) return SKIP_REFUSED;
        pos += len_data_;
    }
    *stop = pos;
    return SKIP_DONE;
}

static int index_array_elements_layout1(const uint8_t *buf, uint64_t end, uint64_t pos, int be, const uint64_t *args,
    skip_list *found, uint64_t *stop)
{
    uint64_t num_elements_ = args[0];
    uint64_t i_;
    if (pos > end) return SKIP_REFUSED;
    if (num_elements_ > (end - pos) / 8) return SKIP_REFUSED;
    if (!skip_reserve(&found[0], num_elements_)) return SKIP_NO_MEMORY;
    for (i_ = 0; i_ < num_elements_; i_++) {
        found[0].data[found[0].size++] = pos;
        if (skip_gguf_array_layout1(buf, end, &pos, be, 1) != SKIP_DONE) return SKIP_REFUSED;
    }
    *stop = pos;
    return SKIP_DONE;
}

static const int row_key_value_layout1_widths[] = {1, 1, 1, 1};

static int row_key_value_layout1(const uint8_t *buf, uint64_t end, uint64_t pos, int be, uint64_t *row)
{
    uint64_t len_data_, value_type_;
    if (pos > end) return SKIP_REFUSED;
    if (end - pos < 4) return SKIP_REFUSED;
    len_data_ = skip_once(skip_load4(buf + pos, be));
    if (len_data_ > SKIP_MAX_LENGTH) return SKIP_REFUSED;
    pos += 4;
    row[0] = pos;
    if (len_data_ > end - pos) return SKIP_REFUSED;
    pos += len_data_;
    row[1] = pos;
    if (end - pos < 4) return SKIP_REFUSED;
    value_type_ = skip_once(skip_load4(buf + pos, be));
    if (value_type_ > 12u) return SKIP_REFUSED;
    row[2] = value_type_;
    pos += 4;
    row[3] = pos;
    return SKIP_DONE;
}

static const int row_tensor_info_layout1_widths[] = {1, 1, 1, 4, 1, 1};

static int row_tensor_info_layout1(const uint8_t *buf, uint64_t end, uint64_t pos, int be, uint64_t *row)
{
    uint64_t len_data_, num_dims_, size_, i_, type_id_, ofs_data_;
    if (pos > end) return SKIP_REFUSED;
    if (end - pos < 4) return SKIP_REFUSED;
    len_data_ = skip_once(skip_load4(buf + pos, be));
    if (len_data_ > SKIP_MAX_LENGTH) return SKIP_REFUSED;
    pos += 4;
    row[0] = pos;
    if (len_data_ > end - pos) return SKIP_REFUSED;
    pos += len_data_;
    row[1] = pos;
    if (end - pos < 4) return SKIP_REFUSED;
    num_dims_ = skip_once(skip_load4(buf + pos, be));
    if (num_dims_ > 4u) return SKIP_REFUSED;
    row[2] = num_dims_;
    pos += 4;
    size_ = num_dims_ * 4u;
    if (size_ > end - pos) return SKIP_REFUSED;
    for (i_ = 0; i_ < 4; i_++) {
        row[3 + i_] = i_ < num_dims_ ? skip_once(skip_load4(buf + pos + i_ * 4, be)) : 0;
    }
    pos += size_;
    if (end - pos < 12) return SKIP_REFUSED;
    type_id_ = skip_once(skip_load4(buf + pos, be));
    row[7] = type_id_;
    ofs_data_ = skip_once(skip_load8(buf + pos + 4, be));
    row[8] = ofs_data_;
    return SKIP_DONE;
}

static const int row_gguf_array_layout1_widths[] = {1, 1, 1};

static int row_gguf_array_layout1(const uint8_t *buf, uint64_t end, uint64_t pos, int be, uint64_t *row)
{
    uint64_t element_type_, num_elements_;
    if (pos > end) return SKIP_REFUSED;
    if (end - pos < 8) return SKIP_REFUSED;
    element_type_ = skip_once(skip_load4(buf + pos, be));
    if (element_type_ > 12u) return SKIP_REFUSED;
    row[0] = element_type_;
    num_elements_ = skip_once(skip_load4(buf + pos + 4, be));
    if (num_elements_ > SKIP_MAX_LENGTH) return SKIP_REFUSED;
    row[1] = num_elements_;
    pos += 8;
    row[2] = pos;
    return SKIP_DONE;
}

static const int row_gguf_string_layout1_widths[] = {1, 1};

static int row_gguf_string_layout1(const uint8_t *buf, uint64_t end, uint64_t pos, int be, uint64_t *row)
{
    uint64_t len_data_;
    if (pos > end) return SKIP_REFUSED;
    if (end - pos < 4) return SKIP_REFUSED;
    len_data_ = skip_once(skip_load4(buf + pos, be));
    if (len_data_ > SKIP_MAX_LENGTH) return SKIP_REFUSED;
    pos += 4;
    row[0] = pos;
    if (len_data_ > end - pos) return SKIP_REFUSED;
    pos += len_data_;
    row[1] = pos;
    return SKIP_DONE;
}

static int skip_gguf_array_layout2(const uint8_t *buf, uint64_t end, uint64_t *at, int be, int depth)
{
    uint64_t pos = *at;
    uint64_t element_type_, num_elements_, size_, i_, len_data_;
    if (depth > 128) return SKIP_REFUSED;
    if (end - pos < 12) return SKIP_REFUSED;
    element_type_ = skip_once(skip_load4(buf + pos, be));
    if (element_type_ > 12u) return SKIP_REFUSED;
    num_elements_ = skip_once(skip_load8(buf + pos + 4, be));
    if (num_elements_ > SKIP_MAX_LENGTH) return SKIP_REFUSED;
    pos += 12;
    switch (element_type_) {
        case 0:
        case 1:
        case 7:
            if (num_elements_ > end - pos) return SKIP_REFUSED;
            pos += num_elements_;
            break;
        case 2:
        case 3:
            size_ = num_elements_ * 2u;
            if (size_ > end - pos) return SKIP_REFUSED;
            pos += size_;
            break;
        case 4:
        case 5:
        case 6:
            size_ = num_elements_ * 4u;
            if (size_ > end - pos) return SKIP_REFUSED;
            pos += size_;
            break;
        case 8:
            if (num_elements_ > (end - pos) / 8) return SKIP_REFUSED;
            for (i_ = 0; i_ < num_elements_; i_++) {
                if (end - pos < 8) return SKIP_REFUSED;
                len_data_ = skip_once(skip_load8(buf + pos, be));
                if (len_data_ > SKIP_MAX_LENGTH) return SKIP_REFUSED;
                pos += 8;
                if (len_data_ > end - pos) return SKIP_REFUSED;
                pos += len_data_;
            }
            break;
        case 9:
            if (num_elements_ > (end - pos) / 12) return SKIP_REFUSED;
            for (i_ = 0; i_ < num_elements_; i_++) {
                if (skip_gguf_array_layout2(buf, end, &pos, be, depth + 1) != SKIP_DONE) return SKIP_REFUSED;
            }
            break;
        case 10:
        case 11:
        case 12:
            size_ = num_elements_ * 8u;
            if (size_ > end - pos) return SKIP_REFUSED;
            pos += size_;
            break;
        default:
            break;
    }
    *at = pos;
    return SKIP_DONE;
}

static int index_gguf_layout2(const uint8_t *buf, uint64_t end, uint64_t pos, int be, const uint64_t *args,
    skip_list *found, uint64_t *stop)
{
    uint64_t num_tensors_, num_metadata_, i_, len_data_, value_type_, num_dims_, size_;
    (void)args;
    if (pos > end) return SKIP_REFUSED;
    if (end - pos < 24) return SKIP_REFUSED;
    if (memcmp(buf + pos, "GGUF", 4) != 0) return SKIP_REFUSED;
    num_tensors_ = skip_once(skip_load8(buf + pos + 8, be));
    if (num_tensors_ > SKIP_MAX_LENGTH) return SKIP_REFUSED;
    num_metadata_ = skip_once(skip_load8(buf + pos + 16, be));
    if (num_metadata_ > SKIP_MAX_LENGTH) return SKIP_REFUSED;
    pos += 24;
    if (num_metadata_ > (end - pos) / 12) return SKIP_REFUSED;
    if (!skip_reserve(&found[0], num_metadata_)) return SKIP_NO_MEMORY;
    for (i_ = 0; i_ < num_metadata_; i_++) {
        found[0].data[found[0].size++] = pos;
        if (end - pos < 8) return SKIP_REFUSED;
        len_data_ = skip_once(skip_load8(buf + pos, be));
        if (len_data_ > SKIP_MAX_LENGTH) return SKIP_REFUSED;
        pos += 8;
        if (len_data_ > end - pos) return SKIP_REFUSED;
        pos += len_data_;
        if (end - pos < 4) return SKIP_REFUSED;
        value_type_ = skip_once(skip_load4(buf + pos, be));
        if (value_type_ > 12u) return SKIP_REFUSED;
        pos += 4;
        switch (value_type_) {
            case 0:
            case 1:
            case 7:
                if (end - pos < 1) return SKIP_REFUSED;
                pos += 1;
                break;
            case 2:
            case 3:
                if (end - pos < 2) return SKIP_REFUSED;
                pos += 2;
                break;
            case 4:
            case 5:
            case 6:
                if (end - pos < 4) return SKIP_REFUSED;
                pos += 4;
                break;
            case 8:
                if (end - pos < 8) return SKIP_REFUSED;
                len_data_ = skip_once(skip_load8(buf + pos, be));
                if (len_data_ > SKIP_MAX_LENGTH) return SKIP_REFUSED;
                pos += 8;
                if (len_data_ > end - pos) return SKIP_REFUSED;
                pos += len_data_;
                break;
            case 9:
                if (skip_gguf_array_layout2(buf, end, &pos, be, 1) != SKIP_DONE) return SKIP_REFUSED;
                break;
            case 10:
            case 11:
            case 12:
                if (end - pos < 8) return SKIP_REFUSED;
                pos += 8;
                break;
            default:
                break;
        }
    }
    if (num_tensors_ > (end - pos) / 24) return SKIP_REFUSED;
    if (!skip_reserve(&found[1], num_tensors_)) return SKIP_NO_MEMORY;
    for (i_ = 0; i_ < num_tensors_; i_++) {
        found[1].data[found[1].size++] = pos;
        if (end - pos < 8) return SKIP_REFUSED;
        len_data_ = skip_once(skip_load8(buf + pos, be));
        if (len_data_ > SKIP_MAX_LENGTH) return SKIP_REFUSED;
        pos += 8;
        if (len_data_ > end - pos) return SKIP_REFUSED;
        pos += len_data_;
        if (end - pos < 4) return SKIP_REFUSED;
        num_dims_ = skip_once(skip_load4(buf + pos, be));
        if (num_dims_ > 4u) return SKIP_REFUSED;
        pos += 4;
        size_ = num_dims_ * 8u;
        if (size_ > end - pos) return SKIP_REFUSED;
        pos += size_;
        if (end - pos < 12) return SKIP_REFUSED;
        pos += 12;
    }
    *stop = pos;
    return SKIP_DONE;
}

static int index_string_elements_layout2(const uint8_t *buf, uint64_t end, uint64_t pos, int be, const uint64_t *args,
    skip_list *found, uint64_t *stop)
{
    uint64_t num_elements_ = args[0];
    uint64_t i_, len_data_;
    if (pos > end) return SKIP_REFUSED;
    if (num_elements_ > (end - pos) / 8) return SKIP_REFUSED;
    if (!skip_reserve(&found[0], num_elements_)) return SKIP_NO_MEMORY;
    for (i_ = 0; i_ < num_elements_; i_++) {
        found[0].data[found[0].size++] = pos;
        if (end - pos < 8) return SKIP_REFUSED;
        len_data_ = skip_once(skip_load8(buf + pos, be));
        if (len_data_ > SKIP_MAX_LENGTH) return SKIP_REFUSED;
        pos += 8;
        if (len_data_ > end - pos) return SKIP_REFUSED;
        pos += len_data_;
    }
    *stop = pos;
    return SKIP_DONE;
}

static int index_array_elements_layout2(const uint8_t *buf, uint64_t end, uint64_t pos, int be, const uint64_t *args,
    skip_list *found, uint64_t *stop)
{
    uint64_t num_elements_ = args[0];
    uint64_t i_;
    if (pos > end) return SKIP_REFUSED;
    if (num_elements_ > (end - pos) / 12) return SKIP_REFUSED;
    if (!skip_reserve(&found[0], num_elements_)) return SKIP_NO_MEMORY;
    for (i_ = 0; i_ < num_elements_; i_++) {
        found[0].data[found[0].size++] = pos;
        if (skip_gguf_array_layout2(buf, end, &pos, be, 1) != SKIP_DONE) return SKIP_REFUSED;
    }
    *stop = pos;
    return SKIP_DONE;
}

static const int row_key_value_layout2_widths[] = {1, 1, 1, 1};

static int row_key_value_layout2(const uint8_t *buf, uint64_t end, uint64_t pos, int be, uint64_t *row)
{
    uint64_t len_data_, value_type_;
    if (pos > end) return SKIP_REFUSED;
    if (end - pos < 8) return SKIP_REFUSED;
    len_data_ = skip_once(skip_load8(buf + pos, be));
    if (len_data_ > SKIP_MAX_LENGTH) return SKIP_REFUSED;
    pos += 8;
    row[0] = pos;
    if (len_data_ > end - pos) return SKIP_REFUSED;
    pos += len_data_;
    row[1] = pos;
    if (end - pos < 4) return SKIP_REFUSED;
    value_type_ = skip_once(skip_load4(buf + pos, be));
    if (value_type_ > 12u) return SKIP_REFUSED;
    row[2] = value_type_;
    pos += 4;
    row[3] = pos;
    return SKIP_DONE;
}

static const int row_tensor_info_layout2_widths[] = {1, 1, 1, 4, 1, 1};

static int row_tensor_info_layout2(const uint8_t *buf, uint64_t end, uint64_t pos, int be, uint64_t *row)
{
    uint64_t len_data_, num_dims_, size_, i_, type_id_, ofs_data_;
    if (pos > end) return SKIP_REFUSED;
    if (end - pos < 8) return SKIP_REFUSED;
    len_data_ = skip_once(skip_load8(buf + pos, be));
    if (len_data_ > SKIP_MAX_LENGTH) return SKIP_REFUSED;
    pos += 8;
    row[0] = pos;
    if (len_data_ > end - pos) return SKIP_REFUSED;
    pos += len_data_;
    row[1] = pos;
    if (end - pos < 4) return SKIP_REFUSED;
    num_dims_ = skip_once(skip_load4(buf + pos, be));
    if (num_dims_ > 4u) return SKIP_REFUSED;
    row[2] = num_dims_;
    pos += 4;
    size_ = num_dims_ * 8u;
    if (size_ > end - pos) return SKIP_REFUSED;
    for (i_ = 0; i_ < 4; i_++) {
        row[3 + i_] = i_ < num_dims_ ? skip_once(skip_load8(buf + pos + i_ * 8, be)) : 0;
    }
    pos += size_;
    if (end - pos < 12) return SKIP_REFUSED;
    type_id_ = skip_once(skip_load4(buf + pos, be));
    row[7] = type_id_;
    ofs_data_ = skip_once(skip_load8(buf + pos + 4, be));
    row[8] = ofs_data_;
    return SKIP_DONE;
}

static const int row_gguf_array_layout2_widths[] = {1, 1, 1};

static int row_gguf_array_layout2(const uint8_t *buf, uint64_t end, uint64_t pos, int be, uint64_t *row)
{
    uint64_t element_type_, num_elements_;
    if (pos > end) return SKIP_REFUSED;
    if (end - pos < 12) return SKIP_REFUSED;
    element_type_ = skip_once(skip_load4(buf + pos, be));
    if (element_type_ > 12u) return SKIP_REFUSED;
    row[0] = element_type_;
    num_elements_ = skip_once(skip_load8(buf + pos + 4, be));
    if (num_elements_ > SKIP_MAX_LENGTH) return SKIP_REFUSED;
    row[1] = num_elements_;
    pos += 12;
    row[2] = pos;
    return SKIP_DONE;
}

static const int row_gguf_string_layout2_widths[] = {1, 1};

static int row_gguf_string_layout2(const uint8_t *buf, uint64_t end, uint64_t pos, int be, uint64_t *row)
{
    uint64_t len_data_;
    if (pos > end) return SKIP_REFUSED;
    if (end - pos < 8) return SKIP_REFUSED;
    len_data_ = skip_once(skip_load8(buf + pos, be));
    if (len_data_ > SKIP_MAX_LENGTH) return SKIP_REFUSED;
    pos += 8;
    row[0] = pos;
    if (len_data_ > end - pos) return SKIP_REFUSED;
    pos += len_data_;
    row[1] = pos;
    return SKIP_DONE;
}

static const skip_entry skip_entries[] = {
    {"Layout1", "gguf", 0, 2, index_gguf_layout1, 0, NULL, NULL},
    {"Layout1", "string_elements", 1, 1, index_string_elements_layout1, 0, NULL, NULL},
    {"Layout1", "array_elements", 1, 1, index_array_elements_layout1, 0, NULL, NULL},
    {"Layout1", "key_value", 0, 0, NULL, 4, row_key_value_layout1_widths, row_key_value_layout1},
    {"Layout1", "tensor_info", 0, 0, NULL, 6, row_tensor_info_layout1_widths, row_tensor_info_layout1},
    {"Layout1", "gguf_array", 0, 0, NULL, 3, row_gguf_array_layout1_widths, row_gguf_array_layout1},
    {"Layout1", "gguf_string", 0, 0, NULL, 2, row_gguf_string_layout1_widths, row_gguf_string_layout1},
    {"Layout2", "gguf", 0, 2, index_gguf_layout2, 0, NULL, NULL},
    {"Layout2", "string_elements", 1, 1, index_string_elements_layout2, 0, NULL, NULL},
    {"Layout2", "array_elements", 1, 1, index_array_elements_layout2, 0, NULL, NULL},
    {"Layout2", "key_value", 0, 0, NULL, 4, row_key_value_layout2_widths, row_key_value_layout2},
    {"Layout2", "tensor_info", 0, 0, NULL, 6, row_tensor_info_layout2_widths, row_tensor_info_layout2},
    {"Layout2", "gguf_array", 0, 0, NULL, 3, row_gguf_array_layout2_widths, row_gguf_array_layout2},
    {"Layout2", "gguf_string", 0, 0, NULL, 2, row_gguf_string_layout2_widths, row_gguf_string_layout2},
    {0},
};

#endif
