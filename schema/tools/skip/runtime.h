/* The beginning of each generated header. `c.py` copies all but this comment and the functions that are not called. */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The results of an index. To find out why data was refused, run the index of another language over it. */
enum { SKIP_REFUSED = 0, SKIP_DONE = 1, SKIP_NO_MEMORY = 2 };

/* A list of positions of items. */
typedef struct {
    uint64_t *data;
    size_t size;
} skip_list;

/* Allocates memory for `size` more items. The caller has checked that the remaining bytes have room for them. */
static inline int skip_reserve(skip_list *list, uint64_t size)
{
    uint64_t *grown;
    if (size >= SIZE_MAX / sizeof(uint64_t) - list->size) return 0;
    grown = (uint64_t *)realloc(list->data, (list->size + (size_t)size + 1) * sizeof(uint64_t));
    if (grown == NULL) return 0;
    list->data = grown;
    return 1;
}

/* Returns a number that was just read, and prevents the compiler from reading it again. The buffer may be a map of a
 * file that another process writes to, so the value that was checked must be the value that is used. Without this, a
 * compiler may load from the buffer twice: once for the check and once for the use. */
static inline uint64_t skip_once(uint64_t number)
{
#if defined(__GNUC__)
    __asm__ volatile("" : "+r"(number)); /* no instruction, but hides where the number comes from */
    return number;
#else
    volatile uint64_t kept = number;
    return kept;
#endif
}

static inline uint64_t skip_load1(const uint8_t *p, int be)
{
    (void)be;
    return p[0];
}

static inline uint64_t skip_load2(const uint8_t *p, int be)
{
    return be ? (uint64_t)p[0] << 8 | p[1] : (uint64_t)p[1] << 8 | p[0];
}

static inline uint64_t skip_load4(const uint8_t *p, int be)
{
    return be ? skip_load2(p, be) << 16 | skip_load2(p + 2, be) : skip_load2(p + 2, be) << 16 | skip_load2(p, be);
}

static inline uint64_t skip_load8(const uint8_t *p, int be)
{
    return be ? skip_load4(p, be) << 32 | skip_load4(p + 4, be) : skip_load4(p + 4, be) << 32 | skip_load4(p, be);
}

/* Sums and products that saturate instead of wrapping around: no file has that many bytes. */
static inline uint64_t skip_add(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static inline uint64_t skip_mul(uint64_t a, uint64_t b)
{
    return b != 0 && a > UINT64_MAX / b ? UINT64_MAX : a * b;
}

typedef int (*skip_index)(const uint8_t *buf, uint64_t end, uint64_t pos, int be, const uint64_t *args,
                          skip_list *found, uint64_t *stop);
typedef int (*skip_row)(const uint8_t *buf, uint64_t end, uint64_t pos, int be, uint64_t *row);

/* The functions for a type in a layout: its index, and one that reads a row of a table. Either may be NULL. */
typedef struct {
    const char *layout, *type;
    int num_args, num_lists;
    skip_index index;
    int num_fields;
    const int *widths; /* of the fields, in numbers; a row has their sum */
    skip_row read;
} skip_entry;
