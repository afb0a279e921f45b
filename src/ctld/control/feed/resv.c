#include "ctld/control/feed/resv.h"

#include <string.h>

#include "common/base/minmax.h"
#include "common/text/words.h"
#include "ctld/control/act/state.h"
#include "ctld/control/feed/feed.h"
#include "ctld/control/feed/reserved.h"
#include "ctld/control/resv/resv.h"
#include "ctld/control/resv/span.h"

#define AHEAD_S (INT64_C(366) * 24 * 3600)

static uint32_t flags_of(const struct reservation_record *resv)
{
    return (resv->flags & RESV_FLEX ? PLAN_RESV_FLEX : 0u) |
           (resv->flags & (RESV_ANY_NODES | RESV_LICENSE_ONLY) ? PLAN_RESV_ANYWHERE : 0u) |
           (resv->flags & RESV_MAINT ? PLAN_RESV_MAINT : 0u) |
           (resv->flags & RESV_OVERLAP ? PLAN_RESV_OVERLAP : 0u);
}

static void fill_spans(struct moment now, const struct reservation_record *resv,
                       struct plan_reservation *ret)
{
    struct resv_times times = resv_times_begin(resv);
    struct plan_span *spans = NULL;
    const int64_t until = MAX(now.wall_s + AHEAD_S, resv->start + 1);

    if (resv->flags & RESV_TIME_FLOAT) {
        ret->floats_ms = (resv->start - resv->made) * 1000;
        ret->floats_ms = ret->floats_ms > 0 ? ret->floats_ms : 1;
        return;
    }
    while (resv_times_next(&times, until))
        *ARRAY_PUSH(spans, ret->spans_n) = (struct plan_span){ moment_ms_of_wall(now, times.start),
                                                               moment_ms_of_wall(now, times.end) };
    ret->spans = spans;
}

/* ---- nodes, and parts of them ---- */

static void add_part(const struct model *model, const struct reservation_part *part,
                     struct plan_reservation *ret)
{
    const struct node *node = model_find_node(model, part->node);
    struct plan_place *parts = (struct plan_place *)ret->parts;
    struct plan_place *place;

    if (!node)
        return;
    place = ARRAY_PUSH(parts, ret->parts_n);
    *place = (struct plan_place){ .node = node->index };
    bitset_init(&place->cpus, node->conf->cpus);
    for (uint32_t i = 0; i < part->cpus_n; i++) {
        if (part->cpus[i] < node->conf->cpus)
            bitset_add(&place->cpus, part->cpus[i]);
    }
    if (bitset_has(&ret->nodes, node->index))
        bitset_del(&ret->nodes, node->index);
    ret->parts = parts;
}

void feed_fill_reserved_nodes(const struct model *model, const struct reservation_record *resv,
                              struct plan_reservation *ret)
{
    struct err err;

    if (!resv->nodes || model_known_nodes(model, resv->nodes, &ret->nodes, &err) < 0)
        bitset_init(&ret->nodes, model->nodes_n);
    for (uint32_t i = 0; i < resv->parts_n; i++)
        add_part(model, &resv->parts[i], ret);
}

void feed_fill_reservation(const struct model *model, struct moment now,
                           const struct reservation_record *resv, struct plan_reservation *ret)
{
    const int64_t over_s = model->config.resv_over_run_s;

    *ret = (struct plan_reservation){
        .id = resv->id,
        .flags = flags_of(resv),
        .overrun_ms = over_s == LIMIT_INFINITE ? PLAN_NEVER : over_s * 1000,
        .yields_ms = (int64_t)resv->max_start_delay_s * 1000,
    };
    fill_spans(now, resv, ret);
    feed_fill_reserved_nodes(model, resv, ret);
}

void feed_clear_reservation(struct plan_reservation *plan)
{
    plan_places_free(plan->parts, plan->parts_n);
    bitset_clear(&plan->nodes);
    free((void *)plan->spans);
    free((void *)plan->claims);
}

/* Fills it with what it claims of pools, which a planner that chooses nodes need not know. */
static void fill_with_claims(const struct act *act, const struct reservation_record *resv,
                             struct plan_reservation *ret)
{
    feed_fill_reservation(act->control->model, act->now, resv, ret);
    ret->claims = feed_reserved_claims(act->control, resv, &ret->claims_n);
}

