#include "ctld/dispatch/aging.h"

#include <stdlib.h>
#include <string.h>

#include <event2/event.h>

#include "common/text/timetext.h"
#include "ctld/dispatch/ctld.h"
#include "ctld/control/act/turn.h"

#define FIRST_S 60
#define HOUR_S  3600
#define DAY_S   86400
#define RETRY_S 600 /* when it failed, for want of space say */

struct aging {
    struct ctld *ctld;
    struct event *timer;
    int64_t blobs_at;     /* when unnamed ones were looked for last */
    int64_t steps_before; /* of the purge under way */
    int64_t steps_done;   /* of the last one that was done to its end */
    char *failure;        /* of the last one; NULL: it went well */
    bool script_runs;
};

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

void aging_plan_init(struct aging_plan *ret, const struct conf_dbd *conf, const char *cluster,
                     int64_t now, int64_t done_before)
{
    struct aging_plan plan = { .how = {
                                   .what = { .jobs_before = conf_age_before(&conf->jobs, now),
                                             .steps_before = conf_age_before(&conf->steps, now),
                                             .events_before = conf_age_before(&conf->events, now) },
                                   .steps_since = done_before } };
    const struct purge_record *what = &plan.how.what;
    int64_t steps_end = what->steps_before ? what->steps_before : what->jobs_before;

    if (conf->archive_jobs && what->jobs_before)
        plan.jobs_path = archive_path(conf, cluster, "job", 0, what->jobs_before);
    if (conf->archive_steps && steps_end)
        plan.steps_path = archive_path(conf, cluster, "step", done_before, steps_end);
    plan.how.jobs_archive = plan.jobs_path;
    plan.how.steps_archive = plan.steps_path;
    *ret = plan;
}

void aging_plan_clear(struct aging_plan *plan)
{
    free(plan->jobs_path);
    free(plan->steps_path);
}

static void tell(char ***variables, uint32_t *n, const char *what, bool archives, int64_t before)
{
    const char *plural = strcmp(what, "SUSPEND") == 0 ? "" : "S";

    *ARRAY_PUSH(*variables, *n) = xasprintf("SLURM_ARCHIVE_%s%s=%d", what, plural, archives);
    *ARRAY_PUSH(*variables, *n) =
        xasprintf("SLURM_ARCHIVE_LAST_%s=%lld", what, archives ? (long long)before : 0);
}

char **aging_script_environment(const struct conf_dbd *conf, const struct purge_record *what,
                                const char *cluster)
{
    char **variables = NULL;
    uint32_t n = 0;

    *ARRAY_PUSH(variables, n) = xstrdup("PATH=/usr/sbin:/usr/bin:/sbin:/bin");
    *ARRAY_PUSH(variables, n) = xasprintf("SLURM_CLUSTER_NAME=%s", cluster);
    tell(&variables, &n, "JOB", conf->archive_jobs && what->jobs_before, what->jobs_before);
    tell(&variables, &n, "STEP", conf->archive_steps && (what->steps_before || what->jobs_before),
         what->steps_before ? what->steps_before : what->jobs_before);
    tell(&variables, &n, "EVENT", false, 0);
    tell(&variables, &n, "SUSPEND", false, 0);
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
    if (failure && strcmp(failure, aging->failure ? aging->failure : "") != 0)
        log_error(aging->ctld->log, "nothing more is removed from the history for now: %s",
                  failure);
    else if (!failure && aging->failure)
        log_info(aging->ctld->log, "what is old is removed from the history again");
    xstrset(&aging->failure, failure);
    if (failure)
        wait_s(aging, RETRY_S);
}

static void on_purged(const struct store_purged *done, const struct err *err, void *ctx)
{
    struct aging *aging = ctx;

    if (done->jobs || done->steps || done->blobs)
        log_info(aging->ctld->log,
                 "removed from the history: %llu jobs, %llu steps, %llu scripts and environments",
                 (unsigned long long)done->jobs, (unsigned long long)done->steps,
                 (unsigned long long)done->blobs);
    if (!err)
        aging->steps_done = aging->steps_before;
    note_outcome(aging, err ? err->text : NULL);
}

/* Starts a purge. What leaves is said in a turn, for all who keep the history, and the purge begins
 * after that. */
