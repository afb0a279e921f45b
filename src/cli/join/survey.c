#include "cli/join/survey.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/base/clock.h"
#include "common/conf/file.h"
#include "common/text/words.h"

enum { ASKED_AT_ONCE = 64, ANSWER_MAX = 4096, COUNT_MAX = 65536 };
#define MEMORY_MAX_MB (UINT64_C(1) << 40)

/* ---- the answer ---- */

static int read_text(void *ctx, const char *path, struct strbuf *text, struct err *err)
{
    (void)path;
    (void)err;
    strbuf_adds(text, ctx);
    return 0;
}

static int read_number(const struct conf_record *record, const char *key, uint64_t max,
                       uint64_t *ret, struct err *err)
{
    const struct conf_pair *pair = conf_record_find(record, key);

    if (!pair || !pair->value)
        return err_set(err, EINVAL, "no %s", key);
    return number_parse(pair->value, 1, max, ret, err);
}

static int read_record(const struct conf_record *record, struct node_hardware *ret, struct err *err)
{
    static const char *const keys[] = { "CPUs", "Boards", "SocketsPerBoard", "CoresPerSocket",
                                        "ThreadsPerCore" };
    uint32_t *const counts[] = { &ret->cpus, &ret->boards, &ret->sockets, &ret->cores_per_socket,
                                 &ret->threads_per_core };
    int rc = 0;

    for (size_t i = 0; rc == 0 && i < ARRAY_N(keys); i++) {
        uint64_t number = 0;

        rc = read_number(record, keys[i], COUNT_MAX, &number, err);
        *counts[i] = (uint32_t)number;
    }
    if (rc == 0)
        rc = read_number(record, "RealMemory", MEMORY_MAX_MB, &ret->memory_mb, err);
    if (rc == 0 && (uint64_t)ret->boards * ret->sockets > COUNT_MAX)
        rc = err_set(err, EINVAL, "too many sockets");
    ret->sockets *= ret->boards; /* of all boards together */
    return rc;
}

int survey_parse(const char *text, struct node_hardware *ret, struct err *err)
{
    AUTO_FREE char *line = xstrndup(text, strcspn(text, "\n"));
    struct conf_file *file = NULL;
    int rc;

    node_hardware_init(ret);
    if (strncmp(line, "NodeName=", strlen("NodeName=")) != 0)
        return err_set(err, EINVAL, "no line of a node");
    rc = conf_file_parse("slurmd -C", read_text, line, &file, err);
    if (rc < 0)
        return rc;
    rc = read_record(&file->records[0], ret, err);
    conf_file_free(file);
    return rc;
}

/* ---- asking ---- */

struct asked {
    pid_t pid;
    int fd; /* its output, -1 at its end */
    struct strbuf answer;
};

static void ask(const char *host, struct asked *ret)
{
    char *const argv[] = { (char *)(uintptr_t) "ssh",
                           (char *)(uintptr_t) "-oBatchMode=yes",
                           (char *)(uintptr_t) "-oConnectTimeout=3",
                           (char *)(uintptr_t) "--",
                           (char *)(uintptr_t)host,
                           (char *)(uintptr_t) "slurmd -C",
                           NULL };
    posix_spawn_file_actions_t actions;
    int fds[2];

    *ret = (struct asked){ .fd = -1 };
    if (pipe2(fds, O_CLOEXEC) < 0)
        return;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, fds[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    if (posix_spawnp(&ret->pid, argv[0], &actions, NULL, argv, environ) == 0)
        ret->fd = steal_fd(&fds[0]);
    else
        ret->pid = 0; /* there is no ssh */
    posix_spawn_file_actions_destroy(&actions);
    close(fds[1]);
    if (fds[0] >= 0)
        close(fds[0]);
}

static void hear(struct asked *asked)
{
    ssize_t n = read(asked->fd, strbuf_reserve(&asked->answer, 512), 512);

    if (n > 0)
        strbuf_grown(&asked->answer, (size_t)n);
    if (n > 0 && asked->answer.len < ANSWER_MAX)
        return;
    close(asked->fd);
    asked->fd = -1;
}

static void hear_all(struct asked *asked, uint32_t n, int64_t until_ms)
{
    struct pollfd waits[ASKED_AT_ONCE];
    int64_t left_ms;

    while ((left_ms = until_ms - clock_mono_ms()) > 0) {
        bool open = false;

        for (uint32_t i = 0; i < n; i++) {
            waits[i] = (struct pollfd){ .fd = asked[i].fd, .events = POLLIN };
            open = open || asked[i].fd >= 0;
        }
        if (!open || (poll(waits, n, (int)left_ms) < 0 && errno != EINTR))
            return;
        for (uint32_t i = 0; i < n; i++) {
            if (waits[i].fd >= 0 && waits[i].revents)
                hear(&asked[i]);
        }
    }
}

static void end(struct asked *asked)
{
    if (asked->pid > 0) {
        (void)kill(asked->pid, SIGKILL);
        (void)waitpid(asked->pid, NULL, 0);
    }
    if (asked->fd >= 0)
        close(asked->fd);
    strbuf_clear(&asked->answer);
}

/* Asks hosts from `first` on, as many as are asked at once; returns how many. */
static uint32_t survey_some(const struct hostlist *hosts, uint32_t first, int64_t until_ms,
                            survey_fn *fn, void *ctx)
{
    struct asked asked[ASKED_AT_ONCE];
    uint32_t n = hostlist_count(hosts) - first;

    if (n > ASKED_AT_ONCE)
        n = ASKED_AT_ONCE;
    for (uint32_t i = 0; i < n; i++)
        ask(hostlist_get(hosts, first + i), &asked[i]);
    hear_all(asked, n, until_ms);
    for (uint32_t i = 0; i < n; i++) {
        AUTO(node_hardware) struct node_hardware hardware;

        if (survey_parse(strbuf_text(&asked[i].answer), &hardware, NULL) == 0)
            fn(ctx, hostlist_get(hosts, first + i), &hardware);
        end(&asked[i]);
    }
    return n;
}

void survey_hosts(const struct hostlist *hosts, survey_fn *fn, void *ctx)
{
    int64_t until_ms = clock_mono_ms() + SURVEY_MS;

    for (uint32_t at = 0; at < hostlist_count(hosts) && clock_mono_ms() < until_ms;)
        at += survey_some(hosts, at, until_ms, fn, ctx);
}
