/* How the numbers of blocks are unpacked, looked up, signed and scaled: one pass over each block.
 *
 * Nothing here knows what types there are: a Layout says where the codes of a block are and what they stand for. Nothing is
 * checked: the caller makes sure that all of it is within the fields and tables.
 */

#ifndef KAITAI_GGUF_BLOCKS_H
#define KAITAI_GGUF_BLOCKS_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <stdint.h>
#include <string.h>

static float as_float(uint32_t bits)
{
    float number;
    memcpy(&number, &bits, sizeof(number));
    return number;
}

static uint32_t as_bits(float number)
{
    uint32_t bits;
    memcpy(&bits, &number, sizeof(bits));
    return bits;
}

/* A half as float. With its exponent at the place of a float's, and 224 more than it is, the number is too large by
 * 2^112, while infinity and NaN have the exponent that they should. Subnormal halves are whole multiples of 2^-24.
 * Both are computed and one is taken without a branch, so that compilers do several at once. */
static float half(uint16_t bits)
{
    uint32_t magnitude = bits & 0x7FFFu, sign = (uint32_t)(bits & 0x8000u) << 16;
    float normal = as_float((magnitude << 13) + (224u << 23)) * 0x1p-112f;
    float subnormal = (float)(int32_t)magnitude * 0x1p-24f;
    uint32_t is_subnormal = 0u - (uint32_t)(magnitude < 0x0400u);
    return as_float((as_bits(subnormal) & is_subnormal) | (as_bits(normal) & ~is_subnormal) | sign);
}

/* Functions whose constant arguments make several loops of one. */
#ifdef __GNUC__
#define INLINE static inline __attribute__((always_inline))
#else
#define INLINE static __forceinline
#endif

enum { LONGEST = 256, MOST_RUNS = 32 }; /* elements of a block; runs of one that has integers */

/* One field of all blocks: numbers of `bits` bits, in `size` bytes of each block. They are interleaved by groups: `group`
 * bytes hold, in their lowest bits, the first `group` numbers, in the next bits the `group` numbers after those, and so
 * on. Numbers of 16 bits are in the byte order of the machine. */
typedef struct {
    const uint8_t *bytes;
    Py_ssize_t stride, size, group;
    int bits; /* 1, 2, 4, 8 or 16; 0 if the field is absent */
} Field;

/* Where a number is: the byte in its block, and its lowest bit there. */
typedef struct {
    uint16_t byte, shift;
} Place;

/* What each run of a block is multiplied by, or what is added to it: floats; or the half of its block × `factor`, × an
 * integer of the run if there are integers. */
typedef struct {
    const float *floats; /* all of them, if they are given */
    const uint8_t *halves;
    const uint8_t *integers;
    Py_ssize_t half_stride, stride; /* from one block to the next */
    float factor;
    int is_signed;
} Scales;

/* How the elements of a block follow from its codes, whose low bits are in one field and the others in another one.
 * Without a table, an element is the code less `minus`. With one it is the row of `width` elements that the code
 * selects, negative where the row of `flips` that a byte of `signs` selects has a byte of 255. */
typedef struct {
    Field low, high, signs;
    Place low_places[LONGEST], high_places[LONGEST];
    int minus;
    const int8_t *table, *flips;
    Py_ssize_t width, last_row, last_flips; /* numbers of rows are powers of two */
    Py_ssize_t codes, elements;             /* in a block */
    Scales scales, shifts;
    Py_ssize_t runs, run; /* runs of a block, which have the same scale, and their elements */
} Layout;

/* Sixteen bytes, of which all bits can be moved at once. */
#if defined(__GNUC__) && !defined(WITHOUT_VECTORS)
typedef uint32_t Sixteen __attribute__((vector_size(16)));

INLINE Sixteen unpacked(const uint8_t *packed, int shift, uint32_t mask)
{
    Sixteen codes;
    memcpy(&codes, packed, sizeof(codes));
    return codes >> shift & mask;
}

INLINE Sixteen joined(Sixteen low, Sixteen high, int at)
{
    return low | high << at;
}
#else
typedef struct {
    uint32_t words[4];
} Sixteen;

INLINE Sixteen unpacked(const uint8_t *packed, int shift, uint32_t mask)
{
    Sixteen codes;
    int i;
    memcpy(&codes, packed, sizeof(codes));
    for (i = 0; i < 4; i++) codes.words[i] = codes.words[i] >> shift & mask;
    return codes;
}

INLINE Sixteen joined(Sixteen low, Sixteen high, int at)
{
    int i;
    for (i = 0; i < 4; i++) low.words[i] |= high.words[i] << at;
    return low;
}
#endif

