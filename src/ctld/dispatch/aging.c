#include "ctld/dispatch/aging.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <event2/event.h>
#include <utlist.h>

#include "common/text/timetext.h"
#include "ctld/control/acct/follow.h"
#include "ctld/control/act/turn.h"
#include "ctld/dispatch/ctld.h"

#define FIRST_S 60
#define HOUR_S  3600
#define DAY_S   86400
#define RETRY_S 600 /* when it failed, for want of space say */

/* Who waits for the end of a purge. */
struct waiting {
    store_purged_fn *on_done; /* NULL: nobody */
    void *ctx;
};

struct aging {
    struct aging_of of; /* its texts are owned */
    struct aging *next; /* of the daemon */
    struct event *timer;
    int64_t blobs_at;     /* when unnamed ones were looked for last */
    int64_t steps_before; /* of the purge under way */
    int64_t steps_done;   /* of the last one that was done to its end */
    char *failure;        /* of the last one; NULL: it went well */
    bool goes_on;         /* a purge, or the script before it */
    struct waiting waiting;
};

/* ---- what a purge is to do ---- */

/* Returns "DIR/CLUSTER_job_archive_BEGIN_END", to be freed. */
static char *archive_path(const struct conf_dbd *conf, const char *cluster, const char *object,
                          int64_t begin, int64_t end)
{
    AUTO(strbuf) struct strbuf path = { 0 };

    strbuf_addf(&path, "%s/%s_%s_archive_", conf->archive_dir, cluster, object);
    time_format(&path, begin, NULL, 0, "begin");
    strbuf_addc(&path, '_');
    time_format(&path, end, NULL, 0, "end");
    return strbuf_steal(&path);
}

/* Returns the moment before which records of a kind leave, 0: none do. */
static int64_t before_of(const struct purge_record *what, enum archive_kind kind)
{
    switch (kind) {
    case ARCHIVE_JOBS:
        return what->jobs_before;
    case ARCHIVE_STEPS: /* they leave with their jobs, too */
        return what->steps_before ? what->steps_before : what->jobs_before;
    case ARCHIVE_EVENTS:
    case ARCHIVE_LOG:
        return what->events_before;
    case ARCHIVE_TRANSACTIONS:
        return what->transactions_before;
    case ARCHIVE_USAGE:
        return what->usage_before;
    default:
        return 0;
    }
}

static bool is_archived(const struct conf_dbd *conf, enum archive_kind kind)
{
    const bool archived[ARCHIVE_KINDS_N] = { [ARCHIVE_JOBS] = conf->archive_jobs,
                                             [ARCHIVE_STEPS] = conf->archive_steps,
                                             [ARCHIVE_EVENTS] = conf->archive_events,
                                             [ARCHIVE_LOG] = conf->archive_events,
                                             [ARCHIVE_TRANSACTIONS] = conf->archive_transactions,
                                             [ARCHIVE_USAGE] = conf->archive_usage };

    return archived[kind];
}

static struct purge_record what_leaves(const struct conf_dbd *conf, uint32_t kinds, int64_t now)
{
    const uint32_t events = 1u << ARCHIVE_EVENTS | 1u << ARCHIVE_LOG;
    struct purge_record what = { .blobs = false };

    if (kinds & 1u << ARCHIVE_JOBS)
        what.jobs_before = conf_age_before(&conf->jobs, now);
    if (kinds & 1u << ARCHIVE_STEPS)
        what.steps_before = conf_age_before(&conf->steps, now);
    if (kinds & events)
        what.events_before = conf_age_before(&conf->events, now);
    if (kinds & 1u << ARCHIVE_TRANSACTIONS)
        what.transactions_before = conf_age_before(&conf->transactions, now);
    if (kinds & 1u << ARCHIVE_USAGE)
        what.usage_before = conf_age_before(&conf->usage, now);
    return what;
}

void aging_plan_init(struct aging_plan *ret, const struct conf_dbd *conf, const char *cluster,
                     uint32_t kinds, int64_t now, int64_t done_before)
{
    struct aging_plan plan = { .how = { .what = what_leaves(conf, kinds, now),
                                        .cluster = cluster,
                                        .steps_since = done_before } };

    for (int i = 0; i < ARCHIVE_KINDS_N; i++) {
        const enum archive_kind kind = (enum archive_kind)i;
        const int64_t before = before_of(&plan.how.what, kind);

        if (is_archived(conf, kind) && (kinds & 1u << i) && before)
            plan.paths[i] = archive_path(conf, cluster, store_archive_name(kind),
                                         kind == ARCHIVE_STEPS ? done_before : 0, before);
        plan.how.archives[i] = plan.paths[i];
    }
    *ret = plan;
}

