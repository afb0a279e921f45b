#include "ctld/store/archive_line.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/text/words.h"
#include "ctld/store/archive.h"

#define JOB_TITLES                                                                                 \
    "jobid|array_job_id|array_task|launch|user|uid|group|gid|account|partition|name|state|"        \
    "ended_by|exit_status|derived_status|submit|eligible|start|end|time_limit_s|ncpus|nnodes|"     \
    "nodelist|work_dir|submit_line|comment|earlier_run|record|body"
#define STEP_TITLES                                                                                \
    "jobid|step|launch|name|state|exit_status|start|end|ntasks|ncpus|nodelist|user_us|system_us|"  \
    "max_memory_kb|total_memory_kb|read_bytes|written_bytes|record"
#define LOG_TITLES "time|text|turn|place|record"
#define USAGE_TITLES                                                                               \
    "period|at|account|user|partition|wckey|cpus|began|carried|cpu_s|mem_mb_s|node_s|billing_s|"   \
    "waited_s|other_tres_s"

static const char *const titles[ARCHIVE_KINDS_N] = {
    [ARCHIVE_JOBS] = JOB_TITLES,
    [ARCHIVE_STEPS] = STEP_TITLES,
    [ARCHIVE_EVENTS] = "node|since|until|state|reason|reason_user|record",
    [ARCHIVE_LOG] = LOG_TITLES,
    [ARCHIVE_TRANSACTIONS] = LOG_TITLES,
    [ARCHIVE_USAGE] = USAGE_TITLES,
};

const char *archive_line_titles(enum archive_kind kind)
{
    return titles[kind];
}

/* ---- fields ---- */

void archive_line_text(struct strbuf *line, const char *text)
{
    for (const char *at = text ? text : ""; *at; at++) {
        unsigned char byte = (unsigned char)*at;

        if (byte < ' ' || byte == '|' || byte == '\\')
            strbuf_addf(line, "\\x%02x", byte);
        else
            strbuf_addc(line, *at);
    }
    strbuf_addc(line, '|');
}

static void add_number(struct strbuf *line, int64_t number)
{
    strbuf_addf(line, "%" PRId64 "|", number);
}

static void add_amount(struct strbuf *line, uint64_t amount)
{
    strbuf_addf(line, "%" PRIu64 "|", amount);
}

static void add_time(struct strbuf *line, int64_t t)
{
    if (t)
        add_number(line, t);
    else
        strbuf_addc(line, '|');
}

static void add_count(struct strbuf *line, uint32_t count)
{
    if (count == COUNT_UNSET)
        strbuf_addc(line, '|');
    else
        add_number(line, count);
}

static void add_record(struct strbuf *line, const struct schema *schema, const void *record)
{
    static const char digits[] = "0123456789abcdef";
    struct blob bytes = schema_encode_blob(schema, record);

    for (uint32_t i = 0; i < bytes.n; i++) {
        strbuf_addc(line, digits[bytes.data[i] >> 4]);
        strbuf_addc(line, digits[bytes.data[i] & 15]);
    }
    strbuf_addc(line, '|');
    free(bytes.data);
}

/* Takes away the divider behind the last field. */
static void end_line(struct strbuf *line)
{
    strbuf_truncate(line, line->len - 1);
}

/* ---- writing ---- */

static void add_who(struct strbuf *line, const struct job_record *job)
{
    add_number(line, job->id);
    add_number(line, job->array_job_id);
    add_count(line, job->array_task);
    add_number(line, job->launch_number);
    archive_line_text(line, job->user_name);
    add_number(line, job->uid);
    archive_line_text(line, job->group_name);
    add_number(line, job->gid);
    archive_line_text(line, job->spec->account);
    archive_line_text(line, job->partition);
    archive_line_text(line, job->spec->name);
}

