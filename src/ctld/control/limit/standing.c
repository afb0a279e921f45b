#include "ctld/control/limit/standing.h"

#include <inttypes.h>
#include <string.h>

#include "common/base/minmax.h"
#include "common/text/select_flags.h"
#include "common/text/words.h"
#include "ctld/control/act/state.h"
#include "ctld/control/limit/count.h"
#include "ctld/control/limit/exempt.h"
#include "ctld/control/limit/judge.h"
#include "ctld/control/limit/used.h"
#include "ctld/control/request/request.h"
#include "ctld/control/request/tres.h"
#include "ctld/sched/planner.h"

#define GATE_MOVES_MS  1000 /* a gate that opens so much sooner or later is told anew */
#define ROOM_GROWS     100  /* room that has grown by this part is, too */
#define PERCENT        100
#define MINUTE_S       60
#define RAMP_TOTAL_MAX (UINT64_C(1) << 62)
#define FACTOR_ONE     1000000u /* of LimitFactor, which is kept in millionths */

/* A pool that the planner counts a limit in. */
struct counted_pool {
    struct limit limit;  /* whose pot it is; no pointers of its own */
    struct plan_pool as; /* as the planner was told last; its name is the pot's key */
};

struct limit_state {
    uint64_t version;           /* of the tree that the rest was made by */
    struct standing *standings; /* uthash */
    struct standing *found; /* the last one: the same job is asked about several times in a row */
    struct strbuf key;      /* what it is looked for by; kept, since it is made for each job */
    struct limit_pot *pots; /* uthash */
    struct counted_pool *pools;
    uint32_t pools_n;
    uint32_t used_n;      /* of them, those that hang on usage */
    bool bounds_accrual;  /* some standing does */
    bool bounds_priority; /* some standing has a MinPrioThreshold */
};

struct limit_state *limit_state_new(void)
{
    return xcalloc(1, sizeof(struct limit_state));
}

static void forget_all(struct limit_state *state)
{
    struct standing *standing, *next;
    struct limit_pot *pot, *next_pot;

    HASH_ITER (hh, state->standings, standing, next) {
        HASH_DEL(state->standings, standing);
        for (uint32_t i = 0; i < standing->limits_n; i++) {
            free(standing->limits[i].gres_name);
            free(standing->limits[i].gres_type);
        }
        free(standing->key);
        free(standing->limits);
        free(standing);
    }
    HASH_ITER (hh, state->pots, pot, next_pot) {
        HASH_DEL(state->pots, pot);
        free(pot->key);
        free(pot);
    }
    state->found = NULL;
    free(STEAL(state->pools));
    state->pools_n = state->used_n = 0;
    state->bounds_accrual = state->bounds_priority = false;
}

struct limit_state *limit_state_free(struct limit_state *state)
{
    forget_all(state);
    strbuf_clear(&state->key);
    free(state);
    return NULL;
}

/* Reads what waiting jobs ask for again: which partitions would take one hangs on limits. */
static void read_again(struct control *control)
{
    for (struct job *job = control->model->jobs; job; job = job->hh.next) {
        if (job->rec.state == JOB_PENDING)
            limit_read_request(control, &job->rec, job->partition, &job->request);
        else
            limit_judge(control, &job->rec, job->partition, &job->request);
    }
}

void limit_refresh(struct control *control)
{
    struct limit_state *state = control->limits;
    const bool had_limits = state->standings != NULL;
    bool exempts;

    if (state->version == acct_tree_version(control))
        return;
    state->version = acct_tree_version(control);
    forget_all(state);
    exempts = limit_tell_exempt(control);
    if (!had_limits && !control->model->config.acct_enforce && !exempts)
        return;
    control->planner_stale = control->accrual_stale = true;
    for (struct job *job = control->model->jobs; job; job = job->hh.next) {
        job->pots_n = job->counted_n = 0;
    }
    for (struct job *job = control->model->jobs; job; job = job->hh.next)
        limit_count(control, job);
    read_again(control);
}

/* ---- pots ---- */

/* Returns whether what a job has of the limit's TRES is known only with its nodes. */
static bool is_by_nodes(const struct limit *limit)
{
    return word_is(limit->tres, "cpu") || word_is(limit->tres, "mem") || limit->gres_name ||
           word_is(limit->tres, "billing");
}

/* Returns whether the planner is to see to it that no job gets more than the limit on one job. How
 * many nodes it gets is bound otherwise (limit_most_nodes). */
