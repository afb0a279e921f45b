/*
 * archive.c - what is old leaves the history at an administrator's word, and comes back from a
 * file: of a controller that keeps its history itself, or of all clusters of a slurmdbd.
 */
#include "ctld/api/api.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/msg/archive.h"
#include "common/msg/types.h"
#include "common/text/words.h"
#include "ctld/control/acct/acct.h"
#include "ctld/control/acct/follow.h"
#include "ctld/control/job/ids.h"
#include "ctld/dispatch/aging.h"

/* ---- answering when it is done ---- */

/* An answer that waits until all histories are done with, as a list of one row each. */
struct waiting {
    struct ctld *ctld;
    uint64_t conn_id;
    uint32_t request;
    uint32_t pending; /* histories that are not done with */
    bool is_dropped;  /* nobody reads it any more */
    struct err err;   /* the first */
    struct archive_dumped *dumped;
    uint32_t dumped_n, at;
    struct archive_loaded loaded;
    bool has_loaded;
};

static void waiting_free(struct waiting *waiting)
{
    for (uint32_t i = 0; i < waiting->dumped_n; i++)
        archive_dumped_clear(&waiting->dumped[i]);
    free(waiting->dumped);
    archive_loaded_clear(&waiting->loaded);
    free(waiting);
}

static void release(void *ctx)
{
    struct waiting *waiting = ctx;

    waiting->is_dropped = true;
    if (waiting->pending == 0)
        waiting_free(waiting); /* else who ends it frees it */
}

static bool produce(struct stream *stream)
{
    struct waiting *waiting = stream->ctx;

    stream->waiting = waiting->pending > 0;
    if (stream->waiting)
        return false;
    if (waiting->has_loaded) {
        waiting->has_loaded = false;
        stream_send(stream, MSG_ARCHIVE_LOADED, &waiting->loaded);
        return true;
    }
    if (waiting->at == waiting->dumped_n)
        return false;
    stream_send(stream, MSG_ARCHIVE_DUMPED, &waiting->dumped[waiting->at++]);
    return true;
}

static struct waiting *wait_for(struct request *request)
{
    struct waiting *waiting = xcalloc(1, sizeof(*waiting));

    waiting->ctld = request->ctld;
    waiting->conn_id = request->conn->id;
    waiting->request = request->id;
    waiting->pending = 1; /* the request itself, until it waits */
    archive_loaded_init(&waiting->loaded);
    return waiting;
}

/* Goes on with the answer where this was the last that it waited for. */
static void done_with_one(struct waiting *waiting)
{
    struct ctld *ctld = waiting->ctld;
    struct conn *conn;
    struct stream *stream;

    if (--waiting->pending > 0)
        return;
    conn = waiting->is_dropped ? NULL : conn_find(ctld, waiting->conn_id);
    stream = conn ? conn_find_stream(conn, waiting->request) : NULL;
    if (!stream)
        waiting_free(waiting);
    else if (waiting->err.code)
        stream_fail(stream, &waiting->err);
    else
        stream_continue(stream);
}

static void note_error(struct waiting *waiting, const struct err *err)
{
    if (!waiting->err.code)
        waiting->err = *err;
}

/* ---- who may ---- */

/* Reads slurmdbd.conf. Fails where the caller may not, or another keeps the history. */
static int check(struct request *request, struct conf_dbd *ret, struct err *err)
{
    struct ctld *ctld = request->ctld;

    if (!caller_has_level(request->act.caller, LEVEL_ADMINISTRATOR))
        return err_set(err, E_ACCESS, "Your user doesn't have privilege to perform this action");
    if (ctld->dbd_link && acct_owner(ctld->control))
        return err_set(err, E_NOT_SUPPORTED, "slurmdbd keeps the history, and is to be asked");
    if (!aging_first(ctld))
        return err_set(err, E_NOT_SUPPORTED, "no history is kept here");
    if (aging_load_conf(aging_first(ctld), ret, err) < 0)
        return -err->code;
    if (ret->refuses_archive)
        return err_set(err, E_ACCESS, "DisableArchiveCommands=yes in slurmdbd.conf");
    return 0;
}

/* ---- dump ---- */

static int set_age(const char *text, struct conf_age *ret, struct err *err)
{
    if (!text)
        return 0;
    if (strspn(text, "0") > 0 && !strpbrk(text, "123456789")) {
        *ret = (struct conf_age){ 0 };
        return 0;
    }
    return conf_age_parse(text, ret, err);
}