void archive_line_job(struct strbuf *line, const struct archive_job *archived)
{
    const struct job_record *job = archived->job;

    add_who(line, job);
    archive_line_text(line, job_state_name(job->state, 0));
    add_count(line, job->ended_by);
    add_number(line, job->exit_status);
    add_number(line, job->derived_status);
    add_time(line, job->submit_time);
    add_time(line, job->eligible_time);
    add_time(line, job->start_time);
    add_time(line, job->end_time);
    add_number(line, job->spec->time_limit);
    add_number(line, job->ncpus);
    add_number(line, job->nodes_n);
    archive_line_text(line, job->node_list);
    archive_line_text(line, archived->body->work_dir);
    archive_line_text(line, archived->body->submit_line);
    archive_line_text(line, job->spec->comment);
    add_number(line, archived->is_earlier_run);
    add_record(line, job_record_schema(), job);
    add_record(line, job_body_schema(), archived->body);
    end_line(line);
}

static void add_usage(struct strbuf *line, const struct step_usage *usage)
{
    const struct usage_spread *memory = usage ? usage->memory_kb : NULL;

    add_amount(line, usage ? usage->user_us : 0);
    add_amount(line, usage ? usage->system_us : 0);
    add_amount(line, memory ? memory->max : 0);
    add_amount(line, memory ? memory->total : 0);
    add_amount(line, usage && usage->read_bytes ? usage->read_bytes->total : 0);
    add_amount(line, usage && usage->written_bytes ? usage->written_bytes->total : 0);
}

void archive_line_step(struct strbuf *line, const struct step_record *step)
{
    add_number(line, step->job_id);
    add_number(line, step->step_id);
    add_number(line, step->launch_number);
    archive_line_text(line, step->name);
    archive_line_text(line, job_state_name(step->end_state, 0));
    add_number(line, step->exit_status);
    add_time(line, step->start_time);
    add_time(line, step->end_time);
    add_number(line, step->ntasks);
    add_number(line, step->ncpus);
    archive_line_text(line, step->node_list);
    add_usage(line, step->usage);
    add_record(line, step_record_schema(), step);
    end_line(line);
}

void archive_line_event(struct strbuf *line, const struct cluster_event *event)
{
    archive_line_text(line, event->node);
    add_time(line, event->since);
    add_time(line, event->until);
    add_number(line, event->state);
    archive_line_text(line, event->reason);
    archive_line_text(line, event->reason_user);
    add_record(line, cluster_event_schema(), event);
    end_line(line);
}

void archive_line_log(struct strbuf *line, const struct event_record *event)
{
    AUTO(strbuf) struct strbuf text = { 0 };

    event_format(event, &text);
    add_number(line, event->time_ms / 1000);
    archive_line_text(line, strbuf_text(&text));
    add_amount(line, event->turn);
    add_number(line, event->place);
    add_record(line, event_record_schema(), event);
    end_line(line);
}

void archive_line_usage(struct strbuf *line, const struct job_sum *sum)
{
    AUTO(strbuf) struct strbuf more = { 0 };

    for (uint32_t i = 0; i < sum->more_n; i++)
        strbuf_addf(&more, "%s%s=%" PRIu64, i ? "," : "", sum->more[i].tres, sum->more[i].amount);
    add_number(line, sum->period);
    add_number(line, sum->at);
    archive_line_text(line, sum->account);
    archive_line_text(line, sum->user);
    archive_line_text(line, sum->partition);
    archive_line_text(line, sum->wckey);
    add_number(line, sum->cpus);
    add_amount(line, sum->began);
    add_amount(line, sum->carried);
    for (int i = 0; i < SUM_TRES_N; i++)
        add_amount(line, sum->held[i]);
    add_amount(line, sum->waited);
    archive_line_text(line, strbuf_text(&more));
    end_line(line);
}

/* ---- fields back ---- */

void archive_fields_split(const char *line, size_t n, struct archive_fields *ret)
{
    const char *end = line + n;

    ret->n = 0;
    for (;;) {
        const char *divider =
            ret->n + 1 < ARCHIVE_FIELDS_MAX ? memchr(line, '|', (size_t)(end - line)) : NULL;
        const char *stop = divider ? divider : end;

        ret->at[ret->n++] = (struct archive_field){ line, (size_t)(stop - line) };
        if (!divider)
            return;
        line = divider + 1;
    }
}