static bool bounds_each(const struct limit *limit)
{
    const struct limit_row *row = limit->row;

    if (row->scope != LIMIT_JOB || row->is_least || !limit->tres)
        return false;
    return row->what == LIMIT_USED ? is_by_nodes(limit) || word_is(limit->tres, "node")
                                   : row->what == LIMIT_HELD && is_by_nodes(limit);
}

/* Returns the total of a pool of amounts times seconds. What is foreseen counts by the factor of
 * the jobs' QOS: where each has a pool of its own, the pool is less by it. */
static uint64_t ramp_total(const struct standing *standing, const struct limit *limit)
{
    const double factor = limit_is_on_one(limit) ? standing->factor : 1;
    const double total = (double)limit->most * MINUTE_S / factor;

    return total < (double)RAMP_TOTAL_MAX ? (uint64_t)total : RAMP_TOTAL_MAX;
}

/* Returns whether the planner counts what the limit is about, and as what. */
static bool pool_of_limit(const struct standing *standing, const struct limit *limit,
                          struct plan_pool *ret)
{
    const struct limit_row *row = limit->row;

    *ret = (struct plan_pool){
        .kind = PLAN_POOL_SUM,
        .total = limit->most,
        .is_private = true,
        .is_for_each = limit_is_on_one(limit),
        .reason = limit_reason(limit),
    };
    if (row->what == LIMIT_HELD && word_is(limit->tres, "node"))
        ret->kind = PLAN_POOL_NODES;
    if (row->what == LIMIT_LEFT || (row->what == LIMIT_USED && limit_is_on_one(limit))) {
        ret->kind = PLAN_POOL_RAMP;
        ret->total = ramp_total(standing, limit);
    }
    if (limit_is_on_one(limit))
        return bounds_each(limit);
    return row->what == LIMIT_JOBS || row->what == LIMIT_HELD || row->what == LIMIT_LEFT ||
           limit_hangs_on_use(limit);
}

/* Returns the key of what the limit counts together. */
static char *pot_key(const struct standing *standing, const struct limit *limit)
{
    const struct limit_row *row = limit->row;
    const struct assoc *leaf = standing->assoc;
    const char *of = "";

    if (limit_is_on_one(limit)) /* nothing is held of it: who may have as much may share it */
        return xasprintf("%s %s %s %" PRIu64 " by %g", row->name, limit->tres,
                         limit->qos ? "qos" : "assoc", limit->most, standing->factor);
    if (!limit->qos)
        return xasprintf("%s %s %u %" PRIu64, row->name, limit->tres ? limit->tres : "",
                         row->scope == LIMIT_GROUP ? limit->assoc->rec.id : leaf->rec.id,
                         limit->most);
    if (row->scope == LIMIT_USER)
        of = leaf ? leaf->rec.user : "";
    if (row->scope == LIMIT_ACCOUNT)
        of = leaf ? leaf->rec.account : "";
    if (row->scope == LIMIT_LEAF)
        of = leaf->rec.key;
    return xasprintf("%s %s qos %u %s", row->name, limit->tres ? limit->tres : "", limit->qos->id,
                     of);
}

static struct limit_pot *get_pot(struct limit_state *state, const struct standing *standing,
                                 const struct limit *limit)
{
    AUTO_FREE char *key = pot_key(standing, limit);
    struct limit_pot *pot;
    struct plan_pool pool;

    HASH_FIND_STR(state->pots, key, pot);
    if (pot)
        return pot;
    pot = xcalloc(1, sizeof(*pot));
    pot->key = STEAL(key);
    pot->pool = LIMIT_NO_POOL;
    HASH_ADD_KEYPTR(hh, state->pots, pot->key, strlen(pot->key), pot);
    if (pool_of_limit(standing, limit, &pool)) {
        pool.name = pot->key;
        pot->pool = state->pools_n;
        *ARRAY_PUSH(state->pools, state->pools_n) = (struct counted_pool){ *limit, pool };
        state->used_n += limit_hangs_on_use(limit);
    }
    return pot;
}

uint32_t limit_pools_n(const struct control *control)
{
    return control->limits->pools_n;
}

void limit_fill_pool(struct control *control, struct moment now, uint32_t number,
                     struct plan_pool *ret)
{
    struct counted_pool *pool = &control->limits->pools[number];

    if (limit_hangs_on_use(&pool->limit))
        limit_fill_used(control, now, &pool->limit, &pool->as);
    *ret = pool->as;
}

bool limit_bounds_accrual(const struct control *control)
{
    return control->limits->bounds_accrual;
}

bool limit_bounds_priority(const struct control *control)
{
    return control->limits->bounds_priority;
}

