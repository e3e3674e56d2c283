/* A reader around the generated C index, with the protocol of readers.py. It answers with the seconds that it takes to
 * map and index a file, names of keys and tensors included, or with the digest of the index. */

#define _POSIX_C_SOURCE 200809L
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "../generated/c/gguf_index.h"

static const skip_entry *find(const char *layout, const char *type)
{
    const skip_entry *entry = skip_entries;
    while (strcmp(entry->layout, layout) || strcmp(entry->type, type)) entry++;
    return entry;
}

static uint64_t digest;

static void add(uint64_t number)
{
    int i;
    for (i = 0; i < 64; i += 8) digest = (digest ^ (number >> i & 0xff)) * 0x100000001b3;
}

static void add_index(const skip_list *found, uint64_t end)
{
    uint64_t i;
    digest = 0xcbf29ce484222325;
    for (i = 0; i < found[0].size; i++) add(found[0].data[i]);
    add(found[1].size);
    add(end);
}

static int index_file(const uint8_t *data, uint64_t size, int is_asked)
{
    static const char *const items[] = {"key_value", "tensor_info"};
    skip_list found[2] = {{NULL, 0}, {NULL, 0}};
    uint64_t row[64], end, i;
    int list, done, be = (skip_load4(data + 4, 0) & 0xffff) == 0;
    const char *layout = skip_load4(data + 4, be) == 1 ? "Layout1" : "Layout2";
    done = find(layout, "gguf")->index(data, size, 0, be, NULL, found, &end) == SKIP_DONE;
    if (done && is_asked) add_index(found, end);
    for (list = 0; list < 2; list++) {
        const skip_entry *item = find(layout, items[list]);
        for (i = 0; done && i < found[list].size; i++) {
            done = item->read(data, size, found[list].data[i], be, row) == SKIP_DONE;
        }
        free(found[list].data);
    }
    return done;
}

static int open_file(const char *path, int is_asked)
{
    struct stat status;
    void *data;
    int done, fd = open(path, O_RDONLY);
    if (fd < 0 || fstat(fd, &status) != 0 || status.st_size < 8) return 0;
    data = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    close(fd);
    if (data == MAP_FAILED) return 0;
    done = index_file(data, (uint64_t)status.st_size, is_asked);
    munmap(data, (size_t)status.st_size);
    return done;
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

int main(void)
{
    char line[4096];
    while (fgets(line, sizeof(line), stdin)) {
        char *path = strchr(line, ' ');
        double best = 1e9;
        int i;
        if (path == NULL) return 2;
        path[strcspn(path, "\n")] = '\0';
        if (strncmp(line, "output ", 7) == 0) {
            if (!open_file(path + 1, 1)) return 1;
            printf("{\"index\": \"%016llx\"}\n", (unsigned long long)digest);
            fflush(stdout);
            continue;
        }
        for (i = 0; i < 5; i++) {
            double start = now(), seconds;
            if (!open_file(path + 1, 0)) return 1;
            seconds = now() - start;
            if (seconds < best) best = seconds;
        }
        printf("%.9f\n", best);
        fflush(stdout);
    }
    return 0;
}
