/* How the numbers of blocks are unpacked, looked up, signed and scaled: one pass over each block.
 *
 * Nothing here knows what types there are: a Layout describes where the codes of a block are and what they stand for.
 * Nothing is checked: the caller makes sure that all positions are within the fields and tables.
 */

#ifndef KAITAI_GGUF_BLOCKS_H
#define KAITAI_GGUF_BLOCKS_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <stdint.h>
#include <string.h>

#include "_vectors.h"

/* Elements of a block; its runs; fields that make up a number; blocks that are worked on at a time. */
enum { LONGEST = 256, MOST_RUNS = 32, MOST_PARTS = 3, TILE = 32 };

/* A field of all blocks, with `count` numbers of `bits` bits in `size` bytes of each block. Numbers are neighbours if
 * they are at the same bits of consecutive bytes. Ternary digits are five to a byte, ceil(v × 256 / 243) for the
 * number v that they make up. */
typedef struct {
    const uint8_t *bytes;
    Py_ssize_t stride, size, count;
    Py_ssize_t neighbours; /* 4, 8, 16 or 32 if all numbers are neighbours of as many; `count` if they all are; or -1 */
    Py_ssize_t sixteens;   /* how many of the first numbers are neighbours of 16 */
    int bits, is_ternary;  /* no bits: the field is absent */
    uint16_t places[LONGEST]; /* the byte of each number */
    uint16_t shifts[LONGEST]; /* its lowest bit there or, if it is a ternary digit, which one it is */
    uint16_t factors[LONGEST]; /* 3 to the power of the digit; or what shifts a number from two bytes to bit 15 */
} Field;

/* The scales of the runs of a block, or what is added to them: floats; entries of a table of floats, or the half of the
 * block × `factor`, times (integer + `plus`). */
typedef struct {
    const uint8_t *floats, *halves;
    const float *table;
    Field integers[MOST_PARTS];
    Py_ssize_t stride; /* of the floats or halves */
    float factor, plus;
    uint8_t sign_bit; /* of the integers */
} Scales;

/* How the elements of a block follow from its codes, whose bits are in up to three fields, the lowest bits first.
 * Without a table, an element is the code less `minus`. With one it is the row of `width` elements that the code
 * selects, negative where the row of `flips` that the number in `signs` selects has a byte of 255. */
typedef struct {
    Field codes[MOST_PARTS], signs[MOST_PARTS];
    int minus;
    const int8_t *table, *flips;
    Py_ssize_t width, elements; /* of a row, of a block */
    Scales scales, shifts;
    Py_ssize_t runs, run; /* runs of a block, which have the same scale, and their elements */
} Layout;

/* Consecutive blocks, and what is read of them before their elements are computed. */
typedef struct {
    Py_ssize_t block, blocks;
    float scales[TILE * MOST_RUNS + 15], shifts[TILE * MOST_RUNS + 15];
    uint16_t codes[TILE * LONGEST / 4], signs[TILE * MOST_RUNS];
} Tile;

static uint32_t mask_of(const Field *field)
{
    return ((1u << field->bits) - 1) * UINT32_C(0x01010101);
}

INLINE int is_bytes(const Field *field)
{
    return field->bits == 8 && field->neighbours == field->count;
}

/* Whether each number is read from two bytes: the one that it starts in and the next. */
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
    return (uint16_t)(bytes[place] | bytes[place + 1] << 8);
}

/* Sixteen numbers of a block, from a multiple of 16 on. What is beyond the last number is of no use. */
INLINE void read_sixteen(const Field *field, const uint8_t *bytes, Py_ssize_t first, Numbers *numbers,
                         const int in_pairs, const int fours)
{
    const uint32_t mask = mask_of(field);
    uint8_t last[16] = {0};
    uint16_t pairs[16];
    uint32_t third, fourth;
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
        third = fours > 2 ? four_numbers(field, bytes, first + 8, mask) : 0;
        fourth = fours > 2 ? four_numbers(field, bytes, first + 12, mask) : 0;
        set_words(&codes, four_numbers(field, bytes, first, mask), four_numbers(field, bytes, first + 4, mask), third,
                  fourth);
    } else if (first + 16 <= field->count) {
        memcpy(&codes, bytes + *field->places + first, sizeof(codes));
    } else {
        for (i = 0; first + i < field->count; i++) last[i] = bytes[*field->places + first + i];
        memcpy(&codes, last, sizeof(codes));
    }
    widen(&codes, numbers);
}

