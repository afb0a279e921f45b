#include "noded/hooks/hooks.h"

#include <dirent.h>
#include <errno.h>
#include <event2/event.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <uthash.h>

#include "common/base/alloc.h"
#include "common/base/safe_path.h"
#include "common/msg/job_env.h"
#include "noded/hooks/record.h"
#include "noded/hooks/runner.h"
#include "noded/stepd/spool.h"

#define LOOK_MS  20 /* between looks at what runs, which may be nobody's child of ours */
#define DIR_NAME "hooks"

static const char *const contexts[HOOK_KINDS_N] = { "prolog_slurmd", "epilog_slurmd" };

enum stage { STAGE_NONE, STAGE_WAITS, STAGE_RUNS, STAGE_OVER };

/* What one run of a job had of programs here. */
struct job_hooks {
    struct hook_key key;
    enum stage stages[HOOK_KINDS_N];
    int codes[HOOK_KINDS_N];
    char **environment; /* of the next to run, ended by NULL; NULL: found on disk, not asked for */
    UT_hash_handle hh;
};

struct hooks {
    int dir_fd;
    struct hooks_options options;
    struct job_hooks *jobs; /* uthash, in order of arrival */
    struct event *look;
    hooks_report_fn *on_report;
    void *ctx;
};

static struct job_hooks *find(const struct hooks *hooks, uint32_t job_id, uint32_t launch_number)
{
    const struct hook_key key = { job_id, launch_number };
    struct job_hooks *job;

    HASH_FIND(hh, hooks->jobs, &key, sizeof(key), job);
    return job;
}

static struct job_hooks *add(struct hooks *hooks, const struct hook_key *key)
{
    struct job_hooks *job = xcalloc(1, sizeof(*job));

    job->key = *key;
    HASH_ADD(hh, hooks->jobs, key, sizeof(job->key), job);
    return job;
}

static void free_environment(struct job_hooks *job)
{
    for (uint32_t i = 0; job->environment && job->environment[i]; i++)
        free(job->environment[i]);
    free(job->environment);
    job->environment = NULL;
}

static void drop(struct hooks *hooks, struct job_hooks *job)
{
    HASH_DEL(hooks->jobs, job);
    free_environment(job);
    free(job);
}

/* ---- running ---- */

static const struct conf_hook_limit *limit_of(const struct hooks *hooks, uint32_t kind)
{
    return kind == HOOK_PROLOG ? &hooks->options.prolog_limit : &hooks->options.epilog_limit;
}

static void tell(struct hooks *hooks, struct job_hooks *job, uint32_t kind,
                 const struct hook_report *report)
{
    job->stages[kind] = STAGE_OVER;
    job->codes[kind] = report->code;
    hooks->on_report(hooks->ctx, report);
}

static void tell_failure(struct hooks *hooks, struct job_hooks *job, uint32_t kind,
                         const struct err *why)
{
    struct hook_report report;

    hook_report_init(&report);
    report.job_id = job->key.job_id;
    report.launch_number = job->key.launch_number;
    report.kind = kind;
    report.code = why->code;
    report.text = (char *)(uintptr_t)why->text;
    tell(hooks, job, kind, &report);
}

static void look_again(struct hooks *hooks)
{
    const struct timeval wait = { 0, LOOK_MS * 1000 };

    if (!evtimer_pending(hooks->look, NULL))
        evtimer_add(hooks->look, &wait);
}

static void begin(struct hooks *hooks, struct job_hooks *job, uint32_t kind)
{
    AUTO_CLOSE int fd = hook_record_open(hooks->dir_fd, &job->key);
    struct hook_run run = {
        .setting = kind == HOOK_PROLOG ? hooks->options.prolog : hooks->options.epilog,
        .environment = job->environment,
        .timeout_s = limit_of(hooks, kind)->seconds,
        .limit = limit_of(hooks, kind)->key,
        .record_fd = fd,
        .beginning = hook_beginnings[kind],
        .result = hook_results[kind],
        .report = { .job_id = job->key.job_id,
                    .launch_number = job->key.launch_number,
                    .kind = kind },
    };
    struct err err = { 0 };
    int rc = fd;

    job->stages[kind] = STAGE_RUNS;
    log_debug(hooks->options.log, "job %u: %s begins: %s", job->key.job_id,
              kind == HOOK_PROLOG ? "Prolog" : "Epilog", run.setting);
    if (fd < 0)
        err_set(&err, -fd, "cannot make the record of %s: %s", hook_results[kind], strerror(-fd));
    else
        rc = hook_runner_start(&run, &err);
    if (rc < 0 && rc != -EBUSY) /* its record is looked at when that one ends */
        tell_failure(hooks, job, kind, &err);
    else
        look_again(hooks);
}

