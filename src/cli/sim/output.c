#include "cli/sim/output.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

int output_write(const char *path, const struct strbuf *text, struct err *err)
{
    const bool is_stdout = strcmp(path, "-") == 0;
    FILE *file = is_stdout ? stdout : fopen(path, "we");
    bool failed;

    if (!file)
        return err_set(err, errno, "cannot write %s: %s", path, strerror(errno));
    failed = fwrite(strbuf_text(text), 1, text->len, file) != text->len;
    failed = (is_stdout ? fflush(file) : fclose(file)) != 0 || failed;
    return failed ? err_set(err, errno, "cannot write %s: %s", path, strerror(errno)) : 0;
}