/* Each block has a whole number of vectors. */
static Py_ssize_t padded(Py_ssize_t count)
{
    return (count + 15) / 16 * 16;
}

INLINE void read_part(const Field *field, Py_ssize_t block, Py_ssize_t blocks, int at, uint16_t *restrict numbers,
                      const int in_pairs, const int fours)
{
    const uint8_t *bytes = field->bytes + block * field->stride;
    const Py_ssize_t count = field->count;
    Numbers read, below;
    Py_ssize_t i;

    for (; blocks > 0; blocks--, bytes += field->stride) {
        for (i = 0; i < count; i += 16, numbers += 16) {
            read_sixteen(field, bytes, i, &read, in_pairs, fours);
            if (at) {
                memcpy(&below, numbers, sizeof(below));
                join_numbers(&below, &read, at);
                read = below;
            }
            memcpy(numbers, &read, sizeof(read));
        }
    }
}

static void read_numbers(const Field *parts, Py_ssize_t block, Py_ssize_t blocks, uint16_t *numbers)
{
    int i, at = 0;
    for (i = 0; i < MOST_PARTS && parts[i].bits; at += parts[i++].bits) {
        if (is_in_pairs(&parts[i])) {
            read_part(&parts[i], block, blocks, at, numbers, 1, 0);
        } else if (parts[i].count <= 8) {
            read_part(&parts[i], block, blocks, at, numbers, 0, 2);
        } else {
            read_part(&parts[i], block, blocks, at, numbers, 0, 4);
        }
    }
}

/* The buffer has room for `runs` floats of each block and 15 more. */
static void read_scales(const Scales *scales, Py_ssize_t block, Py_ssize_t blocks, Py_ssize_t runs, float *buffer)
{
    const uint8_t *item = (scales->floats ? scales->floats : scales->halves) + block * scales->stride;
    uint16_t halves[TILE], numbers[TILE * MOST_RUNS];
    float ds[TILE];
    const uint16_t *integers = numbers;
    Py_ssize_t i, j;

    if (scales->floats != NULL) {
        for (i = 0; i < blocks; i++) {
            memcpy(buffer + i * runs, item + i * scales->stride, (size_t)runs * sizeof(float));
        }
        return;
    }
    read_numbers(scales->integers, block, blocks, numbers);
    if (scales->table != NULL) {
        for (i = 0; i < blocks; i++, buffer += runs, integers += padded(runs)) {
            for (j = 0; j < runs; j++) buffer[j] = scales->table[integers[j]];
        }
        return;
    }
    for (i = 0; i < blocks; i++, item += scales->stride) memcpy(&halves[i], item, sizeof(halves[i]));
    for (i = 0; i < blocks; i++) ds[i] = half(halves[i]) * scales->factor;
    if (!scales->integers->bits) {
        memcpy(buffer, ds, (size_t)blocks * sizeof(*ds));
        return;
    }
    for (i = 0; i < blocks; i++, buffer += runs) {
        for (j = 0; j < runs; j += 16, integers += 16) {
            Numbers sixteen;
            memcpy(&sixteen, integers, sizeof(sixteen));
            flip(&sixteen, scales->sign_bit);
            fill(&sixteen, scales->plus, ds[i], 0, buffer + j, 0);
        }
    }
}

INLINE void fill_unsigned(const Sixteen *codes, float plus, float scale, float shift, float *restrict out,
                          const int has_shifts)
{
    Numbers numbers;
    widen(codes, &numbers);
    fill(&numbers, plus, scale, shift, out, has_shifts);
}

INLINE void fill_signed(Sixteen *bytes, float scale, float *restrict out)
{
    add(bytes, 128);
    fill_unsigned(bytes, -128, scale, 0, out, 0);
}

