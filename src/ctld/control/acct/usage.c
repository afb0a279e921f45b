#include "ctld/control/acct/usage.h"

#include <math.h>
#include <string.h>

#include "common/msg/job_spans.h"
#include "common/msg/tres.h"
#include "common/text/words.h"
#include "ctld/control/acct/usage_record.h"
#include "ctld/control/acct/usage_reset.h"
#include "ctld/control/act/state.h"
#include "ctld/control/act/turn.h"

/* What jobs use at this moment in the name of an association, a QOS and that of the partition. */
struct meter {
    uint32_t job_id;
    char *assoc_key; /* owned, as are the next two */
    char *qos;
    char *part_qos; /* NULL: there is none, or it is the same */
    int64_t since_ms;
    double *rates; /* per second, UsageFactor included; the one behind the last is of run time */
    UT_hash_handle hh;
};

/* The usage of an association with all below it, or of a QOS, as of one moment. */
struct sum {
    int64_t at_ms;
    uint32_t meters_n;
    double *stored;  /* from records; NULL: nothing was ever used */
    double *running; /* what running jobs have used so far, */
    double *rates;   /* and at which rate they go on */
};

struct usage {
    bool is_loaded;
    uint64_t version;     /* of the tree of associations when it was loaded */
    int64_t half_life_ms; /* 0: nothing decays */
    char **names;         /* of the TRES that are counted */
    uint32_t n;
    struct sum *assocs; /* by the ids of associations and QOS */
    uint32_t assocs_n;
    struct sum *qos;
    uint32_t qos_n;
    struct meter *meters; /* uthash, by the job's id */
};

/* ---- memory ---- */

static void meter_free(struct usage *usage, struct meter *meter)
{
    HASH_DEL(usage->meters, meter);
    free(meter->assoc_key);
    free(meter->qos);
    free(meter->part_qos);
    free(meter->rates);
    free(meter);
}

static void clear_sums(struct sum *sums, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        free(sums[i].stored);
    free(sums);
}

static void forget(struct usage *usage)
{
    struct meter *meter, *next;

    HASH_ITER (hh, usage->meters, meter, next)
        meter_free(usage, meter);
    clear_sums(usage->assocs, usage->assocs_n);
    clear_sums(usage->qos, usage->qos_n);
    for (uint32_t i = 0; i < usage->n; i++)
        free(usage->names[i]);
    free(usage->names);
    *usage = (struct usage){ .half_life_ms = usage->half_life_ms };
}

struct usage *usage_new(void)
{
    return xcalloc(1, sizeof(struct usage));
}

struct usage *usage_free(struct usage *usage)
{
    forget(usage);
    free(usage);
    return NULL;
}

/* ---- sums ---- */

static struct sum *sum_of_assoc(struct usage *usage, const struct assoc *assoc)
{
    return assoc && assoc->rec.id < usage->assocs_n ? &usage->assocs[assoc->rec.id] : NULL;
}

static struct sum *sum_of_qos(struct control *control, const char *name)
{
    const struct qos_record *rec = name ? acct_find_qos(control, name) : NULL;
    struct usage *usage = control->usage;

    return rec && rec->id < usage->qos_n ? &usage->qos[rec->id] : NULL;
}

/* Returns the half-life of what a QOS has used. */
static int64_t life_of_qos(struct control *control, const char *name)
{
    const struct qos_record *rec = name ? acct_find_qos(control, name) : NULL;

    return rec && (rec->flags & QOS_NO_DECAY) ? 0 : control->usage->half_life_ms;
}

static int64_t life_of_record(struct control *control, const struct usage_record *rec)
{
    const char *qos;

    return word_starts(rec->key, "qos ", &qos) ? life_of_qos(control, qos)
                                               : control->usage->half_life_ms;
}

