#include "ctld/control/answer/tally.h"

#include <stdlib.h>
#include <string.h>

#include "common/msg/share.h"
#include "common/msg/tres.h"
#include "common/text/words.h"
#include "ctld/control/acct/usage.h"
#include "ctld/control/act/kept.h"
#include "ctld/control/act/state.h"
#include "ctld/control/act/timers.h"
#include "ctld/control/job/accrue.h"

/* A job with whom it counts for. */
struct counted {
    const struct job *job;
    const struct assoc *assoc;
    uint32_t qos_id; /* 0: none */
    double *held;    /* of each TRES; owned. NULL: it does not run */
    double left_s;   /* until its time limit, times UsageFactor; 0: nothing that could be told */
};

/* ---- one sum ---- */

static void add_waiting(struct tally_sum *sum, const struct job *job, struct moment now)
{
    const uint32_t n = job_jobs_n(job);

    sum->submitted_n += n;
    if (accrue_counts(now, job))
        sum->accruing_n += n;
}

static void add_nodes(const struct control *control, struct tally_sum *sum, const struct job *job)
{
    if (sum->nodes.size == 0)
        bitset_init(&sum->nodes, control->model->nodes_n);
    for (uint32_t i = 0; i < job->rec.nodes_n; i++) {
        if (job->nodes[i] != NODE_NONE)
            bitset_add(&sum->nodes, job->nodes[i]);
    }
}

static void add_running(const struct control *control, const struct tally *tally,
                        struct tally_sum *sum, const struct counted *counted)
{
    sum->running_n++;
    sum->submitted_n++;
    add_nodes(control, sum, counted->job);
    if (!sum->held) {
        sum->held = xcalloc((size_t)tally->tres_n + 1, sizeof(*sum->held));
        sum->left = xcalloc((size_t)tally->tres_n + 1, sizeof(*sum->left));
    }
    for (uint32_t i = 0; i < tally->tres_n; i++) {
        sum->left[i] += counted->held[i] * counted->left_s;
        if (i == tally->node)
            sum->held[i] = bitset_count(&sum->nodes);
        else
            sum->held[i] += counted->held[i];
    }
}

static void add_to(const struct control *control, const struct tally *tally, struct tally_sum *sum,
                   const struct counted *counted, struct moment now)
{
    if (counted->held)
        add_running(control, tally, sum, counted);
    else
        add_waiting(sum, counted->job, now);
}

static void sum_clear(struct tally_sum *sum)
{
    free(sum->held);
    free(sum->left);
    bitset_clear(&sum->nodes);
}

/* ---- parts of QOS ---- */

static struct tally_sum *part_of(struct tally *tally, uint32_t qos_id, const char *account,
                                 const char *user)
{
    char *key = xasprintf("%010u%c%s", qos_id, account ? 'a' : 'u', account ? account : user);
    struct tally_part *part;

    HASH_FIND_STR(tally->parts, key, part);
    if (part) {
        free(key);
        return &part->sum;
    }
    part = xcalloc(1, sizeof(*part));
    part->key = key;
    part->qos_id = qos_id;
    part->account = xstrdup(account);
    part->user = xstrdup(user);
    HASH_ADD_KEYPTR(hh, tally->parts, part->key, strlen(part->key), part);
    return &part->sum;
}

static int compare_parts(const void *a, const void *b)
{
    return strcmp(((const struct tally_part *)a)->key, ((const struct tally_part *)b)->key);
}

/* ---- all jobs ---- */

static void add_job(struct control *control, struct tally *tally, struct moment now,
                    const struct counted *counted)
{
    const struct assoc_record *rec = &counted->assoc->rec;

    for (const struct assoc *assoc = counted->assoc; assoc; assoc = assoc->parent)
        add_to(control, tally, &tally->assocs[assoc->rec.id], counted, now);
    if (!counted->qos_id)
        return;
    add_to(control, tally, &tally->qos[counted->qos_id], counted, now);
    add_to(control, tally, part_of(tally, counted->qos_id, rec->account, NULL), counted, now);
    if (rec->user)
        add_to(control, tally, part_of(tally, counted->qos_id, NULL, rec->user), counted, now);
}

