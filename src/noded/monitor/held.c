#include "noded/monitor/held_inside.h"

#include <dirent.h>
#include <errno.h>
#include <event2/event.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#define CLEAN_PAUSE_MS 20
#define CALL_PAUSE_MS  100
#define REMOVALS_MAX   100 /* a process that is dead may be in its cgroup for a while */

static void report(struct held *it)
{
    it->is_told = true;
    it->table->callbacks.on_report(it->table->ctx, &it->report);
}

/* ---- jobs of which nothing is left ---- */

static bool job_is_alive(const struct held_table *table, uint32_t job_id)
{
    for (const struct held *it = table->all; it; it = it->hh.next) {
        if (it->name.job_id == job_id && it->alive)
            return true;
    }
    return false;
}

void held_each_alive(const struct held_table *table, uint32_t job_id, uint32_t step_id,
                     held_alive_fn *fn, void *ctx)
{
    for (const struct held *it = table->all; it; it = it->hh.next) {
        if (it->alive && it->name.job_id == job_id &&
            (step_id == COUNT_UNSET || it->name.step_id == step_id))
            fn(ctx, &it->name);
    }
}

/* Stops watching the job; returns whether it was watched. */
static bool unwatch(struct held_table *table, uint32_t job_id)
{
    for (uint32_t i = 0; i < table->watched_n; i++) {
        if (table->watched[i] != job_id)
            continue;
        table->watched[i] = table->watched[--table->watched_n];
        return true;
    }
    return false;
}

static void check_job(struct held_table *table, uint32_t job_id)
{
    if (table->watched_n && !job_is_alive(table, job_id) && unwatch(table, job_id))
        table->callbacks.on_job_clean(table->ctx, job_id);
}

void held_watch_job(struct held_table *table, uint32_t job_id)
{
    for (uint32_t i = 0; i < table->watched_n; i++) {
        if (table->watched[i] == job_id)
            return;
    }
    *ARRAY_PUSH(table->watched, table->watched_n) = job_id;
    check_job(table, job_id);
}

/* ---- the end of a step daemon ---- */

static void hang_up(struct held *it)
{
    if (it->readable)
        event_free(it->readable);
    if (it->writable)
        event_free(it->writable);
    it->readable = it->writable = NULL;
    it->ctl = priv_channel_free(it->ctl);
}

static void is_gone(struct held *it)
{
    it->alive = false;
    report(it);
    check_job(it->table, it->name.job_id);
}

/* Writes down that the launch is lost: else the next monitor would kill again in the cgroup, where
 * the next launch may be by then. */
static void write_lost(const struct held *it)
{
    AUTO_CLOSE int fd = -1;
    struct err err = { 0 };
    int rc = spool_open(it->table->steps_fd, &it->name, &fd, &err);

    if (rc == 0)
        rc = spool_write_result(fd, &it->report, &err);
    if (rc < 0)
        log_error(it->table->log, "step %s: %s", it->title, err.text);
}

static void is_lost(struct held *it)
{
    it->report.state = HELD_LOST;
    xstrset(&it->report.error, "the step daemon is gone and left no result");
    write_lost(it);
    is_gone(it);
}

static void set_again(struct held *it, int pause_ms, event_callback_fn then)
{
    struct timeval pause = { 0, pause_ms * 1000 };

    if (it->again)
        event_free(it->again);
    it->again = evtimer_new(it->table->base, then, it);
    event_add(it->again, &pause);
}

static void on_kill(evutil_socket_t fd, short what, void *arg)
{
    struct held *it = arg;

    (void)fd;
    (void)what;
    if (cgroup_kill(it->remains, 0) > 0 ||
        (cgroup_remove(it->remains) == -EBUSY && ++it->removals < REMOVALS_MAX)) {
        set_again(it, CLEAN_PAUSE_MS, on_kill);
        return;
    }
    it->remains = cgroup_free(it->remains);
    is_lost(it);
}

