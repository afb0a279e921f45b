#include "dbd/history.h"

#include <errno.h>
#include <string.h>

#include <event2/event.h>

#include "common/msg/amend.h"
#include "ctld/control/job/amend.h"
#include "ctld/dispatch/turn_check.h"
#include "ctld/dispatch/turn_part.h"
#include "dbd/dbd.h"

#define SOURCE "source" /* the controller's turn up to which all was taken, */
#define FED_BY "fed_by" /* and number of its database */

/* A turn that is handed to the store, and who hears when it is on disk: the cluster, or: */
struct handed {
    uint64_t local, source;
    history_added_fn *on_added;
    void *ctx;
};

/* A job that is not over, as it was told of last. */
struct known_job {
    uint32_t id;
    char *account, *user, *partition, *qos, *wckey;
    UT_hash_handle hh;
};

struct history {
    struct dbd *dbd;
    struct known_job *jobs; /* uthash by id */
    char *cluster;
    struct store *store; /* NULL: it is not open */
    bool in_trouble;
    struct event *event;
    uint64_t speaker;           /* number of the database of whoever tells now */
    uint64_t local;             /* the last turn that was handed to the store */
    uint64_t source;            /* the controller's, of that; 0: a copy is not whole */
    uint64_t fed_by;            /* number of the database that all this is of; 0: nobody knows */
    struct turn_changes coming; /* parts of a turn that is not whole, */
    uint64_t coming_bytes;      /* and what they take */
    struct handed *handed;      /* and not on disk yet, in order */
    uint32_t handed_n;
    history_applied_fn *on_applied;
    void *ctx;
};

/* ---- jobs that are alive ---- */

static void forget_job(struct history *history, uint32_t id)
{
    struct known_job *job;

    HASH_FIND(hh, history->jobs, &id, sizeof(id), job);
    if (!job)
        return;
    HASH_DEL(history->jobs, job);
    free(job->account);
    free(job->user);
    free(job->partition);
    free(job->qos);
    free(job->wckey);
    free(job);
}

static void note_job(struct history *history, const struct job_record *rec)
{
    struct in_use_job use;
    struct known_job *job;

    forget_job(history, rec->id);
    if (!in_use_by(history->cluster, rec, &use))
        return;
    job = xcalloc(1, sizeof(*job));
    *job = (struct known_job){
        .id = rec->id,
        .account = xstrdup(use.account),
        .user = xstrdup(use.user),
        .partition = xstrdup(use.partition),
        .qos = xstrdup(use.qos),
        .wckey = xstrdup(use.wckey),
    };
    HASH_ADD(hh, history->jobs, id, sizeof(job->id), job);
}

static void forget_jobs(struct history *history)
{
    while (history->jobs)
        forget_job(history, history->jobs->id);
}

/* Adds to the transactions here who has changed a job there. */
static void note_amendment(struct history *history, const struct change *change)
{
    AUTO(job_amendment) struct job_amendment amendment;

    if (schema_decode(job_amendment_schema(), change->record.data, change->record.n, &amendment,
                      NULL) == 0)
        control_note_amended(ctld_act(&history->dbd->ctld), history->cluster, change->job_id,
                             &amendment);
}

/* Follows a change, of which the store finds out on its own whether it can be read. */
static void note_change(struct history *history, const struct change *change)
{
    AUTO(job_record) struct job_record rec;

    job_record_init(&rec);
    if (change->kind == CHANGE_AMEND)
        note_amendment(history, change);
    else if (change->kind == CHANGE_JOB_RETIRE)
        forget_job(history, change->job_id);
    else if (change->kind == CHANGE_JOB && schema_decode(job_record_schema(), change->record.data,
                                                         change->record.n, &rec, NULL) == 0)
        note_job(history, &rec);
}

void history_each_job(const struct history *history, in_use_look_fn *look, void *arg)
{
    for (const struct known_job *job = history->jobs; job; job = job->hh.next) {
        const struct in_use_job use = {
            .id = job->id,
            .cluster = history->cluster,
            .account = job->account,
            .user = job->user,
            .partition = job->partition,
            .qos = job->qos,
            .wckey = job->wckey,
        };

        look(&use, arg);
    }
}

