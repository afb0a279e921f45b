/* admin.c - the controller itself: is it there, how is it, what is its configuration. */
#include "ctld/api/api.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

#include <event2/event.h>

#include "common/base/version.h"
#include "common/conf/show.h"
#include "common/msg/types.h"
#include "ctld/control/acct/follow.h"
#include "ctld/control/act/act.h"
#include "ctld/control/control.h"
#include "ctld/control/answer/info.h"
#include "ctld/dispatch/dbd_link.h"

static int on_ping(struct request *request, void *msg, struct err *err)
{
    char host[256] = "";
    const struct slurm_conf *conf = request->ctld->conf;
    AUTO_FREE char *dbd = acct_owner(request->act.control)
                              ? xasprintf("%s:%u", conf->accounting_host, slurm_conf_dbd_port(conf))
                              : NULL;
    struct pong pong = { .host = host,
                         .version = (char *)(uintptr_t)SLUICE_VERSION,
                         .started = request->ctld->started,
                         .incarnation = control_incarnation(request->act.control),
                         .dbd = dbd };

    (void)msg;
    (void)err;
    gethostname(host, sizeof(host) - 1);
    request_reply(request, MSG_PONG, &pong);
    return 0;
}

#define CLOCK_LOOKS 1000

/* Returns how many microseconds some looks at the clock cost: many, on some virtual machines. */
static uint64_t measure_clock(void)
{
    const uint64_t begin = clock_mono_us();
    struct timespec now;

    for (int i = 0; i < CLOCK_LOOKS; i++)
        clock_gettime(CLOCK_REALTIME, &now);
    return clock_mono_us() - begin;
}

/* Returns in words why slurmdbd is told of nothing, to be freed, or NULL: it is told. */
static char *why_untold(const struct move_status *status)
{
    switch ((enum move_phase)status->phase) {
    case MOVE_AWAY:
        return xasprintf("it does not answer%s%s", status->why ? ": " : "",
                         status->why ? status->why : "");
    case MOVE_MEETS:
        return xstrdup("it looks at the accounts of this cluster still");
    case MOVE_REFUSED:
        return xasprintf("%u records of accounts differ from its own, see sluice move accounting "
                         "--plan",
                         status->refused ? status->refused->conflicts : 0);
    case MOVE_OTHER:
        return xstrdup("it has a history of this cluster that is of another state directory, which "
                       "sluice move accounting --take brings here");
    case MOVE_FAILED:
        return xasprintf("the state directory cannot be read: %s", status->why ? status->why : "");
    default:
        return NULL;
    }
}

/* Tells how far slurmdbd is behind. */
static void add_slurmdbd(const struct ctld *ctld, struct diag *diag)
{
    AUTO(move_status) struct move_status status;

    move_status_init(&status);
    dbd_link_look(ctld->dbd_link, &status);
    diag->dbd_behind = status.behind;
    diag->dbd_why = why_untold(&status);
    diag->dbd_copies = status.phase == MOVE_COPIES;
    diag->dbd_jobs = status.jobs;
    diag->dbd_at_id = status.at_id;
    diag->dbd_last_id = status.last_id;
    diag->dbd_ms = status.ms;
}

static int on_diag(struct request *request, void *msg, struct err *err)
{
    struct ctld *ctld = request->ctld;
    AUTO(diag) struct diag diag;
    struct store_stats stats;

    (void)msg;
    (void)err;
    diag_init(&diag);
    control_diag(ctld->control, &diag);
    control_count_jobs(request->act.control, &diag);
    store_stats(ctld->store, &stats);
    meter_fill(&ctld->meter, &diag);
    diag.since = ctld->meter.since;
    diag.turns = ctld->turn_number;
    diag.commits = stats.commits;
    diag.commit_max_us = stats.commit_max_us;
    diag.sessions = HASH_COUNT(ctld->conns);
    diag.clock_us = measure_clock();
    if (ctld->dbd_link) /* it is no slurmdbd itself */
        add_slurmdbd(ctld, &diag);
    outbox_count(ctld->outbox, &diag.pending, &diag.pending_n);
    request_reply(request, MSG_DIAG, &diag);
    return 0;
}