static int read_path(const struct held *it, struct strbuf *path)
{
    AUTO_CLOSE int fd = -1;
    int rc = spool_open(it->table->steps_fd, &it->name, &fd, NULL);

    return rc < 0 ? rc : spool_read(fd, "cgroup", path, NULL);
}

/* Kills what is left of a step whose daemon was killed or whose machine went down, and says so once
 * all its processes are gone. */
static void kill_remains(struct held *it)
{
    AUTO(strbuf) struct strbuf path = { 0 };

    log_error(it->table->log, "step %s: launch %u is lost", it->title, it->name.launch_number);
    if (read_path(it, &path) == 0 && path.len &&
        cgroup_open(it->table->cgroups, strbuf_text(&path), &it->remains, NULL) == 0) {
        on_kill(-1, 0, it);
        return;
    }
    is_lost(it);
}

static bool has_file(const struct held_table *table, const struct spool_name *name,
                     const char *file)
{
    AUTO_CLOSE int fd = -1;

    return spool_open(table->steps_fd, name, &fd, NULL) == 0 && faccessat(fd, file, F_OK, 0) == 0;
}

/*
 * Returns whether no task can have started. A step daemon writes down its cgroup before it forks
 * what starts the tasks, and one that is not there any more does not write later. Nor does the
 * machine forget a file that this one outlived: after it went down the order is for an earlier
 * boot, and is not given again.
 */
static bool never_began(const struct held *it)
{
    return !has_file(it->table, &it->name, "cgroup") && !has_file(it->table, &it->name, "result");
}

/* Reports a launch that came to nothing. As in Slurm, it is not tried again by itself, other than a
 * lost one. */
static void has_failed(struct held *it)
{
    log_error(it->table->log, "step %s: launch %u failed", it->title, it->name.launch_number);
    it->report.state = HELD_ENDED;
    it->report.code = ECHILD;
    it->report.by_node = true;
    xstrset(&it->report.error, "the step daemon was gone before tasks could start");
    is_gone(it);
}

static void stepd_gone(struct held *it)
{
    AUTO_CLOSE int fd = -1;
    AUTO(step_report) struct step_report result;
    struct err err = { 0 };
    int rc;

    step_report_init(&result);
    hang_up(it);
    rc = spool_open(it->table->steps_fd, &it->name, &fd, &err);
    if (rc == 0)
        rc = spool_read_result(fd, &it->name, &result, &err);
    if (rc < 0)
        log_error(it->table->log, "step %s: %s", it->title, err.text);
    if (rc <= 0) {
        if (never_began(it))
            has_failed(it);
        else
            kill_remains(it);
        return;
    }
    step_report_clear(&it->report);
    schema_copy(step_report_schema(), &it->report, &result);
    is_gone(it);
}

/* ---- live step daemons ---- */

/*
 * Takes what the step daemon says of its step; which step that is, is known here. Its end is not
 * taken from here: until the step daemon is gone too the step counts as running, whoever asks
 * meanwhile. That it starts was told when it was launched.
 */
static void take_report(struct held *it, const struct priv_msg *msg)
{
    struct step_report said;
    struct err err = { 0 };

    if (schema_decode(step_report_schema(), msg->bytes, msg->bytes_n, &said, &err) < 0) {
        log_error(it->table->log, "step %s: %s", it->title, err.text);
        return;
    }
    if (said.state == HELD_ENDED || (said.state == HELD_STARTING && it->is_told)) {
        step_report_clear(&said);
        return;
    }
    said.job_id = it->name.job_id;
    said.step_id = it->name.step_id;
    said.launch_number = it->name.launch_number;
    step_report_clear(&it->report);
    it->report = said;
    report(it);
}

static void take_socket(struct held *it, struct priv_msg *msg)
{
    if (it->socket >= 0)
        close(it->socket);
    it->socket = steal_fd(&msg->fds[0]);
}