/* ---- opening ---- */

static void on_number(const char *name, int64_t number, void *ctx)
{
    if (strcmp(name, SOURCE) == 0)
        ((struct history *)ctx)->source = (uint64_t)number;
    if (strcmp(name, FED_BY) == 0)
        ((struct history *)ctx)->fed_by = (uint64_t)number;
}

static void pass_kept(const struct kept_kind *kind, const void *record, void *ctx)
{
    (void)kind;
    (void)record;
    (void)ctx;
}

static void load_job(struct job_record *job, const struct job_body *body, void *ctx)
{
    (void)body;
    note_job(ctx, job);
}

static void pass_step(const struct step_record *step, void *ctx)
{
    (void)step;
    (void)ctx;
}

static const struct store_loader loader = { on_number, pass_kept, load_job, pass_step };

/* Tells of what is on disk by now. */
static void tell_applied(struct history *history)
{
    const uint64_t committed = history->store ? store_committed(history->store) : 0;
    uint32_t n = 0;

    while (n < history->handed_n && history->handed[n].local <= committed)
        n++;
    for (uint32_t i = 0; i < n; i++) {
        const struct handed *handed = &history->handed[i];

        if (handed->on_added)
            handed->on_added(handed->ctx);
        else
            history->on_applied(history->cluster, handed->source, history->ctx);
    }
    if (n == 0)
        return;
    history->handed_n -= n;
    memmove(history->handed, history->handed + n, history->handed_n * sizeof(*history->handed));
}

static void check_store(struct history *history)
{
    struct ctld *ctld = &history->dbd->ctld;
    struct err why = { 0 };
    const bool in_trouble = store_trouble(history->store, &why);

    if (in_trouble && !history->in_trouble)
        log_error(ctld->log, "cluster %s: %s", history->cluster, why.text);
    if (!in_trouble && history->in_trouble)
        log_info(ctld->log, "cluster %s: what it tells is kept again", history->cluster);
    history->in_trouble = in_trouble;
    if (!store_failed(history->store, &why))
        return;
    history->dbd->is_usurped |= why.code == EBUSY || why.code == E_USURPED;
    log_at(ctld->log, LOG_FATAL, "cluster %s: %s; what was acknowledged is on disk",
           history->cluster, why.text);
    ctld->failed = true;
    event_base_loopbreak(ctld->base);
}

static void on_store(evutil_socket_t fd, short what, void *arg)
{
    struct history *history = arg;

    (void)fd;
    (void)what;
    store_dispatch(history->store);
    check_store(history);
    tell_applied(history);
    ctld_flush(&history->dbd->ctld);
}

static void close_store(struct history *history)
{
    if (history->event)
        event_free(history->event);
    history->event = NULL;
    history->store = store_free(history->store);
    history->in_trouble = false;
    history->source = history->fed_by = 0;
    forget_jobs(history);
    history->handed_n = 0;
    turn_changes_clear(&history->coming);
    turn_changes_init(&history->coming);
}

static int open_store(struct history *history, struct err *err)
{
    struct ctld *ctld = &history->dbd->ctld;
    AUTO(place) struct place place = places_of_cluster(&history->dbd->places, history->cluster);
    int rc = places_make_dir(&history->dbd->places, history->cluster, err);

    if (rc == 0)
        rc = store_open(&place.store, &history->store, err);
    if (rc == 0)
        rc = store_load(history->store, &loader, history, err);
    if (rc == 0)
        rc = store_start(history->store, err);
    if (rc < 0) {
        close_store(history);
        return err_prefix(err, "cluster %s", history->cluster);
    }
    history->local = store_committed(history->store);
    store_log_bodies(history->store, &(struct store_bodies){ true, true }); /* who gets it back */
    history->event =
        event_new(ctld->base, store_fd(history->store), EV_READ | EV_PERSIST, on_store, history);
    event_add(history->event, NULL);
    return 0;
}

struct history *history_new(struct dbd *dbd, const char *cluster, history_applied_fn *on_applied,
                            void *ctx)
{
    struct history *history = xcalloc(1, sizeof(*history));

    history->dbd = dbd;
    history->cluster = xstrdup(cluster);
    history->on_applied = on_applied;
    history->ctx = ctx;
    turn_changes_init(&history->coming);
    return history;
}