INLINE const float *scales_of(const Scales *scales, Py_ssize_t block, Py_ssize_t runs, float *buffer)
{
    const uint8_t *integers;
    uint16_t bits;
    float d;
    Py_ssize_t i;

    if (scales->floats != NULL) return scales->floats + block * runs;
    memcpy(&bits, scales->halves + block * scales->half_stride, sizeof(bits));
    d = half(bits) * scales->factor;
    if (scales->integers == NULL) {
        *buffer = d;
        return buffer;
    }
    integers = scales->integers + block * scales->stride;
    if (scales->is_signed) {
        for (i = 0; i < runs; i++) buffer[i] = (float)(int8_t)integers[i] * d;
    } else {
        for (i = 0; i < runs; i++) buffer[i] = (float)integers[i] * d;
    }
    return buffer;
}

static uint32_t mask_of(const Field *field)
{
    return ((1u << field->bits) - 1) * UINT32_C(0x01010101);
}

/* Shifted numbers are never negative. */
INLINE void fill_sixteen(Sixteen word, int minus, float scale, float shift, float *restrict out, const int has_shifts)
{
    uint8_t codes[16];
    int i;
    memcpy(codes, &word, sizeof(codes));
    if (has_shifts) {
        for (i = 0; i < 16; i++) out[i] = (float)codes[i] * scale + shift;
    } else {
        for (i = 0; i < 16; i++) out[i] = (float)(int8_t)(codes[i] - minus) * scale;
    }
}

/* `step` is 16 or 32 elements of one run, whose codes are in neighbouring bytes. */
INLINE void fill_numbers(const Layout *layout, float *restrict out, Py_ssize_t blocks, const int has_high,
                         const int has_shifts, const int step)
{
    const uint8_t *low = layout->low.bytes, *high = layout->high.bytes;
    const uint32_t low_mask = mask_of(&layout->low), high_mask = mask_of(&layout->high);
    const Py_ssize_t elements = layout->elements, run = layout->run;
    const int at = layout->low.bits, minus = layout->minus;
    float scale_buffer[MOST_RUNS], shift_buffer[MOST_RUNS];
    const float *scales, *shifts = NULL;
    Py_ssize_t block, i, end;
    int part;

    for (block = 0; block < blocks; block++, low += layout->low.stride, high += has_high ? layout->high.stride : 0) {
        scales = scales_of(&layout->scales, block, layout->runs, scale_buffer);
        if (has_shifts) shifts = scales_of(&layout->shifts, block, layout->runs, shift_buffer);
        for (i = 0; i < elements; scales++, shifts += has_shifts) {
            const float scale = *scales, shift = has_shifts ? *shifts : 0;
            for (end = i + run; i < end; i += step, out += step) {
                const Place place = layout->low_places[i], above = layout->high_places[i];
                for (part = 0; part < step; part += 16) { /* bits that come from a neighbouring byte are masked */
                    Sixteen word = unpacked(low + place.byte + part, place.shift, low_mask);
                    if (has_high) {
                        word = joined(word, unpacked(high + above.byte + part, above.shift, high_mask), at);
                    }
                    fill_sixteen(word, minus, scale, shift, out + part, has_shifts);
                }
            }
        }
    }
}

/* Numbers that are stored as they are. */
static void fill_bytes(const Layout *layout, float *restrict out, Py_ssize_t blocks)
{
    const int8_t *low = (const int8_t *)layout->low.bytes;
    float buffer[MOST_RUNS];
    const float *scales;
    Py_ssize_t block, i, end;
    int j;

    for (block = 0; block < blocks; block++, low += layout->low.stride) {
        scales = scales_of(&layout->scales, block, layout->runs, buffer);
        for (i = 0; i < layout->elements; scales++) {
            const float scale = *scales;
            for (end = i + layout->run; i < end; i += 32, out += 32) {
                for (j = 0; j < 32; j++) out[j] = (float)low[i + j] * scale;
            }
        }
    }
}

/* A table of 16 elements: all products of a run are known before its first element. */
static void fill_entries(const Layout *layout, float *restrict out, Py_ssize_t blocks)
{
    const uint8_t *low = layout->low.bytes;
    float buffer[MOST_RUNS], products[16];
    const float *scales;
    Py_ssize_t block, i, end;
    int j;

    for (block = 0; block < blocks; block++, low += layout->low.stride) {
        scales = scales_of(&layout->scales, block, layout->runs, buffer);
        for (i = 0; i < layout->elements; scales++) {
            for (j = 0; j < 16; j++) products[j] = (float)layout->table[j] * *scales;
            for (end = i + layout->run; i < end; i += 8, out += 8) {
                const Place place = layout->low_places[i];
                for (j = 0; j < 8; j++) out[j] = products[low[place.byte + j] >> place.shift & 15];
            }
        }
    }
}

