#include "cli/move/watch.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "common/base/clock.h"
#include "common/msg/types.h"

#define PAUSE_NS    200000000
#define AWAY_MS     30000  /* for which slurmdbd may not answer, */
#define MEETS_MS    300000 /* and look at records of accounts */
#define PROGRESS_MS 10000  /* between lines, where nobody sees one change */

/* What is waited for. */
struct watch {
    struct client *client;
    bool (*is_over)(const struct move_status *status, uint32_t taken);
    bool takes; /* what slurmdbd has comes */
    uint32_t taken;
    int64_t away_since; /* 0: it is there, and says something */
    int64_t said_ms;
    bool has_line; /* on the terminal, to be overwritten */
};

int watch_look(struct client *client, struct move_status *ret, struct err *err)
{
    return client_call(client, MSG_MOVE_LOOK, NULL, MSG_MOVE_STATUS, ret, err);
}

/* ---- progress ---- */

static void say(struct watch *watch, const struct move_status *status)
{
    const bool is_seen = isatty(STDERR_FILENO);
    const int64_t now = clock_mono_ms();

    if ((status->phase != MOVE_COPIES && status->phase != MOVE_TAKES) || status->jobs == 0)
        return;
    if (!is_seen && now < watch->said_ms + PROGRESS_MS)
        return;
    watch->said_ms = now;
    watch->has_line = is_seen;
    fprintf(stderr, "%s%" PRIu32 " jobs %s so far, up to id %" PRIu32, is_seen ? "\r" : "",
            status->jobs, status->phase == MOVE_TAKES ? "have come" : "are told", status->at_id);
    if (status->last_id)
        fprintf(stderr, " of %" PRIu32, status->last_id);
    fprintf(stderr, "%s", is_seen ? " " : "\n");
}

/* ---- waiting ---- */

static int fail_conflicts(const struct move_status *status, struct err *err)
{
    return err_set(err, EEXIST,
                   "slurmdbd has not taken the cluster: %" PRIu32
                   " records of accounts differ; --plan shows them",
                   status->refused ? status->refused->conflicts : 0);
}

/* A connection that breaks ends the taking, which nobody begins again but who asks for it. */
static int fail_cut(const struct move_status *status, struct err *err)
{
    return err_set(err, ENOTCONN,
                   "slurmdbd went away before all had come%s%s; what has come stays, and the rest "
                   "comes when this is called again",
                   status->why ? ": " : "", status->why ? status->why : "");
}

/* Fails when slurmdbd has not answered for too long. */
static int check_answers(struct watch *watch, const struct move_status *status, struct err *err)
{
    const int64_t now = clock_mono_ms();
    const bool meets = status->phase == MOVE_MEETS;

    if (!meets && status->phase != MOVE_AWAY) {
        watch->away_since = 0;
        return 0;
    }
    if (!watch->away_since)
        watch->away_since = now;
    if (now < watch->away_since + (meets ? MEETS_MS : AWAY_MS))
        return 0;
    return err_set(err, ENOTCONN,
                   "slurmdbd %s%s%s; what has moved stays, and the rest moves when this is called "
                   "again",
                   meets ? "does not say whether it takes the accounts; sacctmgr ping and "
                           "slurmdbd's log tell how it is"
                         : "does not answer the controller",
                   status->why ? ": " : "", status->why ? status->why : "");
}

/* Fails where waiting is in vain. */
static int check(struct watch *watch, const struct move_status *status, struct err *err)
{
    if (status->phase == MOVE_REFUSED)
        return fail_conflicts(status, err);
    if (status->phase == MOVE_FAILED)
        return err_set(err, EIO, "the controller cannot read its state: %s", status->why);
    if (watch->takes && status->phase != MOVE_TAKES)
        return fail_cut(status, err);
    if (status->phase == MOVE_OTHER && !status->taken)
        return err_set(err, EBUSY,
                       "slurmdbd has a history of this cluster that is of another state directory: "
                       "bring it here first, by sluice move accounting --take");
    return check_answers(watch, status, err);
}

static int watch_until(struct watch *watch, struct err *err)
{
    bool is_over = false;
    int rc = 0;

    while (rc == 0 && !is_over) {
        AUTO(move_status) struct move_status status;

        rc = watch_look(watch->client, &status, err);
        if (rc < 0)
            err_prefix(err, "the controller does not answer; call this again when it does");
        is_over = rc == 0 && watch->is_over(&status, watch->taken);
        if (rc == 0 && !is_over)
            rc = check(watch, &status, err);
        if (rc == 0 && !is_over) {
            say(watch, &status);
            nanosleep(&(struct timespec){ .tv_nsec = PAUSE_NS }, NULL);
        }
    }
    if (watch->has_line)
        fputc('\n', stderr);
    return rc;
}

static bool is_told(const struct move_status *status, uint32_t taken)
{
    (void)taken;
    return status->owner && status->phase == MOVE_TOLD && status->behind == 0;
}

static bool is_taken(const struct move_status *status, uint32_t taken)
{
    return status->taken > taken && status->phase != MOVE_TAKES;
}

static bool is_own(const struct move_status *status, uint32_t taken)
{
    (void)taken;
    return status->owner == 0;
}

int watch_told(struct client *client, struct err *err)
{
    struct watch watch = { .client = client, .is_over = is_told };

    return watch_until(&watch, err);
}

int watch_taken(struct client *client, uint32_t taken, struct err *err)
{
    struct watch watch = { .client = client, .is_over = is_taken, .takes = true, .taken = taken };

    return watch_until(&watch, err);
}

int watch_own(struct client *client, struct err *err)
{
    struct watch watch = { .client = client, .is_over = is_own };

    return watch_until(&watch, err);
}
