/* Reads the numbers that are packed in the fields of blocks.
 *
 * Nothing is checked: the caller ensures that all positions are within the fields.
 */

#ifndef KAITAI_GGUF_FIELDS_H
#define KAITAI_GGUF_FIELDS_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <stdint.h>
#include <string.h>

#include "_vectors.h"

/* The maximum number of elements in a block, and of fields that make up a number. */
enum { LONGEST = 256, MOST_PARTS = 3 };

/* A field of all blocks, with `count` numbers of `bits` bits in `size` bytes of each block. Numbers are neighbours if
 * they are in the same bits of consecutive bytes. A byte has five ternary digits: it is ceil(v × 256 / 243) for the
 * number v with these digits. */
typedef struct {
    const uint8_t *bytes;
    Py_ssize_t stride, size, count;
    Py_ssize_t neighbours; /* the size of groups of neighbours: 4, 8, 16, 32, `count` (all), or -1 */
    Py_ssize_t sixteens;   /* how many of the first numbers are neighbours in groups of 16 */
    int bits, is_ternary;  /* 0 bits: the field is absent */
    int is_bits;           /* whether the numbers are single bits in order, eight in each byte */
    uint16_t places[LONGEST]; /* the byte of each number */
    uint16_t shifts[LONGEST]; /* its lowest bit there, or the index of the ternary digit */
    uint16_t factors[LONGEST]; /* 3 to the power of the digit's index; or what moves a number in two bytes up to bit 15 */
} Field;

INLINE uint32_t mask_of(const Field *field)
{
    return ((1u << field->bits) - 1) * UINT32_C(0x01010101);
}

INLINE int is_bytes(const Field *field)
{
    return field->bits == 8 && field->neighbours == field->count;
}

/* Returns whether each number is read from two bytes: the one that it starts in and the next. */
INLINE int is_in_pairs(const Field *field)
{
    return !field->is_ternary && !is_bytes(field) && field->neighbours % 4 != 0;
}

INLINE uint32_t four_numbers(const Field *field, const uint8_t *bytes, Py_ssize_t first, uint32_t mask)
{
    uint32_t word;
    memcpy(&word, bytes + field->places[first], sizeof(word));
    return word >> field->shifts[first] & mask;
}

INLINE uint16_t pair(const uint8_t *bytes, uint16_t place)
{
    uint16_t word; /* read at once: compilers vectorize the reading of single bytes, and that is slower */
    memcpy(&word, bytes + place, sizeof(word));
    return PY_BIG_ENDIAN ? (uint16_t)(word >> 8 | word << 8) : word;
}

/* Reads 16 numbers of a block, from a multiple of 16 on. Those beyond the last number are undefined. */
INLINE void read_sixteen(const Field *field, const uint8_t *bytes, Py_ssize_t first, Numbers *numbers,
                         const int in_pairs)
{
    const uint32_t mask = mask_of(field);
    uint8_t last[16] = {0};
    uint16_t pairs[16];
    Numbers factors;
    Sixteen codes;
    int i;

    if (in_pairs) {
        for (i = 0; i < 16; i++) pairs[i] = pair(bytes, field->places[first + i]);
        memcpy(numbers, pairs, sizeof(*numbers));
        memcpy(&factors, field->factors + first, sizeof(factors));
        multiply(numbers, &factors, 16 - field->bits);
        return;
    }
    if (!is_bytes(field)) {
        set_words(&codes, four_numbers(field, bytes, first, mask), four_numbers(field, bytes, first + 4, mask),
                  four_numbers(field, bytes, first + 8, mask), four_numbers(field, bytes, first + 12, mask));
    } else if (first + 16 <= field->count) {
        memcpy(&codes, bytes + *field->places + first, sizeof(codes));
    } else {
        for (i = 0; first + i < field->count; i++) last[i] = bytes[*field->places + first + i];
        memcpy(&codes, last, sizeof(codes));
    }
    widen(&codes, numbers);
}

/* Rounds up to a whole number of vectors. */
INLINE Py_ssize_t padded(Py_ssize_t count)
{
    return (count + 15) / 16 * 16;
}

INLINE void read_part(const Field *field, Py_ssize_t block, Py_ssize_t blocks, int at, uint16_t *restrict numbers,
                      const int in_pairs)
{
    const uint8_t *bytes = field->bytes + block * field->stride;
    const Py_ssize_t count = field->count;
    Numbers read, below;
    Py_ssize_t i;

    for (; blocks > 0; blocks--, bytes += field->stride) {
        for (i = 0; i < count; i += 16, numbers += 16) {
            read_sixteen(field, bytes, i, &read, in_pairs);
            if (at) {
                memcpy(&below, numbers, sizeof(below));
                join_numbers(&below, &read, at);
                read = below;
            }
            memcpy(numbers, &read, sizeof(read));
        }
    }
}

FOR_PROCESSORS static void read_numbers(const Field *parts, Py_ssize_t block, Py_ssize_t blocks, uint16_t *numbers)
{
    int i, at = 0;
    for (i = 0; i < MOST_PARTS && parts[i].bits; at += parts[i++].bits) {
        if (is_in_pairs(&parts[i])) {
            read_part(&parts[i], block, blocks, at, numbers, 1);
        } else {
            read_part(&parts[i], block, blocks, at, numbers, 0);
        }
    }
}

/* Returns whether numbers have one or two parts, fit in a byte, and are neighbours in groups of 4 in each part. */
INLINE int are_in_fours(const Field *parts)
{
    return parts[0].bits > 0 && parts[0].bits + parts[1].bits <= 8 && parts[0].neighbours % 4 == 0 &&
           parts[1].neighbours % 4 == 0 && !parts[2].bits;
}

/* Sets the offsets of four blocks from the first. Blocks beyond the last get the offset of the last. */
INLINE void set_offsets(const Field *field, Py_ssize_t blocks, Py_ssize_t *offsets)
{
    Py_ssize_t i;
    for (i = 0; i < 4; i++) offsets[i] = (i < blocks ? i : blocks - 1) * field->stride;
}

/* Reads four numbers of each of four blocks, moved to bit `at`. `offsets` has the offsets of the blocks. */
INLINE void read_fours(const Field *field, const uint8_t *bytes, const Py_ssize_t *offsets, Py_ssize_t first, int at,
                       uint32_t mask, Sixteen *codes)
{
    uint32_t words[4];
    int i;

    for (i = 0; i < 4; i++) memcpy(&words[i], bytes + offsets[i] + field->places[first], sizeof(*words));
    set_words(codes, words[0], words[1], words[2], words[3]);
    move(codes, 1, field->shifts[first], at);
    keep(codes, mask);
}

#endif
