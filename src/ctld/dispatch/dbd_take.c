#include "ctld/dispatch/dbd_take.h"

#include "common/base/clock.h"
#include "common/msg/types.h"
#include "ctld/control/acct/carry.h"
#include "ctld/control/control.h"
#include "ctld/control/job/ids.h"
#include "ctld/dispatch/ctld.h"
#include "ctld/dispatch/turn_check.h"
#include "ctld/dispatch/turn_part.h"

struct dbd_take {
    struct ctld *ctld;
    dbd_taken_fn *on_taken;
    void *ctx;
    struct rpc_session *session; /* borrowed; NULL: nothing is taken */
    struct turn_changes coming;  /* parts of a piece that is not whole, */
    uint64_t coming_bytes;       /* and what they take */
    uint64_t commits;            /* a piece is in this turn, which is to be committed; 0: none is */
    uint64_t piece;              /* what slurmdbd is told then */
    uint32_t jobs, at_id, highest_id, highest_run;
    int64_t began_ms, took_ms;
    uint32_t taken_n; /* how often all has come */
};

struct dbd_take *dbd_take_new(struct ctld *ctld, dbd_taken_fn *on_taken, void *ctx)
{
    struct dbd_take *take = xcalloc(1, sizeof(*take));

    take->ctld = ctld;
    take->on_taken = on_taken;
    take->ctx = ctx;
    turn_changes_init(&take->coming);
    return take;
}

struct dbd_take *dbd_take_free(struct dbd_take *take)
{
    if (!take)
        return NULL;
    turn_changes_clear(&take->coming);
    free(take);
    return NULL;
}

void dbd_take_stop(struct dbd_take *take)
{
    take->session = NULL;
    take->commits = 0;
    turn_changes_clear(&take->coming);
    turn_changes_init(&take->coming);
}

bool dbd_take_goes_on(const struct dbd_take *take)
{
    return take->session != NULL;
}

void dbd_take_begin(struct dbd_take *take, struct rpc_session *session, uint64_t number)
{
    const struct dbd_give msg = { .carried = carry_until(take->ctld->control, number) };

    dbd_take_stop(take);
    take->session = session;
    take->jobs = take->at_id = take->highest_id = take->highest_run = 0;
    take->began_ms = clock_mono_ms();
    (void)rpc_send(session, MSG_DBD_GIVE, 0, 0, &msg);
    log_info(take->ctld->log, "slurmdbd is asked for all that it has of this cluster");
}

int dbd_take_carried(struct dbd_take *take, const struct rpc_frame *frame, struct err *err)
{
    AUTO(dbd_carried) struct dbd_carried carried;
    int rc = rpc_decode(frame, dbd_carried_schema(), &carried, err);

    if (rc == 0)
        carry_take(ctld_act(take->ctld), store_number(take->ctld->store), &carried);
    return rc;
}

static void note_jobs(struct dbd_take *take)
{
    for (uint32_t i = 0; i < take->coming.changes_n; i++) {
        const struct change *change = &take->coming.changes[i];

        if (change->kind != CHANGE_JOB)
            continue;
        take->jobs++;
        take->at_id = change->job_id;
        if (change->job_id > take->highest_id)
            take->highest_id = change->job_id;
        if (change->run > take->highest_run)
            take->highest_run = change->run;
    }
}

int dbd_take_turn(struct dbd_take *take, const struct rpc_frame *frame, struct err *err)
{
    AUTO(dbd_turn) struct dbd_turn part;
    int rc = rpc_decode(frame, dbd_turn_schema(), &part, err);

    if (rc < 0)
        return rc;
    if (!take->session || !part.is_copy)
        return err_set(err, E_PROTO, "a piece of a history that was not asked for");
    rc = turn_check_part(&part, err);
    if (rc == 0)
        rc = turn_part_join(&take->coming, &take->coming_bytes, &part, err);
    if (rc < 0 || !part.is_end)
        return rc;
    rc = turn_check_whole(&take->coming, err);
    if (rc < 0)
        return rc; /* the connection is closed, and the piece forgotten */
    note_jobs(take);
    take->piece = part.turn;
    take->coming.merge = TURN_MERGE_LACKING;
    take->commits = ctld_commit_apart(take->ctld, &take->coming);
    return 0;
}

static void finish(struct dbd_take *take)
{
    struct ctld *ctld = take->ctld;

    take->session = NULL;
    take->taken_n++;
    take->took_ms = clock_mono_ms() - take->began_ms;
    log_info(ctld->log, "all that slurmdbd had of this cluster is here: %u jobs, in %lld s",
             take->jobs, (long long)take->took_ms / 1000);
    if (take->highest_id)
        job_learn_id(ctld_act(ctld), take->highest_id, take->highest_run);
    take->on_taken(take->ctx);
}

void dbd_take_go_on(struct dbd_take *take, uint64_t committed)
{
    const struct dbd_applied msg = { .turn = take->piece };

    if (!take->session || !take->commits || committed < take->commits)
        return;
    take->commits = 0;
    (void)rpc_send(take->session, MSG_DBD_APPLIED, 0, 0, &msg);
    if (take->piece)
        finish(take);
}

void dbd_take_look(const struct dbd_take *take, struct move_status *ret)
{
    ret->taken = take->taken_n;
    if (!take->session)
        return;
    ret->phase = MOVE_TAKES;
    ret->jobs = take->jobs;
    ret->at_id = take->at_id;
    ret->ms = (uint64_t)(clock_mono_ms() - take->began_ms);
}