int history_open(struct history *history, struct err *err)
{
    return history->store ? 0 : open_store(history, err);
}

struct history *history_free(struct history *history)
{
    if (!history)
        return NULL;
    close_store(history);
    free(history->handed);
    free(history->cluster);
    free(history);
    return NULL;
}

uint64_t history_turn(const struct history *history)
{
    return history->source;
}

struct store *history_store(const struct history *history)
{
    return history->store;
}

static void add_number(struct history *history, const char *name, uint64_t number)
{
    struct change *change = ARRAY_PUSH(history->coming.changes, history->coming.changes_n);

    change_init(change);
    change->kind = CHANGE_NUMBER;
    change->name = xstrdup(name);
    change->number = (int64_t)number;
}

uint64_t history_fed_by(const struct history *history)
{
    return history->fed_by;
}

void history_set_speaker(struct history *history, uint64_t number)
{
    history->speaker = number;
}

void history_set_fed_by(struct history *history, uint64_t number)
{
    history_forget_part(history);
    add_number(history, FED_BY, number);
    history->fed_by = number;
    history->coming.turn = ++history->local;
    store_commit(history->store, &history->coming);
}

void history_forget_part(struct history *history)
{
    turn_changes_clear(&history->coming);
    turn_changes_init(&history->coming);
}

/* ---- taking ---- */

/* A copy of everything comes into what is here. */
static void begin_copy(struct history *history)
{
    forget_jobs(history);
    history_forget_part(history);
    history->coming.merge = TURN_MERGE_BEGINS;
}

static void commit(struct history *history, uint64_t turn)
{
    if (turn || history->coming.merge == TURN_MERGE_BEGINS) /* until its end it is no whole */
        add_number(history, SOURCE, turn);
    if (turn && history->coming.merge && history->speaker) {
        add_number(history, FED_BY, history->speaker);
        history->fed_by = history->speaker;
    }
    history->source = turn || history->coming.merge ? turn : history->source;
    if (history->coming.changes_n) {
        history->coming.turn = ++history->local;
        store_commit(history->store, &history->coming);
    }
    history->coming.merge = 0; /* an empty piece has not been handed over */
    *ARRAY_PUSH(history->handed, history->handed_n) =
        (struct handed){ .local = history->local, .source = turn };
    tell_applied(history); /* an empty piece waits for nothing */
}

void history_add(struct history *history, struct turn_changes *changes, history_added_fn *on_added,
                 void *ctx)
{
    changes->turn = ++history->local;
    store_commit(history->store, changes);
    *ARRAY_PUSH(history->handed, history->handed_n) =
        (struct handed){ .local = history->local, .on_added = on_added, .ctx = ctx };
}

int history_take(struct history *history, struct dbd_turn *msg, struct err *err)
{
    int rc = history_open(history, err);

    if (rc == 0)
        rc = turn_check_part(msg, err);
    if (rc < 0)
        return rc;
    if (msg->begins)
        begin_copy(history);
    if (msg->is_copy && !history->coming.merge)
        history->coming.merge = TURN_MERGE_RIGHT;
    if (!msg->is_copy && history->source == 0)
        return err_set(err, E_PROTO, "turn %llu of cluster %s comes before a copy of what was",
                       (unsigned long long)msg->turn, history->cluster);
    if (!msg->is_copy && msg->turn <= history->source) {
        if (msg->is_end) /* it was told already: on disk, or handed to the store */
            *ARRAY_PUSH(history->handed, history->handed_n) =
                (struct handed){ .local = history->local, .source = msg->turn };
        tell_applied(history);
        return 0;
    }
    for (uint32_t i = 0; i < msg->changes_n; i++)
        note_change(history, &msg->changes[i]);
    rc = turn_part_join(&history->coming, &history->coming_bytes, msg, err);
    if (rc == 0 && msg->is_end)
        rc = turn_check_whole(&history->coming, err);
    if (rc < 0)
        history_forget_part(history);
    else if (msg->is_end)
        commit(history, msg->turn);
    return rc;
}
