/* The compiled scanner: calls the C index, which is generated from the schema, for Python.
 *
 * This code is independent of the format. Every function takes bytes, and returns positions or text. None means
 * "refused"; the caller runs the Python index to get the reason. Only the stable ABI is used.
 *
 * Other threads run while the bytes are read, because that can take long, e.g. from a network file system. The bytes,
 * and the positions that a caller passes, may change at any time: each number is read once, then checked, then used.
 */

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "../../generated/c/gguf_index.h"

#define MAX_ARGS 8
#define MAX_LISTS 8
#define MAX_ROW 64
#define FEW 1024 /* for fewer items than this, releasing and reacquiring the GIL would take longer than reading */

/* Finds the entry of a type that has an index, or a table. */
static const skip_entry *find_entry(const char *layout, const char *type, int is_table)
{
    const skip_entry *entry;
    for (entry = skip_entries; entry->layout != NULL; entry++) {
        if (strcmp(entry->layout, layout) != 0 || strcmp(entry->type, type) != 0) continue;
        if (is_table ? entry->read != NULL : entry->index != NULL) return entry;
    }
    PyErr_Format(PyExc_LookupError, "no %s of %s in %s", is_table ? "table" : "index", type, layout);
    return NULL;
}

PyDoc_STRVAR(index_doc,
             "index(layout, type, big_endian, buf, pos, args) -> ((positions, ...), end) | None\n\n"
             "Finds the end of one item, and the positions of its parts. Positions are 64-bit integers in native byte order, as bytes.");

static PyObject *scanner_index(PyObject *self, PyObject *arguments)
{
    const char *layout, *type;
    int big_endian, status, i;
    Py_buffer buf;
    unsigned long long pos;
    uint64_t args[MAX_ARGS], stop = 0;
    skip_list found[MAX_LISTS];
    PyObject *given, *positions = NULL, *result = NULL;
    const skip_entry *entry;

    (void)self;
    if (!PyArg_ParseTuple(arguments, "sspy*KO!", &layout, &type, &big_endian, &buf, &pos, &PyTuple_Type, &given))
        return NULL;
    memset(found, 0, sizeof(found));
    entry = find_entry(layout, type, 0);
    if (entry == NULL) goto done;
    if (PyTuple_Size(given) != entry->num_args || entry->num_args > MAX_ARGS || entry->num_lists > MAX_LISTS) {
        PyErr_Format(PyExc_TypeError, "the index of %s takes %d numbers", type, entry->num_args);
        goto done;
    }
    for (i = 0; i < entry->num_args; i++) {
        args[i] = PyLong_AsUnsignedLongLong(PyTuple_GetItem(given, i));
        if (PyErr_Occurred()) goto done;
    }
    Py_BEGIN_ALLOW_THREADS
    status = entry->index((const uint8_t *)buf.buf, (uint64_t)buf.len, pos, big_endian, args, found, &stop);
    Py_END_ALLOW_THREADS
    if (status == SKIP_NO_MEMORY) {
        PyErr_NoMemory();
        goto done;
    }
    if (status == SKIP_REFUSED) {
        result = Py_NewRef(Py_None);
        goto done;
    }
    positions = PyTuple_New(entry->num_lists);
    if (positions == NULL) goto done;
    for (i = 0; i < entry->num_lists; i++) {
        Py_ssize_t size = (Py_ssize_t)(found[i].size * sizeof(uint64_t));
        PyObject *list = PyBytes_FromStringAndSize((const char *)found[i].data, size);
        if (list == NULL) goto done;
        PyTuple_SetItem(positions, i, list);
    }
    result = Py_BuildValue("(OK)", positions, (unsigned long long)stop);
done:
    Py_XDECREF(positions);
    for (i = 0; i < MAX_LISTS; i++) free(found[i].data);
    PyBuffer_Release(&buf);
    return result;
}

/* Returns item `i` of an array of 64-bit integers. */
static uint64_t number_at(const Py_buffer *numbers, Py_ssize_t i)
{
    uint64_t number;
    memcpy(&number, (const char *)numbers->buf + i * (Py_ssize_t)sizeof(number), sizeof(number));
    return skip_once(number);
}

static Py_ssize_t count_of(const Py_buffer *numbers)
{
    return numbers->len / (Py_ssize_t)sizeof(uint64_t);
}

/* Fills the columns with the fields of the items at the positions. Needs no GIL. */
static int fill_columns(const skip_entry *entry, int big_endian, const Py_buffer *buf, const Py_buffer *positions,
                        uint64_t **columns)
{
    uint64_t row[MAX_ROW];
    Py_ssize_t i, count = count_of(positions);
    int field, j;
    for (i = 0; i < count; i++) {
        const uint64_t *next = row;
        uint64_t pos = number_at(positions, i);
        if (entry->read((const uint8_t *)buf->buf, (uint64_t)buf->len, pos, big_endian, row) != SKIP_DONE) return 0;
        for (field = 0; field < entry->num_fields; field++) {
            for (j = 0; j < entry->widths[field]; j++) *columns[field]++ = *next++;
        }
    }
    return 1;
}

