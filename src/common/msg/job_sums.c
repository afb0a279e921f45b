#include "common/msg/job_sums.h"

#include <stdio.h>
#include <string.h>

#include "common/msg/tres.h"

const char *const sum_tres_names[SUM_TRES_N] = {
    [SUM_CPU] = "cpu", [SUM_MEM] = "mem", [SUM_NODE] = "node", [SUM_BILLING] = "billing"
};

/* ---- rows ---- */

void job_sum_clear_more(struct job_sum *row)
{
    for (uint32_t i = 0; i < row->more_n; i++)
        acct_amount_clear(&row->more[i]);
    free(row->more);
    row->more = NULL;
    row->more_n = 0;
}

void job_sums_clear(struct job_sums *sums)
{
    struct job_sum *row, *next;

    HASH_ITER (hh, sums->rows, row, next) {
        HASH_DEL(sums->rows, row);
        job_sum_clear_more(row);
        free(row);
    }
}

void job_sums_auto_(struct job_sums *sums)
{
    job_sums_clear(sums);
}

#define KEY_NUMBERS_N 3
#define KEY_TEXTS_N   4

/* Appends numbers and texts, each text with its zero byte. */
static void write_key(const struct job_sum *key, struct strbuf *out)
{
    const int64_t numbers[KEY_NUMBERS_N] = { key->period, key->at, key->cpus };
    const char *const texts[KEY_TEXTS_N] = { key->account, key->user, key->partition, key->wckey };

    strbuf_add(out, numbers, sizeof(numbers));
    for (int i = 0; i < KEY_TEXTS_N; i++)
        strbuf_add(out, texts[i], strlen(texts[i]) + 1);
}

static struct job_sum *new_row(const struct job_sum *key, const struct strbuf *bytes)
{
    struct job_sum *row = xcalloc(1, sizeof(*row) + bytes->len);
    const char **const texts[KEY_TEXTS_N] = { &row->account, &row->user, &row->partition,
                                              &row->wckey };
    const char *text = row->key + KEY_NUMBERS_N * sizeof(int64_t);

    memcpy(row->key, bytes->data, bytes->len);
    row->period = key->period;
    row->at = key->at;
    row->cpus = key->cpus;
    for (int i = 0; i < KEY_TEXTS_N; i++) {
        *texts[i] = text;
        text += strlen(text) + 1;
    }
    return row;
}

struct job_sum *job_sums_row(struct job_sums *sums, const struct job_sum *key)
{
    AUTO(strbuf) struct strbuf bytes = { 0 };
    struct job_sum *row;

    write_key(key, &bytes);
    HASH_FIND(hh, sums->rows, bytes.data, (unsigned)bytes.len, row);
    if (!row) {
        row = new_row(key, &bytes);
        HASH_ADD_KEYPTR(hh, sums->rows, row->key, (unsigned)bytes.len, row);
    }
    return row;
}

const char *job_sum_owner(const struct job_sum *row, size_t *ret_n)
{
    const size_t numbers_n = KEY_NUMBERS_N * sizeof(int64_t);

    *ret_n = row->hh.keylen - numbers_n;
    return row->key + numbers_n;
}

void job_sum_add_more(struct job_sum *row, const char *name, uint64_t seconds)
{
    struct acct_amount *amount;

    for (uint32_t i = 0; i < row->more_n; i++) {
        if (strcmp(row->more[i].tres, name) == 0) {
            row->more[i].amount += seconds;
            return;
        }
    }
    amount = ARRAY_PUSH(row->more, row->more_n);
    acct_amount_init(amount);
    amount->tres = xstrdup(name);
    amount->amount = seconds;
}

static void push_amount(struct sum_info *info, const char *name, uint64_t amount)
{
    struct acct_amount *held = ARRAY_PUSH(info->held, info->held_n);

    acct_amount_init(held);
    held->tres = xstrdup(name);
    held->amount = amount;
}

static char *text_or_null(const char *text)
{
    return *text ? xstrdup(text) : NULL;
}

void job_sum_tell(const struct job_sum *row, struct sum_info *ret)
{
    sum_info_init(ret);
    ret->account = text_or_null(row->account);
    ret->user = text_or_null(row->user);
    ret->partition = text_or_null(row->partition);
    ret->wckey = text_or_null(row->wckey);
    ret->cpus = row->cpus;
    ret->jobs = row->began + row->carried;
    for (int i = 0; i < SUM_TRES_N; i++)
        push_amount(ret, sum_tres_names[i], row->held[i]);
    for (uint32_t i = 0; i < row->more_n; i++)
        push_amount(ret, row->more[i].tres, row->more[i].amount);
}

/* ---- what a job holds ---- */

/* The amounts of a job, named once for all periods in which it ran. */
struct holding {
    uint64_t amounts[SUM_TRES_N];
    struct acct_amount *more;
    uint32_t more_n;
};

static void clear_holding(struct holding *holding)
{
    for (uint32_t i = 0; i < holding->more_n; i++)
        acct_amount_clear(&holding->more[i]);
    free(holding->more);
}

static struct holding holding_of(const struct job_record *job)
{
    AUTO(tres) struct tres tres = tres_allocated(job);
    struct holding holding = { .amounts = { [SUM_CPU] = tres.cpus,
                                            [SUM_MEM] = tres.mem_mb == MB_UNSET ? 0 : tres.mem_mb,
                                            [SUM_NODE] = tres.nodes,
                                            [SUM_BILLING] = tres.billing } };

    tres_list_more(&tres, &holding.more, &holding.more_n);
    return holding;
}

