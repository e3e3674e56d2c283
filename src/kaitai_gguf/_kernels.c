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

#include "_blocks.h"

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
    return !signs->bits || (layout->flips != NULL && signs->size * 8 == layout->elements &&
                            has_rows(flips, 8, &layout->last_flips));
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