PyDoc_STRVAR(table_doc,
             "table(layout, type, big_endian, buf, positions) -> (bytes, ...) | None\n\n"
             "The fields of the items at the positions: for each field its values, as unsigned 64-bit integers.");

static PyObject *scanner_table(PyObject *self, PyObject *arguments)
{
    const char *layout, *type;
    int big_endian, field, is_read;
    Py_buffer buf, positions;
    Py_ssize_t count;
    uint64_t *columns[MAX_ROW];
    PyObject *result = NULL;
    PyThreadState *released;
    const skip_entry *entry;

    (void)self;
    if (!PyArg_ParseTuple(arguments, "sspy*y*", &layout, &type, &big_endian, &buf, &positions)) return NULL;
    entry = find_entry(layout, type, 1);
    if (entry == NULL) goto done;
    count = count_of(&positions);
    result = PyTuple_New(entry->num_fields);
    if (result == NULL) goto done;
    for (field = 0; field < entry->num_fields; field++) {
        PyObject *column = PyBytes_FromStringAndSize(NULL, count * entry->widths[field] * (Py_ssize_t)sizeof(uint64_t));
        if (column == NULL) {
            Py_CLEAR(result);
            goto done;
        }
        PyTuple_SetItem(result, field, column);
        columns[field] = (uint64_t *)PyBytes_AsString(column); /* bytes are aligned for any number */
    }
    released = count > FEW ? PyEval_SaveThread() : NULL;
    is_read = fill_columns(entry, big_endian, &buf, &positions, columns);
    if (released != NULL) PyEval_RestoreThread(released);
    if (!is_read) {
        Py_DECREF(result);
        result = Py_NewRef(Py_None);
    }
done:
    PyBuffer_Release(&positions);
    PyBuffer_Release(&buf);
    return result;
}

/* A buffer, and the starts and ends of texts in it. */
typedef struct {
    Py_buffer buf, starts, ends;
} spans;

/* The bytes of one text. */
typedef struct {
    const char *data;
    Py_ssize_t size;
} text;

static void release_spans(spans *given)
{
    PyBuffer_Release(&given->buf);
    PyBuffer_Release(&given->starts);
    PyBuffer_Release(&given->ends);
}

static int parse_spans(PyObject *arguments, spans *given)
{
    if (!PyArg_ParseTuple(arguments, "y*y*y*", &given->buf, &given->starts, &given->ends)) return 0;
    if (given->starts.len == given->ends.len) return 1;
    PyErr_SetString(PyExc_ValueError, "as many starts as ends expected");
    release_spans(given);
    return 0;
}

/* Finds text `i`. Returns 0 if it is not in the buffer. Needs no GIL. */
static int find_text(const spans *given, Py_ssize_t i, text *found)
{
    uint64_t start = number_at(&given->starts, i), end = number_at(&given->ends, i);
    if (start > end || end > (uint64_t)given->buf.len) return 0;
    found->data = start == end ? "" : (const char *)given->buf.buf + start; /* empty buffers may be NULL */
    found->size = (Py_ssize_t)(end - start);
    return 1;
}

static PyObject *outside(void)
{
    PyErr_SetString(PyExc_IndexError, "text outside of the buffer");
    return NULL;
}

/* Returns the size of all texts with a zero byte after each; -1 if one is outside the buffer; -2 if too large. */
static Py_ssize_t joined_size(const spans *given)
{
    Py_ssize_t i, count = count_of(&given->starts), size = 0;
    text found;
    for (i = 0; i < count; i++) {
        if (!find_text(given, i, &found)) return -1;
        if (found.size >= PY_SSIZE_T_MAX - size) return -2;
        size += found.size + 1;
    }
    return size;
}

/* Writes the texts. Returns 0 if they no longer take `size` bytes, because the data changed. Needs no GIL. */
static int join_texts(const spans *given, char *target, Py_ssize_t size)
{
    Py_ssize_t i, count = count_of(&given->starts);
    text found;
    for (i = 0; i < count; i++) {
        if (!find_text(given, i, &found) || found.size >= size) return 0;
        memcpy(target, found.data, (size_t)found.size);
        target += found.size;
        *target++ = 0;
        size -= found.size + 1;
    }
    return size == 0;
}

PyDoc_STRVAR(join_doc,
             "join(buf, starts, ends) -> bytes\n\nWhat is between the positions, with a zero byte after each text.");

