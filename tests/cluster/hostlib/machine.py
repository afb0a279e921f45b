"""One host: its first process, which makes the host around itself and then buries the dead."""
import os
import signal
import traceback

from . import cgroups, kernel, network, store


class Machine:
    """A host as the keeper knows it; `number` gives its address, `pid` is None while it is off."""

    def __init__(self, cluster, name, number, names, bin_dir):
        self.cluster = cluster
        self.name = name
        self.number = number
        self.names = names
        self.bin_dir = bin_dir
        self.pid = None
        self.pipe = None

    def power_on(self):
        """Forks the first process, in a process namespace of its own; wait_for() tells how it does."""
        cgroups.remove(self.cluster, self.name)
        cgroups.create(self.cluster, self.name)
        from_child, to_parent = os.pipe()
        from_parent, to_child = os.pipe()
        own = os.open("/proc/self/ns/pid", os.O_RDONLY | os.O_CLOEXEC)
        kernel.unshare(kernel.CLONE_NEWPID)
        self.pid = os.fork()
        if self.pid == 0:
            _first_process(self, from_parent, to_parent)
        kernel.setns(own, kernel.CLONE_NEWPID)
        for fd in (own, to_parent, from_parent):
            os.close(fd)
        self.pipe = (from_child, to_child)

    def wait_for(self, word):
        """Waits until the host reports `word`; anything else is what went wrong."""
        said = os.read(self.pipe[0], 10000).decode()
        if said != word:
            raise OSError(f"host {self.name}: {said or 'died while it started'}")

    def tell_plugged(self):
        os.write(self.pipe[1], b"plugged")

    def started(self):
        for fd in self.pipe:
            os.close(fd)
        self.pipe = None

    def kill(self):
        """The kernel kills the rest of the host with its first process."""
        os.kill(self.pid, signal.SIGKILL)
        cgroups.let_go(self.cluster, self.name)
        os.waitpid(self.pid, 0)
        self.pid = None
        if self.pipe:
            self.started()


def _first_process(machine, from_parent, to_parent):
    """Never returns. An exception goes to the keeper as text."""
    try:
        kernel.die_with_parent(signal.SIGKILL)
        _close_all_but(from_parent, to_parent)
        kernel.set_process_name(f"host:{machine.name}")
        _unshare_all(machine)
        os.write(to_parent, b"unshared")
        _mount_all(machine)
        _write_names(machine)
        if os.read(from_parent, 100) != b"plugged":
            os._exit(1)
        network.configure_host(machine.number)
        os.write(to_parent, b"up")
        _close_all_but()
        _bury_the_dead()
    except BaseException:  # pylint: disable=broad-except
        os.write(to_parent, traceback.format_exc().encode()[-9000:])
    finally:
        os._exit(1)


def _close_all_but(*kept):
    """The keeper's lock must not live on in its hosts."""
    low = 3
    for fd in sorted(kept):
        os.closerange(low, fd)
        low = fd + 1
    os.closerange(low, 65536)


def _unshare_all(machine):
    cgroups.join(cgroups.roots(machine.cluster, machine.name))
    homes = cgroups.homes(machine.cluster, machine.name)
    kernel.unshare(kernel.NAMESPACES)
    cgroups.join(home for home in homes if home.endswith("/init"))
    kernel.set_host_name(machine.name)


def _overlay(name, target):
    for part in (name, f"{name}.work"):
        os.makedirs(part, exist_ok=True)
    kernel.mount("overlay", target, "overlay", 0,
                 f"lowerdir={target},upperdir={name},workdir={name}.work")


def _mount_all(machine):
    """Stands in the cluster's disk, which the new /run may cover: sources below it are relative."""
    known = cgroups.hierarchies()
    os.chdir("disk")
    _overlay(f"{machine.name}/etc", "/etc")
    _overlay(f"{machine.name}/var", "/var")
    kernel.mount("home", "/home", None, kernel.MS_BIND | kernel.MS_REC)
    kernel.mount("run", "/run", "tmpfs", kernel.MS_NOSUID | kernel.MS_NODEV, "mode=755")
    os.makedirs("/run/lock", mode=0o1777)
    kernel.mount("shm", "/dev/shm", "tmpfs", kernel.MS_NOSUID | kernel.MS_NODEV, "mode=1777")
    if machine.bin_dir:
        os.makedirs(store.BIN)
        kernel.mount("bin", store.BIN, None, kernel.MS_BIND)
    safe = kernel.MS_NOSUID | kernel.MS_NODEV | kernel.MS_NOEXEC
    kernel.mount("proc", "/proc", "proc", safe)
    kernel.mount("sysfs", "/sys", "sysfs", safe)
    cgroups.mount_inside(known)
    os.chdir("/")


def _write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def _write_names(machine):
    """Names come from files alone: there is no name server to ask, and none to wait for."""
    rows = ["127.0.0.1 localhost", "::1 localhost"]
    rows += [f"{network.address(number)} {name}" for name, number in machine.names.items()]
    _write("/etc/hosts", "\n".join(rows) + "\n")
    _write("/etc/hostname", machine.name + "\n")
    _write("/etc/resolv.conf", "")
    _write("/etc/machine-id", f"{machine.number:032x}\n")
    with open("/etc/nsswitch.conf", encoding="utf-8") as file:
        lines = [line for line in file if not line.startswith("hosts:")]
    _write("/etc/nsswitch.conf", "".join(lines) + "hosts: files\n")


def _bury_the_dead():
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})
    while True:
        signal.sigwaitinfo({signal.SIGCHLD})
        try:
            while os.waitpid(-1, os.WNOHANG)[0] > 0:
                pass
        except ChildProcessError:
            pass