/* A kind of records: its word in a request, the key of its age, and that as it is asked for. */
struct kind {
    const char *name, *purge, *given;
};

/* What of a kind is asked to be archived without being asked to leave is a mistake. */
static int check_kind(bool is_archived, const struct conf_age *age, const struct kind *kind,
                      struct err *err)
{
    if (!is_archived || age->count)
        return 0;
    if (kind->given)
        return err_set(err, EINVAL,
                       "%s: %s=%.20s lets nothing leave, and what stays is not archived: an age is "
                       "1hours or more",
                       kind->name, kind->purge, kind->given);
    return err_set(err, EINVAL,
                   "%s: how old they are to be is said by %s=, here or in slurmdbd.conf",
                   kind->name, kind->purge);
}

static int check_kinds(const struct archive_dump *asked, const struct conf_dbd *conf,
                       struct err *err)
{
    const struct conf_age *steps = conf->steps.count ? &conf->steps : &conf->jobs;
    const struct {
        bool is_archived;
        const struct conf_age *age;
        struct kind kind;
    } kinds[] = {
        { asked->jobs, &conf->jobs, { "Jobs", "PurgeJobAfter", asked->jobs_after } },
        { asked->steps, steps, { "Steps", "PurgeStepAfter", asked->steps_after } },
        { asked->events, &conf->events, { "Events", "PurgeEventAfter", asked->events_after } },
        { asked->transactions,
          &conf->transactions,
          { "TXN", "PurgeTXNAfter", asked->transactions_after } },
        { asked->usage, &conf->usage, { "Usage", "PurgeUsageAfter", asked->usage_after } },
    };
    int rc = 0;

    for (size_t i = 0; i < ARRAY_N(kinds) && rc == 0; i++)
        rc = check_kind(kinds[i].is_archived, kinds[i].age, &kinds[i].kind, err);
    return rc;
}

/* Lets what was asked for stand in the place of what slurmdbd.conf says. */
static int apply(const struct archive_dump *asked, struct conf_dbd *conf, struct err *err)
{
    int rc = set_age(asked->jobs_after, &conf->jobs, err);

    if (rc == 0)
        rc = set_age(asked->steps_after, &conf->steps, err);
    if (rc == 0)
        rc = set_age(asked->events_after, &conf->events, err);
    if (rc == 0)
        rc = set_age(asked->transactions_after, &conf->transactions, err);
    if (rc == 0)
        rc = set_age(asked->usage_after, &conf->usage, err);
    if (asked->directory)
        xstrset(&conf->archive_dir, asked->directory);
    if (asked->script)
        xstrset(&conf->archive_script, asked->script);
    else if (asked->directory)
        xstrset(&conf->archive_script, NULL);
    conf->archive_jobs |= asked->jobs;
    conf->archive_steps |= asked->steps;
    conf->archive_events |= asked->events;
    conf->archive_transactions |= asked->transactions;
    conf->archive_usage |= asked->usage;
    return rc < 0 ? rc : check_kinds(asked, conf, err);
}

/* A program runs as SlurmUser: only who may become that anyway says which. */
static int check_paths(const struct request *request, const struct archive_dump *asked,
                       struct err *err)
{
    if (asked->script && !caller_has_level(request->act.caller, LEVEL_ROOT))
        return err_set(err, E_ACCESS, "Script= is for root and SlurmUser: it runs as SlurmUser");
    if ((asked->script && asked->script[0] != '/') ||
        (asked->directory && asked->directory[0] != '/'))
        return err_set(err, EINVAL, "%s: no full path",
                       asked->script && asked->script[0] != '/' ? asked->script : asked->directory);
    return 0;
}

/* One of the histories that an answer waits for. */
struct part {
    struct waiting *waiting;
    struct aging *aging;
};

static void on_purged(const struct store_purged *done, const struct err *err, void *ctx)
{
    struct part *part = ctx;
    struct waiting *waiting = part->waiting;
    struct archive_dumped *dumped = ARRAY_PUSH(waiting->dumped, waiting->dumped_n);
    AUTO(strbuf) struct strbuf left = { 0 };

    archive_dumped_init(dumped);
    dumped->cluster = xstrdup(aging_cluster(part->aging));
    aging_format(done, &left);
    if (left.len)
        dumped->left = strbuf_steal(&left);
    if (err)
        note_error(waiting, err);
    free(part);
    done_with_one(waiting);
}

