#include "ctld/sim/swf.h"

#include <string.h>

#include "common/text/words.h"

#define NO_SLOT SIZE_MAX

/* The 18 numbers of a line, in their order. */
static const struct field {
    const char *name;
    size_t slot; /* in struct swf_job; NO_SLOT: not kept */
    int64_t max;
    bool fraction; /* may have one, which is not kept */
} fields[] = {
    { "job number", offsetof(struct swf_job, id), SWF_ID_MAX, false },
    { "submit time", offsetof(struct swf_job, submit_s), SWF_TIME_MAX, false },
    { "wait time", NO_SLOT, SWF_TIME_MAX, false },
    { "run time", offsetof(struct swf_job, run_s), SWF_TIME_MAX, false },
    { "processors", offsetof(struct swf_job, procs_used), SWF_ID_MAX, false },
    { "average CPU time", NO_SLOT, SWF_ID_MAX, true },
    { "used memory", NO_SLOT, SWF_ID_MAX, false },
    { "requested processors", offsetof(struct swf_job, procs_asked), SWF_ID_MAX, false },
    { "requested time", offsetof(struct swf_job, request_s), SWF_TIME_MAX, false },
    { "requested memory", NO_SLOT, SWF_ID_MAX, false },
    { "status", NO_SLOT, SWF_ID_MAX, false },
    { "user", offsetof(struct swf_job, user), SWF_ID_MAX, false },
    { "group", offsetof(struct swf_job, group), SWF_ID_MAX, false },
    { "application", NO_SLOT, SWF_ID_MAX, false },
    { "queue", offsetof(struct swf_job, queue), SWF_ID_MAX, false },
    { "partition", offsetof(struct swf_job, partition), SWF_ID_MAX, false },
    { "preceding job", NO_SLOT, SWF_ID_MAX, false },
    { "think time", NO_SLOT, SWF_TIME_MAX, false },
};

void swf_init(struct swf *swf, const char *name)
{
    *swf = (struct swf){ .name = xstrdup(name), .max_procs = -1, .max_nodes = -1 };
}

void swf_clear(struct swf *swf)
{
    free(swf->name);
    free(swf->jobs);
    strbuf_clear(&swf->rest);
    *swf = (struct swf){ 0 };
}

void swf_auto_(struct swf *swf)
{
    swf_clear(swf);
}

/* A place in the line that is being read. */
struct cursor {
    const char *line, *at;
};