void limit_begin_accrual(struct control *control)
{
    for (struct limit_pot *pot = control->limits->pots; pot; pot = pot->hh.next)
        pot->accruing_n = 0;
}

bool limit_counts_use(const struct control *control)
{
    return control->limits->used_n > 0;
}

/* Returns whether the planner has to know: a gate opens or closes, or at another moment; less is
 * left, or more by so much that it may matter. */
static bool differs(const struct plan_pool *was, const struct plan_pool *is, int64_t now_ms)
{
    if (is->kind == PLAN_POOL_GATE)
        return (was->opens_ms > now_ms) != (is->opens_ms > now_ms) ||
               (is->opens_ms > now_ms && (is->opens_ms - GATE_MOVES_MS > was->opens_ms ||
                                          is->opens_ms < was->opens_ms - GATE_MOVES_MS));
    return is->total < was->total || is->total - was->total > is->total / ROOM_GROWS + 60;
}

bool limit_pool_moved(struct control *control, struct moment now, uint32_t number, int64_t *next_ms)
{
    const struct counted_pool *pool = &control->limits->pools[number];
    const struct plan_pool was = pool->as;
    struct plan_pool is = was;
    int64_t reached_ms;

    if (!limit_hangs_on_use(&pool->limit))
        return false;
    reached_ms = limit_reached_ms(control, now, &pool->limit);
    if (reached_ms > now.cluster_ms && reached_ms < *next_ms)
        *next_ms = reached_ms;
    limit_fill_used(control, now, &pool->limit, &is);
    return differs(&was, &is, now.cluster_ms);
}

/* ---- which limits hold ---- */

static bool is_limit(uint32_t count)
{
    return count != COUNT_UNSET && count != COUNT_INFINITE;
}

struct making {
    struct limit_state *state;
    const struct model *model;
    const struct partition *part; /* of the jobs; may be NULL */
    struct standing *standing;
    const struct qos_record *qos[2]; /* in the order in which they count; may be NULL */
    bool has_shares;                 /* shares are held against usage */
};

/* Returns whether the record says something, and what. */
static bool says(const void *record, const struct limit_place *place, const char *tres,
                 uint64_t *ret)
{
    const char *base = record;
    const struct acct_amount *amounts;
    uint32_t n;

    if (place->at == LIMIT_NOWHERE)
        return false;
    if (place->n_at == LIMIT_NOWHERE) {
        *ret = *(const uint32_t *)(base + place->at);
        return is_limit((uint32_t)*ret);
    }
    amounts = *(struct acct_amount *const *)(base + place->at);
    n = *(const uint32_t *)(base + place->n_at);
    for (uint32_t i = 0; i < n && tres; i++) {
        *ret = amounts[i].amount;
        if (word_is(amounts[i].tres, tres))
            return true;
    }
    return false;
}

static void add_limit(struct making *making, struct limit limit)
{
    struct standing *standing = making->standing;
    const char *sort;

    if (limit.tres && word_starts(limit.tres, "gres/", &sort)) {
        const char *colon = strchr(sort, ':');

        limit.gres_name = colon ? xstrndup(sort, (size_t)(colon - sort)) : xstrdup(sort);
        limit.gres_type = colon ? xstrdup(colon + 1) : NULL;
    }
    if (!limit_is_on_one(&limit) || bounds_each(&limit))
        limit.pot = get_pot(making->state, standing, &limit);
    standing->bounds_accrual |= limit.row->what == LIMIT_ACCRUING;
    making->state->bounds_accrual |= standing->bounds_accrual;
    making->state->bounds_priority |= limit.row->what == LIMIT_PRIORITY;
    *ARRAY_PUSH(standing->limits, standing->limits_n) = limit;
}

static uint64_t by_factor(const struct making *making, const struct limit_row *row, uint64_t most)
{
    const struct qos_record *qos = making->standing->qos;

    if (row->what != LIMIT_HELD || !qos || !is_limit(qos->limit_factor))
        return most;
    return (uint64_t)((double)most * qos->limit_factor / FACTOR_ONE);
}

/* Returns the amount of a limit of a QOS with the flag Relative, which is a percentage: of the
 * cluster, or of the partition whose QOS it is. */
static uint64_t by_share(const struct making *making, const struct limit *limit)
{
    const struct standing *standing = making->standing;
    double whole;

    if (!(limit->qos->flags & QOS_RELATIVE) || limit->row->what != LIMIT_HELD)
        return limit->most;
    whole = limit->qos == standing->part_qos && making->part
                ? tres_of_partition(making->model, making->part, limit->tres)
                : tres_of_cluster(making->model, limit->tres);
    return (uint64_t)(whole * (double)limit->most / PERCENT);
}

