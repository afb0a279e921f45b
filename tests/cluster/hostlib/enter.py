"""Running a command in a host, as `ssh` would: exit status, streams, terminal, signals, users."""
import os
import pwd
import signal

from . import cgroups, kernel, store

FAILED = 125
PASSED_ON = ("TERM", "ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS", "TSAN_OPTIONS")
SYSTEM_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


class Command:
    """What to run, where and as whom."""

    def __init__(self, cluster, host, argv, user="root", directory=None, settings=()):
        self.cluster = cluster
        self.host = host
        self.argv = argv
        self.user = user
        self.directory = directory
        self.settings = settings
        self.info = store.host(cluster, host)
        self.pidfd = os.pidfd_open(self.info["pid"])
        if kernel.start_time(self.info["pid"]) != self.info["start"]:
            raise store.HostsError(f"host {host}: is off")
        self.has_bin = store.read_value(store.path(cluster, "known"))["bin"]

    def enter(self):
        """In a child that is in the host's process namespace already: join the rest."""
        cgroups.join(self.info["cgroups"])
        kernel.setns(self.pidfd, kernel.NAMESPACES)

    def become_user(self):
        """Names are looked up in the host's own files."""
        try:
            entry = pwd.getpwnam(self.user)
        except KeyError:
            raise store.HostsError(f"host {self.host}: no user '{self.user}'") from None
        os.setgroups(os.getgrouplist(self.user, entry.pw_gid))
        os.setresgid(entry.pw_gid, entry.pw_gid, entry.pw_gid)
        os.setresuid(entry.pw_uid, entry.pw_uid, entry.pw_uid)
        os.umask(0o022)
        self.change_directory(entry.pw_dir)
        return self.environment(entry)

    def change_directory(self, home):
        if self.directory:
            os.chdir(self.directory)
            return
        try:
            os.chdir(home)
        except OSError:
            os.chdir("/")

    def environment(self, entry):
        path = f"{store.BIN}:{SYSTEM_PATH}" if self.has_bin else SYSTEM_PATH
        env = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
        env |= {"PATH": path, "LANG": "C.UTF-8", "HOME": entry.pw_dir, "USER": self.user,
                "LOGNAME": self.user, "SHELL": "/bin/bash"}
        env |= dict(setting.split("=", 1) for setting in self.settings)
        return env

    def execute(self, env, error_fd=2):
        """Never returns; says on `error_fd` why not."""
        for number in (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGINT):
            signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, ())
        try:
            os.execvpe(self.argv[0], self.argv, env)
        except FileNotFoundError:
            _complain(f"{self.argv[0]}: not found in host {self.host}", error_fd)
            os._exit(127)
        except OSError as error:
            _complain(f"{self.argv[0]}: {error.strerror}", error_fd)
            os._exit(126)


def _complain(text, fd=2):
    os.write(fd, f"hosts: {text}\n".encode())


def _guarded(step, *args):
    """Runs `step` in a child that must not return into the parent's code."""
    try:
        step(*args)
    except (OSError, store.HostsError, ValueError) as error:
        _complain(error)
    finally:
        os._exit(FAILED)


def run(command):
    """Runs it, passing signals on; returns its exit status."""
    watched = set(signal.valid_signals()) - {signal.SIGKILL, signal.SIGSTOP, signal.SIGTTIN,
                                             signal.SIGTTOU, signal.SIGWINCH, signal.SIGSEGV}
    signal.pthread_sigmask(signal.SIG_BLOCK, watched)
    kernel.setns(command.pidfd, kernel.CLONE_NEWPID)
    child = os.fork()
    if child == 0:
        _guarded(_as_foreground, command)
    return _attend(child, watched)


def _as_foreground(command):
    command.enter()
    env = command.become_user()
    kernel.die_with_parent(signal.SIGKILL)
    command.execute(env)


def _attend(child, watched):
    """What the terminal sends reaches the child too; what a process sends is passed on."""
    while True:
        info = signal.sigwaitinfo(watched)
        if info.si_signo == signal.SIGCHLD:
            status = _child_status(child)
            if status is not None:
                return status
        elif info.si_code <= 0 or info.si_signo == signal.SIGCONT:
            os.kill(child, info.si_signo)


def _child_status(child):
    """None while it lives. A stopped child stops us as well, so that the shell sees it."""
    pid, status = os.waitpid(child, os.WNOHANG | os.WUNTRACED)
    if pid == 0:
        return None
    if os.WIFSTOPPED(status):
        os.kill(os.getpid(), signal.SIGSTOP)
        os.kill(child, signal.SIGCONT)  # we go on, so it does
        return None
    return 128 + os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)


def start(command, output):
    """Starts it detached, as a child of the host's first process; prints its process id there."""
    kernel.setns(command.pidfd, kernel.CLONE_NEWPID)
    child = os.fork()
    if child == 0:
        _guarded(_as_middle, command, output)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def _as_middle(command, output):
    """Its child outlives it and so goes to the host's first process."""
    command.enter()
    from_child, to_parent = os.pipe()
    child = os.fork()
    if child == 0:
        os.setsid()
        _guarded(_as_background, command, output, to_parent)
    os.close(to_parent)
    wrong = os.read(from_child, 1000)  # closed by a successful exec
    os.write(2 if wrong else 1, wrong or f"{child}\n".encode())
    os._exit(FAILED if wrong else 0)


def _as_background(command, output, to_parent):
    error_fd = os.dup(to_parent)
    target = os.open(output or "/dev/null", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    nothing = os.open("/dev/null", os.O_RDONLY)
    for source, fd in ((nothing, 0), (target, 1), (target, 2)):
        os.dup2(source, fd)
    try:
        command.execute(command.become_user(), error_fd)
    except (OSError, store.HostsError) as error:
        _complain(error, error_fd)