static void start_purge(struct aging *aging, const struct store_purge *how)
{
    struct ctld *ctld = aging->ctld;
    struct store_purge purge = *how;

    if (!how->what.jobs_before && !how->what.steps_before && !how->what.events_before &&
        !how->what.blobs)
        return;
    purge.turn = ctld->turn_number + 1;
    if (!store_purge(ctld->store, &purge, on_purged, aging))
        return; /* the last one goes on still */
    turn_note_purge(&ctld->turn, &how->what);
    aging->steps_before = how->what.steps_before;
    if (how->what.blobs)
        aging->blobs_at = ctld_now(ctld).wall_s;
    ctld_end_turn(ctld);
}

/* A purge that waits for ArchiveScript to end well. */
struct scripted {
    struct aging *aging;
    struct store_purge how;
};

static void on_script_over(void *ctx, int code)
{
    const struct scripted *scripted = ctx;
    struct aging *aging = scripted->aging;

    aging->script_runs = false;
    if (code == 0)
        start_purge(aging, &scripted->how);
    else
        note_outcome(aging, "ArchiveScript failed");
}

static void run_script(struct aging *aging, const struct conf_dbd *conf,
                       const struct store_purge *how)
{
    struct scripted *scripted = xcalloc(1, sizeof(*scripted));
    char **environment =
        aging_script_environment(conf, &how->what, aging->ctld->conf->cluster_name);

    *scripted = (struct scripted){ aging, *how };
    scripted->how.jobs_archive = scripted->how.steps_archive = NULL;
    aging->script_runs = true;
    programs_run(aging->ctld->programs,
                 &(struct program_run){ .paths = (char *const[]){ conf->archive_script, NULL },
                                        .environment = environment,
                                        .what = "ArchiveScript",
                                        .on_over = on_script_over,
                                        .ctx = scripted });
    free_variables(environment);
}

static void purge(struct aging *aging, int64_t now)
{
    struct ctld *ctld = aging->ctld;
    AUTO(conf_dbd) struct conf_dbd conf;
    struct aging_plan plan;
    struct err err = { 0 };

    if (conf_dbd_load(ctld->conf->path, conf_read_disk, NULL, NULL, &conf, &err) < 0) {
        note_outcome(aging, err.text);
        return;
    }
    aging_plan_init(&plan, &conf, ctld->conf->cluster_name, now, aging->steps_done);
    plan.how.what.blobs = now >= aging->blobs_at + DAY_S;
    if (conf.archive_script && (plan.how.what.jobs_before || plan.how.what.steps_before))
        run_script(aging, &conf, &plan.how);
    else
        start_purge(aging, &plan.how);
    aging_plan_clear(&plan);
}

static void on_timer(evutil_socket_t fd, short what, void *arg)
{
    struct aging *aging = arg;
    int64_t now = ctld_now(aging->ctld).wall_s;

    (void)fd;
    (void)what;
    wait_s(aging, HOUR_S - now % HOUR_S + FIRST_S);
    if (!aging->script_runs)
        purge(aging, now);
}

/* Tells of misspelt keys when the controller starts, not only at the first purge. What has no
 * effect is slurmdbd's to tell. */
static void tell_notes(struct ctld *ctld)
{
    AUTO(conf_dbd) struct conf_dbd conf;
    AUTO(conf_notes) struct conf_notes notes = { 0 };

    conf_dbd_load(ctld->conf->path, conf_read_disk, NULL, &notes, &conf, NULL);
    for (uint32_t i = 0; i < notes.notes_n; i++) {
        AUTO_FREE char *text = conf_note_format(&notes.notes[i]);

        if (notes.notes[i].kind != CONF_NOTE_NO_EFFECT)
            log_info(ctld->log, "%s", text);
    }
}

struct aging *aging_new(struct ctld *ctld)
{
    const char *first = getenv("SLUICE_PURGE_AFTER_S");
    struct aging *aging = xcalloc(1, sizeof(*aging));

    aging->ctld = ctld;
    aging->timer = evtimer_new(ctld->base, on_timer, aging);
    wait_s(aging, first ? strtol(first, NULL, 10) : FIRST_S);
    tell_notes(ctld);
    return aging;
}

struct aging *aging_free(struct aging *aging)
{
    if (!aging)
        return NULL;
    event_free(aging->timer);
    free(aging->failure);
    free(aging);
    return NULL;
}
