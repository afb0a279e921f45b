#include "auth/cli/args.h"

#include <errno.h>
#include <getopt.h>

static const struct arg_row *row_of(const struct arg_table *table, int code, int index)
{
    if (index >= 0)
        return &table->rows[index];
    for (size_t i = 0; i < table->n; i++) {
        if (table->rows[i].code == code)
            return &table->rows[i];
    }
    return NULL;
}

/* getopt's two descriptions of the same thing. */
static struct option *make_options(const struct arg_table *table, struct strbuf *shorts)
{
    struct option *longs = xcalloc(table->n + 1, sizeof(*longs));

    strbuf_addc(shorts, ':');
    for (size_t i = 0; i < table->n; i++) {
        const struct arg_row *row = &table->rows[i];

        longs[i] = (struct option){ row->name, row->arg != NULL, NULL, row->code };
        if (row->code < ARG_LONG_ONLY)
            strbuf_addf(shorts, "%c%s", row->code, row->arg ? ":" : "");
    }
    return longs;
}

int args_parse(const struct arg_table *table, int argc, char **argv, void *arg, struct err *err)
{
    AUTO(strbuf) struct strbuf shorts = { 0 };
    AUTO_FREE struct option *longs = make_options(table, &shorts);
    int index = -1;
    int code;

    optind = 0; /* makes getopt start afresh */
    while ((code = getopt_long(argc, argv, shorts.data, longs, &index)) != -1) {
        if (code == '?' && optopt && optopt < ARG_LONG_ONLY)
            return err_set(err, EINVAL, "Invalid option \"-%c\"", optopt);
        if (code == '?')
            return err_set(err, EINVAL, "Invalid option \"%s\"", argv[optind - 1]);
        if (code == ':')
            return err_set(err, EINVAL, "Missing value for option \"%s\"", argv[optind - 1]);

        int rc = table->take(arg, row_of(table, code, index), optarg, err);

        if (rc < 0)
            return rc;
        index = -1;
    }
    if (optind < argc)
        return err_set(err, EINVAL, "Unrecognized parameter \"%s\"", argv[optind]);
    return 0;
}

void args_help(const struct arg_table *table, const char *program, struct strbuf *out)
{
    strbuf_addf(out, "Usage: %s [OPTIONS]\n\n", program);
    for (size_t i = 0; i < table->n; i++) {
        const struct arg_row *row = &table->rows[i];
        AUTO_FREE char *name =
            xasprintf("--%s%s%s", row->name, row->arg ? "=" : "", row->arg ? row->arg : "");

        if (row->code < ARG_LONG_ONLY)
            strbuf_addf(out, "  -%c, %-24s %s\n", row->code, name, row->help);
        else
            strbuf_addf(out, "      %-24s %s\n", name, row->help);
    }
}
