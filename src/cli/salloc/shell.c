#include "cli/salloc/shell.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

void shell_give_terminal(pid_t pid)
{
    if (isatty(STDIN_FILENO))
        tcsetpgrp(STDIN_FILENO, pid);
}

void shell_take_terminal(void)
{
    shell_give_terminal(getpgrp());
}

static NO_RETURN void run_child(char *const *argv, const struct environment *environment,
                                int report)
{
    static const int own[] = { SIGINT,  SIGQUIT, SIGTERM, SIGHUP,  SIGUSR1, SIGUSR2, SIGALRM,
                               SIGTSTP, SIGTTIN, SIGTTOU, SIGPIPE, SIGCHLD, SIGCONT };
    sigset_t none;
    int code;

    setpgid(0, 0);
    signal(SIGTTOU, SIG_IGN);
    shell_give_terminal(getpid());
    for (size_t i = 0; i < ARRAY_N(own); i++)
        signal(own[i], SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    execvpe(argv[0], argv, environment->at);
    code = errno;
    if (write(report, &code, sizeof(code)) < 0)
        _exit(126);
    _exit(127);
}

int shell_start(char *const *argv, const struct environment *environment, pid_t *ret_pid,
                struct err *err)
{
    int fds[2], code = 0;
    pid_t pid;

    if (pipe2(fds, O_CLOEXEC) < 0)
        return err_set(err, errno, "pipe: %s", strerror(errno));
    pid = fork();
    if (pid == 0)
        run_child(argv, environment, fds[1]);
    close(fds[1]);
    if (pid < 0)
        code = errno;
    else if (read(fds[0], &code, sizeof(code)) < 0)
        code = 0;
    close(fds[0]);
    if (pid > 0)
        setpgid(pid, pid);
    if (code == ENOENT)
        return err_set(err, code, "Unable to find command \"%.200s\"", argv[0]);
    if (code != 0)
        return err_set(err, code, "Unable to run \"%.200s\": %s", argv[0], strerror(code));
    *ret_pid = pid;
    return 0;
}