static void on_readable(evutil_socket_t fd, short what, void *arg)
{
    struct held *it = arg;
    struct priv_msg msg;
    int rc;

    (void)fd;
    (void)what;
    while ((rc = priv_receive(it->ctl, PRIV_MONITOR, &msg, NULL)) > 0) {
        if (msg.verb == PRIV_STEP_REPORT)
            take_report(it, &msg);
        if (msg.verb == PRIV_STEP_SOCKET)
            take_socket(it, &msg);
        priv_msg_close(&msg);
    }
    if (rc < 0)
        stepd_gone(it);
}

static void on_writable(evutil_socket_t fd, short what, void *arg)
{
    struct held *it = arg;

    (void)fd;
    (void)what;
    if (priv_channel_flush(it->ctl, NULL) == 0 && priv_channel_wants_write(it->ctl))
        event_add(it->writable, NULL);
}

static int call_stepd(struct held *it, struct err *err)
{
    AUTO_CLOSE int fd = -1;
    int ctl, rc = spool_open(it->table->steps_fd, &it->name, &fd, err);

    if (rc == 0)
        rc = spool_call(fd, &ctl, err);
    if (rc < 0)
        return rc;
    it->ctl = priv_channel_new(ctl);
    it->readable = event_new(it->table->base, ctl, EV_READ | EV_PERSIST, on_readable, it);
    it->writable = event_new(it->table->base, ctl, EV_WRITE, on_writable, it);
    event_add(it->readable, NULL);
    return 0;
}

static void on_call(evutil_socket_t fd, short what, void *arg);

/*
 * Calls the step daemon; returns false where nobody listens, so that there is none. Any other
 * trouble (no descriptor is free, it has not answered the calls before) says nothing about the
 * step, which must not be taken for lost.
 */
static bool has_stepd(struct held *it)
{
    struct err err = { 0 };
    int rc = call_stepd(it, &err);

    if (rc == -ECONNREFUSED || rc == -ENOENT)
        return false;
    if (rc < 0) {
        if (!it->again)
            log_error(it->table->log, "step %s: %s; will try again", it->title, err.text);
        set_again(it, CALL_PAUSE_MS, on_call);
    }
    return true;
}

static void follow(struct held *it)
{
    if (!has_stepd(it))
        stepd_gone(it);
}

static void on_call(evutil_socket_t fd, short what, void *arg)
{
    (void)fd;
    (void)what;
    follow(arg);
}

static struct held *add(struct held_table *table, const struct spool_name *name)
{
    struct held *it = xcalloc(1, sizeof(*it));

    it->table = table;
    it->name = *name;
    it->alive = true;
    it->socket = -1;
    step_report_init(&it->report);
    it->report.job_id = name->job_id;
    it->report.step_id = name->step_id;
    it->report.launch_number = name->launch_number;
    it->report.state = HELD_STARTING;
    step_title(name->job_id, name->step_id, it->title);
    HASH_ADD(hh, table->all, name, sizeof(it->name), it);
    return it;
}

static void free_held(struct held *it)
{
    HASH_DEL(it->table->all, it);
    hang_up(it);
    if (it->again)
        event_free(it->again);
    if (it->socket >= 0)
        close(it->socket);
    cgroup_free(it->remains);
    step_report_clear(&it->report);
    free(it);
}

int held_open_socket(struct held_table *table, int record_fd, int *ret_fd, ino_t *ret_file,
                     struct err *err)
{
    return sockets_open(&table->sockets, record_fd, ret_fd, ret_file, err);
}

void held_add(struct held_table *table, const struct spool_name *name, ino_t socket_file)
{
    struct held *it = add(table, name);

    (void)unwatch(table, name->job_id); /* it is here again, whatever was to end before */
    it->socket_file = socket_file;
    report(it);
    follow(it);
}

/* ---- finding records at start ---- */

