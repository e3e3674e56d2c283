/* The compiled kernels for the most frequent operations of dequantization: one pass each, where numpy needs many.
 *
 * This code is independent of tensor types and block layouts. Results equal those of numpy bit for bit: products are
 * rounded to float before something is added, so this file must not be compiled with fused multiply-add. Numbers are in
 * native byte order. Only the stable ABI is used.
 */

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <stdint.h>
#include <string.h>

#include "_blocks.h"

INLINE float from_bf16(uint16_t word)
{
    return as_float((uint32_t)word << 16);
}

INLINE void fill_from(const char *words, float *restrict out, Py_ssize_t count, float (*const number)(uint16_t))
{
    uint16_t word; /* memcpy, because words may be unaligned */
    Py_ssize_t i, j;

    for (i = 0; i + 16 <= count; i += 16) {
        PREFETCH(words + 2 * i, 0);
        PREFETCH(out + i, 1);
        for (j = i; j < i + 16; j++) {
            memcpy(&word, words + 2 * j, sizeof(word));
            out[j] = number(word);
        }
    }
    for (; i < count; i++) {
        memcpy(&word, words + 2 * i, sizeof(word));
        out[i] = number(word);
    }
}

FOR_PROCESSORS static void fill_from_f16(const char *words, float *out, Py_ssize_t count)
{
    fill_from(words, out, count, half);
}

FOR_PROCESSORS static void fill_from_bf16(const char *words, float *out, Py_ssize_t count)
{
    fill_from(words, out, count, from_bf16);
}

static int holds_floats(const Py_buffer *buffer, Py_ssize_t count)
{
    return buffer->len / (Py_ssize_t)sizeof(float) == count && buffer->len % (Py_ssize_t)sizeof(float) == 0 &&
           (uintptr_t)buffer->buf % sizeof(float) == 0;
}

/* Releases the GIL, unless work on so few elements takes less time than it takes to wake a thread that waits for it. */
static PyThreadState *release_gil(Py_ssize_t elements)
{
    return elements > 1 << 17 ? PyEval_SaveThread() : NULL;
}

static void take_gil_back(PyThreadState *released)
{
    if (released != NULL) PyEval_RestoreThread(released);
}

static PyObject *none_or_misfit(int fits)
{
    if (fits) return Py_NewRef(Py_None);
    PyErr_SetString(PyExc_ValueError, "the sizes of the arrays don't match");
    return NULL;
}

static PyObject *convert(PyObject *arguments, void (*from)(const char *, float *, Py_ssize_t))
{
    Py_buffer words, out;
    int fits;

    if (!PyArg_ParseTuple(arguments, "y*w*", &words, &out)) return NULL;
    fits = words.len % 2 == 0 && holds_floats(&out, words.len / 2);
    if (fits) {
        PyThreadState *released = release_gil(words.len / 2);
        from((const char *)words.buf, (float *)out.buf, words.len / 2);
        take_gil_back(released);
    }
    PyBuffer_Release(&words);
    PyBuffer_Release(&out);
    return none_or_misfit(fits);
}

PyDoc_STRVAR(f16_doc, "f16(words, out)\n\nFills `out`, float32, with halves.");

static PyObject *kernels_f16(PyObject *self, PyObject *arguments)
{
    (void)self;
    return convert(arguments, fill_from_f16);
}

PyDoc_STRVAR(bf16_doc, "bf16(words, out)\n\nFills `out`, float32, with the numbers whose upper halves the words are.");

static PyObject *kernels_bf16(PyObject *self, PyObject *arguments)
{
    (void)self;
    return convert(arguments, fill_from_bf16);
}

/* Returns whether the `count` numbers from `first` on are neighbours. */
static int are_neighbours(const Field *field, Py_ssize_t first, Py_ssize_t count)
{
    const uint16_t *places = field->places + first, *shifts = field->shifts + first;
    Py_ssize_t i;

    if (first + count > field->count || (!field->is_ternary && *shifts + field->bits > 8)) return 0;
    for (i = 1; i < count; i++) {
        if (places[i] != *places + i || shifts[i] != *shifts) return 0;
    }
    return 1;
}

static void find_neighbours(Field *field)
{
    Py_ssize_t counts[] = {0, 32, 16, 8, 4}, first, i;

    while (are_neighbours(field, field->sixteens, 16)) field->sixteens += 16;
    counts[0] = field->count;
    field->neighbours = -1;
    for (i = 0; field->neighbours < 0 && i < 5; i++) {
        for (first = 0; first < field->count && are_neighbours(field, first, counts[i]);) first += counts[i];
        if (first == field->count) field->neighbours = counts[i];
    }
}