void feed_fill_reservations(const struct act *act, struct plan_snapshot *snapshot)
{
    struct plan_reservation *list = (struct plan_reservation *)snapshot->reservations;
    const struct reservation_record *resv;
    uint64_t at = 0;

    while ((resv = resv_next(act->control, &at)))
        fill_with_claims(act, resv, ARRAY_PUSH(list, snapshot->reservations_n));
    snapshot->reservations = list;
}

void feed_clear_reservations(struct plan_snapshot *snapshot)
{
    for (uint32_t i = 0; i < snapshot->reservations_n; i++)
        feed_clear_reservation((struct plan_reservation *)&snapshot->reservations[i]);
    free((void *)snapshot->reservations);
    snapshot->reservations = NULL;
    snapshot->reservations_n = 0;
}

void feed_reservation(struct act *act, const struct reservation_record *resv)
{
    struct plan_reservation plan;

    fill_with_claims(act, resv, &plan);
    feed_apply(act, &(struct plan_change){ .kind = PLAN_RESERVATION, .reservation = &plan });
    feed_clear_reservation(&plan);
}

void feed_reservation_gone(struct act *act, uint32_t id)
{
    const struct plan_reservation gone = { .id = id };

    feed_apply(act, &(struct plan_change){ .kind = PLAN_RESERVATION, .reservation = &gone });
}

/* ---- the options of a job ---- */

static struct resv_guest guest_of(const struct control *control, const struct job_record *rec,
                                  uint32_t partition)
{
    return (struct resv_guest){
        .user = rec->user_name,
        .account = rec->spec->account,
        .qos = rec->spec->qos,
        .partition = control->model->partitions[partition].conf->name,
    };
}

/* Returns the reservation in which the job runs; 0: none. */
static uint32_t held_by(const struct control *control, const struct job_record *rec)
{
    return rec->resv_id && resv_find_id(control, rec->resv_id) ? rec->resv_id : 0;
}

/* Adds the option once more, with claims of its own. */
static void add_option(struct plan_option **options, uint32_t *n, const struct plan_option *as,
                       uint32_t reservation)
{
    struct plan_option *made = ARRAY_PUSH(*options, *n);
    struct plan_claim *claims = NULL;
    uint32_t claims_n = 0;

    while (claims_n < as->claims_n) {
        const struct plan_claim *claim = &as->claims[claims_n];

        *ARRAY_PUSH(claims, claims_n) = *claim; /* more are pushed behind them */
    }
    *made = *as;
    made->reservation = reservation;
    made->claims = claims;
}

/* Adds the option in each reservation that the job names. One that is not there any more lets it
 * wait. */
static void add_named(const struct control *control, const struct job_record *rec,
                      const struct plan_option *as, struct plan_option **options, uint32_t *n)
{
    AUTO(words) struct words names = words_split(rec->spec->reservation, ",");

    for (uint32_t i = 0; i < names.n; i++) {
        const struct reservation_record *resv = resv_find(control, names.at[i]);

        add_option(options, n, as, resv ? resv->id : PLAN_RESV_NOWHERE);
    }
}

/* Adds the option in each reservation that draws the job, and the option itself. */
static void add_drawn(const struct control *control, const struct job_record *rec,
                      const struct plan_option *as, struct plan_option **options, uint32_t *n)
{
    const struct resv_guest guest = guest_of(control, rec, as->partition);
    const struct reservation_record *resv;
    uint64_t at = 0;

    while ((resv = resv_next(control, &at))) {
        if (resv->flags & RESV_MAGNETIC && resv_admits(control, resv, &guest))
            add_option(options, n, as, resv->id | PLAN_RESV_WITHIN);
    }
    add_option(options, n, as, 0);
}

void feed_add_reservations(const struct control *control, const struct job_record *rec,
                           struct plan_job *plan)
{
    const bool holds = rec->state != JOB_PENDING;
    struct plan_option *options = NULL;
    uint32_t n = 0;

    for (uint32_t i = 0; i < plan->options_n; i++) {
        const struct plan_option *as = &plan->options[i];

        if (holds)
            add_option(&options, &n, as, held_by(control, rec));
        else if (rec->spec->reservation)
            add_named(control, rec, as, &options, &n);
        else
            add_drawn(control, rec, as, &options, &n);
        free((void *)as->claims);
    }
    free((void *)plan->options);
    plan->options = options;
    plan->options_n = n;
}
