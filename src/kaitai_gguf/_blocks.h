/* Unpacks, looks up, negates and scales the elements of blocks, in one pass over each block.
 *
 * This code is independent of the tensor types: a Layout describes where the codes of a block are and what they mean.
 * Nothing is checked: the caller ensures that all positions are within the fields and tables.
 */

#ifndef KAITAI_GGUF_BLOCKS_H
#define KAITAI_GGUF_BLOCKS_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <stdint.h>
#include <string.h>

#include "_fields.h"

/* The maximum number of runs in a block; the number of blocks processed at a time, and of blocks with LONGEST elements,
 * of which more would not fit the first cache. Both are multiples of 4. */
enum { MOST_RUNS = 32, TILE = 32, SHORT_TILE = 8 };

/* The scales of the runs of a block, or the shifts that are added: float32s; entries of a table of float32s, selected
 * by bytes; or the float16 of the block × `factor` × (integer + `plus`). */
typedef struct {
    const uint8_t *floats, *halves;
    const float *table;
    Field integers[MOST_PARTS];
    Py_ssize_t stride; /* of the float32s or float16s */
    float factor, plus;
    uint8_t sign_bit; /* of the integers */
} Scales;

/* How to compute the elements of a block from its codes. The bits of a code are in up to three fields, the lowest bits
 * first. Without a table, an element is the code minus `minus`. With a table, each code selects a row of `width`
 * elements. If there are signs, each selects a row of `flips`, and elements are negative where that row has 255. */
typedef struct {
    Field codes[MOST_PARTS], signs[MOST_PARTS];
    int minus;
    const int8_t *table, *flips;
    Py_ssize_t width, elements; /* of a row, of a block */
    Scales scales, shifts;
    Py_ssize_t runs, run; /* the number of runs in a block, and of elements in a run, which share a scale */
    uint16_t run_of[LONGEST / 16]; /* the run of each group of 16 elements */
} Layout;

/* Consecutive blocks, and the values that are read before their elements are computed. */
typedef struct {
    Py_ssize_t block, blocks;
    float scales[TILE * MOST_RUNS + 15], shifts[TILE * MOST_RUNS + 15];
    uint16_t codes[TILE * LONGEST / 4], signs[TILE * MOST_RUNS];
} Tile;

/* Computes scales from float16s and integers, four blocks at a time. The buffer always has room for four blocks. */
INLINE void fill_scales(const Scales *scales, const float *restrict ds, Py_ssize_t block, Py_ssize_t blocks,
                        Py_ssize_t runs, float *restrict buffer, const int has_high)
{
    const Field *low = &scales->integers[0], *high = &scales->integers[1];
    const uint8_t *bytes = low->bytes + block * low->stride;
    const uint8_t *above = has_high ? high->bytes + block * high->stride : bytes;
    const int at = low->bits;
    const uint32_t low_mask = mask_of(low), high_mask = mask_of(high) << at;
    const uint32_t sign_bits = scales->sign_bit * UINT32_C(0x01010101);
    const float plus = scales->plus;
    Py_ssize_t low_offsets[4], high_offsets[4], first, i;
    Sixteen codes, high_codes;
    Numbers numbers;
    float four[4];

    for (i = 0; i < blocks; i += 4, ds += 4, buffer += 4 * runs) {
        if (i == 0 || blocks - i < 4) {
            set_offsets(low, blocks - i, low_offsets);
            set_offsets(high, blocks - i, high_offsets);
        }
        memcpy(four, ds, sizeof(four));
        for (first = 0; first < runs; first += 4) {
            read_fours(low, bytes, low_offsets, first, 0, low_mask, &codes);
            if (has_high) {
                read_fours(high, above, high_offsets, first, at, high_mask, &high_codes);
                join(&codes, &high_codes);
            }
            flip_bytes(&codes, sign_bits);
            widen(&codes, &numbers);
            fill_fours(&numbers, plus, four, buffer + first, runs);
        }
        bytes += 4 * low->stride;
        above += has_high ? 4 * high->stride : 0;
    }
}

