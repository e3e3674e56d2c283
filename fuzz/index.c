/* Fuzzes the index that is generated from the schema as C: libFuzzer with AddressSanitizer and UBSan.
 *
 * Every function is tried on every input, in both byte orders. What it finds has to be inside of the input and in
 * order, and every item that it has found has to be readable. The last 16 bytes of an input are also taken as a
 * position and a count, since an index of elements takes those.
 */

#include <stdio.h>

#include "../generated/c/gguf_index.h"

#define MAX_LISTS 8
#define MAX_ROW 64

#define HOLDS(condition)                                                         \
    do {                                                                         \
        if (!(condition)) {                                                      \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);      \
            abort();                                                             \
        }                                                                        \
    } while (0)

/* Which type the items of a list are of, by the list's place. */
static const char *const items[] = {"key_value", "tensor_info"};

static void read_items(const char *layout, const char *type, const uint8_t *data, size_t size, int be,
                       const skip_list *found)
{
    const skip_entry *entry;
    uint64_t row[MAX_ROW];
    size_t i;
    for (entry = skip_entries; entry->layout != NULL; entry++) {
        if (strcmp(entry->layout, layout) != 0 || strcmp(entry->type, type) != 0) continue;
        for (i = 0; i < found->size; i++) {
            HOLDS(entry->read(data, size, found->data[i], be, row) == SKIP_DONE);
            HOLDS(found->data[i] <= row[0] && row[0] <= row[1] && row[1] <= size);
        }
    }
}

static void check_found(const skip_list *found, uint64_t start, uint64_t stop, size_t size)
{
    size_t i;
    HOLDS(start <= stop && stop <= size);
    for (i = 0; i < found->size; i++) {
        HOLDS(start <= found->data[i] && found->data[i] < stop);
        HOLDS(i == 0 || found->data[i - 1] < found->data[i]);
    }
}

static void try_index(const skip_entry *entry, const uint8_t *data, size_t size, uint64_t pos, uint64_t count, int be)
{
    skip_list found[MAX_LISTS];
    uint64_t stop = 0;
    int i;
    memset(found, 0, sizeof(found));
    if (entry->index(data, size, pos, be, &count, found, &stop) == SKIP_DONE) {
        for (i = 0; i < entry->num_lists; i++) check_found(&found[i], pos, stop, size);
        for (i = 0; i < entry->num_lists && entry->num_args == 0; i++) {
            read_items(entry->layout, items[i], data, size, be, &found[i]);
        }
    }
    for (i = 0; i < MAX_LISTS; i++) free(found[i].data);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const skip_entry *entry;
    uint64_t given[2] = {0, 0}, row[MAX_ROW];
    int be;
    if (size >= sizeof(given)) memcpy(given, data + size - sizeof(given), sizeof(given));
    for (be = 0; be < 2; be++) {
        for (entry = skip_entries; entry->layout != NULL; entry++) {
            if (entry->index != NULL && entry->num_args == 0) {
                try_index(entry, data, size, 0, 0, be);
            } else if (entry->index != NULL) {
                try_index(entry, data, size, given[0], given[1], be);
                try_index(entry, data, size, given[0] % (size + 1), given[1] % (size + 1), be);
            }
            if (entry->read != NULL) {
                entry->read(data, size, given[0], be, row);
                entry->read(data, size, given[0] % (size + 1), be, row);
            }
        }
    }
    return 0;
}