/* Returns whether the limit of the QOS holds. Those on jobs whose age counts, and on the share of
 * the association, are of the job's own QOS alone. */
static bool counts_of(const struct making *making, const struct limit_row *row,
                      const struct qos_record *qos)
{
    const struct standing *standing = making->standing;

    if (row->what != LIMIT_SHARE && row->what != LIMIT_ACCRUING)
        return true;
    if (qos != standing->qos)
        return false;
    return row->what == LIMIT_ACCRUING ||
           (standing->assoc && making->has_shares && (qos->flags & QOS_ENFORCE_USAGE_THRESHOLD));
}

/* Adds what the first that says something about this says; of groups of accounts, what each of
 * them says. */
static void add_row(struct making *making, const struct limit_row *row, const char *tres)
{
    struct limit limit = { .row = row, .tres = tres };

    for (uint32_t i = 0; i < ARRAY_N(making->qos); i++) {
        limit.qos = making->qos[i];
        if (limit.qos && counts_of(making, row, limit.qos) &&
            says(limit.qos, &row->in_qos, tres, &limit.most)) {
            limit.most = by_share(making, &limit);
            limit.assoc = row->scope == LIMIT_LEAF ? making->standing->assoc : NULL;
            add_limit(making, limit);
            return;
        }
    }
    limit.qos = NULL;
    for (limit.assoc = making->standing->assoc; limit.assoc; limit.assoc = limit.assoc->parent) {
        if (!says(limit.assoc, &row->in_assoc, tres, &limit.most))
            continue;
        limit.most = by_factor(making, row, limit.most);
        add_limit(making, limit);
        if (row->scope != LIMIT_GROUP)
            return;
    }
}

static bool is_list(const struct limit_row *row)
{
    return row->in_qos.n_at != LIMIT_NOWHERE;
}

/* Returns the limit's place in the order in which Slurm looks at them: all that concern no amounts
 * first; of both sorts those of QOS first, then those of associations from the user upwards. */
static uint32_t turn_of(const struct making *making, const struct limit *limit)
{
    uint32_t turn = limit->tres ? 1u << 16 : 0;

    if (limit->qos)
        return turn + (limit->qos != making->qos[0]);
    for (const struct assoc *at = making->standing->assoc; at != limit->assoc; at = at->parent)
        turn++;
    return turn + ARRAY_N(making->qos);
}

/* Puts the limits in the order in which they are looked at. Those of one turn stay in the order of
 * the table. */
static void sort_limits(const struct making *making)
{
    struct limit *limits = making->standing->limits;

    for (uint32_t i = 1; i < making->standing->limits_n; i++) {
        const struct limit limit = limits[i];
        const uint32_t turn = turn_of(making, &limit);
        uint32_t at = i;

        for (; at > 0 && turn_of(making, &limits[at - 1]) > turn; at--)
            limits[at] = limits[at - 1];
        limits[at] = limit;
    }
}

static void fill_limits(struct control *control, struct making *making)
{
    struct kept_table *table = control_kept(control, KEPT_TRES);

    for (uint32_t i = 0; i < limit_rows_n; i++) {
        const struct tres_record *tres;
        uint64_t serial = 0;

        if (!is_list(&limit_rows[i]))
            add_row(making, &limit_rows[i], NULL);
        while (is_list(&limit_rows[i]) && (tres = kept_next(table, &serial)))
            add_row(making, &limit_rows[i], tres->name);
    }
    sort_limits(making);
}

/* Notes what follows from the nodes of the partition. */
static void note_nodes(const struct model *model, const struct partition *part,
                       struct standing *standing)
{
    standing->has_single_threads = true;
    standing->node_cpus_least = UINT32_MAX;
    BITSET_FOREACH (&part->nodes, i) {
        const struct node_info *conf = model->nodes[i].conf;

        standing->has_single_threads &= conf->threads_per_core <= 1;
        standing->node_cpus_least = MIN(standing->node_cpus_least, conf->cpus);
        standing->node_cpus_most = MAX(standing->node_cpus_most, conf->cpus);
    }
    if (standing->node_cpus_most == 0)
        standing->node_cpus_least = 0;
}

/* Returns what a minute of a job counts where it is foreseen, not used up. */
static double factor_of(const struct qos_record *qos)
{
    if (!qos || !(qos->flags & QOS_USAGE_FACTOR_SAFE))
        return 1;
    return 1 + (double)qos->usage_factor_above_1 / FACTOR_ONE;
}

