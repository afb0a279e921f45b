#include "cli/join/desk.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/join/exchange.h"
#include "cli/join/files.h"
#include "cli/join/nodes.h"
#include "cli/join/run.h"
#include "common/base/clock.h"
#include "common/base/file_io.h"
#include "common/conf/slurm_conf.h"

#define KEY_MAX   65536
#define COUNT_MAX 65536u

/* Files that may stand beside slurm.conf and are the same on all hosts. */
static const char *const beside[] = { "cgroup.conf", "gres.conf", "topology.conf",
                                      "job_container.conf", "plugstack.conf" };

/* ---- what is handed out ---- */

static int add_file(const char *path, struct join_answer *answer, struct err *err)
{
    AUTO(strbuf) struct strbuf text = { 0 };
    const char *slash = strrchr(path, '/');
    struct join_file *file;
    int rc = file_get(path, JOIN_ANSWER_MAX, &text, err);

    if (rc < 0)
        return rc;
    file = ARRAY_PUSH(answer->files, answer->files_n);
    join_file_init(file);
    file->name = xstrdup(slash ? slash + 1 : path);
    file->content.n = (uint32_t)text.len;
    file->content.data = (uint8_t *)strbuf_steal(&text);
    return 0;
}

/* Adds slurm.conf and the files it includes: all in one directory, which the machine has, too. */
static int add_conf(const struct slurm_conf *conf, struct join_answer *answer, struct err *err)
{
    for (uint32_t i = 0; i < conf->files_n; i++) {
        const char *slash = strrchr(conf->files[i], '/');
        AUTO_FREE char *here = file_beside(conf->path, slash ? slash + 1 : conf->files[i]);
        int rc;

        if (strcmp(here, conf->files[i]) != 0)
            return err_set(err, E_NOT_SUPPORTED,
                           "'%s' includes '%s', which is in another directory: copy key and "
                           "configuration to the nodes by hand",
                           conf->path, conf->files[i]);
        rc = add_file(here, answer, err);
        if (rc < 0)
            return rc;
    }
    for (size_t i = 0; i < ARRAY_N(beside); i++) {
        AUTO_FREE char *path = file_beside(conf->path, beside[i]);
        int rc = access(path, F_OK) == 0 ? add_file(path, answer, err) : 0;

        if (rc < 0)
            return rc;
    }
    return 0;
}

static int add_key(struct join_answer *answer, struct err *err)
{
    AUTO(strbuf) struct strbuf key = { 0 };
    int rc = file_get(FILES_KEY, KEY_MAX, &key, err);

    if (rc < 0)
        return rc;
    answer->key.n = (uint32_t)key.len;
    answer->key.data = (uint8_t *)strbuf_steal(&key);
    return 0;
}

static int write_answer(const struct slurm_conf *conf, const char *note, struct strbuf *out,
                        struct err *err)
{
    AUTO(join_answer) struct join_answer answer;
    const struct clock clock = clock_from_env();
    int rc;

    join_answer_init(&answer);
    answer.clock = clock_wall_s(&clock);
    answer.note = xstrdup(note);
    rc = add_key(&answer, err);
    if (rc == 0)
        rc = add_conf(conf, &answer, err);
    if (rc == 0)
        schema_encode(join_answer_schema(), &answer, out);
    if (rc == 0 && out->len > JOIN_ANSWER_MAX)
        rc = err_set(err, E_TOO_BIG,
                     "key and configuration have %zu bytes, more than %u: copy them by hand",
                     out->len, JOIN_ANSWER_MAX);
    if (answer.key.n)
        wipe(answer.key.data, answer.key.n);
    return rc;
}

int desk_check(const char *conf_path, struct err *err)
{
    AUTO(strbuf) struct strbuf answer = { 0 };
    struct slurm_conf *conf = NULL;
    int rc = slurm_conf_load(conf_path, &conf, NULL, err);

    if (rc == 0)
        rc = write_answer(conf, NULL, &answer, err);
    if (answer.len)
        wipe(answer.data, answer.len);
    slurm_conf_free(conf);
    return rc;
}

/* ---- slurm.conf becomes true ---- */

/* Replaces the file's text; owner and mode stay as they are. */
static int rewrite(const char *path, const char *text, struct err *err)
{
    struct stat stat;

    if (lstat(path, &stat) < 0)
        return err_set(err, errno, "'%s': %s", path, strerror(errno));
    if (!S_ISREG(stat.st_mode))
        return err_set(err, ENOENT, "'%s' is a link", path);
    return file_put(path, stat.st_mode & 07777, stat.st_uid, stat.st_gid, false, text, strlen(text),
                    err);
}

