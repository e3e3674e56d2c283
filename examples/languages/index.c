/* Lists the keys and tensors of a GGUF file, using the generated index: index FILE
 *
 * Maps the file, and reads only the header. Needs only gguf_index.h, in the same folder. */

#define _POSIX_C_SOURCE 200809L
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gguf_index.h"

enum { METADATA, TENSORS, NUM_LISTS };                          /* the lists of index_gguf */
enum { KEY_START, KEY_END, VALUE_TYPE, VALUE, KEY_VALUE_ROW };  /* the columns of a row of key_value */
enum { NAME_START, NAME_END, NUM_DIMS, DIMS, TYPE_ID = DIMS + 4, OFFSET, TENSOR_INFO_ROW };

typedef struct {
    const uint8_t *data;
    uint64_t size;
    const char *layout;
    int be;
} file;

static const skip_entry *find(const char *layout, const char *type)
{
    const skip_entry *entry = skip_entries;
    while (entry->layout && (strcmp(entry->layout, layout) || strcmp(entry->type, type))) entry++;
    return entry->layout ? entry : NULL;
}

/* Determines the byte order and the layout. A version read in the wrong byte order has its low 16 bits clear. */
static int choose(file *f)
{
    uint64_t version;
    if (f->size < 8) return 0;
    f->be = (skip_load4(f->data + 4, 0) & 0xffff) == 0;
    version = skip_load4(f->data + 4, f->be);
    f->layout = version == 1 ? "Layout1" : "Layout2";
    return version >= 1 && version <= 3;
}

static void print_name(const file *f, uint64_t start, uint64_t end)
{
    fwrite(f->data + start, 1, (size_t)(end - start), stdout); /* a name may contain any bytes, including zeros */
}

static int list(const file *f)
{
    skip_list found[NUM_LISTS] = {{NULL, 0}, {NULL, 0}};
    uint64_t row[TENSOR_INFO_ROW], end, i, j;
    const skip_entry *gguf = find(f->layout, "gguf"), *key_value = find(f->layout, "key_value");
    const skip_entry *tensor_info = find(f->layout, "tensor_info");
    int done = gguf->index(f->data, f->size, 0, f->be, NULL, found, &end) == SKIP_DONE;
    for (i = 0; done && i < found[METADATA].size; i++) {
        done = key_value->read(f->data, f->size, found[METADATA].data[i], f->be, row) == SKIP_DONE;
        if (!done) break;
        print_name(f, row[KEY_START], row[KEY_END]);
        printf(": type %" PRIu64 "\n", row[VALUE_TYPE]);
    }
    for (i = 0; done && i < found[TENSORS].size; i++) {
        done = tensor_info->read(f->data, f->size, found[TENSORS].data[i], f->be, row) == SKIP_DONE;
        if (!done) break;
        print_name(f, row[NAME_START], row[NAME_END]);
        printf(": type %" PRIu64 ", offset %" PRIu64 ", dims", row[TYPE_ID], row[OFFSET]);
        for (j = 0; j < row[NUM_DIMS]; j++) printf(" %" PRIu64, row[DIMS + j]);
        printf("\n");
    }
    for (i = 0; i < NUM_LISTS; i++) free(found[i].data);
    return done;
}

int main(int argc, char **argv)
{
    struct stat status;
    file f;
    int done, fd = argc == 2 ? open(argv[1], O_RDONLY) : -1;
    if (fd < 0 || fstat(fd, &status) != 0 || status.st_size == 0) {
        fprintf(stderr, argc == 2 ? "can't read the file, or it is empty\n" : "usage: index FILE\n");
        return 2;
    }
    f.size = (uint64_t)status.st_size;
    f.data = mmap(NULL, (size_t)f.size, PROT_READ, MAP_PRIVATE, fd, 0);
    close(fd);
    if (f.data == MAP_FAILED) {
        perror("mmap");
        return 2;
    }
    done = choose(&f) && list(&f);
    if (!done) fprintf(stderr, "not a valid GGUF file\n");
    munmap((void *)f.data, (size_t)f.size);
    return done ? 0 : 1;
}