static int hex_digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Reads two digits; less than 0: they are none. */
static int hex_byte(const char *text)
{
    const int high = hex_digit(text[0]), low = high < 0 ? -1 : hex_digit(text[1]);

    return low < 0 ? -1 : high << 4 | low;
}

char *archive_field_text(const struct archive_field *field)
{
    AUTO(strbuf) struct strbuf text = { 0 };

    for (size_t i = 0; i < field->n; i++) {
        int byte = (unsigned char)field->text[i];

        if (byte == '\\') {
            byte =
                field->n - i > 3 && field->text[i + 1] == 'x' ? hex_byte(field->text + i + 2) : -1;
            i += 3;
        }
        if (byte <= 0)
            return NULL;
        strbuf_addc(&text, (char)byte);
    }
    return xstrdup(strbuf_text(&text));
}

static bool read_amount(const struct archive_field *field, uint64_t max, uint64_t *ret)
{
    AUTO_FREE char *text = xstrndup(field->text, field->n);

    return field->n > 0 && strlen(text) == field->n && number_parse(text, 0, max, ret, NULL) == 0;
}

static bool read_blob(const struct archive_field *field, struct blob *ret)
{
    AUTO_FREE uint8_t *bytes = xmalloc(field->n / 2 + 1);

    if (field->n % 2 || field->n / 2 > UINT32_MAX)
        return false;
    for (size_t i = 0; i < field->n / 2; i++) {
        const int byte = hex_byte(field->text + 2 * i);

        if (byte < 0)
            return false;
        bytes[i] = (uint8_t)byte;
    }
    *ret = (struct blob){ field->n ? STEAL(bytes) : NULL, (uint32_t)(field->n / 2) };
    return true;
}

static bool read_record(const struct archive_field *field, const struct schema *schema, void *ret)
{
    struct blob bytes = { 0 };
    const bool is_good = read_blob(field, &bytes) &&
                         schema_decode(schema, bytes.data, bytes.n, ret, NULL) == 0 &&
                         schema_check_text(schema, ret, NULL) == 0;

    free(bytes.data);
    return is_good;
}

/* ---- records back ---- */

void archived_init(struct archived *archived)
{
    *archived = (struct archived){ 0 };
    job_record_init(&archived->job);
    step_record_init(&archived->step);
    cluster_event_init(&archived->event);
    event_record_init(&archived->log);
}

void archived_clear(struct archived *archived)
{
    job_record_clear(&archived->job);
    step_record_clear(&archived->step);
    cluster_event_clear(&archived->event);
    event_record_clear(&archived->log);
    free(archived->body.data);
    for (uint32_t i = 0; archived->sum && i < archived->sum->more_n; i++)
        free(archived->sum->more[i].tres);
    if (archived->sum)
        free(archived->sum->more);
    free(archived->sum);
    for (size_t i = 0; i < ARRAY_N(archived->texts); i++)
        free(archived->texts[i]);
    archived_init(archived);
}

void archived_auto_(struct archived *archived)
{
    archived_clear(archived);
}

static bool parse_job(const struct archive_field *last, struct archived *ret)
{
    AUTO(job_body) struct job_body body;
    uint64_t is_run;

    job_body_init(&body);
    if (!read_amount(&last[-2], 1, &is_run) ||
        !read_record(&last[-1], job_record_schema(), &ret->job) || !read_blob(last, &ret->body) ||
        schema_decode(job_body_schema(), ret->body.data, ret->body.n, &body, NULL) < 0)
        return false;
    ret->is_earlier_run = is_run;
    return ret->job.id && ret->job.spec && job_state_is_over(ret->job.state) && ret->job.end_time;
}

static bool parse_log(const struct archive_field *last, enum archive_kind kind,
                      struct archived *ret)
{
    uint64_t turn, place;

    if (!read_amount(&last[-2], INT64_MAX, &turn) || !read_amount(&last[-1], UINT32_MAX, &place) ||
        !read_record(last, event_record_schema(), &ret->log))
        return false;
    ret->log.turn = turn;
    ret->log.place = (uint32_t)place;
    return (ret->log.kind == EVENT_ACCOUNTING) == (kind == ARCHIVE_TRANSACTIONS);
}