static bool something_runs(const struct hooks *hooks)
{
    for (const struct job_hooks *job = hooks->jobs; job; job = job->hh.next) {
        for (uint32_t kind = 0; kind < HOOK_KINDS_N; kind++) {
            if (job->stages[kind] == STAGE_RUNS)
                return true;
        }
    }
    return false;
}

static void begin_waiting(struct hooks *hooks)
{
    for (struct job_hooks *job = hooks->jobs, *next; job; job = next) {
        next = job->hh.next;
        for (uint32_t kind = 0; kind < HOOK_KINDS_N; kind++) {
            if (job->stages[kind] == STAGE_WAITS &&
                !(hooks->options.serial && something_runs(hooks)))
                begin(hooks, job, kind);
        }
    }
}

/*
 * Reports a runner that has gone without a result: it was killed, and what it ran with it. That
 * counts as its failure: half of its work may be done, and nobody made it to be run twice for one
 * launch.
 */
static void tell_broken_off(struct hooks *hooks, struct job_hooks *job, uint32_t kind)
{
    struct err err = { 0 };

    err_set(&err, EINTR, "it was broken off: the process that ran it was killed");
    tell_failure(hooks, job, kind, &err);
}

static void look_at(struct hooks *hooks, struct job_hooks *job, uint32_t kind)
{
    AUTO_CLOSE int fd = hook_record_open(hooks->dir_fd, &job->key);
    AUTO(hook_report) struct hook_report report;
    struct err err = { 0 };
    int rc;

    hook_report_init(&report);
    if (fd >= 0 && hook_runner_lives(fd))
        return;
    rc = hook_runner_read(fd, hook_results[kind], &report, &err);
    if (rc < 0) {
        tell_failure(hooks, job, kind, &err);
    } else if (rc > 0) {
        tell(hooks, job, kind, &report);
    } else if (hook_record_has_begun(fd, kind)) {
        tell_broken_off(hooks, job, kind);
    } else {
        job->stages[kind] = job->environment ? STAGE_WAITS : STAGE_NONE;
    }
}

static void on_look(evutil_socket_t fd, short what, void *arg)
{
    struct hooks *hooks = arg;

    (void)fd;
    (void)what;
    for (struct job_hooks *job = hooks->jobs, *next; job; job = next) {
        next = job->hh.next;
        for (uint32_t kind = 0; kind < HOOK_KINDS_N; kind++) {
            if (job->stages[kind] == STAGE_RUNS)
                look_at(hooks, job, kind);
        }
    }
    begin_waiting(hooks);
    if (something_runs(hooks))
        look_again(hooks);
}

/* Sets the environment: nothing of the daemon's own, as in Slurm, and no PATH that a user could
 * choose. */
static void set_environment(const struct hooks *hooks, struct job_hooks *job, uint32_t kind,
                            const struct hook_cred *cred)
{
    struct job_env_list list = { 0 };
    struct job_env_facts facts = JOB_ENV_NO_FACTS;

    free_environment(job);
    for (uint32_t i = 0; i < cred->environment_n; i++)
        *ARRAY_PUSH(list.strings, list.n) = xstrdup(cred->environment[i]);
    facts.node = hooks->options.node;
    facts.conf_path = hooks->options.conf_path;
    facts.context = contexts[kind];
    job_env_make(JOB_ENV_PROGRAM, &facts, job_env_list_add, &list);
    *ARRAY_PUSH(list.strings, list.n) = NULL;
    job->environment = list.strings;
}

static void tell_again(struct hooks *hooks, struct job_hooks *job, uint32_t kind)
{
    AUTO_CLOSE int fd = hook_record_open(hooks->dir_fd, &job->key);
    AUTO(hook_report) struct hook_report report;
    struct err err = { .code = EIO, .text = "its result is lost" };

    hook_report_init(&report);
    if (fd >= 0 && hook_runner_read(fd, hook_results[kind], &report, &err) > 0)
        tell(hooks, job, kind, &report);
    else if (hook_record_has_begun(fd, kind))
        tell_broken_off(hooks, job, kind);
    else
        tell_failure(hooks, job, kind, &err);
}

void hooks_run(struct hooks *hooks, uint32_t kind, const struct hook_cred *cred)
{
    const struct hook_key key = { cred->job_id, cred->launch_number };
    struct job_hooks *job = find(hooks, key.job_id, key.launch_number);

    if (!job)
        job = add(hooks, &key);
    if (job->stages[kind] == STAGE_OVER) {
        tell_again(hooks, job, kind);
        return;
    }
    set_environment(hooks, job, kind, cred);
    if (job->stages[kind] != STAGE_NONE)
        return;
    job->stages[kind] = STAGE_WAITS;
    begin_waiting(hooks);
}

