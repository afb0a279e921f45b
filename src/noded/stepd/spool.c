#include "noded/stepd/spool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "common/base/file_io.h"
#include "noded/stepd/spare.h"

#define CTL_BACKLOG 4
#define BLOCK_BYTES 4096
#define SPARE       "spare"

static const struct {
    const char *whole, *aside;
} files[] = {
    { "launch", "launch.new" },
    { "cgroup", "cgroup.new" },
    { "result", "result.new" },
};

static const struct {
    uint32_t id;
    const char *word;
} words[] = {
    { STEP_BATCH, "batch" },
    { STEP_EXTERN, "extern" },
    { STEP_INTERACTIVE, "interactive" },
};

void step_word(uint32_t step_id, char ret[SPOOL_NAME_MAX])
{
    for (size_t i = 0; i < ARRAY_N(words); i++) {
        if (words[i].id == step_id) {
            snprintf(ret, SPOOL_NAME_MAX, "%s", words[i].word);
            return;
        }
    }
    snprintf(ret, SPOOL_NAME_MAX, "%u", step_id);
}

void step_title(uint32_t job_id, uint32_t step_id, char ret[SPOOL_NAME_MAX])
{
    char word[SPOOL_NAME_MAX];

    step_word(step_id, word);
    snprintf(ret, SPOOL_NAME_MAX, "%u.%.12s", job_id, word);
}

void spool_name_format(const struct spool_name *name, char ret[SPOOL_NAME_MAX])
{
    char title[SPOOL_NAME_MAX];

    step_title(name->job_id, name->step_id, title);
    snprintf(ret, SPOOL_NAME_MAX, "%.24s.%u", title, name->launch_number);
}

static bool take_number(const char **at, uint32_t *ret)
{
    char *end;

    if (**at < '0' || **at > '9')
        return false;
    unsigned long long number = strtoull(*at, &end, 10);
    *at = end;
    *ret = (uint32_t)number;
    return number <= UINT32_MAX;
}

static bool take_step(const char **at, uint32_t *ret)
{
    for (size_t i = 0; i < ARRAY_N(words); i++) {
        size_t n = strlen(words[i].word);

        if (strncmp(*at, words[i].word, n) == 0) {
            *at += n;
            *ret = words[i].id;
            return true;
        }
    }
    return take_number(at, ret);
}

bool spool_name_parse(const char *text, struct spool_name *ret)
{
    struct spool_name name;
    const char *at = text;

    if (!take_number(&at, &name.job_id) || *at++ != '.' || !take_step(&at, &name.step_id) ||
        *at++ != '.' || !take_number(&at, &name.launch_number) || *at)
        return false;
    *ret = name;
    return true;
}

static uint32_t number_of(const struct spool_name *name)
{
    return name->job_id + name->step_id + name->launch_number;
}

int spool_make(int steps_fd, const struct spool_name *name, int *ret_fd, struct err *err)
{
    char text[SPOOL_NAME_MAX];

    spool_name_format(name, text);
    if (!spare_take(steps_fd, SPARE, number_of(name), text) && mkdirat(steps_fd, text, 0700) < 0)
        return err_set(err, errno, "cannot make the record of step %s: %s", text, strerror(errno));
    return spool_open(steps_fd, name, ret_fd, err);
}

