#include "noded/stepd/task_hook.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define OUTPUT_MAX (1u << 20)

#define EXEC_FAILED  127 /* exit code, as of a shell */
#define LIMIT_PREFIX "SLURM_RLIMIT_"

void task_hook_add_limits(struct task_env *env, const struct launch_body *body)
{
    for (uint32_t i = 0; i < body->limits_n; i++) {
        const char *limit = rlimit_name(body->limits[i].resource);
        AUTO_FREE char *name = limit ? xasprintf(LIMIT_PREFIX "%s", limit) : NULL;

        if (name)
            task_env_set(env, name, "%" PRIu64, body->limits[i].soft);
    }
}

void task_hook_drop_limits(struct task_env *env, const struct launch_body *body)
{
    for (uint32_t i = 0; i < body->limits_n; i++) {
        const char *limit = rlimit_name(body->limits[i].resource);
        AUTO_FREE char *name = limit ? xasprintf(LIMIT_PREFIX "%s", limit) : NULL;

        if (name)
            task_env_unset(env, name);
    }
}

/* Returns what follows the word and blanks, or NULL when the line begins otherwise. */
static const char *after(const char *line, const char *word)
{
    const size_t n = strlen(word);

    if (strncmp(line, word, n) != 0 || line[n] != ' ')
        return NULL;
    return line + n + strspn(line + n, " ");
}

const char *task_hook_line(struct task_env *env, const char *line)
{
    const char *rest;

    if ((rest = after(line, "export")))
        task_env_add(env, rest);
    else if ((rest = after(line, "unset")))
        task_env_unset(env, rest);
    return after(line, "print");
}

static void take_output(struct task_env *env, const char *text)
{
    while (*text) {
        const size_t n = strcspn(text, "\n");
        AUTO_FREE char *line = xstrndup(text, n);
        const char *print = task_hook_line(env, line);

        if (print && *print)
            dprintf(STDOUT_FILENO, "%s\n", print);
        text += n + (text[n] == '\n');
    }
}

static NO_RETURN void execute(const char *path, const struct task_env *env, int out, bool quiet)
{
    char *argv[] = { (char *)(uintptr_t)path, NULL };
    AUTO_FREE char **array = task_env_array(env);
    const int null = open("/dev/null", O_RDWR | O_CLOEXEC);

    (void)dup2(null, STDIN_FILENO);
    (void)dup2(quiet ? null : out, STDOUT_FILENO);
    if (quiet)
        (void)dup2(null, STDERR_FILENO);
    execve(path, argv, array);
    if (!quiet)
        dprintf(STDERR_FILENO, "slurmstepd: error: execve(): %s: %s\n", path, strerror(errno));
    _exit(EXEC_FAILED);
}

/* Reads to the end, or the program would die of a pipe that nobody reads; what is too much is
 * dropped. */
static void read_all(int fd, struct strbuf *text)
{
    char bytes[4096];
    ssize_t n;

    while ((n = read(fd, bytes, sizeof(bytes))) != 0) {
        if (n > 0 && text->len < OUTPUT_MAX)
            strbuf_add(text, bytes, (size_t)n);
        else if (n < 0 && errno != EINTR)
            return;
    }
}

/* Says how the program ended abnormally. What is no failure of the program's counts as 1. */
static int say_abnormal(const char *what, const char *node, const char *reason)
{
    dprintf(STDERR_FILENO, "slurmstepd-%s: error: %s did not exit normally. reason: %s\n", node,
            what, reason);
    return EXIT_FAILURE;
}

static int say_forbidden(const char *path, const char *what, const char *node)
{
    dprintf(STDERR_FILENO, "slurmstepd-%s: error: run_command: %s can not be executed (%s) %s\n",
            node, what, path, strerror(errno));
    return say_abnormal(what, node, "Run command failed - configuration error");
}

static int run_prolog(const char *path, const char *what, const char *node, struct task_env *env)
{
    AUTO(strbuf) struct strbuf text = { 0 };
    int pair[2], status = 0;
    pid_t pid;

    if (access(path, R_OK | X_OK) < 0)
        return say_forbidden(path, what, node);
    task_env_set(env, "SLURM_SCRIPT_CONTEXT", "prolog_task");
    if (pipe2(pair, O_CLOEXEC) < 0 || (pid = fork()) < 0)
        return errno;
    if (pid == 0)
        execute(path, env, pair[1], false);
    close(pair[1]);
    read_all(pair[0], &text);
    close(pair[0]);
    (void)waitpid(pid, &status, 0);
    task_env_unset(env, "SLURM_SCRIPT_CONTEXT");
    take_output(env, strbuf_text(&text));
    if (WIFSIGNALED(status))
        return say_abnormal(what, node, strsignal(WTERMSIG(status)));
    return WEXITSTATUS(status);
}

int task_prolog_run(const char *path, bool own, const char *node, struct task_env *env)
{
    const int code = run_prolog(path, own ? "user task_prolog" : "slurm task_prolog", node, env);

    if (code)
        dprintf(STDERR_FILENO, "slurmstepd-%s: error: %s failed status=%d\n", node,
                own ? "--task-prolog" : "TaskProlog", code);
    return code;
}

pid_t task_epilog_start(const char *path, struct task_env *env)
{
    pid_t pid;

    if (access(path, R_OK | X_OK) < 0)
        return -EACCES;
    task_env_set(env, "SLURM_SCRIPT_CONTEXT", "epilog_task");
    pid = fork();
    if (pid == 0) {
        (void)setpgid(0, 0);
        (void)signal(SIGPIPE, SIG_DFL);
        execute(path, env, -1, true);
    }
    return pid < 0 ? -errno : pid;
}