static int make_true(const char *path, const char *host, const char *description, struct log *log)
{
    AUTO(strbuf) struct strbuf text = { 0 };
    AUTO_FREE char *changed = NULL;
    char *const reconfigure[] = { (char *)(uintptr_t) "scontrol", (char *)(uintptr_t) "reconfigure",
                                  NULL };
    struct err err = { 0 };
    int rc = file_get(path, CONF_FILE_MAX, &text, &err);

    if (rc == 0)
        rc = nodes_update(strbuf_text(&text), host, description, &changed, &err);
    if (rc == 0 && strcmp(changed, strbuf_text(&text)) == 0)
        return 0;
    if (rc == 0)
        rc = rewrite(path, changed, &err);
    if (rc == 0 && run_self(reconfigure, &err) < 0)
        log_error(log, "%s: slurmctld has not read the new line of %s: %s", path, host, err.text);
    else if (rc < 0 && rc != -ENOENT)
        log_error(log, "%s: %s", path, err.text);
    return rc;
}

/* Returns what a file that an administrator keeps should say and does not; NULL: nothing. */
static char *advise(const struct slurm_conf *conf, const char *host,
                    const struct node_hardware *hardware, const char *description)
{
    const struct conf_node *node = slurm_conf_find_node(conf, host);

    if (!node)
        return xasprintf("%s on the head has no node %s; add this line there, then `scontrol "
                         "reconfigure`: NodeName=%s %s",
                         conf->path, host, host, description);
    if (node->cpus <= hardware->cpus && node->memory_mb <= hardware->memory_mb)
        return NULL;
    return xasprintf("%s on the head says more of %s than it has (CPUs=%u RealMemory=%llu); this "
                     "is true: NodeName=%s %s",
                     conf->path, host, node->cpus, (unsigned long long)node->memory_mb, host,
                     description);
}

/* ---- serving ---- */

static bool is_plausible(const struct desk_report *report, const struct hostlist *hosts)
{
    const uint32_t counts[] = { report->cpus, report->boards, report->sockets,
                                report->cores_per_socket, report->threads_per_core };

    for (size_t i = 0; i < ARRAY_N(counts); i++) {
        if (counts[i] < 1 || counts[i] > COUNT_MAX)
            return false;
    }
    return report->invitation < hostlist_count(hosts);
}

static int make_answer(const char *conf_path, const char *host, const struct desk_report *report,
                       struct strbuf *out, struct log *log, struct err *err)
{
    const struct node_hardware hardware = {
        .cpus = report->cpus,
        .boards = report->boards,
        .sockets = report->sockets,
        .cores_per_socket = report->cores_per_socket,
        .threads_per_core = report->threads_per_core,
        .memory_mb = report->memory_mb,
    };
    AUTO_FREE char *description = nodes_describe(&hardware);
    AUTO_FREE char *note = NULL;
    struct slurm_conf *conf = NULL;
    int changed = make_true(conf_path, host, description, log);
    int rc = slurm_conf_load(conf_path, &conf, NULL, err);

    if (rc == 0 && changed < 0)
        note = advise(conf, host, &hardware, description);
    if (rc == 0)
        rc = write_answer(conf, note, out, err);
    slurm_conf_free(conf);
    return rc;
}

static bool answer(int fd, const char *conf_path, const struct hostlist *hosts,
                   const struct desk_report *report, struct log *log)
{
    const char *host = hostlist_get(hosts, report->invitation);
    AUTO(strbuf) struct strbuf body = { 0 };
    struct desk_answer head = { .invitation = report->invitation };
    struct err err = { 0 };
    bool written;

    if (make_answer(conf_path, host, report, &body, log, &err) < 0)
        log_error(log, "%s gets nothing: %s", host, err.text);
    else
        head.n = (uint32_t)body.len;
    written = write_all(fd, &head, sizeof(head)) == 0 && write_all(fd, body.data, head.n) == 0;
    if (body.len)
        wipe(body.data, body.len);
    return written;
}

void desk_run(int fd, const char *conf_path, const struct hostlist *hosts, int64_t until_ms,
              struct log *log)
{
    AUTO_FREE bool *answered = xcalloc(hostlist_count(hosts), sizeof(*answered));
    struct pollfd wait = { .fd = fd, .events = POLLIN };
    struct desk_report report;
    int64_t left_ms;

    while ((left_ms = until_ms - clock_mono_ms()) > 0) {
        int ready = poll(&wait, 1, (int)left_ms);

        if (ready < 0 && errno == EINTR)
            continue;
        if (ready <= 0 || recv(fd, &report, sizeof(report), MSG_WAITALL) != sizeof(report))
            return;
        if (!is_plausible(&report, hosts) || answered[report.invitation]) {
            log_error(log, "the network half says what it must not; no more tokens are taken");
            return;
        }
        answered[report.invitation] = true;
        if (!answer(fd, conf_path, hosts, &report, log))
            return;
    }
}