/* Returns the seconds until the job's time limit; a job without one may use nothing that could be
 * told. */
static double left_of(const struct job *job, struct moment now)
{
    const int64_t end_ms = job_limit_ms(job);

    return end_ms != INT64_MAX && end_ms > now.cluster_ms ? (double)(end_ms - now.cluster_ms) / 1000
                                                          : 0;
}

/* Returns how much of each TRES the job holds, to be freed. */
static double *held_of(const struct tally *tally, const struct job *job)
{
    AUTO(tres) struct tres held = tres_allocated(&job->rec);
    double *amounts = xcalloc((size_t)tally->tres_n + 1, sizeof(*amounts));

    for (uint32_t i = 0; i < tally->tres_n; i++)
        amounts[i] = (double)tres_amount(&held, tally->tres[i]);
    return amounts;
}

static void count_job(struct control *control, struct tally *tally, struct moment now,
                      const struct job *job)
{
    const struct assoc *assoc = usage_assoc_of(control, &job->rec, job->rec.partition);
    const char *name = assoc ? usage_qos_of(control, &job->rec, assoc) : NULL;
    const struct qos_record *qos = name ? acct_find_qos(control, name) : NULL;
    struct counted counted = { .job = job, .assoc = assoc, .qos_id = qos ? qos->id : 0 };

    if (!assoc)
        return;
    if (job_state_is_active(job->rec.state)) {
        counted.held = held_of(tally, job);
        counted.left_s = left_of(job, now) * usage_factor_of(control, name);
    }
    add_job(control, tally, now, &counted);
    free(counted.held);
}

static void count_jobs(struct control *control, struct tally *tally, struct moment now)
{
    for (const struct job *job = control->model->jobs; job; job = job->hh.next) {
        if (!job_state_is_over(job->rec.state))
            count_job(control, tally, now, job);
    }
}

static void name_tres(struct control *control, struct tally *tally)
{
    struct kept_table *table = control_kept(control, KEPT_TRES);
    const struct tres_record *rec;
    uint64_t serial = 0;

    tally->node = UINT32_MAX;
    while ((rec = kept_next(table, &serial))) {
        if (word_is(rec->name, "node"))
            tally->node = tally->tres_n;
        *ARRAY_PUSH(tally->tres, tally->tres_n) = rec->name;
    }
}

struct tally *tally_new(struct control *control, struct moment now)
{
    struct tally *tally = xcalloc(1, sizeof(*tally));

    name_tres(control, tally);
    tally->assocs_n = control_kept(control, KEPT_ASSOC)->last_number + 1;
    tally->assocs = xcalloc(tally->assocs_n, sizeof(*tally->assocs));
    tally->qos_n = control_kept(control, KEPT_QOS)->last_number + 1;
    tally->qos = xcalloc(tally->qos_n, sizeof(*tally->qos));
    count_jobs(control, tally, now);
    HASH_SORT(tally->parts, compare_parts);
    return tally;
}

struct tally *tally_free(struct tally *tally)
{
    struct tally_part *part, *next;

    for (uint32_t i = 0; i < tally->assocs_n; i++)
        sum_clear(&tally->assocs[i]);
    for (uint32_t i = 0; i < tally->qos_n; i++)
        sum_clear(&tally->qos[i]);
    HASH_ITER (hh, tally->parts, part, next) {
        HASH_DEL(tally->parts, part);
        sum_clear(&part->sum);
        free(part->key);
        free(part->account);
        free(part->user);
        free(part);
    }
    free(tally->assocs);
    free(tally->qos);
    free(tally->tres);
    free(tally);
    return NULL;
}

void answer_add_thousandths(struct acct_amount **list, uint32_t *n, const char *tres, double amount)
{
    struct acct_amount *at = ARRAY_PUSH(*list, *n);

    acct_amount_init(at);
    at->tres = xstrdup(tres);
    at->amount = (uint64_t)(amount * SHARE_THOUSAND + 0.5);
}
