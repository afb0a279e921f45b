/* option_shown.c - what -v shows: each given option by its long name, as Slurm shows it. */
#include "cli/submit/option_table.h"

#include <string.h>

#include "common/text/duration.h"
#include "common/text/size.h"
#include "common/text/timetext.h"

static const void *member(const struct submit_options *options, const struct option_row *row)
{
    return (const char *)options + row->at;
}

/* Shows memory; megabytes go without their letter. */
static void show_memory(const struct submit_options *options, const struct option_row *row,
                        struct strbuf *out)
{
    size_format_mb(out, *(const uint64_t *)member(options, row));
    if (out->len && out->data[out->len - 1] == 'M')
        strbuf_truncate(out, out->len - 1);
}

static void show_limit(const struct submit_options *options, const struct option_row *row,
                       struct strbuf *out)
{
    duration_format(out, *(const int64_t *)member(options, row));
}

static void show_time(const struct submit_options *options, const struct option_row *row,
                      struct strbuf *out)
{
    time_format(out, *(const int64_t *)member(options, row), NULL, options->now, "Unknown");
}

static void show_text(const struct submit_options *options, const struct option_row *row,
                      struct strbuf *out)
{
    const char *text = *(char *const *)member(options, row);

    strbuf_adds(out, text ? text : "(null)");
}

static void show_number(const struct submit_options *options, const struct option_row *row,
                        struct strbuf *out)
{
    strbuf_addf(out, "%u", *(const uint32_t *)member(options, row));
}

static void show_nice(const struct submit_options *options, const struct option_row *row,
                      struct strbuf *out)
{
    strbuf_addf(out, "%d", *(const int32_t *)member(options, row));
}

static void show_open_mode(const struct submit_options *options, const struct option_row *row,
                           struct strbuf *out)
{
    (void)row;
    strbuf_addc(out, options->body.open_mode == OPEN_APPEND ? 'a' : 't');
}

static void show_exclusive(const struct submit_options *options, const struct option_row *row,
                           struct strbuf *out)
{
    (void)row;
    strbuf_adds(out, options->job.share == SHARE_USER ? "user" : "exclusive");
}

static void show_name(const struct submit_options *options, const struct option_row *row,
                      struct strbuf *out)
{
    (void)options;
    strbuf_adds(out, row->name);
}

static void show_bell(const struct submit_options *options, const struct option_row *row,
                      struct strbuf *out)
{
    (void)row;
    strbuf_adds(out, options->bell == SAID_YES ? "bell-always" : "bell-never");
}

static void show_gres(const struct submit_options *options, const struct option_row *row,
                      struct strbuf *out)
{
    (void)row;
    strbuf_addf(out, "gres/%s", options->gres);
}

/*
 * Options with a form of their own; others are shown as they were written, and as "set" without a
 * value.
 */
static const struct {
    option_set_fn *set;
    void (*show)(const struct submit_options *options, const struct option_row *row,
                 struct strbuf *out);
} kinds[] = {
    { option_set_memory, show_memory },
    { option_set_limit, show_limit },
    { option_set_begin, show_time },
    { option_set_stdio, show_text },
    { option_set_directory, show_text },
    { option_set_mail_type, show_text },
    { option_set_more, show_number },
    { option_set_nice, show_nice },
    { option_set_open_mode, show_open_mode },
    { option_set_exclusive, show_exclusive },
    { option_set_oversubscribe, show_name },
    { option_set_requeue, show_name },
    { option_set_no_requeue, show_name },
    { option_set_yes, show_bell },
    { option_set_no, show_bell },
    { option_set_gres, show_gres },
};

/* Values that options without a value stand for. */
static const struct {
    option_set_fn *set;
    const char *value;
} usual[] = {
    { option_set_immediate, "1" },
    { option_set_bad_exit, "1" },
    { option_set_oom_kill, "1" },
    { option_set_kill_command, "TERM" },
};

static const char *usual_value(const struct option_row *row)
{
    for (size_t i = 0; i < ARRAY_N(usual); i++) {
        if (usual[i].set == row->set)
            return usual[i].value;
    }
    return "set";
}

static void show_value(const struct submit_options *options, uint32_t number, struct strbuf *out)
{
    const struct option_row *row = &option_rows[number];
    const char *given = options->given[number];

    for (size_t i = 0; i < ARRAY_N(kinds); i++) {
        if (kinds[i].set == row->set) {
            kinds[i].show(options, row, out);
            return;
        }
    }
    strbuf_adds(out, given ? given : usual_value(row));
}

void submit_options_show(const struct submit_options *options, struct strbuf *out)
{
    static const char line[] = "-------------------- --------------------\n";

    strbuf_addf(out, "defined options\n%s", line);
    for (uint32_t i = 0; i < option_rows_n; i++) {
        if (options->from[i] == FROM_NOWHERE)
            continue;
        strbuf_addf(out, "%-20s: ", option_rows[i].name);
        show_value(options, i, out);
        strbuf_addc(out, '\n');
    }
    strbuf_addf(out, "%send of defined options\n", line);
}
