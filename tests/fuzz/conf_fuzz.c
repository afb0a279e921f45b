/*
 * The whole loader on bytes: lexer, keys, host lists, partitions, and what is shown of the result.
 * A zero byte divides the main file from the one that it may include as "b.conf".
 */
#include <errno.h>
#include <stdint.h>
#include <string.h>

#include "common/conf/show.h"

struct input {
    const uint8_t *data;
    size_t size;
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int read_input(void *ctx, const char *path, struct strbuf *text, struct err *err)
{
    const struct input *in = ctx;
    const uint8_t *end = in->size ? memchr(in->data, 0, in->size) : NULL;
    size_t main_n = end ? (size_t)(end - in->data) : in->size;

    if (strcmp(path, "a.conf") == 0)
        strbuf_add(text, in->data, main_n);
    else if (strcmp(path, "b.conf") == 0 && end)
        strbuf_add(text, end + 1, in->size - main_n - 1);
    else
        return err_set(err, ENOENT, "no such input");
    return 0;
}

static void show_all(const struct slurm_conf *conf)
{
    const struct conf_show_facts facts = { .next_job_id = 1 };
    struct conf_show show = conf_show_begin(conf, &facts);
    AUTO(strbuf) struct strbuf key = { 0 };
    AUTO(strbuf) struct strbuf value = { 0 };

    while (conf_show_next(&show, &key, &value))
        ;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input in = { data, size };
    AUTO(conf_notes) struct conf_notes notes = { 0 };
    struct slurm_conf *conf = NULL;
    struct err err = { 0 };

    if (slurm_conf_load_from("a.conf", read_input, &in, &conf, &notes, &err) == 0)
        show_all(conf);
    slurm_conf_free(conf);
    return 0;
}