/* Brings a sum to a moment. */
static void advance(const struct usage *usage, struct sum *sum, int64_t life_ms, int64_t now_ms)
{
    const double left = usage_left(life_ms, now_ms - sum->at_ms);
    const double span = usage_span(life_ms, now_ms - sum->at_ms);

    if (!sum->stored) {
        sum->stored = xcalloc(3 * ((size_t)usage->n + 1), sizeof(*sum->stored));
        sum->running = sum->stored + usage->n + 1;
        sum->rates = sum->running + usage->n + 1;
    }
    if (now_ms <= sum->at_ms)
        return;
    for (uint32_t i = 0; i <= usage->n; i++) {
        sum->stored[i] *= left;
        sum->running[i] = sum->running[i] * left + sum->rates[i] * span;
    }
    sum->at_ms = now_ms;
}

/* Where the usage of a meter, or of a record, goes: to one QOS, or up the tree. */
struct way {
    const struct usage *usage;
    struct sum *sum;
    int64_t life_ms;
    int64_t now_ms;
};

static void begin_on(const struct way *way, const struct meter *meter)
{
    const double span = usage_span(way->life_ms, way->now_ms - meter->since_ms);

    advance(way->usage, way->sum, way->life_ms, way->now_ms);
    way->sum->meters_n++;
    for (uint32_t i = 0; i <= way->usage->n; i++) {
        way->sum->running[i] += meter->rates[i] * span;
        way->sum->rates[i] += meter->rates[i];
    }
}

/* Moves what the meter counted to what is stored. With the last meter what sums of fractions lack
 * is forgotten. */
static void end_on(const struct way *way, const struct meter *meter)
{
    const double span = usage_span(way->life_ms, way->now_ms - meter->since_ms);
    struct sum *sum = way->sum;

    advance(way->usage, sum, way->life_ms, way->now_ms);
    sum->meters_n--;
    for (uint32_t i = 0; i <= way->usage->n; i++) {
        sum->stored[i] += meter->rates[i] * span;
        sum->running[i] = sum->meters_n ? fmax(sum->running[i] - meter->rates[i] * span, 0) : 0;
        sum->rates[i] = sum->meters_n ? fmax(sum->rates[i] - meter->rates[i], 0) : 0;
    }
}

static void each_way(struct control *control, const struct meter *meter, int64_t now_ms,
                     void (*step)(const struct way *way, const struct meter *meter))
{
    struct usage *usage = control->usage;
    struct way way = { .usage = usage, .life_ms = usage->half_life_ms, .now_ms = now_ms };
    const struct assoc *assoc = kept_find(control_kept(control, KEPT_ASSOC), meter->assoc_key);

    const char *const qos[] = { meter->qos, meter->part_qos };

    for (; (way.sum = sum_of_assoc(usage, assoc)); assoc = assoc->parent)
        step(&way, meter);
    for (size_t i = 0; i < ARRAY_N(qos); i++) {
        way.sum = sum_of_qos(control, qos[i]);
        way.life_ms = life_of_qos(control, qos[i]);
        if (way.sum)
            step(&way, meter);
    }
}

/* ---- meters ---- */

const struct assoc *usage_assoc_of(struct control *control, const struct job_record *rec,
                                   const char *partition)
{
    const char *account = rec->spec->account;
    const struct acct_user *user;

    if (!acct_is_used(control))
        return NULL;
    if (account)
        return acct_tree_find(control, account, rec->user_name, partition);
    user = acct_tree_user(control, rec->user_name);
    return user ? user->fallback : NULL;
}

const char *usage_qos_of(struct control *control, const struct job_record *rec,
                         const struct assoc *assoc)
{
    const char *qos = rec->spec->qos ? rec->spec->qos : acct_default_qos(control, assoc);

    return qos ? qos : "normal";
}

/* Returns the name of the QOS of the job's partition, unless it is the job's own; NULL: none. */
static const char *part_qos_of(const struct control *control, const struct job_record *rec,
                               const char *qos)
{
    const struct partition *part = model_find_partition(control->model, rec->partition);

    return part && part->conf->qos && !text_is(part->conf->qos, qos) ? part->conf->qos : NULL;
}

double usage_factor_of(struct control *control, const char *qos)
{
    const struct qos_record *rec = acct_find_qos(control, qos);

    return rec ? 1 + (double)rec->usage_factor_above_1 / 1e6 : 1;
}