static struct standing *make(struct control *control, struct standing *standing,
                             const struct partition *part)
{
    struct making making = { .state = control->limits,
                             .model = control->model,
                             .part = part,
                             .standing = standing,
                             .has_shares = control->model->config.priority.multifactor };
    const bool own_first = standing->qos && (standing->qos->flags & QOS_OVER_PARTITION_QOS);

    making.qos[own_first] = standing->part_qos;
    making.qos[!own_first] = standing->qos;
    if (control->model->config.acct_enforce & ACCT_ENFORCE_LIMITS)
        fill_limits(control, &making);
    return standing;
}

static void add_name(struct strbuf *key, const char *name)
{
    if (name)
        strbuf_adds(key, name);
    strbuf_addc(key, ',');
}

/* Returns the standing of the names in state->key, or NULL: it is not made yet. */
static struct standing *find(const struct limit_state *state)
{
    const struct strbuf *key = &state->key;
    struct standing *standing = state->found;

    if (standing && standing->hh.keylen == key->len && !memcmp(standing->key, key->data, key->len))
        return standing;
    HASH_FIND(hh, state->standings, key->data, key->len, standing);
    return standing;
}

struct standing *limit_standing(struct control *control, const struct job_record *rec,
                                const struct partition *part)
{
    struct limit_state *state = control->limits;
    const struct job_spec *spec = rec->spec;
    const char *part_name = part ? part->conf->name : NULL;
    struct standing *standing;

    limit_refresh(control);
    strbuf_truncate(&state->key, 0);
    add_name(&state->key, rec->user_name);
    add_name(&state->key, spec->account);
    add_name(&state->key, spec->qos);
    add_name(&state->key, part_name);
    standing = state->found = find(state);
    if (standing)
        return standing;
    standing = state->found = xcalloc(1, sizeof(*standing));
    standing->key = xstrdup(strbuf_text(&state->key));
    standing->assoc = acct_tree_find(control, spec->account, rec->user_name, part_name);
    standing->qos = spec->qos ? acct_find_qos(control, spec->qos) : NULL;
    standing->part_qos = part && part->conf->qos ? acct_find_qos(control, part->conf->qos) : NULL;
    standing->factor = factor_of(standing->qos);
    if (part)
        note_nodes(control->model, part, standing);
    HASH_ADD_KEYPTR(hh, state->standings, standing->key, state->key.len, standing);
    return make(control, standing, part);
}

const struct limit *limit_of_pool(struct control *control, const struct job_record *rec,
                                  const struct partition *part, uint32_t number)
{
    const struct standing *standing = limit_standing(control, rec, part);

    for (uint32_t i = 0; i < standing->limits_n; i++) {
        if (standing->limits[i].pot && standing->limits[i].pot->pool == number)
            return &standing->limits[i];
    }
    return NULL;
}

bool limit_is_counted(const struct control *control, const struct limit *limit)
{
    return !limit->tres || !word_is(limit->tres, "mem") ||
           (control->model->config.select & SELECT_MEMORY);
}

bool limit_is_on_one(const struct limit *limit)
{
    return limit->row->scope == LIMIT_JOB || limit->row->scope == LIMIT_JOB_NODE;
}

bool limit_counts_time(const struct limit *limit)
{
    return limit->row->what == LIMIT_LEFT || limit->row->what == LIMIT_USED ||
           limit_is_of_use(limit);
}

uint32_t limit_reason(const struct limit *limit)
{
    return limit_row_reason(limit->row, limit->qos, limit->tres);
}

void limit_tell(const struct limit *limit, struct strbuf *out)
{
    const struct limit_row *row = limit->row;
    const struct assoc_record *assoc = limit->assoc ? &limit->assoc->rec : NULL;

    strbuf_adds(out, row->name);
    if (limit->tres)
        strbuf_addf(out, "=%s", limit->tres);
    if (row->what == LIMIT_SHARE)
        strbuf_addf(out, "=%g of ", (double)limit->most / FACTOR_ONE);
    else
        strbuf_addf(out, "=%" PRIu64 " of ", limit->most);
    if (limit->qos)
        strbuf_addf(out, "QOS %s", limit->qos->name);
    else if (assoc->user)
        strbuf_addf(out, "user %s in account %s", assoc->user, assoc->account);
    else
        strbuf_addf(out, "account %s", assoc->account);
}

int limit_refuse(const struct limit *limit, struct err *err)
{
    AUTO(strbuf) struct strbuf text = { 0 };

    limit_tell(limit, &text);
    return err_set(err, E_ACCT_POLICY, "%s: %s", job_reason_name(limit_reason(limit)),
                   strbuf_text(&text));
}