static int fail_at(const struct swf *swf, struct cursor in, const char *what, struct err *err)
{
    return err_set(err, E_SYNTAX, "%s:%u:%zu: %s", swf->name, swf->line,
                   (size_t)(in.at - in.line) + 1, what);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static void skip_blanks(struct cursor *in)
{
    while (is_blank(*in->at))
        in->at++;
}

/* Takes digits up to `max`; -1 when there are none or too many. */
static int64_t take_digits(struct cursor *in, int64_t max)
{
    int64_t number = 0;

    if (!is_digit(*in->at))
        return -1;
    for (; is_digit(*in->at); in->at++) {
        number = number * 10 + (*in->at - '0');
        if (number > max)
            return -1;
    }
    return number;
}

static int fail_number(const struct swf *swf, struct cursor in, const struct field *field,
                       struct err *err)
{
    AUTO_FREE char *what = NULL;
    const size_t n = strcspn(in.at, " \t\r");

    if (n == 0)
        what = xasprintf("the line ends before the %s (number %td of %zu)", field->name,
                         field - fields + 1, ARRAY_N(fields));
    else
        what = xasprintf("%s: '%.*s' is not a%s number from -1 to %lld", field->name,
                         n < 40 ? (int)n : 40, in.at, field->fraction ? "" : " whole",
                         (long long)field->max);
    return fail_at(swf, in, what, err);
}

static int read_field(const struct swf *swf, struct cursor *in, const struct field *field,
                      struct swf_job *job, struct err *err)
{
    int64_t number;
    struct cursor start;
    bool negative;

    skip_blanks(in);
    start = *in;
    negative = *in->at == '-';
    in->at += negative;
    number = take_digits(in, field->max);
    if (number >= 0 && field->fraction && *in->at == '.') {
        in->at++;
        while (is_digit(*in->at))
            in->at++;
    }
    if (number < 0 || (*in->at && !is_blank(*in->at)))
        return fail_number(swf, start, field, err);
    if (field->slot != NO_SLOT)
        *(int64_t *)((char *)job + field->slot) = negative ? -number : number;
    return 0;
}

static int read_job(struct swf *swf, struct cursor in, struct err *err)
{
    struct swf_job job = { .line = swf->line };

    for (size_t i = 0; i < ARRAY_N(fields); i++) {
        int rc = read_field(swf, &in, &fields[i], &job, err);

        if (rc < 0)
            return rc;
    }
    skip_blanks(&in);
    if (*in.at)
        return fail_at(swf, in, "more than 18 numbers in a line", err);
    if (job.id < 0)
        return fail_at(swf, (struct cursor){ in.line, in.line }, "the job number is negative", err);
    if (swf->jobs_n == SWF_JOBS_MAX)
        return fail_at(swf, in, "more jobs than a trace may have (20,000,000)", err);
    *ARRAY_PUSH(swf->jobs, swf->jobs_n) = job;
    return 0;
}

/* Reads "; MaxProcs: 100", or "; MaxNodes: 338 (batch partition)". */
static int read_header(struct swf *swf, struct cursor in, struct err *err)
{
    const struct {
        const char *name;
        int64_t *slot;
    } known[] = { { "MaxProcs:", &swf->max_procs }, { "MaxNodes:", &swf->max_nodes } };

    while (*in.at == ';' || is_blank(*in.at))
        in.at++;
    for (size_t i = 0; i < ARRAY_N(known); i++) {
        if (!word_starts(in.at, known[i].name, &in.at))
            continue;
        skip_blanks(&in);
        *known[i].slot = take_digits(&in, UINT32_MAX);
        if (*known[i].slot < 0 || (*in.at && !is_blank(*in.at)))
            return fail_at(swf, in, "the header's number of processors cannot be read", err);
    }
    return 0;
}

static int read_line(struct swf *swf, const char *line, struct err *err)
{
    struct cursor in = { line, line };

    skip_blanks(&in);
    if (*in.at == ';')
        return read_header(swf, in, err);
    return *in.at ? read_job(swf, in, err) : 0;
}

/* Reads the line held in `rest`, which is complete. */
static int end_line(struct swf *swf, struct err *err)
{
    int rc = 0;

    swf->line++;
    if (memchr(strbuf_text(&swf->rest), 0, swf->rest.len))
        rc = err_set(err, E_SYNTAX, "%s:%u: not text", swf->name, swf->line);
    if (rc == 0)
        rc = read_line(swf, strbuf_text(&swf->rest), err);
    strbuf_truncate(&swf->rest, 0);
    return rc;
}

int swf_feed(struct swf *swf, const char *bytes, size_t n, struct err *err)
{
    while (n > 0) {
        const char *end = memchr(bytes, '\n', n);
        const size_t part = end ? (size_t)(end - bytes) : n;

        if (swf->rest.len + part > SWF_LINE_MAX)
            return err_set(err, E_SYNTAX, "%s:%u: a line of more than %d characters", swf->name,
                           swf->line + 1, SWF_LINE_MAX);
        strbuf_add(&swf->rest, bytes, part);
        if (end) {
            int rc = end_line(swf, err);

            if (rc < 0)
                return rc;
        }
        bytes += part + (end != NULL);
        n -= part + (end != NULL);
    }
    return 0;
}

int swf_end(struct swf *swf, struct err *err)
{
    return swf->rest.len ? end_line(swf, err) : 0;
}
