/*
 * enter.c - runs a command in a host, as ssh would: exit status, streams, terminal, signals, users.
 *
 *     enter [-u USER] [-d DIR] [-e K=V]... HOST COMMAND...
 *     enter -b [-l FILE] ... HOST COMMAND...   detached, output to FILE there; prints its process
 * id there
 *
 * `hosts up` compiles it into the cluster's directory, beside the files that say where each host
 * is. Tests run thousands of commands in hosts, and an interpreter takes twenty times as long to
 * start as this does.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define FAILED       125
#define NOT_RUNNABLE 126
#define NOT_FOUND    127
#define BY_SIGNAL    128
#define SETTINGS_MAX 64
#define CGROUPS_MAX  32
#define FIELDS       22 /* of /proc/PID/stat, up to when it began */
#define SYSTEM_PATH  "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
#define NAMESPACES   (CLONE_NEWNS | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWNET | CLONE_NEWCGROUP)

struct command {
    const char *user, *directory, *output, *host;
    char *settings[SETTINGS_MAX];
    int settings_n;
    bool detached;
    char **argv;
    /* of the host: */
    pid_t pid;
    unsigned long long start;
    char bin[4096]; /* what comes first on its PATH, or nothing */
    char *cgroups[CGROUPS_MAX];
    int cgroups_n;
    int pidfd;
};

static int error_fd = STDERR_FILENO;

static _Noreturn void fail(int status, const char *what, const char *why)
{
    dprintf(error_fd, "hosts: %s%s%s\n", what, why ? ": " : "", why ? why : "");
    _exit(status);
}

static void parse(struct command *command, int argc, char **argv)
{
    int option;

    command->user = "root";
    while ((option = getopt(argc, argv, "+u:d:e:l:b")) != -1) {
        switch (option) {
        case 'u':
            command->user = optarg;
            break;
        case 'd':
            command->directory = optarg;
            break;
        case 'l':
            command->output = optarg;
            break;
        case 'b':
            command->detached = true;
            break;
        case 'e':
            if (!strchr(optarg, '=') || command->settings_n == SETTINGS_MAX)
                fail(FAILED, "option '-e'", optarg);
            command->settings[command->settings_n++] = optarg;
            break;
        default:
            _exit(FAILED);
        }
    }
    if (argc - optind < 2)
        fail(FAILED, "a host and a command are wanted", NULL);
    command->host = argv[optind];
    command->argv = argv + optind + 1;
}

/* When `pid` began, in the kernel's ticks; 0 if there is no such process. */
static unsigned long long start_time(pid_t pid)
{
    char path[64], line[2048] = "", *at;
    unsigned long long start = 0;
    FILE *file;

    snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
    file = fopen(path, "re");
    if (!file)
        return 0;
    at = fgets(line, sizeof(line), file) ? strrchr(line, ')') : NULL;
    for (int field = 2; at && field < FIELDS; field++)
        at = strchr(at + 1, ' ');
    if (at)
        start = strtoull(at, NULL, 10);
    fclose(file);
    return start;
}

/* The host's file is beside the program: process and its beginning, what is first on PATH, cgroups;
 * a line each. */
static void find_host(struct command *command)
{
    char path[4096], line[4096];
    ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 300);
    int pid = 0;
    FILE *file;

    if (n < 0)
        fail(FAILED, "/proc/self/exe", strerror(errno));
    path[n] = '\0';
    snprintf(strrchr(path, '/'), 300, "/host.%s", command->host);
    file = strchr(command->host, '/') ? NULL : fopen(path, "re");
    if (!file)
        fail(FAILED, command->host, "no host that is on");
    if (!fgets(line, sizeof(line), file) || sscanf(line, "%d %llu", &pid, &command->start) != 2)
        fail(FAILED, path, "is not understood");
    command->pid = pid;
    if (fgets(command->bin, sizeof(command->bin), file))
        command->bin[strcspn(command->bin, "\n")] = '\0';
    while (command->cgroups_n < CGROUPS_MAX && fgets(line, sizeof(line), file)) {
        line[strcspn(line, "\n")] = '\0';
        command->cgroups[command->cgroups_n++] = strdup(line);
    }
    fclose(file);
    command->pidfd = (int)syscall(SYS_pidfd_open, command->pid, 0);
    if (command->pidfd < 0 || start_time(command->pid) != command->start)
        fail(FAILED, command->host, "the host is off");
}

/* In a child that is in the host's process namespace already: joins the rest. */
static void join_host(const struct command *command)
{
    for (int i = 0; i < command->cgroups_n; i++) {
        char path[4200];
        int fd;

        snprintf(path, sizeof(path), "%s/cgroup.procs", command->cgroups[i]);
        fd = open(path, O_WRONLY | O_CLOEXEC);
        if (fd < 0 || write(fd, "0", 1) != 1)
            fail(FAILED, path, strerror(errno));
        close(fd);
    }
    if (setns(command->pidfd, NAMESPACES) < 0)
        fail(FAILED, "setns", strerror(errno));
}

