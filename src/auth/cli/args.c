#include "auth/cli/args.h"

#include <ctype.h>
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

/* Makes getopt's two descriptions of the options. */
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

enum fault { FAULT_INVALID, FAULT_MISSING, FAULT_UNRECOGNIZED };

static int refuse(const struct arg_table *table, enum fault fault, const char *option,
                  struct err *err)
{
    static const char *const words[][2] = {
        [FAULT_INVALID] = { "Invalid option", "is invalid" },
        [FAULT_MISSING] = { "Missing argument for option", "is missing a required argument" },
        [FAULT_UNRECOGNIZED] = { "Unrecognized parameter", "is unrecognized" },
    };

    if (table->is_option_first)
        return err_set(err, EINVAL, "Option \"%s\" %s", option, words[fault][1]);
    return err_set(err, EINVAL, "%s \"%s\"", words[fault][0], option);
}

/* Refuses an option that getopt does not know. getopt tells the letter of a short option, which may
   be one of several behind one dash; it tells nothing of a long one. */
static int refuse_unknown(const struct arg_table *table, const char *last, struct err *err)
{
    char option[] = { '-', (char)optopt, '\0' };

    if (!optopt || optopt >= ARG_LONG_ONLY)
        return refuse(table, FAULT_INVALID, last, err);
    if (!isprint((unsigned char)optopt))
        return err_set(err, EINVAL, "Failed to process command-line: option with character 0x%02x",
                       (unsigned char)optopt);
    return refuse(table, FAULT_INVALID, option, err);
}

static int take_one(const struct arg_table *table, int code, int index, void *arg, struct err *err)
{
    const struct arg_row *row = row_of(table, code, index);
    struct err why = { 0 };
    int rc = table->take(arg, row, optarg, &why);

    if (rc == 0)
        return 0;
    if (!table->is_option_first)
        return err_set(err, why.code, "%s", why.text);
    if (index >= 0)
        return err_set(err, why.code, "Option \"--%s\" %s", row->name, why.text);
    return err_set(err, why.code, "Option \"-%c\" %s", code, why.text);
}

int args_parse(const struct arg_table *table, int argc, char **argv, void *arg, struct err *err)
{
    AUTO(strbuf) struct strbuf shorts = { 0 };
    AUTO_FREE struct option *longs = make_options(table, &shorts);
    int index = -1;
    int code;

    optind = 0; /* makes getopt start afresh */
    while ((code = getopt_long(argc, argv, shorts.data, longs, &index)) != -1) {
        int rc = code == '?'   ? refuse_unknown(table, argv[optind - 1], err)
                 : code == ':' ? refuse(table, FAULT_MISSING, argv[optind - 1], err)
                               : take_one(table, code, index, arg, err);

        if (rc < 0)
            return rc;
        index = -1;
    }
    return optind < argc ? refuse(table, FAULT_UNRECOGNIZED, argv[optind], err) : 0;
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