static void fill_rates(const struct usage *usage, const struct job_record *rec, double factor,
                       double *rates)
{
    AUTO(tres) struct tres held = tres_allocated(rec);

    for (uint32_t i = 0; i < usage->n; i++)
        rates[i] = (double)tres_amount(&held, usage->names[i]) * factor;
    rates[usage->n] = factor;
}

/* Adds a meter for the job; NULL: it has no association. */
static struct meter *add_meter(struct control *control, const struct job_record *rec,
                               int64_t since_ms)
{
    const struct assoc *assoc = usage_assoc_of(control, rec, rec->partition);
    struct usage *usage = control->usage;
    struct meter *meter;

    if (!assoc)
        return NULL;
    meter = xcalloc(1, sizeof(*meter));
    meter->assoc_key = xstrdup(assoc->rec.key);
    meter->qos = xstrdup(usage_qos_of(control, rec, assoc));
    meter->part_qos = xstrdup(part_qos_of(control, rec, meter->qos));
    meter->since_ms = since_ms;
    meter->rates = xcalloc((size_t)usage->n + 1, sizeof(*meter->rates));
    meter->job_id = rec->id;
    fill_rates(usage, rec, usage_factor_of(control, meter->qos), meter->rates);
    HASH_ADD(hh, usage->meters, job_id, sizeof(meter->job_id), meter);
    return meter;
}

static struct meter *find_meter(const struct usage *usage, uint32_t job_id)
{
    struct meter *meter;

    HASH_FIND(hh, usage->meters, &job_id, sizeof(job_id), meter);
    return meter;
}

/* ---- all from nothing ---- */

static void load_names(struct control *control)
{
    struct kept_table *table = control_kept(control, KEPT_TRES);
    struct usage *usage = control->usage;
    const struct tres_record *rec;
    uint64_t serial = 0;

    while ((rec = kept_next(table, &serial)))
        *ARRAY_PUSH(usage->names, usage->n) = xstrdup(rec->name);
}

static void store_on(const struct way *way, const struct usage_record *rec)
{
    const struct usage *usage = way->usage;

    advance(usage, way->sum, way->life_ms, way->now_ms);
    for (uint32_t i = 0; i < usage->n; i++) {
        for (uint32_t k = 0; k < rec->used_n; k++) {
            if (strcmp(rec->used[k].tres, usage->names[i]) == 0)
                way->sum->stored[i] += (double)rec->used[k].amount / 1000;
        }
    }
    way->sum->stored[usage->n] += (double)rec->wall_ms / 1000;
}

/* Adds what a record keeps to those whose usage it is. */
static void load_record(struct control *control, const struct usage_record *rec, int64_t now_ms)
{
    struct way way = { .usage = control->usage, .now_ms = now_ms };
    AUTO(usage_record) struct usage_record left;
    const char *of;

    way.life_ms = life_of_record(control, rec);
    usage_record_init(&left);
    schema_copy(usage_record_schema(), &left, rec);
    if (word_starts(rec->key, "qos ", &of))
        way.sum = sum_of_qos(control, of);
    usage_record_decay(&left, way.life_ms, now_ms);
    if (way.sum)
        store_on(&way, &left);
    if (!word_starts(rec->key, "assoc ", &of))
        return;
    for (const struct assoc *assoc = kept_find(control_kept(control, KEPT_ASSOC), of);
         (way.sum = sum_of_assoc(control->usage, assoc)); assoc = assoc->parent)
        store_on(&way, &left);
}

static int64_t half_life_ms(const struct control *control)
{
    const struct priority_config *config = &control->model->config.priority;

    return config->multifactor ? config->decay_half_life_s * 1000 : 0;
}

/* Returns since when what the job holds is in no record; 0: it holds nothing that counts. A job
 * that an earlier version has started has never been counted. */
static int64_t counts_since_ms(const struct job_record *rec)
{
    if (rec->state != JOB_RUNNING)
        return 0;
    return rec->usage_ms ? rec->usage_ms : rec->start_cluster_ms;
}