void aging_plan_clear(struct aging_plan *plan)
{
    for (int i = 0; i < ARCHIVE_KINDS_N; i++)
        free(plan->paths[i]);
}

static bool removes_records(const struct purge_record *what)
{
    return what->jobs_before || what->steps_before || what->events_before ||
           what->transactions_before || what->usage_before;
}

/* ---- ArchiveScript ---- */

static void tell(char ***variables, uint32_t *n, const char *what, bool archives, int64_t before)
{
    const bool is_many =
        strcmp(what, "JOB") == 0 || strcmp(what, "STEP") == 0 || strcmp(what, "EVENT") == 0;

    *ARRAY_PUSH(*variables, *n) =
        xasprintf("SLURM_ARCHIVE_%s%s=%d", what, is_many ? "S" : "", archives);
    *ARRAY_PUSH(*variables, *n) =
        xasprintf("SLURM_ARCHIVE_LAST_%s=%lld", what, archives ? (long long)before : 0);
}

char **aging_script_environment(const struct conf_dbd *conf, const struct purge_record *what,
                                const char *cluster)
{
    static const struct {
        const char *name;
        enum archive_kind kind;
    } told[] = { { "JOB", ARCHIVE_JOBS },         { "STEP", ARCHIVE_STEPS },
                 { "EVENT", ARCHIVE_EVENTS },     { "SUSPEND", ARCHIVE_KINDS_N },
                 { "TXN", ARCHIVE_TRANSACTIONS }, { "USAGE", ARCHIVE_USAGE } };
    char **variables = NULL;
    uint32_t n = 0;

    *ARRAY_PUSH(variables, n) = xstrdup("PATH=/usr/sbin:/usr/bin:/sbin:/bin");
    *ARRAY_PUSH(variables, n) = xasprintf("SLURM_CLUSTER_NAME=%s", cluster);
    for (size_t i = 0; i < ARRAY_N(told); i++) {
        const enum archive_kind kind = told[i].kind;
        const int64_t before = kind < ARCHIVE_KINDS_N ? before_of(what, kind) : 0;

        tell(&variables, &n, told[i].name, before && is_archived(conf, kind), before);
    }
    *ARRAY_PUSH(variables, n) = NULL;
    return variables;
}

static void free_variables(char **variables)
{
    for (char **at = variables; *at; at++)
        free(*at);
    free(variables);
}

/* ---- one purge ---- */

static void wait_s(struct aging *aging, int64_t s)
{
    event_add(aging->timer, &(struct timeval){ .tv_sec = s });
}

/* Logs a failure once, for as long as it stays the same, and when it is over. */
static void note_outcome(struct aging *aging, const char *failure)
{
    struct log *log = aging->of.ctld->log;

    if (failure && strcmp(failure, aging->failure ? aging->failure : "") != 0)
        log_error(log, "nothing more is removed from the history for now: %s", failure);
    else if (!failure && aging->failure)
        log_info(log, "what is old is removed from the history again");
    xstrset(&aging->failure, failure);
    if (failure)
        wait_s(aging, RETRY_S);
}

void aging_format(const struct store_purged *done, struct strbuf *out)
{
    static const char *const names[ARCHIVE_KINDS_N] = {
        [ARCHIVE_JOBS] = "jobs",
        [ARCHIVE_STEPS] = "steps",
        [ARCHIVE_EVENTS] = "events of nodes",
        [ARCHIVE_LOG] = "other events",
        [ARCHIVE_TRANSACTIONS] = "transactions",
        [ARCHIVE_USAGE] = "sums of usage",
    };
    const char *divider = "";

    for (int i = 0; i < ARCHIVE_KINDS_N; i++) {
        if (!done->left[i])
            continue;
        strbuf_addf(out, "%s%llu %s", divider, (unsigned long long)done->left[i], names[i]);
        divider = ", ";
    }
    if (done->blobs)
        strbuf_addf(out, "%s%llu scripts and environments", divider,
                    (unsigned long long)done->blobs);
}

