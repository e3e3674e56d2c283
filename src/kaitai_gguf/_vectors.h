/* Converts float16 to float32, and operates on vectors of 16 numbers.
 *
 * Operations on codes use GNU C's vector types, for which compilers generate faster code than for loops; other compilers
 * get loops. Operations on floats are loops for all compilers: these are compiled to vectors of any size.
 */

#ifndef KAITAI_GGUF_VECTORS_H
#define KAITAI_GGUF_VECTORS_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <stdint.h>
#include <string.h>

/* For functions that compilers specialize for constant arguments, or for the processor. */
#ifdef __GNUC__
#define INLINE static inline __attribute__((always_inline))
#else
#define INLINE static __forceinline
#endif

INLINE float as_float(uint32_t bits)
{
    float number;
    memcpy(&number, &bits, sizeof(number));
    return number;
}

INLINE uint32_t as_bits(float number)
{
    uint32_t bits;
    memcpy(&bits, &number, sizeof(bits));
    return bits;
}

/* Converts a float16 to float32. If its exponent is moved to the position in a float32, and 224 is added, the number is
 * too large by a factor of 2^112, while infinity and NaN have the right exponent. Subnormal float16s are multiples of
 * 2^-24. Both results are computed, and one is selected without a branch, so compilers can vectorize the function. */
INLINE float half(uint16_t bits)
{
    uint32_t magnitude = bits & 0x7FFFu, sign = (uint32_t)(bits & 0x8000u) << 16;
    float normal = as_float((magnitude << 13) + (224u << 23)) * 0x1p-112f;
    float subnormal = (float)(int32_t)magnitude * 0x1p-24f;
    uint32_t is_subnormal = 0u - (uint32_t)(magnitude < 0x0400u);
    return as_float((as_bits(subnormal) & is_subnormal) | (as_bits(normal) & ~is_subnormal) | sign);
}

/* Memory is prefetched so many bytes before it is written or read. Without the former, filling 64 MiB took up to a third
 * longer on Intel's processors; without the latter, up to a quarter longer on AMD's. Prefetching memory that does not
 * exist is not an error. */
#ifdef __GNUC__
#define PREFETCH(address, is_written) __builtin_prefetch((const void *)((uintptr_t)(address) + 4096), is_written)
#else
#define PREFETCH(address, is_written) ((void)(address))
#endif

/* These functions, and what is inlined in them, are compiled twice, for any x86 processor and for AVX2. The version to
 * run is selected when the module is loaded, which musl does not support. */
#if defined(__x86_64__) && defined(__GLIBC__) && !defined(FOR_ANY_PROCESSOR)
#define FOR_PROCESSORS __attribute__((target_clones("avx2", "default")))
#else
#define FOR_PROCESSORS
#endif

/* Sixteen has 16 bytes as four words, which are shifted and masked together. Numbers has 16 numbers of 16 bits. */
#if defined(__GNUC__) && !defined(WITHOUT_VECTORS)
typedef uint32_t Sixteen __attribute__((vector_size(16)));
typedef uint8_t Bytes __attribute__((vector_size(16)));
typedef uint16_t Numbers __attribute__((vector_size(32)));

/* Moves bits from position `from` of bytes to position `to`. Shifts by constants take fewer instructions. */
INLINE void move(Sixteen *bytes, const int count, int from, int to)
{
    int i;
    if (from == to) return;
    if (from == to + 4) {
        for (i = 0; i < count; i++) bytes[i] >>= 4;
    } else if (from > to) {
        for (i = 0; i < count; i++) bytes[i] >>= from - to;
    } else {
        for (i = 0; i < count; i++) bytes[i] <<= to - from;
    }
}

INLINE void keep(Sixteen *bytes, uint32_t mask)
{
    *bytes &= mask;
}

INLINE void set_words(Sixteen *bytes, uint32_t first, uint32_t second, uint32_t third, uint32_t fourth)
{
    *bytes = (Sixteen){first, second, third, fourth};
}

INLINE void join(Sixteen *low, const Sixteen *high)
{
    *low |= *high;
}

INLINE void flip_bytes(Sixteen *bytes, uint32_t mask)
{
    *bytes ^= mask;
}

INLINE void add(Sixteen *codes, uint8_t number)
{
    *codes = (Sixteen)((Bytes)*codes + number);
}

/* Negates the bytes where `flips` has 255: in two's complement, -v is (v ^ -1) - (-1). */
INLINE void negate(Sixteen *bytes, const Sixteen *flips)
{
    *bytes = (Sixteen)((Bytes)(*bytes ^ *flips) - (Bytes)*flips);
}

INLINE void multiply(Numbers *numbers, const Numbers *factors, int shift)
{
    *numbers = *numbers * *factors >> shift;
}

INLINE void join_numbers(Numbers *low, const Numbers *high, int at)
{
    *low |= *high << at;
}

INLINE void flip(Numbers *numbers, uint16_t bits)
{
    *numbers ^= bits;
}

/* The first digit of a byte is byte × 3 / 256, rounded down. (byte × 3) modulo 256 has the remaining digits. */
INLINE void take_digits(Numbers *bytes, const Numbers *powers)
{
    *bytes = (*bytes * *powers & 0xFF) * 3 >> 8;
}
#else
typedef struct {
    uint32_t words[4];
} Sixteen;

typedef struct {
    uint16_t items[16];
} Numbers;