static int are_bits(const Field *field)
{
    Py_ssize_t i;
    for (i = 0; i < field->count; i++) {
        if (field->places[i] != i / 8 || field->shifts[i] != i % 8) return 0;
    }
    return field->bits == 1 && field->count % 16 == 0;
}

static const uint16_t POWERS[8] = {1, 3, 9, 27, 81}; /* powers of 3 */

/* Sets the places of the numbers. Returns whether all of them are within the field. */
static int find_places(Field *field, const Py_buffer *positions)
{
    uint16_t position;
    Py_ssize_t i;

    field->count = positions->len / (Py_ssize_t)sizeof(position);
    if (field->count <= 0 || field->count > LONGEST || positions->len % (Py_ssize_t)sizeof(position)) return 0;
    for (i = 0; i < field->count; i++) {
        memcpy(&position, (const char *)positions->buf + 2 * i, sizeof(position));
        field->places[i] = position / 8;
        field->shifts[i] = position % 8;
        if ((position + (field->is_ternary ? 1 : field->bits) + 7) / 8 > field->size) return 0;
        if (field->is_ternary && position % 8 > 4) return 0;
        field->factors[i] = POWERS[position % 8];
    }
    find_neighbours(field);
    field->is_bits = are_bits(field);
    if (!is_in_pairs(field)) return 1;
    for (i = 0; i < field->count; i++) {
        if (field->places[i] + 1 == field->size) { /* read the previous byte instead of the next */
            field->places[i]--;
            field->shifts[i] += 8;
        }
        field->factors[i] = (uint16_t)(1u << (16 - field->shifts[i] - field->bits));
    }
    return field->size > 1;
}

/* Returns the stride of an axis. Exporters such as ctypes give no strides for contiguous arrays. */
static Py_ssize_t stride_of(const Py_buffer *view, int axis)
{
    if (view->strides != NULL) return view->strides[axis];
    return axis + 1 < view->ndim ? view->shape[axis + 1] * view->itemsize : view->itemsize;
}

/* Reads (array, bits, positions) and borrows the memory of the array (blocks, bytes), whose rows may have gaps. Returns
 * 1 if it is a field of `*blocks` blocks, or of any number if `*blocks` is negative; 0 if not; -1 for an error. */
static int get_field(PyObject *given, Py_buffer *view, Field *field, Py_ssize_t *blocks)
{
    Py_buffer positions;
    PyObject *array;
    int fits;

    if (!PyTuple_Check(given)) {
        PyErr_SetString(PyExc_TypeError, "a field must be a tuple (array, bits, positions)");
        return -1;
    }
    if (!PyArg_ParseTuple(given, "Oiy*", &array, &field->bits, &positions)) return -1;
    fits = PyObject_GetBuffer(array, view, PyBUF_STRIDED_RO | PyBUF_FORMAT) < 0 ? -1 : 1;
    if (fits > 0) {
        field->is_ternary = field->bits == -1;
        if (field->is_ternary) field->bits = 2;
        fits = view->ndim == 2 && view->itemsize == 1 && (view->shape[1] <= 1 || stride_of(view, 1) == 1) &&
               field->bits > 0 && field->bits <= 9 && (*blocks < 0 || view->shape[0] == *blocks);
    }
    if (fits > 0) {
        *blocks = view->shape[0];
        field->bytes = (const uint8_t *)view->buf;
        field->stride = stride_of(view, 0);
        field->size = view->shape[1];
        fits = find_places(field, &positions);
    }
    PyBuffer_Release(&positions);
    return fits;
}

/* Reads a tuple of fields that make up numbers, or None. Returns the same as `get_field`. */
static int get_parts(PyObject *given, Py_buffer *views, Field *parts, Py_ssize_t *blocks)
{
    Py_ssize_t count, i;
    PyObject *part;
    int fits = 1;

    if (given == Py_None) return 1;
    count = PyTuple_Check(given) ? PyTuple_Size(given) : -1;
    if (count < 0) PyErr_SetString(PyExc_TypeError, "the fields of a number must be in a tuple");
    if (count <= 0 || count > MOST_PARTS) return count < 0 ? -1 : 0;
    for (i = 0; fits > 0 && i < count; i++) {
        part = PyTuple_GetItem(given, i);
        fits = part != NULL ? get_field(part, &views[i], &parts[i], blocks) : -1;
        if (fits > 0 && (parts[i].count != parts->count || (parts[i].is_ternary && count > 1))) fits = 0;
    }
    return fits;
}

