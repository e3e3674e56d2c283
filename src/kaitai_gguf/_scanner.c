/* The compiled scanner: Python's door to the walks that are generated from the schema as C.
 *
 * Nothing here knows what is walked over. Every function takes bytes, and gives positions or text; None
 * stands for "refused", and leaves it to the same walk in Python to say why. Only the stable ABI is used.
 */

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "../../generated/c/gguf_index.h"

#define MAX_ARGS 8
#define MAX_LISTS 8
#define MAX_ROW 64

static const skip_index_entry *find_index(const char *layout, const char *type)
{
    const skip_index_entry *entry;
    for (entry = skip_indexes; entry->layout != NULL; entry++) {
        if (strcmp(entry->layout, layout) == 0 && strcmp(entry->type, type) == 0) return entry;
    }
    PyErr_Format(PyExc_LookupError, "no index of %s in %s", type, layout);
    return NULL;
}

static const skip_table_entry *find_table(const char *layout, const char *type)
{
    const skip_table_entry *entry;
    for (entry = skip_tables; entry->layout != NULL; entry++) {
        if (strcmp(entry->layout, layout) == 0 && strcmp(entry->type, type) == 0) return entry;
    }
    PyErr_Format(PyExc_LookupError, "no table of %s in %s", type, layout);
    return NULL;
}

static PyObject *bytes_of(const skip_list *list)
{
    return PyBytes_FromStringAndSize((const char *)list->data, (Py_ssize_t)(list->size * sizeof(uint64_t)));
}

PyDoc_STRVAR(index_doc,
             "index(layout, type, big_endian, buf, pos, args) -> ((positions, ...), end) | None\n\n"
             "Walks over one item. Positions are 64-bit integers in native byte order, as bytes.");

