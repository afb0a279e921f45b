#include "ctld/dispatch/dbd_tell.h"

#include <inttypes.h>

#include "common/base/clock.h"
#include "common/msg/dbd.h"
#include "common/msg/types.h"
#include "ctld/control/control.h"
#include "ctld/dispatch/ctld.h"
#include "ctld/dispatch/turn_part.h"

#define PROGRESS_MS 10000 /* between words on how far a copy is */

enum phase {
    PHASE_OFF,
    PHASE_OTHER,      /* it has a history of the cluster that this controller does not know */
    PHASE_FAILED,     /* the state directory cannot be read */
    PHASE_LOG_BEGINS, /* the log was asked for: a turn that is in it must be on disk */
    PHASE_COPY,
    PHASE_LOG,
};

struct dbd_tell {
    struct ctld *ctld;
    struct rpc_session *session; /* borrowed; NULL: it is away */
    enum phase phase;
    uint64_t first;    /* turn of PHASE_LOG_BEGINS */
    uint64_t done;     /* slurmdbd has all turns up to this one, */
    uint64_t sent;     /* and will have all up to this one */
    uint64_t asked_at; /* what was committed when the log was asked for */
    bool copy_begins;  /* the next piece is the first one */
    bool is_asked;     /* the store reads a page */
    bool is_under_way; /* a page is sent, and not on slurmdbd's disk yet */
    bool was_stopped;  /* since the store was asked: its answer is for another session */
    /* Of the copy: jobs that were sent, the last of them, when it began, and was spoken of last. */
    uint32_t copied_n, copied_id;
    int64_t copy_ms, progress_ms;
    int64_t took_ms; /* the last one that came to its end */
    struct err why;
};

/* ---- a page ---- */

/* Sends a frame. What fits into none is left out, and that is said: it must not hold up all that
 * comes behind it. */
static void send_part(struct dbd_tell *tell, const struct dbd_turn *part)
{
    struct dbd_turn empty = *part;

    if (rpc_send(tell->session, MSG_DBD_TURN, 0, 0, part) != -E_TOO_BIG)
        return;
    log_error(tell->ctld->log, "slurmdbd is not told of a record of %u bytes in turn %" PRIu64,
              part->changes[0].record.n, part->turn);
    empty.changes_n = 0;
    (void)rpc_send(tell->session, MSG_DBD_TURN, 0, 0, &empty);
}

static void send_turn(struct dbd_tell *tell, const struct dbd_turn *whole)
{
    struct dbd_turn part = { 0 };

    while (turn_part_next(whole, &part))
        send_part(tell, &part);
}

/* Returns whether the answer of the store is still wanted. */
static bool take_answer(struct dbd_tell *tell)
{
    const bool is_wanted = tell->session && !tell->was_stopped;

    tell->is_asked = tell->was_stopped = false;
    return is_wanted;
}

static void go_on(struct dbd_tell *tell)
{
    dbd_tell_go_on(tell, store_committed(tell->ctld->store));
}

/* The state directory cannot be read: said once a try, and tried again by another session. */
static void give_up(struct dbd_tell *tell, const struct err *err)
{
    log_error(tell->ctld->log, "slurmdbd is not told of jobs: %s", err->text);
    tell->phase = PHASE_FAILED;
    tell->why = *err;
}

/* Counts the jobs of a piece, and tells now and then how far the copy is. Ids rise in it. */
static void note_progress(struct dbd_tell *tell, const struct turn_changes *piece)
{
    const int64_t now_ms = clock_mono_ms();

    for (uint32_t i = 0; i < piece->changes_n; i++) {
        if (piece->changes[i].kind != CHANGE_JOB)
            continue;
        tell->copied_n++;
        tell->copied_id = piece->changes[i].job_id;
    }
    if (now_ms < tell->progress_ms + PROGRESS_MS)
        return;
    tell->progress_ms = now_ms;
    log_info(tell->ctld->log,
             "slurmdbd is told of what was here: %u jobs so far, up to id %u of %u", tell->copied_n,
             tell->copied_id, control_model(tell->ctld->control)->next_job_id - 1);
}

static void on_piece(struct turn_changes *piece, uint64_t turn, const struct err *err, void *ctx)
{
    struct dbd_tell *tell = ctx;
    struct dbd_turn msg = { .turn = turn,
                            .is_copy = true,
                            .begins = tell->copy_begins,
                            .changes = piece->changes,
                            .changes_n = piece->changes_n };

    if (!take_answer(tell)) {
        go_on(tell);
        return;
    }
    if (err) {
        give_up(tell, err);
        return;
    }
    tell->copy_begins = false;
    tell->is_under_way = true;
    tell->sent = turn;
    note_progress(tell, piece);
    send_turn(tell, &msg);
}

static void begin_copy(struct dbd_tell *tell)
{
    tell->phase = PHASE_COPY;
    tell->copy_begins = true;
    tell->sent = tell->done = 0;
    tell->copied_n = 0;
    tell->copy_ms = tell->progress_ms = clock_mono_ms();
    log_info(tell->ctld->log, "slurmdbd is told of all that was here before");
}

/* Asks for the log, and for a turn with which it begins. */
static void begin_log(struct dbd_tell *tell)
{
    struct ctld *ctld = tell->ctld;

    store_log_keep(ctld->store, true);
    turn_note_number(&ctld->turn, "log_asked", ctld_now(ctld).wall_s);
    tell->phase = PHASE_LOG_BEGINS;
    tell->first = ctld_turn(ctld);
}