static int bits_of(const Field *parts)
{
    int i, bits = 0;
    for (i = 0; i < MOST_PARTS; i++) bits += parts[i].bits;
    return bits;
}

/* Returns whether a table has a row, of `size` bytes, for every number that the fields can store. */
static int has_rows(const Py_buffer *table, Py_ssize_t size, const Field *parts)
{
    int bits = bits_of(parts);
    return bits <= 16 && !parts->is_ternary && table->buf != NULL && table->len >= size * ((Py_ssize_t)1 << bits);
}

/* Returns whether codes, signs and tables have matching sizes, so that nothing is read beyond them. */
static int completes(Layout *layout, const Py_buffer *table, const Py_buffer *flips)
{
    const Field *low = &layout->codes[0], *high = &layout->codes[1], *signs = layout->signs;

    if (!low->bits) return 0;
    if (table->buf == NULL) layout->width = 1;
    if (layout->width != 1 && layout->width != 4 && layout->width != 8) return 0;
    layout->elements = low->count * layout->width;
    layout->table = (const int8_t *)table->buf;
    layout->flips = (const int8_t *)flips->buf;
    if (table->buf == NULL) {
        if (low->bits == 8) return !signs->bits && !high->bits && !layout->minus && is_bytes(low);
        return !signs->bits && !layout->codes[2].bits && bits_of(low) < 8 &&
               (low->is_ternary || (low->neighbours % 16 == 0 && (high->neighbours % 16 == 0 || high->is_bits)));
    }
    if (layout->width == 1) {
        return low->bits == 4 && low->neighbours % 8 == 0 && table->len == 16 && !high->bits && !signs->bits;
    }
    return layout->elements <= LONGEST && has_rows(table, layout->width, low) &&
           (!signs->bits || (signs->count * 8 == layout->elements && has_rows(flips, 8, signs)));
}

/* Returns whether the items of an array have this format of `struct`, in native byte order. */
static int holds(const Py_buffer *view, char type)
{
    const char *format = view->format;
    if (format == NULL || !*format) return 0;
    if (strchr("@=^", *format) || *format == (PY_BIG_ENDIAN ? '>' : '<')) format++;
    return format[0] == type && format[1] == 0;
}

/* Reads (d, integers, plus, factor), see `scale_doc`. Sets the number of runs. Returns the same as `get_field`. */
static int get_scales(PyObject *given, Py_buffer *view, Py_buffer *integers_views, Scales *scales, Py_ssize_t blocks,
                      Py_ssize_t *runs)
{
    PyObject *array, *integers;
    int fits;

    if (!PyTuple_Check(given)) {
        PyErr_SetString(PyExc_TypeError, "scales and shifts must be tuples (d, integers, plus, factor)");
        return -1;
    }
    if (!PyArg_ParseTuple(given, "OOff", &array, &integers, &scales->plus, &scales->factor)) return -1;
    if (PyObject_GetBuffer(array, view, PyBUF_STRIDED_RO | PyBUF_FORMAT) < 0) return -1;
    if (view->ndim < 1 || view->ndim > 2) return 0;
    scales->stride = stride_of(view, 0);
    if (view->ndim == 2) {
        scales->floats = (const uint8_t *)view->buf;
        *runs = view->shape[1];
        return holds(view, 'f') && view->shape[0] == blocks && integers == Py_None && *runs <= MOST_RUNS &&
               (*runs <= 1 || stride_of(view, 1) == sizeof(float));
    }
    fits = get_parts(integers, integers_views, scales->integers, &blocks);
    if (fits <= 0) return fits;
    *runs = integers == Py_None ? 1 : scales->integers->count;
    if (*runs > MOST_RUNS || scales->integers->is_ternary) return 0;
    if (holds(view, 'f')) {
        scales->table = (const float *)view->buf;
        return integers != Py_None && PyBuffer_IsContiguous(view, 'C') && holds_floats(view, view->shape[0]) &&
               is_bytes(scales->integers) && !scales->integers[1].bits &&
               has_rows(view, sizeof(float), scales->integers);
    }
    scales->halves = (const uint8_t *)view->buf;
    if (scales->integers->bits && holds(integers_views, 'b')) {
        scales->sign_bit = 0x80; /* v is (v ^ 128) - 128 for unsigned bytes v */
        scales->plus -= 128;
    }
    return holds(view, 'e') && view->shape[0] == blocks && bits_of(scales->integers) <= (scales->sign_bit ? 8 : 15);
}