static void drop(struct held_table *table, const struct spool_name *name)
{
    struct err err = { 0 };

    if (spool_remove(table->steps_fd, name, false, &err) < 0)
        log_error(table->log, "%s", err.text);
}

/* Takes up a record, or drops it when its order was not obeyed, or not to the point where tasks
 * start: who gave the order gives it again. */
static void take_up(struct held_table *table, const char *text)
{
    struct spool_name name;
    struct held *it;

    if (!spool_name_parse(text, &name))
        return;
    if (!has_file(table, &name, "launch")) {
        drop(table, &name);
        return;
    }
    it = add(table, &name);
    if (has_stepd(it)) {
        log_info(table->log, "step %s: found running", it->title);
    } else if (never_began(it)) {
        log_info(table->log, "step %s: launch %u had not begun", it->title, name.launch_number);
        free_held(it);
        drop(table, &name);
    } else {
        stepd_gone(it);
    }
}

struct held_table *held_table_new(struct event_base *base, int steps_fd,
                                  const struct cgroup_root *cgroups, struct log *log,
                                  const struct held_callbacks *callbacks, void *ctx)
{
    struct held_table *table = xcalloc(1, sizeof(*table));
    int fd = openat(steps_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
    struct dirent *entry;

    table->base = base;
    table->steps_fd = steps_fd;
    table->cgroups = cgroups;
    table->log = log;
    table->callbacks = *callbacks;
    table->ctx = ctx;
    while (dir && (entry = readdir(dir)))
        take_up(table, entry->d_name);
    if (dir)
        closedir(dir);
    return table;
}

struct held_table *held_table_free(struct held_table *table)
{
    if (!table)
        return NULL;
    while (table->all)
        free_held(table->all);
    sockets_clear(&table->sockets);
    free(table->watched);
    free(table);
    return NULL;
}

/* ---- orders ---- */

int held_check(const struct held_table *table, const struct spool_name *name, struct err *err)
{
    for (const struct held *it = table->all; it; it = it->hh.next) {
        if (it->name.job_id != name->job_id || it->name.step_id != name->step_id)
            continue;
        if (it->name.launch_number == name->launch_number)
            return err_set(err, EEXIST, "step %s: launch %u was obeyed already", it->title,
                           name->launch_number);
        if (it->name.launch_number > name->launch_number)
            return err_set(err, E_STALE, "step %s: launch %u, %u was obeyed already", it->title,
                           name->launch_number, it->name.launch_number);
        if (it->alive)
            return err_set(err, EBUSY, "step %s: launch %u still runs", it->title,
                           it->name.launch_number);
    }
    return 0;
}

static struct held *find(const struct held_table *table, const struct spool_name *name)
{
    struct held *it;

    HASH_FIND(hh, table->all, name, sizeof(*name), it);
    return it;
}

uint32_t held_count(const struct held_table *table)
{
    return HASH_COUNT(table->all);
}

void held_report_all(struct held_table *table)
{
    for (struct held *it = table->all; it; it = it->hh.next)
        report(it);
}

void held_report_one(struct held_table *table, const struct spool_name *name)
{
    struct held *it = find(table, name);

    if (it)
        report(it);
}

int held_forget(struct held_table *table, const struct spool_name *name, struct err *err)
{
    struct held *it = find(table, name);

    if (!it)
        return err_set(err, ENOENT, "no record of job %u step %u launch %u", name->job_id,
                       name->step_id, name->launch_number);
    if (it->alive)
        return err_set(err, EBUSY, "step %s runs", it->title);
    const bool has_socket = it->socket >= 0 && it->socket_file;
    const int rc = spool_remove(table->steps_fd, name, has_socket, err);

    if (rc < 0)
        return rc;
    if (rc > 0 && has_socket)
        sockets_keep(&table->sockets, it->socket_file, steal_fd(&it->socket));
    free_held(it);
    return 0;
}
