#include "cli/submit/environment.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pwd.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/base/clock.h"
#include "common/msg/common.h"

#define DEFAULT_PATH "/usr/local/bin:/usr/bin:/bin:/usr/local/games:/usr/games"

/* The mark that comes after what profile scripts print. */
#define MARK "sluice-login-environment"

static void add_basics(struct environment *environment, const struct passwd *user)
{
    environment_set(environment, "HOME", "%s", user->pw_dir);
    environment_set(environment, "USER", "%s", user->pw_name);
    environment_set(environment, "LOGNAME", "%s", user->pw_name);
    environment_set(environment, "SHELL", "%s", user->pw_shell[0] ? user->pw_shell : "/bin/sh");
    environment_set(environment, "PATH", "%s", DEFAULT_PATH);
}

static NO_RETURN void run_shell(const struct environment *environment, int out)
{
    const char *shell = environment_get(environment, "SHELL");
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);

    setsid();
    signal(SIGPIPE, SIG_DFL);
    if (dup2(null, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0 ||
        dup2(null, STDERR_FILENO) < 0)
        _exit(126);
    execle(shell, shell, "-l", "-c", "printf '\\0%s\\0' " MARK "; env -0", (char *)NULL,
           environment->at);
    _exit(127);
}

static int read_until(int fd, int timeout_s, struct strbuf *out, struct err *err)
{
    int64_t deadline = clock_mono_ms() + (int64_t)timeout_s * 1000;

    for (;;) {
        struct pollfd ready = { .fd = fd, .events = POLLIN };
        int64_t left = deadline - clock_mono_ms();
        ssize_t n = 0;

        if (left <= 0 || poll(&ready, 1, (int)left) == 0)
            return err_set(err, ETIMEDOUT, "the login shell has not answered in %d s", timeout_s);
        n = read(fd, strbuf_reserve(out, 65536), 65536);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return 0;
        strbuf_grown(out, (size_t)n);
        if (out->len > BLOB_MAX)
            return err_set(err, E_TOO_BIG, "the login shell prints more than %u bytes", BLOB_MAX);
    }
}

static int take(struct environment *environment, const struct strbuf *text, struct err *err)
{
    const char *end = text->data + text->len;
    const char *at = text->len ? memmem(text->data, text->len, "\0" MARK, sizeof(MARK)) : NULL;

    if (!at)
        return err_set(err, E_PROTO, "the login shell does not run commands");
    for (at += sizeof(MARK) + 1; at < end; at += strlen(at) + 1) {
        size_t n = strcspn(at, "=");
        AUTO_FREE char *name = xstrndup(at, n);

        if (at[n] == '=' && strcmp(name, "_") != 0 && strcmp(name, "SHLVL") != 0 &&
            strcmp(name, "PWD") != 0)
            environment_set(environment, name, "%s", at + n + 1);
    }
    return 0;
}

int environment_login(struct environment *environment, int timeout_s, struct err *err)
{
    const struct passwd *user = getpwuid(getuid());
    AUTO(strbuf) struct strbuf text = { 0 };
    int fds[2], rc;
    pid_t pid;

    if (!user)
        return err_set(err, E_USER_ID, "uid %u is not a user of this host", (unsigned)getuid());
    add_basics(environment, user);
    if (pipe2(fds, O_CLOEXEC) < 0)
        return err_set(err, errno, "pipe: %s", strerror(errno));
    pid = fork();
    if (pid == 0)
        run_shell(environment, fds[1]);
    close(fds[1]);
    rc = pid < 0 ? err_set(err, errno, "fork: %s", strerror(errno))
                 : read_until(fds[0], timeout_s, &text, err);
    close(fds[0]);
    if (pid > 0) {
        if (rc < 0)
            kill(-pid, SIGKILL), kill(pid, SIGKILL); /* the first fails before its setsid */
        waitpid(pid, NULL, 0);
    }
    return rc < 0 ? rc : take(environment, &text, err);
}
