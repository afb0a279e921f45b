/* Feeds every file of the corpus folders named on the command line to the fuzz target. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/alloc.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

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

int main(int argc, char **argv)
{
    unsigned count = 0;

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