static void load(struct control *control, int64_t now_ms)
{
    struct kept_table *records = control_kept(control, KEPT_USAGE);
    struct usage *usage = control->usage;
    const struct usage_record *rec;
    uint64_t serial = 0;

    forget(usage);
    if (!usage->half_life_ms)
        usage->half_life_ms = half_life_ms(control);
    load_names(control);
    usage->assocs_n = control_kept(control, KEPT_ASSOC)->last_number + 1;
    usage->assocs = xcalloc(usage->assocs_n, sizeof(*usage->assocs));
    usage->qos_n = control_kept(control, KEPT_QOS)->last_number + 1;
    usage->qos = xcalloc(usage->qos_n, sizeof(*usage->qos));
    (void)acct_tree_root(control); /* links accounts to those above */
    while ((rec = kept_next(records, &serial)))
        load_record(control, rec, now_ms);
    for (const struct job *job = control->model->jobs; job; job = job->hh.next) {
        const int64_t since_ms = counts_since_ms(&job->rec);
        const struct meter *meter = since_ms ? add_meter(control, &job->rec, since_ms) : NULL;

        if (meter)
            each_way(control, meter, now_ms, begin_on);
    }
    usage->version = acct_tree_version(control);
    usage->is_loaded = true;
}

static struct usage *fresh(struct control *control, int64_t now_ms)
{
    struct usage *usage = control->usage;

    if (!usage->is_loaded || usage->version != acct_tree_version(control))
        load(control, now_ms);
    return usage;
}

/* ---- what jobs begin and end to hold ---- */

void acct_usage_begin(struct act *act, struct job *job)
{
    const struct meter *meter;
    struct usage *usage;

    if (job->rec.state != JOB_RUNNING)
        return;
    job->rec.usage_ms = act->now.cluster_ms;
    act->control->use_changed = true;
    usage = fresh(act->control, act->now.cluster_ms);
    if (find_meter(usage, job->rec.id)) /* all jobs were loaded just now */
        return;
    meter = add_meter(act->control, &job->rec, job->rec.usage_ms);
    if (meter)
        each_way(act->control, meter, act->now.cluster_ms, begin_on);
}

static void add_to_record(struct act *act, const struct meter *meter, char *key, int64_t life_ms)
{
    const struct usage *usage = act->control->usage;
    const double span = usage_span(life_ms, act->now.cluster_ms - meter->since_ms);
    AUTO_FREE double *values = xcalloc((size_t)usage->n + 1, sizeof(*values));
    AUTO_FREE char *owned = key;

    for (uint32_t i = 0; i <= usage->n; i++)
        values[i] = meter->rates[i] * span;
    usage_record_add(act, owned, life_ms,
                     &(struct usage_amounts){ usage->names, usage->n, values });
}

/* A QOS whose usage decayed otherwise than its record says now. */
struct old_life {
    const char *qos;
    int64_t life_ms;
};

/* Adds what a meter counted to the records of its association and QOS; `old` may be NULL. */
static void keep(struct act *act, const struct meter *meter, const struct old_life *old)
{
    const char *const qos[] = { meter->qos, meter->part_qos };

    add_to_record(act, meter, acct_usage_key(meter->assoc_key, NULL),
                  act->control->usage->half_life_ms);
    for (size_t i = 0; i < ARRAY_N(qos) && qos[i]; i++)
        add_to_record(act, meter, acct_usage_key(NULL, qos[i]),
                      old && text_is(qos[i], old->qos) ? old->life_ms
                                                       : life_of_qos(act->control, qos[i]));
}

void acct_usage_end(struct act *act, struct job *job)
{
    struct usage *usage = fresh(act->control, act->now.cluster_ms);
    struct meter *meter = find_meter(usage, job->rec.id);

    job->rec.usage_ms = 0;
    if (!meter)
        return;
    act->control->use_changed = true;
    keep(act, meter, NULL);
    each_way(act->control, meter, act->now.cluster_ms, end_on);
    meter_free(usage, meter);
}

/* Counts jobs on from here, in another way than so far. */
static void count_on(struct act *act, struct job *job)
{
    job->rec.usage_ms = act->now.cluster_ms;
    turn_note_job(act->turn, &job->rec);
    act->control->usage->is_loaded = false;
}

/* ---- what jobs used before they came here ---- */

#define PAST_NOTHING 1e-9 /* of what is left of less than this, nothing is noted */