int spool_open(int steps_fd, const struct spool_name *name, int *ret_fd, struct err *err)
{
    char text[SPOOL_NAME_MAX];
    int fd;

    spool_name_format(name, text);
    fd = openat(steps_fd, text, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return err_set(err, errno, "cannot open the record of step %s: %s", text, strerror(errno));
    *ret_fd = fd;
    return 0;
}

int spool_remove(int steps_fd, const struct spool_name *name, bool has_socket, struct err *err)
{
    char text[SPOOL_NAME_MAX];
    AUTO_CLOSE int fd = -1;
    int rc = spool_open(steps_fd, name, &fd, err);

    if (rc < 0)
        return rc;
    spool_name_format(name, text);
    /* The record becomes what it was before its launch was written. */
    if (!has_socket)
        (void)unlinkat(fd, SPOOL_SOCKET, 0);
    for (size_t i = 0; i < ARRAY_N(files); i++)
        (void)renameat(fd, files[i].whole, fd, files[i].aside);
    if (spare_keep(steps_fd, SPARE, number_of(name), text))
        return 1;
    (void)unlinkat(fd, SPOOL_SOCKET, 0);
    for (size_t i = 0; i < ARRAY_N(files); i++)
        (void)unlinkat(fd, files[i].aside, 0); /* what is still there makes the next line fail */
    if (unlinkat(steps_fd, text, AT_REMOVEDIR) < 0)
        return err_set(err, errno, "cannot remove the record of step %s: %s", text,
                       strerror(errno));
    return 0;
}

int spool_replace(int fd, const void *bytes, size_t n)
{
    const size_t whole = (n + BLOCK_BYTES - 1) / BLOCK_BYTES * BLOCK_BYTES;
    AUTO_FREE char *blocks = xcalloc(1, whole + 1);

    if (n)
        memcpy(blocks, bytes, n);
    int rc = write_all(fd, blocks, whole);
    if (rc == 0 && ftruncate(fd, (off_t)n) < 0)
        rc = -errno;
    return rc;
}

/* Opens the file aside. Fails with -EPERM for what is not a file of its own: where SlurmUser may
 * write, too, that name may be a second one of another file. */
static int open_aside(int fd, const char *aside)
{
    AUTO_CLOSE int out = openat(fd, aside, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
    struct stat status;

    if (out < 0)
        return -errno;
    if (fstat(out, &status) < 0 || !S_ISREG(status.st_mode) || status.st_nlink != 1 ||
        status.st_uid != geteuid())
        return -EPERM;
    return steal_fd(&out);
}

int spool_write(int fd, const char *file, const void *bytes, size_t n, struct err *err)
{
    AUTO_FREE char *aside = xasprintf("%s.new", file);
    AUTO_CLOSE int out = open_aside(fd, aside);
    int rc = out < 0 ? out : spool_replace(out, bytes, n);

    if (rc == 0 && renameat(fd, aside, fd, file) < 0)
        rc = -errno;
    if (rc < 0)
        return err_set(err, -rc, "cannot write %s: %s", file, strerror(-rc));
    return 0;
}

int spool_read(int fd, const char *file, struct strbuf *text, struct err *err)
{
    AUTO_CLOSE int in = openat(fd, file, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    ssize_t n = 1;

    if (in < 0)
        return err_set(err, errno, "cannot open %s: %s", file, strerror(errno));
    while (n > 0 && text->len <= SPOOL_FILE_MAX) {
        n = read(in, strbuf_reserve(text, 4096), 4096);
        if (n > 0)
            strbuf_grown(text, (size_t)n);
    }
    if (n < 0)
        return err_set(err, errno, "cannot read %s: %s", file, strerror(errno));
    if (text->len > SPOOL_FILE_MAX)
        return err_set(err, E_TOO_BIG, "%s has more than %u bytes", file, SPOOL_FILE_MAX);
    return 0;
}

int spool_write_result(int fd, const struct step_report *report, struct err *err)
{
    AUTO(strbuf) struct strbuf bytes = { 0 };

    schema_encode(step_report_schema(), report, &bytes);
    return spool_write(fd, "result", bytes.data, bytes.len, err);
}

static bool is_of(const struct step_report *report, const struct spool_name *name)
{
    return report->job_id == name->job_id && report->step_id == name->step_id &&
           report->launch_number == name->launch_number;
}

int spool_read_result(int fd, const struct spool_name *name, struct step_report *ret_report,
                      struct err *err)
{
    AUTO(strbuf) struct strbuf bytes = { 0 };
    int rc = spool_read(fd, "result", &bytes, err);

    if (rc == -ENOENT)
        return 0;
    if (rc == 0)
        rc = schema_decode(step_report_schema(), bytes.data, bytes.len, ret_report, err);
    if (rc < 0)
        return rc;
    if (is_of(ret_report, name))
        return 1;
    step_report_clear(ret_report);
    return 0;
}

/* Returns the address by descriptor: a socket's path has at most 107 bytes, a spool directory may
 * have more. */
static socklen_t ctl_address(int fd, struct sockaddr_un *ret)
{
    *ret = (struct sockaddr_un){ .sun_family = AF_UNIX };
    snprintf(ret->sun_path, sizeof(ret->sun_path), "/proc/self/fd/%d/" SPOOL_SOCKET, fd);
    return sizeof(*ret);
}

int spool_listen(int fd, int *ret_socket, struct err *err)
{
    AUTO_CLOSE int sock = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    struct sockaddr_un address;
    socklen_t n = ctl_address(fd, &address);

    if (sock < 0 || bind(sock, (struct sockaddr *)&address, n) < 0 || listen(sock, CTL_BACKLOG) < 0)
        return err_set(err, errno, "cannot make a step's control socket: %s", strerror(errno));
    *ret_socket = steal_fd(&sock);
    return 0;
}

int spool_call(int fd, int *ret_socket, struct err *err)
{
    AUTO_CLOSE int sock = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    struct sockaddr_un address;
    socklen_t n = ctl_address(fd, &address);

    if (sock < 0 || connect(sock, (struct sockaddr *)&address, n) < 0)
        return err_set(err, errno, "no step daemon answers: %s", strerror(errno));
    *ret_socket = steal_fd(&sock);
    return 0;
}