/* Ends a purge, and tells who waits for it. */
static void end_purge(struct aging *aging, const struct store_purged *done, const struct err *err)
{
    const struct waiting waiting = aging->waiting;

    aging->goes_on = false;
    aging->waiting = (struct waiting){ 0 };
    if (waiting.on_done)
        waiting.on_done(done, err, waiting.ctx);
    else
        note_outcome(aging, err ? err->text : NULL);
}

static void on_purged(const struct store_purged *done, const struct err *err, void *ctx)
{
    AUTO(strbuf) struct strbuf text = { 0 };
    struct aging *aging = ctx;

    aging_format(done, &text);
    if (text.len)
        log_info(aging->of.ctld->log, "removed from the history of %s: %s", aging->of.cluster,
                 strbuf_text(&text));
    if (!err && aging->steps_before)
        aging->steps_done = aging->steps_before;
    end_purge(aging, done, err);
    ctld_end_turn(aging->of.ctld);
}

static void fail(struct aging *aging, int code, const char *why)
{
    static const struct store_purged nothing = { .blobs = 0 };
    struct err err = { 0 };

    err_set(&err, code, "%s", why);
    end_purge(aging, &nothing, &err);
}

/* Starts a purge. What leaves the daemon's own history is said in a turn, for all who keep it, and
 * the purge begins after that; the caller ends the turn. */
static void start_purge(struct aging *aging, const struct store_purge *how)
{
    struct ctld *ctld = aging->of.ctld;
    struct store *store = aging_store(aging);
    struct store_purge purge = *how;

    if (!store) {
        fail(aging, ENOENT, "what it is kept in could not be opened");
        return;
    }
    purge.turn = store == ctld->store ? ctld->turn_number + 1 : 0;
    if (!store_purge(store, &purge, on_purged, aging)) {
        fail(aging, EBUSY, "an archive is being loaded");
        return;
    }
    aging->steps_before = how->what.steps_before;
    if (how->what.blobs)
        aging->blobs_at = ctld_now(ctld).wall_s;
    if (store == ctld->store)
        turn_note_purge(&ctld->turn, &how->what);
}

/* A purge that waits for ArchiveScript to end well. */
struct scripted {
    struct ctld *ctld;
    struct aging *aging; /* which may be gone when the daemon ends */
    struct store_purge how;
};

static bool is_there(const struct ctld *ctld, const struct aging *aging)
{
    const struct aging *at = ctld->agings;

    while (at && at != aging)
        at = at->next;
    return at != NULL;
}

static void on_script_over(void *ctx, int code)
{
    const struct scripted *scripted = ctx;

    if (!is_there(scripted->ctld, scripted->aging))
        return;
    if (code == 0)
        start_purge(scripted->aging, &scripted->how);
    else
        fail(scripted->aging, EIO, "ArchiveScript failed");
    ctld_end_turn(scripted->ctld);
}

static void run_script(struct aging *aging, const struct conf_dbd *conf,
                       const struct store_purge *how)
{
    struct scripted *scripted = xcalloc(1, sizeof(*scripted));
    char **environment = aging_script_environment(conf, &how->what, aging->of.cluster);

    *scripted = (struct scripted){ aging->of.ctld, aging, *how };
    for (int i = 0; i < ARCHIVE_KINDS_N; i++)
        scripted->how.archives[i] = NULL;
    scripted->how.cluster = aging->of.cluster;
    programs_run(aging->of.ctld->programs,
                 &(struct program_run){ .paths = (char *const[]){ conf->archive_script, NULL },
                                        .environment = environment,
                                        .what = "ArchiveScript",
                                        .on_over = on_script_over,
                                        .ctx = scripted });
    free_variables(environment);
}

/* Begins what the plan says. Returns false where there is nothing to do. */
static bool begin_purge(struct aging *aging, const struct conf_dbd *conf,
                        const struct store_purge *how)
{
    if (!removes_records(&how->what) && !how->what.blobs)
        return false;
    aging->goes_on = true;
    if (conf->archive_script && removes_records(&how->what))
        run_script(aging, conf, how);
    else
        start_purge(aging, how);
    return true;
}

/* A controller whose slurmdbd has all that leaves it leaves archives to that. */
static void leave_archives(const struct aging *aging, struct conf_dbd *conf)
{
    const struct ctld *ctld = aging->of.ctld;

    if (!ctld->dbd_link || !acct_owner(ctld->control))
        return;
    conf->archive_jobs = conf->archive_steps = conf->archive_events = false;
    conf->archive_transactions = conf->archive_usage = false;
    xstrset(&conf->archive_script, NULL);
}