static PyObject *scanner_join(PyObject *self, PyObject *arguments)
{
    spans given;
    Py_ssize_t size;
    PyThreadState *released;
    PyObject *result = NULL;
    int is_joined;

    (void)self;
    if (!parse_spans(arguments, &given)) return NULL;
    size = joined_size(&given);
    if (size < 0) {
        result = size == -1 ? outside() : PyErr_NoMemory();
        goto done;
    }
    result = PyBytes_FromStringAndSize(NULL, size);
    if (result == NULL) goto done;
    released = count_of(&given.starts) > FEW ? PyEval_SaveThread() : NULL;
    is_joined = join_texts(&given, PyBytes_AsString(result), size);
    if (released != NULL) PyEval_RestoreThread(released);
    if (!is_joined) {
        Py_DECREF(result);
        result = outside();
    }
done:
    release_spans(&given);
    return result;
}

PyDoc_STRVAR(hashes_doc,
             "hashes(buf, starts, ends) -> bytes\n\n"
             "hash(bytes) of what is between the positions, as 64-bit integers in native byte order.");

/* Hashing creates objects, so it keeps the GIL: the caller passes a few thousand texts at a time. */
static PyObject *scanner_hashes(PyObject *self, PyObject *arguments)
{
    spans given;
    Py_ssize_t i, count;
    PyObject *result;

    (void)self;
    if (!parse_spans(arguments, &given)) return NULL;
    count = count_of(&given.starts);
    result = PyBytes_FromStringAndSize(NULL, count * (Py_ssize_t)sizeof(int64_t));
    for (i = 0; result != NULL && i < count; i++) {
        text found;
        PyObject *bytes = find_text(&given, i, &found) ? PyBytes_FromStringAndSize(found.data, found.size) : outside();
        int64_t hash = bytes == NULL ? -1 : PyObject_Hash(bytes); /* no object has the hash -1 */
        Py_XDECREF(bytes);
        if (hash == -1) {
            Py_CLEAR(result);
        } else {
            memcpy(PyBytes_AsString(result) + i * (Py_ssize_t)sizeof(hash), &hash, sizeof(hash));
        }
    }
    release_spans(&given);
    return result;
}

PyDoc_STRVAR(find_doc,
             "find(buf, (numbered, mask, starts, ends), name) -> int | None\n\n"
             "The number of the first text that is equal to the name. `numbered` is sorted: each of its items has the\n"
             "number of a text in the bits of `mask`, and the other bits of its hash.");

static PyObject *scanner_find(PyObject *self, PyObject *arguments)
{
    spans given;
    Py_buffer numbered;
    unsigned long long mask;
    PyObject *name, *result = NULL;
    Py_ssize_t first = 0, after;
    int64_t wanted;

    (void)self;
    if (!PyArg_ParseTuple(arguments, "y*(y*Ky*y*)S", &given.buf, &numbered, &mask, &given.starts, &given.ends, &name))
        return NULL;
    wanted = (int64_t)((uint64_t)PyObject_Hash(name) & ~mask);
    after = count_of(&numbered);
    while (first < after) {
        Py_ssize_t middle = first + (after - first) / 2;
        if ((int64_t)number_at(&numbered, middle) < wanted) {
            first = middle + 1;
        } else {
            after = middle;
        }
    }
    for (; first < count_of(&numbered); first++) {
        uint64_t item = number_at(&numbered, first), number = item & mask;
        text found;
        if ((int64_t)(item & ~mask) != wanted) break;
        if (number >= (uint64_t)count_of(&given.starts) || number >= (uint64_t)count_of(&given.ends) ||
            !find_text(&given, (Py_ssize_t)number, &found)) {
            outside();
            goto done;
        }
        if (found.size == PyBytes_Size(name) && memcmp(found.data, PyBytes_AsString(name), (size_t)found.size) == 0) {
            result = PyLong_FromUnsignedLongLong(number);
            goto done;
        }
    }
    result = Py_NewRef(Py_None);
done:
    release_spans(&given);
    PyBuffer_Release(&numbered);
    return result;
}

static PyMethodDef methods[] = {
    {"index", scanner_index, METH_VARARGS, index_doc},
    {"table", scanner_table, METH_VARARGS, table_doc},
    {"join", scanner_join, METH_VARARGS, join_doc},
    {"hashes", scanner_hashes, METH_VARARGS, hashes_doc},
    {"find", scanner_find, METH_VARARGS, find_doc},
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
    "kaitai_gguf._scanner",
    "The index of the schema, compiled.",
    0,
    methods,
    slots,
    NULL,
    NULL,
    NULL,
};

PyMODINIT_FUNC PyInit__scanner(void)
{
    return PyModuleDef_Init(&module);
}