int hooks_prolog(const struct hooks *hooks, uint32_t job_id, uint32_t launch_number)
{
    const struct job_hooks *job = find(hooks, job_id, launch_number);

    if (!job || job->stages[HOOK_PROLOG] == STAGE_NONE)
        return ENOENT;
    if (job->stages[HOOK_PROLOG] != STAGE_OVER)
        return EINPROGRESS;
    return job->codes[HOOK_PROLOG] ? EIO : 0;
}

bool hooks_prolog_runs(const struct hooks *hooks, uint32_t job_id)
{
    for (const struct job_hooks *job = hooks->jobs; job; job = job->hh.next) {
        const enum stage stage = job->stages[HOOK_PROLOG];

        if (job->key.job_id == job_id && (stage == STAGE_WAITS || stage == STAGE_RUNS))
            return true;
    }
    return false;
}

bool hooks_has_run(const struct hooks *hooks, uint32_t job_id, uint32_t launch_number,
                   uint32_t kind)
{
    const struct job_hooks *job = find(hooks, job_id, launch_number);

    return job && (job->stages[kind] == STAGE_RUNS || job->stages[kind] == STAGE_OVER);
}

void hooks_forget(struct hooks *hooks, uint32_t job_id, uint32_t launch_number)
{
    struct job_hooks *job = find(hooks, job_id, launch_number);
    char name[HOOK_NAME_MAX];

    if (!job)
        return;
    for (uint32_t kind = 0; kind < HOOK_KINDS_N; kind++) {
        if (job->stages[kind] == STAGE_RUNS)
            return; /* its record is needed; the next start of the machine removes it */
    }
    hook_record_name(&job->key, name);
    hook_record_remove(hooks->dir_fd, name);
    drop(hooks, job);
}

/* ---- beginning and end ---- */

static void take_up(struct hooks *hooks, const struct hook_key *key)
{
    struct job_hooks *job = add(hooks, key);
    AUTO_CLOSE int fd = hook_record_open(hooks->dir_fd, key);

    for (uint32_t kind = 0; fd >= 0 && kind < HOOK_KINDS_N; kind++) {
        AUTO(hook_report) struct hook_report report;

        hook_report_init(&report);
        if (hook_runner_read(fd, hook_results[kind], &report, NULL) > 0) {
            job->stages[kind] = STAGE_OVER;
            job->codes[kind] = report.code;
        } else if (hook_record_has_begun(fd, kind)) {
            job->stages[kind] = STAGE_RUNS;
            look_again(hooks);
        }
    }
}

/* Takes up the records. Those of an earlier boot are of no more use: all that ran then is gone. */
static void find_records(struct hooks *hooks)
{
    const bool keep = hook_records_are_of(hooks->dir_fd, hooks->options.boot_id);
    int fd = openat(hooks->dir_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
    struct dirent *entry;

    while (dir && (entry = readdir(dir))) {
        struct hook_key key;
        char rest;

        if (sscanf(entry->d_name, "%u.%u%c", &key.job_id, &key.launch_number, &rest) != 2)
            continue;
        if (keep)
            take_up(hooks, &key);
        else
            hook_record_remove(hooks->dir_fd, entry->d_name);
    }
    if (dir)
        closedir(dir);
}

int hooks_new(struct event_base *base, int spool_fd, const struct hooks_options *options,
              hooks_report_fn *on_report, void *ctx, struct hooks **ret, struct err *err)
{
    struct hooks *hooks = xcalloc(1, sizeof(*hooks));
    int rc;

    *hooks = (struct hooks){ .options = *options, .on_report = on_report, .ctx = ctx };
    hooks->look = evtimer_new(base, on_look, hooks);
    rc = hooks->dir_fd = safe_own_dir(spool_fd, DIR_NAME, 0700, "SlurmdSpoolDir/" DIR_NAME, err);
    if (rc >= 0) {
        find_records(hooks);
        rc = spool_write(hooks->dir_fd, HOOK_BOOT_FILE, options->boot_id, strlen(options->boot_id),
                         err);
    }
    if (rc < 0)
        hooks_free(hooks);
    else
        *ret = hooks;
    return rc;
}

struct hooks *hooks_free(struct hooks *hooks)
{
    if (!hooks)
        return NULL;
    while (hooks->jobs)
        drop(hooks, hooks->jobs);
    event_free(hooks->look);
    if (hooks->dir_fd >= 0)
        close(hooks->dir_fd);
    free(hooks);
    return NULL;
}