/* What a job used, at an even rate, and how long ago. */
struct past {
    const double *rates;
    int64_t ran_ms, passed_ms;
};

static void add_past(struct act *act, const struct past *past, char *key, int64_t life_ms)
{
    const struct usage *usage = act->control->usage;
    const double span = usage_span(life_ms, past->ran_ms) * usage_left(life_ms, past->passed_ms);
    AUTO_FREE double *values = xcalloc((size_t)usage->n + 1, sizeof(*values));
    AUTO_FREE char *owned = key;

    if (usage_left(life_ms, past->passed_ms) < PAST_NOTHING)
        return;
    for (uint32_t i = 0; i <= usage->n; i++)
        values[i] = past->rates[i] * span;
    usage_record_add(act, owned, life_ms,
                     &(struct usage_amounts){ usage->names, usage->n, values });
}

void usage_past_added(struct act *act)
{
    act->control->usage->is_loaded = false;
    act->control->use_changed = true;
}

void usage_add_past(struct act *act, const struct job_record *job)
{
    const struct assoc *assoc = job->user_name && job->partition
                                    ? usage_assoc_of(act->control, job, job->partition)
                                    : NULL; /* nobody knows any more whose it was */
    struct usage *usage = fresh(act->control, act->now.cluster_ms);
    AUTO_FREE double *rates = xcalloc((size_t)usage->n + 1, sizeof(*rates));
    struct past past = { .rates = rates,
                         .ran_ms = job_run_time(job, job->end_time) * 1000,
                         .passed_ms = (act->now.wall_s - job->end_time) * 1000 };
    const char *qos, *part_qos;

    if (!assoc || past.ran_ms <= 0 || job->nodes_n == 0 ||
        job->end_time <= act->control->usage_reset_s)
        return;
    qos = usage_qos_of(act->control, job, assoc);
    part_qos = part_qos_of(act->control, job, qos);
    fill_rates(usage, job, usage_factor_of(act->control, qos), rates);
    add_past(act, &past, acct_usage_key(assoc->rec.key, NULL), usage->half_life_ms);
    add_past(act, &past, acct_usage_key(NULL, qos), life_of_qos(act->control, qos));
    if (part_qos)
        add_past(act, &past, acct_usage_key(NULL, part_qos), life_of_qos(act->control, part_qos));
}

/* ---- another UsageFactor or NoDecay ---- */

static void keep_for_qos(struct act *act, const char *qos, int64_t life_ms)
{
    AUTO_FREE char *key = acct_usage_key(NULL, qos);
    struct usage_record *rec = kept_find(control_kept(act->control, KEPT_USAGE), key);

    if (rec) {
        usage_record_decay(rec, life_ms, act->now.cluster_ms);
        kept_note(act, KEPT_USAGE, rec);
    }
    for (struct meter *meter = act->control->usage->meters; meter; meter = meter->hh.next) {
        struct job *job = model_find_job(act->control->model, meter->job_id);

        if (!job || (!text_is(meter->qos, qos) && !text_is(meter->part_qos, qos)))
            continue;
        keep(act, meter, &(struct old_life){ qos, life_ms });
        count_on(act, job);
    }
}

void usage_qos_changed(struct act *act, const struct qos_record *before,
                       const struct qos_record *after)
{
    const struct usage *usage = act->control->usage;

    if (!before || !usage->is_loaded)
        return;
    if (before->usage_factor_above_1 != after->usage_factor_above_1 ||
        ((before->flags ^ after->flags) & QOS_NO_DECAY))
        keep_for_qos(act, after->name, before->flags & QOS_NO_DECAY ? 0 : usage->half_life_ms);
}

/* ---- another configuration ---- */

/* Brings all records to now by the half-life that held so far. */
static void keep_all(struct act *act)
{
    struct kept_table *table = control_kept(act->control, KEPT_USAGE);
    struct usage_record *rec;
    uint64_t serial = 0;

    for (struct meter *meter = act->control->usage->meters; meter; meter = meter->hh.next) {
        struct job *job = model_find_job(act->control->model, meter->job_id);

        keep(act, meter, NULL);
        if (job)
            count_on(act, job);
    }
    while ((rec = kept_next(table, &serial))) {
        usage_record_decay(rec, life_of_record(act->control, rec), act->now.cluster_ms);
        kept_note(act, KEPT_USAGE, rec);
    }
}

