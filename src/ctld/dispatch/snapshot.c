#include "ctld/dispatch/snapshot.h"

#include "ctld/control/control.h"
#include "ctld/control/load.h"
#include "ctld/dispatch/loading.h"
#include "ctld/model/model.h"

struct snapshot {
    struct loading loading; /* first: the store's thread has the snapshot as one of these */
    struct ctld *ctld;
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
    control_free(snapshot->loading.control);
    free(snapshot);
    return NULL;
}

uint64_t snapshot_turn(const struct snapshot *snapshot)
{
    return snapshot->turn;
}

struct control *snapshot_control(const struct snapshot *snapshot)
{
    return snapshot->loading.control;
}

/* Settles what follows from the records. Nobody is told what is noted with it. */
static void settle(struct snapshot *snapshot)
{
    struct turn unused;
    struct act act = { .control = snapshot->loading.control,
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
    struct model_config config;
    struct control *control;
    int rc;

    ctld->fill_config(ctld, &config);
    rc = control_new(&config, &control, err);
    if (rc < 0)
        return rc;
    *ret = xcalloc(1, sizeof(**ret));
    **ret = (struct snapshot){
        .loading.control = control, .ctld = ctld, .refs = 1, .on_done = on_done
    };
    store_alive(ctld->store, &loading_loader, on_loaded, *ret);
    return 0;
}
