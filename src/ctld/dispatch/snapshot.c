#include "ctld/dispatch/snapshot.h"

#include "ctld/control/act/kept.h"
#include "ctld/control/control.h"
#include "ctld/control/load.h"
#include "ctld/model/model.h"

struct snapshot {
    struct ctld *ctld;
    struct control *control;
    uint64_t turn;
    uint32_t refs;
    snapshot_fn *on_done;
};

struct snapshot *snapshot_ref(struct snapshot *snapshot)
{
    snapshot->refs++;
    return snapshot;
}

struct snapshot *snapshot_unref(struct snapshot *snapshot)
{
    if (!snapshot || --snapshot->refs > 0)
        return NULL;
    control_free(snapshot->control);
    free(snapshot);
    return NULL;
}

uint64_t snapshot_turn(const struct snapshot *snapshot)
{
    return snapshot->turn;
}

struct control *snapshot_control(const struct snapshot *snapshot)
{
    return snapshot->control;
}

/* ---- in the store's thread, which has the snapshot meanwhile ---- */

static void on_number(const char *name, int64_t number, void *ctx)
{
    control_load_number(((struct snapshot *)ctx)->control, name, number);
}

static void on_kept(const struct kept_kind *kind, const void *record, void *ctx)
{
    control_kept_load(((struct snapshot *)ctx)->control, kind, record);
}

static void on_job(struct job_record *job, const struct job_body *body, void *ctx)
{
    control_load_job(((struct snapshot *)ctx)->control, job, body);
}

static void on_step(const struct step_record *step, void *ctx)
{
    control_load_step(((struct snapshot *)ctx)->control, step);
}

/* ---- in the loop ---- */

/* What follows from the records; nobody is told what is noted with it. */
static void settle(struct snapshot *snapshot)
{
    struct turn unused;
    struct act act = { .control = snapshot->control,
                       .now = ctld_now(snapshot->ctld),
                       .turn = &unused };

    turn_init(&unused);
    control_settle_to_show(&act, snapshot->ctld->control);
    turn_clear(&unused);
}

static void on_loaded(uint64_t turn, const struct err *err, void *ctx)
{
    struct snapshot *snapshot = ctx;

    snapshot->turn = turn;
    if (!err)
        settle(snapshot);
    snapshot->on_done(err, snapshot->ctld);
}

int snapshot_ask(struct ctld *ctld, snapshot_fn *on_done, struct snapshot **ret, struct err *err)
{
    static const struct store_loader loader = { on_number, on_kept, on_job, on_step };
    struct model_config config;
    struct control *control;
    int rc;

    ctld->fill_config(ctld, &config);
    rc = control_new(&config, &control, err);
    if (rc < 0)
        return rc;
    *ret = xcalloc(1, sizeof(**ret));
    **ret = (struct snapshot){ .ctld = ctld, .control = control, .refs = 1, .on_done = on_done };
    store_alive(ctld->store, &loader, on_loaded, *ret);
    return 0;
}
