#include "ctld/dispatch/aging.h"

#include <event2/event.h>

#include "common/text/timetext.h"
#include "ctld/dispatch/ctld.h"

#define FIRST_S 60
#define HOUR_S  3600
#define DAY_S   86400

struct aging {
    struct ctld *ctld;
    struct event *timer;
    int64_t blobs_at;     /* when unnamed ones were looked for last */
    int64_t steps_before; /* of the purge under way */
    int64_t steps_done;   /* of the last one that was done to its end */
};

/* "DIR/CLUSTER_job_archive_BEGIN_END" */
static char *archive_path(const struct conf_purge *conf, const char *cluster, const char *object,
                          int64_t begin, int64_t end)
{
    AUTO(strbuf) struct strbuf path = { 0 };

    strbuf_addf(&path, "%s/%s_%s_archive_",
                conf->archive_dir ? conf->archive_dir : CONF_ARCHIVE_DIR, cluster, object);
    time_format(&path, begin, NULL, 0, "begin");
    strbuf_addc(&path, '_');
    time_format(&path, end, NULL, 0, "end");
    return strbuf_steal(&path);
}

void aging_plan_init(struct aging_plan *ret, const struct conf_purge *conf, const char *cluster,
                     int64_t now, int64_t done_before)
{
    struct aging_plan plan = { .what = { .jobs_before = conf_age_before(&conf->jobs, now),
                                         .steps_before = conf_age_before(&conf->steps, now),
                                         .steps_since = done_before } };
    int64_t steps_end = plan.what.steps_before ? plan.what.steps_before : plan.what.jobs_before;

    if (conf->archive_jobs && plan.what.jobs_before)
        plan.jobs_path = archive_path(conf, cluster, "job", 0, plan.what.jobs_before);
    if (conf->archive_steps && steps_end)
        plan.steps_path = archive_path(conf, cluster, "step", done_before, steps_end);
    plan.what.jobs_archive = plan.jobs_path;
    plan.what.steps_archive = plan.steps_path;
    *ret = plan;
}

void aging_plan_clear(struct aging_plan *plan)
{
    free(plan->jobs_path);
    free(plan->steps_path);
}

static void on_purged(const struct store_purged *done, const struct err *err, void *ctx)
{
    struct aging *aging = ctx;

    if (done->jobs || done->steps || done->blobs)
        log_info(aging->ctld->log,
                 "removed from the history: %llu jobs, %llu steps, %llu scripts and environments",
                 (unsigned long long)done->jobs, (unsigned long long)done->steps,
                 (unsigned long long)done->blobs);
    if (err)
        log_error(aging->ctld->log, "no more is removed from the history this time: %s", err->text);
    else
        aging->steps_done = aging->steps_before;
}

static void purge(struct aging *aging, int64_t now)
{
    struct ctld *ctld = aging->ctld;
    AUTO(conf_purge) struct conf_purge conf;
    struct aging_plan plan;
    struct err err = { 0 };

    if (conf_purge_load(ctld->conf->path, conf_read_disk, NULL, &conf, &err) < 0)
        log_error(ctld->log, "nothing is removed from the history: %s", err.text);
    aging_plan_init(&plan, &conf, ctld->conf->cluster_name, now, aging->steps_done);
    plan.what.blobs = now >= aging->blobs_at + DAY_S;
    if (store_purge(ctld->store, &plan.what, on_purged, aging)) {
        aging->steps_before = plan.what.steps_before;
        if (plan.what.blobs)
            aging->blobs_at = now;
    }
    aging_plan_clear(&plan);
}

static void on_timer(evutil_socket_t fd, short what, void *arg)
{
    struct aging *aging = arg;
    int64_t now = ctld_now(aging->ctld).wall_s;
    const struct timeval next = { .tv_sec = HOUR_S - now % HOUR_S + FIRST_S };

    (void)fd;
    (void)what;
    purge(aging, now);
    event_add(aging->timer, &next);
}

struct aging *aging_new(struct ctld *ctld)
{
    const struct timeval first = { .tv_sec = FIRST_S };
    struct aging *aging = xcalloc(1, sizeof(*aging));

    aging->ctld = ctld;
    aging->timer = evtimer_new(ctld->base, on_timer, aging);
    event_add(aging->timer, &first);
    return aging;
}

struct aging *aging_free(struct aging *aging)
{
    if (aging)
        event_free(aging->timer);
    free(aging);
    return NULL;
}