static void on_log(struct turn_changes *turns, uint32_t n, uint64_t from, const struct err *err,
                   void *ctx)
{
    struct dbd_tell *tell = ctx;

    if (!take_answer(tell)) {
        go_on(tell);
        return;
    }
    if (err) {
        give_up(tell, err);
        return;
    }
    if (from == UINT64_MAX) { /* nothing was kept for it meanwhile */
        begin_log(tell);
        ctld_end_turn(tell->ctld);
        return;
    }
    if (from > tell->done) { /* what it lacks is no more in the log */
        begin_copy(tell);
        go_on(tell);
        return;
    }
    for (uint32_t i = 0; i < n; i++) {
        const struct dbd_turn msg = { .turn = turns[i].turn,
                                      .changes = turns[i].changes,
                                      .changes_n = turns[i].changes_n };

        send_turn(tell, &msg);
    }
    tell->is_under_way = n > 0;
    tell->sent = n ? turns[n - 1].turn : tell->asked_at;
    if (n == 0)
        tell->done = tell->sent; /* turns of which it is not told */
}

/* ---- going on ---- */

static void ask(struct dbd_tell *tell, uint64_t committed)
{
    tell->is_asked = true;
    tell->asked_at = committed;
    if (tell->phase == PHASE_COPY)
        store_copy(tell->ctld->store, tell->copy_begins, on_piece, tell);
    else
        store_log(tell->ctld->store, tell->done, on_log, tell);
}

static bool is_on(const struct dbd_tell *tell)
{
    return tell->phase == PHASE_LOG_BEGINS || tell->phase == PHASE_COPY || tell->phase == PHASE_LOG;
}

void dbd_tell_go_on(struct dbd_tell *tell, uint64_t committed)
{
    if (!tell->session || tell->is_asked || tell->is_under_way || !is_on(tell))
        return;
    if (tell->phase == PHASE_LOG_BEGINS && committed >= tell->first)
        begin_copy(tell);
    if (tell->phase == PHASE_COPY || (tell->phase == PHASE_LOG && committed > tell->sent))
        ask(tell, committed);
}

void dbd_tell_applied(struct dbd_tell *tell, uint64_t turn)
{
    if (!tell->is_under_way || turn < tell->sent)
        return;
    tell->is_under_way = false;
    tell->done = turn;
    if (tell->phase == PHASE_COPY && turn) {
        tell->took_ms = clock_mono_ms() - tell->copy_ms;
        log_info(tell->ctld->log,
                 "slurmdbd has what was here up to turn %" PRIu64 ": %u jobs, in %lld s", turn,
                 tell->copied_n, (long long)tell->took_ms / 1000);
        tell->phase = PHASE_LOG;
    }
    if (tell->phase == PHASE_LOG)
        store_log_told(tell->ctld->store, turn);
    go_on(tell);
}

void dbd_tell_begin(struct dbd_tell *tell, struct rpc_session *session, uint64_t applied)
{
    tell->session = session;
    tell->done = tell->sent = applied;
    tell->is_under_way = false;
    if (applied == 0 || applied > tell->ctld->turn_number)
        begin_log(tell);
    else
        tell->phase = PHASE_LOG;
    go_on(tell);
}

void dbd_tell_hold(struct dbd_tell *tell)
{
    tell->phase = PHASE_OTHER;
    log_error(tell->ctld->log,
              "slurmdbd has a history of this cluster that is of another state directory, and is "
              "not told of jobs until that has come here: sluice move accounting --take");
}

void dbd_tell_look(const struct dbd_tell *tell, struct move_status *ret)
{
    static const enum move_phase phases[] = {
        [PHASE_OFF] = MOVE_MEETS,         [PHASE_OTHER] = MOVE_OTHER, [PHASE_FAILED] = MOVE_FAILED,
        [PHASE_LOG_BEGINS] = MOVE_COPIES, [PHASE_COPY] = MOVE_COPIES, [PHASE_LOG] = MOVE_TOLD,
    };
    const uint64_t committed = store_committed(tell->ctld->store);
    const bool is_told = tell->phase == PHASE_LOG;
    const bool knows_done = is_told || (tell->phase == PHASE_OFF && tell->done);

    ret->phase = phases[tell->phase];
    ret->jobs = tell->copied_n;
    ret->at_id = tell->copied_id;
    ret->last_id = control_model(tell->ctld->control)->next_job_id - 1;
    ret->ms =
        (uint64_t)(is_told || !tell->copy_ms ? tell->took_ms : clock_mono_ms() - tell->copy_ms);
    ret->behind = knows_done && committed > tell->done ? committed - tell->done : 0;
    if (tell->phase == PHASE_FAILED)
        xstrset(&ret->why, tell->why.text);
}

void dbd_tell_stop(struct dbd_tell *tell)
{
    tell->session = NULL;
    tell->phase = PHASE_OFF;
    tell->was_stopped = tell->is_asked;
}

void dbd_tell_nobody(struct dbd_tell *tell)
{
    dbd_tell_stop(tell);
    tell->done = tell->sent = 0;
    store_log_keep(tell->ctld->store, false);
}

struct dbd_tell *dbd_tell_new(struct ctld *ctld)
{
    struct dbd_tell *tell = xcalloc(1, sizeof(*tell));

    tell->ctld = ctld;
    return tell;
}

struct dbd_tell *dbd_tell_free(struct dbd_tell *tell)
{
    free(tell);
    return NULL;
}
