/*
 * Feeds the fuzz target
 *
 *     fuzz_NAME FOLDER...            every file of these corpus folders
 *     fuzz_NAME -s SECONDS [SEED]    random inputs for so long; one that crashes is in ./input
 *
 * The second is for targets that make sense of any bytes: without a look at coverage it tries many
 * times as much as libFuzzer does.
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "common/base/alloc.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* How many messages, or the like, the target has taken; not all count. */
unsigned long long fuzz_count(void) __attribute__((weak));

#define INPUT_MAX  4000
#define INPUT_FILE "input"

static void replay_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    AUTO_FREE uint8_t *data = NULL;
    size_t size = 0;
    int c;

    if (!file) {
        perror(path);
        exit(1);
    }
    while ((c = fgetc(file)) != EOF)
        *ARRAY_PUSH(data, size) = (uint8_t)c;
    fclose(file);

    /* An exact copy, so that reading one byte too far is seen by the sanitizer. */
    uint8_t *exact = xmalloc(size);

    if (size)
        memcpy(exact, data, size);
    LLVMFuzzerTestOneInput(exact, size);
    free(exact);
}

/* What is tried lies in the file, so that a crash leaves it there. */
static void try(int fd, uint8_t *data, size_t size)
{
    if (pwrite(fd, data, size, 0) != (ssize_t)size || ftruncate(fd, (off_t)size) < 0) {
        perror(INPUT_FILE);
        exit(1);
    }
    LLVMFuzzerTestOneInput(data, size);
}

static uint64_t next_random(uint64_t *seed)
{
    uint64_t z = (*seed += UINT64_C(0x9e3779b97f4a7c15));

    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static int try_random(time_t seconds, uint64_t seed)
{
    const time_t until = time(NULL) + seconds;
    int fd = open(INPUT_FILE, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    unsigned long long inputs = 0;

    if (fd < 0) {
        perror(INPUT_FILE);
        return 1;
    }
    printf("seed %llu\n", (unsigned long long)seed);
    fflush(stdout);
    while (time(NULL) < until) {
        size_t size = 1 + next_random(&seed) % INPUT_MAX;
        AUTO_FREE uint8_t *data = xmalloc(size);

        for (size_t i = 0; i < size; i++)
            data[i] = (uint8_t)next_random(&seed);
        try(fd, data, size);
        inputs++;
    }
    close(fd);
    unlink(INPUT_FILE);
    printf("%llu inputs", inputs);
    if (fuzz_count)
        printf(", %llu messages", fuzz_count());
    printf(" in %lld s\n", (long long)seconds);
    return 0;
}

int main(int argc, char **argv)
{
    unsigned count = 0;

    if (argc > 2 && strcmp(argv[1], "-s") == 0)
        return try_random(strtol(argv[2], NULL, 10),
                          argc > 3 ? strtoull(argv[3], NULL, 10) : (uint64_t)time(NULL));

    for (int i = 1; i < argc; i++) {
        struct dirent **entries;
        int n = scandir(argv[i], &entries, NULL, alphasort);

        if (n < 0) {
            perror(argv[i]);
            return 1;
        }
        for (int k = 0; k < n; k++) {
            if (entries[k]->d_name[0] != '.') {
                AUTO_FREE char *path = xasprintf("%s/%s", argv[i], entries[k]->d_name);

                replay_file(path);
                count++;
            }
            free(entries[k]);
        }
        free(entries);
    }
    printf("%u inputs replayed\n", count);
    return count ? 0 : 1; /* an empty corpus proves nothing */
}