static int on_diag_reset(struct request *request, void *msg, struct err *err)
{
    struct ctld *ctld = request->ctld;
    const struct moment now = ctld_now(ctld);

    (void)msg;
    /* Those of a slurmdbd, which serves other clusters as well, are for administrators. */
    if (!ctld->dbd_link && !caller_has_level(request->act.caller, LEVEL_ADMINISTRATOR))
        return err_set(err, E_ACCESS, "%s", err_string(E_ACCESS));
    control_diag_reset(&request->act);
    meter_reset(&ctld->meter, now.wall_s);
    request->at_once = true;
    request_reply(request, MSG_OK, NULL);
    return 0;
}

/* ---- scontrol show config ---- */

struct config_cursor {
    struct conf_show_facts facts;
    struct conf_show show;
    char boot_time[32];
};

static void release_config(void *ctx)
{
    free(ctx);
}

/* Finds the uid of the daemons' own users, known since the start: no name service is asked here. */
static int64_t find_uid(void *ctx, const char *user)
{
    const struct ctld *ctld = ctx;

    if (strcmp(user, ctld->conf->slurm_user) == 0)
        return ctld->slurm_uid;
    return strcmp(user, "root") == 0 ? 0 : -1;
}

static bool produce_config(struct stream *stream)
{
    struct config_cursor *cursor = stream->ctx;
    AUTO(strbuf) struct strbuf key = { 0 }, value = { 0 };
    struct config_entry entry;

    if (!conf_show_next(&cursor->show, &key, &value))
        return false;
    entry.key = (char *)(uintptr_t)strbuf_text(&key);
    entry.value = (char *)(uintptr_t)strbuf_text(&value);
    if (strbuf_text(&key)[key.len - 1] == ':')
        entry.value = NULL; /* a head */
    stream_send(stream, MSG_CONFIG_ENTRY, &entry);
    return true;
}

static int on_config_list(struct request *request, void *msg, struct err *err)
{
    struct ctld *ctld = request->ctld;
    struct config_cursor *cursor = xcalloc(1, sizeof(*cursor));
    struct tm local;

    (void)msg;
    (void)err;
    localtime_r(&ctld->started, &local);
    strftime(cursor->boot_time, sizeof(cursor->boot_time), "%Y-%m-%dT%H:%M:%S", &local);
    cursor->facts =
        (struct conf_show_facts){ .boot_time = cursor->boot_time,
                                  .version = SLURM_VERSION,
                                  .next_job_id = control_model(request->act.control)->next_job_id,
                                  .cgroup = &ctld->cgroup,
                                  .find_uid = find_uid,
                                  .ctx = ctld };
    cursor->show = conf_show_begin(ctld->conf, &cursor->facts);
    request_stream(request, produce_config, release_config, cursor);
    return 0;
}

/* ---- orders to the controller ---- */

static int on_reconfigure(struct request *request, void *msg, struct err *err)
{
    struct ctld *ctld = request->ctld;
    int rc;

    (void)msg;
    rc = ctld->reconfigure(ctld, err);
    if (rc == 0)
        request_reply(request, MSG_OK, NULL);
    return rc;
}

static int on_shutdown(struct request *request, void *msg, struct err *err)
{
    struct ctld *ctld = request->ctld;

    (void)msg;
    (void)err;
    log_info(ctld->log, "shutdown asked for by uid %u", request->act.caller->uid);
    request->at_once = true;
    request_reply(request, MSG_OK, NULL);
    event_base_loopexit(ctld->base, NULL); /* what is queued still goes out */
    return 0;
}

const struct handler admin_handlers[] = {
    { MSG_PING, ROLE_USER, HANDLER_LOOKS, on_ping },
    { MSG_CONFIG_LIST, ROLE_USER, HANDLER_LOOKS, on_config_list },
};
const size_t admin_handlers_n = ARRAY_N(admin_handlers);

/* What every daemon of this loop answers. */
const struct handler daemon_handlers[] = {
    { MSG_DIAG_GET, ROLE_USER, HANDLER_LOOKS, on_diag },
    { MSG_DIAG_RESET, ROLE_OPERATOR, HANDLER_ACTS, on_diag_reset },
    { MSG_RECONFIGURE, ROLE_ADMINISTRATOR, HANDLER_CHANGES, on_reconfigure },
    { MSG_SHUTDOWN, ROLE_ADMINISTRATOR, HANDLER_ACTS, on_shutdown },
};
const size_t daemon_handlers_n = ARRAY_N(daemon_handlers);