INLINE void look_up_scales(const Scales *scales, Py_ssize_t block, Py_ssize_t blocks, Py_ssize_t runs, float *buffer)
{
    const Field *field = scales->integers;
    const uint8_t *bytes = field->bytes + block * field->stride + *field->places;
    Py_ssize_t i;

    for (; blocks > 0; blocks--, bytes += field->stride, buffer += runs) {
        for (i = 0; i < runs; i++) buffer[i] = scales->table[bytes[i]];
    }
}

/* The buffer has room for `runs` floats per block, and 15 more. */
FOR_PROCESSORS static void read_scales(const Scales *scales, Py_ssize_t block, Py_ssize_t blocks, Py_ssize_t runs, float *buffer)
{
    const uint8_t *item = (scales->floats ? scales->floats : scales->halves) + block * scales->stride;
    uint16_t halves[TILE], numbers[TILE * MOST_RUNS];
    float ds[TILE] = {0};
    const uint16_t *integers = numbers;
    Py_ssize_t i, j;

    if (scales->floats != NULL) {
        for (i = 0; i < blocks; i++) {
            memcpy(buffer + i * runs, item + i * scales->stride, (size_t)runs * sizeof(float));
        }
        return;
    }
    if (scales->table != NULL) {
        look_up_scales(scales, block, blocks, runs, buffer);
        return;
    }
    for (i = 0; i < blocks; i++, item += scales->stride) memcpy(&halves[i], item, sizeof(halves[i]));
    for (i = 0; i < blocks; i++) ds[i] = half(halves[i]) * scales->factor;
    if (!scales->integers->bits) {
        memcpy(buffer, ds, (size_t)blocks * sizeof(*ds));
        return;
    }
    if (are_in_fours(scales->integers)) {
        scales->integers[1].bits ? fill_scales(scales, ds, block, blocks, runs, buffer, 1)
                                 : fill_scales(scales, ds, block, blocks, runs, buffer, 0);
        return;
    }
    read_numbers(scales->integers, block, blocks, numbers);
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

/* What the high part of codes consists of, if there is one. */
enum { NO_HIGH, NEIGHBOURS, BITS };

/* `step` is 16 or 32. The codes of that many elements of one run are neighbours, except for high bits. */
INLINE void fill_numbers(const Layout *layout, const Tile *tile, float *restrict out, const int highs,
                         const int has_shifts, const int step)
{
    const Field *low_part = &layout->codes[0], *high_part = &layout->codes[1];
    const uint8_t *low = low_part->bytes + tile->block * low_part->stride;
    const uint8_t *high = highs ? high_part->bytes + tile->block * high_part->stride : low;
    const int at = low_part->bits, count = step / 16;
    const uint32_t low_mask = mask_of(low_part), high_mask = mask_of(high_part) << at;
    const Py_ssize_t elements = layout->elements, runs = layout->runs;
    const float plus = -(float)layout->minus;
    const float *scales = tile->scales, *shifts = tile->shifts;
    Sixteen codes[2], high_codes[2];
    Py_ssize_t block, i;
    int part;

    for (block = 0; block < tile->blocks; block++, scales += runs, shifts += runs) {
        for (i = 0; i < elements; i += step, out += step) {
            const int run = layout->run_of[i / 16];
            const float scale = scales[run], shift = has_shifts ? shifts[run] : 0;
            unpack(low + low_part->places[i], count, low_part->shifts[i], 0, low_mask, codes);
            if (highs == NEIGHBOURS) {
                unpack(high + high_part->places[i], count, high_part->shifts[i], at, high_mask, high_codes);
            }
            for (part = 0; highs && part < count; part++) {
                if (highs == BITS) spread(high + i / 8 + 2 * part, at, &high_codes[part]);
                join(&codes[part], &high_codes[part]);
            }
            for (part = 0; part < count; part++) {
                fill_unsigned(&codes[part], plus, scale, shift, out + 16 * part, has_shifts);
            }
        }
        low += low_part->stride;
        high += highs ? high_part->stride : 0;
    }
}

/* Converts int8 numbers, `step` at a time: 16 or 32. */
INLINE void fill_bytes(const Layout *layout, const Tile *tile, float *restrict out, const int step)
{
    const uint8_t *codes = layout->codes->bytes + tile->block * layout->codes->stride + *layout->codes->places;
    const Py_ssize_t elements = layout->elements, run = layout->run, stride = layout->codes->stride;
    const float *scales = tile->scales;
    Py_ssize_t block, i, end;
    Sixteen sixteen;
    int part;

    for (block = 0; block < tile->blocks; block++, codes += stride) {
        for (i = 0; i < elements; scales++) {
            const float scale = *scales;
            for (end = i + run; i < end; i += step, out += step) {
                for (part = 0; part < step; part += 16) {
                    memcpy(&sixteen, codes + i + part, sizeof(sixteen));
                    fill_signed(&sixteen, scale, out + part);
                }
            }
        }
    }
}

INLINE void fill_ternary(const Layout *layout, const Tile *tile, float *restrict out)
{
    const Field *field = layout->codes;
    const uint8_t *codes = field->bytes + tile->block * field->stride;
    const float *scales = tile->scales, plus = -(float)layout->minus;
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

/* With a table of 16 elements, all products of a run are computed before its first element. */
INLINE void fill_entries(const Layout *layout, const Tile *tile, float *restrict out)
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

/* Copies 16 elements from rows of `width` elements, 4 or 8. */
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

FOR_PROCESSORS static void fill_tile(const Layout *layout, const Tile *tile, float *out, const int shifts)
{
    const Field *low = &layout->codes[0], *high = &layout->codes[1];
    const int has_high = high->bits > 0, has_signs = layout->signs->bits > 0;
    const int is_long = layout->run % 32 == 0 && low->neighbours % 32 == 0 && (!has_high || high->neighbours % 32 == 0);

#define NUMBERS(highs, step) \
    shifts ? fill_numbers(layout, tile, out, highs, 1, step) : fill_numbers(layout, tile, out, highs, 0, step)

    if (layout->table != NULL && layout->width == 1) {
        fill_entries(layout, tile, out);
    } else if (layout->table != NULL && layout->width == 4) {
        has_signs ? fill_rows(layout, tile, out, 1, 4) : fill_rows(layout, tile, out, 0, 4);
    } else if (layout->table != NULL) {
        has_signs ? fill_rows(layout, tile, out, 1, 8) : fill_rows(layout, tile, out, 0, 8);
    } else if (low->is_ternary) {
        fill_ternary(layout, tile, out);
    } else if (low->bits == 8) {
        layout->run % 32 ? fill_bytes(layout, tile, out, 16) : fill_bytes(layout, tile, out, 32);
    } else if (high->is_bits) {
        NUMBERS(BITS, 16);
    } else if (is_long) {
        has_high ? (NUMBERS(NEIGHBOURS, 32)) : (NUMBERS(NO_HIGH, 32));
    } else {
        has_high ? (NUMBERS(NEIGHBOURS, 16)) : (NUMBERS(NO_HIGH, 16));
    }
#undef NUMBERS
}

static void fill_blocks(const Layout *layout, float *out, Py_ssize_t blocks, const int shifts)
{
    const uint8_t *codes = layout->codes->bytes;
    const Py_ssize_t stride = layout->codes->stride;
    const Py_ssize_t prefetched = stride < 2 * LONGEST ? stride : 0; /* of a block; larger ones have gaps between them */
    const Py_ssize_t most = layout->elements < LONGEST ? TILE : SHORT_TILE;
    Tile tile;
    Py_ssize_t i;

    for (tile.block = 0; tile.block < blocks; tile.block += tile.blocks) {
        tile.blocks = blocks - tile.block < most ? blocks - tile.block : most;
        for (i = 0; i < tile.blocks * prefetched; i += 64) PREFETCH(codes + tile.block * stride + i, 0);
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
