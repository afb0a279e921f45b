/*
 * The lexer alone: what it accepts and is written out again, one quoted pair after the other, must
 * read as the same pairs.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "common/conf/file.h"

struct input {
    const void *data;
    size_t size;
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int read_input(void *ctx, const char *path, struct strbuf *text, struct err *err)
{
    const struct input *in = ctx;

    (void)err;
    if (strcmp(path, "a.conf") == 0)
        strbuf_add(text, in->data, in->size);
    return 0;
}

/* A value with a quote in it, or one that ends in what joins lines, cannot be quoted. */
static void write_value(const char *value, struct strbuf *out)
{
    if (strchr(value, '"')) {
        for (; *value; value++)
            strbuf_addf(out, "%s%c", *value == '#' ? "\\" : "", *value);
    } else {
        strbuf_addf(out, "\"%s\"", value);
    }
}

static void write_all(const struct conf_file *file, struct strbuf *out)
{
    for (uint32_t i = 0; i < file->records_n; i++) {
        for (uint32_t k = 0; k < file->records[i].pairs_n; k++) {
            const struct conf_pair *pair = &file->records[i].pairs[k];

            strbuf_addf(out, "%s%s", k ? " " : "", pair->key);
            if (pair->value) {
                strbuf_addc(out, '=');
                write_value(pair->value, out);
            }
        }
        strbuf_adds(out, " \n"); /* the blank keeps a last backslash from joining lines */
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input in = { data, size };
    AUTO(strbuf) struct strbuf once = { 0 };
    AUTO(strbuf) struct strbuf twice = { 0 };
    struct conf_file *file = NULL;

    if (conf_file_parse("a.conf", read_input, &in, &file, NULL) < 0)
        return 0;
    write_all(file, &once);
    conf_file_free(file);
    in = (struct input){ once.data, once.len };
    if (conf_file_parse("a.conf", read_input, &in, &file, NULL) < 0)
        abort();
    write_all(file, &twice);
    conf_file_free(file);
    if (strcmp(strbuf_text(&once), strbuf_text(&twice)) != 0)
        abort();
    return 0;
}