static void run(struct waiting *waiting, struct aging *aging, const struct conf_dbd *conf)
{
    struct part *part;
    struct err err = { 0 };

    if (!aging_store(aging))
        return;
    part = xcalloc(1, sizeof(*part));
    *part = (struct part){ waiting, aging };
    waiting->pending++;
    if (aging_run(aging, conf, on_purged, part, &err) == 0)
        return;
    waiting->pending--;
    note_error(waiting, &err);
    free(part);
}

static int on_archive_dump(struct request *request, void *msg, struct err *err)
{
    AUTO(conf_dbd) struct conf_dbd conf = { 0 };
    struct waiting *waiting;
    int rc = check(request, &conf, err);

    if (rc == 0)
        rc = check_paths(request, msg, err);
    if (rc == 0)
        rc = apply(msg, &conf, err);
    if (rc < 0)
        return rc;
    waiting = wait_for(request);
    request_stream(request, produce, release, waiting);
    for (struct aging *at = aging_first(request->ctld); at; at = aging_next(at))
        run(waiting, at, &conf);
    done_with_one(waiting);
    return 0;
}

/* ---- load ---- */

static struct aging *aging_of_cluster(const struct ctld *ctld, const char *cluster)
{
    struct aging *at = aging_first(ctld);

    while (at && strcmp(aging_cluster(at), cluster) != 0)
        at = aging_next(at);
    return at;
}

static void on_loaded(const struct store_loaded *done, const struct err *err, void *ctx)
{
    struct part *part = ctx;
    struct waiting *waiting = part->waiting;
    struct ctld *ctld = waiting->ctld;

    waiting->loaded.records = done->records;
    waiting->loaded.came = done->came;
    waiting->loaded.were_there = done->were_there;
    waiting->loaded.other = done->other;
    waiting->has_loaded = true;
    aging_note_load(part->aging);
    if (err)
        note_error(waiting, err);
    if (done->came)
        log_info(ctld->log, "loaded into the history of %s: %llu records (%s)",
                 waiting->loaded.cluster, (unsigned long long)done->came, waiting->loaded.kind);
    if (ctld->dbd_link && done->highest_job)
        job_learn_id(ctld_act(ctld), done->highest_job, done->highest_run);
    free(part);
    done_with_one(waiting);
    ctld_end_turn(ctld);
}

static int begin_load(struct request *request, const struct archive_load *asked, int fd,
                      struct archive_head *head, struct err *err)
{
    struct aging *aging = aging_of_cluster(request->ctld, head->cluster);
    struct store *store = aging ? aging_store(aging) : NULL;
    struct waiting *waiting;
    struct part *part;

    if (!store)
        return err_set(err, ESRCH, "%s: an archive of cluster %s, whose history is not here",
                       asked->file, head->cluster);
    waiting = wait_for(request);
    waiting->loaded.cluster = xstrdup(head->cluster);
    waiting->loaded.kind = xstrdup(store_archive_name(head->kind));
    part = xcalloc(1, sizeof(*part));
    *part = (struct part){ waiting, aging };
    if (!store_load_archive(store, fd, asked->file, head, asked->is_trial, on_loaded, part)) {
        free(part);
        waiting_free(waiting);
        return err_set(err, EBUSY, "a purge or another load goes on; try again when it is over");
    }
    request_stream(request, produce, release, waiting);
    return 0;
}

static int on_archive_load(struct request *request, void *msg, struct err *err)
{
    AUTO(conf_dbd) struct conf_dbd conf = { 0 };
    AUTO(archive_head) struct archive_head head = { 0 };
    const struct archive_load *asked = msg;
    int fd = -1, rc = check(request, &conf, err);

    if (rc == 0 && asked->file[0] != '/')
        rc = err_set(err, EINVAL, "%s: no full path", asked->file);
    if (rc == 0)
        rc = archive_open(asked->file, &fd, &head, err);
    if (rc < 0)
        return rc;
    rc = begin_load(request, asked, fd, &head, err);
    if (rc < 0)
        close(fd);
    return rc;
}

const struct handler archive_handlers[] = {
    { MSG_ARCHIVE_DUMP, ROLE_USER, HANDLER_CHANGES, on_archive_dump },
    { MSG_ARCHIVE_LOAD, ROLE_USER, HANDLER_CHANGES, on_archive_load },
};
const size_t archive_handlers_n = ARRAY_N(archive_handlers);