int aging_load_conf(const struct aging *aging, struct conf_dbd *ret, struct err *err)
{
    return conf_dbd_load(aging->of.conf_path, conf_read_disk, NULL, NULL, ret, err);
}

static void purge(struct aging *aging, int64_t now)
{
    AUTO(conf_dbd) struct conf_dbd conf;
    struct aging_plan plan;
    struct err err = { 0 };

    if (aging_load_conf(aging, &conf, &err) < 0) {
        note_outcome(aging, err.text);
        return;
    }
    leave_archives(aging, &conf);
    aging_plan_init(&plan, &conf, aging->of.cluster, aging->of.kinds, now, aging->steps_done);
    plan.how.what.blobs = now >= aging->blobs_at + DAY_S;
    begin_purge(aging, &conf, &plan.how);
    aging_plan_clear(&plan);
}

static void on_timer(evutil_socket_t fd, short what, void *arg)
{
    struct aging *aging = arg;
    int64_t now = ctld_now(aging->of.ctld).wall_s;

    (void)fd;
    (void)what;
    wait_s(aging, HOUR_S - now % HOUR_S + FIRST_S);
    if (aging->goes_on || !aging_store(aging))
        return;
    purge(aging, now);
    ctld_end_turn(aging->of.ctld);
}

int aging_run(struct aging *aging, const struct conf_dbd *conf, store_purged_fn *on_done, void *ctx,
              struct err *err)
{
    static const struct store_purged nothing = { .blobs = 0 };
    const int64_t now = ctld_now(aging->of.ctld).wall_s;
    struct aging_plan plan;

    if (aging->goes_on)
        return err_set(err, EBUSY, "cluster %s: a purge goes on; try again when it is over",
                       aging->of.cluster);
    aging->waiting = (struct waiting){ on_done, ctx };
    aging_plan_init(&plan, conf, aging->of.cluster, aging->of.kinds, now, aging->steps_done);
    if (!begin_purge(aging, conf, &plan.how))
        end_purge(aging, &nothing, NULL);
    aging_plan_clear(&plan);
    return 0;
}

void aging_note_load(struct aging *aging)
{
    aging->steps_done = 0;
}

/* ---- life ---- */

/* What has no effect is slurmdbd's to tell, or `sluice conf check`'s. */
void aging_tell_notes(struct ctld *ctld, const char *conf_path)
{
    AUTO(conf_dbd) struct conf_dbd conf;
    AUTO(conf_notes) struct conf_notes notes = { 0 };

    conf_dbd_load(conf_path, conf_read_disk, NULL, &notes, &conf, NULL);
    for (uint32_t i = 0; i < notes.notes_n; i++) {
        AUTO_FREE char *text = conf_note_format(&notes.notes[i]);

        if (notes.notes[i].kind != CONF_NOTE_NO_EFFECT)
            log_info(ctld->log, "%s", text);
    }
}

struct aging *aging_first(const struct ctld *ctld)
{
    return ctld->agings;
}

struct aging *aging_next(const struct aging *aging)
{
    return aging->next;
}

const char *aging_cluster(const struct aging *aging)
{
    return aging->of.cluster;
}

struct store *aging_store(const struct aging *aging)
{
    return aging->of.store(aging->of.ctx);
}

struct aging *aging_new(const struct aging_of *of)
{
    const char *first = getenv("SLUICE_PURGE_AFTER_S");
    struct aging *aging = xcalloc(1, sizeof(*aging));

    aging->of = *of;
    aging->of.conf_path = xstrdup(of->conf_path);
    aging->of.cluster = xstrdup(of->cluster);
    aging->timer = evtimer_new(of->ctld->base, on_timer, aging);
    wait_s(aging, first ? strtol(first, NULL, 10) : FIRST_S);
    LL_APPEND(of->ctld->agings, aging);
    return aging;
}

struct aging *aging_free(struct aging *aging)
{
    if (!aging)
        return NULL;
    LL_DELETE(aging->of.ctld->agings, aging);
    event_free(aging->timer);
    free((char *)(uintptr_t)aging->of.conf_path);
    free((char *)(uintptr_t)aging->of.cluster);
    free(aging->failure);
    free(aging);
    return NULL;
}