INLINE uint64_t row_of(const Layout *layout, const uint8_t *low, const uint8_t *high, Py_ssize_t number,
                       const int is_wide, const int has_high, const int width)
{
    uint32_t code = low[number], four;
    uint64_t eight;
    uint16_t wide;

    if (is_wide) {
        memcpy(&wide, low + 2 * number, sizeof(wide));
        code = wide;
    }
    if (has_high) code |= (uint32_t)high[number] << 8;
    code &= (uint32_t)layout->last_row;
    if (width == 8) {
        memcpy(&eight, layout->table + 8 * (size_t)code, sizeof(eight));
        return eight;
    }
    memcpy(&four, layout->table + 4 * (size_t)code, sizeof(four));
    return four;
}

#define TOP_BITS UINT64_C(0x8080808080808080)

/* A table of rows of `width` elements, 4 or 8. */
INLINE void fill_rows(const Layout *layout, float *restrict out, Py_ssize_t blocks, const int is_wide,
                      const int has_high, const int has_signs, const int width)
{
    const uint8_t *low = layout->low.bytes, *high = layout->high.bytes, *signs = layout->signs.bytes;
    const int first = PY_BIG_ENDIAN && width == 4 ? 32 : 0;
    float buffer[MOST_RUNS];
    const float *scales;
    Py_ssize_t block, i, end, number;
    int8_t numbers[8];
    uint64_t row, flip;
    int j;

    for (block = 0; block < blocks; block++) {
        scales = scales_of(&layout->scales, block, layout->runs, buffer);
        number = 0;
        for (i = 0; i < layout->elements; scales++) {
            const float scale = *scales;
            for (end = i + layout->run; i < end; i += 8, out += 8) {
                row = row_of(layout, low, high, number++, is_wide, has_high, width) << first;
                if (width == 4) row |= row_of(layout, low, high, number++, is_wide, has_high, width) << (32 - first);
                if (has_signs) { /* in two's complement, -v is (v ^ -1) + 1 */
                    memcpy(&flip, layout->flips + 8 * (size_t)(signs[i / 8] & layout->last_flips), sizeof(flip));
                    row ^= flip;
                    row = ((row & ~TOP_BITS) + (flip & TOP_BITS >> 7)) ^ (row & TOP_BITS);
                }
                memcpy(numbers, &row, sizeof(row));
                for (j = 0; j < 8; j++) out[j] = (float)numbers[j] * scale;
            }
        }
        low += layout->low.stride;
        high += has_high ? layout->high.stride : 0;
        signs += has_signs ? layout->signs.stride : 0;
    }
}

#undef TOP_BITS

static void fill_blocks(const Layout *layout, float *out, Py_ssize_t blocks, const int shifts)
{
    const int has_high = layout->high.bits > 0, has_signs = layout->signs.bits > 0, is_wide = layout->low.bits == 16;
    const int is_long = layout->run % 32 == 0 && layout->low.group % 32 == 0 && layout->high.group % 32 == 0;

#define NUMBERS(step)                                                                            \
    has_high && shifts ? fill_numbers(layout, out, blocks, 1, 1, step)           \
    : has_high         ? fill_numbers(layout, out, blocks, 1, 0, step)           \
    : shifts           ? fill_numbers(layout, out, blocks, 0, 1, step)           \
                       : fill_numbers(layout, out, blocks, 0, 0, step)
#define ROWS(signs, width)                                                                       \
    is_wide    ? fill_rows(layout, out, blocks, 1, 0, signs, width)                      \
    : has_high ? fill_rows(layout, out, blocks, 0, 1, signs, width)                      \
               : fill_rows(layout, out, blocks, 0, 0, signs, width)

    if (layout->table == NULL && layout->low.bits == 8 && !has_high && !shifts && !layout->minus && is_long) {
        fill_bytes(layout, out, blocks);
    } else if (layout->table == NULL && is_long) {
        NUMBERS(32);
    } else if (layout->table == NULL) {
        NUMBERS(16);
    } else if (layout->width == 1) {
        fill_entries(layout, out, blocks);
    } else if (layout->width == 4 && has_signs) {
        ROWS(1, 4);
    } else if (layout->width == 4) {
        ROWS(0, 4);
    } else if (has_signs) {
        ROWS(1, 8);
    } else {
        ROWS(0, 8);
    }
#undef NUMBERS
#undef ROWS
}

#endif