/* `step` is 16 or 32 elements of one run, whose codes are neighbours. */
INLINE void fill_numbers(const Layout *layout, const Tile *tile, float *restrict out, const int has_high,
                         const int has_shifts, const int step)
{
    const Field *low_part = &layout->codes[0], *high_part = &layout->codes[1];
    const uint8_t *low = low_part->bytes + tile->block * low_part->stride;
    const uint8_t *high = has_high ? high_part->bytes + tile->block * high_part->stride : low;
    const uint32_t low_mask = mask_of(low_part), high_mask = mask_of(high_part);
    const Py_ssize_t elements = layout->elements, run = layout->run;
    const int at = low_part->bits;
    const float plus = (float)-layout->minus;
    const float *scales = tile->scales, *shifts = tile->shifts;
    Sixteen codes, high_codes;
    Py_ssize_t block, i, end;
    int part;

    for (block = 0; block < tile->blocks; block++) {
        for (i = 0; i < elements; scales++, shifts++) {
            const float scale = *scales, shift = has_shifts ? *shifts : 0;
            for (end = i + run; i < end; i += step, out += step) {
                const uint8_t *place = low + low_part->places[i], *above = high + high_part->places[i];
                const int shift_right = low_part->shifts[i], high_right = high_part->shifts[i];
                for (part = 0; part < step; part += 16) { /* bits that come from a neighbouring byte are masked */
                    unpack(place + part, shift_right, low_mask, &codes);
                    if (has_high) {
                        unpack(above + part, high_right, high_mask, &high_codes);
                        join(&codes, &high_codes, at);
                    }
                    fill_unsigned(&codes, plus, scale, shift, out + part, has_shifts);
                }
            }
        }
        low += low_part->stride;
        high += has_high ? high_part->stride : 0;
    }
}

/* Numbers of int8 that are stored as they are. */
static void fill_bytes(const Layout *layout, const Tile *tile, float *restrict out)
{
    const uint8_t *codes = layout->codes->bytes + tile->block * layout->codes->stride + *layout->codes->places;
    const Py_ssize_t elements = layout->elements, run = layout->run, stride = layout->codes->stride;
    const float *scales = tile->scales;
    Py_ssize_t block, i, end;
    Sixteen sixteen;

    for (block = 0; block < tile->blocks; block++, codes += stride) {
        for (i = 0; i < elements; scales++) {
            const float scale = *scales;
            for (end = i + run; i < end; i += 16, out += 16) {
                memcpy(&sixteen, codes + i, sizeof(sixteen));
                fill_signed(&sixteen, scale, out);
            }
        }
    }
}

static void fill_ternary(const Layout *layout, const Tile *tile, float *restrict out)
{
    const Field *field = layout->codes;
    const uint8_t *codes = field->bytes + tile->block * field->stride;
    const float *scales = tile->scales, plus = (float)-layout->minus;
    uint8_t found[16];
    Sixteen bytes;
    Numbers numbers, powers;
    Py_ssize_t block, i, end;
    int j;

    for (block = 0; block < tile->blocks; block++, codes += field->stride) {
        for (i = 0; i < layout->elements; scales++) {
            for (end = i + layout->run; i < end; i += 16, out += 16) {
                if (i < field->sixteens) {
                    memcpy(&bytes, codes + field->places[i], sizeof(bytes));
                } else {
                    for (j = 0; j < 16; j++) found[j] = codes[field->places[i + j]];
                    memcpy(&bytes, found, sizeof(bytes));
                }
                memcpy(&powers, field->factors + i, sizeof(powers));
                widen(&bytes, &numbers);
                take_digits(&numbers, &powers);
                fill(&numbers, plus, *scales, 0, out, 0);
            }
        }
    }
}

/* A table of 16 elements: all products of a run are known before its first element. */
static void fill_entries(const Layout *layout, const Tile *tile, float *restrict out)
{
    const uint8_t *codes = layout->codes->bytes + tile->block * layout->codes->stride;
    const float *scales = tile->scales;
    float products[16];
    Py_ssize_t block, i, end;
    int j;

    for (block = 0; block < tile->blocks; block++, codes += layout->codes->stride) {
        for (i = 0; i < layout->elements; scales++) {
            for (j = 0; j < 16; j++) products[j] = (float)layout->table[j] * *scales;
            for (end = i + layout->run; i < end; i += 8, out += 8) {
                const uint8_t *place = codes + layout->codes->places[i];
                const int shift = layout->codes->shifts[i];
                for (j = 0; j < 8; j++) out[j] = products[place[j] >> shift & 15];
            }
        }
    }
}

