"""What is known about the clusters of this machine, below /run/sluice-hosts.

    CLUSTER/lock          locked as long as the cluster's keeper lives, and so never stale
    CLUSTER/control       the keeper's socket
    CLUSTER/known         the keeper's pid, the numbers of the hosts
    CLUSTER/host.NAME     a running host: its first process, what is first on its PATH, and its cgroups
    CLUSTER/enter         runs a command in a host
    CLUSTER/log           what the keeper had to say
    CLUSTER/disk          the hosts' private files; mounted for the keeper and the hosts only
"""
import fcntl
import marshal
import os

from . import kernel

ROOT = os.environ.get("HOSTS_DIR", "/run/sluice-hosts")
NAME_MAX = 40
BIN = "/run/cluster/bin"  # in a host: the programs of -b


class HostsError(Exception):
    """Something to tell the user, without a traceback."""


def is_name(name):
    return 0 < len(name) <= NAME_MAX and name[0].isalnum() and name.isascii() and name.replace("-", "x").replace("_", "x").isalnum()


def check_name(what, name):
    if not is_name(name):
        raise HostsError(f"{what} '{name}': not letters, digits and '-', at most {NAME_MAX}")
    return name


def path(cluster, name=""):
    return os.path.join(ROOT, cluster, name)


def write_value(file_path, value):
    temporary = file_path + ".new"
    with open(temporary, "wb") as file:
        marshal.dump(value, file)
    os.rename(temporary, file_path)


def read_value(file_path):
    with open(file_path, "rb") as file:
        return marshal.load(file)


def clusters():
    names = os.listdir(ROOT) if os.path.isdir(ROOT) else []
    return sorted(name for name in names if is_name(name))


def _lock(file_path, flags):
    """The locked descriptor, or None if somebody holds it or its directory is just going away."""
    try:
        fd = os.open(file_path, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
    except FileNotFoundError:
        return None
    try:
        fcntl.flock(fd, flags)
        return fd
    except BlockingIOError:
        os.close(fd)
        return None


def _free_name():
    number = 1
    while os.path.exists(path(f"c{number}")):
        number += 1
    return f"c{number}"


def claim(name):
    """Makes the directory of a new cluster; '-' chooses a free name. Returns (name, lock)."""
    os.makedirs(ROOT, mode=0o700, exist_ok=True)
    guard = _lock(ROOT + "/.lock", fcntl.LOCK_EX)
    try:
        sweep()
        name = _free_name() if name == "-" else check_name("cluster", name)
        try:
            os.mkdir(path(name), 0o700)
        except FileExistsError:
            raise HostsError(f"cluster {name}: is up already") from None
        return name, _lock(path(name, "lock"), fcntl.LOCK_EX)
    finally:
        os.close(guard)


def collect_garbage():
    """Removes what clusters left whose keeper was killed."""
    if not os.path.isdir(ROOT):
        return
    guard = _lock(ROOT + "/.lock", fcntl.LOCK_EX)
    try:
        sweep()
    finally:
        os.close(guard)


def sweep():
    from . import cgroups
    for name in clusters():
        lock = _lock(path(name, "lock"), fcntl.LOCK_EX | fcntl.LOCK_NB)
        if lock is not None:
            cgroups.remove(name)
            forget(name)
            os.close(lock)


def forget(name):
    """For a cluster whose mounts are gone; what is left is ordinary files."""
    import shutil
    shutil.rmtree(path(name), ignore_errors=True)


def write_host(cluster, name, pid, bin_dir, homes):
    """For `enter`, too: process and its beginning, what is first on PATH, the cgroups to join; a line each."""
    file_path = path(cluster, f"host.{name}")
    with open(file_path + ".new", "w", encoding="utf-8") as file:
        file.write("\n".join([f"{pid} {kernel.start_time(pid)}", bin_dir, *homes]) + "\n")
    os.rename(file_path + ".new", file_path)


def host(cluster, name):
    """The first process of a running host."""
    if not os.path.isdir(path(cluster)):
        raise HostsError(f"cluster {cluster}: is not up")
    try:
        with open(path(cluster, f"host.{name}"), encoding="utf-8") as file:
            pid, start = map(int, file.readline().split())
    except FileNotFoundError:
        known = read_value(path(cluster, "known"))["hosts"]
        raise HostsError(f"host {name}: is off" if name in known else
                         f"host {name}: not in cluster {cluster}") from None
    if kernel.start_time(pid) != start:
        raise HostsError(f"host {name}: is off")
    return pid


def running(cluster):
    """The names of the hosts that are on."""
    return sorted(n[5:] for n in os.listdir(path(cluster)) if n.startswith("host."))
