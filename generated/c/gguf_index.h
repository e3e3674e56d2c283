/* This is a generated file! Please edit schema/gguf.ksy and run `make generate`. */

#ifndef SKIP_INDEX_H
#define SKIP_INDEX_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* What an index ends with. Data that is refused has to be indexed again by someone who can say why. */
enum { SKIP_REFUSED = 0, SKIP_DONE = 1, SKIP_NO_MEMORY = 2 };

/* The positions of the items that were found. */
typedef struct {
    uint64_t *data;
    size_t size;
} skip_list;

/* Gets memory for `size` more items. The caller has checked the count against the bytes that are left. */
static inline int skip_reserve(skip_list *list, uint64_t size)
{
    uint64_t *grown;
    if (size >= SIZE_MAX / sizeof(uint64_t) - list->size) return 0;
    grown = (uint64_t *)realloc(list->data, (list->size + (size_t)size + 1) * sizeof(uint64_t));
    if (grown == NULL) return 0;
    list->data = grown;
    return 1;
}

/* Returns a number that was just read, and keeps the compiler from reading it again. The buffer may be a map of a file
 * that another process is writing to: the value that was checked must be the value that is used. Without this a
 * compiler may load from the buffer twice, once for the check and once for the use. */
static inline uint64_t skip_once(uint64_t number)
{
#if defined(__GNUC__)
    __asm__ volatile("" : "+r"(number)); /* costs nothing; gcc and clang no longer know where the number is from */
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

/* What there is of a type in a layout: an index, or NULL, and a function that reads a row of a table, or NULL. */
typedef struct {
    const char *layout, *type;
    int num_args, num_lists;
    skip_index index;
    int num_fields;
    const int *widths; /* of the fields, in numbers; a row has the sum of them */
    skip_row read;
} skip_entry;

#define SKIP_MAX_LENGTH 1073741824u

static int skip_gguf_array_layout1(const uint8_t *buf, uint64_t end, uint64_t *at, int be, int depth);
static int skip_gguf_array_layout2(const uint8_t *buf, uint64_t end, uint64_t *at, int be, int depth);

static int skip_gguf_array_layout1(const uint8_t *buf, uint64_t end, uint64_t *at, int be, int depth)
{
    uint64_t pos = *at;
    uint64_t element_type, num_elements, size, i, len_data;
    if (depth > 128) return SKIP_REFUSED;
    if (end - pos < 8) return SKIP_REFUSED;
    element_type = skip_once(skip_load4(buf + pos, be));
    if (element_type > 12u) return SKIP_REFUSED;
    num_elements = skip_once(skip_load4(buf + pos + 4, be));
    if (num_elements > SKIP_MAX_LENGTH) return SKIP_REFUSED;
    pos += 8;
    switch (element_type) {
        case 0:
        case 1:
        case 7:
            if (num_elements > end - pos) return SKIP_REFUSED;
            pos += num_elements;
            break;
        case 2:
        case 3:
            size = num_elements * 2u;
            if (size > end - pos) return SKIP_REFUSED;
            pos += size;
            break;
        case 4:
        case 5:
        case 6:
            size = num_elements * 4u;
            if (size > end - pos) return SKIP_REFUSED;
            pos += size;
            break;
        case 8:
            if (num_elements > (end - pos) / 4) return SKIP_REFUSED;
            for (i = 0; i < num_elements; i++) {
                if (end - pos < 4) return SKIP_REFUSED;
                len_data = skip_once(skip_load4(buf + pos, be));
                if (len_data > SKIP_MAX_LENGTH) return SKIP_REFUSED;
                pos += 4;
                if (len_data > end - pos) return SKIP_REFUSED;
                pos += len_data;
            }
            break;
        case 9:
            if (num_elements > (end - pos) / 8) return SKIP_REFUSED;
            for (i = 0; i < num_elements; i++) {
                if (skip_gguf_array_layout1(buf, end, &pos, be, depth + 1) != SKIP_DONE) return SKIP_REFUSED;
            }
            break;
        case 10:
        case 11:
        case 12:
            size = num_elements * 8u;
            if (size > end - pos) return SKIP_REFUSED;
            pos += size;
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
    uint64_t num_tensors, num_metadata, i, len_data, value_type, num_dims, size;
    (void)args;
    if (pos > end) return SKIP_REFUSED;
    if (end - pos < 16) return SKIP_REFUSED;
    if (memcmp(buf + pos, "GGUF", 4) != 0) return SKIP_REFUSED;
    num_tensors = skip_once(skip_load4(buf + pos + 8, be));
    if (num_tensors > SKIP_MAX_LENGTH) return SKIP_REFUSED;
    num_metadata = skip_once(skip_load4(buf + pos + 12, be));
    if (num_metadata > SKIP_MAX_LENGTH) return SKIP_REFUSED;
    pos += 16;
    if (num_metadata > (end - pos) / 8) return SKIP_REFUSED;
    if (!skip_reserve(&found[0], num_metadata)) return SKIP_NO_MEMORY;
    for (i = 0; i < num_metadata; i++) {
        found[0].data[found[0].size++] = pos;
        if (end - pos < 4) return SKIP_REFUSED;
        len_data = skip_once(skip_load4(buf + pos, be));
        if (len_data > SKIP_MAX_LENGTH) return SKIP_REFUSED;
        pos += 4;
        if (len_data > end - pos) return SKIP_REFUSED;
        pos += len_data;
        if (end - pos < 4) return SKIP_REFUSED;
        value_type = skip_once(skip_load4(buf + pos, be));
        if (value_type > 12u) return SKIP_REFUSED;
        pos += 4;
        switch (value_type) {
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
                len_data = skip_once(skip_load4(buf + pos, be));
                if (len_data > SKIP_MAX_LENGTH) return SKIP_REFUSED;
                pos += 4;
                if (len_data > end - pos) return SKIP_REFUSED;
                pos += len_data;
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
    if (num_tensors > (end - pos) / 20) return SKIP_REFUSED;
    if (!skip_reserve(&found[1], num_tensors)) return SKIP_NO_MEMORY;
    for (i = 0; i < num_tensors; i++) {
        found[1].data[found[1].size++] = pos;
        if (end - pos < 4) return SKIP_REFUSED;
        len_data = skip_once(skip_load4(buf + pos, be));
        if (len_data > SKIP_MAX_LENGTH) return SKIP_REFUSED;
        pos += 4;
        if (len_data > end - pos) return SKIP_REFUSED;
        pos += len_data;
        if (end - pos < 4) return SKIP_REFUSED;
        num_dims = skip_once(skip_load4(buf + pos, be));
        if (num_dims > 4u) return SKIP_REFUSED;
        pos += 4;
        size = num_dims * 4u;
        if (size > end - pos) return SKIP_REFUSED;
        pos += size;
        if (end - pos < 12) return SKIP_REFUSED;
        pos += 12;
    }
    *stop = pos;
    return SKIP_DONE;
}

static int index_string_elements_layout1(const uint8_t *buf, uint64_t end, uint64_t pos, int be, const uint64_t *args,
    skip_list *found, uint64_t *stop)
{
    uint64_t num_elements = args[0];
    uint64_t i, len_data;
    if (pos > end) return SKIP_REFUSED;
    if (num_elements > (end - pos) / 4) return SKIP_REFUSED;
    if (!skip_reserve(&found[0], num_elements)) return SKIP_NO_MEMORY;
    for (i = 0; i < num_elements; i++) {
        found[0].data[found[0].size++] = pos;
        if (end - pos < 4) return SKIP_REFUSED;
        len_data = skip_once(skip_load4(buf + pos, be));
        if (len_data > SKIP_MAX_LENGTH) return SKIP_REFUSED;
        pos += 4;
        if (len_data > end - pos) return SKIP_REFUSED;
        pos += len_data;
    }
    *stop = pos;
    return SKIP_DONE;
}

static int index_array_elements_layout1(const uint8_t *buf, uint64_t end, uint64_t pos, int be, const uint64_t *args,
    skip_list *found, uint64_t *stop)
{
    uint64_t num_elements = args[0];
    uint64_t i;
    if (pos > end) return SKIP_REFUSED;
    if (num_elements > (end - pos) / 8) return SKIP_REFUSED;
    if (!skip_reserve(&found[0], num_elements)) return SKIP_NO_MEMORY;
    for (i = 0; i < num_elements; i++) {
        found[0].data[found[0].size++] = pos;
        if (skip_gguf_array_layout1(buf, end, &pos, be, 1) != SKIP_DONE) return SKIP_REFUSED;
    }
    *stop = pos;
    return SKIP_DONE;
}

static const int row_key_value_layout1_widths[] = {1, 1, 1, 1};

static int row_key_value_layout1(const uint8_t *buf, uint64_t end, uint64_t pos, int be, uint64_t *row)
{
    uint64_t len_data, value_type;
    if (pos > end) return SKIP_REFUSED;
    if (end - pos < 4) return SKIP_REFUSED;
    len_data = skip_once(skip_load4(buf + pos, be));
    if (len_data > SKIP_MAX_LENGTH) return SKIP_REFUSED;
    pos += 4;
    row[0] = pos;
    if (len_data > end - pos) return SKIP_REFUSED;
    pos += len_data;
    row[1] = pos;
    if (end - pos < 4) return SKIP_REFUSED;
    value_type = skip_once(skip_load4(buf + pos, be));
    if (value_type > 12u) return SKIP_REFUSED;
    row[2] = value_type;
    pos += 4;
    row[3] = pos;
    return SKIP_DONE;
}

static const int row_tensor_info_layout1_widths[] = {1, 1, 1, 4, 1, 1};

static int row_tensor_info_layout1(const uint8_t *buf, uint64_t end, uint64_t pos, int be, uint64_t *row)
{
    uint64_t len_data, num_dims, size, i, type_id, ofs_data;
    if (pos > end) return SKIP_REFUSED;
    if (end - pos < 4) return SKIP_REFUSED;
    len_data = skip_once(skip_load4(buf + pos, be));
    if (len_data > SKIP_MAX_LENGTH) return SKIP_REFUSED;
    pos += 4;
    row[0] = pos;
    if (len_data > end - pos) return SKIP_REFUSED;
    pos += len_data;
    row[1] = pos;
    if (end - pos < 4) return SKIP_REFUSED;
    num_dims = skip_once(skip_load4(buf + pos, be));
    if (num_dims > 4u) return SKIP_REFUSED;
    row[2] = num_dims;
    pos += 4;
    size = num_dims * 4u;
    if (size > end - pos) return SKIP_REFUSED;
    for (i = 0; i < 4; i++) {
        row[3 + i] = i < num_dims ? skip_once(skip_load4(buf + pos + i * 4, be)) : 0;
    }
    pos += size;
    if (end - pos < 12) return SKIP_REFUSED;
    type_id = skip_once(skip_load4(buf + pos, be));
    row[7] = type_id;
    ofs_data = skip_once(skip_load8(buf + pos + 4, be));
    row[8] = ofs_data;
    return SKIP_DONE;
}

static const int row_gguf_array_layout1_widths[] = {1, 1, 1};

static int row_gguf_array_layout1(const uint8_t *buf, uint64_t end, uint64_t pos, int be, uint64_t *row)
{
    uint64_t element_type, num_elements;
    if (pos > end) return SKIP_REFUSED;
    if (end - pos < 8) return SKIP_REFUSED;
    element_type = skip_once(skip_load4(buf + pos, be));
    if (element_type > 12u) return SKIP_REFUSED;
    row[0] = element_type;
    num_elements = skip_once(skip_load4(buf + pos + 4, be));
    if (num_elements > SKIP_MAX_LENGTH) return SKIP_REFUSED;
    row[1] = num_elements;
    pos += 8;
    row[2] = pos;
    return SKIP_DONE;
}

static const int row_gguf_string_layout1_widths[] = {1, 1};

static int row_gguf_string_layout1(const uint8_t *buf, uint64_t end, uint64_t pos, int be, uint64_t *row)
{
    uint64_t len_data;
    if (pos > end) return SKIP_REFUSED;
    if (end - pos < 4) return SKIP_REFUSED;
    len_data = skip_once(skip_load4(buf + pos, be));
    if (len_data > SKIP_MAX_LENGTH) return SKIP_REFUSED;
    pos += 4;
    row[0] = pos;
    if (len_data > end - pos) return SKIP_REFUSED;
    pos += len_data;
    row[1] = pos;
    return SKIP_DONE;
}

static int skip_gguf_array_layout2(const uint8_t *buf, uint64_t end, uint64_t *at, int be, int depth)
{
    uint64_t pos = *at;
    uint64_t element_type, num_elements, size, i, len_data;
    if (depth > 128) return SKIP_REFUSED;
    if (end - pos < 12) return SKIP_REFUSED;
    element_type = skip_once(skip_load4(buf + pos, be));
    if (element_type > 12u) return SKIP_REFUSED;
    num_elements = skip_once(skip_load8(buf + pos + 4, be));
    if (num_elements > SKIP_MAX_LENGTH) return SKIP_REFUSED;
    pos += 12;
    switch (element_type) {
        case 0:
        case 1:
        case 7:
            if (num_elements > end - pos) return SKIP_REFUSED;
            pos += num_elements;
            break;
        case 2:
        case 3:
            size = num_elements * 2u;
            if (size > end - pos) return SKIP_REFUSED;
            pos += size;
            break;
        case 4:
        case 5:
        case 6:
            size = num_elements * 4u;
            if (size > end - pos) return SKIP_REFUSED;
            pos += size;
            break;
        case 8:
            if (num_elements > (end - pos) / 8) return SKIP_REFUSED;
            for (i = 0; i < num_elements; i++) {
                if (end - pos < 8) return SKIP_REFUSED;
                len_data = skip_once(skip_load8(buf + pos, be));
                if (len_data > SKIP_MAX_LENGTH) return SKIP_REFUSED;
                pos += 8;
                if (len_data > end - pos) return SKIP_REFUSED;
                pos += len_data;
            }
            break;
        case 9:
            if (num_elements > (end - pos) / 12) return SKIP_REFUSED;
            for (i = 0; i < num_elements; i++) {
                if (skip_gguf_array_layout2(buf, end, &pos, be, depth + 1) != SKIP_DONE) return SKIP_REFUSED;
            }
            break;
        case 10:
        case 11:
        case 12:
            size = num_elements * 8u;
            if (size > end - pos) return SKIP_REFUSED;
            pos += size;
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
    uint64_t num_tensors, num_metadata, i, len_data, value_type, num_dims, size;
    (void)args;
    if (pos > end) return SKIP_REFUSED;
    if (end - pos < 24) return SKIP_REFUSED;
    if (memcmp(buf + pos, "GGUF", 4) != 0) return SKIP_REFUSED;
    num_tensors = skip_once(skip_load8(buf + pos + 8, be));
    if (num_tensors > SKIP_MAX_LENGTH) return SKIP_REFUSED;
    num_metadata = skip_once(skip_load8(buf + pos + 16, be));
    if (num_metadata > SKIP_MAX_LENGTH) return SKIP_REFUSED;
    pos += 24;
    if (num_metadata > (end - pos) / 12) return SKIP_REFUSED;
    if (!skip_reserve(&found[0], num_metadata)) return SKIP_NO_MEMORY;
    for (i = 0; i < num_metadata; i++) {
        found[0].data[found[0].size++] = pos;
        if (end - pos < 8) return SKIP_REFUSED;
        len_data = skip_once(skip_load8(buf + pos, be));
        if (len_data > SKIP_MAX_LENGTH) return SKIP_REFUSED;
        pos += 8;
        if (len_data > end - pos) return SKIP_REFUSED;
        pos += len_data;
        if (end - pos < 4) return SKIP_REFUSED;
        value_type = skip_once(skip_load4(buf + pos, be));
        if (value_type > 12u) return SKIP_REFUSED;
        pos += 4;
        switch (value_type) {
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
                len_data = skip_once(skip_load8(buf + pos, be));
                if (len_data > SKIP_MAX_LENGTH) return SKIP_REFUSED;
                pos += 8;
                if (len_data > end - pos) return SKIP_REFUSED;
                pos += len_data;
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
    if (num_tensors > (end - pos) / 24) return SKIP_REFUSED;
    if (!skip_reserve(&found[1], num_tensors)) return SKIP_NO_MEMORY;
    for (i = 0; i < num_tensors; i++) {
        found[1].data[found[1].size++] = pos;
        if (end - pos < 8) return SKIP_REFUSED;
        len_data = skip_once(skip_load8(buf + pos, be));
        if (len_data > SKIP_MAX_LENGTH) return SKIP_REFUSED;
        pos += 8;
        if (len_data > end - pos) return SKIP_REFUSED;
        pos += len_data;
        if (end - pos < 4) return SKIP_REFUSED;
        num_dims = skip_once(skip_load4(buf + pos, be));
        if (num_dims > 4u) return SKIP_REFUSED;
        pos += 4;
        size = num_dims * 8u;
        if (size > end - pos) return SKIP_REFUSED;
        pos += size;
        if (end - pos < 12) return SKIP_REFUSED;
        pos += 12;
    }
    *stop = pos;
    return SKIP_DONE;
}

static int index_string_elements_layout2(const uint8_t *buf, uint64_t end, uint64_t pos, int be, const uint64_t *args,
    skip_list *found, uint64_t *stop)
{
    uint64_t num_elements = args[0];
    uint64_t i, len_data;
    if (pos > end) return SKIP_REFUSED;
    if (num_elements > (end - pos) / 8) return SKIP_REFUSED;
    if (!skip_reserve(&found[0], num_elements)) return SKIP_NO_MEMORY;
    for (i = 0; i < num_elements; i++) {
        found[0].data[found[0].size++] = pos;
        if (end - pos < 8) return SKIP_REFUSED;
        len_data = skip_once(skip_load8(buf + pos, be));
        if (len_data > SKIP_MAX_LENGTH) return SKIP_REFUSED;
        pos += 8;
        if (len_data > end - pos) return SKIP_REFUSED;
        pos += len_data;
    }
    *stop = pos;
    return SKIP_DONE;
}

static int index_array_elements_layout2(const uint8_t *buf, uint64_t end, uint64_t pos, int be, const uint64_t *args,
    skip_list *found, uint64_t *stop)
{
    uint64_t num_elements = args[0];
    uint64_t i;
    if (pos > end) return SKIP_REFUSED;
    if (num_elements > (end - pos) / 12) return SKIP_REFUSED;
    if (!skip_reserve(&found[0], num_elements)) return SKIP_NO_MEMORY;
    for (i = 0; i < num_elements; i++) {
        found[0].data[found[0].size++] = pos;
        if (skip_gguf_array_layout2(buf, end, &pos, be, 1) != SKIP_DONE) return SKIP_REFUSED;
    }
    *stop = pos;
    return SKIP_DONE;
}

static const int row_key_value_layout2_widths[] = {1, 1, 1, 1};

static int row_key_value_layout2(const uint8_t *buf, uint64_t end, uint64_t pos, int be, uint64_t *row)
{
    uint64_t len_data, value_type;
    if (pos > end) return SKIP_REFUSED;
    if (end - pos < 8) return SKIP_REFUSED;
    len_data = skip_once(skip_load8(buf + pos, be));
    if (len_data > SKIP_MAX_LENGTH) return SKIP_REFUSED;
    pos += 8;
    row[0] = pos;
    if (len_data > end - pos) return SKIP_REFUSED;
    pos += len_data;
    row[1] = pos;
    if (end - pos < 4) return SKIP_REFUSED;
    value_type = skip_once(skip_load4(buf + pos, be));
    if (value_type > 12u) return SKIP_REFUSED;
    row[2] = value_type;
    pos += 4;
    row[3] = pos;
    return SKIP_DONE;
}

static const int row_tensor_info_layout2_widths[] = {1, 1, 1, 4, 1, 1};

static int row_tensor_info_layout2(const uint8_t *buf, uint64_t end, uint64_t pos, int be, uint64_t *row)
{
    uint64_t len_data, num_dims, size, i, type_id, ofs_data;
    if (pos > end) return SKIP_REFUSED;
    if (end - pos < 8) return SKIP_REFUSED;
    len_data = skip_once(skip_load8(buf + pos, be));
    if (len_data > SKIP_MAX_LENGTH) return SKIP_REFUSED;
    pos += 8;
    row[0] = pos;
    if (len_data > end - pos) return SKIP_REFUSED;
    pos += len_data;
    row[1] = pos;
    if (end - pos < 4) return SKIP_REFUSED;
    num_dims = skip_once(skip_load4(buf + pos, be));
    if (num_dims > 4u) return SKIP_REFUSED;
    row[2] = num_dims;
    pos += 4;
    size = num_dims * 8u;
    if (size > end - pos) return SKIP_REFUSED;
    for (i = 0; i < 4; i++) {
        row[3 + i] = i < num_dims ? skip_once(skip_load8(buf + pos + i * 8, be)) : 0;
    }
    pos += size;
    if (end - pos < 12) return SKIP_REFUSED;
    type_id = skip_once(skip_load4(buf + pos, be));
    row[7] = type_id;
    ofs_data = skip_once(skip_load8(buf + pos + 4, be));
    row[8] = ofs_data;
    return SKIP_DONE;
}

static const int row_gguf_array_layout2_widths[] = {1, 1, 1};

static int row_gguf_array_layout2(const uint8_t *buf, uint64_t end, uint64_t pos, int be, uint64_t *row)
{
    uint64_t element_type, num_elements;
    if (pos > end) return SKIP_REFUSED;
    if (end - pos < 12) return SKIP_REFUSED;
    element_type = skip_once(skip_load4(buf + pos, be));
    if (element_type > 12u) return SKIP_REFUSED;
    row[0] = element_type;
    num_elements = skip_once(skip_load8(buf + pos + 4, be));
    if (num_elements > SKIP_MAX_LENGTH) return SKIP_REFUSED;
    row[1] = num_elements;
    pos += 12;
    row[2] = pos;
    return SKIP_DONE;
}

static const int row_gguf_string_layout2_widths[] = {1, 1};

static int row_gguf_string_layout2(const uint8_t *buf, uint64_t end, uint64_t pos, int be, uint64_t *row)
{
    uint64_t len_data;
    if (pos > end) return SKIP_REFUSED;
    if (end - pos < 8) return SKIP_REFUSED;
    len_data = skip_once(skip_load8(buf + pos, be));
    if (len_data > SKIP_MAX_LENGTH) return SKIP_REFUSED;
    pos += 8;
    row[0] = pos;
    if (len_data > end - pos) return SKIP_REFUSED;
    pos += len_data;
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