INLINE void move(Sixteen *bytes, const int count, int from, int to)
{
    int i, j;
    for (i = 0; i < count; i++) {
        uint32_t *words = bytes[i].words;
        for (j = 0; j < 4; j++) words[j] = from > to ? words[j] >> (from - to) : words[j] << (to - from);
    }
}

INLINE void keep(Sixteen *bytes, uint32_t mask)
{
    int i;
    for (i = 0; i < 4; i++) bytes->words[i] &= mask;
}

INLINE void set_words(Sixteen *bytes, uint32_t first, uint32_t second, uint32_t third, uint32_t fourth)
{
    const uint32_t words[4] = {first, second, third, fourth};
    memcpy(bytes->words, words, sizeof(words));
}

INLINE void join(Sixteen *low, const Sixteen *high)
{
    int i;
    for (i = 0; i < 4; i++) low->words[i] |= high->words[i];
}

INLINE void flip_bytes(Sixteen *bytes, uint32_t mask)
{
    int i;
    for (i = 0; i < 4; i++) bytes->words[i] ^= mask;
}

INLINE void add(Sixteen *codes, uint8_t number)
{
    uint8_t *bytes = (uint8_t *)codes;
    int i;
    for (i = 0; i < 16; i++) bytes[i] = (uint8_t)(bytes[i] + number);
}

INLINE void negate(Sixteen *bytes, const Sixteen *flips)
{
    const uint8_t *flip = (const uint8_t *)flips;
    uint8_t *byte = (uint8_t *)bytes;
    int i;
    for (i = 0; i < 16; i++) byte[i] = (uint8_t)((byte[i] ^ flip[i]) - flip[i]);
}

INLINE void multiply(Numbers *numbers, const Numbers *factors, int shift)
{
    uint16_t *items = numbers->items;
    int i;
    for (i = 0; i < 16; i++) items[i] = (uint16_t)((uint16_t)((uint32_t)items[i] * factors->items[i]) >> shift);
}

INLINE void join_numbers(Numbers *low, const Numbers *high, int at)
{
    int i;
    for (i = 0; i < 16; i++) low->items[i] = (uint16_t)(low->items[i] | high->items[i] << at);
}

INLINE void flip(Numbers *numbers, uint16_t bits)
{
    int i;
    for (i = 0; i < 16; i++) numbers->items[i] ^= bits;
}

INLINE void take_digits(Numbers *bytes, const Numbers *powers)
{
    int i;
    for (i = 0; i < 16; i++) bytes->items[i] = (uint16_t)((bytes->items[i] * powers->items[i] & 0xFF) * 3 >> 8);
}
#endif

/* A loop for all compilers: GCC generates slower code for __builtin_convertvector. */
INLINE void widen(const Sixteen *bytes, Numbers *numbers)
{
    uint8_t narrow[16];
    uint16_t wide[16];
    int i;

    memcpy(narrow, bytes, sizeof(narrow));
    for (i = 0; i < 16; i++) wide[i] = narrow[i];
    memcpy(numbers, wide, sizeof(wide));
}

/* Returns which of four bits of a byte are set: 128 for each one in a byte of its own. A byte with a bit, plus 127, has
 * its highest bit set. */
INLINE uint32_t four_bits(uint8_t byte, const uint8_t *bits)
{
    const uint32_t ones = UINT32_C(0x01010101);
    uint32_t wanted;
    memcpy(&wanted, bits, sizeof(wanted));
    return ((byte * ones & wanted) + 127 * ones) & 128 * ones;
}

/* Spreads 16 bits to as many bytes, each to bit `to`. */
INLINE void spread(const uint8_t *packed, int to, Sixteen *codes)
{
    static const uint8_t bits[8] = {1, 2, 4, 8, 16, 32, 64, 128};
    set_words(codes, four_bits(packed[0], bits), four_bits(packed[0], bits + 4), four_bits(packed[1], bits),
              four_bits(packed[1], bits + 4));
    move(codes, 1, 7, to);
}

/* out = (number + plus) × scale, or number × scale + shift if there are shifts. */
INLINE void fill(const Numbers *numbers, float plus, float scale, float shift, float *restrict out,
                 const int has_shifts)
{
    uint16_t items[16];
    int i;

    PREFETCH(out, 1);
    memcpy(items, numbers, sizeof(items));
    for (i = 0; i < 16; i++) {
        const float number = (float)items[i];
        out[i] = has_shifts ? number * scale + shift : (number + plus) * scale;
    }
}

/* Fills four floats in each of four rows, which have their own scales and are `stride` floats apart. */
INLINE void fill_fours(const Numbers *numbers, float plus, const float *scales, float *out, Py_ssize_t stride)
{
    uint16_t items[16];
    float floats[16];
    int i;

    memcpy(items, numbers, sizeof(items));
    for (i = 0; i < 16; i++) floats[i] = ((float)items[i] + plus) * scales[i / 4];
    for (i = 0; i < 4; i++) memcpy(out + i * stride, floats + 4 * i, 4 * sizeof(float));
}

/* Reads groups of 16 bytes, moves their bits, and keeps the bits in `mask`. Others may come from neighbouring bytes. */
INLINE void unpack(const uint8_t *packed, const int count, int from, int to, uint32_t mask, Sixteen *codes)
{
    int i;
    for (i = 0; i < count; i++) memcpy(&codes[i], packed + 16 * i, sizeof(*codes));
    move(codes, count, from, to);
    for (i = 0; i < count; i++) keep(&codes[i], mask);
}

#endif