static void set_environment(const struct command *command, const struct passwd *entry)
{
    static const char *const passed_on[] = { "TERM", "ASAN_OPTIONS", "UBSAN_OPTIONS",
                                             "LSAN_OPTIONS", "TSAN_OPTIONS" };
    const char *values[sizeof(passed_on) / sizeof(*passed_on)];
    char path[sizeof(command->bin) + sizeof(SYSTEM_PATH) + 1];

    for (size_t i = 0; i < sizeof(passed_on) / sizeof(*passed_on); i++)
        values[i] = getenv(passed_on[i]);
    clearenv();
    for (size_t i = 0; i < sizeof(passed_on) / sizeof(*passed_on); i++) {
        if (values[i])
            setenv(passed_on[i], values[i], 1);
    }
    snprintf(path, sizeof(path), "%s%s%s", command->bin, command->bin[0] ? ":" : "", SYSTEM_PATH);
    setenv("PATH", path, 1);
    setenv("LANG", "C.UTF-8", 1);
    setenv("HOME", entry->pw_dir, 1);
    setenv("USER", command->user, 1);
    setenv("LOGNAME", command->user, 1);
    setenv("SHELL", "/bin/bash", 1);
    for (int i = 0; i < command->settings_n; i++)
        putenv(command->settings[i]);
}

/* Names are looked up in the host's own files. */
static void become_user(const struct command *command)
{
    const struct passwd *entry = getpwnam(command->user);

    if (!entry)
        fail(FAILED, command->user, "the host has no such user");
    if (initgroups(command->user, entry->pw_gid) < 0 ||
        setresgid(entry->pw_gid, entry->pw_gid, entry->pw_gid) < 0 ||
        setresuid(entry->pw_uid, entry->pw_uid, entry->pw_uid) < 0)
        fail(FAILED, command->user, strerror(errno));
    umask(022);
    if (command->directory && chdir(command->directory) < 0)
        fail(FAILED, command->directory, strerror(errno));
    if (!command->directory && chdir(entry->pw_dir) < 0 && chdir("/") < 0)
        fail(FAILED, "/", strerror(errno));
    set_environment(command, entry);
}

static _Noreturn void execute(const struct command *command)
{
    sigset_t none;

    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    signal(SIGINT, SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    execvp(command->argv[0], command->argv);
    fail(errno == ENOENT ? NOT_FOUND : NOT_RUNNABLE, command->argv[0],
         errno == ENOENT ? "not found in the host" : strerror(errno));
}

static pid_t fork_or_fail(void)
{
    pid_t pid = fork();

    if (pid < 0)
        fail(FAILED, "fork", strerror(errno));
    return pid;
}

/* Below 0 while it lives. A stopped child stops us as well, so that the shell sees it. */
static int status_of(pid_t child)
{
    int status;

    if (waitpid(child, &status, WNOHANG | WUNTRACED) != child)
        return -1;
    if (WIFSTOPPED(status)) {
        kill(getpid(), SIGSTOP);
        kill(child, SIGCONT); /* we go on, so it does */
        return -1;
    }
    return WIFSIGNALED(status) ? BY_SIGNAL + WTERMSIG(status) : WEXITSTATUS(status);
}

/* What the terminal sends reaches the child too; what a process sends is passed on. */
static int attend(pid_t child, const sigset_t *watched)
{
    for (;;) {
        siginfo_t info;

        if (sigwaitinfo(watched, &info) < 0)
            continue;
        if (info.si_signo == SIGCHLD) {
            int status = status_of(child);

            if (status >= 0)
                return status;
        } else if (info.si_code <= 0 || info.si_signo == SIGCONT) {
            kill(child, info.si_signo);
        }
    }
}

static int run(const struct command *command)
{
    static const int left[] = { SIGTTIN, SIGTTOU, SIGWINCH, SIGSEGV };
    sigset_t watched;
    pid_t child;

    sigfillset(&watched);
    for (size_t i = 0; i < sizeof(left) / sizeof(*left); i++)
        sigdelset(&watched, left[i]);
    sigprocmask(SIG_SETMASK, &watched, NULL);
    child = fork_or_fail();
    if (child == 0) {
        join_host(command);
        become_user(command);
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        execute(command);
    }
    return attend(child, &watched);
}

static _Noreturn void run_in_background(const struct command *command)
{
    int target = open(command->output ? command->output : "/dev/null",
                      O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);

    if (target < 0 || nothing < 0)
        fail(FAILED, command->output ? command->output : "/dev/null", strerror(errno));
    setsid();
    dup2(nothing, STDIN_FILENO);
    dup2(target, STDOUT_FILENO);
    dup2(target, STDERR_FILENO);
    become_user(command);
    execute(command);
}

/* Its child outlives it and so goes to the host's first process. */
static _Noreturn void start_from_within(const struct command *command)
{
    char wrong[1000];
    int ends[2];
    pid_t child;
    ssize_t n;

    join_host(command);
    if (pipe2(ends, O_CLOEXEC) < 0)
        fail(FAILED, "pipe", strerror(errno));
    child = fork_or_fail();
    if (child == 0) {
        error_fd = ends[1];
        run_in_background(command);
    }
    close(ends[1]);
    n = read(ends[0], wrong, sizeof(wrong)); /* closed by a successful exec */
    if (n <= 0)
        dprintf(STDOUT_FILENO, "%d\n", (int)child);
    else if (write(STDERR_FILENO, wrong, (size_t)n) < 0)
        _exit(FAILED);
    _exit(n > 0 ? FAILED : EXIT_SUCCESS);
}

static int start(const struct command *command)
{
    pid_t child = fork_or_fail();
    int status;

    if (child == 0)
        start_from_within(command);
    if (waitpid(child, &status, 0) != child)
        return FAILED;
    return WIFEXITED(status) ? WEXITSTATUS(status) : FAILED;
}

int main(int argc, char **argv)
{
    static struct command command;

    parse(&command, argc, argv);
    find_host(&command);
    if (setns(command.pidfd, CLONE_NEWPID) < 0)
        fail(FAILED, "setns", strerror(errno));
    return command.detached ? start(&command) : run(&command);
}
