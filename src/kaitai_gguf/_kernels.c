/* The compiled kernels of dequantization, for its most frequent operations: one pass each, where numpy needs many.
 *
 * Nothing here knows how a block is laid out, or what types there are. Results equal those of numpy,
 * bit for bit: a product is rounded to float before something is added to it, so that this file must not be compiled
 * with fused multiply-add. Numbers are in the byte order of the machine. Only the stable ABI is used.
 */

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

static void fill_from_f16(const char *words, float *out, Py_ssize_t count)
{
    Py_ssize_t i;
    for (i = 0; i < count; i++) {
        uint16_t word; /* need not be aligned */
        memcpy(&word, words + 2 * i, sizeof(word));
        out[i] = half(word);
    }
}

static void fill_from_bf16(const char *words, float *out, Py_ssize_t count)
{
    Py_ssize_t i;
    for (i = 0; i < count; i++) {
        uint16_t word;
        memcpy(&word, words + 2 * i, sizeof(word));
        out[i] = as_float((uint32_t)word << 16);
    }
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
    int bits; /* 1, 2, 4, 8 or 16; 0 if there is no such field */
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

static int holds_floats(const Py_buffer *buffer, Py_ssize_t count)
{
    return buffer->len / (Py_ssize_t)sizeof(float) == count && buffer->len % (Py_ssize_t)sizeof(float) == 0 &&
           (uintptr_t)buffer->buf % sizeof(float) == 0;
}

static PyObject *none_or_misfit(int fits)
{
    if (fits) return Py_NewRef(Py_None);
    PyErr_SetString(PyExc_ValueError, "the sizes of the arrays don't match");
    return NULL;
}

static PyObject *fill(PyObject *arguments, void (*from)(const char *, float *, Py_ssize_t))
{
    Py_buffer words, out;
    int fits;

    if (!PyArg_ParseTuple(arguments, "y*w*", &words, &out)) return NULL;
    fits = words.len % 2 == 0 && holds_floats(&out, words.len / 2);
    if (fits) {
        Py_BEGIN_ALLOW_THREADS
        from((const char *)words.buf, (float *)out.buf, words.len / 2);
        Py_END_ALLOW_THREADS
    }
    PyBuffer_Release(&words);
    PyBuffer_Release(&out);
    return none_or_misfit(fits);
}

PyDoc_STRVAR(f16_doc, "f16(words, out)\n\nFills `out`, float32, with halves.");

static PyObject *kernels_f16(PyObject *self, PyObject *arguments)
{
    (void)self;
    return fill(arguments, fill_from_f16);
}

PyDoc_STRVAR(bf16_doc, "bf16(words, out)\n\nFills `out`, float32, with the numbers whose upper halves the words are.");

static PyObject *kernels_bf16(PyObject *self, PyObject *arguments)
{
    (void)self;
    return fill(arguments, fill_from_bf16);
}

/* Lends the memory of an array (blocks, numbers) whose rows may be apart. Returns 1 if it is one, 0 if not, -1 for an
 * error. */
static int get_field(PyObject *array, int bits, Py_ssize_t group, Py_buffer *view, Field *field, Py_ssize_t *blocks)
{
    Py_ssize_t itemsize = bits == 16 ? 2 : 1;

    if (PyObject_GetBuffer(array, view, PyBUF_STRIDED_RO | PyBUF_FORMAT) < 0) return -1;
    if (view->ndim != 2 || view->itemsize != itemsize || (view->shape[1] > 1 && view->strides[1] != itemsize)) return 0;
    if (bits != 1 && bits != 2 && bits != 4 && bits != 8 && bits != 16) return 0;
    if (*blocks < 0) *blocks = view->shape[0];
    field->bytes = (const uint8_t *)view->buf;
    field->stride = view->strides[0];
    field->size = view->shape[1] * itemsize;
    field->group = bits < 8 ? group : field->size;
    field->bits = bits;
    return view->shape[0] == *blocks && group > 0 && field->size > 0 && field->size <= 2 * LONGEST &&
           field->size % field->group == 0;
}

static Py_ssize_t numbers_in(const Field *field)
{
    return field->size * 8 / field->bits;
}

static void find_places(const Field *field, Place *places)
{
    Py_ssize_t planes = field->bits < 8 ? 8 / field->bits : 1, i;
    for (i = 0; i < numbers_in(field); i++) {
        places[i].byte = (uint16_t)(i / (planes * field->group) * field->group + i % field->group);
        places[i].shift = (uint16_t)(i / field->group % planes * field->bits);
    }
}

/* Sets the number of rows, less 1, if it is a power of two. */
static int has_rows(const Py_buffer *table, Py_ssize_t width, Py_ssize_t *last)
{
    *last = table->len / width - 1;
    return table->len > 0 && table->len % width == 0 && (table->len / width & *last) == 0;
}

/* Whether the fields and tables belong together, so that nothing is read beyond them. */
static int completes(Layout *layout, const Py_buffer *table, const Py_buffer *flips)
{
    Field *low = &layout->low, *high = &layout->high, *signs = &layout->signs;

    layout->codes = numbers_in(low);
    if (layout->codes > LONGEST || (high->bits && (high->bits > 8 || numbers_in(high) != layout->codes))) return 0;
    if (table->buf == NULL) {
        layout->elements = layout->codes;
        find_places(low, layout->low_places);
        if (high->bits) find_places(high, layout->high_places);
        return !signs->bits && low->bits <= (high->bits ? 4 : 8) && low->group % 16 == 0 && high->group % 16 == 0;
    }
    layout->table = (const int8_t *)table->buf;
    layout->elements = layout->codes * layout->width;
    if (layout->elements > LONGEST) return 0;
    if (layout->width == 1) {
        find_places(low, layout->low_places);
        return low->bits == 4 && low->group % 8 == 0 && table->len == 16 && !high->bits && !signs->bits;
    }
    if ((layout->width != 4 && layout->width != 8) || low->bits < 8 || (high->bits && low->bits + high->bits != 16) ||
        !has_rows(table, layout->width, &layout->last_row)) {
        return 0;
    }
    layout->flips = (const int8_t *)flips->buf;
    return !signs->bits || (layout->flips != NULL && signs->size * 8 == layout->elements && has_rows(flips, 8, &layout->last_flips));
}

/* Whether the items of an array are of a type of `struct`, in the byte order of the machine. */
static int holds(const Py_buffer *view, char type)
{
    const char *format = view->format;
    if (strchr("@=^", *format) || *format == (PY_BIG_ENDIAN ? '>' : '<')) format++;
    return format[0] == type && format[1] == 0;
}

/* The scales are (array, integers, factor): floats (blocks, runs); or halves (blocks) with integers (blocks, runs) or
 * None, and then one run. Returns as `get_field` does. */
static int get_scales(PyObject *given, Py_buffer *view, Py_buffer *integers_view, Scales *scales, Py_ssize_t blocks,
                      Py_ssize_t *runs)
{
    PyObject *array, *integers;
    Field field;
    int fits;

    if (!PyArg_ParseTuple(given, "OOf", &array, &integers, &scales->factor)) return -1;
    if (PyObject_GetBuffer(array, view, PyBUF_STRIDED_RO | PyBUF_FORMAT) < 0) return -1;
    if (holds(view, 'f')) {
        scales->floats = (const float *)view->buf;
        *runs = view->ndim == 2 ? view->shape[1] : 0;
        return view->ndim == 2 && view->shape[0] == blocks && integers == Py_None && PyBuffer_IsContiguous(view, 'C') &&
               holds_floats(view, blocks * *runs);
    }
    if (!holds(view, 'e') || view->ndim != 1 || view->shape[0] != blocks) return 0;
    scales->halves = (const uint8_t *)view->buf;
    scales->half_stride = view->strides[0];
    *runs = 1;
    if (integers == Py_None) return 1;
    fits = get_field(integers, 8, 1, integers_view, &field, &blocks);
    if (fits <= 0) return fits;
    scales->integers = field.bytes;
    scales->stride = field.stride;
    scales->is_signed = holds(integers_view, 'b');
    *runs = field.size;
    return *runs <= MOST_RUNS;
}

static int finds_runs(Layout *layout, Py_ssize_t shift_runs, int has_shifts)
{
    if (layout->runs <= 0 || layout->elements % layout->runs) return 0;
    if (has_shifts && (shift_runs != layout->runs || layout->table != NULL || layout->minus)) return 0;
    layout->run = layout->elements / layout->runs;
    return layout->run % (layout->table == NULL ? 16 : 8) == 0;
}

PyDoc_STRVAR(scale_doc,
             "scale(low, high, minus, table, width, signs, flips, scales, shifts, out)\n\n"
             "Fills `out`, float32, with the elements of blocks, each multiplied by the scale of its run, to which the\n"
             "shift of its run is added if there are shifts.\n\n"
             "low, high       the codes: (array, bits, group), of arrays (blocks, bytes) whose rows may be apart; high\n"
             "                may be None. With a table of rows, the codes have 8 bits, or 8 low and 8 high ones, or 16\n"
             "minus           what is subtracted from each code, unless there is a table\n"
             "table           None, or int8, rows of `width` elements, as many as a power of two: what codes stand for\n"
             "signs           None, or an array (blocks, bytes), a byte for eight elements: the row of `flips`, which\n"
             "                are eight bytes each, 255 where an element is negative\n"
             "scales, shifts  (array, integers, factor): float32 (blocks, runs); or halves (blocks), each × factor ×\n"
             "                the integers (blocks, runs), int8 or uint8, unless these are None; shifts may be None\n");

static PyObject *kernels_scale(PyObject *self, PyObject *arguments)
{
    PyObject *low, *high, *signs, *scales, *shifts, *array;
    enum { LOW, HIGH, SIGNS, SCALES, SCALE_INTEGERS, SHIFTS, SHIFT_INTEGERS, VIEWS };
    Py_buffer views[VIEWS] = {0}, table, flips, out;
    Layout layout = {0};
    Py_ssize_t blocks = -1, group, shift_runs = 0;
    int bits, i, fits = -1;

    (void)self;
    if (!PyArg_ParseTuple(arguments, "O!Oiz*nOz*O!Ow*", &PyTuple_Type, &low, &high, &layout.minus, &table,
                          &layout.width, &signs, &flips, &PyTuple_Type, &scales, &shifts, &out)) {
        return NULL;
    }
    if (high != Py_None && !PyTuple_Check(high)) {
        PyErr_SetString(PyExc_TypeError, "high must be a tuple or None");
    } else if (shifts != Py_None && !PyTuple_Check(shifts)) {
        PyErr_SetString(PyExc_TypeError, "shifts must be a tuple or None");
    } else if (PyArg_ParseTuple(low, "Oin", &array, &bits, &group)) {
        fits = get_field(array, bits, group, &views[LOW], &layout.low, &blocks);
        layout.high.bytes = layout.signs.bytes = layout.low.bytes; /* from which nothing is read */
    }
    if (fits > 0 && high != Py_None) {
        fits = PyArg_ParseTuple(high, "Oin", &array, &bits, &group)
                   ? get_field(array, bits, group, &views[HIGH], &layout.high, &blocks)
                   : -1;
    }
    if (fits > 0 && signs != Py_None) fits = get_field(signs, 8, 1, &views[SIGNS], &layout.signs, &blocks);
    if (fits > 0) {
        fits = get_scales(scales, &views[SCALES], &views[SCALE_INTEGERS], &layout.scales, blocks, &layout.runs);
    }
    if (fits > 0 && shifts != Py_None) {
        fits = get_scales(shifts, &views[SHIFTS], &views[SHIFT_INTEGERS], &layout.shifts, blocks, &shift_runs);
    }
    if (fits > 0) {
        fits = completes(&layout, &table, &flips) && finds_runs(&layout, shift_runs, shifts != Py_None) &&
               holds_floats(&out, blocks * layout.elements);
    }
    if (fits > 0) {
        Py_BEGIN_ALLOW_THREADS
        fill_blocks(&layout, (float *)out.buf, blocks, shifts != Py_None);
        Py_END_ALLOW_THREADS
    }
    for (i = 0; i < VIEWS; i++) PyBuffer_Release(&views[i]);
    PyBuffer_Release(&table);
    PyBuffer_Release(&flips);
    PyBuffer_Release(&out);
    return fits < 0 ? NULL : none_or_misfit(fits);
}

static PyMethodDef methods[] = {
    {"f16", kernels_f16, METH_VARARGS, f16_doc},
    {"bf16", kernels_bf16, METH_VARARGS, bf16_doc},
    {"scale", kernels_scale, METH_VARARGS, scale_doc},
    {NULL, NULL, 0, NULL},
};

static PyModuleDef_Slot slots[] = {{0, NULL}};

static struct PyModuleDef module = {
    PyModuleDef_HEAD_INIT,
    "kaitai_gguf._kernels",
    "The compiled kernels of kaitai_gguf.dequantize.",
    0,
    methods,
    slots,
    NULL,
    NULL,
    NULL,
};

PyMODINIT_FUNC PyInit__kernels(void)
{
    return PyModuleDef_Init(&module);
}
