#include "common/base/log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

#include "common/base/plain.h"
#include "common/base/safe_path.h"
#include "common/base/strbuf.h"

struct log {
    const char *name;
    enum log_level level;
    bool is_daemon;
    bool to_stderr;
    int fd; /* the file, or -1 */
};

static const char *const level_names[] = {
    "quiet", "fatal", "error", "info", "verbose", "debug", "debug2", "debug3", "debug4", "debug5",
};

static struct log *log_new(const char *name, enum log_level level, bool is_daemon)
{
    struct log *log = xcalloc(1, sizeof(*log));

    *log = (struct log){
        .name = name, .level = level, .is_daemon = is_daemon, .to_stderr = true, .fd = -1
    };
    return log;
}

struct log *log_new_command(const char *name, enum log_level level)
{
    return log_new(name, level, false);
}

struct log *log_new_daemon(const char *name, enum log_level level)
{
    return log_new(name, level, true);
}

static void go_on_in(struct log *log, int fd)
{
    if (log->fd >= 0)
        close(log->fd);
    else
        log->to_stderr = false;
    log->fd = fd;
}

int log_open(struct log *log, const char *path, struct err *err)
{
    const struct safe_file file = { O_WRONLY | O_APPEND, 0600, (uid_t)-1, (gid_t)-1 };
    int fd = safe_open(path, &file, err);

    if (fd < 0)
        return err_prefix(err, "log file %s", path);
    go_on_in(log, fd);
    return 0;
}

int log_use(struct log *log, int fd, struct err *err)
{
    int copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);

    if (copy < 0)
        return err_set(err, errno, "cannot go on in another log file: %s", strerror(errno));
    go_on_in(log, copy);
    return 0;
}

int log_fd(const struct log *log)
{
    return log->fd;
}

void log_set_stderr(struct log *log, bool on)
{
    log->to_stderr = on;
}

void log_set_level(struct log *log, enum log_level level)
{
    log->level = level;
}

enum log_level log_get_level(const struct log *log)
{
    return log->level;
}

int log_level_parse(const char *text, enum log_level *ret_level)
{
    char *end;
    long number = strtol(text, &end, 10);

    if (*text && !*end && number >= LOG_QUIET && number <= LOG_DEBUG5) {
        *ret_level = (enum log_level)number;
        return 0;
    }
    for (unsigned i = 0; i < ARRAY_N(level_names); i++) {
        if (strcasecmp(text, level_names[i]) == 0) {
            *ret_level = (enum log_level)i;
            return 0;
        }
    }
    return -EINVAL;
}

const char *log_level_name(enum log_level level)
{
    return level_names[level];
}

struct log *log_free(struct log *log)
{
    if (log && log->fd >= 0)
        close(log->fd);
    free(log);
    return NULL;
}

static void add_stamp(struct strbuf *line)
{
    struct timespec now;
    struct tm local;
    char text[32];

    clock_gettime(CLOCK_REALTIME, &now);
    localtime_r(&now.tv_sec, &local);
    strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S", &local);
    strbuf_addf(line, "[%s.%03ld] ", text, now.tv_nsec / 1000000);
}

static void write_line(int fd, const struct strbuf *line)
{
    if (write(fd, line->data, line->len) < 0) {
        /* A log that cannot be written has nowhere to say so. */
    }
}

void log_at(struct log *log, enum log_level level, const char *fmt, ...)
{
    AUTO(strbuf) struct strbuf line = { 0 };
    size_t from;
    va_list args;

    if (!log || level > log->level)
        return;
    if (log->is_daemon)
        add_stamp(&line);
    else
        strbuf_addf(&line, "%s: ", log->name);
    if (level != LOG_INFO && level != LOG_VERBOSE)
        strbuf_addf(&line, "%s: ", level_names[level]);
    from = line.len;
    va_start(args, fmt);
    strbuf_vaddf(&line, fmt, args);
    va_end(args);
    if (log->is_daemon) /* whose every line begins with its time */
        plain_escape(&line, from);
    else
        plain_escape_lines(&line, from);
    strbuf_addc(&line, '\n');

    if (log->fd >= 0)
        write_line(log->fd, &line);
    if (log->to_stderr)
        write_line(STDERR_FILENO, &line);
}