/* Sixteen elements from rows of `width` elements, 4 or 8. */
INLINE void look_up(const int8_t *table, const uint16_t *rows, const int width, Sixteen *elements)
{
    uint8_t bytes[16];
    int i;
    for (i = 0; i < 16 / width; i++) memcpy(bytes + i * width, table + width * (size_t)rows[i], (size_t)width);
    memcpy(elements, bytes, sizeof(*elements));
}

INLINE void fill_rows(const Layout *layout, const Tile *tile, float *restrict out, const int has_signs, const int width)
{
    const Py_ssize_t elements = layout->elements, run = layout->run;
    const uint16_t *codes = tile->codes, *signs = tile->signs;
    const int8_t *table = layout->table, *flips = layout->flips;
    const float *scales = tile->scales;
    Sixteen numbers, minuses;
    Py_ssize_t block, i, end;

    for (block = 0; block < tile->blocks; block++) {
        for (i = 0; i < elements; scales++) {
            const float scale = *scales;
            for (end = i + run; i < end; i += 16, out += 16) {
                look_up(table, codes + i / width, width, &numbers);
                if (has_signs) {
                    look_up(flips, signs + i / 8, 8, &minuses);
                    negate(&numbers, &minuses);
                }
                fill_signed(&numbers, scale, out);
            }
        }
        codes += padded(elements / width);
        signs += padded(elements / 8);
    }
}

static void fill_tile(const Layout *layout, const Tile *tile, float *out, const int shifts)
{
    const Field *low = &layout->codes[0], *high = &layout->codes[1];
    const int has_high = high->bits > 0, has_signs = layout->signs->bits > 0;
    const int is_long = layout->run % 32 == 0 && low->neighbours % 32 == 0 && (!has_high || high->neighbours % 32 == 0);

#define NUMBERS(step)                                                 \
    has_high && shifts ? fill_numbers(layout, tile, out, 1, 1, step) \
    : has_high         ? fill_numbers(layout, tile, out, 1, 0, step) \
    : shifts           ? fill_numbers(layout, tile, out, 0, 1, step) \
                       : fill_numbers(layout, tile, out, 0, 0, step)

    if (layout->table != NULL && layout->width == 1) {
        fill_entries(layout, tile, out);
    } else if (layout->table != NULL && layout->width == 4) {
        has_signs ? fill_rows(layout, tile, out, 1, 4) : fill_rows(layout, tile, out, 0, 4);
    } else if (layout->table != NULL) {
        has_signs ? fill_rows(layout, tile, out, 1, 8) : fill_rows(layout, tile, out, 0, 8);
    } else if (low->is_ternary) {
        fill_ternary(layout, tile, out);
    } else if (low->bits == 8) {
        fill_bytes(layout, tile, out);
    } else if (is_long) {
        NUMBERS(32);
    } else {
        NUMBERS(16);
    }
#undef NUMBERS
}

static void fill_blocks(const Layout *layout, float *out, Py_ssize_t blocks, const int shifts)
{
    Tile tile;
    for (tile.block = 0; tile.block < blocks; tile.block += tile.blocks) {
        tile.blocks = blocks - tile.block < TILE ? blocks - tile.block : TILE;
        read_scales(&layout->scales, tile.block, tile.blocks, layout->runs, tile.scales);
        if (shifts) read_scales(&layout->shifts, tile.block, tile.blocks, layout->runs, tile.shifts);
        if (layout->table != NULL && layout->width > 1) {
            read_numbers(layout->codes, tile.block, tile.blocks, tile.codes);
            read_numbers(layout->signs, tile.block, tile.blocks, tile.signs);
        }
        fill_tile(layout, &tile, out + tile.block * layout->elements, shifts);
    }
}

#endif
