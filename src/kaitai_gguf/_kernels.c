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

static void fill_scaled(const int8_t *numbers, const float *scales, float *out, Py_ssize_t runs, Py_ssize_t run)
{
    Py_ssize_t i;
    for (; runs > 0; runs--, numbers += run, out += run, scales++) {
        for (i = 0; i < run; i++) out[i] = (float)numbers[i] * *scales;
    }
}

static void fill_scaled_and_shifted(const int8_t *numbers, const float *scales, const float *shifts, float *out,
                                    Py_ssize_t runs, Py_ssize_t run)
{
    Py_ssize_t i;
    for (; runs > 0; runs--, numbers += run, out += run, scales++, shifts++) {
        for (i = 0; i < run; i++) out[i] = (float)numbers[i] * *scales + *shifts;
    }
}

static void fill_unpacked(const uint8_t *packed, uint8_t *out, Py_ssize_t groups, Py_ssize_t group, int bits, int at)
{
    uint8_t mask = (uint8_t)(((1 << bits) - 1) << at);
    Py_ssize_t i;
    int shift;
    for (; groups > 0; groups--, packed += group) {
        for (shift = 0; shift < 8; shift += bits, out += group) {
            for (i = 0; i < group; i++) out[i] = (uint8_t)(packed[i] << at >> shift) & mask;
        }
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

PyDoc_STRVAR(scale_doc,
             "scale(numbers, scales, shifts, out)\n\n"
             "Fills `out` with int8 numbers, each multiplied by the scale of its run, to which the shift of its run is\n"
             "added if there are shifts. Runs are as long as there are scales for; all but the numbers are float32.");

static PyObject *kernels_scale(PyObject *self, PyObject *arguments)
{
    Py_buffer numbers, scales, shifts, out;
    Py_ssize_t runs;
    int fits;

    (void)self;
    if (!PyArg_ParseTuple(arguments, "y*y*z*w*", &numbers, &scales, &shifts, &out)) return NULL;
    runs = scales.len / (Py_ssize_t)sizeof(float);
    fits = runs > 0 && numbers.len % runs == 0 && holds_floats(&scales, runs) && holds_floats(&out, numbers.len) &&
           (shifts.buf == NULL || holds_floats(&shifts, runs));
    if (fits) {
        Py_BEGIN_ALLOW_THREADS
        if (shifts.buf == NULL) {
            fill_scaled((const int8_t *)numbers.buf, (const float *)scales.buf, (float *)out.buf, runs,
                        numbers.len / runs);
        } else {
            fill_scaled_and_shifted((const int8_t *)numbers.buf, (const float *)scales.buf, (const float *)shifts.buf,
                                    (float *)out.buf, runs, numbers.len / runs);
        }
        Py_END_ALLOW_THREADS
    }
    PyBuffer_Release(&numbers);
    PyBuffer_Release(&scales);
    PyBuffer_Release(&shifts);
    PyBuffer_Release(&out);
    return none_or_misfit(fits);
}

PyDoc_STRVAR(unpack_doc,
             "unpack(packed, bits, group, at, out)\n\n"
             "Fills `out` with the numbers of 1, 2 or 4 bits in groups of bytes: the lowest bits of a group first.\n"
             "They start at bit `at` of the bytes in `out`.");

static PyObject *kernels_unpack(PyObject *self, PyObject *arguments)
{
    Py_buffer packed, out;
    Py_ssize_t group;
    int bits, at, fits;

    (void)self;
    if (!PyArg_ParseTuple(arguments, "y*iniw*", &packed, &bits, &group, &at, &out)) return NULL;
    fits = (bits == 1 || bits == 2 || bits == 4) && at >= 0 && at <= 8 - bits && group > 0 && packed.len % group == 0 &&
           out.len % (8 / bits) == 0 && out.len / (8 / bits) == packed.len;
    if (fits) {
        Py_BEGIN_ALLOW_THREADS
        fill_unpacked((const uint8_t *)packed.buf, (uint8_t *)out.buf, packed.len / group, group, bits, at);
        Py_END_ALLOW_THREADS
    }
    PyBuffer_Release(&packed);
    PyBuffer_Release(&out);
    return none_or_misfit(fits);
}

static PyMethodDef methods[] = {
    {"f16", kernels_f16, METH_VARARGS, f16_doc},
    {"bf16", kernels_bf16, METH_VARARGS, bf16_doc},
    {"scale", kernels_scale, METH_VARARGS, scale_doc},
    {"unpack", kernels_unpack, METH_VARARGS, unpack_doc},
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