/* Returns whether a partition has another QOS than that in which its jobs were counted. */
static bool is_part_qos_other(const struct control *control)
{
    for (const struct meter *meter = control->usage->meters; meter; meter = meter->hh.next) {
        const struct job *job = model_find_job(control->model, meter->job_id);

        if (job && !text_is(meter->part_qos, part_qos_of(control, &job->rec, meter->qos)))
            return true;
    }
    return false;
}

void usage_settle(struct act *act)
{
    struct usage *usage = act->control->usage;

    if (usage->is_loaded &&
        (usage->half_life_ms != half_life_ms(act->control) || is_part_qos_other(act->control)))
        keep_all(act);
    usage->half_life_ms = half_life_ms(act->control);
    usage->is_loaded = false; /* the TRES that are counted may be others */
    (void)fresh(act->control, act->now.cluster_ms);
    usage_reset_settle(act);
}

void usage_forget_all(struct act *act)
{
    struct kept_table *table = control_kept(act->control, KEPT_USAGE);
    struct usage_record *rec;
    uint64_t serial = 0;

    while ((rec = kept_next(table, &serial)))
        kept_drop(act, KEPT_USAGE, rec);
    for (struct job *job = act->control->model->jobs; job; job = job->hh.next) {
        if (counts_since_ms(&job->rec))
            count_on(act, job);
    }
    act->control->usage->is_loaded = false;
}

/* Returns whether the key of a record is that of the association or of one below it. */
static bool is_within(struct control *control, const char *key, const struct assoc *top)
{
    const struct assoc *assoc = kept_find(control_kept(control, KEPT_ASSOC), key);

    while (assoc && assoc != top)
        assoc = assoc->parent;
    return assoc != NULL;
}

void usage_forget_assoc(struct act *act, const struct assoc *assoc)
{
    struct kept_table *table = control_kept(act->control, KEPT_USAGE);
    struct usage *usage = fresh(act->control, act->now.cluster_ms);
    struct usage_record *rec;
    uint64_t serial = 0;
    const char *of;

    for (struct meter *meter = usage->meters; meter; meter = meter->hh.next) {
        struct job *job = model_find_job(act->control->model, meter->job_id);

        if (!job || !is_within(act->control, meter->assoc_key, assoc))
            continue;
        keep(act, meter, NULL); /* the QOS does not forget it */
        count_on(act, job);
    }
    while ((rec = kept_next(table, &serial))) {
        if (word_starts(rec->key, "assoc ", &of) && is_within(act->control, of, assoc))
            kept_drop(act, KEPT_USAGE, rec);
    }
    usage->is_loaded = false;
    act->control->use_changed = true;
}

void usage_forget_qos(struct act *act, const char *qos)
{
    AUTO_FREE char *key = acct_usage_key(NULL, qos);
    struct usage_record *rec;

    (void)fresh(act->control, act->now.cluster_ms);
    keep_for_qos(act, qos, life_of_qos(act->control, qos));
    rec = kept_find(control_kept(act->control, KEPT_USAGE), key);
    if (rec)
        kept_drop(act, KEPT_USAGE, rec);
    act->control->usage->is_loaded = false;
    act->control->use_changed = true;
}

/* ---- asking ---- */

#define NOTHING 0.0005 /* less than half of what records count in */

/* What one TRES has in a sum. */
struct figure {
    double stored, running, rate;
};

/* Returns the figures of a TRES at the moment; all 0 where nothing was used. */
static struct figure figure_of(struct control *control, struct moment now, struct sum *sum,
                               int64_t life_ms, const char *tres)
{
    const struct usage *usage = control->usage;
    uint32_t i = 0;

    if (!sum || !sum->stored)
        return (struct figure){ 0 };
    while (i < usage->n && !word_is(tres, usage->names[i]))
        i++;
    if (i == usage->n && strcmp(tres, USAGE_WALL) != 0)
        return (struct figure){ 0 };
    advance(usage, sum, life_ms, now.cluster_ms);
    return (struct figure){ sum->stored[i], sum->running[i], sum->rates[i] };
}