/* Reads "gres/gpu=12,license/x=3". */
static bool parse_more(const struct archive_field *field, struct job_sum *sum)
{
    AUTO_FREE char *text = archive_field_text(field);
    AUTO(words) struct words parts = { 0 };

    if (!text)
        return false;
    words_add(&parts, text, ",");
    for (uint32_t i = 0; i < parts.n; i++) {
        char *equals = strrchr(parts.at[i], '=');
        struct acct_amount *more;

        if (!equals || equals == parts.at[i])
            return false;
        more = ARRAY_PUSH(sum->more, sum->more_n);
        acct_amount_init(more);
        more->tres = xstrndup(parts.at[i], (size_t)(equals - parts.at[i]));
        if (number_parse(equals + 1, 0, INT64_MAX, &more->amount, NULL) < 0)
            return false;
    }
    return true;
}

static bool parse_sum_texts(const struct archive_field *at, struct archived *ret)
{
    for (size_t i = 0; i < ARRAY_N(ret->texts); i++) {
        ret->texts[i] = archive_field_text(&at[i]);
        if (!ret->texts[i])
            return false;
    }
    ret->sum->account = ret->texts[0];
    ret->sum->user = ret->texts[1];
    ret->sum->partition = ret->texts[2];
    ret->sum->wckey = ret->texts[3];
    return true;
}

static bool parse_usage(const struct archive_field *at, struct archived *ret)
{
    struct job_sum *sum = ret->sum = xcalloc(1, sizeof(*sum));
    uint64_t *const amounts[] = { &sum->began,          &sum->carried,
                                  &sum->held[SUM_CPU],  &sum->held[SUM_MEM],
                                  &sum->held[SUM_NODE], &sum->held[SUM_BILLING],
                                  &sum->waited };
    uint64_t period, begin, cpus;

    if (!read_amount(&at[0], PERIODS_N - 1, &period) || !read_amount(&at[1], INT64_MAX, &begin) ||
        !parse_sum_texts(&at[2], ret) || !read_amount(&at[6], UINT32_MAX, &cpus))
        return false;
    for (size_t i = 0; i < ARRAY_N(amounts); i++) {
        if (!read_amount(&at[7 + i], INT64_MAX, amounts[i]))
            return false;
    }
    sum->period = (int64_t)period;
    sum->at = (int64_t)begin;
    sum->cpus = (uint32_t)cpus;
    return parse_more(&at[14], sum);
}

static uint32_t fields_of(enum archive_kind kind)
{
    uint32_t n = 1;

    for (const char *at = titles[kind]; (at = strchr(at, '|')); at++)
        n++;
    return n;
}

static bool parse(enum archive_kind kind, const struct archive_fields *fields, struct archived *ret)
{
    const struct archive_field *last = &fields->at[fields->n - 1];

    switch (kind) {
    case ARCHIVE_JOBS:
        return parse_job(last, ret);
    case ARCHIVE_STEPS:
        return read_record(last, step_record_schema(), &ret->step) && ret->step.job_id;
    case ARCHIVE_EVENTS:
        return read_record(last, cluster_event_schema(), &ret->event) && ret->event.until;
    case ARCHIVE_LOG:
    case ARCHIVE_TRANSACTIONS:
        return parse_log(last, kind, ret);
    default:
        return parse_usage(fields->at, ret);
    }
}

int archive_line_parse(enum archive_kind kind, const char *line, size_t n, struct archived *ret,
                       struct err *err)
{
    struct archive_fields fields;

    archive_fields_split(line, n, &fields);
    if (fields.n != fields_of(kind) || !parse(kind, &fields, ret))
        return err_set(err, EINVAL, "no record of an archive of %ss", store_archive_name(kind));
    if (kind == ARCHIVE_JOBS)
        return job_check_record(&ret->job, err);
    return kind == ARCHIVE_STEPS ? step_check_record(&ret->step, err) : 0;
}