static PyObject *scanner_index(PyObject *self, PyObject *arguments)
{
    const char *layout, *type;
    int big_endian, status, i;
    Py_buffer buf;
    unsigned long long pos;
    uint64_t args[MAX_ARGS], stop = 0;
    skip_list found[MAX_LISTS];
    PyObject *given, *positions = NULL, *result = NULL;
    const skip_index_entry *entry;

    (void)self;
    if (!PyArg_ParseTuple(arguments, "sspy*KO!", &layout, &type, &big_endian, &buf, &pos, &PyTuple_Type, &given))
        return NULL;
    memset(found, 0, sizeof(found));
    entry = find_index(layout, type);
    if (entry == NULL) goto done;
    if (PyTuple_Size(given) != entry->num_args || entry->num_args > MAX_ARGS || entry->num_lists > MAX_LISTS) {
        PyErr_Format(PyExc_TypeError, "the index of %s takes %d numbers", type, entry->num_args);
        goto done;
    }
    for (i = 0; i < entry->num_args; i++) {
        args[i] = PyLong_AsUnsignedLongLong(PyTuple_GetItem(given, i));
        if (PyErr_Occurred()) goto done;
    }
    status = entry->walk((const uint8_t *)buf.buf, (uint64_t)buf.len, pos, big_endian, args, found, &stop);
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
        PyObject *list = bytes_of(&found[i]);
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

PyDoc_STRVAR(table_doc,
             "table(layout, type, big_endian, buf, positions) -> (bytes, ...) | None\n\n"
             "The fields of the items at the positions: for each field its values, as unsigned 64-bit integers.");

static PyObject *scanner_table(PyObject *self, PyObject *arguments)
{
    const char *layout, *type;
    int big_endian, field, j;
    Py_buffer buf, positions;
    Py_ssize_t count, i;
    uint64_t row[MAX_ROW], *columns[MAX_ROW];
    PyObject *result = NULL;
    const skip_table_entry *entry;

    (void)self;
    if (!PyArg_ParseTuple(arguments, "sspy*y*", &layout, &type, &big_endian, &buf, &positions)) return NULL;
    entry = find_table(layout, type);
    if (entry == NULL) goto done;
    count = positions.len / (Py_ssize_t)sizeof(uint64_t);
    result = PyTuple_New(entry->num_fields);
    if (result == NULL) goto done;
    for (field = 0; field < entry->num_fields; field++) {
        PyObject *column = PyBytes_FromStringAndSize(NULL, count * entry->widths[field] * (Py_ssize_t)sizeof(uint64_t));
        if (column == NULL) goto failed;
        PyTuple_SetItem(result, field, column);
        columns[field] = (uint64_t *)PyBytes_AsString(column); /* bytes are aligned for any number */
    }
    for (i = 0; i < count; i++) {
        const uint64_t *next = row;
        uint64_t pos;
        memcpy(&pos, (const char *)positions.buf + i * (Py_ssize_t)sizeof(pos), sizeof(pos));
        if (entry->read((const uint8_t *)buf.buf, (uint64_t)buf.len, pos, big_endian, row) != SKIP_DONE) {
            Py_DECREF(result);
            result = Py_NewRef(Py_None);
            goto done;
        }
        for (field = 0; field < entry->num_fields; field++) {
            for (j = 0; j < entry->widths[field]; j++) *columns[field]++ = *next++;
        }
    }
    goto done;
failed:
    Py_CLEAR(result);
done:
    PyBuffer_Release(&positions);
    PyBuffer_Release(&buf);
    return result;
}

/* Where a piece starts and ends, which has to be in the buffer. */
static int span(const Py_buffer *buf, const Py_buffer *starts, const Py_buffer *ends, Py_ssize_t i, int64_t *start,
                int64_t *end)
{
    memcpy(start, (const char *)starts->buf + i * (Py_ssize_t)sizeof(*start), sizeof(*start));
    memcpy(end, (const char *)ends->buf + i * (Py_ssize_t)sizeof(*end), sizeof(*end));
    if (*start >= 0 && *start <= *end && *end <= buf->len) return 1;
    PyErr_SetString(PyExc_IndexError, "text outside of the buffer");
    return 0;
}

static int parse_spans(PyObject *arguments, Py_buffer *buf, Py_buffer *starts, Py_buffer *ends)
{
    if (!PyArg_ParseTuple(arguments, "y*y*y*", buf, starts, ends)) return 0;
    if (starts->len == ends->len) return 1;
    PyErr_SetString(PyExc_ValueError, "as many starts as ends expected");
    PyBuffer_Release(buf);
    PyBuffer_Release(starts);
    PyBuffer_Release(ends);
    return 0;
}

PyDoc_STRVAR(join_doc,
             "join(buf, starts, ends) -> bytes\n\nWhat is between the positions, with a zero byte after each piece.");

static PyObject *scanner_join(PyObject *self, PyObject *arguments)
{
    Py_buffer buf, starts, ends;
    Py_ssize_t i, count, size = 0;
    PyObject *result = NULL;
    char *target;

    (void)self;
    if (!parse_spans(arguments, &buf, &starts, &ends)) return NULL;
    count = starts.len / (Py_ssize_t)sizeof(int64_t);
    for (i = 0; i < count; i++) {
        int64_t start, end;
        if (!span(&buf, &starts, &ends, i, &start, &end)) goto done;
        if (end - start >= PY_SSIZE_T_MAX - size) {
            PyErr_NoMemory();
            goto done;
        }
        size += (Py_ssize_t)(end - start) + 1;
    }
    result = PyBytes_FromStringAndSize(NULL, size);
    if (result == NULL) goto done;
    target = PyBytes_AsString(result);
    for (i = 0; i < count; i++) {
        int64_t start, end;
        if (!span(&buf, &starts, &ends, i, &start, &end)) {
            Py_CLEAR(result);
            goto done;
        }
        memcpy(target, (const char *)buf.buf + start, (size_t)(end - start));
        target += end - start;
        *target++ = 0;
    }
done:
    PyBuffer_Release(&buf);
    PyBuffer_Release(&starts);
    PyBuffer_Release(&ends);
    return result;
}

PyDoc_STRVAR(hashes_doc,
             "hashes(buf, starts, ends) -> bytes\n\n"
             "hash(bytes) of what is between the positions, as 64-bit integers in native byte order.");

static PyObject *scanner_hashes(PyObject *self, PyObject *arguments)
{
    Py_buffer buf, starts, ends;
    Py_ssize_t i, count;
    PyObject *result;

    (void)self;
    if (!parse_spans(arguments, &buf, &starts, &ends)) return NULL;
    count = starts.len / (Py_ssize_t)sizeof(int64_t);
    result = PyBytes_FromStringAndSize(NULL, count * (Py_ssize_t)sizeof(int64_t));
    for (i = 0; result != NULL && i < count; i++) {
        PyObject *piece = NULL;
        int64_t start, end, hash = -1; /* which no object has */
        if (span(&buf, &starts, &ends, i, &start, &end))
            piece = PyBytes_FromStringAndSize((const char *)buf.buf + start, (Py_ssize_t)(end - start));
        if (piece != NULL) hash = PyObject_Hash(piece);
        Py_XDECREF(piece);
        if (hash == -1) {
            Py_CLEAR(result);
        } else {
            memcpy(PyBytes_AsString(result) + i * (Py_ssize_t)sizeof(hash), &hash, sizeof(hash));
        }
    }
    PyBuffer_Release(&buf);
    PyBuffer_Release(&starts);
    PyBuffer_Release(&ends);
    return result;
}

static PyMethodDef methods[] = {
    {"index", scanner_index, METH_VARARGS, index_doc},
    {"table", scanner_table, METH_VARARGS, table_doc},
    {"join", scanner_join, METH_VARARGS, join_doc},
    {"hashes", scanner_hashes, METH_VARARGS, hashes_doc},
    {NULL, NULL, 0, NULL},
};

static PyModuleDef_Slot slots[] = {{0, NULL}};

static struct PyModuleDef module = {
    PyModuleDef_HEAD_INIT,
    "kaitai_gguf._scanner",
    "The walks of the schema, compiled.",
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