static double value_of(struct figure figure, enum usage_of of)
{
    const double value = figure.stored + (of == USAGE_OF_ALL ? figure.running : 0);

    return value < NOTHING ? 0 : value;
}

static struct figure of_assoc(struct control *control, struct moment now, const struct assoc *assoc,
                              const char *tres)
{
    struct usage *usage = fresh(control, now.cluster_ms);

    return figure_of(control, now, sum_of_assoc(usage, assoc), usage->half_life_ms, tres);
}

static struct figure of_qos(struct control *control, struct moment now, const char *qos,
                            const char *tres)
{
    (void)fresh(control, now.cluster_ms);
    return figure_of(control, now, sum_of_qos(control, qos), life_of_qos(control, qos), tres);
}

double usage_of_assoc(struct control *control, struct moment now, const struct assoc *assoc,
                      const char *tres, enum usage_of of)
{
    return value_of(of_assoc(control, now, assoc, tres), of);
}

double usage_of_qos(struct control *control, struct moment now, const char *qos, const char *tres,
                    enum usage_of of)
{
    return value_of(of_qos(control, now, qos, tres), of);
}

/* Returns when use at this rate, decaying, brings the value up to the limit. It comes near to what
 * the rate alone keeps up, and never beyond. */
static int64_t reaches_ms(struct moment now, int64_t life_ms, struct figure figure, double limit)
{
    const double value = value_of(figure, USAGE_OF_ALL);
    const double life_s = (double)life_ms / 1000;
    double passed_s;

    if (value >= limit)
        return now.cluster_ms;
    if (figure.rate <= 0)
        return INT64_MAX;
    if (life_ms > 0) {
        const double kept_up = figure.rate * life_s / log(2);

        passed_s = kept_up > limit ? life_s * log2((kept_up - value) / (kept_up - limit)) : 1e12;
    } else {
        passed_s = (limit - value) / figure.rate;
    }
    return passed_s < 1e12 ? now.cluster_ms + (int64_t)ceil(passed_s * 1000) : INT64_MAX;
}

int64_t usage_of_assoc_reaches_ms(struct control *control, struct moment now,
                                  const struct assoc *assoc, const char *tres, double limit)
{
    const struct figure figure = of_assoc(control, now, assoc, tres);

    return reaches_ms(now, control->usage->half_life_ms, figure, limit);
}

int64_t usage_of_qos_reaches_ms(struct control *control, struct moment now, const char *qos,
                                const char *tres, double limit)
{
    const struct figure figure = of_qos(control, now, qos, tres);

    return reaches_ms(now, life_of_qos(control, qos), figure, limit);
}

/* Returns when a value has decayed to less than the limit, or is forgotten. */
static int64_t below_ms(const struct control *control, struct moment now, int64_t life_ms,
                        double value, double limit)
{
    int64_t reset_ms = usage_reset_ms(control, now);
    double passed_ms;

    if (value < limit)
        return now.cluster_ms;
    if (limit <= 0)
        return INT64_MAX;
    if (life_ms <= 0)
        return reset_ms;
    passed_ms = floor((double)life_ms * log2(value / limit)) + 1;
    if (passed_ms < 1e15 && now.cluster_ms + (int64_t)passed_ms < reset_ms)
        return now.cluster_ms + (int64_t)passed_ms;
    return reset_ms;
}

int64_t usage_of_assoc_below_ms(struct control *control, struct moment now,
                                const struct assoc *assoc, const char *tres, double limit)
{
    const double value = usage_of_assoc(control, now, assoc, tres, USAGE_OF_ALL);

    return below_ms(control, now, control->usage->half_life_ms, value, limit);
}

int64_t usage_of_qos_below_ms(struct control *control, struct moment now, const char *qos,
                              const char *tres, double limit)
{
    const double value = usage_of_qos(control, now, qos, tres, USAGE_OF_ALL);

    return below_ms(control, now, life_of_qos(control, qos), value, limit);
}