static int finds_runs(Layout *layout, Py_ssize_t shift_runs, int has_shifts)
{
    Py_ssize_t i;

    if (layout->runs <= 0 || layout->elements % layout->runs) return 0;
    if (has_shifts && (shift_runs != layout->runs || layout->table != NULL || layout->minus)) return 0;
    if (has_shifts && (layout->codes->is_ternary || layout->codes->bits == 8)) return 0;
    layout->run = layout->elements / layout->runs;
    for (i = 0; i < layout->elements; i += 16) layout->run_of[i / 16] = (uint16_t)(i / layout->run);
    return layout->run % (layout->table != NULL && layout->width == 1 ? 8 : 16) == 0;
}

PyDoc_STRVAR(scale_doc,
             "scale(codes, minus, table, width, signs, flips, scales, shifts, out)\n\n"
             "Fills `out`, float32, with the elements of blocks, each multiplied by the scale of its run, to which the\n"
             "shift of its run is added if there are shifts. Numbers in blocks are given as tuples of one to three\n"
             "fields (array, bits, positions), which have their bits, the lowest ones first: an array (blocks, bytes)\n"
             "whose rows may be apart, and the first bit of each number as uint16. With -1 bits, numbers are ternary\n"
             "digits, digit k of byte b at position 8 × b + k.\n\n"
             "codes           the codes: neighbours of 16, or for the high part bits in order, unless there is a\n"
             "                table; for a table with single elements, of 4 bits and neighbours of 8\n"
             "minus           what is subtracted from each code, unless there is a table; codes of 8 bits are int8, and\n"
             "                nothing is subtracted or added\n"
             "table           None, or int8, rows of `width` elements, one for each code\n"
             "signs           None, or a number for eight elements: the row of `flips`, which are eight bytes each,\n"
             "                255 where an element is negative\n"
             "scales, shifts  (d, integers, plus, factor): float32 (blocks, runs) and None; or a float32 table and\n"
             "                the bytes that select from it; or halves (blocks), each × factor × (integer + plus) for the\n"
             "                integers of runs, whose arrays are uint8 or int8, or None; shifts may be None\n");

static PyObject *kernels_scale(PyObject *self, PyObject *arguments)
{
    enum { CODES, SIGNS = CODES + MOST_PARTS, SCALES = SIGNS + MOST_PARTS, SHIFTS = SCALES + 1 + MOST_PARTS };
    enum { VIEWS = SHIFTS + 1 + MOST_PARTS };
    PyObject *codes, *signs, *scales, *shifts;
    Py_buffer views[VIEWS] = {0}, table, flips, out;
    Layout layout = {0};
    Py_ssize_t blocks = -1, shift_runs = 0;
    int i, fits;

    (void)self;
    if (!PyArg_ParseTuple(arguments, "Oiz*nOz*OOw*", &codes, &layout.minus, &table, &layout.width, &signs, &flips,
                          &scales, &shifts, &out)) {
        return NULL;
    }
    fits = get_parts(codes, &views[CODES], layout.codes, &blocks);
    if (fits > 0) fits = get_parts(signs, &views[SIGNS], layout.signs, &blocks);
    if (fits > 0) {
        fits = get_scales(scales, &views[SCALES], &views[SCALES + 1], &layout.scales, blocks, &layout.runs);
    }
    if (fits > 0 && shifts != Py_None) {
        fits = get_scales(shifts, &views[SHIFTS], &views[SHIFTS + 1], &layout.shifts, blocks, &shift_runs);
    }
    if (fits > 0) {
        fits = completes(&layout, &table, &flips) && finds_runs(&layout, shift_runs, shifts != Py_None) &&
               blocks <= PY_SSIZE_T_MAX / LONGEST && holds_floats(&out, blocks * layout.elements);
    }
    if (fits > 0) {
        PyThreadState *released = release_gil(blocks * layout.elements);
        fill_blocks(&layout, (float *)out.buf, blocks, shifts != Py_None);
        take_gil_back(released);
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

static PyModuleDef_Slot slots[] = {
#ifdef Py_GIL_DISABLED
    {Py_mod_gil, Py_MOD_GIL_NOT_USED}, /* there is no state, and threads share only what they read */
#endif
    {0, NULL},
};

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
