/* Fuzzes the walks that are generated from the schema as C: libFuzzer with AddressSanitizer and UBSan.
 *
 * Every walk is tried on every input, in both byte orders. What it finds has to be inside of the input and in
 * order, and every item that it has found has to be readable. The last 16 bytes of an input are also taken as a
 * position and a count, since a walk over elements is given those.
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
    const skip_table_entry *table;
    uint64_t row[MAX_ROW];
    size_t i;
    for (table = skip_tables; table->layout != NULL; table++) {
        if (strcmp(table->layout, layout) != 0 || strcmp(table->type, type) != 0) continue;
        for (i = 0; i < found->size; i++) {
            HOLDS(table->read(data, size, found->data[i], be, row) == SKIP_DONE);
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

static void walk(const skip_index_entry *entry, const uint8_t *data, size_t size, uint64_t pos, uint64_t count, int be)
{
    skip_list found[MAX_LISTS];
    uint64_t stop = 0;
    int i;
    memset(found, 0, sizeof(found));
    if (entry->walk(data, size, pos, be, &count, found, &stop) == SKIP_DONE) {
        for (i = 0; i < entry->num_lists; i++) check_found(&found[i], pos, stop, size);
        for (i = 0; i < entry->num_lists && entry->num_args == 0; i++) {
            read_items(entry->layout, items[i], data, size, be, &found[i]);
        }
    }
    for (i = 0; i < MAX_LISTS; i++) free(found[i].data);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const skip_index_entry *entry;
    const skip_table_entry *table;
    uint64_t given[2] = {0, 0}, row[MAX_ROW];
    int be;
    if (size >= sizeof(given)) memcpy(given, data + size - sizeof(given), sizeof(given));
    for (be = 0; be < 2; be++) {
        for (entry = skip_indexes; entry->layout != NULL; entry++) {
            if (entry->num_args == 0) {
                walk(entry, data, size, 0, 0, be);
            } else {
                walk(entry, data, size, given[0], given[1], be);
                walk(entry, data, size, given[0] % (size + 1), given[1] % (size + 1), be);
            }
        }
        for (table = skip_tables; table->layout != NULL; table++) {
            table->read(data, size, given[0], be, row);
            table->read(data, size, given[0] % (size + 1), be, row);
        }
    }
    return 0;
}