static void add_held(struct job_sum *row, const struct holding *holding, int64_t seconds)
{
    for (int i = 0; i < SUM_TRES_N; i++)
        row->held[i] += holding->amounts[i] * (uint64_t)seconds;
    for (uint32_t i = 0; i < holding->more_n; i++)
        job_sum_add_more(row, holding->more[i].tres, holding->more[i].amount * (uint64_t)seconds);
}

/* ---- when ---- */

struct run {
    struct span spans[JOB_SPANS_MAX];
    uint32_t n;
};

static int64_t ran_within(const struct run *run, int64_t from, int64_t until)
{
    int64_t seconds = 0;

    for (uint32_t i = 0; i < run->n; i++)
        seconds += span_within(&run->spans[i], from, until);
    return seconds;
}

struct job_sum job_sum_key(const struct job_record *job, char uid[SUM_UID_MAX])
{
    snprintf(uid, SUM_UID_MAX, "%u", job->uid);
    return (struct job_sum){ .account = job->spec->account ? job->spec->account : "",
                             .user = job->user_name ? job->user_name : uid,
                             .partition = job->partition ? job->partition : "",
                             .wckey = job->spec->wckey ? job->spec->wckey : "" };
}

static struct job_sum *cluster_row(struct job_sums *sums, int64_t hour)
{
    return job_sums_row(sums, &(struct job_sum){ .period = PERIOD_HOUR,
                                                 .at = hour,
                                                 .account = "",
                                                 .user = "",
                                                 .partition = "",
                                                 .wckey = "" });
}

/* A period in which a job is only suspended counts it, too: it is there. */
static void add_to_periods(struct job_sums *sums, enum period period, const struct job_sum *who,
                           const struct run *run, const struct holding *holding, uint64_t sign)
{
    const int64_t begin = run->spans[0].from, end = run->spans[run->n - 1].until;
    struct job_sum key = *who;
    int64_t next;

    key.period = (int64_t)period;
    for (int64_t at = period_start(period, begin); at < end; at = next) {
        struct job_sum *row;

        next = period_next(period, at);
        key.at = at;
        row = job_sums_row(sums, &key);
        row->began += at <= begin ? sign : 0;
        row->carried += at > begin ? sign : 0;
        add_held(row, holding, (int64_t)sign * ran_within(run, at, next));
    }
}

/* Adds what the job held, or with a `sign` of UINT64_MAX, which is -1, takes it away. */
static void add_run(struct job_sums *sums, const struct job_record *job, int64_t now, uint64_t sign)
{
    struct holding holding;
    struct run run;
    struct job_sum who;
    char uid[SUM_UID_MAX];

    run.n = job_spans(job, now, run.spans);
    if (run.n == 0 || job->nodes_n == 0)
        return;
    who = job_sum_key(job, uid);
    who.cpus = job->ncpus;
    holding = holding_of(job);
    for (enum period period = PERIOD_HOUR; period < PERIODS_N; period++)
        add_to_periods(sums, period, &who, &run, &holding, sign);
    clear_holding(&holding);
}

void job_sums_add_run(struct job_sums *sums, const struct job_record *job, int64_t now)
{
    add_run(sums, job, now, 1);
}

void job_sums_take_run(struct job_sums *sums, const struct job_record *job, int64_t now)
{
    add_run(sums, job, now, UINT64_MAX);
}

/* ---- of the cluster ---- */

/* Cuts off what lies outside of a window. Returns false: nothing is left. */
static bool cut(struct span *span, const struct span *window)
{
    if (span->from < window->from)
        span->from = window->from;
    if (span->until > window->until)
        span->until = window->until;
    return span->from < span->until;
}

static void add_held_hours(struct job_sums *sums, const struct job_record *job, int64_t now,
                           const struct span *window)
{
    struct holding holding = holding_of(job);
    struct run run;
    int64_t next;

    run.n = job_spans(job, now, run.spans);
    for (uint32_t i = 0; i < run.n; i++) {
        struct span *span = &run.spans[i];

        if (!cut(span, window))
            continue;
        for (int64_t at = period_start(PERIOD_HOUR, span->from); at < span->until; at = next) {
            next = period_next(PERIOD_HOUR, at);
            add_held(cluster_row(sums, at), &holding, span_within(span, at, next));
        }
    }
    clear_holding(&holding);
}

static void add_waited_hours(struct job_sums *sums, const struct job_record *job, int64_t now,
                             const struct span *window)
{
    struct span wait;
    uint64_t cpus;
    int64_t next;

    if (!job_wait_span(job, now, &wait) || !cut(&wait, window))
        return;
    cpus = (uint64_t)job->ncpus * job_tasks_n(job);
    for (int64_t at = period_start(PERIOD_HOUR, wait.from); at < wait.until; at = next) {
        next = period_next(PERIOD_HOUR, at);
        cluster_row(sums, at)->waited += cpus * (uint64_t)span_within(&wait, at, next);
    }
}

void job_sums_add_hours(struct job_sums *sums, const struct job_record *job, int64_t now,
                        const struct span *window)
{
    if (job->nodes_n > 0)
        add_held_hours(sums, job, now, window);
    add_waited_hours(sums, job, now, window);
}

void job_sums_add_between(struct job_sums *sums, const struct job_record *job, int64_t now,
                          int64_t from, int64_t until, bool sizes)
{
    struct holding holding;
    struct run run;
    struct job_sum key, *row;
    char uid[SUM_UID_MAX];

    run.n = job_spans(job, now, run.spans);
    if (job->nodes_n == 0 || ran_within(&run, from, until) == 0)
        return;
    key = job_sum_key(job, uid);
    key.at = from;
    key.cpus = sizes ? job->ncpus : 0;
    holding = holding_of(job);
    row = job_sums_row(sums, &key);
    row->began++;
    add_held(row, &holding, ran_within(&run, from, until));
    clear_holding(&holding);
}
