#include "noded/inventory/gpus.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>

#include "common/base/alloc.h"
#include "common/text/words.h"

#define PREFIX     "nvidia"
#define NUMBER_MAX 1023 /* of a device file */

static int by_number(const void *a, const void *b)
{
    const uint32_t *left = a, *right = b;

    return (*left > *right) - (*left < *right);
}

/* Finds nvidia0 and nvidia1, but not nvidiactl or nvidia-uvm. */
static void read_files(const char *dev, struct gpus *ret)
{
    AUTO_FREE uint32_t *numbers = NULL;
    DIR *dir = opendir(dev);
    struct dirent *entry;
    uint32_t n = 0;

    while (dir && (entry = readdir(dir))) {
        const char *rest;
        uint64_t number;

        if (word_starts(entry->d_name, PREFIX, &rest) &&
            number_parse(rest, 0, NUMBER_MAX, &number, NULL) == 0)
            *ARRAY_PUSH(numbers, n) = (uint32_t)number;
    }
    if (dir)
        closedir(dir);
    if (n)
        qsort(numbers, n, sizeof(*numbers), by_number);
    for (uint32_t i = 0; i < n; i++)
        *ARRAY_PUSH(ret->at, ret->n) =
            (struct gpu){ .name = xstrdup("gpu"),
                          .file = xasprintf("%s/nvidia%u", dev, numbers[i]) };
}

int gpus_find(const struct gpus_where *where, struct gpus *ret, struct err *err)
{
    int rc = where->library ? nvml_read(where->library, where->dev, ret, err) : -ENOENT;

    if (rc < 0)
        gpus_clear(ret);
    if (rc == -ENOENT)
        read_files(where->dev, ret);
    return where->library ? rc : 0;
}

void gpus_clear(struct gpus *gpus)
{
    for (uint32_t i = 0; i < gpus->n; i++) {
        free(gpus->at[i].name);
        free(gpus->at[i].file);
        free(gpus->at[i].cpus);
    }
    free(gpus->at);
    *gpus = (struct gpus){ 0 };
}

void gpus_auto_(struct gpus *gpus)
{
    gpus_clear(gpus);
}
